"""Flexible bodies: lines and patches of all types, soft enough to bend within a short run, tied to
the ground or to bodies, with forces and expressions between two of their frames."""
from mechanisms.geometry import add, axes_with_z, scale, unit
from mechanisms.tree import (DENSITY, FORCE, LENGTH, PRESSURE, RATE, SPEED, STIFFNESS, TIME, Dir,
                             Local, Point, Q, Times, X, over)


def material(m, E):
    return {"E": Q(E, PRESSURE), "nu": 0.3, "density": Q(m.rng.uniform(600, 2000), DENSITY),
            "damping": Q(m.rng.choice([1e-3, 3e-3]), TIME)}


def section(m, kind):
    size = m.rng.uniform(0.01, 0.03)
    if kind == "cable" or (kind != "beam2d" and m.rng.random() < 0.3):
        return {"radius": Q(size / 2, LENGTH)}
    return {"height": Q(size, LENGTH), "width": Q(m.rng.uniform(0.01, 0.03), LENGTH)}


def add_line(m, kind=None):
    """A line from the ground or a body to a new body, by a tie or a joint at its end."""
    rng = m.rng
    kind = kind or rng.choice(["cable", "beam", "beam3", "beam2d"])
    base = rng.choice([m.ground] + [b for b in m.bodies if b.rigid])
    along = unit([1.0, rng.uniform(-1, 1), 0.0]) if kind == "beam2d" else m.direction()
    if kind == "beam2d":
        base = m.ground
        m.traits.add("plane")
    length = rng.uniform(0.4, 0.8)
    start = [0.0, 0.0, 0.0] if kind == "beam2d" else add(base.position, m.vector(0.2))
    end = add(start, scale(along, length))
    name = m.name("l")
    entry = {"type": kind, "line": [Point(start), Point(end)], "elements": rng.randint(1, 3),
             "material": material(m, 10 ** rng.uniform(6.3, 7.5)), "section": section(m, kind),
             "start": {rng.choice(["clamp", "pin", "clamp"]): base.name},
             "frames": {"a": {"at": 0.5}, "b": {"at": 0.75}}}
    if kind != "cable":  # whose frames have one axis of their own only, the tangent
        entry["frames"]["b"]["position"] = Local([0, 0.02, 0])
    if kind in ("beam", "beam3"):
        entry["y_axis"] = Dir([row[1] for row in axes_with_z(along)])
        if rng.random() < 0.4:
            entry["formulation"] = rng.choice(["continuum", "elastic_line", "enhanced"])
    if rng.random() < 0.3:
        entry["load"] = {"force": Times(m.vector(2) if kind != "beam2d" else [0.5, 1.0, 0.0],
                                        over(FORCE, LENGTH), X("sin(", Q(6, RATE), "*time)"))}
    m.tree["flexible"][name] = entry
    m.traits.add("flexible")
    m.freedom += 6
    finish_line(m, name, entry, kind, end, along)


def finish_line(m, name, entry, kind, end, along):
    rng = m.rng
    choice = rng.random()
    if choice < 0.3 and kind != "beam2d":
        body = m.add_rigid(add(end, scale(along, 0.1)), moving=0.3)
        if rng.random() < 0.5:
            entry["end"] = {rng.choice(["clamp", "pin"]): body.name}
        else:
            joint = rng.choice(["spherical", "fixed", "revolute"] if kind != "cable" else
                               ["spherical"])
            m.put_joint({"type": joint, "bodies": [name, body.name], "at": Point(end),
                         "axis": Dir(m.direction())}, 0, None, None)
    elif choice < 0.5:
        body = m.add_point(end, mass=rng.uniform(0.02, 0.2), moving=0.0)
        m.put_joint({"type": "spherical", "frames": [name + ".end", body.name]}, 0)
    elif choice < 0.65 and kind != "beam2d":
        bead = m.add_point(add(end, scale(along, -0.3)), mass=0.05, moving=0.0)
        m.put_joint({"type": "point_on_curve", "frames": [name, bead.name]}, 0)
    if rng.random() < 0.6:
        m.tree["forces"][m.name("f")] = {
            "type": "spring", "frames": [name + ".a", name + ".end"],
            "stiffness": Q(rng.uniform(1, 20), STIFFNESS)}
    if rng.random() < 0.5:
        # two frames of one body in one expression, and a third as axes
        d = f"{name}.end, {name}.a, {name}.start"
        c = "X" if kind == "cable" else "Y"
        m.tree["forces"][m.name("f")] = {
            "type": "force", "frames": [name + ".b", name + ".end"], "axes": "first",
            "fx": X(Q(-3, STIFFNESS), f"*(D{c}({d}) - DX({name}.b, {name}.start, {name}.start))", dim=FORCE)}
        m.traits.add("active")
    for c in "XYZ":
        m.output(f"D{c}({name}.end, world, world)", dim=LENGTH)
    m.output(f"VM({name}.a, world)", dim=SPEED)
    m.output(f"DM({name}.end, {name}.a)*CXX({name}.b, {name}.end)", dim=LENGTH)


def add_patch(m, kind=None):
    """A small shell or plate, held along an edge, with a mass or a spring at a corner."""
    rng = m.rng
    kind = kind or rng.choice(["shell", "plate"])
    z = m.direction()
    R = axes_with_z(z)
    x, y = [row[0] for row in R], [row[1] for row in R]
    origin = add([0.0, 0.0, 0.0], m.vector(0.3))
    side = [scale(x, rng.uniform(0.3, 0.5)), scale(y, rng.uniform(0.2, 0.4))]
    name = m.name("q")
    entry = {"type": kind, "patch": {"origin": Point(origin), "x": Dir(side[0], LENGTH),
                                     "y": Dir(side[1], LENGTH)},
             "elements": [rng.randint(1, 2), 1], "material": material(m, 10 ** rng.uniform(6, 7)),
             "section": {"thickness": Q(rng.uniform(0.008, 0.02), LENGTH)},
             "edges": {"left": {rng.choice(["clamp", "pin"]): "ground"}}}
    m.tree["flexible"][name] = entry
    m.traits |= {"flexible", "patch"}
    m.freedom += 6
    corner = add(add(origin, side[0]), side[1])
    if rng.random() < 0.5:
        body = m.add_point(corner, mass=0.05, moving=0.0)
        m.put_joint({"type": "spherical", "frames": [name + ".corner3", body.name]}, 0)
    if rng.random() < 0.5:
        m.tree["forces"][m.name("f")] = {
            "type": "spring", "frames": [name + ".corner2", name + ".corner4"],
            "stiffness": Q(rng.uniform(1, 20), STIFFNESS), "damping": Q(0.1, (0, 1, -1))}
    for c in "XYZ":
        m.output(f"D{c}({name}.corner3, world, world)", dim=LENGTH)
    m.output(f"VM({name}.centre, world)", dim=SPEED)
