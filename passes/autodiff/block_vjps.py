"""Gradients of operations with blocks and of callbacks; the two entry points for all of reverse mode.

`vjp_operation` differentiates one operation, `vjp_block_values` the operations of a block. Both emit through a builder
and may rewrite forward loops and branches in place (more carried values and results; existing Values stay themselves).
The backward of a loop is a `for` that runs the iterations in reverse.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import compress
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.errors import GradientError
from ...ir.builder import Builder
from ...ir.core import Block, Operation, Value
from ...ir.walk import free_values
from ...ops.dims import same_shape
from ...ops.op import FUNCTIONS, OPS
from ...ops.sizes import freshened
from ...ops.types import TensorType, ValueType
from .function_vjps import vjp_call, vjp_function
from .presence import Dependence, backward_presence, runs
from .residuals import CarriedLoop, computed_sizes, export_residuals, needs_of, scalar_count, stack_residuals
from .reverse import (
    Arrived,
    Contributions,
    Gradients,
    Grads,
    Rule,
    carries_gradient,
    dependents,
    either,
    emitting,
    gradient_place,
    influences,
    inputs_of,
    located,
    passes_gradient,
    reverse,
    row_vjp,
    sweep,
    zeroed,
    zeros,
)
from .size_values import fitted, tell_sizes

_BOOL = TensorType(dt.bool_, ())
_OPEN: Any = object()  # only the blocks of an `if` know
_ALWAYS = Dependence.ALWAYS


def vjp_operation(
    builder: Builder, operation: Operation, grads: Sequence[Value | None], needed: Collection[Value] | None = None
) -> dict[Value, Value]:
    """Gradients of one operation: what it reads (`inputs_of`) -> gradient, for inputs in `needed` (None: all).

    grads: one per result, None where nothing arrives. Inputs without a gradient are missing from the answer.
    Errors: GradientError for an operation that can't be differentiated.
    """
    wanted = {v for v in (inputs_of(operation) if needed is None else needed) if carries_gradient(v)}
    gradients = Gradients()
    if wanted and passes_gradient(operation) and any(g is not None for g in grads):
        with emitting(builder, gradients.values), located(builder, gradient_place(operation)):
            for value, arrived in rule_of(builder, operation, _arrived(grads), wanted):
                gradients.add(value, arrived)
    return {value: arrived.gradient for value, arrived in gradients.of.items()}


def vjp_block_values(
    builder: Builder, outputs: Sequence[Value], output_grads: Sequence[Value | None], wrt: Sequence[Value], *,
    block: Block | None = None,
) -> list[Value | None]:  # fmt: skip
    """Gradients of `outputs` (weighted by output_grads; None: nothing arrives) with respect to `wrt`; None: no path.

    Covers the operations of one block: `block`, by default the innermost one among those that make the outputs. Values
    of `wrt` may be its arguments, its results, or values of blocks around it.
    """
    found = vjp_block(builder, outputs, _arrived(output_grads), wrt, block=block)
    return [None if a is None else a.gradient for a in found]


def vjp_block(
    builder: Builder, outputs: Sequence[Value], given: Grads, wrt: Sequence[Value], *, block: Block | None = None
) -> list[Arrived | None]:
    """The same, with the bools that tell which gradients the run has. The others are zeros."""
    if not outputs:
        return [None] * len(wrt)
    operations = list((block or _innermost(outputs)).operations)
    found: list[Arrived | None] = []
    with emitting(builder, lambda: [v for a in found if a is not None for v in (a.gradient, a.there)]):
        gradients = Gradients()
        for output, arrived in zip(outputs, given, strict=True):
            gradients.add(output, arrived)
        reverse(builder, operations, gradients, wrt, rule_of)
        found += gradients.shown(wrt)
    return found


def _arrived(grads: Sequence[Value | None]) -> Grads:
    return [None if g is None else Arrived(g) for g in grads]


def _innermost(values: Iterable[Value]) -> Block:
    found: Block | None = None
    for value in values:
        if found is None or found.encloses(value.block):
            found = value.block
    assert found is not None
    return found


def rule_of(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    """The gradients of one operation's inputs. Python code that takes part runs only where a gradient arrives."""
    rule = _RULES.get(operation.name)
    there = None if operation.blocks else either(grads)
    before = len(builder.block.operations)
    made = row_vjp(operation, grads, needed) if rule is None else rule(builder, operation, grads, needed)
    if there is None or all(o.is_pure for o in builder.block.operations[before:]):
        return made
    return _only_where(builder, there, list(made), before)


