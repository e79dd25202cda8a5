"""The best parameters of a model: `trammel optimize` from Python (trammel/optimize.h)."""
from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Mapping

from . import errors, search
from ._core import ffi, lib, text

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Optimum", "optimize"]


@dataclasses.dataclass
class Optimum:
    """The best of a search: ``values`` of the parameters and ``responses`` there; ``first`` are the responses of the start."""

    values: dict[str, float]
    responses: dict[str, float]
    first: dict[str, float]
    objective: float
    feasible: bool  #: all constraints are kept
    converged: bool
    method: str
    evaluations: int
    failed: int  #: evaluations whose runs failed
    message: str
    _c: Any = dataclasses.field(default=None, repr=False)

    def __str__(self) -> str:
        lines = [f"{n:20s} {v:14.8g}" for n, v in self.values.items()]
        lines += [f"{n:20s} {v:14.8g}   at the start {self.first[n]:.8g}" for n, v in self.responses.items()]
        lines.append(f"{self.method}, {self.evaluations} evaluations; {self.message}")
        return "\n".join(lines)

    def report(self, file: str | pathlib.Path) -> None:
        """Write the page of `trammel optimize --report`."""
        search.checked(lib.tml_optimum_write_page, self._c, str(file).encode())

    def write(self, file: str | pathlib.Path) -> None:
        """Write all results as JSON (.json), or all evaluations as CSV (.csv)."""
        function = lib.tml_optimum_write_csv if str(file).endswith(".csv") else lib.tml_optimum_write_json
        search.checked(function, self._c, str(file).encode())


def responses_of(responses: Mapping[str, Any]) -> dict[str, Any]:
    """Responses as a description has them: "max", ("angle", "end"), or a map of its words."""
    out: dict[str, Any] = {}
    for name, r in responses.items():
        if isinstance(r, str):
            out[name] = {"take": r}
        elif isinstance(r, (tuple, list)) and len(r) == 2:
            out[name] = {"of": r[0], "take": r[1]}
        elif isinstance(r, Mapping):
            out[name] = dict(r)
        else:
            raise errors.ArgumentError(f"response '{name}': expected \"max\", (\"angle\", \"end\") or a dictionary, got {r!r}")
    return out


def _limit(name: str, bounds: Any) -> dict[str, float]:
    if isinstance(bounds, (int, float)):
        return {"equals": float(bounds)}
    if not isinstance(bounds, (tuple, list)) or len(bounds) != 2:
        raise errors.ArgumentError(f"constraint '{name}': expected (least, largest), one of them may be None; got {bounds!r}")
    return {key: float(b) for key, b in zip(("min", "max"), bounds) if b is not None}


def optimize(model: "Model", free: Mapping[str, Any], responses: Mapping[str, Any], *, minimize: Any = None, maximize: Any = None,
             constraints: Mapping[str, Any] | None = None, method: str = "auto", evaluations: int | None = None,
             accuracy: float | None = None, seed: int | None = None, start: Mapping[str, float] | None = None,
             scale: Mapping[str, str] | None = None, end: float | None = None, tol: float | None = None,
             output_step: float | None = None, integrator: str | None = None,
             progress: Callable[[int, dict[str, float], float], Any] | None = None, journal: Any = None,
             resume: bool = False) -> Optimum:
    """See `Model.optimize`."""
    settings = {"end": end, "tolerance": tol, "output_step": output_step, "integrator": integrator}
    words: dict[str, Any] = {
        "optimize": "", "parameters": search.parameters_of(free, start, scale), "responses": responses_of(responses),
        "run": {k: v for k, v in settings.items() if v is not None}, "method": method,
        "constraints": {n: _limit(n, b) for n, b in (constraints or {}).items()}}
    more = {"minimize": minimize, "maximize": maximize, "evaluations": evaluations, "accuracy": accuracy, "seed": seed}
    words.update({k: v for k, v in more.items() if v is not None})
    out = ffi.new("TmlOptimum **")
    handle = search.handle_of(model)
    search.checked(lib.tml_optimum_create, handle, json.dumps(words).encode(), out)
    c = ffi.gc(out[0], lib.tml_optimum_free)
    search.run(model, list(free), lib.tml_optimum_run, c, journal, resume, progress)
    r = lib.tml_optimum_result(c)
    names = [text(lib.tml_optimum_response(c, k)) or "" for k in range(lib.tml_optimum_responses(c))]
    keep = ffi.gc(c, lambda _c, _model=handle: None)  # the model outlives the result
    return Optimum({n: lib.tml_optimum_value(c, k) for k, n in enumerate(free)},
                   {n: lib.tml_optimum_best(c, k) for k, n in enumerate(names)},
                   {n: lib.tml_optimum_first(c, k) for k, n in enumerate(names)},
                   r.objective, bool(r.feasible), bool(r.converged), text(r.method) or "", r.evaluations, r.failed,
                   text(r.message) or "", keep)
