"""Places of the pins of a taut track, for the tools that write them into models.

The pins of a track at rest divide the shortest closed curve around its circles into equal chords. Circles are (x, z, radius of the pins
around them), clockwise seen from the left (x forwards, z up), and the curve begins at the top of the first one.
"""
import csv
import math
import pathlib
import subprocess
import tempfile


def path(circles):
    """Pieces (length, place of the distance along it)."""
    n = len(circles)
    heading = []
    for k in range(n):
        (x0, z0, r0), (x1, z1, r1) = circles[k], circles[(k + 1) % n]
        # the curve turns right: the circles lie to its right
        heading.append(math.atan2(z1 - z0, x1 - x0) + math.asin((r1 - r0) / math.hypot(x1 - x0, z1 - z0)))
    pieces = []
    for k, (x, z, r) in enumerate(circles):
        turn = (heading[k - 1] - heading[k]) % (2 * math.pi)

        def arc(s, x=x, z=z, r=r, h=heading[k - 1]):
            return x - r * math.sin(h - s / r), z + r * math.cos(h - s / r)

        pieces.append((r * turn, arc))
        to, h = circles[(k + 1) % n], heading[k]
        a = (x - r * math.sin(h), z + r * math.cos(h))
        b = (to[0] - to[2] * math.sin(h), to[1] + to[2] * math.cos(h))
        pieces.append((math.hypot(b[0] - a[0], b[1] - a[1]),
                       lambda s, a=a, h=h: (a[0] + s * math.cos(h), a[1] + s * math.sin(h))))
    return pieces


def chords(pieces, pitch, n):
    """n pins with equal chords along the pieces, and the distance by which the next one passes the end of the path."""
    total = sum(length for length, _ in pieces)

    def at(s):
        s %= total
        for length, place in pieces:
            if s <= length:
                return place(s)
            s -= length
        return pieces[0][1](s)

    s, places = 0.0, [at(0.0)]
    for _ in range(n):
        low, high = s, s + 2 * pitch
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if math.dist(at(middle), places[-1]) < pitch else (low, middle)
        s = low
        places.append(at(s))
    return s - total, places[:n]


def on_flat(radius, half, pitch):
    """Circle of the pins of shoes of half the height `half` that lie with their middles on a wheel."""
    return math.hypot(radius + half, pitch / 2)


def closed(passes, low, high):
    """The argument between `low` and `high` for which passes(argument) is zero; it is positive at `low`."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if passes(middle) > 0 else (low, middle)
    return low


def shoes(pins):
    """Middle x, z and turn about y, which points to the left, of the shoes between the pins."""
    out = []
    for k, (x, z) in enumerate(pins):
        x1, z1 = pins[(k + 1) % len(pins)]
        out.append(((x + x1) / 2, (z + z1) / 2, -math.atan2(z1 - z, x1 - x)))
    return out


def write(file, begin, end, values):
    """Puts the values between the two lines of a model that say so."""
    text = file.read_text()
    lines = [begin] + [f"  {name}: {value:.12g}" for name, value in values.items()]
    file.write_text(text.split(begin)[0] + "\n".join(lines) + "\n" + end + text.split(end)[1])


def settled(file, trammel, seconds, values, watched):
    """The values after a run with the sprockets at rest; watched: the expression of each that moves."""
    with tempfile.TemporaryDirectory() as folder:
        model, table = pathlib.Path(folder) / "model.yaml", pathlib.Path(folder) / "rest.csv"
        outputs = "outputs:\n" + "".join(f"  {name}: {{value: \"{text}\"}}\n" for name, text in watched.items())
        model.write_text(file.read_text().replace("outputs:\n", outputs))
        subprocess.run([trammel, "run", model, "--set", "rate=0", "--end", str(seconds), "--output-step", str(seconds),
                        "--csv", table, "--quiet"], check=True)
        with open(table) as f:
            last = list(csv.DictReader(line for line in f if not line.startswith("#")))[-1]
    columns = {name.split("[")[0].strip(): number for name, number in last.items()}
    return {name: float(columns[name]) if name in columns else value for name, value in values.items()}
