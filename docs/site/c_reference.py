# SPDX-License-Identifier: MIT
"""Pages of the C reference, in Markdown, from the public headers, whose form
scripts/check-contracts holds."""
import os
import re

CONTRACT = "Shapes|Units|Ownership|Status|Threads|Error|Source"
SECTION = re.compile(r"/\* -{2,} (.*?) -+ \*/")


def escaped(text):
    """For Markdown."""
    return re.sub(r"([\\`*_<>\[\]|$])", r"\\\1", text)


def uncomment(text):
    """A comment's lines without what makes them one."""
    lines = re.sub(r"^/\*+ ?|\s*\*+/$", "", text.strip()).splitlines()
    return "\n".join(re.sub(r"^\s*\* ?", "", line) if k else line
                     for k, line in enumerate(lines)).strip("\n")


def prose(text, linked):
    """A comment as Markdown: paragraphs, indented lines as they are, and each line
    of the contract for itself."""
    out = []
    for paragraph in re.split(r"\n\s*\n", re.sub(
            rf"\n(?=(?:{CONTRACT}):)", "\n\n", text)):
        lines = paragraph.splitlines()
        if all(re.match(r" {4}|\t", line) for line in lines) and \
                not re.match(rf"({CONTRACT}):", lines[0]):
            out.append("```text\n" + "\n".join(l[4:] for l in lines) + "\n```")
            continue
        words = linked(" ".join(line.strip() for line in lines))
        out.append(re.sub(rf"^({CONTRACT}):", r"**\1:**", words))
    return "\n\n".join(out) + "\n"


def chunks(text):
    """What a header holds, in order: ("section", title), ("comment", text) of a
    comment for itself, and ("code", comment, declarations)."""
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.S | re.M)
    text = re.sub(r"^#(?:ifndef|include|endif).*\n|^#define \w+_H\n|"
                  r"^/\* SPDX.*\n", "", text, flags=re.M)
    for block in re.split(r"\n\s*\n", "\n" + keep_whole(text)):
        block = block.replace("\0", "\n").strip("\n")
        if not block:
            continue
        if found := SECTION.fullmatch(block.strip()):
            yield "section", found[1], ""
            continue
        found = re.match(r"/\*.*?\*/\n?", block, re.S)
        comment = found[0] if found else ""
        code = block[len(comment):].strip("\n")
        yield ("code" if code else "comment"), uncomment(comment), code


def keep_whole(text):
    """Empty lines inside comments and braces do not part blocks."""
    out, depth = [], 0
    for part in re.split(r"(/\*.*?\*/|[{}])", text, flags=re.S):
        depth += {"{": 1, "}": -1}.get(part, 0)
        inside = depth > 0 or part.startswith("/*")
        out.append(re.sub(r"\n(?=\s*\n)", "\0", part) if inside else part)
    return "".join(out)


def bare(code):
    """Declarations without what only compilers read."""
    code = re.sub(r"\bKOSHU_(?:API|MUST_CHECK)\s+", "", code)
    code = re.sub(r"^KOSHU_DECLARE_DEFAULT\((\w+)\)", r"struct \1 \1_default(void);",
                  code, flags=re.M)
    return re.sub(r"\s*KOSHU_PRINTF\([^)]*\)", "", code)


def names(code):
    """What declarations declare, as headings: f(), struct s, enum e, MACRO."""
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    found = []
    for line in re.finditer(
            r"^#define (\w+)|^(struct|enum) (\w+)(?=\s*[{;])|"
            r"^(?!#|typedef| |\})[\w \n*]*?\b(\w+)\((?=[^;{]*(?:;|\n?\{))|"
            r"^typedef .*?\(\*(\w+)\)|^typedef .*?(\w+);", bare(code), re.M):
        macro, kind, tag, function, pointer, alias = line.groups()
        found.append(macro or tag and f"{kind} {tag}" or
                     function and f"{function}()" or pointer or alias)
    return list(dict.fromkeys(found))


def anchor(name):
    """An anchor is in small letters: koshu_x() and struct koshu_x have the same."""
    return "c-" + bare_name(name).lower()


def bare_name(name):
    return re.sub(r"^(?:struct|enum) |\(\)$", "", name)


def at_home(name, code, page):
    """Is a struct declared where it is defined, or, if nothing shows what is in it, in
    the header of its name?"""
    found = re.fullmatch(r"struct koshu_(\w+)", name)
    return not found or "{" in code or page.endswith(f"/{found[1]}.h.md")


def index_of(headers):
    """Where each name is declared: {"koshu_x": "force.md#c-koshu_x"}."""
    where = {}
    for page, text in headers.items():
        for kind, _, code in chunks(text):
            for name in names(code) if kind == "code" else ():
                if at_home(name, code, page):
                    where.setdefault(bare_name(name), f"{page}#{anchor(name)}")
    return where


def page_of(page, text, where):
    """The page of a header; `where` from index_of()."""
    def linked(words):
        words = escaped(words)

        def link(found):
            name = found[0].replace("\\", "")
            if name not in where:
                return found[0]
            target = os.path.relpath(where[name], os.path.dirname(page))
            return f"[{found[0]}]({target})"
        return re.sub(r"\b(?:koshu|KOSHU|g6|g6calc|cunbody)(?:\\_\w+?|[a-zA-Z0-9])+\b",
                      link, words)

    title = page.removeprefix("include/").removesuffix(".md")
    out, level, anchors = [f"# {title}\n"], "##", set()
    for kind, comment, code in chunks(text):
        if kind == "section":
            out.append(f"## {comment[0].upper()}{comment[1:]}\n")
            level = "###"
        elif kind == "comment":
            out.append(prose(comment, linked))
        else:
            declared = [n for n in names(code) if at_home(n, code, page)]
            for a in dict.fromkeys(map(anchor, declared)):
                if a not in anchors:
                    out.append(f"({a})=")
                    anchors.add(a)
            if declared:
                shown = ", ".join(f"`{name}`" for name in declared[:4])
                out.append(f"{level} {shown}"
                           + (", ..." if len(declared) > 4 else "") + "\n")
            if comment:
                out.append(prose(comment, linked))
            out.append(f"```c\n{bare(code)}\n```\n")
    return "\n".join(out)


def summary(path):
    """The first sentence of a header's first comment."""
    for kind, comment, _ in chunks(path.read_text()):
        if comment:
            first = re.split(r"(?<!eq)\.\s|:\n\n", comment + " ")[0]
            return escaped(" ".join(first.split()).rstrip("."))
    return ""
