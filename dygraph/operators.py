"""Operators of tensors without detours: `x + y`, `2 * x`, `x < y`, `x @ y`, run by the kernels of their rows.

A row of elements without attributes depends on the dtypes of its operands alone: NumPy itself broadcasts, and refuses
what doesn't fit. The first call of its kind runs in full and tells whether nothing had to be converted (eager.py);
later ones look up the dtype, run the kernel and wrap the result. Whatever is out of the ordinary goes the full way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy import asarray, ndarray

from ..base.boundary import shorten
from ..base.errors import VitrifyError
from ..base.flags import on_default_dtype
from ..ops.arith import Arithmetic
from ..ops.dispatch import _bottom, _stack
from ..ops.op import NONDIFFERENTIABLE, OPS, Op
from .constants import _QUIET, _reset_errors, _set_errors
from .eager import EAGER, Prepared
from .modes import is_recording
from .storage import Storage
from .tape import record_as
from .tensor import Parameter, Tensor

_interpreters = _stack.get
_new: Any = object.__new__
_MOST_NUMBERS = 1024  # that one operator remembers

Binary = Callable[[Any, Any], Any]


def elements(op: Op, slow: Binary) -> Binary:
    """The operator of a row of elements with two operands. slow: what carries out any call."""
    kernel = op.eager
    tracks = op.vjp is not NONDIFFERENTIABLE
    by_dtype: dict[str, Prepared] = {}
    by_number: dict[Any, tuple[Prepared, Tensor]] = {}

    def forget() -> None:
        by_dtype.clear()
        by_number.clear()

    on_default_dtype.append(forget)

    def learn(x: Any, y: Any, number: Any) -> Any:
        made = slow(x, y)
        known = EAGER.prepared(op, (x, y))
        if known is None or known.kernel is not kernel:
            return made
        if number is None:
            if x._dtype is y._dtype:
                by_dtype[x._dtype.name] = Prepared({}, (), known.dtype, kernel)
        elif y == y:  # nan is no key
            if len(by_number) >= _MOST_NUMBERS:
                by_number.clear()
            by_number[number] = Prepared({}, (), known.dtype, kernel), EAGER.constant(y, known.numbers[0][1])
        return made

    def method(x: Any, other: Any) -> Any:
        try:
            if _interpreters() or _bottom[0] is not EAGER:
                return slow(x, other)
            y, kind = other, type(other)
            if kind is Tensor or kind is Parameter:
                dtype = x._dtype
                if dtype is not y._dtype:
                    return slow(x, other)
                known = by_dtype.get(dtype.name)
                if known is None:
                    return learn(x, y, None)
            elif kind is float or kind is int:
                number = y if y else repr(y), kind, x._dtype.name  # 0.0 == -0.0
                found = by_number.get(number)
                if found is None:
                    return learn(x, y, number)
                known, y = found
            else:
                return slow(x, other)
            a, b = x._storage.payload, y._storage.payload
            if type(a) is not ndarray or type(b) is not ndarray:
                return slow(x, other)
            token = _set_errors(_QUIET)
            try:
                made = kernel(a, b)
            except (ValueError, TypeError, OverflowError, MemoryError):
                return slow(x, other)  # the full call says what is wrong
            finally:
                _reset_errors(token)
            if type(made) is not ndarray:  # a number, of operands without axes
                made = asarray(made)
            result = _new(Tensor)
            result._dtype = known.dtype
            cell = result._storage = _new(Storage)
            cell.payload, cell.version, cell.place, cell.shared = made, 0, None, False
            if tracks and not (x._stop and y._stop) and is_recording():
                shapes = a.shape, b.shape
                nodes = known.kinds.get(shapes)
                if nodes is None:
                    nodes = known.learn(op, shapes, (x, y), result)
                record_as(nodes, (x, y), result)
            return result
        except VitrifyError as error:
            shorten(error)
            raise

    return method


def rows(op: Op, slow: Binary) -> Binary:
    """The operator of any other row: known calls without what prepares unknown ones."""

    def method(x: Any, y: Any) -> Any:
        try:
            if not _interpreters():
                made = _bottom[0].again(op, (x, y), {})
                if made is not NotImplemented:
                    return made
            return slow(x, y)
        except VitrifyError as error:
            shorten(error)
            raise

    return method


def _is_elements(op: Op) -> bool:
    return op.family == "elementwise" and not op.attrs and len(op.operands) == 2 and not op.is_variadic


def attach() -> None:
    """Give Tensor operators of its own for the rows of two operands that have one."""
    for op in list(OPS.values()):
        if op.operator is None or len(op.operands) != 2:
            continue
        name = f"__{op.operator}__"
        slow = getattr(Tensor if name in vars(Tensor) else Arithmetic, name)
        method = elements(op, slow) if _is_elements(op) else rows(op, slow)
        method.__name__, method.__qualname__, method.__doc__ = name, f"Tensor.{name}", op.doc
        setattr(Tensor, name, method)
    for symbol, name in (("eq", "equal"), ("ne", "not_equal")):
        slow = vars(Tensor)[f"__{symbol}__"]
        method = elements(OPS[name], slow)
        method.__name__, method.__qualname__, method.__doc__ = slow.__name__, slow.__qualname__, slow.__doc__
        setattr(Tensor, f"__{symbol}__", method)


attach()
