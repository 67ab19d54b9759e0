# SPDX-License-Identifier: MIT
"""Sums of 1 / r, by the fast multipole method and by Ewald summation."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _arrays, _koshu
from ._context import Context, context
from ._solvers import Vector

_default = context


class Potentials(NamedTuple):
    """potential (n,), gradient (n, 3), hessian (n, 3, 3) or None; for k sets
    of charges (k, n), (k, n, 3), (k, n, 3, 3)."""

    potential: _arrays.Float
    gradient: _arrays.Float
    hessian: _arrays.Float | None


class Velocities(NamedTuple):
    """velocity (n, 3) and gradient (n, 3, 3), du_i / dx_k."""

    velocity: _arrays.Float
    gradient: _arrays.Float


def _charges(charge: npt.ArrayLike | None, n: int) -> _arrays.Float | None:
    """The charges as (n, sets): a column for each set."""
    if charge is None:
        return None
    a = _arrays._doubles(charge, "charge")
    if a.ndim not in (1, 2) or a.shape[-1] != n:
        raise ValueError(f"charge has the shape {a.shape}: expected ({n},) or "
                         f"(sets, {n})")
    return np.atleast_2d(a).T


def _potentials(raw: _arrays.Float, sets: bool) -> Potentials:
    """Reorders results from [component, set, target]."""
    gradient = np.moveaxis(raw[1:4], 0, -1)
    hessian = None
    if len(raw) > 4:
        xx, xy, xz, yy, yz, zz = raw[4:]
        hessian = np.stack([np.stack([xx, xy, xz], -1),
                            np.stack([xy, yy, yz], -1),
                            np.stack([xz, yz, zz], -1)], -2)
    if sets:
        return Potentials(raw[0], gradient, hessian)
    return Potentials(raw[0, 0], gradient[0],
                      None if hessian is None else hessian[0])


def _points(position: npt.ArrayLike, charge: npt.ArrayLike | None,
            dipole: npt.ArrayLike | None, targets: npt.ArrayLike | None
            ) -> tuple[Any, Any, Any, Any]:
    x = _arrays.vectors(position, "position")
    if charge is None and dipole is None:
        raise ValueError("neither charge nor dipole is given")
    q = _charges(charge, len(x))
    if dipole is not None and q is not None and q.shape[1] != 1:
        raise ValueError("dipoles go with one set of charges")
    return (x, q,
            None if dipole is None else _arrays.vectors(dipole, "dipole",
                                                        len(x)),
            None if targets is None else _arrays.vectors(targets, "targets"))


def _several(charge: npt.ArrayLike | None) -> bool:
    return charge is not None and np.ndim(charge) == 2


class Laplace:
    """Sums over charges q of any sign and dipoles p, at any targets,

        potential(x) = sum_j q_j / |d| + p_j d / |d|^3,  d = x - y_j

    with gradients and Hessians, by the fast multipole method. tolerance: the
    root mean square error of the gradient (1e-5); 0: multipole_order and theta
    are given instead. box: the edge of a periodic box that begins at `corner`.
    None: the library's default.
    """

    def __init__(self, *, tolerance: float | None = None,
                 precision: str | None = None,
                 multipole_order: int | None = None,
                 theta: float | None = None, n_leaf: int | None = None,
                 box: float | None = None, corner: Vector | None = None,
                 image_depth: int | None = None,
                 context: Context | None = None) -> None:
        self._options = {
            "tolerance": tolerance, "precision": precision,
            "multipole_order": multipole_order, "theta": theta,
            "n_leaf": n_leaf, "box": box, "corner": corner,
            "image_depth": image_depth}
        self._c = _koshu.laplace_create((context or _default())._c,
                                        self._options)

    def sums(self, position: npt.ArrayLike,
             charge: npt.ArrayLike | None = None, *,
             dipole: npt.ArrayLike | None = None,
             targets: npt.ArrayLike | None = None, hessian: bool = False
             ) -> Potentials:
        """Sums over sources at position (n, 3) with charge (n,), or k sets of
        charges (k, n), and dipole (n, 3), at targets (m, 3) or at the
        sources."""
        raw = self._c.sums(*_points(position, charge, dipole, targets), hessian)
        return _potentials(raw, _several(charge))

    def biot_savart(self, position: npt.ArrayLike, alpha: npt.ArrayLike, *,
                    targets: npt.ArrayLike | None = None) -> Velocities:
        """Velocities induced by vortices of strength alpha (n, 3), vorticity
        times volume, at targets (m, 3) or at the vortices."""
        x = _arrays.vectors(position, "position")
        raw = self._c.biot_savart(
            x, _arrays.vectors(alpha, "alpha", len(x)),
            None if targets is None else _arrays.vectors(targets, "targets"))
        return Velocities(raw[:3].T,
                          np.moveaxis(raw[3:].reshape(3, 3, -1), -1, 0))

    def report(self) -> dict[str, Any]:
        """About the last sums: multipole order, cells, pairs, seconds."""
        return self._c.report()

    def __repr__(self) -> str:
        given = ", ".join(f"{k}={v!r}" for k, v in self._options.items()
                          if v is not None)
        return f"koshu.Laplace({given})"

    def __reduce__(self) -> tuple[object, ...]:
        return _laplace_of, (self._options,)


def _laplace_of(options: dict[str, Any]) -> Laplace:
    return Laplace(**options)


def ewald(position: npt.ArrayLike, charge: npt.ArrayLike | None = None, *,
          box: float = 1, dipole: npt.ArrayLike | None = None,
          targets: npt.ArrayLike | None = None, hessian: bool = False,
          softening: float = 0, splitting: float = 0,
          context: Context | None = None) -> Potentials:
    """The same sums over a cubic box of edge `box` and all its periodic
    images, by Ewald summation in double precision."""
    raw = _koshu.ewald_sums(
        (context or _default())._c, *_points(position, charge, dipole, targets),
        hessian, {"box": box, "softening": softening, "splitting": splitting})
    return _potentials(raw, _several(charge))
