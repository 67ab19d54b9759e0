# SPDX-License-Identifier: MIT
"""The Python code of the documentation runs as shown."""
import pathlib
import re

import pytest

import koshu

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/clusters.md",
                                  "docs/python.md"])
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(),
                        re.S)
    assert blocks
    if any("plot." in block for block in blocks):
        pytest.importorskip("matplotlib").use("Agg")
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_docstrings():
    """Everything public has a docstring; arrays state their shapes."""
    for name in koshu.__all__:
        thing = getattr(koshu, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for part, value in vars(thing).items():
                if not part.startswith("_") and (
                        callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{part}"
    for name in ("forces", "force_sets"):
        assert "(n, 3)" in getattr(koshu, name).__doc__
    for name in ("position", "velocity", "acceleration", "mass", "potential"):
        assert "(n," in getattr(koshu.Particles, name).__doc__
