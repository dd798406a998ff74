"""What a row says of its reduction, as kernels need it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product, same_shape
from ....ops.kernel_expressions import Binary, CallExpr, Expr, Name, any_of, call, equal, replaced
from ....ops.lowering import Reduce, Scalar, fill
from ....ops.types import Shape
from ....passes.fusion.fusion_facts import changes_only_ones, cost
from ..element import extreme

Sweep: TypeAlias = tuple[list[Operation], list[Value]]  # the reductions that it finishes, the elements that it stores
_EXTREMES = ("largest_", "smallest_")
_STEPS = {"+": "add", "*": "multiply"}
_LARGEST = {"bool": 1, "u8": 255, "i8": 128, "i16": 2**15}  # how far from 0 the elements of narrow types may be
_LOOKED_AT = 16  # values under a truth value, at most
SUM_BLOCK = 4096  # elements that the lanes of a sum add in order; longer sums are sums of such sums


def lowering_of(operation: Operation) -> Reduce:
    """How a reduction folds."""
    lowering = operation.op.lowering
    assert isinstance(lowering, Reduce)
    return lowering


def combined(operation: Operation, accumulator: Expr, element: Expr) -> Expr:
    """An accumulator that takes in one more element; sums and products of floats may be reordered.

    Those of int64 wrap around.
    """
    made = template_of(operation, lowering_of(operation).combine, a=accumulator, x=element)
    short = accumulator_of(operation)
    name = _STEPS.get(made.operator) if isinstance(made, Binary) else None
    if lowering_of(operation).is_flag:
        return call(short, made)  # the operator's own result is wider
    if name is None or short not in ("i64", "f32", "f64"):
        return made
    assert isinstance(made, Binary)
    return call(f"{'wrapping' if short == 'i64' else 'fast'}_{name}", made.left, made.right)


def flag_of(operation: Operation, flag: Expr, element: Expr) -> Expr:
    """A truth value that takes in one more: `any` and `all` without their wider accumulator."""
    return fill(lowering_of(operation).combine, (), {"T": ""}, {"a": flag, "x": element})


def merged(operation: Operation, a: Expr, b: Expr) -> Expr:
    """Two accumulators as one."""
    merge = lowering_of(operation).merge
    return combined(operation, a, b) if merge is None else template_of(operation, merge, a=a, x=b)


def undecided(operations: Sequence[Operation], names: Sequence[Name], made: Sequence[Operation]) -> Expr | None:
    """Whether a sweep over more elements may change a result; None where it always may.

    made: the operations that elements are computed by. Reading by an index may find one that is out of bounds.
    """
    if not operations or not all(lowering_of(o).is_flag for o in operations):
        return None
    if not all(isinstance(o.op.lowering, (Scalar, Reduce)) or not o.operands or changes_only_ones(o) for o in made):
        return None
    return any_of(*(equal(n, start_of(o)) for o, n in zip(operations, names, strict=True)))


def start_of(operation: Operation) -> Expr:
    """What an accumulator starts from."""
    return template_of(operation, lowering_of(operation).start)


def accumulator_of(operation: Operation) -> str:
    """Short name of the accumulator's type: of truth values, or as the row says, else the narrowest that holds a sum of
    integers, else the result's.
    """
    return (
        _flag_type(operation)
        or lowering_of(operation).accumulator
        or _narrow_sum(operation)
        or operation.result.dtype.short
    )


def _flag_type(operation: Operation) -> str:
    """For truth values the type that is as wide as the numbers they are found from: one vector of each; or ""."""
    if not lowering_of(operation).is_flag:
        return ""
    stack, widest = [operation.operands[0]], 1
    for _ in range(_LOOKED_AT):
        if not stack:
            break
        value = stack.pop()
        maker = value.operation
        if value.dtype.is_bool and maker is not None and isinstance(maker.op.lowering, Scalar):
            stack.extend(maker.operands)
        else:
            widest = max(widest, value.dtype.itemsize)
    return {1: "u8", 2: "i16", 4: "i32"}.get(widest, "i64")


def _narrow_sum(operation: Operation) -> str:
    """The type of sums of so few and so narrow integers that int64 would halve the vectors for nothing; or ""."""
    source, lowering = operation.operands[0], lowering_of(operation)
    count = product(source.tensor_type.shape[k] for k in operation.attrs["axis"])
    if operation.result.dtype.short != "i64" or not lowering.combine.startswith("{a} + ") or not isinstance(count, int):
        return ""
    maker = source.operation
    if maker is not None and maker.name == "cast":
        source = maker.operands[0]
    largest = count * _LARGEST.get(source.dtype.short, 2**64)
    return next((short for short, bits in (("i16", 15), ("i32", 31)) if largest < 2**bits), "")


def is_order_free(operation: Operation) -> bool:
    """Whether the result is the same to the bit in whatever order elements are taken in: not for sums of floats."""
    return accumulator_of(operation) not in ("f32", "f64") or lowering_of(operation).combine.startswith(_EXTREMES)


def is_longer_than_block(size: DimLike) -> bool:
    """Whether a sweep over so many elements may need more than one block."""
    return not isinstance(size, int) or size > SUM_BLOCK


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
    stack, seen, least = list(roots), set(), current_target().costs.stashed
    while stack:
        operation = stack.pop().operation
        if operation is None or operation not in inside or operation in seen or operation in reductions:
            continue
        seen.add(operation)
        full = same_shape(operation.result.tensor_type.shape, domain)
        if weight_of(operation) >= least and full and operation.result.dtype.short in ("f32", "f64"):
            found.add(operation)
        else:
            stack.extend(operation.operands)
    return found


def is_idempotent(operation: Operation) -> bool:
    """Whether taking in an element twice changes nothing, nor does the order: `any`, `all`, `max`, `min`."""
    return lowering_of(operation).combine.startswith((*_EXTREMES, "{a} |", "{a} &"))


def template_of(operation: Operation, template: str, **fields: Expr) -> Expr:
    """A template of a reduction's lowering, filled in."""
    short = accumulator_of(operation)
    made = fill(template, (), {"T": short, "t": short, "R": operation.result.dtype.short}, fields)
    ends = {f"lowest_{short}": -1, f"highest_{short}": 1}

    def instead(part: Expr) -> Expr | None:
        return extreme(short, ends[part.function]) if isinstance(part, CallExpr) and part.function in ends else None

    return replaced(made, instead)


