"""What must hold for every mechanism. Each check takes a Case and raises Failure, or Skip where it
does not apply. Bounds are parts of the range of the outputs (compare.py)."""
import math
import pathlib
import random
import re
import signal
import subprocess
import sys

from mechanisms.compare import common_rows, difference
from mechanisms.geometry import about, multiply, transpose, unit
from mechanisms.program import Run, Slow, read_rows
from mechanisms.tree import View, write, write_part

TIGHT = "1e-9"  # tolerance of the reference, by radau of order 5
METHODS = ["auto", "hht", "generalized-alpha", "bdf-i3", "bdf-si2", "adams", "dop853", "tlismni-park",
           "tlismni-bdf2", "tlismni-trapezoidal", "tlismni-hht", "rosenbrock", "rosenbrock-w"]


class Failure(Exception):
    """kind: a word that stays the same while the model is made smaller."""

    def __init__(self, kind, detail, command=""):
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail, self.command = kind, detail, command


class Skip(Exception):
    pass


class Case:
    """A mechanism with the runs that several checks need."""

    def __init__(self, program, m, seed):
        self.program, self.m, self.rng = program, m, random.Random(f"checks {seed}")
        self.seed, self.cache = seed, {}

    @property
    def outputs(self):
        return self.m.tree["outputs"]

    def text(self, view=View(), tree=None):
        """The text of the model, or of another tree of it; the files of its parts are written."""
        write_parts(self.m, self.program.folder, view)
        return write(tree or self.m.tree, view)

    def run(self, *options, view=View()):
        return self.program.run(self.text(view), *options)

    def reference(self):
        """The tight run, how far the one at a hundred times the tolerance is from it (what small
        errors grow to), and Skip where there is none."""
        if "reference" not in self.cache:
            try:
                best = self.run("-i", "radau", "-t", TIGHT)
                rough = self.run("-i", "radau", "-t", "1e-7") if best.done else best
            except Slow:
                raise Skip("slow by radau") from None
            spread = difference(self.outputs, best, rough)[0] if rough.done else math.inf
            self.cache["reference"] = (best, spread)
        best, spread = self.cache["reference"]
        if not best.done:
            raise Skip("refused by radau: " + reason(best.text))
        if spread > 1e-3:
            raise Skip("sensitive")
        return best, spread


def write_parts(m, folder, view=View()):
    for name, tree in m.parts.items():
        (folder / "parts").mkdir(parents=True, exist_ok=True)
        (folder / "parts" / f"{name}.yaml").write_text(write_part(tree, view))


def reason(text):
    """The first error line without names and numbers, to count refusals by kind."""
    lines = [line for line in text.splitlines() if "error:" in line] or [text[:80]]
    return re.sub(r"[-+]?\d[\d.e+-]*|'[^']*'", "#", lines[0].split("error:", 1)[-1])[:110].strip()


def bound(case, plain, spread, factor=30):
    """A bound on differences: `plain` where the motion forgets errors, more where it does not."""
    return max(plain, factor * spread)


def agree(case, kind, a, b, limit, command, view=None, loads=None):
    worst = difference(case.outputs, a, b, view)
    if not worst[0] <= limit:
        raise Failure(kind, f"{worst[1]} off by {worst[0]:.2g} of the range at t = {worst[2]:g} "
                      f"(allowed {limit:.2g})", command)
    if loads and not case.m.traits & {"nonsmooth", "events", "delay", "kinks"}:
        worst = difference(case.outputs, a, b, view, kinds=("load",))
        if not worst[0] <= loads:
            raise Failure(kind + " load", f"{worst[1]} off by {worst[0]:.2g} of the range at "
                          f"t = {worst[2]:g} (allowed {loads:.2g})", command)


def by_lot(case, names):
    """A method; flexible bodies are stiff, and methods that are explicit would take minutes."""
    return case.rng.choice([n for n in names if n not in ("adams", "dop853") or "flexible" not in case.m.traits])


# --- the checks ---------------------------------------------------------------------------------


