"""A mechanism from a number: skeleton, forces, signals, flexible bodies, outputs, end of the run."""
import random

from mechanisms import contacts, flexible, forces, modal, structures, wheels
from mechanisms.builder import Mechanism
from mechanisms.tree import ACCELERATION, FORCE, LENGTH, NONE, RATE, SPEED, TIME, Dir, Q


def pick(rng, table):
    return rng.choices([f for f, _ in table], [w for _, w in table])[0]


def mechanism(seed, kind="", shapes=False, parts=False, faces=False, tyres=False):
    """The mechanism of a seed; with shapes that touch, with modal bodies, with flexible bodies that
    balls touch, with wheels on roads, if asked. quiet: near an equilibrium at the start, for linearisation: no weight,
    no drives, springs without tension, slow. floating: nothing outside acts on it."""
    rng = random.Random(f"trammel {seed} {kind}")
    quiet = kind == "quiet"
    m = Mechanism(seed, rng)
    bend = rng.random() < 0.3 or faces
    skeleton = structures.floating if kind == "floating" else pick(rng, structures.SKELETONS)
    if quiet and skeleton in (structures.rolling, structures.cam):
        skeleton = structures.tree
    alone = bend and rng.random() < 0.4 and kind != "floating"
    if not alone:
        skeleton(m)
    if bend and "floating" not in m.traits:
        pick(rng, [(flexible.add_line, 4), (flexible.add_patch, 1)])(m)
    if parts and "plane" not in m.traits and kind != "floating":
        modal.add_modal(m, random.Random(f"modal {seed} {kind}"), quiet)
    if not m.bodies:
        m.add_rigid(m.vector(0.5))
    if quiet:
        add_quiet(m)
    else:
        add_loads(m)
    # after the loads: a force by feedback on a small wheel would spin it without bound
    if tyres and not quiet and "plane" not in m.traits and "floating" not in m.traits:
        wheels.add_wheels(m, random.Random(f"wheels {seed} {kind}"))
    add_outputs(m)
    if (shapes or faces) and not quiet:
        contacts.add(m, random.Random(f"contacts {seed} {kind}"), faces)
    m.end = rng.choice([0.2, 0.3, 0.4]) if not quiet else 1.0
    m.tree["simulate"] = {"end": Q(m.end, TIME), "output_step": Q(m.end / 40, TIME)}
    return m


def add_loads(m):
    rng = m.rng
    if "floating" not in m.traits and rng.random() < 0.7:
        axis = [0.0, -9.81, 0.0] if rng.random() < 0.5 or "plane" in m.traits else m.vector(8)
        m.tree["gravity"] = Dir(axis, ACCELERATION)
    for _ in range(rng.choice([0, 0, 1, 2, 3])):
        pick(rng, forces.SIGNALS)(m)
    for _ in range(rng.randint(1, 4)):
        pick(rng, forces.FORCES)(m)


def add_quiet(m):
    for _ in range(m.rng.randint(2, 4)):
        pick(m.rng, forces.QUIET)(m)
    for e in list(m.tree["joints"].values()):
        if e.get("type") in ("motion", "angle_motion"):
            m.traits.add("loud")
    for e in m.tree["forces"].values():
        for key in ("free_length", "free_angle", "preload", "expression"):
            e.pop(key, None)
    for section in ("bodies", "flexible", "modal"):
        for e in m.tree[section].values():
            for key in ("velocity", "angular_velocity"):
                if key in e:
                    e[key] = Dir([1e-5 * x for x in e[key].xyz], e[key].dim)
            e.pop("load", None)


def add_outputs(m):
    rng = m.rng
    for body in m.bodies:
        for c in rng.sample("XYZ", 2):
            m.output(f"D{c}({body.name}, world, world)", dim=LENGTH)
        m.output(f"V{rng.choice('XYZ')}({body.name}, world, world, world)", dim=SPEED)
        if body.rigid:
            m.output(f"W{rng.choice('XYZ')}({body.name}, world, {body.name})", dim=RATE)
            m.output(f"CX{rng.choice('XYZ')}({body.name}, world)", dim=NONE)
    for name, (kind, _, second) in list(m.joints.items())[:4]:
        if second is not None and kind in ("revolute", "spherical", "universal", "distance"):
            m.output(f"reaction({name}).fm", dim=FORCE, kind="load")
    for name in m.with_angle()[:2]:
        m.output(f"angle({name})", dim=NONE)
    body = m.some_body()
    if body.rigid:
        m.output(f"DM({body.name}.cm, world)*CXX({body.name}, world)", dim=LENGTH)
    m.output(f"ACCM({body.name}, world)", dim=ACCELERATION, kind="load")
    for name, dim in m.signals.items():
        m.output(name, dim=dim, kind="load" if "(" in name else "motion")
