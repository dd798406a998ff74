# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer

class GoogLeNet(_Layer):
    """For images f32[n, 3, 224, 224]: (scores, scores of a first branch, of a second), f32[n, num_classes] each.

    The branches leave after modules 4a and 4d; they help training. Scores need with_pool=True.
    Source: Szegedy and others, Going deeper with convolutions, 2015."""
    num_classes: _int
    with_pool: _bool
    def __init__(self, num_classes: _int = 1000, with_pool: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, inputs: _Any) -> _Any:
        """Three tensors of scores of images."""
