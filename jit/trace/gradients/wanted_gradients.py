"""What a program needs to find in the `.grad`s of its arguments, and which arguments eager mode's gradients read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....dygraph.tape import values_read
from ....dygraph.tensor import Tensor
from ....ir.core import Operation, Value
from ....ops.effects import Effect
from ..reachable import all_names
from ..traced import ANY_GRADIENT, GradientWanted
from ..tracer import Tracer


def wanted_gradients(tracer: Tracer, tensors: Sequence[Tensor]) -> dict[int, GradientWanted]:
    """Of the arguments whose gradients matter, what has to be so in other calls of this program, by their numbers."""
    log: Mapping[int, tuple[Any, Any, bool]] = tracer.logs[0].grads
    found: dict[int, GradientWanted] = {}
    codes = [c.original.__code__ for c in tracer.functions.values()]
    asked = any({"grad", "gradient"} & set(all_names(code)) for code in codes)
    for number, x in enumerate(tensors):
        _, grad, is_zero = log.get(id(x), (x, x._grad, x._grad_is_zero))
        exactly = (asked and not x.stop_gradient) or id(x) in tracer.grads_met
        hooks = tracer.met_hooks.of_argument(x)
        kinds = ANY_GRADIENT
        if exactly or id(x) in log or grad is not None:
            absent = ("zero" if is_zero else "none") if exactly else "none or zero"
            kinds = absent if grad is None else "tensor"
        facts = tracer.asked.facts_of(x, codes)
        if kinds != ANY_GRADIENT or hooks is not None or facts:
            found[number] = GradientWanted(kinds, hooks, id(x) not in tracer.met_hooks.computed, facts)
    return found


_SAME_MEMORY = frozenset({"stop_gradient", "straight_through"})


def read_in_backward(tracer: Tracer) -> frozenset[int]:
    """Numbers of the arguments, as they are or in views, whose elements the rules of the operations' gradients read.

    After a write to one of these eager mode refuses the backward pass. What happens in blocks and callbacks isn't
    followed: they count as if they read all that they are given.
    """
    program = tracer.program
    return frozenset(k for k, x in enumerate(program.body.args[: len(program.feeds)]) if _is_read(tracer, x))


def _is_read(tracer: Tracer, x: Value) -> bool:
    waiting, seen = [x], {x}
    while waiting:
        for operation, k in waiting.pop().uses:
            if _reads(tracer, operation, k):
                return True
            if operation.op.family == "view" or operation.name in _SAME_MEMORY:
                new = [v for v in operation.results if v not in seen]
                seen.update(new)
                waiting += new
    return False


def _reads(tracer: Tracer, operation: Operation, k: int) -> bool:
    """Whether the gradient of an operation reads its operand `k`."""
    op = operation.op
    if op.effect in (Effect.STATE, Effect.TERMINATOR) and operation.parent is tracer.program.body:
        return False
    if operation.blocks or op.effect is not Effect.PURE:
        return True
    if not any(v in tracer.edges for v in operation.results):
        return False  # no gradient goes through it
    if op.is_bilinear and operation.operands[1 - k] not in tracer.edges:
        return False  # it is for the gradient of the other operand alone
    return values_read(op, len(operation.operands))[1][k]
