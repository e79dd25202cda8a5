"""Hertz's ellipse by Carlson's integrals."""
import math


def carlson_rf(x, y, z):
    while True:
        mean = (x + y + z) / 3
        if max(abs(x - mean), abs(y - mean), abs(z - mean)) < 1e-4 * mean:
            X, Y = 1 - x / mean, 1 - y / mean
            e2, e3 = X * Y - (X + Y) ** 2, -X * Y * (X + Y)
            return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24) / math.sqrt(mean)
        step = math.sqrt(x * y) + math.sqrt(y * z) + math.sqrt(z * x)
        x, y, z = (x + step) / 4, (y + step) / 4, (z + step) / 4


def carlson_rd(x, y, z):
    total, factor = 0.0, 1.0
    while True:
        mean = (x + y + 3 * z) / 5
        if max(abs(x - mean), abs(y - mean), abs(z - mean)) < 1e-4 * mean:
            X, Y = 1 - x / mean, 1 - y / mean
            Z = -(X + Y) / 3
            e2, e3 = X * Y - 6 * Z * Z, (3 * X * Y - 8 * Z * Z) * Z
            e4, e5 = 3 * (X * Y - Z * Z) * Z * Z, X * Y * Z**3
            series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26
            return 3 * total + factor * series / (mean * math.sqrt(mean))
        step = math.sqrt(x * y) + math.sqrt(y * z) + math.sqrt(z * x)
        total += factor / (math.sqrt(z) * (z + step))
        factor /= 4
        x, y, z = (x + step) / 4, (y + step) / 4, (z + step) / 4


def point_contact(A, B, load, modulus):
    """Half axes along x and y and the approach, for a gap A x^2 + B y^2 and the modulus E*."""
    if A > B:
        b, a, depth = point_contact(B, A, load, modulus)
        return a, b, depth
    low, high = 1e-8, 1.0  # q = b / a
    for _ in range(200):
        q = math.sqrt(low * high)
        D, K = carlson_rd(0, q * q, 1) / 3, carlson_rf(0, q * q, 1)
        low, high = (q, high) if (K - D) / (q * q * D) > B / A else (low, q)
    a = (3 * load * D / (2 * math.pi * modulus * A)) ** (1 / 3)
    return a, q * a, 3 * load * K / (2 * math.pi * modulus * a)
