# SPDX-License-Identifier: MIT
"""The particles of a worker, with the indices by which AMUSE refers to them."""
import numpy as np


class Stars:
    """Columns of equal length, in the order of the indices. An index is never
    used twice."""

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
        """Adds particles and returns their indices."""
        index = np.arange(self._next, self._next + len(mass))
        self._next += len(mass)
        self.index = np.append(self.index, index)
        self.mass = np.append(self.mass, mass)
        self.radius = np.append(self.radius, radius)
        self.position = np.vstack([self.position, position])
        self.velocity = np.vstack([self.velocity, velocity])
        return index

    def rows(self, index):
        """The rows of the particles with these indices."""
        index = np.asarray(index)
        row = np.searchsorted(self.index, index)
        there = row < len(self)
        there[there] = self.index[row[there]] == index[there]
        if not there.all():
            raise LookupError(f"koshu has no particle of the index "
                              f"{index[~there][0]}")
        return row

    def remove(self, index):
        """Removes the particles with these indices."""
        row = self.rows(index)
        for name in ("index", "mass", "radius", "position", "velocity"):
            setattr(self, name, np.delete(getattr(self, name), row, axis=0))

    # ---- what holds for all of them -----------------------------------------

    def centre(self, what):
        """The mass-weighted mean of the column "position" or "velocity"."""
        total = self.mass.sum()
        return (self.mass @ getattr(self, what) / total if total > 0
                else np.zeros(3))

    def kinetic_energy(self):
        """The kinetic energy of all particles, as a number."""
        return 0.5 * float(self.mass @ (self.velocity ** 2).sum(1))

    def largest_distance(self):
        """The largest distance of a particle from the centre of mass."""
        distance = np.linalg.norm(self.position - self.centre("position"), axis=1)
        return float(distance.max(initial=0))
