# SPDX-License-Identifier: MIT
"""Stopping conditions: what ends an evolve before its end time."""
import time

import numpy as np
from scipy.spatial import cKDTree

COLLISION, ESCAPER, TIMEOUT, STEPS, OUT_OF_BOX = 0, 2, 3, 4, 5
SUPPORTED = (COLLISION, ESCAPER, TIMEOUT, STEPS, OUT_OF_BOX)
_OF_PLACES = {COLLISION, ESCAPER, OUT_OF_BOX}


def colliding(position, radius):
    """Pairs of particles whose spheres overlap, (k, 2). The larger particle of
    a pair searches within the smaller one's largest possible distance."""
    reach = np.flatnonzero(radius > 0)
    near = cKDTree(position).query_ball_point(position[reach],
                                              2 * radius[reach])
    count = [len(found) for found in near]
    i = np.repeat(reach, count)
    j = np.fromiter((k for found in near for k in found), np.int64, sum(count))
    larger = (radius[i] > radius[j]) | ((radius[i] == radius[j]) & (i < j))
    i, j = i[larger], j[larger]
    distance = np.linalg.norm(position[i] - position[j], axis=1)
    return np.stack([i, j], 1)[distance < radius[i] + radius[j]]


def escaping(position, velocity, potential, mass, radius):
    """Unbound particles, (k, 1), that move outwards and are farther than
    `radius` from the centre of mass."""
    total = mass.sum()
    x = position - mass @ position / total
    v = velocity - mass @ velocity / total
    out = ((x ** 2).sum(1) > radius ** 2) & ((x * v).sum(1) > 0)
    return np.flatnonzero(out & ((v ** 2).sum(1) / 2 + potential > 0))[:, None]


def outside(position, size, centre):
    """Particles outside the cube of this size around `centre`, (k, 1)."""
    return np.flatnonzero((abs(position - centre) > size / 2).any(1))[:, None]


class Conditions:
    """Which conditions are enabled, and which the last evolve has met: (type,
    indices)."""

    def __init__(self):
        self.enabled = set()
        self.met = []

    def of_places(self):
        """Is a condition enabled that must be checked after each block step?"""
        return bool(self.enabled & (_OF_PLACES | {STEPS}))

    def need_potentials(self):
        """Must a step compute potentials?"""
        return ESCAPER in self.enabled

    def start(self, simulation):
        """Called when an evolve starts."""
        self.met = []
        self._began = time.monotonic()
        self._steps = simulation.steps

    def check(self, simulation, stars, parameters):
        """Called after a step; returns whether a condition is met."""
        get = "stopping_condition_{}_parameter".format
        if TIMEOUT in self.enabled and (
                time.monotonic() - self._began > parameters[get("timeout")]):
            self.met.append((TIMEOUT, ()))
        if STEPS in self.enabled and (simulation.steps - self._steps
                                      >= parameters[get("number_of_steps")]):
            self.met.append((STEPS, ()))
        if self.enabled & _OF_PLACES:
            self._check_places(simulation, stars, parameters)
        return bool(self.met)

    def _check_places(self, simulation, stars, parameters):
        x, v = simulation.predicted()
        if COLLISION in self.enabled:
            self._meet(COLLISION, stars, colliding(x, stars.radius))
        if OUT_OF_BOX in self.enabled:
            get = "stopping_condition_out_of_box_{}parameter".format
            centre = (stars.mass @ x / stars.mass.sum()
                      if parameters[get("use_center_of_mass_")] else 0)
            self._meet(OUT_OF_BOX, stars,
                       outside(x, parameters[get("")], centre))
        if ESCAPER in self.enabled:
            self._meet(ESCAPER, stars, escaping(
                x, v, simulation.particles.potential, stars.mass,
                parameters["escaper_radius"]))

    def _meet(self, kind, stars, rows):
        self.met += [(kind, tuple(stars.index[row])) for row in rows]
