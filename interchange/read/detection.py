"""Boxes: which to keep, and images read at places that a run computes."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...ops.dims import product
from ...ops.indexing import getitem
from .node import Importer, Node, op, rows
from .windows import per_axis, spatial_pads


def _corners(n: Node, boxes: Any) -> Any:
    """[…, 4] as least and greatest coordinates, from two corners in any order or a centre and a size."""
    a, b, c, d = (op.unsqueeze(v, -1) for v in op.unbind(boxes, -1))
    if n.attribute("center_point_box", 0):
        parts = [a - c / 2, b - d / 2, a + c / 2, b + d / 2]
    else:
        parts = [op.minimum(a, c), op.minimum(b, d), op.maximum(a, c), op.maximum(b, d)]
    return op.concat(parts, axis=-1)


def _suppressed(n: Node) -> Any:
    """(batch, class, box) of the boxes that stay, for each class the best first."""
    boxes, scores = _corners(n, n[0]), n[1]
    batches, classes, count = scores.shape
    most = n.number(2, "max_output_boxes_per_class") if n.has(2) else 0
    order = op.argsort(scores, -1, True, True)
    ranked = op.take_along_axis(scores, order, -1, False)
    wide = rows.broadcast_to(op.unsqueeze(boxes, 1), [batches, classes, count, 4])
    places = rows.broadcast_to(op.unsqueeze(order, -1), [batches, classes, count, 4])
    sorted_boxes = op.reshape(op.take_along_axis(wide, places, 2, False), [product((batches, classes, count)), 4])
    groups = n.count(product((batches, classes)))
    groups = op.reshape(rows.broadcast_to(op.unsqueeze(groups, -1), [product((batches, classes)), count]), [-1])
    share = float(n.number(3, "iou_threshold")) if n.has(3) else 0.0
    kept = op.reshape(rows.nms_mask(sorted_boxes, groups, iou_threshold=share), [batches, classes, count])
    if n.has(4):
        kept = op.logical_and(kept, ranked > op.cast(op.reshape(n[4], [1]), ranked.dtype))
    kept = op.logical_and(kept, op.cumsum(op.cast(kept, dt.int64), -1) <= max(int(most), 0))
    found = op.nonzero(kept)
    return op.concat(
        [getitem(found, (slice(None), slice(0, 2))), op.unsqueeze(op.gather_nd(order, found), -1)], axis=-1
    )


def _tensor_scatter(n: Node) -> Any:
    """A cache with new entries at each batch's own place, from the start again where the mode is circular."""
    cache, update = n[0], n[1]
    axis = int(n.attribute("axis", -2)) % cache.ndim
    first = op.cast(n[2], dt.int64) if n.has(2) else op.zeros([cache.shape[0]], dt.int64)
    steps = n.count(update.shape[axis])
    places = op.unsqueeze(first, -1) + op.unsqueeze(steps, 0)
    if n.attribute("mode", b"linear") == b"circular":
        places = op.remainder(places, n.graph.builder.constant(cache.shape[axis], dt.int64))
    shape = [d if k in (0, axis) else 1 for k, d in enumerate(update.shape)]
    places = rows.broadcast_to(op.reshape(places, shape), update.shape)
    return rows.put_along_axis(cache, places, update, axis=axis)


# ---- images at places between their pixels


def _bilinear(flat: Any, y: Any, x: Any, height: Any, width: Any, inside: Any) -> Any:
    """flat [n, c, h * w] read at y, x [n, m]: [n, c, m]; zero where not inside."""
    total: Any = None
    top, left = op.floor(y), op.floor(x)
    for down, right in itertools.product((0, 1), (0, 1)):
        at_y, at_x = top + down, left + right
        weight = (1.0 - op.abs(y - at_y)) * (1.0 - op.abs(x - at_x))
        there = op.logical_and(op.logical_and(at_y >= 0, at_y < height), op.logical_and(at_x >= 0, at_x < width))
        weight = op.where(op.logical_and(there, inside), weight, op.zeros_like(weight))
        place = op.cast(op.clip(at_y, 0, height - 1) * width + op.clip(at_x, 0, width - 1), dt.int64)
        shape = [flat.shape[0], flat.shape[1], place.shape[1]]
        part = op.take_along_axis(flat, rows.broadcast_to(op.unsqueeze(place, 1), shape), 2, False)
        part = part * op.unsqueeze(op.cast(weight, flat.dtype), 1)
        total = part if total is None else total + part
    return total


