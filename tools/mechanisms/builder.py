"""A mechanism in the making: bodies with their poses, so that every joint that is added fits as
the bodies stand, and a count of the freedom that is left."""
import math

from mechanisms.geometry import (IDENTITY, about, add, apply, axes_with_z, multiply, norm, scale,
                                 sub, transpose, unit)
from mechanisms.tree import INERTIA, MASS, RATE, SPEED, Dir, Local, Output, Point, Q, Rot, X


class Body:
    def __init__(self, name, position, R, mass, rigid=True):
        self.name, self.position, self.R, self.mass, self.rigid = name, position, R, mass, rigid


class Mechanism:
    """The tree, and what is known about it. `traits` are words such as `nonsmooth`, `flexible`,
    `floating`, `plane`: checks ask for them."""

    def __init__(self, seed, rng):
        self.seed, self.rng = seed, rng
        self.tree = {"title": f"random mechanism {seed}"}
        for section in ("parameters", "frames", "bodies", "flexible", "modal", "splines", "paths", "joints",
                        "variables", "states", "delays", "systems", "events", "forces", "outputs"):
            self.tree[section] = {}
        self.tree["frames"]["world"] = {"position": Point([0, 0, 0]), "rotation": Rot(IDENTITY)}
        self.ground = Body("ground", [0.0, 0.0, 0.0], IDENTITY, math.inf)
        self.bodies = []
        self.parts = {}  # name -> description of a part, a file of its own
        self.joints = {}  # name -> (type, first body, second body)
        self.freedom = 0
        self.traits = set()
        self.signals = {}  # text of an expression -> dimension: what forces may read
        self.count = 0

    # --- names and numbers --------------------------------------------------------------------

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def vector(self, size=1.0):
        return [self.rng.uniform(-size, size) for _ in range(3)]

    def direction(self):
        """A unit vector: along an axis half of the time, since special positions hide defects."""
        if self.rng.random() < 0.5:
            return self.rng.choice([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0],
                                    [0.0, 0.0, -1.0]])
        v = self.vector()
        return unit(v) if norm(v) > 0.1 else [0.0, 0.6, 0.8]

    def rotation(self):
        if self.rng.random() < 0.35:
            return IDENTITY
        return about(self.direction(), self.rng.uniform(-3, 3))

    def style(self):
        return self.rng.choice(["matrix", "quaternion", "axes"])

    def some_body(self):
        return self.rng.choice(self.bodies)

    # --- bodies -------------------------------------------------------------------------------

    def add_rigid(self, position, R=None, mass=None, moving=1.0):
        rng = self.rng
        R = self.rotation() if R is None else R
        mass = rng.uniform(0.3, 4) if mass is None else mass
        a, b, c = (rng.uniform(0.1, 0.5) for _ in range(3))
        inertia = [mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c),
                   mass / 12 * (a * a + b * b)]
        entry = {"mass": Q(mass, MASS), "inertia": Local(inertia, INERTIA),
                 "position": Point(position), "rotation": Rot(R, self.style())}
        if rng.random() < 0.4:
            entry["cm"] = Local(self.vector(0.1))
        if rng.random() < 0.2:
            entry["inertia_axes"] = Rot(about(self.direction(), rng.uniform(0, 1)), local=True)
        if rng.random() < 0.7:
            entry["velocity"] = Dir(self.vector(moving), SPEED)
            entry["angular_velocity"] = Dir(self.vector(2 * moving), RATE)
        return self.put(Body(self.name("b"), list(position), R, mass), entry, 6)

    def add_point(self, position, mass=None, moving=1.0):
        mass = self.rng.uniform(0.2, 2) if mass is None else mass
        entry = {"type": "point", "mass": Q(mass, MASS), "position": Point(position),
                 "velocity": Dir(self.vector(moving), SPEED)}
        return self.put(Body(self.name("b"), list(position), IDENTITY, mass, False), entry, 3)

    def put(self, body, entry, freedom):
        self.tree["bodies"][body.name] = entry
        self.bodies.append(body)
        self.freedom += freedom
        return body

    # --- frames -------------------------------------------------------------------------------

    def frame_at(self, body, point, R=None):
        """A frame of a body written in place, at a global point with global axes R."""
        R = body.R if R is None else R
        if body is self.ground:
            return {"body": "ground", "position": Point(point), "rotation": Rot(R, self.style())}
        back = transpose(body.R)
        place = {"body": body.name, "position": Local(apply(back, sub(point, body.position)))}
        if body.rigid:
            place["rotation"] = Rot(multiply(back, R), self.style(), local=True)
        return place

    # --- joints -------------------------------------------------------------------------------

    def put_joint(self, entry, rows, first=None, second=None):
        name = self.name("j")
        self.tree["joints"][name] = entry
        self.joints[name] = (entry["type"], first, second)
        self.freedom -= rows
        return name

    def pair(self, first, second, at, axis):
        """The ends of a joint whose frames coincide as the bodies stand: by global point and axis,
        or by frames."""
        if first.rigid and second.rigid and self.rng.random() < 0.6:
            return {"bodies": [first.name, second.name], "at": Point(at), "axis": Dir(axis)}
        R = axes_with_z(axis)
        return {"frames": [self.frame_at(first, at, R), self.frame_at(second, at, R)]}

    def with_angle(self):
        return [n for n, j in self.joints.items() if j[0] in ("revolute", "cylindrical")]

    def with_displacement(self):
        return [n for n, j in self.joints.items() if j[0] in ("translational", "cylindrical")]

    # --- outputs ------------------------------------------------------------------------------

    def output(self, *pieces, dim, kind="motion"):
        self.tree["outputs"][self.name("y")] = Output(*pieces, dim=dim, kind=kind)

    def point_between(self, a, b):
        s = self.rng.uniform(0.2, 0.8)
        return add(add(a, scale(sub(b, a), s)), self.vector(0.1))


def spread(pieces):
    """Pieces of an expression, expressions within taken apart."""
    for p in pieces:
        if isinstance(p, X):
            yield from spread(p.pieces)
        else:
            yield p


def joined(*pieces, dim):
    return X(*spread(pieces), dim=dim)
