# SPDX-License-Identifier: MIT
"""Flows of incompressible fluids, by vortex particles and by a pseudo-spectral
method: in memory, or as runs with files; and what is measured of a velocity.

    flow = koshu.flows.Flow("spectral", initial="turbulence", n=32, dt=0.05,
                            turbulence={"wave_number": 2, "reynolds": 10})
    flow.run(until=0.5)
    k, energy = koshu.flows.energy_spectrum(flow.velocity(), box=flow.box)

A velocity is an array (n, n, n, 3): at (i, j, l) box / n of a periodic box.
docs/turbulence.md and docs/vortex.md say what is computed; it needs a koshu with
Fourier transforms.
"""
from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _arrays, _koshu, _loop
from ._context import Context
from ._context import context as _default
from ._errors import InvalidArgumentError, NotFiniteError, UnsupportedError
from ._parameters import Parameters

__all__ = ["Flow", "FlowProgress", "Run", "Spectrum", "Statistics",
           "StructureFunctions", "energy_spectrum", "read", "second_invariant",
           "statistics", "structure_functions"]


def _need() -> None:
    if not hasattr(_koshu, "flow_begin"):
        raise UnsupportedError(
            "this koshu was built without Fourier transforms, which flows need: "
            "install libfftw3-dev (or libkissfft-dev) and build it again")


# ---- measured ---------------------------------------------------------------


class Spectrum(NamedTuple):
    """E(k) of the shells of waves within half a wave number of k; the sum of
    energy times 2 pi / box is the mean of u^2 / 2."""

    k: _arrays.Float
    energy: _arrays.Float


class StructureFunctions(NamedTuple):
    """Means of (u_a(x + r e_b) - u_a(x))^2, b = a (longitudinal) and b != a
    (transverse), and of the cube of the former (third)."""

    r: _arrays.Float
    longitudinal: _arrays.Float
    transverse: _arrays.Float
    third: _arrays.Float


@dataclass(frozen=True)
class Statistics:
    """Means over a box. Without viscosity eta, reynolds and resolution are 0."""

    energy: float  #: of u^2 / 2
    enstrophy: float  #: of omega^2 / 2
    dissipation: float  #: 2 nu enstrophy
    skewness: float  #: of du_a / dx_a
    eta: float  #: Kolmogorov's length
    reynolds: float  #: of Taylor's length, u' lambda / nu
    resolution: float  #: k_max eta


def _mesh(velocity: npt.ArrayLike) -> _arrays.Float:
    """[component, i, j, l], contiguous."""
    _need()
    u = _arrays._doubles(velocity, "velocity")
    if u.ndim != 4 or len({*u.shape[:3]}) != 1 or u.shape[3] != 3:
        raise ValueError(f"velocity has the shape {u.shape}: expected (n, n, n, "
                         f"3)")
    return np.ascontiguousarray(np.moveaxis(u, -1, 0))


def _of(context: Context | None) -> _koshu.Context:
    return (context or _default())._c


def energy_spectrum(velocity: npt.ArrayLike, *, box: float = 2 * np.pi,
                    context: Context | None = None) -> Spectrum:
    """The energy spectrum, of k above 0."""
    energy, _ = _koshu.flow_energies(_of(context), _mesh(velocity), box)
    k = np.arange(1, len(energy), dtype=np.float64)
    k *= 2 * np.pi / box
    return Spectrum(k, energy[1:])


