"""Hertz contact by shapes: two bodies, pressed by what the closed form says, take its force."""
import math
import os
import tempfile

from .engine import Failed, read_table

MODEL = """trammel: 1
materials: {{one: {{young: {E1!r}, poisson: {nu1!r}}}, two: {{young: {E2!r}, poisson: {nu2!r}}}}}
ground: {{shape: {{{second}, material: two}}}}}}
bodies:
  first: {{mass: 1, inertia: [1, 1, 1], position: [{x!r}, 0, {z!r}], shape: {{{first}, material: one}}}}}}
contacts: {{pair: {{between: [first, ground], law: hertz, least_radius: 1e-6, largest_radius: 100}}}}
outputs: {{N: contact_force(pair)}}
simulate: {{end: 1e-9}}
"""


def round_body(rx, ry):
    """A shape with these radii at its lowest point, and the height of its centre above that."""
    if rx == ry:
        return f"sphere: {{radius: {rx!r}", rx
    if math.isinf(rx) or math.isinf(ry):
        radius = min(rx, ry)
        axis = "y" if math.isinf(ry) else "x"
        return f"cylinder: {{radius: {radius!r}, length: {10 * radius!r}, axis: {axis}", radius
    semi = [math.sqrt(rx * rx), math.sqrt(ry * rx), rx]  # radii a^2 / c and b^2 / c
    return f"ellipsoid: {{semi_axes: {semi!r}", rx


def arc(radius):
    """A hollow of 90 degrees about the height 0, as the side of a square ring: z and the bulge."""
    return radius * math.sqrt(0.5), -math.tan(math.pi / 8)


def hollow_body(rx, ry, r1):
    """The seat of the first shape: where that is when they meet, and the way in which it is pressed."""
    if rx < 0 and ry < 0:  # a hollow ball, open above, met beside its axis
        R, s = -rx, math.sqrt(0.5)
        points = [[0.0, -R], [0.0, -1.5 * R], [1.5 * R, -1.5 * R], [R * s, -R * s]]
        shape = f"revolution: {{points: {points!r}, bulges: [0, 0, 0, {-math.tan(math.pi / 16)!r}]"
        way = [math.sin(math.pi / 9), -math.cos(math.pi / 9)]
        return shape, [(R - r1) * way[0], (R - r1) * way[1]], way
    R, half = -ry, arc(-ry)  # a groove around a ring whose floor has the radius rx
    edge = rx + R - half[0]
    points = [[0.5 * rx, -half[0]], [edge, -half[0]], [edge, half[0]], [0.5 * rx, half[0]]]
    shape = f"revolution: {{points: {points!r}, bulges: [0, {half[1]!r}, 0, 0]"
    return shape, [rx + r1, 0.0], [-1.0, 0.0]


def model_of(row, delta):
    first, height = round_body(row["R1x"], row["R1y"])
    R2x, R2y = row["R2x"], row["R2y"]
    at, way = [0.0, height], [0.0, -1.0]
    if math.isinf(R2x) and math.isinf(R2y):
        second = "half_space: {normal: z"
    elif R2x < 0 or R2y < 0:
        second, at, way = hollow_body(R2x, R2y, row["R1x"])
    else:
        second, below = round_body(R2x, R2y)
        at[1] += below
    x, z = at[0] + delta * way[0], at[1] + delta * way[1]
    return MODEL.format(first=first, second=second, x=x, z=z, **row)


def hertz(job):
    """The force at the tabulated depth, against the load of the table."""
    table = read_table(job.case_file("contact", "hertz", "hertz.csv"))
    worst = 0.0
    with tempfile.TemporaryDirectory(prefix="trammel-hertz-") as folder:
        for k in range(len(table["F"])):
            row = {name: table[name][k] for name in table}
            path = os.path.join(folder, f"{k}.yaml")
            with open(path, "w") as f:
                f.write(model_of(row, row["delta"]))
            try:
                worst = max(worst, abs(job.engine.run(path)["N"][0] / row["F"] - 1))
            except Failed as e:
                job.report.failure(f"Hertz, pair {k + 1}", "default", e)
    job.report.check("Hertz, 10 pairs", "default", "force, relative", worst, 1e-6)
