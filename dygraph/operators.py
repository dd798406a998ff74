"""Operators of tensors without detours: `x + y`, `2 * x`, `x < y`, `x @ y` look into the call cache themselves."""

from __future__ import annotations

from ..ops.arith import Arithmetic
from ..ops.op import OPS
from .call_cache import operator
from .tensor import Tensor


def attach() -> None:
    """Give Tensor operators of its own for the rows of two operands that have one."""
    for op in list(OPS.values()):
        if op.operator is None or len(op.operands) != 2:
            continue
        name = f"__{op.operator}__"
        method = operator(op, getattr(Tensor if name in vars(Tensor) else Arithmetic, name))
        method.__name__, method.__qualname__, method.__doc__ = name, f"Tensor.{name}", op.doc
        setattr(Tensor, name, method)
    for symbol, name in (("eq", "equal"), ("ne", "not_equal")):
        slow = vars(Tensor)[f"__{symbol}__"]
        method = operator(OPS[name], slow)
        method.__name__, method.__qualname__, method.__doc__ = slow.__name__, slow.__qualname__, slow.__doc__
        setattr(Tensor, f"__{symbol}__", method)


attach()
