#!/usr/bin/env python3
"""Writes the places of the belt's points into models/papers/belt_drive.yaml.

    tools/belt_drive.py models/papers/belt_drive.yaml

The belt runs around four pulleys: counterclockwise around crank, water pump and alternator, and with its back over the
tensioner. Its points divide the path into equal chords, because unequal ones would be springs of unequal tension that
ring in the first milliseconds. The numbers go between the two lines of the model that say so.
"""
import math
import pathlib
import sys

# centre x, y [m], radius [m], side: 1 the belt turns left around it, -1 right
PULLEYS = [(0.0, 0.0, 0.075, 1), (0.03, 0.24, 0.060, 1), (-0.22, 0.19, 0.030, 1), (-0.150, 0.058, 0.035, -1)]
POINTS = 100
BEGIN, END = "  # points of the belt, written by tools/belt_drive.py", "  # end of the points"


def tangent(a, b):
    """Angles at which the straight piece leaves pulley a and meets pulley b (of the radius outwards)."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    span, towards = math.hypot(dx, dy), math.atan2(dy, dx)
    # a radius s r along (sin, -cos) of the direction puts the pulley to the left (s = 1) of the belt
    turn = math.asin((a[3] * a[2] - b[3] * b[2]) / span)
    heading = towards + turn
    return [heading - side * math.pi / 2 for side in (a[3], b[3])], heading


def path():
    """Pieces (length, place of the distance along it: x, y, heading)."""
    n = len(PULLEYS)
    straight = [tangent(PULLEYS[k], PULLEYS[(k + 1) % n]) for k in range(n)]
    pieces = []
    for k, (cx, cy, r, side) in enumerate(PULLEYS):
        came, goes = straight[k - 1][0][1], straight[k][0][0]
        wrap = (side * (goes - came)) % (2 * math.pi)

        def arc(s, cx=cx, cy=cy, r=r, side=side, came=came):
            angle = came + side * s / r
            return cx + r * math.cos(angle), cy + r * math.sin(angle), angle + side * math.pi / 2

        pieces.append((r * wrap, arc))
        (leaves, meets), heading = straight[k]
        to = PULLEYS[(k + 1) % n]
        x0, y0 = cx + r * math.cos(leaves), cy + r * math.sin(leaves)
        x1, y1 = to[0] + to[2] * math.cos(meets), to[1] + to[2] * math.sin(meets)
        pieces.append((math.hypot(x1 - x0, y1 - y0),
                       lambda s, x=x0, y=y0, h=heading: (x + s * math.cos(h), y + s * math.sin(h), h)))
    return pieces


def at(pieces, s):
    for length, place in pieces:
        if s <= length:
            return place(s)
        s -= length
    return pieces[0][1](s)


def chords(pieces, total):
    """Points with equal chords, the last of which ends at the first; bisection on the chord."""
    def walk(chord):
        s, places = 0.0, [at(pieces, 0.0)]
        for _ in range(POINTS):
            low, high = s, s + 2 * chord
            for _ in range(60):
                middle = (low + high) / 2
                x, y, _ = at(pieces, middle % total)
                if math.hypot(x - places[-1][0], y - places[-1][1]) < chord:
                    low = middle
                else:
                    high = middle
            s = low
            places.append(at(pieces, s % total))
        return s, places

    low, high = 0.9 * total / POINTS, total / POINTS
    for _ in range(60):
        chord = (low + high) / 2
        low, high = (chord, high) if walk(chord)[0] < total else (low, chord)
    return chord, walk(chord)[1][:POINTS]


def main():
    file = pathlib.Path(sys.argv[1])
    pieces = path()
    total = sum(length for length, _ in pieces)
    chord, places = chords(pieces, total)
    lines = [BEGIN, f"  chord: {chord:.12f}"]
    for k, (x, y, heading) in enumerate(places, 1):
        lines.append(f"  x{k}: {x:.12f}\n  y{k}: {y:.12f}\n  p{k}: {heading % (2 * math.pi):.12f}")
    text = file.read_text()
    first, rest = text.split(BEGIN)[0], text.split(END)[1]
    file.write_text(first + "\n".join(lines) + "\n" + END + rest)
    print(f"length {total:.6f} m, chord {1e3 * chord:.4f} mm, wraps "
          + ", ".join(f"{math.degrees(pieces[2 * k][0] / PULLEYS[k][2]):.0f}" for k in range(4)) + " degrees")


if __name__ == "__main__":
    main()
