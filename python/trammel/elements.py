"""Small classes with the words of model files: ``tml.Body(mass=1)`` is ``{mass: 1}``, ``tml.Joint("revolute", ...)`` is
``{type: revolute, ...}``. A dictionary does as well everywhere."""
from __future__ import annotations

from typing import Any

__all__ = ["Entry", "Body", "Point", "Frame", "Joint", "Motion", "Force", "State", "Variable", "Output", "Event", "Input"]


class Entry(dict):
    """An entry of a section: its words are the keys. A word that Python keeps for itself takes a ``_`` at its end."""

    kind: str | None = None

    def __init__(self, type: str | None = None, /, **words: Any):  # noqa: A002 - the word of model files
        super().__init__({k.rstrip("_"): v for k, v in words.items() if v is not None})
        kind = type or self.kind
        if kind is not None:
            self["type"] = kind

    def __getattr__(self, word: str) -> Any:
        try:
            return self[word]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no '{word}'; it has {', '.join(self) or 'nothing'}") from None

    def __setattr__(self, word: str, value: Any) -> None:
        self[word] = value


class Body(Entry):
    """A rigid body: mass, inertia, position, ..."""


class Point(Entry):
    """A point mass."""

    kind = "point"


class Frame(Entry):
    """A frame of a body."""


class Joint(Entry):
    """A joint: Joint("revolute", bodies=["ground", "rod"], at=[0, 0, 0], axis="z")."""


class Motion(Joint):
    """A prescribed motion, an entry of `joints`."""

    kind = "motion"


class Force(Entry):
    """A force: Force("spring", bodies=[...], points=[...], stiffness=1e4)."""


class State(Entry):
    """A user state: State(rate="...", initial=0)."""


class Variable(Entry):
    """A user variable: Variable(value="...")."""


class Output(Entry):
    """A channel: Output(value="angle(pin)", unit="rad")."""


class Event(Entry):
    """An event: Event(when="DY(ball)", condition="below", value=0, stop=True)."""


class Input(Entry):
    """An input: Input(value=0.3), or a table: Input(points=[[0, 0], [1, 2]])."""
