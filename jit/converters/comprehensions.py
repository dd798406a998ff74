"""What converted comprehensions and generator expressions call (see transformers/comprehension.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..trace.state.dynamic_lists import ListSegment, is_run_time_sized, segment_in
from ..trace.tracer import active
from .for_loop import for_loop
from .generators import Emit, Generated, gather
from .if_else import if_else
from .regions.tagged_unions import Pending
from .stdlib.iterations import Iterations


def _nothing(_: Any) -> None:
    """No state."""


def each(iterable: Any, body: Callable[[Any], Any], emit: Any) -> None:
    """One loop of a comprehension. What makes a list is unrolled, for the list's length to be known."""
    for_loop(iterable, emit.goes_on, body, tuple, _nothing, (), (), unrolled=emit.goes_on is None)


def one_variable(emit: Any, read: Callable[[], Any]) -> None:
    """Make the variables that `read` reads in this round those of all rounds before, for functions made there."""
    for name, cell in zip(read.__code__.co_freevars, read.__closure__ or (), strict=True):
        earlier = emit.variables.setdefault(name, [])
        for other in earlier:
            other.cell_contents = cell.cell_contents
        earlier.append(cell)


def when(condition: Any, then: Callable[[], Any]) -> None:
    """One condition of a comprehension."""
    if_else(condition, then, _pass, tuple, _nothing, (), ())


def _pass() -> None:
    """The other way of a condition."""


class _Dict(dict[Any, Any]):
    """Takes pairs."""

    is_state = True  # of the function's

    def add(self, pair: tuple[Any, Any]) -> None:
        """Set one item."""
        self[pair[0]] = pair[1]


_EMPTY: dict[str, tuple[Callable[[], Any], str]] = {
    "list": (list, "append"),
    "set": (set, "add"),
    "dict": (_Dict, "add"),
}


def gathered(kind: str, push: Callable[[Any, Emit], Any], first: Any) -> Any:
    """A list, set or dict comprehension."""
    made, add = _EMPTY[kind]
    source = (
        first.segment() if isinstance(first, Iterations) else segment_in(first) if is_run_time_sized(first) else None
    )
    found = gather(Generated(lambda emit: push(first, emit), _never, None), made(), add)
    if kind == "dict":
        return dict(found)
    if kind == "list" and any(type(x) is Pending for x in found) and (tracer := active()) is not None:
        tracer.in_doubt[id(found)] = found
    for part in found:  # an `if` that left the length of one list open decides that of the other
        if type(part) is ListSegment and part.decision is None and source is not None:
            part.decision = source.decision
    return found


def _never() -> Iterator[Any]:
    raise AssertionError("a comprehension has one consumer")


def generated(push: Callable[[Any, Emit], Any], pull: Callable[[Any], Iterator[Any]], first: Any) -> Any:
    """A generator expression."""
    if active() is None:
        return pull(first)
    return Generated(lambda emit: push(first, emit), lambda: pull(first), (_ for _ in ()))


def parts(value: Iterable[Any], before: int, after: int | None) -> list[Any]:
    """The parts of an item for a target of `before` names, or with a starred one and `after` names behind it."""
    items = list(value)
    if after is None:
        if len(items) != before:
            few = len(items) < before
            expected = f"not enough values to unpack (expected {before}, got {len(items)})"
            raise ValueError(expected if few else f"too many values to unpack (expected {before})")
        return items
    if len(items) < before + after:
        raise ValueError(f"not enough values to unpack (expected at least {before + after}, got {len(items)})")
    stop = len(items) - after
    return [*items[:before], items[before:stop], *items[stop:]]
