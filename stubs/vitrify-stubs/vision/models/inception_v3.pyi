# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.vision.models.conv_norm import ConvNorm as _ConvNorm

class InceptionV3(_Layer):
    """For images f32[n, 3, h, w], 299×299 in the paper and 75×75 at least; scores f32[n, num_classes].

    Source: Szegedy, Vanhoucke, Ioffe, Shlens, Wojna, Rethinking the Inception architecture for computer vision, 2016."""
    num_classes: _int
    with_pool: _bool
    inception_stem: InceptionStem
    inception_block_list: _Any
    avg_pool: _Any
    dropout: _Any
    fc: _Any
    def __init__(self, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Scores of images."""

class InceptionStem(_Layer):
    """The convolutions and poolings before the blocks."""
    conv_1a_3x3: _ConvNorm
    conv_2a_3x3: _ConvNorm
    conv_2b_3x3: _ConvNorm
    max_pool: _Any
    conv_3b_1x1: _ConvNorm
    conv_4a_3x3: _ConvNorm
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """The stem's output."""
