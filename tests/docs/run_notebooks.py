# SPDX-License-Identifier: MIT
"""Runs notebooks, each in an empty folder.

    run_notebooks.py [--write] [NOTEBOOK...]      default: all of docs/notebooks

Without --write the outputs must agree with the stored ones: the same kinds, the same
words and nearly the same numbers, within 5 % or, for small ones (1e-9), a factor of
ten. Outputs of cells tagged "machine" may differ between machines.
"""
import argparse
import math
import pathlib
import re
import sys
import tempfile
import time

import nbclient
import nbformat

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/notebooks"
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


def near(a, b):
    """Are two numbers, given as text, nearly the same?"""
    x, y = float(a), float(b)
    if "e-" in a and "e-" in b:
        return abs(math.log10(abs(x / y))) <= 1
    return abs(x - y) <= 0.05 * max(abs(x), abs(y))


def text_of(outputs):
    """The output of a cell, and the value of its last line."""
    return "".join(o.get("text", "") + o.get("data", {}).get("text/plain", "")
                   for o in outputs if "image/png" not in o.get("data", {}))


def differences(kept, made):
    """The differences between a cell's output and the stored one."""
    def kinds(outputs):
        return {kind for o in outputs
                for kind in o.get("data", {o["output_type"]: 0})}
    if kinds(kept.outputs) != kinds(made.outputs):
        yield f"kinds {kinds(made.outputs)} instead of {kinds(kept.outputs)}"
    if "machine" in kept.metadata.get("tags", []):
        return
    a, b = text_of(kept.outputs), text_of(made.outputs)
    numbers = list(zip(NUMBER.findall(a), NUMBER.findall(b)))
    if NUMBER.sub("#", a) != NUMBER.sub("#", b) or \
            not all(near(*pair) for pair in numbers):
        yield f"{b!r}\n  instead of\n{a!r}"


def run(path, write):
    """Runs a notebook; returns whether its outputs agree."""
    kept = nbformat.read(path, 4)
    made = nbformat.from_dict(kept)
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        client = nbclient.NotebookClient(
            made, timeout=300, record_timing=False,
            resources={"metadata": {"path": folder}})
        try:
            client.execute()
        except nbclient.exceptions.CellExecutionError as error:
            print(f"{path.name}: {error}")
            return False
    print(f"{path.name}: {time.monotonic() - start:.1f} s")
    if write:
        made.metadata = kept.metadata
        nbformat.validate(made)
        path.write_text(nbformat.writes(made, indent=1, ensure_ascii=False) + "\n")
        return True
    wrong = [f"{path.name}, cell {k}: {what}"
             for k, (a, b) in enumerate(zip(kept.cells, made.cells), 1)
             if a.cell_type == "code" for what in differences(a, b)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path)
    asked = parser.parse_args()
    paths = asked.notebooks or sorted(FOLDER.glob("*.ipynb"))
    good = [run(path, asked.write) for path in paths]
    return 0 if good and all(good) else 1


sys.exit(main())
