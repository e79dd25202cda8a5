"""Vectors of three and rotation matrices (rows of lists), as far as the generator needs them."""
import math


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scale(a, s):
    return [s * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return scale(a, 1 / norm(a))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def apply(m, a):
    return [dot(row, a) for row in m]


def transpose(m):
    return [list(row) for row in zip(*m)]


def multiply(a, b):
    return [[dot(row, column) for column in transpose(b)] for row in a]


IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def about(axis, angle):
    """The rotation by an angle about a unit axis (Rodrigues)."""
    x, y, z = unit(axis)
    c, s = math.cos(angle), math.sin(angle)
    v = 1 - c
    return [[c + x * x * v, x * y * v - z * s, x * z * v + y * s],
            [y * x * v + z * s, c + y * y * v, y * z * v - x * s],
            [z * x * v - y * s, z * y * v + x * s, c + z * z * v]]


def perpendicular(axis):
    """Some unit vector at right angles to a unit axis."""
    least = min(range(3), key=lambda i: abs(axis[i]))
    return unit(cross(axis, [float(i == least) for i in range(3)]))


def axes_with_z(z):
    """A rotation whose third column is the unit vector z."""
    x = perpendicular(z)
    return transpose([x, cross(z, x), z])


def quaternion(m):
    """Euler parameters of a rotation matrix, the largest first computed (Shepperd)."""
    trace = m[0][0] + m[1][1] + m[2][2]
    squares = [1 + trace] + [1 + 2 * m[i][i] - trace for i in range(3)]
    k = max(range(4), key=lambda i: squares[i])
    root = math.sqrt(squares[k]) / 2
    s = 1 / (4 * root)
    if k == 0:
        return [root, (m[2][1] - m[1][2]) * s, (m[0][2] - m[2][0]) * s, (m[1][0] - m[0][1]) * s]
    if k == 1:
        return [(m[2][1] - m[1][2]) * s, root, (m[0][1] + m[1][0]) * s, (m[2][0] + m[0][2]) * s]
    if k == 2:
        return [(m[0][2] - m[2][0]) * s, (m[0][1] + m[1][0]) * s, root, (m[1][2] + m[2][1]) * s]
    return [(m[1][0] - m[0][1]) * s, (m[2][0] + m[0][2]) * s, (m[1][2] + m[2][1]) * s, root]
