"""Boxes of detectors: suppression of overlaps, coding against priors, priors, and the boxes of YOLO.

A box is (x1, y1, x2, y2). Values are those of PaddlePaddle's CPU kernels; like these, no function has a gradient.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, ShapeError
from ..base.suggest import one_of
from ..dygraph.conversions import to_tensor
from ..dygraph.modes import no_grad
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS

__all__ = ["box_coder", "nms", "prior_box", "yolo_box"]


def nms(
    boxes: Any, iou_threshold: float = 0.3, scores: Any = None, category_idxs: Any = None,
    categories: Sequence[int] | None = None, top_k: int | None = None,
) -> Any:  # fmt: skip
    """The indices of the boxes [n, 4] that no better box covers by more than `iou_threshold`, best first: i64[count].

    Without scores the boxes count as sorted. With category_idxs, and categories as the list of them, boxes compete
    within their category only. top_k: at most so many.

    >>> from vitrify import to_tensor
    >>> boxes = to_tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.9], [5.0, 5.0, 6.0, 6.0]])
    >>> nms(boxes, 0.5, to_tensor([0.1, 0.3, 0.2])).tolist()
    [1, 2]
    """
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ShapeError(f"nms takes boxes [n, 4], got {show_shape(boxes.shape)}")
    if category_idxs is not None and (categories is None or scores is None):
        raise ArgumentError("nms with category_idxs needs scores, and categories: the list of all categories")
    if scores is None:
        kinds = FUNCTIONS["zeros"]([boxes.shape[0]], "int64")
        return OPS["reshape"](FUNCTIONS["nonzero"](OPS["nms_mask"](boxes, kinds, iou_threshold=iou_threshold)), (-1,))
    order = FUNCTIONS["argsort"](scores, descending=True)
    boxes = OPS["gather"](boxes, order, 0)
    if category_idxs is None:
        kept = OPS["nms_mask"](boxes, FUNCTIONS["zeros"]([boxes.shape[0]], "int64"), iou_threshold=iou_threshold)
    else:
        kinds = OPS["cast"](OPS["gather"](category_idxs, order, 0), "int64")
        known = FUNCTIONS["isin"](kinds, to_tensor(np.array(categories, "int64")))
        kept = OPS["logical_and"](OPS["nms_mask"](boxes, kinds, iou_threshold=iou_threshold), known)
    found = OPS["gather"](order, OPS["reshape"](FUNCTIONS["nonzero"](kept), (-1,)), 0)
    return found if top_k is None else found[:top_k]


def _center(box: Any, normalized: bool) -> tuple[Any, Any, Any, Any]:
    """Width, height and centre of boxes [..., 4]."""
    extra = 0.0 if normalized else 1.0
    width, height = box[..., 2] - box[..., 0] + extra, box[..., 3] - box[..., 1] + extra
    return width, height, box[..., 0] + width * 0.5, box[..., 1] + height * 0.5


@no_grad
def box_coder(
    prior_box: Any, prior_box_var: Any, target_box: Any, code_type: str = "encode_center_size",
    box_normalized: bool = True, axis: int = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """Offsets of boxes from priors ("encode_center_size": [n, 4] and [m, 4] give [n, m, 4]), or boxes from offsets.

    "decode_center_size": offsets [n, m, 4]; the priors stand along `axis` 1 (axis=0) or 0 (axis=1). prior_box_var:
    the offsets' scales, [m, 4], four numbers or None.
    """
    kinds = ("encode_center_size", "decode_center_size")
    if code_type not in kinds:
        raise ArgumentError(f"box_coder has no code_type {code_type!r}", remedy=one_of(code_type, kinds))
    encodes = code_type == kinds[0]
    line = 0 if encodes or axis == 0 else 1

    def spread(x: Any) -> Any:
        return FUNCTIONS["unsqueeze"](x, line)

    width, height, x, y = (spread(part) for part in _center(prior_box, box_normalized))
    scales = [1.0] * 4
    if isinstance(prior_box_var, (list, tuple)):
        scales = [float(v) for v in prior_box_var]
    elif prior_box_var is not None:
        scales = [spread(prior_box_var[:, k]) for k in range(4)]
    stack = FUNCTIONS["stack"]
    if encodes:
        t_width, t_height, _, _ = _center(target_box, box_normalized)
        t_x, t_y = (target_box[:, 0] + target_box[:, 2]) * 0.5, (target_box[:, 1] + target_box[:, 3]) * 0.5
        t_width, t_height, t_x, t_y = (FUNCTIONS["unsqueeze"](part, 1) for part in (t_width, t_height, t_x, t_y))
        log, size = OPS["log"], OPS["abs"]
        parts = [(t_x - x) / width, (t_y - y) / height, log(size(t_width / width)), log(size(t_height / height))]
        return stack([part / scale for part, scale in zip(parts, scales, strict=True)], -1)
    moved = [target_box[..., k] * scales[k] for k in range(4)]
    center_x, center_y = moved[0] * width + x, moved[1] * height + y
    half_width, half_height = OPS["exp"](moved[2]) * width * 0.5, OPS["exp"](moved[3]) * height * 0.5
    extra = 0.0 if box_normalized else 1.0
    far = [center_x + half_width - extra, center_y + half_height - extra]
    return stack([center_x - half_width, center_y - half_height, *far], -1)


def _listed(value: Any) -> list[float]:
    return [float(v) for v in value] if isinstance(value, (list, tuple)) else [float(value)]


def _ratios(given: Any, flip: bool) -> list[float]:
    found = [1.0]
    for ratio in _listed(given):
        if not any(abs(ratio - known) < 1e-6 for known in found):
            found += [ratio, 1.0 / ratio] if flip else [ratio]
    return found


def prior_box(
    input: Any, image: Any, min_sizes: Any, max_sizes: Any = None, aspect_ratios: Any = (1.0,),
    variance: Any = (0.1, 0.1, 0.2, 0.2), flip: bool = False, clip: bool = False, steps: Any = (0.0, 0.0),
    offset: float = 0.5, min_max_aspect_ratios_order: bool = False, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The priors of SSD for a feature map [n, c, h, w] of images [n, c, H, W], and their variances: f32[h, w, k, 4].

    For each of min_sizes a box for each aspect ratio, and with max_sizes one of the geometric mean of both sizes.
    """
    (rows, columns), (height, width) = (int(s) for s in input.shape[2:]), (int(s) for s in image.shape[2:])
    lows, highs = _listed(min_sizes), [] if max_sizes is None else _listed(max_sizes)
    if highs and len(highs) != len(lows):
        raise ArgumentError(f"prior_box: {len(lows)} min_sizes and {len(highs)} max_sizes")
    halves: list[tuple[float, float]] = []
    for k, low in enumerate(lows):
        shaped = [(low * math.sqrt(r) / 2, low / math.sqrt(r) / 2) for r in _ratios(aspect_ratios, flip)]
        square = [(math.sqrt(low * highs[k]) / 2,) * 2] if highs else []
        halves += [shaped[0], *square, *shaped[1:]] if min_max_aspect_ratios_order else [*shaped, *square]
    step_x, step_y = (float(given) or size / count for given, size, count in zip(
        _listed(steps), (width, height), (columns, rows), strict=True))  # fmt: skip
    x = ((np.arange(columns) + offset) * step_x)[None, :, None]
    y = ((np.arange(rows) + offset) * step_y)[:, None, None]
    w, h = (np.array([half[k] for half in halves]) for k in (0, 1))
    corners = ((x - w) / width, (y - h) / height, (x + w) / width, (y + h) / height)
    made = np.stack(np.broadcast_arrays(*corners), -1).astype("float32")
    boxes = np.clip(made, 0, 1) if clip else made
    return to_tensor(boxes), to_tensor(np.broadcast_to(np.array(variance, "float32"), boxes.shape).copy())


