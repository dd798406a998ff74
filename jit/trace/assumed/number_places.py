"""Python numbers outside of the arguments that change between calls: a counter, `n` in `self.s = (h, n + 1)`.

A guard that doesn't hold any more tells where: an attribute, an item, a closure variable, or a part of the tuple or the
fresh container that stands there. From then on these numbers are filled in at each call. Those that a call itself reads
and changes are known as soon as it is captured: its program would be one for this call alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ....base.class_marks import mark_of
from ....dygraph.number import Number, fits
from ....dygraph.tensor import Tensor
from ...call.guards import look, same
from ..state.containers import WHOLE, is_token, part_at
from ..state.rollback import contents, put
from ..traced import Assumption, AttributeWrite, Trace
from .hidden_attributes import is_hidden
from .structures import MOST_PARTS, HeldItems, Path, Structure, StructureAt, is_nested, items_of, structure_at

_PLACES = ("attribute", "item", "cell")
_MOST_DEPTH = 16  # of containers in containers; one may hold itself
_MOST_NUMBERS = 64  # of one value that are filled in one by one


def changed_numbers(assumed: Assumption, now: Any) -> Iterator[Assumption]:
    """Where numbers stand that differ between an assumption and what there is now, with the old values."""
    if assumed.kind in _PLACES:
        if fits(assumed.value):
            if type(now) is type(assumed.value) and not is_hidden(assumed.owner, assumed.name):
                yield assumed
        else:
            yield from _parts(assumed, _differing(assumed.value, now, ()), now)
    elif isinstance(assumed.owner, StructureAt):
        held = assumed.owner
        yield from _parts(held.place, held.known.numbers.items(), look(held.place))
    elif isinstance(assumed.owner, HeldItems):
        for name, known in zip(assumed.owner.names, assumed.owner.structures, strict=True):
            place = Assumption("item", assumed.owner.owner, name, None)
            yield from _parts(place, known.numbers.items(), look(place))


def own_numbers(trace: Trace) -> Iterator[Assumption]:
    """Where numbers stand that a call reads and changes: its program would be of no use to the next one."""
    with _written(trace.attribute_writes) as is_any:
        for assumed in trace.assumptions if is_any else ():
            if assumed.kind in _PLACES or isinstance(assumed.owner, (StructureAt, HeldItems)):
                now = look(assumed)
                if not same(now, assumed.value):
                    yield from changed_numbers(assumed, now)


@contextmanager
def _written(writes: Iterable[AttributeWrite]) -> Iterator[bool]:
    """While numbers are as after a call with these writes; whether it changes any.

    In place of a number that only a run computes there is another one.
    """
    before: list[tuple[Any, Any, Any]] = []
    try:
        for write in writes:
            if write.place is None and not write.appends and write.name is not WHOLE and _is_put_back(write):
                old, new = _before_and_after(write)
                if type(new) is type(old) and repr(new) != repr(old):
                    put(write.owner, write.name, new)
                    before.append((write.owner, write.name, old))
        yield bool(before)
    finally:
        for owner, key, old in reversed(before):
            put(owner, key, old)


def _is_put_back(write: AttributeWrite) -> bool:
    """Whether what is put into an object can be put back: not where that moves something outside, as an iterator."""
    owner = write.owner
    return not (is_token(owner) or mark_of(type(owner), "is_followed", False) or is_hidden(owner, write.name))


def _before_and_after(write: AttributeWrite) -> tuple[Any, Any]:
    """The number that stands where a call writes, and one that may stand there afterwards; None for anything else."""
    tree, leaves = write.value.tree, write.value.leaves
    held = contents(write.owner)  # which runs no getters
    if isinstance(held, dict):
        old = held.get(write.name)
    else:
        old = held[write.name] if held and -len(held) <= write.name < len(held) else None
    if not fits(old):
        return None, None
    if tree.kind == "const":
        return old, tree.data
    other = float(not old) if isinstance(old, float) else int(not old)
    return old, other if tree.kind == "leaf" and leaves[0].kind == "number" else None


def changed_tensors(assumed: Assumption, now: Any) -> Iterator[Assumption]:
    """The place of a tensor, or of a container of tensors, that other code has replaced by another one of its kind."""
    if assumed.kind in _PLACES and assumed.value is not now and _is_alike(assumed.value, now, 0):
        yield assumed


def _is_alike(old: Any, now: Any, depth: int) -> bool:
    """Whether one of them may stand for the other in a program that looks tensors up where they stand."""
    if type(old) is not type(now):
        return False
    if isinstance(old, Tensor):
        return old._dtype is now._dtype and old.ndim == now.ndim and old._stop is now._stop
    if old is now or fits(old):
        return True
    if not is_nested(old) or depth > _MOST_DEPTH:
        return False
    ours, others = items_of(old) or [], items_of(now) or []
    is_one = 0 < len(ours) <= MOST_PARTS and [k for k, _ in ours] == [k for k, _ in others]
    return is_one and all(_is_alike(a, b, depth + 1) for (_, a), (_, b) in zip(ours, others, strict=True))


def _parts(place: Assumption, numbers: Iterable[tuple[Path, Any]], now: Any) -> Iterator[Assumption]:
    """The parts of what stands at a place that were these numbers and are others of their types."""
    found = []
    for path, old in numbers:
        try:
            number = part_at(now, path)
        except (KeyError, IndexError, AttributeError):
            continue
        if type(number) is type(old) and repr(number) != repr(old):
            found.append(Assumption("part", place, path, old) if path else place)
    if len(found) <= _MOST_NUMBERS:
        yield from found


def _differing(old: Any, now: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """The numbers in a nested value that aren't those of another one of the same structure."""
    if fits(old):
        yield path, old
    elif old is not now and is_nested(old) and type(now) is type(old) and len(path) < _MOST_DEPTH:
        ours, others = items_of(old) or [], items_of(now) or []
        if len(ours) <= MOST_PARTS and [k for k, _ in ours] == [k for k, _ in others]:
            for (key, part), (_, other) in zip(ours, others, strict=True):
                yield from _differing(part, other, (*path, key))


def open_structures(tracer: Any, assumptions: Iterable[Assumption]) -> list[Assumption]:
    """The assumptions with structures in place of tuples that hold numbers which are filled in at each call."""
    return [_opened(tracer, a) if a.kind in _PLACES and _holds_number(a.value) else a for a in assumptions]


def _opened(tracer: Any, assumed: Assumption) -> Assumption:
    return structure_at(assumed, Structure(tracer, assumed.value, exact=True))


def _holds_number(value: Any) -> bool:
    return isinstance(value, tuple) and any(type(x) is Number or _holds_number(x) for x in value)
