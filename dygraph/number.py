"""A Python number of a captured function that only a run of the program knows: a counter, an argument, `self.scale`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import DType, bool_, float64, int64
from .storage import Storage
from .tensor import Tensor

KINDS: dict[DType, type] = {bool_: bool, int64: int, float64: float}
_DTYPES: dict[type, DType] = {kind: dtype for dtype, kind in KINDS.items()}


class Number(Tensor):
    """A bool, int or float without axes that takes part in operations as Python's number would.

    Beside tensors it only raises the category of the dtype; among numbers it keeps Python's width (int64, float64) and
    stays one. A captured function that returns it gives its caller a plain Python number.
    origin: where the number is found at each call, while that isn't part of the program yet (see jit/numbers.py).
    was_int: a float that stands for an int in a division.
    """

    weak = True
    origin: Any = None
    was_int: bool = False

    @property
    def kind(self) -> type:
        """bool, int or float."""
        return KINDS[self._dtype]

    def __hash__(self) -> int:
        return hash(self.kind(self._number(self.kind)))

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if modulo is not None:
            return pow(int(self), int(other), int(modulo))
        if self.kind is not float and not isinstance(other, (float, Tensor)):
            return super().__pow__(other) if other >= 0 else float(self) ** other
        if self.kind is not float and isinstance(other, Number) and other.kind is not float:
            return self ** int(other)  # an int or a float, by the sign of the exponent
        return super().__pow__(other)


def number_over(x: Tensor) -> Number:
    """The number that is the only element of a tensor without axes (bool, int64 or float64)."""
    made = Number.__new__(Number)
    made._storage, made._dtype = x._storage, x._dtype
    return made


def concrete_number(value: Any, origin: Any) -> Number:
    """A number with a value for now, found at `origin` at each call."""
    dtype = _DTYPES[type(value)]
    made = Number.__new__(Number)
    made._storage, made._dtype = Storage(np.array(value, dtype.numpy)), dtype
    made.origin = origin
    return made


def fits(value: object) -> bool:
    """Whether a Python value can be such a number: a float, or an int of 64 bits."""
    return type(value) is float or (type(value) is int and -(2**63) <= value < 2**63)
