"""Many runs of one model: `trammel sweep` from Python (trammel/study.h)."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from . import errors
from ._core import check, ffi, lib, text, texts
from .optimum import responses_of
from .simulation import Interrupted

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Study", "sweep"]


@dataclasses.dataclass
class Study:
    """Results of a study: ``parameters`` and ``responses`` are arrays over runs, ``histories`` arrays of runs x rows (NaN behind the
    last row of a run), ``time`` likewise. ``study["load.max"]`` is a response, or a parameter."""

    title: str
    design: str
    parameters: dict[str, np.ndarray]
    responses: dict[str, np.ndarray]
    units: dict[str, str]
    time: np.ndarray
    histories: dict[str, np.ndarray]
    failed: np.ndarray  #: True where a run failed; its responses are NaN
    done: np.ndarray  #: True where a run was made
    messages: list[str]  #: why runs failed, "" of the others
    steps: np.ndarray
    seconds: np.ndarray

    def __len__(self) -> int:
        return len(self.failed)

    def __getitem__(self, name: str) -> np.ndarray:
        for part in (self.responses, self.parameters, self.histories):
            if name in part:
                return part[name]
        raise errors.ArgumentError(f"there is no '{name}'; there are {', '.join([*self.parameters, *self.responses, *self.histories])}")

    def to_pandas(self) -> Any:
        """A table with a line for each run."""
        import pandas

        return pandas.DataFrame({**self.parameters, **self.responses, "failed": self.failed})

    def __repr__(self) -> str:
        return (f"<Study {self.title!r}: {len(self)} runs ({self.design}) over {', '.join(self.parameters)}, "
                f"{int(self.failed.sum())} failed>")


def _spread(name: str, v: Any) -> Any:
    """Values of a parameter as a description has them."""
    if isinstance(v, Mapping):
        return dict(v)
    if isinstance(v, tuple) and len(v) == 3:
        return {"from": v[0], "to": v[1], "count": int(v[2])}
    if isinstance(v, tuple) and len(v) == 2:
        return {"from": v[0], "to": v[1]}
    if isinstance(v, (list, np.ndarray)):
        return {"values": [x if isinstance(x, str) else float(x) for x in v]}
    raise errors.ArgumentError(f"parameter '{name}': expected values, (from, to, count), (from, to) or a dictionary, got {v!r}")


def _load(path: str, settings: Mapping[str, Any], load: Any) -> Any:
    out = ffi.new("TmlStudy **")
    check(lib.tml_study_load, path.encode(), load, out)
    c = ffi.gc(out[0], lib.tml_study_free)
    integrator = settings.get("integrator")
    number = [float("nan") if settings.get(k) is None else float(settings[k]) for k in ("end", "output_step", "tol")]
    check(lib.tml_study_settings, c, ffi.NULL if integrator is None else ffi.new("char[]", integrator.encode()), *number)
    return c


def of_model(model: "Model", parameters: Mapping[str, Any], design: str | None, samples: int | None, seed: int | None,
             levels: int | None, responses: Mapping[str, Any] | None, keep: Sequence[str] | None, **words: Any) -> Study:
    """See `Model.sweep`."""
    from .model import _as_file

    if model._functions:
        raise errors.ArgumentError("a model with functions in Python cannot be studied by sweep: make its runs in a loop, model.with_(...).run()")
    with _as_file(model) as (path, options), tempfile.TemporaryDirectory() as folder:
        description: dict[str, Any] = {"study": model.title, "model": os.path.abspath(path.decode()),
                                       "parameters": {n: _spread(n, v) for n, v in parameters.items()}}
        more = {"design": design, "samples": samples, "seed": seed, "levels": levels,
                "responses": None if responses is None else responses_of(responses), "keep": None if keep is None else list(keep)}
        description.update({k: v for k, v in more.items() if v is not None})
        file = pathlib.Path(folder) / "study.yaml"
        file.write_text(json.dumps(description))
        c = _load(str(file), words, options)
    return _run(c, words.get("workers"), words.get("file"), words.get("resume", False), words.get("progress", False))


def sweep(path: str | pathlib.Path, *, end: float | None = None, tol: float | None = None, output_step: float | None = None,
          integrator: str | None = None, workers: int | None = None, file: str | pathlib.Path | None = None, resume: bool = False,
          progress: bool = False, **parameters: Any) -> Study:
    """Make the runs of a description of a study (.yaml); ``parameters`` hold for all of them. See `Model.sweep`."""
    names, kept = texts(parameters)
    words, kept_words = texts(parameters.values())
    o = ffi.new("TmlLoadOptions *", lib.tml_load_options_default())
    zeros = ffi.new("double[]", len(parameters))
    o.n, o.names, o.values, o.texts = len(parameters), names, zeros, words
    c = _load(str(path), {"end": end, "tol": tol, "output_step": output_step, "integrator": integrator}, o)
    del kept, kept_words
    return _run(c, workers, file, resume, progress)


class _Collector:
    """Records of runs become arrays."""

    def __init__(self, c: Any):
        self.c, self.runs = c, lib.tml_study_runs(c)
        self.names = [text(lib.tml_study_response(c, k)) or "" for k in range(lib.tml_study_responses(c))]
        self.kept: list[str] = []
        while (name := text(lib.tml_study_kept(c, len(self.kept)))) is not None:
            self.kept.append(name)
        self.y = np.full((self.runs, len(self.names)), np.nan)
        self.rows: list[np.ndarray | None] = [None] * self.runs
        self.done, self.failed = np.zeros(self.runs, bool), np.zeros(self.runs, bool)
        self.messages, self.steps, self.seconds = [""] * self.runs, np.zeros(self.runs, int), np.full(self.runs, np.nan)

    def add(self, data: Any, size: int) -> None:
        r = ffi.new("TmlStudyRecord *")
        check(lib.tml_study_record_read, self.c, data, size, r)
        k, width = r.run, len(self.kept) + 1
        self.y[k] = np.frombuffer(ffi.buffer(r.responses, 8 * len(self.names)), float) if self.names else []
        if r.rows > 0:
            self.rows[k] = np.frombuffer(ffi.buffer(r.histories, 8 * r.rows * width), float).reshape(r.rows, width).copy()
        self.done[k], self.failed[k] = True, r.status != lib.TML_OK
        self.messages[k] = bytes(ffi.buffer(r.message, r.message_length)).decode(errors="replace") if r.message_length else ""
        self.steps[k], self.seconds[k] = r.steps, r.seconds

    def study(self) -> Study:
        c = self.c
        most = max((len(r) for r in self.rows if r is not None), default=0)
        table = np.full((len(self.kept) + 1, self.runs, most), np.nan)
        for k, r in enumerate(self.rows):
            if r is not None:
                table[:, k, :len(r)] = r.T
        spreads = [text(lib.tml_study_parameter(c, p)) or "" for p in range(lib.tml_study_parameters(c))]
        units = {n: text(lib.tml_study_response_unit(c, k)) or "" for k, n in enumerate(self.names)}
        units.update({n: text(lib.tml_study_kept_unit(c, k)) or "" for k, n in enumerate(self.kept)})
        return Study(text(lib.tml_study_title(c)) or "", text(lib.tml_study_design(c)) or "",
                     {n: np.array([lib.tml_study_value(c, k, p) for k in range(self.runs)]) for p, n in enumerate(spreads)},
                     {n: self.y[:, k].copy() for k, n in enumerate(self.names)}, units, table[0],
                     {n: table[k + 1] for k, n in enumerate(self.kept)}, self.failed, self.done, self.messages, self.steps, self.seconds)


def _make(c: Any, run: int) -> tuple[Any, int]:
    data, size = ffi.new("void **"), ffi.new("size_t *")
    check(lib.tml_study_run, c, run, ffi.NULL, data, size)  # the lock of the interpreter is free in it
    return ffi.gc(data[0], lib.tml_study_record_free, size[0]), size[0]


def _store(c: Any, file: str | pathlib.Path | None, resume: bool) -> Any:
    if file is None:
        return None
    out = ffi.new("TmlStore **")
    check(lib.tml_store_open, str(file).encode(), c, lib.TML_STORE_RESUME if resume else lib.TML_STORE_NEW, out)
    return ffi.gc(out[0], lib.tml_store_close)


def _run(c: Any, workers: int | None, file: str | pathlib.Path | None, resume: bool, progress: bool) -> Study:
    """All runs, by threads of the library."""
    if file is not None and not str(file).endswith((".h5", ".hdf5")):
        raise errors.ArgumentError(f"file: the name of the results must end in .h5, not '{file}'")
    made, store = _Collector(c), _store(c, file, resume)
    wanted = [k for k in range(made.runs) if store is None or not lib.tml_store_has(store, k)]
    pool = concurrent.futures.ThreadPoolExecutor(workers or len(os.sched_getaffinity(0)))
    todo, waiting = iter(wanted), set()
    try:
        for run in todo:  # a few more than there are threads, so that records do not pile up
            waiting.add(pool.submit(_make, c, run))
            if len(waiting) < 4 * pool._max_workers:
                continue
            waiting = _take(waiting, made, store, progress)
        while waiting:
            waiting = _take(waiting, made, store, progress)
    except KeyboardInterrupt:
        stopped = Interrupted(f"the study was stopped: {int(made.done.sum())} of {made.runs} runs")
        stopped.results = made.study()  # type: ignore[attr-defined]
        raise stopped from None
    finally:
        pool.shutdown(cancel_futures=True)
        if progress:
            print()
    if store is not None:
        _read_back(store, made, wanted)
        check(lib.tml_store_finish, store, ffi.NULL, ffi.NULL)
        ffi.release(store)
    return made.study()


def _read_back(store: Any, made: _Collector, wanted: list[int]) -> None:
    """Runs of an earlier process, which the store has."""
    for run in set(range(made.runs)) - set(wanted):
        data, size = ffi.new("void **"), ffi.new("size_t *")
        check(lib.tml_store_record, store, run, data, size)
        made.add(ffi.gc(data[0], lib.tml_study_record_free), size[0])


def _take(waiting: set[Any], made: _Collector, store: Any, progress: bool) -> set[Any]:
    ready, rest = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
    for f in ready:
        data, size = f.result()
        made.add(data, size)
        if store is not None:
            check(lib.tml_store_add, store, data, size, ffi.NULL, ffi.NULL)
    if progress:
        print(f"\r{int(made.done.sum())} of {made.runs} runs, {int(made.failed.sum())} failed", end="", flush=True)
    return rest
