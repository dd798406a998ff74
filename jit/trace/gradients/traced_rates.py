"""`scheduler.step()` and `get_lr()` inside a captured function: calls back into Python, at their place in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....base.dtype import float64
from ....base.pytree import flatten, unflatten
from ....dygraph.eager import from_array
from ....dygraph.modes import GradMode
from ....dygraph.number import number_over
from ....dygraph.tensor import Tensor, wrap
from ....ops.dispatch import bottom, using
from ....ops.op import OPS
from ....ops.types import TensorType


def step_scheduler(tracer: Any, scheduler: Any, rates: Sequence[Tensor], given: Any, named: Any) -> None:
    """Record a step of a learning-rate scheduler; the tensors in its arguments are those of the run.

    rates: the learning-rate tensors that the program writes. Those of other optimisers follow in Python.
    """
    leaves, tree = flatten((given, named), lambda v: isinstance(v, Tensor))

    def step(*arrays: Any) -> list[Any]:
        with using(bottom()), GradMode(False):
            args, kwargs = unflatten(tree, iter([from_array(np.array(a)) for a in arrays]))
            kept = scheduler._tensors
            scheduler._tensors = [r for r in kept if not any(r() is rate for rate in rates)]
            try:
                scheduler.step(*args, **kwargs)
            finally:
                scheduler._tensors = kept
            return [np.asarray(scheduler.last_lr, np.float64)]

    name = tracer.callback_name(f"{type(scheduler).__name__}.step")
    tracer.callbacks[name] = step
    (rate,) = tracer.builder.callback(name, [tracer.value_of(x) for x in leaves], [TensorType(float64, ())])
    with GradMode(False):
        for tensor in rates:
            made = wrap(rate, float64)
            tensor._write(made if tensor.dtype is float64 else OPS["cast"](made, tensor.dtype))


def rate_of(tracer: Any, read: Callable[[], float]) -> Any:
    """A number of the program: what `read` gives when a run gets here."""
    name = tracer.callback_name("get_lr")
    tracer.callbacks[name] = lambda: [np.asarray(read(), np.float64)]
    (rate,) = tracer.builder.callback(name, [], [TensorType(float64, ())])
    return number_over(wrap(rate, float64))