def ends(case):
    """The default run ends or is refused with a reason, as the tight one does, and is near it."""
    run = case.run()
    try:
        best, spread = case.reference()
    except Skip:
        if "reference" not in case.cache:
            raise
        best = case.cache["reference"][0]
        if run.done and "singular position of the joints" in best.text:
            return pole(case, run)
        if run.done != best.done:
            raise Failure("uneven", f"auto {'ends' if run.done else reason(run.text)}, radau "
                          f"{'ends' if best.done else reason(best.text)}",
                          f"-i radau -t {TIGHT}" if run.done else "") from None
        raise
    if not run.done:
        raise Failure("uneven", f"radau ends, auto: {reason(run.text)}", "")
    # 0.01 is what --check-error allows at any default tolerance
    agree(case, "default", best, run, bound(case, 0.02, spread), "")


def pole(case, run):
    """The tight run stopped where a load must be passed on by a loop that is in line: reactions go to infinity there like the
    inverse of the distance (docs/theory/radau.md), while the motion is smooth. Methods that solve for positions pass: the
    motion is compared with theirs."""
    for name in ("hht", "bdf-i3"):
        best, rough = (case.run("-i", name, "-t", t) for t in ("1e-8", "1e-7"))
        if best.done and rough.done:
            spread = difference(case.outputs, best, rough)[0]
            if spread > 1e-3:
                raise Skip("sensitive")
            return agree(case, "default", best, run, bound(case, 0.02, spread), "")
    raise Failure("uneven", "auto ends, all others stop at a singular position", f"-i radau -t {TIGHT}")


def methods(case):
    """A method at a small tolerance agrees with the reference."""
    best, spread = case.reference()
    name = by_lot(case, METHODS)
    command = f"-i {name} -t 1e-8"
    run = case.run("-i", name, "-t", "1e-8")
    if not run.done:
        why = reason(run.text)
        if name.startswith("tlismni") and "coordinates" in why:
            raise Skip("refused by " + name)
        raise Failure("method refused", f"{name}: {why}", command)
    # order 2: 100 tol^(2/3) = 5e-4; ten times that, and reactions may lose another order
    agree(case, "method " + name, best, run, bound(case, 5e-3, spread), command, loads=0.05)


def energy(case):
    """The balance of energy is held by the tight run."""
    best, spread = case.reference()
    s, c = best.summary["statistics"], best.summary["certificate"]
    size = max(s["max_kinetic"], abs(c["work"]), abs(c["dissipated"]))
    # what a force does along an error of the tolerance, in mechanisms of about one metre
    least = float(TIGHT) * largest_force(case, best)
    limit = 1e-3 if case.m.traits & {"nonsmooth", "delay", "kinks", "events"} else 1e-5
    if not s["max_energy_error"] <= bound(case, limit, spread) * size + least:
        raise Failure("energy", f"balance off by {s['max_energy_error']:.3g} J of {size:.3g} J",
                      f"-i radau -t {TIGHT}")


def largest_force(case, run):
    """The weight of all bodies, or the largest reaction or tension among the outputs."""
    def masses(node):
        for key, value in node.items():
            if key == "mass":
                yield value.value
            elif isinstance(value, dict):
                yield from masses(value)
    loads = [abs(row[k]) for k, name in enumerate(run.names) for row in run.rows
             if name in case.outputs and case.outputs[name].kind == "load"]
    return max([9.81 * sum(masses(case.m.tree["bodies"]))] + loads)


def levels(case):
    """Constraints are held at all levels, at rows to rounding."""
    best, _ = case.reference()
    s, c = best.summary["statistics"], best.summary["certificate"]
    for key, limit in (("phi", 1e-8), ("phi_dot", 1e-8), ("phi_ddot", 1e-5)):
        if not c[key] <= limit:
            raise Failure("levels", f"{key} {c[key]:.3g} at the last row", f"-i radau -t {TIGHT}")
    for key, limit in (("max_phi", 1e-6), ("max_phi_dot", 1e-4)):
        if not s[key] <= limit:
            raise Failure("levels", f"{key} {s[key]:.3g}", f"-i radau -t {TIGHT}")


