# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.norm import BatchNorm1D as _BatchNorm1D
from vitrify.dygraph.tensor import Tensor as _Tensor

class BatchNorm(_Layer):
    """Normalises the values [n, channels] of a sparse tensor whose last axis is dense, channel by channel."""
    norm: _BatchNorm1D
    def __init__(self, num_features: _int, momentum: _float = 0.9, epsilon: _float = 1e-05, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NDHWC', use_global_stats: _bool | None = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor [..., channels]."""

class LeakyReLU(_Layer):
    """The values, negative ones times `negative_slope`."""
    negative_slope: _float
    def __init__(self, negative_slope: _float = 0.01, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Of a sparse tensor."""

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
