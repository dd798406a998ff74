# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class AlphaDropout(_Layer):
    """Dropout for networks with selu: keeps mean 0 and variance 1."""
    p: _Any
    name: _str | None
    def __init__(self, p: _float = 0.5, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class Dropout(_Layer):
    """Each element is 0 with probability `p` while training; see functional.dropout for `axis` and `mode`.

    >>> from ..conversions import to_tensor
    >>> Dropout(0.9).eval()(to_tensor([1.0, 2.0])).tolist()
    [1.0, 2.0]"""
    inplace: _Any
    name: _str | None
    p: _Any
    axis: _Any
    mode: _str
    def __init__(self, p: _float = 0.5, inplace: _Any = False, axis: _Any = None, mode: _str = 'upscale_in_train', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class Dropout2D(_Layer):
    """Whole channels of images [n, c, h, w] are 0 with probability `p` while training."""
    p: _Any
    data_format: _str
    name: _str | None
    def __init__(self, p: _float = 0.5, data_format: _str = 'NCHW', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class Dropout3D(_Layer):
    """Whole channels of volumes [n, c, d, h, w] are 0 with probability `p` while training."""
    p: _Any
    data_format: _str
    name: _str | None
    def __init__(self, p: _float = 0.5, data_format: _str = 'NCDHW', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class FeatureAlphaDropout(AlphaDropout):
    """AlphaDropout of whole channels of [n, c, …]."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
