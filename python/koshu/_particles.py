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
    """Conserved quantities of a system with G = 1, from the last computed
    potentials."""

    mass: float
    kinetic: float  #: T
    potential: float  #: W
    total: float  #: E = T + W
    virial_ratio: float  #: T / |W|
    momentum: tuple[float, float, float]
    angular_momentum: tuple[float, float, float]  #: about the origin
    centre: tuple[float, float, float]  #: of mass
    lagrangian_radius: dict[float, float]  #: by fraction of the mass


class Particles:
    """n particles: position and velocity (n, 3), mass (n,), id (n,), and the
    results of force calculations, acceleration (n, 3) and potential (n,).

        p = koshu.Particles(position=x, mass=m, velocity=v)
        p.position             a read-only array, the store's own memory
        p.velocity = v         copies
        with p.edit("velocity") as e:
            e.velocity *= 2    in place

    Arrays are not copied. An array taken before a step may show the values
    after it or, if a GPU computes, those before it; take it again after a
    step. np.array(p.position) is a copy that does not change.

    With several ranks each gives the arrays of all particles, and has those of
    Context.slice_of(n); `total` is n.
    """

    def __init__(self, *, position: npt.ArrayLike, mass: npt.ArrayLike,
                 velocity: npt.ArrayLike | None = None,
                 id: npt.ArrayLike | None = None,
                 context: Context | None = None) -> None:
        x = _arrays.vectors(position, "position")
        m = _arrays.numbers(mass, "mass", len(x))
        self._make(len(x), context)
        own = self._context.slice_of(len(x))
        self.position = x[own]
        self.mass = m[own]
        if velocity is not None:
            v = _arrays.vectors(velocity, "velocity", len(x))
            self._set("velocity", v[own])
        if id is not None:
            self._number(_arrays.whole(id, "id", np.uint64, len(x))[own])
        self.check()

    _edits = 0  # counts changes from Python

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
        """The context that the store was created with."""
        return self._context

    def __len__(self) -> int:
        return self._c.count

    @property
    def total(self) -> int:
        """The number of particles on all ranks; len() is that of this rank."""
        return self._c.total

    @property
    def first(self) -> int:
        """The index of this rank's first particle among all."""
        return self._c.first

    # ---- arrays -----------------------------------------------------------

    def _write(self, name: str, values: Any) -> None:
        n = len(self)
        self._edits += 1
        a = (_arrays.vectors if name in _VECTORS else _arrays.numbers)(
            values, name, n)
        if not a.flags.owndata:
            a = a.copy()  # it may be a view of this store's memory
        self._c.write(name, a if name in _VECTORS else a[:, None])

    def _set(self, name: str, values: Any) -> None:
        to = _arrays.vectors if name in _VECTORS else _arrays.numbers
        a = to(values, name, len(self))
        _arrays.check_finite(a, name)
        self._write(name, a)

    def _number(self, values: Any) -> None:
        ids = _arrays.whole(values, "id", np.uint64, len(self))
        self._edits += 1
        self._c.write_whole("id", ids[:, None])

    @property
    def id(self) -> _arrays.Whole:
        """Ids, (n,) integers."""
        return self._c.read("id")

    @id.setter
    def id(self, values: npt.ArrayLike) -> None:
        self._number(values)

    @property
    def mass(self) -> _arrays.Float:
        """Masses, (n,), not negative."""
        return self._c.read("mass")

    @mass.setter
    def mass(self, values: npt.ArrayLike) -> None:
        self._set("mass", values)

    @property
    def position(self) -> _arrays.Float:
        """Positions, (n, 3)."""
        return self._c.read("position")

    @position.setter
    def position(self, values: npt.ArrayLike) -> None:
        self._set("position", values)

    @property
    def velocity(self) -> _arrays.Float:
        """Velocities, (n, 3)."""
        return self._c.read("velocity")

    @velocity.setter
    def velocity(self, values: npt.ArrayLike) -> None:
        self._set("velocity", values)

    @property
    def acceleration(self) -> _arrays.Float:
        """Accelerations, (n, 3), computed last; zeros before any were."""
        return self._c.read("acceleration")

    @property
    def potential(self) -> _arrays.Float:
        """Potentials, (n,), per unit mass, negative; zeros before any were
        computed."""
        return self._c.read("potential")

    @property
    def jerk(self) -> _arrays.Float:
        """Jerks, (n, 3), of the Hermite scheme."""
        return self._c.read("jerk")

    @contextlib.contextmanager
    def edit(self, *fields: str) -> Iterator[SimpleNamespace]:
        """Writable arrays of the fields, within `with`:

            with particles.edit("position", "velocity") as e:
                e.position += dt * e.velocity

        No forces can be computed meanwhile. Afterwards the arrays are
        read-only. Do not write to a slice of one that you have kept either, as
        koshu would not notice.
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
        """Raises NotFiniteError or BadInputError, naming the particle, if a
        number is not finite or a mass is negative."""
        self._c.check()

    def permute(self, order: npt.ArrayLike) -> None:
        """Moves particle order[k] to index k; order: (n,) integers."""
        self._edits += 1
        self._c.permute(_arrays.whole(order, "order", np.uint64, len(self)))

    def convert(self, units: Units, to: Units) -> None:
        """Converts all fields from one unit system to another."""
        self._edits += 1
        self._c.convert(units._c, to._c)

    def diagnostics(self) -> Diagnostics:
        """Energies, momenta and radii. Forces must have been computed, with
        potentials."""
        return Diagnostics(**self._c.diagnostics())

    def copy(self) -> Particles:
        """A new store with the same particles."""
        return _restore(self._state(), self._context, self.total)

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


def _restore(state: dict[str, npt.NDArray[Any]], of: Context | None = None,
             total: int | None = None) -> Particles:
    """total: of all ranks, if the state is that of one of several."""
    p = Particles.__new__(Particles)
    p._make(len(state["mass"]) if total is None else total, of)
    p.id = state["id"]
    for name in state.keys() - {"id"}:
        p._write(name, state[name])
    return p
