"""What a program needs to find in the `.grad`s of its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....dygraph.tensor import Tensor
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
