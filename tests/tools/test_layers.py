#!/usr/bin/env python3
"""test_layers.py - tools/check_layers.py passes the tree as it is and finds a violation of each of its rules.

Violations are planted in a copy of the sources, each in a file of its own, and each must be told with its file; what is allowed
is planted beside them and must not be.
"""
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
AREAS = ["include", "src", "cli", "tests", "bench", "examples"]

spec = importlib.util.spec_from_file_location("check_layers", ROOT / "tools/check_layers.py")
rules = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rules)
failures, plants = [], []


def copy_tree(copy):
    for area in AREAS:
        for path in (ROOT / area).rglob("*.*"):
            if path.suffix not in (".c", ".h", ".def"):
                continue
            target = copy / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    (copy / "tools").mkdir()
    shutil.copy(ROOT / "tools/check_layers.py", copy / "tools")


def check(copy):
    done = subprocess.run([sys.executable, copy / "tools/check_layers.py"], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines()


def planted(copy, files, expected, what):
    """Writes the files, {path: text}, under names of their own, and notes how many faults they must bring."""
    number = len(plants)
    written = []
    for path, text in files.items():
        target = copy / path.replace("planted", f"planted_{number}_")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.replace("planted", f"planted_{number}_"))
        written.append(target.relative_to(copy).as_posix())
    plants.append((written, expected, what))


def harvest(copy):
    """One run tells the faults of all plants, as many as were noted for each, and no others."""
    code, lines = check(copy)
    for written, expected, what in plants:
        about = [line for line in lines if any(path in line for path in written)]
        if len(about) != expected:
            failures.append(f"{what}: {expected} faults expected, these told:\n  " + "\n  ".join(about))
    total = sum(expected for _, expected, _ in plants)
    if code != 1 or len(lines) != total:
        failures.append(f"exit {code}, {len(lines)} faults where {total} were planted")


def include(*names):
    return "".join(f"#include {name}\n" for name in names)


def header_of(layer):
    """A header of the layer that all above may include, as far as rules of its own go."""
    first = {"system": "system/system.h", "model": "model/model.h", "analysis": "analysis/driver/sim_facts.h"}
    names = sorted(p.relative_to(ROOT / "src").as_posix() for p in (ROOT / "src" / layer).rglob("*.h"))
    return first.get(layer, names[0])


def layers(copy):
    for layer in rules.LAYERS:
        open_to = rules.below(layer)
        closed = [other for other in rules.LAYERS if other not in open_to]
        allowed = [o for o in open_to if rules.ONLY.get((layer, o)) != [] and o != layer]
        path = f"src/{layer}/planted.c"
        up = include(*(f'"{header_of(other)}"' for other in closed))
        down = include(*(f'"{header_of(other)}"' for other in allowed))
        planted(copy, {path: up}, len(closed), f"{layer} includes what is above it")
        planted(copy, {path: down}, 0, f"{layer} includes what is below it")
    planted(copy, {"src/attic/planted.c": "\n"}, 1, "a folder that is no layer")
    planted(copy, {"src/math/planted.c": include('"base/nowhere.h"')}, 1, "a header that is not there")
    for area in ("include/trammel", "cli", "examples"):
        planted(copy, {f"{area}/planted.h": include('"base/arena.h"')}, 1, f"{area} includes src")


def third_party(copy):
    samples = {
        "klu.h": "src/system", "cholmod.h": "src/model", "SuiteSparse_config.h": "src/analysis",
        "arpack/arpack.h": "src/analysis", "lapacke.h": "src/sparse", "cblas.h": "src/model",
        "hdf5.h": "src/analysis", "H5public.h": "cli", "libfyaml.h": "src/model", "cairo.h": "cli", "nlopt.h": "src/analysis",
        "zlib.h": "src/base", "omp.h": "src/system", "mpi.h": "src/analysis", "sys/prctl.h": "src/io", "cmocka.h": "src/base", "cvode/cvode.h": "src/analysis",
        "trammel/analysis.h": "src/io", "linux/seccomp.h": "src/io", "unheard_of.h": "src/io",
    }
    seen = {p for p, _ in rules.THIRD_PARTY for n in samples if rules.re.fullmatch(p, n)}
    for pattern, _ in rules.THIRD_PARTY:
        if pattern not in seen:
            failures.append(f"THIRD_PARTY has a row without a violation here: {pattern}")
    for name, folder in samples.items():
        planted(copy, {f"{folder}/planted.c": include(f"<{name}>")}, 1, f"<{name}> in {folder}")
    planted(copy, {"src/base/planted.c": include("<math.h>", "<sys/stat.h>")}, 0, "libc")


