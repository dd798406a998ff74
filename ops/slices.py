"""Rows of boxes of elements: slice takes one out, slice_update puts one in; each stands in the other's gradient."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, ShapeError
from .arith import is_value
from .bounds import first, union
from .dims import DimLike, product, same_dim, same_shape
from .infer import as_dims, require_same_dtype, show_shape
from .interpreter import Interpreter
from .kernel_expressions import Expr, equal, select
from .lowering import Index, Point, PointContext
from .op import OPS, REQUIRED, Sample, random_array, row
from .shape import Prepared, arrays, as_value
from .types import Shape, TensorType


def _prepare_slice(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    strides = attrs["strides"] or (1,) * x.ndim
    parts = {
        "starts": as_dims(attrs["starts"]),
        "sizes": as_dims(attrs["sizes"]),
        "strides": tuple(int(s) for s in strides),
    }
    if any(len(p) != x.ndim for p in parts.values()):
        raise ArgumentError(f"slice needs one start, size and stride per axis of {show_shape(x.shape)}")
    return (x,), parts


def check_piece(op: str, shape: Shape, starts: Shape, sizes: Shape, strides: tuple[int, ...]) -> None:
    """ShapeError where a piece with known bounds leaves the tensor; symbolic bounds were checked by who made them."""
    for k, (size, start, count, step) in enumerate(zip(shape, starts, sizes, strides, strict=True)):
        if step == 0 or not all(isinstance(v, int) for v in (size, start, count)) or same_dim(count, 0):
            continue
        last = start + (count - 1) * step
        if not (0 <= start < size and 0 <= last < size) or count < 0:
            raise ShapeError(f"{op}: axis {k} of {show_shape(shape)} has no {count} elements from {start} by {step}")


def _infer_slice(x: TensorType, *, starts: Shape, sizes: Shape, strides: tuple[int, ...]) -> TensorType:
    check_piece("slice", x.shape, starts, sizes, strides)
    return TensorType(x.dtype, sizes)


def numpy_slices(starts: Any, sizes: Any, strides: Any) -> tuple[slice, ...]:
    """A box as a subscript of NumPy's arrays."""
    out = []
    for start, size, stride in zip(starts, sizes, strides, strict=True):
        stop = start + size * stride
        out.append(slice(start, stop if stop >= 0 else None, stride) if size else slice(0, 0))
    return tuple(out)


def _stepped(ctx: PointContext, index: Index) -> Index:
    out: Index = []
    for i, start, stride in zip(index, ctx.attrs["starts"], ctx.attrs["strides"], strict=True):
        scaled = i if stride == 1 else i * stride
        out.append(scaled if same_dim(start, 0) else ctx.dim(start) + scaled)
    return out


def _slice_alias(inputs: Sequence[TensorType], attrs: dict[str, Any]) -> DimLike | None:
    """A piece is contiguous if behind the first axis that is longer than 1 in the result all axes are whole."""
    shape, starts, sizes = inputs[0].shape, attrs["starts"], attrs["sizes"]
    if any(s != 1 for s in attrs["strides"]):
        return None
    first = next((k for k, d in enumerate(sizes) if not same_dim(d, 1)), len(sizes))
    if not same_shape(sizes[first + 1 :], shape[first + 1 :]):
        return None
    offset: DimLike = 0
    for k, start in enumerate(starts):
        offset = offset + start * product(shape[k + 1 :])
    return offset


def _cut_by(key: Any) -> Any:
    return lambda x: x[key]


slice_ = row(
    "slice",
    "A box of elements: `sizes` elements per axis, from `starts` in steps of `strides` (which may be negative).",
    "x",
    attrs={"starts": REQUIRED, "sizes": REQUIRED, "strides": None},
    prepare=_prepare_slice,
    infer=_infer_slice,
    eager=lambda x, *, starts, sizes, strides: x[numpy_slices(starts, sizes, strides)],
    specialise=lambda types, attrs: _cut_by(numpy_slices(**attrs)),
    vjp=lambda g, y, x, *, starts, sizes, strides: (
        OPS["slice_update"](OPS["full"](x.shape, 0, g.dtype), g, starts, strides),
    ),
    lowering=Point(lambda ctx, index: ctx.load(0, _stepped(ctx, index)), alias=_slice_alias),
    samples=lambda: [
        Sample((random_array(1, (5, 6)),), {"starts": [1, 2], "sizes": [3, 4]}),
        Sample((random_array(1, (5, 6), dtype="float32"),), {"starts": [4, 0], "sizes": [3, 3], "strides": [-2, 2]}),
        Sample((np.arange(6),), {"starts": [5], "sizes": [6], "strides": [-1]}),
        Sample((random_array(1, (5, 6)),), {"starts": [2, 0], "sizes": [1, 6]}),
        Sample((random_array(1, (5, 6)),), {"starts": [0, 6], "sizes": [5, 0]}),
        Sample((random_array(1, ()),), {"starts": [], "sizes": []}),
    ],
    method=False,
    public=False,
    family="view",
    onnx="Slice",
    bounds=first,
)


