# SPDX-License-Identifier: MIT
"""Mutants of a file: what universalmutator makes of its lines."""
import contextlib
import dataclasses
import io

from universalmutator import mutator

RULES = ["universal.rules", "c_like.rules", "c.rules"]


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str  # within the checkout
    line: int  # the first is 1
    before: str
    after: str

    def text(self, source):
        """The file with this mistake, from its lines."""
        lines = list(source)
        lines[self.line - 1] = self.after
        return "".join(lines)

    def __str__(self):
        return (f"{self.file}:{self.line}\n  - {self.before.strip()}\n"
                f"  + {self.after.strip()}")


def mutants_of(root, file):
    """All mutants of a file, in the order of its lines."""
    source = (root / file).read_text().splitlines(keepends=True)
    with contextlib.redirect_stdout(io.StringIO()):
        made = mutator.mutants_regexp(source, ruleFiles=RULES, ignorePatterns=())
    return [Mutant(file, m[0], source[m[0] - 1], m[1]) for m in made]


def accepted(path):
    """(file, before, after) of the survivors whose reason is written down."""
    found = set()
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            file, before, after, reason = line.split("\t")
            if not reason.strip():
                raise SystemExit(f"{path}: no reason: {line}")
            found.add((file, before, after))
    return found
