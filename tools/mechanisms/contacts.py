"""Shapes that touch: walls in the way of bodies, and bodies that meet each other. Numbers whose
default is an absolute one (speeds at which friction turns round) are always written, so that the
rescaled model is the same."""
import random

from mechanisms.geometry import add as plus
from mechanisms.geometry import norm, scale, sub, unit
from mechanisms.tree import (DAMPING, FORCE, LENGTH, NONE, RATE, SPEED, STIFFNESS, Dir, Local, Point,
                             Q, over, times)

POWER = over(FORCE, tuple(1.5 * x for x in LENGTH))  # of a stiffness with the exponent 1.5
FOUNDATION = over(STIFFNESS, times(LENGTH, LENGTH))
PER_SPEED = over(NONE, SPEED)


def sphere(rng):
    r = rng.uniform(0.04, 0.12)
    return {"sphere": {"radius": Q(r, LENGTH)}}, r


def ellipsoid(rng):
    r = [rng.uniform(0.04, 0.12) for _ in range(3)]
    return {"ellipsoid": {"semi_axes": Local(r)}}, max(r)


def capsule(rng):
    r, length = rng.uniform(0.03, 0.08), rng.uniform(0.05, 0.15)
    return {"capsule": {"radius": Q(r, LENGTH), "length": Q(length, LENGTH)}}, r + 0.5 * length


def box(rng):
    size = [rng.uniform(0.06, 0.2) for _ in range(3)]
    return {"box": {"size": Local(size)}}, 0.5 * norm(size)


def press(rng):
    """A law with its parameters. Points and faces, so that any shapes may meet."""
    k = 10 ** rng.uniform(3.5, 5.5)
    face = {"foundation": Q(100 * k, FOUNDATION)}
    damping = Q(rng.uniform(0, 0.5), PER_SPEED)
    slowest = Q(0.01, SPEED)
    laws = [
        {"law": "linear", "stiffness": Q(k, STIFFNESS), "damping": Q(k ** 0.5 * rng.uniform(0, 0.3), DAMPING),
         "foundation_damping": Q(k * rng.uniform(0, 0.1), over(DAMPING, times(LENGTH, LENGTH)))},
        {"law": "hunt_crossley", "stiffness": Q(10 * k, POWER), "damping": damping, "slowest": slowest},
        {"law": "restitution", "stiffness": Q(10 * k, POWER), "restitution": rng.uniform(0.3, 1),
         "slowest": slowest},
        {"law": "impact", "stiffness": Q(10 * k, POWER), "damping": Q(rng.uniform(0, 50), DAMPING),
         "damping_depth": Q(1e-3, LENGTH)},
    ]
    return {**rng.choice(laws), **face}


def slip(rng):
    mu, width = rng.uniform(0.1, 0.8), Q(10 ** rng.uniform(-3, -1.5), SPEED)
    bristle = {"stiffness": Q(10 ** rng.uniform(3, 5), STIFFNESS), "damping": Q(rng.uniform(1, 30), DAMPING),
               "dynamic": mu, "stribeck_velocity": Q(0.01, SPEED)}
    return rng.choice([
        {"law": "coulomb", "dynamic": mu, "static_velocity": width},
        {"law": "coulomb", "dynamic": mu, "static": 1.2 * mu, "static_velocity": width, "smoothing": "cubic"},
        {"law": "elastic", **bristle},
        {"law": "lugre", "static": 1.3 * mu, **bristle},
    ])


def law(rng):
    entry = press(rng)
    if rng.random() < 0.6:
        entry["friction"] = slip(rng)
    if rng.random() < 0.2:
        entry["rolling"] = {"rolling": Q(1e-3, LENGTH), "velocity": Q(0.05, RATE)}
    return entry


