# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class BCELoss(_Loss):
    """-(label * log(input) + (1 - label) * log(1 - input)) for probabilities."""
    def __init__(self, weight: _Any = None, reduction: _str = 'mean', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class _Loss(_Layer):
    """reduction: "mean", "sum" or "none"; `weight` and other tensors are no parameters and aren't saved."""
    reductions: _tuple[_str, ...]
    name: _str | None
    reduction: _str
    def __init__(self, reduction: _str, name: _str | None = None, **settings: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class BCEWithLogitsLoss(_Loss):
    """BCELoss of sigmoid(logit), without overflow; pos_weight multiplies the loss of label 1."""
    def __init__(self, weight: _Any = None, reduction: _str = 'mean', pos_weight: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, logit: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class CrossEntropyLoss(_Loss):
    """-log(softmax(input)) at the label: input [n, …, classes], labels [n, …] or [n, …, 1]; see F.cross_entropy.

    >>> from ..conversions import to_tensor
    >>> round(float(CrossEntropyLoss()(to_tensor([[0.0, 0.0]]), to_tensor([1]))), 4)
    0.6931"""
    def __init__(self, weight: _Any = None, ignore_index: _int = -100, reduction: _str = 'mean', soft_label: _bool = False, axis: _int = -1, use_softmax: _bool = True, label_smoothing: _float = 0.0, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class HingeEmbeddingLoss(_Loss):
    """The input where the label is 1, max(0, margin - input) where it is -1."""
    def __init__(self, margin: _float = 1.0, reduction: _str = 'mean', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class KLDivLoss(_Loss):
    """label * (log(label) - input) for log-probabilities `input`; reduction also "batchmean"."""
    reductions: _tuple
    def __init__(self, reduction: _str = 'mean', log_target: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class L1Loss(_Loss):
    """|input - label|."""
    def __init__(self, reduction: _str = 'mean', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class MSELoss(_Loss):
    """The square of input - label."""
    def __init__(self, reduction: _str = 'mean') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class MarginRankingLoss(_Loss):
    """max(0, -label * (input - other) + margin), for labels 1 and -1."""
    def __init__(self, margin: _float = 0.0, reduction: _str = 'mean', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, other: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class NLLLoss(_Loss):
    """-input at the label, for log-probabilities [n, classes, …] and labels [n, …]."""
    @property
    def weight(self: _Any) -> _Any: ...
    @weight.setter
    def weight(self, value: _Any) -> None: ...
    @property
    def ignore_index(self: _Any) -> _Any: ...
    @ignore_index.setter
    def ignore_index(self, value: _Any) -> None: ...
    @property
    def reduction(self: _Any) -> _Any: ...
    @reduction.setter
    def reduction(self, value: _Any) -> None: ...
    def __init__(self, weight: _Any = None, ignore_index: _int = -100, reduction: _str = 'mean', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class SmoothL1Loss(_Loss):
    """Half the square of d = input - label where |d| <= delta, else delta * (|d| - delta / 2).

    is_huber=False: divided by delta."""
    def __init__(self, reduction: _str = 'mean', delta: _float = 1.0, is_huber: _bool = True, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class TripletMarginLoss(_Loss):
    """max(0, |input - positive| - |input - negative| + margin) over the last axis, in the p-norm."""
    def __init__(self, margin: _float = 1.0, p: _float = 2.0, epsilon: _float = 1e-06, swap: _bool = False, reduction: _str = 'mean', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, positive: _Any, negative: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
