# SPDX-License-Identifier: MIT
"""Models of isolated systems with G = 1 and a total mass of 1. Masses are
equal, unless there are stars. The same seed gives the same particles.
docs/initial-models.md has the formulas."""
from __future__ import annotations

from dataclasses import asdict, dataclass

from . import _koshu
from ._context import Context
from ._context import context as _default_context
from ._particles import Particles

__all__ = ["Stars", "components", "cube", "dehnen", "eff", "fractal", "galaxy", "hernquist", "king", "nfw",
           "plummer", "sphere", "two_body"]


@dataclass(frozen=True)
class Stars:
    """The stars of a model: masses, mass segregation, binaries.

    mass_function: "equal", "salpeter", "kroupa", "chabrier", or "table", from
    the file mass_table; between mass_min and mass_max, in solar masses.
    mass_segregation: 0 to 1, for plummer, king and hernquist. binary_fraction:
    the fraction of all systems that are binaries. Periods are in days, so the
    model needs a physical size: length_pc, its unit of length in parsecs, and
    with equal masses mass_msun, the mass of all stars in solar masses. None:
    the default of koshu.
    """
    mass_function: str | None = None
    mass_min: float | None = None
    mass_max: float | None = None
    mass_table: str | None = None
    mass_segregation: float | None = None
    binary_fraction: float | None = None
    period_law: str | None = None
    period_min: float | None = None
    period_max: float | None = None
    mass_ratio_law: str | None = None
    mass_ratio_min: float | None = None
    eccentricity_law: str | None = None
    length_pc: float | None = None
    mass_msun: float | None = None

    def mass(self, n: int, *, seed: int = 1,
             context: Context | None = None) -> float:
        """The mass of n stars with this seed, in solar masses."""
        of = context or _default_context()
        return _koshu.mass_of_model(of._c,
                                    {"n": n, "seed": seed, **asdict(self)})


def _make(of: Context | None, model: str, *, stars: Stars | None = None,
          **options: object) -> Particles:
    of = of or _default_context()
    if stars is not None:
        options.update(asdict(stars))
    return Particles._of(
        _koshu.particles_of_model(of._c, {"model": model, **options}), of)


def plummer(n: int, *, seed: int = 1, mass_fraction: float | None = None,
            exact_virial: bool = False, stars: Stars | None = None,
            context: Context | None = None) -> Particles:
    """Plummer's sphere in Hénon units (Aarseth, Hénon & Wielen 1974).

    mass_fraction: cut at the radius that contains this fraction of the mass
    (0.999). exact_virial: scaled so that T = 1/4 and W = -1/2 exactly.
    """
    return _make(context, "plummer", n=n, seed=seed,
                 mass_fraction=mass_fraction, exact_virial=exact_virial,
                 stars=stars)


def sphere(n: int, *, seed: int = 1, virial_ratio: float = 0,
           exact_virial: bool = False, stars: Stars | None = None,
           context: Context | None = None) -> Particles:
    """Uniform density inside radius 1; virial_ratio T / |W|, 0: at rest."""
    return _make(context, "sphere", n=n, seed=seed, virial_ratio=virial_ratio,
                 exact_virial=exact_virial, stars=stars)


def cube(n: int, *, seed: int = 1, virial_ratio: float = 0,
         exact_virial: bool = False, stars: Stars | None = None,
         context: Context | None = None) -> Particles:
    """Uniform density in a cube of edge 1; virial_ratio as in sphere()."""
    return _make(context, "cube", n=n, seed=seed, virial_ratio=virial_ratio,
                 exact_virial=exact_virial, stars=stars)


def king(n: int, *, seed: int = 1, w0: float = 6, exact_virial: bool = False,
         stars: Stars | None = None, context: Context | None = None) -> Particles:
    """King's model (1966) with the central potential w0, 0.5 to 15, in Hénon
    units."""
    return _make(context, "king", n=n, seed=seed, king_w0=w0,
                 exact_virial=exact_virial, stars=stars)


def hernquist(n: int, *, seed: int = 1, mass_fraction: float | None = None,
              exact_virial: bool = False, stars: Stars | None = None,
              context: Context | None = None) -> Particles:
    """Hernquist's model (1990), isotropic, scale length 1."""
    return _make(context, "hernquist", n=n, seed=seed,
                 mass_fraction=mass_fraction, exact_virial=exact_virial,
                 stars=stars)


