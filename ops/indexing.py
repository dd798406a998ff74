"""Subscripts as in NumPy: `x[key]` and `x[key] = value`, made of rows; an assignment gives the new value of x.

A key may hold ints, sizes, slices of any step, None, an Ellipsis, 0-d integers known at run time (select), integer
arrays (gather) and bool masks. A box of elements is cut first, then arrays pick among it; what arrays pick stands
where they stood if they were neighbours, else in front (NumPy's rule; a number beside arrays counts as one of them).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

import numpy as np

from ..base import dtype as dt
from ..base.errors import AxisError, CaptureError, DTypeError, KindError, ShapeError, SubscriptError
from .arith import Arithmetic, exact, is_run_time_number, is_value
from .data_sized import OPEN, masked_select, nonzero, put_between, slice_between
from .dims import (
    Dim,
    DimLike,
    at_least,
    decider,
    floordiv,
    maximum,
    never_negative,
    same_dim,
    same_shape,
)  # fmt: skip
from .dispatch import bottom, current
from .elementwise import assign, cast
from .index import as_index, gather, gather_nd, index_of, is_of_run, places_between, scatter_nd_update, spread
from .infer import broadcast_dims, broadcast_shapes, known_dim, require_index, show_shape
from .masks import check_mask, set_mask, with_axis
from .op import OPS
from .planned import planned
from .select import select, select_update
from .sizes import from_start, is_clamped_by_runs, runtime_names
from .slices import slice_, slice_update


@dataclass(frozen=True, slots=True)
class Span:
    """`count` elements of an axis from `start` by `step`; `drop`: one element, and the axis goes."""

    start: DimLike
    count: DimLike
    step: int = 1
    drop: bool = False


@dataclass(frozen=True, slots=True)
class At:
    """One element of an axis, at a 0-d integer known at run time; the axis goes."""

    index: Any


@dataclass(frozen=True, slots=True)
class IndexAlong:
    """Elements of an axis at the places in an integer array (a value or a NumPy array)."""

    index: Any


@dataclass(frozen=True, slots=True)
class New:
    """A new axis of size 1."""


Item: TypeAlias = Union[Span, At, IndexAlong, New]

# ---- reading keys


def _parse(x: Any, key: Any) -> list[Item]:
    """One item per axis of x, and one per None, in order."""
    parts = [_array_like(p) for p in (key if isinstance(key, tuple) else (key,))]
    if any(p is True for p in parts):
        parts = with_axis(parts)
    used = sum(_axes_of(p) for p in parts)
    if sum(p is Ellipsis for p in parts) > 1:
        raise AxisError("a subscript may hold only one Ellipsis (...)")
    if used > x.ndim:
        raise AxisError(f"{used} indices for a tensor of rank {x.ndim}, {show_shape(x.shape)}")
    if not any(p is Ellipsis for p in parts):
        parts.append(Ellipsis)
    items: list[Item] = []
    sizes = list(x.shape)
    for part in parts:
        if part is Ellipsis:
            rest = x.ndim - used
            items += [Span(0, size) for size in sizes[:rest]]
            del sizes[:rest]
            continue
        count = _axes_of(part)
        items += _items(part, sizes[:count])
        del sizes[:count]
    return items


def _array_like(part: Any) -> Any:
    if isinstance(part, (list, tuple, range)):
        if is_of_run(part):
            return index_of(part)
        array = np.asarray(part)
        return array if array.size else array.astype(np.int64)
    return part.item() if isinstance(part, np.ndarray) and not part.ndim and part.dtype.kind in "iu" else part


def _axes_of(part: Any) -> int:
    if part is None or part is Ellipsis:
        return 0
    is_mask = (is_value(part) and part.dtype.is_bool) or (isinstance(part, np.ndarray) and part.dtype == np.bool_)
    return part.ndim if is_mask else 1


def _items(part: Any, sizes: list[DimLike]) -> list[Item]:
    if part is None:
        return [New()]
    if isinstance(part, slice):
        return [span_of(part, sizes[0])]
    if isinstance(part, Arithmetic):
        return _value_items(part, sizes)
    if isinstance(part, np.ndarray) and part.dtype == np.bool_ and part.ndim:
        check_mask(part.shape, sizes)
        return [IndexAlong(places) for places in np.nonzero(part)]
    if isinstance(part, np.ndarray) and part.dtype.kind in "iu":
        return [IndexAlong(part.astype(np.int64))]
    if isinstance(part, (bool, np.bool_, np.ndarray)) or not (isinstance(part, Dim) or hasattr(part, "__index__")):
        kind = part.dtype if isinstance(part, np.ndarray) else type(part).__name__
        remedy = "use ints, slices, None, ..., integer or bool arrays"
        raise SubscriptError(f"a subscript can't hold {kind}", remedy=remedy)
    if isinstance(part, Dim) and runtime_names(part):
        if not (never_negative(part) and never_negative(sizes[0] - part - 1)):  # else it shows to be inside
            return [At(as_index(current(), "a subscript", OPS["dim_value"](part)))]
    if runtime_names(sizes[0]) or (decider() is None and not isinstance(part, Dim) and not _fits(part, sizes[0])):
        return [At(as_index(current(), "a subscript", current().constant(part, dt.int64)))]
    return [_one(part if isinstance(part, Dim) else operator.index(part), sizes[0])]


def _value_items(part: Any, sizes: list[DimLike]) -> list[Item]:
    if part.dtype.is_bool and part.ndim:
        check_mask(part.shape, sizes)
        places = nonzero(part)
        return [
            IndexAlong(OPS["reshape"](slice_(places, (0, k), (places.shape[0], 1)), (-1,))) for k in range(part.ndim)
        ]
    if not part.dtype.is_integer:
        raise SubscriptError(f"a subscript can't hold a {part.dtype.name} tensor of shape {show_shape(part.shape)}")
    index = as_index(current(), "a subscript", part)
    return [IndexAlong(index) if index.ndim else At(index)]


def _fits(index: Any, size: DimLike) -> bool:
    """Whether an index is inside of an axis or not, whatever the sizes of a run: then no run has to check it."""
    if isinstance(size, int):
        return True
    index = operator.index(index)
    return never_negative(size - index - 1 if index >= 0 else size + index)


def _one(index: DimLike, size: DimLike) -> Span:
    place = from_start(index, size)
    if not (at_least(place, 0) and at_least(size, place + 1)):
        remedy = f"use {-size} to {size - 1}" if isinstance(size, int) and size else None
        raise AxisError(f"index {index} is outside an axis of {size} elements", remedy=remedy)
    return Span(place, 1, drop=True)


def _bound(value: Any) -> DimLike | None:
    if value is None or isinstance(value, Dim):
        return value
    try:
        return operator.index(value)
    except DTypeError:
        raise
    except TypeError as error:
        if not isinstance(value, Arithmetic):
            raise KindError(f"a slice must be bounded by ints, not {value!r}") from error
        raise CaptureError(
            f"a slice can't be bounded by {value!r}, known only at run time: its size would depend on data",
            remedy="use gather(x, start + arange(size)) with a fixed size",
        ) from error


def span_of(part: slice, size: DimLike) -> Span:
    """What Python's slice takes of an axis of `size` elements.

    >>> span_of(slice(-3, None), 10), span_of(slice(None, None, -2), 5)
    (Span(start=7, count=3, step=1, drop=False), Span(start=4, count=3, step=-2, drop=False))
    """
    start, stop, step = _bound(part.start), _bound(part.stop), _bound(part.step)
    step = 1 if step is None else step
    if isinstance(step, Dim) or step == 0:
        raise AxisError(f"the step of a slice must be an int other than 0, not {step}")
    if all(not isinstance(v, Dim) for v in (start, stop, size)):
        chosen = range(*slice(start, stop, step).indices(size))
        return Span(chosen.start if len(chosen) else 0, len(chosen), step)
    low, high = (0, size) if step > 0 else (-1, size - 1)
    first = _clamped(start, low, high, size, default=low if step > 0 else high)
    last = _clamped(stop, low, high, size, default=high if step > 0 else low)
    room = last - first if step > 0 else first - last
    if is_clamped_by_runs(size, start, stop):
        room = room if start is None or stop is None else _larger(room, 0)  # a bound is within the axis already
    elif not at_least(room, 0):
        return Span(0, 0, step)
    return Span(first, floordiv(room + (abs(step) - 1), abs(step)), step)


def _clamped(bound: DimLike | None, low: DimLike, high: DimLike, size: DimLike, *, default: DimLike) -> DimLike:
    if bound is None:
        return default
    bound = from_start(bound, size)
    if is_clamped_by_runs(size, bound):  # a table's first rows, as many as a run has: no more than there are
        cut = _larger(bound, low)
        return cut + high - _larger(cut, high)
    if not at_least(bound, low):
        return low
    return bound if at_least(high, bound) else high


def _larger(a: DimLike, b: DimLike) -> DimLike:
    """The larger of two sizes, which may be plain; one that only a run knows may be below 0."""
    difference = a - b
    if not runtime_names(difference) and (never_negative(difference) or never_negative(-difference)):
        return a if never_negative(difference) else b
    return maximum(a, b)


def _between(x: Any, key: Any) -> tuple[Any, int, slice] | None:
    """The first slice of a key between bounds that only a run knows: the key without it, its axis, and its bounds.

    In eager mode tensors tell their bounds as any integer does.
    """
    parts = list(key) if isinstance(key, tuple) else [key]
    if not any(isinstance(p, slice) for p in parts):
        return None
    has_open_axis = any(runtime_names(d) for d in x.shape)
    if not has_open_axis and not any(
        isinstance(p, slice) and (_is_run_time(p.start) or _is_run_time(p.stop)) for p in parts
    ):
        return None
    axis = 0
    for k, part in enumerate(parts):
        if isinstance(part, slice) and axis < x.ndim and _is_between(part, x.shape[axis]):
            step = _bound(part.step)
            step = 1 if step is None else step
            if isinstance(step, Dim) or step == 0:
                raise AxisError(f"the step of a slice must be an int other than 0, not {step}")
            start, stop = (_bound_at_run_time(v, end) for v, end in ((part.start, OPEN.min), (part.stop, OPEN.max)))
            rest = tuple(slice(None) if j == k else p for j, p in enumerate(parts))
            return rest, axis, slice(start, stop, step)
        if part is Ellipsis:
            axis = x.ndim - sum(_axes_of(_array_like(p)) for p in parts[k + 1 :])
        else:
            axis += _axes_of(_array_like(part))
    return None


def _is_between(part: slice, size: DimLike) -> bool:
    """Whether only a run can tell what a slice takes of an axis: not all of it, with bounds or a size of run time."""
    if _is_run_time(part.start) or _is_run_time(part.stop):
        return True
    whole = part.start is None and part.stop is None and part.step in (None, 1, -1)
    return bool(runtime_names(size)) and not whole


def _is_run_time(bound: Any) -> bool:
    if isinstance(bound, Dim):
        return bool(runtime_names(bound))
    if isinstance(bound, Arithmetic) and bound.weak:
        return is_run_time_number(bound)  # else it is known now, and guarded
    return isinstance(bound, Arithmetic) and current() is not bottom()


def _with_known_bounds(key: Any) -> Any:
    """The key with sizes in the places of tensors that stand for sizes (`x[: shape(y)[0]]`); itself without such."""
    if decider() is None:  # nobody can say how such a size compares with the axis
        return key
    parts = key if isinstance(key, tuple) else (key,)
    told = [_told(p) if isinstance(p, slice) else p for p in parts]
    return key if all(a is b for a, b in zip(parts, told, strict=True)) else tuple(told)


def _told(part: slice) -> slice:
    start, stop = known_dim(part.start), known_dim(part.stop)
    return part if start is part.start and stop is part.stop else slice(start, stop, part.step)


def _bound_at_run_time(bound: Any, end: int) -> Any:
    if isinstance(bound, Arithmetic):
        require_index(bound.dtype, bound.shape)
    value = current().constant(end if bound is None else bound, None)
    return value if value.dtype is dt.int64 else cast(value, dt.int64)


# ---- boxes: slices and single indices, without arrays


def _box(items: Sequence[Item], shape: Sequence[DimLike]) -> list[Span]:
    """One span per axis of x: the axes of arrays and run-time indices are whole."""
    axes = [i for i in items if not isinstance(i, New)]
    return [i if isinstance(i, Span) else Span(0, size) for i, size in zip(axes, shape, strict=True)]


def _is_whole(box: Sequence[Span], shape: Sequence[DimLike]) -> bool:
    return all(
        s.step == 1 and same_dim(s.start, 0) and same_dim(s.count, size) for s, size in zip(box, shape, strict=True)
    )


def _cut(x: Any, box: Sequence[Span]) -> Any:
    if _is_whole(box, x.shape):
        return x
    return slice_(x, [s.start for s in box], [s.count for s in box], [s.step for s in box])


def _reshaped(x: Any, shape: Sequence[DimLike]) -> Any:
    return x if same_shape(x.shape, shape) else OPS["reshape"](x, tuple(shape))


def _selections(items: Sequence[Item]) -> list[tuple[int, Any]]:
    """(axis, index) of the run-time indices, last first, so that the axes before stay as they are."""
    axes = [i for i in items if not isinstance(i, New)]
    found = [(k, i.index) for k, i in enumerate(axes) if isinstance(i, At)]
    return [(axis - before, index) for before, (axis, index) in enumerate(found)]


def _kept(items: Sequence[Item], shape: Sequence[DimLike]) -> list[tuple[Item, DimLike]]:
    """The axes that are left after the box is cut, with their sizes; new ones included."""
    sizes = iter(_box(items, shape))
    out: list[tuple[Item, DimLike]] = []
    for item in items:
        size = 1 if isinstance(item, New) else next(sizes).count
        if not isinstance(item, At) and not (isinstance(item, Span) and item.drop):
            out.append((item, size))
    return out


# ---- arrays


@dataclass(frozen=True, slots=True)
class Picks:
    """Integer arrays of a key: the kept axes they stand on, the one index, its shape, and where its axes go."""

    axes: tuple[int, ...]
    index: Any
    shape: tuple[DimLike, ...]
    place: int

    def front(self, rank: int) -> tuple[int, ...]:
        """The order of axes that puts those of the arrays first."""
        return self.axes + tuple(k for k in range(rank) if k not in self.axes)


def _picks(items: Sequence[Item], kept: Sequence[tuple[Item, DimLike]]) -> Picks | None:
    axes = tuple(k for k, (item, _) in enumerate(kept) if isinstance(item, IndexAlong))
    if not axes:
        return None
    indices = [kept[k][0].index for k in axes]  # type: ignore[union-attr]
    shape = broadcast_shapes(*(i.shape for i in indices))
    advanced = [k for k, i in enumerate(items) if isinstance(i, (IndexAlong, At)) or (isinstance(i, Span) and i.drop)]
    neighbours = advanced[-1] - advanced[0] == len(advanced) - 1
    place = sum(not isinstance(i, (IndexAlong, At)) for i in items[: advanced[0]]) if neighbours else 0
    return Picks(axes, _together(indices, shape), shape, place)


def _together(indices: Sequence[Any], shape: Sequence[DimLike]) -> Any:
    """One index of the given arrays: the only one as it is, else points [*shape, count]."""
    if len(indices) == 1:
        return as_index(current(), "a subscript", indices[0])
    if all(isinstance(i, np.ndarray) for i in indices):
        return current().constant(np.stack(np.broadcast_arrays(*indices), -1), None)
    values = [
        cast(v, dt.int64) if v.dtype is not dt.int64 else v
        for v in (as_index(current(), "a subscript", i) for i in indices)
    ]
    return OPS["concat"]([OPS["reshape"](spread(v, shape), (*shape, 1)) for v in values], axis=-1)


def _moved(x: Any, start: int, to: int, count: int) -> Any:
    """x with `count` axes from `start` on moved to begin at `to`."""
    if start == to or count == 0:
        return x
    block = list(range(start, start + count))
    rest = [k for k in range(x.ndim) if k not in block]
    return OPS["transpose"](x, (*rest[:to], *block, *rest[to:]))


def _in_order(x: Any, perm: Sequence[int]) -> Any:
    return x if list(perm) == list(range(x.ndim)) else OPS["transpose"](x, tuple(perm))


def _inverse(perm: Sequence[int]) -> list[int]:
    return sorted(range(len(perm)), key=perm.__getitem__)


# ---- the two functions


@planned
def getitem(x: Any, key: Any) -> Any:
    """`x[key]`; AxisError outside the tensor. A mask among the keys has a result whose size depends on data."""
    if is_value(key) and key.dtype.is_bool and key.ndim and key.ndim == x.ndim:
        check_mask(key.shape, x.shape)
        return masked_select(x, key)
    between = _between(x, key)
    if between is not None:
        known = _with_known_bounds(key)
        if known is not key:
            return getitem(x, known)
        rest, axis, part = between
        places = places_between(x, part.start, part.stop, axis, part.step)
        if places is not None:
            return getitem(gather(x, places, axis), rest)
        return getitem(slice_between(x, part.start, part.stop, axis=axis, step=part.step), rest)
    items = _parse(x, key)
    kept = _kept(items, x.shape)
    core = _cut(x, _box(items, x.shape))
    for axis, index in _selections(items):
        core = select(core, index, axis)
    core = _reshaped(core, [size for _, size in kept])
    picks = _picks(items, kept)
    if picks is None:
        return assign(x) if core is x else core  # x[:] is a value of its own: writing to it leaves x alone
    if len(picks.axes) == 1:
        return _moved(gather(core, picks.index, picks.axes[0]), picks.axes[0], picks.place, len(picks.shape))
    return _moved(gather_nd(_in_order(core, picks.front(core.ndim)), picks.index), 0, picks.place, len(picks.shape))


def setitem(x: Any, key: Any, value: Any) -> Any:
    """x with the elements `x[key]` replaced by `value`, which broadcasts and takes x's dtype."""
    value = exact(value if is_value(value) else current().constant(value, x.dtype))
    value = value if value.dtype is x.dtype else cast(value, x.dtype)
    if is_value(key) and key.dtype.is_bool and key.ndim:
        return set_mask(x, key, value)
    between = _between(x, key)
    if between is not None:
        known = _with_known_bounds(key)
        if known is not key:
            return setitem(x, known, value)
        rest, axis, part = between
        bounds = {"axis": axis, "step": part.step}
        places = places_between(x, part.start, part.stop, **bounds)
        if places is not None:
            inner = setitem(gather(x, places, axis), rest, value)
            return _scattered(x, Picks((axis,), places, places.shape, 0), (axis,), _moved(inner, axis, 0, 1))
        inner = setitem(slice_between(x, part.start, part.stop, **bounds), rest, value)
        return put_between(x, inner, part.start, part.stop, **bounds)
    items = _parse(x, key)
    kept = _kept(items, x.shape)
    picks = _picks(items, kept)
    box = _box(items, x.shape)
    value = _target(value, kept, picks)

    stages = [_cut(x, box)]  # what each step down is cut from, to be put back on the way up
    selections = _selections(items)
    for axis, index in selections:
        stages.append(select(stages[-1], index, axis))
    if picks is not None:
        sizes = [size for item, size in kept if not isinstance(item, New)]
        axes = [k for k, (item, _) in enumerate(kept) if not isinstance(item, New)]
        value = _scattered(_reshaped(stages[-1], sizes), picks, tuple(axes.index(k) for k in picks.axes), value)
    value = _reshaped(value, stages.pop().shape)
    for axis, index in reversed(selections):
        value = select_update(stages.pop(), value, index, axis)
    if _is_whole(box, x.shape):
        return value
    return slice_update(x, value, [s.start for s in box], [s.step for s in box])


