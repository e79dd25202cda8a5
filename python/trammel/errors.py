"""Exceptions: each status of the C library has a class, and all of them are TrammelError."""
from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["TrammelError", "ArgumentError", "ModelError", "AssemblyError", "SingularError", "StepError", "NonFiniteError",
           "Cancelled", "FileError", "OutOfMemoryError", "InternalError", "Place"]


class Place(NamedTuple):
    """One error of a model: where it is, and what is wrong."""

    file: str
    line: int
    column: int
    text: str
    element: str | None  #: such as "bodies.rod", for models made in Python


class TrammelError(Exception):
    """What the library could not do. ``message`` has all of its words; ``places`` the errors of a model, one by one."""

    status = "TML_E_INTERNAL"

    def __init__(self, message: str, elements: dict[int, str] | None = None):
        super().__init__(message)
        self.message = message
        self.places: list[Place] = []
        for line in message.splitlines():
            found = re.match(r"(.+?):(\d+):(\d+): (.*)", line)
            if found:
                number = int(found[2])
                element = elements.get(number) if elements else None
                self.places.append(Place(found[1], number, int(found[3]), found[4], element))

    @property
    def file(self) -> str | None:
        return self.places[0].file if self.places else None

    @property
    def line(self) -> int | None:
        return self.places[0].line if self.places else None

    @property
    def element(self) -> str | None:
        """The element that the error names: an entry of a section, or the word in quotes."""
        if self.places and self.places[0].element:
            return self.places[0].element
        named = re.search(r"'([^']+)'", self.message)
        return named[1] if named else None

    def __str__(self) -> str:
        named = [f"{p.element}: {p.text}" for p in self.places if p.element]
        return "\n".join(named) if named and len(named) == len(self.places) else self.message


class ArgumentError(TrammelError, ValueError):
    """An argument or option is out of range."""

    status = "TML_E_ARGUMENT"


class ModelError(TrammelError, ValueError):
    """The model is wrong."""

    status = "TML_E_MODEL"


class AssemblyError(TrammelError):
    """No state satisfies the constraints."""

    status = "TML_E_ASSEMBLY"


class SingularError(TrammelError):
    """The equations are singular."""

    status = "TML_E_SINGULAR"


class StepError(TrammelError):
    """The step became too small."""

    status = "TML_E_STEP"


class NonFiniteError(TrammelError, ArithmeticError):
    """A value is not finite."""

    status = "TML_E_NONFINITE"


class Cancelled(TrammelError):
    """The run was stopped; what was done is kept."""

    status = "TML_E_CANCELLED"


class FileError(TrammelError, OSError):
    """A file could not be read or written."""

    status = "TML_E_IO"

    def __str__(self) -> str:
        return self.message


class OutOfMemoryError(TrammelError, MemoryError):
    """Out of memory."""

    status = "TML_E_NOMEM"


class InternalError(TrammelError):
    """A defect in Trammel."""


CLASSES = {c.status: c for c in (ArgumentError, ModelError, AssemblyError, SingularError, StepError, NonFiniteError,
                                 Cancelled, FileError, OutOfMemoryError, InternalError)}
