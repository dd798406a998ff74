# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer_settings import FunctionLayer as _FunctionLayer

class AdaptiveAvgPool1D(_Pool):
    """Averages over a grid of output_size windows that cover a sequence."""
    @staticmethod
    def function(x: _Any, output_size: _Any, name: _str | None = None) -> _Any:
        """Averages over `output_size` windows that cover sequences [n, c, l]."""
    settings: _dict

class _Pool(_FunctionLayer):
    """Shows no name."""
    shows_name: _bool

class AdaptiveAvgPool2D(_Pool):
    """Averages over a grid of output_size windows that cover an image; None keeps an axis.

    >>> from ...ops.create import zeros
    >>> AdaptiveAvgPool2D(1)(zeros([1, 3, 8, 8])).shape
    [1, 3, 1, 1]"""
    @staticmethod
    def function(x: _Any, output_size: _Any, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """Averages over a grid of `output_size` windows that cover the image; None keeps an axis.

        Windows overlap by one where the size doesn't divide; the averages are then products with two small matrices."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def output_size(self: _Any) -> _Any: ...
    @output_size.setter
    def output_size(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class AdaptiveAvgPool3D(_Pool):
    """Averages over a grid of output_size windows that cover a volume; None keeps an axis."""
    @staticmethod
    def function(x: _Any, output_size: _Any, data_format: _str = 'NCDHW', name: _str | None = None) -> _Any:
        """Averages over a grid of `output_size` windows that cover volumes [n, c, d, h, w]; None keeps an axis."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def output_size(self: _Any) -> _Any: ...
    @output_size.setter
    def output_size(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class AdaptiveMaxPool1D(_Pool):
    """Maxima over a grid of output_size windows that cover a sequence; with return_mask also their places."""
    @staticmethod
    def function(x: _Any, output_size: _Any, return_mask: _bool = False, name: _str | None = None) -> _Any:
        """Maxima over `output_size` windows that cover sequences [n, c, l]; with `return_mask` also their places."""
    settings: _dict

class AdaptiveMaxPool2D(_Pool):
    """Maxima over a grid of output_size windows that cover an image; with return_mask also their places."""
    @staticmethod
    def function(x: _Any, output_size: _Any, return_mask: _bool = False, name: _str | None = None) -> _Any:
        """Maxima over a grid of `output_size` windows that cover images; None keeps an axis."""
    settings: _dict
    stored: _dict
    @property
    def output_size(self: _Any) -> _Any: ...
    @output_size.setter
    def output_size(self, value: _Any) -> None: ...
    @property
    def return_mask(self: _Any) -> _Any: ...
    @return_mask.setter
    def return_mask(self, value: _Any) -> None: ...

class AdaptiveMaxPool3D(_Pool):
    """Maxima over a grid of output_size windows that cover a volume; with return_mask also their places."""
    @staticmethod
    def function(x: _Any, output_size: _Any, return_mask: _bool = False, name: _str | None = None) -> _Any:
        """Maxima over a grid of `output_size` windows that cover volumes; None keeps an axis."""
    settings: _dict
    stored: _dict
    @property
    def output_size(self: _Any) -> _Any: ...
    @output_size.setter
    def output_size(self, value: _Any) -> None: ...
    @property
    def return_mask(self: _Any) -> _Any: ...
    @return_mask.setter
    def return_mask(self, value: _Any) -> None: ...

class AvgPool1D(_Pool):
    """The average of each window of a sequence; `exclusive` leaves padding out of the count."""
    @staticmethod
    def function(x: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, exclusive: _bool = True, ceil_mode: _bool = False, name: _str | None = None) -> _Any:
        """The average of each window of sequences [n, c, l]."""
    settings: _dict
    shown: _dict

class AvgPool2D(_Pool):
    """The average of each window of an image; `exclusive` leaves padding out of the count."""
    @staticmethod
    def function(x: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, exclusive: _bool = True, divisor_override: _int | None = None, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """The average of each window; `exclusive` leaves padding out of the count.

        divisor_override replaces the size of the window: averages are multiplied by that size and divided by this number."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...
    @property
    def divisor_override(self: _Any) -> _Any: ...
    @divisor_override.setter
    def divisor_override(self, value: _Any) -> None: ...

class AvgPool3D(_Pool):
    """The average of each window of a volume; `exclusive` leaves padding out of the count."""
    @staticmethod
    def function(x: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, exclusive: _bool = True, divisor_override: _int | None = None, data_format: _str = 'NCDHW', name: _str | None = None) -> _Any:
        """The average of each window of volumes; `exclusive` leaves padding out of the count; see avg_pool2d."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...
    @property
    def divisor_override(self: _Any) -> _Any: ...
    @divisor_override.setter
    def divisor_override(self, value: _Any) -> None: ...

class FractionalMaxPool2D(_Pool):
    """Maxima over output_size windows of an image; random_u of (0, 1), else drawn, chooses where they lie."""
    @staticmethod
    def function(x: _Any, output_size: _Any, kernel_size: _Any = None, random_u: _float | None = None, return_mask: _bool = False, name: _str | None = None) -> _Any:
        """Maxima over `output_size` windows of images; random_u of (0, 1), drawn unless given, chooses where they lie."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def output_size(self: _Any) -> _Any: ...
    @output_size.setter
    def output_size(self, value: _Any) -> None: ...
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...
    @property
    def random_u(self: _Any) -> _Any: ...
    @random_u.setter
    def random_u(self, value: _Any) -> None: ...
    @property
    def return_mask(self: _Any) -> _Any: ...
    @return_mask.setter
    def return_mask(self, value: _Any) -> None: ...

class FractionalMaxPool3D(_Pool):
    """Maxima over output_size windows of a volume; random_u of (0, 1), else drawn, chooses where they lie."""
    @staticmethod
    def function(x: _Any, output_size: _Any, kernel_size: _Any = None, random_u: _float | None = None, return_mask: _bool = False, name: _str | None = None) -> _Any:
        """Maxima over `output_size` windows of volumes; random_u of (0, 1), drawn unless given, chooses where they lie."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def output_size(self: _Any) -> _Any: ...
    @output_size.setter
    def output_size(self, value: _Any) -> None: ...
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...
    @property
    def random_u(self: _Any) -> _Any: ...
    @random_u.setter
    def random_u(self, value: _Any) -> None: ...
    @property
    def return_mask(self: _Any) -> _Any: ...
    @return_mask.setter
    def return_mask(self, value: _Any) -> None: ...

class LPPool1D(_LPPool):
    """(the sum of x ** norm_type over each window) ** (1 / norm_type) of a sequence."""
    @staticmethod
    def function(x: _Any, norm_type: _float, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, data_format: _str = 'NCL', name: _str | None = None) -> _Any:
        """(the sum of x ** p over each window) ** (1 / p) of sequences [n, c, l]."""
    settings: _dict
    shown: _dict

class _LPPool(_Pool):
    """(the sum of x ** norm_type over each window) ** (1 / norm_type)."""

class LPPool2D(_LPPool):
    """(the sum of x ** norm_type over each window) ** (1 / norm_type) of an image."""
    @staticmethod
    def function(x: _Any, norm_type: _float, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, ceil_mode: _bool = False, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """(the sum of x ** p over each window) ** (1 / p) of images; p = inf: the maximum."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...

class MaxPool1D(_Pool):
    """The maximum of each window of a sequence; with return_mask also its place in the flat sequence."""
    @staticmethod
    def function(x: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _bool = False, ceil_mode: _bool = False, name: _str | None = None) -> _Any:
        """The maximum of each window of sequences [n, c, l]; with `return_mask` also its place."""
    settings: _dict
    shown: _dict

class MaxPool2D(_Pool):
    """The maximum of each window of an image; with return_mask also its place in the flat image.

    >>> from ...ops.create import zeros
    >>> MaxPool2D(2)(zeros([1, 3, 8, 8])).shape
    [1, 3, 4, 4]"""
    @staticmethod
    def function(x: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _bool = False, ceil_mode: _bool = False, data_format: _str = 'NCHW', name: _str | None = None) -> _Any:
        """The maximum of each window; with `return_mask` also its place, row * width + column, in int32."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...

class MaxPool3D(_Pool):
    """The maximum of each window of a volume; with return_mask also its place in the flat volume."""
    @staticmethod
    def function(x: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _bool = False, ceil_mode: _bool = False, data_format: _str = 'NCDHW', name: _str | None = None) -> _Any:
        """The maximum of each window of volumes [n, c, d, h, w]; with `return_mask` also its place in the flat volume."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...

class MaxUnPool1D(_Pool):
    """Zeros with x at the places that MaxPool1D(return_mask=True) gave: forward(x, indices)."""
    @staticmethod
    def function(x: _Any, indices: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, data_format: _str = 'NCL', output_size: _Any = None, name: _str | None = None) -> _Any:
        """Sequences of zeros with x at the places `indices` that max_pool1d(return_mask=True) gave."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...

class MaxUnPool2D(_Pool):
    """Zeros with x at the places that MaxPool2D(return_mask=True) gave: forward(x, indices)."""
    @staticmethod
    def function(x: _Any, indices: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, data_format: _str = 'NCHW', output_size: _Any = None, name: _str | None = None) -> _Any:
        """Images of zeros with x at the places `indices` that max_pool2d(return_mask=True) gave."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...

class MaxUnPool3D(_Pool):
    """Zeros with x at the places that MaxPool3D(return_mask=True) gave: forward(x, indices)."""
    @staticmethod
    def function(x: _Any, indices: _Any, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, data_format: _str = 'NCDHW', output_size: _Any = None, name: _str | None = None) -> _Any:
        """Volumes of zeros with x at the places `indices` that max_pool3d(return_mask=True) gave."""
    settings: _dict
    shown: _dict
    stored: _dict
    @property
    def kernel_size(self: _Any) -> _Any: ...
    @kernel_size.setter
    def kernel_size(self, value: _Any) -> None: ...
