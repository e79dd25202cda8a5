"""Parameters from measurements: `trammel fit` from Python (trammel/fit.h)."""
from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from . import errors, search
from ._core import ffi, lib, text, texts
from .results import open_results

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Experiment", "Fit", "fit"]

@dataclasses.dataclass
class Experiment:
    """What was measured: times (s) and values by the names of outputs; NaN is a gap. ``given`` are parameters of this experiment alone."""

    time: np.ndarray
    values: dict[str, np.ndarray]
    given: dict[str, float] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, source: Any) -> "Experiment":
        """From an experiment, a CSV file (times in the first column), or a dictionary with "time"."""
        if isinstance(source, Experiment):
            made = cls(source.time, dict(source.values), dict(source.given))
        elif isinstance(source, (str, pathlib.Path)):
            r = open_results(source)
            made = cls(r.time, {n: r[n] for n in r if n != "time"})
        else:
            made = cls(source["time"], {n: v for n, v in source.items() if n != "time"})
        made.time = np.asarray(made.time, dtype=float)
        made.values = {n: np.asarray(v, dtype=float) for n, v in made.values.items()}
        made._check()
        return made

    def _check(self) -> None:
        t = self.time
        if t.ndim != 1 or len(t) < 2 or not np.all(np.isfinite(t)) or t[0] < 0 or not np.all(np.diff(t) > 0):
            raise errors.ArgumentError("times of a measurement must increase from 0 on, in s; two at least")
        for name, v in self.values.items():
            if v.shape != t.shape:
                raise errors.ArgumentError(f"'{name}' has {v.shape} values for {t.shape} times")


@dataclasses.dataclass
class Fit:
    """A fit: ``values``, ``deviations``, ``interval`` (95 %), ``correlation``; ``predicted`` and ``experiments`` for plots."""

    names: list[str]
    values: dict[str, float]
    deviations: dict[str, float]
    interval: dict[str, tuple[float, float]]
    correlation: np.ndarray
    noise: dict[str, float]  #: standard deviation of each output's measurement, as given or as estimated
    cost: float  #: sum of squares of what is left, over the deviations
    points: int
    iterations: int
    failed: int  #: runs that failed, whose parameters were not taken
    converged: bool
    message: str
    experiments: list[Experiment]
    predicted: list[dict[str, np.ndarray]]
    evaluations: int = 0  #: of the model: runs with derivatives
    _c: Any = dataclasses.field(default=None, repr=False)

    def report(self, file: str | pathlib.Path) -> None:
        """Write the page of `trammel fit --report`."""
        search.checked(lib.tml_fit_write_page, self._c, str(file).encode())

    def write(self, file: str | pathlib.Path) -> None:
        """Write all results as JSON (.json), or measured and fitted values as CSV (.csv)."""
        function = lib.tml_fit_write_csv if str(file).endswith(".csv") else lib.tml_fit_write_json
        search.checked(function, self._c, str(file).encode())

    def __str__(self) -> str:
        lines = [f"{'parameter':16s} {'value':>14s} {'deviation':>12s}   95 %"]
        for n in self.names:
            low, high = self.interval[n]
            lines.append(f"{n:16s} {self.values[n]:14.8g} {self.deviations[n]:12.4g}   {low:.8g} to {high:.8g}")
        lines.append(f"{self.points} values, {self.iterations} iterations; {self.message}")
        return "\n".join(lines)

    def plot(self) -> Any:
        """Measured points and the fitted curves, by matplotlib."""
        import matplotlib.pyplot as plt

        outputs = list(self.noise)
        figure, axes = plt.subplots(len(outputs), 1, sharex=True, squeeze=False)
        for e, p in zip(self.experiments, self.predicted):
            for k, n in enumerate(outputs):
                axes[k, 0].plot(e.time, e.values[n], ".", markersize=3)
                axes[k, 0].plot(e.time, p[n])
                axes[k, 0].set_ylabel(n)
        axes[-1, 0].set_xlabel("time, s")
        return figure


