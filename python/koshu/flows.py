# SPDX-License-Identifier: MIT
"""Flows of incompressible fluids, by vortex particles and by a pseudo-spectral
method: in memory, or as runs with files; and statistics of a velocity field.

    flow = koshu.flows.Flow("spectral", initial="turbulence", n=32, dt=0.05,
                            turbulence={"wave_number": 2, "reynolds": 10})
    flow.run(until=0.5)
    k, energy = koshu.flows.energy_spectrum(flow.velocity(), box=flow.box)

A velocity field is an array (n, n, n, 3), at the points (i, j, l) box / n of a
periodic box. docs/turbulence.md and docs/vortex.md describe the methods. koshu
must have been built with Fourier transforms.
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
from ._errors import BadInputError, InvalidArgumentError, NotFiniteError, UnsupportedError
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
    """E(k) in shells of wave numbers within half a shell width of k. The sum
    of energy times 2 pi / box is the mean of u^2 / 2."""

    k: _arrays.Float
    energy: _arrays.Float


class StructureFunctions(NamedTuple):
    """Means of (u_a(x + r e_b) - u_a(x))^2 for b = a (longitudinal) and b != a
    (transverse), and of the cube of the former (third)."""

    r: _arrays.Float
    longitudinal: _arrays.Float
    transverse: _arrays.Float
    third: _arrays.Float


@dataclass(frozen=True)
class Statistics:
    """Means over a box. Without viscosity eta, reynolds and resolution are
    0."""

    energy: float  #: mean of u^2 / 2
    enstrophy: float  #: mean of omega^2 / 2
    dissipation: float  #: 2 nu enstrophy
    skewness: float  #: of du_a / dx_a
    eta: float  #: Kolmogorov's length
    reynolds: float  #: u' lambda / nu, with Taylor's length lambda
    resolution: float  #: k_max eta


def _mesh(velocity: npt.ArrayLike) -> _arrays.Float:
    """The velocity as [component, i, j, l], contiguous."""
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
    """The energy spectrum, for k above 0."""
    energy, _ = _koshu.flow_energies(_of(context), _mesh(velocity), box)
    k = np.arange(1, len(energy), dtype=np.float64)
    k *= 2 * np.pi / box
    return Spectrum(k, energy[1:])


def statistics(velocity: npt.ArrayLike, *, viscosity: float = 0,
               box: float = 2 * np.pi, context: Context | None = None
               ) -> Statistics:
    """Energy, enstrophy and quantities derived from them, and skewness."""
    if not 0 <= viscosity < math.inf:
        raise BadInputError(f"viscosity = {viscosity:g}: expected a number of "
                            f"at least 0")
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
    """Structure functions at separations r along the axes, up to half of the
    box."""
    raw = _koshu.flow_structures(_of(context), _mesh(velocity), box)
    return StructureFunctions(*raw.T)


def second_invariant(velocity: npt.ArrayLike, *, box: float = 2 * np.pi,
                     context: Context | None = None) -> _arrays.Float:
    """u_i,j u_j,i at each point, (n, n, n): negative where rotation exceeds
    strain."""
    return _koshu.flow_invariant(_of(context), _mesh(velocity), box)


# ---- flows ------------------------------------------------------------------


@dataclass(frozen=True)
class FlowProgress:
    """The properties of a flow, and its progress."""

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
    points: int  #: of the grid, or the number of particles
    speed: float  #: u' of the initial turbulence; 0: there is none
    length: float  #: its integral length
    turnover: float  #: T = length / speed
    reynolds: float  #: with Taylor's length
    resolution: float  #: k_max eta at the largest dissipation


class _Any:
    """Shared by flows in memory and flows with files."""

    _c: _koshu.Flow

    def progress(self) -> FlowProgress:
        """The properties and progress of the flow."""
        return FlowProgress(**self._c.progress())

    @property
    def time(self) -> float:
        """The current time."""
        return self.progress().time

    @property
    def box(self) -> float:
        """The edge of the periodic box; 0: free space."""
        return self.progress().box

    @property
    def viscosity(self) -> float:
        """The viscosity as given or, for turbulence, from its Reynolds
        number."""
        return self.progress().viscosity

    def diagnostics(self) -> dict[str, float]:
        """The columns of energy.csv, for the present flow."""
        return self._c.diagnostics()

    def velocity(self, n: int | None = None) -> _arrays.Float:
        """The velocity at n^3 points of the box, (n, n, n, 3). n None: the
        flow's own grid. With vortex particles n may be any number; the fast
        multipole method is used."""
        u = self._c.velocity(self.progress().n if n is None else n)
        return np.moveaxis(u, 0, -1)

    def arrays(self) -> dict[str, _arrays.Float]:
        """The arrays of a snapshot: on a grid Velocity and Vorticity, (n, n,
        n, 3); of particles Coordinates, Strengths, Velocities and Vorticities,
        (n, 3)."""
        return {name: np.moveaxis(a, 0, -1)
                for name, a in self._c.arrays().items()}

    def statistics(self) -> Statistics:
        """Statistics of the velocity on the grid."""
        return statistics(self.velocity(), viscosity=self.viscosity,
                          box=self.box)

    def energy_spectrum(self) -> Spectrum:
        """The energy spectrum of the velocity on the grid."""
        return energy_spectrum(self.velocity(), box=self.box)

    def __repr__(self) -> str:
        p = self.progress()
        return (f"<koshu.flows.{type(self).__name__}: {p.method}, {p.points} "
                f"points, t = {p.time:.6g}>")


def _keys(prefix: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Converts {"remesh": {"steps": 5}} to {"flow.remesh.steps": 5}."""
    keys: dict[str, Any] = {}
    for name, value in options.items():
        if isinstance(value, Mapping):
            keys.update(_keys(f"{prefix}{name}.", value))
        elif value is not None:
            keys[prefix + name] = value
    return keys


