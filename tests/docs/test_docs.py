#!/usr/bin/env python3
"""test_docs.py TRAMMEL SHARED_LIBRARY - whole models in the documentation run, programs compile and run.

A block of YAML that begins with "trammel: 1" is a whole model; a block of C with a main is a program. A
text before a block that ends in `NAME`: names its file, so that later blocks can use it.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"(?:`([\w.]+)`:\s+)?^```(yaml|c)\n(.*?)^```", flags=re.S | re.M)


def run(args, folder):
    """What is wrong with a command, or None."""
    done = subprocess.run(args, cwd=folder, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{' '.join(map(str, args))}: {done.stderr.strip()}"


def program(source, folder, library):
    """Compile and run a C program against the library that was built."""
    fault = run(["cc", "-Wall", "-Wextra", "-Werror", source, "-o", "program", f"-I{ROOT}/include",
                 library, "-lm", f"-Wl,-rpath,{library.parent}"], folder)
    return fault or run(["./program"], folder)


def page_faults(page, trammel, library):
    count = 0
    with tempfile.TemporaryDirectory(prefix="trammel-docs-") as folder:
        for name, language, text in BLOCK.findall(page.read_text()):
            fault = None
            name = name or f"block{count}.{language}"
            (pathlib.Path(folder) / name).write_text(text)
            if language == "yaml" and text.startswith("trammel: 1"):
                fault = run([trammel, "run", "--quiet", name], folder)
            elif language == "c" and "int main(" in text:
                fault = program(name, folder, library)
            else:
                continue
            count += 1
            if fault:
                yield f"{page.relative_to(ROOT)}: {fault}"
    print(f"{page.relative_to(ROOT)}: {count} tried")


def main():
    trammel, library = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    pages = [ROOT / "README.md", ROOT / "docs/start.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
    pages = [page for page in pages if BLOCK.search(page.read_text())]
    found = [fault for page in pages for fault in page_faults(page, trammel, library)]
    print("\n".join(found))
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
