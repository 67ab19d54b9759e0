# SPDX-License-Identifier: MIT
"""Shared by runs in memory and runs with files: callbacks between steps,
progress, and Ctrl-C."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Protocol

from ._errors import Error
from ._log import logger


class _Bar(Protocol):
    def update(self, time: float) -> None: ...

    def close(self) -> None: ...


class _Tqdm:
    """A bar from the run's present time to its end."""

    def __init__(self, begin: float, end: float) -> None:
        from tqdm.auto import tqdm

        self._begin = begin
        self._bar = tqdm(total=abs(end - begin), unit="t",
                         bar_format="{l_bar}{bar}| t = {n:.4g}/{total:.4g} "
                                    "[{elapsed}<{remaining}]")

    def update(self, time: float) -> None:
        self._bar.n = abs(time - self._begin)
        self._bar.update(0)

    def close(self) -> None:
        self._bar.refresh()
        self._bar.close()


class _Silent:
    def update(self, time: float) -> None:
        pass

    def close(self) -> None:
        pass


def bar(wanted: bool | None, begin: float, end: float) -> _Bar:
    """A bar of tqdm, if it is installed; wanted None: if stderr is a
    terminal."""
    if wanted is None:
        wanted = sys.stderr is not None and sys.stderr.isatty()
    if not wanted:
        return _Silent()
    try:
        return _Tqdm(begin, end)
    except ImportError:
        return _Silent()


class _Closing(Protocol):
    def close(self) -> None: ...


def close(run: _Closing, error: BaseException | None) -> None:
    """Closes a run at the end of `with`. error: the exception that ended it,
    which must not be hidden if close() fails for the same reason."""
    try:
        run.close()
    except Error as failure:
        if error is None:
            raise
        logger.warning("%s", failure)


class Callbacks:
    """Functions that are called between steps."""

    def __init__(self) -> None:
        self._functions: list[tuple[Callable[[Any], object], int]] = []
        self._step = 0

    def add(self, function: Callable[[Any], object], every: int) -> None:
        if every < 1:
            raise ValueError(f"every is {every}: at least 1 step")
        self._functions.append((function, every))

    def remove(self, function: Callable[[Any], object]) -> None:
        self._functions = [f for f in self._functions if f[0] is not function]

    def call(self, run: Any) -> bool:
        """Calls them after a step. Returns whether one of them wants to stop,
        by returning False."""
        self._step += 1
        stop = False
        for function, every in list(self._functions):
            if self._step % every == 0:
                stop = function(run) is False or stop
        return stop
