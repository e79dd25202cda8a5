#!/usr/bin/env python3
"""Writes the places of the shoes into the tracked vehicles of models/papers.

    tools/tracked_vehicle.py models/papers/tracked_vehicle.yaml models/papers/include/tracked_vehicle_base.yaml
                             [--trammel build/trammel] [--settle 3]

The first places are those of a taut track: its pins divide the shortest closed curve around sprocket, road wheels and idler into
equal chords, and the idler sits where the last chord ends at the first pin. With --settle the first model is then run for that many
seconds with its sprockets at rest, and the places at its end replace the first ones, so that the vehicle starts at rest on the
ground and the upper run hangs as it does. The numbers go between the two lines of each model that say so.
"""
import argparse
import math
import pathlib

import taut_track

SHOES, TEETH, PITCH, HALF = 64, 10, 0.154, 0.03  # half the height of a shoe
SPROCKET, IDLER_Z, IDLER_RADIUS = (0.0, 0.0), -0.12, 0.255
WHEEL_X, WHEEL_Z, WHEEL_RADIUS = [-0.655, -1.322, -1.989, -2.656, -3.322], -0.215, 0.305
BEGIN, END = "  # rest, written by tools/tracked_vehicle.py", "  # end of the rest"


def circles(idler_x):
    """Circles on which the pins run, clockwise seen from the left: sprocket, first and last wheel, idler."""
    pin = PITCH / (2 * math.sin(math.pi / TEETH))
    wheel = taut_track.on_flat(WHEEL_RADIUS, HALF, PITCH)
    return [(*SPROCKET, pin), (WHEEL_X[0], WHEEL_Z, wheel), (WHEEL_X[-1], WHEEL_Z, wheel),
            (idler_x, IDLER_Z, taut_track.on_flat(IDLER_RADIUS, HALF, PITCH))]


def chords(idler_x):
    return taut_track.chords(taut_track.path(circles(idler_x)), PITCH, SHOES)


def taut():
    idler_x = taut_track.closed(lambda x: chords(x)[0], -3.7, -4.3)
    pins = chords(idler_x)[1]
    values = {"home": idler_x, "idler_x": idler_x, "idler_z": IDLER_Z, "hull_x": 0.0, "hull_z": 0.0, "pitching": 0.0, "phase": 0.0}
    for k, x in enumerate(WHEEL_X, 1):
        values[f"wheel_x{k}"], values[f"wheel_z{k}"], values[f"arm{k}"] = x, WHEEL_Z, 0.0
    for k, (x, z, turn) in enumerate(taut_track.shoes(pins), 1):
        values[f"x{k}"], values[f"z{k}"], values[f"p{k}"] = x, z, turn
    # a pocket of the sprocket lies under the pin that is nearest to its top
    values["phase"] = math.atan2(*min(pins, key=lambda pin: math.dist(pin, (0.0, 0.249))))
    ground = min(values[f"z{k}"] for k in range(1, SHOES + 1)) - HALF
    values["level"] = ground + 0.0027  # the shoes' corners as deep in the ground as the weight wants
    return values


def write(file, values):
    taut_track.write(file, BEGIN, END, values)


def watched():
    """Expression of each place that is kept."""
    turn = "atan2(-CZX({0}), CXX({0}))".format
    out = {"idler_x": "DX(idler_l)", "idler_z": "DZ(idler_l)", "hull_x": "DX(sprocket_l)", "hull_z": "DZ(sprocket_l)",
           "pitching": turn("hull"), "phase": turn("sprocket_l")}
    for j in range(1, len(WHEEL_X) + 1):
        out[f"wheel_x{j}"], out[f"wheel_z{j}"] = f"DX(wheel_l{j})", f"DZ(wheel_l{j})"
        out[f"arm{j}"] = turn(f"arm_l{j}")
    for k in range(1, SHOES + 1):
        out[f"x{k}"], out[f"z{k}"], out[f"p{k}"] = f"DX(shoe_l{k})", f"DZ(shoe_l{k})", turn(f"shoe_l{k}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path, nargs="+")
    parser.add_argument("--trammel", default="build/trammel")
    parser.add_argument("--settle", type=float, default=0.0, help="seconds")
    args = parser.parse_args()
    values = taut()
    for model in args.model:
        write(model, values)
    print(f"idler at {values['idler_x']:.6f} m, ground at {values['level']:.6f} m")
    if args.settle > 0:
        values = taut_track.settled(args.model[0], args.trammel, args.settle, values, watched())
        for model in args.model:
            write(model, values)


if __name__ == "__main__":
    main()
