# SPDX-License-Identifier: MIT
"""Every public function of the C library is reachable from Python, or
docs/python.md says why it is not."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def public():
    """abi/koshu.symbols lists the last release, the headers add newer ones."""
    names = set((ROOT / "abi" / "koshu.symbols").read_text().split())
    for header in [*(ROOT / "include" / "koshu").glob("*.h*"),
                   *(ROOT / "include" / "koshu-fields").glob("*.h")]:
        text = without_comments(header.read_text())
        names |= set(re.findall(r"\b(koshu_\w+)\s*\([^;{]*\)\s*;", text))
        names |= {f"{name}_set_defaults" for name in re.findall(
            r"KOSHU_DECLARE_DEFAULT\((\w+)\)", text)}
    return names - {"name_set_defaults", "koshu_log_function",  # types
                    "koshu_mass_loss_function"}


def called():
    text = " ".join(without_comments(source.read_text())
                    for source in (ROOT / "python" / "src").glob("*.?pp"))
    names = set(re.findall(r"\bkoshu_\w+", text))
    # inline functions of the headers; the library has the other variant
    return names | {name.removesuffix("_default") + "_set_defaults"
                    for name in names if name.endswith("_default")}


def absent():
    page = (ROOT / "docs" / "python.md").read_text()
    table = page.split("| C function | why not |")[1].split("\n\n")[0]
    reasons = dict(re.findall(r"\| `(\w+)` \| (.+) \|", table))
    assert all(len(reason) > 10 for reason in reasons.values())
    return set(reasons)


def test_c_functions():
    assert len(public()) > 200
    assert public() - called() == absent()
    assert "koshu_force_direct" in called()
