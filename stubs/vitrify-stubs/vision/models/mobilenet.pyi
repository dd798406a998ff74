# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.vision.models.conv_norm import ConvNorm as _ConvNorm

class MobileNetV1(_Layer):
    """Depthwise-separable convolutions: images f32[n, 3, h, w] to scores f32[n, num_classes]. scale: of the widths.

    Source: Howard and others, MobileNets: efficient convolutional neural networks for mobile vision applications, 2017."""
    last_channel: _int
    scale: _float
    num_classes: _int
    with_pool: _bool
    conv1: _ConvNorm
    pool2d_avg: _Any
    fc: _Any
    BLOCKS: _tuple
    def __init__(self, scale: _float = 1.0, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Scores of images."""

class MobileNetV2(_Layer):
    """Inverted residuals: images f32[n, 3, h, w] to scores f32[n, num_classes]. scale: of the widths.

    Source: Sandler, Howard, Zhu, Zhmoginov, Chen, MobileNetV2: inverted residuals and linear bottlenecks, 2018."""
    num_classes: _int
    with_pool: _bool
    last_channel: _Any
    features: _Any
    pool2d_avg: _Any
    classifier: _Any
    STAGES: _tuple
    def __init__(self, scale: _float = 1.0, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Scores of images."""
