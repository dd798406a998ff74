"""Rewrites of shapes: casts, reshapes, transposes, broadcasts and slices that do nothing or can be joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.dtype import DType, promote
from ...ir.builder import Builder
from ...ir.core import Operation, Value
from ...ops.dims import same_dim, same_shape
from ...ops.infer import broadcast_shapes
from ...ops.op import OPS
from .rules import Rewrite, joins


def _producer(value: Value, name: str) -> Operation | None:
    operation = value.operation
    return operation if operation is not None and operation.name == name else None


def _same(operation: Operation, builder: Builder) -> Value | None:
    """An operation of one operand that changes nothing."""
    (x,) = operation.operands
    return x if x.type == operation.result.type else None


@joins("cast")
def _cast_of_cast(operation: Operation, builder: Builder) -> Value | None:
    """Widened before it was narrowed: the first step lost nothing."""
    (x,) = operation.operands
    inner = _producer(x, "cast")
    if inner is None or not _holds(x.dtype, inner.operands[0].dtype):
        return None
    source = inner.operands[0]
    return source if source.dtype is operation.result.dtype else OPS["cast"](source, operation.result.dtype)


def _holds(wide: DType, narrow: DType) -> bool:
    """Whether every value of one dtype is a value of the other."""
    if wide is narrow or narrow.is_bool:
        return True
    return wide.category == narrow.category and promote(wide, narrow) is wide


@joins("reshape")
def _reshape_of_reshape(operation: Operation, builder: Builder) -> Value | None:
    inner = _producer(operation.operands[0], "reshape")
    return None if inner is None else OPS["reshape"](inner.operands[0], operation.attrs["shape"])


@joins("transpose")
def _transpose_of_transpose(operation: Operation, builder: Builder) -> Value | None:
    inner = _producer(operation.operands[0], "transpose")
    if inner is None:
        return None
    made: Value = OPS["transpose"](inner.operands[0], tuple(inner.attrs["perm"][k] for k in operation.attrs["perm"]))
    return made


def _transpose_of_nothing(operation: Operation, builder: Builder) -> Value | None:
    return operation.operands[0] if tuple(operation.attrs["perm"]) == tuple(range(operation.result.ndim)) else None


@joins("broadcast_to")
def _broadcast_of_broadcast(operation: Operation, builder: Builder) -> Value | None:
    inner = _producer(operation.operands[0], "broadcast_to")
    return None if inner is None else OPS["broadcast_to"](inner.operands[0], operation.attrs["shape"])


def _whole_slice(operation: Operation, builder: Builder) -> Value | None:
    attrs, (x,) = operation.attrs, operation.operands
    whole = same_shape(attrs["sizes"], x.shape) and all(same_dim(s, 0) for s in attrs["starts"])
    return x if whole and all(s == 1 for s in attrs["strides"]) else None


def _concat_of_one(operation: Operation, builder: Builder) -> Value | None:
    return operation.operands[0] if len(operation.operands) == 1 else None


def _folded_ones(operation: Operation, builder: Builder) -> Value | None:
    """An extremum over axes of size 1 (or none) is its operand in another shape."""
    (x,) = operation.operands
    if x.dtype is not operation.result.dtype or not all(same_dim(x.shape[k], 1) for k in operation.attrs["axis"]):
        return None
    return x if x.type == operation.result.type else OPS["reshape"](x, operation.result.shape)


@joins("broadcast_to")
def _implicit_broadcast(operation: Operation, builder: Builder) -> Value | None:
    """Elementwise rows broadcast by themselves."""
    operands = list(operation.operands)
    for k, value in enumerate(operands):
        inner = _producer(value, "broadcast_to")
        if inner is None:
            continue
        shapes = [v.shape for j, v in enumerate(operands) if j != k]
        narrow = inner.operands[0]
        if any(same_shape(s, operation.result.shape) for s in shapes) or _spreads(narrow, shapes, operation):
            operands[k] = narrow
    if operands == operation.operands:
        return None
    made: Value = builder.apply(operation.op, tuple(operands), dict(operation.attrs))
    return made if made.type == operation.result.type else None


@joins("broadcast_to")
def _index_of_lines(operation: Operation, builder: Builder) -> Value | None:
    """Rows that place along an axis take an index of size 1 off it for whole lines."""
    operands, axis = list(operation.operands), operation.attrs["axis"]
    x, index = operands[:2]
    inner = _producer(index, "broadcast_to")
    if inner is None:
        return None
    narrow = inner.operands[0]
    sizes = (*[1] * (index.ndim - narrow.ndim), *narrow.shape)
    off = [(a, b) for k, (a, b) in enumerate(zip(index.shape, x.shape, strict=True)) if k != axis]
    if not same_dim(sizes[axis], index.shape[axis]) or not all(same_dim(a, b) for a, b in off):
        return None
    operands[1] = narrow if same_shape(sizes, narrow.shape) else OPS["reshape"](narrow, sizes)
    made: Value = builder.apply(operation.op, tuple(operands), dict(operation.attrs))
    return made if made.type == operation.result.type else None


def _spreads(narrow: Value, shapes: Sequence[Sequence[object]], operation: Operation) -> bool:
    try:
        return same_shape(broadcast_shapes(narrow.shape, *shapes), operation.result.shape)  # type: ignore[arg-type]
    except ValueError:  # sizes that don't tell whether they fit
        return False


@joins("transpose")
def _transposed_factor(operation: Operation, builder: Builder) -> Value | None:
    """matmul reads either factor transposed by a flag."""
    operands, attrs = list(operation.operands), dict(operation.attrs)
    for k, flag in enumerate(("transpose_x", "transpose_y")):
        inner = _producer(operands[k], "transpose")
        if inner is not None and _swaps_last(inner.attrs["perm"]):
            operands[k] = inner.operands[0]
            attrs[flag] = not attrs[flag]
    return None if operands == operation.operands else builder.apply(operation.op, tuple(operands), attrs)


def _swaps_last(perm: Sequence[int]) -> bool:
    rank = len(perm)
    return rank >= 2 and tuple(perm) == (*range(rank - 2), rank - 1, rank - 2)


def _conv_of_pixels(operation: Operation, builder: Builder) -> Value | None:
    """Filters of one element over images of one pixel: a product of matrices."""
    images, filters = operation.operands
    pixels = (*images.shape[2:], *filters.shape[2:], *operation.result.shape[2:])
    if operation.attrs["groups"] != 1 or not all(same_dim(size, 1) for size in pixels):
        return None
    if any(side for sides in operation.attrs["padding"] for side in sides):
        return None
    rows, columns = (OPS["reshape"](v, tuple(v.shape[:2])) for v in (images, filters))
    made: Value = OPS["reshape"](OPS["matmul"](rows, columns, transpose_y=True), tuple(operation.result.shape))
    return made


@joins("pad", "reshape")
def _conv_of_padded(operation: Operation, builder: Builder) -> Value | None:
    """Margins of zeros are the convolution's own: images needn't be copied into larger ones."""
    images, filters = operation.operands
    view = _producer(images, "reshape")  # of a signal: one row of pixels
    inner = _producer(images if view is None else view.operands[0], "pad")
    if inner is None or inner.attrs["mode"] != "constant" or inner.attrs["value"] != 0:
        return None
    source, pads = inner.operands[0], inner.attrs["pads"]
    shape = [before + size + after for size, (before, after) in zip(source.shape, pads, strict=True)]
    if view is not None:
        if not same_shape(images.shape, (*shape[:2], 1, *shape[2:])):
            return None
        source, pads = OPS["reshape"](source, (*source.shape[:2], 1, *source.shape[2:])), (*pads[:2], (0, 0), *pads[2:])
    if any(side for sides in pads[:2] for side in sides) or any(side < 0 for sides in pads for side in sides):
        return None
    own = operation.attrs["padding"]
    padding = tuple((a + c, b + d) for (a, b), (c, d) in zip(own, pads[2:], strict=True))
    made: Value = builder.apply(operation.op, (source, filters), {**operation.attrs, "padding": padding})
    return made


@joins("running_place")
def _element_so_far(operation: Operation, builder: Builder) -> Value | None:
    """The elements at the places of the extremes so far are those extremes."""
    x, places = operation.operands
    inner = _producer(places, "running_place")
    if inner is None or inner.operands[0] is not x or inner.attrs["axis"] != operation.attrs["axis"]:
        return None
    made: Value = builder.apply(OPS["running_extreme"], (x,), dict(inner.attrs))
    return made


def _elementwise() -> dict[str, list[Rewrite]]:
    rows = [op for op in OPS.values() if op.family == "elementwise" and len(op.operands) > 1]
    return {op.name: [_implicit_broadcast] for op in rows}


def _outer_product(operation: Operation, builder: Builder) -> Value | None:
    """A product over an axis of one element is elementwise, column by row; its sums begin with 0, not with -0."""
    x, y = operation.operands
    if x.ndim < 2 or y.ndim < 2 or x.dtype.is_complex or x.dtype is not operation.result.dtype:
        return None
    flags = operation.attrs["transpose_x"], operation.attrs["transpose_y"]
    if not same_dim(x.shape[-2 if flags[0] else -1], 1):
        return None
    column, row = (
        OPS["reshape"](v, (*v.shape[:-2], v.shape[-1], v.shape[-2])) if flag else v
        for v, flag in zip((x, y), flags, strict=True)
    )
    made: Value = OPS["multiply"](column, row)
    return made + 0.0 if made.dtype.is_floating else made


VIEWS: Mapping[str, Sequence[Rewrite]] = _elementwise() | {
    "cast": [_same, _cast_of_cast],
    "reshape": [_same, _reshape_of_reshape],
    "transpose": [_transpose_of_nothing, _transpose_of_transpose],
    "broadcast_to": [_same, _broadcast_of_broadcast],
    "slice": [_whole_slice],
    "concat": [_concat_of_one],
    "max": [_folded_ones],
    "min": [_folded_ones],
    "take_along_axis": [_element_so_far, _index_of_lines],
    "put_along_axis": [_index_of_lines],
    "put_along_axis_add": [_index_of_lines],
    "combine_along_axis": [_index_of_lines],
    "matmul": [_transposed_factor, _outer_product],
    "conv2d": [_conv_of_pixels, _conv_of_padded],
}
