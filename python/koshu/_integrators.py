# SPDX-License-Identifier: MIT
"""How particles are moved."""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Union

from ._solvers import Direct, Method, _Brief


@dataclass(frozen=True, repr=False)
class Leapfrog(_Brief):
    """Kick-drift-kick, second order, with one step for all particles.

    dt: the step (1/256). With step_rule "acceleration" the step is
    h = eta min sqrt(softening / |a|), eta 0.1, and dt its upper limit. A
    negative dt goes back in time.
    """

    dt: float | None = None
    step_rule: str | None = None  #: "fixed", "acceleration"
    eta: float | None = None


@dataclass(frozen=True, repr=False)
class Hermite(_Brief):
    """The fourth-order Hermite scheme with block time steps.

    dt: the longest step (1/8). eta: of Aarseth's criterion (0.002); eta_start:
    of the first step. iterations: n of P(EC)^n. step_rule: "block", or
    "fixed".

    Few-body groups, without softening: regularisation: bound pairs that are
    nearer than this, or have a smaller semi-major axis, form groups, as do
    bodies that pass within an eighth of it. perturbation: particles perturb a
    group if their tides exceed this fraction of the force between its bodies
    (1e-6). tolerance: the relative error of steps in groups (1e-12).
    slow_down: slows weakly perturbed binaries in groups down, if that changes
    their energy by at most this fraction; None: never.

    Mergers: radius: of a body with the mass radius_mass (1); radii scale with
    the mass to the power radius_exponent (0). Two bodies that touch merge.
    """

    dt: float | None = None
    step_rule: str | None = None
    eta: float | None = None
    eta_start: float | None = None
    iterations: int | None = None
    max_block_steps: int | None = None
    regularisation: float | None = None
    perturbation: float | None = None
    tolerance: float | None = None
    slow_down: float | None = None
    radius: float | None = None
    radius_mass: float | None = None
    radius_exponent: float | None = None


@dataclass(frozen=True, repr=False)
class Archain(_Brief):
    """2 to 64 bodies by algorithmic regularisation, without softening.

    dt: the time between steps of the simulation (1/8); the scheme chooses its
    own steps in between. tolerance: their relative error (1e-15). slow_down:
    slows weakly perturbed binaries down, if that changes their energy by at
    most this fraction, such as 1e-4; None: never.
    """

    dt: float | None = None
    tolerance: float | None = None
    slow_down: float | None = None


Scheme = Union[Leapfrog, Hermite, Archain]
_SCHEMES: dict[str, type[Scheme]] = {
    "leapfrog": Leapfrog, "hermite": Hermite, "archain": Archain}


def scheme_of(integrator: Scheme | str) -> Scheme:
    """The scheme with this name, or the scheme itself."""
    if isinstance(integrator, str):
        if integrator not in _SCHEMES:
            raise ValueError(f"there is no integrator {integrator!r}: it is "
                             f"{', '.join(_SCHEMES)}, or an object Leapfrog, "
                             f"Hermite or Archain")
        return _SCHEMES[integrator]()
    if not isinstance(integrator, (Leapfrog, Hermite, Archain)):
        raise TypeError(f"integrator is a {type(integrator).__name__}: expected "
                        f"a name or an object Leapfrog, Hermite or Archain")
    return integrator


def check(scheme: Scheme, method: Method) -> None:
    """Raises an exception if the scheme does not use the method."""
    if isinstance(scheme, Archain) and (not isinstance(method, Direct)
                                        or method.softening):
        raise ValueError(f"a few bodies are regularised without softening, by "
                         f"themselves, and the solver is {method!r}: use "
                         f"softening=0 and solver=\"direct\", or "
                         f"integrator=\"hermite\"")
    if isinstance(scheme, Hermite) and not isinstance(method, Direct):
        raise ValueError(f"the Hermite scheme sums directly, and the solver is "
                         f"{method!r}: use solver=\"direct\" or "
                         f"integrator=\"leapfrog\"")


def options_of(scheme: Scheme) -> dict[str, Any]:
    """The options of a scheme for the extension."""
    name = next(k for k, v in _SCHEMES.items() if type(scheme) is v)
    return {"scheme": name, **dataclasses.asdict(scheme)}
