#!/usr/bin/env python3
"""Every constant of docs/develop/constants.md stands in the code with that value, every constant of the code has a row, and what is said
to be tried was tried.

    tests/docs/test_constants.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/evidence"))
import constants  # noqa: E402
import constants_bulk  # noqa: E402
import tunable  # noqa: E402


def wrong_rows(page, read):
    """What is wrong with the rows of a page; read: text of a file, None: there is none."""
    out = []
    for (file, name), value in constants.constants_of(page).items():
        text = read(file)
        if text is None:
            out.append(f"{file}: no such file")
        elif constants.place_of(text, name, value) is None:
            out.append(f"{file}: {name} = {value} does not stand there once")
    return out


def wrong_trials(page):
    """Constants that are to be tried and have no row, rows of trials with another value, and 'tried below' without figures."""
    known = constants.constants_of(page)
    out = [f"{f}: {n} is tried and not in the tables" for f, n, _ in constants.TRIALS if (f, n) not in known]
    measured = page.split(constants.MARKS[0])[1].split(constants.MARKS[1])[0]
    rows = re.findall(r"^\| `([\w.]+)` `(\w+)` \| (\S+) \|", measured, re.M)
    values = {(f.rsplit("/", 1)[1], n): v for (f, n), v in known.items()}
    out += [f"{f} {n}: figures of the value {v}, which is {values.get((f, n))}" for f, n, v in rows if values.get((f, n)) != v]
    where = None
    for line in page.splitlines():
        head = re.match(r"`src/[\w/]*/([\w.]+)`", line)
        row = re.match(r"\| `(\w+)` \| `[^`]+` \|.*tried below", line)
        where = head.group(1) if head else where
        if row and not any((f, n) == (where, row.group(1)) for f, n, _ in rows):
            out.append(f"{where}: {row.group(1)} is said to be tried, without figures")
    return out


def wrong_bulk(page, read):
    """Rows of the table of thirds and triples whose constant has another value by now, or is gone."""
    table = page.split(constants_bulk.MARKS[0])[1].split(constants_bulk.MARKS[1])[0]
    rows = re.findall(r"^\| `([\w./]+)` \| `(\w+)` \| (\S+) \|", table, re.M)
    return [f"{f}: {n} = {v} was tried, and is not there: constants_bulk.py --only {n}" for f, n, v in rows
            if not re.search(rf"\b{n}\b(?: =)? {re.escape(v)}(?![\w.])", read("src/" + f) or "")]


WHOLE = ("analysis", "system", "sparse")  # layers whose whole numbers are limits of iterations, not codes or sizes
NO_LIMIT = {  # whole numbers in .c files of these layers that size lists or texts, or are facts of a method
    "KEPT", "MOST_PIECES", "CUBIC_ORDER", "NAMED", "STANDARD_MODES", "HIGH_ORDER", "LOW_ENDS", "MAX_BODIES", "MAX_FLEXIBLE", "LISTED",
    "SLOTS_A_SHAPE", "CHUNK", "NOTES", "SEARCHED_MOST", "SEARCHED_LEAST", "ROOM", "MOST_SAMPLES", "SPARE"}


def whole_numbers(code):
    """Names of whole numbers in `enum {...}` of a source without comments that are no sizes of arrays."""
    for one in re.finditer(r"\benum \{([^}]*)\};", code):
        for name in re.findall(r"(\w+) = \d", one.group(1)):
            if not re.search(rf"\[[^\]]*\b{name}\b", code) and name not in NO_LIMIT:
                yield name


def without_row(page, sources):
    """Constants of the sources, {file: text without comments}, that no table of the page lists."""
    known, out = constants.constants_of(page), []
    for file, code in sources.items():
        names = [name for one in tunable.REAL.finditer(code) for name, value in re.findall(r"(\w+) = ([^,]+)", one.group(1))
                 if tunable.NUMBER.fullmatch(value.strip()) and not tunable.LEFT_OUT.search(file) and not tunable.LEFT_OUT.search(name)]
        if file.endswith(".c") and file.split("/")[1] in WHOLE:
            names += whole_numbers(code)
        out += [f"{file}: {name} has no row in docs/develop/constants.md" for name in names if (file, name) not in known]
    return out


def all_sources():
    paths = [p for layer in tunable.LAYERS for p in sorted((ROOT / "src" / layer).rglob("*.[ch]"))]
    return {p.relative_to(ROOT).as_posix(): tunable.blank(p.read_text()) for p in paths}


def read_source(name):
    path = ROOT / name
    return path.read_text() if path.is_file() else None


def planted(page):
    """Faults that must be found: another value in the code, a name that is gone, a file that is gone."""
    source = read_source("src/analysis/driver/step_control.c")
    faults = [source.replace("bias = 6.0", "bias = 6.5"), source.replace("idle_growth", "lazy_growth"), None]
    for fault in faults:
        if not wrong_rows(page, lambda name: fault if name.endswith("step_control.c") else read_source(name)):
            yield "a planted fault is not found"
    row = "\n| `analysis/driver/step_control.c` | `bias` | 5.0 | nothing changes | nothing changes |"
    if not wrong_bulk(page.replace(constants_bulk.MARKS[0], constants_bulk.MARKS[0] + row), read_source):
        yield "a trial of another value is not found"
    new = "static const double odd_limit = 0.25;\nenum { ODD_LIMIT = 7 };\n"
    if len(without_row(page, {"src/analysis/driver/step_control.c": new})) != 2:
        yield "a constant without a row is not found"
    if not wrong_trials(page.replace("| `step_control.c` `bias` | 6.0 |", "| `step_control.c` `bias` | 5.0 |")):
        yield "figures of another value are not found"


def main():
    page = constants.PAGE.read_text()
    wrong = wrong_rows(page, read_source) + wrong_trials(page) + wrong_bulk(page, read_source)
    wrong += without_row(page, all_sources()) + list(planted(page))
    print("\n".join(wrong) or f"{len(constants.constants_of(page))} constants are as the page says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
