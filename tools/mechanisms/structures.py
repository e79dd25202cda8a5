"""Skeletons of mechanisms: trees, closed loops with and without redundant rows, rolling discs, cams,
chains written with `for`. Each leaves bodies that forces can act on."""
import math

from mechanisms.builder import Body
from mechanisms.geometry import IDENTITY, about, add, apply, cross, multiply, scale, unit
from mechanisms.joints import LOOP, ROWS, TREE, add_drive, add_joint, add_relation
from mechanisms.joints import add_angle_motion
from mechanisms.tree import INERTIA, LENGTH, MASS, RATE, SPEED, Along, Dir, Local, Point, Q, Rot, X


def tree(m, count=None, floating=False):
    """Bodies that hang on each other and on the ground by joints of any type, and loops that leave
    at least one motion by count."""
    rng = m.rng
    count = count or rng.randint(1, 5)
    for i in range(count):
        parent = m.ground if not m.bodies else rng.choice(m.bodies + [m.ground])
        if floating and parent is m.ground and m.bodies:
            parent = m.bodies[-1]
        position = add(parent.position, scale(unit(add(m.vector(), [1.2, 0, 0])),
                                              rng.uniform(0.3, 0.9)))
        if rng.random() < 0.12:
            body = m.add_point(position)
        else:
            body = m.add_rigid(position)
        if floating and len(m.bodies) == 1:
            continue
        if rng.random() < 0.9:
            kind = rng.choice(TREE)
            add_joint(m, kind, parent, body, m.point_between(parent.position, position),
                      m.direction())
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        close(m, floating)
    relate(m)


def close(m, floating):
    kind = m.rng.choice(LOOP)
    if m.freedom - ROWS[kind] < 1 or len(m.bodies) < 2:
        return
    if floating and kind in ("expression",):
        return
    first, second = m.rng.sample(m.bodies + ([] if floating else [m.ground]), 2)
    if second is m.ground:
        first, second = second, first
    add_joint(m, kind, first, second, m.point_between(first.position, second.position),
              m.direction())


def relate(m):
    rng = m.rng
    if rng.random() < 0.3 and m.freedom > 1:
        add_relation(m)
    if rng.random() < 0.3 and m.freedom > 1:
        add_drive(m)
    if rng.random() < 0.15 and m.freedom > 1:
        add_angle_motion(m)
    if rng.random() < 0.2:
        double(m)


def double(m):
    """A second joint on the axis of a first: all its rows are redundant."""
    for name, entry in list(m.tree["joints"].items()):
        if entry.get("type") in ("revolute", "cylindrical") and "at" in entry:
            twin = dict(entry)
            twin["at"] = Point(add(entry["at"].xyz, scale(entry["axis"].xyz, 0.2)))
            m.put_joint(twin, 0, *m.joints[name][1:])
            m.traits.add("redundant")
            return


def parallel_links(m):
    """A platform on two to four parallel links of the same length: a plane mechanism modelled in
    space whose further links add rows but hold nothing."""
    rng = m.rng
    R = m.rotation()
    turn = lambda v: apply(R, v)
    axis, up = turn([0, 0, 1]), turn([0.3, 0.5, 0])
    n = rng.randint(2, 4)
    feet = [turn([0.5 * i, 0.1 * (i % 2), 0.1 * i]) for i in range(n)]
    w = rng.uniform(-3, 3)
    speed = cross(scale(axis, w), up)
    platform = m.add_rigid(add(turn([0.5, 0, 0]), up), R, moving=0)
    m.tree["bodies"][platform.name].update(velocity=Dir(speed, SPEED))
    m.tree["bodies"][platform.name].pop("angular_velocity", None)
    for foot in feet:
        link = m.add_rigid(add(foot, scale(up, 0.5)), R, moving=0)
        m.tree["bodies"][link.name].update(velocity=Dir(scale(speed, 0.5), SPEED),
                                           angular_velocity=Dir(scale(axis, w), RATE))
        kinds = rng.choice([("revolute", "revolute"), ("revolute", "spherical"),
                            ("cylindrical", "revolute")])
        for kind, body, at in ((kinds[0], m.ground, foot), (kinds[1], platform, add(foot, up))):
            m.put_joint({"type": kind, "bodies": [body.name, link.name], "at": Point(at),
                         "axis": Dir(axis)}, 0, body, link)
    m.freedom = 1
    m.traits.add("redundant")
    if rng.random() < 0.4:
        add_drive(m, crank=True)


