# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Parameter as _Parameter
from vitrify.dygraph.tensor import Tensor as _Tensor

class Conv1D(_Conv):
    """Correlation of sequences [n, in, l] with filters [out, in / groups, k], plus bias [out].

    >>> from ...ops.create import zeros
    >>> Conv1D(2, 3, 3, padding=1)(zeros([1, 2, 8])).shape
    [1, 3, 8]"""
    def __init__(self, in_channels: _int, out_channels: _int, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, padding_mode: _str = 'zeros', weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCL', *, bias: _bool = True, device: _Any = None, dtype: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class _Conv(_Layer):
    output_padding: _Any
    weight: _Parameter
    bias: _Parameter
    @property
    def in_channels(self: _Any) -> _Any: ...
    @in_channels.setter
    def in_channels(self, value: _Any) -> None: ...
    @property
    def out_channels(self: _Any) -> _Any: ...
    @out_channels.setter
    def out_channels(self, value: _Any) -> None: ...
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...
    @property
    def stride(self: _Any) -> _Any: ...
    @stride.setter
    def stride(self, value: _Any) -> None: ...
    @property
    def dilation(self: _Any) -> _Any: ...
    @dilation.setter
    def dilation(self, value: _Any) -> None: ...
    @property
    def groups(self: _Any) -> _Any: ...
    @groups.setter
    def groups(self, value: _Any) -> None: ...
    @property
    def padding(self: _Any) -> _Any: ...
    @padding.setter
    def padding(self, value: _Any) -> None: ...
    @property
    def padding_mode(self: _Any) -> _Any: ...
    @padding_mode.setter
    def padding_mode(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...
    def __init__(self, in_channels: _int, out_channels: _int, window: _Window, groups: _int, weight_attr: _Any, bias_attr: _Any, dtype: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class _Window:
    """Which elements of the input the filters meet, and how."""
    kernel: _tuple[_int, ...]
    stride: _Any
    padding: _Any
    dilation: _Any
    data_format: _str
    padding_mode: _str
    transposed: _bool
    output_padding: _Any
    def __init__(self, kernel: _tuple[_int, ...], stride: _Any, padding: _Any, dilation: _Any, data_format: _str, padding_mode: _str = 'zeros', transposed: _bool = False, output_padding: _Any = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Conv1DTranspose(_Transposed):
    """The transpose of Conv1D: sequences [n, in, l], filters [in, out / groups, k], bias [out]."""
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, groups: _int = 1, dilation: _Any = 1, output_size: _Any = None, data_format: _str = 'NCL', name: _str | None = None) -> _Any:
        """The transposed convolution of sequences [n, c, l] with filters [c, out / groups, k], plus a bias [out].

        The length is (l - 1) * stride - padding + dilation * (k - 1) + 1 + output_padding, or `output_size`."""
    def __init__(self, in_channels: _int, out_channels: _int, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, groups: _int = 1, dilation: _Any = 1, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCL') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class _Transposed(_Conv):
    function: _Any
    def forward(self, x: _Any, output_size: _Any = None) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class Conv2D(_Spatial):
    """Correlation of images [n, in, h, w] with filters [out, in / groups, kh, kw], plus bias [out].

    padding: an int, two, four (top, bottom, left, right), pairs, "SAME" or "VALID".

    >>> from ...ops.create import zeros
    >>> Conv2D(1, 8, 3, padding=1)(zeros([2, 1, 28, 28])).shape
    [2, 8, 28, 28]"""
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """The correlation of images [n, c, h, w] with filters [out, c / groups, kh, kw], plus a bias [out].

        padding: an int, two (rows, columns), four (top, bottom, left, right), pairs, "SAME" (without dilation) or "VALID"."""
    def __init__(self, in_channels: _int, out_channels: _int, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, padding_mode: _str = 'zeros', weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCHW', *, bias: _bool = True, device: _Any = None, dtype: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class _Spatial(_Conv):
    """Conv2D and Conv3D: `forward` reads the padding from `_updated_padding`, or `_padding_algorithm` if that isn't
    "EXPLICIT". They follow from `padding`; setting `_padding` alone does nothing, as in PaddlePaddle."""
    function: _Any
    @property
    def padding(self) -> _Any: ...
    @padding.setter
    def padding(self, value: _Any) -> None: ...
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class Conv2DTranspose(_Transposed):
    """The transpose of Conv2D: images [n, in, h, w], filters [in, out / groups, kh, kw], bias [out].

    The size is (h - 1) * stride - padding + dilation * (kh - 1) + 1 + output_padding, or `output_size` of the call."""
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, groups: _int = 1, dilation: _Any = 1, output_size: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """The transposed convolution of images [n, c, h, w] with filters [c, out / groups, kh, kw], plus a bias [out].

        The size is (h - 1) * stride - padding + dilation * (kh - 1) + 1 + output_padding, or `output_size`."""
    def __init__(self, in_channels: _int, out_channels: _int, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCHW') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Conv3D(_Spatial):
    """Correlation of volumes [n, in, d, h, w] with filters [out, in / groups, kd, kh, kw], plus bias [out]."""
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NCDHW', name: _str | None = None) -> _Any:
        """The correlation of volumes [n, c, d, h, w] with filters [out, c / groups, kd, kh, kw], plus a bias [out].

        padding: an int, three, six (front, back, top, bottom, left, right), pairs, "SAME" or "VALID"."""
    def __init__(self, in_channels: _int, out_channels: _int, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, padding_mode: _str = 'zeros', weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCDHW', *, bias: _bool = True, device: _Any = None, dtype: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Conv3DTranspose(_Transposed):
    """The transpose of Conv3D: volumes [n, in, d, h, w], filters [in, out / groups, kd, kh, kw], bias [out]."""
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, groups: _int = 1, dilation: _Any = 1, output_size: _Any = None, data_format: _str = 'NCDHW', name: _str | None = None) -> _Any:
        """The transposed convolution of volumes [n, c, d, h, w] with filters [c, out / groups, kd, kh, kw]."""
    def __init__(self, in_channels: _int, out_channels: _int, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, output_padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCDHW') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
