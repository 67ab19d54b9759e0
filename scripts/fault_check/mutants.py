# SPDX-License-Identifier: MIT
"""Damaged files for every reader, under sanitizers, and some under valgrind.
(That of tuning files works for a GPU only: tests/fuzz/tuning.c.)"""
import random
import shutil

from .campaign import Fault
from .scenarios import parameters

# reader: the file, how it is made, and who reads it
SNAPSHOT = ["init", "plummer", "--n", "9", "-o"]
READERS = {
    "hdf5": ("f.hdf5", SNAPSHOT, ["convert", "f.hdf5", "out.csv"]),
    "gadget2": ("f.gad", SNAPSHOT, ["convert", "f.gad", "out.csv"]),
    "gadget1": ("f.gad1", SNAPSHOT, ["convert", "f.gad1", "out.csv"]),
    "tipsy": ("f.tipsy", SNAPSHOT, ["convert", "f.tipsy", "out.csv"]),
    "csv": ("f.csv", SNAPSHOT, ["convert", "f.csv", "out.hdf5"]),
    "checkpoint": ("out/checkpoint.hdf5", None,
                   ["run", "-q", "run.yaml", "--restart"]),
    "energy": ("out/energy.csv", None,
               ["run", "-q", "run.yaml", "--restart"]),
    "parameters": ("run.yaml", None,
                   ["run", "-q", "run.yaml", "--force", "--set",
                    "initial.n=8", "--set", "integrator.end=1/64"]),
    "interaction": ("f.pipe", None,
                    ["interact", "f.pipe", "--backend", "ref", "--i",
                     "in.hdf5", "--set", "eps2=1", "-o", "out.csv"]),
}
WORDS = [b"0", b"-1", b"1e308", b"nan", b"\0", b"\xff\xff\xff\xff", b":", b"{",
         b"[", b'"', b"'", b"\n", b"    ", b"#", b"18446744073709551616"]


def mutate(data, draw):
    """Applies some of: bytes changed, removed or doubled, words inserted, the end cut off."""
    data = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(data) + 1)
        length = draw.choice((1, 1, 2, 4, 8, 64))
        what = draw.randrange(6)
        if what == 0 and at < len(data):
            data[at] = draw.randrange(256)
        elif what == 1 and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif what == 2:
            del data[at:at + length]
        elif what == 3:
            data[at:at] = data[at:at + length] * draw.choice((1, 2, 100))
        elif what == 4:
            data[at:at + draw.choice((0, length))] = draw.choice(WORDS)
        elif draw.random() < 0.2:
            del data[at:]
    return bytes(data)


def prepare(world, made):
    name, how, _ = made
    folder = world.folder()
    (folder / "run.yaml").write_text(parameters("leapfrog"))
    commands = [["init", "plummer", "--n", "9", "-o", "in.hdf5"],
                ["run", "-q", "run.yaml", "--set", "integrator.end=1/32"]]
    if how:
        commands.append([*how, name])
    for command in commands:
        result = world.koshu_run(command, folder)
        if result.status:
            raise RuntimeError(f"{command}: {result.errors}")
    if name == "f.pipe":
        text = world.koshu_run(["interact", "--show=gravity"], folder).output
        (folder / name).write_text(text)
    return folder


def check(result):
    text = result.errors + result.output
    for sign in ("ERROR: AddressSanitizer", "runtime error:", "LeakSanitizer",
                 "==ERROR", "Invalid read", "Invalid write"):
        if sign in text:
            at = text.index(sign)
            raise Fault(text[at:at + 400])
    if result.status not in (0, 1, 2):
        raise Fault(f"status {result.status}: {result.errors.strip()[:300]}")
    if result.status and not result.errors.strip():
        raise Fault("fails without a word")
    if any(ord(c) < 32 and c not in "\n\t" or c == "\x7f"
           for c in result.errors):
        raise Fault("control characters of the file go to the terminal: "
                    f"{result.errors.strip()[:200]!r}")


def mutants(world, campaign):
    short = world.options.short
    program = world.sanitized
    if not program.exists():
        print(f"(no {program}: mutants go to the released program)")
        program = world.koshu
    checkers = {"": [program]}
    if shutil.which("valgrind") and not short:
        checkers["-valgrind"] = ["valgrind", "-q", "--error-exitcode=99",
                                 world.koshu]
    for reader, made in READERS.items():
        for suffix, start in checkers.items():
            if not campaign.wants("mutant", reader + suffix):
                continue
            template = prepare(world, made)
            name, _, command = made
            whole = (template / name).read_bytes()

            def trial(k):
                folder = world.folder(template)
                draw = random.Random(f"{world.options.seed} {reader} {k}")
                (folder / name).write_bytes(mutate(whole, draw))
                check(world.run([*start, *command], folder))
                world.discard(folder)
            points = list(range(500 if not suffix else 8))
            campaign.run("mutant", reader + suffix, points,
                         2 if short else 500, trial)
