# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class AlexNet(_Layer):
    """For images f32[n, 3, 224, 224]; scores f32[n, num_classes].

    Source: Krizhevsky, Sutskever, Hinton, ImageNet classification with deep convolutional neural networks, 2012."""
    num_classes: _int
    def __init__(self, num_classes: _int = 1000) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, inputs: _Any) -> _Tensor:
        """Scores of images."""

class LeNet(_Layer):
    """For images f32[n, 1, 28, 28]; scores f32[n, num_classes] (without the linear layers for num_classes=0).

    Source: LeCun, Bottou, Bengio, Haffner, Gradient-based learning applied to document recognition, 1998.

    >>> import vitrify as vt
    >>> LeNet()(vt.zeros([2, 1, 28, 28])).shape
    [2, 10]"""
    num_classes: _int
    features: _Any
    fc: _Any
    def __init__(self, num_classes: _int = 10) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, inputs: _Any) -> _Tensor:
        """Scores of images."""
