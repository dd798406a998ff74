"""`vision.ops`: boxes and regions of detectors."""

from pathlib import Path as _Path
from typing import Any as _Any

import numpy as _np

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from ..dygraph.conversions import to_tensor as _to_tensor
from .boxes import box_coder, nms, prior_box, yolo_box
from .proposals import distribute_fpn_proposals
from .regions import DeformConv2D, RoIAlign, RoIPool, deform_conv2d, roi_align, roi_pool

__all__ = [
    "DeformConv2D", "RoIAlign", "RoIPool", "box_coder", "deform_conv2d", "distribute_fpn_proposals", "nms", "prior_box",
    "read_file", "roi_align", "roi_pool", "yolo_box",
]  # fmt: skip


def read_file(filename: str, name: str | None = None) -> _Any:
    """The bytes of a file: u8[count]."""
    return _to_tensor(_np.frombuffer(_Path(filename).read_bytes(), "uint8").copy())


_tell_unknown_names(__name__)
