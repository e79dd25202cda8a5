#!/usr/bin/env python3
"""Writes the places of the shoes into models/papers/excavator_track.yaml.

    tools/excavator_track.py models/papers/excavator_track.yaml [--trammel build/trammel] [--settle 3]

The first places are those of a taut track around sprocket, rollers and idler, which sits where the last chord ends at the first pin.
With --settle the model is then run for that many seconds with its sprocket at rest, and the places at its end replace the first ones.
The numbers go between the two lines of the model that say so.
"""
import argparse
import math
import pathlib

import taut_track

SHOES, TEETH, PITCH, HALF = 46, 9, 0.48, 0.1  # half the height of a shoe
PIN = PITCH / (2 * math.sin(math.pi / TEETH))
IDLER_Z, IDLER_RADIUS = 0.0, 0.6
ROLLER_RADIUS, CARRIER_RADIUS = 0.4, 0.25
ROLLERS = [(1.6 + 1.4 * j, -0.3) for j in range(5)] + [(x, 0.42) for x in (3.0, 6.0)]
SINKAGE = 3e-3
BEGIN, END = "  # rest, written by tools/excavator_track.py", "  # end of the rest"


def circles(idler_x):
    """Circles on which the pins run, clockwise seen from the left: sprocket, upper rollers, idler, lower rollers from the front."""
    lower = [(x, z, ROLLER_RADIUS + HALF) for x, z in (ROLLERS[4], ROLLERS[0])]
    upper = [(x, z, CARRIER_RADIUS + HALF) for x, z in ROLLERS[5:]]
    return [(0.0, 0.0, PIN), *upper, (idler_x, IDLER_Z, taut_track.on_flat(IDLER_RADIUS, HALF, PITCH)), *lower]


def chords(idler_x):
    return taut_track.chords(taut_track.path(circles(idler_x)), PITCH, SHOES)


def taut():
    idler_x = taut_track.closed(lambda x: chords(x)[0], 7.8, 9.4)
    pins = chords(idler_x)[1]
    values = {"home": idler_x, "idler_x": idler_x, "idler_z": IDLER_Z, "frame_x": 0.0, "frame_z": 0.0, "pitching": 0.0, "phase": 0.0}
    for j, (x, z) in enumerate(ROLLERS, 1):
        values[f"roller_x{j}"], values[f"roller_z{j}"] = x, z
    for k, (x, z, turn) in enumerate(taut_track.shoes(pins), 1):
        values[f"x{k}"], values[f"z{k}"], values[f"p{k}"] = x, z, turn
    # a pocket of the sprocket lies under the pin that is nearest to its top
    values["phase"] = math.atan2(*min(pins, key=lambda pin: math.dist(pin, (0.0, PIN))))
    values["level"] = min(values[f"z{k}"] for k in range(1, SHOES + 1)) - HALF + SINKAGE
    return values


def watched():
    """Expression of each place that is kept."""
    turn = "atan2(-CZX({0}), CXX({0}))".format
    out = {"idler_x": "DX(idler)", "idler_z": "DZ(idler)", "frame_x": "DX(sprocket)", "frame_z": "DZ(sprocket)",
           "pitching": turn("frame"), "phase": turn("sprocket")}
    for j in range(1, len(ROLLERS) + 1):
        out[f"roller_x{j}"], out[f"roller_z{j}"] = f"DX(roller{j})", f"DZ(roller{j})"
    for k in range(1, SHOES + 1):
        out[f"x{k}"], out[f"z{k}"], out[f"p{k}"] = f"DX(shoe{k})", f"DZ(shoe{k})", turn(f"shoe{k}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--trammel", default="build/trammel")
    parser.add_argument("--settle", type=float, default=0.0, help="seconds")
    args = parser.parse_args()
    values = taut()
    taut_track.write(args.model, BEGIN, END, values)
    print(f"idler at {values['idler_x']:.6f} m, ground at {values['level']:.6f} m")
    if args.settle > 0:
        taut_track.write(args.model, BEGIN, END, taut_track.settled(args.model, args.trammel, args.settle, values, watched()))


if __name__ == "__main__":
    main()
