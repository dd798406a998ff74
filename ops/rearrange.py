"""Functions over the rows that move elements: squeeze, flatten, stack, split, tile, Paddle's slice, …"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import int64
from ..base.errors import ArgumentError, CaptureError, KindError, ShapeError
from .arith import is_run_time_number, is_value
from .dims import DimLike, assume_equal, floordiv, product, same_dim
from .dispatch import bottom, current
from .elementwise import assign
from .indexing import span_of
from .infer import (
    as_dim,
    as_dims,
    axis_index,
    broadcast_shapes,
    divides,
    has_as_many,
    int_argument,
    known_dim,
    known_int,
    known_size,
    part_count,
    require_index,
    show_shape,
    turns_out,
)
from .moves import roll as roll_row
from .op import OPS, composite
from .planned import planned
from .shape import broadcast_to, concat, reshape, told_by_the_run, transpose
from .sizes import runtime_names
from .slices import piece
from .slices import slice_ as slice_row

composite("expand")(broadcast_to)


def _value(x: Any) -> Any:
    return current().constant(x, None)


def _shape(x: Any) -> tuple[DimLike, ...]:
    return tuple(as_dim(d) for d in x.shape)


def _axis_list(axis: Any, rank: int) -> list[int]:
    if hasattr(axis, "tolist") and axis.ndim:  # of a tensor or an array
        axis = axis.tolist()
    items = axis if isinstance(axis, (list, tuple)) else [axis]
    return [axis_index(a, rank) for a in items]


# Axes of size 1


@composite()
@planned
def squeeze(x: Any, axis: Any = None, name: str | None = None) -> Any:
    """Without the axes of size 1 (those named by `axis`, if it names any; named axes of another size stay).

    In a program each call with other sizes decides anew. What an InputSpec leaves open doesn't count as 1, and the
    program takes no such size; where only a run knows a size, that it isn't 1 is checked then.
    Errors: ShapeError in the run of a program where such a size turns out to be 1, as ranks can't depend on data.
    """
    sizes = _shape(x)
    all_axes = axis is None or (isinstance(axis, (list, tuple)) and not axis)
    named = range(len(sizes)) if all_axes else _axis_list(axis, max(len(sizes), 1))
    for k in named:
        if current().is_trace and k < len(sizes) and runtime_names(sizes[k]):
            _require_kept(k, sizes[k])
    return reshape(x, [d for k, d in enumerate(sizes) if not (k in named and turns_out(d, 1))])


def _require_kept(axis: int, size: DimLike) -> None:
    fits = OPS["not_equal"](current().constant(size, None), current().constant(1, int64))
    message = f"squeeze of axis {axis}, whose size data decide: it is 1, and ranks can't depend on data; use reshape"
    current().require(fits, message, "ShapeError")


@composite()
@planned
def unsqueeze(x: Any, axis: Any, name: str | None = None) -> Any:
    """With a new axis of size 1 at each place of `axis`, inserted one after the other."""
    x = x if is_value(x) else _value(x)
    sizes = list(_shape(x))
    if hasattr(axis, "tolist") and axis.ndim:  # of a tensor or an array
        axis = axis.tolist()
    for a in axis if isinstance(axis, (list, tuple)) else [axis]:
        sizes.insert(axis_index(a, len(sizes) + 1), 1)
    return reshape(x, sizes)


@composite()
@planned
def flatten(x: Any, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Any:
    """With the axes from `start_axis` to `stop_axis`, both included, joined into one."""
    sizes = _shape(x)
    if not sizes:
        for axis in (start_axis, stop_axis):
            axis_index(axis, 1, "axis")
        return reshape(x, [1])
    first, last = axis_index(start_axis, len(sizes), "start_axis"), axis_index(stop_axis, len(sizes), "stop_axis")
    if first > last:
        raise ArgumentError(
            f"flatten from axis {start_axis} to {stop_axis} of {show_shape(sizes)}: the first is behind the last"
        )
    return reshape(x, (*sizes[:first], product(sizes[first : last + 1]), *sizes[last + 1 :]))


@composite()
def unflatten(x: Any, axis: int, shape: Any, name: str | None = None) -> Any:
    """With one axis split into several of sizes `shape`; one of them may be -1."""
    sizes, k = _shape(x), axis_index(axis, len(x.shape))
    parts = list(as_dims(told_by_the_run(shape, (), sizes[k])))
    unknown = [j for j, d in enumerate(parts) if same_dim(d, -1)]
    if len(unknown) == 1:
        parts[unknown[0]] = floordiv(sizes[k], product(d for j, d in enumerate(parts) if j != unknown[0]))
    return reshape(x, (*sizes[:k], *parts, *sizes[k + 1 :]))


@composite()
def reshape_as(x: Any, other: Any) -> Any:
    """In the shape of `other`."""
    return reshape(x, other.shape)


@composite()
def expand_as(x: Any, y: Any, name: str | None = None) -> Any:
    """Broadcast to the shape of `y`."""
    return broadcast_to(x, y.shape)


@composite(method=False)
@planned
def broadcast_tensors(inputs: Sequence[Any], name: str | None = None) -> list[Any]:
    """All tensors broadcast to their common shape."""
    shape = broadcast_shapes(*map(_shape, inputs))
    return [broadcast_to(x, shape) for x in inputs]


@composite(method=False)
def broadcast_shape(*shapes: Any, x_shape: Any = None, y_shape: Any = None) -> list[DimLike]:
    """The common shape of several under NumPy's rule; two of them may be given as x_shape and y_shape."""
    named = [shape for shape in (x_shape, y_shape) if shape is not None]
    return list(broadcast_shapes(*(as_dims(shape) for shape in (*shapes, *named))))