def taken_in(operation: Operation, element: Expr) -> Expr:
    """An element on its way into the accumulator."""
    short, source = accumulator_of(operation), operation.operands[0].dtype.short
    return element if short in (source, "bool") else call(short, element)


def finished(operation: Operation, accumulator: Expr, count: Expr | None = None) -> Expr:
    """The result of a reduction from its accumulator. count: how many elements it is over."""
    fields = {"a": accumulator} if count is None else {"a": accumulator, "n": count}
    made = template_of(operation, lowering_of(operation).finish, **fields)
    short = operation.result.dtype.short
    return call(short, made) if accumulator_of(operation) != short and short != "bool" else made


def plan_sweeps(
    reductions: Sequence[Operation], full: Sequence[Value], needs: Callable[[Value], set[Operation]]
) -> list[Sweep]:
    """Loops over the folded axes: the reductions each can finish, and the elements of `full` each can store."""
    done: set[Operation] = set()
    sweeps: list[Sweep] = []
    while True:
        ready = [o for o in reductions if o not in done and not (needs(o.operands[0]) - done)]
        stores = [v for v in full if not (needs(v) - done)]
        if not ready and not stores:
            return put_off(sweeps, needs)
        sweeps.append((ready, stores))
        done.update(ready)
        full = [v for v in full if v not in stores]


def put_off(sweeps: list[Sweep], needs: Callable[[Value], set[Operation]]) -> list[Sweep]:
    """Sums of the first sweep that the second doesn't need move into it: what is left may be made ahead."""
    if len(sweeps) > 2 and not sweeps[0][1] and not sweeps[1][1]:
        (first, _), (second, _), *_ = sweeps
        needed = set().union(*(needs(o.operands[0]) for o in second))
        sums = [o for o in first if not is_order_free(o)]
        if sums and len(sums) < len(first) and needed.isdisjoint(sums):
            sweeps[:2] = [([o for o in first if o not in sums], []), ([*sums, *second], [])]
    return sweeps


def as_element(short: str, accumulator: Expr) -> Expr:
    """An accumulator's value as it is stored in memory for a type."""
    return call("u8", accumulator) if short == "bool" else accumulator


def weight_of(operation: Operation) -> int:
    """Simple operations per element."""
    return cost(operation) if isinstance(operation.op.lowering, Scalar) else 1
