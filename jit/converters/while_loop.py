"""`while`: runs in Python as long as its test is a Python value; from the first tensor test on it is the program's.

The program's `while` carries the test: it is evaluated before the loop and at the end of each iteration, so that a test
may write state (draw random numbers, count) as any code may.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dygraph.tensor import Tensor, wrap
from ..trace.tracer import Tracer, active
from .lists import tested
from .loops import LoopCapture
from .state import Names, with_consumers


def while_loop(
    test_fn: Callable[[], Any],
    body_fn: Callable[[], None],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    live: tuple[str, ...],
) -> None:
    """Run or trace one `while`."""
    tracer = active()
    test = tested(test_fn())
    while tracer is None or not isinstance(test, Tensor):
        if not test:
            return
        body_fn()
        test = tested(test_fn())

    def step(_: Tensor | None, inner: list[Tensor]) -> list[Any]:
        body_fn()
        return [flag_of(tracer, tested(test_fn()))]

    state, functions = with_consumers(tracer, Names(get_state, set_state, names, live), (test_fn, body_fn))
    LoopCapture(tracer, state, functions, step, [flag_of(tracer, test)], None).run()


def flag_of(tracer: Tracer, test: Any) -> Tensor:
    """A test as a bool tensor without axes."""
    test = tested(test)
    if not isinstance(test, Tensor):
        made: Tensor = tracer.constant(bool(test), None)
        return made
    value = tracer.flag(test)
    return wrap(value, value.dtype)
