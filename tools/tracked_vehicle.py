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
import csv
import math
import pathlib
import subprocess
import tempfile

SHOES, TEETH, PITCH, HALF = 64, 10, 0.154, 0.03  # half the height of a shoe
SPROCKET, IDLER_Z, IDLER_RADIUS = (0.0, 0.0), -0.12, 0.255
WHEEL_X, WHEEL_Z, WHEEL_RADIUS = [-0.655, -1.322, -1.989, -2.656, -3.322], -0.215, 0.305
BEGIN, END = "  # rest, written by tools/tracked_vehicle.py", "  # end of the rest"


def circles(idler_x):
    """Circles on which the pins run, clockwise seen from the left: sprocket, first and last wheel, idler."""
    pin = PITCH / (2 * math.sin(math.pi / TEETH))

    def on(radius):  # shoes lie on the circle with their middles
        return math.hypot(radius + HALF, PITCH / 2)

    return [(*SPROCKET, pin), (WHEEL_X[0], WHEEL_Z, on(WHEEL_RADIUS)), (WHEEL_X[-1], WHEEL_Z, on(WHEEL_RADIUS)),
            (idler_x, IDLER_Z, on(IDLER_RADIUS))]


def path(idler_x):
    """Pieces (length, place of the distance along it) from the top of the sprocket forwards and down."""
    around = circles(idler_x)
    n = len(around)
    heading = []
    for k in range(n):
        (x0, z0, r0), (x1, z1, r1) = around[k], around[(k + 1) % n]
        # the curve turns right: the circles lie to its right
        heading.append(math.atan2(z1 - z0, x1 - x0) + math.asin((r1 - r0) / math.hypot(x1 - x0, z1 - z0)))
    pieces = []
    for k, (x, z, r) in enumerate(around):
        turn = (heading[k - 1] - heading[k]) % (2 * math.pi)

        def arc(s, x=x, z=z, r=r, h=heading[k - 1]):
            return x - r * math.sin(h - s / r), z + r * math.cos(h - s / r)

        pieces.append((r * turn, arc))
        to, h = around[(k + 1) % n], heading[k]
        a = (x - r * math.sin(h), z + r * math.cos(h))
        b = (to[0] - to[2] * math.sin(h), to[1] + to[2] * math.cos(h))
        pieces.append((math.hypot(b[0] - a[0], b[1] - a[1]),
                       lambda s, a=a, h=h: (a[0] + s * math.cos(h), a[1] + s * math.sin(h))))
    return pieces


def chords(idler_x):
    """Pins with equal chords, and the distance by which the last one passes the end of the path."""
    pieces = path(idler_x)
    total = sum(length for length, _ in pieces)

    def at(s):
        s %= total
        for length, place in pieces:
            if s <= length:
                return place(s)
            s -= length
        return pieces[0][1](s)

    s, places = 0.0, [at(0.0)]
    for _ in range(SHOES):
        low, high = s, s + 2 * PITCH
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if math.dist(at(middle), places[-1]) < PITCH else (low, middle)
        s = low
        places.append(at(s))
    return s - total, places[:SHOES]


def taut():
    low, high = -3.7, -4.3
    for _ in range(60):
        idler_x = (low + high) / 2
        low, high = (idler_x, high) if chords(idler_x)[0] > 0 else (low, idler_x)
    pins = chords(idler_x)[1]
    values = {"home": idler_x, "idler_x": idler_x, "idler_z": IDLER_Z, "hull_x": 0.0, "hull_z": 0.0, "pitching": 0.0, "phase": 0.0}
    for k, x in enumerate(WHEEL_X, 1):
        values[f"wheel_x{k}"], values[f"wheel_z{k}"], values[f"arm{k}"] = x, WHEEL_Z, 0.0
    for k, (x, z) in enumerate(pins):
        x1, z1 = pins[(k + 1) % SHOES]
        values[f"x{k + 1}"], values[f"z{k + 1}"] = (x + x1) / 2, (z + z1) / 2
        values[f"p{k + 1}"] = -math.atan2(z1 - z, x1 - x)  # about y, which points to the left
    # a pocket of the sprocket lies under the pin that is nearest to its top
    values["phase"] = math.atan2(*min(pins, key=lambda pin: math.dist(pin, (0.0, 0.249))))
    ground = min(values[f"z{k}"] for k in range(1, SHOES + 1)) - HALF
    values["level"] = ground + 0.0027  # the shoes' corners as deep in the ground as the weight wants
    return values


def write(file, values):
    text = file.read_text()
    lines = [BEGIN] + [f"  {name}: {value:.12g}" for name, value in values.items()]
    file.write_text(text.split(BEGIN)[0] + "\n".join(lines) + "\n" + END + text.split(END)[1])


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


def settled(file, trammel, seconds, values):
    """The places after a run with the sprockets at rest."""
    with tempfile.TemporaryDirectory() as folder:
        model, table = pathlib.Path(folder) / "model.yaml", pathlib.Path(folder) / "rest.csv"
        outputs = "outputs:\n" + "".join(f"  {name}: {{value: \"{text}\"}}\n" for name, text in watched().items())
        model.write_text(file.read_text().replace("outputs:\n", outputs))
        subprocess.run([trammel, "run", model, "--set", "rate=0", "--end", str(seconds), "--output-step", str(seconds),
                        "--csv", table, "--quiet"], check=True)
        with open(table) as f:
            last = list(csv.DictReader(line for line in f if not line.startswith("#")))[-1]
    columns = {name.split("[")[0].strip(): number for name, number in last.items()}
    return {name: float(columns[name]) if name in columns else value for name, value in values.items()}


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
        values = settled(args.model[0], args.trammel, args.settle, values)
        for model in args.model:
            write(model, values)


if __name__ == "__main__":
    main()
