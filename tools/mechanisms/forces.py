"""Forces, and what they may read: variables, states, delays, systems, tables, other forces."""
from mechanisms.builder import joined
from mechanisms.geometry import add, axes_with_z, norm, sub
from mechanisms.tree import (ANGULAR_DAMPING, DAMPING, FORCE, LENGTH, MASS, NONE, RATE, SPEED,
                             STIFFNESS, TIME, TORQUE, Q, X, over, times)


def two_bodies(m):
    """A body, and another or the ground."""
    second = m.some_body()
    others = [b for b in m.bodies if b is not second]
    if "floating" not in m.traits or not others:
        others = others + [m.ground]
    if "floating" in m.traits and others == [m.ground]:
        return None, None
    return m.rng.choice(others), second


# --- signals: expressions with their dimension --------------------------------------------------


def signal(m, deep=True):
    """A length, speed or angle of the motion, in the axes of the world or of a body."""
    rng, body = m.rng, m.some_body()
    other = rng.choice(["world"] + [b.name for b in m.bodies if b.rigid])
    if "floating" in m.traits:
        rigid = [b.name for b in m.bodies if b.rigid and b is not body]
        if not rigid:
            return X("sin(", Q(3, RATE), "*time)", dim=NONE)
        other = rng.choice(rigid)
    c = rng.choice("XYZ")
    options = [X(f"D{c}({body.name}, {other}, {other})", dim=LENGTH),
               X(f"V{c}({body.name}, {other}, {other}, {other})", dim=SPEED),
               X("sin(", Q(rng.uniform(2, 9), RATE), "*time)", dim=NONE)]
    if body.rigid:
        options.append(X(f"W{c}({body.name}, {other}, {other})", dim=RATE))
        options.append(X(f"C{c}{rng.choice('XYZ')}({body.name}, {other})", dim=NONE))
    angles = m.with_angle()
    if angles:
        joint = rng.choice(angles)
        options.append(X(f"angle({joint})", dim=NONE))
        options.append(X(f"angular_velocity({joint})", dim=RATE))
    if deep:
        options += [X(name, dim=dim) for name, dim in m.signals.items()] * 2
    return rng.choice(options)


def scaled(m, value, size, dim):
    """A signal times a coefficient, so that it is of the dimension and about of the size."""
    return joined(Q(m.rng.choice([-1, 1]) * size, over(dim, value.dim)), "*", value, dim=dim)


def add_variable(m):
    name, value = m.name("v"), signal(m)
    shape = m.rng.choice(["plain", "tanh", "product", "clipped"])
    if shape == "tanh":
        entry, dim = joined("tanh(", Q(1, over(NONE, value.dim)), "*", value, ")", dim=NONE), NONE
    elif shape == "clipped":
        entry, dim = joined("max(", value, ", ", Q(0.1, value.dim), ")", dim=NONE), value.dim
        m.traits.add("kinks")
    elif shape == "product":
        other = signal(m, False)
        entry, dim = joined(value, "*", other, dim=NONE), times(value.dim, other.dim)
    else:
        entry, dim = value, value.dim
    m.tree["variables"][name] = {"value": entry}
    m.signals[name] = dim


def add_state(m):
    """A lag or an oscillator that follows a signal; or an implicit state."""
    rng, name, value = m.rng, m.name("x"), signal(m)
    tau = Q(rng.uniform(0.02, 0.3), TIME)
    initial = Q(rng.uniform(-0.2, 0.2), value.dim)
    if rng.random() < 0.7:
        entry = {"rate": joined("(", value, f" - {name})/", tau, dim=over(value.dim, TIME)),
                 "initial": initial}
    else:
        entry = {"implicit": joined(tau, f"*rate({name}) + {name} - (", value, ")", dim=value.dim),
                 "initial": initial}
    m.tree["states"][name] = entry
    m.signals[name] = value.dim
    if rng.random() < 0.3:
        m.signals[f"rate({name})"] = over(value.dim, TIME)
    m.traits.add("states")


def add_system(m):
    name, value = m.name("s"), signal(m)
    tau = m.rng.uniform(0.02, 0.2)
    m.tree["systems"][name] = {"inputs": value, "numerator": [1.0],
                               "denominator": [1.0, Q(tau, TIME)]}
    m.signals[name] = value.dim
    m.traits.add("states")


def add_delay(m):
    rng, name, value = m.rng, m.name("d"), signal(m)
    time = Q(rng.uniform(0.01, 0.15), TIME)
    if rng.random() < 0.3:
        time = joined(time, "*(1 + 0.5*sin(", Q(3, RATE), "*time))", dim=TIME)
    entry = {"value": value, "time": time}
    if rng.random() < 0.3:
        entry["history"] = Q(rng.uniform(-0.2, 0.2), value.dim)
    m.tree["delays"][name] = entry
    m.signals[f"delay({name})"] = value.dim
    m.traits.add("delay")


