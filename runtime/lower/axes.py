"""Which loops a group sweeps: its domain's axes, neighbours joined where every array is swept alike along both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...ir.core import Operation
from ...ops.dims import DimLike, same_dim, same_shape
from ...ops.lowering import Reduce, Scalar
from ...ops.types import Shape
from ...passes.fusion.fusion_facts import changes_only_ones
from ..kernel.statements import LoopKind


@dataclass(slots=True)
class Axis:
    """Adjacent domain axes that are swept by one loop variable."""

    members: list[int]
    size: DimLike
    kept: bool


_LONGEST_BLOCK = 128


def kind_of(size: DimLike, shortest: int) -> LoopKind:
    """The kind of a loop over so many elements.

    LLVM makes straight code of a short loop before it looks for vectors, unless the loop is a block. Blocks of fewer
    elements than `shortest` would cost more than that.
    """
    return LoopKind.BLOCK if isinstance(size, int) and shortest <= size <= _LONGEST_BLOCK else LoopKind.SERIAL


def sweep_axes(domain: Shape, axes: tuple[int, ...] | None, operations: Sequence[Operation]) -> list[Axis]:
    """The domain's loops: axes of size 1 dropped, neighbours joined where every array is swept alike along both."""
    rows = [k for k in range(len(domain)) if axes is not None and k not in axes]
    collapsible = all(
        isinstance(o.op.lowering, (Scalar, Reduce))
        or o.name in ("full", "constant")
        or _is_row_reshape(o, domain, rows)
        or (axes is None and _is_transposed_load(o, domain, operations))
        for o in operations
    )
    statuses = _broadcast_statuses(domain, axes, operations) if collapsible else []
    out: list[Axis] = []
    for k, size in enumerate(domain):
        if same_dim(size, 1):
            continue
        kept = axes is None or k not in axes
        joined = out and collapsible and out[-1].kept == kept and out[-1].members[-1] == k - 1
        if joined and all(s[k] == s[k - 1] for s in statuses):
            out[-1].members.append(k)
            out[-1].size = out[-1].size * size
        else:
            out.append(Axis([k], size, kept))
    return out


def _broadcast_statuses(
    domain: Shape, axes: tuple[int, ...] | None, operations: Sequence[Operation]
) -> list[list[int]]:
    """For each operand of full rank: per domain axis, whether it varies along it. A smaller domain forbids joining.

    For an operand read in another order: numbers that are equal where neighbours are neighbours in it too.
    """
    rank = len(domain)
    out: list[list[int]] = []
    for operation in operations:
        if operation.name == "transpose":
            out.append(_runs(operation.attrs["perm"]))
            continue
        for value in [*operation.operands, *operation.results]:
            shape = value.tensor_type.shape
            producer = value.operation
            inner_fold = producer is not None and producer in operations and isinstance(producer.op.lowering, Reduce)
            if not shape or inner_fold:
                continue
            if len(shape) > rank:
                return [[k % 2 for k in range(rank)]]
            padded = (1,) * (rank - len(shape)) + shape
            kept = [k for k in range(rank) if axes is not None and k not in axes]
            row = dict(zip(kept, shape, strict=True)) if len(kept) == len(shape) < rank else None
            if row is None or all(same_dim(d, 1) or same_dim(d, n) for d, n in zip(padded, domain, strict=True)):
                out.append([not same_dim(d, 1) for d in padded])
            if row is not None:  # it may be one element per row: then its axes are the kept ones
                out.append([not same_dim(row.get(k, 1), 1) for k in range(rank)])
    return out


def _is_row_reshape(operation: Operation, domain: Shape, kept: Sequence[int]) -> bool:
    """Whether this adds or drops axes of size 1 of a value with one element per row."""
    shape = operation.result.tensor_type.shape
    if not changes_only_ones(operation) or len(shape) > len(domain):
        return False
    start = len(domain) - len(shape)
    return all(same_dim(d, 1) or start + k in kept for k, d in enumerate(shape)) or len(shape) == len(kept)


def _is_transposed_load(operation: Operation, domain: Shape, operations: Sequence[Operation]) -> bool:
    """Whether this reads memory in another order of axes, over the whole domain."""
    if operation.name != "transpose" or not same_shape(operation.result.tensor_type.shape, domain):
        return False
    return operation.operands[0].operation not in operations


def _runs(perm: Sequence[int]) -> list[int]:
    """Which axes follow one another in the operand of a transpose.

    >>> _runs([0, 2, 3, 1])
    [0, 1, 1, 2]
    """
    runs = [0]
    for before, after in pairwise(perm):
        runs.append(runs[-1] + (after != before + 1))
    return runs
