#!/usr/bin/env python3
"""test_docs.py TRAMMEL SHARED_LIBRARY - what the documentation shows is what the program does.

- A block of YAML that begins with "trammel: 1" is a whole model, a block of C with a main a program: both run. A
  text before a block that ends in `NAME`: names its file, so that later blocks can use it.
- A console block, indented by four spaces, has lines that begin with "$ ": they run in order, in one folder a page in
  which the models of the repository are at hand, and what they print (first to standard output, then to standard
  error) is compared with the lines that follow. A line "..." stands for any number of lines. Words must be the same;
  numbers may differ by a hundredth.
- An indented block with messages or statistics in it must have its command.
- A comment in front of a block changes that:
      <!-- docs: near 0.3 -->         numbers may differ by this part of their size (counts of steps)
      <!-- docs: times -->            numbers of seconds, bytes and percent are not compared
      <!-- docs: status 2 -->         the exit status is this, and not 0
      <!-- docs: words -->            numbers are not compared at all
      <!-- docs: lines -->            each line stands somewhere in what is printed, in any order
      <!-- docs: not run, WHY -->     it cannot be run here
  They may be joined by semicolons.
- Tables have the same number of cells in every row, and no row stands apart from its table.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^```(\w*)\s*$")
NAMED = re.compile(r"`([\w.]+)`:\s*$")
NOTE = re.compile(r"<!-- docs: (.*?) -->\s*$", flags=re.S)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", flags=re.I)
PRINTED = re.compile(r"^\s*(?:error: |note: |warning: |simulated  )", flags=re.M)
TIMED = re.compile(r"[-+]?\d[\d.]*(?:e[-+]?\d+)? ?(?:s|%|B|kB|MB|GB)\b|[-+]?\d[\d.]*(?:e[-+]?\d+)? %", flags=re.I)


class Block:
    """A fenced or indented block: its language ("console" for indented ones), text, and what stands before it."""

    def __init__(self, language, text, before, line):
        self.language, self.text, self.line = language, text, line
        name, note = NAMED.search(before.rstrip()), NOTE.search(before.rstrip())
        self.name = name.group(1) if name else None
        self.notes = [part.strip() for part in note.group(1).split(";")] if note else []

    def note(self, word):
        """What follows the word among the notes; None: it is not there."""
        for part in self.notes:
            if part.startswith(word):
                return part[len(word):].strip(" ,")
        return None


def blocks(text):
    """All blocks of a page in order."""
    lines, before, k = text.split("\n"), [], 0
    while k < len(lines):
        fence, start = FENCE.match(lines[k]), k
        if fence:
            k += 1
            while k < len(lines) and not lines[k].startswith("```"):
                k += 1
            yield Block(fence.group(1), "\n".join(lines[start + 1:k]) + "\n", "\n".join(before), start + 1)
            before, k = [], k + 1
        elif lines[k].startswith("    ") and not "".join(before[-1:]).strip():
            while k < len(lines) and (lines[k].startswith("    ") or not lines[k].strip()):
                k += 1
            body = "\n".join(line[4:] for line in lines[start:k]).rstrip() + "\n"
            yield Block("console", body, "\n".join(before), start + 1)
            before = []
        else:
            before.append(lines[k])
            k += 1


# --- commands -------------------------------------------------------------------------------------------------


def run(args, folder):
    """What is wrong with a command, or None."""
    done = subprocess.run(args, cwd=folder, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{' '.join(map(str, args))}: {done.stderr.strip()}"


def program(source, folder, library):
    """Compile and run a C program against the library that was built."""
    fault = run(["cc", "-Wall", "-Wextra", "-Werror", source, "-o", "program", f"-I{ROOT}/include",
                 library, "-lm", f"-Wl,-rpath,{library.parent}"], folder)
    return fault or run(["./program"], folder)


def same_number(a, b, near):
    x, y = float(a), float(b)
    digits = 0.5 * 10.0 ** -len(a.partition(".")[2].partition("e")[0]) if "." in a and "e" not in a.lower() else 0.0
    return abs(x - y) <= near * max(abs(x), abs(y)) + digits


def same_line(shown, printed, near, times):
    """The words are the same and the numbers near."""
    if times:
        shown, printed = TIMED.sub("#", shown), TIMED.sub("#", printed)
    words = [NUMBER.sub("#", text).split() for text in (shown, printed)]
    numbers = [NUMBER.findall(text) for text in (shown, printed)]
    return (words[0] == words[1] and len(numbers[0]) == len(numbers[1]) and
            all(same_number(a, b, near) for a, b in zip(*numbers)))


def compare(shown, printed, near, times):
    """The first line that is shown and was not printed, or None. "..." skips lines."""
    k, skips = 0, False
    for line in shown:
        if line.strip() == "...":
            skips = True
            continue
        while skips and k < len(printed) and not same_line(line, printed[k], near, times):
            k += 1
        if k == len(printed) or not same_line(line, printed[k], near, times):
            return f"shows\n  {line}\nwhere the program prints\n  {printed[k] if k < len(printed) else 'nothing'}"
        k, skips = k + 1, False
    return None if skips or k == len(printed) else f"does not show\n  {printed[k]}"


def compare_any(shown, printed, near, times):
    """Each line that is shown stands somewhere."""
    for line in shown:
        if line.strip() != "..." and not any(same_line(line, other, near, times) for other in printed):
            return f"shows\n  {line}\nwhich is not among\n  " + "\n  ".join(printed)
    return None


def try_command(block, command, shown, folder, trammel):
    """Run one command of a console block; what is wrong, or None."""
    path = os.pathsep.join((str(trammel.parent), os.environ["PATH"]))
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": path, "LC_ALL": "C"}, timeout=120)
    if done.returncode != int(block.note("status") or 0):
        return f"'{command}' has exit status {done.returncode}\n{done.stderr.strip()}"
    printed = [line.rstrip() for line in (done.stdout + done.stderr).split("\n") if line.strip()]
    judge = compare_any if block.note("lines") is not None else compare
    if not shown:
        return None
    near = float("inf") if block.note("words") is not None else float(block.note("near") or 0.01)
    fault = judge(shown, printed, near, block.note("times") is not None)
    return f"'{command}' {fault}" if fault else None


def console_faults(block, folder, trammel):
    """Commands of a console block with what they print."""
    command, shown = None, []
    for line in [*block.text.rstrip("\n").split("\n"), "$ "]:
        if line.startswith("$ "):
            fault = try_command(block, command, shown, folder, trammel) if command else None
            if fault:
                yield fault
            command, shown = line[2:].strip(), []
        elif line.strip():
            shown.append(line.rstrip())


# --- pages ----------------------------------------------------------------------------------------------------


def cells(row):
    """How many cells a row of a table has; bars in code do not count."""
    return re.sub(r"\\\||`[^`]*`", "", row.strip()).strip("|").count("|") + 1


def table_faults(text):
    """Rows that their table does not hold."""
    lines, width, inside = text.split("\n"), 0, False
    for number, line in enumerate(lines, start=1):
        if FENCE.match(line) or (line.startswith("```")):
            inside = not inside
        row = line.startswith("|") and line.rstrip().endswith("|") and not inside
        first = row and width == 0
        if first:
            rule = lines[number] if number < len(lines) else ""
            width = cells(line)
            if not re.fullmatch(r"\|(\s*:?-+:?\s*\|)+", rule.strip()):
                yield f"line {number}: a row of a table without a head: {line.strip()[:60]}"
        elif row and cells(line) != width:
            yield f"line {number}: {cells(line)} cells in a table of {width}: {line.strip()[:60]}"
        width = width if row else 0


class Page:
    def __init__(self, path, trammel, library):
        self.path, self.trammel, self.library = path, trammel, library
        self.count = 0

    def block_faults(self, block, folder):
        """What is wrong with one block; counts those that were tried."""
        if block.note("not run") is not None:
            return
        if block.language in ("yaml", "c", "csv"):
            name = block.name or f"block{self.count}.{block.language}"
            (pathlib.Path(folder) / name).write_text(block.text)
        if block.language == "yaml" and block.text.startswith("trammel: 1"):
            fault = run([self.trammel, "run", "--quiet", name], folder)
            yield from [fault] if fault else []
        elif block.language == "c" and "int main(" in block.text:
            fault = program(name, folder, self.library)
            yield from [fault] if fault else []
        elif block.language == "console" and block.text.startswith("$ "):
            yield from console_faults(block, folder, self.trammel)
        elif block.language == "console" and PRINTED.search(block.text):
            yield "shows what a command prints without the command: write '$ ...' above it, or why it is not run"
        else:
            return
        self.count += 1

    def faults(self):
        text, where = self.path.read_text(), self.path.relative_to(ROOT)
        yield from (f"{where}: {fault}" for fault in table_faults(text))
        with tempfile.TemporaryDirectory(prefix="trammel-docs-") as folder:
            for name in ("models", "include", "build"):
                target = self.library.parent if name == "build" else ROOT / name
                (pathlib.Path(folder) / name).symlink_to(target)
            for block in blocks(text):
                yield from (f"{where}:{block.line}: {fault}" for fault in self.block_faults(block, folder))
        if self.count:
            print(f"{where}: {self.count} tried")


def main():
    trammel, library = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    everything = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    tried = [ROOT / "README.md", ROOT / "docs/start.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
    found = []
    for page in everything:
        where = page.relative_to(ROOT)
        if page in tried:
            found += Page(page, trammel, library).faults()
        else:
            found += [f"{where}: {fault}" for fault in table_faults(page.read_text())]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