def add_spline(m):
    name, value = m.name("t"), signal(m)
    if len(value.pieces) != 1:
        return
    x = [-2.0, -1.0, -0.4, 0.1, 0.5, 1.2, 2.0]
    y = [m.rng.uniform(-1, 1) for _ in x]
    kind = m.rng.choice(["cubic", "akima", "cubic"])
    m.tree["splines"][name] = {"type": kind, "x": [Q(v, value.dim) for v in x], "y": y}
    m.signals[f"spline({value.pieces[0]}, {name})"] = NONE
    if kind == "akima":
        m.traits.add("kinks")


def add_event(m):
    """A state that jumps, or a fresh start, when a signal passes a value or at a time."""
    rng, name = m.rng, m.name("e")
    plain = [n for n, e in m.tree["states"].items() if "rate" in e]
    entry = {"when": X("time"), "condition": "above", "value": Q(rng.uniform(0.03, 0.3), TIME),
             "error": Q(1e-6, TIME)}
    if rng.random() < 0.4:
        value = signal(m, False)
        entry = {"when": value, "condition": rng.choice(["above", "below"]),
                 "value": Q(rng.uniform(-0.5, 0.5), value.dim), "error": Q(1e-6, value.dim)}
    if plain and rng.random() < 0.7:
        state = rng.choice(plain)
        entry["set"] = {state: X(f"0.5*{state}")}
    else:
        entry["restart"] = True
    m.tree["events"][name] = entry
    m.traits.add("events")


# --- forces ---------------------------------------------------------------------------------------


def add_spring(m):
    rng = m.rng
    first, second = two_bodies(m)
    if second is None:
        return
    p = add(first.position, m.vector(0.2)) if first.rigid else first.position
    q = add(second.position, m.vector(0.2)) if second.rigid else second.position
    if norm(sub(p, q)) < 0.2:
        return
    entry = {"type": "spring", "frames": [m.frame_at(first, p), m.frame_at(second, q)],
             "stiffness": Q(10 ** rng.uniform(0.5, 2.5), STIFFNESS)}
    if rng.random() < 0.6:
        entry["damping"] = Q(rng.uniform(0.1, 3), DAMPING)
    if rng.random() < 0.5:
        entry["free_length"] = Q(norm(sub(p, q)) * rng.uniform(0.7, 1.1), LENGTH)
    if rng.random() < 0.2:
        entry["expression"] = scaled(m, signal(m), 2, FORCE)
        m.traits.add("active")
    name = m.name("f")
    m.tree["forces"][name] = entry
    if rng.random() < 0.2:
        m.signals[f"output({name}).tension"] = FORCE


def add_rotational_spring(m):
    joints = m.with_angle()
    if not joints:
        return
    entry = {"type": "rotational_spring", "joint": m.rng.choice(joints),
             "stiffness": Q(10 ** m.rng.uniform(0, 2), TORQUE)}
    if m.rng.random() < 0.6:
        entry["damping"] = Q(m.rng.uniform(0.05, 1), ANGULAR_DAMPING)
    if m.rng.random() < 0.4:
        entry["free_angle"] = m.rng.uniform(-0.5, 0.5)
    m.tree["forces"][m.name("f")] = entry


def add_bushing(m):
    first, second = two_bodies(m)
    if second is None or not (first.rigid and second.rigid):
        return
    at = second.position
    R = axes_with_z(m.direction())
    k, kt = 10 ** m.rng.uniform(1, 2.7), 10 ** m.rng.uniform(0, 1.5)
    stiffness = [Q(k * m.rng.uniform(0.5, 2), STIFFNESS) for _ in range(3)] + [
        Q(kt * m.rng.uniform(0.5, 2), TORQUE) for _ in range(3)]
    damping = [Q(0.02 * q.value, times(q.dim, TIME)) for q in stiffness]
    entry = {"type": "bushing", "frames": [m.frame_at(first, at, R), m.frame_at(second, at, R)],
             "stiffness": stiffness, "damping": damping}
    if m.rng.random() < 0.2:
        entry["preload"] = [Q(m.rng.uniform(-2, 2), FORCE) for _ in range(3)] + [
            Q(m.rng.uniform(-0.5, 0.5), TORQUE) for _ in range(3)]
    name = m.name("f")
    m.tree["forces"][name] = entry
    if m.rng.random() < 0.2:
        m.signals[f"force({name}).fm"] = FORCE


def ends(m, first, second):
    """Ends of a force whose components stand in the axes of the first frame."""
    point = second.position
    start = "world" if first is m.ground else m.frame_at(first, point)
    return {"frames": [start, m.frame_at(second, point)], "axes": "first"}


