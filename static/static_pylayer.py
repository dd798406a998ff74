"""static_pylayer: a part of the program with a gradient of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base.errors import ArgumentError, KindError
from ..dygraph.pylayer import PyLayer
from ..dygraph.tensor import Tensor


def static_pylayer(
    forward_fn: Callable[..., Any], inputs: Sequence[Any], backward_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """`forward_fn(*inputs)`, whose gradient is `backward_fn(*gradients of the results)`; both run in Python.

    Without backward_fn no gradient flows. Errors: KindError for other kinds; ArgumentError for inputs that are no
    variables.
    """
    if not callable(forward_fn) or (backward_fn is not None and not callable(backward_fn)):
        raise KindError("static_pylayer: forward_fn and backward_fn must be callable")
    if not isinstance(inputs, (list, tuple)):
        raise KindError(f"static_pylayer: inputs must be a list or tuple, not a {type(inputs).__name__}")
    for item in inputs:
        if not isinstance(item, Tensor):
            raise ArgumentError(f"static_pylayer: each input must be a variable, not a {type(item).__name__}")

    class StaticLayer(PyLayer):
        """One static_pylayer."""

        @staticmethod
        def forward(ctx: Any, *xs: Any) -> Any:
            made = forward_fn(*xs)
            if backward_fn is None:
                ctx.mark_non_differentiable(*(made if isinstance(made, (list, tuple)) else (made,)))
            return made

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            assert backward_fn is not None
            return backward_fn(*grads)

    return StaticLayer.apply(*inputs)
