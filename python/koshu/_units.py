# SPDX-License-Identifier: MIT
"""Unit systems."""
from __future__ import annotations

import math
from typing import Any

from . import _koshu


class Units:
    """A unit system: Units("pc, Msun, Myr"), Units("kpc, 1e10 Msun, km/s").

    Without an argument it is dimensionless with G = 1: Hénon units for an
    isolated system.
    """

    def __init__(self, text: str = "henon") -> None:
        self._c = _koshu.units_of_text(text)

    @classmethod
    def of_sizes(cls, length_cm: float, mass_g: float,
                 velocity_cm_s: float) -> Units:
        """A unit system from the sizes of its units in cgs units."""
        sizes = (length_cm, mass_g, velocity_cm_s)
        if not all(0 < size < math.inf for size in sizes):
            raise ValueError(f"the units are {sizes}: expected positive, finite "
                             f"sizes")
        return cls._of(_koshu.units_of_sizes(*sizes))

    @classmethod
    def _of(cls, c: _koshu.Units) -> Units:
        self = cls.__new__(cls)
        self._c = c
        return self

    @property
    def length_cm(self) -> float:
        """One unit of length in cm."""
        return self._c.length_cm

    @property
    def mass_g(self) -> float:
        """One unit of mass in g."""
        return self._c.mass_g

    @property
    def velocity_cm_s(self) -> float:
        """One unit of velocity in cm/s."""
        return self._c.velocity_cm_s

    @property
    def dimensionless(self) -> bool:
        """Is it dimensionless?"""
        return self._c.dimensionless

    @property
    def gravitational_constant(self) -> float:
        """G in these units, length velocity^2 / mass."""
        return self._c.gravitational_constant

    def in_cgs(self, quantity: str) -> float:
        """The unit of "length", "mass", "time", "velocity", ... in cgs
        units."""
        return self._c.in_cgs(quantity)

    def factor(self, to: Units, quantity: str) -> float:
        """The factor that converts a number of this quantity to the units
        `to`."""
        return self._c.factor(to._c, quantity)

    def parse(self, text: str, quantity: str) -> float:
        """The number in a text such as "1/64 pc", in these units."""
        return self._c.parse(text, quantity)

    def label(self, quantity: str) -> str:
        """The unit of a quantity as text: "Msun/pc^3"."""
        return self._c.label(quantity)

    def text(self, value: float, quantity: str) -> str:
        """A number as text for people, in a unit that has a name: "489 Myr"."""
        return self._c.number_text(value, quantity)

    def astropy(self, quantity: str) -> Any:
        """The unit of a quantity in astropy.units, which must be installed:
        particles.position * units.astropy("length")."""
        from astropy import units

        above, *below = self.label(quantity).split("/")
        unit = units.Unit(f"{above} / ({' '.join(below)})" if below else above)
        # a label may be rounded, such as "0.9778 Gyr"
        factor = self.in_cgs(quantity) / unit.cgs.scale
        return unit if abs(factor - 1) < 1e-12 else units.Unit(factor * unit)

    def __str__(self) -> str:
        return self._c.text()

    def __repr__(self) -> str:
        if self.dimensionless:
            return "koshu.Units()"
        return f"koshu.Units({str(self)!r})"

    def _sizes(self) -> tuple[float, float, float]:
        return self.length_cm, self.mass_g, self.velocity_cm_s

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Units) and self._sizes() == other._sizes()

    def __hash__(self) -> int:
        return hash(self._sizes())

    def __reduce__(self) -> tuple[object, ...]:
        return Units.of_sizes, self._sizes()
