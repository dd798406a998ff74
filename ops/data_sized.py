"""Rows whose results have sizes that data decide: nonzero, masked_select, unique, slices and ranges between tensors.

In eager mode the arrays tell; in a program the attribute `defines` names the sizes (see sizes.py), and the operation
runs on the host.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType, as_dtype
from ..base.errors import ArgumentError, DTypeError, KindError, ShapeError
from .arith import is_value
from .create import count_between
from .dims import Dim, DimLike, same_shape
from .index import Prepared, as_value, zeros_of
from .infer import axis_index, show_shape
from .interpreter import Interpreter
from .lowering import Custom
from .op import NONDIFFERENTIABLE, OPS, REQUIRED, Op, Sample, composite, random_array, row
from .orders import stable_order
from .select import mask_sample, prepare_mask
from .sizes import fresh_sizes
from .types import TensorType


def _known(name: str, defines: tuple[DimLike, ...] | None) -> tuple[DimLike, ...]:
    if defines is None:
        raise ShapeError(f"{name}: in a program the size of its result needs a name", remedy=f"call vt.{name}")
    return defines


# ---- masks


def _prepare_masked_select(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    operands, _ = prepare_mask(interpreter, values, attrs)
    return operands, {"defines": fresh_sizes(interpreter)}


def _prepare_nonzero(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return (as_value(interpreter, values[0]),), {"defines": fresh_sizes(interpreter)}


def _true_places(mask: Any) -> Any:
    """Where a flattened mask is true. By these places NumPy takes elements without a branch for each of the mask."""
    return np.asarray(mask).reshape(-1).nonzero()[0]


def _nonzero_eager(x: Any, *, defines: Any) -> Any:
    array = np.asarray(x)
    if array.ndim == 0:
        return np.argwhere(array)
    rest = _true_places(array)
    places = np.empty((rest.size, array.ndim), np.int64)
    for k in range(array.ndim - 1, 0, -1):
        rest, places[:, k] = np.divmod(rest, array.shape[k])
    places[:, 0] = rest
    return places


masked_select: Op = row(
    "masked_select",
    "The elements of x where `mask` is true, in order, [count].",
    "x mask",
    attrs={"defines": None},
    infer=lambda x, mask, *, defines: TensorType(x.dtype, _known("masked_select", defines)),
    eager=lambda x, mask, *, defines: x.reshape(-1)[_true_places(mask)],
    vjp=lambda g, y, x, mask, *, defines: (OPS["masked_scatter"](zeros_of(x.shape, x.dtype), mask, g), None),
    prepare=_prepare_masked_select,
    samples=lambda: [Sample(mask_sample())],
    checked=False,
)
nonzero: Op = row(
    "nonzero",
    "The places of the elements that aren't zero, i64[count, rank].",
    "x",
    attrs={"defines": None},
    infer=lambda x, *, defines: TensorType(dt.int64, (*_known("nonzero", defines), x.rank)),
    eager=_nonzero_eager,
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare_nonzero,
    samples=lambda: [Sample((np.array([[0.0, 2.0], [-1.0, 0.0]]),), smooth=False)],
    checked=False,
)


def _counted_places(mask: Any, count: int) -> Any:
    places = _true_places(mask)
    if places.size != count:
        raise ShapeError(f"{count} elements of a mask were counted, and {places.size} are true")
    return places


def _infer_picked(x: TensorType, mask: TensorType, *, count: DimLike) -> TensorType:
    if not same_shape(x.shape, mask.shape):
        raise ShapeError(f"picked: a mask {show_shape(mask.shape)} of a tensor {show_shape(x.shape)}")
    return TensorType(x.dtype, (count,))


picked: Op = row(
    "picked",
    "The elements of x where `mask`, of its shape, is true, in order: `count`, as many as there are.",
    "x mask",
    attrs={"count": REQUIRED},
    infer=_infer_picked,
    eager=lambda x, mask, *, count: x.reshape(-1)[_counted_places(mask, count)],
    vjp=NONDIFFERENTIABLE,  # programs have it after they were differentiated
    lowering=Custom("index.picked"),
    work=lambda given, made, **_: given[0].size,
    samples=lambda: [Sample(_counted_sample(), {"count": 3}, smooth=False)],
    method=False,
    public=False,
    checked=False,
)
picked_places: Op = row(
    "picked_places",
    "The places of the true elements of `mask`, counted through all its axes: `count`, as many as there are.",
    "mask",
    attrs={"count": REQUIRED},
    infer=lambda mask, *, count: TensorType(dt.int64, (count,)),
    eager=lambda mask, *, count: _counted_places(mask, count),
    vjp=NONDIFFERENTIABLE,
    lowering=Custom("index.picked_places"),
    work=lambda given, made, **_: given[0].size,
    samples=lambda: [Sample(_counted_sample()[1:], {"count": 3}, smooth=False)],
    method=False,
    public=False,
    checked=False,
)


def _counted_sample() -> tuple[Any, Any]:
    return random_array(1, (2, 3)), np.array([[True, False, True], [False, False, True]])


def count_true(mask: Any) -> Any:
    """How many elements of a mask are true, i64[]."""
    return OPS["sum"](OPS["cast"](mask, dt.int64), tuple(range(mask.ndim)), False)


def index_of(places: Any, shape: tuple[DimLike, ...]) -> Any:
    """The index, i64[count, rank], of places that are counted through all axes of a shape."""
    rest, columns = places, []
    for size in reversed(shape[1:]):
        number = OPS["dim_value"](dim=size) if isinstance(size, Dim) else size
        columns.append(OPS["remainder"](rest, number))
        rest = OPS["floor_divide"](rest, number)
    columns = [OPS["reshape"](c, (places.shape[0], 1)) for c in (rest, *reversed(columns))]
    return OPS["concat"](columns, axis=1) if len(columns) > 1 else columns[0]


@composite("masked_select")
def masked_select_(x: Any, mask: Any, name: str | None = None) -> Any:
    """The elements of x where `mask` is true, in order.

    Shapes: x and mask broadcast; result [count]. Dtype: as x. The gradient goes to the elements taken.

    >>> import vitrify as vt
    >>> vt.masked_select(vt.to_tensor([1.0, 2.0, 3.0]), vt.to_tensor([True, False, True])).tolist()
    [1.0, 3.0]
    """
    if is_value(mask) and not mask.dtype.is_bool:
        raise DTypeError(f"masked_select: the mask must be bool, not {mask.dtype.name}", remedy="compare it: mask != 0")
    return masked_select(x, mask)


@composite("nonzero")
def nonzero_(x: Any, as_tuple: bool = False) -> Any:
    """The places of the elements that aren't zero, in order: i64[count, rank], or with `as_tuple` i64[count] per axis.

    >>> import vitrify as vt
    >>> vt.nonzero(vt.to_tensor([0, 5, 7])).tolist()
    [[1], [2]]
    """
    places = nonzero(x)
    if not as_tuple:
        return places
    count, rank = places.shape
    return tuple(OPS["reshape"](OPS["slice"](places, (0, k), (count, 1)), (count,)) for k in range(rank))


# ---- slices between bounds known at run time


def _prepare_between(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    bounds = [OPS["reshape"](as_value(interpreter, v, dt.int64), ()) for v in values[-2:]]
    rest = [as_value(interpreter, v, x.dtype) for v in values[1:-2]]
    made: dict[str, Any] = {"axis": axis_index(attrs["axis"], x.ndim), "step": operator.index(attrs["step"])}
    if made["step"] == 0:
        raise ArgumentError("the step of a slice must be an int other than 0")
    if "defines" in attrs:
        made["defines"] = fresh_sizes(interpreter)
    return (x, *rest, *bounds), made


OPEN = np.iinfo(np.int64)  # its ends stand for bounds left open: `x[a:]` is x[a:OPEN.max]


def _key(start: Any, stop: Any, axis: int, step: int) -> tuple[Any, ...]:
    first, last = int(start), int(stop)
    bounds = (None if first in (OPEN.min, OPEN.max) else first, None if last in (OPEN.min, OPEN.max) else last)
    return (slice(None),) * axis + (slice(*bounds, step),)


def _put_eager(x: Any, v: Any, start: Any, stop: Any, *, axis: int, step: int) -> Any:
    out = np.array(x)
    key = _key(start, stop, axis, step)
    if out[key].shape != v.shape:
        raise ShapeError(f"a value of shape {show_shape(v.shape)} for a slice of shape {show_shape(out[key].shape)}")
    out[key] = v
    return out


def _slice_vjp(g: Any, y: Any, x: Any, start: Any, stop: Any, *, axis: int, step: int, defines: Any) -> tuple[Any, ...]:
    return put_between(zeros_of(x.shape, x.dtype), g, start, stop, axis, step), None, None


def _put_vjp(g: Any, y: Any, x: Any, v: Any, start: Any, stop: Any, *, axis: int, step: int) -> tuple[Any, ...]:
    taken = slice_between(g, start, stop, axis, step)
    hole = zeros_of(v.shape, g.dtype)
    return put_between(g, hole, start, stop, axis, step), OPS["reshape"](taken, tuple(v.shape)), None, None


slice_between: Op = row(
    "slice_between",
    "x[..., start:stop:step, ...] along `axis`, with int64 bounds known at run time.",
    "x start stop",
    attrs={"axis": 0, "step": 1, "defines": None},
    infer=lambda x, start, stop, *, axis, step, defines: TensorType(
        x.dtype, (*x.shape[:axis], *_known("slice_between", defines), *x.shape[axis + 1 :])
    ),
    eager=lambda x, start, stop, *, axis, step, defines: np.array(x[_key(start, stop, axis, step)]),
    vjp=_slice_vjp,
    prepare=_prepare_between,
    samples=lambda: [Sample((random_array(1, (5, 3)), np.array(1), np.array(4)), {"axis": 0})],
    method=False,
    public=False,
    checked=False,
)
put_between: Op = row(
    "put_between",
    "x with x[..., start:stop:step, ...] along `axis` replaced by v, which has that shape.",
    "x v start stop",
    attrs={"axis": 0, "step": 1},
    infer=lambda x, v, start, stop, *, axis, step: x,
    eager=_put_eager,
    vjp=_put_vjp,
    prepare=_prepare_between,
    samples=lambda: [Sample((*(random_array(k, (n, 3)) for k, n in ((1, 5), (2, 3))), np.array(1), np.array(4)))],
    method=False,
    public=False,
    checked=False,
)


# ---- ranges between bounds known at run time


def _prepare_range(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    dtype: DType = as_dtype(attrs["dtype"])
    numbers = tuple(OPS["reshape"](as_value(interpreter, v), ()) for v in values)
    return numbers, {"dtype": dtype, "defines": fresh_sizes(interpreter)}


def _range_eager(start: Any, stop: Any, step: Any, *, dtype: DType, defines: Any) -> Any:
    first, last, by = (v.item() for v in (start, stop, step))
    count = count_between(first, last, by)
    return (first + np.arange(count) * by).astype(dtype.numpy)


arange_between: Op = row(
    "arange_between",
    "Numbers from start up to but without stop, by step: numbers without axes, known at run time.",
    "start stop step",
    attrs={"dtype": REQUIRED, "defines": None},
    infer=lambda start, stop, step, *, dtype, defines: TensorType(dtype, _known("arange", defines)),
    eager=_range_eager,
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare_range,
    samples=lambda: [Sample((np.array(1), np.array(7), np.array(2)), {"dtype": dt.int64}, smooth=False)],
    method=False,
    public=False,
    checked=False,
)


# ---- different elements


def _prepare_unique(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    axis = None if attrs["axis"] is None else axis_index(attrs["axis"], x.ndim)
    return (x,), {"axis": axis, "defines": fresh_sizes(interpreter)}


def _infer_unique(x: TensorType, *, axis: int | None, defines: Any) -> tuple[TensorType, ...]:
    (count,) = _known("unique", defines)
    shape = (count,) if axis is None else (*x.shape[:axis], count, *x.shape[axis + 1 :])
    inverse = x.size if axis is None else x.shape[axis]
    number = TensorType(dt.int64, (count,))
    return TensorType(x.dtype, shape), number, TensorType(dt.int64, (inverse,)), number


_FEW = 256  # elements for which NumPy's own function takes no longer
_SPAN = 4  # integers that an element may stand for where they are counted, not sorted


def _unique_by_count(line: Any, low: int, span: int) -> tuple[Any, ...]:
    """The different integers of a line, all from `low` on and fewer than `span`: a place for each."""
    places = line.astype(np.int64) - low
    counts = np.bincount(places, minlength=span)
    there = np.flatnonzero(counts)
    number, first = np.empty(span, np.int64), np.empty(span, np.int64)
    number[there] = np.arange(there.size)
    first[places[::-1]] = np.arange(line.size - 1, -1, -1)  # of several the last one stays: the first of the line
    return (there + low).astype(line.dtype), first[there], number[places], counts[there].astype(np.int64)


def _differs(ordered: Any) -> Any:
    """Whether each element of an ordered line but the first one differs from the one before; all NaN are one."""
    differs = ordered[1:] != ordered[:-1]
    if ordered.dtype.kind == "f":
        differs &= (ordered[1:] == ordered[1:]) | (ordered[:-1] == ordered[:-1])
    return differs


def _unique_by_order(line: Any) -> tuple[Any, ...]:
    """The different elements of a line by their stable order; all NaN are one."""
    order = stable_order(line, axis=0, descending=False)
    ordered = line[order]
    differs = _differs(ordered)
    starts = np.flatnonzero(np.concatenate([[True], differs]))
    inverse = np.empty(line.size, np.int64)
    inverse[order] = np.cumsum(np.concatenate([[0], differs]))
    return ordered[starts], order[starts], inverse, np.diff(starts, append=line.size)


def _span(x: Any, axis: int | None) -> tuple[int, int] | None:
    """The smallest of some integers and how many there are up to the largest; None where counting takes longer."""
    if axis is not None or x.size < _FEW or x.dtype.kind not in "iu":
        return None
    low, high = int(x.min()), int(x.max())
    return (low, high - low + 1) if high - low < _SPAN * x.size and high < 2**63 else None


def _unique_eager(x: Any, *, axis: int | None, defines: Any) -> tuple[Any, ...]:
    span = _span(x, axis)
    if span is not None:
        return _unique_by_count(x.reshape(-1), *span)
    if axis is None and x.size >= _FEW and x.dtype.kind in "iuf":
        return _unique_by_order(x.reshape(-1))
    values, first, inverse, counts = np.unique(x, True, True, True, axis=axis)
    return values, first.astype(np.int64), inverse.reshape(-1).astype(np.int64), counts.astype(np.int64)


def _unique_row(name: str, doc: str, operand: str, **fields: Any) -> Op:
    return row(
        name, doc, operand, vjp=NONDIFFERENTIABLE, method=False, public=False, checked=False,
        samples=lambda: [Sample((np.array([3, 1, 3, 2, 1]),), smooth=False)], **fields,
    )  # fmt: skip


unique_parts: Op = _unique_row(
    "unique_parts",
    "The different elements of x (or slices along `axis`), sorted; where each first stands; inverse; counts.",
    "x",
    attrs={"axis": None, "defines": None},
    infer=_infer_unique,
    eager=_unique_eager,
    prepare=_prepare_unique,
)


def _infer_unique_values(x: TensorType, *, axis: int | None, defines: Any) -> TensorType:
    return _infer_unique(x, axis=axis, defines=defines)[0]


def _unique_values_eager(x: Any, *, axis: int | None, defines: Any) -> Any:
    span = _span(x, axis)
    if span is None:
        if axis is not None or not x.size or x.dtype.kind not in "iuf":
            return np.unique(x, axis=axis)
        line = OPS["sorted_values"].eager(x.reshape(-1), axis=0, descending=False)
        return line[np.concatenate([[True], _differs(line)])]
    low, size = span
    there = np.flatnonzero(np.bincount(x.reshape(-1).astype(np.int64) - low, minlength=size))
    return (there + low).astype(x.dtype)


unique_values: Op = _unique_row(
    "unique_values",
    "The different elements of x (or slices along `axis`), sorted.",
    "x",
    attrs={"axis": None, "defines": None},
    infer=_infer_unique_values,
    eager=_unique_values_eager,
    prepare=_prepare_unique,
)


def _infer_unique_counts(x: TensorType, *, defines: Any) -> tuple[TensorType, ...]:
    values, _, _, number = _infer_unique(x, axis=None, defines=defines)
    return values, number


def _prepare_counts(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return (as_value(interpreter, values[0]),), {"defines": fresh_sizes(interpreter)}


def _unique_counts_eager(x: Any, *, defines: Any) -> tuple[Any, ...]:
    line, span = x.reshape(-1), _span(x, None)
    if span is not None:
        low, size = span
        counts = np.bincount(line.astype(np.int64) - low, minlength=size)
        there = np.flatnonzero(counts)
        return (there + low).astype(x.dtype), counts[there].astype(np.int64)
    values, counts = np.unique(line, return_counts=True)
    zero = np.searchsorted(values, 0)
    if x.dtype.kind == "f" and zero < values.size and values[zero] == 0:
        values[zero] = line[np.argmax(line == 0)]  # of 0.0 and -0.0 the first one stands for both
    return values, counts.astype(np.int64)


unique_counts: Op = _unique_row(
    "unique_counts",
    "The different elements of x, sorted; how often each occurs.",
    "x",
    attrs={"defines": None},
    infer=_infer_unique_counts,
    eager=_unique_counts_eager,
    prepare=_prepare_counts,
)


@composite()
def unique(
    x: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, axis: Any = None,
    dtype: Any = "int64", name: str | None = None, sorted: bool = True,
) -> Any:  # fmt: skip
    """The different elements of x, sorted, whatever `sorted` says; with `axis`, the different slices along it.

    Further results, as asked for: where each first stands, which one each element of x is, how often each occurs; of
    `dtype` int32 or int64. Errors: KindError for settings that are no bools, ArgumentError for another dtype.

    >>> import vitrify as vt
    >>> [t.tolist() for t in vt.unique(vt.to_tensor([3, 1, 3]), return_counts=True)]
    [[1, 3], [1, 2]]
    """
    kind = as_dtype(dtype)
    if kind not in (dt.int32, dt.int64):
        raise ArgumentError(f"unique gives places as int32 or int64, not {kind.name}")
    asked_for = (return_index, return_inverse, return_counts)
    for setting, asked in zip(("return_index", "return_inverse", "return_counts"), asked_for, strict=True):
        if isinstance(asked, (int, float, str)) and not isinstance(asked, bool):
            raise KindError(f"unique: {setting} must be a bool, not a {type(asked).__name__}")
    if not any(asked_for):
        return unique_values(x, axis)
    if asked_for == (False, False, True) and axis is None:  # a sort, and no order
        values, counts = unique_counts(x)
        return values, counts if kind is dt.int64 else OPS["cast"](counts, kind)
    values, *rest = unique_parts(x, axis)
    wanted = [part for part, asked in zip(rest, asked_for, strict=True) if asked]
    return (values, *(part if kind is dt.int64 else OPS["cast"](part, kind) for part in wanted))
