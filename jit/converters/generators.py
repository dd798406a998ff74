"""Generators of captured code: their values are pushed into what consumes them.

A `for` over a generator runs its body where the value arises, inside the generator's own control flow, so that tensors
may decide which values there are. The body's variables are part of every construct that the generator is in by then
(`Tracer.consumers`). Who asks for single values (`next`, library code) gets a generator that runs as Python does, and
whose conditions must be Python's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from types import CellType
from typing import Any, NoReturn

from ...base.errors import CaptureError
from ...base.frame_marks import acts_for_caller, asks_for_caller
from ...base.location import caller_loc
from ...dygraph.tensor import Tensor
from ..trace.tracer import Tracer, active
from .regions.region_state import NO_STATE, Consumer, StateAccess

Push = Callable[["Emit"], Any]


@asks_for_caller
class Emit:
    """What a generator calls with each value. Whether it shall go on is the result."""

    def __init__(self, tracer: Tracer | None, body: Callable[[Any], Any], goes_on: Callable[[], Any] | None) -> None:
        self.tracer = tracer
        self.body = body
        self.goes_on = goes_on
        self.consumers = () if tracer is None else tracer.consumers  # those around the loop
        self.variables: dict[str, list[CellType]] = {}  # of a comprehension, with the cells of its rounds so far
        self.left = False  # whether the loop may have been left early

    def __call__(self, value: Any) -> Any:
        if self.tracer is None:
            self.body(value)
            return self.goes_on is None or self.goes_on()
        inside, self.tracer.consumers = self.tracer.consumers, self.consumers
        try:
            self.body(value)
            flag = self.goes_on is None or self.goes_on()
        finally:
            self.tracer.consumers = inside
        self.left = self.left or isinstance(flag, Tensor) or not flag
        return flag


@asks_for_caller
class Generated:
    """A generator of captured code.

    push: runs it whole, for a consumer; None where it can't be. pull: makes the iterator for single values.
    """

    is_state = True  # whether it has run is undone and joined like other objects' attributes
    is_lazy = "a generator"  # no program makes one

    def __init__(self, push: Push | None, pull: Callable[[], Iterator[Any]], kind: Iterator[Any] | None) -> None:
        self.push = push
        self.pull = pull
        self.kind = kind  # what Python would have here, never run
        self.iterator: Iterator[Any] | None = None  # of what a loop has left of it
        self.pulled = 0  # values asked for; undone with the code that asked
        self.run_number = 0  # of its source; on two paths it may have begun twice
        self.source = OneWay()
        self.is_asked_once = False  # for its first value: code has no other name for it

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self.iterator is not None:
            return next(self.iterator)
        if type(self.pulled) is int and not self.pulled:
            self.run_number = self.source.start(self.pull())
        self.source.require(self.run_number, self.pulled, "a generator")
        self.pulled += 1
        return self.source.take()

    def only_value(self, default: tuple[Any, ...]) -> Any:
        """Its first value, or the default; what else it holds isn't asked for: it ends here."""
        try:
            return next(self, *default)
        finally:
            self.close()

    def close(self) -> None:
        """End it."""
        for iterator in (self.iterator, self.source.iterator):
            if iterator is not None and hasattr(iterator, "close"):
                iterator.close()
        self.iterator = iter(())

    def send(self, value: Any) -> Any:
        """Refused: the values of `x = yield` are Python's business."""
        raise CaptureError(
            "generator.send() inside a captured function", loc=caller_loc(),
            remedy="pass the value as an argument, or keep it in an object that both see",
        )  # fmt: skip

    throw = send

    def can_push(self) -> bool:
        """Whether nobody has asked for a value yet, and its form allows it."""
        begun = type(self.pulled) is not int or self.pulled
        return self.iterator is None and not begun and self.push is not None

    def run(
        self, tracer: Tracer | None, body: Callable[[Any], Any], goes_on: Callable[[], Any] | None = None,
        names: StateAccess = NO_STATE, functions: Sequence[Callable[..., Any]] = (),
    ) -> None:  # fmt: skip
        """Run it whole: `body` for each value, as long as `goes_on`."""
        assert self.push is not None
        emit = Emit(tracer, body, goes_on)
        self.iterator = iter(())
        if tracer is None:
            self.push(emit)
            return
        tracer.consumers = (*emit.consumers, Consumer(names, tuple(functions)))
        try:
            self.push(emit)
        finally:
            tracer.consumers = emit.consumers
        if emit.left:
            self.iterator = _LeftEarly()


def asked_once(generator: Any) -> Any:
    """The argument of `next(… for …)`."""
    if type(generator) is Generated:
        generator.is_asked_once = True
    return generator


def asked_once_if_alone(generator: Any) -> Any:
    """The argument of `next(f(…))`: Python closes a generator that nothing else holds behind its first value."""
    if type(generator) is Generated and sys.getrefcount(generator) <= _ALONE:
        generator.is_asked_once = True
    return generator


def _references(x: Any) -> int:
    return sys.getrefcount(x)


_ALONE = _references([])


@acts_for_caller
class OneWay:
    """Python's iterator, which can't go back where code that asked for values is traced again."""

    def __init__(self, iterator: Iterator[Any] | None = None) -> None:
        self.iterator = iterator
        self.count, self.run_number = 0, 0

    def start(self, iterator: Iterator[Any]) -> int:
        """From the first value on; the number of this run."""
        self.iterator, self.count = iterator, 0
        self.run_number += 1
        return self.run_number

    def take(self) -> Any:
        """The next value."""
        assert self.iterator is not None
        self.count += 1
        return next(self.iterator)

    def require(self, run_number: Any, pulled: Any, what: str) -> None:
        """CaptureError unless this run of it has given on this path what it gave, and nothing else."""
        told = type(run_number) is int and type(pulled) is int
        if not told or (run_number, pulled) != (self.run_number, self.count):
            raise one_by_one(
                CaptureError(
                    f"next() on {what} stands under a condition on a tensor, or in code that is traced once per path",
                    loc=caller_loc(),
                    remedy="loop over it, or make a list of its values first and count its items yourself",
                )
            )


def one_by_one(error: CaptureError) -> CaptureError:
    """The error, which doesn't come up where each iteration of a loop is a piece of code of its own."""
    error.is_one_by_one = True  # type: ignore[attr-defined]
    return error


def is_one_by_one(error: BaseException) -> bool:
    """Whether another attempt, with a piece of code for each iteration, may go without the error."""
    return getattr(error, "is_one_by_one", False)


class _LeftEarly:
    """What is left of a generator whose loop may have ended by `break`."""

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> NoReturn:
        raise CaptureError(
            "a generator that a loop may have left early is asked for more values",
            loc=caller_loc(),
            remedy="ask for them in the same loop, or make a list of its values first",
        )


@acts_for_caller
def gather(items: Generated, found: Any = None, add: str = "append", most: int | None = None) -> Any:
    """All values in a list (or in `found`, by its method `add`). Errors: CaptureError for more than `most`."""
    found = [] if found is None else found
    count = 0

    def body(item: Any) -> None:
        nonlocal count
        count += 1
        if most is not None and count > most:
            raise CaptureError(
                f"zip() of generators whose values a tensor decides: one of them has more than {most} values",
                loc=caller_loc(),
                remedy="end it, or make a list of the values of the other one first",
            )
        getattr(found, add)(item)

    if items.can_push():
        items.run(active(), body, functions=(body,))
    else:
        for item in items:
            body(item)
    return found