def _target(value: Any, kept: Sequence[tuple[Item, DimLike]], picks: Picks | None) -> Any:
    """`value` broadcast to the shape of x[key], with the arrays' axes in front and the new axes gone."""
    rest = [(item, size) for item, size in kept if not isinstance(item, IndexAlong)]
    place, lead = (picks.place, picks.shape) if picks else (0, ())
    sizes = [size for _, size in rest]
    shape = (*sizes[:place], *lead, *sizes[place:])
    while value.ndim > len(shape) and same_dim(value.shape[0], 1):
        value = OPS["reshape"](value, tuple(value.shape[1:]))
    if value.ndim > len(shape) or any(
        broadcast_dims(a, b) is None or (same_dim(b, 1) and not same_dim(a, 1))
        for a, b in zip(value.shape, shape[len(shape) - value.ndim :], strict=True)
    ):
        raise ShapeError(
            f"a value of shape {show_shape(value.shape)} can't be put into elements of shape {show_shape(shape)}"
        )
    value = _moved(spread(value, shape), place, 0, len(lead))
    return _reshaped(value, (*lead, *(size for item, size in rest if not isinstance(item, New))))


def _scattered(core: Any, picks: Picks, axes: tuple[int, ...], value: Any) -> Any:
    """core with `value` [*shape of the arrays, *other axes] written at the picks on `axes`."""
    perm = (*axes, *(k for k in range(core.ndim) if k not in axes))
    index = picks.index if len(axes) > 1 else OPS["reshape"](picks.index, (*picks.shape, 1))
    return _in_order(scatter_nd_update(_in_order(core, perm), index, value), _inverse(perm))