def momentum(case):
    """Momentum of what nothing outside acts on stays, linear and angular."""
    best, spread = case.reference()
    tree = dict(case.m.tree)
    tree["outputs"] = momentum_outputs(case.m)
    text = case.text(tree=tree)
    run = case.program.run(text, "-i", "radau", "-t", TIGHT)
    if not run.done:
        raise Failure("momentum", "refused with other outputs: " + reason(run.text))
    for group in ("p", "h"):
        if group == "h" and any(f["type"] == "force" for f in tree["forces"].values()):
            continue
        columns = [list(run.series(n).values()) for n in run.names if n[0] == group]
        size = max(1.0, max(abs(v) for c in columns for v in c))
        change = max(max(c) - min(c) for c in columns)
        if not change <= bound(case, 1e-6, spread) * size:
            raise Failure("momentum " + group, f"changes by {change:.3g}", f"-i radau -t {TIGHT}")


def momentum_outputs(m):
    """Components of linear (p) and angular (h) momentum about the origin of the world."""
    p, h = {c: [] for c in "XYZ"}, {c: [] for c in "XYZ"}
    for body in m.bodies:
        entry = m.tree["bodies"][body.name]
        at = body.name + (".cm" if body.rigid else "")
        D, V = ({c: f"{k}{c}({at})" for c in "XYZ"} for k in "DV")
        mass = repr(entry["mass"].value)
        for i, c in enumerate("XYZ"):
            d, e = "XYZ"[(i + 1) % 3], "XYZ"[(i + 2) % 3]
            p[c].append(f"{mass}*{V[c]}")
            h[c].append(f"{mass}*({D[d]}*{V[e]} - {D[e]}*{V[d]})")
        if body.rigid:
            diagonal = entry["inertia"].xyz
            R = entry["inertia_axes"].matrix if "inertia_axes" in entry else None
            J = [[diagonal[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
            if R:
                J = multiply(multiply(R, J), transpose(R))
            spin = [" + ".join(f"({J[i][j]!r})*W{'XYZ'[j]}({body.name}, ground, {body.name})"
                               for j in range(3)) for i in range(3)]
            for c in "XYZ":
                h[c] += [f"C{c}{'XYZ'[j]}({body.name})*({spin[j]})" for j in range(3)]
    result = {f"p{c}": " + ".join(p[c]) for c in "XYZ"}
    result.update({f"h{c}": " + ".join(h[c]) for c in "XYZ"})
    return result


def convert(case):
    """A converted model moves as the model does, and converts to itself."""
    text = case.text()
    path = case.program.model(text)
    out, again = case.program.folder / "converted.yaml", case.program.folder / "again.yaml"
    status, said = case.program.call(["convert", path, out, "-q"])
    if status:
        raise Failure("convert refused", reason(said), "convert")
    a, b = case.run(), case.program.run("", path=out)
    if a.done != b.done:
        raise Failure("convert", f"{reason(a.text)} and {reason(b.text)}", "convert")
    if not a.done:
        raise Skip("refused")
    _, spread = case.reference()
    agree(case, "convert", a, b, 1e-9, "convert", loads=1e-7)
    case.program.call(["convert", out, again, "-q"])
    if again.read_text() != out.read_text():
        raise Failure("convert twice", "the second text is another", "convert")


def turned(case):
    """The model turned and shifted moves the same, seen from the frame `world`."""
    rng = case.rng
    if "plane" in case.m.traits:
        view = View(about([0, 0, 1], rng.uniform(-3, 3)), [rng.uniform(-3, 3), 2.0, 0.0])
    else:
        view = View(about(unit([rng.uniform(-1, 1), rng.uniform(-1, 1), 1.1]), rng.uniform(1, 3)),
                    [rng.uniform(-5, 5) for _ in range(3)])
    seen(case, "turned", view, TIGHT, 1e-6)


def written_units(case):
    """The model with its numbers in mm, g and ms with their units is the same model."""
    seen(case, "units", View(written=True), TIGHT, 1e-7)


def rescaled(case):
    """The model in a system of units of its own, without units: nothing of it is absolute."""
    units = case.rng.choice([(1e3, 1e3, 1e3), (1e3, 1e-3, 1), (1, 1e3, 1), (1, 1, 1e3),
                             (1e-3, 1e-3, 1e-3), (1e2, 1, 1)])
    if "wheel" in case.m.traits:  # tyres fade below speeds in m/s
        units = (1, case.rng.choice([1e3, 1e-3, 10]), 1)
    view = View(units=units)
    seen(case, "rescaled", view, TIGHT, 1e-5)


def seen(case, kind, view, tolerance, limit):
    best, spread = case.reference()
    run = case.run("-i", "radau", "-t", tolerance, view=view)
    command = f"-i radau -t {tolerance}"
    if not run.done:
        raise Failure(kind + " refused", f"units {view.units}: {reason(run.text)}", command)
    if run.summary["statistics"]["n_redundant"] != best.summary["statistics"]["n_redundant"]:
        raise Failure(kind + " rank", f"{best.summary['statistics']['n_redundant']} and "
                      f"{run.summary['statistics']['n_redundant']} redundant rows", command)
    agree(case, kind, best, run, bound(case, limit, spread), command, view, loads=1e-3)
    # the default run, whose tolerances are its own, must not lose its way either
    run = case.run(view=view)
    if not run.done:
        raise Failure(kind + " refused", f"units {view.units}: {reason(run.text)}", "")
    agree(case, kind + " default", best, run, bound(case, 0.02, spread), "", view)


def rows(case):
    """Rows do not depend on how many there are."""
    coarse = case.run()
    fine = case.run("--output-step", repr(case.m.end / 400))
    if not coarse.done or not fine.done:
        if coarse.done != fine.done:
            raise Failure("rows", "one of them ends: " + reason(coarse.text + fine.text))
        raise Skip("refused")
    if common_rows(coarse, fine) < len(coarse.rows) - 2:
        raise Failure("rows", f"{common_rows(coarse, fine)} of {len(coarse.rows)} rows are there")
    _, spread = case.reference()
    # the same steps: interpolation alone differs, within the tolerance
    agree(case, "rows", coarse, fine, bound(case, 1e-5, spread),
          f"--output-step {case.m.end / 400}", loads=1e-2)


def resume(case):
    """Two runs, the second from the end of the first, are as one."""
    best, spread = case.reference()
    library = pathlib.Path(case.program.path).with_name("libtrammel.so")
    if not library.exists():
        raise Skip("no shared library")
    method = by_lot(case, ["radau", "adams", "hht", "rosenbrock", "bdf-si2", "tlismni-park"])
    path = case.program.model(case.text())
    script = pathlib.Path(__file__).with_name("resume.py")
    middle = round(case.m.end * case.rng.choice([0.25, 0.5, 0.6]), 6)
    command = [sys.executable, str(script), str(library), str(path), method, "1e-8", repr(middle),
               repr(case.m.end), repr(case.m.end / 40)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=800,
                            preexec_fn=case.program.limits)
    said = " ".join(["resume.py"] + command[4:])
    if result.returncode == -signal.SIGXCPU:
        raise Skip("slow by " + method)
    if result.returncode not in (0, 1):
        if "CDLL" in result.stderr or "OSError" in result.stderr:
            raise Skip("the library cannot be loaded")
        raise Failure("resume crash", (result.stdout + result.stderr)[-300:], said)
    if result.returncode == 1:
        raise Failure("resume refused", reason(result.stdout), said)
    out = case.program.folder / "resumed.csv"
    out.write_text(result.stdout)
    names, values = read_rows(out)
    agree(case, "resume", best, Run(0, "", values, names, {}, said), bound(case, 5e-3, spread), said,
          loads=0.05)


CHECKS = [ends, methods, energy, levels, momentum, convert, turned, rescaled, written_units, rows,
          resume]
