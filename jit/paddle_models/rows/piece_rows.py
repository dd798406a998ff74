"""Pieces of tensors and their assembly: slices, gathers, joins, padding."""

from __future__ import annotations

from typing import Any

from ....base import dtype as dt
from ....ops.dims import same_dim
from ..paddle_call import OperatorCall, op, rows
from .paddle_row import Entry, entry

_FAR = 2**31 - 1
MOST_PARTS = 1 << 12  # of a split: each is an operation


def _concat(c: OperatorCall) -> Any:
    return op.concat(c.several(0), axis=int(c.number(1, "axis", 0)))


def _stack(c: OperatorCall) -> Any:
    return op.stack(c.several(0), int(c.attribute("axis", 0)))


def _combine(c: OperatorCall) -> Any:
    return ([c[k] for k in range(len(c.inputs))],)


def _separate(c: OperatorCall) -> Any:
    return tuple(c.several(0))


def _split(c: OperatorCall) -> Any:
    """In parts of given sizes."""
    axis = int(c.number(2, "axis", 0))
    return (op.split(c[0], c.sizes(1, "sections"), axis),)


def _split_evenly(c: OperatorCall) -> Any:
    return (op.split(c[0], _count(c, int(c.required("num"))), int(c.number(1, "axis", 0))),)


def _split_old(c: OperatorCall) -> Any:
    axis, count = int(c.number(1, "axis", 0)), _count(c, int(c.attribute("num", 0)))
    return (op.split(c[0], count or c.sizes(2, "sections"), axis),)


def _count(c: OperatorCall, count: Any) -> Any:
    if isinstance(count, int) and count > MOST_PARTS:
        raise c.refuse(f"a split into {count} parts")
    return count


def _unbind(c: OperatorCall) -> Any:
    axis = int(c.attribute("axis", 0))
    _count(c, c[0].shape[axis])
    return (op.unbind(c[0], axis),)


def _slice(c: OperatorCall) -> Any:
    x, axes = c[0], [int(a) for a in c.required("axes")]
    starts, ends = c.sizes(1, "starts"), c.sizes(2, "ends")
    made = op.slice(x, axes, starts, ends)
    gone = {int(a) % x.ndim for a in c.attribute("decrease_axis", [])}
    if not gone:
        return made
    return op.reshape(made, [d for k, d in enumerate(made.shape) if k not in gone])


def _strided_slice(c: OperatorCall) -> Any:
    x = c[0]
    strides = c.ints(3, "strides") or []
    axes = [int(a) for a in c.required("axes")]
    starts, ends = c.sizes(1, "starts"), c.sizes(2, "ends")
    if c.reader.model.form == "old":
        ends = [_open(e, s) for e, s in zip(ends, strides, strict=True)]
    made = op.strided_slice(x, axes, starts, ends, strides)
    gone = {int(a) % x.ndim for a in c.attribute("decrease_axis", [])}
    return op.reshape(made, [d for k, d in enumerate(made.shape) if k not in gone]) if gone else made


def _open(end: Any, stride: int) -> Any:
    """-1 as the end of steps backwards means that they go on to the first element, before PaddlePaddle 3."""
    return -_FAR if stride < 0 and isinstance(end, int) and end == -1 else end


def _gather(c: OperatorCall) -> Any:
    index = c[1] if c[1].ndim < 2 else op.reshape(c[1], [-1])
    return op.gather(c[0], index, int(c.number(2, "axis", 0)))


def _index_select(c: OperatorCall) -> Any:
    return op.index_select(c[0], c[1], int(c.attribute("axis dim", 0)))


def _take_along(c: OperatorCall) -> Any:
    return op.take_along_axis(c[0], c[1], int(c.attribute("axis Axis", 0)), False)


def _put_along(c: OperatorCall) -> Any:
    return op.put_along_axis(
        c[0], c[1], c[2], int(c.attribute("axis Axis", 0)), str(c.attribute("reduce Reduce", "assign")), broadcast=False
    )


def _pad(c: OperatorCall) -> Any:
    value = c.number(1, "pad_value", 0.0)
    return op.pad(c[0], [int(p) for p in c.required("paddings")], "constant", float(value))


def _pad3d(c: OperatorCall) -> Any:
    """[n, c, d, h, w] by (left, right, top, bottom, front, back)."""
    pads = c.ints(1, "paddings") or []
    form, mode = str(c.attribute("data_format", "NCDHW")), str(c.attribute("mode", "constant"))
    return op.pad(c[0], pads, mode, float(c.attribute("pad_value value", 0.0)), form)


def _where(c: OperatorCall) -> Any:
    return op.where(c[0], c[1], c[2])


def _triangle(c: OperatorCall) -> Any:
    return (op.tril if c.attribute("lower", True) else op.triu)(c[0], int(c.attribute("diagonal", 0)))


def _half(name: str) -> Any:
    return lambda c: getattr(op, name)(c[0], int(c.attribute("diagonal", 0)))


def _flip(c: OperatorCall) -> Any:
    return op.flip(c[0], [int(a) for a in c.required("axis")])


def _roll(c: OperatorCall) -> Any:
    axes = [int(a) for a in c.attribute("axis", [])]
    return op.roll(c[0], c.ints(1, "shifts"), axes or None)


def _meshgrid(c: OperatorCall) -> Any:
    return (op.meshgrid(*c.several(0)),)


