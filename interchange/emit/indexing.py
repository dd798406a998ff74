"""Elements by index, by mask and in order; ranges and pieces whose bounds only a run knows."""

from __future__ import annotations

import numpy as np

from ...base import dtype as dt
from ...base.errors import ArgumentError
from ...ir.core import Operation, Value
from ...ops.dims import same_shape
from ..writer import Writer
from .kinds import Emitter

_ENDS = np.iinfo(np.int64)


def _gather(w: Writer, o: Operation, x: str, index: str) -> str:
    return w.node("Gather", x, index, axis=o.attrs["axis"])


def _whole(w: Writer, o: Operation, index: str, placed: Value) -> str:
    """The index with a number for each element that it places: off the axis its own sizes may be 1."""
    same = same_shape(o.operands[1].shape, placed.shape)
    return index if same else w.node("Expand", index, w.sizes(placed.shape))


def _take_along(w: Writer, o: Operation, x: str, index: str) -> str:
    return w.node("GatherElements", x, _whole(w, o, index, o.result), axis=o.attrs["axis"])


def _put_along(w: Writer, o: Operation, x: str, index: str, values: str) -> str:
    return w.node("ScatterElements", x, _whole(w, o, index, o.operands[2]), values, axis=o.attrs["axis"])


def _put_along_add(w: Writer, o: Operation, x: str, index: str, values: str) -> str:
    places = _whole(w, o, index, o.operands[2])
    return w.node("ScatterElements", x, places, values, since=16, axis=o.attrs["axis"], reduction="add")


def _combine_along(w: Writer, o: Operation, x: str, index: str, values: str) -> str:
    kinds = {"mul": "mul", "amax": "max", "amin": "min", "add": "add"}
    reduce = kinds.get(o.attrs["reduce"])
    if reduce is None:
        raise ArgumentError(f"put_along_axis with reduce={o.attrs['reduce']!r} has no ONNX form", loc=o.loc)
    since = 18 if reduce in ("max", "min") else 16
    places = _whole(w, o, index, o.operands[2])
    return w.node("ScatterElements", x, places, values, since=since, axis=o.attrs["axis"], reduction=reduce)


def _scatter_add(w: Writer, o: Operation, x: str, index: str, updates: str) -> str:
    """ScatterND wants one index per slice along the first axis: the axis goes there and back."""
    axis, rank = o.attrs["axis"], o.operands[0].ndim
    count = o.operands[1].ndim
    there = [axis, *(k for k in range(rank) if k != axis)]
    back = [there.index(k) for k in range(rank)]
    wide = rank - 1 + count
    lead = [*range(axis, axis + count), *(k for k in range(wide) if not axis <= k < axis + count)]
    places = w.node("Unsqueeze", _as_int64(w, o, 1, index), w.ints([-1]))
    moved = w.node("Transpose", x, perm=there) if axis else x
    values = w.node("Transpose", updates, perm=lead) if axis else updates
    made = w.node("ScatterND", moved, places, values, since=16, reduction="add")
    return w.node("Transpose", made, perm=back) if axis else made


def _count_places(w: Writer, o: Operation, x: str, index: str) -> str:
    places = w.node("Unsqueeze", _as_int64(w, o, 1, index), w.ints([-1]))
    ones = w.node("Expand", w.ints([1]), w.node("Shape", index))
    return w.node("ScatterND", x, places, ones, since=16, reduction="add")


def _as_int64(w: Writer, o: Operation, k: int, name: str) -> str:
    return name if o.operands[k].dtype.name == "int64" else w.node("Cast", name, to=dt.int64.onnx)


def _gather_nd(w: Writer, o: Operation, x: str, index: str) -> str:
    return w.node("GatherND", x, _as_int64(w, o, 1, index))


def _scatter_nd(reduction: str | None) -> Emitter:
    def emit(w: Writer, o: Operation, x: str, index: str, updates: str) -> str:
        since = 13 if reduction is None else 16
        return w.node("ScatterND", x, _as_int64(w, o, 1, index), updates, since=since, reduction=reduction)

    return emit


