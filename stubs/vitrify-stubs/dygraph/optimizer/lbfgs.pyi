# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.dygraph.optimizer.optimizer import Optimizer as _Optimizer

class LBFGS(_Optimizer):
    """Newton steps with curvature learnt from the last `history_size` gradients: `step(closure)`.

    closure clears the gradients, computes the loss, calls backward() and returns the loss; it is called up to max_eval
    times (default: 1.25 max_iter), for max_iter iterations. line_search_fn: None (each step is learning_rate long) or
    "strong_wolfe". Errors: CaptureError inside a captured function, as the number of evaluations is data.

    >>> from ..tensor import Parameter
    >>> w = Parameter([3.0, -2.0])
    >>> opt = LBFGS(parameters=[w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     opt.clear_grad()
    ...     loss = ((w - 1.0) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> _ = opt.step(closure)
    >>> [round(v, 3) for v in w.tolist()]
    [1.0, 1.0]"""
    max_iter: _int
    max_eval: _Any
    tolerance_grad: _float
    tolerance_change: _float
    history_size: _int
    line_search_fn: _str | None
    is_elementwise: _bool
    def __init__(self, learning_rate: _Any = 1.0, max_iter: _int = 20, max_eval: _int | None = None, tolerance_grad: _float = 1e-07, tolerance_change: _float = 1e-09, history_size: _int = 100, line_search_fn: _str | None = None, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def minimize(self, loss: _Any, startup_program: _Any = None, parameters: _Any = None, no_grad_set: _Any = None) -> _Any:
        """Errors: NotImplementedError, as in PaddlePaddle: a loss that is there already can't be computed again."""
    def step(self, closure: _Callable[[], _Any] | None = None) -> _Any:
        """Up to max_iter iterations; the loss before them."""
