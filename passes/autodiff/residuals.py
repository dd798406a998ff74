"""How forward values reach the backward blocks of `if` and loops.

The backward blocks first refer to forward values directly. Here each such value, if prune.py doesn't have it computed
again, becomes a result of the forward `if`, or is pushed on a list in the forward loop and popped in the backward one.
Lists of inner loops are carried through outer ones: stacks that grow over all iterations and shrink in reverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...base import dtype as dt
from ...base.errors import GradientError
from ...ir.builder import Builder, ahead_of
from ...ir.core import Block, Operation, Value, is_list
from ...ir.dynamic_sizes import known_before
from ...ir.known_numbers import literal_number
from ...ir.walk import clone_operation, holder_in, map_type
from ...ops.dims import deciding
from ...ops.op import OPS
from ...ops.sizes import any_issued, fresh_size, is_plain, runtime_names
from ...ops.types import ListType, TensorType, ValueType
from .prune import plan
from .reverse import sweep, zeros


class CarriedLoop:
    """A `for` or `while` seen as one thing: carried values with their operand, argument, yield and result."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.body = operation.blocks[-1]
        self.skip = 1 if operation.name == "for" else 0

    @property
    def inits(self) -> list[Value]:
        return self.operation.operands[self.skip :]

    @property
    def args(self) -> list[Value]:
        return self.body.args[self.skip :]

    @property
    def yields(self) -> list[Value]:
        return self.body.yields

    @property
    def results(self) -> list[Value]:
        return self.operation.results

    def edit(self) -> Builder:
        """A builder right before the loop."""
        return ahead_of(self.operation)

    def edit_end(self) -> Builder:
        """A builder at the end of the body."""
        builder = Builder(self.body, before=self.body.terminator)
        builder.loc = self.operation.loc
        return builder

    def carry(self, start: Value) -> Value:
        """A new carried value; returns its argument. Follow with `hand_on`."""
        self.operation.add_operand(start)
        for block in self.operation.blocks[:-1]:
            block.add_arg(start.type)
        return self.body.add_arg(start.type)

    def hand_on(self, value: Value) -> Value:
        """Yield the newest carried value; returns its result."""
        self.body.terminator.add_operand(value)
        return self.operation.add_result(value.type)

    def count(self) -> Value:
        """The trip count, int64 without axes, made before or by the loop."""
        if self.operation.name == "for":
            return self.operation.operands[0]
        for k, arg in enumerate(self.args):
            if _is_counter(self.inits[k], arg, self.yields[k]):
                return self.results[k]
        builder = self.edit()
        arg = self.carry(builder.constant(0, dt.int64))
        end = self.edit_end()
        with end.active():
            following = OPS["add"](arg, end.constant(1, dt.int64))
        return self.hand_on(following)


def _is_counter(start: Value, arg: Value, following: Value) -> bool:
    """Whether a carried value counts iterations: 0, then one more each time."""
    step = following.operation
    if arg.type != TensorType(dt.int64, ()) or step is None or not step.op.is_sum or arg not in step.operands:
        return False
    other = step.operands[1 if step.operands[0] is arg else 0]
    return bool(literal_number(start) == 0 and literal_number(other) == 1)


def needs_of(forward: Block, backward: Block) -> list[Value]:
    """Values made in `forward` (not deeper) that something in `backward` reads, in order."""
    made = [*forward.args, *(r for o in forward.operations for r in o.results)]
    return [v for v in made if any(_stands_in(user, backward) for user, _ in v.uses)]


def _stands_in(operation: Operation, block: Block) -> bool:
    return operation.parent is not None and block.encloses(operation.parent)


def redirect(value: Value, other: Value, block: Block) -> None:
    """Let everything in `block` that reads `value` read `other`."""
    for user, k in list(value.uses):
        if _stands_in(user, block):
            user.set_operand(k, other)


def put_first(block: Block, operations: Iterable[Operation]) -> None:
    """Move operations to the beginning of a block."""
    moved = list(operations)
    for operation in moved:
        operation.parent = block
    block.operations[:0] = moved


