# SPDX-License-Identifier: MIT
"""Mutants of a file: what universalmutator makes of its lines."""
import contextlib
import dataclasses
import hashlib
import io
import re

from universalmutator import mutator

RULES = ["universal.rules", "c_like.rules", "c.rules"]


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str  # within the checkout
    line: int  # the first is 1
    before: str  # the line, without the blanks around it
    after: str  # the same with the mistake

    def text(self, source):
        """The text of the file with this mistake."""
        lines = source.splitlines(keepends=True)
        lines[self.line - 1] = self.after + "\n"
        return "".join(lines)

    def entry(self):
        """Its entry in survivors.tsv, without the line number, which changes."""
        return self.file, self.before, self.after


def mutants_of(root, file):
    """All mutants of a file, in the order of its lines."""
    source = (root / file).read_text().splitlines(keepends=True)
    with contextlib.redirect_stdout(io.StringIO()):
        made = mutator.mutants_regexp(source, ruleFiles=RULES, ignorePatterns=())
    return [Mutant(file, m[0], source[m[0] - 1].strip(),
                   re.sub(r"\s*\n\s*", " ", m[1].strip())) for m in made]


def drawn(root, files, seed):
    """Mutants in the order in which a sample takes them: one of each line, so that
    long expressions are not most of them. The order comes from what is in the
    lines, so that a change of some files leaves the sample of the others."""
    lines = {}
    for file in files:
        for mutant in mutants_of(root, file):
            lines.setdefault((file, mutant.line), []).append(mutant)
    times, placed = {}, []
    for mutants in lines.values():
        first = mutants[0]
        text = (first.file, first.before)
        times[text] = times.get(text, 0) + 1  # the same line, again
        placed.append((number(seed, *text, times[text]),
                       min(mutants, key=lambda m: number(seed, *m.entry()))))
    return [mutant for _, mutant in sorted(placed, key=lambda p: p[0])]


def number(*words):
    return hashlib.sha256("\t".join(map(str, words)).encode()).digest()


def entries(path):
    """The lines of a file of survivors: file, before, after, reason."""
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def accepted(path):
    """(file, before, after) of the survivors whose reason is written down."""
    found = set()
    for file, before, after, reason in entries(path):
        if not reason.strip():
            raise SystemExit(f"{path}: no reason: {file}: {after}")
        found.add((file, before, after))
    return found


def listed(root, path):
    """The mutants that a file of survivors names, on each line that reads so."""
    found = []
    for file, before, after, *_ in entries(path):
        here = [Mutant(file, k + 1, before, after) for k, line
                in enumerate((root / file).read_text().splitlines())
                if line.strip() == before]
        if not here:
            raise SystemExit(f"{path}: no such line in {file}: {before}")
        found += here
    return found
