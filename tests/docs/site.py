# SPDX-License-Identifier: MIT
"""Is a site built by `make docs` complete, and does it work without a network?

    site.py FOLDER [--no-browser]

Where Chromium is installed, it also opens pages and uses the search.
"""
import html.parser
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import chromium  # noqa: E402

import koshu  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = pathlib.Path(sys.argv[1])
wrong = []


class Page(html.parser.HTMLParser):
    """Collects anchors, links, and what a page loads."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.anchors |= {a[k] for k in ("id", "name") if a.get(k)}
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        loaded = a.get("href") if tag == "link" else a.get("src")
        if loaded and a.get("rel") != "canonical":
            self.loads.append(loaded)


def check(good, words):
    if not good:
        wrong.append(words)


def links(pages):
    for path, page in pages.items():
        for target in page.loads:
            check(not re.match(r"(https?:)?//", target), f"{path}: loads {target}")
        for link in page.links + page.loads:
            if re.match(r"(https?|mailto|data):", link):
                continue
            name, _, anchor = link.partition("#")
            there = (path.parent / name.partition("?")[0]).resolve() if name else \
                path.resolve()
            check(there.exists(), f"{path}: there is no {link}")
            if anchor and there.suffix == ".html" and there in resolved:
                check(anchor in resolved[there].anchors, f"{path}: no place {link}")


def styles():
    for path in SITE.rglob("*.css"):
        check(not re.search(r"url\(['\"]?(https?:)?//|@import", path.read_text()),
              f"{path} loads from a network")


def contents(pages):
    """Everything public and every page is there."""
    made = {p.relative_to(SITE.resolve()).as_posix() for p in resolved}
    for page in [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md"),
                 *ROOT.glob("docs/notebooks/*.ipynb")]:
        check(page.relative_to(ROOT).with_suffix(".html").as_posix() in made,
              f"no page of {page}")
    for header in ROOT.glob("include/*/*.h"):
        text = re.sub(r"/\*[\s\S]*?\*/|^#(?:\\\n|.)*", "", header.read_text(),
                      flags=re.M)
        name = header.relative_to(ROOT).as_posix() + ".html"
        check(name in made, f"no page {name}")
        page = (SITE / name).resolve()
        for function in re.findall(r"KOSHU_API[^;#]*?(\w+)\(", text):
            check(f"c-{function}".lower().replace("_", "-").rstrip("-")
                  in resolved[page].anchors, f"{name}: nothing of {function}()")
    python = (SITE / "docs/python-reference.html").resolve()
    for name in koshu.__all__:
        if callable(getattr(koshu, name)):
            check(f"koshu.{name}" in resolved[python].anchors,
                  f"nothing of koshu.{name}")


def in_a_browser():
    if not chromium.PROGRAM:
        print("not in a browser: apt-get install chromium")
        return
    browser = chromium.Browser()
    try:
        browser.open(f"file://{SITE.resolve()}/search.html?q=lagrangian")
        browser.wait("document.querySelectorAll('ul.search li a').length > 3")
        for page in ("index.html", "docs/notebooks/galaxy.html"):
            browser.open(f"file://{SITE.resolve()}/{page}")
            browser.wait("document.readyState == 'complete' && document.title != ''")
            check(browser.js("[...document.images].every(i => i.naturalWidth > 0)"),
                  f"{page}: a picture is missing")
        asked, _ = browser.requests()
        check(len(asked) > 10 and all(a.startswith(("file:", "data:", "about:"))
                                      for a in asked),
              f"not files: {[a for a in asked if not a.startswith('file:')]}")
    finally:
        browser.close()


pages = {path: Page(path) for path in SITE.rglob("*.html")}
resolved = {path.resolve(): page for path, page in pages.items()}
links(pages)
styles()
contents(pages)
if "--no-browser" not in sys.argv:
    in_a_browser()
print("\n".join(wrong[:40]))
print(f"{len(pages)} pages, {sum(len(p.links) for p in pages.values())} links, "
      f"{len(wrong)} errors")
sys.exit(1 if wrong or len(pages) < 60 else 0)