def dehnen(n: int, *, gamma: float = 1, seed: int = 1,
           mass_fraction: float | None = None, exact_virial: bool = False,
           stars: Stars | None = None,
           context: Context | None = None) -> Particles:
    """Dehnen's model (1993) with the inner slope gamma, 0 to 2, isotropic,
    scale length 1."""
    return _make(context, "dehnen", n=n, seed=seed, dehnen_gamma=gamma,
                 mass_fraction=mass_fraction, exact_virial=exact_virial,
                 stars=stars)


def nfw(n: int, *, concentration: float = 10, seed: int = 1,
        exact_virial: bool = False, stars: Stars | None = None,
        context: Context | None = None) -> Particles:
    """The model of Navarro, Frenk & White (1996), cut by sech(r /
    concentration), isotropic, scale length 1."""
    return _make(context, "nfw", n=n, seed=seed, concentration=concentration,
                 exact_virial=exact_virial, stars=stars)


def eff(n: int, *, gamma: float = 3, seed: int = 1,
        mass_fraction: float | None = None, exact_virial: bool = False,
        stars: Stars | None = None,
        context: Context | None = None) -> Particles:
    """The model of Elson, Fall & Freeman (1987), whose surface density falls
    as r^-gamma, isotropic, scale length 1."""
    return _make(context, "eff", n=n, seed=seed, eff_gamma=gamma,
                 mass_fraction=mass_fraction, exact_virial=exact_virial,
                 stars=stars)


def fractal(n: int, *, dimension: float = 1.6, seed: int = 1,
            virial_ratio: float = 0, exact_virial: bool = False,
            stars: Stars | None = None,
            context: Context | None = None) -> Particles:
    """A fractal of this dimension, 1 to 3, inside radius 1, with inherited
    velocities scaled to virial_ratio (Goodwin & Whitworth 2004)."""
    return _make(context, "fractal", n=n, seed=seed,
                 fractal_dimension=dimension, virial_ratio=virial_ratio,
                 exact_virial=exact_virial, stars=stars)


def galaxy(n: int, *, seed: int = 1, disk_fraction: float | None = None,
           bulge_fraction: float | None = None,
           disk_height: float | None = None, toomre_q: float | None = None,
           bulge_length: float | None = None, halo_length: float | None = None,
           mass_fraction: float | None = None,
           context: Context | None = None) -> Particles:
    """An exponential disk of scale length 1 with a bulge and a halo, near
    equilibrium: round(disk_fraction n) particles of the disk come first, then
    those of the bulge, then those of the halo. mass_fraction: the fraction of
    each that is kept."""
    return _make(context, "galaxy", n=n, seed=seed, disk_fraction=disk_fraction,
                 bulge_fraction=bulge_fraction, disk_height=disk_height,
                 toomre_q=toomre_q, bulge_length=bulge_length,
                 halo_length=halo_length, mass_fraction=mass_fraction)


def two_body(*, eccentricity: float = 0.9, mass: float = 0.5,
             context: Context | None = None) -> Particles:
    """Two bodies of total mass 1, the second of this mass, with semi-major
    axis 1, at apocentre; the period is 2 pi."""
    return _make(context, "two-body", n=2, eccentricity=eccentricity,
                 two_body_mass=mass)


def components(text: str, *, seed: int = 1, units: str | None = None,
               context: Context | None = None) -> Particles:
    """Several models, each followed by its values,

        components("plummer n=1000, x=-2, vx=0.5, king n=500, king_w0=7, x=2")

    whose names are those of the keys of `initial` in a parameter file, and x,
    y, z, vx, vy, vz, inclination, node, rotation_period; see
    docs/components.md. The particles are in the order of the text. units: a
    unit system such as "pc, Msun, Myr", for numbers without a unit of their
    own and for the particles, whose masses are G times those in it. None:
    dimensionless, G = 1.
    """
    of = context or _default_context()
    return Particles._of(
        _koshu.particles_of_components(of._c, text, seed, units or ""), of)
