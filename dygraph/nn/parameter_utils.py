"""`nn.utils`: weight_norm and spectral_norm as hooks of a layer, clipping of gradients, parameters as one vector."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

from ...base.changes import Counted
from ...base.dtype import DType
from ...base.errors import ArgumentError, MissingError, NonFiniteError
from ...ops.dims import product
from ...ops.dispatch import bottom, current, is_captured, using
from ...ops.infer import axis_index
from ...ops.matrix_norms import norm, vector_norm
from ...ops.op import OPS
from ...ops.types import TensorType
from ..modes import GradMode
from ..tensor import Tensor
from .initializer import Initializer, Normal
from .layer import Layer
from .param_attr import make_parameter

__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "remove_weight_norm", "spectral_norm",
    "vector_to_parameters", "weight_norm",
]  # fmt: skip


# ---- gradients


def _with_gradients(parameters: Any) -> list[Any]:
    items = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p for p in items if p.grad is not None]


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """Scale all gradients together so that their norm is at most max_norm; the norm before.

    norm_type: the p of the norm, inf included. Errors: ArgumentError for a norm that isn't finite, on request.
    """
    chosen = _with_gradients(parameters)
    max_norm, norm_type = float(max_norm), float(norm_type)
    if norm_type <= 0:
        raise ArgumentError(f"clip_grad_norm_: norm_type must be above 0, not {norm_type}")
    if not chosen:
        return bottom().constant(0.0, None)
    with GradMode(False):
        sizes = OPS["concat"]([OPS["reshape"](norm(p.grad, norm_type), (1,)) for p in chosen], axis=0)
        total = norm(sizes, norm_type)
        if error_if_nonfinite:
            _require_finite(total)
        factor = OPS["minimum"](max_norm / (total + 1e-6), 1.0)
        for p in chosen:
            p.grad = p.grad * OPS["cast"](factor, p.grad.dtype)
    return total


def _require_finite(total: Any) -> None:
    """NonFiniteError for NaN and infinities, raised by the run where only that knows the norm."""
    interpreter, message = current(), "clip_grad_norm_: the norm of the gradients isn't finite"
    if interpreter.is_trace:
        interpreter.require(OPS["isfinite"](total), message, "NonFiniteError")
    elif not math.isfinite(float(total)):
        raise NonFiniteError(message)


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Bound every element of all gradients to [-clip_value, clip_value]."""
    if clip_value < 0:
        raise ArgumentError(f"clip_grad_value_: clip_value must be at least 0, not {clip_value}")
    with GradMode(False):
        for p in _with_gradients(parameters):
            p.grad = OPS["clip"](p.grad, -float(clip_value), float(clip_value))


# ---- parameters


def parameters_to_vector(parameters: Iterable[Any], name: str | None = None) -> Any:
    """All elements of the parameters, one after the other, as one tensor of rank 1."""
    return OPS["concat"]([OPS["reshape"](p, (-1,)) for p in parameters], axis=0)


def vector_to_parameters(vec: Any, parameters: Iterable[Any], name: str | None = None) -> None:
    """Write the elements of `vec` into the parameters, one after the other."""
    items = list(parameters)
    sizes = [int(product(p.shape)) for p in items]
    if list(vec.shape) != [sum(sizes)]:
        raise ArgumentError(f"vector_to_parameters: vec {list(vec.shape)} doesn't hold {sum(sizes)} elements")
    with GradMode(False):
        start = 0
        for p, size in zip(items, sizes, strict=True):
            part = OPS["slice"](vec, [start], [size], [1])
            p._write(OPS["cast"](OPS["reshape"](part, tuple(p.shape)), p.dtype), fresh=True)
            start += size


# ---- weights computed from others before each forward


