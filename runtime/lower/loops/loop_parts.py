"""Loops whose iterations treat every element alone, and their parts; tiled_loops.py writes kernels from them.

Such a loop carries arrays of one shape, changed element by element, and single numbers. What is folded over all
elements (`any`, `max`) may decide whether the loop goes on and go into single numbers, but not back into elements:
then blocks of elements can take many iterations each before anybody asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ....base.target import current_target
from ....ir.core import Block, Operation, Value, is_list
from ....ir.dynamic_sizes import is_dynamic
from ....ir.walk import walk
from ....ops.dims import DimLike, product, same_dim, same_shape
from ....ops.effects import Effect
from ....ops.lowering import Reduce, Scalar
from ....ops.types import Shape, TensorType
from ....passes.fusion.fusion_facts import alias_offset, is_free, is_map, without_ones
from ..groups.folds import is_idempotent, weight_of

MOST_REDUCTIONS = 4  # of a tiled loop: each has accumulators for every iteration of a block


class NotByElements(Exception):
    """A loop isn't of this kind; the reason in words."""


@dataclass(eq=False)
class LoopParts:
    """A loop over elements.

    arrays, numbers: which of what it carries are arrays, and which single numbers. needed: the numbers that elements
    depend on; uses_iteration: elements depend on the iteration number. read, alone: arrays and numbers from outside.
    reductions: over all elements. operations: what is computed for each element or number.
    """

    operation: Operation
    domain: Shape = ()
    arrays: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    needed: list[int] = field(default_factory=list)
    read: list[Value] = field(default_factory=list)
    alone: list[Value] = field(default_factory=list)
    reductions: list[Operation] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    uses_iteration: bool = False

    @property
    def is_counted(self) -> bool:
        return self.operation.name == "for"

    @property
    def body(self) -> Block:
        return self.operation.blocks[-1]

    @property
    def args(self) -> list[Value]:
        """What the body takes of the carried values."""
        return self.body.args[self.is_counted :]

    @property
    def yields(self) -> list[Value]:
        return self.body.yields

    @property
    def iteration(self) -> Value | None:
        """The number of the iteration, in a counted loop."""
        return self.body.args[0] if self.is_counted else None

    @property
    def size(self) -> DimLike:
        return product(self.domain)

    @property
    def weight(self) -> int:
        """Simple operations per element and iteration."""
        return max(1, sum(weight_of(o) for o in self.operations))

    @property
    def is_heavy(self) -> bool:
        """Whether an iteration waits for its arithmetic rather than for memory: then running some again costs much."""
        return self.weight > current_target().costs.streaming * (2 * len(self.arrays) + len(self.read))

    @property
    def may_converge(self) -> bool:
        """Whether elements that an iteration leaves as they are stay so: no number that changes goes into them."""
        return not self.needed and not self.uses_iteration

    def inside(self, value: Value) -> bool:
        """Whether a value is made in the loop."""
        return any(block.encloses(value.block) for block in self.operation.blocks)

    def origin(self, value: Value) -> Value:
        """The value behind groups, conditions' arguments and changes of shape: one that is computed, or a leaf."""
        while self.inside(value):
            producer = value.producer
            if isinstance(producer, Operation):
                if producer.name == "group":
                    value = producer.blocks[0].yields[value.index]
                elif is_same(producer):
                    value = producer.operands[0]
                else:
                    break
            elif isinstance(producer.parent, Operation) and producer.parent.name == "group":
                value = producer.parent.operands[value.index]
            elif producer is not self.body and isinstance(producer.parent, Operation):
                value = self.args[value.index]  # the condition takes what the body takes
                break
            else:
                break
        return value

    def is_array(self, value: Value) -> bool:
        """Whether a value has an element for each of the domain's."""
        return same_shape(without_ones(value.tensor_type.shape), without_ones(self.domain))

    def inputs(self, value: Value) -> list[Value]:
        """What a value is computed from, as origins; nothing for leaves."""
        operation = value.operation
        if operation is None or not self.inside(value):
            return []
        yielded = [block.yields[value.index] for block in operation.blocks] if operation.name == "if" else []
        return [self.origin(v) for v in (*operation.operands, *yielded)]

    def behind(self, roots: list[Value]) -> Iterator[Value]:
        """All values that these are computed from within an iteration, themselves included; each once."""
        stack, seen = [self.origin(v) for v in roots], set()
        while stack:
            value = stack.pop()
            if value not in seen:
                seen.add(value)
                yield value
                stack += self.inputs(value)


def is_same(operation: Operation) -> bool:
    """Whether an operation only changes the shape: the elements of its result are its operand's, in their order."""
    offset = alias_offset(operation)
    if offset is not None:
        same = same_dim(operation.result.tensor_type.size, operation.operands[0].tensor_type.size)
        return same_dim(offset, 0) and same and is_map(operation)
    return operation.name == "broadcast_to" and is_single(operation.operands[0])


def is_single(value: Value) -> bool:
    """Whether a value is a single number."""
    return isinstance(value.type, TensorType) and same_dim(value.type.size, 1)


