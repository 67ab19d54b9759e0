# SPDX-License-Identifier: MIT
"""Live views: a page in a browser that shows particles as they move."""
from __future__ import annotations

import html
import os
import time as clock
from types import TracebackType

from . import _koshu
from ._context import Context
from ._particles import Particles


class View:
    """A live view of a simulation or a run, created by their method view().

    address: to be opened in a browser on this machine. In a notebook the
    object itself shows the page. The view ends with close(), or with the
    object.
    """

    def __init__(self, context: Context, *, port: int = 0,
                 socket: str | os.PathLike[str] | None = None,
                 control: bool = False, particles: int = 100_000,
                 log: str | None = None) -> None:
        self._address = ""
        self._c: _koshu.View | None = _koshu.view_create(
            context._c, port, os.fspath(socket) if socket else "", control,
            particles, log or "")
        self._address = self._c.address

    @property
    def address(self) -> str:
        """The address of the page; for a socket its path, and what follows the
        host's name."""
        return self._address

    @property
    def watchers(self) -> int:
        """The number of browsers that have the page open."""
        return self._c.watchers if self._c else 0

    def close(self) -> None:
        """Ends the view; the page keeps its last contents."""
        self._c = None

    def _update(self, particles: Particles, step: int, time: float, end: float,
                error: float = float("nan"), last: bool = False) -> bool:
        """Updates the view after a step; waits while the page requests a
        pause. Returns whether it wants to stop."""
        while self._c is not None:
            stop, pause = self._c.update(particles._c, step, time, end, error,
                                         last)
            if stop or not pause:
                return bool(stop)
            clock.sleep(0.02)
        return False

    def __enter__(self) -> View:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<koshu.View: {self._address}>"

    def _repr_html_(self) -> str:
        where = html.escape(self._address, quote=True)
        return (f'<iframe src="{where}" width="100%" height="600" '
                f'style="border: 0"></iframe><p><a href="{where}" '
                f'target="_blank">{where}</a></p>')
