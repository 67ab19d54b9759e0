# SPDX-License-Identifier: MIT
"""Pair interactions defined by kernel sources."""
from __future__ import annotations

from collections.abc import Mapping

import numpy.typing as npt

from . import _arrays, _koshu
from ._context import Context, context

_default = context


class Interaction:
    """A compiled interaction: the effect of a j-particle on an i-particle.
    Call it with the numbers of all particles:

        f = koshu.interaction('''
            //! i: x y z
            //! j: x y z mass
            //! out: pot
            float dx = INPUT_J[0] - INPUT_I[0];
            float dy = INPUT_J[1] - INPUT_I[1];
            float dz = INPUT_J[2] - INPUT_I[2];
            OUTPUT[0] -= INPUT_J[3] / sqrt(dx*dx + dy*dy + dz*dz + 1);
        ''')
        out = f(i, j)     # (n_i, 3), (n_j, 4) -> (n_i, 1)

    docs/interactions.md describes the language. A kernel source is code: do
    not compile one from an author whom you do not trust.
    """

    def __init__(self, source: str, *, precision: str = "single",
                 constants: Mapping[str, float] | None = None,
                 name: str = "interaction",
                 context: Context | None = None) -> None:
        self._made = (source, precision, dict(constants or {}), name)
        self._c = _koshu.interaction_create(
            (context or _default())._c, source, name, precision,
            list(self._made[2]), [float(v) for v in self._made[2].values()])

    @property
    def i_names(self) -> list[str]:
        """The names of an i-particle's numbers, as declared by the source."""
        return self._c.i_names

    @property
    def j_names(self) -> list[str]:
        """The names of a j-particle's numbers."""
        return self._c.j_names

    @property
    def out_names(self) -> list[str]:
        """The names of the results."""
        return self._c.out_names

    def __call__(self, i: npt.ArrayLike, j: npt.ArrayLike) -> _arrays.Float:
        """The results (n_i, outputs) for i (n_i, inputs), summed over all j
        (n_j, inputs)."""
        return self._c.evaluate(_table(i, "i", self.i_names),
                                _table(j, "j", self.j_names))

    def __repr__(self) -> str:
        return (f"<koshu.Interaction: ({' '.join(self.i_names)}), "
                f"({' '.join(self.j_names)}) -> ({' '.join(self.out_names)})>")

    def __reduce__(self) -> tuple[object, ...]:
        return _interaction_of, self._made


def _table(array: npt.ArrayLike, name: str, names: list[str]) -> _arrays.Float:
    return _arrays.table(array, name, len(names), " ".join(names))


def _interaction_of(source: str, precision: str, constants: dict[str, float],
                    name: str) -> Interaction:
    return Interaction(source, precision=precision, constants=constants,
                       name=name)


def interaction(source: str, *, precision: str = "single",
                constants: Mapping[str, float] | None = None,
                name: str = "interaction", context: Context | None = None
                ) -> Interaction:
    """Compiles a kernel source, or takes it from the cache: see Interaction.

    constants: values that replace those declared in the source. name: of the
    source, for messages.
    """
    return Interaction(source, precision=precision, constants=constants,
                       name=name, context=context)