def _select_put(reduction: str | None) -> Emitter:
    """The index, one number, is spread over the slice that it names."""

    def emit(w: Writer, o: Operation, x: str, v: str, index: str) -> str:
        axis = o.attrs["axis"]
        slab = w.node("Unsqueeze", v, w.ints([axis]))
        places = w.node("Expand", w.node("Reshape", index, w.ints([1] * o.operands[0].ndim)), w.node("Shape", slab))
        since = 13 if reduction is None else 16
        return w.node("ScatterElements", x, places, slab, since=since, axis=axis, reduction=reduction)

    return emit


def _flat(w: Writer, x: str) -> str:
    return w.node("Reshape", x, w.ints([-1]))


def _masked_select(w: Writer, o: Operation, x: str, mask: str) -> str:
    return w.node("Compress", _flat(w, x), _flat(w, mask))


def _masked_scatter(w: Writer, o: Operation, x: str, mask: str, values: str) -> str:
    places = w.node("Transpose", w.node("NonZero", mask), perm=[1, 0])
    count = w.node("Gather", w.node("Shape", places), w.ints([0]), axis=0)
    taken = w.node("Slice", _flat(w, values), w.ints([0]), count, w.ints([0]))
    return w.node("ScatterND", x, places, taken)


def _nonzero(w: Writer, o: Operation, x: str) -> str:
    if o.operands[0].dtype.name not in ("bool", "float32", "int32", "int64"):  # kernels of other dtypes are rare
        x = w.node("Cast", x, to=w.element_type(dt.bool_))
    return w.node("Transpose", w.node("NonZero", x), perm=[1, 0])


def _is_among(w: Writer, o: Operation, x: str, line: str) -> str:
    """Whole numbers are compared as int64: onnxruntime's kernel has few types."""
    each = w.node("Unsqueeze", _as_int64(w, o, 0, x), w.ints([-1]))
    same = w.node("Cast", w.node("Equal", each, _as_int64(w, o, 1, line)), to=w.element_type(dt.int64))
    return w.node("Cast", w.node("ReduceSum", same, w.ints([-1]), keepdims=0), to=w.element_type(dt.bool_))


def _argsort(w: Writer, o: Operation, x: str) -> str:
    axis = o.attrs["axis"]
    count = w.size(o.operands[0].shape[axis])
    _, places = w.several("TopK", [x, count], 2, axis=axis, largest=int(o.attrs["descending"]), sorted=1)
    return places


def _sorted_values(w: Writer, o: Operation, x: str) -> str:
    axis = o.attrs["axis"]
    count = w.size(o.operands[0].shape[axis])
    values, _ = w.several("TopK", [x, count], 2, axis=axis, largest=int(o.attrs["descending"]), sorted=1)
    return values


def _top_places(w: Writer, o: Operation, x: str) -> str:
    attrs = o.attrs
    count = w.ints([attrs["k"]])
    _, places = w.several("TopK", [x, count], 2, axis=attrs["axis"], largest=int(attrs["largest"]), sorted=1)
    return places


def _top_set(w: Writer, o: Operation, x: str) -> str:
    places = _top_places(w, o, x)
    ordered, _ = w.several("TopK", [places, w.ints([o.attrs["k"]])], 2, axis=o.attrs["axis"], largest=0, sorted=1)
    return ordered


def _place_of_rank(w: Writer, o: Operation, x: str, rank: str) -> str:
    axis = o.attrs["axis"]
    count = w.size(o.operands[0].shape[axis])
    _, places = w.several("TopK", [x, count], 2, axis=axis, largest=0, sorted=1)
    return w.node("GatherElements", places, rank, axis=axis)


def _bound(w: Writer, o: Operation, name: str, *, ends: bool) -> str:
    one = w.node("Reshape", name, w.ints([1]))
    if ends and o.attrs["step"] < 0:  # open are both of our ends; below the first element ONNX's is INT64_MIN + 1
        least = w.ints([_ENDS.min + 1])
        return w.node("Max", w.node("Where", w.node("Equal", one, w.ints([_ENDS.max])), least, one), least)
    return one


