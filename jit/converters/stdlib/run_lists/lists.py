"""Lists whose length is known only at run time (see ../trace/dynamic_lists.py): reads and writes.

In the program such a list is one tensor per leaf of its elements, with one more axis in front, whose size is a run-time
size: appending is concat, reading is select, so every operation has its gradient from the op table.
"""

from __future__ import annotations

import collections
import functools
import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from .....base import dtype as dt
from .....base.class_marks import defines
from .....base.errors import CaptureError, ShapeError
from .....base.frame_marks import acts_for_caller, fails_for_caller
from .....base.location import caller_loc
from .....base.pytree import LEAF, Rows, Spliced, map_leaves, number_kinds, with_number_kinds
from .....base.size import is_list
from .....dygraph.number import number_over
from .....dygraph.tensor import Tensor
from .....ops.dims import Dim, is_open
from .....ops.indexing import setitem
from .....ops.infer import axis_index
from .....ops.op import FUNCTIONS, OPS
from .....ops.sizes import runtime_names
from ....trace.arrays.traced_arrays import part_of_array, reads_at_run_time, unhidden
from ....trace.rolling import Unread, refuse_subscript
from ....trace.state.aliases import LIST, link_leaves
from ....trace.state.containers import decision_in, refill
from ....trace.state.dynamic_lists import ListSegment, is_run_time_deque, is_run_time_sized, mixed, segment_in
from ....trace.state.escapes import origins_in, with_origins
from ....trace.tracer import Tracer, active
from ...regions.markers import Tested
from ..outside_objects import read_of_part, set_in_buffer
from ..own_methods import own_method
from .list_lengths import (
    around,
    chosen,
    derived,
    element,
    fix_lengths,
    in_order,
    is_part_of_run,
    length,
    part_of,
    place,
)
from .list_stacks import as_tensors, parts_of_element, parts_of_list, pending, structure_of, summed, with_room
from .singles import alike, has_place, known_part

# ---- one segment for a whole list


def whole(tracer: Tracer, items: list[Any], *keys: Any) -> ListSegment:
    """A list as one segment; CaptureError where its elements aren't of one kind. keys: those that ask for it."""
    if len(items) == 1 and type(items[0]) is ListSegment and not isinstance(items[0].decision, Unread):
        return items[0]
    found = parts_of_list(items)
    kinds = [] if found is None or found[1] is None else number_kinds(found[1])
    leaves = [] if found is None else [pending(found[0], k, number) for k, number in enumerate(kinds)]
    if found is None or found[1] is None or any(leaf is None for leaf in leaves):
        _fork(items, "its elements have different types")
        raise with_origins(tracer, mixed(items), keys)
    tracer.grew = True
    decision = next((x.decision for x in items if type(x) is ListSegment and x.decision is not None), None)
    try:
        made = ListSegment(tuple(leaf.make(tracer) for leaf in leaves if leaf is not None), found[1], decision)
    except ShapeError:
        _fork(items, "its elements have different sizes")
        raise with_origins(tracer, mixed(items), keys) from None
    tracer.joints.link_elements(made, items)
    tracer.joints.activate()
    return made


def permuted(tracer: Tracer, items: list[Any], order: Tensor) -> list[Any]:
    """The elements in an order that only a run knows: they are those of the list itself."""
    made = in_order(whole(tracer, items), order)
    return [element(tracer, made, k) for k in range(len(items))]


def size_of(items: list[Any]) -> Any:
    """The number of elements of a list of run-time length."""
    segments = [x for x in items if type(x) is ListSegment]
    for x in segments:
        if isinstance(x.decision, Unread):
            x.fail()
    return sum((length(x) for x in segments), len(items) - len(segments))


def _fork(items: Sequence[Any], reason: str) -> None:
    """Trace what follows once per path, if an `if` made this list's length one that only a run knows."""
    for x in items:
        if type(x) is ListSegment and x.decision is not None:
            x.decision.fork(f"a list's length is known on each path of this `if` only, and {reason}")


# ---- what converted code does with lists