# Order of axes


@composite()
def moveaxis(x: Any, source: Any, destination: Any, name: str | None = None) -> Any:
    """With the axes `source` at the places `destination`; the others keep their order."""
    rank = x.ndim
    moved, places = _axis_list(source, rank), _axis_list(destination, rank)
    if len(moved) != len(places) or len(set(moved)) != len(moved) or len(set(places)) != len(places):
        raise ArgumentError(f"moveaxis needs as many places as axes, each once: {source} to {destination}")
    rest = iter(k for k in range(rank) if k not in moved)
    target = dict(zip(places, moved, strict=True))
    return transpose(x, [target[k] if k in target else next(rest) for k in range(rank)])


@composite()
def swapaxes(x: Any, axis0: Any = None, axis1: Any = None, name: str | None = None, *, perm: Any = None) -> Any:
    """With two axes exchanged; as `transpose` with a list of all axes."""
    if axis1 is None:
        order = axis0 if perm is None else perm
        if order is None or isinstance(order, int):
            raise KindError("swapaxes needs two axes, or a list of all", remedy="give axis0 and axis1")
        return transpose(x, order)
    a, b = axis_index(axis0, x.ndim), axis_index(axis1, x.ndim)
    perm = list(range(x.ndim))
    perm[a], perm[b] = b, a
    return transpose(x, perm)


# Joining and splitting


def _differ(a: Sequence[DimLike], b: Sequence[DimLike]) -> bool:
    """Whether two shapes are known to differ; sizes that only a run knows are compared there."""
    pairs = zip(a, b, strict=False)
    return len(a) != len(b) or any(isinstance(p, int) and isinstance(q, int) and p != q for p, q in pairs)


@composite(method=False)
@planned
def stack(x: Sequence[Any], axis: int = 0, name: str | None = None) -> Any:
    """Tensors of one shape side by side along a new `axis`. Errors: KindError for one tensor instead of a list."""
    if is_value(x):
        raise KindError("stack takes a list of tensors, not one tensor", remedy="write stack([x]), or unsqueeze")
    values = [_value(v) for v in x]
    if not values:
        raise ArgumentError("stack needs at least one tensor")
    shapes = [_shape(v) for v in values]
    for other in shapes[1:]:
        if _differ(shapes[0], other):
            raise ShapeError(
                f"stack: shapes {show_shape(shapes[0])} and {show_shape(other)} differ",
                remedy="the tensors must have one shape; concat joins them along an axis that they have",
            )
    k = axis_index(axis, values[0].ndim + 1)
    return concat([reshape(v, (*s[:k], 1, *s[k:])) for v, s in zip(values, shapes, strict=True)], k)


@composite("unbind", "unstack")
@planned
def unbind(x: Any, axis: int = 0, num: int | None = None, name: str | None = None) -> list[Any]:
    """The slices of `x` along `axis`, without that axis, as a list."""
    sizes, k = _shape(x), axis_index(axis, x.ndim)
    count = int_argument("unbind: num", num) if num is not None else known_size(f"the size of axis {axis}", sizes[k])
    if assume_equal(count, sizes[k]) is False:
        raise ArgumentError(f"unbind: axis {axis} of {show_shape(sizes)} has {sizes[k]} slices, not {count}")
    return [reshape(piece(x, k, i, 1), sizes[:k] + sizes[k + 1 :]) for i in range(count)]