def statistics(velocity: npt.ArrayLike, *, viscosity: float = 0,
               box: float = 2 * np.pi, context: Context | None = None
               ) -> Statistics:
    """Energy, enstrophy and what follows from them, and skewness."""
    u, of = _mesh(velocity), _of(context)
    energies, enstrophy = _koshu.flow_energies(of, u, box)
    energy = float(energies.sum()) * 2 * np.pi / box
    dissipation = 2 * viscosity * enstrophy
    eta = reynolds = 0.0
    if dissipation > 0:
        eta = (viscosity ** 3 / dissipation) ** 0.25
        reynolds = 2 / 3 * energy * (15 / (viscosity * dissipation)) ** 0.5
    largest = 2 * np.pi / box * ((u.shape[1] + 1) // 2 - 1)
    return Statistics(energy, enstrophy, dissipation,
                      _koshu.flow_skewness(of, u, box), eta, reynolds,
                      largest * eta)


def structure_functions(velocity: npt.ArrayLike, *, box: float = 2 * np.pi,
                        context: Context | None = None) -> StructureFunctions:
    """At separations r along the axes, up to half of the box."""
    raw = _koshu.flow_structures(_of(context), _mesh(velocity), box)
    return StructureFunctions(*raw.T)


def second_invariant(velocity: npt.ArrayLike, *, box: float = 2 * np.pi,
                     context: Context | None = None) -> _arrays.Float:
    """u_i,j u_j,i at each point, (n, n, n): below 0 where the fluid turns more
    than it is strained."""
    return _koshu.flow_invariant(_of(context), _mesh(velocity), box)


# ---- flows ------------------------------------------------------------------


@dataclass(frozen=True)
class FlowProgress:
    """What a flow is, and how far it is."""

    method: str  #: "spectral" or "vortex"
    n: int  #: points along the edge of a periodic box
    box: float  #: its edge; 0: free space
    viscosity: float
    time: float
    end: float
    wall_seconds: float
    step: int
    snapshots: int
    log_rows: int
    points: int  #: of the grid, or particles
    speed: float  #: u' of turbulence at its beginning; 0: it is none
    length: float  #: its integral length
    turnover: float  #: T = length / speed
    reynolds: float  #: of Taylor's length
    resolution: float  #: k_max eta of the largest dissipation


class _Any:
    """What flows in memory and those with files have in common."""

    _c: _koshu.Flow

    def progress(self) -> FlowProgress:
        """What the flow is, and how far."""
        return FlowProgress(**self._c.progress())

    @property
    def time(self) -> float:
        """The time that has been reached."""
        return self.progress().time

    @property
    def box(self) -> float:
        """The edge of the periodic box; 0: free space."""
        return self.progress().box

    @property
    def viscosity(self) -> float:
        """As given, or of turbulence as its Reynolds number has it."""
        return self.progress().viscosity

    def diagnostics(self) -> dict[str, float]:
        """The columns of energy.csv, now."""
        return self._c.diagnostics()

    def velocity(self, n: int | None = None) -> _arrays.Float:
        """At n^3 points of the box, (n, n, n, 3); None: as many as the flow has.
        Of vortex particles any n, by the fast multipole method."""
        u = self._c.velocity(self.progress().n if n is None else n)
        return np.moveaxis(u, 0, -1)

    def arrays(self) -> dict[str, _arrays.Float]:
        """What a snapshot has: Velocity and Vorticity on the grid, (n, n, n, 3);
        Coordinates, Strengths, Velocities and Vorticities of particles, (n,
        3)."""
        return {name: np.moveaxis(a, 0, -1)
                for name, a in self._c.arrays().items()}

    def statistics(self) -> Statistics:
        """Of the velocity on the grid."""
        return statistics(self.velocity(), viscosity=self.viscosity,
                          box=self.box)

    def energy_spectrum(self) -> Spectrum:
        """Of the velocity on the grid."""
        return energy_spectrum(self.velocity(), box=self.box)

    def __repr__(self) -> str:
        p = self.progress()
        return (f"<koshu.flows.{type(self).__name__}: {p.method}, {p.points} "
                f"points, t = {p.time:.6g}>")


def _keys(prefix: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """{"remesh": {"steps": 5}} to {"flow.remesh.steps": 5}."""
    keys: dict[str, Any] = {}
    for name, value in options.items():
        if isinstance(value, Mapping):
            keys.update(_keys(f"{prefix}{name}.", value))
        elif value is not None:
            keys[prefix + name] = value
    return keys


class Flow(_Any):
    """A flow in memory, which writes no files.

    method: "spectral" or "vortex". initial: "taylor-green", "turbulence", and of
    vortices "rings". dt: the length of a step. velocity: what the flow begins
    with in place of `initial`, (n, n, n, 3), spectral only. All others are the
    keys flow.* of docs/parameters.md by their last names, those of sections as
    dictionaries: viscosity=0.01, turbulence={"wave_number": 2}.
    """

    def __init__(self, method: str = "spectral", *,
                 initial: str = "taylor-green", dt: float = 0.01,
                 velocity: npt.ArrayLike | None = None,
                 context: Context | None = None, **options: Any) -> None:
        _need()
        if velocity is not None:
            u = _mesh(velocity)
            if options.setdefault("n", u.shape[1]) != u.shape[1]:
                raise ValueError(f"n is {options['n']}, and velocity has "
                                 f"{u.shape[1]}^3 points")
        self.dt = float(dt)  #: of the next steps
        self._c = _koshu.flow_begin(Parameters(None, {
            "flow.method": method, "flow.initial": initial,
            **_keys("flow.", options), "integrator.dt": self.dt,
            "integrator.end": 1e300}, context=context)._c)
        if velocity is not None:
            self.set_velocity(velocity)

    @classmethod
    def _of(cls, c: _koshu.Flow, dt: float) -> Flow:
        flow = cls.__new__(cls)
        flow._c, flow.dt = c, dt
        return flow

    def set_velocity(self, velocity: npt.ArrayLike) -> None:
        """Another velocity, (n, n, n, 3), from which waves that the grid has not
        and what is not free of divergence are left out; spectral only."""
        u = _mesh(velocity)
        n = self.progress().n
        if u.shape[1] != n:
            raise ValueError(f"velocity has {u.shape[1]}^3 points: expected "
                             f"{n}^3")
        if not np.isfinite(u).all():
            raise NotFiniteError("velocity has a number that is not finite")
        self._c.set_velocity(u)

    def step(self, dt: float | None = None) -> None:
        """One step, of self.dt."""
        self._c.step(self.dt if dt is None else dt)

    def run(self, until: float) -> None:
        """Steps of self.dt, the last of which ends there."""
        if not (math.isfinite(until)
                and until - self.time >= -1e-12 * abs(until)):
            raise InvalidArgumentError(f"until = {until:g}: the flow is at "
                                       f"{self.time:g}, and its steps go ahead")
        while (left := until - self.time) > 1e-12 * abs(until):
            # what is less than a thousandth of a step is no step of its own
            self.step(left if left <= 1.001 * self.dt else self.dt)


def read(path: str | os.PathLike[str], *, context: Context | None = None
         ) -> Flow:
    """The flow of a snapshot of a run, in memory: what it was, but for the rates
    of vortex particles at the step before."""
    _need()
    of = context or _default()
    c = _koshu.flow_open(of._c, os.fspath(path))
    text = _koshu.snapshot_parameters(of._c, os.fspath(path))
    dt = Parameters(text=text, context=of).number("integrator.dt")
    return Flow._of(c, dt)


class Run(_Any):
    """A flow with log, snapshots, spectra and checkpoints in a directory, as
    `koshu run` makes it of a file with flow.method.

        with koshu.flows.Run("decay.yaml", {"output.directory": "out"}) as run:
            run.run()

    Arguments as of koshu.Run. Ctrl-C ends run() after the step that is being
    made, with a checkpoint.
    """

    def __init__(self, parameters: Parameters | str | os.PathLike[str] | None
                 = None, values: Mapping[str, Any] | None = None, *,
                 restart: bool = False, overwrite: bool = False,
                 force: bool = False, context: Context | None = None) -> None:
        _need()
        if not isinstance(parameters, Parameters):
            parameters = Parameters(parameters, values, context=context)
        elif values:
            raise ValueError("values= goes with a file: set the keys of the "
                             "Parameters")
        self.parameters = parameters
        self._c = _koshu.flow_create(parameters._c, restart,
                                     force if restart else overwrite)
        self._callbacks = _loop.Callbacks()
        self._closed = False

    @property
    def stopped(self) -> str:
        """Why there is no further step: "end", "request", ...; "none": there is
        one."""
        return self._c.stopped

    def step(self) -> None:
        """One step, and the files that are due."""
        self._open().advance()

    def _open(self) -> _koshu.Flow:
        if self._closed:
            raise ValueError("the run has ended: koshu.flows.Run(..., "
                             "restart=True) goes on with it")
        return self._c

    def request_stop(self) -> None:
        """The run stops after the step that is being made; from any thread."""
        self._c.request_stop()

    def checkpoint(self) -> None:
        """Writes a checkpoint now."""
        self._open().checkpoint()

    def call(self, function: Callable[[Run], object], *, every: int = 1
             ) -> Callable[[Run], object]:
        """Calls function(run) after every so many steps of run(); one that
        returns False stops the run."""
        self._callbacks.add(function, every)
        return function

    def forget(self, function: Callable[[Run], object]) -> None:
        """Calls it no more."""
        self._callbacks.remove(function)

    def close(self) -> None:
        """Writes the last checkpoint, and the log to the disk. The directory is
        free for others when the run is collected."""
        if not self._closed:
            self._closed = True
            self._c.finish()

    def run(self, *, progress: bool | None = None) -> str:
        """Goes on until the run has stopped, closes it, and returns why.
        progress: a bar of tqdm, where it is installed; None: on a terminal."""
        p = self.progress()
        bar = _loop.bar(progress, p.time, p.end)
        reason = "none"
        with self, contextlib.closing(bar):
            while (reason := self.stopped) == "none":
                self.step()
                bar.update(self.time)
                if self._callbacks.call(self):
                    return "request"
        return reason

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        _loop.close(self, error)
