# SPDX-License-Identifier: MIT
"""The parameters of runs."""
from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _koshu
from ._context import Context, context
from ._units import Units

_default = context

# keys that say where and how a run computes, not what: they are left out of
# the text of parameters, which is made for snapshots
_LOCAL = ("domain.grid", "output.directory", "output.snapshot.files",
          "checkpoint.interval", "checkpoint.first", "checkpoint.keep",
          "run.backend", "run.devices", "run.exchange", "run.threads",
          "run.j_capacity", "run.transport", "run.wall_clock_limit",
          "run.stop_file")


class Parameters:
    """The parameters of a run: from a YAML file, from keys, or both.

        koshu.Parameters("plummer.yaml", {"integrator.end": 2})

    Keys, defaults and meanings: docs/parameters.md, or `koshu run
    --help-parameters`.
    """

    def __init__(self, source: str | os.PathLike[str] | None = None,
                 values: Mapping[str, Any] | None = None, *,
                 text: str | None = None,
                 context: Context | None = None) -> None:
        self._context = context or _default()
        self._c = _koshu.parameters_create(self._context._c)
        if source is not None:
            self._c.read(os.fspath(source))
        if text is not None:
            self._c.parse("text", text)
        for key, value in (values or {}).items():
            self[key] = value

    def __getitem__(self, key: str) -> str:
        """The value of a key, as text."""
        return self._c.get(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._c.set(key, _text_of(value))

    def number(self, key: str) -> float:
        """The value of a key that is a number, in the units of the
        parameters."""
        return self._c.get_real(key)

    def whole(self, key: str) -> int:
        """The value of a key that is an integer."""
        return self._c.get_whole(key)

    def check(self) -> None:
        """Raises BadInputError if values contradict each other."""
        self._c.check()

    def solver_options(self) -> dict[str, Any]:
        """The options in the section `solver`."""
        return self._c.solver()

    def estimate(self) -> Estimate:
        """Estimates what the run needs; measures forces for half a second."""
        values = self._c_estimate()
        values["units"] = Units._of(values["units"])
        return Estimate(**values)

    def _c_estimate(self) -> dict[str, Any]:
        return _koshu.run_estimate(self._c)

    def __str__(self) -> str:
        return self._c.text()

    def _here(self) -> dict[str, str]:
        """Keys that the text leaves out and that do not have their default."""
        default = _koshu.parameters_create(self._context._c)
        return {key: self[key] for key in _LOCAL
                if self[key] != default.get(key)}

    def __repr__(self) -> str:
        here = self._here()
        values = f"values={here!r}, " if here else ""
        return f"koshu.Parameters({values}text={str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _parameters_of, (str(self), self._here())


def _parameters_of(text: str, here: dict[str, str]) -> Parameters:
    return Parameters(values=here, text=text)


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_text_of(v) for v in value) + "]"
    if isinstance(value, float):
        return repr(float(value))
    return "" if value is None else os.fspath(value) if isinstance(
        value, os.PathLike) else str(value)


@dataclass(frozen=True)
class Estimate:
    """What a run needs; times are in `units`."""

    n: int
    begin: float
    bytes: int
    steps: int
    particle_steps: int
    steps_are_a_guess: bool
    snapshots: int
    snapshot_bytes: int
    log_rows: int
    checkpoint_bytes: int
    interactions_per_s: float
    seconds: float
    softening: float  #: suggested; 0: too few particles to tell
    dt: float  #: suggested
    units: Units
