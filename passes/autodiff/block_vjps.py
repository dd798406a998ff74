"""Gradients of operations with blocks and of callbacks; the two entry points for all of reverse mode.

`vjp_operation` differentiates one operation, `vjp_block_values` the operations of a block. Both emit through a builder
and may rewrite forward loops and branches in place (more carried values and results; existing Values stay themselves).
The backward of a loop is a `for` that runs the iterations in reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from ...base import dtype as dt
from ...base.errors import GradientError
from ...ir.builder import Builder
from ...ir.core import Block, Operation, Value
from ...ir.walk import free_values
from ...ops.dims import same_shape
from ...ops.op import OPS
from ...ops.sizes import freshened
from ...ops.types import TensorType, ValueType
from .function_vjps import vjp_call, vjp_function
from .residuals import CarriedLoop, export_residuals, stack_residuals
from .reverse import (
    Contributions,
    Gradients,
    Grads,
    carries_gradient,
    dependents,
    emitting,
    influences,
    inputs_of,
    located,
    passes_gradient,
    reverse,
    row_vjp,
    sweep,
    zeros,
)
from .size_values import fitted, tell_sizes


def vjp_operation(
    builder: Builder, operation: Operation, grads: Grads, needed: Collection[Value] | None = None
) -> dict[Value, Value]:
    """Gradients of one operation: what it reads (`inputs_of`) -> gradient, for inputs in `needed` (None: all).

    grads: one per result, None where nothing arrives. Inputs without a gradient are missing from the answer.
    Errors: GradientError for an operation that can't be differentiated.
    """
    wanted = {v for v in (inputs_of(operation) if needed is None else needed) if carries_gradient(v)}
    gradients = Gradients()
    if wanted and passes_gradient(operation) and any(g is not None for g in grads):
        with emitting(builder, lambda: gradients.of.values()), located(builder, operation.loc):
            for value, gradient in _rule(builder, operation, grads, wanted):
                gradients.add(value, gradient)
    return gradients.of


def vjp_block_values(
    builder: Builder, outputs: Sequence[Value], output_grads: Grads, wrt: Sequence[Value], *, block: Block | None = None
) -> list[Value | None]:
    """Gradients of `outputs` (weighted by output_grads; None: nothing arrives) with respect to `wrt`; None: no path.

    Covers the operations of one block: `block`, by default the innermost one among those that make the outputs. Values
    of `wrt` may be its arguments, its results, or values of blocks around it.
    """
    if not outputs:
        return [None] * len(wrt)
    operations = list((block or _innermost(outputs)).operations)
    found: list[Value | None] = []
    with emitting(builder, lambda: found):
        gradients = Gradients()
        for output, gradient in zip(outputs, output_grads, strict=True):
            gradients.add(output, gradient)
        reverse(builder, operations, gradients, wrt, _rule)
        found += [gradients.get(v) for v in wrt]
    return found


def _innermost(values: Iterable[Value]) -> Block:
    found: Block | None = None
    for value in values:
        if found is None or found.encloses(value.block):
            found = value.block
    assert found is not None
    return found


def _rule(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    rule = _RULES.get(operation.name)
    return row_vjp(operation, grads, needed) if rule is None else rule(builder, operation, grads, needed).items()


def _inner(block: Block) -> list[Operation]:
    return [o for o in block.operations if not o.is_terminator]


# if


def _if(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> dict[Value, Value]:
    """An `if` on the same condition whose branches yield the gradients of what either branch reads."""
    made: list[Block] = []
    found: list[Gradients] = []
    for block in operation.blocks:
        gradients, backward = Gradients(), Block()
        with builder.inside(backward):
            for value, gradient in zip(block.yields, grads, strict=True):
                gradients.add(value, None if gradient is None else fitted(gradient, value.type))
            reverse(builder, _inner(block), gradients, needed, _rule)
        made.append(backward)
        found.append(gradients)
    targets = [v for v in inputs_of(operation) if v in needed and any(v in g.of for g in found)]
    if not targets:
        return {}
    for backward, gradients in zip(made, found, strict=True):
        with builder.inside(backward):
            builder.yield_([gradients.get(v) or zeros(builder, v.type) for v in targets])
        sweep(backward)
    for block, backward in zip(operation.blocks, made, strict=True):
        tell_sizes(block, backward)
    export_residuals(operation, made)
    return dict(zip(targets, builder.if_(operation.operands[0], *made), strict=True))


# Loops


def _loop(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> dict[Value, Value]:
    """A `for` over the iterations in reverse: it carries gradients of carried values, and sums for free values."""
    loop = CarriedLoop(operation)
    outer = [v for v in free_values(loop.body) if v in needed]
    active = _active(loop, grads, needed, outer)
    if not active:
        return {}
    given = [grads[k] or zeros(builder, loop.results[k].type) for k in active]
    made, sums = _backward_body(builder, loop, active, outer)
    count = loop.count()
    sweep(made)
    tell_sizes(loop.body, made)
    starts = [*given, *(zeros(builder, v.type) for v in sums), *stack_residuals(builder, loop, made, count)]
    results = builder.for_(count, starts, made)
    gradients = Gradients()
    for k, gradient in zip(active, results, strict=False):
        if loop.inits[k] in needed:
            gradients.add(loop.inits[k], fitted(gradient, loop.inits[k].type))
    for value, gradient in zip(sums, results[len(active) :], strict=False):
        gradients.add(value, gradient)
    return gradients.of


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
    builder: Builder, loop: CarriedLoop, active: Sequence[int], outer: Sequence[Value]
) -> tuple[Block, list[Value]]:
    """The body of the backward loop, still reading forward values, and the free values it sums gradients for."""
    made = Block([TensorType(dt.int64, ())])
    gradients = Gradients()
    with builder.inside(made):
        for k in active:
            arg = made.add_arg(_gradient_type(loop, k))
            gradients.add(loop.yields[k], fitted(arg, loop.yields[k].type))
        targets = [*(loop.args[k] for k in active), *outer]
        reverse(builder, _inner(loop.body), gradients, targets, _rule)
        handed = [gradients.get(loop.args[k]) or zeros(builder, loop.args[k].type) for k in active]
        sums = [v for v in outer if v in gradients.of]
        handed += [OPS["add"](made.add_arg(v.type), gradients.of[v]) for v in sums]
        builder.yield_(handed)
    return made, sums


def _gradient_type(loop: CarriedLoop, k: int) -> ValueType:
    """The type of a carried gradient: where iterations change sizes, each has its own."""
    kind = loop.results[k].type
    if not isinstance(kind, TensorType) or _same(kind, loop.args[k].type, loop.yields[k].type):
        return kind
    return freshened(kind)


def _same(kind: TensorType, *others: ValueType) -> bool:
    return all(isinstance(t, TensorType) and same_shape(t.shape, kind.shape) for t in others)


# Callbacks and lists


def _callback(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> dict[Value, Value]:
    """A callback of `attrs["gradient"]` that gives the gradients of all float inputs, in order.

    It takes, for form "array": inputs, results, gradients of the float results; for form "layer", whose last result is
    the handle of its context: the handle, which gradients there are, then the gradients, zeros for those missing.
    """
    targets = [v for v in operation.operands if carries_gradient(v)]
    pairs = [(g, r) for r, g in zip(operation.results, grads, strict=True) if carries_gradient(r)]
    given = [gradient or zeros(builder, result.type) for gradient, result in pairs]
    attrs = operation.attrs
    layer = attrs["form"] == "layer"
    if layer:
        there = builder.constant(np.array([gradient is not None for gradient, _ in pairs], bool))
        inputs = [operation.results[-1], there, *given]
    else:
        inputs = [*operation.operands, *operation.results, *given]
    made = builder.callback(attrs["gradient"], inputs, [v.tensor_type for v in targets], form=attrs["form"])
    gradients = Gradients()
    for value, gradient in zip(targets, made, strict=True):
        if value in needed:
            gradients.add(value, gradient)
    return gradients.of


def _list_push(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> dict[Value, Value]:
    """The gradient of a list is a list of gradients: what was pushed gets what is popped."""
    rest, last = builder.apply(OPS["list_pop"], (grads[0],), {})
    items, value = operation.operands
    return {v: g for v, g in ((items, rest), (value, last)) if v in needed}


def _list_pop(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> dict[Value, Value]:
    """A list that gets no gradient afterwards counts as used up: the lists of loops are."""
    rest, last = (g or zeros(builder, r.type) for g, r in zip(grads, operation.results, strict=True))
    return {operation.operands[0]: builder.apply(OPS["list_push"], (rest, last), {})}


def _function(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> dict[Value, Value]:
    return vjp_function(builder, operation, grads, needed, _rule)


def _group(builder: Builder, operation: Operation, grads: Grads, needed: set[Value]) -> dict[Value, Value]:
    raise GradientError("a fused group can't be differentiated", remedy="differentiate before fusion")


_RULES: dict[str, Callable[[Builder, Operation, Grads, set[Value]], dict[Value, Value]]] = {
    "if": _if, "for": _loop, "while": _loop, "callback": _callback, "list_push": _list_push, "list_pop": _list_pop,
    "group": _group, "function": _function, "call": vjp_call,
}  # fmt: skip
