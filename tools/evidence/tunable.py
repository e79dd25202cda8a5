"""A build of the command whose tuning constants are read from the environment, so that one build serves for all trials.

In a copy of the sources each constant becomes a variable with a symbol of its own (tuned_K); a table of all of them, in a file that is
added, is set from TRAMMEL_TUNE="K=VALUE" before main. Each variable has a page of memory to itself: with TRAMMEL_TUNE_SEEN=FILE no page can be
read at first, the signal that a reading makes opens it, and the file gets the numbers of the constants that a run has read. What sizes an array or stands in another constant cannot be a variable: such
files do not compile, and their whole numbers, then all their constants, are left as they were.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LAYERS = ("analysis", "system", "sparse", "model", "reduce", "math")
REAL = re.compile(r"\bstatic const double ((?:\w+ = [-+\w. ]+,\s*)*\w+ = [-+\w. ]+);")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LEFT_OUT = re.compile(r"pi$|^radau_|_tables\.h|_coeffs\.h")  # not a choice

# what constants do without a word, and variables do not
QUIET = "".join(f'#pragma GCC diagnostic ignored "-W{w}"\n' for w in ("conversion", "sign-compare", "vla", "unused-variable"))

TABLE = """/* tuned.c - constants as variables. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
%s
enum { PAGE = 4096 };
static const struct {
    int number;
    volatile void *place;
} all[] = {
%s};
enum { COUNT = sizeof all / sizeof all[0] };
static bool was_read[PAGE] __attribute__((aligned(4096))); // in no page that is closed

static void reading(int number, siginfo_t *info, void *context)
{
    const uintptr_t page = (uintptr_t)info->si_addr / PAGE;
    bool found = false;
    (void)context;
    for (int k = 0; k < COUNT; ++k) {
        if ((uintptr_t)all[k].place / PAGE == page) {
            was_read[k] = found = true;
            mprotect((void *)(page * PAGE), PAGE, PROT_READ | PROT_WRITE);
        }
    }
    if (!found) {
        signal(number, SIG_DFL);
    }
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("TRAMMEL_TUNE_SEEN");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    for (int k = 0; file != NULL && k < COUNT; ++k) {
        if (was_read[k]) {
            fprintf(file, "%%d\\n", all[k].number);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

__attribute__((constructor)) static void tune(void)
{
    const char *text = getenv("TRAMMEL_TUNE");
    const char *value = text != NULL ? strchr(text, '=') : NULL;
    if (getenv("TRAMMEL_TUNE_SEEN") != NULL) {
        const struct sigaction action = {.sa_sigaction = reading, .sa_flags = SA_SIGINFO | SA_NODEFER};
        sigaction(SIGSEGV, &action, NULL);
        for (int k = 0; k < COUNT; ++k) {
            mprotect((void *)((uintptr_t)all[k].place / PAGE * PAGE), PAGE, PROT_NONE);
        }
    }
    if (value == NULL) {
        return;
    }
    switch (atoi(text)) {
%s    default:
        abort();
    }
}
"""
PLACE = '__attribute__((used, aligned(4096), section(".tuned")))'


def blank(text):
    """Without comments and strings, places kept."""
    sys.path.insert(0, str(ROOT / "tools"))
    from check_sources import code_only
    return code_only(text)


def found(listed):
    """(file, name): value; what the page lists, and all other real constants of these layers."""
    out = dict(listed)
    for layer in LAYERS:
        for path in sorted((ROOT / "src" / layer).rglob("*.[ch]")):
            where = path.relative_to(ROOT).as_posix()
            for one in REAL.finditer(blank(path.read_text())):
                for name, value in re.findall(r"(\w+) = ([^,]+)", one.group(1)):
                    if NUMBER.fullmatch(value.strip()) and not LEFT_OUT.search(where) and not LEFT_OUT.search(name):
                        out.setdefault((where, name), value.strip())
    return out


class Source:
    """One file and its constants as variables."""

    def __init__(self, copy, where, constants, nested):
        self.path, self.old = copy / where, (ROOT / where).read_text()
        self.constants = constants  # {name: (number, value)}
        self.nested = nested  # macros that stand in other constants

    def write(self, whole, real):
        """Writes the file with its whole numbers and its real ones as variables, or not; the numbers that are, {k: C type}."""
        text, done = self.old, {}
        if real:
            text = self.reals(text, done)
            text = self.macros(text, done)
        if whole:
            text = self.enums(text, done)
        if done and self.path.suffix == ".c":
            text = QUIET + text + "".join(f'__asm__(".globl tuned_{k}");\n' for k in done)
        if not (self.path.exists() and self.path.read_text() == text):
            self.path.write_text(text)
        return done

    def variable(self, kind, name, value, done):
        k = self.constants[name][0]
        done[k] = kind
        return f'static volatile {kind} {name} __asm__("tuned_{k}") {PLACE} = {value};'

    def reals(self, text, done):
        code = blank(text)
        for one in reversed(list(REAL.finditer(code))):
            pairs = [(n, v.strip()) for n, v in re.findall(r"(\w+) = ([^,]+)", one.group(1))]
            seen = re.findall(r"(\w+) = ", code[: one.start()])
            if not any(n in self.constants and n not in seen for n, _ in pairs):
                continue
            new = [self.variable("double", n, v, done) if n in self.constants and n not in seen
                   else f"static const double {n} = {v};" for n, v in pairs]
            lines = "\n" * text[one.start():one.end()].count("\n")
            text = text[: one.start()] + " ".join(new) + lines + text[one.end():]
        return text

    def macros(self, text, done):
        for name, (k, value) in self.constants.items():
            if name in self.nested:
                continue
            place = re.search(rf"^#define {name} {re.escape(value)}\b", text, re.M)
            if place:
                done[k] = "header"
                text = text[: place.start()] + f"extern volatile double tuned_{k};\n#define {name} tuned_{k}" + text[place.end():]
        return text

    def enums(self, text, done):
        for name in self.constants:
            code = blank(text)
            place = re.search(rf"enum \{{[^}}]*?\b({name}) = (\d+)[^}}]*\}};", code)
            if place:
                variable = self.variable("int", name, place.group(2), done)
                text = text[: place.end()] + " " + variable + text[place.end():]
                text = text[: place.start(1)] + f"unused_{self.constants[name][0]}" + text[place.end(1):]
        return text


def write_table(copy, kinds, values):
    """The file with the table; kinds {k: C type}."""
    declared, cases, places = [], [], []
    for k, kind in sorted(kinds.items()):
        if kind == "header":
            declared.append(f"volatile double tuned_{k} {PLACE} = {values[k]};")
        else:
            declared.append(f"extern volatile {kind} tuned_{k};")
        places.append(f"    {{{k}, &tuned_{k}}},\n")
        cases.append(f"    case {k}:\n        tuned_{k} = ({'int' if kind == 'int' else 'double'})atof(value + 1);\n        break;\n")
    path = copy / "src/base/tuned.c"
    text = TABLE % ("\n".join(declared), "".join(places), "".join(cases))
    if not (path.exists() and path.read_text() == text):
        path.write_text(text)


def prepare(copy):
    if not copy.exists():
        shutil.copytree(ROOT, copy, symlinks=True,
                        ignore=lambda d, names: [n for n in names if n in (".git", "out", "node_modules") or
                                                 (n.startswith("build") and pathlib.Path(d) == ROOT)])
    shell(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTRAMMEL_TESTS=OFF"], copy)


def shell(command, where):
    done = subprocess.run(command, cwd=where, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{(done.stdout + done.stderr)[-3000:]}")


def build(copy, jobs, listed):
    """Builds the command; (numbers of constants {(file, name): k}, those that are variables)."""
    constants = found(listed)
    number = {key: k for k, key in enumerate(sorted(constants), 1)}
    prepare(copy)
    sources, level = {}, {}
    for (where, name), k in number.items():
        sources.setdefault(where, {})[name] = (k, constants[where, name])
    code = "".join(blank(path.read_text()) for path in (ROOT / "src").rglob("*.[ch]"))
    nested = set(re.findall(r"const double [^;]*= (TML_\w+)", code))
    sources = {w: Source(copy, w, names, nested) for w, names in sources.items()}
    while True:
        kinds = {}
        for where, source in sources.items():
            kinds.update(source.write(level.get(where, 0) < 1, level.get(where, 0) < 2))
        write_table(copy, kinds, {k: constants[key] for key, k in number.items()})
        shell(["cmake", "-S", ".", "-B", "build"], copy)  # the table is a new file
        done = subprocess.run(["ninja", "-C", "build", f"-j{jobs}", "-k", "0", "trammel"], cwd=copy, capture_output=True, text=True,
                              env={**os.environ, "NINJA_STATUS": ""})
        if done.returncode == 0:
            return constants, number, set(kinds)
        failed = set(re.findall(r"^FAILED: \S*?(src/[\w/]+\.c)\.o", done.stdout, re.M)) & sources.keys()
        failed = {w for w in failed if level.get(w, 0) < 2}
        if not failed:
            sys.exit(done.stdout[-3000:])
        for where in failed:
            level[where] = level.get(where, 0) + 1
