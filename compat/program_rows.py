"""Operations of detectors and graphs in PaddlePaddle's inference programs, by functions of `vision` and `geometric`."""

from __future__ import annotations

from typing import Any

from ..base import dtype as dt
from ..base.errors import ArgumentError
from ..jit.paddle_models.paddle_call import OperatorCall, op
from ..jit.paddle_models.rows.paddle_row import Entry, entry
from ..vision import boxes, regions
from ..vision.multiclass import multiclass_nms
from . import geometric


def _box_coder(c: OperatorCall) -> Any:
    scales = c[1] if c.has(1) else [float(v) for v in c.attribute("variance", [])] or None
    return c.on_tensors(
        boxes.box_coder, c[0], scales, c[2], str(c.attribute("code_type", "encode_center_size")),
        bool(c.attribute("box_normalized", True)), int(c.attribute("axis", 0)),
    )  # fmt: skip


def _deform_conv(c: OperatorCall) -> Any:
    stride, padding, dilation = (c.ints(None, name) for name in ("strides", "paddings", "dilations"))
    groups = [int(c.attribute(name, 1)) for name in ("deformable_groups", "groups")]
    return c.on_tensors(
        regions.deform_conv2d, c[0], c[1], c[2], None, stride, padding, dilation, *groups,
        mask=c[3] if c.has(3) else None,
    )  # fmt: skip


def _multiclass(c: OperatorCall) -> Any:
    if c.has(2):
        raise c.refuse("boxes of several images in one list")
    if float(c.attribute("nms_eta", 1.0)) != 1.0:
        raise c.refuse("a threshold that adapts (nms_eta)")
    found, places, counts = c.on_tensors(
        multiclass_nms, c[0], c[1], float(c.attribute("score_threshold", 0.0)), int(c.required("nms_top_k")),
        int(c.required("keep_top_k")), float(c.attribute("nms_threshold", 0.3)), bool(c.attribute("normalized", True)),
        int(c.attribute("background_label", 0)),
    )  # fmt: skip
    return found, op.cast(places, dt.int32), op.cast(counts, dt.int32)


def _nms(c: OperatorCall) -> Any:
    return c.on_tensors(boxes.nms, c[0], float(c.attribute("threshold iou_threshold", 1.0)))


def _prior_box(c: OperatorCall) -> Any:
    if not all(isinstance(d, int) for x in (c[0], c[1]) for d in x.shape[2:]):
        raise ArgumentError("prior_box: sizes of images that only a run knows are not supported")
    return c.on_tensors(
        boxes.prior_box, c[0], c[1], c.required("min_sizes"), c.attribute("max_sizes", []) or None,
        c.attribute("aspect_ratios", [1.0]),
        c.attribute("variances", [0.1, 0.1, 0.2, 0.2]), bool(c.attribute("flip", True)),
        bool(c.attribute("clip", True)),
        (float(c.attribute("step_w", 0.0)), float(c.attribute("step_h", 0.0))), float(c.attribute("offset", 0.5)),
        bool(c.attribute("min_max_aspect_ratios_order", False)),
    )  # fmt: skip


def _bins(c: OperatorCall) -> tuple[Any, ...]:
    """What pools over regions are called with."""
    sizes = [int(c.attribute(name, 1)) for name in ("pooled_height", "pooled_width")]
    return c[0], c[1], c[2], sizes, float(c.attribute("spatial_scale", 1.0))


def _roi_align(c: OperatorCall) -> Any:
    samples, aligned = int(c.attribute("sampling_ratio", -1)), bool(c.attribute("aligned", False))
    return c.on_tensors(regions.roi_align, *_bins(c), samples, aligned)


def _roi_pool(c: OperatorCall) -> Any:
    return c.on_tensors(regions.roi_pool, *_bins(c))


def _yolo_box(c: OperatorCall) -> Any:
    return c.on_tensors(
        boxes.yolo_box, c[0], c[1], [int(v) for v in c.required("anchors")], int(c.required("class_num")),
        float(c.attribute("conf_thresh", 0.01)), int(c.attribute("downsample_ratio", 32)),
        bool(c.attribute("clip_bbox", True)), None, float(c.attribute("scale_x_y", 1.0)),
        bool(c.attribute("iou_aware", False)), float(c.attribute("iou_aware_factor", 0.5)),
    )  # fmt: skip


def _segments(c: OperatorCall) -> Any:
    kind = str(c.attribute("pooltype", "SUM")).lower()
    if kind not in ("sum", "mean", "max", "min"):
        raise c.refuse(f"pooltype={kind!r}")
    return c.on_tensors(getattr(geometric, f"segment_{kind}"), c[0], c[1])


def _send(c: OperatorCall) -> Any:
    asked = c.ints(3, "out_size") or [0]
    return c.on_tensors(
        geometric.send_u_recv, c[0], c[1], c[2], str(c.attribute("reduce_op", "SUM")).lower(), asked[0] or None
    )  # fmt: skip


_CROWDS = ("BBoxes Scores RoisNum", "Out Index NmsRoisNum")

ENTRIES: list[Entry] = [
    entry(_box_coder, "box_coder", None, "PriorBox PriorBoxVar TargetBox", "OutputBox"),
    entry(_deform_conv, "deformable_conv", "deformable_conv deformable_conv_v1", "Input Offset Filter Mask", "Output"),
    entry(_multiclass, "multiclass_nms3", "multiclass_nms3 multiclass_nms2 multiclass_nms", *_CROWDS),
    entry(_nms, "nms", None, "Boxes", "KeepBoxesIdxs"),
    entry(_prior_box, "prior_box", None, "Input Image", "Boxes Variances"),
    entry(_roi_align, "roi_align", None, "X ROIs RoisNum"),
    entry(_roi_pool, "roi_pool", None, "X ROIs RoisNum"),
    entry(_segments, "segment_pool", None, "X SegmentIds", "Out SummedIds"),
    entry(_send, "send_u_recv", "graph_send_recv", "X Src_index Dst_index Out_size", "Out Dst_count"),
    entry(_yolo_box, "yolo_box", None, "X ImgSize", "Boxes Scores"),
]
