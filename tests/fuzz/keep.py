#!/usr/bin/env python3
"""Keep a small part of a corpus in the tree: tests/fuzz/keep.py FROM TO.

Some of all lengths, as many as fit into the room. Files whose name begins with `found` are those of
defects; they stay.
"""
import pathlib
import sys

ROOM = 24 << 10  # bytes of a target
FILES = 80


def main():
    source, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for path in target.iterdir():
        if not path.name.startswith("found"):
            path.unlink()
    files = sorted(source.iterdir(), key=lambda p: (p.stat().st_size, p.name))
    count = min(FILES, len(files))
    chosen = []
    while count > 0:
        chosen = [files[k * len(files) // count] for k in range(count)]
        if sum(p.stat().st_size for p in chosen) <= ROOM:
            break
        count -= 1
    for path in chosen:
        (target / path.name[:12]).write_bytes(path.read_bytes())


if __name__ == "__main__":
    main()
