"""Rows that pick and place slices and points by integer index: gather, gather_nd and their scatters.

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
from .arith import Arithmetic, is_run_time_number, is_value
from .bounds import first
from .create import arange, full
from .dims import Dim, DimLike, product, same_dim
from .dispatch import current
from .failing import index_outside, point_outside
from .infer import axis_index, require_shape, show_shape
from .interpreter import Interpreter
from .kernel_expressions import Expr, Literal
from .lowering import Custom, Index, Point, PointContext
from .op import OPS, Op, Sample, random_array, row
from .types import TensorType

Prepared = tuple[tuple[Any, ...], dict[str, Any]]
_PLAIN = {int, bool}  # what most lists that are indices hold


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


def is_of_run(part: Any) -> bool:
    """Whether a part of an index holds what isn't known while a program is made, or isn't NumPy's."""
    if isinstance(part, (list, tuple)):
        return not _PLAIN.issuperset(map(type, part)) and any(map(is_of_run, part))
    return is_value(part) or is_run_time_number(part) or isinstance(part, Dim)


def index_of(part: Any) -> Any:
    """An index array of nested lists of numbers, sizes and tensors."""
    if isinstance(part, (list, tuple, range)):
        rows = [(index_of(p), isinstance(p, (list, tuple, range))) for p in part]
        return OPS["concat"]([OPS["reshape"](row, (1, *row.shape) if deep else (1,)) for row, deep in rows], axis=0)
    return as_index(current(), "a subscript", part if is_value(part) else current().constant(part, dt.int64))


def wrapped(index: Any, size: int) -> Any:
    """Indices of an axis of `size` elements as numbers from 0; AxisError where one is outside."""
    if not index.size:
        return index.astype(np.int64, copy=False)
    lowest = np.minimum.reduce(index, axis=None)
    if lowest < -size or np.maximum.reduce(index, axis=None) >= size:
        bad = index[(index < -size) | (index >= size)].flat[0]
        error = AxisError(f"index {bad} is outside an axis of {size} elements", remedy=f"use {-size} to {size - 1}")
        error.size, error.index = size, int(bad)
        raise error
    if lowest >= 0:
        return index.astype(np.int64, copy=False)
    return np.where(index < 0, index + size, index).astype(np.int64, copy=False)


def spread(value: Any, shape: Sequence[Any]) -> Any:
    """`value` broadcast to `shape`; itself where it has that shape."""
    same = len(value.shape) == len(shape) and all(same_dim(a, b) for a, b in zip(value.shape, shape, strict=True))
    return value if same else OPS["broadcast_to"](value, tuple(shape))


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
    place = ctx.checked_index(1, index[axis : axis + rank], ctx.inputs[0].shape[axis])
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
    eager=lambda x, index, *, axis: np.take(x, wrapped(index, x.shape[axis]), axis=axis),
    specialise=lambda types, attrs: lambda x, index, axis=attrs["axis"]: x.take(index, axis),  # or IndexError
    vjp=_gather_vjp,
    prepare=_prepare_axis,
    lowering=Point(_gather_point, picks=True, beside=1),
    failures=index_outside(),
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
    places = wrapped(index, x.shape[axis]).ravel()
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
    failures=index_outside(),
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
    return tuple(wrapped(index[..., k], x.shape[k]) for k in range(_depth("gather_nd", x, index)))


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
    places = [ctx.checked_index(1, [*index[:lead], Literal(k)], x.shape[k]) for k in range(depth)]
    return ctx.load(0, [*places, *index[lead:]])


def _nd_samples(count: int) -> list[Sample]:
    x, one, two = random_array(1, (3, 4, 2)), np.array([[0], [2], [-2]]), np.array([[[0, 1], [2, -1]]], "int32")
    return [Sample((x, i, random_array(2, i.shape[:-1] + x.shape[i.shape[-1] :]))[:count]) for i in (one, two)]


_OUTSIDE = point_outside()
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


def places_between(x: Any, start: Any, stop: Any, axis: int, step: int) -> Any:
    """The indices of a slice's elements, where their number is known though only a run knows the bounds; else None."""
    width = current().width_inside(start, stop, x.shape[axis]) if step == 1 else None
    return None if width is None else OPS["add"](start, arange(width, 0, 1, start.dtype))
