"""`if`: a Python test chooses now; a tensor's test makes an `if` of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dygraph.tensor import Tensor
from ..trace.tracer import active
from .branches import run_branches
from .lists import tested
from .state import Names, with_consumers
from .steps import ONCE, step


def if_else(
    test: Any,
    then_fn: Callable[[], None],
    else_fn: Callable[[], None],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    live: tuple[str, ...],
) -> None:
    """Run one of two functions, or trace both."""
    tracer = active()
    if test is ONCE:
        if tracer is None:
            then_fn()
        else:
            state, functions = with_consumers(tracer, Names(get_state, set_state, names, live), (then_fn,))
            step(tracer, state, then_fn, functions)
        return
    test = tested(test)
    if tracer is None or not isinstance(test, Tensor):
        then_fn() if test else else_fn()
        return
    state, functions = with_consumers(tracer, Names(get_state, set_state, names, live), (then_fn, else_fn))
    run_branches(tracer, tracer.flag(test), then_fn, else_fn, state, functions)


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """`body() if test else orelse()`."""
    tracer = active()
    test = tested(test)
    if tracer is None or not isinstance(test, Tensor):
        return body() if test else orelse()
    return run_branches(tracer, tracer.flag(test), body, orelse)
