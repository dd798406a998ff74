# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Parameter as _Parameter
from vitrify.dygraph.tensor import Tensor as _Tensor

class Bilinear(_Layer):
    """x1 · weight[k] · x2 + bias[k] for each k; x1 [n, in1], x2 [n, in2], weight [out, in1, in2], bias [1, out]."""
    weight: _Parameter
    bias: _Parameter
    def __init__(self, in1_features: _int, in2_features: _int, out_features: _int, weight_attr: _Any = None, bias_attr: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x1: _Any, x2: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class Flatten(_Layer):
    """The axes from start_axis to stop_axis as one."""
    start_axis: _int
    stop_axis: _int
    def __init__(self, start_axis: _int = 1, stop_axis: _int = -1) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class Identity(_Layer):
    """Its input; takes any arguments when it is made."""
    def __init__(self, *args: _Any, **kwargs: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Any:
        """What the layer computes; each subclass defines it."""

class Linear(_Layer):
    """x @ weight + bias, for x [..., in_features]; weight [in_features, out_features], bias [out_features].

    Errors: ShapeError when x doesn't end in in_features.

    >>> from ..conversions import to_tensor
    >>> Linear(3, 4)(to_tensor([[1.0, 2.0, 3.0]])).shape
    [1, 4]"""
    in_features: _int
    out_features: _int
    name: _str | None
    weight: _Parameter
    bias: _Parameter
    def __init__(self, in_features: _int, out_features: _int, weight_attr: _Any = None, bias_attr: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""
