# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import frozenset as _frozenset
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.layer_settings import FunctionLayer as _FunctionLayer
from vitrify.dygraph.tensor import Tensor as _Tensor

class ChannelShuffle(_Rearrangement):
    """Channels of `groups` groups dealt out in turn. Errors: KindError, ArgumentError for groups below 1.

    >>> ChannelShuffle(2, data_format="NHWC")
    ChannelShuffle(groups=2, data_format=NHWC)"""
    @staticmethod
    def function(x: _Any, groups: _int, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """Channels of `groups` groups dealt out in turn (Zhang et al., ShuffleNet, 2018)."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def groups(self: _Any) -> _Any: ...
    @groups.setter
    def groups(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class _Rearrangement(_FunctionLayer):
    """Images rearranged by an int of at least 1, the first setting. Errors: KindError, ArgumentError for others."""

class CosineSimilarity(_FunctionLayer):
    """The cosine of the angle between x1 and x2 along `axis`: forward(x1, x2)."""
    @staticmethod
    def function(x1: _Any, x2: _Any, axis: _int = 1, eps: _float = 1e-08) -> _Any:
        """The cosine of the angle between x1 and x2 along `axis`; the product of their norms counts as at least `eps`."""
    settings: _dict
    stored: _dict
    @property
    def axis(self: _Any) -> _Any: ...
    @axis.setter
    def axis(self, value: _Any) -> None: ...
    @property
    def eps(self: _Any) -> _Any: ...
    @eps.setter
    def eps(self, value: _Any) -> None: ...

class Fold(_FunctionLayer):
    """Columns [n, c kh kw, windows] added up to images: the transpose of Unfold."""
    @staticmethod
    def function(x: _Any, output_sizes: _Any, kernel_sizes: _Any, strides: _Any = 1, paddings: _Any = 0, dilations: _Any = 1, name: _str | None = None) -> _Any:
        """Columns [n, c kh kw, windows] added up to images [n, c, *output_sizes]: the transpose of unfold (col2im)."""
    settings: _dict
    shown: _dict

class LocalResponseNorm(_FunctionLayer):
    """x / (k + alpha * the mean of the squares of `size` neighbouring channels) ** beta."""
    @staticmethod
    def function(x: _Any, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """x / (k + alpha * the mean of the squares of `size` neighbouring channels) ** beta, for ranks 3 to 5.

        Source: Krizhevsky, Sutskever, Hinton, ImageNet Classification, 2012."""
    settings: _dict
    shown: _dict

class PairwiseDistance(_FunctionLayer):
    """The p-norm of x - y + epsilon over the last axis: forward(x, y)."""
    @staticmethod
    def function(x: _Any, y: _Any, p: _float = 2.0, epsilon: _float = 1e-06, keepdim: _bool = False, name: _str | None = None) -> _Any:
        """The p-norm of x - y + epsilon over the last axis."""
    settings: _dict
    shown: _dict

class PixelShuffle(_Rearrangement):
    """Images [n, c r², h, w] as [n, c, h r, w r]."""
    @staticmethod
    def function(x: _Any, upscale_factor: _int, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """Images [n, c r², h, w] as [n, c, h r, w r] (Shi et al., 2016)."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def upscale_factor(self: _Any) -> _Any: ...
    @upscale_factor.setter
    def upscale_factor(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class PixelUnshuffle(_Rearrangement):
    """Images [n, c, h r, w r] as [n, c r², h, w]."""
    @staticmethod
    def function(x: _Any, downscale_factor: _int, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """Images [n, c, h r, w r] as [n, c r², h, w]: the inverse of pixel_shuffle."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def downscale_factor(self: _Any) -> _Any: ...
    @downscale_factor.setter
    def downscale_factor(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class Unflatten(_Layer):
    """One axis as several, of sizes `shape` (one may be -1)."""
    axis: _int
    shape: _Any
    name: _str | None
    def __init__(self, axis: _int, shape: _Any, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class Unfold(_FunctionLayer):
    """The elements under each window of images as a column: [n, c kh kw, windows]."""
    @staticmethod
    def function(x: _Any, kernel_sizes: _Any, strides: _Any = 1, paddings: _Any = 0, dilations: _Any = 1, name: _str | None = None) -> _Any:
        """The elements under each window of images [n, c, h, w] as a column: [n, c kh kw, windows] (im2col)."""
    settings: _dict
    shown: _dict

class Upsample(_FunctionLayer):
    """Images resized; see functional.interpolate."""
    @staticmethod
    def function(x: _Any, size: _Any = None, scale_factor: _Any = None, mode: _str = 'nearest', align_corners: _bool = False, align_mode: _int = 0, data_format: _str | None = None, recompute_scale_factor: _bool | None = None, name: _str | None = None, antialias: _bool = False) -> _Any:
        """Images [n, c, …] resized to `size`, or by `scale_factor`.

        mode: "nearest", "linear" (rank 3), "bilinear", "bicubic" (4), "trilinear" (5), "area" (averages).
        align_corners: the centres of the corner elements stay; else the edges do, or with align_mode=1 the elements'.
        An axis of an image that gets one element is read at its beginning, as PaddlePaddle does (not in its middle).
        Errors: ArgumentError for an unknown mode or one of another rank, without exactly one of size and scale_factor, or
        with antialias, which PaddlePaddle has for linear and cubic modes."""
    settings: _dict
    shown: _dict
    told_if: _frozenset

class UpsamplingBilinear2D(UpsamplingNearest2D):
    """Images resized between the centres of their corner elements, linearly along both axes."""

class UpsamplingNearest2D(_FunctionLayer):
    """Images resized, each element a copy of the nearest one."""
    @staticmethod
    def function(x: _Any, size: _Any = None, scale_factor: _Any = None, mode: _str = 'nearest', align_corners: _bool = False, align_mode: _int = 0, data_format: _str | None = None, recompute_scale_factor: _bool | None = None, name: _str | None = None, antialias: _bool = False) -> _Any:
        """Images [n, c, …] resized to `size`, or by `scale_factor`.

        mode: "nearest", "linear" (rank 3), "bilinear", "bicubic" (4), "trilinear" (5), "area" (averages).
        align_corners: the centres of the corner elements stay; else the edges do, or with align_mode=1 the elements'.
        An axis of an image that gets one element is read at its beginning, as PaddlePaddle does (not in its middle).
        Errors: ArgumentError for an unknown mode or one of another rank, without exactly one of size and scale_factor, or
        with antialias, which PaddlePaddle has for linear and cubic modes."""
    settings: _dict
    shown: _dict
    told_if: _frozenset
