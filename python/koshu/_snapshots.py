# SPDX-License-Identifier: MIT
"""Files of particles."""
from __future__ import annotations

import os
from dataclasses import dataclass

from . import _koshu
from ._context import Context, context
from ._particles import Particles
from ._units import Units

_default = context


@dataclass(frozen=True)
class Snapshot:
    """The contents of a file, with numbers in its units."""

    particles: Particles | None  #: None after inspect(), which does not read them
    n: int
    time: float
    units: Units
    has_units: bool  #: the file states its units
    format: str  #: "hdf5", "gadget1", "gadget2", "tipsy", "csv"
    softening: float
    box_size: float  #: 0: not periodic
    step: int
    n_types: int
    has_potential: bool
    single: bool  #: coordinates are stored in single precision
    program: str
    parameters: str | None  #: the text of its run's parameter file


def _snapshot(particles: Particles | None, info: dict[str, object],
              parameters: str | None) -> Snapshot:
    units = Units._of(info.pop("units"))  # type: ignore[arg-type]
    return Snapshot(particles=particles, units=units, parameters=parameters,
                    **info)  # type: ignore[arg-type]


def read(path: str | os.PathLike[str], *, context: Context | None = None
         ) -> Snapshot:
    """Reads a snapshot: HDF5 as written by GADGET-4 and SWIFT, GADGET-2, Tipsy
    or CSV, recognised by its content; particles of all types are combined."""
    c = context or _default()
    particles, info = _koshu.snapshot_read(c._c, os.fspath(path))
    return _snapshot(Particles._of(particles, c), info,
                     _parameters(c, path, info))


def inspect(path: str | os.PathLike[str], *, context: Context | None = None
            ) -> Snapshot:
    """Reads the contents of a file except its particles."""
    c = context or _default()
    info = _koshu.snapshot_inspect(c._c, os.fspath(path))
    return _snapshot(None, info, _parameters(c, path, info))


def _parameters(c: Context, path: str | os.PathLike[str],
                info: dict[str, object]) -> str | None:
    if info["format"] != "hdf5":
        return None
    return _koshu.snapshot_parameters(c._c, os.fspath(path))


def write(path: str | os.PathLike[str], particles: Particles, *,
          time: float = 0, units: Units | None = None,
          format: str | None = None, softening: float = 0,
          box_size: float = 0, step: int = 0, potential: bool = False,
          parameters: str = "") -> None:
    """Writes a snapshot, completely or not at all, in the format given by the
    ending of its name: .hdf5 .gad .gad1 .tipsy .csv.

    potential: also writes particles.potential.
    """
    name = os.fspath(path)
    if format is None:
        format = _koshu.format_of(particles.context._c, name, False)
    _koshu.snapshot_write(
        particles._c, name,
        {"format": format, "time": time, "softening": softening,
         "box_size": box_size, "step": step, "has_potential": potential},
        (units or Units())._c, parameters)


def format_of(path: str | os.PathLike[str], *, context: Context | None = None
              ) -> str:
    """The format of a file, recognised by its content."""
    return _koshu.format_of((context or _default())._c, os.fspath(path), True)
