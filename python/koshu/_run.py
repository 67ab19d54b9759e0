# SPDX-License-Identifier: MIT
"""Runs that write files, like `koshu run`."""
from __future__ import annotations

import contextlib
import html
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _errors, _koshu, _loop
from ._arrays import Float
from ._context import Context
from ._parameters import Parameters
from ._particles import Particles
from ._solvers import Solver, method_from
from ._units import Units
from ._view import View


@dataclass(frozen=True)
class Progress:
    """The progress of a run; times are in its units, seconds are wall-clock
    seconds."""

    step: int
    time: float
    end: float
    energy_error: float  #: (E - E_0) / |E_0|, from the last row of the log
    wall_seconds: float
    seconds_left: float  #: negative: unknown
    steps: int
    particle_steps: int
    interactions: int
    interactions_per_s: float
    bytes_copied: int
    snapshots: int
    log_rows: int
    checkpoints: int
    newest_checkpoint: str
    energy_of_kinetic: bool  #: the error is (E - E_0) / T
    group_forces: int  #: pair sums within few-body groups
    hardest_forces: int  #: the most of one group in a dt,
    hardest_bodies: int  #: the number of its bodies,
    hardest_id: int  #: and the id of one of them
    hardest_time: float


MassLoss = Callable[[float, float, "npt.NDArray[np.uint64]", Float, Float],
                    "npt.ArrayLike"]


class _MassLoss:
    """Calls a mass-loss function from within a step, and keeps the exception
    that it raises."""

    def __init__(self, function: MassLoss) -> None:
        self._function = function
        self._error: BaseException | None = None

    def take_error(self) -> BaseException | None:
        error, self._error = self._error, None
        return error

    def __call__(self, begin: float, end: float, ids: bytes, initial: Float,
                 mass: Float) -> Float:
        try:
            new = self._function(begin, end, np.frombuffer(ids, np.uint64),
                                 initial, mass)
            return np.ascontiguousarray(
                np.broadcast_to(np.asarray(new, float), mass.shape))
        except BaseException as error:
            self._error = error
            raise


