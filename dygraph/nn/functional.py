"""The functions of networks, F.*: rows and composites of the op table by their names here, and those that keep state.

Functions that draw random numbers take them from the default generator (`vt.seed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError, ShapeError
from ...ops import composite as _composite
from ...ops import norms as _norms
from ...ops.activation import (
    celu,
    gelu,
    glu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    log_sigmoid,
    log_softmax,
    maxout,
    mish,
    prelu,
    relu6,
    selu,
    silu,
    softmax,
    softshrink,
    softsign,
    tanhshrink,
    thresholded_relu,
)
from ...ops.composite import embedding, linear, one_hot
from ...ops.conv import channels_as, channels_first, conv1d, conv2d, conv2d_transpose
from ...ops.create import arange
from ...ops.infer import show_shape
from ...ops.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    hinge_embedding_loss,
    kl_div,
    l1_loss,
    label_smooth,
    log_loss,
    margin_ranking_loss,
    mse_loss,
    nll_loss,
    sigmoid_focal_loss,
    smooth_l1_loss,
    softmax_with_cross_entropy,
    square_error_cost,
    triplet_margin_loss,
)
from ...ops.norms import cosine_similarity, group_norm, instance_norm, layer_norm, normalize, rms_norm
from ...ops.op import OPS
from ...ops.pool import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    avg_pool1d,
    avg_pool2d,
    max_pool1d,
    max_pool2d,
)
from ...ops.rearrange import pad
from ...ops.transcendental import elu, leaky_relu, relu, sigmoid, softplus, tanh
from ..modes import GradMode
from ..random import default_generator

swish = silu

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_max_pool1d", "adaptive_max_pool2d", "alpha_dropout",
    "avg_pool1d", "avg_pool2d", "batch_norm", "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu",
    "conv1d", "conv2d", "conv2d_transpose", "cosine_similarity", "cross_entropy", "dropout", "dropout2d", "elu",
    "embedding", "gelu", "glu", "group_norm", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hinge_embedding_loss", "instance_norm", "interpolate", "kl_div", "l1_loss", "label_smooth", "layer_norm",
    "leaky_relu", "linear", "log_loss", "log_sigmoid", "log_softmax", "margin_ranking_loss", "max_pool1d",
    "max_pool2d", "maxout", "mish", "mse_loss", "nll_loss", "normalize", "one_hot", "pad", "prelu", "relu", "relu6",
    "rms_norm", "scaled_dot_product_attention", "selu", "sigmoid", "sigmoid_focal_loss", "silu", "smooth_l1_loss",
    "softmax", "softmax_with_cross_entropy", "softplus", "softshrink", "softsign", "square_error_cost", "swish",
    "tanh", "tanhshrink", "thresholded_relu", "triplet_margin_loss",
]  # fmt: skip


def draw(shape: Sequence[Any], dtype: Any) -> Any:
    """Uniform numbers of [0, 1) from the default generator: the source of randomness of dropout."""
    return default_generator.draw("uniform", shape, dtype)


def dropout(
    x: Any,
    p: float = 0.5,
    axis: Any = None,
    training: bool = True,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Any:
    """Each element is 0 with probability `p` while training.

    mode: "upscale_in_train" divides the others by 1 - p; "downscale_in_infer" multiplies by 1 - p when not training.
    axis: the axes along which elements are dropped one by one. Errors: ArgumentError for p outside [0, 1] or the mode.

    >>> from ..conversions import to_tensor
    >>> dropout(to_tensor([1.0, 2.0]), 0.5, training=False).tolist()
    [1.0, 2.0]
    """
    return _composite.dropout(x, p, axis, training, mode, draw=draw)


def dropout2d(x: Any, p: float = 0.5, training: bool = True, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Whole channels of images [n, c, h, w] are 0 with probability `p` while training; the others are upscaled."""
    if x.ndim != 4:
        raise ShapeError(f"dropout2d needs images of rank 4, got {show_shape(x.shape)}")
    return dropout(x, p, [0, 3] if data_format.endswith("C") else [0, 1], training)


def alpha_dropout(x: Any, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    """Dropout that keeps mean 0 and variance 1, for networks with selu (Klambauer et al., 2017)."""
    if not 0.0 <= p <= 1.0:
        raise ArgumentError(f"the probability of dropout must be from 0 to 1, not {p}")
    if not training or p == 0.0:
        return x
    if p == 1.0:
        return x * 0.0
    low = -1.7580993408473766  # what selu gives far to the left
    a = ((1.0 - p) * (1.0 + p * low * low)) ** -0.5
    keep = draw(x.shape, x.dtype) >= p
    return OPS["where"](keep, x, low) * a - a * low * p


def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    training: bool = True, scale: float | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """softmax(query · keyᵀ / √d) · value for each head, for [batch, length, heads, d].

    attn_mask: bool (true: may look) or float (added), broadcast to [batch, heads, queries, keys].
    """
    return _composite.scaled_dot_product_attention(
        query, key, value, attn_mask, dropout_p, is_causal, training, scale, draw=draw
    )


def batch_norm(
    x: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    momentum: float = 0.9, epsilon: float = 1e-5, data_format: str = "NCHW", use_global_stats: bool | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Each channel with mean 0 and variance 1, times weight, plus bias [c].

    Training uses the batch's statistics, through which gradients flow, and moves the running ones in place:
    running = momentum * running + (1 - momentum) * batch, with the biased variance. Else, or with
    `use_global_stats=True`, the running ones are used; `use_global_stats=False`: never.
    """
    use_running = not training if use_global_stats is None else use_global_stats
    if use_running:
        return _norms.batch_norm_eval(x, running_mean, running_var, weight, bias, epsilon, data_format)
    y, mean, variance = _norms.batch_norm_train(x, weight, bias, epsilon, data_format)
    with GradMode(False):
        for running, batch in ((running_mean, mean), (running_var, variance)):
            new = batch if batch.dtype is running.dtype else OPS["cast"](batch, running.dtype)
            running._write(running * momentum + new * (1.0 - momentum), fresh=True)
    return y


def interpolate(
    x: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool = False,
    align_mode: int = 0, data_format: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """Images [n, c, h, w] resized to `size`, or by `scale_factor`: each element is a copy of the nearest one.

    Errors: ArgumentError for a mode other than "nearest", or without exactly one of size and scale_factor.
    """
    if mode != "nearest" or align_corners:
        raise ArgumentError(f'interpolate has only mode="nearest" without align_corners, not {mode!r}')
    if (size is None) == (scale_factor is None):
        raise ArgumentError("interpolate needs either size or scale_factor")
    x = channels_first(x, data_format)
    given = size if size is not None else scale_factor
    wanted = list(given) if isinstance(given, (list, tuple)) else [given] * (x.ndim - 2)
    if len(wanted) != x.ndim - 2:
        raise ArgumentError(f"interpolate of {show_shape(x.shape)} needs {x.ndim - 2} sizes or factors, not {wanted}")
    for k, step in enumerate(wanted):
        old = x.shape[k + 2]
        new = int(step) if size is not None else int(old * step)
        if new != old:
            x = OPS["gather"](x, arange(new) * old // new, k + 2)
    return channels_as(x, data_format)
