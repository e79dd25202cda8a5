"""The models on which the regret of `auto` is measured: those of models/, shortened, and families that are made here.

Every second model, in the order of their names, is one to learn from; the others are tests.
"""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Entry:
    """A model: a file or a text, parameters, end time, and the channels that count (None: all outputs)."""

    def __init__(self, name, family, path=None, text=None, end=None, sets=(), channels=None):
        self.name, self.family, self.path, self.text = name, family, path, text
        self.end, self.sets, self.channels = end, tuple(sets), channels
        self.learn = True

    def file(self, folder):
        """The path of the model; a made one is written into the folder."""
        if self.path is not None:
            return ROOT / "models" / self.path
        file = pathlib.Path(folder) / (self.name.replace(" ", "_").replace("/", "_") + ".yaml")
        file.write_text(self.text)
        return file


def given(name, family, end=None, channels=None, **sets):
    text = ", ".join(f"{k}={v}" for k, v in sets.items())
    return Entry(name + (f" {text}" if text else ""), family, path=name + ".yaml", end=end, sets=sets.items(),
                 channels=channels)


def rod(k, x, y, L, m, turned=False):
    """A uniform rod about (x, y), along x or (turned) along -y."""
    turn = ", rotation: {axis: z, angle: -pi/2}" if turned else ""
    return (f"  rod{k}: {{mass: {m}, inertia: [{m * L * L / 600}, {m * L * L / 12}, {m * L * L / 12}], "
            f"position: [{x}, {y}, 0]{turn}}}")


def chain(n, joint, end, stiffness=0, damping=0, length=10.0):
    """n rods, 1 kg each, released level; springs at pins."""
    L = length / n
    bodies = [rod(k, (k - 0.5) * L, 0, L, 1) for k in range(1, n + 1)]
    kind = "type: revolute, axis: z" if joint == "pin" else "type: spherical"
    joints = [f"  j{k}: {{{kind}, bodies: [{'ground' if k == 1 else f'rod{k - 1}'}, rod{k}], at: [{(k - 1) * L}, 0, 0]}}"
              for k in range(1, n + 1)]
    forces = [f"  s{k}: {{type: rotational_spring, joint: j{k}, stiffness: {stiffness}, damping: {damping}}}"
              for k in range(2, n + 1)] if stiffness or damping else []
    return document(bodies, joints, forces, {"x": f"DX(rod{n})", "y": f"DY(rod{n})"}, end)


def document(bodies, joints, forces, outputs, end, more=""):
    lines = ["trammel: 1", "gravity: [0, -9.81, 0]", "bodies:"] + bodies
    lines += ["joints:"] + joints if joints else []
    lines += ["forces:"] + forces if forces else []
    lines += [more] if more else []
    lines += ["outputs:"] + [f"  {k}: {v}" for k, v in outputs.items()]
    return "\n".join(lines + [f"simulate: {{end: {end}, output_step: {end / 50}}}", ""])


def tree(depth, end, damping=0.0):
    """A binary tree of rods on pins: every rod carries two at its end, one of them turned about another axis."""
    bodies, joints, forces = [], [], []
    L = 0.5
    for k in range(1, 2 ** depth):
        level = k.bit_length()
        bodies.append(rod(k, (level - 0.5) * L, 0, L, 1.0 / level))
        parent = "ground" if k == 1 else f"rod{k // 2}"
        axis = "z" if k % 2 == 0 or k == 1 else "y"
        joints.append(f"  j{k}: {{type: revolute, bodies: [{parent}, rod{k}], at: [{(level - 1) * L}, 0, 0], axis: {axis}}}")
        forces.append(f"  s{k}: {{type: rotational_spring, joint: j{k}, damping: {damping}, stiffness: {5 * damping}}}")
    last = 2 ** depth - 1
    return document(bodies, joints, forces if damping else [], {"x": f"DX(rod{last})", "y": f"DY(rod{last})",
                                                                "z": f"DZ(rod{last})"}, end)


