# SPDX-License-Identifier: MIT
"""A build of a copy of the checkout, and tests of it."""
import hashlib
import json
import os
import re
import subprocess

from mutation.test import Test

# one set of kernels: all are of the same lines, each takes minutes to compile
COMMON = ["-DKOSHU_TESTS=ON", "-DKOSHU_CUDA=OFF", "-DKOSHU_PYTHON=OFF",
          "-DKOSHU_SIMD_X86=OFF"]
PLAIN = ["-DKOSHU_WERROR=OFF", "-DCMAKE_BUILD_TYPE=Debug",
         "-DCMAKE_C_FLAGS_DEBUG=-O1", "-DCMAKE_CXX_FLAGS_DEBUG=-O1"]
SANITIZED = ["--preset", "asan", "-DKOSHU_WERROR=OFF"]
# what the preset asan leaves out
NOT_SANITIZED = {"check", "docs", "install", "physics", "long", "long-sanitized"}


class Build:
    def __init__(self, place, sanitized):
        self.place, self.sanitized = place, sanitized
        self.build = place / "build" / ("asan" if sanitized else "plain")
        self.command(["cmake", "-G", "Ninja", "-B", self.build, *COMMON,
                      *(SANITIZED if sanitized else PLAIN)])

    def command(self, words):
        done = subprocess.run(words, cwd=self.place, capture_output=True,
                              text=True, errors="replace")
        if done.returncode != 0:
            raise SystemExit(f"mutants: {' '.join(map(str, words))}:\n"
                             + done.stdout[-4000:] + done.stderr[-4000:])
        return done.stdout

    def listed(self):
        return json.loads(self.command(["ctest", "--test-dir", self.build,
                                        "--show-only=json-v1"]))["tests"]

    def prepare(self, names):
        """Builds the tests of these names, and times them without a mistake."""
        known = set(re.findall(r"^([^:/]+): phony", self.command(
            ["ninja", "-C", self.build, "-t", "targets", "all"]), re.M))
        wanted = {t["name"] for t in self.listed() if re.fullmatch(names, t["name"])}
        # one program is a test of several numbers of ranks
        named = {re.sub(r"^(mpi_.*?)_\d+$", r"\1", name) for name in wanted}
        programs = {name if name in known else "koshu_app" for name in named
                    if not name.startswith("mpi_") or name in known}
        self.command(["ninja", "-C", self.build, *sorted(programs)])
        # ctest tells the command of what is built
        tests = [Test(t, self.build, self.sanitized) for t in self.listed()
                 if t["name"] in wanted and "command" in t]
        if self.sanitized:
            tests = [t for t in tests if not t.labels & NOT_SANITIZED]
        self.tests = [t for t in tests if t.targets and self.passes(t)]
        if not self.tests:
            raise SystemExit(f"mutants: no test is called {names}")
        self.tests.sort(key=lambda t: t.cpu)
        self.digests = {name: self.digest(name)
                        for t in self.tests for name in t.targets}

    def passes(self, test):
        status = test.time()
        if status == test.skipped:
            return False
        if status != 0:
            raise SystemExit(f"mutants: {test.name} fails without a mistake")
        return True

    def digest(self, name):
        return hashlib.sha256((self.build / name).read_bytes()).digest()

    def make(self, targets):
        """Whether the compiler takes the mistake. One of which it warns is found,
        but the sanitizers make it warn where there is nothing. The compilers' cache
        keeps what has no mistake, and nothing else."""
        made = subprocess.run(["ninja", "-C", self.build, "-j", "1", *targets],
                              env={**os.environ, "CCACHE_READONLY": "1"},
                              capture_output=True)
        return made.returncode == 0 and (self.sanitized or
                                         b"warning:" not in made.stdout)

    def judge(self, first):
        """'invalid', 'same', 'survived', or the name of the test that killed it.
        The tests in `first` come first, then the others, the shortest first. What
        a test runs is built for it, and is not run if it is what it was."""
        result = "same"
        for test in sorted(self.tests, key=lambda t: (t.name not in first, t.cpu)):
            if not self.make(test.targets):
                return "invalid"
            if all(self.digest(name) == self.digests[name] for name in test.targets):
                continue
            result = "survived"
            if test.run() != 0:
                return test.name
        return result
