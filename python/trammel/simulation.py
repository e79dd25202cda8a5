"""A run under way: stepping, inputs and outputs, states that are kept, callbacks."""
from __future__ import annotations

import difflib
import pathlib
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

from . import errors, results
from ._core import Error, check, ffi, lib, options_of, struct, text, texts

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Simulation", "Saved", "Interrupted", "BodyState", "resume"]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run. ``results`` has what was done."""

    results: results.Results | None = None


class BodyState(dict):
    """Position, orientation, velocity, omega, acceleration and alpha of a body at a row."""

    __getattr__ = dict.__getitem__


class _Named:
    """Values of a sim by name, with the nearest spelling for unknown ones."""

    def __init__(self, what: str, names: list[str]):
        self.what, self.index = what, {n: k for k, n in enumerate(names)}

    def __getitem__(self, name: str) -> int:
        try:
            return self.index[name]
        except KeyError:
            near = difflib.get_close_matches(name, list(self.index), 1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(self.index) or 'none'}"
            raise errors.ArgumentError(f"there is no {self.what} '{name}'{hint}") from None


class Inputs(Mapping):
    """Inputs of a run: read and set by name between steps."""

    def __init__(self, sim: "Simulation"):
        self._sim = sim
        n = lib.tml_sim_input_count(sim.c)
        self._names = _Named("input", [text(lib.tml_sim_input_name(sim.c, k)) or "" for k in range(n)])

    def __getitem__(self, name: str) -> float:
        return lib.tml_sim_input(self._sim.c, self._names[name])

    def __setitem__(self, name: str, value: float) -> None:
        k = self._names[name]
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise errors.ArgumentError(f"input '{name}' is a number, not {value!r}") from None
        check(lib.tml_sim_set_input, self._sim.c, k, number)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names.index)

    def __len__(self) -> int:
        return len(self._names.index)


class Outputs(Mapping):
    """Outputs of a run at its present time."""

    def __init__(self, sim: "Simulation"):
        self._sim = sim
        n = lib.tml_row_channel_count(sim.c)
        self._names = _Named("output", [text(lib.tml_row_channel_name(sim.c, k)) or "" for k in range(n)])

    def __getitem__(self, name: str) -> float:
        k = self._names[name]
        self._sim.row()
        return lib.tml_row_channel(self._sim.c, k)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names.index)

    def __len__(self) -> int:
        return len(self._names.index)


class Saved:
    """The whole state of a simulation, from which it, or another one of the same model, goes on to the same bits."""

    def __init__(self, c: Any, model: Any):
        self.c, self._model = c, model


class _Hooks:
    """Functions that the library calls. What they raise is kept, ends the run, and is raised by it."""

    def __init__(self, owner: "Simulation | None"):
        self.owner: Any = owner
        self.raised: BaseException | None = None
        self.user_between: Callable[["Simulation"], Any] | None = None
        self.messages: list[str] = []
        self.c = ffi.new("TmlHooks *")
        self.log = ffi.callback("void(void *, TmlLogLevel, const char *)", self._log)
        self.c.log = self.log

    def _log(self, _user: Any, level: int, words: Any) -> None:
        message = text(words) or ""
        self.messages.append(message)
        if level == lib.TML_LOG_WARNING:
            warnings.warn(message, stacklevel=2)

    def set_between(self, f: Callable[["Simulation"], Any] | None) -> None:
        self.user_between = f
        if f is None:
            self.c.between = ffi.NULL
            return
        self.between = ffi.callback("TmlStatus(void *, TmlSim *, TmlError *)", self._between,
                                    error=lib.TML_E_CANCELLED, onerror=self._on_error)
        self.c.between = self.between

    def _between(self, _user: Any, _sim: Any, _err: Any) -> int:
        assert self.user_between is not None
        return lib.TML_E_CANCELLED if self.user_between(self.owner) is False else lib.TML_OK

    def _on_error(self, _type: Any, value: BaseException, _trace: Any) -> None:
        self.raised = value


