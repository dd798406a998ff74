"""Items and attributes that are there on some paths only, or are one thing or another, between two statements.

In functions whose statements are regions (statement_regions.py), such an item stays in doubt: a `Pending` stands in the
object. Before Python runs code that can reach the object, the item is decided, in the region of that code; so only that
code is traced once per path. What it didn't change is in doubt again afterwards.

In other functions only elements of a list comprehension are so, texts that a number of the run chooses: until code
reads the list (`decide_items`), or the function returns it.
"""

from __future__ import annotations

import gc
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ....base.pytree import TaggedValue, flatten, mapping_like
from ...trace.reachable import bound_parts, methods_of, roots_of
from ...trace.state.containers import WHOLE, Decided, refill
from ...trace.state.joined_containers import CLOSED, PYTHONS, reachable
from ...trace.state.rollback import MISSING, Objects, contents, put
from ...trace.tracer import Tracer
from .decisions import Region
from .extras import Extra, Item
from .markers import Maybe, Undefined
from .tagged_unions import Pending, plain, told_apart, undecided


@dataclass(frozen=True, slots=True)
class DecidedItem:
    """An item that code looks at: what it may be, what it is on this path, and the keys around it in their order.

    inside: what the value holds, where it isn't a tensor or number: code may write into it.
    """

    owner: Any
    key: Any
    pending: Pending
    value: Any
    order: tuple[Any, ...]
    inside: Objects


def may_stay(extra: Extra) -> bool:
    """Whether something written can be in doubt: an item of a list or dict, or an attribute."""
    if not isinstance(extra, Item) or extra.key is WHOLE or isinstance(extra.owner, (types.CellType, type, set)):
        return False
    return not (isinstance(extra.owner, dict) and "__builtins__" in extra.owner)


def as_pending(tracer: Tracer, name: str, value: Any) -> Any:
    """What is bound on some paths only, as one of several."""
    return undecided(tracer, name, plain(value)) if isinstance(value, Maybe) else value


def leave(tracer: Tracer, extra: Extra, pending: Pending) -> None:
    """An item stays in doubt."""
    assert isinstance(extra, Item)
    extra.put(pending)
    tracer.in_doubt[id(extra.owner)] = extra.owner


def leave_content(tracer: Tracer, extra: Item, content: Any) -> None:
    """A list or dict is filled anew, and what is in doubt in it stays that."""
    if isinstance(content, dict):
        content = {k: as_pending(tracer, f"{extra.name}[{k!r}]", v) for k, v in content.items()}
    extra.put(content)
    tracer.in_doubt[id(extra.owner)] = extra.owner


def held(tracer: Tracer) -> list[tuple[Any, Any, Pending]]:
    """All items that are in doubt."""
    found = []
    for owner in tracer.in_doubt.values():
        now = contents(owner)
        items = now.items() if isinstance(now, dict) else enumerate(now)
        found += [(owner, key, value) for key, value in items if isinstance(value, Pending)]
    return found


# ---- before and after code that looks at them


def open_items(tracer: Tracer, roots: Iterable[Any]) -> list[DecidedItem]:
    """Decide the items that can be reached from some roots, in the region that runs."""
    opened: list[DecidedItem] = []
    for owner, key, pending in _reached(tracer, roots):
        value = undecided(tracer, pending.name, plain(pending))
        if isinstance(value, Pending):
            close_items(tracer, opened)
            value.fail()
        order = tuple(owner) if isinstance(owner, dict) else ()
        opened.append(DecidedItem(owner, key, pending, value, order, Objects([value], own=())))
        _set(tracer, owner, key, value)
    return opened


def close_items(tracer: Tracer, opened: Sequence[DecidedItem]) -> None:
    """Put items that are as they were opened in doubt again."""
    for item in reversed(opened):
        now = _get(item.owner, item.key)
        is_same = now is item.value and not _is_written(tracer, item)
        if is_same or (now is MISSING and isinstance(item.value, Undefined)):
            _set(tracer, item.owner, item.key, item.pending)
            if isinstance(item.owner, dict):
                _in_order(tracer, item)


def _is_written(tracer: Tracer, item: DecidedItem) -> bool:
    """Whether code has written into something that this path alone has put together for the item."""
    region = tracer.regions[-1]
    return any(not region.restores(owner) for owner, *_ in item.inside.changes())


def _in_order(tracer: Tracer, item: DecidedItem) -> None:
    keys = [k for k in item.order if k in item.owner]
    keys += [k for k in item.owner if k not in item.order]
    if keys != list(item.owner):
        held = dict(item.owner)
        tracer.joints.unseen(item.owner, lambda: refill(item.owner, {k: held[k] for k in keys}))


def look(tracer: Tracer, roots: Iterable[Any]) -> None:
    """Python is about to run code between two statements that can reach what these roots reach."""
    if not tracer.in_doubt:
        return
    region = tracer.regions[-1]
    for owner, key, pending in _reached(tracer, roots):
        if pending.decision is None or pending.decision.region is region or not region.restores(owner):
            pending.fail()
        value = undecided(tracer, pending.name, plain(pending))
        if isinstance(value, Pending):
            value.fail()
        _set(tracer, owner, key, value)


