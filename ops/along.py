"""Rows that pick and place one element per index along an axis: take_along_axis and what is its transpose.

Off the axis an index has the sizes of x, or 1: then it names whole lines, and what places them checks each once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.errors import ShapeError
from .bounds import first
from .create import arange
from .dims import DimLike, same_dim
from .failing import index_outside
from .index import Prepared, as_index, as_value, spread, wrapped, zeros_of
from .infer import axis_index, broadcast_dims, require_shape, show_shape
from .interpreter import Interpreter
from .kernel_expressions import Expr
from .lowering import Custom, Index, Point, PointContext
from .op import OPS, Sample, random_array, row
from .types import TensorType


def _ints(seed: int, shape: tuple[int, ...], size: int, dtype: str = "int64") -> Any:
    return np.random.default_rng(seed).integers(-size, size, shape).astype(dtype)


def _placed_shape(op: str, x: TensorType, index: TensorType, axis: int) -> tuple[DimLike, ...]:
    """The shape of what an index names along one axis: 1 off the axis is for all that x has there."""
    pairs = [(k, *sizes) for k, sizes in enumerate(zip(index.shape, x.shape, strict=False)) if k != axis]
    outside = any(isinstance(a, int) and isinstance(b, int) and a > b and a != 1 for _, a, b in pairs)
    if len(index.shape) != len(x.shape) or outside:
        raise ShapeError(f"{op}: an index of shape {show_shape(index.shape)} for {show_shape(x.shape)}, axis {axis}")
    made = list(index.shape)
    for k, own, there in pairs:
        made[k] = there if same_dim(own, 1) else own
    return tuple(made)


def infer_put(op: str) -> Callable[..., TensorType]:
    """How a row that puts values along an axis infers its type: that of x."""

    def infer(x: TensorType, index: TensorType, values: TensorType, *, axis: int, **_: Any) -> TensorType:
        require_shape(op, "what is put", values.shape, _placed_shape(op, x, index, axis))
        return x

    return infer


def _take_infer(x: TensorType, index: TensorType, *, axis: int) -> TensorType:
    return TensorType(x.dtype, _placed_shape("take_along_axis", x, index, axis))


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
    x = spread(x, [*common[:axis], x.shape[axis], *common[axis + 1 :]])
    whole: list[Any] = [*common[:axis], index.shape[axis], *common[axis + 1 :]]
    if any(k != axis and not same_dim(size, 1) and not same_dim(size, whole[k]) for k, size in enumerate(index.shape)):
        index = spread(index, whole)
    rest = (spread(as_value(interpreter, v, x.dtype), whole) for v in values[2:])
    return (x, index, *rest), {"axis": axis}


def along_places(index: Any, axis: int, shape: Sequence[int]) -> tuple[Any, ...]:
    """The key of the places that `index` names along `axis` of an array of `shape`; AxisError outside it."""
    places = wrapped(index, shape[axis])
    if names_lines(index.shape, axis):
        return (*[slice(None)] * axis, places.reshape(-1))
    return _key(places, axis, _placed(index.shape, axis, shape))


def element_places(index: Any, axis: int, shape: Sequence[int]) -> Any:
    """The same places as numbers of elements, one for each, in the order of the index."""
    whole = _placed(index.shape, axis, shape)
    if not all(whole):
        return np.zeros(0, np.int64)
    places = wrapped(index, shape[axis])
    return np.ravel_multi_index(np.broadcast_arrays(*_key(places, axis, whole)), shape).reshape(-1)


def names_lines(sizes: Sequence[DimLike], axis: int) -> bool:
    """Whether an index of these sizes names whole lines: it has no elements but along the axis."""
    return all(k == axis or same_dim(size, 1) for k, size in enumerate(sizes))


def _placed(sizes: Sequence[int], axis: int, shape: Sequence[int]) -> list[int]:
    return [b if k != axis and a == 1 else a for k, (a, b) in enumerate(zip(sizes, shape, strict=True))]


def _key(places: Any, axis: int, sizes: Sequence[int]) -> tuple[Any, ...]:
    grid = [np.arange(n).reshape((n,) + (1,) * (len(sizes) - 1 - k)) for k, n in enumerate(sizes)]
    return (*grid[:axis], places, *grid[axis + 1 :])


def _take_along_axis_eager(x: Any, index: Any, *, axis: int) -> Any:
    whole = _placed(index.shape, axis, x.shape)
    if not all(whole):
        return np.zeros(whole, x.dtype)
    places = wrapped(index, x.shape[axis])
    return np.take(x, places.reshape(-1), axis=axis) if names_lines(index.shape, axis) else x[_key(places, axis, whole)]


def _put_along_axis_eager(x: Any, index: Any, values: Any, *, axis: int) -> Any:
    out = np.array(x)
    if values.size:  # of no elements none is outside
        out[along_places(index, axis, x.shape)] = values
    return out


def _put_along_axis_add_eager(x: Any, index: Any, values: Any, *, axis: int) -> Any:
    out = np.array(x, order="C")
    np.add.at(out.reshape(-1), element_places(index, axis, x.shape), values.reshape(-1))
    return out


def _along_point(ctx: PointContext, index: Index) -> Expr:
    axis = ctx.attrs["axis"]
    place = ctx.checked_index(1, index, ctx.inputs[0].shape[axis])
    return ctx.load(0, [*index[:axis], place, *index[axis + 1 :]])


def _along_samples() -> list[Sample]:
    return [
        Sample((random_array(1, (3, 4)), _ints(1, (3, 2), 4)), {"axis": 1}),
        Sample((random_array(2, (3, 4, 2)), _ints(2, (5, 4, 2), 3, "int32")), {"axis": 0}),
        Sample((random_array(3, (6,), dtype="float32"), np.array([-1, 0, 5])), {"axis": 0}),
        Sample((random_array(4, (3, 4)), np.array([[0], [-1], [2]])), {"axis": 1}),
        Sample((random_array(5, (3, 4)), np.array([[0], [-1], [2], [2]])), {"axis": 0}),
        Sample((random_array(6, (2, 3, 4)), np.array([[[3, 0, -4]], [[1, 1, 2]]])), {"axis": 2}),
        Sample((random_array(7, (2, 3, 4)), _ints(3, (1, 5, 4), 3)), {"axis": 1}),
    ]


def _put_samples() -> list[Sample]:
    return [
        Sample((random_array(4, (3, 4)), np.array([[0, -1], [2, 1], [3, 0]]), random_array(5, (3, 2))), {"axis": 1}),
        Sample((random_array(6, (3, 2)), np.array([[2, 0]]), random_array(7, (1, 2))), {"axis": 0}),
        Sample((random_array(6, (4, 2)), np.array([[2], [0], [-1]]), random_array(7, (3, 2))), {"axis": 0}),
        Sample((random_array(6, (2, 4, 3)), np.array([[[2], [0]]]), random_array(7, (2, 2, 3))), {"axis": 1}),
        Sample((random_array(6, (2, 4)), np.array([[2, 0, 3]]), random_array(7, (2, 3))), {"axis": 1}),
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
    x, index = types
    axis: int = attrs["axis"]
    if names_lines(index.shape, axis):
        return lambda x, index: x.take(index.reshape(-1), axis)
    sizes: Any = _placed_shape("take_along_axis", x, index, axis)
    key = _key(None, axis, sizes)
    before, after = key[:axis], key[axis + 1 :]
    return lambda x, index: x[(*before, index, *after)]


take_along_axis = row(
    "take_along_axis",
    "One element of x per element of `index`, along `axis`; sizes off the axis are equal or 1.",
    "x index",
    attrs={"axis": -1},
    infer=_take_infer,
    eager=_take_along_axis_eager,
    specialise=_specialise_along,
    vjp=_take_vjp,
    prepare=prepare_along,
    lowering=Point(_along_point, picks=True, beside=1),
    failures=index_outside(),
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
    failures=index_outside(),
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
    failures=index_outside(),
    work=lambda given, made, **_: 0,
    samples=_put_samples,
    method=False,
    public=False,
    writes_into_first=True,
)
