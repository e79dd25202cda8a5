"""Trammel in Python: the dynamics of mechanisms.

    import trammel as tml
    model = tml.load("swing.yaml")
    results = model.run(end=2, tol=1e-6)
    results["angle"]          # a numpy array; results.units["angle"], results.time
    results.plot("angle")

docs/guide/python.md is the guide. ``tml.lib`` and ``tml.ffi`` have every function of the C library.
"""
from __future__ import annotations

from ._core import check, ffi, lib, text
from .compare import compare
from .dual import (Dual, acos, asin, atan, atan2, cos, cosh, exp, log, sin, sinh, sqrt, tan, tanh)
from .elements import Body, Entry, Event, Force, Frame, Input, Joint, Motion, Output, Point, State, Variable
from .fit import Experiment, Fit
from .errors import (ArgumentError, AssemblyError, Cancelled, FileError, InternalError, ModelError, NonFiniteError,
                     OutOfMemoryError, Place, SingularError, StepError, TrammelError)
from .linear import Linear
from . import errors
from .model import Equilibrium, Gradient, Model, Workspace, load, loads
from .optimum import Optimum
from .results import Report, Results, open_results
from .simulation import BodyState, Interrupted, Saved, Simulation, resume
from .study import Study, sweep

__version__ = text(lib.tml_version())


def integrators() -> list[str]:
    """Names of the methods, "auto" first."""
    out: list[str] = []
    while (name := text(lib.tml_integrator_name(len(out)))) is not None:
        out.append(name)
    return out


__all__ = ["ArgumentError", "AssemblyError", "Body", "BodyState", "Cancelled", "Dual", "Entry", "Equilibrium", "Event", "Experiment",
           "FileError", "Fit", "Force", "Frame", "Gradient", "Input", "InternalError", "Interrupted", "Joint", "Linear", "Model", "ModelError",
           "Motion", "NonFiniteError", "Optimum", "OutOfMemoryError", "Output", "Place", "Point", "Report", "Results", "Saved",
           "Simulation", "SingularError", "State", "StepError", "Study", "TrammelError", "Variable", "Workspace", "acos", "asin", "atan", "atan2",
           "check", "compare", "cos", "cosh", "exp", "ffi", "integrators", "lib", "load", "loads", "log", "open_results",
           "resume", "sin", "sinh", "sqrt", "sweep", "tan", "tanh"]
