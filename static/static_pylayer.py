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

    Where forward_fn returns None, so does this. Errors: KindError for other kinds; ArgumentError for inputs that are no
    variables, or whose gradients are wanted without a backward_fn.
    """
    if not callable(forward_fn) or (backward_fn is not None and not callable(backward_fn)):
        raise KindError("static_pylayer: forward_fn and backward_fn must be callable")
    if not isinstance(inputs, (list, tuple)):
        raise KindError(f"static_pylayer: inputs must be a list or tuple, not a {type(inputs).__name__}")
    for item in inputs:
        if not isinstance(item, Tensor):
            raise ArgumentError(f"static_pylayer: each input must be a variable, not a {type(item).__name__}")
        if backward_fn is None and not item.stop_gradient:
            raise ArgumentError(  # the text as PaddlePaddle has it
                "``stop_gradient`` attr of all inputs to ``forward_fn`` are expected to be True, when "
                f"``backward_fn == None``, but {item.name}.stop_gradient got {item.stop_gradient}"
            )
    empty = False

    class StaticLayer(PyLayer):
        """One static_pylayer."""

        @staticmethod
        def forward(ctx: Any, *xs: Any) -> Any:
            nonlocal empty
            made = forward_fn(*xs)
            if made is None:
                empty, made = True, xs
            if backward_fn is None:
                ctx.mark_non_differentiable(*(made if isinstance(made, (list, tuple)) else (made,)))
            return made

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            assert backward_fn is not None
            return backward_fn(*grads)

    made = StaticLayer.apply(*inputs)
    return None if empty else made
