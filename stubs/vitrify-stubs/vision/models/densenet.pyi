# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class DenseNet(_Layer):
    """For images f32[n, 3, h, w]; scores f32[n, num_classes]. layers: 121, 161, 169, 201 or 264.

    bn_size: channels between a layer's two convolutions, for each channel that it adds.
    Source: Huang, Liu, van der Maaten, Weinberger, Densely connected convolutional networks, 2017."""
    num_classes: _int
    with_pool: _bool
    conv1_func: ConvThenNorm
    pool2d_max: _Any
    last_channel: _Any
    batch_norm: _Any
    pool2d_avg: _Any
    out: _Any
    def __init__(self, layers: _int = 121, bn_size: _int = 4, dropout: _float = 0.0, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Scores of images."""

class ConvThenNorm(_Layer):
    """Convolution, batch norm, ReLU."""
    def __init__(self, inputs: _int, outputs: _int, kernel: _int, stride: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """The unit's output."""
