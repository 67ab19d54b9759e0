#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads an HDF5 snapshot of koshu with h5py, yt or pynbody.

    read_snapshot.py FILE [h5py|yt|pynbody]

prints time, number of particles, total mass, centre of mass, and the half-mass radius
about it: the same numbers, whichever reader is used.
"""
import sys

import numpy


def with_h5py(path):
    import h5py

    with h5py.File(path, "r") as file:
        dark = file["PartType1"]
        return file["Header"].attrs["Time"], dark["Masses"][:], dark["Coordinates"][:]


def with_yt(path):
    import koshu_yt

    dataset = koshu_yt.load(path)
    data = dataset.all_data()
    return (
        float(dataset.current_time.in_units("code_time")),
        data["PartType1", "Masses"].in_units("code_mass").v,
        data["PartType1", "Coordinates"].in_units("code_length").v,
    )


def with_pynbody(path):
    import pynbody

    snapshot = pynbody.load(path)
    # pynbody takes Time to be a scale factor; properties["time"] is in Gyr,
    # converted with the snapshot's units
    time = snapshot.properties["time"].in_units(
        snapshot.infer_original_units("s")
    )
    mass, position = snapshot.dm["mass"], snapshot.dm["pos"]
    return float(time), numpy.asarray(mass), numpy.asarray(position)


def half_mass_radius(mass, position, centre):
    radius = numpy.linalg.norm(position - centre, axis=1)
    order = numpy.argsort(radius)
    inside = numpy.cumsum(mass[order])
    return radius[order][numpy.searchsorted(inside, inside[-1] / 2)]


def main():
    readers = {"h5py": with_h5py, "yt": with_yt, "pynbody": with_pynbody}
    if len(sys.argv) not in (2, 3) or sys.argv[-1] in ("-h", "--help"):
        sys.exit(__doc__)
    name = sys.argv[2] if len(sys.argv) == 3 else "h5py"
    if name not in readers:
        sys.exit(f"{name} is none of {', '.join(readers)}")
    time, mass, position = readers[name](sys.argv[1])
    centre = numpy.average(position, axis=0, weights=mass)
    print(f"time             {time:.9g}")
    print(f"n                {len(mass)}")
    print(f"total mass       {mass.sum():.9g}")
    print("centre           {:.3e} {:.3e} {:.3e}".format(*centre))
    print(f"half-mass radius {half_mass_radius(mass, position, centre):.9g}")


main()