def recompute(operations: Iterable[Operation], mapping: dict[Value, Value], into: Block) -> None:
    """Repeat operations in a block; `mapping` learns their results."""
    for operation in operations:
        into.append(clone_operation(operation, mapping))


# `if`


def export_residuals(forward: Operation, backward: Sequence[Block]) -> None:
    """Make everything that the backward blocks read of the forward blocks reach them."""
    exports: list[list[Value]] = []
    for block, made in zip(forward.blocks, backward, strict=True):
        needs = needs_of(block, made)
        tensors = [v for v in needs if not is_list(v)]
        decided = plan(block, tensors, free=block.yields)
        for value in block.yields:
            if value in needs and not is_list(value):
                redirect(value, forward.results[block.yields.index(value)], made)
        mapping = {v: forward.results[k] for k, v in enumerate(block.yields) if not is_list(v) and v.block is block}
        prelude = Block()
        recompute(decided.recomputed, mapping, prelude)
        for operation in decided.recomputed:
            redirect(operation.result, mapping[operation.result], made)
        put_first(made, prelude.operations)
        exports.append([*decided.saved, *(v for v in needs if is_list(v))])
    _export(forward, exports, backward)


def _export(forward: Operation, exports: Sequence[list[Value]], backward: Sequence[Block]) -> None:
    """New results of the `if`: values of one branch, paired with some of the same type of the other if there are."""
    then, other = exports
    left = list(other)
    for value in then:
        with deciding(None):  # of the same type as they stand: no assumption on sizes
            partner = next((v for v in left if v.type == value.type), None)
        if partner is not None:
            left.remove(partner)
        _export_pair(forward, [value, partner], backward)
    for value in left:
        _export_pair(forward, [None, value], backward)


def _export_pair(forward: Operation, pair: Sequence[Value | None], backward: Sequence[Block]) -> None:
    kind = next(v.type for v in pair if v is not None)
    hidden = hidden_names(forward, kind)
    result = forward.add_result(_told_alone(kind, hidden))
    for value, block, made in zip(pair, forward.blocks, backward, strict=True):
        if value is not None:
            redirect(value, _as_there(made, result, kind), made)
        filler = value if value is not None else _filler(block, map_type(kind, dict.fromkeys(hidden, 0)))
        block.terminator.add_operand(filler)


def hidden_names(forward: Operation, kind: ValueType) -> set[str]:
    """The sizes in the type of a branch's value that nothing outside of that branch tells."""
    if not isinstance(kind, TensorType) or not any_issued():
        return set()
    names = runtime_names(kind)
    return names - known_before(forward) if names else names


def computed_sizes(forward: Operation, values: Iterable[Value]) -> list[Value]:
    """The values of a branch with an axis that is computed from sizes which only that branch knows."""
    return [v for v in values if _told_alone(v.type, hidden_names(forward, v.type)) is not v.type]


def _told_alone(kind: ValueType, hidden: set[str]) -> ValueType:
    """The type outside of the branch: an axis computed from hidden sizes (3*u0) tells none, and gets a name."""
    if not isinstance(kind, TensorType) or all(is_plain(d) for d in kind.shape if runtime_names(d) & hidden):
        return kind
    shape = [fresh_size() if not is_plain(d) and runtime_names(d) & hidden else d for d in kind.shape]
    return TensorType(kind.dtype, tuple(shape))


def _as_there(made: Block, result: Value, kind: ValueType) -> Value:
    """`result` with the type that the backward block expects, once `made` has been told the sizes."""
    if result.type is kind or not isinstance(kind, TensorType):
        return result
    told = [k for k, o in enumerate(made.operations) if o.name == "bind_size"]
    builder = Builder(made, before=made.operations[told[-1] + 1 if told else 0])
    builder.loc = made.terminator.loc
    typed: Value = builder.apply(OPS["reshape"], (result,), {"shape": kind.shape})
    return typed


def _filler(block: Block, kind: ValueType) -> Value:
    """What stands for a value of the other branch. Sizes that only that branch knows are 0 on this path."""
    builder = Builder(block, before=block.terminator)
    builder.loc = block.terminator.loc
    return zeros(builder, kind)


# Loops


