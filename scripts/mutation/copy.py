# SPDX-License-Identifier: MIT
"""A copy of the checkout, built, in which mistakes are made and looked for."""
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time

OPTIONS = ["-DKOSHU_TESTS=ON", "-DKOSHU_CUDA=OFF", "-DKOSHU_MPI=OFF",
           "-DKOSHU_PYTHON=OFF", "-DCMAKE_BUILD_TYPE=Debug",
           "-DCMAKE_C_FLAGS_DEBUG=-O1", "-DCMAKE_CXX_FLAGS_DEBUG=-O1"]
MEMORY, FILE = 8 << 30, 1 << 30  # what a mutant may take


def limits():
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Test:
    """A test of ctest's, run as it would run it."""

    def __init__(self, entry):
        properties = {p["name"]: p["value"] for p in entry["properties"]}
        self.name = entry["name"]
        self.command = entry["command"]
        self.directory = properties["WORKING_DIRECTORY"]
        self.skipped = properties.get("SKIP_RETURN_CODE")
        self.environment = dict(v.split("=", 1)
                                for v in properties.get("ENVIRONMENT", []))
        self.seconds = None  # of the code without a mistake

    def run(self, timeout):
        """Its exit status; None: it took too long."""
        process = subprocess.Popen(
            self.command, cwd=self.directory, preexec_fn=limits,
            env={**os.environ, **self.environment, "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


class Copy:
    def __init__(self, root, place):
        self.place, self.build = place, place / "build/mutants"
        files = subprocess.run(
            ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=root,
            check=True, capture_output=True, text=True).stdout.split("\0")
        for name in filter(None, files):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            if (root / name).is_file():
                shutil.copy2(root / name, place / name)
        self.command(["cmake", "-G", "Ninja", "-S", place, "-B", self.build, *OPTIONS])

    def command(self, words):
        done = subprocess.run(words, capture_output=True, text=True,
                              errors="replace")
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
        self.command(["ninja", "-C", self.build, "koshu_app", *sorted(wanted & known)])
        # ctest tells the command of what is built
        tests = [Test(t) for t in self.listed()
                 if t["name"] in wanted and "command" in t]
        self.targets = sorted({os.path.relpath(w, self.build) for t in tests
                               for w in t.command
                               if w.startswith(f"{self.build}/")})
        if not self.targets:
            raise SystemExit(f"mutants: no test is called {names}")
        self.digest = self.programs()
        self.tests = []
        for test in tests:
            begin = time.monotonic()
            status = test.run(600)
            test.seconds = time.monotonic() - begin
            if status == test.skipped and status is not None:
                continue
            if status != 0:
                raise SystemExit(f"mutants: {test.name} fails without a mistake")
            self.tests.append(test)
        self.tests.sort(key=lambda t: t.seconds)

    def programs(self):
        """One digest of all that the tests run."""
        digest = hashlib.sha256()
        for target in self.targets:
            digest.update((self.build / target).read_bytes())
        return digest.digest()

    def judge(self, mutant):
        """'invalid', 'same', 'survived', or the test that killed it."""
        path = self.place / mutant.file
        source = path.read_text()
        path.write_text(mutant.text(source.splitlines(keepends=True)))
        try:
            built = subprocess.run(["ninja", "-C", self.build, "-j", "1",
                                    *self.targets], capture_output=True)
            if built.returncode != 0:
                return "invalid"
            if self.programs() == self.digest:
                return "same"
            for test in self.tests:
                if test.run(10 * test.seconds + 5) != 0:
                    return test.name
            return "survived"
        finally:
            path.write_text(source)
