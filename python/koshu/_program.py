# SPDX-License-Identifier: MIT
"""The program koshu, which wheels contain, and its benchmarks."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any


def path() -> str:
    """The path of the program: KOSHU_PROGRAM, or else in this package, or else
    in PATH."""
    if os.environ.get("KOSHU_PROGRAM"):
        return os.environ["KOSHU_PROGRAM"]
    own = pathlib.Path(__file__).parent / "bin" / "koshu"
    if own.exists():
        return str(own)
    found = shutil.which("koshu")
    if found is None:
        raise FileNotFoundError("the program koshu is neither in this package "
                                "nor in PATH")
    return found


def bench(what: str, **options: Any) -> list[dict[str, Any]]:
    """Runs `koshu bench what --json` and returns its rows: bench("direct",
    n=4096, repeats=3)."""
    command = [path(), "bench", what, "--json"]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            command.append(option)
        elif value is not False and value is not None:
            command += [option, str(value)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{command[0]} failed")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """The command `koshu` of a wheel: executes the program."""
    program = path()
    os.execv(program, [program, *sys.argv[1:]])
