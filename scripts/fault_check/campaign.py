# SPDX-License-Identifier: MIT
"""Runs trials in parallel, counts them, and prints failures and a summary."""
import concurrent.futures
import random
import sys
import time


TOLD = 5


class Fault(Exception):
    """A promise that was not kept, in words."""


class Campaign:
    def __init__(self, options):
        self.options = options
        self.rows = []  # subject, scenario, points there are, tried, failed
        self.began = time.monotonic()

    def wants(self, subject, scenario=None):
        """Is it selected by --only?"""
        only = self.options.only or [subject]
        for text in only:
            wanted, _, which = text.partition("/")
            if wanted == subject and (scenario is None or which in
                                      ("", scenario)):
                return True
        return False

    def sample(self, key, points, most):
        """At most so many of the points; the same ones for the same seed."""
        if self.options.at:
            return [p for p in points if str(p) == self.options.at]
        most = self.options.most or most
        if len(points) <= most:
            return points
        draw = random.Random(f"{self.options.seed} {key}")
        return sorted(draw.sample(points, most), key=points.index)

    def run(self, subject, scenario, points, most, trial):
        """Calls trial(point) for the points, or a sample of them; a Fault is a failure."""
        if not points:
            raise RuntimeError(f"{subject}/{scenario}: nothing to inject")
        tried = self.sample(f"{subject}/{scenario}", points, most)
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            waiting = {pool.submit(trial, point): point for point in tried}
            for done, future in enumerate(
                    concurrent.futures.as_completed(waiting), 1):
                error = future.exception()
                if isinstance(error, Fault):
                    failed += 1
                    self.complain(subject, scenario, waiting[future], error,
                                  failed)
                elif error:
                    raise error
                self.progress(f"{subject} {scenario}: {done} of {len(tried)}")
        self.progress("")
        self.rows.append((subject, scenario, len(points), len(tried), failed))
        print(f"{subject:10} {scenario:22} {len(tried):6} of {len(points):6} "
              f"injected, {failed:3} failures", flush=True)

    def complain(self, subject, scenario, point, error, nth):
        """Prints the first failure of a scenario in full: the others are often the same."""
        self.progress("")
        if nth > TOLD:
            return
        print(f"FAILED {subject}/{scenario} at {point}: {error}\n"
              f"    again: scripts/fault-check --seed {self.options.seed} "
              f"--only {subject}/{scenario} --at '{point}' --keep", flush=True)

    def progress(self, text):
        if sys.stdout.isatty():
            print(f"\r\033[K{text}", end="", flush=True)

    def summary(self):
        subjects = dict.fromkeys(row[0] for row in self.rows)
        print(f"\n{'subject':12}{'scenarios':>10}{'points':>10}"
              f"{'injected':>10}{'failures':>10}")
        total = [0, 0, 0, 0]
        for subject in subjects:
            rows = [row for row in self.rows if row[0] == subject]
            sums = [len(rows)] + [sum(r[k] for r in rows) for k in (2, 3, 4)]
            total = [a + b for a, b in zip(total, sums)]
            print(f"{subject:12}" + "".join(f"{n:10}" for n in sums))
        print(f"{'in all':12}" + "".join(f"{n:10}" for n in total))
        print(f"{total[2]} injected, {total[3]} failures, seed "
              f"{self.options.seed}, {time.monotonic() - self.began:.0f} s")
        return 1 if total[3] else 0
