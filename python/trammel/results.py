"""Results: channels by name as numpy arrays, of runs and of files of earlier runs."""
from __future__ import annotations

import collections.abc
import difflib
import fnmatch
import pathlib
import tempfile
from typing import Any, Iterator

import numpy as np

from . import errors
from ._core import check, ffi, lib, text

__all__ = ["Results", "Report", "open_results"]


class Report:
    """A report page; a notebook shows it, ``path`` is its file."""

    def __init__(self, path: pathlib.Path):
        self.path = path

    def _repr_html_(self) -> str:
        page = self.path.read_text(encoding="utf-8").replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" width="100%" height="640" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"Report({str(self.path)!r})"


class Results(collections.abc.Mapping):
    """Channels by name. Each is an array with one number per row; ``time`` has the times, ``units`` the units.

    Arrays of a run are views of one table, without a copy; they stay valid as long as one of them is in use.
    """

    title: str = ""
    message: str = ""  #: why a run ended early; empty: it reached its end
    stats: dict[str, Any]
    notes: list[str]

    def __init__(self, columns: dict[str, np.ndarray], units: dict[str, str], axis: str = "time"):
        self._columns = columns
        self.units = units
        self._axis = axis
        self.stats, self.notes = {}, []
        self.path: pathlib.Path | None = None

    @property
    def time(self) -> np.ndarray:
        return self[self._axis]

    @property
    def names(self) -> list[str]:
        return [name for name in self._columns if name != self._axis]

    def match(self, *patterns: str) -> list[str]:
        """Names that match: * is any text, ? any character."""
        found: list[str] = []
        for p in patterns:
            some = [n for n in self.names if fnmatch.fnmatchcase(n, p)] or ([p] if p in self._columns else [])
            if not some:
                raise KeyError(self._unknown(p))
            found += [n for n in some if n not in found]
        return found

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, list(self._columns), 3)
        return f"there is no channel '{name}'" + (f"; did you mean {', '.join(map(repr, near))}?" if near else "")

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(self._unknown(name)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def vector(self, name: str) -> np.ndarray:
        """The columns name.x, name.y, name.z (of an orientation w, x, y, z) side by side: one row per time."""
        parts = [p for p in ("w", "x", "y", "z") if f"{name}.{p}" in self._columns]
        if not parts:
            raise KeyError(self._unknown(name + ".x"))
        return np.stack([self[f"{name}.{p}"] for p in parts], axis=1)

    def to_pandas(self, *patterns: str) -> Any:
        """A pandas DataFrame over time, of all channels or of those that match."""
        import pandas

        names = self.match(*patterns) if patterns else self.names
        return pandas.DataFrame({n: self[n] for n in names}, index=pandas.Index(self.time, name=self._axis))

    def plot(self, *patterns: str, ax: Any = None) -> Any:
        """Curves over time on matplotlib: one panel for each unit. Returns the axes."""
        import matplotlib.pyplot as plt

        names = self.match(*patterns) if patterns else [n for n in self.names if "." not in n] or self.names[:6]
        by_unit: dict[str, list[str]] = {}
        for n in names:
            by_unit.setdefault(self.units.get(n, ""), []).append(n)
        if ax is None:
            _, ax = plt.subplots(len(by_unit), 1, sharex=True, squeeze=False)
            axes = list(ax[:, 0])
        else:
            axes = list(np.atleast_1d(ax).ravel())
        for k, (unit, group) in enumerate(by_unit.items()):
            panel = axes[min(k, len(axes) - 1)]
            for n in group:
                panel.plot(self.time, self[n], label=n)
            panel.set_ylabel(unit or "")
            panel.legend(loc="best")
        axes[-1].set_xlabel(f"{self._axis}, {self.units.get(self._axis, 's')}")
        return axes if len(axes) > 1 else axes[0]

    def report(self, path: str | pathlib.Path | None = None) -> Report:
        """The page of `trammel report`. It needs the result file of the run: run(file="out.h5")."""
        if self.path is None or self.path.suffix.lower() == ".csv":
            raise errors.ArgumentError("a report is made from a result file: run(file='out.h5'), or open one")
        if path is None:
            folder = tempfile.mkdtemp(prefix="trammel-")
            path = pathlib.Path(folder) / "report.html"
        check(lib.tml_report, str(self.path).encode(), str(path).encode(), ffi.NULL)
        return Report(pathlib.Path(path))

    def __repr__(self) -> str:
        ended = f", {self.message!r}" if self.message else ""
        return f"<Results: {len(self._columns) - 1} channels, {len(self.time)} rows{ended}>"


def of_record(record: Any) -> Results:
    """Views of the table of a record, which lives as long as any of them."""
    rows, columns = int(lib.tml_record_rows(record)), int(lib.tml_record_columns(record))
    names = [text(lib.tml_record_name(record, k)) or "" for k in range(columns)]
    units = {n: text(lib.tml_record_unit(record, k)) or "" for k, n in enumerate(names)}
    if rows:
        values = ffi.gc(lib.tml_record_values(record), lambda _: lib.tml_record_free(record))
        table = np.frombuffer(ffi.buffer(values, rows * columns * 8), dtype=np.float64).reshape(rows, columns)
    else:
        lib.tml_record_free(record)
        table = np.empty((0, columns))
    return Results({n: table[:, k] for k, n in enumerate(names)}, units)


class _Channels(collections.abc.Mapping):
    """Channels of a file, read when they are asked for."""

    def __init__(self, c: Any, names: dict[str, int], rows: int):
        self._c, self._names, self._rows = c, names, rows
        self._read: dict[str, np.ndarray] = {}

    def _get(self, k: int, times: bool) -> np.ndarray:
        info = lib.tml_channels_info(self._c, k)
        out = np.empty(info.rows)
        pointer = ffi.from_buffer("double[]", out) if out.size else ffi.NULL
        check(lib.tml_channels_read, self._c, k, pointer if times else ffi.NULL, ffi.NULL if times else pointer)
        return out

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._read:
            k = self._names[name]
            self._read[name] = self._get(max(k, 0), True) if k < 0 else self._get(k, False)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def open_results(path: str | pathlib.Path) -> Results:
    """Open the result file of an earlier run, or of one that is under way: HDF5 or CSV."""
    out = ffi.new("TmlChannels **")
    check(lib.tml_channels_open, str(path).encode(), out)
    c = ffi.gc(out[0], lib.tml_channels_free)
    axis = (text(lib.tml_channels_time(c)) or "time").split(",")[0]
    names, units, rows = {axis: -1}, {axis: "s"}, 0
    for k in range(lib.tml_channels_count(c)):
        info = lib.tml_channels_info(c, k)
        if not info.attempts:
            names[text(info.name) or ""] = k
            units[text(info.name) or ""] = text(info.unit) or ""
    columns = _Channels(c, names, rows)
    results = Results(columns, units, axis)  # type: ignore[arg-type]
    results.path = pathlib.Path(path)
    results.title = text(lib.tml_channels_title(c)) or ""
    results.message = text(lib.tml_channels_note(c)) or ""
    return results
