# SPDX-License-Identifier: MIT
"""Forces from arrays of particles, in one call."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _arrays, _koshu, _solvers
from ._context import Context, context
from ._particles import Particles


class Forces(NamedTuple):
    """acceleration (n, 3), in mass / length^2, and potential (n,) per unit
    mass, which is negative, in mass / length; G = 1."""

    acceleration: _arrays.Float
    potential: _arrays.Float


_default = context


def forces(x: npt.ArrayLike, m: npt.ArrayLike, *,
           softening: float | None = None,
           solver: _solvers.Method | str = "direct",
           accuracy: float | None = None,
           targets: npt.ArrayLike | None = None,
           context: Context | None = None) -> Forces:
    """Accelerations and potentials due to particles at x (n, 3) with masses m
    (n,), or a single mass for all,

        a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + softening^2)^(3/2),

    with G = 1. They are computed at each particle or, if given, at `targets`
    (k, 3), none of which is one of the particles; a tree or an FMM adds
    targets as particles without mass.

    solver: "direct", "tree", "fmm", or an object koshu.Direct, Tree or FMM. A
    tree with alpha sums twice, because its criterion needs accelerations.
    accuracy: instead of solver; chooses the cheapest solver for this root mean
    square relative error.
    """
    c = context or _default()
    position = _arrays.vectors(x, "x")
    mass = _arrays.numbers(m, "m", len(position))
    places = None if targets is None else _arrays.vectors(targets, "targets")
    if accuracy is not None and len(position) == 0:
        solver = "direct"  # all sums are 0, so no solver is the cheapest
    elif accuracy is not None:
        solver = _solvers.choose_on(position, places, accuracy, c)
    method = _solvers.method_of(solver, softening)
    if isinstance(method, _solvers.Direct):
        return _direct(c, position, mass, method, places)
    if places is not None:
        return _on_massless(c, position, mass, method, places)
    return _of_store(c, position, mass, method)


def _direct(c: Context, position: _arrays.Float, mass: _arrays.Float,
            method: _solvers.Direct, targets: _arrays.Float | None) -> Forces:
    options = {"softening": method.softening, "precision": method.precision,
               "fast": method.fast}
    if targets is None:
        return Forces(*_koshu.force_direct(c._c, position, mass, options))
    return Forces(*_koshu.force_direct_on(
        c._c, targets, None, position, mass, options))


def _of_store(c: Context, position: _arrays.Float, mass: _arrays.Float,
              method: _solvers.Method) -> Forces:
    particles = Particles(position=position, mass=mass, context=c)
    solver = _solvers.Solver(method, context=c)
    solver.forces(particles)
    if isinstance(method, _solvers.Tree) and method.alpha is not None:
        solver.forces(particles)  # with the accelerations of the first sum
    return Forces(particles.acceleration, particles.potential)


def _on_massless(c: Context, position: _arrays.Float, mass: _arrays.Float,
                 method: _solvers.Method, targets: _arrays.Float) -> Forces:
    all_of_them = _of_store(c, np.concatenate([position, targets]),
                            np.concatenate([mass, np.zeros(len(targets))]),
                            method)
    return Forces(*(np.array(a[len(position):]) for a in all_of_them))


def force_sets(i_offset: npt.ArrayLike, j_offset: npt.ArrayLike,
               targets: npt.ArrayLike, x: npt.ArrayLike, m: npt.ArrayLike, *,
               id: npt.ArrayLike | None = None, softening: float = 0,
               precision: str | None = None,
               context: Context | None = None) -> Forces:
    """Many direct sums in one call: in set s the particles j_offset[s] ...
    j_offset[s+1]-1 of x (n, 3) and m (n,) act on the targets i_offset[s] ...
    i_offset[s+1]-1.

    id: (k,) the index in its set of the particle that a target is, which is
    left out of its sum; -1: none.
    """
    i = _arrays.whole(i_offset, "i_offset", np.uint64)
    j = _arrays.whole(j_offset, "j_offset", np.uint64, len(i))
    if len(i) == 0:
        raise ValueError("i_offset is empty: it has one element more than there "
                         "are sets")
    t = _arrays.vectors(targets, "targets")
    position = _arrays.vectors(x, "x")
    if i[-1] != len(t) or j[-1] != len(position):
        raise ValueError(f"the offsets end with {i[-1]} and {j[-1]}: expected "
                         f"{len(t)} targets and {len(position)} particles")
    ids = None if id is None else _arrays.whole(id, "id", np.int64, len(t))
    return Forces(*_koshu.force_direct_sets(
        (context or _default())._c, i, j, t, ids, position,
        _arrays.numbers(m, "m", len(position)),
        {"softening": softening, "precision": precision}))


def _quadruples(array: npt.ArrayLike, name: str) -> npt.NDArray[np.float32]:
    a: npt.NDArray[Any] = np.ascontiguousarray(array, np.float32)
    if a.ndim != 2 or a.shape[1] != 4:
        raise ValueError(f"{name} has the shape {a.shape}: expected (n, 4)")
    return a


def nwalk(xi: npt.ArrayLike, xj: npt.ArrayLike, ioff: npt.ArrayLike,
          joff: npt.ArrayLike, *, context: Context | None = None
          ) -> npt.NDArray[np.float32]:
    """The multiple-walk call of Hamada (2009): xi (n, 4) of x y z eps^2, xj
    (k, 4) of x y z mass, and the offsets of walks; returns (n, 4) of ax ay az
    potential, all float32. New programs should call force_sets()."""
    i, j = _quadruples(xi, "xi"), _quadruples(xj, "xj")
    io = _arrays.whole(ioff, "ioff", np.int32)
    jo = _arrays.whole(joff, "joff", np.int32, len(io))
    if len(io) == 0 or io[-1] != len(i) or jo[-1] != len(j):
        raise ValueError(f"ioff and joff must end with the numbers of xi and xj, "
                         f"{len(i)} and {len(j)}")
    accp = np.empty_like(i)
    _koshu.force_nwalk((context or _default())._c, i, j, accp, io, jo)
    return accp