def _only_where(builder: Builder, there: Value, found: Sequence[tuple[Value, Arrived]], first: int) -> Contributions:
    """Put what was emitted since `first` into an `if`, without which the gradients are zeros."""
    then, other = Block(), Block()
    for operation in builder.block.operations[first:]:
        then.append(operation)
    del builder.block.operations[first:]
    flags = [there if a.there is None else a.there for _, a in found]
    with builder.inside(then):
        builder.yield_([*(zeroed(a) for _, a in found), *flags])
    with builder.inside(other):
        builder.yield_([*(zeros(builder, a.gradient.type) for _, a in found), *(there for _ in found)])
    results = builder.if_(there, then, other)
    return [
        (value, Arrived(gradient, flag))
        for (value, _), gradient, flag in zip(found, results, results[len(found) :], strict=False)
    ]


def _inner(block: Block) -> list[Operation]:
    return [o for o in block.operations if not o.is_terminator]


# if


def _if(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    """An `if` on the same condition whose branches yield the gradients of what either branch reads."""
    made: list[Block] = []
    found: list[Gradients] = []
    for block in operation.blocks:
        gradients, backward = Gradients(), Block()
        with builder.inside(backward):
            for value, arrived in zip(block.yields, grads, strict=True):
                gradients.add(value, _fitted(arrived, value.type))
            reverse(builder, _inner(block), gradients, needed, rule_of)
        made.append(backward)
        found.append(gradients)
    targets = [v for v in inputs_of(operation) if v in needed and any(v in g.of for g in found)]
    if not targets:
        return ()
    flags = [_decided(builder, operation.operands[0], [g.of.get(v) for g in found]) for v in targets]
    open_ = [v for v, flag in zip(targets, flags, strict=True) if flag is _OPEN]
    for backward, gradients in zip(made, found, strict=True):
        with builder.inside(backward):
            grown = [gradients.get(v) or zeros(builder, v.type) for v in targets]
            builder.yield_([*grown, *(_flag(builder, gradients.of.get(v)) for v in open_)])
        sweep(backward)
    for block, backward in zip(operation.blocks, made, strict=True):
        tell_sizes(block, backward, computed_sizes(operation, needs_of(block, backward)))
    export_residuals(operation, made)
    results = builder.if_(operation.operands[0], *made)
    told = iter(results[len(targets) :])
    exact = [all(g.of[v].exact for g in found if v in g.of) for v in targets]
    there = [next(told) if flag is _OPEN else flag for flag in flags]
    return [(v, Arrived(r, t, e)) for v, r, t, e in zip(targets, results, there, exact, strict=False)]


def _fitted(arrived: Arrived | None, kind: ValueType) -> Arrived | None:
    return None if arrived is None else arrived._replace(gradient=fitted(arrived.gradient, kind))


def _decided(builder: Builder, condition: Value, sides: Sequence[Arrived | None]) -> Value | None:
    """The bool that tells whether an `if` gives a gradient, if one from before it does; None: it always does."""
    a, b = sides
    if a is not None and b is not None:
        found: Value | None = a.there if a.there is b.there else _OPEN
        return found
    one = a or b
    if condition.type != _BOOL or (one is not None and one.there is not None):
        found = _OPEN
    else:
        found = condition if b is None else OPS["logical_not"](condition)
    return found


def _flag(builder: Builder, arrived: Arrived | None) -> Value:
    """Whether a gradient is there, as a bool of the program."""
    if arrived is not None and arrived.there is not None:
        return arrived.there
    return builder.constant(arrived is not None, dt.bool_)


# Loops


def _loop(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    """A `for` over the iterations in reverse: it carries gradients of carried values, and sums for free values."""
    loop = CarriedLoop(operation)
    outer = [v for v in free_values(loop.body) if v in needed]
    active = _active(loop, grads, needed, outer)
    if not active:
        return ()
    start = [Dependence.NEVER if a is None else _ALWAYS if a.there is None else Dependence.SOMETIMES
             for a in (grads[k] for k in active)]  # fmt: skip
    known = backward_presence(loop, active, outer, start)
    reached = [d is not Dependence.NEVER for d in known.carried]  # not the lists of an earlier backward pass, say
    active, states = [*compress(active, reached)], [*compress(known.carried, reached)]
    given = [zeros(builder, loop.results[k].type) if (a := grads[k]) is None else zeroed(a) for k in active]
    asked = [k for k, dependence in zip(active, states, strict=True) if dependence is not _ALWAYS]
    given += [_flag(builder, grads[k]) for k in asked]
    made, summed = _backward_body(builder, loop, active, asked, dict(zip(outer, known.free, strict=True)))
    count = loop.count()
    sweep(made)
    tell_sizes(loop.body, made)
    starts = [*given, *(zeros(builder, v.type) for v in summed)]
    starts += [builder.constant(False, dt.bool_) for each in summed.values() if not each]
    results = iter(builder.for_(count, [*starts, *stack_residuals(builder, loop, made, count)], made))
    carried = {k: next(results) for k in active}
    flags = {k: next(results) for k in asked}
    sums = {v: next(results) for v in summed}
    found = [
        (loop.inits[k], Arrived(fitted(g, loop.inits[k].type), flags.get(k)))
        for k, g in carried.items() if loop.inits[k] in needed
    ]  # fmt: skip
    ran = None
    if not runs(loop) and any(summed.values()):
        ran = OPS["greater_than"](scalar_count(builder, count), builder.constant(0, dt.int64))
    for value, gradient in sums.items():
        found.append((value, Arrived(gradient, ran if summed[value] else next(results))))
    return found


def _active(loop: CarriedLoop, grads: Grads, needed: set[Value], outer: Sequence[Value]) -> list[int]:
    """Carried values through which gradients flow: they depend on what is needed, and a given gradient on them."""
    operations = _inner(loop.body)
    count = len(loop.args)
    varied = {k for k in range(count) if loop.inits[k] in needed}
    while True:
        reached = dependents(operations, [*outer, *(loop.args[k] for k in varied)])
        more = {k for k in range(count) if loop.yields[k] in reached} - varied
        if not more:
            break
        varied |= more
    useful = {k for k in range(count) if grads[k] is not None}
    while True:
        reached = influences(operations, [loop.yields[k] for k in useful])
        more = {k for k in range(count) if loop.args[k] in reached} - useful
        if not more:
            break
        useful |= more
    return sorted(k for k in varied & useful if carries_gradient(loop.args[k]))


def _backward_body(
    builder: Builder, loop: CarriedLoop, active: Sequence[int], asked: Sequence[int], outer: Mapping[Value, Dependence]
) -> tuple[Block, dict[Value, bool]]:
    """The body of the backward loop, still reading forward values, and the free values it sums gradients for.

    It carries gradients, the bools of those `asked`, the sums, and the bools of sums that not every iteration adds to.
    """
    made = Block([TensorType(dt.int64, ())])
    gradients = Gradients()
    with builder.inside(made):
        args = {k: made.add_arg(_gradient_type(loop, k)) for k in active}
        flags = {k: made.add_arg(_BOOL) for k in asked}
        for k, arg in args.items():
            gradients.add(loop.yields[k], Arrived(fitted(arg, loop.yields[k].type), flags.get(k)))
        reverse(builder, _inner(loop.body), gradients, [*(loop.args[k] for k in active), *outer], rule_of)
        ends = {k: gradients.of.get(loop.args[k]) for k in active}
        handed = [zeros(builder, loop.args[k].type) if a is None else zeroed(a) for k, a in ends.items()]
        handed += [_flag(builder, ends[k]) for k in asked]
        sums = {v: gradients.of[v] for v in outer if v in gradients.of}
        handed += [OPS["add"](made.add_arg(v.type), zeroed(a)) for v, a in sums.items()]
        each = {v: outer[v] is _ALWAYS for v in sums}
        handed += [OPS["logical_or"](made.add_arg(_BOOL), _flag(builder, a)) for v, a in sums.items() if not each[v]]
        builder.yield_(handed)
    return made, each


def _gradient_type(loop: CarriedLoop, k: int) -> ValueType:
    """The type of a carried gradient: where iterations change sizes, each has its own."""
    kind = loop.results[k].type
    if not isinstance(kind, TensorType) or _same(kind, loop.args[k].type, loop.yields[k].type):
        return kind
    return freshened(kind)


def _same(kind: TensorType, *others: ValueType) -> bool:
    return all(isinstance(t, TensorType) and same_shape(t.shape, kind.shape) for t in others)


# Callbacks and lists


def _callback(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    found, _ = callback_gradient(builder, operation, grads)
    return [(value, arrived) for value, arrived in found if value in needed]


def callback_gradient(
    builder: Builder, operation: Operation, grads: Grads, callee: str | None = None, more: Sequence[Value] = (),
    also: Sequence[TensorType] = (),
) -> tuple[list[tuple[Value, Arrived]], list[Value]]:  # fmt: skip
    """A callback of `attrs["gradient"]` that gives the gradients of all float inputs, in order.

    It takes, for form "array": inputs, results, gradients of the float results; for a layer, whose last result is the
    handle of its context: the handle, which gradients there are, then the gradients, zeros for those missing. For a
    "partial layer" it gives a bool per gradient as well: whether there is one. callee: another callback, which takes
    `more` at the end, and has further results of the types `also`: they come second.
    """
    targets = [v for v in operation.operands if carries_gradient(v)]
    pairs = [(a, r) for r, a in zip(operation.results, grads, strict=True) if carries_gradient(r)]
    given = [zeros(builder, result.type) if arrived is None else zeroed(arrived) for arrived, result in pairs]
    attrs, kinds = operation.attrs, [v.tensor_type for v in targets]
    partial = attrs["form"] == "partial layer"
    kinds += [_BOOL] * len(targets) if partial else []
    if attrs["form"] != "array":
        inputs = [operation.results[-1], _flags(builder, [a for a, _ in pairs]), *given]
    else:
        inputs = [*operation.operands, *operation.results, *given]
    made = builder.callback(callee or attrs["gradient"], [*inputs, *more], [*kinds, *also], form=attrs["form"])
    flags = made[len(targets) :] if partial else [either(grads)] * len(targets)
    found = zip(targets, made, flags, strict=False)
    return [(value, Arrived(gradient, there)) for value, gradient, there in found], made[len(kinds) :]


def _flags(builder: Builder, grads: Grads) -> Value:
    """Which gradients there are, as one array of bools."""
    if all(a is None or a.there is None for a in grads):
        return builder.constant(np.array([a is not None for a in grads], bool))
    made: Value = FUNCTIONS["stack"]([_flag(builder, a) for a in grads])
    return made


def _list_push(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    """The gradient of a list is a list of gradients: what was pushed gets what is popped."""
    assert grads[0] is not None
    found = builder.apply(OPS["list_pop"], (grads[0].gradient,), {})
    there = either(grads)
    return [(v, Arrived(g, there)) for v, g in zip(operation.operands, found, strict=True) if v in needed]


def _list_pop(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    """A list that gets no gradient afterwards counts as used up: the lists of loops are."""
    pairs = zip(grads, operation.results, strict=True)
    rest, last = (zeros(builder, r.type) if a is None else zeroed(a) for a, r in pairs)
    grown = builder.apply(OPS["list_push"], (rest, last), {})
    return [(operation.operands[0], Arrived(grown, either(grads)))]


def _function(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    return vjp_function(builder, operation, grads, needed, rule_of)


def _group(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    raise GradientError("a fused group can't be differentiated", remedy="differentiate before fusion")


_RULES: dict[str, Rule] = {
    "if": _if, "for": _loop, "while": _loop, "callback": _callback, "list_push": _list_push, "list_pop": _list_pop,
    "group": _group, "function": _function, "call": vjp_call,
}  # fmt: skip
