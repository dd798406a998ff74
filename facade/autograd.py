"""Gradients as functions, and gradients of your own."""

from vitrify.dygraph.grad import backward, grad, hessian, jacobian
from vitrify.dygraph.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from vitrify.dygraph.pylayer import PyLayer, PyLayerContext, once_differentiable

__all__ = [
    "PyLayer", "PyLayerContext", "backward", "enable_grad", "grad", "hessian", "is_grad_enabled", "jacobian", "no_grad",
    "once_differentiable", "set_grad_enabled",
]  # fmt: skip
