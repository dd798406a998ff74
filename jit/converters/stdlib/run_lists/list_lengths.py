"""How many elements a list of run-time length has, where Python code must know: that code is traced once per length.

The lengths that come into question are read off the program: both sides of an `if`, what is put together, a slice with
fixed ends. Where there are too many of them, or any number, the list can't be read this way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from .....base import dtype as dt
from .....base.pytree import flatten, number_kinds, unflatten, with_number_kinds
from .....dygraph.modes import is_recording
from .....dygraph.number import Number, number_over
from .....dygraph.storage import held
from .....dygraph.tensor import Tensor
from .....ir.core import Block, Value
from .....ops.control import if_, yield_
from .....ops.dims import same_dim, same_shape
from .....ops.indexing import getitem
from .....ops.infer import require_index
from .....ops.op import OPS
from .....ops.types import TensorType
from ....trace.rolling import Unread
from ....trace.state.aliases import LIST, link_leaves, link_rows, link_stacks
from ....trace.state.dynamic_lists import ListSegment, holds_containers, is_run_time_sized
from ....trace.state.escapes import is_told_by_call
from ....trace.tracer import Tracer, active
from ...regions.decisions import decide
from .singles import known_part

MOST_LENGTHS = 4  # of one list: code is traced once for each
_MOST_CHOSEN = 16  # items of a list of which one is chosen by an `if`
_MOST_DEPTH = 200  # of operations that are followed
Range = tuple[int, int | None]  # the least and the greatest number of rows, None where any number is possible


# ---- what the program tells


def row_range(value: Any) -> Range:
    """How many rows a value can have."""
    return _row_range(value, 0, {})


def _row_range(value: Any, depth: int, known: dict[Any, Range]) -> Range:
    """known: of values that were looked at. Both sides of each of a list's `if`s lead to what it was before."""
    size = value.shape[0]
    if isinstance(size, int):
        return size, size
    if value not in known:
        known[value] = _followed(value, size, depth, known)
    return known[value]


def _followed(value: Any, size: Any, depth: int, known: dict[Any, Range]) -> Range:
    operation = value.operation
    if operation is None or depth > _MOST_DEPTH:
        return 0, None
    if operation.name == "if":
        ways = operation.blocks[:1] if _is_true(operation.operands[0]) else operation.blocks
        found = [_row_range(block.operations[-1].operands[value.index], depth + 1, known) for block in ways]
        return min(least for least, _ in found), _together([most for _, most in found], max)
    if operation.name == "concat" and operation.attrs["axis"] == 0:
        found = [_row_range(part, depth + 1, known) for part in operation.operands]
        return sum(least for least, _ in found), _together([most for _, most in found], sum)
    same = (x for x in operation.operands if not operation.blocks and x.shape and same_dim(x.shape[0], size))
    source = next(same, None)
    return (0, None) if source is None else _row_range(source, depth + 1, known)


def _is_true(flag: Value) -> bool:
    operation = flag.operation
    return operation is not None and operation.name == "constant" and bool(operation.attrs["data"])


def _together(numbers: Sequence[int | None], combine: Any) -> int | None:
    known = [n for n in numbers if n is not None]
    return combine(known) if len(known) == len(numbers) else None


def lengths(segment: ListSegment) -> Range:
    """How many elements a segment can have."""
    payload = segment.stacks[0]._storage.payload
    least, most = row_range(payload) if isinstance(payload, Value) else (0, None)
    return (least, most) if segment.most is None else (least, segment.most if most is None else min(most, segment.most))


def cut(segment: ListSegment, part: slice) -> int | None:
    """How many elements a slice of a segment has at most."""
    start, stop = 0 if part.start is None else part.start, part.stop
    if type(start) is not int or type(stop) is not int or part.step not in (None, 1) or start < 0 or stop < 0:
        return lengths(segment)[1]
    return max(stop - start, 0)


# ---- elements


def length(segment: ListSegment) -> Any:
    """The number of elements, a size of the run."""
    return segment.stacks[0].shape[0]


def place(tracer: Tracer, index: Any) -> Tensor:
    """An index of a list as a tensor without axes; DTypeError or ArgumentError for what Python takes for no index."""
    if not isinstance(index, Tensor):
        made: Tensor = tracer.constant(index, dt.int64)
        return made
    require_index(index.dtype, index.shape)
    return index if not index.ndim else OPS["reshape"](index, ())


