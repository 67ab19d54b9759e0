# SPDX-License-Identifier: MIT
"""The particle store."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _koshu
from ._context import Context, context
from ._units import Units

_VECTORS = ("position", "velocity", "acceleration", "jerk")
_KEPT = ("id", "mass", "position", "velocity", "acceleration", "potential")


@dataclass(frozen=True)
class Diagnostics:
    """Conserved quantities of a system, G = 1; of the potentials computed
    last."""

    mass: float
    kinetic: float  #: T
    potential: float  #: W
    total: float  #: E = T + W
    virial_ratio: float  #: T / |W|
    momentum: tuple[float, float, float]
    angular_momentum: tuple[float, float, float]  #: about the origin
    centre: tuple[float, float, float]  #: of mass
    lagrangian_radius: dict[float, float]  #: by fractions of the mass


class Particles:
    """n particles: position and velocity (n, 3), mass (n,), id (n,), and what
    forces have made of them, acceleration (n, 3) and potential (n,).

        p = koshu.Particles(position=x, mass=m, velocity=v)
        p.position             an array for reading, the store's own memory
        p.velocity = v         copies
        with p.edit("velocity") as e:
            e.velocity *= 2    in place

    The arrays are not copied: one taken before a step may show what holds after
    it, or, where a GPU computes, what held before; take it again. np.array(p.
    position) is a copy that stays as it is.
    """

    def __init__(self, *, position: npt.ArrayLike, mass: npt.ArrayLike,
                 velocity: npt.ArrayLike | None = None,
                 id: npt.ArrayLike | None = None,
                 context: Context | None = None) -> None:
        x = _arrays.vectors(position, "position")
        m = _arrays.numbers(mass, "mass", len(x))
        self._make(len(x), context)
        self.position = x
        self.mass = m
        if velocity is not None:
            self._write("velocity", velocity)
        if id is not None:
            self._number(id)
        self.check()

    _edits = 0  # how often they were changed from Python

    def _make(self, n: int, of: Context | None) -> None:
        self._context = of or context()
        self._c = _koshu.particles_create(self._context._c, n)

    @classmethod
    def _of(cls, c: _koshu.Particles, of: Context) -> Particles:
        self = cls.__new__(cls)
        self._context = of
        self._c = c
        return self

    @property
    def context(self) -> Context:
        """The context that the store was made with."""
        return self._context

    def __len__(self) -> int:
        return self._c.count

    @property
    def total(self) -> int:
        """Particles of all ranks; len() is those of this rank."""
        return self._c.total

    @property
    def first(self) -> int:
        """The number of this rank's first particle."""
        return self._c.first

    # ---- arrays -----------------------------------------------------------

    def _write(self, name: str, values: Any) -> None:
        n = len(self)
        self._edits += 1
        a = (_arrays.vectors if name in _VECTORS else _arrays.numbers)(
            values, name, n)
        if not a.flags.owndata:
            a = a.copy()  # of what may be the store's own: p.position[::-1]
        self._c.write(name, a if name in _VECTORS else a[:, None])

    def _number(self, values: Any) -> None:
        ids = _arrays.whole(values, "id", np.uint64, len(self))
        self._edits += 1
        self._c.write_whole("id", ids[:, None])

    @property
    def id(self) -> _arrays.Whole:
        """(n,) whole numbers."""
        return self._c.read("id")

    @id.setter
    def id(self, values: npt.ArrayLike) -> None:
        self._number(values)

    @property
    def mass(self) -> _arrays.Float:
        """(n,), not negative."""
        return self._c.read("mass")

    @mass.setter
    def mass(self, values: npt.ArrayLike) -> None:
        self._write("mass", values)

    @property
    def position(self) -> _arrays.Float:
        """(n, 3)."""
        return self._c.read("position")

    @position.setter
    def position(self, values: npt.ArrayLike) -> None:
        self._write("position", values)

    @property
    def velocity(self) -> _arrays.Float:
        """(n, 3)."""
        return self._c.read("velocity")

    @velocity.setter
    def velocity(self, values: npt.ArrayLike) -> None:
        self._write("velocity", values)

    @property
    def acceleration(self) -> _arrays.Float:
        """(n, 3), of the forces computed last; zeros before any."""
        return self._c.read("acceleration")

    @property
    def potential(self) -> _arrays.Float:
        """(n,), per unit mass, negative; zeros before any were computed."""
        return self._c.read("potential")

    @property
    def jerk(self) -> _arrays.Float:
        """(n, 3), of the Hermite scheme."""
        return self._c.read("jerk")

    @contextlib.contextmanager
    def edit(self, *fields: str) -> Iterator[SimpleNamespace]:
        """Arrays of the fields that can be written, within `with`:

            with particles.edit("position", "velocity") as e:
                e.position += dt * e.velocity

        Forces cannot be computed meanwhile. Afterwards the arrays can only be
        read; a slice of one that is kept must not be written either, since
        nothing would tell that it was.
        """
        arrays = self._c.edit(list(fields))
        try:
            yield SimpleNamespace(**arrays)
        finally:
            for array in arrays.values():
                array.flags.writeable = False
            self._c.release()
            self._edits += 1

    # ---- all of them ------------------------------------------------------

    def check(self) -> None:
        """Raises NotFiniteError or BadInputError, with the particle, where a
        number is not finite or a mass negative."""
        self._c.check()

    def permute(self, order: npt.ArrayLike) -> None:
        """Particle k becomes what particle order[k] was; (n,) whole numbers."""
        self._edits += 1
        self._c.permute(_arrays.whole(order, "order", np.uint64, len(self)))

    def convert(self, units: Units, to: Units) -> None:
        """Converts all fields from one unit system into another."""
        self._edits += 1
        self._c.convert(units._c, to._c)

    def diagnostics(self) -> Diagnostics:
        """Energies, momenta and radii; forces must have been computed, with
        potentials."""
        return Diagnostics(**self._c.diagnostics())

    def copy(self) -> Particles:
        """Another store with the same particles."""
        return _restore(self._state(), self._context)

    def _state(self) -> dict[str, npt.NDArray[Any]]:
        return {name: np.ascontiguousarray(self._c.read(name))
                for name in _KEPT}

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self._state(),)

    def __repr__(self) -> str:
        return (f"<koshu.Particles: n = {len(self)}, mass "
                f"{self.mass.sum():.6g}>")

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{i}</td><td>{m:.4g}</td>"
            + "".join(f"<td>{v:.4g}</td>" for v in (*x, *u)) + "</tr>"
            for i, m, x, u in zip(self.id[:5].tolist(), self.mass[:5].tolist(),
                                  self.position[:5].tolist(),
                                  self.velocity[:5].tolist()))
        heads = "".join(f"<th>{h}</th>" for h in
                        ("id", "mass", "x", "y", "z", "vx", "vy", "vz"))
        more = f"<p>... {len(self):,} in all</p>" if len(self) > 5 else ""
        return (f"<p><b>koshu.Particles</b>: {len(self):,}, total mass "
                f"{self.mass.sum():.6g}</p><table><thead><tr>{heads}</tr>"
                f"</thead><tbody>{rows}</tbody></table>{more}")


def _restore(state: dict[str, npt.NDArray[Any]],
             of: Context | None = None) -> Particles:
    p = Particles.__new__(Particles)
    p._make(len(state["mass"]), of)
    p.id = state["id"]
    for name in state.keys() - {"id"}:
        p._write(name, state[name])
    return p
