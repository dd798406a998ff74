"""Shapes, and tensors that are made of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....base import dtype as dt
from ....ops.dims import product, same_dim
from ..paddle_call import OperatorCall, op, rows
from .paddle_row import Entry, entry

MOST_CONSTANT = 1 << 26  # elements of a tensor that a program asks for by its shape


def _sizes(c: OperatorCall, sizes: Any) -> Any:
    if all(isinstance(d, int) for d in sizes):
        return c.reader.constant(np.asarray(sizes, np.int64))
    return op.stack([c.reader.builder.constant(d, dt.int64) for d in sizes])


def _shape(c: OperatorCall) -> Any:
    return _sizes(c, c[0].shape)


def _short_shape(c: OperatorCall) -> Any:
    return op.cast(_shape(c), dt.int32)


def _numel(c: OperatorCall) -> Any:
    return c.reader.builder.constant(product(c[0].shape), dt.int64)


def _reshape(c: OperatorCall) -> Any:
    x, asked = c[0], c.sizes(1, "shape")
    asked = [x.shape[k] if same_dim(d, 0) and k < x.ndim else d for k, d in enumerate(asked)]
    if any(same_dim(d, -1) for d in asked):
        rest = product(d for d in asked if not same_dim(d, -1))
        missing = 0 if same_dim(rest, 0) else product(x.shape) // rest
        asked = [missing if same_dim(d, -1) else d for d in asked]
    return op.reshape(x, asked)


def _flatten(c: OperatorCall) -> Any:
    return op.flatten(c[0], int(c.attribute("start_axis", 1)), int(c.attribute("stop_axis", -1)))


def _flatten_at(c: OperatorCall) -> Any:
    x, axis = c[0], int(c.attribute("axis", 1))
    return op.reshape(x, [product(x.shape[:axis]), product(x.shape[axis:])])


def _transpose(c: OperatorCall) -> Any:
    return op.transpose(c[0], [int(a) for a in c.required("perm axis")])


def _squeeze(c: OperatorCall) -> Any:
    x, axes = c[0], c.ints(1, "axis axes") or [k for k, d in enumerate(c[0].shape) if same_dim(d, 1)]
    gone = {a % x.ndim for a in axes if same_dim(x.shape[a], 1)}
    return op.reshape(x, [d for k, d in enumerate(x.shape) if k not in gone])


def _unsqueeze(c: OperatorCall) -> Any:
    x = c[0]
    for axis in c.ints(1, "axis axes") or []:
        x = op.unsqueeze(x, axis)
    return x


def _expand(c: OperatorCall) -> Any:
    x, asked = c[0], c.sizes(1, "shape")
    more = len(asked) - x.ndim
    whole = [x.shape[k - more] if same_dim(d, -1) else d for k, d in enumerate(asked)]
    return rows.broadcast_to(x, whole)


def _expand_as(c: OperatorCall) -> Any:
    shape = c.sizes(None, "target_shape")
    return rows.broadcast_to(c[0], c[1].shape if c.has(1) else shape)


def _tile(c: OperatorCall) -> Any:
    return op.tile(c[0], c.sizes(1, "repeat_times"))


# ---- tensors of numbers


def _number(text: Any) -> Any:
    """The number of an attribute, which may be a string."""
    if not isinstance(text, str):
        return text
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def _filled(c: OperatorCall, shape: Any, value: Any, dtype: Any) -> Any:
    if isinstance(value, float) and dtype.is_integer:
        if not math.isfinite(value):
            raise c.refuse(f"{value} as a whole number")
        value = int(value)
    size = product(shape)
    if isinstance(size, int) and size > MOST_CONSTANT:
        raise c.refuse(f"a tensor of {size} elements")
    if all(isinstance(d, int) for d in shape) and isinstance(value, (int, float, bool)) and size <= 1024:
        return c.reader.constant(np.full(shape, value, dtype.numpy))
    return op.full(shape, value, dtype)


def _full(c: OperatorCall) -> Any:
    return _filled(c, [int(d) for d in c.attribute("shape", [])], _number(c.required("value")), c.dtype("dtype"))


def _fill_constant(c: OperatorCall) -> Any:
    given = c.attribute("str_value") or c.attribute("value", 0.0)
    c.without("value")
    value = c.scalar(0, "", _number(given))
    return _filled(c, c.sizes(1, "shape"), value, c.dtype("dtype", dt.float32))


def _full_with_tensor(c: OperatorCall) -> Any:
    return _filled(c, c.sizes(1, "shape"), c.scalar(0, "value"), c.dtype("dtype", c[0].dtype))


def _full_array(c: OperatorCall) -> Any:
    return c.reader.constant(np.asarray(c.attribute("value", []), c.dtype("dtype", dt.int64).numpy))


def _full_like(c: OperatorCall) -> Any:
    return _filled(c, c[0].shape, c.scalar(1, "value", 0.0), c.dtype("dtype", c[0].dtype))


def _full_batch_like(c: OperatorCall) -> Any:
    """A shape of which one size, that of the batch, is another tensor's."""
    shape: list[Any] = [int(d) for d in c.required("shape")]
    shape[int(c.attribute("output_dim_idx", 0))] = c[0].shape[int(c.attribute("input_dim_idx", 0))]
    value = _number(c.attribute("str_value") or c.attribute("value", 0.0))
    c.without("value")
    return _filled(c, shape, value, c.dtype("dtype", dt.float32))


