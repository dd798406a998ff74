"""Elements by index, by mask and in order."""

from __future__ import annotations

from typing import Any

from ...base import dtype as dt
from ...ops.dims import product
from .node import Importer, Node, op, rows
from .reductions import axis_of


def _gather(n: Node) -> Any:
    return rows.gather(n[0], n[1], axis=axis_of(n, "axis", 0))


def _gather_elements(n: Node) -> Any:
    """Unlike take_along_axis, sizes of the index may be smaller on the other axes."""
    x, index, axis = n[0], n[1], axis_of(n, "axis", 0)
    return rows.take_along_axis(_cut(x, index, axis), index, axis=axis)


def _cut(x: Any, index: Any, axis: int) -> Any:
    """x cut to the index's sizes, but for `axis`."""
    sizes = [d if k == axis else index.shape[k] for k, d in enumerate(x.shape)]
    return rows.slice(x, [0] * x.ndim, sizes)


def _scatter_elements(n: Node) -> Any:
    x, index, values, axis = n[0], n[1], n[2], axis_of(n, "axis", 0)
    reduction = n.attribute("reduction", b"none")
    part = _cut(x, index, axis)
    if reduction == b"none":
        made = rows.put_along_axis(part, index, values, axis=axis)
    elif reduction == b"add":
        made = rows.put_along_axis_add(part, index, values, axis=axis)
    else:
        kind = {b"mul": "mul", b"max": "amax", b"min": "amin"}[reduction]
        made = rows.combine_along_axis(part, index, values, axis, kind)
    return rows.slice_update(x, made, [0] * x.ndim)


def _gather_nd(n: Node) -> Any:
    x, index, batch = n[0], n[1], int(n.attribute("batch_dims", 0))
    return rows.gather_nd(x, _with_batch(index, batch)) if batch else rows.gather_nd(x, index)


def _with_batch(index: Any, batch: int) -> Any:
    """The index with the places of the batch axes in front of each of its vectors."""
    lead = index.shape[:-1]
    columns = []
    for k in range(batch):
        line = op.reshape(op.arange(lead[k]), [lead[k] if j == k else 1 for j in range(len(lead))] + [1])
        columns.append(rows.broadcast_to(line, (*lead, 1)))
    return op.concat([*columns, op.cast(index, dt.int64)], axis=-1)


def _scatter_nd(n: Node) -> Any:
    x, index, updates = n[0], n[1], n[2]
    reduction = n.attribute("reduction", b"none")
    if reduction == b"none":
        return rows.scatter_nd_update(x, index, updates)
    if reduction == b"add":
        return rows.scatter_nd_add(x, index, updates)
    return _combine_nd(n, x, index, updates, {b"mul": "mul", b"max": "amax", b"min": "amin"}[reduction])


def _combine_nd(n: Node, x: Any, index: Any, updates: Any, kind: str) -> Any:
    """Each index vector as one number along a flattened axis."""
    depth = index.shape[-1]
    if not isinstance(depth, int):
        raise n.refuse("index vectors whose length is known at run time only")
    lead, rest = x.shape[:depth], x.shape[depth:]
    at: Any = None
    for k in range(depth):
        column = op.reshape(rows.gather(index, n.graph.builder.constant(k), axis=index.ndim - 1), [-1])
        column = op.where(column < 0, column + lead[k], column)
        at = column if at is None else at * lead[k] + column
    count, width = product(index.shape[:-1]), product(rest)
    flat, values = op.reshape(x, (product(lead), width)), op.reshape(updates, (count, width))
    places = rows.broadcast_to(op.reshape(at, (count, 1)), (count, width))
    return op.reshape(rows.combine_along_axis(flat, places, values, 0, kind), x.shape)


def _compress(n: Node) -> Any:
    x, condition = n[0], n[1]
    if "axis" not in n.attributes:
        x = op.reshape(x, [-1])
    axis = axis_of(n, "axis", 0) if "axis" in n.attributes else 0
    kept = op.reshape(op.nonzero(condition), [-1])
    return rows.gather(x, kept, axis=axis)


def _nonzero(n: Node) -> Any:
    x = n[0]
    if x.ndim == 0:
        return op.transpose(op.nonzero(op.reshape(x, [1])), [1, 0])
    return op.transpose(op.nonzero(x), [1, 0])


def _top_k(n: Node) -> Any:
    x, axis = n[0], axis_of(n, "axis", -1)
    k = int(n.required("k")) if n.version < 10 else n.sizes(1)[0]
    places = rows.argsort(x, axis=axis, descending=bool(n.attribute("largest", 1)))
    sizes = list(x.shape)
    sizes[axis] = k
    places = rows.slice(places, [0] * x.ndim, sizes)
    return rows.take_along_axis(x, places, axis=axis), places


def _unique(n: Node) -> Any:
    x, axis = n[0], n.attribute("axis")
    axis = None if axis is None else int(axis) % x.ndim
    values, first, inverse, counts = rows.unique_parts(x, axis)
    if n.attribute("sorted", 1):
        return values, first, inverse, counts
    order = rows.argsort(first)  # the order in which they first appear
    rank = rows.argsort(order)
    values = rows.gather(values, order, axis=0 if axis is None else axis)
    return values, rows.gather(first, order), rows.gather(rank, inverse), rows.gather(counts, order)


ROWS: dict[str, Importer] = {
    "Compress": _compress,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "NonZero": _nonzero,
    "Scatter": _scatter_elements,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
    "TopK": _top_k,
    "Unique": _unique,
}
