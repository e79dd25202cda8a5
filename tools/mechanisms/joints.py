"""Joints of all types between bodies as they stand; each function adds one and returns its name, or
None where it does not fit. ROWS: motions that it takes away."""
import math

from mechanisms.geometry import (about, axes_with_z, cross, multiply, norm, perpendicular, sub,
                                 unit)
from mechanisms.tree import LENGTH, RATE, Dir, Local, Point, Q, X, over

SIMPLE = {"revolute": 5, "spherical": 3, "translational": 5, "cylindrical": 4, "planar": 3,
          "fixed": 6, "point_on_line": 2, "point_in_plane": 1, "parallel_axes": 2,
          "orientation": 3}
OF_POINTS = ("spherical", "point_on_line", "point_in_plane")
TREE = ["revolute"] * 4 + ["spherical"] * 2 + ["translational", "cylindrical", "universal", "planar",
        "fixed", "screw", "revolute_spherical", "constant_velocity", "point_on_line", "distance",
        "parallel_axes", "orientation", "perpendicular_axes", "point_in_plane", "point_on_path"]
LOOP = ["distance"] * 3 + ["point_in_plane"] * 2 + ["point_on_line", "spherical", "parallel_axes",
        "perpendicular_axes", "revolute_spherical", "universal", "expression", "expression",
        "point_on_path", "cylindrical", "planar"]
ROWS = dict(SIMPLE, distance=1, revolute_spherical=2, universal=4, constant_velocity=4, screw=5,
            perpendicular_axes=1, expression=1, point_on_path=2)


def add_joint(m, kind, first, second, at, axis):
    """A joint of a kind between two bodies; None where points or short distances do not let it."""
    if not (first.rigid and second.rigid) and kind not in OF_POINTS + ("distance", "expression"):
        return None
    if kind in SIMPLE:
        if not second.rigid:
            at = second.position
        if not first.rigid:
            return None
        return m.put_joint(dict({"type": kind}, **m.pair(first, second, at, axis)), SIMPLE[kind],
                           first, second)
    return SPECIAL[kind](m, first, second, at, axis)


def distance(m, first, second, at, axis):
    p = at if first.rigid else first.position
    q = second.position
    if norm(sub(p, q)) < 0.15:
        return None
    ends = {"frames": [m.frame_at(first, p), m.frame_at(second, q)]}
    if first.rigid and second.rigid and m.rng.random() < 0.5:
        ends = {"bodies": [first.name, second.name], "points": [Point(p), Point(q)]}
    return m.put_joint(dict({"type": "distance"}, **ends), 1, first, second)


def revolute_spherical(m, first, second, at, axis):
    link = sub(second.position, at)
    if norm(link) < 0.15:
        return None
    z = perpendicular(unit(link))
    ends = {"bodies": [first.name, second.name], "points": [Point(at), Point(second.position)],
            "axis": Dir(z)}
    return m.put_joint(dict({"type": "revolute_spherical"}, **ends), 2, first, second)


def universal(m, first, second, at, axis):
    x = perpendicular(axis)
    y = cross(axis, x)
    ends = {"bodies": [first.name, second.name], "at": Point(at), "axes": [Dir(x), Dir(y)]}
    return m.put_joint(dict({"type": "universal"}, **ends), 4, first, second)


def constant_velocity(m, first, second, at, axis):
    R = axes_with_z(axis)
    bent = multiply(R, about([m.rng.uniform(-1, 1), m.rng.uniform(-1, 1) + 1.1, 0.0],
                             m.rng.uniform(0.1, 0.9)))
    ends = {"frames": [m.frame_at(first, at, R), m.frame_at(second, at, bent)]}
    return m.put_joint(dict({"type": "constant_velocity"}, **ends), 4, first, second)


def perpendicular_axes(m, first, second, at, axis):
    R, across = axes_with_z(axis), axes_with_z(perpendicular(axis))
    ends = {"frames": [m.frame_at(first, at, R), m.frame_at(second, at, across)]}
    return m.put_joint(dict({"type": "perpendicular_axes"}, **ends), 1, first, second)


def screw(m, first, second, at, axis):
    pitch = m.rng.choice([-1, 1]) * m.rng.uniform(0.1, 0.6)
    entry = dict({"type": "screw", "pitch": Q(pitch, LENGTH)}, **m.pair(first, second, at, axis))
    return m.put_joint(entry, 5, first, second)