@composite()
def split(x: Any, num_or_sections: Any, axis: Any = 0, name: str | None = None) -> list[Any]:
    """Parts along `axis`: a number of equal ones, or of the sizes listed (one may be -1)."""
    num_or_sections = _part_count(num_or_sections)
    try:
        k = axis_index(axis, x.ndim)
    except CaptureError:
        if not is_value(axis) or not isinstance(num_or_sections, int):
            raise
        return _split_along_any(x, num_or_sections, axis)
    sizes = _shape(x)
    if isinstance(num_or_sections, int):
        count = part_count("split: the number of parts", num_or_sections, 1, sizes[k])
        message = f"axis {axis} of {show_shape(sizes)} doesn't split into {count} equal parts"
        if not divides(count, sizes[k]):
            raise ArgumentError(message)
        _require_zero(sizes[k] % count, message)
        parts: list[DimLike] = [floordiv(sizes[k], count)] * count
    else:
        parts = _sections(as_dims(num_or_sections), sizes[k])
    out, start = [], as_dim(0)
    for size in parts:
        out.append(piece(x, k, start, size))
        start = start + size
    return out


def _split_along_any(x: Any, count: int, axis: Any) -> list[Any]:
    """Equal parts along an axis that only a run knows: each axis gets a size and a start that say whether it is cut."""
    axis, sizes = OPS["reshape"](axis, ()), _shape(x)
    chosen = [OPS["logical_or"](axis == k, axis == k - x.ndim) for k in range(x.ndim)]
    cuts = [as_dim(OPS["cast"](c, int64)) for c in chosen]  # 1 for that axis, else 0
    message = f"split: the axis isn't one of {show_shape(sizes)}, or doesn't split into {count} equal parts"
    _require_zero(sum((cut * (size % count) for cut, size in zip(cuts, sizes, strict=True)), 1 - sum(cuts)), message)
    shape = [size - cut * (size - floordiv(size, count)) for cut, size in zip(cuts, sizes, strict=True)]
    steps = [cut * floordiv(size, count) for cut, size in zip(cuts, sizes, strict=True)]
    return [slice_row(x, [step * j for step in steps], shape) for j in range(count)]


def _part_count(given: Any) -> Any:
    """A number of parts as an int; anything else (sections) as it is."""
    if isinstance(given, (int, list, tuple)) or (is_value(given) and given.ndim):
        return given
    return known_int(given, "the number of parts")


def _sections(sections: Sequence[DimLike], size: DimLike) -> list[DimLike]:
    parts = list(sections)
    unknown = [j for j, d in enumerate(parts) if same_dim(d, -1)]
    if len(unknown) > 1:
        raise ArgumentError(f"only one section may be -1: {list(sections)}")
    rest: DimLike = 0
    for j, part in enumerate(parts):
        rest = rest if j in unknown else rest + part
    if unknown:
        parts[unknown[0]] = size - rest
        _require_room(size - rest, f"sections {list(sections)} don't fit into {size}")
    elif isinstance(rest, int) and isinstance(size, int) and rest != size:
        raise ArgumentError(f"sections {list(sections)} add up to {rest}, not {size}")
    else:
        _check_sum(rest, size)
    too_few = bool(unknown) and isinstance(rest, int) and not has_as_many(size, rest)
    if too_few or any(isinstance(p, int) and p < 0 for p in parts):
        raise ArgumentError(f"sections {list(sections)} don't fit into {size}")
    return parts


def _check_sum(total: DimLike, size: DimLike) -> None:
    """Sections whose sizes only a run knows add up to the axis, or the run ends with ArgumentError."""
    message = f"sections add up to {total}, not {size}"
    if assume_equal(total, size) is False:
        raise ArgumentError(message)
    _require_zero(total - size, message)


def _require_room(size: DimLike, message: str) -> None:
    """The run ends with ArgumentError where a size that only it knows is below 0."""
    if current().is_trace and runtime_names(size):
        good = OPS["greater_equal"](current().constant(size, None), 0)
        current().require(good, message, "ArgumentError")


