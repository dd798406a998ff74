"""`while`: runs in Python while its condition is a Python value; a tensor condition makes it a loop of the program.

The program's `while` carries the condition: it is evaluated before the loop and at the end of each iteration, so that a
condition may write state (draw random numbers, count) as any code may.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ...base.frame_marks import asks_for_caller
from ...dygraph.tensor import Tensor, wrap
from ..trace.reachable import roots_of
from ..trace.tracer import Tracer, active
from .regions.items_in_doubt import look
from .regions.loops import LoopCapture
from .regions.region_state import StateAccess, with_consumers
from .stdlib.run_lists.lists import tested


@asks_for_caller
def while_loop(
    condition_fn: Callable[[], Any],
    body_fn: Callable[[], None],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    live: tuple[str, ...],
) -> None:
    """Run or trace one `while`."""
    tracer = active()
    is_last = tracer is not None and sys._getframe(1).f_code is tracer.compound

    def condition_now() -> Any:
        if tracer is not None:
            look(tracer, roots_of((condition_fn,)))
        return tested(condition_fn())

    condition = condition_now()
    while tracer is None or not isinstance(condition, Tensor):
        if not condition:
            return
        body_fn()
        condition = condition_now()

    def step(_: Tensor | None, inner: list[Tensor]) -> list[Any]:
        body_fn()
        return [flag_of(tracer, condition_now())]

    state = StateAccess(get_state, set_state, names, live, is_last)
    state, functions = with_consumers(tracer, state, (condition_fn, body_fn))
    LoopCapture(tracer, state, functions, step, [flag_of(tracer, condition)], None).run()


@asks_for_caller
def flag_of(tracer: Tracer, condition: Any) -> Tensor:
    """A condition as a bool tensor without axes."""
    condition = tested(condition)
    if not isinstance(condition, Tensor):
        made: Tensor = tracer.constant(bool(condition), None)
        return made
    value = tracer.flag(condition)
    return wrap(value, value.dtype)
