#!/usr/bin/env python3
"""Links in Markdown files lead somewhere: files exist, headings too, what is in backquotes and looks
like a path of the project is one, and the file of a link [name()](file) defines that function.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIP = {"build", "build-asan", "build-clang", "build-debug", "build-ci", "build-fuzz", "out", ".git", "node_modules"}

FENCE = re.compile(r"^(```|~~~).*?^\1", flags=re.S | re.M)
INLINE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FUNCTION = re.compile(r"\[(\w+)\(\)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$", flags=re.M)
PATH = re.compile(r"`((?:src|include|cli|tests|tools|docs|models|cmake|scripts|bench|completions)/"
                  r"[A-Za-z0-9_./-]+)`")


def blank(match):
    """As many lines of nothing."""
    return re.sub(r"[^\n]", " ", match.group(0))


def anchors(path):
    """Names of the headings of a page, as GitHub makes them."""
    names, seen = set(), {}
    for text in HEADING.findall(FENCE.sub(blank, path.read_text())):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def link_fault(page, target):
    """What is wrong with a link of a page, or None."""
    if re.match(r"[a-z]+:", target):
        return None  # another site; not looked up
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if ROOT not in path.parents and path != ROOT:
        return f"'{target}' leads out of the project"
    if not path.exists():
        return f"'{target}' does not exist"
    if anchor and anchor not in anchors(path):
        return f"'{target}': there is no heading '{anchor}'"
    return None


def faults(page):
    text = FENCE.sub(blank, page.read_text())
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{page.relative_to(ROOT).as_posix()}:{number}"
        for target in LINK.findall(INLINE.sub(blank, line)):
            fault = link_fault(page, target)
            if fault:
                yield f"{where}: {fault}"
        for name, target in FUNCTION.findall(line):
            path = page.parent / target
            if path.is_file() and not re.search(rf"^\w[^;]*\b{name}\(", path.read_text(), re.M):
                yield f"{where}: {target} does not define '{name}'"
        for path in PATH.findall(re.sub(r"\bFile `", "", line)):  # those are to be written
            if not (ROOT / path).exists() and not (page.parent / path).exists():
                yield f"{where}: '{path}' does not exist"


def main():
    pages = [p for p in sorted(ROOT.rglob("*.md")) if not SKIP & set(p.relative_to(ROOT).parts)]
    found = [fault for page in pages for fault in faults(page)]
    print("\n".join(found) if found else f"links of {len(pages)} pages lead somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
