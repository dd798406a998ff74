"""Views: tensors that are parts of another one, or that one in another form, and stay it.

A view knows its base, what kind of cut it is, and which (`Sharing`, storage.py). A write to it goes into the base, by
the inverse of the cut; a write to the base is seen by its views, which are cut anew. All of it happens to tensors,
whether they hold arrays or a program's values: a program sees cuts and writes, and knows of no views.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from ..base.dtype import int64
from ..base.errors import ArgumentError
from ..ops.dims import Dim
from ..ops.dispatch import is_captured
from ..ops.indexing import getitem, setitem
from ..ops.op import FUNCTIONS, OPS
from . import storage as cells
from .modes import GradMode
from .open_layouts import IN_ORDER, form_of, given_layout, is_dense_and_open, lie, strides_of, takes_open_shape
from .storage import Sharing, StaleStorage, Storage
from .tensor import Parameter, Tensor, wrap

_new: Any = object.__new__
_ref = weakref.ref
_VIEWED = frozenset((Tensor, Parameter))


@dataclass(frozen=True, slots=True)
class ViewKind:
    """One kind of cut, of a base and a `part` that says which.

    of_array: as NumPy cuts it, without a copy. cut: the same as operations. put: the base with other elements there.
    back: from the gradient of the cut, as an array, the part, and the shape of the base to the gradient of the base;
    None where elements occur several times.
    """

    name: str
    of_array: Callable[[Any, Any], Any]
    cut: Callable[[Any, Any], Any]
    put: Callable[[Any, Any, Any], Any]
    back: Callable[[Any, Any, Any], Any] | None = None


def _inverse(order: Sequence[int]) -> list[int]:
    return sorted(range(len(order)), key=order.__getitem__)


def _item_of_array(array: Any, key: Any) -> Any:
    kind = type(key)
    if kind is int or kind is slice:
        return array[key, ...]
    parts = key if kind is tuple else (key,)
    for part in parts:
        if part is Ellipsis:
            return array[parts]
    return array[(*parts, ...)]  # of one element too, no number


def _windows(array: Any, part: tuple[int, int, int]) -> Any:
    axis, size, step = part
    found = sliding_window_view(array, size, axis, writeable=True)
    return found[(slice(None),) * axis + (slice(None, None, step),)]


def _strided(array: Any, part: tuple[Any, ...]) -> Any:
    shape, strides, offset = part
    return as_strided(array.reshape(-1)[offset:], shape, [s * array.itemsize for s in strides])


def _item_back(array: Any, key: Any, shape: tuple[int, ...]) -> Any:
    whole = np.zeros(shape, array.dtype)
    whole[key] = array
    return whole


def _diagonal_back(array: Any, part: tuple[int, int, int], shape: tuple[int, ...]) -> Any:
    whole = np.zeros(shape, array.dtype)
    _writable_diagonal(whole, part)[...] = array
    return whole


def _put_diagonal(x: Any, part: tuple[int, int, int], value: Any) -> Any:
    return FUNCTIONS["diagonal_scatter"](x, value, *part)


def _put_by_places(kind: str) -> Callable[[Any, Any, Any], Any]:
    """Elements by their places in the base: for cuts that have no operation as inverse."""

    def put(x: Any, part: Any, value: Any) -> Any:
        places = np.arange(x.size, dtype=np.int64).reshape(tuple(x.shape))
        found = KINDS[kind].of_array(places, part).reshape(-1)
        whole, line = OPS["reshape"](x, [-1]), OPS["reshape"](value, [-1])
        there, first, count = np.unique(found, return_index=True, return_counts=True)
        if there.size == found.size:
            return OPS["reshape"](setitem(whole, found, line), x.shape)
        again, once = count > 1, first[count == 1]
        known = setitem(whole, found[once], line[once]) if once.size else whole
        return OPS["reshape"](_put_again(known, whole, line, found, there[again], count[again]), x.shape)

    return put


def _put_again(known: Any, whole: Any, line: Any, found: Any, there: Any, count: Any) -> Any:
    """`known` with the elements that stand several times in the line: of each what was written last, as seen by its
    difference from `whole`, which it was cut from.
    """
    order = np.argsort(found, kind="stable")
    begin = np.searchsorted(found[order], there)[:, None]
    occurs = order[begin + np.minimum(np.arange(count.max()), count[:, None] - 1)]
    before, now = whole[there], line[occurs]
    old = OPS["reshape"](before, [-1, 1])
    changed = (now != old) & ((now == now) | (old == old))  # NaN in the place of NaN is none
    rank = changed.astype("int64") * wrap(np.arange(1, count.max() + 1), int64)
    last = FUNCTIONS["argmax"](rank, axis=1, keepdim=True)
    new, is_new = FUNCTIONS["take_along_axis"](now, last, 1), FUNCTIONS["take_along_axis"](rank, last, 1) > 0
    return setitem(known, there, OPS["reshape"](OPS["where"](is_new, new, old), [-1]))


def _all_steps(x: Any, steps: Sequence[tuple[ViewKind, Any]], name: str) -> Any:
    for kind, part in steps:
        x = getattr(kind, name)(x, part)
    return x


def _put_chain(x: Any, steps: Sequence[tuple[ViewKind, Any]], value: Any) -> Any:
    (kind, part), *rest = steps
    return kind.put(x, part, _put_chain(kind.cut(x, part), rest, value) if rest else value)


def _untold(*_: Any) -> Any:
    raise ArgumentError(
        "this tensor came out of a compiled function, where it is on some paths a view of a tensor that is there "
        "outside, and one of both was written in place",
        remedy="write to a clone() of it, or return a clone() from the function",
    )


ITEM = ViewKind("item", _item_of_array, getitem, setitem, _item_back)
SHAPE = ViewKind(
    "shape", ndarray.reshape, lambda x, shape: OPS["reshape"](x, shape),
    lambda x, shape, value: OPS["reshape"](value, x.shape), lambda g, _, shape: g.reshape(shape),
)  # fmt: skip
AXES = ViewKind(
    "axes", ndarray.transpose, lambda x, order: OPS["transpose"](x, list(order)),
    lambda x, order, value: OPS["transpose"](value, _inverse(order)), lambda g, order, _: g.transpose(_inverse(order)),
)  # fmt: skip
DIAGONAL = ViewKind(
    "diagonal", lambda a, part: _writable_diagonal(a, part), lambda x, part: FUNCTIONS["diagonal"](x, *part),
    _put_diagonal, _diagonal_back,
)  # fmt: skip
STRIDED = ViewKind("strided", _strided, lambda x, part: FUNCTIONS["as_strided"](x, *part), _put_by_places("strided"))
WINDOWS = ViewKind("windows", _windows, lambda x, part: FUNCTIONS["unfold"](x, *part), _put_by_places("windows"))
CHAIN = ViewKind(
    "chain", lambda a, steps: _all_steps(a, steps, "of_array"), lambda x, steps: _all_steps(x, steps, "cut"), _put_chain
)
LIES = "lies"  # no cut, but the strides of a view of memory that nobody else has
ORDER = "order"  # the same, of one that has all of that memory: its axes, from the outermost there
UNTOLD = ViewKind("untold", *[_untold] * 3)
KINDS = {kind.name: kind for kind in (ITEM, SHAPE, AXES, DIAGONAL, STRIDED, WINDOWS, CHAIN, UNTOLD)}


def _writable_diagonal(array: Any, part: tuple[int, int, int]) -> Any:
    offset, *axes = part
    far = array.size + 1  # there are no elements so far away, nor beyond
    found = array.diagonal(min(max(offset, -far), far), *axes)
    found.flags.writeable = array.flags.writeable
    return found


# ---- making views


def link(x: Tensor, y: Tensor, kind: ViewKind, part: Any) -> Tensor:
    """`y`, which `kind` cuts from `x`, as a view of it."""
    cell, own = x._storage, y._storage
    if own is cell or type(x) not in _VIEWED or type(y) not in _VIEWED:
        return y
    if cell.__class__ not in _CELLS or own.__class__ is not Storage:
        return y
    sharing = cell.shared
    if sharing.__class__ is not Sharing:
        sharing = cell.shared = Sharing(sharing)
    mine = own.shared = _new(Sharing)
    mine.base, mine.cell, mine.kind, mine.part = x, cell, kind, part
    mine.parts = ()
    mine.others = mine.fresh = mine.dense = False
    own.version = cell.version
    ref = mine.me = _ref(y)
    parts = sharing.parts
    if len(parts) == 1 and parts[0]() is None:  # the usual case of `append`
        parts[0] = ref
        sharing.stale = 0
    else:
        sharing.append(ref)
    if y._node is not None:
        sharing.linked = True
    if own.payload.__class__ is not ndarray:
        mine.cut_from(cell.payload, own.payload)
        own.__class__ = StaleStorage
        return y
    if cell.__class__ is StaleStorage:
        _ = cell.payload  # cut anew: what is behind it knows then that a view of it has elements
    if not sharing.fresh:
        sharing.show_fresh()
    return y


_CELLS = frozenset((Storage, StaleStorage))


def plain_bound(bound: Any) -> Any:
    """A bound of a slice, or an index, that later writes don't reach."""
    if isinstance(bound, Tensor):
        return int(bound) if type(bound._storage.payload) is ndarray and not is_captured() else bound.snapshot()
    return bound if bound is None or isinstance(bound, Dim) else operator.index(bound)


