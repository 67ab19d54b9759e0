# SPDX-License-Identifier: MIT
"""Runs in memory; koshu.Run is for those that write files."""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

from . import _integrators, _koshu, _loop, _solvers
from ._arrays import Float
from ._context import Context
from ._errors import Error
from ._external import External
from ._particles import Diagnostics, Particles, _restore
from ._view import View

_PLAIN = ("id", "mass", "position", "velocity", "acceleration", "potential")
_OF_BLOCKS = ("jerk", "step")


class Simulation:
    """Particles that move under their forces, in memory.

        sim = koshu.Simulation(koshu.models.plummer(16384), softening=0.01,
                               solver="tree", integrator="leapfrog")
        sim.run(until=1)
        sim.particles.position

    solver: "direct", "tree", "fmm", or an object Direct, Tree or FMM.
    integrator: "leapfrog", "hermite", "archain", or an object Leapfrog,
    Hermite or Archain. time: of the particles. Units: any in which G = 1.
    external: additional fields, External or its text. Their energy is
    external.energy(particles); diagnostics() covers only the particles.

    The particles are moved, not copied. A simulation can be pickled, or saved
    to a file by save(); it then continues bit for bit.
    """

    def __init__(self, particles: Particles, *,
                 solver: _solvers.Method | str = "direct",
                 integrator: _integrators.Scheme | str = "leapfrog",
                 softening: float | None = None, time: float = 0,
                 external: External | str | None = None) -> None:
        self._particles = particles
        method = _solvers.method_of(solver, softening)
        self._solver = _solvers.Solver(method, context=particles.context)
        self._scheme = _integrators.scheme_of(integrator)
        _integrators.check(self._scheme, method)
        self._c = _koshu.integrator_create(
            self._solver._c, particles._c, time,
            _integrators.options_of(self._scheme), self._take(external))
        self._callbacks = _loop.Callbacks()
        self._view: View | None = None
        self._fresh = True  # no forces have been computed
        self._seen = particles._edits

    def _take(self, external: External | str | None
              ) -> _koshu.External | None:
        if isinstance(external, str):
            external = External(external, context=self._particles.context)
        self._external = external
        return external._c if external else None

    @property
    def external(self) -> External | None:
        """The fields that act on the particles in addition to their gravity."""
        return self._external

    @property
    def particles(self) -> Particles:
        """The particles, which the simulation moves."""
        return self._particles

    @property
    def solver(self) -> _solvers.Solver:
        """The solver that computes the forces."""
        return self._solver

    @property
    def integrator(self) -> _integrators.Scheme:
        """The scheme that moves the particles."""
        return self._scheme

    @property
    def time(self) -> float:
        """The time of the particles."""
        return self._c.time

    @property
    def steps(self) -> int:
        """The number of steps so far; for the Hermite scheme, of block
        steps."""
        steps: int = self._c.clock()["steps"]
        return steps

    @property
    def options(self) -> dict[str, Any]:
        """The options of the integrator, including defaults."""
        return self._c.options()

    def report(self) -> dict[str, Any]:
        """Statistics of the integrator: engine, interactions, seconds."""
        return self._c.report()

    # ---- going on -----------------------------------------------------------

    @property
    def events(self) -> list[dict[str, Any]]:
        """The mergers of the last step, with `Hermite(radius=...)`. Each has a
        `kind`, a `time`, an `energy`, which the rest has lost, and `bodies`:
        the two before the merger, the heavier one first, with `id`, `mass`,
        `radius`, `position`, `velocity`."""
        return self._c.events()

    def evaluate(self) -> None:
        """Computes forces and potentials at the present positions. Steps do so
        themselves if particles were changed by hand."""
        self._c.evaluate()
        self._seen = self.particles._edits
        self._fresh = False

    def _edited(self) -> bool:
        """Have particles been changed by hand since the last step?"""
        return self._seen != self.particles._edits

    def step(self, until: float = float("inf"), *, potential: bool = False
             ) -> None:
        """Makes one step, no further than `until`. potential: also compute
        potentials."""
        if self._edited():
            self.evaluate()
        try:
            self._c.advance(float(until), potential)
        finally:
            # Ctrl-C may arrive after the step
            self._fresh = self._fresh and self.steps == 0

    def call(self, function: Callable[[Simulation], object], *, every: int = 1
             ) -> Callable[[Simulation], object]:
        """Calls function(simulation) after every `every` steps of run(). It
        may read and change the particles; if it returns False, the run stops.
        Returns the function, so that this can be used as a decorator."""
        self._callbacks.add(function, every)
        return function

    def forget(self, function: Callable[[Simulation], object]) -> None:
        """Stops calling the function."""
        self._callbacks.remove(function)

    def view(self, *, control: bool = False, port: int = 0,
             socket: str | os.PathLike[str] | None = None,
             particles: int = 100_000) -> View:
        """A page that shows the particles during run(), at a port of this
        machine's loopback interface (0: any free one) or through a Unix
        socket. control: the page may pause the run, make single steps, and
        stop run()."""
        self._view = View(self.particles.context, port=port, socket=socket,
                          control=control, particles=particles)
        return self._view

    def _show(self, end: float) -> bool:
        """Updates the live view. Returns whether it wants to stop."""
        return self._view is not None and self._view._update(
            self.particles, self.steps, self.time, end,
            last=self.time == end)

    def run(self, until: float, *, progress: bool | None = None,
            checkpoint: str | os.PathLike[str] | None = None) -> Simulation:
        """Runs to the time `until`, which is reached exactly.

        progress: a bar of tqdm, if it is installed; None: on a terminal.
        checkpoint: a file that is written if Ctrl-C, or an exception in a
        callback, ends the run (not if a step fails); Simulation.load()
        continues from it. Without one, the simulation remains at its last step
        and can be run again.
        """
        end = float(until)
        bar = _loop.bar(progress, self.time, end)
        try:
            while self.time != end:
                try:
                    self.step(end)
                except Error:
                    checkpoint = None  # nothing can continue from a failed step
                    raise
                bar.update(self.time)
                if self._callbacks.call(self) or self._show(end):
                    break
        except BaseException:
            if checkpoint is not None:
                self.save(checkpoint)
            raise
        finally:
            bar.close()
        return self

    def diagnostics(self) -> Diagnostics:
        """Energies, momenta and radii at `time`. Computes the potentials by
        another force calculation, and does not change the run."""
        if self._fresh or self._edited():
            self.evaluate()
            return self.particles.diagnostics()
        copy = self.particles.copy()
        copy.position, copy.velocity = self.predicted()
        _solvers.Solver(self._solver.method,
                       context=copy.context).forces(copy)
        return copy.diagnostics()

    def predicted(self) -> tuple[Float, Float]:
        """Positions and velocities (n, 3) at `time`, as new arrays. Between
        synchronised steps of the Hermite scheme each particle is at the end of
        its own last step; from there it is predicted."""
        p = self._particles
        x, v = np.array(p.position), np.array(p.velocity)
        if self._fresh or not isinstance(self._scheme, _integrators.Hermite):
            return x, v
        clock = self._c.clock()
        late = np.uint64(clock["ticks"]) - p._c.read("step")[:, 0]
        h = (late * clock["tick"])[:, None]
        a, j = p.acceleration, p.jerk
        return x + h * (v + h * (a / 2 + h * j / 6)), v + h * (a + h * j / 2)

    # ---- files --------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        fields: tuple[str, ...] = _PLAIN
        if isinstance(self._scheme, _integrators.Hermite) and not self._fresh:
            fields += _OF_BLOCKS
        arrays = {k: np.ascontiguousarray(self.particles._c.read(k))
                  for k in fields}
        return {"arrays": arrays, "clock": self._c.clock(),
                "fresh": self._fresh, "edited": self._edited(),
                "solver": self._solver.method, "integrator": self._scheme,
                "external": self._external and (self._external.text,
                                                self._external.units)}

    def __reduce__(self) -> tuple[object, ...]:
        return _simulation_of, (self._state(),)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the simulation to a file (.npz), completely or not at all."""
        state = self._state()
        arrays = state.pop("arrays")
        text = json.dumps({
            "koshu": 1, "clock": state["clock"], "fresh": state["fresh"],
            "edited": state["edited"],
            "solver": _solvers._options(state["solver"]),
            "integrator": _integrators.options_of(state["integrator"]),
            "external": state["external"]})
        folder = os.path.dirname(os.path.abspath(path))
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            try:
                np.savez(file, koshu=np.array(text), **arrays)
                file.flush()
                os.fsync(file.fileno())
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise

    @classmethod
    def load(cls, path: str | os.PathLike[str], *,
             context: Context | None = None) -> Simulation:
        """Loads a simulation that save() wrote."""
        with np.load(path, allow_pickle=False) as file:
            if "koshu" not in file:
                raise ValueError(f"{os.fspath(path)} is not a simulation that "
                                 f"koshu saved")
            state = json.loads(str(file["koshu"]))
            state["arrays"] = {k: file[k] for k in file if k != "koshu"}
        common, own = state["solver"]
        kind = _solvers._METHODS[common.pop("method")]
        state["solver"] = kind(**common, **own)
        scheme = state["integrator"]
        state["integrator"] = _integrators._SCHEMES[scheme.pop("scheme")](
            **scheme)
        return _simulation_of(state, context)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._callbacks = _loop.Callbacks()

    def __repr__(self) -> str:
        return (f"<koshu.Simulation: n = {len(self.particles)}, t = "
                f"{self.time:.6g}, {self._solver.method!r}, {self._scheme!r}, "
                f"{self._solver.device}>")

    def _repr_html_(self) -> str:
        rows = {"particles": f"{len(self.particles):,}",
                "time": f"{self.time:.6g}", "steps": f"{self.steps:,}",
                "solver": repr(self._solver.method),
                "integrator": repr(self._scheme),
                "device": self._solver.device}
        return ("<p><b>koshu.Simulation</b></p><table>" + "".join(
            f"<tr><td>{k}</td><td>{v}</td></tr>" for k, v in rows.items())
            + "</table>")


def _simulation_of(state: dict[str, Any],
                   context: Context | None = None) -> Simulation:
    arrays = dict(state["arrays"])
    blocks = {k: arrays.pop(k) for k in _OF_BLOCKS if k in arrays}
    particles = _restore(arrays, context)
    if "jerk" in blocks:
        particles._write("jerk", blocks["jerk"])
        particles._c.write_whole("step", blocks["step"])
    fields = state.get("external")
    external = External(fields[0], units=fields[1],
                        context=particles.context) if fields else None
    sim = Simulation(particles, solver=state["solver"],
                     integrator=state["integrator"],
                     time=state["clock"]["time"], external=external)
    if not state["fresh"]:
        sim._c.resume(state["clock"])
        sim._fresh = False
    if state.get("edited"):
        sim._seen = -1  # not a valid count: step() computes the forces again
    return sim
