# SPDX-License-Identifier: MIT
"""The j-particle store: sums over particles that have individual times."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _arrays, _koshu
from ._context import Context, context

_default = context
_VECTORS = ("position", "velocity", "acceleration", "jerk", "snap")


class JForces(NamedTuple):
    """acceleration (n, 3), jerk (n, 3), potential (n,); nearest (n,), the
    index of the nearest neighbour, or 2^64 - 1 if there is none, and
    nearest_r2 (n,), its squared distance; or None."""

    acceleration: _arrays.Float
    jerk: _arrays.Float
    potential: _arrays.Float
    nearest: _arrays.Whole | None = None
    nearest_r2: _arrays.Float | None = None


def _fields(n: int, values: dict[str, Any]) -> dict[str, Any]:
    return {name: _arrays.vectors(v, name, n) if name in _VECTORS
            else _arrays.numbers(v, name, n)
            for name, v in values.items() if v is not None}


class JStore:
    """j-particles (sources), each with its own time, at the indices 0 ...
    capacity - 1: the sources of sums with block time steps.

        store = koshu.JStore(1000)
        store.set(position=x, mass=m, velocity=v)
        store.time = t
        store.forces(x[:8], velocity=v[:8], id=range(8), softening=0.01)

    precision: "mixed", "single" or "double". G = 1.
    """

    def __init__(self, capacity: int, *, precision: str = "mixed",
                 context: Context | None = None) -> None:
        self._c = _koshu.j_store_create((context or _default())._c, capacity,
                                        precision)
        self._time = 0.0

    @property
    def capacity(self) -> int:
        """The number of indices."""
        return self._c.capacity

    def reserve(self, capacity: int) -> None:
        """Enlarges the store; its contents are kept."""
        self._c.reserve(capacity)

    def id(self, index: int) -> int:
        """The id of the particle at an index."""
        if not 0 <= index < self.capacity:
            raise IndexError(f"index {index}: the store has the indices 0 to "
                             f"{self.capacity - 1}")
        return self._c.id(index)

    @property
    def time(self) -> float:
        """The time to which all j-particles are predicted."""
        return self._time

    @time.setter
    def time(self, value: float) -> None:
        self._c.set_time(float(value))
        self._time = float(value)

    def set(self, position: npt.ArrayLike, mass: npt.ArrayLike, *,
            velocity: npt.ArrayLike | None = None,
            acceleration: npt.ArrayLike | None = None,
            jerk: npt.ArrayLike | None = None,
            snap: npt.ArrayLike | None = None,
            time: npt.ArrayLike | None = None,
            id: npt.ArrayLike | None = None,
            index: npt.ArrayLike | None = None) -> None:
        """Sets particles at the indices `index` (n,), or at 0 ... n - 1.
        Vectors are (n, 3), numbers (n,). What is not given is zero; an id is
        its index."""
        x = _arrays.vectors(position, "position")
        n = len(x)
        if index is None and n > self.capacity:
            raise ValueError(f"{n} particles for a store of {self.capacity}")
        fields = _fields(n, {
            "position": x, "mass": mass, "velocity": velocity,
            "acceleration": acceleration, "jerk": jerk, "snap": snap,
            "time": time})
        self._c.set(
            n, None if index is None
            else _arrays.whole(index, "index", np.uint64, n),
            None if id is None else _arrays.whole(id, "id", np.int64, n),
            fields)

    def start(self, position: npt.ArrayLike, *,
              velocity: npt.ArrayLike | None = None,
              id: npt.ArrayLike | None = None,
              h2: npt.ArrayLike | None = None, n_j: int | None = None,
              softening: float = 0, nearest: bool = False) -> None:
        """Starts the sums over the j-particles 0 ... n_j - 1 (all) for
        i-particles; a device computes them while Python continues. position,
        velocity: (n, 3) at the store's time; id: (n,), pairs with equal ids
        are left out, -1: none; h2: (n,) squared radii for neighbours()."""
        self._c.start(*self._sums(position, velocity=velocity, id=id, h2=h2,
                                  n_j=n_j, softening=softening,
                                  nearest=nearest))

    def _sums(self, position: npt.ArrayLike, *,
              velocity: npt.ArrayLike | None = None,
              id: npt.ArrayLike | None = None,
              h2: npt.ArrayLike | None = None, n_j: int | None = None,
              softening: float = 0, nearest: bool = False
              ) -> tuple[int, Any, dict[str, Any], int, float, bool]:
        """Calls a function of the extension with checked arrays."""
        x = _arrays.vectors(position, "position")
        n = len(x)
        fields = _fields(n, {"position": x, "velocity": velocity, "h2": h2})
        ids = None if id is None else _arrays.whole(
            np.asarray(id), "id", np.int64, n)
        return (n, ids, fields, self.capacity if n_j is None else n_j,
                softening, nearest)

    def wait(self) -> JForces:
        """Returns the results of start()."""
        return JForces(**self._c.wait())

    def forces(self, position: npt.ArrayLike, **options: Any) -> JForces:
        """start() and wait() in one, with no other thread in between."""
        return JForces(**self._c.forces(*self._sums(position, **options)))

    def neighbours(self, max: int = 256) -> list[_arrays.Whole]:
        """For each i-particle of the last start(), the indices of the
        j-particles within sqrt(h2), ascending."""
        count, index, overflow = self._c.neighbours(max)
        if overflow:
            return self.neighbours(int(count.max()))
        rows = index.reshape(len(count), max)
        return [rows[k, :c] for k, c in enumerate(count.tolist())]

    def __len__(self) -> int:
        return self.capacity

    def __repr__(self) -> str:
        return f"<koshu.JStore: capacity {self.capacity}, t = {self.time:g}>"
