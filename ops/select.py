"""Rows that pick or replace one slice at an index known at run time, and rows that work by a mask of bools.

select is what a loop over rows compiles to. Masks that pick elements (masked_select, nonzero): data_sized.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import ShapeError
from .dims import product
from .failing import index_outside, too_few_values
from .index import Prepared, as_index, as_value, spread, wrapped, zeros_of
from .infer import axis_index, broadcast_shapes, require_shape, show_shape
from .interpreter import Interpreter
from .kernel_expressions import Expr
from .lowering import Custom, Index, Point, PointContext
from .op import OPS, Op, Sample, random_array, row
from .types import TensorType

# ---- one slice at an index known at run time: select


def _prepare_select(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x, index = as_value(interpreter, values[0]), as_index(interpreter, "select", values[-1])
    if index.ndim:
        raise ShapeError(
            f"select needs an index without axes, not one of shape {show_shape(index.shape)}", remedy="use gather"
        )
    axis = axis_index(attrs["axis"], x.ndim)
    rest = [spread(as_value(interpreter, v, x.dtype), x.shape[:axis] + x.shape[axis + 1 :]) for v in values[1:-1]]
    return (x, *rest, index), {"axis": axis}


def _slot(x: Any, index: Any, axis: int) -> tuple[Any, ...]:
    return (slice(None),) * axis + (int(wrapped(index, x.shape[axis])),)


def _select_update_eager(x: Any, v: Any, index: Any, *, axis: int) -> Any:
    out = np.array(x)
    out[_slot(x, index, axis)] = v
    return out


def _select_add_eager(x: Any, v: Any, index: Any, *, axis: int) -> Any:
    out = np.array(x)
    out[_slot(x, index, axis)] += v
    return out


def _select_point(ctx: PointContext, index: Index) -> Expr:
    axis = ctx.attrs["axis"]
    place = ctx.one_index(1, ctx.inputs[0].shape[axis])
    return ctx.load(0, [*index[:axis], place, *index[axis:]])


def _select_update_vjp(g: Any, y: Any, x: Any, v: Any, index: Any, *, axis: int) -> tuple[Any, ...]:
    return select_update(g, zeros_of(v.shape, v.dtype), index, axis=axis), select(g, index, axis=axis), None


def _infer_select(x: TensorType, index: TensorType, *, axis: int) -> TensorType:
    require_shape("select", "the index", index.shape, ())
    return TensorType(x.dtype, x.shape[:axis] + x.shape[axis + 1 :])


def _infer_row(x: TensorType, v: TensorType, index: TensorType, *, axis: int) -> TensorType:
    require_shape("select", "what is put", v.shape, _infer_select(x, index, axis=axis).shape)
    return x


def _infer_masked(x: TensorType, mask: TensorType, values: TensorType) -> TensorType:
    require_shape("masked_scatter", "the mask", mask.shape, x.shape)
    return x


def _select_samples(count: int) -> list[Sample]:
    x = random_array(1, (3, 4, 2))
    cases = [(0, np.array(2)), (1, np.array(-1, "int32")), (2, np.array(0))]
    out = []
    for axis, index in cases:
        v = random_array(2, x.shape[:axis] + x.shape[axis + 1 :])
        out.append(Sample((x, index) if count == 2 else (x, v, index), {"axis": axis}))
    return out


select = row(
    "select",
    "x[..., index, ...]: the slice of x along `axis` at an index (0-d integer) known at run time; `axis` goes.",
    "x index",
    attrs={"axis": 0},
    infer=_infer_select,
    eager=lambda x, index, *, axis: np.array(x[_slot(x, index, axis)]),
    vjp=lambda g, y, x, index, *, axis: (select_add(zeros_of(x.shape, x.dtype), g, index, axis=axis), None),
    prepare=_prepare_select,
    lowering=Point(_select_point),
    failures=index_outside(),
    samples=lambda: _select_samples(2),
    method=False,
    public=False,
    checked=False,
)
select_update = row(
    "select_update",
    "x with the slice along `axis` at `index` (0-d integer, known at run time) replaced by v.",
    "x v index",
    attrs={"axis": 0},
    infer=_infer_row,
    eager=_select_update_eager,
    vjp=_select_update_vjp,
    prepare=_prepare_select,
    lowering=Custom("index.select_update"),
    failures=index_outside(2),
    work=lambda given, made, **_: 0,
    samples=lambda: _select_samples(3),
    method=False,
    public=False,
    checked=False,
    writes_into_first=True,
)
select_add: Op = row(
    "select_add",
    "x with v added to the slice along `axis` at `index` (0-d integer): the transpose of select.",
    "x v index",
    attrs={"axis": 0},
    infer=_infer_row,
    eager=_select_add_eager,
    vjp=lambda g, y, x, v, index, *, axis: (g, select(g, index, axis=axis), None),
    prepare=_prepare_select,
    lowering=Custom("index.select_add"),
    failures=index_outside(2),
    work=lambda given, made, **_: given[1].size,
    samples=lambda: _select_samples(3),
    method=False,
    public=False,
    checked=False,
    writes_into_first=True,
)

# ---- masks of bools


def prepare_mask(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    """x and its mask, broadcast; what else there is in x's dtype."""
    x, mask = as_value(interpreter, values[0]), as_value(interpreter, values[1], dt.bool_)
    rest = [as_value(interpreter, v, x.dtype) for v in values[2:]]
    shape = x.shape if mask.ndim < x.ndim else broadcast_shapes(x.shape, mask.shape)
    return (spread(x, shape), spread(mask, shape), *rest), attrs


def _masked_scatter_eager(x: Any, mask: Any, values: Any) -> Any:
    if values.size < mask.sum():
        raise ShapeError(f"masked_scatter: {values.size} values for {mask.sum()} true elements of the mask")
    out = np.array(x)
    out[mask] = values.ravel()[: mask.sum()]
    return out


def _masked_scatter_vjp(g: Any, y: Any, x: Any, mask: Any, values: Any) -> tuple[Any, ...]:
    taken, total = OPS["masked_select"](g, mask), product(values.shape)
    rest = zeros_of((total - taken.shape[0],), g.dtype)
    return OPS["where"](mask, 0.0, g), None, OPS["reshape"](OPS["concat"]([taken, rest], axis=0), values.shape)


def mask_sample() -> tuple[Any, Any]:
    """An array and a mask for it, for samples."""
    return random_array(1, (3, 4)), random_array(2, (3, 4)) > 0


masked_scatter: Op = row(
    "masked_scatter",
    "x with its elements where `mask` is true replaced by the first elements of `values`.",
    "x mask values",
    infer=_infer_masked,
    eager=_masked_scatter_eager,
    vjp=_masked_scatter_vjp,
    prepare=prepare_mask,
    lowering=Custom("index.masked_scatter", may_fail=True),
    failures=too_few_values("masked_scatter"),
    work=lambda given, made, **_: made[0].size,
    samples=lambda: [Sample((*mask_sample(), random_array(3, (12,))), smooth=False)],
    checked=False,
)
