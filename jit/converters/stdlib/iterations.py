"""Iterables whose length or items are known only at run time: range, enumerate, zip and reversed over tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ....base import dtype as dt
from ....base.errors import CaptureError, NoSequenceError
from ....base.location import caller_loc
from ....dygraph.number import number_over
from ....dygraph.tensor import Tensor, wrap
from ....ops.dims import Dim, minimum
from ....ops.infer import require_index
from ....ops.op import OPS
from ....ops.sizes import runtime_names
from ...trace.state.dynamic_lists import ListSegment, is_run_time_sized
from ...trace.tracer import Tracer, active
from .run_lists.list_lengths import element, length, place
from .run_lists.lists import whole


class Iterations:
    """A sequence with a count (int, Dim or tensor) and an item for each iteration (int or tensor)."""

    holds_stand_ins = True
    count: Any

    def item(self, iteration: Any) -> Any:
        """The item of an iteration."""
        raise NotImplementedError

    def parts(self) -> Iterable[Iterations]:
        """The sequences that it is made of."""
        return ()

    def segment(self) -> ListSegment | None:
        """The list of run-time length that it goes through, if there is one."""
        return next((found for part in self.parts() if (found := part.segment()) is not None), None)

    def __iter__(self) -> Iterator[Any]:
        if not isinstance(self.count, int):
            segment = self.segment()
            if segment is not None:
                segment.fail()
            raise CaptureError(
                "this loop's length is known only when the program runs, but it is iterated by a library function",
                loc=caller_loc(),
                remedy="use a `for` statement",
            )
        return (self.item(k) for k in range(self.count))


class RangeIterations(Iterations):
    """`range` with tensor or symbolic bounds."""

    def __init__(self, *bounds: Any) -> None:
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        self.start, self.step = _index(start), step
        if isinstance(step, Tensor):
            self.step = _index(step)
            self.count = _count_by_tensor(self.start, _index(stop), self.step)
            return
        if not step:
            raise ValueError("range() arg 3 must not be zero")
        first, last = (self.start, _index(stop)) if step > 0 else (_index(stop), self.start)
        span = last if isinstance(first, int) and first == 0 else last - first
        size = abs(step)
        count = span if size == 1 else (span + (size - 1)) // size
        if isinstance(count, int):
            count = max(count, 0)
        elif isinstance(count, Tensor):
            count = OPS["maximum"](count, 0)  # a negative one would count for zip and reversed
        self.count = count

    def item(self, iteration: Any) -> Any:
        moved = iteration if isinstance(self.step, int) and self.step == 1 else iteration * self.step
        moved = moved if isinstance(self.start, int) and self.start == 0 else moved + self.start
        return _counted(moved)

    def holds(self, x: Any) -> Any:
        """Whether a whole number is one of them."""
        steps, rest = (x - self.start) // self.step, (x - self.start) % self.step
        tracer = active()
        assert tracer is not None
        at, left, count = (_whole(tracer, n) for n in (steps, rest, self.count))
        inside = OPS["logical_and"](OPS["greater_equal"](at, 0), OPS["less_than"](at, count))
        return number_over(OPS["logical_and"](inside, OPS["equal"](left, 0)))

    def __getitem__(self, index: Any) -> Any:
        tracer = active()
        if tracer is None or isinstance(index, slice):
            raise CaptureError(
                "a slice of a range whose length only a run of the program knows",
                loc=caller_loc(),
                remedy="compute its bounds, and make a range of these",
            )
        at, count = place(tracer, index), tracer.constant(self.count, dt.int64)
        text = "range object index out of range"
        with tracer.surely(tracer.may_raise(lambda: _is_outside(at, count), text, IndexError)):
            tracer.require(OPS["logical_not"](_is_outside(at, count)), text, "IndexError")
        return self.item(number_over(OPS["where"](at < 0, at + count, at)))


def _whole(tracer: Tracer, x: Any) -> Tensor:
    return wrap(tracer.value_of(x if isinstance(x, Tensor) else tracer.constant(x, dt.int64)), dt.int64)


def _is_outside(at: Tensor, count: Tensor) -> Any:
    return OPS["logical_or"](at >= count, at < -count)


def _counted(x: Any) -> Any:
    """A number that a range gives, whatever it is computed from: Python counts with ints."""
    return number_over(x) if type(x) is Tensor else x


def _count_by_tensor(start: Any, stop: Any, step: Tensor) -> Tensor:
    """How many iterations a step makes that only a run knows: either sign, but not zero."""
    tracer = active()
    assert tracer is not None
    with tracer.builder.active():
        good = OPS["not_equal"](tracer.value_of(step), tracer.builder.constant(0, dt.int64))
    tracer.check(good, "range() arg 3 must not be zero", "ValueError")
    never_zero = OPS["where"](OPS["equal"](step, 0), 1, step)
    count = -((start - stop) // never_zero)  # rounded up
    return OPS["maximum"](count, 0)  # type: ignore[no-any-return]


def _index(x: Any) -> Any:
    if isinstance(x, Tensor):
        require_index(x.dtype, x.shape)
        x = x.detach() if not x.ndim else OPS["reshape"](x.detach(), ())
        return x if x.dtype is dt.int64 else OPS["cast"](x, dt.int64)
    return x


class RowIterations(Iterations):
    """The rows of a tensor."""

    def __init__(self, x: Tensor) -> None:
        if not x.ndim:
            raise NoSequenceError("can't iterate over a tensor of rank 0", loc=caller_loc())
        self.x = x
        self.count = x.shape[0]

    def item(self, iteration: Any) -> Any:
        tracer = active()
        assert tracer is not None
        with tracer.surely():  # the loop counts inside of it
            return self.x[iteration]


class Reversed(Iterations):
    """A sequence from its end."""

    def parts(self) -> Iterable[Iterations]:
        return (self.items,)

    def __init__(self, items: Iterations) -> None:
        self.items = items
        self.count = items.count

    def item(self, iteration: Any) -> Any:
        return self.items.item((self.count - 1) - iteration)


class Enumerate(Iterations):
    """Items with their numbers."""

    def parts(self) -> Iterable[Iterations]:
        return (self.items,)

    def __init__(self, items: Iterations, start: Any = 0) -> None:
        self.items = items
        self.start = start
        self.count = items.count

    def item(self, iteration: Any) -> Any:
        number = iteration if isinstance(self.start, int) and self.start == 0 else iteration + self.start
        return _counted(number), self.items.item(iteration)


class Column(Iterations):
    """A sequence read by numbers inside its length, as the code of adaptors.py reads it and lists alike."""

    def __init__(self, items: Iterations) -> None:
        self.items = items
        self.count = items.count

    def parts(self) -> Iterable[Iterations]:
        return (self.items,)

    def item(self, iteration: Any) -> Any:
        return self.items.item(iteration)

    __getitem__ = item


class After(Iterations):
    """A sequence from an item on."""

    def __init__(self, items: Iterations, start: int) -> None:
        self.items = items
        self.start = start
        left = items.count - start
        self.count = max(left, 0) if isinstance(left, int) else OPS["maximum"](_tensor(left), 0)

    def parts(self) -> Iterable[Iterations]:
        return (self.items,)

    def item(self, iteration: Any) -> Any:
        return self.items.item(iteration + self.start)


class Zip(Iterations):
    """Several sequences side by side; the shortest one ends it."""

    def __init__(self, parts: list[Iterations]) -> None:
        self.side_by_side = parts
        count = parts[0].count
        for part in parts[1:]:
            other = part.count
            if isinstance(count, Tensor) or isinstance(other, Tensor):
                count = OPS["minimum"](_tensor(count), _tensor(other))
            elif runtime_names((count, other)):
                count = minimum(count, other)
            elif not (isinstance(count, Dim) or isinstance(other, Dim)) or count != other:
                count = count if count <= other else other
        self.count = count

    def item(self, iteration: Any) -> Any:
        return tuple(part.item(iteration) for part in self.side_by_side)

    def parts(self) -> Iterable[Iterations]:
        return self.side_by_side


def _tensor(x: Any) -> Any:
    return x if isinstance(x, Tensor) else OPS["cast"](OPS["dim_value"](x), dt.int64) if isinstance(x, Dim) else x


class Items(Iterations):
    """The elements of a list whose length only a run knows, as it is when the loop begins."""

    def __init__(self, tracer: Tracer, items: list[Any]) -> None:
        self.tracer = tracer
        self.rows = whole(tracer, items)
        self.count = length(self.rows)

    def item(self, iteration: Any) -> Any:
        with self.tracer.surely():
            return element(self.tracer, self.rows, iteration)

    def segment(self) -> ListSegment:
        return self.rows


def as_iterations(iterable: Any) -> Iterations | None:
    """The iterable as iterations, if it is a tensor or made of tensors."""
    if isinstance(iterable, Iterations):
        return iterable
    tracer = active()
    if tracer is not None and is_run_time_sized(iterable):
        return Items(tracer, iterable)
    return RowIterations(iterable) if isinstance(iterable, Tensor) else None