def stack_residuals(builder: Builder, loop: CarriedLoop, made: Block, count: Value) -> list[Value]:
    """Make everything that the backward body `made` reads of the loop's body reach it.

    Adds carried lists to both loops; returns the values with which the backward loop's lists start.
    """
    needs = needs_of(loop.body, made)
    prelude = Block()
    mapping = _known(builder, loop, made.args[0], count, prelude)
    decided = plan(loop.body, [v for v in needs if not is_list(v)], free=mapping)
    for value, known in mapping.items():
        redirect(value, known, made)
    starts = [_pushed(loop, value, made, prelude, mapping) for value in decided.saved]
    recompute(decided.recomputed, mapping, prelude)
    for operation in decided.recomputed:
        redirect(operation.result, mapping[operation.result], made)
    put_first(made, prelude.operations)
    starts += [_threaded(loop, value, made) for value in needs if is_list(value)]
    sweep(made)
    return starts


def _known(builder: Builder, loop: CarriedLoop, iteration: Value, count: Value, prelude: Block) -> dict[Value, Value]:
    """Arguments of the body that the backward body knows: the iteration number, and values that never change."""
    mapping = {
        arg: start for arg, start, following in zip(loop.args, loop.inits, loop.yields, strict=True)
        if following is arg and not is_list(arg)
    }  # fmt: skip
    if loop.operation.name == "for":
        last = OPS["subtract"](scalar_count(builder, count), builder.constant(1, dt.int64))
        with builder.inside(prelude):
            mapping[loop.body.args[0]] = OPS["subtract"](last, iteration)
    return mapping


def scalar_count(builder: Builder, count: Value) -> Value:
    """A loop's count as int64 without axes."""
    value = count if count.dtype is dt.int64 else OPS["cast"](count, dt.int64)
    return value if value.shape == () else OPS["reshape"](value, ())


def _pushed(loop: CarriedLoop, value: Value, made: Block, prelude: Block, mapping: dict[Value, Value]) -> Value:
    """Push `value` in every iteration of the forward loop, pop it in the backward one."""
    kind = value.tensor_type
    items = loop.carry(zeros(loop.edit(), ListType(kind)))
    result = loop.hand_on(loop.edit_end().apply(OPS["list_push"], (items, value), {}))
    popping = Builder(prelude)
    popping.loc = loop.operation.loc
    rest, popped = popping.apply(OPS["list_pop"], (made.add_arg(result.type),), {})
    made.terminator.add_operand(rest)
    redirect(value, popped, made)
    mapping[value] = popped
    return result


def _threaded(loop: CarriedLoop, value: Value, made: Block) -> Value:
    """A list that an inner loop fills in each iteration becomes one list carried through all iterations."""
    items = loop.carry(zeros(loop.edit(), value.type))
    for origin in origins(value):
        origin.result.replace_by(items)
        origin.erase()
    result = loop.hand_on(value)
    arg = made.add_arg(value.type)
    redirect(value, arg, made)
    made.terminator.add_operand(remainder(arg, made))
    return result


def origins(value: Value) -> list[Operation]:
    """The `list_new` operations from which a list value has grown."""
    operation = value.operation
    if operation is None:
        raise GradientError("a list carried by the user's loop can't be a residual")
    if operation.name == "list_new":
        return [operation]
    if operation.name == "if":
        return [o for block in operation.blocks for o in origins(block.yields[value.index])]
    if operation.name in ("for", "while"):
        return origins(CarriedLoop(operation).inits[value.index])
    return origins(operation.operands[0])


def remainder(value: Value, block: Block) -> Value:
    """What is left of a list after `block` has used it: the result of the operation that uses it up."""
    users = [(user, k) for user, k in value.uses if _stands_in(user, block)]
    if not users:
        return value
    user, k = users[0]
    if user.parent is block:
        return user.results[0] if user.name in ("list_pop", "list_push") else user.results[k - CarriedLoop(user).skip]
    outer = holder_in(block, user)
    assert outer is not None, user
    if outer.name != "if":
        raise GradientError("a list is used up inside a loop that doesn't carry it")
    for branch in outer.blocks:
        branch.terminator.add_operand(remainder(value, branch))
    return outer.add_result(value.type)
