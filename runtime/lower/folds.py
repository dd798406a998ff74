"""What a row says of its reduction, as kernels need it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ...ir.core import Operation, Value
from ...ops.lowering import Reduce, Scalar

Sweep: TypeAlias = tuple[list[Operation], list[Value]]  # the reductions that it finishes, the elements that it stores
_EXTREMES = ("maximum_", "minimum_")


def lowering_of(operation: Operation) -> Reduce:
    """How a reduction folds."""
    lowering = operation.op.lowering
    assert isinstance(lowering, Reduce)
    return lowering


def combine_of(operation: Operation, exact: bool) -> str:
    """The row's way to take in one more element; sums and products of floats may be reordered even in exact kernels."""
    text = lowering_of(operation).combine
    found = re.fullmatch(r"\{a\} ([+*]) (.*)", text)
    if not exact or found is None or accumulator_of(operation) not in ("f32", "f64"):
        return text
    return f"fast_{'add' if found[1] == '+' else 'multiply'}({{a}}, {found[2]})"


def accumulator_of(operation: Operation) -> str:
    """Short name of the accumulator's type: as the row says, else the result's."""
    return lowering_of(operation).accumulator or operation.result.dtype.short


def is_order_free(operation: Operation) -> bool:
    """Whether the result is the same to the bit in whatever order elements are taken in: not for sums of floats."""
    return accumulator_of(operation) not in ("f32", "f64") or lowering_of(operation).combine.startswith(_EXTREMES)


def put_off(sweeps: list[Sweep], needs: Callable[[Value], set[Operation]]) -> list[Sweep]:
    """Sums of the first sweep that the second doesn't need move into it: what is left may be made ahead."""
    if len(sweeps) > 2 and not sweeps[0][1] and not sweeps[1][1]:
        (first, _), (second, _), *_ = sweeps
        needed = set().union(*(needs(o.operands[0]) for o in second))
        sums = [o for o in first if not is_order_free(o)]
        if sums and len(sums) < len(first) and needed.isdisjoint(sums):
            sweeps[:2] = [([o for o in first if o not in sums], []), ([*sums, *second], [])]
    return sweeps


def as_element(operation: Operation, text: str) -> str:
    """An accumulator's value as it is stored."""
    return f"u8({text})" if accumulator_of(operation) == "bool" else text


def weight_of(operation: Operation) -> int:
    """Simple operations per element."""
    return operation.op.lowering.cost if isinstance(operation.op.lowering, Scalar) else 1