def decide_items(tracer: Tracer, *values: Any) -> None:
    """Code is about to read values that may hold elements in doubt: what follows is traced for each of them.

    Where statements are regions, they have decided what they reach.
    """
    if not tracer.in_doubt or tracer.style.in_steps:
        return
    for pending in flatten(values, lambda x: isinstance(x, Pending))[0]:
        pending.fail()
    look(tracer, values)


def look_at_new(tracer: Tracer, known: Iterable[Pending], roots: Iterable[Any]) -> None:
    """Python goes on with a statement after a call in it: items that the call has left in doubt are decided."""
    before = {id(p) for p in known}
    fresh = [(owner, pending) for owner, _, pending in held(tracer) if id(pending) not in before]
    if fresh:
        seen = reachable(tracer, roots)
        for owner, pending in fresh:
            if id(owner) in seen:
                pending.fail()


def keep_inside(tracer: Tracer, region: Region, ends: Iterable[Any]) -> None:
    """At the end of a region: objects that it has made leave it without items in doubt."""
    fresh = [
        (owner, pending)
        for owner, _, pending in held(tracer)
        if pending.decision is not None and pending.decision.region is region and not region.restores(owner)
    ]
    if fresh:
        seen = {id(x) for x in _walk(ends)}
        for owner, pending in fresh:
            if id(owner) in seen:
                pending.fail()


def tell_apart(tracer: Tracer, returned: Any) -> None:
    """At the end of the function: what is in doubt is one thing or another by a flag of the program."""
    kept = [k.owner for k in tracer.objects.kept.values() if k.only is None]
    for owner, key, pending in _reached(tracer, [returned, *kept]):
        if _get(owner, key) is not pending:  # the content has been told apart as a whole
            continue
        value = _told_apart(pending)
        if not _may_lack(value) or id(owner) in tracer.objects.kept:
            put(owner, key, value)
        elif isinstance(owner, dict) and not tracer.regions[-1].forced:
            refill(owner, {Decided(content_apart(mapping_like(owner, owner.items()))): None})
        else:
            pending.fail()


def content_apart(content: Any) -> Any:
    """A list's or dict's content with what is in doubt in it, or may be missing, brought to the outside."""
    items = list(content.items() if isinstance(content, dict) else enumerate(content))
    for key, value in items:
        apart = _told_apart(value) if isinstance(value, Pending) else value
        if apart is not value or (isinstance(value, TaggedValue) and _may_lack(value)):
            return _each(apart, lambda side, key=key: content_apart(_with(content, key, side)))  # type: ignore[misc]
    return mapping_like(content, [i for i in items if i[1] is not MISSING]) if isinstance(content, dict) else content


def _told_apart(pending: Pending) -> Any:
    return _each(told_apart(pending), lambda side: MISSING if type(side) is Undefined else side)


def _each(value: Any, make: Callable[[Any], Any]) -> Any:
    if isinstance(value, TaggedValue):
        return TaggedValue(value.flag, _each(value.a, make), _each(value.b, make))
    return make(value)


def _with(content: Any, key: Any, value: Any) -> Any:
    made = mapping_like(content, content.items()) if isinstance(content, dict) else content.copy()
    made[key] = value
    return made


def _may_lack(value: Any) -> bool:
    return _may_lack(value.a) or _may_lack(value.b) if isinstance(value, TaggedValue) else value is MISSING


# ---- what code can reach


def _reached(tracer: Tracer, roots: Iterable[Any]) -> list[tuple[Any, Any, Pending]]:
    items = held(tracer) if tracer.in_doubt else []
    if not items:
        return []
    wanted, seen = {id(owner) for owner, _, _ in items}, set[int]()
    for value in _walk(roots):
        if id(value) in wanted:
            seen.add(id(value))
            if seen == wanted:
                break
    return [item for item in items if id(item[0]) in seen]


def _walk(roots: Iterable[Any]) -> Iterator[Any]:
    """All that code which has these values can get hold of."""
    waiting, seen = list(roots), set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, CLOSED):
            continue
        seen.add(id(value))
        yield value
        waiting.extend(_parts(value))


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, types.FunctionType):
        return [*roots_of([value]), *value.__dict__.values()]
    if parts := bound_parts(value):
        return parts
    if isinstance(value, types.GeneratorType):
        return [] if value.gi_frame is None else [*value.gi_frame.f_locals.values(), value.gi_yieldfrom]
    if isinstance(value, (tuple, frozenset)):
        return value
    if isinstance(value, Pending):
        return value.objects
    if isinstance(value, Maybe):
        return [value.value]
    found = contents(value)
    if found is None:
        return gc.get_referents(value) if type(value).__module__ in PYTHONS else []
    methods = methods_of(type(value))  # type: ignore[arg-type]  # mypy takes a class of Any for unhashable
    return [*(found.values() if isinstance(found, dict) else found), *methods]


def _get(owner: Any, key: Any) -> Any:
    now = contents(owner)
    if isinstance(now, dict):
        return now.get(key, MISSING)
    return now[key] if key < len(now) else MISSING


def _set(tracer: Tracer, owner: Any, key: Any, value: Any) -> None:
    value = MISSING if type(value) is Undefined else value
    tracer.joints.unseen(owner, lambda: put(owner, key, value))
