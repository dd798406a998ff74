"""Convolution layers of one to three dimensions and their transposes. Filters start from Normal(0, sqrt(2 / fan_in)),
as in Paddle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...base.errors import ArgumentError
from ...ops.conv import channels_last, ints, pair, single, spatial_padding
from . import functional as F
from .alias import alias, as_list
from .initializer import Normal
from .layer import Layer
from .linear_layers import chosen_attr, positive

__all__ = ["Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose"]


@dataclass(frozen=True)
class _Window:
    """Which elements of the input the filters meet, and how."""

    kernel: tuple[int, ...]
    stride: Any
    padding: Any
    dilation: Any
    data_format: str
    padding_mode: str = "zeros"
    transposed: bool = False
    output_padding: Any = 0  # of transposed convolutions alone


class _Conv(Layer):
    in_channels, out_channels, kernel_size = alias("_in_channels"), alias("_out_channels"), alias("_kernel_size")
    stride, dilation, groups = alias("_stride"), alias("_dilation"), alias("_groups")
    padding, padding_mode, data_format = alias("_padding"), alias("_padding_mode"), alias("_data_format")

    def __init__(
        self, in_channels: int, out_channels: int, window: _Window, groups: int, weight_attr: Any, bias_attr: Any,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(None, dtype)
        kernel, padding, padding_mode = window.kernel, window.padding, window.padding_mode
        positive(in_channels=in_channels, out_channels=out_channels, groups=groups)
        for name, count in (("in_channels", in_channels), ("out_channels", out_channels)):
            if count % groups:
                raise ArgumentError(f"{name} ({count}) must be a multiple of groups ({groups})")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ArgumentError(f"padding_mode must be zeros, reflect, replicate or circular, not {padding_mode!r}")
        if padding_mode != "zeros" and isinstance(padding, str):
            raise ArgumentError(f"padding_mode={padding_mode!r} needs padding in numbers, not {padding!r}")
        if weight_attr is False:
            raise ArgumentError(f"{type(self).__name__} can't do without its weight (weight_attr=False)")
        rank = len(kernel)
        self._in_channels, self._out_channels, self._kernel_size = in_channels, out_channels, list(kernel)
        self._stride, self._dilation = as_list(window.stride, rank), as_list(window.dilation, rank)
        self._groups, self._padding_mode, self._data_format = groups, padding_mode, window.data_format
        self.output_padding = window.output_padding
        self._param_attr, self._bias_attr = weight_attr, bias_attr
        self._put_padding(padding)
        first, second = (in_channels, out_channels) if window.transposed else (out_channels, in_channels)
        fan_in = math.prod(kernel) * in_channels
        self.weight = self.create_parameter(
            [first, second // groups, *kernel],
            weight_attr,
            default_initializer=None if window.transposed else Normal(0.0, math.sqrt(2.0 / fan_in)),
        )
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def _put_padding(self, padding: Any) -> None:
        """Keep the padding as it was given and, for `padding_mode`s other than zeros, as the margins of `pad`."""
        self._padding = padding
        if self._padding_mode != "zeros":
            pads = self._pads(padding)
            self._reversed_padding_repeated_twice = [size for both in reversed(pads) for size in both]

    def _pads(self, padding: Any) -> Any:
        rank = len(self._kernel_size)
        return spatial_padding(padding, rank, channels_last(type(self).__name__, self._data_format, rank))

    def _padded(self, x: Any) -> Any:
        """The input with margins of another kind than zeros."""
        margins = self._reversed_padding_repeated_twice
        return F.pad(x, margins, mode=self._padding_mode, data_format=self._data_format)

    def extra_repr(self) -> str:
        text = f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"
        ones = [1] * len(self._kernel_size)
        usual = {
            "_stride": ones, "_padding": 0, "_padding_mode": "zeros", "output_padding": 0, "_dilation": ones,
            "_groups": 1,
        }  # fmt: skip
        for name, value in usual.items():
            if getattr(self, name) != value:
                text += f", {name.lstrip('_')}={getattr(self, name)}"
        return f"{text}, data_format={self._data_format}"


class Conv1D(_Conv):
    """Correlation of sequences [n, in, l] with filters [out, in / groups, k], plus bias [out].

    >>> from ...ops.create import zeros
    >>> Conv1D(2, 3, 3, padding=1)(zeros([1, 2, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCL", *, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        kernel = (single("kernel_size", kernel_size),)
        window = _Window(kernel, stride, padding, dilation, data_format, padding_mode)
        super().__init__(in_channels, out_channels, window, groups, weight_attr, chosen_attr(bias, bias_attr), dtype)

    def forward(self, x: Any) -> Any:
        x, padding = (x, self._padding) if self._padding_mode == "zeros" else (self._padded(x), 0)
        return F.conv1d(
            x, self.weight, self.bias, self._stride, padding, self._dilation, self._groups, self._data_format
        )


class _Spatial(_Conv):
    """Conv2D and Conv3D: `forward` reads the padding from `_updated_padding`, or `_padding_algorithm` if that isn't
    "EXPLICIT". They follow from `padding`; setting `_padding` alone does nothing, as in PaddlePaddle.
    """

    padding = property(lambda self: self._padding, lambda self, padding: self._put_padding(padding))
    function: Any = None

    def _put_padding(self, padding: Any) -> None:
        super()._put_padding(padding)
        pads = self._pads(padding if self._padding_mode == "zeros" else 0)
        named = isinstance(pads, str)
        self._padding_algorithm = pads if named else "EXPLICIT"
        pads = [(0, 0)] * len(self._kernel_size) if named else pads
        is_even = all(before == after for before, after in pads)
        self._updated_padding = [size for both in pads for size in (both[:1] if is_even else both)]

    def forward(self, x: Any) -> Any:
        x = x if self._padding_mode == "zeros" else self._padded(x)
        padding = self._updated_padding if self._padding_algorithm == "EXPLICIT" else self._padding_algorithm
        return type(self).function(
            x, self.weight, self.bias, self._stride, padding, self._dilation, self._groups, self._data_format
        )


class Conv2D(_Spatial):
    """Correlation of images [n, in, h, w] with filters [out, in / groups, kh, kw], plus bias [out].

    padding: an int, two, four (top, bottom, left, right), pairs, "SAME" or "VALID".

    >>> from ...ops.create import zeros
    >>> Conv2D(1, 8, 3, padding=1)(zeros([2, 1, 28, 28])).shape
    [2, 8, 28, 28]
    """

    function = staticmethod(F.conv2d)

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCHW", *, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        kernel = pair("kernel_size", kernel_size)
        window = _Window(kernel, stride, padding, dilation, data_format, padding_mode)
        super().__init__(in_channels, out_channels, window, groups, weight_attr, chosen_attr(bias, bias_attr), dtype)


class Conv3D(_Spatial):
    """Correlation of volumes [n, in, d, h, w] with filters [out, in / groups, kd, kh, kw], plus bias [out]."""

    function = staticmethod(F.conv3d)

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCDHW", *, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        kernel = ints("kernel_size", kernel_size, 3)
        window = _Window(kernel, stride, padding, dilation, data_format, padding_mode)
        super().__init__(in_channels, out_channels, window, groups, weight_attr, chosen_attr(bias, bias_attr), dtype)


class _Transposed(_Conv):
    function: Any = None

    def forward(self, x: Any, output_size: Any = None) -> Any:
        extra = 0 if output_size is not None else self.output_padding
        return type(self).function(
            x, self.weight, self.bias, self._stride, self._padding, extra, self._groups, self._dilation, output_size,
            self._data_format,
        )  # fmt: skip


class Conv1DTranspose(_Transposed):
    """The transpose of Conv1D: sequences [n, in, l], filters [in, out / groups, k], bias [out]."""

    function = staticmethod(F.conv1d_transpose)

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, dilation: Any = 1, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCL",
    ) -> None:  # fmt: skip
        kernel = ints("kernel_size", kernel_size, 1)
        window = _Window(kernel, stride, padding, dilation, data_format, transposed=True, output_padding=output_padding)
        super().__init__(in_channels, out_channels, window, groups, weight_attr, bias_attr)


class Conv2DTranspose(_Transposed):
    """The transpose of Conv2D: images [n, in, h, w], filters [in, out / groups, kh, kw], bias [out].

    The size is (h - 1) * stride - padding + dilation * (kh - 1) + 1 + output_padding, or `output_size` of the call.
    """

    function = staticmethod(F.conv2d_transpose)

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, dilation: Any = 1, groups: int = 1, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCHW",
    ) -> None:  # fmt: skip
        kernel = ints("kernel_size", kernel_size, 2)
        window = _Window(kernel, stride, padding, dilation, data_format, transposed=True, output_padding=output_padding)
        super().__init__(in_channels, out_channels, window, groups, weight_attr, bias_attr)


class Conv3DTranspose(_Transposed):
    """The transpose of Conv3D: volumes [n, in, d, h, w], filters [in, out / groups, kd, kh, kw], bias [out]."""

    function = staticmethod(F.conv3d_transpose)

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, dilation: Any = 1, groups: int = 1, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCDHW",
    ) -> None:  # fmt: skip
        kernel = ints("kernel_size", kernel_size, 3)
        window = _Window(kernel, stride, padding, dilation, data_format, transposed=True, output_padding=output_padding)
        super().__init__(in_channels, out_channels, window, groups, weight_attr, bias_attr)
