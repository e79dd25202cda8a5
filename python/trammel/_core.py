"""The C library: `ffi` and `lib` have all of its functions, and calls that fail raise exceptions."""
from __future__ import annotations

import os
import pathlib
from typing import Any

from . import errors
from ._abi import ffi  # made from the headers when the package is built

__all__ = ["ffi", "lib", "check", "text", "texts", "options_of"]

_here = pathlib.Path(__file__).resolve().parent


def _open_library() -> Any:
    named = os.environ.get("TRAMMEL_LIBRARY")
    path = pathlib.Path(named) if named else _here / "libtrammel.so"
    try:
        return ffi.dlopen(str(path))
    except OSError as cause:
        raise ImportError(f"the Trammel library cannot be opened: {cause}; build it with 'make python', or name it in the "
                          "environment variable TRAMMEL_LIBRARY") from None


lib = _open_library()


def text(c: Any) -> str | None:
    """A Python text from a C one; None: NULL."""
    return None if c == ffi.NULL else ffi.string(c).decode("utf-8", "replace")


class Error:
    """A TmlError for one call."""

    def __init__(self, elements: dict[int, str] | None = None):
        self.c = ffi.new("TmlError *")
        self.elements = elements

    def check(self, status: int) -> None:
        if status != lib.TML_OK:
            name = text(lib.tml_status_name(status)) or ""
            message = text(self.c.message) or text(lib.tml_status_text(status)) or name
            raise errors.CLASSES.get(name, errors.InternalError)(message, self.elements)


def check(function: Any, *arguments: Any, elements: dict[int, str] | None = None) -> None:
    """Call a function whose last argument is a TmlError, and raise what it reports."""
    err = Error(elements)
    err.check(function(*arguments, err.c))


def texts(words: Any) -> tuple[Any, list[Any]]:
    """A C array of texts, and what must be kept while it is used."""
    kept = [ffi.new("char[]", str(w).encode()) for w in words]
    return ffi.new("const char *[]", kept), kept


def options_of(default: Any, **values: Any) -> Any:
    """Options of the library with the fields that are not None."""
    options = ffi.new(ffi.typeof(default).cname + " *", default)
    for name, value in values.items():
        if value is not None:
            setattr(options, name, value)
    return options


def struct(c: Any) -> dict[str, Any]:
    """A C struct of numbers and vectors as a dictionary."""
    out: dict[str, Any] = {}
    for name, field in ffi.typeof(c).fields:
        value = getattr(c, name)
        kind = field.type.kind
        if kind == "struct":
            inner = struct(value)
            out[name] = tuple(inner.values()) if set(inner) <= set("wxyz") else inner
        elif kind == "array":
            out[name] = list(value)
        elif kind == "pointer":
            out[name] = text(value) if field.type.cname in ("char *", "char const *") else None
        else:
            out[name] = value
    return out
