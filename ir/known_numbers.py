"""Numbers that a program says: what passes ask before they rewrite around a literal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.types import TensorType
from .core import Value


def literal_number(value: Value) -> Any:
    r"""The Python number that a value of one element is, by a `constant` or a `full`; None for any other value.

    >>> from .parser import parse_program
    >>> full = "full {dtype = f32, fill_value = 0.5, shape = ()} : f32[]"
    >>> program = parse_program(f"program @f() -> f32[] {{\n  %0 = {full}\n  return %0\n}}")
    >>> literal_number(program.body.operations[0].result)
    0.5
    """
    operation = value.operation
    if operation is None or operation.name not in ("constant", "full") or value.tensor_type.size != 1:
        return None
    if operation.name == "constant":
        return operation.attrs["data"].array.item()
    return np.asarray(operation.attrs["fill_value"], operation.attrs["dtype"].numpy).item()


def known_number(value: Value, depth: int = 4) -> Any:
    r"""`literal_number`, or what element-wise operations make of such numbers, at most `depth` after each other.

    >>> from .parser import parse_program
    >>> lines = ["%0 = constant {data = dense<i64[], 9>} : i64[]", "%1 = constant {data = dense<i64[], 0>} : i64[]"]
    >>> lines += ["%2 = maximum %0, %1 : i64[]", "return %2"]
    >>> program = parse_program("program @f() -> i64[] {\n  " + "\n  ".join(lines) + "\n}")
    >>> known_number(program.body.operations[2].result)
    9
    """
    operation = value.operation
    found = literal_number(value)
    if found is not None or operation is None or not depth:
        return found
    if operation.op.family != "elementwise" or value.tensor_type.size != 1:
        return None
    numbers = [known_number(v, depth - 1) for v in operation.operands]
    if any(number is None for number in numbers):
        return None
    operands = zip(numbers, operation.operands, strict=True)
    made = evaluated(
        operation, [np.full(v.tensor_type.shape, n, v.dtype.numpy) for n, v in operands], value.tensor_type
    )
    return None if made is None else made.item()


def evaluated(operation: Any, arrays: list[Any], kind: TensorType) -> Any | None:
    """What an operation (or another object with an op and attributes) gives for these arrays; None where it fails."""
    try:
        with np.errstate(all="ignore"):
            array = np.asarray(operation.op.eager(*arrays, **operation.attrs))
    except Exception:  # broad: an error of the program belongs to its run, at its place
        return None
    return array if array.shape == kind.shape and array.dtype == kind.dtype.numpy else None
