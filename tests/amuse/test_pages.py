# SPDX-License-Identifier: MIT
"""The documentation's page and the example run."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    done = subprocess.run([sys.executable, *map(str, command)], text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_page(tmp_path):
    page = (ROOT / "docs" / "amuse.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", page, re.S)
    (tmp_path / "page.py").write_text(block)
    assert "3.1556925" in run(tmp_path / "page.py")  # seconds in 1 Myr, in units of 1e13
    from amuse_koshu.parameters import PARAMETERS
    named = set(re.findall(r"`(\w+)`", page))
    assert {p.name for p in PARAMETERS} <= named


def test_example():
    rows = [line for line in run(
        ROOT / "examples" / "amuse_cluster.py", "--n", 50, "--end", 1,
        "--codes", "koshu,ph4").splitlines() if "dE/E" in line]
    assert [row.split()[0] for row in rows] == ["koshu", "ph4"]
    # two codes, one orbit: equal to a millionth of the virial radius
    assert float(rows[1].split()[-2]) < 1e-5
