"""Fused functions and layers of `incubate`: their plain parts; fusion joins these in a compiled function.

Results, parameters and names of the state are PaddlePaddle's.
"""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError, DTypeError
from ..base.suggest import one_of
from ..dygraph.nn import functional as F
from ..dygraph.nn.initializer import Constant
from ..dygraph.nn.layer import Layer
from ..ops.op import FUNCTIONS, OPS
from .geometric import send_u_recv

_ACTIVATIONS = ("none", "relu", "gelu")
_LOSSES = {0: "sum", 1: "mean", 2: "none"}


def fused_matmul_bias(
    x: Any, y: Any, bias: Any = None, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None
) -> Any:
    """x @ y + bias.

    >>> from vitrify import ones
    >>> fused_matmul_bias(ones([2, 3]), ones([4, 3]), ones([4]), transpose_y=True).tolist()[0]
    [4.0, 4.0, 4.0, 4.0]
    """
    made = OPS["matmul"](_transposed(x, transpose_x), _transposed(y, transpose_y))
    return made if bias is None else made + bias


def _transposed(x: Any, wanted: bool) -> Any:
    return OPS["transpose"](x, [*range(x.ndim - 2), x.ndim - 1, x.ndim - 2]) if wanted else x


def fused_linear(x: Any, weight: Any, bias: Any = None, transpose_weight: bool = False, name: str | None = None) -> Any:
    """x @ weight + bias."""
    return fused_matmul_bias(x, weight, bias, False, transpose_weight)


def fused_linear_activation(
    x: Any, y: Any, bias: Any, trans_x: bool = False, trans_y: bool = False, activation: str | None = None
) -> Any:
    """x @ y + bias, then "relu", "gelu" or nothing. Errors: ArgumentError for another activation."""
    made = fused_matmul_bias(x, y, bias, trans_x, trans_y)
    chosen = "none" if activation is None else activation
    if chosen not in _ACTIVATIONS:
        raise ArgumentError(f"fused_linear_activation has no {activation!r}", remedy=one_of(activation, _ACTIVATIONS))
    return made if chosen == "none" else getattr(F, chosen)(made)


def fused_dropout_add(
    x: Any, y: Any, p: float = 0.5, training: bool = True, mode: str = "upscale_in_train", name: str | None = None
) -> Any:
    """dropout(x) + y."""
    return F.dropout(x, p, training=training, mode=mode) + y


def fused_bias_dropout_residual_layer_norm(
    x: Any, residual: Any, bias: Any = None, ln_scale: Any = None, ln_bias: Any = None, dropout_rate: float = 0.5,
    ln_epsilon: float = 1e-5, training: bool = True, mode: str = "upscale_in_train", name: str | None = None,
) -> Any:  # fmt: skip
    """layer_norm(residual + dropout(x + bias)) over the last axis."""
    moved = x if bias is None else x + bias
    total = residual + F.dropout(moved, dropout_rate, training=training, mode=mode)
    return F.layer_norm(total, [total.shape[-1]], ln_scale, ln_bias, ln_epsilon)


def swiglu(x: Any, y: Any = None, name: str | None = None) -> Any:
    """silu(x) * y; without y the halves of x along the last axis.

    >>> from vitrify import to_tensor
    >>> swiglu(to_tensor([0.0, 3.0])).tolist()
    [0.0]
    """
    if y is None:
        x, y = FUNCTIONS["chunk"](x, 2, -1)
    return F.silu(x) * y


def softmax_mask_fuse(x: Any, mask: Any, name: str | None = None) -> Any:
    """softmax(x + mask) along the last axis."""
    return F.softmax(x + mask, -1)


def softmax_mask_fuse_upper_triangle(x: Any) -> Any:
    """softmax along the last axis over the elements on and below the diagonal; 0 above it.

    >>> from vitrify import zeros
    >>> softmax_mask_fuse_upper_triangle(zeros([1, 1, 2, 2])).tolist()
    [[[[1.0, 0.0], [0.5, 0.5]]]]
    """
    below = OPS["tril"](FUNCTIONS["ones"](list(x.shape[-2:]), "float32"), 0)
    return F.softmax(FUNCTIONS["where"](below > 0, x, FUNCTIONS["full_like"](x, -1e4)), -1)


def graph_send_recv(
    x: Any, src_index: Any, dst_index: Any, pool_type: str = "sum", out_size: Any = None, name: str | None = None
) -> Any:
    """The older name of `geometric.send_u_recv`."""
    return send_u_recv(x, src_index, dst_index, pool_type, out_size)


def identity_loss(x: Any, reduction: str | int = "none") -> Any:
    """The sum (0, "sum"), mean (1, "mean") or itself (2, "none") of a loss. Errors: DTypeError for integers."""
    if not x.dtype.is_floating:
        raise DTypeError(f"identity_loss takes floats, not {x.dtype.name}")
    kind = _LOSSES.get(reduction, reduction) if isinstance(reduction, int) else reduction
    if kind not in _LOSSES.values():
        raise ArgumentError(f"identity_loss has no reduction {reduction!r}", remedy=one_of(kind, _LOSSES.values()))
    return x if kind == "none" else x.sum() if kind == "sum" else x.mean()


class FusedLinear(Layer):
    """x @ weight + bias; with transpose_weight the weight is kept as [out, in].

    >>> from vitrify import ones
    >>> FusedLinear(3, 4)(ones([2, 3])).shape
    [2, 4]
    """

    def __init__(
        self, in_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None,
        transpose_weight: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        shape = [out_features, in_features] if transpose_weight else [in_features, out_features]
        self.weight = self.create_parameter(shape, weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)
        self.transpose_weight = transpose_weight

    def forward(self, input: Any) -> Any:
        """The product."""
        return fused_linear(input, self.weight, self.bias, self.transpose_weight)


class FusedDropoutAdd(Layer):
    """dropout(x) + y."""

    def __init__(self, p: float = 0.5, mode: str = "upscale_in_train", name: str | None = None) -> None:
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, x: Any, y: Any) -> Any:
        """The sum."""
        return fused_dropout_add(x, y, self.p, self.training, self.mode)


class FusedBiasDropoutResidualLayerNorm(Layer):
    """layer_norm(residual + dropout(x + linear_bias)) over the last axis."""

    def __init__(
        self, embed_dim: int, dropout_rate: float = 0.5, weight_attr: Any = None, bias_attr: Any = None,
        epsilon: float = 1e-5, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.linear_bias = self.create_parameter([embed_dim], bias_attr, is_bias=True)
        self.ln_scale = self.create_parameter([embed_dim], weight_attr, default_initializer=Constant(1.0))
        self.ln_bias = self.create_parameter([embed_dim], bias_attr, is_bias=True)
        self.dropout_rate, self._epsilon = dropout_rate, epsilon

    def forward(self, x: Any, residual: Any) -> Any:
        """The normalised sum."""
        return fused_bias_dropout_residual_layer_norm(
            x, residual, self.linear_bias, self.ln_scale, self.ln_bias, self.dropout_rate, self._epsilon, self.training
        )
