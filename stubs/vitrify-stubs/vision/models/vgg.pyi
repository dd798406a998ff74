# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class VGG(_Layer):
    """Convolutions `features`, then linear layers: images f32[n, 3, h, w] to scores f32[n, num_classes].

    Source: Simonyan, Zisserman, Very deep convolutional networks for large-scale image recognition, 2015."""
    features: _Layer
    num_classes: _int
    with_pool: _bool
    avgpool: _Any
    classifier: _Any
    def __init__(self, features: _Layer, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Scores of images."""