@acts_for_caller
def item(base: Any, key: Any) -> Any:
    """`base[key]`."""
    tracer = active()
    if is_run_time_deque(base):
        base = list(base)
    if tracer is None or not isinstance(base, (list, tuple)):
        method = None if tracer is None else own_method(operator.getitem, base)
        if tracer is not None:
            read_of_part(tracer, operator.getitem, base, key)
            if type(base) is np.ndarray and reads_at_run_time(base, key):
                return part_of_array(tracer, base, key)
        return base[key] if tracer is None or method is None else tracer.call(method, key)
    key = _as_place(base, key)
    run_time_sized = is_run_time_sized(base)
    if id(base) in tracer.objects.kept and not _is_end(tracer, base, key):
        tracer.ends_read.add(id(base))
    if run_time_sized and has_place(base, key):
        return base[key]
    if run_time_sized and isinstance(key, slice) and (known := known_part(list(base), key)) is not None:
        return known
    if isinstance(key, slice) and (run_time_sized or isinstance(key.start, Tensor) or isinstance(key.stop, Tensor)):
        return [part_of(whole(tracer, list(base)), key)]
    if run_time_sized or (isinstance(key, Tensor) and key.dtype.is_integer and type(base) in (list, tuple)):
        if not run_time_sized:
            refuse_subscript(tracer.rolling)
        found = None if run_time_sized else chosen(tracer, base, key)
        return element(tracer, whole(tracer, list(base), key), key) if found is None else found
    return base[key]


def _as_place(base: Any, key: Any) -> Any:
    """A subscript of a list or tuple: False and True are places, too."""
    is_flag = isinstance(key, Tensor) and key.dtype is dt.bool_ and type(base) in (list, tuple)
    return OPS["cast"](key, dt.int64) if is_flag else key


def _is_end(tracer: Tracer, items: Any, key: Any) -> bool:
    """Whether an item from the end is one that the function has appended to a list from outside."""
    before = tracer.objects.kept[id(items)].copy
    return type(key) is int and key < 0 and -key <= len(items) - len(before) and decision_in(items) is None


@acts_for_caller
def set_item(value: Any, base: Any, key: Any) -> None:
    """`base[key] = value`."""
    tracer = active()
    refuse_deque(base, "an element of it is assigned")
    key = key if tracer is None else _as_place(base, key)
    if tracer is not None and is_part_of_run(tracer, base, key):
        _replace_part(tracer, base, key, value)
        return
    run_time_sized = is_run_time_sized(base) and not isinstance(key, slice)
    run_time_sized = run_time_sized and not (has_place(base, key) and alike([value], [base[key]]))
    if tracer is None or not (run_time_sized or (is_list(base) and isinstance(key, Tensor))):
        method = None if tracer is None else own_method(operator.setitem, base)
        if tracer is None or (method is None and not set_in_buffer(tracer, base, key, value)):
            if tracer is None or type(base) in (list, dict):
                base[key] = value
            else:
                unhidden(tracer, operator.setitem, base, key, value)
        elif method is not None:
            tracer.call(method, key, value)
        return
    segment = whole(tracer, base, key)
    leaves, tree = parts_of_element(value)
    roomy = with_room(segment, tree, leaves)
    if roomy is None:
        _fork(base, "it gets an element of another type")
    if roomy is None or roomy[1]:
        error = CaptureError("a list of run-time length gets an element of another type", loc=caller_loc(),
                             remedy="give all elements the same structure")  # fmt: skip
        error = with_origins(tracer, error, [size if isinstance(size := length(segment), Dim) else key])
        if roomy is None or origins_in(error) is not None:  # with that bound it is a list of Python's
            raise error
    segment = roomy[0]
    at = place(tracer, key)
    stacks = tuple(setitem(x, at, v) for x, v in zip(segment.stacks, leaves, strict=True))
    link_leaves(tracer, stacks, leaves, segment.decision, LIST)
    made = derived(segment, stacks, [key])
    tracer.joints.link_elements(made, [value])
    tracer.joints.activate()
    base[:] = [made]