def loop_parts(operation: Operation) -> LoopParts:
    """The parts of a `while` or `for`. NotByElements if it is of another kind."""
    parts = LoopParts(operation)
    _sort_carried(parts)
    for block in operation.blocks:
        for inner in walk(block):
            _sort(parts, inner)
            if parts.reductions and block is not parts.body:
                raise NotByElements("its condition reduces over elements")
    _collect(parts)
    _refuse_feedback(parts)
    most = current_target().loop_arrays
    if len(parts.arrays) + len(parts.read) > most:
        raise NotByElements(f"it has more than {most} arrays")
    if len(parts.reductions) > MOST_REDUCTIONS:
        raise NotByElements(f"it has more than {MOST_REDUCTIONS} reductions")
    if parts.is_heavy and not all(o.result.dtype.is_bool for o in parts.reductions):
        raise NotByElements("it is compute-bound, not memory-bound")  # and `max` is in their kernel already
    return parts


def _sort_carried(parts: LoopParts) -> None:
    starts = parts.operation.operands[len(parts.operation.operands) - len(parts.args) :]
    for k, (value, start) in enumerate(zip(parts.args, starts, strict=True)):
        if is_list(value):
            raise NotByElements("it carries a list")
        if not same_shape(value.tensor_type.shape, start.tensor_type.shape):
            raise NotByElements("it carries an array whose size changes")
        if not value.dtype.is_native:
            raise NotByElements(f"it carries {value.type}")
        (parts.numbers if is_single(value) else parts.arrays).append(k)
    if not parts.arrays:
        raise NotByElements("it carries no array")
    parts.domain = parts.args[parts.arrays[0]].tensor_type.shape
    for k in parts.arrays:
        if not parts.is_array(parts.args[k]):
            raise NotByElements("it carries arrays of several shapes")


def _sort(parts: LoopParts, operation: Operation) -> None:
    """Take note of an operation inside, or refuse it."""
    if operation.is_terminator or operation.name in ("group", "if"):
        if any(is_list(r) or not is_single(r) for r in operation.results if operation.name == "if"):
            raise NotByElements("an `if` in it yields arrays")
        return
    if operation.op.effect is not Effect.PURE or operation.blocks or is_dynamic(operation):
        raise NotByElements(f"{operation.name} is in it")
    types = [v.type for v in (*operation.operands, *operation.results)]
    if not all(isinstance(t, TensorType) and t.dtype.is_native for t in types):
        raise NotByElements(f"{operation.name} of {types[0]} is in it")
    if is_free(operation) or operation.name == "constant" or is_same(operation):
        return
    if isinstance(operation.op.lowering, Reduce):
        _sort_reduction(parts, operation)
    elif isinstance(operation.op.lowering, Scalar):
        if not is_single(operation.result) and not parts.is_array(operation.result):
            raise NotByElements(f"{operation.name} makes an array of another shape")
        spread = any(not is_single(v) and not parts.is_array(v) for v in operation.operands)
        if spread and not same_shape(operation.result.tensor_type.shape, parts.domain):
            raise NotByElements(f"{operation.name} broadcasts an array")
        parts.operations.append(operation)
    else:
        raise NotByElements(f"{operation.name} isn't elementwise")


def _sort_reduction(parts: LoopParts, operation: Operation) -> None:
    whole = is_single(operation.result) and parts.is_array(operation.operands[0])
    if not whole or not is_idempotent(operation):
        raise NotByElements(f"{operation.name} is in it{', which depends on the order' * whole}")
    parts.reductions.append(operation)


def _collect(parts: LoopParts) -> None:
    """What it reads from outside."""
    roots = [*parts.yields, *(o.operands[0] for o in parts.reductions)]
    if not parts.is_counted:
        roots += parts.operation.blocks[0].yields
    for value in parts.behind(roots):
        operation = value.operation
        literal = operation is not None and (operation.name == "full" or (is_single(value) and is_free(operation)))
        outside = not parts.inside(value) or (operation is not None and (is_free(operation) or not operation.operands))
        if literal or not outside:
            continue
        if is_list(value) or not isinstance(value.type, TensorType) or not value.dtype.is_native:
            raise NotByElements(f"it reads {value.type}")
        known = parts.alone if is_single(value) else parts.read
        if value not in known:
            known.append(value)


def _refuse_feedback(parts: LoopParts) -> None:
    """Find the numbers that elements depend on; refuse such as are folded over elements."""
    folded = {o.result for o in parts.reductions}
    needed: set[Value] = set()
    roots = [parts.yields[k] for k in parts.arrays] + [o.operands[0] for o in parts.reductions]
    args = {parts.args[k]: k for k in parts.numbers}
    while roots:
        more: list[Value] = []
        for value in parts.behind(roots):
            if value in folded:
                raise NotByElements("its elements depend on a reduction over all of them")
            if value is parts.iteration:
                parts.uses_iteration = True
            if value in args and value not in needed:
                needed.add(value)
                more.append(parts.yields[args[value]])
        roots = more
    parts.needed = [k for k in parts.numbers if parts.args[k] in needed]