class _Computed(Counted):
    """Computes `layer.<name>` before forward. While a function is captured the former value comes back behind it."""

    def __init__(self, layer: Layer, name: str) -> None:
        self.name, self.before = name, None
        self.handles = [
            layer.register_forward_pre_hook(self.put),
            layer.register_forward_post_hook(self.restore, always_call=True),
        ]
        layer.__dict__.setdefault("_computed_weights", {})[name] = self
        layer.__dict__[name] = None
        self.put(layer, ())

    def compute(self, layer: Layer) -> Any:
        raise NotImplementedError

    def put(self, layer: Layer, inputs: Any) -> None:
        """The hook before forward."""
        self.before = layer.__dict__.get(self.name)
        layer.__dict__[self.name] = self.compute(layer)

    def restore(self, layer: Layer, inputs: Any, outputs: Any) -> None:
        """The hook behind forward."""
        if is_captured():
            layer.__dict__[self.name] = self.before

    def remove(self, layer: Layer) -> Any:
        """Take the hooks out; the last value."""
        for handle in self.handles:
            handle.remove()
        del layer.__dict__["_computed_weights"][self.name]
        return layer.__dict__.pop(self.name)


def _taken(what: str, layer: Layer, name: str) -> Any:
    """The parameter `name`, which is about to be replaced."""
    if name in layer.__dict__.get("_computed_weights", {}):
        raise ArgumentError(f"{what}: the parameter {name!r} is computed by a hook already")
    param = layer._parameters.get(name)
    if param is None:
        raise MissingError(f"{what}: {type(layer).__name__} has no parameter {name!r}")
    return param


class _FromOthers(Initializer):
    """Values computed from other parameters: in static mode by the startup program, behind those."""

    draws_in_program = True

    def __init__(self, compute: Callable[[], Any]) -> None:
        self.compute = compute

    def _make(self, shape: list[int], dtype: DType) -> Any:
        return OPS["assign"](self.compute())


def _parameter(layer: Layer, name: str, like: Any, compute: Callable[[], Any]) -> None:
    """Add a parameter with this shape and dtype, whose first values `compute` makes."""
    with nullcontext() if current().is_static else using(bottom()), GradMode(False):
        key = f"{layer.full_name()}.{name}"
        made = make_parameter(like.shape, _FromOthers(compute), like.dtype, False, None, key)
    layer.add_parameter(name, made)


def norm_except(v: Any, dim: int) -> Any:
    """The 2-norm over all axes but `dim`, [size of dim]; over all axes, [], for dim = -1."""
    if dim == -1:
        return OPS["reshape"](norm(v), ())
    return vector_norm(v, 2.0, [k for k in range(v.ndim) if k != dim]) if v.ndim > 1 else OPS["abs"](v)


class _WeightNorm(_Computed):
    def __init__(self, layer: Layer, name: str, dim: int) -> None:
        self.dim = dim
        super().__init__(layer, name)

    def compute(self, layer: Layer) -> Any:
        g, v = getattr(layer, f"{self.name}_g"), getattr(layer, f"{self.name}_v")
        shape = (1,) * v.ndim if self.dim == -1 else tuple(-1 if k == self.dim else 1 for k in range(v.ndim))
        return v * OPS["reshape"](
            g / OPS["maximum"](norm_except(v, self.dim), 1e-12), shape
        )  # a slice of zeros stays 0


def weight_norm(layer: Layer, name: str = "weight", dim: int | None = 0) -> Layer:
    """Make the parameter `name` of a layer a product: length `<name>_g` times direction `<name>_v` (both trained).

    dim: the axis whose slices have lengths of their own; None: one length for all. Returns the layer.
    Source: Salimans, Kingma, Weight Normalization, 2016.

    >>> from .linear_layers import Linear
    >>> sorted(n for n, _ in weight_norm(Linear(2, 3)).named_parameters())
    ['bias', 'weight_g', 'weight_v']
    """
    param = _taken("weight_norm", layer, name)
    at = -1 if dim is None or dim == -1 else axis_index(dim, param.ndim, "dim")
    del layer._parameters[name]
    _parameter(layer, f"{name}_v", param, lambda: param)
    length = TensorType(param.dtype, () if at == -1 else (param.shape[at],))
    _parameter(layer, f"{name}_g", length, lambda: norm_except(param, at))
    _WeightNorm(layer, name, at)
    return layer


