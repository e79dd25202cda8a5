#!/usr/bin/env python3
"""Includes point down the layers, third-party headers stay in their one layer, private headers in theirs, nothing is
cyclic, analysis knows neither the fields of the system nor the types of elements, and parts of a run have owners.

The rules are the tables LAYERS, THIRD_PARTY, PRIVATE, ONLY, UNSPOKEN and PARTS; docs/develop/layers.md has the reasons.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# layer: the layers it may include, beside itself and what those may include
LAYERS = {
    "base": [],
    "math": ["base"],
    "sparse": ["math"],
    "expr": ["math"],
    "model": ["expr", "math"],
    "system": ["model", "sparse"],
    "analysis": ["system"],
    "adams": ["model"],
    "reduce": ["model", "sparse"],
    "io": ["analysis", "adams", "reduce"],
}

# header pattern: folders that may include it
THIRD_PARTY = [
    (r"(klu|amd|btf|colamd|cholmod|SuiteSparse.*)\.h", ["src/sparse", "tests/sparse"]),
    (r"arpack/arpack\.h", ["src/sparse"]),
    (r"(lapacke?|cblas)\.h", ["src/math"]),
    (r"(hdf5|H5.*)\.h", ["src/io", "tests/io", "tests/fuzz"]),
    (r"libfyaml\.h", ["src/io"]),
    (r"cairo\.h", ["src/io"]),
    (r"nlopt\.h", ["src/io"]),
    (r"zlib\.h", ["src/io", "tests/io", "tests/fuzz"]),
    (r"omp\.h", ["src/analysis"]),
    (r"mpi\.h", ["mpi"]),
    (r"cmocka\.h", ["tests"]),
    (r"(linux/(filter|seccomp)|sys/(ptrace|syscall|uio|user))\.h", ["tests"]),  # fault.c
    (r"sys/prctl\.h", ["tests", "cli"]),  # children that end with their parent
    (r"(cvode|nvector|sunnonlinsol|sunlinsol|sunmatrix|mujoco)/\w+\.h", ["bench"]),  # to compare with
    (r"trammel/\w+\.h", ["examples"]),  # as a program outside the tree writes it
]

# header: folders from which includes may lead to it, also by way of others
PRIVATE = {
    "src/system/system_internal.h": ["src/system", "tests/system"],
    "src/analysis/driver/sim_internal.h": [
        "src/analysis", "tests/analysis", "tests/mechanisms", "tests/model", "tests/robust", "tests/system", "bench",
    ],
}

# (layer, layer below): what the one may include of the other; a folder stands for all that is in it
ONLY = {
    ("analysis", "system"): [
        "system/system.h",
        "system/coordinates/charts.h",
        "system/coordinates/cut.h",
        "system/coordinates/partition.h",
        "system/recursion/recursion.h",
        "system/flexible/turn.h",
        "system/matrix/stages.h",
    ],
    ("analysis", "model"): [
        "model/model.h",
        "model/flexible/flexible.h",
        "model/flexible/mesh.h",
        "model/measure/past.h",
    ],
    ("io", "system"): [],
    ("io", "analysis"): [
        "analysis/driver/sim_facts.h",
        "analysis/driver/image.h",
        "analysis/integrator/integrator.h",
        "analysis/sensitivity/sensitivity.h",
    ],
}

# how code tells a type from others that has no business to: what is a fact of a type stands in its table
NAMED = r'\bstrn?(?:case)?cmp\([^;]*\btype->info\.name, *""'
# files that may: pairs of shapes are found by both types, the chooser picks methods by their names
MAY_NAME = {
    "src/analysis/driver/choose.c",
    "src/model/contact/bristle_states.c",
    "src/model/contact/shape/own_pairs.c",
    "src/model/model.c",
}

# layer: what its code does not say, and what is wrong with it; "": any layer
UNSPOKEN = {
    "": [
        (NAMED, "tells a type by its name: ask its table"),
        (r"[!=]= *&\s*tml_(body|constraint|force|flex|press|slip|roll|shape|tyre|road|integrator)_\w+",
         "tells a type by its address: ask its table"),
    ],
    "analysis": [
        (r"\b(bodies|constraints|forces)\s*\.\s*at\b", "indexes elements of the model: ask the system"),
        (r"\bTml(Body|Constraint|Force)Type\b", "knows that elements have types: ask the system"),
        (r"\btml_(body|constraint|force)_types\b|&\s*tml_(body|constraint|force)_\w+", "compares types of elements"),
        (r"\b(meshes|flexes)\s*\.\s*at\b", "indexes flexible bodies of the model: ask the system"),
        (r"\bu0\s*(\+|>=)\s*3\b|\bnu\s*(==|>=|>)\s*[36]\b", "knows the order of a body's unknowns: ask tml_triple"),
    ],
}

# part of a TmlSim: the files of src/analysis that may say its name, a folder with "/"; others call these
PARTS = {
    "account": "rows/account.c",
    "breaks": "driver/step_breaks.c",
    "chooser": "driver/choose.c",
    "delays": "driver/step_delays.c",
    "drives": "driver/step_drives.c",
    "error": "driver/error_check.c",
    "events": "driver/events.c",
    "path": "rows/row_path.c",
    "rows": "rows/",
    "runaway": "driver/runaway.c",
    "scales": "driver/state_scales.c",
    "tries": "driver/tries.c",
}

LIBC = set(
    """assert ctype errno fcntl fenv float inttypes limits locale math pthread setjmp signal
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string strings tgmath threads
    time unistd wchar malloc arpa/inet netinet/in sys/file sys/ioctl sys/sysmacros sys/mman sys/random sys/resource sys/socket sys/stat sys/statvfs sys/time sys/types
    sys/wait dirent glob getopt dlfcn fnmatch link poll termios""".split()
)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def below(layer):
    """All layers that `layer` may include."""
    seen = {layer}
    for other in LAYERS[layer]:
        seen |= below(other)
    return seen


def includes(path):
    """(line number, '<' or '"', name) of each include of a file."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def angle_fault(path, name):
    """What is wrong with #include <name>, or None."""
    folder = path.parent.relative_to(ROOT).as_posix()
    if name.endswith(".h") and name[:-2] in LIBC:
        return None
    for pattern, folders in THIRD_PARTY:
        if re.fullmatch(pattern, name):
            if any(folder == f or folder.startswith(f + "/") for f in folders):
                return None
            return f"<{name}> belongs to {', '.join(folders)} only"
    return f"<{name}> is neither libc nor a header that a layer may use"


