"""Iterators over generators of captured code: `enumerate`, `zip`, `map`, `itertools` … as generators themselves.

They are written in Python and converted like a user's, so that tensors may decide what their sources give.
"""

from __future__ import annotations

import bisect
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any


def _enumerate(iterable: Iterable[Any], start: int = 0) -> Iterator[Any]:
    number = start
    for item in iterable:
        yield number, item
        number = number + 1


def _zip(before: Any, lazy: Iterable[Any], after: Any) -> Iterator[Any]:
    iteration = 0
    for other in before:
        if len(other) == 0:
            return
    for item in lazy:
        for other in after:  # zip asks from left to right: it has asked the generator when one of these ends
            if iteration >= len(other):
                return
        yield (*[other[iteration] for other in before], item, *[other[iteration] for other in after])
        iteration = iteration + 1
        for other in before:
            if iteration >= len(other):
                return


def _zip_strictly(rows: Iterable[Any], columns: Any) -> Iterator[Any]:
    yield from rows
    least = len(columns[0])
    for other in columns[1:]:
        if len(other) < least:
            least = len(other)
    if len(columns[0]) > least:
        for place in range(1, len(columns)):
            if len(columns[place]) == least:
                raise ValueError(f"zip() argument {place + 1} is shorter than argument{_those(place)}")
    for place in range(1, len(columns)):
        if len(columns[place]) > least:
            raise ValueError(f"zip() argument {place + 1} is longer than argument{_those(place)}")


def _those(count: int) -> str:
    return " 1" if count == 1 else f"s 1-{count}"


