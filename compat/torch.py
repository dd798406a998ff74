"""Torch's spelling of operators of one's own, for listings written so: `from vitrify.compat import torch`.

`tensor(..., requires_grad=)`, `autograd.Function`, `autograd.gradcheck`; all other names are the package's functions.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..dygraph.conversions import to_tensor
from ..dygraph.derivatives import gradcheck
from ..dygraph.pylayer import PyLayer, once_differentiable
from ..dygraph.tensor import Tensor
from ..ops.op import FUNCTIONS, OPS


def tensor(data: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """A new tensor with a copy of `data`; gradients stop at it unless `requires_grad`.

    >>> tensor([2.0], requires_grad=True).stop_gradient
    False
    """
    return to_tensor(data, dtype, stop_gradient=not requires_grad)


class Function(PyLayer):
    """A PyLayer under torch's name."""


def checked(func: Callable[..., Any], inputs: Any, **options: Any) -> bool:
    """`gradcheck` on float64 copies of float32 inputs, as differences in float32 say nothing.

    >>> checked(lambda x: x * x, (tensor([2.0], requires_grad=True),))
    True
    """
    given = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    wide = [
        tensor(x.numpy(), "float64", not x.stop_gradient) if isinstance(x, Tensor) and x.dtype == "float32" else x
        for x in given
    ]
    return gradcheck(func, wide, **options)


# The names of torch.autograd that operators of one's own need.
autograd = SimpleNamespace(Function=Function, gradcheck=checked, once_differentiable=once_differentiable)


def __getattr__(name: str) -> Any:
    found = FUNCTIONS.get(name) or OPS.get(name)
    if found is None:
        raise AttributeError(f"compat.torch has no {name!r}: it has tensor, autograd and the package's functions")
    return found
