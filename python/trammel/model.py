"""Models: from files, from dictionaries with the words of model files, and from the small classes of elements.py."""
from __future__ import annotations

import contextlib
import difflib
import inspect
import json
import math
import pathlib
import tempfile
from typing import Any, Callable, Iterator, Mapping, Sequence

import numpy as np

from . import errors, results
from ._core import check, ffi, lib, options_of, text, texts
from .dual import Dual
from .linear import Linear
from .simulation import Simulation

__all__ = ["Model", "load", "loads"]

SECTIONS = ("parameters", "bodies", "joints", "forces", "frames", "splines", "variables", "states", "inputs", "outputs",
            "events", "delays", "systems", "contacts", "flexible", "modal", "materials", "roads", "paths", "tracks", "profiles")


def _plain(value: Any, where: str) -> Any:
    """What JSON can say: numbers that are finite, texts, lists, maps."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v, f"{where}.{k}" if where else str(k)) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "fiubUS":
            raise errors.ModelError(f"{where}: an array of {value.dtype} is not possible: numbers are expected")
        return _plain(value.tolist(), where)
    if isinstance(value, (list, tuple)):
        return [_plain(v, f"{where}[{k}]") for k, v in enumerate(value)]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise errors.ModelError(f"{where}: {value} is not a finite number")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise errors.ModelError(f"{where}: {type(value).__name__} is not possible: a number, a text, a list or a dictionary is "
                            "expected")


def _to_text(data: Mapping[str, Any]) -> tuple[str, dict[int, str]]:
    """A document with an entry on each line, and which element a line has."""
    lines, elements = ["{"], {}
    plain = _plain(data, "")
    for i, (section, value) in enumerate(plain.items()):
        comma = "," if i + 1 < len(plain) else ""
        if isinstance(value, dict) and value:
            lines.append(f"{json.dumps(section)}: {{")
            elements[len(lines)] = section
            for k, (name, entry) in enumerate(value.items()):
                lines.append(f"{json.dumps(name)}: {json.dumps(entry)}{',' if k + 1 < len(value) else ''}")
                elements[len(lines)] = f"{section}.{name}"
            lines.append("}" + comma)
        else:
            lines.append(f"{json.dumps(section)}: {json.dumps(value)}{comma}")
            elements[len(lines)] = section
    return "\n".join([*lines, "}"]), elements


# Words of a run that have another name in the C library, or that users of the command may look for.
_OTHER_WORDS = {"tolerance": "tol", "end_time": "end", "method": "integrator", "outputs": "record"}
_WORDS = ("end", "tol", "integrator", "output_step", "step", "options", "between", "inputs", "start", "progress", "record", "file", "control", "every")


def _check_word(name: str) -> None:
    """Refuses a word that a run does not have, with the nearest one that it has."""
    fields = [field for field, kind in ffi.typeof("TmlSimOptions").fields if kind.type.kind == "primitive" and field != "size"]
    if name in fields and name not in _OTHER_WORDS:
        return
    near = [_OTHER_WORDS[name]] if name in _OTHER_WORDS else difflib.get_close_matches(name, [*_WORDS, *fields], 1)
    raise errors.ArgumentError(f"a run has no argument '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))


class Model:
    """A model. ``Model(gravity=[0, -9.81, 0])`` is an empty one; sections are attributes: ``m.bodies["rod"] = tml.Body(...)``.

    It is read when it is first run, and again after it was changed. Runs that are under way keep the model as it was.
    """

    def __init__(self, data: Mapping[str, Any] | None = None, /, **words: Any):
        self.data: dict[str, Any] | None = {"trammel": 1}
        for key, value in {**(data or {}), **words}.items():
            self.data[key] = dict(value) if isinstance(value, Mapping) else value
        self._path: str | None = None
        self._settings: dict[str, Any] = {}
        self._given: dict[str, Any] = {}
        self._functions: list[_Function] = []
        self._made: tuple[Any, Any] | None = None
        self._elements: dict[int, str] | None = None
        self.last: results.Results | None = None  #: results of the last run, also of one that was stopped or failed

    @classmethod
    def _of_file(cls, path: str, settings: dict[str, Any], given: dict[str, Any]) -> "Model":
        m = cls()
        m.data = None
        m._path, m._settings, m._given = path, settings, given
        m._handle()
        return m

    @classmethod
    def _of_handle(cls, c: Any) -> "Model":
        m = cls()
        m.data, m._path = None, ""
        m._made = (None, ffi.gc(c, lib.tml_model_free))
        return m

    def __getattr__(self, section: str) -> Any:
        if section.startswith("_") or section == "data":
            raise AttributeError(section)
        if section not in SECTIONS:
            raise AttributeError(f"a model has no '{section}'; sections are {', '.join(SECTIONS)}")
        if self.data is None:
            raise AttributeError(f"'{section}' can be changed in models that were made in Python; this one was read from "
                                 f"'{self._path}'")
        return self.data.setdefault(section, {})

    # --- reading

    def function(self, name: str, f: Callable[..., Any] | None = None) -> Any:
        """Let expressions call a Python function: ``@model.function("drag")``.

        It is called with Dual numbers (tml.sin and the like know them), or, when it returns a pair, gives its value and the
        list of its derivatives itself."""
        if f is None:
            return lambda g: self.function(name, g) or g
        self._functions.append(_Function(name, f))
        self._made = None
        return None

    def set(self, **parameters: Any) -> "Model":
        """Give parameters other values: numbers, or texts such as "60 N/mm". Returns the model."""
        before = dict(self._given)
        self._given.update(parameters)
        try:
            self._made = None
            self._handle()
        except errors.TrammelError:
            self._given = before
            raise
        return self

    def with_(self, **parameters: Any) -> "Model":
        """Another model with other values of parameters."""
        other = Model.__new__(Model)
        other.__dict__.update(self.__dict__)
        other._given = dict(self._given)
        other._made, other.last = None, None
        return other.set(**parameters)

    def _key(self) -> Any:
        return None if self.data is None else _to_text(self.data)[0]

    def _handle(self) -> Any:
        if self._made is not None and (self.data is None or self._made[0] == self._key()):
            return self._made[1]
        self._elements = None
        key = self._key()
        if self._functions:
            c = self._build()
        elif self.data is None:
            c = self._load(str(self._path).encode(), None)
        else:
            c = self._load(b"model", key)
        self._made = (key, c)
        return c

    def _load_options(self) -> tuple[Any, list[Any]]:
        keep: list[Any] = []
        names, kept = texts(self._given)
        keep += [names, kept]
        values = ffi.new("double[]", [v if isinstance(v, (int, float)) else 0.0 for v in self._given.values()])
        words = [ffi.NULL if isinstance(v, (int, float)) else ffi.new("char[]", str(v).encode())
                 for v in self._given.values()]
        as_text = ffi.new("const char *[]", words)
        keep += [values, words, as_text]
        o = options_of(lib.tml_load_options_default(), strict=self._settings.get("strict"))
        o.n, o.names, o.values, o.texts = len(self._given), names, values, as_text
        inputs = self._settings.get("inputs") or {}
        a, kept_a = texts(inputs)
        b, kept_b = texts(v if isinstance(v, (str, pathlib.Path)) else repr(float(v)) for v in inputs.values())
        o.n_inputs, o.input_name, o.input_value = len(inputs), a, b
        keep += [a, kept_a, b, kept_b]
        if self._settings.get("more"):
            added = ffi.new("char[]", self._settings["more"].encode())
            o.more = added
            keep.append(added)
        return o, keep

    def _load(self, name: bytes, document: str | None) -> Any:
        out = ffi.new("TmlModel **")
        if document is None:
            options, keep = self._load_options()
            check(lib.tml_load_with, name, options, out)
            del keep
            return ffi.gc(out[0], lib.tml_model_free)
        assert self.data is not None
        unknown = [k for k in self._given if k not in self.data.get("parameters", {})]
        if unknown:
            near = difflib.get_close_matches(unknown[0], list(self.data.get("parameters", {})), 1)
            raise errors.ArgumentError(f"there is no parameter '{unknown[0]}'"
                                       + (f"; did you mean '{near[0]}'?" if near else ""))
        data = dict(self.data)
        if self._given:
            data["parameters"] = {**data["parameters"], **self._given}
        document, self._elements = _to_text(data)
        check(lib.tml_load_text, document.encode(), name, 0, ffi.NULL, ffi.NULL, out, elements=self._elements)
        return ffi.gc(out[0], lib.tml_model_free)

    def _document(self) -> str:
        """The whole model as one text."""
        if self.data is not None:
            data = dict(self.data)
            if self._given:
                data["parameters"] = {**data.get("parameters", {}), **self._given}
            document, self._elements = _to_text(data)
            return document
        model, out = ffi.new("TmlModel **"), ffi.new("char **")
        options, keep = self._load_options()
        check(lib.tml_convert_with, str(self._path).encode(), options, model, out)
        lib.tml_model_free(model[0])
        document = text(out[0]) or ""
        lib.tml_text_free(out[0])
        del keep
        return document

    def _build(self, more: str | None = None) -> Any:
        """A model that is put together: functions first, then texts."""
        out = ffi.new("TmlModel **")
        check(lib.tml_model_create, out)
        c = ffi.gc(out[0], lib.tml_model_free)
        for f in self._functions:
            check(lib.tml_model_register_function, c, f.c)
        check(lib.tml_model_add, c, self._document().encode(), elements=self._elements)
        if more:
            check(lib.tml_model_add, c, more.encode())
        check(lib.tml_model_finish, c, elements=self._elements)
        return c

    def _document_handle(self) -> Any:
        """The model as one that can be read again with other parameters."""
        if self._functions:
            raise errors.ArgumentError("a model with functions in Python has no derivatives by parameters")
        return self._handle()

    def _channels(self) -> dict[str, Any]:
        """Expressions of the outputs, by name."""
        if self.data is None:
            raise errors.ArgumentError("C and D need the expressions of the outputs: make the model in Python")
        return {n: o["value"] if isinstance(o, Mapping) else o for n, o in self.data.get("outputs", {}).items()}

    # --- what it is

    @property
    def title(self) -> str:
        return text(lib.tml_model_title(self._handle())) or ""

    @property
    def warnings(self) -> list[str]:
        return _list(lib.tml_model_warning, self._handle())

    def describe(self) -> str:
        """What `trammel check` prints: bodies, joints, degrees of freedom."""
        sim = self.simulation(end=1.0)
        out = ffi.new("char **")
        check(lib.tml_describe, self._handle(), sim.c, out)
        words = text(out[0]) or ""
        lib.tml_text_free(out[0])
        return words

    # --- what is done with it

    def simulation(self, end: float | None = None, *, tol: float | None = None, integrator: str | None = None,
                   output_step: float | None = None, step: float | None = None, options: Mapping[str, Any] | None = None,
                   between: Callable[[Simulation], Any] | None = None, inputs: Mapping[str, float] | None = None,
                   start: Simulation | None = None, **more: Any) -> Simulation:
        """A run that is stepped by hand. Words that are left out are those of the model."""
        for name in more:
            _check_word(name)
        for name, value in {"end": end, "tol": tol, "output_step": output_step, "step": step, **more}.items():
            if value is not None and not isinstance(value, (int, float, np.floating, np.integer)):
                raise errors.ArgumentError(f"{name} is a number, not {value!r}")
        sim = Simulation.create(self, between, options, integrator, start, end_time=end, tolerance=tol,
                                output_step=output_step, step=step, **more)
        for name, value in (inputs or {}).items():
            sim.inputs[name] = value
        return sim

    def run(self, end: float | None = None, *, progress: bool = False, record: str = "all",
            file: str | pathlib.Path | None = None, control: Callable[[Simulation], Any] | None = None,
            every: float | None = None, **words: Any) -> results.Results:
        """Run the model and return its results. ``words`` are those of `simulation`.

        control=f and every=0.01 call f(sim) every 10 ms of the simulated time, to read outputs and set inputs.
        record="outputs" keeps the outputs only; file="out.h5" (or .csv) writes what `trammel run` writes. When the run fails or
        is stopped, the exception has what was done as ``results``, and so has ``model.last``."""
        if record not in ("all", "outputs"):
            raise errors.ArgumentError(f"record is 'all' or 'outputs', not {record!r}")
        sim = self.simulation(**words, **({} if end is None else {"end": end}))
        if (control is None) != (every is None):
            raise errors.ArgumentError("control and every belong together: run(control=f, every=0.01)")
        if control is not None and every is not None:
            sim.sample(every, control)
        if file is not None:
            return self._run_to_file(sim, pathlib.Path(file), progress)
        out = ffi.new("TmlRecord **")
        check(lib.tml_record_create, sim.c, record == "all", out)
        sim.record = out[0]
        try:
            sim.run(progress)
        except BaseException as failure:
            failure.results = self._finish(sim, results.of_record(sim.record), str(failure))  # type: ignore[attr-defined]
            raise
        return self._finish(sim, results.of_record(sim.record), "")

    def _finish(self, sim: Simulation, r: results.Results, message: str) -> results.Results:
        r.title, r.message, r.stats, r.notes = self.title, message, sim.stats, sim.notes
        r.stats["integrator"] = sim.integrator
        self.last = r
        return r

    def _run_to_file(self, sim: Simulation, path: pathlib.Path, progress: bool) -> results.Results:
        writer = ffi.new("TmlWriter **")
        check(lib.tml_writer_open, str(path).encode(), sim.c, writer)
        status, message = lib.TML_OK, ""
        try:
            sim.run_with(ffi.cast("TmlRowFn", ffi.addressof(lib, "tml_writer_row")), writer[0], progress)
        except BaseException as failure:
            status, message = lib.TML_E_CANCELLED, str(failure)
            raise
        finally:
            lib.tml_writer_status(writer[0], status, message.encode())
            check(lib.tml_writer_close, writer[0], sim.c)
        return self._finish(sim, results.open_results(path), "")

    def kinematics(self, end: float | None = None, motions: Mapping[str, Any] | None = None,
                   **words: Any) -> results.Results:
        """The motion without integration: the drives of the model, and ``motions``, leave no degree of freedom.

        motions={"pin": "0.3*sin(2*time)", "slide": "measured.csv:way:20"} drives joints by functions of time or by tables."""
        return self._driven(motions).run(end, integrator="kinematics", **words)

    def inverse(self, end: float | None = None, motions: Mapping[str, Any] | None = None, **words: Any) -> results.Results:
        """The same with the forces of the drives: channels ``JOINT_motion.force`` (N or Nm), ``.power``, ``.coordinate``, ``.rate``."""
        return self.kinematics(end, motions, drive_channels=True, **words)

    def workspace(self, **axes: tuple[float, float, int]) -> "Workspace":
        """Positions at rest over a grid: ``model.workspace(shoulder=(-1, 1, 21), elbow=(0, 2, 11))``, in rad or m."""
        return Workspace(self, axes)

    def gradient(self, parameters: Sequence[str], end: float | None = None, *, tol: float | None = None,
                 integrator: str | None = None, output_step: float | None = None, precision: float | None = None,
                 scales: Mapping[str, float] | None = None, times: Any = None) -> "Gradient":
        """A run with the derivatives of all outputs by parameters: ``g = model.gradient(["L", "c"])``, ``g.by("angle", "L")``.

        Rows are at the output times, or at ``times``."""
        return Gradient(self, list(parameters), scales or {}, precision, times, end_time=end, tolerance=tol, integrator=integrator,
                        output_step=output_step)

    def fit(self, data: Any, free: Mapping[str, Any], **words: Any) -> Any:
        """Parameters from measurements: ``model.fit("measured.csv", {"L": (0.5, 2), "c": (0, None)})``.

        data: a CSV file, a dictionary with "time" and outputs, an Experiment, or a list of these. free: bounds of each free parameter, or None.
        outputs: which are compared (default: all columns); noise: their standard deviations, estimated where they are not given; start: where
        parameters start; iterations, confidence, tol, integrator, progress(iteration, values, cost). journal="file" keeps evaluations, and
        resume=True goes on with them. After Ctrl-C the best parameters so far are returned. See Fit."""
        from .fit import fit

        return fit(self, data, free, **words)

    def optimize(self, free: Mapping[str, Any], responses: Mapping[str, Any], **words: Any) -> Any:
        """The best parameters: ``model.optimize({"k": (1e4, 5e4)}, {"load": "max", "last": ("angle", "end")}, minimize="load")``.

        free: bounds of each parameter. responses: numbers of a run, "max" of the output of this name, or (output, what to take).
        minimize or maximize: a response, or a dictionary of responses with factors. constraints={"last": (None, 0.1)}: least and largest
        value, or one number that is to be kept. method: "auto", "slsqp", "mma", "bobyqa", "cobyla", "direct", "isres"; evaluations,
        accuracy, seed, start, scale={"k": "log"}, end, tol, output_step, integrator, progress(iteration, values, best), journal, resume.
        See Optimum."""
        from .optimum import optimize

        return optimize(self, free, responses, **words)

    def sweep(self, parameters: Mapping[str, Any] | None = None, *, design: str | None = None, samples: int | None = None,
              seed: int | None = None, levels: int | None = None, responses: Mapping[str, Any] | None = None,
              keep: Sequence[str] | None = None, end: float | None = None, tol: float | None = None,
              output_step: float | None = None, integrator: str | None = None, workers: int | None = None,
              file: str | pathlib.Path | None = None, resume: bool = False, progress: bool = False, **more: Any) -> Any:
        """Many runs on all cores: ``s = model.sweep({"k": (1e5, 1e7, 9), "m": [1, 3]}); s["load.max"]``.

        parameters: values in a list, (from, to, count) of a grid, (from, to) of other designs, or a dictionary as in a description of a
        study; those that are Python names may be given as words. design: "grid", "random", "latin_hypercube", "sobol", "morris", "indices";
        samples, seed, levels. responses={"top": ("load", "max")}, default: least, largest and last value of each output; keep: outputs whose
        histories are kept. file="study.h5" writes what `trammel sweep` writes; with resume=True runs that are there are not made again."""
        from .study import of_model

        return of_model(self, {**(parameters or {}), **more}, design, samples, seed, levels, responses, keep, end=end, tol=tol,
                        output_step=output_step, integrator=integrator, workers=workers, file=file, resume=resume, progress=progress)

    def parameter(self, name: str) -> float:
        """The value of a parameter."""
        value = ffi.new("double *")
        check(lib.tml_model_parameter, self._handle(), name.encode(), value)
        return value[0]

    def _driven(self, motions: Mapping[str, Any] | None) -> "Model":
        """The model with further drives."""
        if not motions:
            return self
        if self._path == "text" or self._path == "":
            raise errors.ArgumentError("a model from a text cannot get motions: load it from a file, or make it in Python")
        joints, kept_joints = texts(motions)
        functions, kept_functions = texts(motions.values())
        out = ffi.new("char **")
        check(lib.tml_motions_text, len(motions), joints, functions, out)
        more = text(out[0]) or ""
        lib.tml_text_free(out[0])
        del kept_joints, kept_functions
        other = Model.__new__(Model)
        other.__dict__.update(self.__dict__)
        other._settings, other._made, other.last = dict(self._settings), None, None
        if self.data is None:
            other._settings["more"] = more
        else:
            other.data = {**self.data}
            for section, entries in json.loads(more).items():
                other.data[section] = {**self.data.get(section, {}), **entries}
        return other

    def statics(self, tolerance: float | None = None, nearest: bool = False) -> "Equilibrium":
        """The static equilibrium."""
        sim = self.simulation(end=1.0)
        info = sim.statics(tolerance, nearest)
        return Equilibrium(sim, info)

    def linearize(self, at: "Simulation | Equilibrium | None" = None, *, modes: int = 0, shift: float = 0.0) -> Linear:
        """Linearise about the present state of a simulation, or the start: modes, and A, B, C, D of inputs and outputs."""
        sim = at.simulation if isinstance(at, Equilibrium) else at or self.simulation(end=1.0)
        return Linear(self, sim, modes, shift)

    def compare(self, integrators: list[str], tols: list[float], **words: Any) -> list[dict[str, Any]]:
        """Work and precision of methods and tolerances: errors from a tight reference, steps, seconds."""
        from .compare import compare

        return compare(self, integrators, tols, **words)

    def __repr__(self) -> str:
        return f"<Model {self.data.get('title', '')!r} made in Python>" if self.data is not None else f"<Model {self._path!r}>"


class Equilibrium:
    """A static equilibrium: ``info`` says how it was found, bodies and outputs are read by name."""

    def __init__(self, simulation: Simulation, info: dict[str, Any]):
        self.simulation, self.info = simulation, info
        self.outputs = dict(simulation.outputs)

    def body(self, name: str) -> Any:
        return self.simulation.body(name)

    def reaction(self, joint: str) -> Any:
        return self.simulation.reaction(joint)

    def __repr__(self) -> str:
        return f"<Equilibrium: {self.outputs}>"


class Workspace:
    """Positions of a model over a grid: ``w["x"]`` is an array with one dimension for each axis, NaN where no position is."""

    def __init__(self, model: Model, axes: Mapping[str, tuple[float, float, int]]):
        names = [ffi.new("char[]", n.encode()) for n in axes]
        c_axes = ffi.new("TmlWorkspaceAxis[]", len(axes))
        self.axes: dict[str, np.ndarray] = {}
        for k, (name, axis) in enumerate(axes.items()):
            if len(axis) != 3:
                raise errors.ArgumentError(f"axis '{name}' needs (from, to, count), not {axis!r}")
            c_axes[k].name = names[k]
            setattr(c_axes[k], "from", float(axis[0]))  # a word of Python
            c_axes[k].to, c_axes[k].count = float(axis[1]), int(axis[2])
            self.axes[name] = np.linspace(float(axis[0]), float(axis[1]), int(axis[2]))
        out = ffi.new("TmlWorkspace **")
        with _as_file(model) as (path, options):
            check(lib.tml_workspace_create, path, options, len(axes), c_axes, ffi.NULL, ffi.NULL, out)
        c = ffi.gc(out[0], lib.tml_workspace_free)
        shape = tuple(len(a) for a in self.axes.values())
        points = range(lib.tml_workspace_points(c))
        self.columns: dict[str, np.ndarray] = {}
        self.units: dict[str, str] = {}
        for k in range(lib.tml_workspace_columns(c)):
            name = text(lib.tml_workspace_column(c, k)) or ""
            self.columns[name] = np.array([lib.tml_workspace_value(c, p, k) for p in points]).reshape(shape)
            self.units[name] = text(lib.tml_workspace_unit(c, k)) or ""
        self.reached = ~np.isnan(self.columns["hold"])

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]


class Gradient:
    """Rows of a run and their derivatives: ``g["angle"]`` and ``g.by("angle", "L")`` are arrays over ``g.time``."""

    def __init__(self, model: Model, parameters: list[str], scales: Mapping[str, float], precision: float | None,
                 times: Any, **words: Any):
        integrator = words.pop("integrator")
        name = None if integrator is None else ffi.new("char[]", integrator.encode())
        sim = options_of(lib.tml_sim_options_default(), integrator=name, record_solver=False, **words)
        names, kept = texts(parameters)
        sizes = ffi.new("double[]", [float(scales.get(p, 0.0)) for p in parameters])
        o = options_of(lib.tml_gradient_options_default(), n=len(parameters), names=names, scales=sizes, tolerance=precision)
        if times is not None:
            at = ffi.new("double[]", [float(t) for t in times])
            o.n_times, o.times = len(times), at
        out = ffi.new("TmlGradient **")
        handle = model._document_handle()
        check(lib.tml_gradient_create, handle, sim, o, out)
        c = ffi.gc(out[0], lib.tml_gradient_free)
        run = lib.tml_gradient_sim(c)
        channels = range(lib.tml_row_channel_count(run))
        self.parameters = parameters
        self.names = [text(lib.tml_row_channel_name(run, k)) or "" for k in channels]
        self.units = {n: text(lib.tml_row_channel_unit(run, k)) or "" for k, n in enumerate(self.names)}
        time: list[float] = []
        values: list[list[float]] = []
        slopes: list[list[list[float]]] = []

        @ffi.callback("TmlStatus(void *, const TmlSim *, TmlError *)")
        def row(_user: Any, at: Any, _err: Any) -> int:
            time.append(lib.tml_row_time(at))
            values.append([lib.tml_row_channel(at, k) for k in channels])
            slopes.append([[lib.tml_gradient_channel(c, k, p) for p in range(len(parameters))] for k in channels])
            return lib.TML_OK

        check(lib.tml_gradient_run, c, row, ffi.NULL)
        del kept, handle
        self.time = np.array(time)
        self._values, self._slopes = np.array(values), np.array(slopes)

    def _channel(self, name: str) -> int:
        if name not in self.names:
            raise errors.ArgumentError(f"there is no output '{name}'; there are {', '.join(self.names)}")
        return self.names.index(name)

    def __getitem__(self, name: str) -> np.ndarray:
        return self._values[:, self._channel(name)]

    def by(self, name: str, parameter: str) -> np.ndarray:
        """The derivative of an output by a parameter, over time."""
        if parameter not in self.parameters:
            raise errors.ArgumentError(f"'{parameter}' is none of {', '.join(self.parameters)}")
        return self._slopes[:, self._channel(name), self.parameters.index(parameter)]

    def jacobian(self, name: str) -> np.ndarray:
        """The same by all parameters: an array of rows x parameters."""
        return self._slopes[:, self._channel(name), :]


@contextlib.contextmanager
def _as_file(model: Model) -> Iterator[tuple[bytes, Any]]:
    """A file with the model and the options to load it."""
    options, keep = model._load_options()
    if model.data is None:
        yield str(model._path).encode(), options
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(model._document())
            file.flush()
            options.n = 0
            yield file.name.encode(), options
    del keep


def _list(function: Any, c: Any) -> list[str]:
    out: list[str] = []
    while (word := text(function(c, len(out)))) is not None:
        out.append(word)
    return out


class _Function:
    """A Python function as the library calls it."""

    def __init__(self, name: str, f: Callable[..., Any]):
        self.f, self.n = f, len(inspect.signature(f).parameters)
        if not 1 <= self.n <= 64:
            raise errors.ArgumentError(f"function '{name}' has {self.n} arguments; 1 to 64 are possible")
        self.name, self.words = ffi.new("char[]", name.encode()), ffi.new("char[]", b"A function in Python.")
        self.eval = ffi.callback("void(void *, const double *, int, TmlJet *)", self._eval)
        self.c = ffi.new("TmlUserFunction *")
        self.c.name, self.c.text, self.c.n_args, self.c.order = self.name, self.words, self.n, 1
        self.c.eval = self.eval
        self._probe(name)

    def _probe(self, name: str) -> None:
        """A function that cannot be called is told when it is registered, not in the midst of a run."""
        try:
            self._call([1.0] * self.n)
        except (TypeError, AttributeError) as cause:
            raise errors.ArgumentError(f"function '{name}': {cause}") from cause
        except (ArithmeticError, ValueError):
            pass  # not defined there

    def _call(self, x: list[float]) -> tuple[float, Any]:
        units = [Dual(v, tuple(1.0 if i == k else 0.0 for i in range(self.n))) for k, v in enumerate(x)]
        y = self.f(*units)
        if isinstance(y, tuple):
            value, g = y
            g = list(g)
            if len(g) != self.n:
                raise TypeError(f"it returned {len(g)} derivatives; it has {self.n} arguments")
            return (value.value if isinstance(value, Dual) else float(value),
                    [d.value if isinstance(d, Dual) else float(d) for d in g])
        return (y.value, y.g) if isinstance(y, Dual) else (float(y), [0.0] * self.n)

    def _eval(self, _user: Any, arg: Any, order: int, out: Any) -> None:
        try:
            value, g = self._call([arg[k] for k in range(self.n)])
        except (ArithmeticError, ValueError):
            value, g = math.nan, [math.nan] * self.n  # the step is rejected
        out.value = value
        if order >= 1:
            for k in range(self.n):
                out.g[k] = g[k]


def load(path: str | pathlib.Path, *, inputs: Mapping[str, Any] | None = None, strict: bool = False,
         **parameters: Any) -> Model:
    """Read a model file (.yaml, .json) or an Adams dataset (.adm); parameters may get other values by name."""
    return Model._of_file(str(path), {"inputs": inputs, "strict": strict}, parameters)


def loads(document: str, **parameters: Any) -> Model:
    """A model from the text of a model file."""
    m = Model()
    out = ffi.new("TmlModel **")
    names, kept = texts(parameters)
    values = ffi.new("double[]", [float(v) for v in parameters.values()])
    check(lib.tml_load_text, document.encode(), b"text", len(parameters), names, values, out)
    del kept
    m.data, m._path, m._made = None, "text", (None, ffi.gc(out[0], lib.tml_model_free))
    return m


__all__ += ["Equilibrium", "Gradient", "Workspace"]