def quote_fault(path, name):
    """What is wrong with #include "name", or None."""
    area = path.relative_to(ROOT).parts
    public = name.startswith("trammel/")
    if area[0] == "include":
        return None if public else f'"{name}": public headers include each other and libc only'
    if public:
        return None if (ROOT / "include" / name).exists() else f'"{name}" does not exist'
    if area[0] == "cli":
        return None if (ROOT / "cli" / name).exists() else f'"{name}": the command sees include/ only'
    if area[0] in ("examples",):
        return f'"{name}": examples see include/ only'
    if area[0] == "src":
        if not (ROOT / "src" / name).exists():
            return f'"{name}" does not exist under src/ (paths are written from there)'
        layer = name.split("/")[0]
        if layer not in below(area[1]):
            return f'"{name}": {area[1]} may not include {layer}'
        only = ONLY.get((area[1], layer))
        if only is not None and name not in only:
            return f'"{name}": {area[1]} may include of {layer} {", ".join(only) or "nothing"} only'
        return None
    # tests and benchmarks: what they need, from src/ or tests/ or beside them
    places = [ROOT / "src", ROOT / "tests", path.parent]
    return None if any((p / name).exists() for p in places) else f'"{name}" does not exist'


def private_faults(graph):
    """Files that reach a private header from outside, with the include that leads there."""

    def reaches(node, target, seen):
        seen.add(node)
        return node == target or any(
            other not in seen and reaches(other, target, seen) for other in graph.get(node, [])
        )

    for target, folders in PRIVATE.items():
        for where in graph:
            if not any(where.startswith(f + "/") for f in folders):
                for other in graph[where]:
                    if reaches(other, target, set()):
                        yield f"{where}: {other} leads to {target}, which is private to {', '.join(folders)}"


def code_lines(text):
    """Lines of C without comments and strings."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text).splitlines()


def spoken_faults(path):
    """(line number, what is wrong) of code that says what its layer should not know."""
    area = path.relative_to(ROOT).parts
    if area[0] != "src":
        return
    rules = UNSPOKEN.get(area[1], []) + (UNSPOKEN[""] if path.relative_to(ROOT).as_posix() not in MAY_NAME else [])
    for number, line in enumerate(code_lines(path.read_text()), 1):
        for pattern, fault in rules:
            match = re.search(pattern, line)
            if match:
                yield number, f"'{match.group()}': {area[1]} {fault}"


def part_faults(path):
    """(line number, what is wrong) of code that reaches into a part of a run whose owner is another file."""
    where = path.relative_to(ROOT).as_posix()
    if not where.startswith("src/"):
        return
    for number, line in enumerate(code_lines(path.read_text()), 1):
        for part in re.findall(r"(?:\bsim|[*>]\s*sim\s*\))\s*->\s*(\w+)", line):
            owner = PARTS.get(part)
            if owner and not where.removeprefix("src/analysis/").startswith(owner):
                yield number, f"'sim->{part}' belongs to analysis/{owner}: call it"


def cycle(graph):
    """A list of files that include each other in a ring, or None."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for other in graph.get(node, []):
            if state.get(other) == "open":
                return trail[trail.index(other) :] + [other] if other in trail else [node, other]
            if other not in state:
                ring = visit(other, trail + [other])
                if ring:
                    return ring
        state[node] = "done"
        return None

    for node in graph:
        if node not in state:
            ring = visit(node, [node])
            if ring:
                return ring
    return None


def main():
    faults, graph = [], {}
    files = [
        path
        for area in ("include", "src", "cli", "tests", "bench", "examples")
        for path in sorted((ROOT / area).rglob("*.[ch]"))
    ]
    for path in files:
        where = path.relative_to(ROOT).as_posix()
        if where.startswith("src/") and path.relative_to(ROOT).parts[1] not in LAYERS:
            faults.append(f"{where}: not in a layer")
            continue
        for number, kind, name in includes(path):
            fault = angle_fault(path, name) if kind == "<" else quote_fault(path, name)
            if fault:
                faults.append(f"{where}:{number}: {fault}")
            target = ("include/" if name.startswith("trammel/") else "src/") + name
            if kind == '"' and (ROOT / target).exists():
                graph.setdefault(where, []).append(target)
            elif kind == '"' and where.startswith("tests/") and (ROOT / "tests" / name).exists():
                graph.setdefault(where, []).append("tests/" + name)
        told = [*spoken_faults(path), *part_faults(path)]
        faults += [f"{where}:{number}: {fault}" for number, fault in told]
    faults += private_faults(graph)
    ring = cycle(graph)
    if ring:
        faults.append("cycle: " + " -> ".join(ring))
    print("\n".join(faults) if faults else f"{len(files)} files keep to their layers")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
