#!/usr/bin/env python3
"""Frequencies of rotating blades by a model of its own (needs numpy): of aluminium with a swept tip,
and straight of a composite.

    tools/evidence/blade.py [ELEMENTS]

It shares nothing with Trammel: geometrically exact beams (Reissner, Simo) in axes that turn with W,
displacements u and total rotation vectors t of the nodes, quadratic elements (5 ELEMENTS in the
straight part, ELEMENTS in the tip), two Gauss points for strains and three for inertia. From the
Lagrangian L(q, q') alone, by complex steps and differences of them:

    L_q = 0 at q' = 0,   L_q'q' e'' + (L_q'q - L_qq') e' - L_qq e = 0
"""
import sys

import numpy as np



class Section:
    """1 in wide; moduli in psi of stretch, shear and torsion, and the factors of the published data."""

    def __init__(self, height, stretch, shear, torsion, density):
        area, iy, iz = height, height ** 3 / 12, height / 12
        self.stiffness = np.array([stretch * area, shear * area / 1.2,
                                   shear * area / 14.625127919304,
                                   torsion * (iy + iz) / 65.85255016982444,
                                   stretch * iy, stretch * iz])
        self.mass, self.inertia = density * area, density * np.array([iy + iz, iy, iz])


ALUMINIUM = Section(0.063, 1.06e7, 1.06e7 / 2.65, 1.06e7 / 2.65, 2.51e-4)
COMPOSITE = Section(0.117, 2.059e7, 8.9e5, 8e5, 1.44e-4)
OFFSET, STRAIGHT, TIP = 2.5, 31.5, 6.0
GAUSS2 = [(-3 ** -0.5, 1.0), (3 ** -0.5, 1.0)]
GAUSS3 = [(-0.6 ** 0.5, 5 / 9), (0.0, 8 / 9), (0.6 ** 0.5, 5 / 9)]


def skew(v):
    z = np.zeros(v.shape[:-1] + (3, 3), v.dtype)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        z[..., j, i], z[..., i, j] = v[..., k], -v[..., k]
    return z


def rotation(t):
    """R = exp(t~) and T with t' -> T t', the rate in the axes of the section; series, so that
    complex steps pass."""
    x = (t * t).sum(-1)[..., None, None]
    terms, sums = [1 + 0 * x, 0.5 + 0 * x, 1 / 6 + 0 * x], [0, 0, 0]
    for k in range(12):
        for i in range(3):
            sums[i] = sums[i] + terms[i]
            terms[i] = -terms[i] * x / ((2 * k + 2 + i) * (2 * k + 3 + i))
    s = skew(t)
    return np.eye(3) + sums[0] * s + sums[1] * s @ s, np.eye(3) - sums[1] * s + sums[2] * s @ s


def shape(x):
    return np.array([x * (x - 1) / 2, 1 - x * x, x * (x + 1) / 2])


def slope(x):
    return np.array([x - 0.5, -2 * x, x + 0.5])


def apply(matrix, v):
    return np.einsum("eij,ej->ei", matrix, v)


