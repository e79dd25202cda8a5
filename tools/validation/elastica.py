"""Lee's frame as two plane rods without shear, by shooting: limit points of its equilibria."""
import math

EA, EI = 7.2e6 * 6, 7.2e6 * 2


def rod(y, force, length, n):
    """Runge-Kutta steps along a rod: x, z, angle of the tangent, moment; force on its end."""
    fx, fz = force

    def slope(y):
        c, s = math.cos(y[2]), math.sin(y[2])
        stretch = 1 + (fx * c + fz * s) / EA
        return (stretch * c, stretch * s, y[3] / EI, -stretch * (c * fz - s * fx))

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


def shoot(u, follower):
    """What is wrong at the far end, and the place of the load; u: force at the foot and load in
    1e4 lbf, rotation of the foot."""
    foot = (u[0] * 1e4, u[1] * 1e4)
    y = rod([0.0, 0.0, math.pi / 2 + u[2], 0.0], foot, 120.0, 60)
    y[2] -= math.pi / 2
    y = rod(y, foot, 24.0, 12)
    place = (y[0] - 24.0, y[1] - 120.0)
    down = (math.sin(y[2]), -math.cos(y[2])) if follower else (0.0, -1.0)
    rest = [f - u[3] * 1e4 * d for f, d in zip(foot, down)]
    y = rod(y, rest, 96.0, 48)
    return [(y[0] - 120.0) / 100, (y[1] - 120.0) / 100, y[3] / 1e6], place


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


def step(u, t, h, follower):
    """The solution on the plane across the tangent t at the distance h; None: not found."""
    aim = [a + h * b for a, b in zip(u, t)]

    def wrong(v):
        return shoot(v, follower)[0] + [sum((a - b) * c for a, b, c in zip(v, aim, t))]

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


def top(u, t, h, follower):
    """The extreme load near u, by parabolas through three points."""
    h *= 0.3
    for _ in range(3):
        three = [step(u, t, s * h, follower) for s in (-1, 0, 1)]
        a, b, c = (v[3] for v in three)
        t = unit(three[0], three[2])
        u = step(three[1], t, h * (a - c) / (2 * (a - 2 * b + c)), follower)
        h *= 0.2
    return u[3] * 1e4, *shoot(u, follower)[1]


def limits(follower):
    """(load, u1, u3) at the first two limit points."""
    u, t, h, found = [0.0] * 4, [0.0, 0.0, 0.0, 1.0], 0.02, []
    before = u
    while len(found) < 2:
        v = step(u, t, h, follower)
        if v is None:
            h *= 0.5
            continue
        if (v[3] - u[3]) * (u[3] - before[3]) < 0:
            found.append(top(u, t, h, follower))
        before, t, u, h = u, unit(u, v), v, min(1.2 * h, 0.1)
    return found


if __name__ == "__main__":
    for follower in (False, True):
        for load, u1, u3 in limits(follower):
            print(f"{'follower' if follower else 'dead':9s} {load:.2f} {u1:.4f} {u3:.4f}")
