"""Statistics and order: sums that pass over NaN, medians, quantiles, modes, histograms, running extremes, searching."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import ArgumentError, ShapeError
from .activation import as_float
from .along import take_along_axis
from .arith import exact, is_run_time_number, is_value
from .compare import isnan, where
from .composite import argsort_, sort
from .counts import is_among
from .dims import never_negative, product
from .dispatch import current
from .elementwise import cast
from .failing import of_no_elements
from .index import gather
from .infer import (
    assume_at_least,
    axes_tuple,
    axis_index,
    has_as_many,
    int_argument,
    reduced_shape,
    require_axes,
    show_shape,
    turns_out,
)  # fmt: skip
from .interpreter import Interpreter
from .lowering import Custom
from .op import NONDIFFERENTIABLE, OPS, Sample, composite, random_array, row
from .orders import MOST_PLACES, first_places, is_better_sorted, place_of_rank
from .planned import planned
from .sizes import runtime_names
from .types import TensorType

# ---- passing over NaN


@composite()
def nansum(x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The sum over `axis`, NaN counted as 0.

    >>> import vitrify as vt
    >>> float(vt.nansum(vt.to_tensor([1.0, float("nan"), 2.0])))
    3.0
    """
    x = x if dtype is None else cast(x, dtype)
    return OPS["sum"](where(isnan(x), 0.0, x) if x.dtype.is_floating else x, axis, keepdim)


