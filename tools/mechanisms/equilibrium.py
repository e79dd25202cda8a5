"""Static equilibria: that of the model turned and shifted, in other units or with units written is the
same equilibrium, and forces are in balance there."""
import json

from mechanisms.checks import Failure, Skip, reason
from mechanisms.geometry import about, unit
from mechanisms.tree import View


def statics(case):
    if "follower" in case.m.traits:
        raise Skip("loads that turn with a body may have several equilibria")
    if any("rolling" in j.get("type", "") for j in case.m.tree["joints"].values()):
        raise Skip("what rolls comes to rest where its way there leads it")
    plain = found(case, View())
    if plain is None:
        raise Skip("refused: " + case.cache["statics"])
    if plain["neutral"]:
        raise Skip("neutral")
    if plain["unstable"]:
        raise Skip("unstable")
    name, view = some_view(case)
    other = found(case, view)
    if other is None:
        raise Failure("statics " + name, f"refused: {case.cache['statics']}", "statics")
    for key, value in plain["channels"].items():
        output = case.outputs[key]
        if output.kind != "motion" or output.dim[2] != 0:  # at rest all rates are rounding
            continue
        again = other["channels"][key] / view.factor(output.dim)
        # positions are found to 1e-9 of the size of the model, of some metres; less where it is soft
        if not abs(value - again) <= 1e-5 * max(1.0, abs(value)):
            raise Failure("statics " + name, f"{key}: {value:g} and {again:g}", "statics")


def some_view(case):
    rng = case.rng
    turn = about(unit([rng.uniform(-1, 1), rng.uniform(-1, 1), 1.1]), rng.uniform(1, 3))
    if "plane" in case.m.traits:
        turn = about([0, 0, 1], rng.uniform(-3, 3))
    units = [(1, 1e3, 1), (1, 1e-3, 1)]
    if "wheel" not in case.m.traits:
        units += [(1e3, 1e3, 1e3), (1, 1, 1e3), (1e2, 1, 1)]
    shift = [rng.uniform(-3, 3), 2.0, 0.0 if "plane" in case.m.traits else rng.uniform(-3, 3)]
    return rng.choice([("turned", View(turn, shift)), ("units", View(written=True)),
                       ("rescaled", View(units=rng.choice(units)))])


def found(case, view):
    """The equilibrium as `statics --json` tells it, or None; why stands in the cache then."""
    path, out = case.program.model(case.text(view)), case.program.folder / "statics.json"
    status, said = case.program.call(["statics", path, "--json", out, "-q"])
    if status:
        case.cache["statics"] = reason(said)
        return None
    return json.loads(out.read_text())
