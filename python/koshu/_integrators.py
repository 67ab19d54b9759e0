# SPDX-License-Identifier: MIT
"""How particles are moved."""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Union

from ._solvers import Direct, Method, _Brief


@dataclass(frozen=True, repr=False)
class Leapfrog(_Brief):
    """Kick-drift-kick, second order, one step for all particles.

    dt: the step, 1/256; the longest one with the rule "acceleration", h = eta
    min sqrt(softening / |a|), eta 0.1. Negative: back in time.
    """

    dt: float | None = None
    step_rule: str | None = None  #: "fixed", "acceleration"
    eta: float | None = None


@dataclass(frozen=True, repr=False)
class Hermite(_Brief):
    """The fourth-order Hermite scheme with block time steps.

    dt: the longest step, 1/8. eta: of Aarseth's criterion, 0.002; eta_start: of
    the first step. iterations: n of P(EC)^n. step_rule: "block", or "fixed".
    """

    dt: float | None = None
    step_rule: str | None = None
    eta: float | None = None
    eta_start: float | None = None
    iterations: int | None = None
    max_block_steps: int | None = None


Scheme = Union[Leapfrog, Hermite]
_SCHEMES: dict[str, type[Scheme]] = {"leapfrog": Leapfrog, "hermite": Hermite}


def scheme_of(integrator: Scheme | str) -> Scheme:
    """A scheme, of its name or as it is."""
    if isinstance(integrator, str):
        if integrator not in _SCHEMES:
            raise ValueError(f"there is no integrator {integrator!r}: it is "
                             f"{', '.join(_SCHEMES)}, or an object Leapfrog or "
                             f"Hermite")
        return _SCHEMES[integrator]()
    if not isinstance(integrator, (Leapfrog, Hermite)):
        raise TypeError(f"integrator is a {type(integrator).__name__}: expected "
                        f"a name or an object Leapfrog or Hermite")
    return integrator


def check(scheme: Scheme, method: Method) -> None:
    """Raises where the scheme would not use the method."""
    if isinstance(scheme, Hermite) and not isinstance(method, Direct):
        raise ValueError(f"the Hermite scheme sums directly, and the solver is "
                         f"{method!r}: use solver=\"direct\" or "
                         f"integrator=\"leapfrog\"")


def options_of(scheme: Scheme) -> dict[str, Any]:
    """As the extension takes them."""
    name = next(k for k, v in _SCHEMES.items() if type(scheme) is v)
    return {"scheme": name, **dataclasses.asdict(scheme)}
