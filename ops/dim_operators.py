"""What Python's ints do beside the arithmetic of sizes: operators on bits, and the attributes of whole numbers."""

from __future__ import annotations

import math
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..base.frame_marks import asks_for_caller
from .dispatch import current

as_objects: ContextVar[bool] = ContextVar("as_objects", default=False)  # whether NumPy's kernels compute with sizes


@asks_for_caller
class WholeNumber:
    """The operators of a size that follow from its arithmetic, or else are those of a number of the program.

    Errors: CaptureError where Python needs the number itself, and an InputSpec leaves the size open.
    """

    __slots__ = ()

    def _value(self) -> Any:
        raise NotImplementedError

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The number as NumPy's array, guarded; the size itself in an array of objects, and of static programs."""
        is_open = dtype is None and current().is_static
        if as_objects.get() or is_open or (dtype is not None and np.dtype(dtype) == object):
            made = np.empty((), object)
            made[()] = self
            return made
        return np.array(self.__index__(), dtype or np.int64)  # type: ignore[attr-defined]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """`np.sqrt(size)`, `array * size`: of the number that a size is in the run."""
        made = [_operand(x) if isinstance(x, WholeNumber) else x for x in inputs]
        return getattr(ufunc, method)(*made, **options)

    def __pos__(self) -> Any:
        return self

    def __invert__(self: Any) -> Any:
        return -self - 1

    def __lshift__(self: Any, places: Any) -> Any:
        return self * (1 << places) if _is_shift(places) else self._value() << places

    def __rlshift__(self, number: Any) -> Any:
        return number << self._value()

    def __rshift__(self: Any, places: Any) -> Any:
        return self // (1 << places) if _is_shift(places) else self._value() >> places

    def __rrshift__(self, number: Any) -> Any:
        return number >> self._value()

    def __and__(self: Any, mask: Any) -> Any:
        if type(mask) is int and mask >= 0 and not mask & (mask + 1):  # the lowest bits, of negative numbers too
            return self % (mask + 1)
        return self._value() & mask

    __rand__ = __and__

    def __or__(self, bits: Any) -> Any:
        return self._value() | bits

    __ror__ = __or__

    def __xor__(self, bits: Any) -> Any:
        return self._value() ^ bits

    __rxor__ = __xor__

    def __divmod__(self: Any, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self: Any, number: Any) -> Any:
        return number // self, number % self

    def __round__(self: Any, digits: Any = None) -> Any:
        return self if digits is None or (type(digits) is int and digits >= 0) else round(self.__index__(), digits)

    def __float__(self: Any) -> float:
        return float(self.__index__())

    @property
    def real(self) -> Any:
        """The number itself."""
        return self

    numerator = real

    @property
    def imag(self) -> int:
        """0."""
        return 0

    @property
    def denominator(self) -> int:
        """1."""
        return 1

    def conjugate(self) -> Any:
        """The number itself."""
        return self

    def as_integer_ratio(self) -> tuple[Any, int]:
        """The number, and 1."""
        return self, 1

    def bit_length(self: Any) -> int:
        """How many bits the number has."""
        return int(self.__index__().bit_length())

    def bit_count(self: Any) -> int:
        """How many bits of it are 1."""
        return int(self.__index__().bit_count())


def _is_shift(places: Any) -> bool:
    return type(places) is int and 0 <= places < 62


def _operand(size: WholeNumber) -> Any:
    return size.__array__() if as_objects.get() else size._value()


def is_unbounded(x: Any) -> bool:
    """Whether a number is an infinity or NaN."""
    return isinstance(x, float) and not math.isfinite(x)
