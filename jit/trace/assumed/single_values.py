"""Single values that a trace looked at: numbers, answers, elements, gradients; and what no other call finds again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....base.location import Loc
from ....dygraph.number import Number
from ....dygraph.tensor import Tensor
from ..traced import Assumption
from ..tracer import Tracer
from .questions import Question


def read(x: Any, value: Any) -> Assumption:
    """That a number, an answer or the elements of a tensor are what they were."""
    if isinstance(x, Question):
        return Assumption("call", x, x.name, value)
    if type(x) is Number:
        return Assumption(x.origin.kind, x.origin.owner, x.origin.name, value)
    return Assumption("call", _elements(x), f"the elements of {x.name}", value)


def grad_assumptions(tracer: Tracer) -> Iterator[Assumption]:
    """Whether there were gradients: an optimiser passes over parameters without one."""
    log = tracer.logs[0]
    for entry in tracer.lifted.values():
        x = entry.tensor
        if x.stop_gradient or not (log.grads or x._grad is not None) or x in tracer.renewed:
            continue
        _, grad, is_zero = log.grads.get(id(x), (x, x._grad, x._grad_is_zero))
        if id(x) in tracer.grads_met:
            yield Assumption("grad", x, f"{x.name}.grad", grad is None and not is_zero)
        yield Assumption("added", x, f"{x.name}.grad", grad is None)


def never_again(what: str, loc: Loc) -> Assumption:
    """A function that makes a parameter is captured in each call: it has the first values of that call."""
    return Assumption("call", lambda: "of another call", f"{what} ({loc.short()})", "of one call")


def _elements(x: Tensor) -> Any:
    return lambda: x._storage.payload.tolist()
