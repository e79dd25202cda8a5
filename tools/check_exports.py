#!/usr/bin/env python3
"""The shared library exports what the public headers mark with TML_API, no more and no less.

usage: check_exports.py LIBRARY
"""
import pathlib
import re
import subprocess
import sys


def declared(root):
    """Names of the functions marked TML_API in the public headers: ours, and those that routines of Adams call, in C or Fortran."""
    names = set()
    for header in sorted((root / "include" / "trammel").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
        text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        for statement in re.findall(r"TML_API\b([^;]*);", text):
            match = re.search(r"\b((?:tml|c)_\w+|\w+_)\s*(?:\(|\[|$)", statement)
            names.add(match.group(1) if match else statement.strip())
    return names


def exported(library):
    """Names that the library defines for others; those of the linker and sanitizers left out."""
    out = subprocess.run(
        ["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True
    ).stdout
    names = {line.split()[-1].split("@")[0] for line in out.splitlines() if line.strip()}
    return {name for name in names if not name.startswith("_")}


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    want, have = declared(root), exported(sys.argv[1])
    for name in sorted(have - want):
        print(f"exported, but not marked TML_API in include/trammel: {name}")
    for name in sorted(want - have):
        print(f"marked TML_API, but not in the library: {name}")
    return 1 if want != have else 0


if __name__ == "__main__":
    sys.exit(main())
