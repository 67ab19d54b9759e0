# SPDX-License-Identifier: MIT
"""Runs in memory; koshu.Run has those that write files."""
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
    integrator: "leapfrog", "hermite", "archain", or an object Leapfrog, Hermite
    or Archain.
    time: at which the particles are. Units: any in which G = 1.
    external: fields that act beside the particles, External or its text. Their
    energy is external.energy(particles); diagnostics() are of the particles.

    The particles are moved, not copied. A simulation can be pickled, and saved
    to a file with save(); it then goes on bit for bit.
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
        self._fresh = True  # no force has been computed
        self._seen = particles._edits

    def _take(self, external: External | str | None
              ) -> _koshu.External | None:
        if isinstance(external, str):
            external = External(external, context=self._particles.context)
        self._external = external
        return external._c if external else None

    @property
    def external(self) -> External | None:
        """The fields that act beside the particles."""
        return self._external

    @property
    def particles(self) -> Particles:
        """What moves."""
        return self._particles

    @property
    def solver(self) -> _solvers.Solver:
        """What computes the forces."""
        return self._solver

    @property
    def integrator(self) -> _integrators.Scheme:
        """What moves the particles."""
        return self._scheme

    @property
    def time(self) -> float:
        """The time at which the particles are."""
        return self._c.time

    @property
    def steps(self) -> int:
        """Steps made so far; of the Hermite scheme, block steps."""
        steps: int = self._c.clock()["steps"]
        return steps

    @property
    def options(self) -> dict[str, Any]:
        """Of the integrator, defaults filled in."""
        return self._c.options()

    def report(self) -> dict[str, Any]:
        """What the integrator has done: engine, interactions, seconds."""
        return self._c.report()

    # ---- going on -----------------------------------------------------------

    @property
    def events(self) -> list[dict[str, Any]]:
        """Mergers of the last step, with `Hermite(radius=...)`: of each its
        `kind`, `time` and `energy`, which the rest has less, and `bodies`, the two as
        they were, the heavier one first: `id`, `mass`, `radius`, `position`,
        `velocity`."""
        return self._c.events()

    def evaluate(self) -> None:
        """Computes forces and potentials where the particles are now. Steps do
        so themselves where particles were changed by hand."""
        self._c.evaluate()
        self._seen = self.particles._edits
        self._fresh = False

    def _edited(self) -> bool:
        """Whether particles have been changed by hand since."""
        return self._seen != self.particles._edits

    def step(self, until: float = float("inf"), *, potential: bool = False
             ) -> None:
        """One step, no further than `until`. potential: computed with it."""
        if self._edited():
            self.evaluate()
        try:
            self._c.advance(float(until), potential)
        finally:
            # Ctrl-C may come when the step has been made
            self._fresh = self._fresh and self.steps == 0

    def call(self, function: Callable[[Simulation], object], *, every: int = 1
             ) -> Callable[[Simulation], object]:
        """Calls function(simulation) after every so many steps of run(). It may
        look at the particles and change them; one that returns False stops the
        run. Gives the function back, so that it can
        decorate one."""
        self._callbacks.add(function, every)
        return function

    def forget(self, function: Callable[[Simulation], object]) -> None:
        """Calls it no more."""
        self._callbacks.remove(function)

    def view(self, *, control: bool = False, port: int = 0,
             socket: str | os.PathLike[str] | None = None,
             particles: int = 100_000) -> View:
        """A page that shows the particles while run() moves them: at a port of
        this machine's loopback interface, any that is free, or through a Unix
        socket. control: it may pause the run, make a step, and stop run()."""
        self._view = View(self.particles.context, port=port, socket=socket,
                          control=control, particles=particles)
        return self._view

    def _show(self, end: float) -> bool:
        """Whether the live view wants to stop."""
        return self._view is not None and self._view._update(
            self.particles, self.steps, self.time, end,
            last=self.time == end)

    def run(self, until: float, *, progress: bool | None = None,
            checkpoint: str | os.PathLike[str] | None = None) -> Simulation:
        """Goes on to the time `until`, which is reached exactly.

        progress: a bar of tqdm, where it is installed; None: on a terminal.
        checkpoint: a file that is written when Ctrl-C, or an exception of a
        callback, ends the run, not when a step fails; Simulation.load() goes on
        from it. Without one the simulation stays as it is after its last step,
        and can be run again.
        """
        end = float(until)
        bar = _loop.bar(progress, self.time, end)
        try:
            while self.time != end:
                try:
                    self.step(end)
                except Error:
                    checkpoint = None  # of what has failed none goes on
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
        """Energies, momenta and radii now. Computes the potentials, by one more
        sum of forces, and leaves the run as it is."""
        if self._fresh or self._edited():
            self.evaluate()
            return self.particles.diagnostics()
        copy = self.particles.copy()
        _solvers.Solver(self._solver.method,
                       context=copy.context).forces(copy)
        return copy.diagnostics()

    def predicted(self) -> tuple[Float, Float]:
        """Positions and velocities (n, 3) at `time`, as new arrays. Between the
        synchronised steps of the Hermite scheme each particle stands at the end
        of its own last step, from which it is predicted."""
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
        """Writes the simulation to a file (.npz), whole or not at all."""
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
        """A simulation that save() wrote."""
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
        sim._seen = -1  # no number of edits: step() computes the forces again
    return sim
