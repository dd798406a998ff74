"""Gradients as functions, and gradients of your own."""

from vitrify.dygraph.anomaly import detect_anomaly
from vitrify.dygraph.derivatives import Hessian, Jacobian, gradcheck, gradgradcheck, hessian, jacobian, jvp, vjp
from vitrify.dygraph.grad import backward, grad
from vitrify.dygraph.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from vitrify.dygraph.pylayer import PyLayer, PyLayerContext, once_differentiable
from vitrify.dygraph.saved import saved_tensors_hooks

__all__ = [
    "Hessian", "Jacobian", "PyLayer", "PyLayerContext", "backward", "detect_anomaly", "enable_grad", "grad",
    "gradcheck", "gradgradcheck", "hessian", "is_grad_enabled", "jacobian", "jvp", "no_grad", "once_differentiable",
    "saved_tensors_hooks", "set_grad_enabled", "vjp",
]  # fmt: skip
