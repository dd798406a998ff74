# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import str as _str
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.dygraph.optimizer.optimizer import Optimizer as _Optimizer

class Adam(_Optimizer):
    """m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g²; param -= rate * m̂ / (√v̂ + epsilon).

    m̂ and v̂ are m and v over 1 - betaᵗ. amsgrad: v̂ comes from the largest v so far. weight_decay is part of g.

    >>> from ..tensor import Parameter
    >>> w = Parameter([1.0])
    >>> (w * 3.0).backward()
    >>> Adam(0.1, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.9"""
    def __init__(self, learning_rate: _Any = 0.001, beta1: _float = 0.9, beta2: _float = 0.999, epsilon: _float = 1e-08, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, lazy_mode: _bool = False, multi_precision: _bool = False, use_multi_tensor: _bool = False, amsgrad: _bool = False, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class AdamW(Adam):
    """Adam with weight decay apart from the gradient: param *= 1 - rate * weight_decay, then Adam's update.

    apply_decay_param_fun(name) chooses the parameters that decay (default: all); lr_ratio(param) is a factor on the
    learning rate of each."""
    def __init__(self, learning_rate: _Any = 0.001, beta1: _float = 0.9, beta2: _float = 0.999, epsilon: _float = 1e-08, parameters: _Any = None, weight_decay: _float = 0.01, lr_ratio: _Callable[[_Any], _float] | None = None, apply_decay_param_fun: _Callable[[_str], _bool] | None = None, grad_clip: _Any = None, lazy_mode: _bool = False, multi_precision: _bool = False, amsgrad: _bool = False, name: _str | None = None, use_lowprecision_moment: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Adamax(Adam):
    """Adam with u = max(beta2 u + epsilon, |g|) in place of the root of v: param -= rate * m̂ / u."""
    def __init__(self, learning_rate: _Any = 0.001, beta1: _float = 0.9, beta2: _float = 0.999, epsilon: _float = 1e-08, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
