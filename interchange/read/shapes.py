"""Shapes, constants, pieces and their assembly."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtype as dt
from ...jit.trace.known_values import known_sizes
from ...ops.dims import Dim, DimLike, maximum, product, same_dim
from ...ops.indexing import getitem
from .elements import cast_to
from .node import Importer, Node, op, rows
from .reductions import axis_of

MOST_CONSTANT = 1 << 26  # elements of a constant that a model asks for by its shape
_END = np.iinfo(np.int64).max // 2


def _shape(n: Node) -> Any:
    sizes = n[0].shape[slice(n.attribute("start", 0), n.attribute("end"))]
    return vector(n, sizes)


def vector(n: Node, sizes: Any) -> Any:
    """Sizes as an int64 [n]."""
    if not sizes:
        return n.graph.constant(np.zeros(0, np.int64))
    if all(isinstance(d, int) for d in sizes):
        return n.graph.constant(np.asarray(sizes, np.int64))
    return op.stack([n.graph.builder.constant(d, dt.int64) for d in sizes])


def _size(n: Node) -> Any:
    return n.graph.builder.constant(product(n[0].shape), dt.int64)


def _reshape(n: Node) -> Any:
    x, asked = n[0], n.known_sizes(1, "shape")
    if not n.attribute("allowzero", 0):
        asked = [x.shape[k] if same_dim(d, 0) else d for k, d in enumerate(asked)]
    if any(same_dim(d, -1) for d in asked):
        rest = product(d for d in asked if not same_dim(d, -1))
        total = product(x.shape)
        missing = 0 if same_dim(rest, 0) else total // rest
        asked = [missing if same_dim(d, -1) else d for d in asked]
    return op.reshape(x, asked)


def _flatten(n: Node) -> Any:
    x, axis = n[0], int(n.attribute("axis", 1))
    axis = axis + x.ndim if axis < 0 else axis
    return op.reshape(x, (product(x.shape[:axis]), product(x.shape[axis:])))


def _transpose(n: Node) -> Any:
    return op.transpose(n[0], list(n.attribute("perm", range(n[0].ndim)[::-1])))


def _squeeze(n: Node) -> Any:
    x, axes = n[0], n.ints("axes", 1)
    if axes is None:
        axes = [k for k, d in enumerate(x.shape) if same_dim(d, 1)]
    gone = {a % x.ndim for a in axes}
    return op.reshape(x, [d for k, d in enumerate(x.shape) if k not in gone])


def _unsqueeze(n: Node) -> Any:
    x, axes = n[0], n.ints("axes", 1) or []
    rank = x.ndim + len(axes)
    new = {a % rank for a in axes}
    if len(new) != len(axes):
        raise n.refuse(f"axes {axes}")
    sizes = iter(x.shape)
    return op.reshape(x, [1 if k in new else next(sizes) for k in range(rank)])


def _concat(n: Node) -> Any:
    return op.concat(n.given, axis=int(n.required("axis")))


def _split(n: Node) -> Any:
    x, axis = n[0], axis_of(n, "axis", 0)
    parts = n.ints("split", 1)
    if parts is None:
        count = int(n.attribute("num_outputs", len(n.proto.output)))
        whole = x.shape[axis]
        if not isinstance(whole, int):
            raise n.refuse(f"equal parts of a size {whole} that is known at run time only")
        each = -(-whole // count)
        parts = [min(each, max(0, whole - k * each)) for k in range(count)]
    out, start = [], 0
    for size in parts:
        starts: list[Any] = [0] * x.ndim
        sizes = list(x.shape)
        starts[axis], sizes[axis] = start, size
        out.append(rows.slice(x, starts, sizes))
        start += size
    return tuple(out)


def _slice(n: Node) -> Any:
    x = n[0]
    if n.version < 10:
        starts: list[DimLike] = list(n.required("starts"))
        ends: list[DimLike] = list(n.required("ends"))
        axes, steps = n.ints("axes"), None
    else:
        axes, steps = n.ints("axes", 3), n.ints("steps", 4)
        if _is_run_time(n, 1) or _is_run_time(n, 2):
            return _slice_at_run_time(n, axes, steps)
        starts, ends = n.sizes(1), n.sizes(2)
    axes = list(range(len(starts))) if axes is None else [a % x.ndim for a in axes]
    steps = [1] * len(axes) if steps is None else steps
    key: list[Any] = [slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        key[axis] = slice(_open(start, x.shape[axis], step, first=True), _open(end, x.shape[axis], step, False), step)
    return getitem(x, tuple(key))


def _open(bound: DimLike, size: DimLike, step: int, first: bool) -> Any:
    """A bound of ONNX as one of Python: far outside is open."""
    if isinstance(bound, Dim):
        return None if same_dim(bound, size) and not first and step > 0 else bound
    if bound >= _END:
        return None if not first or step < 0 else bound
    if bound <= -_END or (isinstance(size, int) and bound < -size):
        return None if (first and step > 0) or (not first and step < 0) else 0
    return bound


def _is_run_time(n: Node, k: int) -> bool:
    """Whether the bounds are tensors of the run: neither constants nor made of sizes."""
    return n.array(k) is None and known_sizes(n[k]) is None


def _slice_at_run_time(n: Node, axes: list[int] | None, steps: list[int] | None) -> Any:
    x, starts, ends = n[0], n[1], n[2]
    count = starts.shape[0]
    if not isinstance(count, int):
        raise n.refuse("bounds whose number is known at run time only")
    axes = list(range(count)) if axes is None else [a % x.ndim for a in axes]
    for k, axis in enumerate(axes):
        first, last = (rows.slice(op.cast(v, dt.int64), (k,), (1,)) for v in (starts, ends))
        size = n.graph.builder.constant(n[0].shape[axis], dt.int64)
        first, last = op.maximum(first, -size), op.maximum(op.minimum(last, size), -size - 1)
        x = rows.slice_between(x, first, last, axis=axis, step=1 if steps is None else steps[k])
    return x


def _expand(n: Node) -> Any:
    x, asked = n[0], n.sizes(1)
    rank = max(x.ndim, len(asked))
    own: list[DimLike] = [*[1] * (rank - x.ndim), *x.shape]
    asked = [*[1] * (rank - len(asked)), *asked]
    return rows.broadcast_to(x, [_wider(a, b) for a, b in zip(own, asked, strict=True)])


def _wider(own: DimLike, asked: DimLike) -> DimLike:
    """The size that broadcasting gives; a known size other than 1 decides."""
    if same_dim(own, 1):
        return asked
    return own if isinstance(own, int) or same_dim(asked, 1) else asked


def _tile(n: Node) -> Any:
    return op.tile(n[0], n.sizes(1))


_PAD_MODES = {b"constant": "constant", b"reflect": "reflect", b"edge": "replicate", b"wrap": "circular"}


def _pad(n: Node) -> Any:
    x = n[0]
    if n.version < 11:
        pads: list[Any] = list(n.required("pads"))
        value = n.attribute("value", 0.0)
        axes = None
    else:
        pads = list(n.sizes(1))
        value = n.number(2, "constant_value") if n.has(2) else 0.0
        axes = n.ints("axes", 3)
    axes = list(range(x.ndim)) if axes is None else [a % x.ndim for a in axes]
    pairs: list[tuple[Any, Any]] = [(0, 0)] * x.ndim
    for k, axis in enumerate(axes):
        pairs[axis] = (pads[k], pads[k + len(axes)])
    mode = n.attribute("mode", b"constant")
    if mode not in _PAD_MODES:
        raise n.refuse(f"mode {mode!r}")
    return padded(x, pairs, _PAD_MODES[mode], value)


def padded(x: Any, pairs: list[tuple[Any, Any]], mode: str = "constant", value: Any = 0.0) -> Any:
    """Padding whose negative sizes cut."""
    starts = [-a if isinstance(a, int) and a < 0 else 0 for a, _ in pairs]
    cuts = [s + (-b if isinstance(b, int) and b < 0 else 0) for s, (_, b) in zip(starts, pairs, strict=True)]
    if any(cuts):
        x = rows.slice(x, starts, [d - c for d, c in zip(x.shape, cuts, strict=True)])
    kept = [tuple(0 if isinstance(p, int) and p < 0 else p for p in pair) for pair in pairs]
    return rows.pad(x, kept, mode, value)


def _center_crop_pad(n: Node) -> Any:
    x, asked = n[0], n.known_sizes(1, "shape")
    axes = n.ints("axes")
    axes = list(range(x.ndim)) if axes is None else [a % x.ndim for a in axes]
    pairs: list[tuple[Any, Any]] = [(0, 0)] * x.ndim
    for axis, size in zip(axes, asked, strict=True):
        missing = size - x.shape[axis]
        if not isinstance(missing, int):
            raise n.refuse("a size that is known at run time only")
        before = missing // 2 if missing >= 0 else -(-missing // 2)
        pairs[axis] = (before, missing - before)
    return padded(x, pairs)


def _constant(n: Node) -> Any:
    for name, kind in (("value_float", np.float32), ("value_floats", np.float32), ("value_int", np.int64),
                       ("value_ints", np.int64)):  # fmt: skip
        if name in n.attributes:
            return n.graph.constant(np.asarray(n.attributes[name], kind))
    if "value" in n.attributes:
        return n.graph.constant(n.graph.model.tensor(n.attributes["value"], n.shown))
    raise n.refuse(f"a constant given as {', '.join(n.attributes) or 'nothing'}")


def _constant_of_shape(n: Node) -> Any:
    shape = n.sizes(0)
    filled = np.zeros(1, np.float32)
    if "value" in n.attributes:
        filled = n.graph.model.tensor(n.attributes["value"], n.shown)
    size = product(shape)
    if isinstance(size, int) and size > MOST_CONSTANT * 16:
        raise n.refuse(f"a tensor of {size} elements")
    return op.full(shape, np.ravel(filled)[0].item(), dt.of_array(filled))


def _range(n: Node) -> Any:
    start, limit, step = (n.array(k) for k in range(3))
    dtype = n[0].dtype
    if start is not None and limit is not None and step is not None:
        first, last, by = (np.ravel(v)[0].item() for v in (start, limit, step))
        count = max(0, int(np.ceil((last - first) / by)))
        return rows.arange(count, first, by, dtype)
    known = [n.elements(n[k]) for k in range(3)] if dtype is dt.int64 and _made_of_sizes(n) else None
    if known is not None and same_dim(known[0][0], 0) and same_dim(known[2][0], 1):
        return rows.arange(maximum(known[1][0], 0), 0, 1, dtype)
    return rows.arange_between(n[0], n[1], n[2], dtype=dtype)


def _made_of_sizes(n: Node) -> bool:
    return all(n.array(k) is not None or known_sizes(n[k]) is not None for k in range(3))


def _eye_like(n: Node) -> Any:
    x, shift = n[0], int(n.attribute("k", 0))
    dtype = n.dtype("dtype", x.dtype)
    across = op.reshape(op.arange(x.shape[1]), (1, x.shape[1]))
    down = op.reshape(op.arange(x.shape[0]), (x.shape[0], 1))
    return op.cast(op.equal(across - down, shift), dtype)


def _trilu(n: Node) -> Any:
    k = int(n.number(1, "k")) if n.has(1) else 0
    return (op.triu if n.attribute("upper", 1) else op.tril)(n[0], k)


def _depth_to_space(n: Node) -> Any:
    x, size = n[0], int(n.required("blocksize"))
    b, c, h, w = x.shape
    inner = c // (size * size)
    if n.attribute("mode", b"DCR") == b"DCR":
        parts = op.transpose(op.reshape(x, (b, size, size, inner, h, w)), [0, 3, 4, 1, 5, 2])
    else:
        parts = op.transpose(op.reshape(x, (b, inner, size, size, h, w)), [0, 1, 4, 2, 5, 3])
    return op.reshape(parts, (b, inner, h * size, w * size))


def _space_to_depth(n: Node) -> Any:
    x, size = n[0], int(n.required("blocksize"))
    b, c, h, w = x.shape
    parts = op.reshape(x, (b, c, h // size, size, w // size, size))
    order = [0, 3, 5, 1, 2, 4] if n.attribute("mode", b"DCR") == b"DCR" else [0, 1, 3, 5, 2, 4]
    return op.reshape(op.transpose(parts, order), (b, c * size * size, h // size, w // size))


def _reverse_sequence(n: Node) -> Any:
    x, lengths = n[0], n[1]
    batch, time = int(n.attribute("batch_axis", 1)), int(n.attribute("time_axis", 0))
    line = op.reshape(op.arange(x.shape[time]), [x.shape[time] if k == time else 1 for k in range(x.ndim)])
    ends = op.reshape(lengths, [x.shape[batch] if k == batch else 1 for k in range(x.ndim)])
    places = op.where(line < ends, ends - 1 - line, line)
    return rows.take_along_axis(x, op.broadcast_to(places, x.shape), axis=time)


def _one_hot(n: Node) -> Any:
    """Indices outside [-depth, depth) give no one at all."""
    (depth,) = n.sizes(1) if n.array(1) is not None else n.elements(cast_to(n[1], dt.int64))
    indices, values = cast_to(n[0], dt.int64), n[2]
    rank = indices.ndim + 1
    axis = int(n.attribute("axis", -1))
    axis = axis + rank if axis < 0 else axis
    at = op.where(indices < 0, indices + depth, indices)
    shape = [*indices.shape[:axis], 1, *indices.shape[axis:]]
    line = op.reshape(op.arange(depth), [depth if k == axis else 1 for k in range(rank)])
    off, on = (op.reshape(rows.slice(values, (k,), (1,)), []) for k in (0, 1))
    return op.where(op.equal(op.reshape(at, shape), line), on, off)


ROWS: dict[str, Importer] = {
    "CenterCropPad": _center_crop_pad,
    "Concat": _concat,
    "Constant": _constant,
    "ConstantOfShape": _constant_of_shape,
    "DepthToSpace": _depth_to_space,
    "Expand": _expand,
    "EyeLike": _eye_like,
    "Flatten": _flatten,
    "OneHot": _one_hot,
    "Pad": _pad,
    "Range": _range,
    "Reshape": _reshape,
    "ReverseSequence": _reverse_sequence,
    "Shape": _shape,
    "Size": _size,
    "Slice": _slice,
    "SpaceToDepth": _space_to_depth,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": _tile,
    "Transpose": _transpose,
    "Trilu": _trilu,
    "Unsqueeze": _unsqueeze,
}