@composite()
def nanmean(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The mean over `axis` of the elements that aren't NaN; NaN where there is none."""
    x = as_float(x)
    count = OPS["sum"](cast(OPS["logical_not"](isnan(x)), x.dtype), axis, keepdim)
    return nansum(x, axis, None, keepdim) / count


@composite()
@planned
def count_nonzero(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """How many elements over `axis` differ from 0; int64."""
    return OPS["sum"](cast(OPS["not_equal"](x, 0), dt.int64), axis, keepdim)


# ---- ranks: median, quantile, kthvalue, mode


def _lined_up(x: Any, axis: Any) -> tuple[Any, tuple[int, ...], tuple[Any, ...]]:
    """x with the axes `axis` flattened into a last one, those axes, and the sizes of the others."""
    axes = axes_tuple(axis, x.ndim)
    rest = [k for k in range(x.ndim) if k not in axes]
    shape = tuple(x.shape[k] for k in rest)
    moved = OPS["transpose"](x, [*rest, *axes]) if axes and x.ndim > 1 else x
    return OPS["reshape"](moved, (*shape, product(x.shape[k] for k in axes))), axes, shape


def _at_ranks(line: Any, places: list[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """The elements of lines [..., n] at places [..., 1] between ranks, as (lower, upper, share) of each place."""
    lows = [OPS["floor"](place) for place in places]
    ranks = [cast(end, dt.int64) for low, place in zip(lows, places, strict=True) for end in (low, OPS["ceil"](place))]
    if is_better_sorted(line.shape, line.ndim - 1):
        ordered = sort(line, -1)
        ends = [take_along_axis(ordered, rank, -1) for rank in ranks]
    else:
        taken = take_along_axis(line, place_of_rank(line, OPS["concat"](ranks, axis=-1), -1), -1)
        front = (0,) * (line.ndim - 1)
        ends = [OPS["slice"](taken, (*front, k), (*line.shape[:-1], 1)) for k in range(len(ranks))]
    for low, place, lower, upper in zip(lows, places, ends[::2], ends[1::2], strict=True):
        yield lower, upper, cast(place - low, line.dtype)


def _require_as_many(size: Any, count: int, message: str, error: str) -> None:
    """The run ends with the error where an axis has fewer elements, of whose size only the run knows."""
    if runtime_names(size) and not never_negative(size - count):
        enough = OPS["greater_equal"](current().constant(size, dt.int64), count)
        current().require(enough, message, error)


_BETWEEN = ("linear", "higher", "lower", "midpoint", "nearest")


def _quantile(x: Any, q: Any, axis: Any, keepdim: bool, interpolation: str, ignore_nan: bool, name: str) -> Any:
    if interpolation not in _BETWEEN:
        raise ArgumentError(f"{name}: interpolation must be one of {', '.join(_BETWEEN)}, not {interpolation!r}")
    x = as_float(x)
    if is_value(q) and q.ndim > 1:
        raise ShapeError(f"{name}: q must be a number or have one axis, got {show_shape(q.shape)}")
    single = not isinstance(q, (list, tuple)) and not (is_value(q) and q.ndim)
    parts: list[Any] = [q] if single else [q[k] for k in range(q.shape[0] if is_value(q) else len(q))]
    if not parts:
        raise ArgumentError(f"{name}: q must name at least one quantile")
    for part in parts:
        if is_run_time_number(part):
            is_inside = OPS["logical_and"](OPS["greater_equal"](exact(part), 0), OPS["less_equal"](exact(part), 1))
            current().require(is_inside, f"{name}: q must be from 0 to 1", "ArgumentError")
        elif not is_value(part) and not 0 <= part <= 1:
            raise ArgumentError(f"{name}: q must be from 0 to 1, not {part}")
    line, axes, shape = _lined_up(x, axis)
    if turns_out(line.shape[-1], 0):  # the mean of no elements is NaN, too
        found = [OPS["mean"](x, list(axes), keepdim) for _ in parts]
        return found[0] if single else OPS["concat"]([OPS["reshape"](f, (1, *f.shape)) for f in found], axis=0)
    size = line.shape[-1]
    line = OPS["reshape"](line, (*shape, size))
    missing = isnan(line)
    count = OPS["sum"](cast(OPS["logical_not"](missing), dt.float64), [-1], True)
    if runtime_names(size):  # of no elements the one at rank 0 is this NaN; else no rank comes to it
        line = OPS["concat"]([line, OPS["full"]((*shape, 1), math.nan, line.dtype)], axis=-1)
    if not ignore_nan:
        count = count * 0.0 + float(size) if isinstance(size, int) else count
    places, found = [], []
    for part in parts:
        part = cast(part, dt.float64) if is_value(part) or is_run_time_number(part) else float(part)
        place = OPS["maximum"]((count - 1.0) * part, 0.0)
        places.append(OPS["round"](place) if interpolation == "nearest" else place)
    for lower, upper, share in _at_ranks(line, places):
        if interpolation in ("lower", "higher", "midpoint"):
            made = {"lower": lower, "higher": upper, "midpoint": (lower + upper) * 0.5}[interpolation]
        else:
            made = lower + (upper - lower) * share
        if not ignore_nan:
            made = where(OPS["any"](missing, -1, True), float("nan"), made)
        found.append(OPS["reshape"](made, reduced_shape(tuple(x.shape), axes, keepdim)))
    return found[0] if single else OPS["concat"]([OPS["reshape"](f, (1, *f.shape)) for f in found], axis=0)


@composite()
@planned
def quantile(
    x: Any, q: Any, axis: Any = None, keepdim: bool = False, interpolation: str = "linear", name: str | None = None
) -> Any:
    """The q-quantile (0 to 1) over `axis`, in the dtype of x; several q: along a new first axis. NaN wins.

    interpolation between two ranks: linear, higher, lower, midpoint or nearest.

    >>> import vitrify as vt
    >>> float(vt.quantile(vt.to_tensor([1.0, 2.0, 4.0]), 0.75))
    3.0
    """
    return _quantile(x, q, axis, keepdim, interpolation, False, "quantile")


@composite()
@planned
def nanquantile(
    x: Any, q: Any, axis: Any = None, keepdim: bool = False, interpolation: str = "linear", name: str | None = None
) -> Any:
    """`quantile` of the elements that aren't NaN; NaN where there is none."""
    return _quantile(x, q, axis, keepdim, interpolation, True, "nanquantile")


def _median(x: Any, axis: Any, keepdim: bool, mode: str, ignore_nan: bool, name: str) -> Any:
    if mode not in ("avg", "min"):
        raise ArgumentError(f'{name}: mode must be "avg" or "min", not {mode!r}')
    if isinstance(axis, (list, tuple)) and not axis:
        raise ArgumentError(f"{name}: axis must name at least one axis")
    if mode == "avg":
        return _quantile(x, 0.5, axis, keepdim, "midpoint", ignore_nan, name)
    line, axes, _ = _lined_up(x, axis)
    if turns_out(line.shape[-1], 0):
        raise ShapeError(
            f"{name} of no elements: {show_shape(x.shape)} over axis {list(axes)}", remedy='use mode="avg"'
        )
    _require_as_many(line.shape[-1], 1, f"{name} of no elements", "ShapeError")
    missing = isnan(line) if x.dtype.is_floating else OPS["full"](tuple(line.shape), False, dt.bool_)
    count = OPS["sum"](cast(OPS["logical_not"](missing), dt.int64), [-1], True)
    if ignore_nan:
        place = OPS["maximum"](count - 1, 0) // 2
    else:  # the first NaN stands behind all numbers
        whole = OPS["equal"](count, line.shape[-1])
        place = where(whole, OPS["maximum"](count - 1, 0) // 2, count)
    shape = reduced_shape(tuple(x.shape), axes, keepdim)
    if is_better_sorted(line.shape, line.ndim - 1):
        at = take_along_axis(argsort_(line, -1), place, -1)
    else:
        at = place_of_rank(line, place, -1)
    values = OPS["reshape"](take_along_axis(line, at, -1), shape)
    if axis is None or isinstance(axis, (list, tuple)):
        return values
    return values, OPS["reshape"](at, shape)


@composite()
@planned
def median(x: Any, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None) -> Any:
    """The median over `axis`: the mean of the two middle elements, with mode="min" the lower one. NaN wins.

    mode="min" along one axis gives the places (int64) too.

    >>> import vitrify as vt
    >>> float(vt.median(vt.to_tensor([3.0, 1.0, 2.0, 10.0])))
    2.5
    """
    return _median(x, axis, keepdim, mode, False, "median")


@composite()
@planned
def nanmedian(x: Any, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None) -> Any:
    """`median` of the elements that aren't NaN; NaN, with a gradient of 0, where there is none."""
    made = _median(x, axis, keepdim, mode, True, "nanmedian")
    if not x.dtype.is_floating:
        return made
    values, *places = made if isinstance(made, tuple) else (made,)
    numbers = OPS["any"](OPS["logical_not"](isnan(x)), axes_tuple(axis, x.ndim), keepdim)
    values = where(numbers, values, OPS["full"]((), math.nan, values.dtype))
    return (values, *places) if places else values


_MOST_ORDERED = 16  # elements of a line whose order is as easily had as its first places


@composite()
def kthvalue(x: Any, k: Any, axis: int | None = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The k-th smallest element (from 1) along `axis` (the last by default), and its place (int64)."""
    if not x.ndim:
        if k != 1:
            raise ArgumentError(f"kthvalue: k must be 1 for a 0-d tensor, not {k}")
        return OPS["assign"](x), OPS["full"]((), 0, dt.int64)
    at = axis_index(-1 if axis is None else axis, x.ndim)
    size, one = x.shape[at], reduced_shape(tuple(x.shape), (at,), True)
    k = k.item() if is_value(k) and current().is_trace else k
    if is_run_time_number(k) and k.dtype.is_integer and current().told_by_sizes(k) is None:
        rank = exact(k) - 1
        fits = OPS["logical_and"](rank >= 0, rank < size)
        current().require(fits, f"kthvalue: k must be from 1 to {size}, the size of axis {at}", "ArgumentError")
        place = place_of_rank(x, OPS["broadcast_to"](OPS["reshape"](rank, (1,) * x.ndim), one), at)
        return _taken(x, place, at, keepdim)
    k = int_argument("kthvalue: k", k)
    if k < 1 or not has_as_many(size, k):
        raise ArgumentError(f"kthvalue: k must be from 1 to {size}, the size of axis {at}, not {k}")
    _require_as_many(size, k, f"kthvalue: k must be from 1 to the size of axis {at}, not {k}", "ArgumentError")
    if isinstance(size, int) and size <= _MOST_ORDERED:
        place = OPS["reshape"](gather(argsort_(x, at), k - 1, at), one)
    elif k <= MOST_PLACES or is_better_sorted(x.shape, at):
        place = OPS["reshape"](gather(first_places(x, k, at, False), k - 1, at), one)
    else:
        place = place_of_rank(x, OPS["full"](one, k - 1, dt.int64), at)
    return _taken(x, place, at, keepdim)


def _taken(x: Any, place: Any, axis: int, keepdim: bool) -> Any:
    """The element at a place of each line along an axis, and the place."""
    shape = reduced_shape(tuple(x.shape), (axis,), keepdim)
    return OPS["reshape"](take_along_axis(x, place, axis), shape), OPS["reshape"](place, shape)


def _one_axis(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Any:
    x = interpreter.constant(values[0], None)
    return (x,), attrs | {"axis": axis_index(attrs["axis"], x.ndim)}


def _mode_place(line: Any) -> int:
    values, start, counts = np.unique(line, return_index=True, return_counts=True)
    most = np.argmax(counts)
    places = np.flatnonzero(line == values[most])
    return int(places[-1]) if places.size else int(start[most])  # NaN equals nothing


def _mode_places(x: Any, *, axis: int) -> Any:
    if not x.size:  # no lines at all
        return np.zeros(tuple(1 if k == axis else n for k, n in enumerate(x.shape)), np.int64)
    return np.expand_dims(np.apply_along_axis(_mode_place, axis, x), axis).astype(np.int64)


def _order_samples() -> list[Sample]:
    x = np.floor(random_array(3, (3, 6), 0, 4))
    return [Sample((x,), {"axis": 1}), Sample((x.astype("int64"),), {"axis": 0}), Sample((x[0],), {"axis": -1})]


mode_place = row(
    "mode_place",
    "The last place along `axis` of the most frequent element, the smallest of equally frequent ones.",
    "x",
    attrs={"axis": -1},
    prepare=_one_axis,
    infer=lambda x, *, axis: TensorType(dt.int64, reduced_shape(x.shape, (axis,), True)),
    eager=_mode_places,
    lowering=Custom("order.mode_place"),
    work=lambda given, made, **_: given[0].size,
    vjp=NONDIFFERENTIABLE,
    samples=_order_samples,
    failures=of_no_elements("mode"),
    public=False,
)


@composite()
def mode(x: Any, axis: int = -1, keepdim: bool = False, name: str | None = None) -> Any:
    """The most frequent element along `axis` (the smallest of equally frequent ones) and its last place (int64)."""
    if not x.ndim:
        return OPS["assign"](x), OPS["full"]((), 0, dt.int64)
    at = axis_index(axis, x.ndim)
    if assume_at_least(x.shape[at], 1) is False:
        raise ShapeError(f"mode of no elements: {show_shape(x.shape)} over axis {at}")
    return _taken(x, mode_place(x, at), at, keepdim)


# ---- searching sorted sequences


def _search_eager(sequence: Any, values: Any, *, right: bool) -> Any:
    side: Any = "right" if right else "left"
    if sequence.ndim == 1:
        return np.asarray(np.searchsorted(sequence, values, side), np.int64)
    out = np.empty(values.shape, np.int64)
    for k in np.ndindex(*sequence.shape[:-1]):
        out[k] = np.searchsorted(sequence[k], values[k], side)
    return out


def _search_infer(sequence: TensorType, values: TensorType, *, right: bool) -> TensorType:
    require_axes("searchsorted: the sequence", sequence, 1)
    if sequence.rank != 1 and (sequence.rank != values.rank or sequence.shape[:-1] != values.shape[:-1]):
        raise ShapeError(f"searchsorted: sequences {sequence} and values {values} differ before the last axis")
    return TensorType(dt.int64, values.shape)


search_row = row(
    "searchsorted",
    "The first places (with `right`: behind the last) at which values keep sorted sequences sorted; int64.",
    "sorted_sequence values",
    attrs={"right": False},
    infer=_search_infer,
    eager=_search_eager,
    vjp=NONDIFFERENTIABLE,
    lowering=Custom("order.searchsorted"),
    work=lambda given, made, **_: made[0].size,
    samples=lambda: [
        Sample((np.array([1.0, 2.0, 2.0, 5.0]), random_array(1, (3, 4), 0, 6))),
        Sample((np.array([[1, 3, 5], [2, 4, 6]]), np.array([[3, 9], [4, 0]])), {"right": True}),
    ],
    public=False,
)


@composite()
def searchsorted(
    sorted_sequence: Any, values: Any, out_int32: bool = False, right: bool = False, name: str | None = None, *,
    side: str | None = None, sorter: Any = None,
) -> Any:  # fmt: skip
    """The places at which `values` keep the sorted sequences (last axis) sorted: the first, with `right` the last one.

    side: "left" or "right", which is `right`. sorter: integers in whose order the sequences are sorted, as `argsort`
    gives them. Errors: ArgumentError for another side, and for "left" with `right`.

    >>> import vitrify as vt
    >>> vt.searchsorted(vt.to_tensor([1, 3, 5]), vt.to_tensor([3, 6])).tolist()
    [1, 3]
    """
    if side not in ("left", "right", None) or (side == "left" and right):
        raise ArgumentError(f"searchsorted: side is {side!r}" + " with right=True" * (side == "left"))
    if sorter is not None:
        sorted_sequence = OPS["take_along_axis"](sorted_sequence, sorter, -1)
    right = right or side == "right"
    found = search_row(sorted_sequence, current().constant(values, None), right)
    return cast(found, dt.int32) if out_int32 else found


@composite()
def bucketize(
    x: Any, sorted_sequence: Any, out_int32: bool = False, right: bool = False, name: str | None = None
) -> Any:
    """`searchsorted` in one sequence [count], with the values first. Errors: ArgumentError for no tensor."""
    if not is_value(x):
        raise ArgumentError(f"bucketize: x must be a tensor, not a {type(x).__name__}")
    if sorted_sequence.ndim != 1:
        raise ShapeError(f"bucketize: sorted_sequence must have one axis, got {show_shape(sorted_sequence.shape)}")
    return searchsorted(sorted_sequence, x, out_int32, right)


@composite()
def isin(x: Any, test_x: Any, assume_unique: bool = False, invert: bool = False, name: str | None = None) -> Any:
    """Whether each element of x is among those of `test_x`; with `invert`: whether it isn't."""
    x, test_x = current().constant(x, None), current().constant(test_x, None)
    if product(test_x.shape) == 0:
        return OPS["full"](tuple(x.shape), invert, dt.bool_)
    line = OPS["reshape"](test_x, [-1])
    if x.dtype is test_x.dtype and x.dtype.is_integer:
        found = is_among(x, line)
        return OPS["logical_not"](found) if invert else found
    line = sort(line, 0)
    place = OPS["minimum"](searchsorted(line, x), line.shape[0] - 1)
    return (OPS["not_equal"] if invert else OPS["equal"])(gather(line, place, 0), x)