def _measurements(experiments: Sequence[Experiment]) -> tuple[Any, list[Any]]:
    """The array of C, and what must be kept while it is used."""
    array, kept = ffi.new("TmlMeasurement[]", len(experiments)), []
    for m, e in zip(array, experiments):
        names = list(e.values)
        times = np.ascontiguousarray(e.time, dtype=float)
        values = np.ascontiguousarray(np.column_stack([e.values[n] for n in names]) if names else np.empty((len(times), 0)))
        columns, kept_columns = texts(names)
        given, kept_given = texts(e.given)
        numbers = ffi.new("double[]", [float(v) for v in e.given.values()])
        m.n_times, m.times = len(times), ffi.cast("const double *", ffi.from_buffer(times))
        m.n_columns, m.columns = len(names), columns
        m.values = ffi.cast("const double *", ffi.from_buffer(values)) if names else ffi.NULL
        m.n_given, m.given, m.given_values = len(e.given), given, numbers
        kept += [times, values, columns, kept_columns, given, kept_given, numbers]
    return array, kept


def fit(model: "Model", data: Any, free: Mapping[str, Any], *, outputs: Sequence[str] | None = None,
        noise: Mapping[str, float] | None = None, start: Mapping[str, float] | None = None, iterations: int = 50,
        confidence: float = 0.95, tol: float | None = None, integrator: str | None = None,
        progress: Callable[[int, dict[str, float], float], Any] | None = None, journal: Any = None, resume: bool = False) -> Fit:
    """See `Model.fit`."""
    experiments = [Experiment.of(d) for d in (data if isinstance(data, (list, tuple)) else [data])]
    settings = {k: v for k, v in (("tolerance", tol), ("integrator", integrator)) if v is not None}
    words: dict[str, Any] = {"fit": "", "parameters": search.parameters_of(free, start), "iterations": iterations,
                             "confidence": confidence, "run": settings}
    if outputs is not None or noise:
        known = noise or {}
        compared = list(outputs) if outputs is not None else _columns(model, experiments)
        words["outputs"] = {n: {"noise": float(known[n])} if n in known else {} for n in compared}
    array, kept = _measurements(experiments)
    out = ffi.new("TmlFit **")
    handle = search.handle_of(model)
    search.checked(lib.tml_fit_create, handle, json.dumps(words).encode(), len(experiments), array, out)
    del kept
    c = ffi.gc(out[0], lib.tml_fit_free)
    search.run(model, list(free), lib.tml_fit_run, c, journal, resume, progress)
    return _result(c, handle, list(free), experiments)


def _columns(model: "Model", experiments: Sequence[Experiment]) -> list[str]:
    """Columns of the measurements with the name of an output."""
    known = list(model.simulation(end=float(experiments[0].time[-1])).outputs)
    return [n for n in known if any(n in e.values for e in experiments)]


def _result(c: Any, handle: Any, names: list[str], experiments: list[Experiment]) -> Fit:
    r = lib.tml_fit_result(c)
    n = len(names)
    outputs = [text(lib.tml_fit_output(c, o)) or "" for o in range(lib.tml_fit_outputs(c))]
    predicted = [{name: np.array([lib.tml_fit_predicted(c, k, row, o) for row in range(len(e.time))]) for o, name in enumerate(outputs)}
                 for k, e in enumerate(experiments)]
    keep = ffi.gc(c, lambda _c, _model=handle: None)  # the model outlives the fit
    return Fit(names, {p: lib.tml_fit_value(c, k) for k, p in enumerate(names)},
               {p: lib.tml_fit_deviation(c, k) for k, p in enumerate(names)},
               {p: (lib.tml_fit_low(c, k), lib.tml_fit_high(c, k)) for k, p in enumerate(names)},
               np.array([[lib.tml_fit_correlation(c, a, b) for b in range(n)] for a in range(n)]),
               {name: lib.tml_fit_noise(c, o) for o, name in enumerate(outputs)},
               r.cost, r.points, r.iterations, r.failed, bool(r.converged), text(r.message) or "", experiments, predicted,
               r.evaluations, keep)