class Run:
    """A run with log, snapshots and checkpoints in a directory.

        with koshu.Run("plummer.yaml", {"output.directory": "out"}) as run:
            run.run()

    parameters: a YAML file, koshu.Parameters, or None: only `values` count.
    restart: continues from the newest checkpoint in the directory. overwrite:
    removes the output of an earlier run. force: with restart, accepts
    different physics. beside: writes files while the next steps are computed.
    mass_loss: a function(begin, end, ids, initial_mass, mass) of arrays, which
    returns the masses of the stars at the time `end`, in the units of the run.
    It is called after each synchronised step with their present masses and
    those at the beginning of the run. If it depends on nothing else, a restart
    continues bit for bit.

    Ctrl-C ends run() after the current step, with a checkpoint; koshu.Run(...,
    restart=True) continues.
    """

    def __init__(self, parameters: Parameters | str | os.PathLike[str] | None
                 = None, values: Mapping[str, Any] | None = None, *,
                 restart: bool = False, overwrite: bool = False,
                 force: bool = False, beside: bool = False,
                 mass_loss: MassLoss | None = None,
                 context: Context | None = None) -> None:
        if not isinstance(parameters, Parameters):
            parameters = Parameters(parameters, values, context=context)
        elif values:
            raise ValueError("values= goes with a file: set the keys of the "
                             "Parameters")
        self.parameters = parameters
        self._mass_loss = _MassLoss(mass_loss) if mass_loss else None
        live = _koshu.run_create(
            parameters._c, restart,
            {"overwrite": overwrite, "force": force, "beside": beside},
            self._mass_loss)
        self._live: _koshu.Run | None = live
        self._particles = Particles._of(live.particles(),
                                        parameters._context)
        self._seen = self._particles._edits
        self._final: dict[str, Any] = {}
        self._callbacks = _loop.Callbacks()
        self._view: View | None = None

    def _open(self) -> _koshu.Run:
        if self._live is None:
            raise ValueError("the run has ended: koshu.Run(..., restart=True) "
                             "goes on with it")
        return self._live

    def _ask(self, what: str) -> Any:
        """The result of a method of the run, or its last result before the run
        ended."""
        if self._live is None:
            return self._final[what]
        value = getattr(self._live, what)
        return value() if callable(value) else value

    @property
    def particles(self) -> Particles:
        """The run's particles, in its units of length and velocity; masses are
        multiplied by G."""
        return self._particles

    @property
    def solver(self) -> Solver:
        """The run's solver; after its end, an equal one. Not available with
        solver.method: interaction."""
        if self._live is None:
            return Solver(method_from(self._final["solver"]),
                          context=self._particles.context)
        return Solver._of(self._live.solver(), self._particles.context)

    @property
    def units(self) -> Units:
        """The units of its files and of all times."""
        return Units._of(self._ask("units"))

    @property
    def time(self) -> float:
        """The current time."""
        return self.progress().time

    @property
    def stopped(self) -> str:
        """Why there is no further step: "end", "request", "energy", ...;
        "none": there is one."""
        value: str = self._ask("stopped")
        return value

    def progress(self) -> Progress:
        """The progress of the run."""
        return Progress(**self._ask("progress"))

    def seconds(self) -> dict[str, float]:
        """Where the wall time went."""
        return dict(self._ask("seconds"))

    def force_errors(self) -> dict[str, float]:
        """The newest row of errors.csv."""
        return dict(self._ask("tree_errors"))

    def _settle(self) -> _koshu.Run:
        """Computes the forces of particles that were changed by hand."""
        live = self._open()
        if self._seen != self._particles._edits:
            live.evaluate()
            self._seen = self._particles._edits
        return live

    def step(self) -> None:
        """Makes one step, and writes the files that are due. If particles were
        changed by hand, their forces are computed first."""
        live = self._settle()
        try:
            live.advance()
        except _errors.Error:
            error = self._mass_loss and self._mass_loss.take_error()
            if error:
                raise error from None
            raise

    def request_stop(self) -> None:
        """Stops the run after the current step. May be called from any
        thread."""
        if self._live is not None:
            self._live.request_stop()

    def checkpoint(self) -> None:
        """Writes a checkpoint now, with the forces of particles as they are
        now."""
        self._settle().checkpoint()

    def close(self) -> None:
        """Ends the run: writes the last checkpoint and the logs, and releases
        the directory. The end of `with`, and of run(), does this too.
        Particles and numbers remain accessible."""
        if self._live is None:
            return
        try:
            self._settle().finish()
        finally:
            names = ("units", "stopped", "progress", "seconds", "tree_errors")
            final = {name: self._ask(name) for name in names}
            final["solver"] = self._live.solver().options()
            self._particles = self._particles.copy()
            self._final, self._live = final, None

    def call(self, function: Callable[[Run], object], *, every: int = 1
             ) -> Callable[[Run], object]:
        """Calls function(run) after every `every` steps of run(). It may read
        and change the particles; if it returns False, the run stops."""
        self._callbacks.add(function, every)
        return function

    def forget(self, function: Callable[[Run], object]) -> None:
        """Stops calling the function."""
        self._callbacks.remove(function)

    def view(self, *, control: bool = False, port: int = 0,
             socket: str | os.PathLike[str] | None = None,
             particles: int = 100_000) -> View:
        """A page that shows particles, energy and radii during run(), at a
        port of this machine's loopback interface (0: any free one) or through
        a Unix socket. control: the page may pause the run, make single steps,
        and stop it with a checkpoint."""
        log = os.path.join(self.parameters["output.directory"], "energy.csv")
        self._view = View(self.parameters._context, port=port, socket=socket,
                          control=control, particles=particles, log=log)
        return self._view

    def _show(self) -> None:
        if self._view is None:
            return
        p = self.progress()
        if self._view._update(self._particles, p.step, p.time, p.end,
                              p.energy_error, self.stopped != "none"):
            self.request_stop()

    def run(self, *, progress: bool | None = None) -> str:
        """Runs until the run stops, closes it, and returns why it stopped.
        progress: a bar of tqdm, if it is installed; None: on a terminal."""
        begin = self.progress()
        bar = _loop.bar(progress, begin.time, begin.end)
        reason = "none"
        with self, contextlib.closing(bar):
            while (reason := self.stopped) == "none":
                self.step()
                bar.update(self.time)
                self._show()
                if self._callbacks.call(self):
                    return "request"
        return reason

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        _loop.close(self, error)

    def __repr__(self) -> str:
        p = self.progress()
        return (f"<koshu.Run: n = {len(self.particles)}, t = {p.time:.6g} of "
                f"{p.end:.6g}, {self.parameters['output.directory']}>")

    def _repr_html_(self) -> str:
        p = self.progress()
        rows = {"particles": f"{len(self.particles):,}",
                "time": f"{p.time:.6g} of {p.end:.6g}",
                "steps": f"{p.step:,}", "stopped": self.stopped,
                "energy error": f"{p.energy_error:.2e}",
                "directory": self.parameters["output.directory"]}
        return ("<p><b>koshu.Run</b></p><table>" + "".join(
            f"<tr><td>{k}</td><td>{html.escape(v)}</td></tr>"
            for k, v in rows.items()) + "</table>")