def is_place_of_run(tracer: Tracer, base: Any, key: Any) -> bool:
    """Whether only a run knows which item of a list of known length an index names. The call's numbers are bound."""
    if not isinstance(base, list) or is_run_time_sized(base) or not isinstance(key, Tensor):
        return False
    is_place = key.dtype.is_integer or key.dtype is dt.bool_
    return is_place and isinstance(held(key), Value) and not is_told_by_call(tracer, key)


def is_part_of_run(tracer: Tracer, base: Any, key: Any) -> bool:
    """Whether only a run knows which elements of a list a slice names."""
    if not isinstance(key, slice) or type(base) is not list:
        return False
    if is_run_time_sized(base):
        return known_part(base, key) is None
    return any(is_place_of_run(tracer, base, bound) for bound in (key.start, key.stop))


def element(tracer: Tracer, segment: ListSegment, index: Any, *, is_taken: bool = False) -> Any:
    """`xs[index]`; IndexError when the program runs, if there is none. is_taken: the list has it no more."""
    at = place(tracer, index)
    size = length(segment)

    def is_outside() -> Any:
        there = tracer.constant(size, dt.int64)
        return OPS["logical_or"](at >= there, at < -there)

    with tracer.surely(tracer.may_raise(is_outside, "list index out of range", IndexError)):
        leaves = [getitem(x, at) for x in segment.stacks]
    link_rows(tracer, leaves, segment.stacks, segment.decision, index, is_taken=is_taken)
    kinds = number_kinds(segment.tree)
    found = [x if kind is None else number_over(x.detach()) for x, kind in zip(leaves, kinds, strict=True)]
    made = unflatten(with_number_kinds(segment.tree, iter([None] * len(found))), iter(found))
    if holds_containers(segment.tree):
        tracer.joints.link_element(made, segment, index, is_taken=is_taken)
    return made


def part_of(segment: ListSegment, part: slice) -> ListSegment:
    """A slice of a list of run-time length."""
    stacks = tuple(getitem(x, part) for x in segment.stacks)
    made = derived(segment, stacks, [part.start, part.stop, part.step])
    made.most = cut(segment, part)
    return made


def around(tracer: Tracer, segment: ListSegment, part: slice) -> tuple[ListSegment, ListSegment]:
    """What stands before a slice of consecutive elements, and what stands behind it."""
    size: Any = tracer.constant(length(segment), dt.int64)

    def bound(given: Any) -> Any:
        at = OPS["cast"](place(tracer, given).detach(), dt.int64)
        return OPS["maximum"](OPS["where"](at < 0, at + size, at), 0)

    start = bound(0 if part.start is None else part.start)
    stop = OPS["maximum"](start, size if part.stop is None else bound(part.stop))
    return part_of(segment, slice(None, start)), part_of(segment, slice(stop, None))


def in_order(segment: ListSegment, order: Tensor) -> ListSegment:
    """The elements in an order that only a run knows."""
    return derived(segment, tuple(getitem(x, order) for x in segment.stacks), [order])


def derived(segment: ListSegment, stacks: tuple[Any, ...], choices: Sequence[Any]) -> ListSegment:
    """A segment with elements of another one: they are the same tensors. choices: the indices that tell where."""
    tracer: Any = active()
    link_stacks(tracer, stacks, segment.stacks, segment.decision, choices)
    made = ListSegment(stacks, segment.tree, segment.decision)
    tracer.joints.link_elements(made, [segment])
    return made


def chosen(tracer: Tracer, items: Sequence[Any], index: Any) -> Any:
    """`items[index]`, where gradients may arrive at the items: only the one that a run takes gets one.

    None where one row of a stack does as well: without gradients, of many or different items, and in loops.
    """
    if not 1 < len(items) <= _MOST_CHOSEN or not is_recording():
        return None
    parts = [flatten(x, _is_tensor) for x in items]
    leaves, tree = parts[0]
    in_loop = any(region.at_iteration and region.statement is None for region in tracer.regions)
    if in_loop or not leaves or any(other != tree or not all(map(_same_type, leaves, found)) for found, other in parts):
        return None
    needs = [any(not found[k].stop_gradient for found, _ in parts) for k in range(len(leaves))]
    if not any(needs):
        return None
    at = OPS["cast"](place(tracer, index), dt.int64)
    with tracer.surely(tracer.may_raise(lambda: _is_outside(at, len(items)), "list index out of range", IndexError)):
        tracer.require(OPS["logical_not"](_is_outside(at, len(items))), "list index out of range", "IndexError")
    at = OPS["where"](at < 0, at + len(items), at)
    made = _halved(tracer, [found for found, _ in parts], at, 0, needs)
    for found, _ in parts:
        link_leaves(tracer, made, found, place=LIST, choices=[index])
    return unflatten(tree, iter(made))


def _halved(tracer: Tracer, rows: list[list[Any]], at: Tensor, first: int, needs: list[bool]) -> list[Tensor]:
    """The row of this number, counted from `first`: an `if` that has one half of them on either side."""
    if len(rows) == 1:
        return rows[0]
    middle = len(rows) // 2
    for row in rows:
        for x in row:
            tracer.note_outer(x)
    flag, blocks = tracer.flag(at < first + middle), [Block(), Block()]
    for block, half, start in zip(blocks, (rows[:middle], rows[middle:]), (first, first + middle), strict=True):
        with tracer.inside(block):
            values = list(map(partial(_given, tracer), _halved(tracer, half, at, start, needs), needs))
            tracer.builder.emit(yield_, values, {}, [])
    types = [TensorType(x.dtype, tuple(x.shape)) for x in rows[0]]
    return tracer.results_of(tracer.builder.emit(if_, [flag], {}, types, blocks), needs)


def _given(tracer: Tracer, x: Tensor, needs: bool) -> Value:
    """The value of an item, which gradients go through if they arrive at it in eager mode."""
    value = tracer.value_of(x)
    if not needs:
        return value
    if not x.stop_gradient:
        return tracer.untaped.value_of(tracer, x, value)
    if value in tracer.reached:
        return tracer.without_gradient(value)
    tracer.detached.plain.add(value)
    return value


def _is_outside(at: Tensor, count: int) -> Any:
    return OPS["logical_or"](at >= count, at < -count)


def _is_tensor(x: object) -> bool:
    return isinstance(x, Tensor)


def _same_type(x: Any, y: Any) -> bool:
    is_plain = _is_tensor(x) and _is_tensor(y) and not (type(x) is Number or type(y) is Number)
    return is_plain and x.dtype is y.dtype and same_shape(x.shape, y.shape)


# ---- one length per path


def known_length(tracer: Tracer, segment: ListSegment, most: int | None = None) -> int | None:
    """The number of elements on this path, `most` where there are more; None where too many numbers are possible.

    What follows is traced once per number, in the statement or function that runs.
    """
    if isinstance(segment.decision, Unread):
        segment.fail()
    if segment.decision is not None and not tracer.style.in_steps:  # each path of its `if` has one length
        segment.decision.fork("a list's length is known on each path of this `if` only, and Python code reads it")
    least, greatest = lengths(segment)
    if most is not None:
        least, greatest = min(least, most), most if greatest is None else min(greatest, most)
    if greatest is None or greatest - least >= MOST_LENGTHS:
        return None
    size = length(segment)
    for count in range(least, greatest):
        flag = OPS["equal"](tracer.constant(size, dt.int64), count)
        decision = decide(tracer, tracer.flag(flag), ("length", count))
        if decision.side is None:
            decision.split("a list has several lengths here")
        if decision.side == 0:
            return count
    return greatest


def known_elements(tracer: Tracer, items: Iterable[Any], most: int | None = None) -> list[Any] | None:
    """The elements of a list on this path, `most` of them at most; None where its length can be too many numbers."""
    made: list[Any] = []
    for x in items:
        left = None if most is None else most - len(made)
        if left == 0:
            break
        if type(x) is not ListSegment:
            made.append(x)
            continue
        count = known_length(tracer, x, left)
        if count is None:
            return None
        made += [element(tracer, x, k) for k in range(count)]
    return made


def spread(tracer: Tracer, values: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments of `f(*xs)`, as many as the list has elements."""
    if not any(type(x) is ListSegment for x in values):
        return tuple(values)
    found = known_elements(tracer, values)
    if found is None:
        next(x for x in values if type(x) is ListSegment).fail()
    return tuple(found)


def fix_lengths(tracer: Tracer, values: Iterable[Any]) -> None:
    """Before Python code looks at some values: give the lists in them the elements that they have on this path."""
    for items in _lists_in(values):
        found = known_elements(tracer, items)
        if found is not None:
            tracer.joints.unseen(items, lambda items=items, found=found: items.__setitem__(slice(None), found))  # type: ignore[misc]


def _lists_in(values: Iterable[Any]) -> Iterator[list[Any]]:
    for value in values:
        if is_run_time_sized(value):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _lists_in(value)
        elif isinstance(value, dict):
            yield from _lists_in(value.values())
