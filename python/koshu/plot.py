# SPDX-License-Identifier: MIT
"""Pictures by matplotlib, and koshu's own by gnuplot."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _arrays, _koshu
from ._context import context
from ._particles import Particles
from ._solvers import Vector
from ._units import Units

_AXES = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}


def centre(particles: Particles) -> Vector:
    """The centre of mass."""
    return _koshu.picture_centre(particles._c)


def radius(particles: Particles, centre: Vector, fraction: float) -> float:
    """The radius around the centre that contains this fraction of the mass."""
    return _koshu.picture_radius(particles._c, *centre, fraction)


def _view(particles: Particles, axis: str, middle: Vector | None,
          half_width: float | None, pixels: int, weight: str) -> dict[str, Any]:
    if middle is None:
        middle = centre(particles)
    if half_width is None:
        half_width = 1.2 * radius(particles, middle, 0.95)
        if half_width == 0:
            raise ValueError("95 % of the mass or more is in one place: "
                             "half_width is needed")
    return {"axis": axis, "centre": middle, "half_width": half_width,
            "pixels": pixels, "weight": weight}


def _picture_path(path: str | os.PathLike[str]) -> str:
    name = os.fspath(path)
    if not name.lower().endswith((".png", ".pdf", ".svg")):
        raise ValueError(f"'{name}' does not end in .png, .pdf or .svg, which is "
                         f"what is drawn")
    return name


def surface_density(particles: Particles, *, axis: str = "z",
                    centre: Vector | None = None,
                    half_width: float | None = None, pixels: int = 512,
                    weight: str = "mass") -> _arrays.Float:
    """Surface density (pixels, pixels), from the lower left corner, projected
    along the axis and smoothed where there are few particles. weight: "mass",
    "number" or "light"."""
    return _koshu.surface_density(
        particles._c, _view(particles, axis, centre, half_width, pixels,
                            weight))


def density(particles: Particles, *, axis: str = "z",
            centre: Vector | None = None, half_width: float | None = None,
            pixels: int = 512, weight: str = "mass", ax: Any = None,
            cmap: str = "inferno", path: str | os.PathLike[str] | None = None
            ) -> Any:
    """Draws the surface density on a logarithmic scale by matplotlib; returns
    the axes. path: also saves the picture there."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import LogNorm

    view = _view(particles, axis, centre, half_width, pixels, weight)
    sigma = _koshu.surface_density(particles._c, view)
    w = view["half_width"]
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 5), layout="constrained")
    top = sigma.max()
    image = ax.imshow(np.maximum(sigma, 1e-5 * top), origin="lower", cmap=cmap,
                      extent=(-w, w, -w, w), norm=LogNorm(1e-4 * top, top))
    right, up = _AXES[axis]
    ax.set(xlabel=right, ylabel=up)
    ax.figure.colorbar(image, ax=ax, label="surface density")
    if path is not None:
        ax.figure.savefig(path, dpi=150)
    return ax


def picture(particles: Particles | Sequence[Particles],
            path: str | os.PathLike[str], *, labels: Sequence[str] = (),
            axis: str = "z", centre: Vector | None = None,
            half_width: float | None = None, pixels: int = 640,
            weight: str = "mass", title: str = "", units: Units | None = None,
            dark: bool = False) -> None:
    """Writes the picture that `koshu plot` draws of snapshots, by gnuplot:
    PNG, PDF or SVG, with a panel for each set of particles."""
    name = _picture_path(path)
    several = [particles] if isinstance(particles, Particles) else list(
        particles)
    view = _view(several[0], axis, centre, half_width, pixels, weight)
    panels = [_koshu.surface_density(p._c, view) for p in several]
    texts = [*labels, *[""] * (len(panels) - len(labels))]
    _koshu.picture_density(several[0].context._c, panels, texts, view,
                           name, title, (units or Units())._c, dark)


def curves(log: str | os.PathLike[str], path: str | os.PathLike[str], *,
           kinds: Sequence[str] = (), title: str = "", dark: bool = False
           ) -> None:
    """Writes curves of a run's energy.csv, by gnuplot. kinds: "energy",
    "virial", "lagrangian", ..., or all that the file has."""
    _koshu.picture_curves(context()._c, os.fspath(log), _picture_path(path),
                          list(kinds), title, dark)
