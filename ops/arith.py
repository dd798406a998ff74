"""The operators of values (+ - * @ …). Rows that declare one attach it here; Tensor and ir.Value inherit it."""

from __future__ import annotations

from collections.abc import Callable
from reprlib import repr as short
from typing import Any

from ..base.dtype import DType
from ..base.errors import KindError

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip


class Arithmetic:
    """Base of everything an op takes. Python operators on it call the op rows that declare them."""

    __slots__ = ()

    is_ndarray = False  # True for what stands for a NumPy array in a captured function
    is_element = False  # True for what stands for a NumPy scalar, an element of an array, in a captured function
    weak = False  # True for a Python number whose value only a run knows (dygraph/number.py)
    dtype: DType
    shape: Any

    @property
    def ndim(self) -> int:
        return len(self.shape)

    plain: Callable[[], Any]  # of a weak value: the Python number, where it is known
    __add__: Callable[..., Any]
    __radd__: Callable[..., Any]
    __sub__: Callable[..., Any]
    __rsub__: Callable[..., Any]
    __mul__: Callable[..., Any]
    __rmul__: Callable[..., Any]
    __truediv__: Callable[..., Any]
    __rtruediv__: Callable[..., Any]
    __floordiv__: Callable[..., Any]
    __mod__: Callable[..., Any]
    __pow__: Callable[..., Any]
    __rpow__: Callable[..., Any]
    __matmul__: Callable[..., Any]
    __neg__: Callable[..., Any]
    __abs__: Callable[..., Any]
    __invert__: Callable[..., Any]
    __lt__: Callable[..., Any]
    __le__: Callable[..., Any]
    __gt__: Callable[..., Any]
    __ge__: Callable[..., Any]


def is_value(x: object) -> bool:
    """Whether `x` is something ops take as it is (not a number, array or list)."""
    return isinstance(x, Arithmetic) and not x.weak


def is_run_time_number(x: object) -> bool:
    """Whether `x` is a Python number that only a run knows."""
    return isinstance(x, Arithmetic) and x.weak and getattr(x, "origin", None) is None


def exact(x: Any) -> Any:
    """A Python number that only a run knows as a value with all its bits: by itself a float gets the default dtype."""
    return x.snapshot() if is_run_time_number(x) else x


def attach(operator: str, op: Callable[..., Any]) -> None:
    """Give values the operator `operator` ("add" for `+`), forward and reflected."""
    if operator in ("neg", "abs", "invert"):
        setattr(Arithmetic, f"__{operator}__", lambda self: op(self))
        return
    setattr(Arithmetic, f"__{operator}__", _binary(operator, op))
    if operator not in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(Arithmetic, f"__r{operator}__", _reflected(operator, op))


def _binary(operator: str, op: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    refused = _refused(operator)

    def method(self: Any, other: Any) -> Any:
        if type(other) in refused:
            raise _no_number(operator, self, other)
        if isinstance(other, (str, dict, set)):  # of a class that may have an operator of its own
            return NotImplemented
        return op(self, other)

    return method


def _reflected(operator: str, op: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    refused = _refused(operator)

    def method(self: Any, other: Any) -> Any:
        if type(other) in refused:
            raise _no_number(operator, self, other)
        return op(other, self)

    return method


def _refused(operator: str) -> frozenset[type]:
    """What an operator never takes; `*` repeats strings by tensors that are integers, as Python does."""
    never: list[type] = [type(None), dict, set]
    return frozenset(never if operator == "mul" else [*never, str, bytes])


def _no_number(operator: str, value: Any, other: Any) -> KindError:
    sign = _SIGNS.get(operator, operator)
    given = "None" if other is None else f"the {type(other).__name__} {short(other)}"
    remedy = "use a number, an array or a tensor"
    if other is None:
        remedy = "the function that gave it may lack a `return`"
    return KindError(f"`{sign}` of a {'number' if value.weak else 'tensor'} can't take {given}", remedy=remedy)
