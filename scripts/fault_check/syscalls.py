# SPDX-License-Identifier: MIT
"""Faults at system calls, by strace's fault injection: kills and errors."""
import collections
import re

from .campaign import Fault
from .scenarios import all_scenarios

# Calls that change what others see; a kill between two of them is the same as
# one before the second.
CHANGES = {"openat", "write", "pwrite64", "writev", "ftruncate", "fallocate",
           "fsync", "fdatasync", "rename", "renameat", "renameat2", "link",
           "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir",
           "close", "flock", "fchmod", "chmod", "symlink", "fcntl"}
READS = {"openat", "read", "pread64", "lseek", "fstat", "newfstatat",
         "getdents64", "fcntl"}
ERRORS = {
    "ENOSPC": {"openat", "write", "pwrite64", "writev", "ftruncate",
               "fallocate", "fsync", "fdatasync", "rename", "renameat2",
               "link", "linkat", "mkdir", "close"},
    "EIO": CHANGES | READS,
    "EINTR": {"openat", "read", "pread64", "write", "pwrite64", "writev",
              "fsync", "fdatasync", "ftruncate", "fallocate", "flock",
              "close"},
}
START = re.compile(r"^(\w+)\((.*)$")
# Of koshu itself: what it starts is not traced, and lives on when it is killed.
# (With --seccomp-bpf some kernels lose the signal.)
STRACE = ["strace", "-qq"]


def trace(world, scenario):
    """The lines of strace in an undisturbed run, and its folder."""
    folder = world.folder(scenario.template)
    log = folder.with_suffix(".trace")
    result = world.run([*STRACE, "-y", "-s", "0", "-o", log, world.koshu,
                        *scenario.command], folder)
    if result.status:
        raise RuntimeError(f"{scenario.name} under strace: {result.errors}")
    lines = log.read_text(errors="replace").splitlines()
    log.unlink()
    world.discard(folder)
    return lines, str(folder)


def is_change(name, rest):
    if name == "openat":
        return "O_CREAT" in rest or "O_TRUNC" in rest
    return name != "fcntl" or "LK" in rest


def points_of(lines, folder, names, wanted):
    """"call:k" for the k-th of its name, of those that touch the folder; and
    how many calls there were in all."""
    counts = collections.Counter()
    found, total = [], 0
    relative = {"rename", "unlink", "mkdir", "link", "rmdir", "chmod"}
    for line in lines:
        match = START.match(line)
        if not match:
            continue
        name, rest = match.groups()
        total += 1
        counts[name] += 1
        touches = f"{folder}/" in f"{rest}/" or name in relative
        if name in names and touches and wanted(name, rest):
            found.append(f"{name}:{counts[name]}")
    return found, total


def inject(world, scenario, point, what):
    """Runs the command with a fault at a point, in a new folder."""
    name, k = point.split(":")[:2]
    folder = world.folder(scenario.template)
    log = folder.with_suffix(".trace")
    result = world.run(
        [*STRACE, "-e", f"trace={name}", "-e",
         f"inject={name}:{what}:when={k}", "-o", log, world.koshu,
         *scenario.command], folder)
    traced = log.read_text(errors="replace")
    log.unlink()
    if "(INJECTED)" not in traced and "killed by SIGKILL" not in traced:
        scenario.not_reached += 1  # how often some calls come depends on time
    return folder, result


def check_reached(scenario, points):
    if scenario.not_reached > len(points) / 4:
        raise RuntimeError(f"{scenario.name}: strace reached all but "
                           f"{scenario.not_reached} points only")


def is_clean(result):
    """Is a failure reported in one to three lines, with a matching exit status?"""
    lines = [line for line in result.errors.splitlines() if line.strip()]
    return result.status == 0 or (result.status in (1, 2) and
                                  1 <= len(lines) <= 3)


def settle(world, scenario, folder, result):
    """After a fault that the program saw: done, or reported, and a way on."""
    if result.status != -9 and not is_clean(result):
        raise Fault(f"status {result.status}: "
                    f"{result.errors.strip()[:300] or 'without a word'}")
    if result.status == 0:
        scenario.check_results(folder)
    else:
        scenario.check_nothing_lost(world, folder)
        scenario.recover(world, folder)
    world.discard(folder)


def kills(world, campaign):
    short = world.options.short
    for scenario in all_scenarios():
        if not campaign.wants("kill", scenario.name):
            continue
        scenario.prepare(world)
        lines, folder = trace(world, scenario)
        points, total = points_of(lines, folder, CHANGES, is_change)

        def trial(point):
            settle(world, scenario, *inject(world, scenario, point,
                                            "signal=SIGKILL"))
        campaign.run("kill", scenario.name, points, 2 if short else 10000,
                     trial)
        check_reached(scenario, points)
        print(f"{'':10} {'':22} of {total} system calls {len(points)} change "
              "what others see")


def errors(world, campaign):
    short = world.options.short
    for scenario in all_scenarios():
        if not campaign.wants("error", scenario.name):
            continue
        scenario.prepare(world)
        lines, folder = trace(world, scenario)
        points = []
        for error, names in ERRORS.items():
            at, _ = points_of(lines, folder, names, lambda name, rest: True)
            points += [f"{point}:{error}" for point in at]

        def trial(point):
            error = point.split(":")[2]
            folder, result = inject(world, scenario, point, f"error={error}")
            if error == "EINTR" and result.status:
                raise Fault("an interrupted call is taken for an error: "
                            f"{result.errors.strip()}")
            settle(world, scenario, folder, result)
        campaign.run("error", scenario.name, points, 2 if short else 10000,
                     trial)
        check_reached(scenario, points)
