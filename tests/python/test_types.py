# SPDX-License-Identifier: MIT
"""mypy checks the package's types and the extension's stub."""
import pathlib
import subprocess
import sys

import pytest

import koshu

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(koshu.__file__).parent
pytest.importorskip("mypy")

USER = """
import koshu
import numpy as np

f = koshu.forces(np.ones((3, 3)), 1.0, softening=0.1)
reveal_type(f.acceleration)
reveal_type(koshu.models.plummer(10).diagnostics().total)
koshu.Simulation(3)
koshu.Tree(thetta=1)
"""


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", *map(str, arguments)],
                          capture_output=True, text=True, **options)


def test_types(tmp_path):
    """mypy --strict, and the types and errors that a user's program gets."""
    (tmp_path / "user.py").write_text(USER)
    done = run("mypy", "--config-file", ROOT / "pyproject.toml",
               "--cache-dir", tmp_path, PACKAGE, tmp_path / "user.py")
    told = [line for line in done.stdout.splitlines() if "user.py" in line]
    rest = [line for line in done.stdout.splitlines()
            if "error" in line and "user.py" not in line][:-1]
    assert not rest, done.stdout
    assert "float64" in told[0] and "float" in told[1]
    assert '"int"; expected "Particles"' in told[2]
    assert 'Unexpected keyword argument "thetta"' in told[3]


# nanobind's functions and classes differ from Python's in these, but work alike
OF_NANOBIND = ("is not a function", "disjoint base", "metaclass differs",
               '__init__ is inconsistent, stub does not have *args')


def test_stubs(tmp_path):
    """The stub lists what the extension has, and no more."""
    done = run("mypy.stubtest", "koshu", "--concise", "--mypy-config-file",
               ROOT / "pyproject.toml", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert any("is not a function" in line for line in lines)
    assert not [line for line in lines
                if not any(known in line for known in OF_NANOBIND)]