def expression(m, first, second, at, axis):
    """A linear relation of coordinates, or a sphere about a point of the world."""
    p = second.position
    if m.rng.random() < 0.5:
        a, b = m.rng.uniform(-1, 1), m.rng.uniform(-1, 1)
        level = p[2] + a * p[0] + b * p[1]
        text = X(f"DZ({second.name}, world, world) + {a!r}*DX({second.name}, world, world) + "
                 f"{b!r}*DY({second.name}, world, world) - ", Q(level, LENGTH))
    else:
        text = X(f"DM({second.name}, world) - ", Q(norm(p), LENGTH))
        if norm(p) < 0.2:
            return None
    return m.put_joint({"type": "expression", "expression": text}, 1, None, second)


def point_on_path(m, first, second, at, axis):
    """A smooth path in a frame of the first body, through the place where the second stands."""
    R = axes_with_z(axis)
    name = m.name("p")
    points = [Local([0.25 * k, 0.1 * math.sin(1.3 * k), 0.05 * k * k]) for k in range(-3, 4)]
    m.tree["paths"][name] = {"points": points}
    place = m.frame_at(first, second.position, R)
    return m.put_joint({"type": "point_on_path", "frames": [place, second.name], "path": name}, 2,
                       first, second)


SPECIAL = {"distance": distance, "revolute_spherical": revolute_spherical, "universal": universal,
           "constant_velocity": constant_velocity, "perpendicular_axes": perpendicular_axes,
           "screw": screw, "expression": expression, "point_on_path": point_on_path}


# --- relations and drives -----------------------------------------------------------------------


def add_relation(m):
    """A gear, rack or coupler between joints that have coordinates."""
    angles, ways = m.with_angle(), m.with_displacement()
    kind = m.rng.choice(["gear", "rack_pinion", "coupler"])
    if kind == "gear" and len(angles) > 1:
        a, b = m.rng.sample(angles, 2)
        entry = {"type": "gear", "terms": [{"joint": a, "coordinate": "angle"},
                                           {"joint": b, "coordinate": "angle"}],
                 "teeth": [m.rng.randint(10, 40), m.rng.randint(10, 40)]}
    elif kind == "rack_pinion" and angles and ways and angles[0] != ways[-1]:
        entry = {"type": "rack_pinion", "terms": [
            {"joint": angles[0], "coordinate": "angle"},
            {"joint": ways[-1], "coordinate": "displacement"}],
                 "radius": Q(m.rng.uniform(0.05, 0.3), LENGTH)}
    elif kind == "coupler" and len(angles) > 1:
        entry = {"type": "coupler", "terms": [
            {"joint": n, "coordinate": "angle", "coefficient": m.rng.choice([1, -1, 2, 0.5])}
            for n in m.rng.sample(angles, min(3, len(angles)))]}
    else:
        return None
    return m.put_joint(entry, 1)


def add_drive(m, crank=False):
    """A motion of a joint by its coordinate, rate or second rate; of the first joint (`crank`) where
    others would be stopped at dead points."""
    rng = m.rng
    turning = rng.random() < 0.7
    joints = m.with_angle() if turning else m.with_displacement()
    driven = {e.get("joint") for e in m.tree["joints"].values()}
    joints = [n for n in joints if n not in driven]
    if crank:
        turning, joints = True, joints[:1] if turning else []
    if not joints:
        return None
    dim = (0, 0, 0) if turning else LENGTH
    size = Q(rng.uniform(0.1, 0.8), dim)
    w = Q(rng.uniform(2, 8), RATE)
    of = rng.choice(["displacement", "displacement", "velocity", "acceleration"])
    if of == "displacement":
        f = X(size, "*sin(", w, "*time)") if rng.random() < 0.6 else X(
            size, "*(1 - cos(", w, "*time))")
    else:
        power = 1 if of == "velocity" else 2
        f = X(Q(size.value * 3, over(dim, (0, 0, power))), "*cos(", w, "*time)")
    entry = {"type": "motion", "joint": rng.choice(joints), "function": f, "of": of}
    if not turning:
        entry["coordinate"] = "displacement"
    elif m.joints[entry["joint"]][0] == "cylindrical":  # which has both
        entry["coordinate"] = "angle"
    m.traits.add("driven")
    return m.put_joint(entry, 1)


def add_angle_motion(m):
    """One of the angles at a ball joint follows time."""
    balls = [j for j in m.joints.values() if j[0] == "spherical" and j[2].rigid]
    if not balls:
        return None
    _, first, second = m.rng.choice(balls)
    R = m.rotation()
    f = X(Q(m.rng.uniform(0.1, 0.6)), "*sin(", Q(m.rng.uniform(2, 6), RATE), "*time)")
    entry = {"type": "angle_motion", "angle": m.rng.choice(["first", "second", "third"]),
             "frames": [m.frame_at(first, second.position, R),
                        m.frame_at(second, second.position, R)], "function": f}
    m.traits.add("driven")
    return m.put_joint(entry, 1)
