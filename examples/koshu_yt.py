# SPDX-License-Identifier: MIT
"""Opens HDF5 snapshots of koshu in yt with the right units.

yt.load() opens them too, but assumes kpc, 1e10 Msun and km/s for every snapshot of
this layout, and cannot draw one without a box:

    import yt, koshu_yt
    ds = koshu_yt.load("snapshot_0004.hdf5")
    yt.ParticleProjectionPlot(ds, "z", ("all", "particle_mass")).save()
"""
import h5py
import numpy
import yt


def units(file):
    """The snapshot's units of length, mass and velocity. In a cosmological
    snapshot lengths are comoving, lengths and masses over h, velocities
    over sqrt(a)."""
    kept = file["Units"].attrs
    if "HubbleParam" in file["Header"].attrs:
        return {name: float(kept[name]) for name in kept}
    return {
        "length": (float(kept["UnitLength_in_cm"]), "cm"),
        "mass": (float(kept["UnitMass_in_g"]), "g"),
        "velocity": (float(kept["UnitVelocity_in_cm_per_s"]), "cm/s"),
    }


def bounding_box(file):
    """A cube around the particles, wider by a hundredth on each side."""
    x = file["PartType1/Coordinates"][:]
    low, high = x.min(axis=0), x.max(axis=0)
    half = 0.51 * (high - low).max() or 1.0
    middle = 0.5 * (low + high)
    return numpy.stack([middle - half, middle + half], axis=1)


def load(path, **options):
    """Calls yt.load() with the snapshot's units; options are passed on."""
    with h5py.File(path, "r") as file:
        options.setdefault("unit_base", units(file))
        if file["Header"].attrs["BoxSize"] == 0:
            options.setdefault("bounding_box", bounding_box(file))
    return yt.load(path, **options)