def _slice_between(w: Writer, o: Operation, x: str, start: str, stop: str) -> str:
    return _between(w, o, x, start, stop, o.attrs["axis"])


def _between(w: Writer, o: Operation, x: str, start: str, stop: str, axis: int) -> str:
    """The slice of an axis."""
    if o.attrs["step"] < 0:
        start = w.node("Where", w.node("Equal", start, w.constant(np.int64(_ENDS.min))),
                       w.constant(np.int64(_ENDS.max)), start)  # fmt: skip
    bounds = _bound(w, o, start, ends=False), _bound(w, o, stop, ends=True)
    return w.node("Slice", x, *bounds, w.ints([axis]), w.ints([o.attrs["step"]]))


def _put_between(w: Writer, o: Operation, x: str, v: str, start: str, stop: str) -> str:
    """The places of the slice along the axis, then a scatter of whole rows with that axis in front."""
    axis, rank = o.attrs["axis"], o.result.ndim
    swap = [axis, *(k for k in range(rank) if k != axis)]
    back = [swap.index(k) for k in range(rank)]
    if axis:
        x, v = (w.node("Transpose", part, perm=swap) for part in (x, v))
    size = w.node("Squeeze", w.size(o.result.shape[axis]))
    numbers = w.node("Range", w.constant(np.int64(0)), size, w.constant(np.int64(1)))
    places = w.node("Unsqueeze", _between(w, o, numbers, start, stop, 0), w.ints([-1]))
    made = w.node("ScatterND", x, places, v)
    return w.node("Transpose", made, perm=back) if axis else made


def _arange_between(w: Writer, o: Operation, start: str, stop: str, step: str) -> str:
    kinds = {value.dtype for value in o.operands}
    kind = o.operands[0].dtype
    bounds = [start, stop, step]
    if len(kinds) > 1:  # ONNX wants one dtype
        kind = dt.float64 if any(k.is_floating for k in kinds) else dt.int64
        bounds = [w.node("Cast", b, to=w.element_type(kind)) for b in bounds]
    made = w.node("Range", *bounds)
    if kind is o.result.dtype:
        return made
    return w.node("Cast", made, to=w.element_type(o.result.dtype))


def _unique(w: Writer, o: Operation, x: str) -> list[str]:
    return w.several("Unique", [x], 4, sorted=1, axis=o.attrs["axis"])


def _unique_counts(w: Writer, o: Operation, x: str) -> list[str]:
    values, _, _, counts = w.several("Unique", [x], 4, sorted=1)
    return [values, counts]


def _unique_values(w: Writer, o: Operation, x: str) -> str:
    return w.node("Unique", x, sorted=1, axis=o.attrs["axis"])


ROWS: dict[str, Emitter] = {
    "arange_between": _arange_between,
    "argsort": _argsort,
    "combine_along_axis": _combine_along,
    "gather": _gather,
    "gather_nd": _gather_nd,
    "is_among": _is_among,
    "masked_scatter": _masked_scatter,
    "masked_select": _masked_select,
    "nonzero": _nonzero,
    "place_of_rank": _place_of_rank,
    "put_along_axis": _put_along,
    "put_along_axis_add": _put_along_add,
    "scatter_add": _scatter_add,
    "count_places": _count_places,
    "sorted_values": _sorted_values,
    "top_places": _top_places,
    "top_set": _top_set,
    "scatter_nd_add": _scatter_nd("add"),
    "scatter_nd_update": _scatter_nd(None),
    "select": _gather,
    "put_between": _put_between,
    "select_add": _select_put("add"),
    "select_update": _select_put(None),
    "slice_between": _slice_between,
    "take_along_axis": _take_along,
    "unique_parts": _unique,
    "unique_counts": _unique_counts,
    "unique_values": _unique_values,
}
