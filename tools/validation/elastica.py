"""Plane rods without shear by shooting: limit points of Lee's frame and of a clamped and hinged arch."""
import math


def rod(y, force, length, n, stiffness, curvature=0.0):
    """Runge-Kutta steps along a rod: x, z, angle of the tangent, moment; force on its end; (EA, EI);
    curvature without load."""
    fx, fz = force
    EA, EI = stiffness

    def slope(y):
        c, s = math.cos(y[2]), math.sin(y[2])
        stretch = 1 + (fx * c + fz * s) / EA
        return (stretch * c, stretch * s, curvature + y[3] / EI, -stretch * (c * fz - s * fx))

    def moved(y, h, k):
        return [a + h * b for a, b in zip(y, k)]

    h = length / n
    for _ in range(n):
        k1 = slope(y)
        k2 = slope(moved(y, h / 2, k1))
        k3 = slope(moved(y, h / 2, k2))
        k4 = slope(moved(y, h, k3))
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y


def lee(follower):
    """What is wrong at the far end of the frame, and the place of the load, by u: force at the foot
    and load in 1e4 lbf, rotation of the foot."""
    stiffness = (7.2e6 * 6, 7.2e6 * 2)

    def shoot(u):
        foot = (u[0] * 1e4, u[1] * 1e4)
        y = rod([0.0, 0.0, math.pi / 2 + u[2], 0.0], foot, 120.0, 60, stiffness)
        y[2] -= math.pi / 2
        y = rod(y, foot, 24.0, 12, stiffness)
        place = (y[0] - 24.0, y[1] - 120.0)
        down = (math.sin(y[2]), -math.cos(y[2])) if follower else (0.0, -1.0)
        rest = [f - u[3] * 1e4 * d for f, d in zip(foot, down)]
        y = rod(y, rest, 96.0, 48, stiffness)
        return [(y[0] - 120.0) / 100, (y[1] - 120.0) / 100, y[3] / 1e6], place
    return shoot


def arch(steps=100):
    """The same of the arch of models/flexible/arch.yaml by u: force and moment at the clamp, load,
    in units of 1e4 and 1e6."""
    R, half, stiffness = 100.0, math.radians(107.5), (1e8, 1e6)

    def shoot(u):
        force = (u[0] * 1e4, u[1] * 1e4)
        y = [-R * math.sin(half), R * math.cos(half), half, u[2] * 1e6]
        y = rod(y, force, R * half, steps, stiffness, -1 / R)
        place = (y[0], y[1] - R)
        y = rod(y, (force[0], force[1] + u[3] * 1e4), R * half, steps, stiffness, -1 / R)
        return [(y[0] - R * math.sin(half)) / 100, (y[1] - R * math.cos(half)) / 100,
                y[3] / 1e6], place
    return shoot


def solve(A, b):
    """Gauss and Jordan."""
    rows = [list(r) + [x] for r, x in zip(A, b)]
    for i in range(len(b)):
        k = max(range(i, len(b)), key=lambda r: abs(rows[r][i]))
        rows[i], rows[k] = rows[k], rows[i]
        for r in range(len(b)):
            if r != i:
                m = rows[r][i] / rows[i][i]
                rows[r] = [a - m * c for a, c in zip(rows[r], rows[i])]
    return [rows[i][-1] / rows[i][i] for i in range(len(b))]


def step(u, t, h, shoot):
    """The solution on the plane across the tangent t at the distance h; None: not found."""
    aim = [a + h * b for a, b in zip(u, t)]

    def wrong(v):
        return shoot(v)[0] + [sum((a - b) * c for a, b, c in zip(v, aim, t))]

    v = aim
    for _ in range(12):
        r = wrong(v)
        if max(map(abs, r)) < 1e-11:
            return v
        columns = []
        for k in range(4):
            up, down = list(v), list(v)
            up[k] += 1e-6
            down[k] -= 1e-6
            columns.append([(a - b) / 2e-6 for a, b in zip(wrong(up), wrong(down))])
        v = [a - b for a, b in zip(v, solve(list(zip(*columns)), r))]
    return None


def unit(a, b):
    d = [y - x for x, y in zip(a, b)]
    size = math.sqrt(sum(x * x for x in d))
    return [x / size for x in d]


def top(u, t, h, shoot):
    """The extreme load near u, by parabolas through three points."""
    h *= 0.3
    for _ in range(3):
        three = [step(u, t, s * h, shoot) for s in (-1, 0, 1)]
        a, b, c = (v[3] for v in three)
        t = unit(three[0], three[2])
        u = step(three[1], t, h * (a - c) / (2 * (a - 2 * b + c)), shoot)
        h *= 0.2
    return u[3] * 1e4, *shoot(u)[1]


def limits(shoot, count=2):
    """(load, u1, u3) at the first limit points."""
    u, t, h, found = [0.0] * 4, [0.0, 0.0, 0.0, 1.0], 0.02, []
    before = u
    while len(found) < count:
        v = step(u, t, h, shoot)
        if v is None:
            h *= 0.5
            continue
        if (v[3] - u[3]) * (u[3] - before[3]) < 0:
            found.append(top(u, t, h, shoot))
        before, t, u, h = u, unit(u, v), v, min(1.2 * h, 0.1)
    return found


if __name__ == "__main__":
    for name, shoot, count in (("dead", lee(False), 2), ("follower", lee(True), 2),
                               ("arch", arch(), 1), ("arch, half the steps", arch(50), 1)):
        for load, u1, u3 in limits(shoot, count):
            print(f"{name:9s} {load:.4f} {u1:.4f} {u3:.4f}")