class Blade:
    def __init__(self, n, sweep, spin, section=ALUMINIUM):
        self.section = section
        along = np.array([np.cos(sweep), -np.sin(sweep), 0.0])
        knee = np.array([OFFSET + STRAIGHT, 0.0, 0.0])
        first = [np.array([OFFSET + STRAIGHT * k / (10 * n), 0.0, 0.0]) for k in range(10 * n + 1)]
        nodes = np.array(first + [knee + along * TIP * k / (2 * n) for k in range(1, 2 * n + 1)])
        self.members = np.array([[2 * e, 2 * e + 1, 2 * e + 2] for e in range(6 * n)])
        self.x = nodes[self.members]
        axes = np.array([[along[0], -along[1], 0], [along[1], along[0], 0], [0, 0, 1]])
        self.axes = np.array([np.eye(3)] * (5 * n) + [axes] * n)
        self.half = np.array([STRAIGHT / (10 * n)] * (5 * n) + [TIP / (2 * n)] * n)
        self.spin = np.array([0.0, 0.0, spin])
        self.count = len(nodes)
        self.place = (self.members[:, :, None] * 6 + np.arange(6)).reshape(len(self.x), 18)

    def lagrangian(self, q, rate):
        """Of each element; q, rate: elements x 3 nodes x 6."""
        u, t, u1, t1 = q[..., :3], q[..., 3:], rate[..., :3], rate[..., 3:]
        back = np.swapaxes(self.axes, -1, -2)
        total = 0
        for x, weight in GAUSS2:
            d = slope(x) / self.half[:, None]
            turn, tangent = rotation(np.einsum("j,ejk->ek", shape(x), t))
            section = np.swapaxes(turn @ self.axes, -1, -2)
            strain = apply(section, np.einsum("ej,ejk->ek", d, self.x + u)) - np.eye(3)[0]
            bend = apply(back, apply(tangent, np.einsum("ej,ejk->ek", d, t)))
            both = np.concatenate([strain, bend], -1)
            total = total - 0.5 * weight * self.half * (self.section.stiffness * both * both).sum(-1)
        for x, weight in GAUSS3:
            n = shape(x)
            v = np.einsum("j,ejk->ek", n, u1)
            v = v + np.einsum("j,ejk->ek", n, self.x + u) @ skew(self.spin).T
            turn, tangent = rotation(np.einsum("j,ejk->ek", n, t))
            omega = apply(back, apply(tangent, np.einsum("j,ejk->ek", n, t1)))
            omega = omega + np.swapaxes(turn @ self.axes, -1, -2) @ self.spin
            kinetic = self.section.mass * (v * v).sum(-1)
            kinetic = kinetic + (self.section.inertia * omega * omega).sum(-1)
            total = total + 0.5 * weight * self.half * kinetic
        return total

    def gradient(self, q, rate, which):
        """Derivative by q (which 0) or q' (1) of each element, by complex steps."""
        out = np.zeros((len(q), 18))
        for k in range(18):
            pair = [q.astype(complex), rate.astype(complex)]
            pair[which].reshape(len(q), 18)[:, k] += 1e-30j
            out[:, k] = self.lagrangian(*pair).imag / 1e-30
        return out

    def second(self, q, which, by, step):
        """The derivative of that by q (by 0) or q' (1) at rest, assembled without the root."""
        blocks, still = np.zeros((len(q), 18, 18)), np.zeros_like(q)
        for k in range(18):
            pair = []
            for h in (step, -step):
                moved = np.zeros_like(q)
                moved.reshape(len(q), 18)[:, k] = h
                pair.append(self.gradient(q + moved, still, which) if by == 0
                            else self.gradient(q, moved, which))
            blocks[:, :, k] = (pair[0] - pair[1]) / (2 * step)
        whole = np.zeros((6 * self.count, 6 * self.count))
        np.add.at(whole, (self.place[:, :, None], self.place[:, None, :]), blocks)
        return whole[6:, 6:]

    def equilibrium(self):
        q = np.zeros((self.count, 6))
        for _ in range(15):
            e = q[self.members]
            force = np.zeros(6 * self.count)
            np.add.at(force, self.place, self.gradient(e, 0 * e, 0))
            move = np.linalg.solve(-self.second(e, 0, 0, 1e-6), force[6:])
            q.reshape(-1)[6:] += move
            if abs(move).max() < 1e-11:
                break
        return q

    def modes(self, how_many):
        """Frequencies in Hz and whether most of the motion is across the plane."""
        q = self.equilibrium()
        e = q[self.members]
        mass, stiffness = self.second(e, 1, 1, 1e-2), -self.second(e, 0, 0, 1e-5)
        gyro = self.second(e, 1, 0, 1e-5) - self.second(e, 0, 1, 1e-2)
        n = len(mass)
        matrix = np.block([[np.zeros((n, n)), np.eye(n)],
                           [-np.linalg.solve(mass, stiffness), -np.linalg.solve(mass, gyro)]])
        values, vectors = np.linalg.eig(matrix)
        order = [k for k in np.argsort(abs(values.imag)) if values[k].imag > 0][:how_many]
        found = []
        for k in order:
            v = abs(vectors[:n, k].reshape(-1, 6)) ** 2
            found.append((values[k].imag / (2 * np.pi), v[:, 2].sum() > v[:, :2].sum()))
        return q[-1, :3], found


def show(name, n, sweep, rpm, section):
    tip, modes = Blade(n, np.radians(sweep), rpm * np.pi / 30, section).modes(8)
    text = " ".join(f"{f:.4f}{'' if across else '*'}" for f, across in modes)
    print(f"{name}, {sweep} deg, {rpm} rpm: {text}   tip moves by {tip[0]:.6f}, {tip[1]:.6f}",
          flush=True)


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    for sweep in (0, 15, 30, 45):
        for rpm in (0, 500, 750):
            show("aluminium", n, sweep, rpm, ALUMINIUM)
    for rpm in (0, 250, 500, 750):
        show("composite", n, 0, rpm, COMPOSITE)
    print("Hz, inches; * in the plane of rotation")


if __name__ == "__main__":
    main()
