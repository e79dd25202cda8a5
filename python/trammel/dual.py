"""Numbers with exact first derivatives, for functions that models call.

A function of a model is called with Dual numbers: ``a*x**2`` and ``tml.sin(x)`` then carry their derivatives along.
"""
from __future__ import annotations

import math
from typing import Any, Union

__all__ = ["Dual", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "sqrt", "tanh", "sinh", "cosh"]

Number = Union[float, "Dual"]


class Dual:
    """A value with its derivatives by the arguments of the function."""

    __slots__ = ("value", "g")

    def __init__(self, value: float, g: tuple[float, ...]):
        self.value = float(value)
        self.g = g

    def _make(self, value: float, slope: float) -> "Dual":
        return Dual(value, tuple(slope * d for d in self.g))

    def _two(self, value: float, a: float, other: "Dual", b: float) -> "Dual":
        return Dual(value, tuple(a * p + b * q for p, q in zip(self.g, other.g)))

    def __add__(self, o: Any) -> "Dual":
        return self._two(self.value + o.value, 1, o, 1) if isinstance(o, Dual) else self._make(self.value + o, 1)

    __radd__ = __add__

    def __neg__(self) -> "Dual":
        return self._make(-self.value, -1)

    def __pos__(self) -> "Dual":
        return self

    def __sub__(self, o: Any) -> "Dual":
        return self._two(self.value - o.value, 1, o, -1) if isinstance(o, Dual) else self._make(self.value - o, 1)

    def __rsub__(self, o: Any) -> "Dual":
        return self._make(o - self.value, -1)

    def __mul__(self, o: Any) -> "Dual":
        if isinstance(o, Dual):
            return self._two(self.value * o.value, o.value, o, self.value)
        return self._make(self.value * o, o)

    __rmul__ = __mul__

    def __truediv__(self, o: Any) -> "Dual":
        if isinstance(o, Dual):
            return self._two(self.value / o.value, 1 / o.value, o, -self.value / o.value**2)
        return self._make(self.value / o, 1 / o)

    def __rtruediv__(self, o: Any) -> "Dual":
        return self._make(o / self.value, -o / self.value**2)

    def __pow__(self, n: Any) -> "Dual":
        if isinstance(n, Dual):
            return exp(n * log(self))
        return self._make(self.value**n, n * self.value ** (n - 1) if n != 0 else 0.0)

    def __rpow__(self, a: float) -> "Dual":
        value = a**self.value
        return self._make(value, value * math.log(a))

    def __abs__(self) -> "Dual":
        return self if self.value >= 0 else -self

    def __float__(self) -> float:
        raise TypeError("a Dual would lose its derivatives: use tml.sin and the like in the place of those of math, and "
                        "'.value' where none are wanted")

    def __bool__(self) -> bool:
        return self.value != 0

    def _compare(self, o: Any) -> float:
        return self.value - (o.value if isinstance(o, Dual) else o)

    def __lt__(self, o: Any) -> bool:
        return self._compare(o) < 0

    def __le__(self, o: Any) -> bool:
        return self._compare(o) <= 0

    def __gt__(self, o: Any) -> bool:
        return self._compare(o) > 0

    def __ge__(self, o: Any) -> bool:
        return self._compare(o) >= 0

    def __eq__(self, o: object) -> bool:
        return self._compare(o) == 0

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {self.g!r})"


def _unary(name: str, f: Any, slope: Any) -> Any:
    def function(x: Number) -> Number:
        return x._make(f(x.value), slope(x.value)) if isinstance(x, Dual) else f(x)

    function.__name__ = name
    function.__doc__ = f"The function {name} of a number, or of a Dual with its derivatives."
    return function


sin = _unary("sin", math.sin, math.cos)
cos = _unary("cos", math.cos, lambda x: -math.sin(x))
tan = _unary("tan", math.tan, lambda x: 1 + math.tan(x) ** 2)
asin = _unary("asin", math.asin, lambda x: 1 / math.sqrt(1 - x * x))
acos = _unary("acos", math.acos, lambda x: -1 / math.sqrt(1 - x * x))
atan = _unary("atan", math.atan, lambda x: 1 / (1 + x * x))
exp = _unary("exp", math.exp, math.exp)
log = _unary("log", math.log, lambda x: 1 / x)
sqrt = _unary("sqrt", math.sqrt, lambda x: 0.5 / math.sqrt(x))
tanh = _unary("tanh", math.tanh, lambda x: 1 - math.tanh(x) ** 2)
sinh = _unary("sinh", math.sinh, math.cosh)
cosh = _unary("cosh", math.cosh, math.sinh)


def atan2(y: Number, x: Number) -> Number:
    """The angle of the point (x, y)."""
    if not isinstance(y, Dual) and not isinstance(x, Dual):
        return math.atan2(y, x)
    one = y if isinstance(y, Dual) else x
    zero = tuple(0.0 for _ in one.g)  # type: ignore[union-attr]
    y2 = y if isinstance(y, Dual) else Dual(y, zero)
    x2 = x if isinstance(x, Dual) else Dual(x, zero)
    r2 = y2.value**2 + x2.value**2
    return y2._two(math.atan2(y2.value, x2.value), x2.value / r2, x2, -y2.value / r2)