def piece(x: Any, axis: int, start: DimLike, size: DimLike) -> Any:
    """`size` elements from `start` along one axis, all of the others."""
    shape = tuple(x.shape)
    return slice_(
        x, [start if k == axis else 0 for k in range(x.ndim)], [size if k == axis else d for k, d in enumerate(shape)]
    )


def _prepare_update(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    v = values[1] if is_value(values[1]) else interpreter.constant(values[1], x.dtype)
    v = v if v.dtype is x.dtype else OPS["cast"](v, x.dtype)
    strides = tuple(int(s) for s in attrs["strides"] or (1,) * x.ndim)
    return (x, v), {"starts": as_dims(attrs["starts"]), "strides": strides}


def _infer_update(x: TensorType, v: TensorType, *, starts: Shape, strides: tuple[int, ...]) -> TensorType:
    require_same_dtype("slice_update", (x, v))
    if not x.rank == v.rank == len(starts) == len(strides):
        raise ShapeError(f"slice_update of {x} by {v} at {list(starts)}: the ranks differ")
    check_piece("slice_update", x.shape, starts, v.shape, strides)
    return x


def _update_eager(x: Any, v: Any, *, starts: Any, strides: Any) -> Any:
    out = np.array(x)
    out[numpy_slices(starts, v.shape, strides)] = v
    return out


def _update_vjp(g: Any, y: Any, x: Any, v: Any, *, starts: Any, strides: Any) -> tuple[Any, Any]:
    hole = OPS["full"](v.shape, 0, g.dtype)
    return OPS["slice_update"](g, hole, starts, strides), slice_(g, starts, tuple(v.shape), strides)


def _update_point(ctx: PointContext, index: Index) -> Expr:
    """Both elements are loaded and one selected, so the index into the piece is put to 0 where it would lie outside."""
    sizes, inside, places = ctx.inputs[1].shape, list[Expr](), list[Expr]()
    if any(same_dim(d, 0) for d in sizes):
        return ctx.load(0, index)
    for i, start, stride, size, whole in zip(
        index, ctx.attrs["starts"], ctx.attrs["strides"], sizes, ctx.inputs[0].shape, strict=True
    ):
        if stride == 1 and same_dim(start, 0) and same_dim(size, whole):
            places.append(i)
            continue
        away = i if same_dim(start, 0) else i - ctx.dim(start)
        away = ctx.let(away if stride > 0 else -away)
        step = abs(stride)
        hit = (away >= 0) & (away < ctx.dim(size * step))
        hit = ctx.let(hit & equal(away % step, 0) if step > 1 else hit)
        inside.append(hit)
        places.append(ctx.let(select(hit, away if step == 1 else away // step, 0)))
    if not inside:
        return ctx.load(1, places)
    return select(reduce(operator.and_, inside), ctx.load(1, places), ctx.load(0, index))


_SPARSE = 8  # elements of the whole for each of a piece, from which on the piece is written alone


def _is_sparse(inputs: Sequence[TensorType], attrs: dict[str, Any]) -> bool:
    """Whether a piece in steps is few elements, as a diagonal is: to ask each element if it is one takes longer."""
    whole, part = inputs[0].size, inputs[1].size
    steps = any(abs(s) > 1 for s in attrs["strides"])
    return steps and isinstance(whole, int) and isinstance(part, int) and 0 < part * _SPARSE <= whole


slice_update = row(
    "slice_update",
    "`x` with the box of elements from `starts` in steps of `strides` replaced by `v`.",
    "x v",
    attrs={"starts": REQUIRED, "strides": None},
    prepare=_prepare_update,
    infer=_infer_update,
    eager=_update_eager,
    vjp=_update_vjp,
    lowering=Point(_update_point, own="index.slice_update", apart=_is_sparse),
    samples=lambda: [
        Sample(tuple(arrays((5, 6), (3, 4))), {"starts": [1, 2]}),
        Sample(tuple(arrays((5, 6), (3, 3))), {"starts": [4, 0], "strides": [-2, 2]}),
        Sample((np.arange(6), np.array([-1, -2])), {"starts": [4]}),
        Sample(tuple(arrays((3, 4), (3, 4))), {"starts": [0, 0]}),
        Sample(tuple(arrays((3, 64), (3, 7))), {"starts": [0, 1], "strides": [1, 9]}),
        Sample(tuple(arrays((40,), (4,))), {"starts": [39], "strides": [-11]}),
        Sample(tuple(arrays((3, 4), (3, 0))), {"starts": [0, 4]}),
        Sample(tuple(arrays((), ())), {"starts": []}),
    ],
    method=False,
    public=False,
    family="shape",
    writes_into_first=True,
    bounds=union,
)
