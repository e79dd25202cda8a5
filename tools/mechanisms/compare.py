"""How far two runs are apart, in the range that outputs of one dimension have."""
import math


def ranges(outputs, run):
    """The size of each dimension: the largest change of an output of it in the run. Mechanisms are of
    about 1 m, 1 kg and 1 s, so that what changes by less than 0.05 SI units is at rest. Loads that
    hardly change, as of a mechanism that is stuck, are known to a part of themselves only."""
    size = {}
    for name, output in outputs.items():
        if name not in run.names:
            continue
        values = [v for v in run.series(name).values() if math.isfinite(v)]
        if values:
            change = max(values) - min(values)
            if output.kind == "load":
                change = max(change, 0.01 * max(map(abs, values)))
            key = (output.dim, output.kind)
            size[key] = max(size.get(key, 0.05), change)
    return size


def difference(outputs, a, b, view=None, kinds=("motion",), until=math.inf):
    """The largest difference of a and b (written in `view`) over rows of the same time, as a part of
    the range of a; with the output and the time of it. Not finite in one only: infinite."""
    size, worst = ranges(outputs, a), (0.0, "", 0.0)
    time_unit = view.units[2] if view else 1
    for name, output in outputs.items():
        if output.kind not in kinds or name not in a.names or name not in b.names:
            continue
        factor = view.factor(output.dim) if view else 1
        other = {round(t / time_unit, 9): v / factor for t, v in b.series(name).items()}
        for t, v in a.series(name).items():
            w = other.get(round(t, 9))
            if w is None or t > until or not (math.isfinite(v) or math.isfinite(w)):
                continue
            d = abs(v - w) / size[(output.dim, output.kind)]
            if not d <= worst[0]:
                worst = (d if math.isfinite(d) else math.inf, name, t)
    return worst


def common_rows(a, b, unit=1):
    return len({round(r[0], 9) for r in a.rows} & {round(r[0] / unit, 9) for r in b.rows})
