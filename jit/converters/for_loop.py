"""`for`: Python iterables run in Python, turn by turn; tensors and ranges of tensors make a loop of the program.

A Python-counted loop whose exit test turns into a tensor (a `break` under a tensor's test) hands its remaining turns to
the program: ranges as a loop, other iterables as one `if` per item.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...base import dtype as dt
from ...base.errors import CaptureError
from ...base.location import caller_loc
from ...dygraph.tensor import Tensor
from ...ops.op import OPS
from ..tracer import Tracer, active
from .branches import run_branches
from .loops import Loop
from .raising import CaughtAround
from .state import Names
from .turns import Range, Turns, as_turns
from .while_loop import flag_of

MOST_UNROLLED = 4096
_ENDLESS = 1 << 40  # turns that no run gets to


def for_loop(
    iterable: Any,
    goes_on: Callable[[], Any] | None,
    body_fn: Callable[[Any], None],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    live: tuple[str, ...],
) -> None:
    """Run or trace one `for`."""
    tracer = active()
    state = Names(get_state, set_state, names, live)
    turns = None if tracer is None else as_turns(iterable)
    if tracer is not None and turns is not None:
        try:
            _program_loop(tracer, turns, goes_on, body_fn, state)
            return
        except CaptureError:
            if not isinstance(turns.count, int) or turns.count > MOST_UNROLLED:
                raise
        iterable = turns  # what can't be one turn for all can still be one piece of code per turn
    _python_loop(tracer, iter(iterable), iterable, goes_on, body_fn, state)


def _python_loop(
    tracer: Tracer | None, items: Iterator[Any], iterable: Any, goes_on: Callable[[], Any] | None,
    body_fn: Callable[[Any], None], state: Names,
) -> None:  # fmt: skip
    for number, item in enumerate(items):
        body_fn(item)
        if goes_on is None:
            continue
        flag = goes_on()
        if tracer is not None and isinstance(flag, Tensor):
            _promote(tracer, _remaining(iterable, items, number), flag, goes_on, body_fn, state)
            return
        if not flag:
            return


def _remaining(iterable: Any, items: Iterator[Any], number: int) -> Sequence[Any]:
    """The items after the one numbered `number`."""
    if isinstance(iterable, range):
        return iterable[number + 1 :]
    if isinstance(iterable, itertools.count):
        first, step = (*iterable.__reduce__()[1], 1)[:2]
        if isinstance(first, int) and isinstance(step, int) and step:
            return range(first, first + step * _ENDLESS, step)
    rest = list(itertools.islice(items, MOST_UNROLLED + 1))
    if len(rest) > MOST_UNROLLED:
        raise CaptureError(
            f"a loop over {type(iterable).__name__} has more than {MOST_UNROLLED} turns after a tensor's test",
            loc=caller_loc(),
            remedy="loop over a range, itertools.count of integers, or a tensor",
        )
    return rest


def _program_loop(
    tracer: Tracer, turns: Turns, goes_on: Callable[[], Any] | None, body_fn: Callable[[Any], None], state: Names,
    first: Tensor | None = None,
) -> None:  # fmt: skip
    """All turns as one loop of the program; `first`: whether there is a first turn at all."""
    functions = (body_fn,) if goes_on is None else (body_fn, goes_on)
    count: Tensor = tracer.constant(turns.count, dt.int64)
    if goes_on is None:

        def one_turn(turn: Tensor | None, inner: list[Tensor]) -> list[Any]:
            body_fn(turns.item(turn))
            return []

        try:
            Loop(tracer, state, functions, one_turn, [], tracer.value_of(count)).run()
        except CaughtAround:
            _program_loop(tracer, turns, lambda: True, body_fn, state)
        return
    zero = tracer.constant(0, dt.int64)
    starts = zero < count
    starts = starts if first is None else OPS["logical_and"](first, starts)

    def step(_: Tensor | None, inner: list[Tensor]) -> list[Any]:
        body_fn(turns.item(inner[1]))
        following = inner[1] + 1
        return [OPS["logical_and"](following < count, flag_of(tracer, goes_on())), following]

    Loop(tracer, state, functions, step, [flag_of(tracer, starts), zero], None).run()


def _promote(
    tracer: Tracer,
    rest: Sequence[Any],
    flag: Tensor,
    goes_on: Callable[[], Any],
    body_fn: Callable[[Any], None],
    state: Names,
) -> None:
    if not len(rest):
        return
    if isinstance(rest, range) and len(rest) > 1:
        try:
            turns = Range(rest.start, rest.stop, rest.step)
            _program_loop(tracer, turns, goes_on, body_fn, state, flag_of(tracer, flag))
            return
        except CaptureError:
            if len(rest) > MOST_UNROLLED:
                raise
    going: Any = flag
    for item in rest:
        if not isinstance(going, Tensor) and not going:
            return
        _one_more(tracer, going, functools.partial(body_fn, item), body_fn, state)
        going = goes_on()


def _one_more(tracer: Tracer, flag: Any, turn: Callable[[], None], body_fn: Any, state: Names) -> None:
    if isinstance(flag, Tensor):
        run_branches(tracer, tracer.flag(flag), turn, lambda: None, state, (body_fn,))
    else:
        turn()
