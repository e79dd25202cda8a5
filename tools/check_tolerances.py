#!/usr/bin/env python3
"""Every limit of a comparison in tests/ says where it comes from: rounding, truncation, the digits
of a printed value, the error of a difference quotient, a measured deviation.

A limit is a number in the last argument of CHECK_NEAR, in the argument of a test's own function
whose parameter is called tol or limit, or, when small, behind < inside of CHECK; in Python, a small
number behind <, or behind > after abs(), or the limit of an assertion of unittest. A comment with a
word of REASON explains it that stands in its statement, above it in the same paragraph, or at the
head of its function; so does one that explains the same number earlier in the function. A named
constant is explained where it is defined, be it in a header. A limit that stands in a table of cases, as
an array or as a field of structs, is explained beside the field, in the table or above it, too. The head of
a file may explain "each limit" or "each bound" of it.

    check_tolerances.py [--count] [FOLDER]     --count prints only how many limits there are
"""
import argparse
import bisect
import collections
import pathlib
import re
import sys

from check_sources import TOKEN, code_only

ROOT = pathlib.Path(__file__).resolve().parent.parent
# words of a reason, or the number of an estimate: the first kind counts anywhere, the second beside
# the comparison only, as the head of a function speaks of errors and orders for other reasons too
STRICT = (
    r"\brounding|\brounded\b|\brounds\b|\beps\b|\bulps?\b|digit|bits\b|truncat|toleran|quotient"
    r"|h\^|h\*\*|accura|resolution|measured|quadrature|precision|\d[eE]-\d|\d ?%"
)
LOOSE = (
    r"|printed|publish|extrapolat|error|(?<!in )(?<!another )(?<!any )\border|differences|exact"
    r"|converge|Newton|residual"
    r"|condition|mesh|penalty|deviat|solver|pixel|\bas (?:above|below|before|in \w+_\w+)|see above"
)
REASON = re.compile(STRICT + LOOSE, re.I)
STRICT = re.compile(STRICT, re.I)
NUMBER = r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])"
SMALL = r"(?<![\w.])\d+(?:\.\d*)?[eE]-\d+(?![\w.])"
WORD = r"(?:tol|tolerance|limit|within|accuracy|allowed|margin|bound)"

FIELD = re.compile(r"(?:->|\.)\s*([A-Za-z_]\w*)")

Site = collections.namedtuple("Site", "start end limit")  # lines from 0, text of the limit