def _roi_align(n: Node) -> Any:
    """Averages of bilinear samples in the cells of each region, [regions, c, oh, ow]."""
    x, rois, owner = n[0], n[1], n[2]
    if n.attribute("mode", b"avg") != b"avg":
        raise n.refuse("the mode max")
    ratio, high, wide = (
        int(n.attribute(k, v)) for k, v in (("sampling_ratio", 0), ("output_height", 1), ("output_width", 1))
    )
    height, width = x.shape[2:]
    if ratio < 1 or not isinstance(height, int) or not isinstance(width, int):
        raise n.refuse("a number of samples that depends on the region, or an image of open size")
    half = n.version >= 16 and n.attribute("coordinate_transformation_mode", b"half_pixel") == b"half_pixel"
    scaled = rois * float(n.attribute("spatial_scale", 1.0)) - (0.5 if half else 0.0)
    x1, y1, x2, y2 = (op.unsqueeze(v, -1) for v in op.unbind(scaled, -1))
    sizes = [(y2 - y1), (x2 - x1)] if half else [op.maximum(y2 - y1, 1.0), op.maximum(x2 - x1, 1.0)]
    steps = [(np.arange(cells * ratio) + 0.5) / (cells * ratio) for cells in (high, wide)]
    grid = [v.ravel() for v in np.meshgrid(*steps, indexing="ij")]
    y, x_ = (
        start + size * n.graph.constant(at.reshape(1, -1).astype(rois.dtype.numpy))
        for start, size, at in zip((y1, x1), sizes, grid, strict=True)
    )
    inside = op.logical_and(op.logical_and(y >= -1, y <= height), op.logical_and(x_ >= -1, x_ <= width))
    images = op.reshape(op.gather(x, owner, 0), [rois.shape[0], x.shape[1], height * width])
    read = _bilinear(images, op.clip(y, 0, height - 1), op.clip(x_, 0, width - 1), height, width, inside)
    return op.mean(op.reshape(read, [rois.shape[0], x.shape[1], high, ratio, wide, ratio]), [3, 5])


def _deform_conv(n: Node) -> Any:
    """A convolution whose window reads each of its places with an offset of its own."""
    x, weight, offset = n[0], n[1], n[2]
    if x.ndim != 4 or not all(isinstance(d, int) for d in (*x.shape[1:], *offset.shape[2:])):
        raise n.refuse(f"images of {x.type}")
    kernel = [int(str(d)) for d in weight.shape[2:]]
    strides, spread = per_axis(n, "strides", 2), per_axis(n, "dilations", 2)
    pads = spatial_pads(n, x.shape[2:], kernel, strides, spread)
    parts, groups = int(n.attribute("offset_group", 1)), int(n.attribute("group", 1))
    batch, channels, height, width = x.shape
    high, wide = offset.shape[2:]
    count, per = math.prod(kernel), channels // parts
    shifts = op.reshape(offset, [batch, parts, count, 2, high * wide])
    masks = op.reshape(n[4], [batch, parts, count, high * wide]) if n.has(4) else None
    columns = []
    for part in range(parts):
        flat = op.reshape(
            rows.slice(x, [0, part * per, 0, 0], [batch, per, height, width]), [batch, per, height * width]
        )
        for k, place in enumerate(itertools.product(*map(range, kernel))):
            base = [
                np.arange(int(str(size))) * s + p * d - pad[0]
                for size, s, p, d, pad in zip((high, wide), strides, place, spread, pads, strict=True)
            ]
            grid = [v.reshape(1, -1).astype(x.dtype.numpy) for v in np.meshgrid(*base, indexing="ij")]
            y, x_ = (getitem(shifts, (slice(None), part, k, j)) + n.graph.constant(grid[j]) for j in range(2))
            read = _bilinear(flat, y, x_, height, width, op.full([1], True, dt.bool_))
            columns.append(read if masks is None else read * op.unsqueeze(getitem(masks, (slice(None), part, k)), 1))
    stacked = op.reshape(op.stack(columns, 1), [batch, parts, count, per, high * wide])
    stacked = op.reshape(
        op.transpose(stacked, [0, 1, 3, 2, 4]), [batch, groups, channels // groups * count, high * wide]
    )
    filters = op.reshape(weight, [1, groups, weight.shape[0] // groups, channels // groups * count])
    made = op.reshape(op.matmul(filters, stacked), [batch, weight.shape[0], high, wide])
    return made + op.reshape(n[3], [1, -1, 1, 1]) if n.has(3) else made


ROWS: dict[str, Importer] = {
    "DeformConv": _deform_conv,
    "NonMaxSuppression": _suppressed,
    "RoiAlign": _roi_align,
    "TensorScatter": _tensor_scatter,
}
