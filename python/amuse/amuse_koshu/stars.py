# SPDX-License-Identifier: MIT
"""The particles of a worker, by the indices that AMUSE knows them by."""
import numpy as np


class Stars:
    """Columns of one length, in the order of the indices, none of which is
    ever used twice."""

    def __init__(self):
        self.index = np.empty(0, np.int64)
        self.mass = np.empty(0)
        self.radius = np.empty(0)
        self.position = np.empty((0, 3))
        self.velocity = np.empty((0, 3))
        self._next = 0

    def __len__(self):
        return len(self.index)

    def add(self, mass, position, velocity, radius):
        """Gives the indices of the new ones."""
        index = np.arange(self._next, self._next + len(mass))
        self._next += len(mass)
        self.index = np.append(self.index, index)
        self.mass = np.append(self.mass, mass)
        self.radius = np.append(self.radius, radius)
        self.position = np.vstack([self.position, position])
        self.velocity = np.vstack([self.velocity, velocity])
        return index

    def rows(self, index):
        """Where the particles of these indices are."""
        index = np.asarray(index)
        row = np.searchsorted(self.index, index)
        there = row < len(self)
        there[there] = self.index[row[there]] == index[there]
        if not there.all():
            raise LookupError(f"koshu has no particle of the index "
                              f"{index[~there][0]}")
        return row

    def remove(self, index):
        """The particles of these indices."""
        row = self.rows(index)
        for name in ("index", "mass", "radius", "position", "velocity"):
            setattr(self, name, np.delete(getattr(self, name), row, axis=0))

    # ---- what holds for all of them -----------------------------------------

    def centre(self, what):
        """Mean of the column "position" or "velocity", weighted by mass."""
        total = self.mass.sum()
        return (self.mass @ getattr(self, what) / total if total > 0
                else np.zeros(3))

    def kinetic_energy(self):
        """Of all, as a number."""
        return 0.5 * float(self.mass @ (self.velocity ** 2).sum(1))

    def largest_distance(self):
        """From the centre of mass."""
        distance = np.linalg.norm(self.position - self.centre("position"), axis=1)
        return float(distance.max(initial=0))
