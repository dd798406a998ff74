"""Between which numbers the integers of a value lie, by the operations that compute it, whatever a run gives."""

from __future__ import annotations

import numpy as np

from ..base.dtype import DType
from ..ops.bounds import Bounds
from .core import Operation, Value


def value_bounds(value: Value, steps: int = 32) -> Bounds | None:
    r"""(least, largest) of the elements of an integer or bool value, as far as `steps` operations before it tell; None
    for floats.

    >>> from .parser import parse_program
    >>> lines = ["%0 = constant {data = dense<i64[], 12>} : i64[]", "%1 = remainder %x, %0 : i64[5]", "return %1"]
    >>> program = parse_program("program @f(%x: i64[5]) -> i64[5] {\n  " + "\n  ".join(lines) + "\n}")
    >>> value_bounds(program.body.operations[1].result)
    (0, 11)
    """
    return _bounds(value, steps, {})


def _bounds(value: Value, steps: int, known: dict[Value, Bounds | None]) -> Bounds | None:
    if value not in known:
        whole = _of_dtype(value.dtype)
        made = None
        if whole is not None and value.operation is not None and steps:
            made = _of_result(value.operation, steps, known)
        fits = whole is not None and made is not None and whole[0] <= made[0] and made[1] <= whole[1]
        known[value] = made if fits else whole
    return known[value]


def _of_result(operation: Operation, steps: int, known: dict[Value, Bounds | None]) -> Bounds | None:
    if operation.name == "constant":
        array = operation.attrs["data"].array
        return (int(array.min()), int(array.max())) if array.size else None
    rule = operation.op.bounds if operation.operands else None  # it has none any more in code that was given up
    return rule and rule(*(_bounds(operand, steps - 1, known) for operand in operation.operands))


def _of_dtype(dtype: DType) -> Bounds | None:
    if dtype.is_bool:
        return 0, 1
    if not dtype.is_integer:
        return None
    limits = np.iinfo(dtype.numpy)
    return int(limits.min), int(limits.max)
