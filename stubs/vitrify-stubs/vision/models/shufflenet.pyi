# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class ShuffleNetV2(_Layer):
    """For images f32[n, 3, h, w]; scores f32[n, num_classes]. scale: of the widths; act: "relu", "swish" or None.

    Source: Ma, Zhang, Zheng, Sun, ShuffleNet V2: practical guidelines for efficient CNN architecture design, 2018."""
    scale: _float
    num_classes: _int
    with_pool: _bool
    last_channel: _Any
    def __init__(self, scale: _float = 1.0, act: _str | None = 'relu', num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, inputs: _Any) -> _Tensor:
        """Scores of images."""