def _require_zero(size: DimLike, message: str) -> None:
    """The run ends with ArgumentError unless a size that only it knows is 0."""
    if current().is_trace and runtime_names(size):
        good = OPS["equal"](current().constant(size, None), 0)
        current().require(good, message, "ArgumentError")


@composite()
def chunk(x: Any, chunks: int, axis: Any = 0, name: str | None = None) -> list[Any]:
    """Equal parts along `axis`: another name of `split` by a number."""
    return split(x, chunks, axis)


@composite()
def tile(x: Any, repeat_times: Any, name: str | None = None) -> Any:
    """The whole tensor repeated `repeat_times` per axis, aligned from the last axis."""
    x = _value(x)
    times = as_dims(repeat_times)
    if any(isinstance(t, int) and t < 0 for t in times):
        raise ArgumentError(f"tile: repeat_times can't be negative: {show_shape(times)}")
    rank = max(x.ndim, len(times))
    sizes = (1,) * (rank - x.ndim) + _shape(x)
    times = (1,) * (rank - len(times)) + times
    if all(same_dim(t, 1) for t in times):
        return reshape(x, sizes) if rank > x.ndim else assign(x)
    apart = reshape(x, [d for size in sizes for d in (1, size)])
    full = broadcast_to(apart, [d for pair in zip(times, sizes, strict=True) for d in pair])
    return reshape(full, [t * d for t, d in zip(times, sizes, strict=True)])


@composite(function=False)
def repeat(x: Any, *repeats: Any) -> Any:
    """The whole tensor repeated per axis, as `tile`: a list, or numbers one by one.

    >>> import vitrify as vt
    >>> vt.ones([2, 3]).repeat(2, 1).shape
    [4, 3]
    """
    return tile(x, repeats[0] if len(repeats) == 1 else list(repeats))


@composite()
def roll(x: Any, shifts: Any, axis: Any = None, name: str | None = None) -> Any:
    """The elements moved by `shifts` places along `axis` (of the flattened tensor by default), round the end."""
    if axis is None:
        return reshape(roll_row(reshape(x, [-1]), shifts, 0), _shape(x))
    return roll_row(x, shifts, axis)


# Paddle's slices and padding


@composite("slice")
def slice_(input: Any, axes: Any, starts: Any, ends: Any, name: str | None = None) -> Any:
    """From `starts` up to but without `ends` along `axes`; places count from the end if negative."""
    return strided_slice(input, axes, starts, ends, [1] * len(axes))


@composite()
def strided_slice(x: Any, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Any:
    """From `starts` up to but without `ends` along `axes`, every `strides`-th; strides may be negative."""
    sizes = _shape(x)
    firsts, lasts = _bounds(starts), _bounds(ends)
    if any(is_value(b) or is_run_time_number(b) or runtime_names(b) for b in (*firsts, *lasts)):
        key = [slice(None)] * len(sizes)
        for axis, start, stop, stride in zip(axes, firsts, lasts, as_dims(strides), strict=True):
            key[axis_index(axis, len(sizes))] = slice(start, stop, stride)
        return x[tuple(key)]
    box: list[tuple[DimLike, DimLike, int]] = [(0, d, 1) for d in sizes]
    for axis, *bounds in zip(axes, firsts, lasts, as_dims(strides), strict=True):
        k = axis_index(axis, len(sizes))
        start, stop, stride = bounds
        stride = known_int(stride, "a stride")
        if stride == 0:
            raise ArgumentError("a stride must be an int other than 0")
        span = span_of(slice(start, stop, stride), sizes[k])
        box[k] = span.start, span.count, span.step
    return slice_row(x, [b[0] for b in box], [b[1] for b in box], [b[2] for b in box])


def _bounds(places: Any) -> list[Any]:
    """Bounds of slices: ints and sizes, and tensors where only a run knows them."""
    if is_value(places):
        in_parts = current().is_static and places.ndim == 1 and isinstance(places.shape[0], int)
        places = [places[k] for k in range(places.shape[0])] if in_parts else places.tolist()
    places = places if isinstance(places, (list, tuple)) else [places]
    places = [int(p) if isinstance(p, np.integer) else p for p in places]
    known = [p if is_run_time_number(p) else known_dim(p) for p in places]  # which may be below 0, unlike a size
    for p in known:
        if is_value(p):
            require_index(p.dtype, p.shape)
    is_traced = current() is not bottom()
    return [
        (p if is_traced else p.__index__()) if is_value(p) else p if is_run_time_number(p) else as_dim(p) for p in known
    ]
