#!/usr/bin/env python3
"""test_recipes.py BUILD - what docs/develop/add_*.md say is done to a copy of the sources, built and run.

A page says "File `PATH`:" before a block of C and "ine in `PATH`:" before an indented line that is added to a registry, or
"ine in `PATH` below `TEXT`:" before one that goes below the line that begins with the text, as far in as that.
Blocks of YAML are models with the outputs `way` and `expected`, which must be equal. All recipes go into one copy.
To save time only what they add and the registries are compiled; the rest is taken from the library of BUILD, whose linker
command is used with the new objects in front.
"""
import csv
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ["docs/develop/add_a_joint.md", "docs/develop/add_an_integrator.md", "docs/develop/add_a_shape.md"]
FILE = re.compile(r"File `([\w/.]+)`:\n\n```c\n(.*?)```\n", flags=re.S)
LINE = re.compile(r"ine in `([\w/.]+)`(?: below `([^`]+)`)?:\n\n    (\S.*)\n")
MODEL = re.compile(r"```yaml\n(.*?)```\n", flags=re.S)
REGISTRIES = ["src/model/registry.c", "src/analysis/integrator/integrators.c", "src/model/contact/contacts.c",
              "src/model/contact/shape/touch.c"]


def run(command, where=None):
    done = subprocess.run(command, cwd=where, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))[:300]}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def add_line(target, above, line):
    """Adds a line at the end of a file, or below the one line that begins with a text."""
    old = target.read_text()
    if not above:
        target.write_text(old + line + "\n")
        return
    found = list(re.finditer(rf"^( *){re.escape(above)}.*\n", old, re.M))
    if len(found) != 1:
        sys.exit(f"{target.name}: {len(found)} lines begin with {above}")
    at = found[0].end()
    target.write_text(old[:at] + found[0].group(1) + line + "\n" + old[at:])


def follow(page, copy):
    """Writes the files and lines of a page into the copy; the C files, and the models."""
    text, files = (ROOT / page).read_text(), []
    for path, code in FILE.findall(text):
        target = copy / path
        if target.exists():
            sys.exit(f"{page}: {path} exists already, the example needs another name")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(code)
        files.append(path)
    lines = LINE.findall(text)
    for path, above, line in lines:
        add_line(copy / path, above, line)
    registered = [path for path, _, _ in lines if path.endswith(".def")]
    if len(files) != len(registered):
        sys.exit(f"{page}: {len(files)} files and {len(registered)} lines: one line a file")
    return files, MODEL.findall(text)


def build(copy, files, old_build, out):
    """Configures the copy as users do, compiles the new files and the registries, links a command."""
    run(["cmake", "-S", copy, "-B", copy / "build", "-G", "Ninja", "-DTRAMMEL_TESTS=OFF"])
    listed = run(["ninja", "-C", copy / "build", "-t", "targets", "all"])
    objects = [f"CMakeFiles/trammel_objects.dir/{f}.o" for f in files + REGISTRIES]
    for name in objects:
        if f"{name}:" not in listed:
            sys.exit(f"the build does not know {name}")
    run(["ninja", "-C", copy / "build", *objects])
    link = run(["ninja", "-C", old_build, "-t", "commands", "trammel"]).splitlines()[-1]
    words = shlex.split(link.split("&&")[1] if "&&" in link else link)
    words[words.index("-o") + 1] = str(out)
    at = next(k for k, word in enumerate(words) if word.endswith("libtrammel.a"))
    words[at:at] = [str(copy / "build" / name) for name in objects]
    run(words, old_build)


def check_model(command, text, folder):
    """Runs a model of a page; its two outputs agree to a millionth of their range."""
    (folder / "model.yaml").write_text(text)
    run([command, "run", "model.yaml", "--quiet", "--csv", "rows.csv", "--tol", "1e-9"], folder)
    with open(folder / "rows.csv", newline="") as file:
        rows = list(csv.reader(file))
    way, expected = (next(k for k, name in enumerate(rows[0]) if name.split(" ")[0] == n)
                     for n in ("way", "expected"))
    values = [(float(r[way]), float(r[expected])) for r in rows[1:]]
    size = max(abs(e) for _, e in values)
    off = max(abs(a - e) for a, e in values)
    # second order at 1e-9: some hundred steps of a local error of 1e-9 of the size
    if not (size > 0.1 and off <= 1e-6 * size):
        sys.exit(f"{text}\nway is off by {off} of {size}")


def main():
    old_build = pathlib.Path(sys.argv[1]).resolve()
    if shutil.which("ninja") is None:
        print("skipped: no ninja")
        return
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / "copy"
        for part in ("CMakeLists.txt", "LICENSE", "README.md", "cmake", "include", "src", "cli", "mpi", "tools", "tests",
                     "completions", "models", "viewer/study", "docs/develop/layers.md"):
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, copy / part)
            else:
                (copy / part).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / part, copy / part)
        files, models = [], []
        for page in PAGES:
            more_files, more_models = follow(page, copy)
            files, models = files + more_files, models + more_models
        run([sys.executable, "tools/check_layers.py"], copy)
        run([sys.executable, "tools/check_sources.py"], copy)
        command = pathlib.Path(name) / "trammel"
        build(copy, files, old_build, command)
        for path in files:
            word = pathlib.Path(path).stem
            topic = ["integrators"] if "integrator" in path else ["help", word]
            if word not in run([command, *topic]):
                sys.exit(f"trammel {' '.join(topic)} does not tell of {word}")
        for text in models:
            check_model(command, text, pathlib.Path(name))
        print(f"{len(files)} recipes followed, {len(models)} models run")


if __name__ == "__main__":
    main()