def remove_weight_norm(layer: Layer, name: str = "weight") -> Layer:
    """Undo weight_norm: the product becomes a parameter again. Errors: ArgumentError without weight_norm."""
    found = layer.__dict__.get("_computed_weights", {}).get(name)
    if not isinstance(found, _WeightNorm):
        raise ArgumentError(f"{type(layer).__name__} has no weight_norm of {name!r}")
    found.remove(layer)
    _parameter(layer, name, getattr(layer, f"{name}_v"), lambda: found.compute(layer))
    for part in ("g", "v"):
        delattr(layer, f"{name}_{part}")
    return layer


class _SpectralNorm(_Computed):
    def __init__(self, layer: Layer, name: str, dim: int, iterations: int, eps: float) -> None:
        self.dim, self.iterations, self.eps = dim, iterations, eps
        super().__init__(layer, name)

    def compute(self, layer: Layer) -> Any:
        weight = getattr(layer, f"{self.name}_orig")
        u, v = getattr(layer, f"{self.name}_u"), getattr(layer, f"{self.name}_v")
        matrix = as_matrix(weight, self.dim)
        if layer.training:
            with GradMode(False):
                new_u, new_v = power_iterations(matrix, u, v, self.iterations, self.eps)
                u._write(new_u)
                v._write(new_v)
                u, v = new_u, new_v
        return weight / OPS["sum"](u * OPS["matmul"](matrix, OPS["reshape"](v, (-1, 1)))[:, 0])


def as_matrix(weight: Any, dim: int) -> Any:
    """The weight as a matrix, `dim` first and the rest in one."""
    order = (dim, *(k for k in range(weight.ndim) if k != dim))
    return OPS["reshape"](OPS["transpose"](weight, order), (weight.shape[dim], -1))


def power_iterations(matrix: Any, u: Any, v: Any, iterations: int, eps: float) -> tuple[Any, Any]:
    """Better estimates of the singular vectors that belong to the largest singular value."""
    row, column = OPS["reshape"](u, (1, -1)), OPS["reshape"](v, (-1, 1))
    for _ in range(iterations):
        column = OPS["matmul"](row, matrix)
        column = OPS["reshape"](column / (norm(column) + eps), (-1, 1))
        row = OPS["matmul"](matrix, column)
        row = OPS["reshape"](row / (norm(row) + eps), (1, -1))
    return OPS["reshape"](row, (-1,)), OPS["reshape"](column, (-1,))


def spectral_norm(
    layer: Layer, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Layer:
    """Divide the parameter `name` of a layer by its largest singular value, estimated by power iterations.

    The parameter is `<name>_orig` from now on; buffers `<name>_u` and `<name>_v` hold the vectors, which move in
    training. dim: the axis of the matrix's rows (default: 0, 1 for Linear and transposed convolutions).
    Source: Miyato et al., Spectral Normalization for Generative Adversarial Networks, 2018.
    """
    if n_power_iterations < 1:
        raise ArgumentError(f"spectral_norm needs at least one power iteration, not {n_power_iterations}")
    param = _taken("spectral_norm", layer, name)
    if dim is None:
        dim = 1 if type(layer).__name__ in _ROWS_SECOND else 0
    del layer._parameters[name]
    _parameter(layer, f"{name}_orig", param, lambda: param)
    rows = int(param.shape[dim])
    with using(bottom()), GradMode(False):
        for part, size in (("u", rows), ("v", int(product(param.shape)) // rows)):
            drawn = Normal().values([size], param.dtype)
            layer.register_buffer(f"{name}_{part}", drawn / (norm(drawn) + eps))
    _SpectralNorm(layer, name, dim, n_power_iterations, eps)
    return layer


_ROWS_SECOND = ("Linear", "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose")
