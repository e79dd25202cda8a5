"""A curved rod in space, clamped, with a dead force at its end: by shooting.

With the force F and the tip at r_L, the moment in the rod at r is (r_L - r) x F. From the clamp,
R the axes of the section, C the stiffnesses along them:

    r' = R (e_1 + R^T F / C_force),   R' = R [k + R^T m / C_moment]~

Newton finds the r_L that comes out as it was put in.
"""
import math

from .elastica import solve


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def slope(y, force, tip, curvature, C_force, C_moment):
    """y: place and the three axes of the section, one after another."""
    axes = [y[3:6], y[6:9], y[9:12]]
    moment = cross([t - r for t, r in zip(tip, y)], force)
    strain = [sum(a * f for a, f in zip(axis, force)) / c for axis, c in zip(axes, C_force)]
    bend = [k + sum(a * m for a, m in zip(axis, moment)) / c
            for k, axis, c in zip(curvature, axes, C_moment)]
    strain[0] += 1.0
    spin = [sum(b * axis[i] for b, axis in zip(bend, axes)) for i in range(3)]
    along = [sum(e * axis[i] for e, axis in zip(strain, axes)) for i in range(3)]
    return along + cross(spin, axes[0]) + cross(spin, axes[1]) + cross(spin, axes[2])


def end(force, tip, length, n, *rod):
    """Where a rod that begins along x ends, in n steps of Runge and Kutta."""
    y = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    h = length / n

    def at(by, k):
        return slope([a + by * b for a, b in zip(y, k)], force, tip, *rod)

    for _ in range(n):
        k1 = slope(y, force, tip, *rod)
        k2 = at(h / 2, k1)
        k3 = at(h / 2, k2)
        k4 = at(h, k3)
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y[:3]


def tip_of_bend(force, shear=1.0, n=200):
    """The bend of 45 degrees of Bathe and Bolourchi, models/statics/bend45.yaml, with the force out of
    its plane; shear: share of the area."""
    R, E = 100.0, 1e7
    rod = ([0.0, 0.0, 1 / R], [E, shear * E / 2, shear * E / 2], [E / 12, E / 12, E / 12])
    length = R * math.pi / 4
    tip = [R * math.sin(math.pi / 4), R * (1 - math.cos(math.pi / 4)), 0.0]
    for share in (0.25, 0.5, 0.75, 1.0):
        load = [0.0, 0.0, share * force]
        for _ in range(20):
            def wrong(x):
                return [a - b for a, b in zip(end(load, x, length, n, *rod), x)]
            r = wrong(tip)
            if max(map(abs, r)) < 1e-9:
                break
            columns = []
            for k in range(3):
                moved = list(tip)
                moved[k] += 1e-5
                columns.append([(a - b) / 1e-5 for a, b in zip(wrong(moved), r)])
            tip = [a - b for a, b in zip(tip, solve(list(zip(*columns)), r))]
    return tip


if __name__ == "__main__":
    for F in (300.0, 450.0, 600.0):
        print(F, *(f"{x:.6f}" for x in tip_of_bend(F)), *(f"{x:.6f}" for x in tip_of_bend(F, n=50)))
    print("5/6", *(f"{x:.6f}" for x in tip_of_bend(600.0, 5 / 6)))
