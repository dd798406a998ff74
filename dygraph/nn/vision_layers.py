"""Layers that rearrange or resample images, and distances: a function and its settings each."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ...ops.infer import int_argument
from ...ops.op import REQUIRED
from . import functional as F
from .layer import Layer
from .layer_settings import FunctionLayer, plainly, underscored, with_name

__all__ = [
    "ChannelShuffle", "CosineSimilarity", "Fold", "LocalResponseNorm", "PairwiseDistance", "PixelShuffle",
    "PixelUnshuffle", "Unflatten", "Unfold", "Upsample", "UpsamplingBilinear2D", "UpsamplingNearest2D",
]  # fmt: skip


class _Rearrangement(FunctionLayer):
    """Images rearranged by an int of at least 1, the first setting. Errors: KindError, ArgumentError for others."""

    def _check(self, settings: dict[str, Any]) -> None:
        by, layout = type(self).settings
        int_argument(f"{type(self).__name__}: {by}", settings[by], 1)
        if settings[layout] not in ("NCHW", "NHWC"):
            raise ArgumentError(
                f"{type(self).__name__}: data_format must be 'NCHW' or 'NHWC', not {settings[layout]!r}"
            )

    def _told(self) -> str:
        layout = self._settings()["data_format"]
        return super()._told() + ("" if layout == "NCHW" else f", data_format={layout}")


class ChannelShuffle(_Rearrangement):
    """Channels of `groups` groups dealt out in turn. Errors: KindError, ArgumentError for groups below 1.

    >>> ChannelShuffle(2, data_format="NHWC")
    ChannelShuffle(groups=2, data_format=NHWC)
    """

    function = staticmethod(F.channel_shuffle)
    settings = {"groups": REQUIRED, "data_format": "NCHW"}
    shown = plainly("groups")
    stored = underscored(settings)


class Fold(FunctionLayer):
    """Columns [n, c kh kw, windows] added up to images: the transpose of Unfold."""

    function = staticmethod(F.fold)
    settings = {"output_sizes": REQUIRED, "kernel_sizes": REQUIRED, "dilations": 1, "paddings": 0, "strides": 1}
    shown = {"kernel_sizes": "kernel_size", "dilations": "dilation", "paddings": "padding", "strides": "stride"}


class LocalResponseNorm(FunctionLayer):
    """x / (k + alpha * the mean of the squares of `size` neighbouring channels) ** beta."""

    function = staticmethod(F.local_response_norm)
    settings = {"size": REQUIRED, "alpha": 0.0001, "beta": 0.75, "k": 1.0, "data_format": "NCHW"}
    shown = plainly("size", "alpha", "beta", "k")


class PairwiseDistance(FunctionLayer):
    """The p-norm of x - y + epsilon over the last axis: forward(x, y)."""

    function = staticmethod(F.pairwise_distance)
    settings = {"p": 2.0, "epsilon": 1e-06, "keepdim": False}
    shown = plainly("p")


class PixelShuffle(_Rearrangement):
    """Images [n, c r², h, w] as [n, c, h r, w r]."""

    function = staticmethod(F.pixel_shuffle)
    settings = {"upscale_factor": REQUIRED, "data_format": "NCHW"}
    shown = plainly("upscale_factor")
    stored = underscored(settings)


class PixelUnshuffle(_Rearrangement):
    """Images [n, c, h r, w r] as [n, c r², h, w]."""

    function = staticmethod(F.pixel_unshuffle)
    settings = {"downscale_factor": REQUIRED, "data_format": "NCHW"}
    shown = plainly("downscale_factor")
    stored = underscored(settings)


class CosineSimilarity(FunctionLayer):
    """The cosine of the angle between x1 and x2 along `axis`: forward(x1, x2)."""

    function = staticmethod(F.cosine_similarity)
    settings = {"axis": 1, "eps": 1e-08}
    stored = underscored(settings)


class Unfold(FunctionLayer):
    """The elements under each window of images as a column: [n, c kh kw, windows]."""

    function = staticmethod(F.unfold)
    settings = {"kernel_sizes": REQUIRED, "dilations": 1, "paddings": 0, "strides": 1}
    shown = {"kernel_sizes": "kernel_size", "dilations": "dilation", "paddings": "padding", "strides": "stride"}


class Upsample(FunctionLayer):
    """Images resized; see functional.interpolate."""

    function = staticmethod(F.interpolate)
    settings = {
        "size": None,
        "scale_factor": None,
        "mode": "nearest",
        "align_corners": False,
        "align_mode": 0,
        "data_format": None,
        "recompute_scale_factor": None,
    }
    shown = plainly("size", "scale_factor", "mode", "align_corners", "align_mode", "data_format")
    told_if = frozenset({"size", "scale_factor"})


class UpsamplingNearest2D(FunctionLayer):
    """Images resized, each element a copy of the nearest one."""

    function = staticmethod(F.interpolate)
    settings = {"size": None, "scale_factor": None, "data_format": "NCHW"}
    shown = plainly("size", "scale_factor", "data_format")
    told_if = frozenset({"size", "scale_factor"})


class UpsamplingBilinear2D(UpsamplingNearest2D):
    """Images resized between the centres of their corner elements, linearly along both axes."""

    def _arguments(self) -> dict[str, Any]:
        return self._settings() | {"mode": "bilinear", "align_corners": True}


class Unflatten(Layer):
    """One axis as several, of sizes `shape` (one may be -1)."""

    def __init__(self, axis: int, shape: Any, name: str | None = None) -> None:
        super().__init__(name)
        self.axis, self.shape, self.name = axis, shape, name

    def forward(self, x: Any) -> Any:
        axis = self.axis + x.ndim if self.axis < 0 else self.axis
        sizes = self.shape.tolist() if hasattr(self.shape, "tolist") else list(self.shape)
        return x.reshape((*x.shape[:axis], *sizes, *x.shape[axis + 1 :]))

    def extra_repr(self) -> str:
        return with_name(f"axis={self.axis}, shape={self.shape}", self.name)
