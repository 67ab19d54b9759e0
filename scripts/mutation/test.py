# SPDX-License-Identifier: MIT
"""Runs a test as ctest would."""
import math
import os
import resource
import signal
import subprocess
import threading
import time

MEMORY, FILE = 8 << 30, 1 << 30  # what a mutant may take


class Test:
    def __init__(self, entry, build, sanitized):
        properties = {p["name"]: p["value"] for p in entry["properties"]}
        self.name = entry["name"]
        self.labels = set(properties.get("LABELS", []))
        self.command = entry["command"]
        self.directory = properties["WORKING_DIRECTORY"]
        self.skipped = properties.get("SKIP_RETURN_CODE")
        self.environment = dict(v.split("=", 1)
                                for v in properties.get("ENVIRONMENT", []))
        self.memory = resource.RLIM_INFINITY if sanitized else MEMORY
        # what of the build it runs; the word may be a directory that is not built
        self.targets = [os.path.relpath(word, build) for word in self.command
                        if word.startswith(f"{build}/") and os.path.isfile(word)]
        self.wall = self.cpu = 600  # seconds of the code without a mistake

    def time(self):
        """Its exit status without a mistake; measures its time."""
        begin = time.monotonic()
        status = self.run()
        self.wall, self.cpu = time.monotonic() - begin, self.used
        return status

    def limits(self):
        # of the processor's time: on a busy machine nothing else is too slow
        seconds = math.ceil(4 * self.cpu) + 2
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))
        # tests of full disks set it too
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def run(self):
        """Its exit status; that of a signal if it hangs."""
        process = subprocess.Popen(
            self.command, cwd=self.directory, preexec_fn=self.limits,
            env={**os.environ, **self.environment, "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        timer = threading.Timer(30 * self.wall + 120, end, [process.pid])
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        end(process.pid)  # what it left behind
        process.returncode = os.waitstatus_to_exitcode(status)
        self.used = used.ru_utime + used.ru_stime
        return process.returncode


def end(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass
