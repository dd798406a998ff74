"""Long loops that Python counts, kept as loops of the program: `for t in range(500)` is one iteration of code, not 500.

The first iteration is traced as it is; the others become one loop where their iterations are alike. They are when all
that an iteration passes on is tensors, and the iteration's number goes into subscripts and arithmetic only. What isn't
so is traced one iteration after the other, as if nobody had tried; the same goes for the whole function if something
after the loop can't do with it.

A list to which each iteration appends an element keeps its known length: the elements are rows of a tensor that the
iterations fill. Stacking the list gives that tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ....base import dtype as dt
from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....base.pytree import LEAF, Tree, flatten, unflatten
from ....base.size import is_list
from ....dygraph.number import Number
from ....dygraph.storage import Storage, is_view, root_of
from ....dygraph.tensor import Tensor
from ....ir.core import Block, Operation, Value
from ....ir.walk import walk
from ....ops.control import callback
from ....ops.op import FUNCTIONS
from ....ops.sizes import runtime_names
from ....ops.types import TensorType
from ...trace.rolling import HeldElsewhere, NotRolled, Unread
from ...trace.state.aliases import LOOP, tensors_of
from ...trace.state.containers import WHOLE
from ...trace.state.dynamic_lists import ListSegment, segment_in
from ...trace.tracer import Tracer
from ..raising import CaughtAround
from ..stdlib.iterations import Iterations, RangeIterations
from .carried.carried_tensors import LastElements
from .carried.loop_variable import LoopVariable
from .decisions import SplitNeeded
from .extras import Item
from .loops import LoopCapture
from .markers import Maybe, Undefined
from .region_state import Path, StateAccess
from .values import Merge

LEAST_OPERATIONS = 256  # that the iterations would have together: fewer are better off fused with each other
MOST_APART = 32  # iterations that are traced one by one rather than leave a list whose length only a run knows
_NUMBERS = (bool, int, float, complex)


@dataclass(eq=False, slots=True)
class Gathered:
    """A list to which each iteration appends one element: `rooms`, one per leaf, have a row for each."""

    owner: list[Any]
    tree: Tree
    leaf_types: list[TensorType]
    rooms: list[Tensor] = field(default_factory=list)
    roots: list[Storage] = field(default_factory=list)  # of views among the elements: what they are cut from
    first: int = 0  # elements that are there before the loop; they are rows, too
    element: Any = None  # that the last iteration has appended
    is_held: bool = False  # it is, or holds, a tensor from outside of the iterations
    is_earlier: bool = False  # it is, or holds, a tensor that the iteration has begun with
    same: Gathered | None = None  # another list to which each iteration appends the same object
    rows: list[Any] = field(default_factory=list)  # the elements behind the loop
    marker: ListSegment = field(default_factory=lambda: ListSegment((), LEAF, Unread()))

    def make(self, tracer: Tracer, trip_count: int) -> None:
        """The tensors, with the rows of the elements that are there already."""
        if any(runtime_names(kind.shape) for kind in self.leaf_types):
            raise NotRolled  # how large a row is, one iteration can't tell for all
        self.first = len(self.owner)
        for kind in self.leaf_types:
            self.rooms.append(FUNCTIONS["zeros"]([self.first + trip_count, *kind.shape], kind.dtype))
        for k, element in enumerate(self.owner):
            self._put(tracer.constant(k, dt.int64), element)

    def _put(self, row: Any, element: Any) -> None:
        leaves, tree = flatten(element, _is_leaf)
        if tree != self.tree or [_kind(x) for x in leaves] != self.leaf_types:
            raise NotRolled
        for room, leaf in zip(self.rooms, leaves, strict=True):
            room[row] = leaf

    def store(self, tracer: Tracer, iteration: Any, others: Sequence[Gathered]) -> None:
        """Take the element that an iteration appended into the row of the iteration. others: that have taken theirs."""
        if len(self.owner) != self.first + 2 or self.owner[self.first] is not self.marker:
            raise NotRolled
        element = self.owner[-1]
        tensors = list(tensors_of(element))
        begun = [_begun_as(tracer, x) for x in tensors]
        self.is_held = any(is_held for is_held, _ in begun)
        self.is_earlier = any(is_earlier for _, is_earlier in begun)
        self.roots = [root_of(x._storage) for x in tensors if is_view(x._storage)]
        del self.owner[self.first :]
        self.element = element
        self.same = next((other for other in others if other.element is element), None)
        if self.same is None:
            self._put(iteration + self.first if self.first else iteration, element)

    def finish(self, tracer: Tracer, last: LastElements, besides: Sequence[Storage]) -> None:
        """Give the list its elements, and remember that they are rows. last: what the loop leaves besides.

        besides: the cells of tensors that hold, or may be, elements.
        """
        if self.same is not None:
            self.owner.extend(self.same.rows)
            return
        rows = [FUNCTIONS["unbind"](room, 0) for room in self.rooms]
        ends = [last.behind(x) for x in flatten(self.element, _is_leaf)[0]]
        leaves = list(zip(*rows, strict=True))[self.first :]
        leaves[-1] = tuple(row if end is None else end for row, end in zip(leaves[-1], ends, strict=True))
        self.rows = [unflatten(self.tree, iter(each)) for each in leaves]
        self.owner.extend(self.rows)
        behind = {id(x) for x in ends}
        for x in tensors_of(self.rows) if self.roots or besides else ():
            if id(x) not in behind or self.roots:
                tracer.aliases.link(x._storage, [*self.roots, *besides], place=LOOP, kept=besides)
            if self.roots:
                tracer.aliases.of_views.add(x._storage)
        for k, room in enumerate(self.rooms):
            column = [flatten(element, _is_leaf)[0][k] for element in self.owner]
            tracer.rolling.rows[tuple(tracer.value_of(x) for x in column)] = room.snapshot()


_Made = TypeVar("_Made", bound="_Appending")


def is_long(tracer: Tracer, iterable: Any) -> bool:
    """Whether it is worth a try to keep a loop over this."""
    return type(iterable) is range and tracer.rolling.is_long(len(iterable))


def roll(
    tracer: Tracer,
    items: range,
    body_fn: Callable[[Any], Any],
    state: StateAccess,
    functions: Sequence[Callable[..., Any]],
) -> bool:
    """All iterations as one loop of the program; False, and nothing has happened, if that can't be or doesn't pay.

    CaughtAround, and nothing has happened, where an iteration raises what code around the loop catches.
    """
    iterations = RangeIterations(items.start, items.stop, items.step)
    code = _Code(tracer, body_fn, state, functions, iterations)
    tracer.rolling.depth += 1
    loop = None
    try:
        lists = code.gather(_Alike, LEAST_OPERATIONS)
        loop = code.loop(_Alike, lists)
        loop.run()
    except (Exception, NotRolled, SplitNeeded) as error:  # broad: it happens again in an unrolled loop, or not
        _refuse_emitted(tracer, loop)
        tracer.unwinding = None
        if isinstance(error, CaughtAround):
            raise
        return False
    finally:
        tracer.rolling.depth -= 1
    assert loop.last is not None
    code.finish(lists, loop.last)
    return True


def fill(
    tracer: Tracer,
    iterations: Iterations,
    body_fn: Callable[[Any], Any],
    state: StateAccess,
    functions: Sequence[Callable[..., Any]],
) -> bool:
    """A loop with a known trip count that appends to lists; False, and nothing has happened, if it is another.

    CaptureError where a short one is better traced one iteration after the other: then the lists keep their length.
    """
    code = _Code(tracer, body_fn, state, functions, iterations)
    loop = None
    try:
        lists = code.gather(_Appending, 0)
        if not lists:
            return False
        loop = code.loop(_Appending, lists)
        loop.run()
    except (Exception, NotRolled, SplitNeeded) as error:  # broad: whatever it is, the plain loop does it again or not
        _refuse_emitted(tracer, loop)
        tracer.unwinding = None
        if isinstance(error, HeldElsewhere) and iterations.count <= MOST_APART:
            raise CaptureError("a loop appends tensors that exist besides to a list", loc=caller_loc()) from None
        return False
    assert loop.last is not None
    code.finish(lists, loop.last)
    return True


def _refuse_emitted(tracer: Tracer, loop: LoopCapture | None) -> None:
    """In a handler: what comes after the loop has failed, which is in the program, and must not be there twice."""
    if loop is not None and loop.is_emitted:
        tracer.rolling.used = True
        raise


@dataclass(frozen=True, slots=True)
class _Code:
    """The iterations of a loop whose number is known."""

    tracer: Tracer
    body_fn: Callable[[Any], Any]
    state: StateAccess
    functions: Sequence[Callable[..., Any]]
    iterations: Iterations

    def loop(self, kind: type[_Made], lists: Sequence[Gathered]) -> _Made:
        """The loop, to be traced."""

        def one_iteration(iteration: Any, _: Any) -> list[Any]:
            self.tracer.counts[self.tracer.value_of(iteration)] = self.iterations.count
            for gathered in lists:
                gathered.owner.append(gathered.marker)
            self.body_fn(self.iterations.item(iteration))
            for k, gathered in enumerate(lists):
                gathered.store(self.tracer, iteration, lists[:k])
            return []

        count = self.tracer.value_of(self.tracer.constant(self.iterations.count, dt.int64))
        runs = self.iterations.count > 0
        made = kind(self.tracer, self.state, self.functions, one_iteration, [], count, runs=runs)
        made.lists = lists
        return made

    def gather(self, kind: type[_Appending], least: int) -> list[Gathered]:
        """The lists that grow by one element in an iteration, with room for them."""
        found = self.loop(kind, ()).appended(self.iterations.count, least)
        for gathered in found:
            gathered.make(self.tracer, self.iterations.count)
        return found

    def finish(self, lists: Sequence[Gathered], last: LastElements) -> None:
        """After the loop: the lists are whole."""
        besides = last.earlier
        if any(gathered.is_earlier for gathered in lists):
            besides += [x._storage for gathered in lists for x in gathered.rooms] + last.begun_with
        for gathered in lists:
            gathered.finish(self.tracer, last, besides)
        self.tracer.rolling.used = True


class _Appending(LoopCapture):
    """A loop that appends to lists, or one of which one iteration is tried to know to which."""

    lists: Sequence[Gathered] = ()

    def emit(self, block: Block, path: Path, inner: list[Any], merge: Merge) -> None:
        if any(gathered.is_held for gathered in self.lists):
            path.discard()
            raise HeldElsewhere
        super().emit(block, path, inner, merge)

    def appended(self, trip_count: int, least: int) -> list[Gathered]:
        """The lists that grow by one element in an iteration. Traces an iteration; nothing stays."""
        block, path, _ = self.trial()
        try:
            if trip_count * sum(1 for _ in walk(block)) < least:
                raise NotRolled
            return [
                _gathered(extra, now)
                for extra, now in path.extras.values()
                if isinstance(extra, Item) and extra.key is WHOLE and len(now) != len(extra.before)
            ]
        finally:
            path.discard()


class _Alike(_Appending):
    """A loop whose iterations must be alike: NotRolled where they aren't."""

    def emit(self, block: Block, path: Path, inner: list[Any], merge: Merge) -> None:
        slots = [*self.slots, *self.extras.values()]
        if self.mark.is_carried or not all(_passes_tensors(slot) for slot in slots) or not _is_alike(block):
            path.discard()
            raise NotRolled
        super().emit(block, path, inner, merge)


def _gathered(extra: Item, now: Any) -> Gathered:
    """A list that an iteration has appended one element of tensors to."""
    before = extra.before
    known = is_list(extra.owner) and len(now) == len(before) + 1
    if not known or any(a is not b for a, b in zip(before, now, strict=False)):
        raise NotRolled
    leaves, tree = flatten(now[-1], _is_leaf)
    if not leaves or not all(type(x) is Tensor for x in leaves):
        raise NotRolled
    return Gathered(extra.owner, tree, [_kind(x) for x in leaves])


def _begun_as(tracer: Tracer, x: Tensor) -> tuple[bool, bool]:
    """Of an element: whether other iterations, or code around, may change it; whether the iteration began with it."""
    cell = root_of(x._storage)
    written = tracer.logs[-1].storages.get(id(cell))
    first = cell.payload if written is None else written[1]
    is_own = getattr(first, "block", None) is tracer.blocks[-1]
    is_earlier = is_own and first.operation is None
    is_outer = not is_own and tracer.is_outer(first)
    return (is_outer and not (is_view(x._storage) and written is None)) or (
        is_earlier and written is not None
    ), is_earlier


def _passes_tensors(slot: LoopVariable) -> bool:
    """Whether what the iterations pass on are tensors, in a structure that stays."""
    if not slot.is_carried:
        return True
    if slot.union is not None or segment_in(slot.template) is not None:
        return False
    (before, _), (now, _) = flatten(slot.before, _is_leaf), flatten(slot.template, _is_leaf)
    return len(before) == len(now) and all(
        type(a) is type(b) and (a == b if isinstance(a, _NUMBERS) else not isinstance(a, (Number, Undefined, Maybe)))
        for a, b in zip(before, now, strict=True)
    )