@no_grad
def yolo_box(
    x: Any, img_size: Any, anchors: Sequence[int], class_num: int, conf_thresh: float, downsample_ratio: int,
    clip_bbox: bool = True, name: str | None = None, scale_x_y: float = 1.0, iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> tuple[Any, Any]:  # fmt: skip
    """YOLOv3's boxes [n, h·w·a, 4] and scores [n, h·w·a, classes] from its output x [n, a·(5 + classes), h, w].

    img_size i32[n, 2]: heights and widths of the images. Boxes below `conf_thresh` are zeros.
    """
    n, channels, rows, columns = x.shape
    count = len(anchors) // 2
    if channels != count * (class_num + (6 if iou_aware else 5)):
        raise ShapeError(f"yolo_box: {channels} channels don't fit {count} anchors and {class_num} classes")
    sigmoid, reshape = OPS["sigmoid"], OPS["reshape"]
    overlap = sigmoid(x[:, :count]) if iou_aware else None
    parts = reshape(x[:, count:] if iou_aware else x, (n, count, 5 + class_num, rows, columns))
    sizes = OPS["cast"](img_size, x.dtype)
    height, width = (reshape(sizes[:, k], (n, 1, 1, 1)) for k in (0, 1))
    shift = -0.5 * (scale_x_y - 1.0)
    across = FUNCTIONS["arange"](0, columns, dtype=x.dtype)
    down = reshape(FUNCTIONS["arange"](0, rows, dtype=x.dtype), (rows, 1))
    center_x = (sigmoid(parts[:, :, 0]) * scale_x_y + shift + across) * width / columns
    center_y = (sigmoid(parts[:, :, 1]) * scale_x_y + shift + down) * height / rows
    shape = np.array(anchors, x.dtype.numpy).reshape(count, 2, 1, 1)
    box_width = OPS["exp"](parts[:, :, 2]) * to_tensor(shape[:, 0]) * width / (downsample_ratio * columns)
    box_height = OPS["exp"](parts[:, :, 3]) * to_tensor(shape[:, 1]) * height / (downsample_ratio * rows)
    near_x, near_y = center_x - box_width * 0.5, center_y - box_height * 0.5
    far_x, far_y = center_x + box_width * 0.5, center_y + box_height * 0.5
    if clip_bbox:
        near_x, near_y = (OPS["maximum"](part, 0.0) for part in (near_x, near_y))
        far_x, far_y = OPS["minimum"](far_x, width - 1.0), OPS["minimum"](far_y, height - 1.0)
    sure = sigmoid(parts[:, :, 4])
    if overlap is not None:
        sure = OPS["pow"](sure, 1.0 - iou_aware_factor) * OPS["pow"](overlap, iou_aware_factor)
    counted = OPS["cast"](sure >= conf_thresh, x.dtype)
    boxes = FUNCTIONS["stack"]([part * counted for part in (near_x, near_y, far_x, far_y)], -1)
    scores = FUNCTIONS["unsqueeze"](sure * counted, 2) * sigmoid(parts[:, :, 5:])
    scores = OPS["transpose"](scores, (0, 1, 3, 4, 2))
    total = count * rows * columns
    return reshape(boxes, (n, total, 4)), reshape(scores, (n, total, class_num))
