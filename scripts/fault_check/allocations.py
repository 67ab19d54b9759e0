# SPDX-License-Identifier: MIT
"""Faults from a library that is preloaded: tests/faults/shim.c makes an allocation fail, or
transfers only half of the bytes.

libhdf5 does not survive the failure of some of its own allocations: it ends the program by a
signal or with its own message. These cases are counted separately; nothing may be lost by them,
either."""
from .campaign import Fault
from .scenarios import all_scenarios
from .syscalls import is_clean, settle


def count(world, scenario):
    """Counts the allocations of the undisturbed command."""
    folder = world.folder(scenario.template)
    log = folder.with_suffix(".count")
    world.koshu_run(scenario.command, folder, LD_PRELOAD=str(world.shim),
                    FAULT_COUNT=str(log))
    world.discard(folder)
    return int(log.read_text())


def failures(world, campaign):
    most = 2 if world.options.short else 1000
    for scenario in all_scenarios():
        if not campaign.wants("allocation", scenario.name):
            continue
        scenario.prepare(world)
        points = list(range(1, count(world, scenario) + 1))

        ended = []  # by libhdf5

        def trial(point):
            folder = world.folder(scenario.template)
            note = folder.with_suffix(".note")
            result = world.koshu_run(
                scenario.command, folder, LD_PRELOAD=str(world.shim),
                FAULT_ALLOCATION=str(point), FAULT_NOTE=str(note))
            library = note.read_text() if note.exists() else "?"
            note.unlink(missing_ok=True)
            try:
                if "libhdf5" in library and not is_clean(result):
                    ended.append(point)
                    result.status = -9
                settle(world, scenario, folder, result)
            except Fault as fault:
                raise Fault(f"{fault} ({library})") from None
        campaign.run("allocation", scenario.name, points, most, trial)
        if ended:
            print(f"{'':10} {'':22} libhdf5 ended the program at {len(ended)}")


def short_transfers(world, campaign):
    """Transfers half of each, or of some, of the reads and writes; the caller must not notice."""
    patterns = range(1, 2 if world.options.short else 21)
    for scenario in all_scenarios():
        if not campaign.wants("short", scenario.name):
            continue
        scenario.prepare(world)

        def trial(point):
            folder = world.folder(scenario.template)
            result = world.koshu_run(scenario.command, folder,
                                     LD_PRELOAD=str(world.shim),
                                     FAULT_SHORT=str(point))
            if result.status:
                raise Fault(f"status {result.status}: {result.errors.strip()}")
            scenario.check_results(folder)
            world.discard(folder)
        campaign.run("short", scenario.name, list(patterns), 1000, trial)