def _is_alike(block: Block) -> bool:
    """Whether an iteration does the same whatever its number, on sizes that are known, without calls of Python.

    What the number alone decides (`if t % 2`) is better decided where the code is traced.
    """
    counted: set[Value] = {block.args[0]}
    for operation in walk(block):
        if operation.op is callback or any(_has_open_size(r) for r in operation.results):
            return False
        from_number = _is_of_number(operation, counted)
        if operation.blocks and from_number:
            return False
        if from_number:
            counted.update(operation.results)
    return True


def _is_of_number(operation: Operation, counted: set[Value]) -> bool:
    """Whether an operation's operands (of one with blocks: its condition or count) come from the iteration number."""
    operands = operation.operands[:1] if operation.blocks else operation.operands
    return any(v in counted for v in operands) and all(
        v in counted or (v.operation is not None and not v.operation.operands) for v in operands
    )


def _has_open_size(value: Value) -> bool:
    return isinstance(value.type, TensorType) and bool(runtime_names(value.type.shape))


def _is_leaf(x: object) -> bool:
    return isinstance(x, (Tensor, Undefined, Maybe, *_NUMBERS))


def _kind(x: Any) -> TensorType:
    if type(x) is not Tensor:
        raise NotRolled
    return TensorType(x.dtype, tuple(x.shape))
