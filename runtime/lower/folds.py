"""What a row says of its reduction, as kernels need it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from ...ir.core import Operation, Value
from ...ops.dims import DimLike, product, same_shape
from ...ops.lowering import Reduce, Scalar
from ...ops.types import Shape
from .element import extreme

Sweep: TypeAlias = tuple[list[Operation], list[Value]]  # the reductions that it finishes, the elements that it stores
_EXTREMES = ("largest_", "smallest_")
STASH_COST = 6  # simple operations beyond which an element is kept rather than computed again
SUM_BLOCK = 4096  # elements that the lanes of a sum add in order; longer sums are sums of such sums


def lowering_of(operation: Operation) -> Reduce:
    """How a reduction folds."""
    lowering = operation.op.lowering
    assert isinstance(lowering, Reduce)
    return lowering


def combine_of(operation: Operation) -> str:
    """The row's way to take in one more element; sums and products of floats may be reordered.

    Those of int64 wrap around.
    """
    text = lowering_of(operation).combine
    found, short = re.fullmatch(r"\{a\} ([+*]) (.*)", text), accumulator_of(operation)
    if found is None or short not in ("i64", "f32", "f64"):
        return text
    kind = "wrapping" if short == "i64" else "fast"
    return f"{kind}_{'add' if found[1] == '+' else 'multiply'}({{a}}, {found[2]})"


def accumulator_of(operation: Operation) -> str:
    """Short name of the accumulator's type: as the row says, else the result's."""
    return lowering_of(operation).accumulator or operation.result.dtype.short


def is_order_free(operation: Operation) -> bool:
    """Whether the result is the same to the bit in whatever order elements are taken in: not for sums of floats."""
    return accumulator_of(operation) not in ("f32", "f64") or lowering_of(operation).combine.startswith(_EXTREMES)


def summed_in_blocks(operations: Sequence[Operation], sizes: Sequence[DimLike]) -> list[Operation]:
    """Sums of floats over so many elements that the error of adding all in one order could be seen."""
    count = product(sizes)
    if not sizes or (isinstance(count, int) and count <= SUM_BLOCK):
        return []
    if isinstance(sizes[-1], int) and sizes[-1] < SUM_BLOCK // 64:  # starting a sum for each of these would cost more
        return []
    return [
        o for o in operations if accumulator_of(o) in ("f32", "f64") and lowering_of(o).combine.startswith("{a} + ")
    ]


def reductions_under(value: Value, inside: Collection[Operation], reductions: Collection[Operation]) -> set[Operation]:
    """The nearest of a group's reductions that a value is computed from; `inside`: the group's operations."""
    found: set[Operation] = set()
    stack, seen = [value], set()
    while stack:
        operation = stack.pop().operation
        if operation is None or operation not in inside or operation in seen:
            continue
        seen.add(operation)
        if operation in reductions:
            found.add(operation)
            continue
        stack.extend(operation.operands)
    return found


def expensive_under(
    roots: Sequence[Value], inside: Collection[Operation], reductions: Collection[Operation], domain: Shape
) -> set[Operation]:
    """The costly operations of the domain's elements that `roots` are computed from, the outermost on each path."""
    found: set[Operation] = set()
    stack, seen = list(roots), set()
    while stack:
        operation = stack.pop().operation
        if operation is None or operation not in inside or operation in seen or operation in reductions:
            continue
        seen.add(operation)
        full = same_shape(operation.result.tensor_type.shape, domain)
        if weight_of(operation) >= STASH_COST and full and operation.result.dtype.short in ("f32", "f64"):
            found.add(operation)
        else:
            stack.extend(operation.operands)
    return found


def is_idempotent(operation: Operation) -> bool:
    """Whether taking in an element twice changes nothing, nor does the order: `any`, `all`, `max`, `min`."""
    return lowering_of(operation).combine.startswith((*_EXTREMES, "{a} |", "{a} &"))


def template_of(operation: Operation, template: str, count: str = "", **fields: str) -> str:
    """A template of a reduction's row, filled in. count: how many elements are folded."""
    short = accumulator_of(operation)
    text = template.format(T=short, t=short, R=operation.result.dtype.short, n=count, **fields)
    return text.replace(f"lowest_{short}()", extreme(short, -1)).replace(f"highest_{short}()", extreme(short, 1))


def taken_in(operation: Operation, element: str) -> str:
    """An element on its way into the accumulator."""
    short, source = accumulator_of(operation), operation.operands[0].dtype.short
    return element if short in (source, "bool") else f"{short}({element})"


def finished(operation: Operation, accumulator: str) -> str:
    """The result of a reduction from its accumulator."""
    text = template_of(operation, lowering_of(operation).finish, a=accumulator)
    short = operation.result.dtype.short
    return f"{short}({text})" if accumulator_of(operation) != short and short != "bool" else text


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