class Simulation:
    """A run that is stepped by hand. ``model.simulation(end=2)`` makes one."""

    def __init__(self, model: "Model", c: Any, hooks: _Hooks, keep: Any = None):
        self.model = model
        self._handle = model._handle() if keep is None else keep  # the model must outlive the sim
        self.c = ffi.gc(c, lib.tml_sim_free)
        self._hooks = hooks
        hooks.owner = _Weak(self)
        self._inputs: Inputs | None = None
        self._outputs: Outputs | None = None
        self.record: Any = None
        self._sampled: tuple[float, Callable[["Simulation"], Any]] | None = None

    @classmethod
    def create(cls, model: "Model", between: Any = None, options: Mapping[str, Any] | None = None,
               integrator: str | None = None, from_: "Simulation | None" = None, **values: Any) -> "Simulation":
        hooks = _Hooks(None)
        hooks.set_between(between)
        o = options_of(lib.tml_sim_options_default(), **values)
        if integrator is not None:
            name = ffi.new("char[]", integrator.encode())
            o.integrator = name
        keys, kept_keys = texts((options or {}).keys())
        given, kept_values = texts((options or {}).values())
        o.n_options, o.option_key, o.option_value = len(options or {}), keys, given
        o.hooks = hooks.c[0]
        if from_ is not None:
            setattr(o, "from", from_.c)
        handle = model._handle()
        out = ffi.new("TmlSim **")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            check(lib.tml_sim_create, handle, o, out, elements=model._elements)
        for w in told:
            warnings.warn(str(w.message), stacklevel=4)
        del kept_keys, kept_values
        return cls(model, out[0], hooks)

    # --- time

    @property
    def time(self) -> float:
        return lib.tml_sim_time(self.c)

    @property
    def end(self) -> float:
        return lib.tml_sim_end_time(self.c)

    @property
    def done(self) -> bool:
        return self.time >= self.end

    @property
    def integrator(self) -> str:
        return text(lib.tml_sim_integrator(self.c)) or ""

    def _call(self, function: Any, *arguments: Any) -> None:
        err = Error(self.model._elements)
        self._hooks.raised = None
        status = function(self.c, *arguments, err.c)
        if self._hooks.raised is not None:
            raise self._hooks.raised
        err.check(status)

    def step(self) -> float:
        """One accepted step; returns the time that it came to."""
        self._call(lib.tml_sim_step)
        return self.time

    def advance(self, t: float) -> float:
        """Steps up to the time t, at which one ends exactly: for controllers that sample."""
        self._call(lib.tml_sim_advance, float(t), ffi.NULL, ffi.NULL)
        return self.time

    def run(self, progress: bool = False) -> None:
        """To the end. Ctrl-C ends it after the present step (``Interrupted``)."""
        row = ffi.cast("TmlRowFn", ffi.addressof(lib, "tml_record_row")) if self.record is not None else ffi.NULL
        self.run_with(row, self.record if self.record is not None else ffi.NULL, progress)

    def run_with(self, row: Any, record: Any, progress: bool = False) -> None:
        """To the end, with a function of the C library for rows."""
        if self._sampled is not None:
            self._run_sampled(row, record)
        elif threading.current_thread() is not threading.main_thread():
            self._call(lib.tml_sim_run, row, record)
        else:
            self._run_watched(row, record, progress)

    def sample(self, every: float, f: Callable[["Simulation"], Any]) -> None:
        """Let `run` call f(sim) at the start and every so many seconds: a controller that samples."""
        if not every > 0:
            raise errors.ArgumentError(f"every is a time above 0, not {every!r}")
        self._sampled = (float(every), f)

    def _run_sampled(self, row: Any, record: Any) -> None:
        assert self._sampled is not None
        every, f = self._sampled
        start, k = self.time, 0
        while not self.done:
            if f(self) is False:
                raise errors.Cancelled(f"the run was stopped at t = {self.time:.9g} s")
            k += 1
            self._call(lib.tml_sim_advance, min(start + k * every, self.end), row, record)

    def _run_watched(self, row: Any, record: Any, progress: bool) -> None:
        """The run has a thread of its own, so that this one hears Ctrl-C."""
        failure: list[BaseException] = []
        finished = threading.Event()

        def work() -> None:
            try:
                self._call(lib.tml_sim_run, row, record)
            except BaseException as caught:  # noqa: BLE001 - it is raised below
                failure.append(caught)
            finally:
                finished.set()

        thread = threading.Thread(target=work)
        thread.start()
        interrupted = False
        bar = _Bar() if progress else None
        while not finished.is_set():
            try:
                finished.wait(0.1 if progress else 3600.0)
                if bar is not None:
                    bar.show(lib.tml_sim_progress(self.c))
            except KeyboardInterrupt:
                interrupted = True
                lib.tml_sim_stop(self.c)
        thread.join()
        if bar is not None:
            bar.clear()
        if interrupted:
            raise Interrupted(f"the run was stopped at t = {self.time:.9g} s")
        if failure:
            raise failure[0]

    def stop(self) -> None:
        """End a run that another thread makes, after its present step."""
        lib.tml_sim_stop(self.c)

    # --- what is read and set

    @property
    def inputs(self) -> Inputs:
        if self._inputs is None:
            self._inputs = Inputs(self)
        return self._inputs

    @property
    def outputs(self) -> Outputs:
        if self._outputs is None:
            self._outputs = Outputs(self)
        return self._outputs

    def row(self, t: float | None = None) -> float:
        """Compute the row at a time of the last step, the end of it by default. Bodies, joints and outputs are read from it."""
        if t is None and lib.tml_sim_row_status(self.c, ffi.NULL) == lib.TML_OK and lib.tml_row_time(self.c) == self.time:
            return self.time
        self._call(lib.tml_sim_row_at, self.time if t is None else float(t))
        return lib.tml_row_time(self.c)

    def _index(self, what: str, name: str, count: Any, name_of: Any) -> int:
        m = self._handle
        return _Named(what, [text(name_of(m, k)) or "" for k in range(count(m))])[name]

    def body(self, name: str) -> BodyState:
        k = self._index("body", name, lib.tml_model_body_count, lib.tml_model_body_name)
        self.row()
        return BodyState(struct(lib.tml_row_body(self.c, k)))

    def reaction(self, joint: str) -> BodyState:
        k = self._index("joint", joint, lib.tml_model_joint_count, lib.tml_model_joint_name)
        self.row()
        return BodyState(struct(lib.tml_row_reaction(self.c, k)))

    def force(self, name: str) -> BodyState:
        k = lib.tml_sim_force_find(self.c, name.encode())
        if k < 0:
            n = lib.tml_sim_force_count(self.c)
            _Named("force", [text(lib.tml_sim_force_name(self.c, i)) or "" for i in range(n)])[name]
        self.row()
        return BodyState(struct(lib.tml_row_force(self.c, k)))

    def state(self, name: str) -> float:
        k = self._index("state", name, lib.tml_model_state_count, lib.tml_model_state_name)
        self.row()
        return lib.tml_row_state(self.c, k)

    def contacts(self) -> list[dict[str, Any]]:
        """The points that touch."""
        self.row()
        n = lib.tml_row_contacts(self.c, ffi.NULL, 0)
        out = ffi.new("TmlRowContact[]", max(n, 1))
        lib.tml_row_contacts(self.c, out, n)
        return [{**struct(out[k]), "shape": [text(out[k].shape[0]), text(out[k].shape[1])]} for k in range(n)]

    @property
    def stats(self) -> dict[str, Any]:
        return struct(lib.tml_sim_stats(self.c))

    @property
    def certificate(self) -> dict[str, float]:
        self.row()
        return struct(lib.tml_row_certificate(self.c))

    @property
    def notes(self) -> list[str]:
        return [text(lib.tml_sim_note(self.c, k)) or "" for k in range(lib.tml_sim_note_count(self.c))]

    # --- states that are kept

    def save(self) -> Saved:
        """The whole state between two steps."""
        out = ffi.new("TmlSaved **")
        self._call(lib.tml_sim_save, out)
        return Saved(ffi.gc(out[0], lib.tml_saved_free), self._handle)

    def restore(self, saved: Saved) -> None:
        self._call(lib.tml_sim_restore_saved, saved.c)

    def copy(self) -> "Simulation":
        hooks = _Hooks(None)
        hooks.set_between(self._hooks.user_between)
        out = ffi.new("TmlSim **")
        self._call(lib.tml_sim_copy, hooks.c, out)
        return Simulation(self.model, out[0], hooks, self._handle)

    def checkpoint(self, path: str | pathlib.Path, note: str = "") -> None:
        """Write the whole state to a file, from which ``tml.resume(path)`` goes on in another process."""
        self._call(lambda c, p, n, e: lib.tml_checkpoint_write(p, c, n, e), str(path).encode(), note.encode())

    # --- analyses of the present state

    def statics(self, tolerance: float | None = None, nearest: bool = False) -> dict[str, Any]:
        """Find the static equilibrium; the simulation then stands there."""
        o = options_of(lib.tml_statics_options_default(), tolerance=tolerance, nearest=nearest)
        info = ffi.new("TmlStaticsInfo *")
        self._call(lib.tml_sim_statics, o, info)
        return struct(info[0])

    def __repr__(self) -> str:
        return f"<Simulation at t = {self.time:.6g} s of {self.end:.6g} s by {self.integrator}>"


class _Weak:
    """The simulation for its own callbacks, without a circle that would keep its memory."""

    def __new__(cls, sim: Simulation) -> Any:
        import weakref

        return weakref.proxy(sim)


class _Bar:
    """A line of progress on standard error."""

    def show(self, p: Any) -> None:
        part = min(p.time / p.end_time, 1.0) if p.end_time > 0 else 0.0
        filled = int(30 * part)
        print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {100 * part:3.0f} %  t = {p.time:.4g} s  h = {p.step:.2g} s",
              end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        print("\r" + " " * 72 + "\r", end="", file=sys.stderr, flush=True)


def resume(path: str | pathlib.Path) -> Simulation:
    """Go on from a checkpoint that a program in Python has written."""
    from .model import Model

    hooks = _Hooks(None)
    model, sim = ffi.new("TmlModel **"), ffi.new("TmlSim **")
    check(lib.tml_checkpoint_open, str(path).encode(), hooks.c, model, sim, ffi.NULL)
    whole = Model._of_handle(model[0])
    return Simulation(whole, sim[0], hooks)
