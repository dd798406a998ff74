"""`for`: Python iterables run in Python; tensors and ranges of tensors make a loop of the program.

A Python-counted loop whose exit condition turns into a tensor (a `break` under a condition on a tensor) hands its
remaining iterations to the program: ranges as a loop, other iterables as one `if` per item.
"""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...base import dtype as dt
from ...base.errors import CaptureError
from ...base.frame_marks import fails_for_caller
from ...base.location import caller_loc
from ...dygraph.tensor import Tensor
from ...ops.dims import deciding
from ...ops.op import OPS
from ..trace.reachable import held_behind
from ..trace.rolling import LEAST_LEFT
from ..trace.state.escapes import with_origins
from ..trace.state.outside_iterators import OutsideSequence, Stepped
from ..trace.tracer import Tracer, active
from .generators import Generated, is_one_by_one
from .handlers import handled
from .raising import CaughtAround
from .regions.branches import run_branches
from .regions.decisions import has_too_many
from .regions.items_in_doubt import decide_items, look
from .regions.loops import LoopCapture
from .regions.region_state import StateAccess, with_consumers
from .regions.rolled import fill, is_long, roll
from .stdlib.iterations import Iterations, RangeIterations, as_iterations
from .stdlib.iterators import NumberIterator, UsersSteps, iterated
from .while_loop import flag_of

MOST_UNROLLED = 4096
_MOST_INSIDE = 32  # iterations, each inside a condition of the one before
_ENDLESS = 1 << 40  # iterations that no run gets to


@fails_for_caller
def for_loop(
    iterable: Any,
    goes_on: Callable[[], Any] | None,
    body_fn: Callable[[Any], Any],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    live: tuple[str, ...],
    *,
    unrolled: bool = False,
) -> None:
    """Run or trace one `for`. unrolled: iterations whose number is known are one piece of code each."""
    tracer = active()
    is_last = tracer is not None and sys._getframe(1).f_code is tracer.compound
    state = StateAccess(get_state, set_state, names, live, is_last)
    if tracer is not None:
        decide_items(tracer, iterable)
        iterable = iterated(tracer, iterable)
    functions: Sequence[Callable[..., Any]] = (body_fn,) if goes_on is None else (body_fn, goes_on)
    if isinstance(iterable, Generated) and iterable.can_push():
        iterable.run(tracer, body_fn, goes_on, state, functions)
        return
    if tracer is None:
        _ForLoop(None, goes_on, body_fn, state, functions).in_python(iter(iterable), iterable)
        return
    _trace(tracer, _ForLoop(tracer, goes_on, body_fn, *with_consumers(tracer, state, functions)), iterable, unrolled)


@fails_for_caller
def _trace(tracer: Tracer, loop: _ForLoop, iterable: Any, unrolled: bool) -> None:
    """Trace a loop over something: one of the program where it can be, else one iteration after the other."""
    goes_on, body_fn = loop.goes_on, loop.body_fn
    iterations = as_iterations(iterable)
    if iterations is not None and isinstance(iterations.count, int) and not iterations.count:
        return
    if iterations is not None:
        is_short = isinstance(iterations.count, int) and iterations.count <= MOST_UNROLLED
        if not ((unrolled or tracer.unrolls) and is_short):
            try:
                loop.in_program(tracer, iterations)
                return
            except CaptureError as error:
                if is_one_by_one(error):
                    raise with_origins(tracer, error, [iterations.count]) from error.__cause__
                if not is_short:
                    _fork(iterations, error)
                    raise
        iterable = iterations  # what can't be one iteration for all can still be one piece of code per iteration
    if goes_on is None and not (unrolled or tracer.unrolls) and is_long(tracer, iterable):
        body_fn(iterable[0])  # what starts as a Python number or None is a tensor after it
        iterable = iterable[1:]
        if loop.rolled(tracer, iterable):
            return
    loop.in_python(iter(iterable), iterable)


def _fork(iterations: Iterations, error: CaptureError) -> None:
    """A list whose length an `if` left open has a known one on either path."""
    segment = iterations.segment()
    if segment is not None and segment.decision is not None:
        segment.decision.fork(str(error))


