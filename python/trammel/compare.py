"""Work and precision of methods on one model."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import errors
from ._core import Error, ffi, lib, options_of, struct, text, texts

if TYPE_CHECKING:
    from .model import Model

__all__ = ["compare"]


def compare(model: "Model", integrators: list[str], tols: list[float], *, end: float | None = None,
            output_step: float | None = None, reference: str | None = None, channels: list[str] | None = None,
            repeat: int = 1) -> list[dict[str, Any]]:
    """One entry for each method and tolerance: method, tolerance, max_error, rms_error, seconds, stats, message."""
    methods, keep = texts(integrators)
    some, keep_channels = texts(channels or [])
    o = options_of(lib.tml_compare_options_default(), end_time=end, output_step=output_step, repeat=repeat)
    o.n_methods, o.method = len(integrators), methods
    tolerances = ffi.new("double[]", [float(t) for t in tols])
    o.n_tolerances, o.tolerance = len(tols), tolerances
    o.n_channels, o.channel = len(channels or []), some
    name = ffi.new("char[]", (reference or "").encode())
    if reference:
        o.reference = name
    out = ffi.new("TmlCompare **")
    err = Error()
    handle = model._handle()
    status = lib.tml_compare(handle, o, out, err.c)
    c = ffi.gc(out[0], lib.tml_compare_free) if out[0] != ffi.NULL else None
    err.check(status)
    if c is None:
        raise errors.InternalError("no comparison")
    del keep, keep_channels
    rows: list[dict[str, Any]] = []
    while (row := lib.tml_compare_row(c, len(rows))) != ffi.NULL:
        rows.append({"method": text(row.method), "tolerance": row.tolerance, "max_error": row.max_error,
                     "rms_error": row.rms_error, "seconds": row.seconds, "message": text(row.message) or "",
                     "stats": struct(row.stats)})
    return rows