def plain_key(x: Tensor, key: Any) -> Any:
    """A key that cuts a view, made of what later writes don't reach; None for others, which pick elements."""
    parts = key if type(key) is tuple else (key,)
    made: list[Any] = []
    for part in parts:
        if part is None or part is Ellipsis:
            made.append(part)
        elif type(part) is slice:
            made.append(slice(*[plain_bound(b) for b in (part.start, part.stop, part.step)]))
        elif isinstance(part, Tensor):
            if part._storage.payload.shape or part._dtype.category != int64.category:
                return None
            made.append(plain_bound(part))
        elif (
            isinstance(part, (bool, np.bool_, list, tuple, range))
            or getattr(part, "ndim", False)
            or not (isinstance(part, Dim) or hasattr(part, "__index__"))
        ):
            return None
        else:
            made.append(plain_bound(part))
    return tuple(made)


def alias_of(x: Tensor) -> Tensor:
    """A view with the same elements as the view `x`, cut from its graph."""
    sharing: Any = x._storage.shared
    alias = Tensor.__new__(Tensor)
    alias._storage, alias._dtype = Storage(x._storage.payload, True), x._dtype
    base = base_of(sharing)
    return link(base.detach(), alias, sharing.kind, sharing.part)


def steps_of(x: Tensor) -> tuple[Tensor, list[tuple[ViewKind, Any]]]:
    """The tensor that a view shows a part of, which is none itself, and the cuts from it to the view."""
    steps: list[tuple[ViewKind, Any]] = []
    while cells.is_view(x._storage):
        sharing: Any = x._storage.shared
        steps.append((sharing.kind, sharing.part))
        x = base_of(sharing)
    return x, steps[::-1]


