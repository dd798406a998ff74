# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.optimizer.adam import Adam as _Adam

class NAdam(_Adam):
    """Adam whose step looks ahead as Nesterov's momentum does (Dozat, Incorporating Nesterov Momentum into Adam, 2016).

    momentum_decay: mu = beta1 (1 - 0.96^(t momentum_decay) / 2) is the momentum of step t."""
    def __init__(self, learning_rate: _Any = 0.002, beta1: _float = 0.9, beta2: _float = 0.999, epsilon: _float = 1e-08, momentum_decay: _float = 0.004, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class RAdam(_Adam):
    """Adam that steps without √v until v is known well enough.

    Source: Liu et al., On the Variance of the Adaptive Learning Rate and Beyond, 2020."""
    def __init__(self, learning_rate: _Any = 0.001, beta1: _float = 0.9, beta2: _float = 0.999, epsilon: _float = 1e-08, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
