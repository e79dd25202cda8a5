"""Linearised models: modes, and the matrices of x' = A x + B u, y = C x + D u."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors
from ._core import check, ffi, lib, options_of, struct, text

if TYPE_CHECKING:
    from .model import Model
    from .simulation import Simulation

__all__ = ["Linear"]


class Linear:
    """Eigenvalues and modes of a linearised model.

    ``eigenvalues`` has both of a complex pair, ``modes`` one entry for it. ``A``, ``B``, ``C`` and ``D`` belong to
    independent positions, velocities and user states as x, and to the inputs and outputs of the model; their derivatives are
    exact. They are there for systems whose full matrix is computed (not with modes=...)."""

    def __init__(self, model: "Model", sim: "Simulation", modes: int, shift: float):
        self._model, self._sim = model, sim
        o = options_of(lib.tml_linear_options_default(), modes=modes, shift=shift)
        out = ffi.new("TmlLinear **")
        check(lib.tml_sim_linearize, sim.c, o, out)
        self._c = ffi.gc(out[0], lib.tml_linear_free)
        self.info: dict[str, Any] = struct(lib.tml_linear_info(self._c))
        self.modes = [struct(lib.tml_linear_mode(self._c, k)) for k in range(self.info["modes"])]
        self.inputs, self.outputs = list(sim.inputs), list(sim.outputs)
        self._abcd: tuple[np.ndarray, ...] | None = None

    @property
    def eigenvalues(self) -> np.ndarray:
        values: list[complex] = []
        for m in self.modes:
            values.append(complex(m["real"], m["imag"]))
            if m["imag"] != 0:
                values.append(complex(m["real"], -m["imag"]))
        return np.array(values)

    @property
    def frequencies(self) -> np.ndarray:
        """Hz, of the modes."""
        return np.array([m["frequency"] for m in self.modes])

    @property
    def damping(self) -> np.ndarray:
        """Damping ratios of the modes."""
        return np.array([m["damping_ratio"] for m in self.modes])

    def shape(self, mode: int, body: str) -> dict[str, Any]:
        """Displacement and rotation of a body in a mode."""
        k = self._sim._index("body", body, lib.tml_model_body_count, lib.tml_model_body_name)
        return struct(lib.tml_linear_body(self._c, mode, k))

    def _matrix(self, c: Any) -> np.ndarray:
        values = lib.tml_linear_matrix(c)
        if values == ffi.NULL:
            raise errors.ArgumentError("only some modes were computed: there is no full matrix; leave 'modes' out")
        n = lib.tml_linear_info(c).order
        return np.frombuffer(ffi.buffer(values, n * n * 8)).reshape(n, n).T

    def _all(self) -> tuple[np.ndarray, ...]:
        if self._abcd is None:
            self._abcd = self._system()
        return self._abcd

    def _system(self) -> tuple[np.ndarray, ...]:
        """C and D are the rows of states z' = y that are added to the model, B and D the columns of its inputs."""
        model, sim = self._model, self._sim
        added = [f"output_{k}_" for k in range(len(self.outputs))]
        channels = model._channels()
        missing = [n for n in self.outputs if n not in channels]
        if missing:
            raise errors.ArgumentError("C and D need 'outputs' in the model" if not channels else
                                       f"the expression of output '{missing[0]}' is not known")
        more = json.dumps({"states": {a: {"rate": str(channels[n])} for a, n in zip(added, self.outputs)}})
        handle = model._build(more if added else None)
        start = lib.tml_sim_options_default()
        o = ffi.new("TmlSimOptions *", start)
        setattr(o, "from", sim.c)
        o.end_time = sim.time + 1.0
        out, lin = ffi.new("TmlSim **"), ffi.new("TmlLinear **")
        check(lib.tml_sim_create, handle, o, out)
        whole = ffi.gc(out[0], lib.tml_sim_free)
        check(lib.tml_sim_linearize, whole, ffi.NULL, lin)
        c = ffi.gc(lin[0], lib.tml_linear_free)
        m = self._matrix(c)
        n_states = lib.tml_model_state_count(handle)
        first = m.shape[0] - n_states
        place = {text(lib.tml_model_state_name(handle, k)): first + k for k in range(n_states)}
        u = [place[n] for n in self.inputs if n in place]
        y = [place[a] for a in added]
        x = [k for k in range(m.shape[0]) if k not in set(u) | set(y)]
        self.inputs = [n for n in self.inputs if n in place]
        return tuple(np.ascontiguousarray(m[np.ix_(a, b)]) for a, b in ((x, x), (x, u), (y, x), (y, u)))

    A = property(lambda self: self._all()[0], doc="x' = A x + B u")
    B = property(lambda self: self._all()[1], doc="one column for each of `inputs`")
    C = property(lambda self: self._all()[2], doc="y = C x + D u, one row for each of `outputs`")
    D = property(lambda self: self._all()[3], doc="one row for each of `outputs`, one column for each of `inputs`")

    def write(self, path: str) -> None:
        """Modes as .json, .csv or .h5."""
        check(lib.tml_write_modes, str(path).encode(), self._sim.c, self._c)

    def __repr__(self) -> str:
        return f"<Linear: {len(self.modes)} modes, {', '.join(f'{f:.4g}' for f in self.frequencies[:6])} Hz ...>"
