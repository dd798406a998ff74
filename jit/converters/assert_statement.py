"""`assert`: a Python test is checked now, a tensor's test when the program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dygraph.tensor import Tensor
from ..tracer import active
from .decisions import decide
from .raising import handled
from .text import without_values


def assert_(test: Any, message: Callable[[], Any] | None) -> None:
    """Check one assertion; where code around catches, what follows is traced once per outcome.

    The message of a tensor's test is made now, so it can't hold tensors' values.
    """
    tracer = active()
    if tracer is not None and isinstance(test, Tensor) and handled(broadly=True):
        decision = decide(tracer, tracer.flag(test))
        if decision.side is None:
            decision.split()
        assert_(decision.side == 0, message)
    elif tracer is not None and isinstance(test, Tensor):
        text = "" if message is None else without_values(tracer, str(message()))
        tracer.builder.check(tracer.flag(test), text, "AssertionError")
    elif not test:
        raise AssertionError(*([] if message is None else [message()]))
