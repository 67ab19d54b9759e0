# SPDX-License-Identifier: MIT
"""Gathers the pages of the site in a folder, laid out as the repository is.

    stage.py FOLDER

The Markdown of docs/ and of the root as it is, but for links to other files: these
lead to pages with their text. Notebooks with the output that they keep; a page for
each public header; and the reference of the Python package, by its modules.
"""
import base64
import html
import importlib
import inspect
import json
import os
import pathlib
import re
import shutil
import sys

import c_reference

import koshu

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = pathlib.Path(sys.argv[1])
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".f90": "fortran", ".pipe": "c",
             ".py": "python", ".yaml": "yaml", ".json": "json"}
ORPHAN = "---\norphan: true\n---\n\n"      # links lead there, no contents do
LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")


def put(name, text):
    path = OUT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def source_page(name):
    """The page of a file, or of what a folder has; gives its name."""
    path = ROOT / name
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.suffix in LANGUAGES)
        for file in files:
            source_page(file.relative_to(ROOT).as_posix())
        put(f"{name}/index.md", f"{ORPHAN}# {name}/\n\n" + "\n".join(
            f"- [{p.name}]({p.name}.md)" for p in files))
        return f"{name}/index.md"
    put(f"{name}.md", f"{ORPHAN}# {name}\n\n````{LANGUAGES.get(path.suffix, 'text')}\n"
        f"{path.read_text().rstrip()}\n````\n")
    return f"{name}.md"


def staged(name):
    """What a link to a file of the repository leads to, in the site."""
    if name == "README.md":
        return "index.md"
    if name == "include/koshu" or name.startswith("include/"):
        return name + ("/index.md" if name == "include/koshu" else ".md")
    if name.endswith(".ipynb"):
        return name.removesuffix(".ipynb") + ".md"
    if name.endswith((".md", ".png")):
        return name
    return source_page(name)


def linked(text, name):
    """A page's text with links that lead somewhere in the site."""
    folder = pathlib.PurePosixPath(name).parent

    def link(found):
        target = os.path.normpath(folder / found[1])
        return os.path.relpath(staged(target), folder) + (found[2] or "")
    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    return "".join(part if part.startswith("```") else LINK.sub(link, part)
                   for part in parts).replace("```pipe", "```c")


# ---- notebooks ---------------------------------------------------------------


def output(cell_output, stem, number):
    data = cell_output.get("data", {})
    if "image/png" in data:
        name = f"{stem}-{number}.png"
        (OUT / "docs/notebooks").mkdir(parents=True, exist_ok=True)
        (OUT / "docs/notebooks" / name).write_bytes(
            base64.b64decode(data["image/png"]))
        return f"![]({name})\n"
    if "text/html" in data:
        return "```{raw} html\n" + "".join(data["text/html"]) + "\n```\n"
    text = "".join(cell_output.get("text", data.get("text/plain", "")))
    return f"````text\n{text.rstrip()}\n````\n" if text.strip() else ""


