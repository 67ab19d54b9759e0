# SPDX-License-Identifier: MIT
"""Star clusters: what a cluster is like."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _koshu
from ._particles import Particles
from ._solvers import Vector


class Cluster(NamedTuple):
    """A star cluster, in the units of its particles. Systems are stars, and hard
    binaries and hierarchies in the places of their members; docs/clusters.md and
    koshu/cluster.h say what each is.

    shells and pairs are structured arrays, with the members of struct
    koshu_cluster_shell and koshu_cluster_pair as fields: c.shells["density"],
    c.pairs["eccentricity"].
    """

    n: int                   #: stars
    n_systems: int           #: systems,
    n_bound: int             #: those of them that are bound
    n_pairs: int             #: bound pairs of two stars,
    n_hard: int              #: those that are harder than kT
    n_hierarchies: int       #: stable, of three stars or more
    mass: float              #: of all stars
    bound_mass: float        #: of what is bound
    centre: Vector           #: density centre
    velocity: Vector         #: of what is bound
    core_radius: float       #: Casertano & Hut 1985
    core_mass: float         #: of bound systems within it
    lagrangian_radius: dict[float, float]  #: by fraction of the bound mass
    kinetic: float           #: T of bound systems
    potential: float         #: W of bound systems
    virial_ratio: float      #: T / |W|
    virial_radius: float     #: G M^2 / (2 |W|)
    velocity_dispersion: float  #: along one axis
    anisotropy: float        #: 1 - <v_t^2> / (2 <v_r^2>)
    kt: float                #: 3/2 kT is the mean kinetic energy of a system
    crossing_time: float     #: 2 r_v / v_rms
    relaxation_time: float   #: of the half mass (Spitzer 1987), ln(0.11 N)
    binding_energy: float    #: of hard pairs and hierarchies
    segregation: float       #: Lambda_MSR (Allison et al. 2009),
    segregation_error: float  #: and its standard deviation
    shells: npt.NDArray[np.void]  #: profiles, from the centre outward
    pairs: npt.NDArray[np.void]   #: binaries, hierarchies, the hardest first

    @property
    def half_mass_radius(self) -> float:
        """Of the bound mass."""
        return self.lagrangian_radius[0.5]


def cluster(particles: Particles, *, gravitational_constant: float = 1.0,
            softening: float = 0.0, shells: int = 20, massive: int = 10,
            samples: int = 200, seed: int = 1) -> Cluster:
    """Measures a star cluster from its particles and their potentials, which a
    Simulation, Solver.forces() or a snapshot has made; of hard binaries they
    have to be of precision "mixed" or "double".

        p = koshu.models.plummer(1000)
        koshu.Solver(koshu.Direct(precision="double")).forces(p)
        koshu.cluster(p).core_radius

    gravitational_constant: of the particles' units, where masses and potentials
    are in them, as a snapshot has them; softening: of pairs; shells: of the
    profiles; massive, samples, seed: systems, random sets and their seed in
    Lambda_MSR.
    """
    given: dict[str, Any] = {
        "gravitational_constant": gravitational_constant,
        "softening": softening, "shells": shells, "massive": massive,
        "samples": samples, "seed": seed}
    summary, (of_shells, shell), (of_pairs, pair) = _koshu.cluster(particles._c,
                                                                   given)
    return Cluster(**summary,
                   shells=np.frombuffer(of_shells, np.dtype(shell)),
                   pairs=np.frombuffer(of_pairs, np.dtype(pair)))
