"""Modal bodies: frames of a few beams, reduced to their ends and some modes when the model is read.
The description of a part is a file of its own, written in the same units as the model."""
import random

from mechanisms.geometry import add, apply
from mechanisms.tree import (ACCELERATION, DENSITY, FORCE, LENGTH, NONE, PRESSURE, RATE, SPEED,
                             STIFFNESS, TORQUE, Dir, Local, Point, Q, Rot, X)


def part(m, rng, length):
    """A bar along x, or an L whose second leg goes along y; and the place of its tip."""
    nodes = {"a": Local([0, 0, 0]), "b": Local([length, 0, 0])}
    members, tip = [["a", "b"]], [length, 0.0, 0.0]
    if rng.random() < 0.4:
        tip = [length, rng.uniform(0.1, 0.3), 0.0]
        nodes["c"] = Local(tip)
        members.append(["b", "c"])
    size = rng.uniform(0.015, 0.03)
    section = {"rectangle": [Q(size, LENGTH), Q(rng.uniform(0.015, 0.03), LENGTH)], "up": "z"}
    tree = {
        "part": f"{m.name('part')}_{m.seed}",
        "beams": {"nodes": nodes, "sections": {"bar": section},
                  "members": [{"nodes": n, "section": "bar", "elements": rng.randint(2, 4)}
                              for n in members]},
        "material": {"young": Q(10 ** rng.uniform(8.7, 9.7), PRESSURE), "poisson": 0.3,
                     "density": Q(rng.uniform(600, 2000), DENSITY)},
        "interfaces": {"root": {"set": "a", "tie": "node"},
                       "tip": {"set": members[-1][1], "tie": "node"}},
        "modes": rng.randint(0, 3),
        "damping": rng.choice([0.01, 0.05]),  # undamped, the upper modes ring for ever
    }
    if rng.random() < 0.4:
        tree["stiffening"] = {"centrifugal": True}
    if rng.random() < 0.4:
        tree["frame"] = rng.choice(["root", "tip"])
    if rng.random() < 0.3:
        tree["modes"] = {"method": "herting", "count": tree["modes"]}
    return tree, tip


def add_modal(m, rng, quiet):
    """A part from the ground or a body to a new body, or to nothing, by joints at its frames."""
    base = rng.choice([m.ground] + [b for b in m.bodies if b.rigid])
    R = m.rotation()
    at = add(base.position, m.vector(0.2))
    tree, tip = part(m, rng, rng.uniform(0.4, 0.8))
    name = m.name("p")
    slow = 0.0 if quiet else 1.0
    entry = {"part": f"parts/{tree['part']}.yaml", "position": Point(at), "rotation": Rot(R)}
    if rng.random() < 0.5:
        entry["velocity"] = Dir(m.vector(0.3 * slow), SPEED)
        entry["angular_velocity"] = Dir(m.vector(slow), RATE)
    if rng.random() < 0.2:
        entry["terms"] = "first_order"
    if rng.random() < 0.3:
        entry["damping"] = 0.02
    entry["frames"] = {"tool": {"at": "tip", "position": Local(m.vector(0.05))}}
    m.tree["modal"][name] = entry
    m.parts[tree["part"]] = tree
    m.traits |= {"flexible", "modal"}
    m.freedom += 6
    hold(m, rng, name, base, at, R)
    carry(m, rng, name, add(at, apply(R, tip)), R)
    load(m, rng, name, quiet)
    push(m, random.Random(f"push {m.seed} {name}"), name, tree, base, quiet)
    for c in "XYZ":
        m.output(f"D{c}({name}.tip, world, world)", dim=LENGTH)
    m.output(f"VM({name}.tool, world)", dim=SPEED)
    m.output(f"DM({name}.tip, {name}.root)*CXX({name}.tool, {name}.root)", dim=LENGTH)
    # angular velocities of ends are those of the upper modes; second-order methods blur them
    m.output(f"WZ({name}.tip, world, {name}.root)", dim=RATE, kind="load")


def hold(m, rng, name, base, at, R):
    kind = rng.choice(["fixed", "fixed", "revolute", "spherical", None])
    if kind is not None:
        m.put_joint({"type": kind, "frames": [m.frame_at(base, at, R), name + ".root"]}, 0)


def carry(m, rng, name, end, R):
    """What hangs on the tip: a body, a point, or another hold on the ground."""
    choice = rng.random()
    if choice < 0.35:
        body = m.add_rigid(end, R=R, mass=rng.uniform(0.05, 0.5), moving=0.0)
        m.put_joint({"type": rng.choice(["fixed", "revolute", "spherical", "cylindrical"]),
                     "frames": [name + ".tip", m.frame_at(body, end, R)]}, 0)
    elif choice < 0.5:
        body = m.add_point(end, mass=rng.uniform(0.02, 0.2), moving=0.0)
        m.put_joint({"type": "spherical", "frames": [name + ".tip", body.name]}, 0)
    elif choice < 0.6:
        m.put_joint({"type": "point_in_plane",
                     "frames": [m.frame_at(m.ground, end, R), name + ".tip"]}, 0)


def load(m, rng, name, quiet):
    if rng.random() < 0.6:
        m.tree["forces"][m.name("f")] = {
            "type": "spring", "frames": [name + ".tool", name + ".root"],
            "stiffness": Q(rng.uniform(1, 200), STIFFNESS)}
    if rng.random() < 0.5 and not quiet:
        d = f"{name}.tip, {name}.root, {name}.root"
        m.tree["forces"][m.name("f")] = {
            "type": "force", "frames": [name + ".tool", name + ".root"], "axes": "first",
            "fx": X(Q(-3, STIFFNESS), f"*(DY({d}) - DZ({name}.tool, {name}.root, world))", dim=FORCE)}
        m.traits.add("active")


def push(m, rng, name, tree, base, quiet):
    """A load case of the part, scaled by an expression; the body that it hangs on may take the reaction."""
    if rng.random() < 0.5:
        return

    def vector(size, dim):
        return [Q(rng.uniform(-size, size), dim) for _ in range(3)]

    tree["loads"] = {"lean": {"acceleration": vector(3, ACCELERATION)},
                     "push": [{"set": rng.choice(["a", "b"]), "force": vector(0.5, FORCE)},
                              {"interface": "tip", "force": vector(0.5, FORCE), "torque": vector(0.1, TORQUE)}]}
    if rng.random() < 0.5:
        tree["stiffening"] = {"shapes": True}
    entry = {"type": "modal_force", "body": name, "load": rng.choice(["lean", "push"]),
             "scale": Q(rng.uniform(-1, 1))}
    if not quiet:
        entry["scale"] = X(Q(rng.uniform(-1, 1)), f"*(1 - 0.3*CXX({name}.tool, {name}.root)) + 0.2*sin(",
                           Q(rng.uniform(2, 9), RATE), "*time)", dim=NONE)
        m.traits.add("active")
    m.traits.add("follower")
    if base is not m.ground and rng.random() < 0.6:
        entry["reaction"] = base.name
    m.tree["forces"][m.name("f")] = entry
