# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class SqueezeNet(_Layer):
    """Fire modules: images f32[n, 3, h, w] to scores f32[n, num_classes]. version: "1.0" or "1.1".

    Source: Iandola, Han, Moskewicz, Ashraf, Dally, Keutzer, SqueezeNet: AlexNet-level accuracy with 50x fewer
    parameters and < 0.5MB model size, 2016."""
    version: _str
    num_classes: _int
    with_pool: _bool
    def __init__(self, version: _str, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, inputs: _Any) -> _Tensor:
        """Scores of images."""
