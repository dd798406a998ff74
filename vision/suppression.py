"""Suppression by decayed scores: what a detector keeps after every box has been compared with better ones at once.

Source: Wang et al., SOLOv2: Dynamic and Fast Instance Segmentation, 2020 (Matrix NMS).
"""

from __future__ import annotations

from typing import Any

from ..base.errors import ShapeError
from ..dygraph.modes import no_grad
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS

__all__ = ["matrix_nms"]


@no_grad
def matrix_nms(
    bboxes: Any, scores: Any, score_threshold: float, post_threshold: float, nms_top_k: int, keep_top_k: int,
    use_gaussian: bool = False, gaussian_sigma: float = 2.0, background_label: int = 0, normalized: bool = True,
    return_index: bool = False, return_rois_num: bool = True, name: str | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Boxes of all classes with decayed scores, best first: (class, score and box of each, counts by image, places).

    A box's score falls with its overlap with better boxes of its class, less so where a still better one overlaps
    those. score_threshold, post_threshold: what a score must exceed before, and reach after. nms_top_k: boxes of a
    class that are compared; keep_top_k: boxes of an image that are kept; all for -1. normalized: False for boxes whose
    last pixel is theirs.
    No gradient goes through it.
    Shapes: bboxes f[n, m, 4]; scores f[n, classes, m]; results f[count, 6], i32[n], i32[count, 1]. Places count the
    boxes of all images. None for what `return_rois_num` and `return_index` don't ask for.

    >>> from vitrify import to_tensor
    >>> boxes = to_tensor([[[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.5]]])
    >>> matrix_nms(boxes, to_tensor([[[0.9, 0.8]]]), 0.1, 0.3, -1, -1, background_label=-1)[0].numpy()[:, 1].round(2)
    array([0.9, 0.4], dtype=float32)
    """
    if bboxes.ndim != 3 or bboxes.shape[2] != 4 or scores.ndim != 3:
        told = f"{show_shape(bboxes.shape)}, {show_shape(scores.shape)}"
        raise ShapeError(f"matrix_nms takes boxes [n, m, 4] and scores [n, classes, m], got {told}")
    count, kinds, boxes_of_image = scores.shape
    used = boxes_of_image if nms_top_k < 0 else min(nms_top_k, boxes_of_image)
    order = FUNCTIONS["argsort"](scores, -1, descending=True, stable=True)[:, :, :used]
    best = FUNCTIONS["take_along_axis"](scores, order, -1)
    chosen = FUNCTIONS["stack"]([OPS["gather"](bboxes[k], OPS["reshape"](order[k], (-1,)), 0) for k in range(count)])
    chosen = OPS["reshape"](chosen, (count, kinds, used, 4))
    decayed = best * _decay(_overlaps(chosen, normalized), use_gaussian, gaussian_sigma)
    kept = OPS["logical_and"](best > score_threshold, decayed >= post_threshold)
    labels = FUNCTIONS["arange"](0, kinds, dtype="int64")
    labels = OPS["broadcast_to"](OPS["reshape"](labels, (1, kinds, 1)), (count, kinds, used))
    kept = OPS["logical_and"](kept, OPS["not_equal"](labels, background_label))
    rows, places, counts = [], [], []
    for image in range(count):
        mask, score = OPS["reshape"](kept[image], (-1,)), OPS["reshape"](decayed[image], (-1,))
        found = OPS["reshape"](FUNCTIONS["nonzero"](mask), (-1,))
        sorted_ = FUNCTIONS["argsort"](OPS["gather"](score, found, 0), descending=True, stable=True)
        held = OPS["sum"](OPS["cast"](mask, "int64"))
        counts.append(held if keep_top_k < 0 else FUNCTIONS["clip"](held, 0, keep_top_k))
        found = OPS["gather"](found, sorted_ if keep_top_k < 0 else sorted_[:keep_top_k], 0)
        label = OPS["cast"](OPS["gather"](OPS["reshape"](labels[image], (-1,)), found, 0), bboxes.dtype)
        parts = [FUNCTIONS["unsqueeze"](label, 1), FUNCTIONS["unsqueeze"](OPS["gather"](score, found, 0), 1)]
        rows.append(OPS["concat"]([*parts, OPS["gather"](OPS["reshape"](chosen[image], (-1, 4)), found, 0)], 1))
        places.append(OPS["gather"](OPS["reshape"](order[image], (-1,)), found, 0) + image * boxes_of_image)
    held = OPS["cast"](FUNCTIONS["stack"](counts), "int32")
    index = FUNCTIONS["unsqueeze"](OPS["cast"](OPS["concat"](places, 0), "int32"), 1)
    return OPS["concat"](rows, 0), held if return_rois_num else None, index if return_index else None


def _overlaps(boxes: Any, normalized: bool) -> Any:
    """[..., m, m]: the area that two boxes share, over that of both."""
    extra = 0.0 if normalized else 1.0
    a, b = FUNCTIONS["unsqueeze"](boxes, -2), FUNCTIONS["unsqueeze"](boxes, -3)
    near, far = OPS["maximum"](a[..., :2], b[..., :2]), OPS["minimum"](a[..., 2:], b[..., 2:])
    met = OPS["cast"](OPS["all"](far >= near, -1), boxes.dtype)  # boxes a gap of less than a pixel apart don't
    shared = (far - near + extra)[..., 0] * (far - near + extra)[..., 1] * met
    sides = boxes[..., 2:] - boxes[..., :2]
    inside = OPS["logical_and"](sides[..., 0] >= 0, sides[..., 1] >= 0)
    area = (sides[..., 0] + extra) * (sides[..., 1] + extra) * OPS["cast"](inside, boxes.dtype)
    both = FUNCTIONS["unsqueeze"](area, -1) + FUNCTIONS["unsqueeze"](area, -2) - shared
    return FUNCTIONS["where"](shared > 0, shared / FUNCTIONS["where"](both > 0, both, 1.0), 0.0)


def _decay(overlaps: Any, gaussian: bool, sigma: float) -> Any:
    """[..., m]: the factor of each score, the least over the better boxes, which stand before it."""
    size = overlaps.shape[-1]
    places = FUNCTIONS["arange"](0, size, dtype="int64")
    better = FUNCTIONS["unsqueeze"](places, 0) < FUNCTIONS["unsqueeze"](places, 1)
    overlaps = FUNCTIONS["where"](better, overlaps, 0.0)
    covered = FUNCTIONS["unsqueeze"](OPS["max"](overlaps, -1), -2)  # how far the better box is covered itself
    if gaussian:
        factors = OPS["exp"]((covered * covered - overlaps * overlaps) * sigma)
    else:
        factors = (1.0 - overlaps) / (1.0 - covered)
    return OPS["min"](FUNCTIONS["where"](better, factors, 1.0), -1)
