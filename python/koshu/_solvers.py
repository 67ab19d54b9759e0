# SPDX-License-Identifier: MIT
"""How forces are computed."""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from . import _arrays, _koshu
from ._context import Context, context
from ._errors import UnsupportedError
from ._particles import Particles

Vector = tuple[float, float, float]


def _plain(value: Any) -> Any:
    """Converts numbers of numpy, and lists, to Python's numbers and tuples."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(_plain(v) for v in value)
    return value


class _Brief:
    """Options, which can be compared, hashed and written to a file. Their repr
    shows what was given, without defaults."""

    def __post_init__(self) -> None:
        for f in dataclasses.fields(self):  # type: ignore[arg-type]
            object.__setattr__(self, f.name, _plain(getattr(self, f.name)))

    def __repr__(self) -> str:
        given = ", ".join(
            f"{f.name}={getattr(self, f.name)!r}"
            for f in dataclasses.fields(self)  # type: ignore[arg-type]
            if getattr(self, f.name) != f.default)
        return f"{type(self).__name__}({given})"


@dataclass(frozen=True, repr=False)
class Direct(_Brief):
    """Sums over all pairs of particles.

    softening: Plummer's eps, a length. precision: "single" (errors of 1e-7),
    "mixed" (2e-8, at any distance from the origin) or "double". fast: in
    single precision, a root with 12 to 14 bits.
    """

    softening: float = 0
    precision: str | None = None
    fast: bool = False


@dataclass(frozen=True, repr=False)
class Tree(_Brief):
    """Barnes' modified treecode. None: the default of the library.

    alpha: of the relative opening criterion (0.002); smaller is more accurate.
    theta: of the geometric criterion (0.5). n_crit, n_leaf: particles in a
    group, in a leaf. box: the edge of a periodic box that begins at `corner`;
    None: free space.
    """

    softening: float = 0
    precision: str | None = None
    alpha: float | None = None
    theta: float | None = None
    multipole_order: str | None = None
    opening_criterion: str | None = None
    n_crit: int | None = None
    n_leaf: int | None = None
    space_filling_curve: str | None = None
    traversal: str | None = None
    box: float | None = None
    corner: Vector | None = None


@dataclass(frozen=True, repr=False)
class FMM(_Brief):
    """The fast multipole method. None: the default of the library.

    tolerance: the root mean square error of the forces relative to that of the
    forces themselves (1e-5); 0: multipole_order (1 to 20) and theta are given
    instead. box: the edge of a periodic box that begins at `corner`; None:
    free space.
    """

    softening: float = 0
    precision: str | None = None
    tolerance: float | None = None
    multipole_order: int | None = None
    theta: float | None = None
    n_leaf: int | None = None
    box: float | None = None
    corner: Vector | None = None
    image_depth: int | None = None


Method = Union[Direct, Tree, FMM]
_METHODS: dict[str, type[Method]] = {"direct": Direct, "tree": Tree,
                                     "fmm": FMM}
_COMMON = ("softening", "precision", "fast")


def choose(n: int, accuracy: float, *, softening: float = 0,
           box: float | None = None, corner: Vector | None = None,
           context: Context | None = None) -> Method:
    """The cheapest method for n particles whose root mean square relative
    force error is at most `accuracy`."""
    chosen = _koshu.solver_choose((context or _default())._c, n, accuracy,
                                  box is not None, "", 1)
    return _method_chosen(chosen, softening, box, corner)


def _method_chosen(chosen: dict[str, Any], softening: float = 0,
                   box: float | None = None, corner: Vector | None = None
                   ) -> Method:
    chosen.pop("pairs")
    kind = _METHODS[chosen.pop("method")]
    if kind is not Direct and box is not None:
        chosen.update(box=box, corner=corner)
    if kind is FMM:
        chosen.update(tolerance=0)
    return kind(softening=softening, **chosen)


def _offset(x: _arrays.Float) -> float:
    """The rms distance of points from the origin, divided by that from their
    mean."""
    r2 = float(np.sum(np.mean(x**2, axis=0)))
    variance = float(np.sum(np.var(x, axis=0)))
    return 1 if r2 == 0 else (r2 / max(variance, 1e-16 * r2))**0.5


def choose_on(sources: _arrays.Float, targets: _arrays.Float | None,
              accuracy: float, context: Context) -> Method:
    """The same for sources and targets; None: the targets are the sources. For
    few targets it is the direct sum, the only method that does not need them
    as particles."""
    n, k = len(sources), 0 if targets is None else len(targets)
    offset = _offset(sources)
    any_method, direct = (
        _koshu.solver_choose(context._c, n + k, accuracy, False, of, offset)
        for of in ("", "direct"))
    if targets is not None and (direct["pairs"] * n * k / max(n + k, 1)
                                < any_method["pairs"] * (n + k)):
        return _method_chosen(direct)
    return _method_chosen(any_method)


_default = context


def method_of(solver: Method | str, softening: float | None = None) -> Method:
    """The method with this name, or the method itself, with this softening."""
    if isinstance(solver, str):
        if solver not in _METHODS:
            raise ValueError(f"there is no solver {solver!r}: it is "
                             f"{', '.join(_METHODS)}, or an object Direct, "
                             f"Tree or FMM")
        return _METHODS[solver](softening=0 if softening is None else softening)
    elif not isinstance(solver, (Direct, Tree, FMM)):
        raise TypeError(f"solver is a {type(solver).__name__}: expected a name "
                        f"or an object Direct, Tree or FMM")
    if softening is None:
        return solver
    return dataclasses.replace(solver, softening=softening)


def method_from(options: dict[str, Any]) -> Method:
    """The method of a solver with these options."""
    if options["method"] not in _METHODS:
        raise UnsupportedError(f"the run's solver.method is {options['method']}, "
                               f"which koshu.Solver is not: it is "
                               f"{', '.join(_METHODS)}")
    kind = _METHODS[options["method"]]
    names = {field.name for field in dataclasses.fields(kind)}
    return kind(**{k: v for k, v in options.items() if k in names})


def _options(method: Method) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options that all methods have, and the method's own."""
    values = dataclasses.asdict(method)
    common = {k: values.pop(k) for k in _COMMON if k in values}
    common["method"] = next(k for k, v in _METHODS.items()
                            if type(method) is v)
    return common, values


