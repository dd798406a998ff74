"""Between which numbers the elements of an array of integers lie, by what made them: such indices need no check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ops.types import TensorType
from .core import Operation, Value

Bounds = tuple[int | None, int | None]  # the least and the largest that there may be, both included; None: any

_ANY: Bounds = (None, None)
_DEEP = 12  # operations after each other that are looked at
_LARGE = 4096  # elements of a constant that aren't
_FIRST_OPERAND = (  # their elements are among those of what they read
    "reshape", "transpose", "slice", "flip", "roll", "broadcast_to", "gather", "gather_nd", "select", "take_along_axis",
)  # fmt: skip


def bounds_of(value: Value) -> Bounds:
    r"""What is known of an array of integers or bools.

    >>> from .parser import parse_program
    >>> lines = ["%0 = clip %x {max = 9, min = 0} : i64[5]", "%1 = add %0, %0 : i64[5]", "return %1"]
    >>> program = parse_program("program @f(%x: i64[5]) -> i64[5] {\n  " + "\n  ".join(lines) + "\n}")
    >>> bounds_of(program.body.operations[1].result)
    (0, 18)
    """
    return _Bounds().of(value, _DEEP)


def lies_in(bounds: Bounds, size: Any) -> bool:
    """Whether numbers within these bounds are indices of an axis of this size, none of them from its end."""
    low, high = bounds
    return isinstance(size, int) and low is not None and high is not None and low >= 0 and high < size


class _Bounds:
    """One question; what several operations read is looked at once."""

    def __init__(self) -> None:
        self._known: dict[Value, Bounds] = {}

    def of(self, value: Value, depth: int) -> Bounds:
        if not isinstance(value.type, TensorType):
            return _ANY
        dtype = value.dtype
        if dtype.is_bool:
            return 0, 1
        if not dtype.is_integer or not depth:
            return _ANY
        if value not in self._known:
            self._known[value] = _ANY  # of what a loop carries nothing is known
            limits = np.iinfo(dtype.numpy)
            low, high = self._made(value, depth - 1)
            fits = (low is None or low >= limits.min) and (high is None or high <= limits.max)
            # A sum that doesn't fit wraps around to anywhere; small types are within their limits, whatever they are.
            small = (int(limits.min), int(limits.max)) if dtype.itemsize < 4 else _ANY
            self._known[value] = (low, high) if fits and (low, high) != _ANY else small
        return self._known[value]

    def _made(self, value: Value, depth: int) -> Bounds:
        operation = value.operation
        if operation is None:
            owner = value.block.parent
            is_grouped = isinstance(owner, Operation) and owner.name == "group"
            return self.of(owner.operands[value.index], depth) if is_grouped else _ANY  # type: ignore[union-attr]
        if operation.name == "group":
            return self.of(operation.blocks[0].yields[value.index], depth)
        known, rule = _KNOWN.get(operation.name), _RULES.get(operation.name)
        if known is not None:
            return known(operation)
        if operation.name in _FIRST_OPERAND:
            return self.of(operation.operands[0], depth)
        return _ANY if rule is None else rule([self.of(v, depth) for v in operation.operands], operation.attrs)


def _constant(operation: Operation) -> Bounds:
    data = operation.attrs["data"].array
    return (int(data.min()), int(data.max())) if 0 < data.size <= _LARGE else _ANY


def _full(operation: Operation) -> Bounds:
    number = operation.attrs["fill_value"]
    return (number, number) if type(number) is int else _ANY


def _place(operation: Operation) -> Bounds:
    """Places along an axis."""
    kind, axis = operation.operands[0].tensor_type, operation.attrs["axis"]
    size = kind.shape[axis] if isinstance(axis, int) else None
    return (0, size - 1) if isinstance(size, int) and size else (0, None)


def _sum(given: Sequence[Bounds], _: Any) -> Bounds:
    (a, b), (c, d) = given
    return None if a is None or c is None else a + c, None if b is None or d is None else b + d


def _difference(given: Sequence[Bounds], attrs: Any) -> Bounds:
    first, (c, d) = given
    return _sum([first, (None if d is None else -d, None if c is None else -c)], attrs)


def _product(given: Sequence[Bounds], _: Any) -> Bounds:
    (a, b), (c, d) = given
    if a is None or b is None or c is None or d is None:
        return _ANY
    found = a * c, a * d, b * c, b * d
    return min(found), max(found)


def _least(given: Sequence[Bounds], _: Any) -> Bounds:
    (a, b), (c, d) = given
    highs = [x for x in (b, d) if x is not None]
    return None if a is None or c is None else min(a, c), min(highs) if highs else None


def _largest(given: Sequence[Bounds], _: Any) -> Bounds:
    (a, b), (c, d) = given
    lows = [x for x in (a, c) if x is not None]
    return max(lows) if lows else None, None if b is None or d is None else max(b, d)


def _clip(given: Sequence[Bounds], attrs: Any) -> Bounds:
    low, high = attrs["min"], attrs["max"]
    if not all(x is None or type(x) is int for x in (low, high)):
        return _ANY
    found = given[0] if low is None else _largest([given[0], (low, low)], attrs)
    return found if high is None else _least([found, (high, high)], attrs)


def _rest(given: Sequence[Bounds], _: Any) -> Bounds:
    """A rest has the sign of what is divided by."""
    low, high = given[1]
    return (0, high - 1) if low is not None and high is not None and low > 0 else _ANY


def _quotient(given: Sequence[Bounds], _: Any) -> Bounds:
    (a, b), (c, d) = given
    if a is None or a < 0 or c is None or c <= 0:
        return _ANY
    return 0 if d is None else a // d, None if b is None else b // c


def _common_bits(given: Sequence[Bounds], _: Any) -> Bounds:
    """No more bits than a number that isn't negative has."""
    highs = [high for low, high in given if low is not None and low >= 0]
    known = [high for high in highs if high is not None]
    return (0, min(known) if known else None) if highs else _ANY


def _any_of(given: Sequence[Bounds], _: Any) -> Bounds:
    lows, highs = [low for low, _ in given], [high for _, high in given]
    low = None if None in lows else min(x for x in lows if x is not None)
    return low, None if None in highs else max(x for x in highs if x is not None)


_KNOWN: dict[str, Callable[[Operation], Bounds]] = {
    "constant": _constant, "full": _full, "argmax": _place, "argmin": _place, "argsort": _place, "top_places": _place,
    "running_place": _place,
}  # fmt: skip
_RULES: dict[str, Callable[[Sequence[Bounds], Any], Bounds]] = {
    "add": _sum, "subtract": _difference, "multiply": _product, "minimum": _least, "maximum": _largest, "clip": _clip,
    "remainder": _rest, "floor_divide": _quotient, "bitwise_and": _common_bits, "cast": lambda given, _: given[0],
    "where": lambda given, attrs: _any_of(given[1:], attrs), "concat": _any_of,
}  # fmt: skip
