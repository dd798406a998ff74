"""Pooling and unpooling layers over sequences [n, c, l], images [n, c, h, w] and volumes [n, c, d, h, w]."""

from __future__ import annotations

from typing import Any

from ...ops.op import REQUIRED
from . import functional as F
from .layer_settings import FunctionLayer, plainly, underscored

__all__ = [
    "AdaptiveAvgPool1D",
    "AdaptiveAvgPool2D",
    "AdaptiveAvgPool3D",
    "AdaptiveMaxPool1D",
    "AdaptiveMaxPool2D",
    "AdaptiveMaxPool3D",
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "FractionalMaxPool2D",
    "FractionalMaxPool3D",
    "LPPool1D",
    "LPPool2D",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "MaxUnPool1D",
    "MaxUnPool2D",
    "MaxUnPool3D",
]


_WINDOW = {"kernel_size": REQUIRED, "stride": None, "padding": 0}
_AVERAGE = {"ceil_mode": False, "exclusive": True, "divisor_override": None}
_MAXIMUM = {"return_mask": False, "ceil_mode": False}
_KSIZE = {"kernel_size": "ksize"}  # under PaddlePaddle's name
_FRACTIONAL = {"output_size": REQUIRED, "kernel_size": None, "random_u": None, "return_mask": False}


class _Pool(FunctionLayer):
    """Shows no name."""

    shows_name = False


class _LPPool(_Pool):
    """(the sum of x ** norm_type over each window) ** (1 / norm_type)."""

    def _check(self, settings: dict[str, Any]) -> None:
        settings["norm_type"] = float(settings["norm_type"])
        if settings["stride"] is None:
            settings["stride"] = settings["kernel_size"]


class MaxPool1D(_Pool):
    """The maximum of each window of a sequence; with return_mask also its place in the flat sequence."""

    function = staticmethod(F.max_pool1d)
    settings = {**_WINDOW, **_MAXIMUM}
    shown = plainly("kernel_size", "stride", "padding")


class AvgPool1D(_Pool):
    """The average of each window of a sequence; `exclusive` leaves padding out of the count."""

    function = staticmethod(F.avg_pool1d)
    settings = {**_WINDOW, "exclusive": True, "ceil_mode": False}
    shown = plainly("kernel_size", "stride", "padding")


class AdaptiveAvgPool1D(_Pool):
    """Averages over a grid of output_size windows that cover a sequence."""

    function = staticmethod(F.adaptive_avg_pool1d)
    settings = {"output_size": REQUIRED}


class AdaptiveMaxPool1D(_Pool):
    """Maxima over a grid of output_size windows that cover a sequence; with return_mask also their places."""

    function = staticmethod(F.adaptive_max_pool1d)
    settings = {"output_size": REQUIRED, "return_mask": False}


class MaxUnPool1D(_Pool):
    """Zeros with x at the places that MaxPool1D(return_mask=True) gave: forward(x, indices)."""

    function = staticmethod(F.max_unpool1d)
    settings = {**_WINDOW, "data_format": "NCL", "output_size": None}
    shown = plainly("output_size")
    stored = _KSIZE


class LPPool1D(_LPPool):
    """(the sum of x ** norm_type over each window) ** (1 / norm_type) of a sequence."""

    function = staticmethod(F.lp_pool1d)
    settings = {"norm_type": REQUIRED, **_WINDOW, "ceil_mode": False, "data_format": "NCL"}
    shown = plainly("norm_type", "kernel_size", "stride", "padding")


class MaxPool2D(_Pool):
    """The maximum of each window of an image; with return_mask also its place in the flat image.

    >>> from ...ops.create import zeros
    >>> MaxPool2D(2)(zeros([1, 3, 8, 8])).shape
    [1, 3, 4, 4]
    """

    function = staticmethod(F.max_pool2d)
    settings = {**_WINDOW, **_MAXIMUM, "data_format": "NCHW"}
    shown = plainly("kernel_size", "stride", "padding")
    stored = _KSIZE


