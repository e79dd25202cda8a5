#!/usr/bin/env python3
"""Writes the places at the start into models/papers/engine_scale.yaml.

    tools/engine_scale.py models/papers/engine_scale.yaml

Turns are about x from z. A valve is as far open as its cam holds it: the lift of a flat tappet is the reach of the cam along the bank.
"""
import math
import pathlib
import sys

import taut_track

RADIUS, ROD, CANT, DECK = 0.08, 0.28, math.radians(45), 0.62
BASE, NOSE, FLANK, TO, LASH = 0.016, 0.006, 0.06, 0.019, 1e-4
INTAKE, EXHAUST = math.radians(235), math.radians(125)  # largest lift, by the cam from the firing on
BEGIN, END = "  # start, written by tools/engine_scale.py", "  # end of the start"


def cam():
    """Angle between nose and middle of a flank's arc, and where the flank meets the base circle and the nose."""
    long = FLANK - BASE
    beta = math.acos((long ** 2 + TO ** 2 - (FLANK - NOSE) ** 2) / (2 * long * TO))
    return beta, math.pi - beta, math.atan2(long * math.sin(beta), TO - long * math.cos(beta))


def reach(angle):
    """Of the cam in a direction at an angle to its nose."""
    beta, at_base, at_nose = cam()
    if abs(angle) < at_nose:
        return TO * math.cos(angle) + NOSE
    return FLANK + (FLANK - BASE) * math.cos(abs(angle) + beta) if abs(angle) < at_base else BASE


def start():
    _, at_base, at_nose = cam()
    values = {"at_base": at_base, "at_nose": at_nose}
    for b in range(2):
        values[f"bank{b}"] = CANT * (1 - 2 * b)
    for t in range(1, 9):
        crank = values[f"crank{t}"] = (t - 1) * math.pi / 2 + (math.pi / 4 if t > 4 else 0)
        for b in range(2):
            bank = values[f"bank{b}"]
            turn = crank - bank
            values[f"rod{t}{b}"] = bank - math.asin(RADIUS / ROD * math.sin(turn))
            values[f"up{t}{b}"] = RADIUS * math.cos(turn) + math.sqrt(ROD ** 2 - (RADIUS * math.sin(turn)) ** 2)
            fire = values[f"fire{t}{b}"] = turn + 2 * math.pi * (t % 2)
            for s, middle in enumerate((INTAKE, EXHAUST)):
                nose = (fire / 2 - middle + math.pi) % (2 * math.pi) - math.pi
                lift = max(0.0, reach(nose) - BASE - LASH)
                values |= {f"nose{t}{b}{s}": nose, f"lift{t}{b}{s}": lift, f"at{t}{b}{s}": DECK - BASE - LASH - lift}
    return values


def main():
    file = pathlib.Path(sys.argv[1])
    line = next(line for line in file.read_text().splitlines() if line.startswith(BEGIN))
    taut_track.write(file, line, END, start())


if __name__ == "__main__":
    main()
