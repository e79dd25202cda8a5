"""A model as a tree whose leaves know what they are: quantities with dimensions, points and
directions in global axes, orientations. One tree can therefore be written as it is, turned and
shifted, in other units, or rescaled, and the motion is the same by construction:

    position  p -> R p + d      direction  v -> R v      quantity  q -> q L^l M^m T^t

Outputs are measured in the ground frame `world`, which is turned and shifted with the rest.
"""
from mechanisms.geometry import IDENTITY, add, apply, multiply, quaternion

LENGTH, MASS, TIME = (1, 0, 0), (0, 1, 0), (0, 0, 1)
NONE, SPEED, RATE = (0, 0, 0), (1, 0, -1), (0, 0, -1)
ACCELERATION, FORCE, TORQUE = (1, 0, -2), (1, 1, -2), (2, 1, -2)
STIFFNESS, DAMPING = (0, 1, -2), (0, 1, -1)
ANGULAR_DAMPING, INERTIA = (2, 1, -1), (2, 1, 0)
PRESSURE, DENSITY = (-1, 1, -2), (-3, 1, 0)


def times(a, b):
    return tuple(x + y for x, y in zip(a, b))


def over(a, b):
    return tuple(x - y for x, y in zip(a, b))


class View:
    """How a tree is written: turned by R and shifted by d, quantities scaled by units of length,
    mass and time, and with units written out (`units`) or not."""

    def __init__(self, R=IDENTITY, d=(0, 0, 0), units=(1, 1, 1), written=False):
        self.R, self.d, self.units, self.written = R, d, units, written

    def factor(self, dim):
        f = 1.0
        for unit, power in zip(self.units, dim):
            f *= unit**power
        return f

    def number(self, value, dim):
        if self.written and any(dim):
            return written(value, dim)
        return value * self.factor(dim)


def written(value, dim):
    """A quantity in mm, g and ms: 3 N/m is (3e-3*1 g/1 ms^2). Units have whole powers only."""
    if any(p != int(p) for p in dim):
        return value
    for power in dim:
        value *= 1e3**power
    names = ("mm", "g", "ms")
    above = [f"*1 {u}^{p}" for u, p in zip(names, dim) if p > 0]
    below = [f"/1 {u}^{-p}" for u, p in zip(names, dim) if p < 0]
    return "(" + repr(value) + "".join(above + below) + ")"


class Q:
    """A quantity."""

    def __init__(self, value, dim=NONE):
        self.value, self.dim = float(value), dim

    def render(self, view):
        return view.number(self.value, self.dim)


class Point:
    """A position in global axes."""

    def __init__(self, xyz):
        self.xyz = list(xyz)

    def render(self, view):
        return [view.number(c, LENGTH) for c in add(apply(view.R, self.xyz), view.d)]


class Dir:
    """A free vector in global axes; a unit vector has no dimension."""

    def __init__(self, xyz, dim=NONE):
        self.xyz, self.dim = list(xyz), dim

    def render(self, view):
        return [view.number(c, self.dim) for c in apply(view.R, self.xyz)]


class Local:
    """A vector in the axes of a body: it does not turn."""

    def __init__(self, xyz, dim=LENGTH):
        self.xyz, self.dim = list(xyz), dim

    def render(self, view):
        return [view.number(c, self.dim) for c in self.xyz]


class Along:
    """A point that goes on with the variable of a `for`: p + i v."""

    def __init__(self, point, step, name):
        self.point, self.step, self.name = point, step, name

    def render(self, view):
        p, v = Point(self.point).render(view), Dir(self.step, LENGTH).render(view)
        return [f"{a} + {self.name}*({b})" for a, b in zip(p, v)]


class Times:
    """A vector in global axes that changes by an expression."""

    def __init__(self, xyz, dim, expression):
        self.vector, self.expression = Dir(xyz, dim), expression

    def render(self, view):
        text = self.expression.render(view)
        return [f"({c})*({text})" for c in self.vector.render(view)]


class Rot:
    """An orientation: global axes (turns with the view) or those of a body (`local`)."""

    def __init__(self, matrix, style="matrix", local=False):
        self.matrix, self.style, self.local = matrix, style, local

    def render(self, view):
        m = self.matrix if self.local else multiply(view.R, self.matrix)
        if self.style == "quaternion":
            return {"euler_parameters": quaternion(m)}
        if self.style == "axes":
            return {"z": [row[2] for row in m], "x": [row[0] for row in m]}
        return {"matrix": m}


class X:
    """An expression: texts and quantities in turn, with the dimension of its value."""

    def __init__(self, *pieces, dim=NONE):
        self.pieces, self.dim = pieces, dim

    def render(self, view):
        return "".join(piece(p, view) for p in self.pieces)


def piece(p, view):
    if isinstance(p, str):
        return p
    value = p.render(view)
    return value if isinstance(value, str) else f"({value!r})" if value < 0 else repr(value)


class Output(X):
    """A channel. kind: `motion`, a position or velocity; `load`, which jumps where forces do and may
    not be unique."""

    def __init__(self, *pieces, dim=NONE, kind="motion"):
        super().__init__(*pieces, dim=dim)
        self.kind = kind


def render(node, view):
    if isinstance(node, dict):
        return {key: render(value, view) for key, value in node.items()}
    if isinstance(node, (list, tuple)):
        return [render(value, view) for value in node]
    return node.render(view) if hasattr(node, "render") else node


# --- YAML -------------------------------------------------------------------------------------

PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")


def flow(value):
    """A value as YAML in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value and value[0].isalpha() and set(value) <= PLAIN:
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write(tree, view=View()):
    """The text of a model: an entry a line, so that one can be taken out by hand."""
    lines = ["trammel: 1"]
    for section, entries in render(tree, view).items():
        if isinstance(entries, dict) and section not in ("simulate", "gravity"):
            if entries:
                lines.append(f"{section}:")
                lines += block(entries, 1)
        else:
            lines.append(f"{section}: {flow(entries)}")
    return "\n".join(lines) + "\n"


def write_part(tree, view=View()):
    """The text of the description of a part."""
    return "\n".join(f"{key}: {flow(value)}" for key, value in render(tree, view).items()) + "\n"


def block(entries, depth):
    lines = []
    for name, value in entries.items():
        if name.startswith("for "):
            lines.append("  " * depth + name + ":")
            lines += block(value, depth + 1)
        else:
            lines.append("  " * depth + flow(name) + ": " + flow(value))
    return lines
