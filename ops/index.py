"""Rows that pick and place elements by integer index: gather, take_along_axis, gather_nd and their scatters.

A row that overwrites keeps the last of several updates of one place; a row that adds sums them. An index below zero
counts from the end; one outside the axis is an AxisError. An index that is one number at run time: select.py;
subscripts (`x[i, 1:]`): indexing.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType
from ..base.errors import AxisError, DTypeError, ShapeError
from .arith import Arithmetic, is_value
from .bounds import first
from .create import arange, full
from .dims import DimLike, product, same_dim
from .failing import index_outside, point_outside
from .infer import axis_index, broadcast_dims, require_shape, show_shape
from .interpreter import Interpreter
from .kernel_expressions import Expr, Literal
from .lowering import Custom, Index, Point, PointContext
from .op import OPS, Op, Sample, random_array, row
from .types import TensorType

Prepared = tuple[tuple[Any, ...], dict[str, Any]]


def as_value(interpreter: Interpreter, x: Any, dtype: DType | None = None) -> Any:
    """`x` as a value, of dtype `dtype` if one is given."""
    if not is_value(x):
        return interpreter.constant(x, dtype)
    return x if dtype is None or x.dtype is dtype else OPS["cast"](x, dtype)


def as_index(interpreter: Interpreter, op: str, index: Any) -> Any:
    """`index` as an int32 or int64 value; DTypeError for floats and bools."""
    if not isinstance(index, Arithmetic):
        index = interpreter.constant(np.asarray(index, None if np.size(index) else np.int64), None)
    if not index.dtype.is_integer:
        raise DTypeError(f"{op} needs an integer index, not {index.dtype.name}", remedy='convert with astype("int64")')
    return index if index.dtype in (dt.int32, dt.int64) else OPS["cast"](index, dt.int64)


def wrapped(op: str, index: Any, size: int) -> Any:
    """Indices of an axis of `size` elements as numbers from 0; AxisError where one is outside."""
    if not index.size:
        return index.astype(np.int64, copy=False)
    lowest = np.minimum.reduce(index, axis=None)
    if lowest < -size or np.maximum.reduce(index, axis=None) >= size:
        bad = index[(index < -size) | (index >= size)].flat[0]
        error = AxisError(
            f"{op}: index {bad} is outside an axis of {size} elements", remedy=f"use {-size} to {size - 1}"
        )
        error.size, error.index = size, int(bad)
        raise error
    if lowest >= 0:
        return index.astype(np.int64, copy=False)
    return np.where(index < 0, index + size, index).astype(np.int64, copy=False)


def zeros_of(shape: Sequence[DimLike], dtype: DType) -> Any:
    """Zeros for a gradient to be scattered into."""
    return full(tuple(shape), 0, dtype)


_WIDE = 512  # elements of a row that pay for a step of Python


def accumulate(target: Any, index: Any, updates: Any) -> None:
    """target[index[k]] += updates[k] for all k, one after the other, on arrays [n, m], [count], [count, m]."""
    width = target.shape[1]
    if width >= _WIDE:
        for place, row_of_updates in zip(index.tolist(), updates, strict=True):
            target[place] += row_of_updates
    elif width and index.size:  # NumPy has a fast loop for flat arrays alone
        places = index if width == 1 else (index[:, None] * width + np.arange(width)).reshape(-1)
        np.add.at(target.reshape(-1), places, updates.reshape(-1))


def _require_along(op: str, x: TensorType, index: TensorType, axis: int) -> None:
    """ShapeError unless an index names, along one axis, elements of rows that x has."""
    outside = [
        k for k, (a, b) in enumerate(zip(index.shape, x.shape, strict=False))
        if k != axis and isinstance(a, int) and isinstance(b, int) and a > b
    ]  # fmt: skip
    if len(index.shape) != len(x.shape) or outside:
        raise ShapeError(f"{op}: an index of shape {show_shape(index.shape)} for {show_shape(x.shape)}, axis {axis}")


def infer_put(op: str) -> Callable[..., TensorType]:
    """How a row that puts values along an axis infers its type: that of x."""

    def infer(x: TensorType, index: TensorType, values: TensorType, *, axis: int, **_: Any) -> TensorType:
        _require_along(op, x, index, axis)
        require_shape(op, "what is put", values.shape, index.shape)
        return x

    return infer


def _take_infer(x: TensorType, index: TensorType, *, axis: int) -> TensorType:
    _require_along("take_along_axis", x, index, axis)
    return TensorType(x.dtype, index.shape)


def _ints(seed: int, shape: tuple[int, ...], size: int, dtype: str = "int64") -> Any:
    return np.random.default_rng(seed).integers(-size, size, shape).astype(dtype)


# ---- whole slices along one axis: gather, scatter_add


def _prepare_axis(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    axis = axis_index(0 if attrs["axis"] is None else attrs["axis"], x.ndim)
    rest = (as_value(interpreter, v, x.dtype) for v in values[2:])
    return (x, as_index(interpreter, "gather", values[1]), *rest), {"axis": axis}


def _gather_infer(x: TensorType, index: TensorType, *, axis: int) -> TensorType:
    return TensorType(x.dtype, x.shape[:axis] + index.shape + x.shape[axis + 1 :])


def _gather_vjp(g: Any, y: Any, x: Any, index: Any, *, axis: int) -> tuple[Any, ...]:
    return scatter_add(zeros_of(x.shape, x.dtype), index, g, axis=axis), None


def _gather_point(ctx: PointContext, index: Index) -> Expr:
    axis, rank = ctx.attrs["axis"], ctx.inputs[1].rank
    place = ctx.checked_index(ctx.load(1, index[axis : axis + rank]), ctx.dim(ctx.inputs[0].shape[axis]))
    return ctx.load(0, [*index[:axis], place, *index[axis + rank :]])


def _gather_samples() -> list[Sample]:
    x = random_array(1, (3, 4, 5))
    return [
        Sample((x, np.array([2, 0, -1, 2])), {"axis": 1}),
        Sample((x, np.array([[0, 1], [1, -3]], "int32")), {"axis": 0}),
        Sample((x, np.array(3)), {"axis": -1}),
        Sample((x.astype("float32"), np.zeros((0,), "int64")), {"axis": 2}),
        Sample((np.arange(7), np.array([6, -7])), {"axis": 0}),
    ]


gather = row(
    "gather",
    "The slices of x along `axis` that `index` (int32 or int64, any rank) names; its axes take the place of `axis`.",
    "x index",
    attrs={"axis": 0},
    infer=_gather_infer,
    eager=lambda x, index, *, axis: np.take(x, wrapped("gather", index, x.shape[axis]), axis=axis),
    specialise=lambda types, attrs: lambda x, index, axis=attrs["axis"]: x.take(index, axis),  # or IndexError
    vjp=_gather_vjp,
    prepare=_prepare_axis,
    lowering=Point(_gather_point, picks=True),
    failures=index_outside("gather"),
    samples=_gather_samples,
    checked=False,
    onnx="Gather",
    method=False,
    public=False,
    bounds=first,
)


def _scatter_add_infer(x: TensorType, index: TensorType, updates: TensorType, *, axis: int) -> TensorType:
    require_shape("scatter_add", "updates", updates.shape, _gather_infer(x, index, axis=axis).shape)
    return x


def _scatter_add_eager(x: Any, index: Any, updates: Any, *, axis: int) -> Any:
    places = wrapped("scatter_add", index, x.shape[axis]).ravel()
    moved = np.moveaxis(x, axis, 0)
    out = np.array(moved, order="C").reshape(x.shape[axis], -1 if x.size else 0)
    lead = tuple(range(axis, axis + index.ndim))
    accumulate(out, places, np.moveaxis(updates, lead, range(index.ndim)).reshape(places.size, out.shape[1]))
    return np.ascontiguousarray(np.moveaxis(out.reshape(moved.shape), 0, axis))


def _specialise_scatter_add(types: Sequence[TensorType], attrs: dict[str, Any]) -> Callable[..., Any] | None:
    """NumPy wraps negative places itself; those outside are an IndexError, and the general kernel says which."""
    x, index, _ = types
    width = product(x.shape[1:])
    if attrs["axis"] != 0 or index.rank != 1 or not isinstance(width, int) or not 0 < width < _WIDE:
        return None
    columns = np.arange(width)

    def run(x: Any, index: Any, updates: Any) -> Any:
        out = np.array(x, order="C")
        places = index if width == 1 else (index.astype(np.int64, copy=False)[:, None] * width + columns).reshape(-1)
        np.add.at(out.reshape(-1), places, updates.reshape(-1))
        return out

    return run


scatter_add = row(
    "scatter_add",
    "x with `updates` added to the slices along `axis` that `index` names: the transpose of gather.",
    "x index updates",
    attrs={"axis": 0},
    infer=_scatter_add_infer,
    eager=_scatter_add_eager,
    specialise=_specialise_scatter_add,
    vjp=lambda g, y, x, index, updates, *, axis: (g, None, gather(g, index, axis=axis)),
    prepare=_prepare_axis,
    lowering=Custom("index.scatter_add"),
    failures=index_outside("scatter_add"),
    work=lambda given, made, **_: given[2].size,
    samples=lambda: [
        Sample((random_array(2, (3, 4)), np.array([1, 1, -1]), random_array(3, (3, 3))), {"axis": 1}),
        Sample((random_array(4, (3, 2)), np.array([[0, 2], [0, 0]]), random_array(5, (2, 2, 2))), {"axis": 0}),
        Sample((random_array(6, (3, 2)), np.array(2), random_array(7, (2,))), {"axis": 0}),
        Sample((random_array(6, (3, 2), dtype="float32"), np.zeros(0, "int64"), np.zeros((0, 2), "float32")), {}),
    ],
    method=False,
    public=False,
    writes_into_first=True,
)

# ---- one element per place along an axis: take_along_axis, put_along_axis


def prepare_along(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    """x, an index and further values broadcast against each other, but for `axis`."""
    x, index = as_value(interpreter, values[0]), as_index(interpreter, "take_along_axis", values[1])
    axis = axis_index(attrs["axis"], x.ndim)
    if index.ndim != x.ndim:
        raise ShapeError(
            f"take_along_axis: index {show_shape(index.shape)} must have the rank of x {show_shape(x.shape)}",
            remedy="unsqueeze the index",
        )
    pairs = enumerate(zip(x.shape, index.shape, strict=True))
    common = [0 if k == axis else broadcast_dims(a, b) for k, (a, b) in pairs]  # the axis' own sizes needn't agree
    if None in common:
        raise ShapeError(
            f"take_along_axis: index {show_shape(index.shape)} doesn't fit x {show_shape(x.shape)} along axis {axis}",
            remedy="all other sizes must be equal or 1",
        )
    x, index = (spread(v, [*common[:axis], v.shape[axis], *common[axis + 1 :]]) for v in (x, index))
    rest = (spread(as_value(interpreter, v, x.dtype), index.shape) for v in values[2:])
    return (x, index, *rest), {"axis": axis}


def spread(value: Any, shape: Sequence[Any]) -> Any:
    """`value` broadcast to `shape`; itself where it has that shape."""
    same = len(value.shape) == len(shape) and all(same_dim(a, b) for a, b in zip(value.shape, shape, strict=True))
    return value if same else OPS["broadcast_to"](value, tuple(shape))


def along_places(index: Any, axis: int, size: int) -> tuple[Any, ...]:
    """The key of the places that `index` names along `axis` of an array; IndexError outside `size`."""
    rank = index.ndim
    grid: list[Any] = [np.arange(n).reshape((n,) + (1,) * (rank - 1 - k)) for k, n in enumerate(index.shape)]
    grid[axis] = wrapped("take_along_axis", index, size)
    return tuple(grid)


def _put_along_axis_eager(x: Any, index: Any, values: Any, *, axis: int) -> Any:
    out = np.array(x)
    out[along_places(index, axis, x.shape[axis])] = values
    return out


def _put_along_axis_add_eager(x: Any, index: Any, values: Any, *, axis: int) -> Any:
    out = np.array(x, order="C")
    key = np.broadcast_arrays(*along_places(index, axis, x.shape[axis]))
    places = np.ravel_multi_index(key, x.shape) if index.size else index
    np.add.at(out.reshape(-1), places.ravel(), values.ravel())
    return out


def _along_point(ctx: PointContext, index: Index) -> Expr:
    axis = ctx.attrs["axis"]
    place = ctx.checked_index(ctx.load(1, index), ctx.dim(ctx.inputs[0].shape[axis]))
    return ctx.load(0, [*index[:axis], place, *index[axis + 1 :]])


def _along_samples() -> list[Sample]:
    return [
        Sample((random_array(1, (3, 4)), _ints(1, (3, 2), 4)), {"axis": 1}),
        Sample((random_array(2, (3, 4, 2)), _ints(2, (5, 4, 2), 3, "int32")), {"axis": 0}),
        Sample((random_array(3, (6,), dtype="float32"), np.array([-1, 0, 5])), {"axis": 0}),
        Sample((random_array(4, (3, 4)), np.array([[0], [-1], [2]])), {"axis": 1}),
    ]


def _put_samples() -> list[Sample]:
    return [
        Sample((random_array(4, (3, 4)), np.array([[0, -1], [2, 1], [3, 0]]), random_array(5, (3, 2))), {"axis": 1}),
        Sample((random_array(6, (3, 2)), np.array([[2, 0]]), random_array(7, (1, 2))), {"axis": 0}),
    ]


def _put_vjp(g: Any, y: Any, x: Any, index: Any, values: Any, *, axis: int) -> tuple[Any, ...]:
    zeros = zeros_of(values.shape, values.dtype)
    return put_along_axis_row(g, index, zeros, axis=axis), None, take_along_axis(g, index, axis=axis)


def _take_vjp(g: Any, y: Any, x: Any, index: Any, *, axis: int) -> tuple[Any, ...]:
    """One place per line is a choice, element by element: it fuses (the gradient of a loss by labels)."""
    if not same_dim(index.shape[axis], 1):
        return put_along_axis_add(zeros_of(x.shape, x.dtype), index, g, axis=axis), None
    size = x.shape[axis]
    line = OPS["reshape"](arange(size, 0, 1, index.dtype), tuple(size if k == axis else 1 for k in range(len(x.shape))))
    return OPS["where"](OPS["equal"](OPS["where"](index < 0, index + size, index), line), g, 0.0), None


def _specialise_along(types: Sequence[TensorType], attrs: dict[str, Any]) -> Callable[..., Any]:
    """NumPy wraps negative places itself; those outside are an IndexError, and the general kernel says which."""
    shape: tuple[Any, ...] = types[1].shape
    axis = attrs["axis"]
    rank = len(shape)
    grid = [np.arange(n).reshape((n,) + (1,) * (rank - 1 - k)) for k, n in enumerate(shape)]
    before, after = tuple(grid[:axis]), tuple(grid[axis + 1 :]) if axis != -1 else ()
    return lambda x, index: x[(*before, index, *after)]


take_along_axis = row(
    "take_along_axis",
    "One element of x per element of `index`, along `axis`; sizes off the axis are equal or 1.",
    "x index",
    attrs={"axis": -1},
    infer=_take_infer,
    eager=lambda x, index, *, axis: x[along_places(index, axis, x.shape[axis])],
    specialise=_specialise_along,
    vjp=_take_vjp,
    prepare=prepare_along,
    lowering=Point(_along_point, picks=True),
    failures=index_outside("take_along_axis"),
    samples=_along_samples,
    checked=False,
    onnx="GatherElements",
    bounds=first,
)
put_along_axis_add = row(
    "put_along_axis_add",
    "x with `values` added at the places along `axis` that `index` names: the transpose of take_along_axis.",
    "x index values",
    attrs={"axis": -1},
    infer=infer_put("put_along_axis_add"),
    eager=_put_along_axis_add_eager,
    vjp=lambda g, y, x, index, values, *, axis: (g, None, take_along_axis(g, index, axis=axis)),
    prepare=prepare_along,
    lowering=Custom("index.put_along_axis_add"),
    failures=index_outside("take_along_axis"),
    work=lambda given, made, **_: given[2].size,
    samples=lambda: [
        *_put_samples(),
        Sample((random_array(8, (2, 3)), np.array([[1, 1], [0, -3]]), random_array(9, (2, 2))), {"axis": 1}),
    ],
    method=False,
    public=False,
    writes_into_first=True,
)
put_along_axis_row = row(
    "put_along_axis",
    "x with `values` written at the places along `axis` that `index` names.",
    "x index values",
    attrs={"axis": -1},
    infer=infer_put("put_along_axis"),
    eager=_put_along_axis_eager,
    vjp=_put_vjp,
    prepare=prepare_along,
    lowering=Custom("index.put_along_axis"),
    failures=index_outside("take_along_axis"),
    work=lambda given, made, **_: 0,
    samples=_put_samples,
    method=False,
    public=False,
    writes_into_first=True,
)

# ---- points of several axes: gather_nd, scatter_nd


def _depth(op: str, x: TensorType | Any, index: TensorType | Any) -> int:
    if not index.shape or not isinstance(index.shape[-1], int) or index.shape[-1] > len(x.shape):
        raise ShapeError(
            f"{op}: the last size of index {show_shape(index.shape)} must be at most"
            f" the rank of x {show_shape(x.shape)}"
        )
    return index.shape[-1]


def _gather_nd_shape(x: TensorType, index: TensorType) -> tuple[DimLike, ...]:
    return index.shape[:-1] + x.shape[_depth("gather_nd", x, index) :]


def _scatter_nd_infer(x: TensorType, index: TensorType, updates: TensorType) -> TensorType:
    require_shape("scatter_nd", "updates", updates.shape, _gather_nd_shape(x, index))
    return x


def _prepare_nd(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    rest = (as_value(interpreter, v, x.dtype) for v in values[2:])
    return (x, as_index(interpreter, "gather_nd", values[1]), *rest), attrs


def _points(index: Any, x: Any) -> tuple[Any, ...]:
    return tuple(wrapped("gather_nd", index[..., k], x.shape[k]) for k in range(_depth("gather_nd", x, index)))


def _scatter_nd_add_eager(x: Any, index: Any, updates: Any) -> Any:
    lead, places = x.shape[: index.shape[-1]], _points(index, x)
    flat = np.ravel_multi_index(places, lead).ravel() if places else np.zeros(index[..., :0].sum(-1).size, np.int64)
    count = int(np.prod(lead, dtype=np.int64))
    out = np.array(x, order="C").reshape(count, x.size // max(count, 1))
    accumulate(out, flat, updates.reshape(flat.size, out.shape[1]))
    return out.reshape(x.shape)


def _gather_nd_eager(x: Any, index: Any) -> Any:
    if index.shape[-1] == 0:  # points of no axis: all of x, once for each
        return np.array(np.broadcast_to(x, index.shape[:-1] + x.shape))
    return np.array(x[_points(index, x)])


def _scatter_nd_update_eager(x: Any, index: Any, updates: Any) -> Any:
    out = np.array(x)
    if index.shape[-1] == 0:
        for update in updates.reshape(-1, *x.shape)[-1:]:
            out[...] = update
        return out
    out[_points(index, x)] = updates
    return out


def _gather_nd_point(ctx: PointContext, index: Index) -> Expr:
    x, at = ctx.inputs
    lead, depth = at.rank - 1, at.shape[-1]
    places = [ctx.checked_index(ctx.load(1, [*index[:lead], Literal(k)]), ctx.dim(x.shape[k])) for k in range(depth)]
    return ctx.load(0, [*places, *index[lead:]])


def _nd_samples(count: int) -> list[Sample]:
    x, one, two = random_array(1, (3, 4, 2)), np.array([[0], [2], [-2]]), np.array([[[0, 1], [2, -1]]], "int32")
    return [Sample((x, i, random_array(2, i.shape[:-1] + x.shape[i.shape[-1] :]))[:count]) for i in (one, two)]


_OUTSIDE = point_outside("gather_nd")
gather_nd = row(
    "gather_nd",
    "The slices of x at points: the last axis of `index` [..., k] holds places in the first k axes of x.",
    "x index",
    infer=lambda x, index: TensorType(x.dtype, _gather_nd_shape(x, index)),
    eager=_gather_nd_eager,
    vjp=lambda g, y, x, index: (scatter_nd_add(zeros_of(x.shape, x.dtype), index, g), None),
    prepare=_prepare_nd,
    lowering=Point(_gather_nd_point, picks=True),
    failures=_OUTSIDE,
    samples=lambda: _nd_samples(2),
    onnx="GatherND",
    bounds=first,
)
scatter_nd_add: Op = row(
    "scatter_nd_add",
    "x with `updates` added at the points that `index` [..., k] names: the transpose of gather_nd.",
    "x index updates",
    infer=_scatter_nd_infer,
    eager=_scatter_nd_add_eager,
    vjp=lambda g, y, x, index, updates: (g, None, gather_nd(g, index)),
    prepare=_prepare_nd,
    lowering=Custom("index.scatter_nd_add"),
    failures=_OUTSIDE,
    work=lambda given, made, **_: given[2].size,
    samples=lambda: [
        *_nd_samples(3),
        Sample((random_array(3, (2, 3)), np.array([[1, 1], [1, 1], [0, -1]]), random_array(4, (3,)))),
    ],
    method=False,
)
scatter_nd_update: Op = row(
    "scatter_nd_update",
    "x with `updates` written at the points that `index` [..., k] names; of equal points the last wins.",
    "x index updates",
    infer=_scatter_nd_infer,
    eager=_scatter_nd_update_eager,
    vjp=lambda g, y, x, index, updates: (
        scatter_nd_update(g, index, zeros_of(updates.shape, updates.dtype)), None, gather_nd(g, index)
    ),
    prepare=_prepare_nd,
    lowering=Custom("index.scatter_nd_update"),
    failures=_OUTSIDE,
    work=lambda given, made, **_: 0,
    samples=lambda: _nd_samples(3),
    method=False,
    public=False,
)  # fmt: skip
