"""The operators of values (+ - * @ …). Rows that declare one attach it here; Tensor and ir.Value inherit it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtype import DType


class Arithmetic:
    """Base of everything an op takes. Python operators on it call the op rows that declare them."""

    __slots__ = ()

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


def attach(operator: str, op: Callable[..., Any]) -> None:
    """Give values the operator `operator` ("add" for `+`), forward and reflected."""
    if operator in ("neg", "abs", "invert"):
        setattr(Arithmetic, f"__{operator}__", lambda self: op(self))
        return
    setattr(Arithmetic, f"__{operator}__", _binary(op))
    if operator not in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(Arithmetic, f"__r{operator}__", lambda self, other: op(other, self))


def _binary(op: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if other is None or isinstance(other, (str, dict, set)):
            return NotImplemented
        return op(self, other)

    return method