def _map(function: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        yield function(item)


def _filter(function: Callable[[Any], Any] | None, iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        if item if function is None else function(item):
            yield item


def _filterfalse(function: Callable[[Any], Any] | None, iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def _takewhile(function: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        if not function(item):
            return
        yield item


def _dropwhile(function: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    dropping = True
    for item in iterable:
        if dropping:
            dropping = function(item)
        if not dropping:
            yield item


def _chain(*iterables: Iterable[Any]) -> Iterator[Any]:
    for iterable in iterables:
        yield from iterable


def _starmap(function: Callable[..., Any], iterable: Iterable[Any]) -> Iterator[Any]:
    for item in iterable:
        yield function(*item)


def _islice(iterable: Iterable[Any], *bounds: Any) -> Iterator[Any]:
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    start, step = start or 0, step or 1
    if stop is not None and stop <= 0:
        return
    number = 0
    for item in iterable:
        if number >= start and (number - start) % step == 0:
            yield item
        number = number + 1
        if stop is not None and number >= stop:
            return


def _first(items: Iterable[Any], *default: Any) -> Any:
    for item in items:
        return item
    if default:
        return default[0]
    raise StopIteration


def _next_item(iterator: Any, *default: Any) -> Any:
    if iterator.position >= len(iterator.items):
        if default:
            iterator.end()
            return default[0]
        raise StopIteration
    item = iterator.items[iterator.position]
    iterator.position = iterator.after(iterator.position)
    return item


def _next_there(iterator: Any) -> Any:
    """The next item where nobody handles that there is none: the run ends at its index."""
    item = iterator.items[iterator.position]
    iterator.position = iterator.after(iterator.position)
    return item


def _any(items: Iterable[Any]) -> bool:
    for item in items:  # noqa: SIM110 (this is what `any` means here)
        if item:
            return True
    return False


def _all(items: Iterable[Any]) -> bool:
    for item in items:  # noqa: SIM110 (this is what `all` means here)
        if not item:
            return False
    return True


def _max(items: Any, *, key: Callable[[Any], Any] | None = None, **default: Any) -> Any:
    if not items:
        if default:
            return default["default"]
        raise ValueError("max() arg is an empty sequence")
    best = items[0]
    top = best if key is None else key(best)
    for item in items[1:]:
        height = item if key is None else key(item)
        if height > top:
            best, top = item, height
    return best


def _min(items: Any, *, key: Callable[[Any], Any] | None = None, **default: Any) -> Any:
    if not items:  # as above
        if default:
            return default["default"]
        raise ValueError("min() arg is an empty sequence")
    best = items[0]
    low = best if key is None else key(best)
    for item in items[1:]:
        depth = item if key is None else key(item)
        if depth < low:
            best, low = item, depth
    return best


def _list(items: Iterable[Any]) -> list[Any]:
    return [item for item in items]  # noqa: C416 (a comprehension is converted, `list` is what it stands for)


def _count(items: Any, value: Any) -> int:
    found = 0
    for item in items:
        if item is value or item == value:
            found = found + 1
    return found


def _index(items: Any, value: Any, start: int = 0, stop: int = sys.maxsize) -> int:
    for number in range(*slice(start, stop).indices(len(items))):
        if items[number] is value or items[number] == value:
            return number
    raise ValueError("the value isn't in the list")


def _remove(items: Any, value: Any) -> None:
    place = -1
    for number in range(len(items)):
        if items[number] is value or items[number] == value:
            place = number
            break
    if place < 0:
        raise ValueError("list.remove(x): x not in list")
    # element by element: the length stays known
    items[:] = [items[number] if number < place else items[number + 1] for number in range(len(items) - 1)]


def _pop(items: Any, place: Any) -> Any:
    count = len(items)
    if count == 0:
        raise IndexError("pop from empty list")
    place = int(place)
    at = place + count if place < 0 else place
    if at < 0 or at >= count:
        raise IndexError("pop index out of range")
    taken = items[at]
    items[:] = [items[number] if number < at else items[number + 1] for number in range(count - 1)]
    return taken


def _delete(items: Any, place: Any) -> None:
    count, place = len(items), int(place)
    at = place + count if place < 0 else place
    if at < 0 or at >= count:
        raise IndexError("list assignment index out of range")
    items[:] = [items[number] if number < at else items[number + 1] for number in range(count - 1)]


def _insert(items: Any, place: Any, value: Any) -> None:
    count, place = len(items), int(place)
    if count == 0:
        items.append(value)
        return
    at = place + count if place < 0 else place  # beyond either end it is that end
    first, last = value if at <= 0 else items[0], value if at >= count else items[count - 1]
    between = [
        items[number] if number < at else value if number == at else items[number - 1] for number in range(1, count)
    ]
    items[:] = [first, *between, last]


def _bisect_left(a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            end = middle
    return lo


def _bisect_right(a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            end = middle
        else:
            lo = middle + 1
    return lo


def _insort_left(a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Any = None) -> None:
    place, last = bisect.bisect_left(a, x if key is None else key(x), lo, hi, key=key), len(a) - 1
    # element by element: the length stays known
    a[:] = [x if k == place else a[min(k, last)] if k < place else a[max(k - 1, 0)] for k in range(last + 2)]


def _insort_right(a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Any = None) -> None:
    place, last = bisect.bisect_right(a, x if key is None else key(x), lo, hi, key=key), len(a) - 1
    # element by element: the length stays known
    a[:] = [x if k == place else a[min(k, last)] if k < place else a[max(k - 1, 0)] for k in range(last + 2)]


# by the function whose calls they stand for; those in DECIDING ask a function, which may answer with a tensor
ADAPTORS: dict[Any, Any] = {
    enumerate: _enumerate, map: _map, itertools.chain: _chain, itertools.islice: _islice, filter: _filter,
    itertools.filterfalse: _filterfalse, itertools.takewhile: _takewhile, itertools.dropwhile: _dropwhile,
    itertools.starmap: _starmap,
}  # fmt: skip
DECIDING = {filter, itertools.filterfalse, itertools.takewhile, itertools.dropwhile}
zipped: Any = _zip
zipped_strictly: Any = _zip_strictly
next_item: Any = _next_item
next_there: Any = _next_there
first_item: Any = _first
# over generators, and over lists whose length only a run knows
SHORT_CUTS: dict[Any, Any] = {any: _any, all: _all}
# over ranges whose length only a run knows, and what goes through tensors
OVER_ITERATIONS: dict[Any, Any] = dict.fromkeys((list, sum, max, min, any, all), _list)
OVER_RUN_TIME_LISTS: dict[Any, Any] = {**SHORT_CUTS, max: _max, min: _min}
# in sorted lists, of numbers that a run compares
SORTED: dict[Any, Any] = {
    bisect.bisect_left: _bisect_left, bisect.bisect_right: _bisect_right,
    bisect.insort_left: _insort_left, bisect.insort_right: _insort_right,
}  # fmt: skip
# methods of lists and tuples that compare their elements, which tensors answer in a run
COMPARING: dict[str, Any] = {"count": _count, "index": _index, "remove": _remove}
# methods of lists of known length, and `del`, at a place that only a run knows: the length stays known
PLACED: dict[str, Any] = {"pop": _pop, "insert": _insert, "del": _delete}
