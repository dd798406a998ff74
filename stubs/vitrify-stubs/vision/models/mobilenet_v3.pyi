# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.vision.models.conv_norm import ConvNorm as _ConvNorm

class MobileNetV3Large(MobileNetV3):
    """The large network of 15 blocks: images f32[n, 3, h, w] to scores f32[n, num_classes].

    Source: Howard and others, Searching for MobileNetV3, 2019."""
    def __init__(self, scale: _float = 1.0, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class MobileNetV3(_Layer):
    """Blocks `config`, then linear layers: images f32[n, 3, h, w] to scores f32[n, num_classes]. scale: of the widths.

    Source: Howard and others, Searching for MobileNetV3, 2019."""
    config: _Any
    scale: _float
    last_channel: _int
    num_classes: _int
    with_pool: _bool
    conv: _ConvNorm
    blocks: _Any
    lastconv_output_channels: _Any
    lastconv: _ConvNorm
    avgpool: _Any
    classifier: _Any
    def __init__(self, config: _Any, last_channel: _int, scale: _float = 1.0, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Scores of images."""

class MobileNetV3Small(MobileNetV3):
    """The small network of 11 blocks: images f32[n, 3, h, w] to scores f32[n, num_classes].

    Source: Howard and others, Searching for MobileNetV3, 2019."""
    def __init__(self, scale: _float = 1.0, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