class File:
    """Code and comments of a file by lines, and its functions."""

    def __init__(self, text, python):
        self.text = text
        self.code = python_code(text) if python else code_only(text)
        self.lines = self.code.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.notes = self.comments(python)
        in_c = r"^(?!(?:static )?const|typedef|extern)\w[^;=\n]*\("
        head = r"^ *def \w+|^class \w+" if python else in_c
        self.heads = [self.line(m.start()) for m in re.finditer(head, self.code, re.M)]
        self.constants = self.find_constants(python)
        self.fields = {} if python else self.find_fields()
        # a file may explain all of its limits at its head
        covered = re.search(r"\b(each|every|all) (bound|limit)", self.notes[0], re.I)
        self.covered = covered is not None

    def line(self, at):
        return bisect.bisect_right(self.starts, at) - 1

    def comments(self, python):
        """The text of comments by line; one of several lines counts as a whole on each."""
        notes = collections.defaultdict(str)
        pattern = re.compile(r'#[^\n]*|"""(?:.|\n)*?"""') if python else TOKEN
        for match in pattern.finditer(self.text):
            words = match.group(0)
            if words.startswith(("//", "/*", "#", '"""')):
                first = self.line(match.start())
                for number in range(first, first + words.count("\n") + 1):
                    notes[number] += words
        return notes

    def find_constants(self, python):
        """Lines where names of constants are defined by numbers."""
        if python:
            name = rf"(?:[A-Z][A-Z0-9_]+|{WORD})"
            declared = re.finditer(rf"^ *{name} = [^\n]*{NUMBER}", self.code, re.M)
        else:
            declared = re.finditer(
                rf"^#define \w+ +[^\n]*{NUMBER}|\bconst double \w+ = [^;{{]*{NUMBER}[^;]*;"
                rf"|\bconst double \w+(?:\[[^\]]*\])+ = \{{[^;]*{NUMBER}[^;]*;",
                self.code,
                re.M,
            )
        found = collections.defaultdict(list)
        for one in declared:
            for name in re.finditer(r"^#define (\w+) |\b(\w+)(?:\[[^\]]*\])* = ", one.group(0)):
                line = self.line(one.start() + name.start())
                found[name.group(1) or name.group(2)].append(line)
        return found

    def find_fields(self):
        """Fields of numbers in structs of which the file has tables: what comments say of them, with the name of the field."""
        found = collections.defaultdict(list)
        struct = r"(typedef|static const) struct \w*\s*\{([^{}]*)\}\s*(\w+)(?:\[[^\]]*\])*( =)?"
        for one in re.finditer(struct, self.code):
            tables = [one] if one.group(1) != "typedef" else re.finditer(
                rf"\bconst {one.group(3)} \w+(?:\[[^\]]*\])+ = ", self.code)
            said = [self.said(at.start(), self.code.find(";", at.end())) for at in tables]
            for names in re.finditer(r"\bdouble ([^;]*);", one.group(2) if said else ""):
                first = self.line(one.start(2) + names.start())
                last = self.line(one.start(2) + names.end())
                beside = " ".join(self.notes[k] for k in range(first, last + 1))
                for name in re.findall(r"\b([A-Za-z_]\w*)(?:\[[^\]]*\])?(?:,|$)", names.group(1)):
                    found[name] += [beside + " " + words for words in said]
        return found

    def said(self, start, end):
        """Comments in a piece of code, and right above it."""
        first, words = self.line(start), []
        words += [self.notes[k] for k in range(first, self.line(end) + 1)]
        while first > 0 and self.text_line(first - 1).strip() and not self.lines[first - 1].strip():
            first -= 1
            words.append(self.notes[first])
        return " ".join(words)

    def defined(self, name, number):
        """The line that defines a constant for this one: in its function, else of the file."""
        head = self.head_of(number)
        for line in reversed(self.constants.get(name, [])):
            if not self.lines[line].startswith(" ") or head <= line <= number:
                return line
        return None

    def head_of(self, number):
        at = bisect.bisect_right(self.heads, number) - 1
        return self.heads[at] if at >= 0 else 0

    def explained(self, start, end):
        """Whether a comment in the statement, above it in its paragraph, or at the head of its
        function gives a reason."""
        words = [self.notes[k] for k in range(start, end + 1)]
        inside = self.lines[start].startswith(" ")  # of a function
        head = self.head_of(start) if inside else -1
        k = start - 1
        while k > head and self.text_line(k).strip() and self.text_line(k).strip() != "{":
            words.append(self.notes[k])
            k -= 1
        above = [self.notes[head], self.notes[head + 1]] if inside else []
        k = head - 1
        while k >= 0 and not self.lines[k].strip() and self.notes[k]:
            above.append(self.notes[k])
            k -= 1
        return bool(REASON.search(" ".join(words)) or STRICT.search(" ".join(above)))

    def text_line(self, k):
        return self.text[self.starts[k] : self.starts[k + 1] - 1]


def python_code(text):
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    pattern = r'"""(?:.|\n)*?"""|#[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, blank, text)


def arguments(code, at):
    """The arguments of the call whose parenthesis opens at, as (start, text), and its end."""
    depth, start, found = 0, at + 1, []
    for k in range(at, len(code)):
        if code[k] in "([{":
            depth += 1
        elif code[k] in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and code[k] == ","):
            found.append((start, code[start:k]))
            start = k + 1
        if depth == 0:
            return found, k
    return found, len(code)


def own_functions(code):
    """Functions of a file with a parameter for a limit: name and index of the parameter."""
    found = {}
    for match in re.finditer(r"^(?:static |inline )*void (?!run)(\w+)(\()", code, re.M):
        for k, (_, parameter) in enumerate(arguments(code, match.start(2))[0]):
            if re.fullmatch(rf"\s*(?:const )?double {WORD}\s*", parameter):
                found[match.group(1)] = k
    return found