def windows(n, end, speed, minimal=False, damping=0.0):
    """n parallelograms in a row; minimal: closures of two rows, none of them redundant."""
    bodies, joints, forces = [], [], []
    for k in range(n + 1):
        bodies.append(f"  post{k}: {{mass: 1, inertia: [0.0833, 0.001, 0.0833], position: [{k}, 0.5, 0], "
                      f"velocity: [{speed / 2}, 0, 0], angular_velocity: [0, 0, {-speed}]}}")
        joints.append(f"  A{k}: {{type: revolute, bodies: [ground, post{k}], at: [{k}, 0, 0], axis: z}}")
        if damping:
            forces.append(f"  d{k}: {{type: rotational_spring, joint: A{k}, damping: {damping}}}")
    for k in range(1, n + 1):
        bodies.append(f"  beam{k}: {{mass: 1, inertia: [0.001, 0.0833, 0.0833], position: [{k - 0.5}, 1, 0], "
                      f"velocity: [{speed}, 0, 0]}}")
        close = "point_on_line" if minimal else "revolute"
        joints.append(f"  B{k}: {{type: revolute, bodies: [post{k - 1}, beam{k}], at: [{k - 1}, 1, 0], axis: z}}")
        joints.append(f"  C{k}: {{type: {close}, bodies: [beam{k}, post{k}], at: [{k}, 1, 0], axis: z}}")
    return document(bodies, joints, forces, {"x": "DX(beam1)", "y": "DY(beam1)"}, end)


def lattice(n, k, c, end):
    """n point masses in a row on springs, the first one pulled by a force in time: longitudinal waves."""
    bodies = [f"  p{i}: {{type: point, mass: 1, position: [{i}, 0, 0]}}" for i in range(1, n + 1)]
    joints = [f"  l{i}: {{type: point_on_line, bodies: [ground, p{i}], at: [{i}, 0, 0], axis: x}}" for i in range(1, n + 1)]
    forces = [f"  s{i}: {{type: spring, frames: [{'ground' if i == 1 else f'p{i - 1}'}, p{i}], stiffness: {k}, damping: {c}, "
              f"free_length: 1}}" for i in range(1, n + 1)]
    forces.append(f"  pull: {{type: force, body: p{n}, fx: 5*sin(6*time)}}")
    return document(bodies, joints, forces, {"first": "DX(p1)", "last": f"DX(p{n})"}, end)


def pendulum(end, forces=(), more="", outputs=None, start=""):
    bodies = [f"  rod: {{mass: 1, inertia: [0.001, 0.0833, 0.0833], position: [0.5, 0, 0]{start}}}"]
    joints = ["  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}"]
    return document(bodies, joints, list(forces), dict({"x": "DX(rod)", "y": "DY(rod)"}, **(outputs or {})), end, more)


def lagged(rate, end):
    """A pendulum whose motor follows an angle with lags of the given rate."""
    more = ("states:\n"
            f"  a: {{rate: '{rate}*(sin(2*time) - angle(pin) - a)', initial: 0}}\n"
            f"  b: {{rate: '{rate / 3}*(a - b)', initial: 0}}")
    return pendulum(end, ["  motor: {type: torque, body: rod, tz: 20*b - angular_velocity(pin)}"], more, {"a": "a"})


def stepped(end, slope):
    """A pendulum and a motor that is switched on by functions of time alone."""
    torque = f"step(time, 0.2, 0, {0.2 + slope}, 8) - if(time > 1.1, 2*(time - 1.1), 0)"
    return pendulum(end, [f"  motor: {{type: torque, body: rod, tz: '{torque}'}}"])


def cable(n, E, end, damping=0.0):
    more = ("flexible:\n"
            f"  rope: {{type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: {n}, material: {{E: {E}, density: 7200, "
            f"damping: {damping}}}, section: {{radius: 5e-3}}, start: {{pin: ground}}, frames: {{middle: {{at: 0.5}}}}}}\n"
            "outputs: {tip_x: DX(rope.end), tip_y: DY(rope.end), mid_x: DX(rope.middle), mid_y: DY(rope.middle)}\n")
    return f"trammel: 1\ngravity: [0, -9.81, 0]\n{more}simulate: {{end: {end}, output_step: {end / 50}}}\n"




