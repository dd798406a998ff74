"""`if`: a Python condition chooses now; a condition on a tensor makes an `if` of the program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ...base.frame_marks import asks_for_caller
from ...dygraph.tensor import Tensor
from ..trace.tracer import active
from .regions.branches import run_branches
from .regions.region_state import StateAccess, with_consumers
from .stdlib.run_lists.lists import tested


@asks_for_caller
def if_else(
    condition: Any,
    then_fn: Callable[[], None],
    else_fn: Callable[[], None],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    live: tuple[str, ...],
) -> None:
    """Run one of two functions, or trace both."""
    tracer = active()
    condition = tested(condition)
    if tracer is None or not isinstance(condition, Tensor):
        then_fn() if condition else else_fn()
        return
    is_last = sys._getframe(1).f_code is tracer.compound
    state = StateAccess(get_state, set_state, names, live, is_last)
    state, functions = with_consumers(tracer, state, (then_fn, else_fn))
    run_branches(tracer, tracer.flag(condition), then_fn, else_fn, state, functions)


@asks_for_caller
def if_exp(condition: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """`body() if condition else orelse()`."""
    tracer = active()
    condition = tested(condition)
    if tracer is None or not isinstance(condition, Tensor):
        return body() if condition else orelse()
    return run_branches(tracer, tracer.flag(condition), body, orelse)
