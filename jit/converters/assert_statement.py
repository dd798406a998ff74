"""`assert`: a Python condition is checked now, a condition on a tensor when the program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.frame_marks import asks_for_caller, raises_for_caller
from ...dygraph.tensor import Tensor
from ..trace.tracer import Tracer, active
from .handlers import handled
from .regions.branches import run_branches, tried
from .regions.decisions import decide
from .stdlib.run_lists.lists import tested
from .stdlib.strings import varies


@asks_for_caller
@raises_for_caller
def assert_(condition: Any, message: Callable[[], Any] | None) -> None:
    """Check one assertion; where code around catches, what follows is traced once per outcome.

    The message is made only where the condition fails, with the values that tensors have then.
    """
    tracer = active()
    condition = tested(condition)
    if tracer is not None and isinstance(condition, Tensor) and handled(broadly=True):
        decision = decide(tracer, tracer.flag(condition))
        if decision.side is None:
            decision.split()
        assert_(decision.side == 0, message)
    elif tracer is not None and isinstance(condition, Tensor):
        text = "" if message is None else _constant_text(tracer, message)
        if text is None:
            run_branches(tracer, tracer.flag(condition), lambda: None, lambda: assert_(False, message))
        else:
            tracer.builder.check(tracer.flag(condition), text, "AssertionError")
    elif not condition:
        raise AssertionError(*([] if message is None else [message()]))


def _constant_text(tracer: Tracer, message: Callable[[], Any]) -> str | None:
    """A message that is known now and takes nothing to make; else None."""
    path = tried(tracer, message, (message,))
    if path is None:
        return None
    path.discard()
    text = path.returned
    plain = isinstance(text, str) and not varies(text) and not path.block.operations and not path.extras
    return text if plain else None
