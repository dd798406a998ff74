"""Calls of generator functions, of built-in functions over what generators give, and iterators of Python's own."""

from __future__ import annotations

import itertools
import types
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator, Sequence, Sized
from typing import Any

import numpy as np

from ....base.errors import CaptureError
from ....base.frame_marks import acts_for_caller
from ....base.location import caller_loc
from ....dygraph.tensor import Tensor
from ....ops.dims import Dim
from ....ops.sizes import runtime_names
from ...convert import convert, convert_generator, convert_suspended, is_converted
from ...trace.state.dynamic_lists import is_run_time_deque, is_run_time_sized
from ...trace.state.escapes import with_origins
from ...trace.state.outside_iterators import SequenceIterator, Stepped, counted_by_a_run, stand_in
from ...trace.tracer import Tracer, active
from ..generators import Emit, Generated, OneWay, gather, one_by_one
from ..handlers import is_caught
from .adaptors import ADAPTORS, DECIDING, first_item, next_item, next_there, zipped, zipped_strictly
from .iterations import After, Column, Iterations, Zip, as_iterations
from .outside_objects import looked_at
from .own_methods import is_users
from .run_lists.list_lengths import part_of, spread
from .run_lists.lists import whole
from .surroundings import MOVING_METHODS, takes_items

_GATHERING = {list, tuple, set, frozenset, sorted, sum, max, min, dict, Counter, OrderedDict, deque}
ITERATING = {*_GATHERING, any, all, enumerate, zip, map, filter, iter}
_MOST_BESIDE = 1 << 8  # values of a generator that runs whole beside another
_GATHERING_METHODS = {"extend", "extendleft", "join", "update", "union"}


