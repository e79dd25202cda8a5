#!/usr/bin/env python3
"""House rules that a compiler does not know: the library does not print, end the process or
allocate past its hook; files stay short; text is clean; folders can be read at a glance, a file
tells its own path, no two files of src/ share a name, each table of a type is registered, and
docs/develop/layers.md draws all rooms.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 800
MAX_ENTRIES = 30  # of a folder of src/: a listing should tell the architecture

# pattern, what it breaks; looked for in src/ outside comments and strings
FORBIDDEN = [
    (r"\b(v?printf|puts|putchar|perror)\s*\(", "the library does not print"),
    (r"\b(stdout|stderr|stdin)\b", "the library does not use the standard streams"),
    (r"\b(exit|_exit|_Exit|quick_exit|abort|longjmp|raise)\s*\(", "the library does not end"),
    (r"\bassert\s*\(", "TML_ASSERT states defects"),
    (r"\b(strtok|setlocale|srand|rand|localtime|gmtime|ctime|asctime)\s*\(", "hidden state"),
    (r"\b(alloca|gets|sprintf)\s*\(", "unbounded"),
]
ALLOCATE = r"\b(malloc|calloc|realloc|aligned_alloc|strdup|strndup|asprintf)\s*\("
ALLOCATOR = "src/base/block.c"

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", flags=re.S
)


def code_only(text):
    """The text without comments and strings, lines kept."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    return TOKEN.sub(blank, text)


def source_faults(where, text):
    rules = list(FORBIDDEN)
    if where != ALLOCATOR:
        rules.append((ALLOCATE, "memory comes from base/arena.h"))
    for number, line in enumerate(code_only(text).splitlines(), 1):
        for pattern, reason in rules:
            match = re.search(pattern, line)
            if match:
                yield f"{where}:{number}: {match.group(0).strip()}: {reason}"


def text_faults(where, text):
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        yield f"{where}: {len(lines)} lines, more than {MAX_LINES}: split it"
    if not text.endswith("\n"):
        yield f"{where}: no newline at the end"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield f"{where}:{number}: tab"
        if line != line.rstrip():
            yield f"{where}:{number}: space at the end of the line"
        if re.search(r"\b(TODO|FIXME|XXX)\b", line):
            yield f"{where}:{number}: unfinished"
        if "\r" in line:
            yield f"{where}:{number}: carriage return"


def first_line_fault(where, text):
    """The first comment of a file of src/ begins with its path below src/."""
    path = where.removeprefix("src/")
    if not text.startswith(f"/* {path} - "):
        yield f"{where}:1: the first line must begin with /* {path} - "


def house_faults(files):
    """Folders that are too full, and names that two files of src/ share."""
    entries, names = collections.defaultdict(set), collections.defaultdict(list)
    for where in files:
        parts = where.split("/")
        for depth in range(1, len(parts)):
            entries["/".join(parts[:depth])].add(parts[depth])
        names[parts[-1]].append(where)
    for folder, inside in entries.items():
        if len(inside) > MAX_ENTRIES:
            yield f"{folder}: {len(inside)} entries, more than {MAX_ENTRIES}: give it rooms"
    for places in names.values():
        if len(places) > 1:
            yield f"{' and '.join(places)}: two files of one name"


def drawn_rooms(page):
    """Folders in the drawing of the rooms: a name with / at the start of a line, two spaces deeper for each level."""
    block = page.split("## The rooms")[1].split("```")[1]
    rooms, open_rooms = set(), []
    for indent, name in re.findall(r"^( *)(\w+)/", block, re.M):
        open_rooms[len(indent) // 2 :] = [name]
        rooms.add("src/" + "/".join(open_rooms))
    return rooms


def room_faults(files, page):
    """Rooms that the page does not draw, and rooms on the page that are gone. A layer without folders needs no line."""
    folders = {"/".join(parts[:depth]) for parts in (where.split("/") for where in files) for depth in range(3, len(parts))}
    folders |= {"/".join(folder.split("/")[:2]) for folder in folders}
    drawn = drawn_rooms(page)
    for folder in sorted(folders - drawn):
        yield f"{folder}: docs/develop/layers.md does not draw this room"
    for folder in sorted(drawn - folders):
        yield f"docs/develop/layers.md draws {folder}, which is not there"


# the definition of a table; bodies have internal types beside the registered ones
TABLE = re.compile(r"^TML_(CONSTRAINT|FORCE|FLEX|SHAPE|PRESS|SLIP|ROLL|FE|INTEGRATOR)_TYPE\((\w+)\) =", re.M)


def registry_faults(texts):
    """Tables of types that no registry names: they would be compiled and never be found."""
    lines = "".join(text for where, text in texts.items() if where.endswith(".def"))
    known = {
        (family.lower(), name.split(",")[-1].strip())
        for family, name in re.findall(r"^TML_(\w+)\(([^)]*)\)", lines, re.M)
    }
    for where, text in texts.items():
        for family, name in TABLE.findall(text):
            if (family.lower(), name) not in known:
                yield f"{where}: tml_{family.lower()}_{name} is in no registry (.def)"


def main():
    faults, count, texts = [], 0, {}
    for path in sorted((ROOT / "src").rglob("*.[chd]*")):
        texts[path.relative_to(ROOT).as_posix()] = path.read_text()
    faults += house_faults(texts)
    faults += registry_faults(texts)
    faults += room_faults(texts, (ROOT / "docs/develop/layers.md").read_text())
    for area in ("include", "src", "cli", "tests", "bench", "examples"):
        for path in sorted((ROOT / area).rglob("*.[ch]")):
            where, text = path.relative_to(ROOT).as_posix(), path.read_text()
            count += 1
            faults += text_faults(where, text)
            if area == "src":
                faults += source_faults(where, text)
                faults += first_line_fault(where, text)
    print("\n".join(faults) if faults else f"{count} files keep the house rules")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
