# SPDX-License-Identifier: MIT
"""The site of `make docs` (scripts/docs), of what stage.py has gathered."""
import re

import koshu

project = "koshu"
copyright = "the authors of koshu, MIT licence"
release = version = koshu.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
html_theme = "furo"
html_title = f"koshu {release}"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["koshu.css"]
pygments_style = "friendly"
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # Fortran 2003
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "none"
add_module_names = False
toc_object_entries_show_parents = "hide"


def as_text(app, what, name, thing, options, lines):
    """Docstrings are plain text: indented lines as they are, no markup."""
    text = re.sub(r"([\\*|_])", r"\\\1", "\n".join(lines))
    text = re.sub(r"(?<!`)`([^`\n]+)`(?!`)", r"``\1``", text)

    def block(found):
        return "\n\n::\n\n" + found[1].replace("\\", "") + "\n"
    lines[:] = re.sub(r"\n\n((?: {4,}[^\n]*(?:\n|$)|\n(?= {4}))+)", block,
                      text).splitlines()


def setup(app):
    app.connect("autodoc-process-docstring", as_text)