def add_force(m):
    """Components by expressions: what a user writes. Damping comes with it, else feedback of any
    sign would make the motion grow."""
    first, second = two_bodies(m)
    if second is None or not first.rigid:
        return
    entry = dict({"type": "force"}, **ends(m, first, second))
    for c in m.rng.sample("xyz", m.rng.randint(1, 2)):
        entry["f" + c] = scaled(m, signal(m), m.rng.uniform(0.3, 2), FORCE)
    m.tree["forces"][m.name("f")] = entry
    m.traits.add("active")


def add_torque(m):
    first, second = two_bodies(m)
    if second is None or not (first.rigid and second.rigid):
        return
    entry = dict({"type": "torque"}, **ends(m, first, second))
    for c in m.rng.sample("xyz", m.rng.randint(1, 2)):
        entry["t" + c] = scaled(m, signal(m), m.rng.uniform(0.1, 0.5), TORQUE)
    m.tree["forces"][m.name("f")] = entry
    m.traits.add("active")


def add_drag(m):
    """A force against the velocity by its square, and one by a reaction or an acceleration."""
    if "floating" in m.traits:
        return
    body, rng = m.some_body(), m.rng
    entry = dict({"type": "force"}, **ends(m, m.ground, body))
    v = f"{body.name}, world, world"
    if rng.random() < 0.6:
        drag = Q(-rng.uniform(0.05, 1), over(FORCE, times(SPEED, SPEED)))
        entry["fx"] = X(drag, f"*VX({v})*VM({body.name}, world)", dim=FORCE)
    elif rng.random() < 0.5:
        entry["fy"] = X(Q(-0.2 * body.mass, MASS), f"*ACCY({v})", dim=FORCE)
    else:
        joints = [n for n, j in m.joints.items() if j[0] in ("revolute", "spherical")]
        if not joints:
            return
        entry["fz"] = X(f"0.05*reaction({rng.choice(joints)}, world).fx", dim=FORCE)
        m.traits.add("reactions")
    m.tree["forces"][m.name("f")] = entry
    m.traits.add("active")


def add_floor(m):
    """A floor by impact() or walls by bistop(), near where the body is."""
    if "floating" in m.traits:
        return
    body, rng = m.some_body(), m.rng
    c = rng.choice("xyz")
    place = body.position["xyz".index(c)]
    D = f"D{c.upper()}({body.name}, world, world), V{c.upper()}({body.name}, world, world, world)"
    k, e = Q(10 ** rng.uniform(2, 3.5), over(FORCE, (1.5, 0, 0))), "1.5"
    damper, depth = Q(rng.uniform(1, 10), DAMPING), Q(0.01, LENGTH)
    entry = dict({"type": "force"}, **ends(m, m.ground, body))
    if rng.random() < 0.6:
        entry["f" + c] = X(f"impact({D}, ", Q(place - rng.uniform(0, 0.1), LENGTH), ", ", k,
                           f", {e}, ", damper, ", ", depth, ")", dim=FORCE)
    else:
        gap = rng.uniform(0.01, 0.1)
        entry["f" + c] = X(f"bistop({D}, ", Q(place - gap, LENGTH), ", ", Q(place + gap, LENGTH),
                           ", ", k, f", {e}, ", damper, ", ", depth, ")", dim=FORCE)
    m.tree["forces"][m.name("f")] = entry
    m.traits |= {"active", "nonsmooth"}


def add_friction(m):
    motion = {"revolute": "rotation", "translational": "translation", "cylindrical": "both",
              "spherical": "ball"}
    joints = [n for n, j in m.joints.items() if j[0] in motion and j[2] and j[2].rigid]
    if not joints or "floating" in m.traits:
        return
    name, rng = m.rng.choice(joints), m.rng
    entry = {"type": "friction", "joint": name, "motion": motion[m.joints[name][0]],
             "static": 0.3, "dynamic": 0.2, "static_velocity": Q(0.02, SPEED),
             "dynamic_velocity": Q(0.04, SPEED), "smoothing": Q(1e-2, FORCE)}
    if entry["motion"] != "translation":
        entry["radius"] = Q(rng.uniform(0.01, 0.04), LENGTH)
    if rng.random() < 0.3:
        entry["preload"] = Q(rng.uniform(0.5, 5), FORCE)
    m.tree["forces"][m.name("f")] = entry
    m.traits |= {"nonsmooth", "active", "reactions"}


FORCES = [(add_spring, 6), (add_rotational_spring, 3), (add_bushing, 3), (add_force, 3),
          (add_torque, 2), (add_drag, 2), (add_floor, 2), (add_friction, 1)]
SIGNALS = [(add_variable, 3), (add_state, 3), (add_system, 1), (add_delay, 2), (add_spline, 2),
           (add_event, 1)]
QUIET = [(add_spring, 4), (add_rotational_spring, 2), (add_bushing, 3)]