@acts_for_caller
def delete_item(base: Any, key: Any) -> None:
    """`del base[key]`."""
    tracer = active()
    refuse_deque(base, "an element of it is deleted")
    if tracer is not None and is_part_of_run(tracer, base, key):
        _replace_part(tracer, base, key, [])
    elif tracer is None or isinstance(key, slice) or not is_run_time_sized(base) or has_place(base, key):
        del base[key]
    else:
        _pop(tracer, base, key)


def _replace_part(tracer: Tracer, items: list[Any], part: slice, values: Iterable[Any]) -> None:
    """`items[part] = values`."""
    if part.step not in (None, 1) or not isinstance(values, (list, tuple)):
        _fork(items, "a slice of it is assigned or deleted")
        raise CaptureError("a slice of a list is assigned or deleted that has a length or bounds of a run",
                           loc=caller_loc(), remedy="make a new list: `xs[:a] + ys + xs[b:]`")  # fmt: skip
    if items:
        before, behind = around(tracer, whole(tracer, items, part.start, part.stop), part)
        items[:] = [before, *values, behind]
    else:
        items += values


def refuse_deque(base: Any, reason: str) -> None:
    """CaptureError where a value is a deque of run-time length; the `if` that made it so is traced once per path."""
    if is_run_time_deque(base):
        _fork(base, reason)
        raise CaptureError(f"a deque has a length that only a run knows, and {reason}", loc=caller_loc(),
                           remedy="use a list")  # fmt: skip


def tested(value: Any) -> Any:
    """What a condition asks of a value: whether a list of run-time length has elements, whether a size is not 0."""
    if isinstance(value, Tested):
        return value.flag
    tracer = active()
    if tracer is None:
        return value
    if isinstance(value, Dim) and (runtime_names(value) or is_open(value)):
        return number_over(OPS["not_equal"](tracer.constant(value, None), tracer.constant(0, dt.int64)))
    if is_run_time_deque(value):
        value = list(value)
    if not is_run_time_sized(value):
        method = own_method(bool, value)
        return value if method is None else tracer.call(method)
    return number_over(OPS["greater_than"](tracer.constant(size_of(value), None), tracer.constant(0, dt.int64)))


def as_output(value: Any, *, stays: bool = False) -> Any:
    """A value with its lists of run-time length marked, for a structure that a call rebuilds.

    stays: in an object from outside, where elements of known places are the tensors that they are.
    """
    tracer = active()
    if tracer is None:
        return value

    def marked(items: list[Any]) -> Rows | Spliced:
        if stays:
            return Spliced(
                tuple(_kept(tracer, x) if type(x) is ListSegment else [as_output(x, stays=True)] for x in items)
            )
        found = parts_of_list(items)
        if found is not None and all(structure_of(x) == found[1] for x in items):
            return _rows(whole(tracer, items))
        return Spliced(tuple(_rows(whole(tracer, [x])) if type(x) is ListSegment else [as_output(x)] for x in items))

    return map_leaves(marked, value, is_run_time_sized)


def _kept(tracer: Tracer, segment: ListSegment) -> Any:
    return _rows(whole(tracer, [segment])) if segment.ways is None else segment.ways


def _rows(segment: ListSegment) -> Rows:
    return Rows(segment.stacks, segment.tree)


# ---- methods of lists, and functions over them


@fails_for_caller
def _pop(tracer: Tracer, items: list[Any], index: Any = -1) -> Any:
    if has_place(items, index):
        return items.pop(index)
    segment = whole(tracer, items)
    some = tested(items)
    tracer.check(tracer.flag(some), "pop from empty list", "IndexError")
    taken = element(tracer, segment, index, is_taken=True)
    if isinstance(index, int) and index == -1:
        items[:] = [part_of(segment, slice(None, -1))]
        return taken
    at = place(tracer, index)
    size = tracer.constant(length(segment), dt.int64)
    first = OPS["where"](at < 0, at + size, at)
    items[:] = [part_of(segment, slice(None, first)), part_of(segment, slice(first + 1, None))]
    return taken


@fails_for_caller
def _insert(tracer: Tracer, items: list[Any], index: Any, value: Any) -> None:
    ahead = next((k for k, x in enumerate(items) if type(x) is ListSegment), len(items))
    if type(index) is int and 0 <= index <= ahead:
        items.insert(index, value)
        return
    segment = whole(tracer, items)
    items[:] = [part_of(segment, slice(None, index)), value, part_of(segment, slice(index, None))]


