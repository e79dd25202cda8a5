"""Error measures, Euler parameters, elliptic functions."""
import math


def rms(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / len(a))


def largest(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def spread(a):
    return max(abs(x - a[0]) for x in a)


def digits(got, want):
    """Mixed error significant digits, the least over all pairs."""
    worst = max(abs(g - w) / (1 + abs(w)) for g, w in zip(got, want, strict=True))
    return 16.0 if worst == 0 else -math.log10(worst)


def quaternion(x, y):
    """Euler parameters from the first two axes of a rotation matrix, well conditioned."""
    z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    trace = x[0] + y[1] + z[2]
    squares = [1 + trace, 1 + 2 * x[0] - trace, 1 + 2 * y[1] - trace, 1 + 2 * z[2] - trace]
    products = {(0, 1): y[2] - z[1], (0, 2): z[0] - x[2], (0, 3): x[1] - y[0],
                (1, 2): x[1] + y[0], (1, 3): x[2] + z[0], (2, 3): y[2] + z[1]}
    k = squares.index(max(squares))
    return [math.sqrt(squares[k]) / 2 if i == k
            else products[min(i, k), max(i, k)] / (2 * math.sqrt(squares[k])) for i in range(4)]


def euler_parameters(run, table):
    """e0..e3 of the run, each row with the sign of the table's."""
    names = ["e0", "e1", "e2", "e3"]
    out = {name: [] for name in names}
    for k in range(len(run.time)):
        axes = [[run[f"{a}_axis_{c}"][k] for c in "xyz"] for a in "xy"]
        p = quaternion(*axes)
        sign = math.copysign(1, sum(a * table[n][k] for a, n in zip(p, names)))
        for name, a in zip(names, p):
            out[name].append(sign * a)
    return out


def jacobi(u, m):
    """sn, cn, dn of u for the parameter m = k^2, by descending Landen steps."""
    a, c, scale = [1.0], [math.sqrt(m)], 1.0
    b = math.sqrt(1 - m)
    while abs(c[-1] / a[-1]) > 1e-16 and len(a) < 12:
        a_next, c_next, b = (a[-1] + b) / 2, (a[-1] - b) / 2, math.sqrt(a[-1] * b)
        a.append(a_next)
        c.append(c_next)
        scale *= 2
    phi, last = scale * a[-1] * u, 0.0
    for k in range(len(a) - 1, 0, -1):
        last = phi
        phi = (math.asin(c[k] * math.sin(phi) / a[k]) + phi) / 2
    sn, cn = math.sin(phi), math.cos(phi)
    return sn, cn, math.sqrt(1 - m * sn * sn)


def elliptic_k(m):
    a, b = 1.0, math.sqrt(1 - m)
    while abs(a - b) > 1e-16 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
        if abs(a - b) <= 4e-16 * a:
            break
    return math.pi / (2 * a)


def zero_crossings(x, y):
    """Where y crosses zero, by straight lines."""
    pairs = zip(zip(x, y), zip(x[1:], y[1:]))
    return [a - ya * (b - a) / (yb - ya) for (a, ya), (b, yb) in pairs if ya * yb < 0]
