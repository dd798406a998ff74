"""Which loops a group sweeps: its domain's axes, neighbours joined where every array is swept alike along both."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from ....ir.core import Operation, Value
from ....ops.dims import DimLike, same_dim, same_shape
from ....ops.kernel_expressions import ZERO, Expr
from ....ops.lowering import Index, Reduce, Scalar
from ....ops.types import Shape
from ....passes.fusion.fusion_facts import changes_only_ones, cut_axes
from ...kernel.kernel_builder import KernelBuilder
from ...kernel.statements import LoopKind
from ..parameters import Parameters


@dataclass(slots=True)
class Axis:
    """Adjacent domain axes that are swept by one loop variable."""

    members: list[int]
    size: DimLike
    kept: bool


def whole(size: DimLike) -> int:
    """A size that is known to be a number."""
    assert isinstance(size, int)
    return size


_LONGEST_BLOCK = 128  # elements: LLVM makes no straight code of longer loops, whatever their kind


def kind_of(size: DimLike, shortest: int) -> LoopKind:
    """The kind of a loop over so many elements.

    LLVM makes straight code of a short loop before it looks for vectors, unless the loop is a block. Blocks of fewer
    elements than `shortest` would cost more than that.
    """
    return LoopKind.BLOCK if isinstance(size, int) and shortest <= size <= _LONGEST_BLOCK else LoopKind.SERIAL


_MOST_PIECES = 3  # of a row, each a loop of its own
_MOST_LANES, _FEWEST_LANES = 16, 4


def whole_vectors(size: int) -> list[tuple[int, int]]:
    """Ranges of a short row that are whole vectors, the longest first; the row itself where they would be many.

    A store of a part of a vector (by a mask) keeps the next row's load waiting where a result has an operand's memory;
    a row of other sizes has memory of its own for its result (`fills_no_vectors`).

    >>> whole_vectors(12), whole_vectors(28), whole_vectors(32), whole_vectors(15)
    ([(0, 8), (8, 12)], [(0, 16), (16, 24), (24, 28)], [(0, 32)], [(0, 15)])
    """
    found, start = [], 0
    for lanes in (_MOST_LANES, 8, _FEWEST_LANES):
        stop = start + (size - start) // lanes * lanes
        if stop > start:
            found.append((start, stop))
        start = stop
    return found if start == size and len(found) <= _MOST_PIECES else [(0, size)]


def fills_no_vectors(size: int) -> bool:
    """Whether all of a short row is stored by a mask; in longer ones, what isn't is enough work to wait behind.

    >>> fills_no_vectors(14), fills_no_vectors(12), fills_no_vectors(18)
    (True, False, False)
    """
    return size < _MOST_LANES and whole_vectors(size) == [(0, size)] and size % _FEWEST_LANES != 0


def sweep_axes(domain: Shape, axes: tuple[int, ...] | None, operations: Sequence[Operation]) -> list[Axis]:
    """The domain's loops: axes of size 1 dropped, neighbours joined where every array is swept alike along both."""
    sweeps = _sweeps(domain, axes, operations)
    out: list[Axis] = []
    for k, size in enumerate(domain):
        if same_dim(size, 1):
            continue
        kept = axes is None or k not in axes
        last = out[-1].members[-1] if out and out[-1].kept == kept else k  # between the two there are axes of size 1
        if last != k and sweeps is not None and all(s[k] == s[last] for s in sweeps):
            out[-1].members.append(k)
            out[-1].size = out[-1].size * size
        else:
            out.append(Axis([k], size, kept))
    return out


def set_index(index: Index, axis: Axis, place: Expr) -> None:
    """Be at a place along an axis."""
    for member in axis.members:
        index[member] = ZERO
    index[axis.members[-1]] = place