def four_bar(m):
    """A plane four-bar with pins: three redundant rows; sometimes with a coupler point on a line."""
    rng = m.rng
    R = m.rotation()
    turn = lambda x, y: apply(R, [x, y, 0])
    a, b = turn(0, 0), turn(0.2 * rng.random() - 0.1, 0.3)
    c, d = turn(1.0, 0.5 + 0.3 * rng.random()), turn(1.0, -0.1)
    axis = apply(R, [0, 0, 1])
    bars = [m.add_rigid(scale(add(p, q), 0.5), moving=0.3) for p, q in ((a, b), (b, c), (c, d))]
    ends = [(m.ground, bars[0], a), (bars[0], bars[1], b), (bars[1], bars[2], c),
            (bars[2], m.ground, d)]
    loose = rng.random() < 0.4
    for i, (first, second, at) in enumerate(ends):
        kind = ("spherical", "cylindrical")[i % 2] if loose and i > 1 else "revolute"
        m.put_joint(dict({"type": kind}, **m.pair(first, second, at, axis)), 0, first, second)
    m.freedom = 1
    m.traits.add("redundant")
    if rng.random() < 0.4:
        add_drive(m, crank=True)


def bennett(m):
    """Bennett's linkage: four skew pins that move although Gruebler counts -2. Opposite bars are
    alike and a/sin(alpha) = b/sin(beta). It closes by symmetry about a line: bars from the first
    pin along x, and the opposite pin by the closure of the joint angles,
    tan(theta/2) tan(phi/2) = sin((beta + alpha)/2)/sin((beta - alpha)/2)."""
    rng = m.rng
    alpha, beta = rng.uniform(0.4, 0.8), rng.uniform(1.0, 1.4)
    a = 0.5
    b = a * math.sin(beta) / math.sin(alpha)
    theta = rng.uniform(0.8, 2.0)
    k = math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    phi = 2 * math.atan(k / math.tan(theta / 2))
    pose, origin = IDENTITY, [0.0, 0.0, 0.0]
    pins = []
    for length, twist, angle in ((a, alpha, theta), (b, beta, phi), (a, alpha, -theta),
                                 (b, beta, -phi)):
        pins.append((origin, [row[2] for row in pose]))
        pose = multiply(pose, about([0, 0, 1], angle))
        origin = add(origin, scale([row[0] for row in pose], length))
        pose = multiply(pose, about([1, 0, 0], twist))
    if max(map(abs, origin)) > 1e-9:
        return four_bar(m)
    bars = [m.ground] + [m.add_rigid(scale(add(pins[i][0], pins[(i + 1) % 4][0]), 0.5), moving=0.3)
                         for i in (1, 2, 3)]
    for i in range(4):
        first, second = bars[i - 1], bars[i]
        m.put_joint(dict({"type": "revolute"}, **m.pair(first, second, *pins[i])), 0, first, second)
    m.freedom = 1
    m.traits.add("redundant")


def rolling(m):
    """Discs that roll on a plane of the world, one perhaps with a body that hangs on its axle."""
    rng = m.rng
    for i in range(rng.randint(1, 2)):
        r = rng.uniform(0.15, 0.4)
        tilt = rng.uniform(-0.5, 0.5)
        R = about([1, 0, 0], math.pi / 2 + tilt)
        height = r * math.cos(tilt)
        disc = m.add_rigid([1.5 * i, 0, height], R, moving=0.5)
        m.tree["bodies"][disc.name].pop("cm", None)
        m.put_joint({"type": "rolling_disc", "frames": ["world", disc.name], "radius": Q(r, LENGTH)},
                    3, None, disc)
        if rng.random() < 0.5:
            body = m.add_rigid(add(disc.position, [0.1, 0.4, 0.1]))
            axis = [row[2] for row in R]
            m.put_joint(dict({"type": "revolute"}, **m.pair(disc, body, disc.position, axis)), 5, disc,
                        body)
    m.traits.add("rolling")