def made():
    out = []

    def add(name, family, text):
        out.append(Entry(name, family, text=text))

    for joint in ("pin", "ball"):
        for n, end in ((2, 2), (5, 1), (10, 1), (30, 0.4), (60, 0.2)):
            add(f"chain {joint} {n}", "chain", chain(n, joint, end))
    for n, k, c in ((5, 100, 1), (5, 1e4, 1), (10, 1e3, 10), (10, 1e5, 100), (30, 1e4, 10), (10, 0, 5), (10, 0, 500), (3, 1e6, 1e3)):
        add(f"springs {n} {k:g} {c:g}", "stiff", chain(n, "pin", 0.5, k, c))
    for depth, damping in ((3, 0), (3, 5), (4, 0), (5, 0), (5, 0.5)):
        add(f"tree {depth} {damping:g}", "tree", tree(depth, 1.0 if depth < 5 else 0.3, damping))
    for n, minimal, speed, damping in ((2, False, 4, 0), (5, False, 4, 0), (5, True, 4, 0), (20, False, 4, 0), (20, True, 7, 0),
                                       (5, False, 4, 3)):
        add(f"windows {n} {'minimal' if minimal else 'redundant'} {speed} {damping:g}", "loop",
            windows(n, 1.0, speed, minimal, damping))
    for n, k, c in ((10, 100, 0), (10, 1e6, 0), (40, 1e4, 0), (40, 1e6, 300)):
        add(f"lattice {n} {k:g} {c:g}", "wave", lattice(n, k, c, 1.0))
    for rate in (10, 300, 1e5):
        add(f"lag {rate:g}", "states", lagged(rate, 2.0))
    for slope in (0.1, 0.5):
        add(f"stepped {slope}", "drive", stepped(2.0, slope))
    for n, E, damping, end in ((4, 2e7, 0, 0.2), (8, 2e7, 0, 0.1), (8, 2e9, 0, 0.02), (16, 2e8, 0, 0.02), (8, 2e8, 1e-3, 0.1),
                               (16, 2e11, 0, 0.001)):
        add(f"cable {n} {E:g} {damping:g}", "flexible", cable(n, E, end, damping))
    return out


def existing():
    P = ["theta1", "theta2"]
    return [
        given("closed_forms/pendulum", "simple", 3), given("closed_forms/steady_top", "simple", 1, ["x", "y"]),
        given("closed_forms/rolling_disc", "simple", 2, ["x", "y"]), given("studies/ball_pendulum", "simple", 3),
        given("studies/double_pendulum", "simple"), given("studies/four_bar", "loop"),
        given("studies/driven_crank", "drive"), given("studies/controlled_arm", "states"),
        given("studies/tumbling_disc", "simple"), given("cases/andrews", "loop"), given("cases/car_axis", "stiff", 1),
        given("cases/heavy_top", "simple", 0.5, ["cm_x", "cm_y", "cm_z"]), given("cases/iftomm_a02_four_bar", "loop", 3),
        given("cases/iftomm_a04_bricard", "loop", 2), given("cases/slider_crank_spring", "loop", 5),
        given("cases/revolute_spherical_1", "simple", 2),
        
        given("cases/translational_spring_1", "simple", 2), given("elements/gear", "simple"),
        given("elements/bushing", "stiff"), given("elements/screw", "simple"),
        given("elements/point_on_curve", "simple"),
        given("double_pendulum", "stiff", 1, P), given("double_pendulum", "stiff", 1, P, c2=50),
        given("double_pendulum", "stiff", 1, P, c2=2000, k2=3e3), given("double_pendulum", "stiff", 0.2, P, c2=0, k2=3e4),
        given("stiff_chain", "stiff", 0.3), given("modal/slider_crank", "modal", 0.004), given("modal/bell_crank", "modal", 0.002),
        given("reaction_time", "delay", 2), given("pid", "rough", 2), given("elements/friction", "rough", 1),
        given("studies/rough_pendulum", "rough", 1), given("demo", "rough", 0.4),
        given("contact/bouncing_ball", "contact", 0.6), given("contact/bouncing_hunt_crossley", "contact", 1),
        given("contact/sliding_cube", "contact", 0.5), given("contact/slip_to_roll", "contact", 0.5),
        given("contact/incline", "contact", 0.3), given("contact/cradle", "contact", 0.4),
        given("flexible/pendulum", "flexible", 0.02), given("flexible/beam", "flexible", 0.1, ["tip_x", "tip_y", "tip_z", "wz"]),
        given("flexible/four_bar", "flexible", 0.05), given("flexible/rotor", "flexible", 0.005),
    ]


def catalogue():
    entries = sorted(existing() + made(), key=lambda e: e.name)
    for k, entry in enumerate(entries):
        entry.learn = k % 2 == 0
    return entries