def private(copy):
    for header, folders in rules.PRIVATE.items():
        name = f'"{header.removeprefix("src/")}"'
        home = header.removeprefix("src/").split("/")[0]
        way = f'"{home}/planted.h"'
        for place in ("src/analysis", "src/io", "tests/io", "tests/analysis", "bench"):
            if place in folders:
                continue
            faults = 2 if place.startswith("src") else 1  # it is not in ONLY, either
            planted(copy, {f"{place}/planted.c": include(name)}, faults, f"{place} includes {name}")
        for place in folders:
            planted(copy, {f"{place}/planted.c": include(name)}, 0, f"{place} includes {name}, its own")
        both = {f"src/{home}/planted.h": include(name), "tests/io/planted.c": include(way)}
        planted(copy, both, 1, f"{name} by way of another")
    for (layer, other), only in rules.ONLY.items():
        planted(copy, {f"src/{layer}/planted.c": include(*(f'"{n}"' for n in only))}, 0, f"{layer}, {other}")
        sample = {"system": "system/coordinates/tree.h", "model": "model/registry.h",
                  "analysis": "analysis/driver/choose.h"}[other]
        planted(copy, {f"src/{layer}/planted.c": include(f'"{sample}"')}, 1, f"{layer} includes {sample}")


def unspoken(copy):
    bad = [
        "int f(const TmlModel *m) { return m->constraints.at[0].n_ends; }",
        "int f(const TmlModel *m) { return m->forces.at[0].n_f; }",
        "const char *f(const TmlModel *m) { return m->bodies.at[0].name; }",
        "int f(const TmlBodyType *type) { return type->nq; }",
        "int f(const TmlConstraintType *type) { return type->rows; }",
        "int f(const TmlForceType *type) { return type == tml_force_types[0]; }",
        "int f(const TmlBody *b) { return b->type == &tml_body_rigid; }",
        "int f(const TmlModel *m) { return m->meshes.at[0].n_nodes; }",
        "int f(const TmlModel *m) { return m->flexes.at[0].table; }",
        "int f(const TmlDims *dim, int b) { return dim->span[b].u0 + 3; }",
        "bool f(const TmlDims *dim, int b, int k) { return k - dim->span[b].u0 >= 3; }",
        "bool f(const TmlDims *dim, int b) { return dim->span[b].nu == 6; }",
    ]
    for line in bad:
        address = "== &tml_" in line  # wrong in every layer, and in analysis for two reasons
        faults = 2 if "tml_force_types" in line or address else 1
        planted(copy, {"src/analysis/driver/planted.c": line + "\n"}, faults, line)
        planted(copy, {"src/system/planted.c": line + "\n"}, 1 if address else 0, line + " in the system")
    told_apart = [
        'bool f(const TmlForce *x) { return strcmp(x->type->info.name, "rail_wheel") == 0; }',
        'bool f(const TmlForceType *type) { return !strcasecmp(type->info.name, "rope"); }',
        "bool f(const TmlSlipType *type) { return type != &tml_slip_coulomb; }",
        "bool f(const TmlIntegratorType *type) { return type == &tml_integrator_hht; }",
    ]
    for line in told_apart:
        for place in ("src/model/wheel", "src/model/flexible/catenary", "src/system/contact", "src/io/study"):
            planted(copy, {f"{place}/planted.c": line + "\n"}, 1, f"{line} in {place}")
        for place in sorted(rules.MAY_NAME):
            if not (copy / place).exists():
                failures.append(f"{place} may tell types by names, and is not there")
    by_name = 'bool f(const TmlForceType *type, const char *name) { return strcmp(type->info.name, name) == 0; }'
    planted(copy, {"src/model/planted.c": by_name + "\n"}, 0, "a type is looked up by its name")
    talk = '/* m->constraints.at[0],\n * TmlBodyType */\nstatic const char *s = "bodies.at"; // forces.at\n'
    planted(copy, {"src/analysis/driver/planted.c": talk}, 0, "comments and texts")


def parts(copy):
    for part, owner in rules.PARTS.items():
        line = f"int f(const TmlSim *sim) {{ return sim->{part}.n; }}\n"
        by_way = f"int f(const Work *w) {{ return (w->sim)->{part}.n + w->sim->{part}.m; }}\n"
        for place in ("src/analysis/statics", "src/analysis/driver", "src/io/file"):
            planted(copy, {f"{place}/planted.c": line}, 1, f"sim->{part} in {place}")
        planted(copy, {"src/analysis/linear/planted.c": by_way}, 2, f"w->sim->{part}")
        text = (copy / "src/analysis" / owner).read_text() if owner.endswith(".c") else ""
        if owner.endswith(".c") and f"sim->{part}" not in text:
            failures.append(f"{owner} does not have the part {part}")
    planted(copy, {"src/analysis/rows/planted.c": "int f(const TmlSim *sim) { return sim->rows.n; }\n"}, 0, "rows")
    other = "int f(const TmlSim *sim) { return sim->model->events.n + sim->row.n; } // sim->events\n"
    planted(copy, {"src/analysis/statics/planted.c": other}, 0, "what is no part")


def cycles(copy):
    ring = {
        "src/math/planted1.h": include('"math/planted2.h"'),
        "src/math/planted2.h": include('"math/planted3.h"'),
        "src/math/planted3.h": include('"math/planted1.h"'),
    }
    planted(copy, ring, 1, "three headers in a ring")


def main():
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        copy_tree(copy)
        code, lines = check(copy)
        if code != 0:
            sys.exit("the tree itself: " + "\n".join(lines))
        for part in (layers, third_party, private, unspoken, parts, cycles):
            part(copy)
        harvest(copy)
    print("\n".join(failures) if failures else "each rule of check_layers.py finds what is planted")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