def _reverse(tracer: Tracer, items: list[Any]) -> None:
    items[:] = [part_of(whole(tracer, items), slice(None, None, -1))]


_METHODS: dict[str, Callable[..., Any]] = {"pop": _pop, "insert": _insert, "reverse": _reverse}
_KEEPING_DEQUES = ("append", "appendleft", "extend", "clear", "copy")
_PLAIN = ("append", "extend", "clear", "copy", "__iadd__")


@fails_for_caller
def _stacked(tracer: Tracer, x: list[Any], axis: int = 0, name: str | None = None) -> Any:
    _require_one(tracer, x, "stack needs at least one tensor")
    (stack,) = _single(tracer, x)
    return stack if axis == 0 else FUNCTIONS["moveaxis"](stack, 0, axis)


def _require_one(tracer: Tracer, items: Sequence[Any], message: str) -> None:
    """The run ends with ArgumentError where a list is empty."""
    if is_run_time_sized(items) and all(type(x) is ListSegment for x in items):
        tracer.check(tracer.flag(tested(items)), message, "ArgumentError")


@fails_for_caller
def _joined(tracer: Tracer, x: list[Any], axis: int = 0, name: str | None = None) -> Any:
    _require_one(tracer, x, "concat needs at least one tensor")
    (stack,) = _single(tracer, x)
    axis = axis_index(axis, stack.ndim - 1)
    moved = FUNCTIONS["moveaxis"](stack, 0, axis)
    shape = tuple(moved.shape)
    return OPS["reshape"](moved, (*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :]))


@fails_for_caller
def _of_rows(handled: Callable[..., Any], items: Sequence[Any]) -> Callable[..., Any] | None:
    """How elements that are the rows of a tensor are stacked: it is there already."""
    tracer = active()
    rows = None if tracer is None else tracer.rolling.stacked(items, tracer.value_of)
    if rows is None:
        return None
    segment = ListSegment((rows,), LEAF)
    return lambda tracer, _, *rest, **named: handled(tracer, [segment], *rest, **named)


def _single(tracer: Tracer, items: list[Any]) -> tuple[Any, ...]:
    segment = whole(tracer, items)
    if len(segment.stacks) != 1:
        _fork(items, "it holds structures")
        raise CaptureError("this function needs a list of tensors, not of structures", loc=caller_loc())
    return as_tensors(segment, with_number_kinds(segment.tree, iter([None]))).stacks


@fails_for_caller
def _summed(tracer: Tracer, items: list[Any], start: Any = 0) -> Any:
    segment = whole(tracer, items)
    numbers = number_kinds(segment.tree) not in ([None], [])
    (stack,) = segment.stacks if numbers and len(segment.stacks) == 1 else _single(tracer, items)
    total = summed(stack)
    total = number_over(total) if numbers else total
    if not numbers and isinstance(start, int):
        tracer.totals[tracer.value_of(total)] = start, size_of(items)
    return total if isinstance(start, int) and start == 0 else total + start


@fails_for_caller
def _rebuilt(tracer: Tracer, items: Any = ()) -> list[Any]:
    return list(items)


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    len: lambda tracer, items: size_of(items),
    bool: lambda tracer, items: tested(items),
    sum: _summed,
    list: _rebuilt,
}


_OF_DEQUES: dict[str, Callable[..., Any]] = {**_METHODS, "popleft": lambda tracer, items: _pop(tracer, items, 0)}


@fails_for_caller
def _method_of_deque(owner: Any, name: str) -> Callable[..., Any] | None:
    """How a method of such a deque is called: on a list of the same elements, which it gets then."""
    if name in _KEEPING_DEQUES:
        return None
    method = _OF_DEQUES.get(name)
    if method is None:
        _fork(owner, f"its method {name} is called")
        raise CaptureError(f"deque.{name}() of a deque whose length only a run knows", loc=caller_loc(),
                           remedy="use a list, or stack it and use the tensor's operations")  # fmt: skip

    def run(tracer: Tracer, *args: Any) -> Any:
        items = list(owner)
        made = method(tracer, items, *args)
        refill(owner, items)
        return made

    return run


