"""Paddle's incubate.autograd: Jacobians and Hessians of functions, over all inputs side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.op import OPS
from .derivatives import Hessian as _Hessian
from .derivatives import Jacobian as _Jacobian
from .derivatives import jvp, vjp
from .grad import grad
from .modes import enable_grad
from .tensor import Tensor

__all__ = ["Hessian", "Jacobian", "as_tensors", "jvp", "vjp"]


def as_tensors(xs: Any) -> Any:
    """A tensor as a tuple of one; a sequence as it is; None stays."""
    return (xs,) if isinstance(xs, Tensor) else xs


def _inputs(xs: Any) -> list[Tensor]:
    found = []
    for x in as_tensors(xs):
        alias = x if not x.stop_gradient else x.detach()
        alias.stop_gradient = False
        found.append(alias)
    return found


def _joined(made: Any, lead: int) -> Any:
    parts = [OPS["reshape"](y, [*y.shape[:lead], -1]) for y in as_tensors(made)]
    return parts[0] if len(parts) == 1 else OPS["concat"](parts, -1)


class Jacobian(_Jacobian):
    """The lazy Jacobian of func at xs: [M, N] over all results and inputs, flattened; batched: [B, M, N].

    >>> Jacobian(lambda x: x * x, Tensor([1.0, 2.0]))[:].tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        inputs = _inputs(xs)
        with enable_grad():
            ys = _joined(func(*inputs), int(is_batched))
        super().__init__(ys, inputs, 0 if is_batched else None)


class Hessian(_Hessian):
    """The lazy second derivatives of a scalar func at xs: [N, N] over all inputs; batched: [B, N, N].

    >>> Hessian(lambda x: (x * x * x).sum(), Tensor([1.0, 2.0]))[:].tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        inputs = _inputs(xs)
        with enable_grad():
            y = func(*inputs)
            firsts = grad(y, inputs, create_graph=True, retain_graph=True, allow_unused=True)
            firsts = [x * 0.0 if g is None else g for x, g in zip(inputs, firsts, strict=True)]  # constant in x
            ys = _joined(tuple(firsts), int(is_batched))
        super().__init__(ys, inputs, 0 if is_batched else None)