def add_wall(m, rng, reach):
    """A half-space that one of the bodies moves towards, and that all with shapes are clear of."""
    entry = m.tree["bodies"]
    name = rng.choice(sorted(reach))
    body = next(b for b in m.bodies if b.name == name)
    way = entry[name]["velocity"].xyz if "velocity" in entry[name] and rng.random() < 0.6 else None
    if way is None and "gravity" in m.tree:
        way = m.tree["gravity"].xyz
    if way is None or norm(way) < 0.1:
        way = [0.0, -1.0, 0.0]
    n = scale(unit(way), -1.0)
    if "plane" in m.traits:
        n = unit([n[0], n[1], 0.0]) if norm(n[:2] + [0.0]) > 0.1 else [0.0, 1.0, 0.0]
    at = sub(body.position, scale(n, reach[name] + rng.uniform(0.001, 0.08)))
    clear = [b.name for b in m.bodies if b.name in reach and
             sum(x * y for x, y in zip(n, sub(b.position, at))) > reach[b.name]]
    m.tree["ground"] = {"shape": [{"half_space": {"normal": Dir(n), "position": Point(at)}}]}
    m.tree["contacts"]["wall"] = {"between": [clear, "ground"], "neighbours": True, **law(rng)}
    m.output("contact_force(wall)", dim=FORCE, kind="load")


def add_meetings(m, rng, reach):
    """Bodies that may meet: those that are clear of each other as they stand."""
    near = [b for b in m.bodies if b.name in reach]
    pairs = [(a.name, b.name) for i, a in enumerate(near) for b in near[i + 1:]
             if norm(sub(a.position, b.position)) > reach[a.name] + reach[b.name]]
    for a, b in rng.sample(pairs, min(2, len(pairs))):
        name = m.name("c")
        m.tree["contacts"][name] = {"between": [a, b], "neighbours": True, **law(rng)}
        m.output(f"contact_force({name})", dim=FORCE, kind="load")


def places(entry):
    """Points all over a flexible body as it stands, 0.06 m apart at most."""
    if "line" in entry:
        a, b = (p.xyz for p in entry["line"])
        return [plus(a, scale(sub(b, a), k / 12)) for k in range(13)]
    patch = entry["patch"]
    o, x, y = (patch[key].xyz for key in ("origin", "x", "y"))
    return [plus(plus(o, scale(x, i / 8)), scale(y, j / 8)) for i in range(9) for j in range(9)]


def add_faces(m, rng, reach):
    """Balls that may meet lines and faces of flexible bodies that they are clear of. The place of the
    contact travels, so that laws have no memory of a point; beam3 has no slopes to travel over."""
    for name, entry in m.tree["flexible"].items():
        if entry["type"] == "beam3":
            continue
        for body in m.bodies:
            shape = m.tree["bodies"].get(body.name, {}).get("shape", {})
            gap = min(norm(sub(p, body.position)) for p in places(entry)) - reach.get(body.name, 0)
            if "sphere" not in shape or gap < 0.07:  # half the thickness, and between the points
                continue
            k = 10 ** rng.uniform(3, 4.5)
            contact = m.name("c")
            m.tree["contacts"][contact] = {
                "between": [body.name, name], "flexible": "closest", "neighbours": True,
                "law": "linear", "stiffness": Q(k, STIFFNESS),
                "damping": Q(k ** 0.5 * rng.uniform(0, 0.3), DAMPING),
                "friction": {"law": "coulomb", "dynamic": rng.uniform(0.1, 0.6),
                             "static_velocity": Q(10 ** rng.uniform(-2.5, -1.5), SPEED)}}
            m.output(f"contact_force({contact})", dim=FORCE, kind="load")
            pull(m, rng, name, entry, body)


def pull(m, rng, name, entry, body):
    """A spring that brings a ball and a flexible body together within the run."""
    frame = name + (".end" if "line" in entry else ".centre")
    m.tree["forces"][m.name("f")] = {
        "type": "spring", "frames": [frame, body.name],
        "stiffness": Q(rng.uniform(20, 200), STIFFNESS), "damping": Q(rng.uniform(0, 0.3), DAMPING)}


def add(m, rng, faces=False):
    """Shapes for some of the rigid bodies of a mechanism, and who touches whom."""
    reach = {}
    m.tree["contacts"] = {}
    for body in m.bodies:
        entry = m.tree["bodies"].get(body.name)  # not of bodies made by `for`
        if entry is not None and body.rigid and len(reach) < 3 and "shape" not in entry:
            shape, reach[body.name] = rng.choice([sphere, sphere, ellipsoid, capsule, box])(rng)
            entry["shape"] = shape
    if not reach:
        return
    if "floating" not in m.traits:
        add_wall(m, rng, reach)
    if len(reach) > 1:
        add_meetings(m, rng, reach)
    if faces:
        add_faces(m, random.Random(f"faces {m.seed}"), reach)
    m.traits |= {"nonsmooth", "touching"}
