# SPDX-License-Identifier: MIT
"""Draws mutants of a module, has each judged in a copy, and tells the result."""
import concurrent.futures
import queue
import random
import sys
import time

from mutation.copy import Copy
from mutation.modules import MODULES
from mutation.mutant import accepted, mutants_of


class Campaign:
    def __init__(self, root, place, options):
        self.root, self.options = root, options
        self.accepted = accepted(root / "tests/mutants/survivors.tsv")
        self.pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        self.say("copying the checkout")
        self.copies = [Copy(root, place / str(k)) for k in range(options.jobs)]

    def close(self):
        self.pool.shutdown(cancel_futures=True)

    def say(self, text):
        print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)

    def sample(self, name):
        """The mutants of a module in the order in which they are drawn: lines at
        random, one mutant a line, so that long expressions are not most of them."""
        files = sorted({p.relative_to(self.root).as_posix()
                        for pattern in MODULES[name][0]
                        for p in self.root.glob(pattern)})
        lines = {}
        for file in files:
            for mutant in mutants_of(self.root, file):
                lines.setdefault((file, mutant.line), []).append(mutant)
        draw = random.Random(self.options.seed)
        places = list(lines)
        draw.shuffle(places)
        return [draw.choice(lines[place]) for place in places]

    def judge(self, name):
        """The share of a module's mutants that its tests kill."""
        self.say(f"{name}: building its tests")
        sample = self.sample(name)
        list(self.pool.map(lambda copy: copy.prepare(MODULES[name][1]), self.copies))
        free = queue.SimpleQueue()
        for copy in self.copies:
            free.put(copy)

        def one(mutant):
            copy = free.get()
            try:
                return mutant, copy.judge(mutant)
            finally:
                free.put(copy)

        killed, survived, redrawn = 0, [], 0
        waiting, ahead = iter(sample), []
        while killed + len(survived) < self.options.count:
            while len(ahead) < self.options.jobs:
                mutant = next(waiting, None)
                if mutant is None:
                    break
                ahead.append(self.pool.submit(one, mutant))
            if not ahead:
                break
            mutant, result = ahead.pop(0).result()
            if result in ("invalid", "same"):
                redrawn += 1
            elif result != "survived":
                killed += 1
            elif self.known(mutant):
                redrawn += 1
            else:
                survived.append(mutant)
                print(mutant, flush=True)
            self.say(f"{name}: {killed} killed, {len(survived)} survived, {redrawn} "
                     f"drawn anew; {mutant.file}:{mutant.line} {result}")
        for later in ahead:
            later.result()
        rate = killed / max(1, killed + len(survived))
        print(f"{name}: {killed} of {killed + len(survived)} killed, "
              f"{100 * rate:.0f} %; {redrawn} did not compile, made no difference "
              "or are accepted", flush=True)
        return rate

    def known(self, mutant):
        return (mutant.file, mutant.before.strip(),
                mutant.after.strip()) in self.accepted
