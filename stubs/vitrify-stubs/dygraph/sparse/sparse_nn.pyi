# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.layer_state import FormerItem as _FormerItem
from vitrify.dygraph.nn.norm import BatchNorm1D as _BatchNorm1D
from vitrify.dygraph.nn.norm import SyncBatchNorm as _SyncBatchNorm
from vitrify.dygraph.tensor import Parameter as _Parameter
from vitrify.dygraph.tensor import Tensor as _Tensor

class BatchNorm(_BatchNorm1D):
    """Normalises the values [n, channels] of a sparse tensor whose last axis is dense, channel by channel."""
    def __init__(self, num_features: _int, momentum: _float = 0.9, epsilon: _float = 1e-05, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NDHWC', use_global_stats: _bool | None = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def former_state(self) -> _tuple[_FormerItem, ...]:
        """Parameters that an earlier release kept under other names or in other shapes; they are read in both."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor [..., channels]."""

class Conv2D(_Conv):
    """Correlation of sparse images [n, h, w, in] with filters [kh, kw, in, out]; see `functional.conv2d`."""
    rank: _int
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NHWC', name: _str | None = None) -> _Any:
        """The correlation of sparse images [n, h, w, c] with filters [kh, kw, c, out], plus a bias [out] where sites are.

        Results are where a site lies under the filter, sorted. Errors: ShapeError; ArgumentError for groups above 1."""

class _Conv(_Layer):
    function: _Any
    weight: _Parameter
    bias: _Parameter
    rank: _int
    def __init__(self, in_channels: _int, out_channels: _int, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, padding_mode: _str = 'zeros', weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor [n, ..., in_channels]."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class Conv3D(_Conv):
    """Correlation of sparse volumes [n, d, h, w, in] with filters [kd, kh, kw, in, out]; see `functional.conv3d`.

    >>> from vitrify import sparse
    >>> x = sparse.sparse_coo_tensor([[0, 0], [0, 0], [0, 0], [1, 3]], [[1.0], [2.0]], [1, 1, 1, 4, 1])
    >>> Conv3D(1, 5, (1, 1, 2))(x).shape
    [1, 1, 1, 3, 5]"""
    rank: _int
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NDHWC', name: _str | None = None) -> _Any:
        """The correlation of sparse volumes [n, d, h, w, c] with filters [kd, kh, kw, c, out]; see `conv2d`.

        >>> from vitrify import ones, sparse
        >>> x = sparse.sparse_coo_tensor([[0, 0], [0, 0], [0, 0], [1, 3]], [[1.0], [2.0]], [1, 1, 1, 4, 1])
        >>> conv3d(x, ones([1, 1, 2, 1, 1])).values().tolist()
        [[1.0], [1.0], [2.0]]"""

class LeakyReLU(_Layer):
    """The values, negative ones times `negative_slope`."""
    negative_slope: _float
    def __init__(self, negative_slope: _float = 0.01, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor."""

class MaxPool3D(_Layer):
    """The largest value of the sites under each window; see `functional.max_pool3d`. It gives no mask."""
    ksize: _Any
    stride: _Any
    padding: _Any
    ceil_mode: _bool
    data_format: _str
    def __init__(self, kernel_size: _Any, stride: _Any = None, padding: _Any = 0, return_mask: _bool = False, ceil_mode: _bool = False, data_format: _str = 'NDHWC', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor [n, d, h, w, channels]."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class ReLU(_Layer):
    """The positive part of the values."""
    def __init__(self, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor."""

class ReLU6(_Layer):
    """The part of the values between 0 and 6."""
    def __init__(self, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor."""

class Softmax(_Layer):
    """The softmax of each row's values."""
    axis: _int
    def __init__(self, axis: _int = -1, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor."""

class SubmConv2D(_SubmConv):
    """As `Conv2D`, with results at the sites of the input only; see `functional.subm_conv2d`."""
    rank: _int
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NHWC', key: _str | None = None, name: _str | None = None) -> _Any:
        """As `conv2d`, with the filter's middle at each site, and results at the sites of the input only.

        stride and padding mean nothing, as in PaddlePaddle. `key` is accepted: nothing is stored under it.
        Errors: ShapeError; ArgumentError for groups above 1, a dilation, or a filter of an even size."""

class _SubmConv(_Conv):
    def __init__(self, in_channels: _int, out_channels: _int, kernel_size: _Any, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, padding_mode: _str = 'zeros', key: _str | None = None, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str | None = None, backend: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class SubmConv3D(_SubmConv):
    """As `Conv3D`, with results at the sites of the input only; see `functional.subm_conv3d`."""
    rank: _int
    @staticmethod
    def function(x: _Any, weight: _Any, bias: _Any = None, stride: _Any = 1, padding: _Any = 0, dilation: _Any = 1, groups: _int = 1, data_format: _str = 'NDHWC', key: _str | None = None, name: _str | None = None) -> _Any:
        """As `subm_conv2d`, of sparse volumes [n, d, h, w, c] and filters [kd, kh, kw, c, out]."""

class SyncBatchNorm(_SyncBatchNorm):
    """`BatchNorm` that trains with the statistics of all ranks' values together; see `nn.SyncBatchNorm`."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor [..., channels]."""
    @classmethod
    def convert_sync_batchnorm(cls, layer: _Any) -> _Any:
        """The layer with every batch normalisation in it, dense or sparse, made one of all ranks."""
