"""Constants, shapes, views, pieces and their assembly."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtype import float64, int64
from ...ir.core import Operation
from ...ops.dims import maximum, product, same_dim
from ..writer import Writer
from .kinds import Emitter

_SMALL = 16  # elements of a constant that is written out rather than filled at run time
_PAD_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def _constant(w: Writer, o: Operation) -> str:
    return w.constant(o.attrs["data"].array)


def _full(w: Writer, o: Operation) -> str:
    size, dtype = product(o.result.shape), o.result.dtype
    w.element_type(dtype)
    if isinstance(size, int) and size <= _SMALL and all(isinstance(d, int) for d in o.result.shape):
        return w.constant(np.full([int(d) for d in o.result.shape], o.attrs["fill_value"], dtype.numpy))
    value = w.tensor("", np.full((1,), o.attrs["fill_value"], dtype.numpy))
    return w.node("ConstantOfShape", w.sizes(o.result.shape), value=value)


def _arange(w: Writer, o: Operation) -> str:
    a = o.attrs
    if isinstance(a["length"], int):
        return w.constant(o.op.eager(**a))
    steps = w.node("Range", w.constant(np.int64(0)), _scalar(w, w.size(a["length"])), w.constant(np.int64(1)))
    kind = (float64 if o.result.dtype.is_floating else int64).onnx
    exact = np.float64 if o.result.dtype.is_floating else np.int64
    number = steps if kind == int64.onnx else w.node("Cast", steps, to=kind)
    if a["step"] != 1:
        number = w.node("Mul", number, w.constant(exact(a["step"])))
    if a["start"] != 0:
        number = w.node("Add", number, w.constant(exact(a["start"])))
    target = w.element_type(o.result.dtype)
    return number if target == kind else w.node("Cast", number, to=target)


def _scalar(w: Writer, name: str) -> str:
    return w.node("Reshape", name, w.constant(np.zeros(0, np.int64)))


def _eye(w: Writer, o: Operation) -> str:
    if all(isinstance(d, int) for d in o.result.shape):
        return w.constant(o.op.eager(**o.attrs))
    zeros = w.node("ConstantOfShape", w.sizes(o.result.shape))
    return w.node("EyeLike", zeros, dtype=w.element_type(o.result.dtype))


def _dim_value(w: Writer, o: Operation) -> str:
    return _scalar(w, w.size(o.attrs["dim"]))


def _reshape(w: Writer, o: Operation, x: str) -> str:
    return w.reshape(x, o.result.shape)


def _transpose(w: Writer, o: Operation, x: str) -> str:
    return w.node("Transpose", x, perm=list(o.attrs["perm"]))


def _broadcast(w: Writer, o: Operation, x: str) -> str:
    """Expand broadcasts both ways: where a size is the operand's own, 1 asks for nothing."""
    source, target = o.operands[0].shape, o.result.shape
    lead = len(target) - len(source)
    asked = [d if k < lead or not same_dim(d, source[k - lead]) else 1 for k, d in enumerate(target)]
    return w.node("Expand", x, w.sizes(asked))


def _slice(w: Writer, o: Operation, x: str) -> str:
    shape, a = o.operands[0].shape, o.attrs
    return w.box(x, shape, a["starts"], a["sizes"], a["strides"] or (1,) * len(shape))


def _flip(w: Writer, o: Operation, x: str) -> str:
    axes = list(np.atleast_1d(o.attrs["axis"]))
    last, least = [-1] * len(axes), [np.iinfo(np.int64).min + 1] * len(axes)
    return w.node("Slice", x, w.ints(last), w.ints(least), w.ints(axes), w.ints([-1] * len(axes)))


def _roll(w: Writer, o: Operation, x: str) -> str:
    for shift, axis in zip(o.attrs["shifts"], o.attrs["axis"], strict=True):
        size = o.operands[0].shape[axis]
        if isinstance(size, int) and same_dim(shift % max(size, 1), 0):
            continue
        cut = w.size(-shift % maximum(size, 1))  # a size may turn out 0
        tail = w.node("Slice", x, cut, w.ints([np.iinfo(np.int64).max]), w.ints([axis]))
        head = w.node("Slice", x, w.ints([0]), cut, w.ints([axis]))
        x = w.node("Concat", tail, head, axis=int(axis))
    return x


def _concat(w: Writer, o: Operation, *x: str) -> str:
    return w.node("Concat", *x, axis=int(o.attrs["axis"]))


def _triangle(upper: bool) -> Emitter:
    def emit(w: Writer, o: Operation, x: str) -> str:
        return w.node("Trilu", x, w.size(o.attrs["diagonal"]), since=14, upper=int(upper))

    return emit


def _pad(w: Writer, o: Operation, x: str) -> str:
    a = o.attrs
    if not a["pads"]:
        return w.node("Identity", x)
    mode = _PAD_MODES[a["mode"]]
    pads = w.sizes([p[0] for p in a["pads"]] + [p[1] for p in a["pads"]])
    value = [w.like(a["value"], o.result)] if mode == "constant" else []
    return w.node("Pad", x, pads, *value, since=19 if mode == "wrap" else 13, mode=mode)


def _places(w: Writer, o: Operation) -> list[str]:
    """For each axis the int64 numbers of a slice_update's box, as a column along that axis."""
    shape, starts = o.operands[1].shape, o.attrs["starts"]
    strides = o.attrs["strides"] or (1,) * len(starts)
    columns = []
    for axis, (size, start, step) in enumerate(zip(shape, starts, strides, strict=True)):
        steps = w.node("Range", w.constant(np.int64(0)), _scalar(w, w.size(size)), w.constant(np.int64(1)))
        if isinstance(size, int):
            steps = w.constant(np.arange(size, dtype=np.int64))
        number = w.node("Add", w.node("Mul", steps, w.ints([step])), w.size(start))
        columns.append(w.node("Reshape", number, w.ints([-1 if k == axis else 1 for k in range(len(shape))])))
    return columns


def _slice_update(w: Writer, o: Operation, x: str, v: str) -> str:
    """One index vector per element of v: ScatterND."""
    shape: tuple[Any, ...] = o.operands[1].shape
    if not shape:
        return w.node("Identity", v)
    if all(isinstance(d, int) for d in (*shape, *o.attrs["starts"])):
        strides = o.attrs["strides"] or (1,) * len(shape)
        lines = [s + np.arange(n) * t for s, n, t in zip(o.attrs["starts"], shape, strides, strict=True)]
        grid = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).astype(np.int64)
        return w.node("ScatterND", x, w.constant(grid), v)
    full = w.sizes(shape)
    parts: list[Any] = [w.node("Unsqueeze", w.node("Expand", column, full), w.ints([-1])) for column in _places(w, o)]
    return w.node("ScatterND", x, w.node("Concat", *parts, axis=-1), v)


ROWS: dict[str, Emitter] = {
    "arange": _arange,
    "broadcast_to": _broadcast,
    "concat": _concat,
    "constant": _constant,
    "dim_value": _dim_value,
    "eye": _eye,
    "flip": _flip,
    "full": _full,
    "pad": _pad,
    "reshape": _reshape,
    "roll": _roll,
    "slice": _slice,
    "slice_update": _slice_update,
    "transpose": _transpose,
    "tril": _triangle(False),
    "triu": _triangle(True),
}