@acts_for_caller
def generator(
    runtime: Any, tracer: Tracer, fn: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Generated:  # fmt: skip
    """A call of a generator function: nothing of it runs yet."""
    plain = fn(*args, **kwargs)  # refuses wrong arguments
    _know(tracer, fn)

    def push(emit: Emit) -> None:
        made = convert_generator(fn, runtime, emit, tracer.style)
        assert made is not None
        _know(tracer, fn, made)
        made.function(*args, **kwargs)

    def pull() -> Iterator[Any]:
        made = convert_suspended(fn, runtime)
        _know(tracer, fn, made)
        return made.function(*args, **kwargs)  # type: ignore[no-any-return]

    can_push = convert_generator(fn, runtime, bool) is not None
    return Generated(push if can_push else None, pull, plain)


def _know(tracer: Tracer, fn: types.FunctionType, made: Any = None) -> None:
    """What a generator can reach is guarded and undone like what other functions can."""
    if is_converted(fn):
        return  # one inside a captured function: part of that
    tracer.objects.reach(fn)
    if made is not None:
        tracer.functions.setdefault(id(fn), made)


@acts_for_caller
def over_generators(
    runtime: Any, tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Generated | None, tuple[Any, ...]]:  # fmt: skip
    """A call as a generator itself (None: it isn't one), and the arguments, with lists of what generators give."""
    adaptor = ADAPTORS.get(fn)
    lazy = any(map(_is_lazy, args[fn in (map, itertools.starmap) :]))
    if adaptor is not None and (lazy or fn in DECIDING) and not (fn is map and len(args) > 2):
        return generator(runtime, tracer, adaptor, args, kwargs), args
    if fn is zip and lazy and not kwargs:
        return _zip(runtime, tracer, args), args
    if fn is zip and kwargs.get("strict"):
        return _strict_zip(runtime, tracer, args), args
    owner = getattr(fn, "__self__", None)
    of_container = isinstance(owner, (list, set, dict, deque, str)) and fn.__name__ in _GATHERING_METHODS
    if of_container or fn in _GATHERING:
        args = tuple(gather(a) if type(a) is Generated else a for a in args)
    return None, args


@acts_for_caller
def _strict_zip(runtime: Any, tracer: Tracer, args: tuple[Any, ...]) -> Generated | None:
    """`zip(…, strict=True)` of what a run may find to be of several lengths, as a generator; None for any other."""
    parts = [p for p in map(as_iterations, args) if p is not None]
    if len(parts) < max(len(args), 1) or _are_as_long(parts):
        return None
    return generator(runtime, tracer, zipped_strictly, (Zip(parts), list(map(Column, parts))), {})


def _are_as_long(parts: Sequence[Iterations]) -> bool:
    """Whether the call knows that all of them are."""
    counts = [p.count for p in parts]
    return not any(isinstance(c, Tensor) or runtime_names(c) for c in counts) and all(c == counts[0] for c in counts)


def _is_lazy(x: Any) -> bool:
    return type(x) is Generated


@acts_for_caller
def _zip(runtime: Any, tracer: Tracer, args: tuple[Any, ...]) -> Generated | None:
    """Python's own order: one value of each in turn. Where a tensor decides what there is, one of them is pushed."""
    place = next(k for k, a in enumerate(args) if type(a) is Generated)
    others = [a for k, a in enumerate(args) if k != place]
    if not args[place].can_push() or not all(isinstance(a, (Sized, Tensor, Iterations, Generated)) for a in others):
        return None
    if not (tracer.pushes_zips or any(map(_is_run_time_counted, others))):
        return _pulled_zip(tracer, args)
    columns = [a if k == place else _column(tracer, a) for k, a in enumerate(args)]
    return generator(runtime, tracer, zipped, (columns[:place], args[place], columns[place + 1 :]), {})


@acts_for_caller
def _pulled_zip(tracer: Tracer, args: tuple[Any, ...]) -> Generated:
    tracer.pulled_zips = True

    def push(emit: Emit) -> None:
        for items in zip(*args):  # noqa: B905 (as the user wrote it)
            goes_on = emit(items)
            if isinstance(goes_on, Tensor):
                raise CaptureError(
                    "a tensor ends a loop over zip() of generators", loc=caller_loc(), remedy="loop over lists"
                )
            if not goes_on:
                return

    return Generated(push, lambda: zip(*args), iter(()))  # noqa: B905


def _is_run_time_counted(x: Any) -> bool:
    """Whether only a run knows how many items something has."""
    if isinstance(x, Tensor):
        return bool(x.ndim) and not isinstance(x.shape[0], int)
    return is_run_time_sized(x) or (isinstance(x, Iterations) and not isinstance(x.count, int))


@acts_for_caller
def _column(tracer: Tracer, items: Any) -> Any:
    """All items that stand beside those of the generator that is pushed."""
    if isinstance(items, Iterations):
        return Column(items)
    if isinstance(items, Tensor) or is_run_time_sized(items):
        return items
    if type(items) is not Generated:
        return list(items)
    before = _changed(tracer)
    found = gather(items, most=_MOST_BESIDE)
    if _changed(tracer) != before:
        raise CaptureError(
            "zip() of generators whose values a tensor decides: one of them changes objects, and would run whole "
            "before the other",
            loc=caller_loc(),
            remedy="make a list of the values of one of them first",
        )
    return found


def _changed(tracer: Tracer) -> list[tuple[int, Any, int]]:
    return [(id(owner), key, id(after)) for owner, key, _, after in tracer.objects.changes()]


@acts_for_caller
class PulledIterator(Stepped):
    """Any of them: it can't go back where code that asked for items is traced again."""

    def __init__(self, iterator: Iterator[Any]) -> None:
        self.iterator = iterator
        self.pulled = 0
        self.source = OneWay(iterator)

    def take(self) -> Any:
        """The next item, if all that were asked for are so on this path."""
        self.source.require(0, self.pulled, f"a {type(self.iterator).__name__} object")
        self.pulled += 1
        return self.source.take()


def taken(tracer: Tracer, value: Any, action: str) -> Any:
    """A value whose items code takes: of an iterator from outside what moves in its place.

    Errors: CaptureError for iterators that don't tell how far they are: `action` would move them while capturing.
    """
    found = stand_in(value) if tracer.objects.iterators.holds(value) else value
    if found is None:
        tracer.objects.iterators.refuse(value, action)
    return found


def entering(tracer: Tracer, fn: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """A function and its arguments, where it takes items of iterators from outside."""
    if not tracer.objects.iterators.known:
        return fn, args
    owner, name = getattr(fn, "__self__", None), getattr(fn, "__name__", type(fn).__name__)
    if name == "__next__" and tracer.objects.iterators.holds(owner):
        return next, (taken(tracer, owner, "__next__()"),)
    if name in MOVING_METHODS:
        tracer.objects.iterators.refuse(owner, f"{name}()")
    if not takes_items(fn):
        return fn, args
    return fn, tuple([taken(tracer, x, f"{name}()") for x in args])


@acts_for_caller
class SideIterator(SequenceIterator):
    """`enumerate`, `zip` or `reversed` over tensors."""

    items: Column

    def __init__(self, iterations: Iterations) -> None:
        super().__init__(Column(iterations))

    def take(self) -> Any:
        """The next item, by a number that Python has."""
        if type(self.position) is not int or type(self.items.count) is not int:
            raise counted_by_a_run()
        if self.position >= self.items.count:
            raise StopIteration
        item = self.items.item(self.position)
        self.position += 1
        return item

    def rest(self) -> Any:
        """The items from here on."""
        if type(self.position) is not int or self.left is not False:
            raise counted_by_a_run()
        self.left = True
        return After(self.items, self.position) if self.position else self.items.items


@acts_for_caller
class NumberIterator(Stepped):
    """`itertools.count`."""

    def __init__(self, value: Any, step: Any) -> None:
        self.value = value
        self.step = step

    def take(self) -> Any:
        """The next number, which may be one that only a run knows."""
        value = self.value
        self.value = value + self.step
        return value


_DICT: dict[Any, Any] = {}
_BOTH_WAYS: list[Any] = [[], range(0), _DICT, _DICT.values(), _DICT.items(), deque()]
_PYTHONS_OWN = frozenset(
    {type(iter(x)) for x in (*_BOTH_WAYS, (), "", b"", range(1 << 65), set())}
    | {type(reversed(x)) for x in _BOTH_WAYS}
    | {type(iter(int, 0)), enumerate, zip, map, filter, reversed}
    | {x for x in vars(itertools).values() if isinstance(x, type)}
)


def stepped(tracer: Tracer, fn: Any, args: tuple[Any, ...], made: Any) -> Any:
    """What a call gave, in the form that says how far it is if it is a new iterator of Python's own.

    An array is one of the run where it is filled with elements of one (see ../../trace/arrays/made_arrays.py).
    """
    if type(made) is np.ndarray:
        return tracer.arrays.of_call(tracer, fn, args, made)
    if type(made) not in _PYTHONS_OWN or any(made is a for a in args):
        return made
    if type(made) is not fn and fn is not iter and tracer.objects.iterators.holds(made):
        return made
    return tracer.objects.new(_stepped(fn, args, made))


def _stepped(fn: Any, args: tuple[Any, ...], made: Any) -> Stepped:
    if fn is iter and len(args) == 1 and type(args[0]) in (list, tuple, str, bytes, range):
        return SequenceIterator(args[0])
    if fn is itertools.cycle and type(args[0]) in (list, tuple, str, bytes, range):
        return SequenceIterator(tuple(args[0]), is_endless=True)
    if fn is itertools.count:
        first, step = (*made.__reduce__()[1], 1)[:2]
        return NumberIterator(first, step)
    return PulledIterator(made)


@acts_for_caller
def next_of(runtime: Any, iterator: Any, *default: Any) -> Any:
    """`next(iterator, *default)` of a `Stepped`, or of a generator that is made there."""
    if type(iterator) is Generated:
        if not iterator.can_push():
            return iterator.only_value(default)
        return convert(first_item, runtime).function(iterator, *default)
    if not isinstance(iterator, SequenceIterator) or iterator.left is not False:
        return next(iterator, *default)
    if not (isinstance(iterator.position, Tensor) or isinstance(iterator.items, Tensor)):
        if not is_run_time_sized(iterator.items) and not _is_counted_by_run(iterator.items):
            return next(iterator, *default)
    tracer = active()
    asks = default or not is_run_time_sized(iterator.items) or (tracer is not None and is_caught(tracer, StopIteration))
    try:
        return convert(next_item if asks else next_there, runtime).function(iterator, *default)
    except CaptureError as error:
        one_by_one(error)
        raise


def asks_once(x: Any) -> bool:
    """Whether it is a generator in `next(…)` that no other code holds."""
    return type(x) is Generated and x.is_asked_once


def _is_counted_by_run(items: Any) -> bool:
    return isinstance(items, Iterations) and type(items.count) is not int


def iterates(fn: Any, k: int, argument: Any) -> bool:
    """Whether one of `ITERATING` goes through its argument `k`: the others are functions, starts and lengths. Of a
    mapping a dict takes the keys by `keys()`, and the items by them.
    """
    if fn in (dict, OrderedDict, Counter) and hasattr(argument, "keys"):
        return False
    return k > 0 if fn in (map, filter) else k == 0 or fn not in (sum, enumerate, sorted, deque, iter)


@acts_for_caller
def iterated(tracer: Tracer, iterable: Any) -> Any:
    """What iterating over a user's object gives, by its own `__iter__` and `__next__` in converted form."""
    if is_run_time_deque(iterable):
        return list(iterable)
    if isinstance(iterable, Stepped):
        return _rest_of(tracer, iterable)
    if isinstance(iterable, (set, frozenset)) and (sizes := [x for x in iterable if _has_size(x)]):
        error = CaptureError("a set is iterated that holds a size which changes between calls", loc=caller_loc())
        raise with_origins(tracer, error, sizes)  # its order goes by the numbers
    own: Any = getattr(type(iterable), "__iter__", None)
    if not is_users(own):
        looked_at(tracer, iterable)
        found = taken(tracer, iterable, "a loop over the items")
    else:
        found = taken(tracer, tracer.call(types.MethodType(own, iterable)), "a loop over the items")
    if isinstance(found, Stepped):
        return _rest_of(tracer, found)
    step: Any = getattr(type(found), "__next__", None)
    if not is_users(own) and own is not Iterator.__iter__:
        return found
    return UsersSteps(tracer, types.MethodType(step, found)) if is_users(step) else found


def _has_size(key: Any) -> bool:
    return any(map(_has_size, key)) if isinstance(key, tuple) else isinstance(key, Dim)


def _rest_of(tracer: Tracer, iterator: Stepped) -> Any:
    """What a loop of the program goes through; the iterator itself where that is one item after the other."""
    if isinstance(iterator, SideIterator):
        return iterator.rest()
    if not isinstance(iterator, SequenceIterator) or iterator.is_endless:
        return iterator
    items = iterator.items
    if not (isinstance(items, Tensor) or is_run_time_sized(items)):
        return iterator
    if type(iterator.position) is not int or iterator.left is not False:
        raise counted_by_a_run()
    iterator.left = True
    after = slice(iterator.position, None)
    if not iterator.position or isinstance(items, Tensor):
        return items[after] if iterator.position else items
    return [part_of(whole(tracer, items), after)]


@acts_for_caller
class UsersSteps:
    """A loop over an iterator of the user's: each item is a call of its `__next__`, which changes the iterator."""

    def __init__(self, tracer: Tracer, step: types.MethodType) -> None:
        self.tracer = tracer
        self.step = step

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self.tracer.call(self.step)


@acts_for_caller
def unpacked(value: Any) -> Any:
    """The value of `a, b = value`."""
    tracer = active()
    if is_run_time_deque(value):
        value = list(value)
    if tracer is not None:
        value = taken(tracer, value, "unpacking")
    if tracer is not None and is_run_time_sized(value):
        return spread(tracer, value)
    return value
