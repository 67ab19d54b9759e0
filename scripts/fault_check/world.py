# SPDX-License-Identifier: MIT
"""Folders to work in, programs that are started there, and what they leave."""
import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from .campaign import Fault

PATIENCE = 20  # seconds after which a program counts as hanging


class Result:
    def __init__(self, status, errors, output):
        self.status, self.errors, self.output = status, errors, output


class World:
    def __init__(self, options):
        self.options = options
        self.koshu = (options.build / "app/koshu").resolve()
        self.sanitized = (options.sanitized / "app/koshu").resolve()
        self.shim = (options.build / "tests/faults/libfault_shim.so").resolve()
        fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="koshu-fault-",
                                                 dir=fast))
        self.number = itertools.count()

    def close(self):
        if not self.options.keep:
            shutil.rmtree(self.top, ignore_errors=True)

    def folder(self, template=None):
        """A new folder, empty or a copy."""
        path = self.top / str(next(self.number))
        if template:
            shutil.copytree(template, path, symlinks=True)
        else:
            path.mkdir()
        return path

    def discard(self, folder):
        shutil.rmtree(folder, ignore_errors=True)

    def start(self, command, folder, **more):
        """Starts a command in a new session, so that its processes can be found."""
        environment = dict(os.environ, OMP_NUM_THREADS="1",
                           XDG_CACHE_HOME=str(folder / "cache"),
                           TMPDIR=str(folder / "tmp"), LC_ALL="C.UTF-8")
        environment.update(more)
        (folder / "tmp").mkdir(exist_ok=True)
        return subprocess.Popen(
            [str(word) for word in command], cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True)

    def finish(self, process):
        """Waits until no process of its session is left; returns its result."""
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            end_session(process.pid)
            raise Fault(f"hangs, or leaves a process that has its streams: "
                        f"{' '.join(process.args)}")
        deadline = time.monotonic() + 5
        while left := session(process.pid):
            if time.monotonic() > deadline:
                end_session(process.pid)
                raise Fault(f"processes are left: {left}")
            time.sleep(0.01)
        return Result(process.returncode, errors.decode(errors="replace"),
                      output.decode(errors="replace"))

    def run(self, command, folder, **more):
        return self.finish(self.start(command, folder, **more))

    def koshu_run(self, arguments, folder, **more):
        return self.run([self.koshu, *arguments], folder, **more)


def session(leader):
    """The processes of this leader's session, except itself."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == leader:
            continue
        try:
            text = pathlib.Path("/proc", entry, "stat").read_text()
        except OSError:
            continue
        state, _, _, number = text[text.rindex(")") + 2:].split()[:4]
        if int(number) == leader and state != "Z":
            found.append(int(entry))
    return found


def end_session(leader):
    for process in session(leader):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