def decode(
    axes: Sequence[Axis], number: Expr, index: Index, parameters: Parameters, builder: KernelBuilder, prefix: str = ""
) -> None:
    """Be at an element of an array of these axes, counted row by row. prefix: of the numbers of locals."""
    for k in reversed(range(len(axes))):
        place = number
        if k:
            size = parameters.dim(axes[k].size)
            place, whole = builder.let(f"i{prefix}{k}", number % size), number
            number = builder.let(f"r{prefix}{k}", number // size)
            parameters.joined[str(number), str(place)] = str(size), whole
        set_index(index, axes[k], place)


def folds_outer_only(domain: Shape, axes: tuple[int, ...]) -> bool:
    """Whether the innermost axis that is wider than 1 is kept by a reduction over `axes`."""
    wide = [k for k, size in enumerate(domain) if not same_dim(size, 1)]
    return bool(wide) and wide[-1] not in axes


AxesOf: TypeAlias = tuple[int | None, ...]  # of each axis of a value the domain's, None for axes of size 1


def _sweeps(domain: Shape, axes: tuple[int, ...] | None, operations: Sequence[Operation]) -> list[list[int]] | None:
    """For each way in which a value is read or stored: per axis of the domain, whether it varies along it. For one that
    is read in another order: numbers that are equal where neighbours are neighbours in it too. None: nobody knows.

    From the stored values back to what they are made of: an operand may be aligned with other axes than the domain's
    last ones where a reshape adds axes of size 1.
    """
    inside, found, sweeps = set(operations), dict[Value, set[AxesOf]](), list[list[int]]()
    for operation in reversed(operations):
        is_source = operation.name in ("full", "constant") or operation.results[0].tensor_type.shape == ()
        if len(operation.results) != 1 or not (operation.operands or is_source):
            return None
        result = operation.result
        ways = found.setdefault(result, set())
        if not ways or any(user not in inside for user, _ in result.uses):
            stored = _stored_axes(result.tensor_type.shape, domain, axes)
            if stored is None:
                return None
            ways.add(stored)
        if operation.name == "transpose" and axes is None and _is_transposed_load(operation, domain, operations):
            if ways != {_stored_axes(domain, domain, axes)}:
                return None
            sweeps.append(_runs(operation.attrs["perm"]))
            continue
        cuts = cut_axes(operation)
        if cuts:
            sweeps += (_walls(way, cuts, len(domain)) for way in ways)
        for operand in operation.operands:
            made_of = [_operand_axes(operation, operand, way, domain) for way in ways]
            if None in made_of:
                return None
            producer = operand.operation
            if producer in inside and isinstance(producer.op.lowering, Reduce):
                continue  # a number of the row, wherever it is read
            found.setdefault(operand, set()).update(way for way in made_of if way is not None)
    for value in found:
        sweeps += ([k in way for k in range(len(domain))] for way in found[value])
    return sweeps


def _stored_axes(shape: Shape, domain: Shape, axes: tuple[int, ...] | None) -> AxesOf | None:
    """The axes of a value that is stored: the domain's, or those of the rows; None where it has others."""
    if same_shape(shape, domain):
        rows = list(range(len(domain)))
    elif axes is not None:
        rows = [k for k in range(len(domain)) if k not in axes]
    else:
        return None
    return _in_order(shape, [(k, domain[k]) for k in rows if not same_dim(domain[k], 1)])


def _operand_axes(operation: Operation, operand: Value, way: AxesOf, domain: Shape) -> AxesOf | None:
    """The axes of an operand, given those of the result."""
    shape, result = operand.tensor_type.shape, operation.result.tensor_type.shape
    if isinstance(operation.op.lowering, Reduce):
        return _stored_axes(shape, domain, None)
    if isinstance(operation.op.lowering, Scalar):
        tail = way[len(way) - len(shape) :]
        return tuple(None if same_dim(d, 1) else k for d, k in zip(shape, tail, strict=True))
    if cut_axes(operation) is not None:  # along an axis of which one element is taken, nothing varies
        return tuple(None if same_dim(d, 1) else k for d, k in zip(result, way, strict=True))
    if changes_only_ones(operation):
        wide = [(k, d) for k, d in zip(way, result, strict=True) if not same_dim(d, 1)]
        return _in_order(shape, wide)
    return None


def _in_order(shape: Shape, wide: Sequence[tuple[int | None, DimLike]]) -> AxesOf | None:
    """The axes that are wider than 1 get the given ones, in order; None where their sizes differ."""
    sizes = [d for d in shape if not same_dim(d, 1)]
    if not same_shape(sizes, [size for _, size in wide]):
        return None
    queue = iter(wide)
    return tuple(None if same_dim(d, 1) else next(queue)[0] for d in shape)


def _walls(way: AxesOf, cuts: Collection[int], rank: int) -> list[int]:
    """Numbers that differ on both sides of an axis that is cut; between its neighbours, if one element of it is taken.

    >>> _walls((0, 1, 2, 3), [1], 4), _walls((0, None, 1), [1], 2)
    ([0, 1, 2, 2], [0, 1])
    """
    starts: set[int] = set()
    for cut in cuts:
        if (axis := way[cut]) is not None:
            starts.update((axis, axis + 1))
        starts.update([k for k in way[cut + 1 :] if k is not None][:1])
    return [sum(start <= k for start in starts if start) for k in range(rank)]


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
