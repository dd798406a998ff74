"""What is known of small values while a program is built: constants, and numbers made of sizes.

A tensor that stands for a size (`reshape(x, [n, -1])`, `zeros(shape(y))`) becomes that size; where only a run knows the
number, it gets a name of its own, which the program is told (`bind_size`): one for all values that are computed alike.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from types import CodeType
from typing import Any

import numpy as np

from ...base.dtype import bool_, int64
from ...base.errors import ArgumentError
from ...base.frame_marks import asks_for_caller
from ...ir.core import Value
from ...ir.known_numbers import evaluated
from ...ir.value_bounds import value_bounds
from ...ir.walk import attrs_key
from ...ops.dim_operators import as_objects
from ...ops.dims import Dim, maximum, minimum, same_shape
from ...ops.effects import Effect
from ...ops.infer import require_size
from ...ops.op import OPS, Op
from ...ops.sizes import fresh_size
from ...ops.types import TensorType

_FOLDS = {"sum": np.add, "prod": np.multiply}  # whose kernels take numbers only
_CHOICES = {"maximum": np.frompyfunc(maximum, 2, 1), "minimum": np.frompyfunc(minimum, 2, 1)}  # made without asking
MOST_KNOWN = 1024  # elements of a value that is computed while a program is built

_DEEPEST = 6  # operations behind a value that are compared
_COUNTED = ("masked_select", "nonzero")  # operations whose last operand is a mask, by their names


def known_array(value: Value, steps: int = 64, told: Callable[[Dim], int | None] | None = None) -> Any | None:
    """The array of a small value that is computed from constants in a few pure operations; None for any other.

    told: what a size is, which then counts as a constant unless it is None.
    """
    return _array_of(value, steps, told, {})


def _array_of(
    value: Value, steps: int, told: Callable[[Dim], int | None] | None, seen: dict[Value, Any | None]
) -> Any | None:  # fmt: skip
    """The same. seen: what is known of values that were looked at: one may be an operand in many places."""
    if value not in seen:
        seen[value] = _array_made(value, steps, told, seen)
    return seen[value]


def _array_made(
    value: Value, steps: int, told: Callable[[Dim], int | None] | None, seen: dict[Value, Any | None]
) -> Any | None:  # fmt: skip
    operation = value.operation
    if operation is None or not steps or operation.blocks or operation.op.effect is not Effect.PURE:
        return None
    kind, size = value.type, operation.attrs.get("dim")
    if isinstance(size, Dim):
        number = None if told is None else told(size)
        return None if number is None else np.asarray(number, value.dtype.numpy)
    if len(operation.results) != 1 or not isinstance(kind, TensorType) or not isinstance(kind.size, int):
        return None
    if kind.size > MOST_KNOWN:
        return None
    arrays = []
    for operand in operation.operands:
        array = _array_of(operand, steps - 1, told, seen)
        if array is None:
            return None
        arrays.append(array)
    return evaluated(operation, arrays, kind)


def known_flag(value: Value) -> bool | None:
    """A condition that stands in the program as `True` or `False`; None for others."""
    operation = value.operation
    is_literal = operation is not None and operation.op.is_literal and value.type == TensorType(bool_, ())
    data = operation.attrs.get("data") if operation is not None and is_literal else None
    return None if data is None else bool(data.array)


def known_sizes(value: Value) -> Any | None:
    """An array (of objects) of the numbers and symbolic sizes that a small int value is made of; None for any other."""
    return _sizes_of(value, 16, {}, {})


def _sizes_of(
    value: Value, steps: int, seen: dict[Value, Any | None], arrays: dict[Value, Any | None]
) -> Any | None:  # fmt: skip
    """The same. seen, arrays: what is known of values that were looked at."""
    if value not in seen:
        seen[value] = _sizes_made(value, steps, seen, arrays)
    return seen[value]


def _sizes_made(
    value: Value, steps: int, seen: dict[Value, Any | None], arrays: dict[Value, Any | None]
) -> Any | None:  # fmt: skip
    operation = value.operation
    if operation is None or not steps or operation.blocks or not value.dtype.is_integer:
        return None
    if "dim" in operation.attrs:
        return np.array(operation.attrs["dim"], object)
    array = _array_of(value, 64, None, arrays)
    if array is not None:
        return array
    parts: list[Any] = []
    for operand in operation.operands:
        part = _sizes_of(operand, steps - 1, seen, arrays)
        if part is None:
            return None
        parts.append(part)
    if not parts:
        return None
    if operation.name == "cast":
        return parts[0]
    if operation.name in _FOLDS and value.type == TensorType(value.dtype, ()):
        return np.array(_FOLDS[operation.name].reduce(np.ravel(parts[0])), object)
    if operation.name in _CHOICES:
        return np.asarray(_CHOICES[operation.name](*parts), object)
    token = as_objects.set(True)
    try:
        found = np.asarray(operation.op.eager(*parts, **operation.attrs), object)
    except (TypeError, ValueError):  # a kernel that takes numbers only
        return None
    finally:
        as_objects.reset(token)
    return found if found.shape == value.shape else None


def known_size(value: Value) -> int | Dim | None:
    """The size that an integer value with one element is made of; None where only a run knows it."""
    sizes = known_sizes(value)
    if sizes is None and value.tensor_type.size == 1:
        least, largest = value_bounds(value) or (0, 1)
        return least if least == largest else None  # bincount(x % 64, minlength=64): 64, whatever the run gives
    if sizes is None or sizes.size != 1:
        return None
    found = sizes.reshape(-1)[0]
    return found if isinstance(found, Dim) else int(found)


def size_of(tracer: Any, value: Value) -> int | Dim:
    """An integer value with one element as a size: what it is made of, or a new name that the program is told.

    A negative one ends the run, as the new name stands for a size.
    Errors: KindError for another dtype, ArgumentError for several elements, as in eager mode.
    """
    require_size(value.dtype, value.shape)
    known = known_size(value)
    if known is not None:
        return known
    named: dict[Value, tuple[Any, ...]] = tracer.named_sizes
    value = tracer.equal.first(tracer, value)
    size, block, told, teller = named.get(value, (None, None, None, None))
    again = tracer.builder.recorded.get(tracer.builder.block)  # what code that runs again for another path gets
    if teller is not None and block in tracer.blocks and teller.parent is not None:  # else it was given up
        if again in (None, told) or block is not tracer.builder.block:
            return size  # type: ignore[no-any-return]
    with tracer.builder.active():
        flat = value if not value.shape else OPS["reshape"](value, ())
        flat = flat if flat.dtype is int64 else OPS["cast"](flat, int64)
        tracer.builder.check(
            OPS["greater_equal"](flat, tracer.builder.constant(0, int64)), "a size can't be negative", "ArgumentError"
        )
        size = fresh_size() if size is None or block not in tracer.blocks else size
        made: Any = tracer.builder.apply(OPS["bind_size"], (flat,), {"defines": (size,)})
    named[value] = size, tracer.blocks[-1], again, made.operation
    return size


def sizes_in(tracer: Any, value: Value, what: str) -> list[int | Dim]:
    """The elements of an integer value of known length as sizes, each as far as it is known.

    Errors: ArgumentError, which begins with `what`, for a value whose length only a run knows.
    """
    known = known_sizes(value)
    if known is not None:
        return [v if isinstance(v, Dim) else int(v) for v in np.ravel(known)]
    operation = value.operation
    if operation is not None and operation.name == "concat":
        return [size for part in operation.operands for size in sizes_in(tracer, part, what)]
    if value.ndim > 1 or (value.ndim == 1 and not isinstance(value.shape[0], int)):
        raise ArgumentError(f"{what}: a list of sizes must have a known length, not {value.type}")
    if value.ndim == 0 or value.shape == (1,):
        return [size_of(tracer, value)]
    return [size_of(tracer, OPS["slice"](value, (j,), (1,))) for j in range(int(str(value.shape[0])))]


def asker() -> CodeType:
    """The code that asked a question about sizes: `assume_equal`, or the first frame that asks for itself."""
    frame = sys._getframe(3)
    while frame.f_code in asks_for_caller and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code


# ---- values that are computed alike


def formula(value: Value, depth: int = _DEEPEST) -> Hashable:
    """How a value is computed: equal for two values that operations without effects give, from equal operands."""
    made = value.operation
    if made is None or depth == 0 or made.blocks or made.op.effect is not Effect.PURE or "defines" in made.attrs:
        return value
    parts = tuple(formula(v, depth - 1) for v in made.operands)
    return made.op, attrs_key(made.attrs), made.results.index(value), parts


class EqualValues:
    """Of one trace: the first of values that are computed alike, and how many elements masks pick."""

    def __init__(self) -> None:
        self._first: dict[Hashable, Value] = {}
        self._known: dict[
            Hashable, tuple[Value, Any, Any]
        ] = {}  # what has the size, its block, the run that recorded it

    def first(self, tracer: Any, value: Value) -> Value:
        """The first value of the same formula that code may use here: what is known of it is known of this one."""
        if value.operation is None:
            return value
        key = formula(value)
        known = self._first.get(key)
        made = None if known is None else known.operation
        if known is None or made is None or made.parent is None or known.block not in tracer.blocks:
            known = self._first[key] = value
        return known

    def sized(self, tracer: Any, op: Op, values: list[Value], made: Any) -> Any:
        """The result of an operation, in the size that an equal mask has told."""
        if op.name not in _COUNTED or not same_shape(values[0].tensor_type.shape, values[-1].tensor_type.shape):
            return made
        (size, *rest), builder = made.shape, tracer.builder
        key, again = formula(values[-1]), builder.recorded.get(builder.block)
        first, block, told = self._known.get(key, (None, None, None))
        maker = None if first is None else first.operation  # in code that was given up it is in no block any more
        is_there = maker is not None and maker.parent is not None and block in tracer.blocks
        if first is not None and is_there and (again in (None, told) or block is not builder.block):
            known = first.tensor_type.shape[0]
            return made if known == size else builder.apply(OPS["reshape"], (made,), {"shape": (known, *rest)})
        self._known[key] = made, tracer.blocks[-1], again
        return made
