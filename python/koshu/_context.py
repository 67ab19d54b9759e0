# SPDX-License-Identifier: MIT
"""Which processors and GPUs compute, and with how many threads."""
from __future__ import annotations

import atexit
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from . import _koshu


class Context:
    """Threads and a backend, with which everything else is created.

    threads: of the CPU; 0: OMP_NUM_THREADS, or else one for each core.
    backend: "auto", "cpu", "cuda" or "ref". devices: GPUs by number, "0,1", or
    "all". exchange: how several GPUs exchange particles: "auto", "mutual", ...

    Objects created inside `with koshu.Context(...):` use that context; others
    use koshu.context(), of which each thread has its own. Only one thread at a
    time uses a context: others wait.
    """

    def __init__(self, *, backend: str = "auto", threads: int = 0,
                 devices: str = "", exchange: str = "default") -> None:
        self._options = {"backend": backend, "threads": threads,
                         "devices": devices, "exchange": exchange}
        self._c = _koshu.Context(self._options)

    @property
    def threads(self) -> int:
        """The number of CPU threads."""
        return self._c.threads

    @property
    def backend(self) -> str:
        """The backend, "auto" as given."""
        return self._c.backend

    @property
    def devices(self) -> str:
        """The GPUs as given; "": the first."""
        return self._c.devices

    @property
    def exchange(self) -> str:
        """How several GPUs exchange particles."""
        return self._c.exchange

    def initialise_ranks(self, communicator: Any = None) -> None:
        """Makes this the context of one rank among the processes of MPI.

        communicator: of mpi4py, or a Fortran handle; None: MPI_COMM_WORLD.
        koshu must have been built with MPI, which wheels are not.
        """
        if communicator is None:
            self._c.ranks_initialise()
            atexit.register(_koshu.ranks_finalise)
            return
        handle = getattr(communicator, "py2f", lambda: communicator)()
        self._c.ranks_initialise_from(handle)

    def arrange_ranks(self, x: int, y: int, z: int) -> None:
        """Arranges the domains of trees and FMMs in a grid of x slabs, each of
        y columns, each of z boxes; 0, 0, 0: by recursive bisection."""
        self._c.ranks_arrange(x, y, z)

    @property
    def rank(self) -> int:
        """The number of this rank; 0 without ranks."""
        return self._c.rank

    @property
    def ranks(self) -> int:
        """The number of ranks; 1 without ranks."""
        return self._c.ranks

    @property
    def transport(self) -> str:
        """How particles are sent between ranks; "" with a single rank."""
        return self._c.transport

    def slice_of(self, n: int) -> slice:
        """The slice of n particles in total that this rank has."""
        first, count = self._c.ranks_slice(n)
        return slice(first, first + count)

    def __enter__(self) -> Context:
        _stack().append(self)
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        _stack().remove(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _context_of, (self._options,)

    def __repr__(self) -> str:
        return (f"koshu.Context(backend={self.backend!r}, "
                f"threads={self.threads})")


def _context_of(options: dict[str, object]) -> Context:
    return Context(**options)  # type: ignore[arg-type]


class _Own(threading.local):
    def __init__(self) -> None:
        self.stack: list[Context] = []
        self.own: Context | None = None


_own = _Own()


def _stack() -> list[Context]:
    return _own.stack


def context() -> Context:
    """The context of the innermost `with koshu.Context(...)`, or else this
    thread's own."""
    if _own.stack:
        return _own.stack[-1]
    if _own.own is None:
        _own.own = Context()
    return _own.own


@dataclass(frozen=True)
class Device:
    """A processor or a GPU of this machine."""

    backend: str  #: "cuda" or "simd": for Context(backend=)
    name: str  #: "NVIDIA H200, 132 multiprocessors, 139 GiB"
    reason: str  #: why it cannot be used; "" where it can be
    memory: int  #: in bytes; 0: unknown
    number: int  #: for Context(devices=); -1: none is needed
    usable: bool


def devices() -> list[Device]:
    """All processors and GPUs, the preferred ones first."""
    return [Device(**d) for d in context()._c.device_list()]