def cam(m):
    """A round cam beside its axle lifts a flat follower."""
    rng = m.rng
    R, e = rng.uniform(0.1, 0.2), 0.05
    ring = [Local([e + R * math.cos(k * math.pi / 12), R * math.sin(k * math.pi / 12), 0])
            for k in range(24)]
    m.tree["paths"]["ring"] = {"closed": True, "points": ring}
    m.tree["paths"]["face"] = {"points": [Local([x, 0, 0]) for x in (-0.4, 0, 0.4)]}
    wheel = m.add_rigid([0, 0, 0], IDENTITY, moving=0)
    follower = m.add_rigid([0, R, 0], IDENTITY, moving=0)
    axle = m.put_joint({"type": "revolute", "bodies": ["ground", wheel.name],
                        "at": Point([0, 0, 0]), "axis": Dir([0, 0, 1])}, 5, m.ground, wheel)
    m.put_joint({"type": "orientation", "frames": ["world", follower.name]}, 3, None, follower)
    m.put_joint({"type": "expression", "expression": X(f"DX({follower.name}, world, world)")}, 1,
                None, follower)
    m.put_joint({"type": "path_on_path", "frames": [wheel.name, follower.name], "path": "ring",
                 "second_path": "face", "near": Local([e, R, 0])}, 2, wheel, follower)
    if rng.random() < 0.6:
        w = Q(rng.uniform(2, 6), RATE)
        m.put_joint({"type": "motion", "joint": axle, "function": X(w, "*time")}, 1)
        m.traits.add("driven")


def chain(m):
    """A chain by `for`: rods with ball joints, pins or universal joints, from the ground."""
    rng = m.rng
    n = rng.randint(2, 5)
    step = scale(unit(add(m.vector(), [1.5, 0, 0])), 0.3)
    mass = rng.uniform(0.2, 1)
    half = scale(step, -0.5)
    m.tree["parameters"]["N"] = n
    m.tree["bodies"]["for i in 1..N"] = {"c{i}": {
        "mass": Q(mass, MASS), "inertia": Local([0.003, 0.004, 0.005], INERTIA),
        "position": Along(half, step, "i"), "rotation": Rot(IDENTITY)}}
    kind = rng.choice(["spherical", "revolute", "universal"])
    rows = {"spherical": 3, "revolute": 5, "universal": 4}[kind]
    z = m.direction()
    ends = ({"axes": [Dir([1, 0, 0]), Dir([0, 1, 0])]} if kind == "universal" else {"axis": Dir(z)})
    m.tree["joints"]["k1"] = dict({"type": kind, "bodies": ["ground", "c1"],
                                   "at": Point([0, 0, 0])}, **ends)
    m.tree["joints"]["for i in 2..N"] = {"k{i}": dict(
        {"type": kind, "bodies": ["c{i-1}", "c{i}"], "at": Along(scale(step, -1.0), step, "i")},
        **ends)}
    for i in range(1, n + 1):
        m.bodies.append(Body(f"c{i}", add(half, scale(step, i)), IDENTITY, mass))
    m.freedom += n * (6 - rows)
    if rng.random() < 0.4 and m.freedom > 2:
        close(m, False)


def floating(m):
    tree(m, m.rng.randint(2, 4), floating=True)
    m.traits.add("floating")


SKELETONS = [(tree, 8), (floating, 3), (parallel_links, 2), (four_bar, 2), (bennett, 1), (rolling, 1),
             (cam, 1), (chain, 2)]
