# SPDX-License-Identifier: MIT
"""Draws mutants of a module, has each judged in a copy, and prints the result."""
import concurrent.futures
import queue
import resource
import sys
import time

from mutation.copy import Copy
from mutation.modules import MODULES
from mutation.mutant import accepted, drawn, listed


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Campaign:
    def __init__(self, root, place, options):
        self.root, self.options = root, options
        self.accepted = accepted(root / "tests/mutants/survivors.tsv")
        self.pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        self.say("copying the checkout")
        self.copies = [Copy(root, place / str(k), options.plain)
                       for k in range(options.jobs)]

    def close(self):
        self.pool.shutdown(cancel_futures=True)

    def say(self, text):
        print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)

    def sample(self, name):
        """The mutants of a module in the order in which they are judged."""
        files = sorted({p.relative_to(self.root).as_posix()
                        for pattern in MODULES[name][0]
                        for p in self.root.glob(pattern)})
        if self.options.only:
            return [m for m in listed(self.root, self.options.only)
                    if m.file in files]
        return [m for m in drawn(self.root, files, self.options.seed)
                if m.entry() not in self.accepted]

    def judged(self, sample):
        """Yields each mutant with its result and the seconds it took."""
        free = queue.SimpleQueue()
        for copy in self.copies:
            free.put(copy)

        def one(mutant):
            copy, begin = free.get(), time.monotonic()
            try:
                return mutant, copy.judge(mutant), time.monotonic() - begin
            finally:
                free.put(copy)

        ahead = []
        try:
            for mutant in sample:
                ahead.append(self.pool.submit(one, mutant))
                if len(ahead) > self.options.jobs:
                    yield ahead.pop(0).result()
            while ahead:
                yield ahead.pop(0).result()
        finally:  # the copies are free for another module
            concurrent.futures.wait(ahead)

    def judge(self, name):
        """The fraction of a module's mutants that its tests kill."""
        sample = self.sample(name)
        if not sample:
            return 1
        self.say(f"{name}: building its tests")
        for copy in self.copies:
            copy.prepare(MODULES[name][1])
        killed = survived = redrawn = 0
        before = processor_seconds()
        for mutant, result, seconds in self.judged(sample):
            if result in ("invalid", "same"):
                redrawn += 1
            elif result != "survived":
                killed += 1
            else:
                survived += 1
                print(*mutant.entry(), "", sep="\t", flush=True)
            self.say(f"{name}: {killed} killed, {survived} survived, {redrawn} drawn "
                     f"anew; {mutant.file}:{mutant.line} {result} {seconds:.1f} s")
            if killed + survived == self.options.count:
                break
        judged = max(1, killed + survived)
        rate = killed / judged
        each = (processor_seconds() - before) / judged
        self.say(f"{name}: {killed} of {judged} killed, {100 * rate:.0f} %; "
                 f"{redrawn} did not compile, or made no difference; {each:.1f} s "
                 "of a processor for each that was judged")
        return rate
