"""Reductions, places of extremes, running sums, and what normalises over an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...ops.dims import product
from .node import Importer, Node, op, rows


def axis_of(n: Node, name: str, default: int) -> int:
    """An axis attribute, counted from the front."""
    axis = int(n.attribute(name, default))
    rank = n[0].ndim
    if not -rank <= axis < max(rank, 1):
        raise n.refuse(f"axis {axis} of a tensor of rank {rank}")
    return axis + rank if axis < 0 else axis


def _axes(n: Node) -> list[int] | None:
    """The axes of a reduction; None where it does nothing."""
    axes = n.ints("axes", 1)
    if not axes:
        return None if n.attribute("noop_with_empty_axes", 0) else list(range(n[0].ndim))
    return axes


def _reduction(reduce: Callable[[Any, list[int], bool], Any], alone: Callable[[Any], Any] = rows.assign) -> Importer:
    """`alone`: what is left of it where it reduces nothing. The dtype stays."""

    def read(n: Node) -> Any:
        x, axes = n[0], _axes(n)
        made = alone(x) if axes is None else reduce(x, axes, bool(n.attribute("keepdims", 1)))
        return made if made.dtype is x.dtype else op.cast(made, x.dtype)

    return read


def _plain(name: str) -> Callable[..., Any]:
    def reduce(x: Any, axes: list[int], keepdim: bool) -> Any:
        if not axes:
            return rows.assign(x)
        return getattr(op, name)(x, axes, keepdim=keepdim)

    return reduce


_sum, _mean, _prod = _plain("sum"), _plain("mean"), _plain("prod")


def _extremum(name: str, over_bools: str) -> Callable[..., Any]:
    """The largest or smallest element; of none it is the least or greatest of the dtype."""

    def reduce(x: Any, axes: list[int], keepdim: bool) -> Any:
        if x.dtype.is_bool:
            return getattr(op, over_bools)(x, axes, keepdim=keepdim)
        if any(isinstance(x.shape[a], int) and x.shape[a] == 0 for a in axes):
            bounds = (-np.inf, np.inf) if x.dtype.is_floating else np.iinfo(x.dtype.numpy)
            low, high = bounds if isinstance(bounds, tuple) else (int(bounds.min), int(bounds.max))
            gone = {a % x.ndim for a in axes}
            shape = [1 if k in gone else d for k, d in enumerate(x.shape) if keepdim or k not in gone]
            return op.full(shape, low if name == "max" else high, x.dtype)
        return _plain(name)(x, axes, keepdim)

    return reduce


def _log_sum_exp(x: Any, axes: list[int], keepdim: bool) -> Any:
    if not x.dtype.is_floating:
        return op.log(_sum(op.exp(op.cast(x, dt.float64)), axes, keepdim))
    if any(isinstance(x.shape[a], int) and x.shape[a] == 0 for a in axes):
        return op.log(_sum(x, axes, keepdim))
    top = _plain("max")(x, axes, True)
    top = op.where(op.isfinite(top), top, op.zeros_like(top))
    made = op.log(_sum(op.exp(x - top), axes, True)) + top
    return made if keepdim else op.squeeze(made, axes)


def _l2(x: Any, axes: list[int], keepdim: bool) -> Any:
    squares = _sum(x * x, axes, keepdim)
    return op.sqrt(squares if squares.dtype.is_floating else op.cast(squares, dt.float64))


def _log_sum(x: Any, axes: list[int], keepdim: bool) -> Any:
    total = _sum(x, axes, keepdim)
    return op.log(total if total.dtype.is_floating else op.cast(total, dt.float64))


def _place(name: str) -> Importer:
    def read(n: Node) -> Any:
        x, axis = n[0], axis_of(n, "axis", 0)
        keepdim = bool(n.attribute("keepdims", 1))
        if not n.attribute("select_last_index", 0):
            return getattr(op, name)(x, axis, keepdim)
        return _size(x, axis) - 1 - getattr(op, name)(op.flip(x, axis), axis, keepdim)

    return read


def _size(x: Any, axis: int) -> Any:
    return rows.dim_value(x.shape[axis])


def running_sum(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """Sums up to each element, or from it on; without the element itself if `exclusive`."""
    made = rows.cumsum(x, axis=axis, reverse=reverse)
    made = made if made.dtype is x.dtype else op.cast(made, x.dtype)
    return made - x if exclusive and not x.dtype.is_floating else _shifted(x, axis, reverse) if exclusive else made


def _shifted(x: Any, axis: int, reverse: bool) -> Any:
    """The running sum with a zero put in front (behind, if reversed): subtracting would round."""
    pads = [(0, 0)] * x.ndim
    pads[axis] = (0, 1) if reverse else (1, 0)
    sizes = list(x.shape)
    starts: list[Any] = [0] * x.ndim
    starts[axis] = 1 if reverse else 0
    moved = rows.slice(rows.pad(x, pads), starts, sizes)
    return rows.cumsum(moved, axis=axis, reverse=reverse)


def _cumsum(n: Node) -> Any:
    x, axis = n[0], int(n.number(1, "axis"))
    return running_sum(x, axis % max(x.ndim, 1), bool(n.attribute("exclusive", 0)), bool(n.attribute("reverse", 0)))


def _cumprod(n: Node) -> Any:
    x, axis = n[0], int(n.number(1, "axis")) % max(n[0].ndim, 1)
    reverse = bool(n.attribute("reverse", 0))
    if n.attribute("exclusive", 0):
        pads = [(0, 0)] * x.ndim
        pads[axis] = (0, 1) if reverse else (1, 0)
        starts: list[Any] = [0] * x.ndim
        starts[axis] = 1 if reverse else 0
        x = rows.slice(rows.pad(x, pads, "constant", 1.0), starts, list(n[0].shape))
    made = rows.cumprod(x, axis=axis, reverse=reverse)
    return made if made.dtype is x.dtype else op.cast(made, x.dtype)


def _over_axis(function: Callable[[Any, int], Any]) -> Importer:
    """Before opset 13 the default axis is 1 and everything from it on counts as one axis."""

    def read(n: Node) -> Any:
        x = n[0]
        if n.version >= 13:
            return function(x, axis_of(n, "axis", -1))
        axis = axis_of(n, "axis", 1)
        flat = op.reshape(x, (product(x.shape[:axis]), product(x.shape[axis:])))
        return op.reshape(function(flat, 1), x.shape)

    return read


def _hardmax(x: Any, axis: int) -> Any:
    line = op.reshape(op.arange(x.shape[axis]), [x.shape[axis] if k == axis else 1 for k in range(x.ndim)])
    return op.cast(op.equal(line, op.argmax(x, axis, True)), x.dtype)


ROWS: dict[str, Importer] = {
    "ArgMax": _place("argmax"),
    "ArgMin": _place("argmin"),
    "CumProd": _cumprod,
    "CumSum": _cumsum,
    "Hardmax": _over_axis(_hardmax),
    "LogSoftmax": _over_axis(lambda x, axis: op.log_softmax(x, axis)),
    "ReduceL1": _reduction(lambda x, axes, keepdim: _sum(op.abs(x), axes, keepdim), op.abs),
    "ReduceL2": _reduction(_l2, op.abs),
    "ReduceLogSum": _reduction(_log_sum, op.log),
    "ReduceLogSumExp": _reduction(_log_sum_exp),
    "ReduceMax": _reduction(_extremum("max", "any")),
    "ReduceMean": _reduction(_mean),
    "ReduceMin": _reduction(_extremum("min", "all")),
    "ReduceProd": _reduction(_prod),
    "ReduceSum": _reduction(_sum),
    "ReduceSumSquare": _reduction(lambda x, axes, keepdim: _sum(x * x, axes, keepdim), lambda x: x * x),
    "Softmax": _over_axis(lambda x, axis: op.softmax(x, axis)),
}
