# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class Embedding(_Layer):
    """The rows of weight [num_embeddings, embedding_dim] that integers x [...] name: [..., embedding_dim].

    max_norm, scale_grad_by_freq: see functional.embedding. padding_idx (may count from the end): its row starts as
    zeros, is read as zeros and gets no gradient.
    Errors: AxisError for an integer outside the table; ArgumentError for such a padding_idx.

    >>> from ..conversions import to_tensor
    >>> Embedding(10, 3)(to_tensor([[1, 2]])).shape
    [1, 2, 3]"""
    weight: _Any
    @property
    def num_embeddings(self: _Any) -> _Any: ...
    @num_embeddings.setter
    def num_embeddings(self, value: _Any) -> None: ...
    @property
    def embedding_dim(self: _Any) -> _Any: ...
    @embedding_dim.setter
    def embedding_dim(self, value: _Any) -> None: ...
    @property
    def padding_idx(self: _Any) -> _Any: ...
    @padding_idx.setter
    def padding_idx(self, value: _Any) -> None: ...
    @property
    def max_norm(self: _Any) -> _Any: ...
    @max_norm.setter
    def max_norm(self, value: _Any) -> None: ...
    @property
    def norm_type(self: _Any) -> _Any: ...
    @norm_type.setter
    def norm_type(self, value: _Any) -> None: ...
    @property
    def sparse(self: _Any) -> _Any: ...
    @sparse.setter
    def sparse(self, value: _Any) -> None: ...
    @property
    def scale_grad_by_freq(self: _Any) -> _Any: ...
    @scale_grad_by_freq.setter
    def scale_grad_by_freq(self, value: _Any) -> None: ...
    def __init__(self, num_embeddings: _int, embedding_dim: _int, padding_idx: _int | None = None, max_norm: _float | None = None, norm_type: _float = 2.0, sparse: _bool = False, scale_grad_by_freq: _bool = False, weight_attr: _Any = None, name: _str | None = None, *, _weight: _Any = None, _freeze: _bool = False, device: _Any = None, dtype: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""
