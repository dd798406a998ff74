"""Values combined with those at places along an axis: products, means and extremes (Paddle's put_along_axis)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import ArgumentError, ShapeError
from .along import element_places, infer_put, prepare_along, put_along_axis_add, put_along_axis_row, take_along_axis
from .arith import is_value
from .compare import where
from .dims import same_dim
from .dispatch import current
from .elementwise import cast
from .index import spread, wrapped
from .infer import axis_index, broadcast_shapes, show_shape
from .interpreter import Interpreter
from .lowering import Custom
from .op import OPS, Sample, composite, random_array, row
from .slices import slice_ as slice_row
from .slices import slice_update

MODES = ("mul", "amin", "amax")
_FOLDS: dict[str, Any] = {"mul": np.multiply, "amin": np.minimum, "amax": np.maximum}


def _combine(x: Any, index: Any, values: Any, *, axis: int, reduce: str) -> Any:
    out = np.array(x, order="C")
    places = wrapped(index, x.shape[0]) if x.ndim == 1 else element_places(index, axis, x.shape)
    if places.size:  # NumPy has a fast loop for flat arrays alone
        _FOLDS[reduce].at(out.reshape(-1), places, values.ravel())
    return out


def _combine_vjp(g: Any, y: Any, x: Any, index: Any, values: Any, *, axis: int, reduce: str) -> tuple[Any, Any, Any]:
    if reduce == "mul":  # the derivative by a factor of 0 isn't known from the product: NaN there
        scaled = g * y
        return scaled / x, None, take_along_axis(scaled, index, axis=axis) / values
    won = OPS["equal"](values, take_along_axis(y, index, axis=axis))
    kept = OPS["equal"](x, y)
    winners = put_along_axis_add(cast(kept, x.dtype), index, cast(won, x.dtype), axis=axis)
    share = g / OPS["maximum"](winners, 1.0)
    return where(kept, share, 0.0), None, where(won, take_along_axis(share, index, axis=axis), 0.0)


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Any:
    operands, placed = prepare_along(interpreter, values, {"axis": attrs["axis"]})
    return operands, attrs | placed


def _samples() -> list[Sample]:
    x, v = random_array(1, (3, 4), 0.5, 2.0), random_array(2, (2, 4), 0.5, 2.0)
    index = np.array([[0, 2, 1, 0], [0, 1, 1, 2]])
    return [
        *(Sample((x, index, v), {"axis": 0, "reduce": mode}) for mode in MODES),
        *(Sample((x, np.array([[2], [-1]]), v), {"axis": 0, "reduce": mode}) for mode in MODES),
        Sample((random_array(3, (5,)), np.array([4, -1, 0, 4]), random_array(4, (4,))), {"axis": 0, "reduce": "amax"}),
        Sample(
            (np.arange(6).reshape(2, 3), np.array([[0, -1], [1, 1]]), np.array([[7, -7], [3, 2]])),
            {"axis": 1, "reduce": "mul"},
        ),
    ]


combine_along_axis = row(
    "combine_along_axis",
    "x with `values` folded into the places along `axis` that `index` names: by product, least or largest.",
    "x index values",
    attrs={"axis": 0, "reduce": "mul"},
    prepare=_prepare,
    infer=infer_put("combine_along_axis"),
    eager=_combine,
    vjp=_combine_vjp,
    lowering=Custom("index.combine_along_axis"),
    work=lambda given, made, **_: given[2].size,
    samples=_samples,
    public=False,
    checked=False,
    writes_into_first=True,
)

_NAMES = {"multiply": "mul", "mul": "mul", "mean": "mean", "amin": "amin", "amax": "amax"}


@composite("take_along_axis")
def take_along(arr: Any, indices: Any, axis: int, broadcast: bool = True) -> Any:
    """One element of arr per element of `indices`, along `axis`.

    broadcast: the other axes of both broadcast; without it indices may be smaller than arr there.

    >>> import vitrify as vt
    >>> vt.take_along_axis(vt.to_tensor([[1, 2, 3], [4, 5, 6]]), vt.to_tensor([[2], [0]]), 1).tolist()
    [[3], [4]]
    """
    index = indices if is_value(indices) else current().constant(indices, None)
    if arr.ndim == index.ndim and arr.ndim:
        at = axis_index(axis, arr.ndim)
        rest = [(a, b) for k, (a, b) in enumerate(zip(arr.shape, index.shape, strict=True)) if k != at]
        if not all(same_dim(a, b) for a, b in rest):
            arr, index = _fitted(arr, index, at, broadcast)
    return take_along_axis(arr, index, axis)


def _fitted(arr: Any, index: Any, at: int, broadcast: bool) -> tuple[Any, Any]:
    """Both with the same sizes off an axis."""
    if not broadcast:
        sizes = [a if k == at else b for k, (a, b) in enumerate(zip(arr.shape, index.shape, strict=True))]
        return slice_row(arr, [0] * arr.ndim, sizes), index
    off = [[1 if k == at else d for k, d in enumerate(x.shape)] for x in (arr, index)]
    common = broadcast_shapes(*map(tuple, off))
    return spread(arr, [arr.shape[at] if k == at else d for k, d in enumerate(common)]), index


@composite()
def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: int, reduce: str = "assign", include_self: bool = True,
    broadcast: bool = True,
) -> Any:  # fmt: skip
    """arr with `values` put at the places along `axis` that `indices` name.

    reduce: "assign" writes, "add", "mul" (or "multiply"), "mean", "amin" and "amax" combine all values of a place, and
    the element there too if `include_self`. Without `broadcast`, indices and values may be smaller than arr.

    >>> import vitrify as vt
    >>> x = vt.to_tensor([[1.0, 2.0]])
    >>> vt.put_along_axis(x, vt.to_tensor([[0, 0]]), vt.to_tensor([[3.0, 4.0]]), 1, "mul", broadcast=False).tolist()
    [[12.0, 2.0]]
    """
    if reduce not in ("assign", "add", *_NAMES):
        raise ArgumentError(
            f"put_along_axis: reduce must be assign, add, mul, multiply, mean, amin or amax, not {reduce!r}"
        )
    arr = current().constant(arr, None)
    if arr.ndim != indices.ndim:
        raise ShapeError(f"put_along_axis: indices {show_shape(indices.shape)} for {show_shape(arr.shape)}")
    axis = axis_index(axis, arr.ndim)
    if broadcast:
        return _put(arr, indices, values, axis, reduce, include_self)
    box = [d if k == axis else n for k, (d, n) in enumerate(zip(arr.shape, indices.shape, strict=True))]
    values = current().constant(values, arr.dtype)
    if values.ndim == arr.ndim:
        values = slice_row(values, [0] * arr.ndim, tuple(indices.shape))
    starts = [0] * arr.ndim
    made = _put(slice_row(arr, starts, box), indices, values, axis, reduce, include_self)
    return slice_update(arr, made, starts)


def _put(x: Any, index: Any, values: Any, axis: int, reduce: str, include_self: bool) -> Any:
    if reduce == "assign":
        return put_along_axis_row(x, index, values, axis)
    mode = _NAMES.get(reduce, reduce)
    if not include_self:
        x = put_along_axis_row(x, index, _neutral(mode, x.dtype), axis)
    if mode in MODES:
        return combine_along_axis(x, index, values, axis, mode)
    total = put_along_axis_add(x, index, values, axis)
    if mode == "add":
        return total
    count = put_along_axis_add(OPS["full"](tuple(x.shape), int(include_self), x.dtype), index, 1, axis)
    share = OPS["maximum"](count, 1)
    return total / share if x.dtype.is_floating else OPS["floor_divide"](total, share)


def _neutral(mode: str, dtype: Any) -> Any:
    """What leaves any number as it is."""
    if mode == "amin":
        return np.inf if dtype.is_floating else np.iinfo(dtype.numpy).max
    if mode == "amax":
        return -np.inf if dtype.is_floating else np.iinfo(dtype.numpy).min
    return int(mode == "mul")