def _scatter(c: OperatorCall) -> Any:
    return op.scatter(c[0], c[1], c[2], bool(c.attribute("overwrite", True)))


def _set_value(c: OperatorCall) -> Any:
    """A slice replaced, as `x[a:b] = value`."""
    x, value = c[0], c[1]
    c.without("dtype")  # the tensor's own
    axes = [int(a) for a in c.required("axes")]
    starts, ends, steps = (c.ints(k, n) or [] for k, n in ((2, "starts"), (3, "ends"), (4, "steps")))
    if c.attribute("none_axes", []) or any(s != 1 for s in steps):
        raise c.refuse("a slice with steps or new axes")
    places, sizes = [0] * x.ndim, list(x.shape)
    for axis, start, end in zip(axes, starts, ends, strict=True):
        size = x.shape[axis]
        if not isinstance(size, int):
            raise c.refuse(f"a slice of a size {size} that only a run knows")
        first, last, _ = slice(start, end).indices(size)
        places[axis], sizes[axis] = first, max(last - first, 0)
    gone = {int(a) for a in c.attribute("decrease_axes", [])}
    if gone:
        kept = [d for k, d in enumerate(sizes) if k not in gone]
        value = op.reshape(op.broadcast_to(value, kept), sizes)
    return rows.slice_update(x, op.broadcast_to(op.cast(value, x.dtype), sizes), places, [1] * x.ndim)


def _nonzero(c: OperatorCall) -> Any:
    return op.nonzero(c[0])


def _topk(c: OperatorCall) -> Any:
    k = int(c.number(1, "k", 1))
    values, places = op.topk(c[0], k, int(c.attribute("axis", -1)), bool(c.attribute("largest", True)))
    return values, places


def _argsort(c: OperatorCall) -> Any:
    axis, down = int(c.attribute("axis", -1)), bool(c.attribute("descending", False))
    places = op.argsort(c[0], axis, down, True)
    return op.take_along_axis(c[0], places, axis, False), places


def _embedding(c: OperatorCall) -> Any:
    padding = int(c.attribute("padding_idx", -1))
    ids, weight = c[0], c[1]
    if ids.ndim > 1 and same_dim(ids.shape[-1], 1) and c.step.kind == "lookup_table":
        ids = op.reshape(ids, ids.shape[:-1])
    made = op.embedding(ids, weight)
    if padding < 0:
        return made
    return op.where(op.unsqueeze(op.equal(ids, padding), -1), op.zeros_like(made), made)


def _cumsum(c: OperatorCall) -> Any:
    if c.attribute("exclusive", False) or c.attribute("reverse", False):
        raise c.refuse("an exclusive or reverse sum")
    x = op.reshape(c[0], [-1]) if c.attribute("flatten", False) else c[0]
    x = op.cast(x, dt.int64) if x.dtype.is_bool else x
    return op.cumsum(x, int(c.number(1, "axis", -1)))


ENTRIES: list[Entry] = [
    entry(_argsort, "argsort", None, "X", "Out Indices"),
    entry(_combine, "combine", ""),
    entry(_concat, "concat", None, "X* AxisTensor"),
    entry(_cumsum, "cumsum", None, "X"),
    entry(_embedding, "embedding", "lookup_table_v2 lookup_table", "Ids W"),
    entry(_flip, "flip"),
    entry(_gather, "gather", None, "X Index Axis"),
    entry(lambda c: op.gather_nd(c[0], c[1]), "gather_nd", None, "X Index"),
    entry(_index_select, "index_select", None, "X Index"),
    entry(_meshgrid, "meshgrid", None, "X*"),
    entry(_nonzero, "nonzero", "where_index", "Condition"),
    entry(_pad, "pad"),
    entry(_pad3d, "pad3d", None, "X Paddings"),
    entry(_put_along, "put_along_axis", None, "Input Index Value", "Result"),
    entry(_roll, "roll", None, "X ShiftsTensor"),
    entry(_scatter, "scatter", None, "X Ids Updates"),
    entry(lambda c: op.scatter_nd_add(c[0], c[1], c[2]), "scatter_nd_add", None, "X Index Updates"),
    entry(_separate, "builtin.split", ""),
    entry(_set_value, "set_value_with_tensor", "set_value",
          "Input ValueTensor StartsTensorList* EndsTensorList* StepsTensorList*"),
    entry(_slice, "slice", None, "Input StartsTensor|StartsTensorList* EndsTensor|EndsTensorList*"),
    entry(_split, "split", ""),
    entry(_split_evenly, "split_with_num", ""),
    entry(_split_old, "", "split", "X AxisTensor SectionsTensorList*"),
    entry(_stack, "stack", None, "X*", "Y"),
    entry(_strided_slice, "strided_slice", None, "Input StartsTensor|StartsTensorList* EndsTensor|EndsTensorList* "
          "StridesTensor|StridesTensorList*"),
    entry(_take_along, "take_along_axis", None, "Input Index", "Result"),
    entry(_topk, "topk", "top_k_v2 top_k", "X K", "Out Indices"),
    entry(_triangle, "tril_triu"),
    entry(_half("tril"), "tril", ""),
    entry(_half("triu"), "triu", ""),
    entry(_unbind, "unbind", None, "X", "Out"),
    entry(_unbind, "unstack", None, "X", "Y"),
    entry(_where, "where", None, "Condition X Y"),
]  # fmt: skip
