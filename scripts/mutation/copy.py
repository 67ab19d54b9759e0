# SPDX-License-Identifier: MIT
"""A copy of the checkout, in which mistakes are made and looked for."""
import filecmp
import shutil
import subprocess

from mutation.build import Build


def take(file, copy):
    """Where it is not there yet as it is: what is built of it stays."""
    if not file.is_file() or (copy.is_file() and
                              filecmp.cmp(file, copy, shallow=False)):
        return
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
    shutil.copymode(file, copy)


class Copy:
    def __init__(self, root, place, plain):
        self.place = place
        files = subprocess.run(
            ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=root,
            check=True, capture_output=True, text=True).stdout.split("\0")
        for name in filter(None, files):
            take(root / name, place / name)
        self.builds = [Build(place, sanitized)
                       for sanitized in ([False] if plain else [False, True])]
        self.killers = {}  # the tests that killed mutants of a file

    def prepare(self, names):
        for build in self.builds:
            build.prepare(names)

    def judge(self, mutant):
        """'invalid', 'same', 'survived', or the name of the test that killed it;
        what survives the plain build goes to the sanitizers."""
        path = self.place / mutant.file
        source = path.read_text()
        path.write_text(mutant.text(source))
        killers = self.killers.setdefault(mutant.file, set())
        try:
            for build in self.builds:
                result = build.judge(killers)
                if result != "survived":
                    break
        finally:
            path.write_text(source)
        if result not in ("invalid", "same", "survived"):
            killers.add(result)
        return result
