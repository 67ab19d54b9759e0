#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A star cluster on its orbit in the Milky Way, with AMUSE's bridge: koshu beside ph4.

    amuse_cluster.py [--n N] [--end T] [--step H] [--codes koshu,ph4]

N (1000) stars of a solar mass each form a Plummer sphere with a virial radius of 3 pc,
on a circular orbit 8 kpc from the centre of the potential of Bovy (2015). It is
integrated for T (20) million years; the bridge kicks every H (0.25) million years. Each
code starts with the same stars. Prints for each code the time taken in seconds, the
change of the total energy relative to the cluster's initial binding energy, the final
half-mass radius and mass within 10 pc, and for all but the first the median distance
of the stars from their positions by the first code.

Needs AMUSE with amuse-koshu and amuse-ph4: docs/amuse.md.
"""
import argparse
import time

import numpy
from amuse.couple.bridge import Bridge
from amuse.ext.galactic_potentials import MWpotentialBovy2015
from amuse.ic.plummer import new_plummer_model
from amuse.units import nbody_system, units

SOFTENING = 0.01 | units.parsec


def make_koshu(converter):
    from amuse_koshu import Koshu
    return Koshu(converter)


def make_ph4(converter):
    from amuse.community.ph4.interface import ph4
    code = ph4(converter)
    code.parameters.force_sync = 1  # otherwise it stops after the requested time
    return code


CODES = {"koshu": make_koshu, "ph4": make_ph4}


def cluster(n, converter, galaxy):
    """Puts the stars on a circular orbit about the galaxy's centre."""
    numpy.random.seed(1)
    stars = new_plummer_model(n, converter)
    stars.scale_to_standard(converter, smoothing_length_squared=SOFTENING**2)
    distance = 8 | units.kpc
    stars.x += distance
    stars.vy += galaxy.circular_velocity(distance)
    return stars


def energies(code, galaxy):
    """Energies of the cluster alone, and including the potential of the
    galaxy."""
    stars = code.particles.copy()
    own = code.kinetic_energy + code.potential_energy
    there = galaxy.get_potential_at_point(0 | units.parsec, stars.x, stars.y, stars.z)
    return own, own + (stars.mass * there).sum()


def evolve(make, stars, converter, galaxy, o):
    """Seconds, change of energy over the binding energy, and the final
    stars."""
    code = make(converter)
    code.parameters.epsilon_squared = SOFTENING**2
    code.particles.add_particles(stars)
    own, before = energies(code, galaxy)
    rest = own - 0.5 * stars.mass.sum() * stars.center_of_mass_velocity().length()**2
    bridge = Bridge(timestep=o.step | units.Myr)
    bridge.add_system(code, (galaxy,))
    start = time.perf_counter()
    bridge.evolve_model(o.end | units.Myr)
    seconds = time.perf_counter() - start
    _, after = energies(code, galaxy)
    result = code.particles.copy()
    code.stop()
    return seconds, (after - before) / abs(rest), result


def describe(stars, seconds, error):
    """Prints a line of the table."""
    position = stars.position.value_in(units.parsec)
    own = numpy.sort(numpy.linalg.norm(position - numpy.median(position, axis=0), axis=1))
    return (f"{seconds:8.1f} s   dE/E {error:9.1e}   half-mass radius "
            f"{own[len(own) // 2]:.3f} pc   within 10 pc {100 * (own < 10).mean():.1f} %")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--end", type=float, default=20.0)
    parser.add_argument("--step", type=float, default=0.25)
    parser.add_argument("--codes", default="koshu,ph4")
    o = parser.parse_args()
    converter = nbody_system.nbody_to_si(o.n | units.MSun, 3 | units.parsec)
    galaxy = MWpotentialBovy2015()
    stars = cluster(o.n, converter, galaxy)
    first = None
    for name in o.codes.split(","):
        seconds, error, after = evolve(CODES[name], stars, converter, galaxy, o)
        line = f"{name:6s}{describe(after, seconds, error)}"
        if first is not None:
            off = (after.position - first.position).lengths().value_in(units.parsec)
            line += f"   off by {numpy.median(off):.2e} pc"
        first = first or after
        print(line, flush=True)


if __name__ == "__main__":
    main()
