"""Makes a failing mechanism smaller: entries are taken out, with all that names them, while the
failure stays of its kind."""
import copy
import re
import time

SECTIONS = ("events", "forces", "delays", "states", "systems", "variables", "joints", "flexible",
            "modal", "bodies", "splines", "paths", "frames", "outputs", "parameters")


def words(node):
    """All names that a piece of a tree holds."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from words(key)
            yield from words(value)
    elif isinstance(node, (list, tuple)):
        for value in node:
            yield from words(value)
    elif isinstance(node, str):
        yield from re.findall(r"[A-Za-z_][A-Za-z_0-9]*", node)
    elif hasattr(node, "__dict__"):
        yield from words(list(vars(node).values()))


def without(tree, section, name):
    """The tree without an entry and all that needs it."""
    new = {key: dict(value) if isinstance(value, dict) and key in SECTIONS else value
           for key, value in tree.items()}
    gone = [(section, name)]
    while gone:
        where, what = gone.pop()
        if what not in new[where]:
            continue
        del new[where][what]
        for other in SECTIONS:
            for key, entry in list(new[other].items()):
                if what in set(words(entry)):
                    gone.append((other, key))
    return new


def candidates(tree):
    for section in SECTIONS:
        for name in list(tree[section]):
            if name != "world":
                yield section, name


def smaller(m, failure, test, seconds=120):
    """The smallest mechanism found within a time, and its failure. test(m): a failure or None."""
    kind, end = failure[0], time.monotonic() + seconds
    changed = True
    while changed and time.monotonic() < end:
        changed = False
        for section, name in candidates(m.tree):
            if time.monotonic() > end:
                break
            if name not in m.tree[section]:
                continue
            trial = copy.copy(m)
            trial.tree = without(m.tree, section, name)
            trial.bodies = [b for b in m.bodies if b.name in trial.tree["bodies"] or b.name[0] == "c"]
            result = test(trial)
            if result is not None and result[0] == kind:
                m, failure, changed = trial, result, True
    return m, failure
