# SPDX-License-Identifier: MIT
"""Two runs in one directory: one is stopped at a system call while the other starts and ends. Each
that ends successfully must have left its own results, complete."""
import os
import pathlib
import signal
import time

from .campaign import Fault
from .scenarios import Scenario, contents, half_a_run, parameters
from .syscalls import CHANGES, STRACE, is_change, points_of, trace
from .world import PATIENCE

WAYS = {"plain": [], "force": ["--force"], "restart": ["--restart"]}


def scenario_of(way):
    old = [["run", "-q", "old.yaml"]]
    setup = {"plain": [], "force": old,
             "restart": [half_a_run()]}[way]
    return Scenario(way, ["run", "-q", "run.yaml", *WAYS[way]],
                    [["run", "-q", "run.yaml", "--restart"]],
                    {"run.yaml": parameters("leapfrog"),
                     "other.yaml": parameters("leapfrog", seed=9),
                     "old.yaml": parameters("leapfrog", seed=8)}, setup)


def two_runs(world, campaign):
    for way in WAYS:
        scenario = scenario_of(way)
        wanted = [other for other in WAYS
                  if campaign.wants("concurrent", f"{way}-{other}")]
        if world.options.short:
            wanted = wanted[:1]
        if not wanted:
            continue
        scenario.prepare(world)
        lines, folder = trace(world, scenario)
        points, _ = points_of(lines, folder, CHANGES, is_change)
        first, _ = points_of(lines, str(world.top), {"openat"},
                             lambda name, rest: "run.yaml" in rest)
        for other in wanted:
            def trial(point):
                meet(world, scenario, point, WAYS[other])
            campaign.run("concurrent", f"{way}-{other}", first + points,
                         1 if world.options.short else 10000,
                         trial)


def meet(world, scenario, point, options):
    name, k = point.split(":")[:2]
    folder = world.folder(scenario.template)
    log = folder.with_suffix(".trace")
    process = world.start(
        [*STRACE, "-e", f"trace={name}", "-e",
         f"inject={name}:signal=SIGSTOP:when={k}", "-o", log, world.koshu,
         *scenario.command], folder)
    first_pid = wait_until_stopped(process, log)
    before = contents(folder)
    other = world.koshu_run(["run", "-q", "other.yaml", *options], folder)
    after = contents(folder)
    if first_pid:
        os.kill(first_pid, signal.SIGCONT)
    first = world.finish(process)
    log.unlink(missing_ok=True)
    now = contents(folder)
    for result in (first, other):
        if result.status not in (0, 1, 2):
            raise Fault(f"status {result.status}: {result.errors.strip()}")
        if result.status and not result.errors.strip():
            raise Fault("refused without a word")
    had_ended = other.status == 0 and own(now) == own(after)
    if first.status == 0:
        # whatever the other did, the first ended last, and its results stand;
        # unless it had given up its lock when it was stopped
        if not had_ended:
            scenario.check_results(folder)
    elif other.status == 0:
        if own(now) != own(after):
            raise Fault("the first changed what the other had finished: "
                        f"{differences(after, now)}")
    else:
        raise Fault(f"neither ended well: {first.errors.strip()}; "
                    f"{other.errors.strip()}")
    if first_pid and other.status != 0 and own(after) != own(before):
        raise Fault(f"refused, but changed {differences(before, after)}")
    world.discard(folder)


def wait_until_stopped(process, log):
    """Waits for the program that strace stops after the call; None: it ended."""
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        if log.exists() and "stopped by SIGSTOP" in log.read_text():
            return int(children.read_text().split()[0])
        time.sleep(0.005)
    return None


def own(files):
    return {name: data for name, data in files.items()
            if not name.startswith("tmp/")}


def differences(a, b):
    return sorted(name for name in a.keys() | b.keys()
                  if a.get(name) != b.get(name))
