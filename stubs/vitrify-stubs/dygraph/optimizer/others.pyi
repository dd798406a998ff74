# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.dygraph.optimizer.adam import Adam as _Adam
from vitrify.dygraph.optimizer.optimizer import Optimizer as _Optimizer

class ASGD(_Optimizer):
    """param -= rate * the mean of the latest gradients of up to batch_num batches (Schmidt et al., SAG, 2017).

    Step t replaces the gradient of batch t mod batch_num."""
    def __init__(self, learning_rate: _Any = 0.001, batch_num: _int = 1, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, multi_precision: _bool = False, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Adadelta(_Optimizer):
    """Steps in proportion to the root mean square of earlier steps over that of gradients (Zeiler, 2012)."""
    def __init__(self, learning_rate: _Any = 0.001, epsilon: _float = 1e-06, rho: _float = 0.95, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Adagrad(_Optimizer):
    """moment += grad²; param -= rate * grad / (√moment + epsilon) (Duchi, Hazan, Singer, 2011)."""
    def __init__(self, learning_rate: _Any, epsilon: _float = 1e-06, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, name: _str | None = None, initial_accumulator_value: _float = 0.0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Lamb(_Adam):
    """Adam's step plus decay, scaled for each parameter by |param| / |step| (You et al., 2020).

    Parameters without decay aren't scaled, unless always_adapt."""
    is_elementwise: _bool
    def __init__(self, learning_rate: _Any = 0.001, lamb_weight_decay: _float = 0.01, beta1: _float = 0.9, beta2: _float = 0.999, epsilon: _float = 1e-06, parameters: _Any = None, grad_clip: _Any = None, exclude_from_weight_decay_fn: _Callable[[_Any], _bool] | None = None, multi_precision: _bool = False, always_adapt: _bool = False, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class RMSProp(_Optimizer):
    """s = rho s + (1 - rho) grad²; u = momentum u + rate * grad / √(s + epsilon); param -= u.

    centered: s less the square of the running mean of grad, under the root."""
    def __init__(self, learning_rate: _Any, rho: _float = 0.95, epsilon: _float = 1e-06, momentum: _float = 0.0, centered: _bool = False, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Rprop(_Optimizer):
    """Every element has a step of its own, longer while its gradient keeps its sign, shorter when that changes.

    etas: the factors of shrinking and growing; learning_rate_range: bounds of the steps. Source: Riedmiller, Braun,
    RPROP, 1993, in the form that doesn't move back."""
    def __init__(self, learning_rate: _Any = 0.001, learning_rate_range: _Any = ..., parameters: _Any = None, etas: _Any = ..., grad_clip: _Any = None, multi_precision: _bool = False, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