@fails_for_caller
def handler(tracer: Tracer, fn: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """How a call is done that has a list of run-time length as its object or first argument; None: as any other."""
    owner = getattr(fn, "__self__", None)
    if is_run_time_deque(owner):
        return _method_of_deque(owner, fn.__name__)
    if args and is_run_time_deque(args[0]):
        reads = isinstance(fn, Hashable) and (fn in _FUNCTIONS or fn is reversed)
        return (lambda tracer, items, *rest: tracer.call(fn, list(items), *rest)) if reads else None
    if is_list(owner) and is_run_time_sized(owner):
        name = fn.__name__
        if name in _PLAIN:
            return None
        method = _METHODS.get(name)
        if method is None:
            fix_lengths(tracer, [owner])
            if not is_run_time_sized(owner):
                return lambda tracer, *rest, **named: tracer.call(fn, *rest, **named)
            _fork(owner, f"its method {name} is called")
            raise CaptureError(f"list.{name}() of a list whose length only a run knows", loc=caller_loc(),
                               remedy="stack the list and use the tensor's operations")  # fmt: skip
        return lambda tracer, *rest, **named: method(tracer, owner, *rest, **named)
    if not args or type(args[0]) not in (list, tuple):
        return None
    run_time_sized = is_run_time_sized(args[0])
    if fn is FUNCTIONS.get("stack") or fn is OPS.get("stack"):
        return _stacked if run_time_sized else _of_rows(_stacked, args[0])
    if fn is FUNCTIONS.get("concat") or fn is OPS.get("concat"):
        return _joined if run_time_sized else _of_rows(_joined, args[0])
    if not run_time_sized:
        return None
    try:
        return _FUNCTIONS.get(fn)
    except TypeError:  # not hashable
        return None


def takes_rows(fn: Any, x: Any) -> bool:
    """Whether a call puts the rows of a tensor into a list, whose number only a run knows."""
    if not isinstance(x, Tensor) or not (
        fn is list or (getattr(fn, "__name__", "") == "extend" and is_list(fn.__self__))
    ):
        return False
    return bool(runtime_names(tuple(x._storage.payload.shape[:1])))


# calls that pass a list on without looking into it
_REFERENCES = frozenset(
    {isinstance, type, id, callable, getattr, hasattr, setattr, enumerate, zip, reversed, iter, functools.partial}
)
_KEEPERS = (list, dict, set, collections.deque)


def follow(tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], reached: Sequence[Any] = ()) -> None:
    """Before a call of code that isn't captured: a list of run-time length must not come to it as what it isn't.

    What an `if` made so is traced once per path, anything else is an error. reached: what the code can reach besides.
    """
    if not tracer.grew or _only_refers(fn):
        return
    fix_lengths(tracer, (*args, *kwargs.values(), *reached))
    found = segment_in(args) or segment_in(kwargs) or segment_in(list(reached))
    if found is not None:
        found.fail()


def _only_refers(fn: Any) -> bool:
    if isinstance(getattr(fn, "__self__", None), _KEEPERS):
        return fn.__name__ in _KEEPING
    if isinstance(fn, type) and (defines(fn, "__dataclass_fields__") or defines(fn, "_fields")):
        return True
    try:
        return fn in _REFERENCES
    except TypeError:  # not hashable
        return False


_KEEPING = frozenset(
    {"append", "appendleft", "extend", "insert", "clear", "copy", "get", "setdefault", "update", "pop"}
)


def _refuse_segments(values: Iterable[Any]) -> None:
    for x in values:
        if type(x) is ListSegment:
            x.fail()


def refuse_strays(value: Any) -> None:
    """At the end of a function: a segment among what comes out stands in a list or deque, and in nothing else.

    Elements that don't fit into one list of run-time length make the paths diverge that put them there.
    """
    if is_run_time_sized(value) and len(value) > 1:
        as_output(value)
    if isinstance(value, (tuple, set, frozenset)):
        _refuse_segments(value)
    for x in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        refuse_strays(x)