@dataclass(frozen=True, slots=True)
@fails_for_caller
class _ForLoop:
    """One `for` statement: its body, the condition after each iteration, and what they write."""

    tracer: Tracer | None
    goes_on: Callable[[], Any] | None
    body_fn: Callable[[Any], Any]
    state: StateAccess
    functions: Sequence[Callable[..., Any]]

    def in_python(self, items: Iterator[Any], iterable: Any) -> None:
        """One iteration after the other; from the first tensor condition on, the program's."""
        for number, item in enumerate(self._looked_at(items, iterable)):
            passed = 0 if self.tracer is None else self.tracer.rolling.passed
            self.body_fn(item)
            if self.goes_on is None:
                if self.tracer is not None and self.tracer.rolling.passed > passed and type(iterable) is range:
                    if self._ended_early(self.tracer, iterable[number + 1 :]):
                        return
                continue
            flag = self.goes_on()
            if self.tracer is not None and isinstance(flag, Tensor):
                if isinstance(iterable, (OutsideSequence, UsersSteps)):
                    self._inside(self.tracer, iterable, flag, self.goes_on)
                    return
                self._promote(self.tracer, _remaining(iterable, items, number), flag, self.goes_on)
                return
            if not flag:
                return

    def _looked_at(self, items: Iterator[Any], iterable: Any) -> Iterator[Any]:
        """The items; Python sees what the iterable holds."""
        if self.tracer is None:
            yield from items
            return
        for item in items:
            yield item
            look(self.tracer, (iterable, items))

    def rolled(self, tracer: Tracer, rest: range) -> bool:
        """All iterations that are left as one loop of the program, if that can be and pays.

        Where one of them raises what code around the loop catches, the loop may end early.
        """
        try:
            return roll(tracer, rest, self.body_fn, self.state, self.functions)
        except CaughtAround:
            pass  # out of the handler: what the code raises again has no context of the first time
        return self._ended_early(tracer, rest)

    def _ended_early(self, tracer: Tracer, rest: range) -> bool:
        """The same of a loop that may end with an exception which code around it catches."""
        if len(rest) < LEAST_LEFT or not tracer.rolling.allowed:
            return False
        try:
            replace(self, goes_on=lambda: True).in_program(tracer, RangeIterations(rest.start, rest.stop, rest.step))
        except CaptureError:
            return False
        tracer.rolling.used = True
        return True

    def in_program(self, tracer: Tracer, iterations: Iterations, first: Tensor | None = None) -> None:
        """All iterations as one loop of the program; `first`: whether there is a first iteration at all."""
        count: Tensor = tracer.constant(iterations.count, dt.int64)
        goes_on = self.goes_on
        if goes_on is None:
            known = isinstance(iterations.count, int) and iterations.count > 0
            if known and fill(tracer, iterations, self.body_fn, self.state, self.functions):
                return

            def one_iteration(iteration: Tensor | None, inner: list[Tensor]) -> list[Any]:
                _count(tracer, iteration, iterations)
                self.body_fn(iterations.item(iteration))
                return []

            try:
                known = isinstance(iterations.count, int) and iterations.count > 0
                LoopCapture(
                    tracer, self.state, self.functions, one_iteration, [], tracer.value_of(count), runs=known
                ).run()
            except CaughtAround:
                replace(self, goes_on=lambda: True).in_program(tracer, iterations)
            except Exception as error:  # broad: any class that the user's code raises
                _refuse_handled(error)
                raise
            return
        zero = tracer.constant(0, dt.int64)
        starts = zero < count
        starts = starts if first is None else OPS["logical_and"](first, starts)

        def step(_: Tensor | None, inner: list[Tensor]) -> list[Any]:
            _count(tracer, inner[1], iterations)
            self.body_fn(iterations.item(inner[1]))
            following = inner[1] + 1
            return [OPS["logical_and"](following < count, flag_of(tracer, goes_on())), following]

        inner = [flag_of(tracer, starts), zero]
        # the code runs once for each path and records the same each time; whether all can be one loop is tried once
        key = self.body_fn.__code__, first is None, iterations.count if isinstance(iterations.count, int) else None
        if (failure := tracer.rolling.one_by_one.get(key)) is not None:
            raise failure
        try:
            LoopCapture(tracer, self.state, self.functions, step, inner, None).run()
        except CaptureError as error:
            tracer.rolling.one_by_one[key] = error
            raise

    def _inside(
        self, tracer: Tracer, items: Iterator[Any], flag: Tensor, goes_on: Callable[[], Any], depth: int = 0
    ) -> None:  # fmt: skip
        """The iterations that are left, each inside the condition that it takes place, for iterators that others see:
        only an iteration that takes place moves it.
        """
        if depth == _MOST_INSIDE:
            raise CaptureError(
                f"a loop that a tensor ends goes on for more than {depth} items of an iterator that isn't the "
                "function's own",
                loc=caller_loc(),
                remedy="loop over a list of the items, or over a range or tensor",
            )

        def rest() -> None:
            going: Any = True
            while going is not False and not isinstance(going, Tensor):
                try:
                    item = next(items)
                except StopIteration:
                    return
                self.body_fn(item)
                going = goes_on()
                going = going if isinstance(going, Tensor) else bool(going)
            if isinstance(going, Tensor):
                self._inside(tracer, items, going, goes_on, depth + 1)

        moved = items.step.__self__ if isinstance(items, UsersSteps) else items
        functions = (*self.functions, lambda: moved)  # whose code reaches what an item changes
        run_branches(tracer, tracer.flag(flag), rest, lambda: None, self.state, functions)

    def _promote(self, tracer: Tracer, rest: Sequence[Any], flag: Tensor, goes_on: Callable[[], Any]) -> None:
        if not len(rest):
            return
        if isinstance(rest, range) and len(rest) > 1:
            try:
                self.in_program(tracer, RangeIterations(rest.start, rest.stop, rest.step), flag_of(tracer, flag))
                return
            except CaptureError:
                if len(rest) > MOST_UNROLLED or has_too_many(tracer):
                    raise
        going: Any = flag
        for item in rest:
            if not isinstance(going, Tensor) and not going:
                return
            if isinstance(going, Tensor):
                sides = set[bool]()  # that are traced here: both, or one where the code around is traced once per path
                one_iteration = functools.partial(self._one_of_two, sides, item)
                ended = functools.partial(sides.add, False)
                functions = (*self.functions, _reaching(item))  # what the item holds may change
                run_branches(tracer, tracer.flag(going), one_iteration, ended, self.state, functions)
                if True not in sides:
                    return
            else:
                self.body_fn(item)
            going = goes_on()

    def _one_of_two(self, sides: set[bool], item: Any) -> None:
        sides.add(True)
        self.body_fn(item)


