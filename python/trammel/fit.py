"""Parameters from measurements: least squares by Levenberg and Marquardt, with the derivatives of `Model.gradient`."""
from __future__ import annotations

import dataclasses
import math
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from . import errors
from ._core import lib
from .results import open_results

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Experiment", "Fit", "fit"]

SINGULAR = 1e-12  # least eigenvalue of the correlations of derivatives: parameters that do the same to 1e-6 are not told apart
APART = 1e-3  # difference of parameters, in their sizes, where derivatives are differences of runs
TIGHT = 1e-9  # tolerance of these runs, which leaves 1e-5 in the derivatives


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


class _Problem:
    """Residuals over deviations, and their derivatives by parameters over their sizes."""

    def __init__(self, model: "Model", experiments: list[Experiment], outputs: list[str], names: list[str],
                 scale: np.ndarray, words: dict[str, Any]):
        self.model, self.experiments, self.outputs, self.names, self.scale, self.words = (
            model, experiments, outputs, names, scale, words)
        self.differenced, self.failed = "", 0

    def _run(self, e: Experiment, x: np.ndarray, tight: bool = False) -> dict[str, np.ndarray]:
        words = dict(self.words)
        if tight:
            words["tol"] = min(words.get("tol") or TIGHT, TIGHT)
        sim = self.model.with_(**e.given, **dict(zip(self.names, map(float, x)))).simulation(end=float(e.time[-1]), **words)
        out = {n: np.empty(len(e.time)) for n in self.outputs}
        index = {n: lib.tml_sim_channel_find(sim.c, n.encode()) for n in self.outputs}
        for k, t in enumerate(e.time):
            while sim.time < t:
                sim.step()
            sim.row(float(t))
            for n in self.outputs:
                out[n][k] = lib.tml_row_channel(sim.c, index[n])
        return out

    def _slopes(self, e: Experiment, x: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        if not self.differenced:
            try:
                m = self.model.with_(**e.given, **dict(zip(self.names, map(float, x))))
                g = m.gradient(self.names, float(e.time[-1]), times=e.time, scales=dict(zip(self.names, self.scale)), **self.words)
                return {n: g[n] for n in self.outputs}, {n: g.jacobian(n) * self.scale for n in self.outputs}
            except errors.ArgumentError as why:
                self.differenced = f"derivatives are differences of runs: {why}"
        columns = {n: np.empty((len(e.time), len(x))) for n in self.outputs}
        for k, size in enumerate(self.scale):
            d = np.zeros(len(x))
            d[k] = APART * size
            a, b = self._run(e, x + d, True), self._run(e, x - d, True)
            for n in self.outputs:
                columns[n][:, k] = (a[n] - b[n]) / (2 * APART)
        return self._run(e, x, True), columns

    def residual(self, x: np.ndarray, noise: Mapping[str, float], derivatives: bool) -> tuple[np.ndarray, Any, list[Any]]:
        r, J, predicted = [], [], []
        for e in self.experiments:
            y, slopes = self._slopes(e, x) if derivatives else (self._run(e, x, bool(self.differenced)), {})
            predicted.append(y)
            for n in self.outputs:
                there = np.isfinite(e.values[n])
                r.append((y[n] - e.values[n])[there] / noise[n])
                if derivatives:
                    J.append(slopes[n][there] / noise[n])
        whole = np.concatenate(r)
        if not np.all(np.isfinite(whole)):
            raise errors.NonFiniteError("an output is not finite", None)
        return whole, np.concatenate(J) if derivatives else None, predicted


def _student(p: float, freedom: int) -> float:
    """The quantile of Student's distribution, by the expansion of Cornish and Fisher (Abramowitz and Stegun, 26.7.5)."""
    from statistics import NormalDist

    z, n = NormalDist().inv_cdf(p), max(freedom, 1)
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2) + (
        3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)


