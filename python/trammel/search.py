"""What fits and optimisations share: they go on in a thread of the library, and this one hears Ctrl-C."""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable, Mapping

from . import errors
from ._core import Error, ffi, lib, text

if TYPE_CHECKING:
    from .model import Model


def handle_of(model: "Model") -> Any:
    return model._handle()


def parameters_of(free: Mapping[str, Any], start: Mapping[str, float] | None, scale: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The section `parameters` of a description: bounds (low, high), None: none."""
    out: dict[str, Any] = {}
    for name, bounds in free.items():
        if bounds is not None and (not isinstance(bounds, (tuple, list)) or len(bounds) != 2):
            raise errors.ArgumentError(f"parameter '{name}' needs its bounds as (low, high), or None; got {bounds!r}")
        low, high = bounds if bounds is not None else (None, None)
        entry: dict[str, Any] = {}
        if low is not None and low != -float("inf"):
            entry["from"] = low if isinstance(low, str) else float(low)
        if high is not None and high != float("inf"):
            entry["to"] = high if isinstance(high, str) else float(high)
        if start and name in start:
            entry["start"] = float(start[name])
        if scale and name in scale:
            entry["scale"] = scale[name]
        out[name] = entry
    for name in start or {}:
        if name not in free:
            raise errors.ArgumentError(f"start: '{name}' is not among the free parameters")
    return out


def checked(function: Any, *arguments: Any) -> None:
    """Mistakes in a description that Python made are mistakes in arguments; its places mean nothing."""
    err = Error(None)
    status = function(*arguments, err.c)
    if status == lib.TML_E_MODEL:
        message = text(err.c.message) or ""
        for head in ("fit:", "optimize:"):
            if message.startswith(head):
                rest = message[len(head):]
                while rest[:1].isdigit() or rest[:1] == ":":
                    rest = rest[1:]
                message = rest.strip()
        raise errors.ArgumentError(message)
    err.check(status)


def run(model: "Model", names: list[str], function: Any, c: Any, journal: Any, resume: bool,
        progress: Callable[[int, dict[str, float], float], Any] | None) -> None:
    """Calls function(c, options, err) in another thread. Ctrl-C stops the search, which keeps its best."""
    stop = threading.Event()
    raised: list[BaseException] = []

    @ffi.callback("bool(void *)")
    def go_on(_user: Any) -> bool:
        return not stop.is_set()

    @ffi.callback("bool(void *, const TmlSearchProgress *)")
    def tell(_user: Any, p: Any) -> bool:
        if progress is not None and not stop.is_set():
            try:
                if progress(p.iteration, {n: p.x[k] for k, n in enumerate(names)}, p.best) is False:
                    stop.set()
            except BaseException as caught:  # noqa: BLE001 - it is raised below
                raised.append(caught)
                stop.set()
        return not stop.is_set()

    @ffi.callback("TmlStatus(void *, int, const char *const *, const double *, TmlModel **, TmlError *)")
    def make(_user: Any, n: int, words: Any, values: Any, out: Any, err: Any) -> int:
        try:
            other = model.with_(**{text(words[k]) or "": values[k] for k in range(n)})
            out[0] = made = other._handle()
            ffi.gc(made, None)  # the library frees it
        except errors.TrammelError as failure:
            message = str(failure).encode()[:900]
            ffi.memmove(err.message, message + b"\0", len(message) + 1)
            return lib.TML_E_MODEL
        return lib.TML_OK

    o = ffi.new("TmlSearchOptions *")
    path = ffi.NULL if journal is None else ffi.new("char[]", str(journal).encode())
    o.journal, o.resume = path, resume
    o.hooks.go_on, o.hooks.progress = go_on, tell
    if model._functions:
        o.hooks.model = make
    failure: list[BaseException] = []

    def work() -> None:
        try:
            checked(function, c, o)
        except BaseException as caught:  # noqa: BLE001 - it is raised below
            failure.append(caught)

    if threading.current_thread() is not threading.main_thread():
        work()
    else:
        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive():
            try:
                thread.join(0.2)
            except KeyboardInterrupt:
                stop.set()
    if raised:
        raise raised[0]
    if failure:
        if isinstance(failure[0], errors.Cancelled):
            raise KeyboardInterrupt from failure[0]
        raise failure[0]
