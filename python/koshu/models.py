# SPDX-License-Identifier: MIT
"""Models of isolated systems: equal masses that sum to 1, G = 1, the same
particles for the same seed. docs/initial-models.md has the formulas."""
from __future__ import annotations

from . import _koshu
from ._context import Context, context
from ._particles import Particles

__all__ = ["cube", "hernquist", "king", "plummer", "sphere", "two_body"]


def _make(of: Context | None, model: str, **options: object) -> Particles:
    of = of or context()
    return Particles._of(
        _koshu.particles_of_model(of._c, {"model": model, **options}), of)


def plummer(n: int, *, seed: int = 1, mass_fraction: float | None = None,
            exact_virial: bool = False,
            context: Context | None = None) -> Particles:
    """Plummer's sphere in Hénon units (Aarseth, Hénon & Wielen 1974).

    mass_fraction: cut at the radius that holds this part of the mass; 0.999.
    exact_virial: scaled so that T = 1/4 and W = -1/2 exactly.
    """
    return _make(context, "plummer", n=n, seed=seed,
                 mass_fraction=mass_fraction, exact_virial=exact_virial)


def sphere(n: int, *, seed: int = 1, virial_ratio: float = 0,
           exact_virial: bool = False,
           context: Context | None = None) -> Particles:
    """Uniform density inside radius 1; virial_ratio T / |W|, 0: at rest."""
    return _make(context, "sphere", n=n, seed=seed, virial_ratio=virial_ratio,
                 exact_virial=exact_virial)


def cube(n: int, *, seed: int = 1, virial_ratio: float = 0,
         exact_virial: bool = False,
         context: Context | None = None) -> Particles:
    """Uniform density in a cube of edge 1; virial_ratio as of sphere()."""
    return _make(context, "cube", n=n, seed=seed, virial_ratio=virial_ratio,
                 exact_virial=exact_virial)


def king(n: int, *, seed: int = 1, w0: float = 6, exact_virial: bool = False,
         context: Context | None = None) -> Particles:
    """King's model (1966) of central potential w0, 0.5 to 15, in Hénon
    units."""
    return _make(context, "king", n=n, seed=seed, king_w0=w0,
                 exact_virial=exact_virial)


def hernquist(n: int, *, seed: int = 1, mass_fraction: float | None = None,
              exact_virial: bool = False,
              context: Context | None = None) -> Particles:
    """Hernquist's model (1990), isotropic, scale length 1."""
    return _make(context, "hernquist", n=n, seed=seed,
                 mass_fraction=mass_fraction, exact_virial=exact_virial)


def two_body(*, eccentricity: float = 0.9, mass: float = 0.5,
             context: Context | None = None) -> Particles:
    """Two bodies, the second of this mass, of 1 in all; semi-major axis 1, at
    apocentre; period 2 pi."""
    return _make(context, "two-body", n=2, eccentricity=eccentricity,
                 two_body_mass=mass)