def c_sites(file, functions):
    own = {"CHECK_NEAR": 3, **functions, **own_functions(file.code)}
    defined = set(file.heads)
    for match in re.finditer(r"\b(\w+)(\()", file.code):
        name = match.group(1)
        first = file.line(match.start())
        if name in own and first not in defined:
            args, end = arguments(file.code, match.start(2))
            if own[name] < len(args):
                yield Site(first, file.line(end), args[own[name]][1].strip())
        elif name == "CHECK":
            args, end = arguments(file.code, match.start(2))
            for part in re.split(r"&&|\|\|", ",".join(text for _, text in args[1:])):
                compared = re.search(r"<=?([^<>=]+)$", part)
                if not compared:
                    continue
                fields = FIELD.findall(compared.group(1))
                if re.match(rf"(?!\s*-).*{SMALL}", compared.group(1), re.S) or file.fields.keys() & set(fields):
                    yield Site(first, file.line(end), compared.group(1).strip())


def python_sites(file, _):
    limit = rf"[^<>=\n:]*?{SMALL}"
    pattern = rf"<=? *{limit}|\babs\([^\n]*\) >=? *{limit}|(?:(?:rel|abs)_tol|delta|places)=[^,)]*"
    for match in re.finditer(pattern, file.code):
        number = file.line(match.start())
        yield Site(number, number, re.sub(r"^.*[<>=] *", "", match.group(0)))
    for match in re.finditer(r"\bassertLess(?:Equal)?(\()", file.code):
        args, end = arguments(file.code, match.start(1))
        if len(args) > 1 and re.search(SMALL, args[1][1]):
            yield Site(file.line(match.start()), file.line(end), args[1][1].strip())


class Shared:
    """What headers give to other files: functions with a limit, constants with a reason."""

    def __init__(self, texts=()):
        self.functions, self.constants = {}, set()
        for file in (File(text, False) for text in texts):
            self.functions.update(own_functions(file.code))
            for name in file.constants:
                line = file.defined(name, len(file.lines))
                if line is not None and file.explained(line, line):
                    self.constants.add(name)


def check(where, text, shared=Shared()):
    """Limits of a file and faults among them."""
    python = where.endswith(".py")
    file, count, faults, known = File(text, python), 0, [], set()
    for site in (python_sites if python else c_sites)(file, shared.functions):
        numbers, words = re.findall(NUMBER, site.limit), re.findall(r"[A-Za-z_]\w*", site.limit)
        names = [file.defined(w, site.start) for w in words]
        names = [line for line in names if line is not None]
        given = shared.constants.intersection(words)
        told = [text for field in FIELD.findall(site.limit) for text in file.fields.get(field, ())]
        if not names and not given and not told and not any(float(n) != 0 for n in numbers):
            continue  # exact, or handed down by the caller
        count += 1
        key = (file.head_of(site.start), tuple(sorted(set(re.findall(SMALL, site.limit)))))
        places = [(site.start, site.end)] + [(line, line) for line in names]
        explained = file.covered or given or any(file.explained(*place) for place in places)
        explained = explained or (told and all(REASON.search(text) for text in told))
        if explained or (key[1] and key in known):
            known.add(key)
        else:
            limit = " ".join(site.limit.split())
            faults.append(f"{where}:{site.start + 1}: {limit}: why this limit?")
    return count, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", nargs="?", default=ROOT / "tests", type=pathlib.Path)
    parser.add_argument("--count", action="store_true", help="print only how many limits there are")
    args = parser.parse_args()
    total, faults = 0, []
    shared = Shared(path.read_text() for path in args.folder.rglob("*.h"))
    for path in sorted(p for p in args.folder.rglob("*.*") if p.suffix in (".c", ".h", ".py")):
        count, wrong = check(path.as_posix(), path.read_text(), shared)
        total += count
        faults += wrong
    if faults and not args.count:
        print("\n".join(faults))
    print(f"{total} limits, {total - len(faults)} with a reason")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
