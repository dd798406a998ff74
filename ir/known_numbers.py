"""Numbers that a program says: what passes ask before they rewrite around a literal."""

from __future__ import annotations

from typing import Any

import numpy as np

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
