#!/usr/bin/env python3
"""House rules that a compiler does not know: the library does not print, end the process or
allocate past its hook; files stay short; text is clean.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 800

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
ALLOCATOR = "src/base/arena.c"

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


def main():
    faults, count = [], 0
    for area in ("include", "src", "cli", "tests", "bench", "examples"):
        for path in sorted((ROOT / area).rglob("*.[ch]")):
            where, text = path.relative_to(ROOT).as_posix(), path.read_text()
            count += 1
            faults += text_faults(where, text)
            if area == "src":
                faults += source_faults(where, text)
    print("\n".join(faults) if faults else f"{count} files keep the house rules")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