def relate(x: Any, y: Any, steps: Sequence[tuple[str, Any]], others: Sequence[Any] = ()) -> Any:
    """`y`, which cuts by these names make from `x`, as a view of it. others: what it may be a view of, too.

    Where the elements of `x` lie so that a step moves them, `y` stays what it is: a tensor of its own.
    x: None where nobody else has the memory: then it is known how the elements lie in it (see LIES).
    """
    if x is None:
        ((kind, part),) = steps
        if type(y._storage.payload) is ndarray:  # in a program that is called by another one they may be open
            strides: Any = strides_of(y._storage.payload.shape, part) if kind == ORDER else part
            lie(y._storage, strides)
        return y
    if isinstance(x, Tensor) and isinstance(y, Tensor) and are_cuts(x, steps):
        ((name, part),) = steps if len(steps) == 1 else (("chain", [(KINDS[kind], part) for kind, part in steps]),)
        link(x, y, KINDS[name], part)
        for other in others:
            if isinstance(other, Tensor):
                _watch(other, y)
    return y


def are_cuts(x: Tensor, steps: Sequence[tuple[str, Any]]) -> bool:
    """Whether a view of `x` comes out of these steps, and no copy."""
    if _lies_in_order(x):
        return True  # it lay so when it was found out that they are cuts
    array, _ = layout_of(x)
    for name, part in steps if array is not None else ():
        if not (_is_shaped(array, part) if name == "shape" else name != "strided" or array.flags.c_contiguous):
            return False
        if KINDS[name] is UNTOLD:
            break
        array = KINDS[name].of_array(array, part)
    return True


def _watch(x: Tensor, y: Tensor) -> None:
    """Let a write to `x` leave the view `y` stale."""
    cell = x._storage
    if type(cell.shared) is not Sharing:
        cell.shared = Sharing(cell.shared)
    cell.shared.note(y)
    cell.shared.show_fresh()


