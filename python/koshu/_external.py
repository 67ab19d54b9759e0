# SPDX-License-Identifier: MIT
"""External fields: forces on particles in addition to their own gravity."""
from __future__ import annotations

from typing import NamedTuple

import numpy.typing as npt

from . import _arrays, _koshu
from ._context import Context, context
from ._particles import Particles

_default = context


class Field(NamedTuple):
    """acceleration and jerk (n, 3), and potential (n,) per unit mass; G = 1."""

    acceleration: _arrays.Float
    jerk: _arrays.Float
    potential: _arrays.Float


class External:
    """The sum of external fields, from a text that lists their kinds, each
    followed by its values:

        External("plummer mass=0.2, a=0.5, tide speed=1, radius=8")

    Kinds are point-mass, plummer, miyamoto-nagai, logarithmic, nfw, uniform
    and tide; see docs/external.md. units: a unit system such as "pc, Msun,
    Myr", for numbers without a unit of their own. Lengths and velocities of
    the particles are then in it, and their masses are G times those in it.
    None: dimensionless, G = 1.
    """

    def __init__(self, text: str, *, units: str | None = None,
                 context: Context | None = None) -> None:
        self._text, self._units = text, units
        self._context = context or _default()
        self._c = _koshu.external_parse(self._context._c, text, units or "")

    @property
    def text(self) -> str:
        """The text that the fields were made from."""
        return self._text

    @property
    def units(self) -> str | None:
        """The unit system of the text."""
        return self._units

    @property
    def rotation(self) -> float:
        """The angular velocity Omega of the frame; 0 without a tide."""
        return self._c.rotation

    def __call__(self, position: npt.ArrayLike,
                 velocity: npt.ArrayLike | None = None) -> Field:
        """The field at positions (n, 3). With velocities (n, 3), accelerations
        include the Coriolis force, and jerks are not 0."""
        x = _arrays.vectors(position, "position")
        v = None if velocity is None else _arrays.vectors(velocity, "velocity",
                                                          len(x))
        return Field(*self._c.evaluate(x, v))

    def energy(self, particles: Particles) -> float:
        """sum m phi, to be added to the energy of diagnostics()."""
        return self._c.energy(particles._c)

    def __reduce__(self) -> tuple[object, ...]:
        return _of, (self._text, self._units)

    def __repr__(self) -> str:
        return f"koshu.External({self._text!r})"


def _of(text: str, units: str | None) -> External:
    return External(text, units=units)