class AvgPool2D(_Pool):
    """The average of each window of an image; `exclusive` leaves padding out of the count."""

    function = staticmethod(F.avg_pool2d)
    settings = {**_WINDOW, **_AVERAGE, "data_format": "NCHW"}
    shown = plainly("kernel_size", "stride", "padding")
    stored = _KSIZE | {"divisor_override": "divisor"}


class AdaptiveAvgPool2D(_Pool):
    """Averages over a grid of output_size windows that cover an image; None keeps an axis.

    >>> from ...ops.create import zeros
    >>> AdaptiveAvgPool2D(1)(zeros([1, 3, 8, 8])).shape
    [1, 3, 1, 1]
    """

    function = staticmethod(F.adaptive_avg_pool2d)
    settings = {"output_size": REQUIRED, "data_format": "NCHW"}
    shown = plainly("output_size")
    stored = underscored(settings)


class AdaptiveMaxPool2D(_Pool):
    """Maxima over a grid of output_size windows that cover an image; with return_mask also their places."""

    function = staticmethod(F.adaptive_max_pool2d)
    settings = {"output_size": REQUIRED, "return_mask": False}
    stored = underscored(settings)


class MaxUnPool2D(_Pool):
    """Zeros with x at the places that MaxPool2D(return_mask=True) gave: forward(x, indices)."""

    function = staticmethod(F.max_unpool2d)
    settings = {**_WINDOW, "data_format": "NCHW", "output_size": None}
    shown = plainly("output_size")
    stored = _KSIZE


class LPPool2D(_LPPool):
    """(the sum of x ** norm_type over each window) ** (1 / norm_type) of an image."""

    function = staticmethod(F.lp_pool2d)
    settings = {"norm_type": REQUIRED, **_WINDOW, "ceil_mode": False, "data_format": "NCHW"}
    shown = plainly("norm_type", "kernel_size", "stride", "padding")
    stored = _KSIZE


class FractionalMaxPool2D(_Pool):
    """Maxima over output_size windows of an image; random_u of (0, 1), else drawn, chooses where they lie."""

    function = staticmethod(F.fractional_max_pool2d)
    settings = _FRACTIONAL
    shown = plainly("output_size", "return_mask")
    stored = underscored(_FRACTIONAL)


class MaxPool3D(_Pool):
    """The maximum of each window of a volume; with return_mask also its place in the flat volume."""

    function = staticmethod(F.max_pool3d)
    settings = {**_WINDOW, **_MAXIMUM, "data_format": "NCDHW"}
    shown = plainly("kernel_size", "stride", "padding")
    stored = _KSIZE


class AvgPool3D(_Pool):
    """The average of each window of a volume; `exclusive` leaves padding out of the count."""

    function = staticmethod(F.avg_pool3d)
    settings = {**_WINDOW, **_AVERAGE, "data_format": "NCDHW"}
    shown = plainly("kernel_size", "stride", "padding")
    stored = _KSIZE | {"divisor_override": "divisor"}


class AdaptiveAvgPool3D(_Pool):
    """Averages over a grid of output_size windows that cover a volume; None keeps an axis."""

    function = staticmethod(F.adaptive_avg_pool3d)
    settings = {"output_size": REQUIRED, "data_format": "NCDHW"}
    shown = plainly("output_size")
    stored = underscored(settings)


class AdaptiveMaxPool3D(_Pool):
    """Maxima over a grid of output_size windows that cover a volume; with return_mask also their places."""

    function = staticmethod(F.adaptive_max_pool3d)
    settings = {"output_size": REQUIRED, "return_mask": False}
    stored = underscored(settings)


class MaxUnPool3D(_Pool):
    """Zeros with x at the places that MaxPool3D(return_mask=True) gave: forward(x, indices)."""

    function = staticmethod(F.max_unpool3d)
    settings = {**_WINDOW, "data_format": "NCDHW", "output_size": None}
    shown = plainly("output_size")
    stored = _KSIZE


class FractionalMaxPool3D(_Pool):
    """Maxima over output_size windows of a volume; random_u of (0, 1), else drawn, chooses where they lie."""

    function = staticmethod(F.fractional_max_pool3d)
    settings = _FRACTIONAL
    shown = plainly("output_size", "return_mask")
    stored = underscored(_FRACTIONAL)
