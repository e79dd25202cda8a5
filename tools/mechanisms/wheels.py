"""Wheels with tyres: each hangs on a body of the mechanism by a pin, and rolls, slides or jumps on a
road of its own under it. Tyres fade below speeds that are absolute (0.3 and 1 m/s), so that a
mechanism with one is not the same in other units of length or time."""
from mechanisms.builder import Body
from mechanisms.geometry import (add, apply, axes_with_z, cross, dot, norm, scale, sub, transpose,
                                 unit)
from mechanisms.tree import (DAMPING, FORCE, INERTIA, LENGTH, MASS, RATE, SPEED, STIFFNESS, Dir,
                             Local, Point, Q, Rot)


def vertical(rng, load):
    return {"type": "vertical_tyre"}


def linear(rng, load):
    entry = {"type": "linear_tyre", "longitudinal": Q(rng.uniform(5, 20) * load, FORCE),
             "lateral": Q(rng.uniform(4, 15) * load, FORCE)}
    if rng.random() < 0.5:
        entry["mu"] = rng.uniform(0.3, 1.2)
    return entry


def fiala(rng, load):
    entry = {"type": "fiala_tyre", "mu_static": rng.uniform(0.7, 1.1), "mu_sliding": rng.uniform(0.4, 0.7),
             "longitudinal": Q(rng.uniform(5, 20) * load, FORCE), "lateral": Q(rng.uniform(4, 15) * load, FORCE)}
    if rng.random() < 0.5:
        entry["width"], entry["together"] = Q(0.1, LENGTH), rng.random() < 0.5
    return entry


def tmeasy(rng, load):
    def curve():
        peak, slip = rng.uniform(0.7, 1.1) * load, rng.uniform(0.08, 0.15)
        slope = rng.uniform(2.2, 4) * peak / slip
        return [Q(slope, FORCE), Q(peak, FORCE), slip, Q(0.9 * peak, FORCE), rng.uniform(0.4, 0.7)]
    return {"type": "tmeasy_tyre", "load": Q(load, FORCE), "longitudinal": curve(), "lateral": curve(),
            "trail": Q(rng.uniform(0, 0.03), LENGTH)}


def road(m, rng, at, R):
    """A road through a point, whose z is the third axis of R."""
    entry = {"position": Point(at), "rotation": Rot(R, m.style()), "type": "flat"}
    kind = rng.random()
    if kind < 0.4:
        shape = rng.choice(["cosine", "quintic", "half_cylinder", "ramp"])
        entry.update({"type": "bumps", "shape": shape, "at": [Q(rng.uniform(0.1, 0.5), LENGTH)],
                      "height": Q(rng.uniform(0.005, 0.03), LENGTH)})
        if shape != "half_cylinder":
            entry["length"] = Q(rng.uniform(0.1, 0.3), LENGTH)
    elif kind < 0.5:
        name = m.name("s")
        m.tree["splines"][name] = {"type": "cubic", "x": [Q(0.4 * k - 2, LENGTH) for k in range(11)],
                                   "y": [Q(rng.uniform(-0.01, 0.01), LENGTH) for k in range(11)]}
        entry.update({"type": "profile", "height": name})
    if rng.random() < 0.3:
        entry["friction"] = rng.uniform(0.5, 1)
    return entry


def carrier(m, rng):
    """A rigid body to carry a wheel, one that moves where there is one, or None."""
    known = [b for b in m.bodies if b.rigid and b.name in m.tree["bodies"]]
    moving = [b for b in known if "velocity" in m.tree["bodies"][b.name]]
    return rng.choice(moving or known) if known else None


def along_road(m, rng, v):
    """Axes of a road for a body of a velocity: z against the weight, x ahead."""
    up = scale(unit(m.tree["gravity"].xyz), -1.0) if "gravity" in m.tree else m.direction()
    ahead = sub(v, scale(up, dot(v, up)))
    if norm(ahead) < 0.05:
        return axes_with_z(up)
    ahead = unit(ahead)
    return transpose([ahead, cross(up, ahead), up])


def add_hub(m, rng, body, v, R, radius):
    """The wheel on a pin, about upright; its body and its axle."""
    mass = rng.uniform(0.3, 2)
    centre = add(body.position, m.vector(0.2))
    axle = apply(R, unit([rng.uniform(-0.15, 0.15), 1.0, rng.uniform(-0.1, 0.1)]))
    z = unit(cross(axle, [1.0, 0.0, 0.0] if abs(axle[0]) < 0.6 else [0.0, 0.0, 1.0]))
    own = transpose([cross(axle, z), axle, z])
    size = rng.uniform(0.3, 0.6) * mass * radius * radius
    turn = [0.6 * size, size, 0.6 * size]
    spin = scale(axle, norm(v) / radius * rng.uniform(0, 1.2))
    wheel = Body(m.name("b"), centre, own, mass)
    m.put(wheel, {"mass": Q(mass, MASS), "inertia": Local(turn, INERTIA), "position": Point(centre),
                  "rotation": Rot(own), "velocity": Dir(v, SPEED), "angular_velocity": Dir(spin, RATE)}, 6)
    m.put_joint({"type": "revolute", "bodies": [body.name, wheel.name], "at": Point(centre), "axis": Dir(axle)},
                5, body, wheel)
    return wheel, axle


def add_wheel(m, rng):
    body = carrier(m, rng)
    if body is None:
        return
    v = m.tree["bodies"][body.name].get("velocity", Dir(m.vector(), SPEED)).xyz
    R, radius = along_road(m, rng, v), rng.uniform(0.1, 0.3)
    wheel, axle = add_hub(m, rng, body, v, R, radius)
    load = 9.81 * (wheel.mass + body.mass)
    k = 10 ** rng.uniform(3, 4.5)
    up = [row[2] for row in R]
    below = sub(wheel.position, scale(up, radius - rng.uniform(-0.05, 2 * load / k)))
    name, tyre = m.name("r"), m.name("f")
    entry = road(m, rng, below, R)
    m.tree.setdefault("roads", {})[name] = entry
    sharp = entry.get("shape") in ("half_cylinder", "ramp")
    force = {"bodies": ["ground", wheel.name], "at": Point(wheel.position), "axis": Dir(axle), "road": name,
             "radius": Q(radius, LENGTH), "stiffness": Q(k, STIFFNESS),
             "damping": Q(rng.uniform(0, 0.2) * k ** 0.5, DAMPING), "contact": "disc" if sharp else "point"}
    force.update(rng.choice([vertical, linear, fiala, tmeasy])(rng, load))
    if force["type"] != "vertical_tyre" and rng.random() < 0.5:
        force["relaxation_x"] = Q(rng.uniform(0.05, 0.4), LENGTH)
        force["relaxation_y"] = Q(rng.uniform(0.05, 0.4), LENGTH)
    m.tree["forces"][tyre] = force
    for channel in ("load", "fx", "fy"):
        m.output(f"output({tyre}).{channel}", dim=FORCE, kind="load")
    m.output(f"VX({wheel.name}, world, world, world)", dim=SPEED)
    m.output(f"DZ({wheel.name}, world, world)", dim=LENGTH)
    m.output(f"WY({wheel.name}, world, {wheel.name})", dim=RATE)
    m.traits |= {"nonsmooth", "wheel", "active"}


def add_wheels(m, rng):
    for _ in range(rng.choice([1, 1, 2])):
        add_wheel(m, rng)
