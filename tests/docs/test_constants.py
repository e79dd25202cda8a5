#!/usr/bin/env python3
"""Every constant of docs/develop/constants.md stands in the code with that value, and what is said to be tried was tried.

    tests/docs/test_constants.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/evidence"))
import constants  # noqa: E402
import constants_bulk  # noqa: E402


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
    if not wrong_trials(page.replace("| `step_control.c` `bias` | 6.0 |", "| `step_control.c` `bias` | 5.0 |")):
        yield "figures of another value are not found"


def main():
    page = constants.PAGE.read_text()
    wrong = wrong_rows(page, read_source) + wrong_trials(page) + wrong_bulk(page, read_source) + list(planted(page))
    print("\n".join(wrong) or f"{len(constants.constants_of(page))} constants are as the page says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