def _refuse_handled(error: Exception) -> None:
    """CaptureError for an error that Python raises in an iteration, where code around handles it: it sees what this
    and the iterations before it have changed, which a traced iteration takes back.
    """
    if not isinstance(error, CaptureError) and handled(broadly=True, depth=3):
        raise CaptureError(
            f"an iteration of this loop raises {type(error).__name__}, which code around the loop handles",
            loc=caller_loc(),
            remedy="move the `try` into the loop",
        ) from error


def _reaching(item: Any) -> Callable[[], Any]:
    """Code that reaches an item."""
    return lambda: item


def _count(tracer: Tracer, iteration: Tensor | None, iterations: Iterations) -> None:
    """Note how many iterations a loop has whose number this is."""
    if iteration is not None and not isinstance(iterations.count, Tensor):
        tracer.counts[tracer.value_of(iteration)] = iterations.count


@fails_for_caller
def _remaining(iterable: Any, items: Iterator[Any], number: int) -> Sequence[Any]:
    """The items after the one numbered `number`."""
    if isinstance(iterable, range):
        return iterable[number + 1 :]
    found: Sequence[Any] | None = None
    if isinstance(iterable, itertools.count):
        found = _counted(*(*iterable.__reduce__()[1], 1)[:2])
    if isinstance(iterable, NumberIterator):
        found = _counted(iterable.value, iterable.step)
    if found is None:
        found = list(itertools.islice(items, MOST_UNROLLED + 1))
    if isinstance(iterable, Stepped):
        iterable.left = True
    if not isinstance(found, range) and len(found) > MOST_UNROLLED:
        raise CaptureError(
            f"a loop over {type(iterable).__name__} has more than {MOST_UNROLLED} iterations after a tensor condition",
            loc=caller_loc(),
            remedy="loop over a range, itertools.count of integers, or a tensor",
        )
    return found


def _counted(first: Any, step: Any) -> range | None:
    """The numbers of `itertools.count`, if they are integers."""
    if isinstance(first, int) and isinstance(step, int) and step:
        return range(first, first + step * _ENDLESS, step)
    return None


def repeated(tracer: Tracer, count: Any, step: Callable[[Any, Any], Any], state: Any) -> Any:
    """A loop of the library: the state after `count` times `state = step(iteration, state)`. See Tracer.repeat."""
    kept = [state]

    def body(iteration: Any) -> None:
        kept[0] = step(iteration, kept[0])

    def put(values: tuple[Any, ...]) -> None:
        kept[0] = values[0]

    name, held = ("a state over time",), held_behind(step)  # the user's code and objects, which may have state
    access = StateAccess(lambda: (kept[0],), put, name, name, False)
    loop = _ForLoop(tracer, None, body, *with_consumers(tracer, access, (body, _reaching(held))))
    with deciding(tracer.decide):
        _trace(tracer, loop, RangeIterations(count), False)
    return kept[0]