def base_of(sharing: Sharing) -> Tensor:
    """The tensor that a view is cut from; one that stands for its cell where it has another cell by now."""
    base: Tensor = sharing.base
    if base._storage is sharing.cell:
        return base
    return over(sharing.cell, base._dtype)


def over(cell: Any, dtype: Any) -> Tensor:
    """A tensor over a cell, with no place in the graph."""
    made = Tensor.__new__(Tensor)
    made._storage, made._dtype = cell, dtype
    return made


def layout_of(x: Tensor) -> tuple[Any, Any]:
    """An array with the shape and the strides that a tensor has in memory, never to be read; and how its elements lie
    that is behind it (OutsideLayout), where it was given so.

    No array for a tensor of its own, and where sizes are known to a run only.
    """
    cell, steps = x._storage, []
    while cells.is_view(cell):
        steps.append(cell.shared)
        cell = cell.shared.cell
    given = given_layout(cell)
    if given is None and not steps:
        return None, None
    shape = tuple(cell.payload.shape)
    is_open = not all(type(d) is int for d in shape)
    if is_open and (given is None or given.order is not None):
        return None, None
    whole: Any = np.empty(shape, np.int8) if given is None else given.array  # at no cost: nobody touches it
    for sharing in reversed(steps):
        key = given.fixed(sharing.part) if given is not None and is_open else sharing.part
        if sharing.kind is ITEM:
            parts = key if type(key) is tuple else (key,)
            if any(type(b) is not int for p in parts if type(p) is slice for b in _bounds(p)):
                return None, None
            key = tuple([0 if isinstance(p, (Tensor, Dim)) else p for p in parts])
        elif type(key) is tuple and any(isinstance(p, Dim) for p in key):
            return None, None
        try:
            whole = sharing.kind.of_array(whole, key)
        except (TypeError, IndexError, ValueError):
            return None, None
    return whole, given


def _bounds(part: slice) -> list[Any]:
    return [b for b in (part.start, part.stop, part.step) if b is not None]


def form_in_memory(x: Any) -> Any:
    """What tells tensors apart whose elements lie otherwise (see `form_of`)."""
    if not isinstance(x, Tensor) or _lies_in_order(x):
        return IN_ORDER
    array, _ = layout_of(x)
    return None if array is None else form_of(array)


def _lies_in_order(x: Tensor) -> bool:
    """Whether it is known without a look at the strides: of views that were made so, and of tensors of their own."""
    if cells.is_view(x._storage):
        return bool(x._storage.shared.dense)
    return given_layout(x._storage) is None


def is_dense(x: Tensor) -> bool:
    """Whether the elements of a tensor are neighbours in memory, in their order."""
    if _lies_in_order(x):
        return True
    found, _ = layout_of(x)
    if found is not None:
        return bool(found.flags.c_contiguous)
    return is_dense_and_open(x._storage)


def is_in_order(x: Tensor) -> bool:
    """The same, where code asks for it."""
    if cells.on_layout_used is not None:
        cells.on_layout_used(x, None)
    return is_dense(x)


def takes_shape(x: Tensor, shape: Sequence[Any]) -> bool:
    """Whether the elements of a tensor have another shape without being moved."""
    if _lies_in_order(x):
        return True
    found, given = layout_of(x)
    shape = shape if given is None else given.fixed(tuple(shape))
    if found is None or not all(type(d) is int for d in shape):
        return takes_open_shape(x._storage, shape)
    return _is_shaped(found, shape)


def _is_shaped(array: Any, shape: Sequence[int]) -> bool:
    try:
        np.reshape(array, tuple(shape), copy=False)
    except ValueError:
        return False
    return True


# ---- elements cut anew


def recut(cell: Any, now: Any) -> Any:
    """The elements of a stale view: those of its base, `now`, cut anew."""
    sharing = cell.shared
    if type(now) is ndarray:
        found = np.asarray(sharing.kind.of_array(now, sharing.part), order="C")
        cells._payload.__set__(cell, found)
        cell.__class__ = Storage
        cell.version = sharing.cell.version
        sharing.cell.shared.append(sharing.me)
        sharing.cell.shared.show_fresh()
        return found
    with GradMode(False):
        found = sharing.kind.cut(wrap(now, sharing.base._dtype), sharing.part)._storage.payload
    sharing.cut_from(now, found)
    if cells.on_cut is not None:
        cells.on_cut(cell)
    return found


cells.recut, cells.alias_of_view = recut, alias_of
