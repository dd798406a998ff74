"""Generators of captured code: their values are pushed into what consumes them.

A `for` over a generator runs its body where the value arises, inside the generator's own control flow, so that tensors
may decide which values there are. The body's variables are part of every construct that the generator is in by then
(`Tracer.consumers`). Who asks for single values (`next`, library code) gets a generator that runs as Python does, and
whose conditions must be Python's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import CellType
from typing import Any, NoReturn

from ...base.errors import CaptureError
from ...base.location import caller_loc
from ...dygraph.tensor import Tensor
from ..trace.tracer import Tracer, active
from .regions.region_state import NO_STATE, Consumer, StateAccess

Push = Callable[["Emit"], Any]


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


class Generated:
    """A generator of captured code.

    push: runs it whole, for a consumer; None where it can't be. pull: makes the iterator for single values.
    """

    is_state = True  # whether it has run is undone and joined like other objects' attributes

    def __init__(self, push: Push | None, pull: Callable[[], Iterator[Any]], kind: Iterator[Any] | None) -> None:
        self.push = push
        self.pull = pull
        self.kind = kind  # what Python would have here, never run
        self.iterator: Iterator[Any] | _Pulled | None = None
        self.pulled = 0  # values asked for; undone with the code that asked

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self.iterator is None:
            self.iterator = _Pulled(self.pull())
        if isinstance(self.iterator, _Pulled):
            self.iterator.require(self.pulled)
            self.pulled += 1
        return next(self.iterator)

    def close(self) -> None:
        """End it."""
        if self.iterator is not None and hasattr(self.iterator, "close"):
            self.iterator.close()
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
        return self.iterator is None and self.push is not None

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


class _Pulled:
    """Python's iterator, which can't go back where code that asked for values is traced again."""

    def __init__(self, iterator: Iterator[Any]) -> None:
        self.iterator = iterator
        self.count = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self.count += 1
        return next(self.iterator)

    def require(self, pulled: Any) -> None:
        """CaptureError unless all values that were asked for are so on this path."""
        if type(pulled) is not int or pulled != self.count:
            raise CaptureError(
                "next() on a generator stands under a condition on a tensor, or in code that is traced once per path",
                loc=caller_loc(),
                remedy="loop over the generator, or make a list of its values first",
            )

    def close(self) -> None:
        """End it."""
        if hasattr(self.iterator, "close"):
            self.iterator.close()


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