def _bounds(model: "Model", free: Mapping[str, Any], start: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    low, high, x = [], [], []
    for name, bounds in free.items():
        a, b = bounds if bounds is not None else (-math.inf, math.inf)
        a, b = -math.inf if a is None else float(a), math.inf if b is None else float(b)
        own = float(start[name]) if name in start else model.parameter(name)
        if not a < b or not a <= own <= b:
            raise errors.ArgumentError(f"parameter '{name}' starts at {own:g}, which is not between {a:g} and {b:g}; give a start")
        low.append(a), high.append(b), x.append(own)
    return np.array(low), np.array(high), np.array(x)


def _outputs(model: "Model", experiments: list[Experiment], outputs: Sequence[str] | None) -> list[str]:
    known = list(model.simulation(end=float(experiments[0].time[-1])).outputs)
    names = list(outputs) if outputs is not None else [n for n in experiments[0].values if n in known]
    if not names:
        raise errors.ArgumentError(f"no column of the measurement has the name of an output: {', '.join(experiments[0].values)}; "
                                   f"outputs are {', '.join(known)}")
    for n in names:
        if n not in known:
            raise errors.ArgumentError(f"the model has no output '{n}'; it has {', '.join(known)}")
    for e in experiments:
        for n in names:
            if n not in e.values:
                raise errors.ArgumentError(f"a measurement has no '{n}'; it has {', '.join(e.values)}")
    return names


def _step(J: np.ndarray, r: np.ndarray, mu: float, held: np.ndarray) -> np.ndarray:
    """Solves the damped equations for the parameters that are not held."""
    go = ~held
    step = np.zeros(J.shape[1])
    size = np.maximum(np.linalg.norm(J[:, go], axis=0), 1e-300)
    rows = np.vstack([J[:, go] / size, math.sqrt(mu) * np.eye(go.sum())])
    step[go] = -np.linalg.lstsq(rows, np.concatenate([r, np.zeros(go.sum())]), rcond=None)[0] / size
    return step


def fit(model: "Model", data: Any, free: Mapping[str, Any], *, outputs: Sequence[str] | None = None,
        noise: Mapping[str, float] | None = None, start: Mapping[str, float] | None = None, iterations: int = 50,
        progress: Callable[[int, dict[str, float], float], Any] | None = None, **words: Any) -> Fit:
    """See `Model.fit`."""
    experiments = [Experiment.of(d) for d in (data if isinstance(data, (list, tuple)) else [data])]
    outputs = _outputs(model, experiments, outputs)
    names = list(free)
    low, high, x = _bounds(model, free, start or {})
    scale = np.where(x != 0, np.abs(x), np.where(np.isfinite(high - low), high - low, 1.0))
    words.setdefault("tol", 1e-8)
    problem = _Problem(model, experiments, outputs, names, scale, words)
    measured = {n: np.concatenate([e.values[n][np.isfinite(e.values[n])] for e in experiments]) for n in outputs}
    points = sum(map(len, measured.values()))
    if points <= len(x):
        raise errors.ArgumentError(f"{points} measured values do not determine {len(x)} parameters with their deviations")
    given = dict(noise or {})
    sigma = {n: given.get(n) or 0.01 * (np.ptp(v) or abs(v[0]) or 1.0) for n, v in measured.items()}
    message, count = "", 0
    try:
        for _weighing in range(3):
            best, r, J, done, n, message = _minimise(problem, x, low, high, scale, sigma, iterations - count, progress, count)
            x, count = best, count + n
            left = len(outputs) * points / max(points - len(x), 1) / len(outputs)
            again = {o: math.sqrt(np.mean(_left(problem, o, x) ** 2) * left) for o in outputs if o not in given}
            change = max([abs(v / sigma[o] - 1) for o, v in again.items() if v > 0], default=0.0)
            old, sigma = sigma, {**sigma, **{o: v for o, v in again.items() if v > 0}}
            if change < 0.01 or len(outputs) == 1 or not done:
                break
    except KeyboardInterrupt:
        done, message, x = False, "stopped; these are the best parameters so far", problem.best
        r, J, _ = problem.residual(x, sigma, True)
        old = sigma
    weight = {o: old[o] / sigma[o] for o in outputs}
    rows = np.concatenate([np.full(np.isfinite(e.values[o]).sum(), weight[o]) for e in experiments for o in outputs])
    return _finish(problem, x, r * rows, J * rows[:, None], low, high, sigma, points, count, done, message)


def _left(problem: _Problem, output: str, x: np.ndarray) -> np.ndarray:
    return np.concatenate([(p[output] - e.values[output])[np.isfinite(e.values[output])]
                           for e, p in zip(problem.experiments, problem.predicted)])


def _minimise(problem: _Problem, x: np.ndarray, low: np.ndarray, high: np.ndarray, scale: np.ndarray, sigma: dict[str, float],
              most: int, progress: Any, before: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool, int, str]:
    """Levenberg and Marquardt; parameters at a bound that lead out of it are held."""
    mu, count, why = 1e-3, 0, f"not converged after {most} iterations"
    problem.best = x
    r, J, problem.predicted = problem.residual(x, sigma, True)
    while count < most:
        count += 1
        slope = J.T @ r
        held = ((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0))
        step = _step(J, r, mu, held)
        trial = np.clip(x + scale * step, low, high)
        moved = (trial - x) / scale
        promised = 0.5 * (r @ r - np.sum((r + J @ moved) ** 2))
        if promised <= 1e-9 * max(r @ r, 1e-30) or np.max(np.abs(moved)) < 1e-9:
            return x, r, J, True, count, problem.differenced or "converged"
        try:
            r_new, _, _ = problem.residual(trial, sigma, False)
            gain = 0.5 * (r @ r - r_new @ r_new) / promised
        except (errors.StepError, errors.NonFiniteError, errors.SingularError, errors.AssemblyError, errors.ModelError):
            problem.failed += 1
            gain = -1.0
        if gain > 1e-4:
            x = problem.best = trial
            r, J, problem.predicted = problem.residual(x, sigma, True)
            mu = max(mu * (0.2 if gain > 0.5 else 1.0), 1e-12)
            if progress is not None:
                progress(before + count, dict(zip(problem.names, x)), float(r @ r))
        else:
            mu *= 8.0
            if mu > 1e12:
                why = "no step in any direction makes the sum of squares less"
                break
    return x, r, J, False, count, why


def _finish(problem: _Problem, x: np.ndarray, r: np.ndarray, J: np.ndarray, low: np.ndarray, high: np.ndarray, sigma: dict[str, float],
            points: int, count: int, done: bool, message: str) -> Fit:
    names, n = problem.names, len(x)
    size = np.linalg.norm(J, axis=0)
    C = (J / np.where(size > 0, size, 1)).T @ (J / np.where(size > 0, size, 1))
    deviation, correlation = np.full(n, math.nan), np.full((n, n), math.nan)
    value, vector = np.linalg.eigh(C)
    if np.all(size > 0) and value[0] > SINGULAR:
        covariance = np.linalg.inv(C) / np.outer(size, size)
        deviation = np.sqrt(np.diag(covariance))
        correlation = covariance / np.outer(deviation, deviation)
        deviation = deviation * problem.scale
    else:
        who = [names[k] for k in np.argsort(-np.abs(vector[:, 0])) if abs(vector[k, 0]) > 0.1 or size[k] == 0]
        message += f"; the data do not determine {', '.join(who)}"
    t = _student(0.975, points - n)
    interval = {k: (float(v - t * d), float(v + t * d)) for k, v, d in zip(names, x, deviation)}
    bound = [k for k, v, a, b in zip(names, x, low, high) if v in (a, b)]
    message += f"; at a bound: {', '.join(bound)}" if bound else ""
    return Fit(names, dict(zip(names, map(float, x))), dict(zip(names, map(float, deviation))), interval, correlation, sigma,
               float(r @ r), points, count, problem.failed, done, message, problem.experiments, problem.predicted)
