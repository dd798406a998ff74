# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.container import Sequential as _Sequential

class ConvNorm(_Sequential):
    """Convolution without a bias, batch norm and an activation.

    padding: None keeps the size of images for stride 1. norm: makes the norm from the number of channels."""
    def __init__(self, inputs: _int, outputs: _int, kernel: _Any, stride: _int = 1, groups: _int = 1, *, activation: _Any = ..., padding: _Any = None, norm: _Any = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
