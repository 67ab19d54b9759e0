# SPDX-License-Identifier: MIT
"""Star clusters and their properties."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _koshu
from ._particles import Particles
from ._solvers import Vector


class Cluster(NamedTuple):
    """The properties of a star cluster, in the units of its particles. A
    system is a single star, or a hard binary or hierarchy in place of its
    members; see docs/clusters.md and koshu/cluster.h.

    shells and pairs are structured arrays whose fields are the members of
    struct koshu_cluster_shell and koshu_cluster_pair: c.shells["density"],
    c.pairs["eccentricity"].
    """

    n: int                   #: stars
    n_systems: int           #: systems
    n_bound: int             #: bound systems
    n_pairs: int             #: bound pairs of two stars
    n_hard: int              #: pairs that are harder than kT
    n_hierarchies: int       #: stable hierarchies of three stars or more
    mass: float              #: of all stars
    bound_mass: float        #: of bound systems
    centre: Vector           #: of the density
    velocity: Vector         #: of bound systems, the mean
    core_radius: float       #: Casertano & Hut 1985
    core_mass: float         #: of bound systems within the core radius
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
        """The radius that contains half of the bound mass."""
        return self.lagrangian_radius[0.5]


def cluster(particles: Particles, *, gravitational_constant: float = 1.0,
            softening: float = 0.0, shells: int = 20, massive: int = 10,
            samples: int = 200, seed: int = 1) -> Cluster:
    """Measures a star cluster from its particles and their potentials, which a
    Simulation, Solver.forces() or a snapshot has provided. For hard binaries
    the potentials must have the precision "mixed" or "double".

        p = koshu.models.plummer(1000)
        koshu.Solver(koshu.Direct(precision="double")).forces(p)
        koshu.cluster(p).core_radius

    gravitational_constant: in the particles' units, if their masses and
    potentials are in these units too, as in a snapshot; softening: of pairs;
    shells: their number in the profiles; massive, samples, seed: for
    Lambda_MSR, the number of massive systems, and the number and seed of
    random sets.
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
