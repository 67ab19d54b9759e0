#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds when the cores of clusters collapsed, from the cluster.csv and energy.csv of runs.

    core_collapse.py DIRECTORY...

prints a line for each directory, and means. A core contracts until hard binaries have
released enough energy to reverse the collapse. Its bounce is taken as the time of the
smallest core radius before binaries held a tenth of the cluster's initial energy, or in
all rows if they never did; later the core oscillates and may be smaller. Radii are
medians over 5 time units. Relaxation times are those of the first row (half-mass,
Coulomb logarithm ln 0.11 N).
"""
import csv
import pathlib
import statistics
import sys

WINDOW = 5.0  # time units over which medians are taken
ROWS = 10  # consecutive rows with this much energy in binaries


def read(path):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    # with units, the columns' names contain them
    return [{name.split(" [")[0]: float(x) for name, x in r.items()} for r in rows]


def when_binaries_hold(rows, energy):
    """The first of ROWS consecutive rows with this much in hard binaries, or
    None."""
    on_end = 0
    for k, row in enumerate(rows):
        on_end = on_end + 1 if abs(row["binding_energy"]) >= energy else 0
        if on_end == ROWS:
            return rows[k - ROWS + 1]["time"]
    return None


def smallest_core(rows, end):
    """Time and radius of the smallest core up to `end`."""
    cores = []
    for row in rows:
        if row["time"] > end:
            break
        near = [r["core_radius"] for r in rows if abs(r["time"] - row["time"]) <= WINDOW / 2]
        cores.append((statistics.median(near), row["time"]))
    radius, time = min(cores)
    return time, radius


def measure(directory):
    rows, energies = (read(directory / f) for f in ("cluster.csv", "energy.csv"))
    relaxation = rows[0]["relaxation_time"]
    binaries = when_binaries_hold(rows, abs(energies[0]["total"]) / 10)
    end = rows[-1]["time"]
    time, radius = smallest_core(rows, end if binaries is None else binaries)
    return {
        "t_rh": relaxation,
        "bounce": time / relaxation,
        "radius": radius,
        "binaries": None if binaries is None else binaries / relaxation,
        "smallest": smallest_core(rows, end)[0] / relaxation,
        "energy": max(abs(r["energy_error"]) for r in energies),
    }


def line(name, found):
    binaries = "-" if found["binaries"] is None else f"{found['binaries']:.1f}"
    return (
        f"{name:20} {found['t_rh']:8.3g} {found['bounce']:12.1f} {found['radius']:8.3f}"
        f" {binaries:>12} {found['smallest']:12.1f}"
        f" {found['energy']:10.1e}"
    )


def main(directories):
    if not directories:
        sys.exit("core_collapse.py: which directories? Those of runs with output.log.cluster.")
    print(
        f"{'':20} {'t_rh':>8} {'bounce/t_rh':>12} {'radius':>8} {'E/10 by/t_rh':>12}"
        f" {'least/t_rh':>12} {'max |dE/E|':>10}"
    )
    all_found = []
    for name in directories:
        try:
            all_found.append(measure(pathlib.Path(name)))
        except (OSError, KeyError) as problem:
            sys.exit(f"core_collapse.py: {name}: {problem}")
        print(line(name, all_found[-1]))
    bounce, smallest = (statistics.mean(f[k] for f in all_found) for k in ("bounce", "smallest"))
    print(f"{'mean':20} {'':8} {bounce:12.1f} {'':8} {'':12} {smallest:12.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
