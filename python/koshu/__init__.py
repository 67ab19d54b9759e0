# SPDX-License-Identifier: MIT
"""koshu: fast gravity and other pair interactions of particles.

    import koshu
    a = koshu.forces(x, m, softening=0.01).acceleration

    sim = koshu.Simulation(koshu.models.plummer(16384), solver="tree",
                           softening=0.01)
    sim.run(until=1)

Arrays are in double precision: of vectors with the shape (n, 3), of numbers
with (n,). G = 1 in any consistent units, unless an object has a unit system.
"""
from . import flows, models, plot
from ._errors import (
    BadFormatError,
    BadInputError,
    DeviceError,
    Error,
    ExternalError,
    FileError,
    InternalError,
    InvalidArgumentError,
    OutOfMemoryError,
    NoDeviceError,
    NotFiniteError,
    NotFoundError,
    UnsupportedError,
)
from ._koshu import commit as _commit
from ._koshu import version as _version
from ._cluster import Cluster, cluster
from ._context import Context, Device, context, devices
from ._external import External, Field
from ._forces import Forces, force_sets, forces, nwalk
from ._integrators import Archain, Hermite, Leapfrog
from ._interactions import Interaction, interaction
from ._j_store import JForces, JStore
from ._laplace import Laplace, Potentials, Velocities, ewald
from ._parameters import Estimate, Parameters
from ._particles import Diagnostics, Particles
from ._program import bench
from ._run import Progress, Run
from ._simulation import Simulation
from ._snapshots import Snapshot, format_of, inspect, read, write
from ._solvers import FMM, Direct, Solver, Tree, choose
from ._units import Units
from ._view import View

__version__ = _version()
commit = _commit()

__all__ = [
    "Archain", "BadFormatError", "BadInputError", "Cluster", "Context", "Device", "DeviceError",
    "Diagnostics", "Direct", "Error", "Estimate", "External", "ExternalError",
    "FMM", "Field", "FileError", "Forces", "Hermite", "Interaction", "InternalError",
    "InvalidArgumentError", "JForces", "JStore", "OutOfMemoryError", "Laplace",
    "Leapfrog", "NoDeviceError", "NotFiniteError", "NotFoundError",
    "Parameters", "Particles", "Potentials", "Progress", "Run", "Simulation",
    "Snapshot", "Solver", "Tree", "Units", "UnsupportedError", "Velocities",
    "View", "bench", "choose", "cluster", "commit", "context", "devices", "ewald", "force_sets",
    "flows", "format_of", "forces", "inspect", "interaction", "models", "nwalk", "plot",
    "read", "write",
]
