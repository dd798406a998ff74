# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.tensor import Tensor as _Tensor

class PyLayer:
    """Subclass it with static methods `forward(ctx, ...)` and `backward(ctx, *grads)`; call `apply`.

    >>> class Twice(PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x + x
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         return g + g
    >>> x = Tensor([1.0], stop_gradient=False)
    >>> Twice.apply(x).backward(); x.grad.tolist()
    [2.0]"""
    @staticmethod
    def forward(ctx: _Any, *args: _Any, **kwargs: _Any) -> _Any:
        """Compute the result; gradients are off."""
    @staticmethod
    def backward(ctx: _Any, *grads: _Any) -> _Any:
        """Turn the gradients of the results into those of the tensor arguments.

        A gradient of a shape that the argument was broadcast to is summed to the argument's shape."""
    @classmethod
    def apply(cls, *args: _Any, **kwargs: _Any) -> _Any:
        """Run forward as one step of the tape (under a trace: as one callback of the program)."""

class PyLayerContext:
    """What `forward` hands to its own `backward`: saved tensors, options, and any attributes the user sets."""
    needs_input_grad: _tuple[_bool, ...]
    def __init__(self) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def save_for_backward(self, *tensors: _Any) -> None:
        """Keep tensors (or nested structures of them) for backward; once, in forward."""
    def saved_tensor(self) -> _Any:
        """What `save_for_backward` kept, as a tuple; None if nothing was saved."""
    @property
    def saved_tensors(self) -> _Any:
        """`saved_tensor()` under torch's name."""
    def mark_not_inplace(self, *tensors: _Tensor) -> None:
        """These inputs are returned as outputs without having been changed: the outputs are tensors of their own."""
    def mark_non_differentiable(self, *outputs: _Tensor) -> None:
        """These outputs have no gradient; in backward theirs arrives as zeros."""
    def set_materialize_grads(self, value: _bool = True) -> None:
        """Whether gradients that didn't arrive come as zeros (True, the default) or as None."""
    def set_grad_in_dtype_consistent(self, flag: _bool = True) -> None:
        """Whether incoming gradients are cast to the dtype of their output."""