class Solver:
    """Computes the forces on the particles of stores.

        solver = koshu.Solver(koshu.Tree(softening=0.01, alpha=0.001))
        solver.forces(particles)
        particles.acceleration

    j_capacity, transport: for several ranks.
    """

    def __init__(self, method: Method | str = "direct", *,
                 softening: float | None = None, j_capacity: int | None = None,
                 transport: str | None = None,
                 context: Context | None = None) -> None:
        self.method = method_of(method, softening)
        self._context = context or _default()
        common, own = _options(self.method)
        common.update(j_capacity=j_capacity, transport=transport)
        self._c = _koshu.solver_create(self._context._c, common, own)

    @classmethod
    def _of(cls, c: _koshu.Solver, of: Context) -> Solver:
        self = cls.__new__(cls)
        self._c = c
        self._context = of
        self.method = method_from(c.options())
        return self

    @property
    def context(self) -> Context:
        """The context that the solver was created with."""
        return self._context

    def forces(self, particles: Particles, *, potential: bool = True) -> None:
        """Computes particles.acceleration and particles.potential."""
        self._c.forces(particles._c, potential)

    def reorder(self, particles: Particles) -> None:
        """Reorders the particles as in the last tree, so that neighbours in
        space become neighbours in memory. Ids identify them."""
        self._c.reorder(particles._c)

    def errors(self, particles: Particles, sample: int = 256
               ) -> dict[str, float]:
        """Relative errors |a - a_direct| / |a_direct| of a sample: median,
        p90, p99, max, rms."""
        return self._c.errors(particles._c, sample)

    @property
    def options(self) -> dict[str, Any]:
        """All options, including defaults."""
        return self._c.options()

    @property
    def backend(self) -> str:
        """The backend: "ref", "simd" or "cuda"."""
        return self._c.backend

    @property
    def device(self) -> str:
        """The device, such as "AVX-512, 2 threads"."""
        return self._c.device

    def report(self) -> dict[str, float]:
        """Interactions and seconds since the solver was created."""
        return self._c.report()

    def tree_report(self, *, total: bool = False) -> dict[str, Any]:
        """Stages, cells and interactions of the last forces by a tree or an
        FMM; total: of all forces so far."""
        return self._c.tree_report(total)

    def __repr__(self) -> str:
        return f"<koshu.Solver: {self.method!r}, {self.backend}, {self.device}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Solver, (self.method,)