class Flow(_Any):
    """A flow in memory, which writes no files.

    method: "spectral" or "vortex". initial: "taylor-green", "turbulence" or,
    for vortices, "rings". dt: the time step. velocity: the initial velocity
    (n, n, n, 3), instead of `initial`; only spectral. All other options are
    the keys flow.* of docs/parameters.md by their last names, with
    dictionaries for sections: viscosity=0.01, turbulence={"wave_number": 2}.
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
        """Sets the velocity (n, n, n, 3); only spectral. Waves that the grid
        does not resolve, and the part with divergence, are removed."""
        u = _mesh(velocity)
        n = self.progress().n
        if u.shape[1] != n:
            raise ValueError(f"velocity has {u.shape[1]}^3 points: expected "
                             f"{n}^3")
        if not np.isfinite(u).all():
            raise NotFiniteError("velocity has a number that is not finite")
        self._c.set_velocity(u)

    def step(self, dt: float | None = None) -> None:
        """Makes one step, of self.dt."""
        self._c.step(self.dt if dt is None else dt)

    def run(self, until: float) -> None:
        """Makes steps of self.dt; the last one ends at `until`."""
        if not (math.isfinite(until)
                and until - self.time >= -1e-12 * abs(until)):
            raise InvalidArgumentError(f"until = {until:g}: the flow is at "
                                       f"{self.time:g}, and its steps go ahead")
        while (left := until - self.time) > 1e-12 * abs(until):
            # a rest of less than a thousandth of a step is not a step of its
            # own
            self.step(left if left <= 1.001 * self.dt else self.dt)


def read(path: str | os.PathLike[str], *, context: Context | None = None
         ) -> Flow:
    """Reads a snapshot of a run as a flow in memory. It continues the run,
    except that the rates of vortex particles in the step before are lost."""
    _need()
    of = context or _default()
    c = _koshu.flow_open(of._c, os.fspath(path))
    text = _koshu.snapshot_parameters(of._c, os.fspath(path))
    dt = Parameters(text=text, context=of).number("integrator.dt")
    return Flow._of(c, dt)


class Run(_Any):
    """A flow with log, snapshots, spectra and checkpoints in a directory, as
    `koshu run` makes for a file with flow.method.

        with koshu.flows.Run("decay.yaml", {"output.directory": "out"}) as run:
            run.run()

    Arguments as for koshu.Run. Ctrl-C ends run() after the current step, with
    a checkpoint.
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
        """Why there is no further step: "end", "request", ...; "none": there
        is one."""
        return self._c.stopped

    def step(self) -> None:
        """Makes one step, and writes the files that are due."""
        self._open().advance()

    def _open(self) -> _koshu.Flow:
        if self._closed:
            raise ValueError("the run has ended: koshu.flows.Run(..., "
                             "restart=True) goes on with it")
        return self._c

    def request_stop(self) -> None:
        """Stops the run after the current step. May be called from any
        thread."""
        self._c.request_stop()

    def checkpoint(self) -> None:
        """Writes a checkpoint now."""
        self._open().checkpoint()

    def call(self, function: Callable[[Run], object], *, every: int = 1
             ) -> Callable[[Run], object]:
        """Calls function(run) after every `every` steps of run(); if it
        returns False, the run stops."""
        self._callbacks.add(function, every)
        return function

    def forget(self, function: Callable[[Run], object]) -> None:
        """Stops calling the function."""
        self._callbacks.remove(function)

    def close(self) -> None:
        """Writes the last checkpoint and the log. The directory is released
        when the object is collected."""
        if not self._closed:
            self._closed = True
            self._c.finish()

    def run(self, *, progress: bool | None = None) -> str:
        """Runs until the run stops, closes it, and returns why it stopped.
        progress: a bar of tqdm, if it is installed; None: on a terminal."""
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
