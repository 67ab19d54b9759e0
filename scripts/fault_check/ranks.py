# SPDX-License-Identifier: MIT
"""One of three ranks dies at a random moment: the others must end, and a restart must continue to
the same bits."""
import os
import pathlib
import random
import shutil
import signal
import time

from .campaign import Fault
from .scenarios import SCHEMES, Scenario, parameters
from .world import session

MPIRUN = ["mpirun", "-n", "3", "--oversubscribe"]
if os.getuid() == 0:
    MPIRUN.insert(1, "--allow-run-as-root")


def ranks_of(process):
    """The processes of a run that are called koshu."""
    found = []
    for child in session(process.pid):
        try:
            name = pathlib.Path(f"/proc/{child}/comm").read_text().strip()
        except OSError:
            continue
        if name == "koshu":
            found.append(child)
    return sorted(found)


def killed(world, campaign):
    if not shutil.which("mpirun"):
        return
    # (trees are of one rank)
    schemes = [scheme for scheme in SCHEMES if scheme != "tree"]
    for scheme in schemes[:1 if world.options.short else None]:
        if not campaign.wants("rank", scheme):
            continue
        command = ["run", "-q", "run.yaml"]
        scenario = Scenario(
            scheme, command, ([*command, "--restart"], command,
                              [*command, "--force"]),
            {"run.yaml": parameters(scheme)}, launch=MPIRUN)
        scenario.prepare(world)
        begun = time.monotonic()
        scenario.undisturbed(world)
        seconds = time.monotonic() - begun

        def trial(point):
            draw = random.Random(f"{world.options.seed} {scheme} {point}")
            folder = world.folder(scenario.template)
            process = world.start([*MPIRUN, world.koshu, *command], folder)
            time.sleep(draw.uniform(0.1, 1) * seconds)
            alive = ranks_of(process)
            victim = draw.choice(alive) if alive else None
            if victim:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    victim = None
            result = world.finish(process)
            if result.status == 0 and victim and len(alive) == 3:
                # killed after its work: what is there must be all
                scenario.check_results(folder)
            scenario.check_nothing_lost(world, folder)
            scenario.recover(world, folder)
            world.discard(folder)
        campaign.run("rank", scheme, list(range(25)),
                     1 if world.options.short else 25, trial)