def _assign_value(c: OperatorCall) -> Any:
    dtype = c.dtype("dtype")
    found = c.attribute("values")
    if found is None:
        lists = ("fp32_values", "fp64_values", "int32_values", "int64_values", "bool_values", "int8_values")
        found = next((v for v in (c.attribute(name) for name in lists) if v), [])
    return c.reader.constant(np.asarray(found).astype(dtype.numpy).reshape([int(d) for d in c.attribute("shape", [])]))


def _arange(c: OperatorCall) -> Any:
    dtype = c.dtype("dtype", c[1].dtype)
    numbers = [c.scalar(k, "") for k in range(3)]
    if all(isinstance(v, (int, float)) for v in numbers):
        start, end, step = numbers
        if not step or (end - start) / step > MOST_CONSTANT:
            raise c.refuse(f"a range from {start} to {end} in steps of {step}")
        return op.arange(start, end, step, dtype)
    ends = [v if isinstance(v, int) else c.sizes(k, "")[0] for k, v in enumerate(numbers) if not isinstance(v, float)]
    if len(ends) != 3 or not dtype.is_integer:
        raise c.refuse("a range of floats that only a run knows")
    return op.cast(op.arange(*ends), dtype)


def _linspace(c: OperatorCall) -> Any:
    dtype = c.dtype("dtype", c[0].dtype)
    return op.linspace(c.number(0, ""), c.number(1, ""), int(c.number(2, "")), dtype)


def _eye(c: OperatorCall) -> Any:
    rows_, columns = int(c.number(0, "num_rows")), int(c.number(1, "num_columns", -1))
    return op.eye(rows_, rows_ if columns < 0 else columns, c.dtype("dtype", dt.float32))


def _one_hot(c: OperatorCall) -> Any:
    return op.cast(op.one_hot(c[0], int(c.number(1, "depth"))), c.dtype("dtype", dt.float32))


def _like(value: int) -> Any:
    return lambda c: _filled(c, c[0].shape, value, c.dtype("dtype", c[0].dtype))


ENTRIES: list[Entry] = [
    entry(_arange, "arange", "range", "Start End Step"),
    entry(_assign_value, "assign_value", None, ""),
    entry(_expand, "expand", "expand_v2", "X Shape|expand_shapes_tensor*"),
    entry(_expand_as, "expand_as", "expand_as_v2", "X Y"),
    entry(_eye, "eye", None, ""),
    entry(_fill_constant, "", "fill_constant", "ValueTensor ShapeTensor|ShapeTensorList*"),
    entry(_flatten, "flatten", "flatten_contiguous_range"),
    entry(_flatten_at, "", "flatten2"),
    entry(_full, "full", ""),
    entry(_full_array, "full_int_array", ""),
    entry(_full_batch_like, "full_batch_size_like", "fill_constant_batch_size_like", "Input"),
    entry(_full_like, "full_like", "fill_any_like", "X"),
    entry(_full_with_tensor, "full_with_tensor", ""),
    entry(_like(0), "zeros_like", "fill_zeros_like"),
    entry(_like(1), "ones_like"),
    entry(_linspace, "linspace", None, "Start Stop Num"),
    entry(_numel, "numel", "size", "Input"),
    entry(_one_hot, "one_hot", "one_hot_v2", "X depth_tensor"),
    entry(_reshape, "reshape", "reshape2 reshape", "X ShapeTensor*|Shape"),
    entry(_shape, "shape64", "", "Input"),
    entry(_short_shape, "shape", "shape", "Input"),
    entry(_squeeze, "squeeze", "squeeze2 squeeze", "X"),
    entry(_tile, "tile", None, "X RepeatTimes|repeat_times_tensor*"),
    entry(_transpose, "transpose", "transpose2 transpose"),
    entry(_unsqueeze, "unsqueeze", "unsqueeze2 unsqueeze", "X AxesTensor|AxesTensorList*"),
]