def notebook(path):
    """A notebook as Markdown."""
    out = []
    for number, cell in enumerate(json.loads(path.read_text())["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            out.append(text + "\n")
            continue
        out.append(f"```python\n{text}\n```\n")
        out += [output(o, path.stem, f"{number}-{k}")
                for k, o in enumerate(cell["outputs"])]
    return "\n".join(out)


# ---- references ----------------------------------------------------------------


def c_pages():
    headers = {f"{p.relative_to(ROOT).as_posix()}.md": p.read_text()
               for p in sorted(ROOT.glob("include/*/*.h"))}
    where = c_reference.index_of(headers)
    for page, text in headers.items():
        put(page, c_reference.page_of(page, text, where))
    return list(headers)


def c_index(pages):
    rows = [f"- [{page.removeprefix('include/').removesuffix('.md')}]"
            f"({os.path.relpath(page, 'include/koshu')}): "
            f"{c_reference.summary(ROOT / page.removesuffix('.md'))}"
            for page in pages]
    put("include/koshu/index.md", "# C reference\n\nThe public headers, each with the "
        "formulas, shapes, units, ownership and statuses of what it declares.\n\n"
        + "\n".join(rows) + "\n\n" + toctree([os.path.relpath(p, "include/koshu")
                                                  for p in pages]))


def python_page():
    """The package's public names, under the modules that have them."""
    modules, sections = {}, []
    for name in koshu.__all__:
        thing = getattr(koshu, name)
        if inspect.ismodule(thing):
            modules[thing.__name__] = [f"{thing.__name__}.{part}" for part in sorted(
                getattr(thing, "__all__", 0) or
                [k for k, v in vars(thing).items() if inspect.isfunction(v)
                 and not k.startswith("_") and v.__module__ == thing.__name__])]
        elif callable(thing):
            modules.setdefault(thing.__module__, []).append(f"koshu.{name}")
    modules[koshu.Error.__module__] = modules.pop(koshu.Error.__module__)  # last
    for module, names in modules.items():
        head = inspect.getdoc(importlib.import_module(module)).split("\n\n")[0]
        title, _, rest = head.replace("\n", " ").partition(". ")
        title = title.rstrip(".")
        sections.append(f"{title}\n{'-' * len(title)}\n\n{rest}\n")
        for name in names:
            thing = eval(name, {"koshu": koshu})
            kind = "autofunction" if inspect.isroutine(thing) else "autoclass"
            members = "" if kind == "autofunction" else \
                "   :members:\n   :special-members: __call__\n"
            sections.append(f".. {kind}:: {name}\n{members}")
    put("docs/python-reference.rst", "Python reference\n================\n\n"
        ":doc:`python` has examples of each.\n\n" + "\n".join(sections))


# ---- the order of pages ----------------------------------------------------------


def toctree(pages, caption="", hidden=True):
    return ("```{toctree}\n" + (f":caption: {caption}\n" if caption else "")
            + (":hidden:\n" if hidden else "")
            + "\n".join(re.sub(r"\.(md|rst)$", "", p) for p in pages) + "\n```\n\n")


def captioned():
    """The pages of docs/README.md under its headings, and what it lists none of."""
    text = (ROOT / "docs/README.md").read_text()
    parts = re.split(r"^(?:## (.+)|([A-Z][\w ]+):)$", text, flags=re.M)
    found = {}
    for k in range(1, len(parts), 3):
        pages = [os.path.normpath(f"docs/{t}") for t, _ in LINK.findall(parts[k + 2])]
        pages = [staged(page) for page in pages]
        if "include/koshu/index.md" in pages:
            pages.insert(1, "docs/python-reference.rst")
        new = [p for p in dict.fromkeys(pages)
               if not any(p in other for other in found.values())]
        if new:
            found[parts[k] or parts[k + 1]] = new
    return found


def main():
    if OUT.exists():
        shutil.rmtree(OUT)
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md")]
    for path in pages:
        name = path.relative_to(ROOT).as_posix()
        put(staged(name), (ORPHAN if name == "docs/README.md" else "")
            + linked(path.read_text(), name))
    for path in ROOT.glob("docs/notebooks/*.ipynb"):
        name = path.relative_to(ROOT).as_posix()
        put(staged(name), linked(notebook(path), name))
    shutil.copytree(ROOT / "docs/images", OUT / "docs/images")
    c_index(c_pages())
    python_page()
    order = captioned()
    listed = {p for some in order.values() for p in some}
    order["Development"] = order.get("Development", []) + sorted(
        p for p in (staged(q.relative_to(ROOT).as_posix()) for q in pages)
        if p not in listed and p not in ("index.md", "docs/README.md"))
    with open(OUT / "index.md", "a", encoding="utf-8") as index:
        index.write("\n" + "".join(toctree(some, caption)
                                   for caption, some in order.items()))


main()
