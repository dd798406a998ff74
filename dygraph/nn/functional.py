"""`nn.functional`: the functions of networks under Paddle's names and signatures.

They are written in the op table's files (ops/) and, where they draw random numbers or write state, in stochastic.py.
"""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
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
    softmax,
    softshrink,
    softsign,
    swiglu,
    tanhshrink,
    thresholded_relu,
)
from ...ops.activation import (
    silu as swish,
)
from ...ops.class_trees import adaptive_log_softmax_with_loss, gather_tree, hsigmoid_loss
from ...ops.composite import linear, one_hot
from ...ops.conv import conv1d, conv2d, conv2d_transpose
from ...ops.conv_nd import conv1d_transpose, conv3d, conv3d_transpose
from ...ops.diagonals import diag_embed
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
from ...ops.margins import (
    cosine_embedding_loss,
    dice_loss,
    gaussian_nll_loss,
    margin_cross_entropy,
    multi_label_margin_loss,
    multi_label_soft_margin_loss,
    multi_margin_loss,
    npair_loss,
    poisson_nll_loss,
    soft_margin_loss,
    triplet_margin_with_distance_loss,
)
from ...ops.mistakes import publish
from ...ops.norms import cosine_similarity, group_norm, layer_norm, normalize, rms_norm
from ...ops.padding import pad
from ...ops.pool import avg_pool1d, avg_pool2d, max_pool1d, max_pool2d
from ...ops.pool_nd import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    avg_pool3d,
    lp_pool1d,
    lp_pool2d,
    max_pool3d,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from ...ops.resize import affine_grid, grid_sample, interpolate, upsample
from ...ops.sequence_loss import ctc_loss, edit_distance, rnnt_loss
from ...ops.transcendental import elu, leaky_relu, relu, sigmoid, softplus, tanh
from ...ops.vision import (
    bilinear,
    channel_shuffle,
    fold,
    local_response_norm,
    pairwise_distance,
    pixel_shuffle,
    pixel_unshuffle,
    sequence_mask,
    temporal_shift,
    unfold,
    zeropad2d,
)
from ..in_place_functions import written
from .stochastic import (
    alpha_dropout,
    batch_norm,
    class_center_sample,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    embedding,
    feature_alpha_dropout,
    flash_attention,
    fractional_max_pool2d,
    fractional_max_pool3d,
    gumbel_softmax,
    instance_norm,
    rrelu,
    scaled_dot_product_attention,
)

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_log_softmax_with_loss",
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d", "affine_grid", "alpha_dropout", "avg_pool1d",
    "avg_pool2d", "avg_pool3d", "batch_norm", "bilinear", "binary_cross_entropy", "binary_cross_entropy_with_logits",
    "celu", "channel_shuffle", "class_center_sample", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose",
    "conv3d", "conv3d_transpose", "cosine_embedding_loss", "cosine_similarity", "cross_entropy", "ctc_loss",
    "diag_embed", "dice_loss", "dropout", "dropout1d", "dropout2d", "dropout3d", "edit_distance", "elu", "elu_",
    "embedding",
    "feature_alpha_dropout",
    "flash_attention", "fold", "fractional_max_pool2d", "fractional_max_pool3d", "gather_tree", "gaussian_nll_loss",
    "gelu", "glu", "grid_sample", "group_norm", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hardtanh_", "hinge_embedding_loss", "hsigmoid_loss", "instance_norm", "interpolate", "kl_div", "l1_loss",
    "label_smooth", "layer_norm", "leaky_relu", "leaky_relu_", "linear", "local_response_norm", "log_loss",
    "log_sigmoid", "log_softmax", "lp_pool1d", "lp_pool2d", "margin_cross_entropy", "margin_ranking_loss", "max_pool1d",
    "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d", "maxout", "mish", "mse_loss",
    "multi_label_margin_loss", "multi_label_soft_margin_loss", "multi_margin_loss", "nll_loss", "normalize",
    "npair_loss", "one_hot", "pad", "pairwise_distance", "pixel_shuffle", "pixel_unshuffle", "poisson_nll_loss",
    "prelu", "relu", "relu6", "relu_", "rms_norm", "rnnt_loss", "rrelu", "scaled_dot_product_attention", "selu",
    "sequence_mask", "sigmoid", "sigmoid_focal_loss", "silu", "smooth_l1_loss", "soft_margin_loss", "softmax",
    "softmax_", "softmax_with_cross_entropy", "softplus", "softshrink", "softsign", "square_error_cost", "swiglu",
    "swish", "tanh", "tanh_", "tanhshrink", "temporal_shift", "thresholded_relu", "thresholded_relu_",
    "triplet_margin_loss", "triplet_margin_with_distance_loss", "unfold", "upsample", "zeropad2d",
]  # fmt: skip


def silu(x: Any, inplace: bool = False, name: str | None = None) -> Any:
    """x * sigmoid(x); `inplace`: written into x."""
    return written(x, swish) if inplace else swish(x)


def elu_(x: Any, alpha: float = 1.0, name: str | None = None) -> Any:
    """`elu`, written in place. Errors: ArgumentError for an `alpha` below 0."""
    if alpha < 0:
        raise ArgumentError(f"elu_ needs an alpha of at least 0, not {alpha}", remedy="use elu")
    return written(x, elu, (alpha,))


def hardtanh_(x: Any, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Any:
    """`hardtanh`, written in place."""
    return written(x, hardtanh, (min, max))


def leaky_relu_(x: Any, negative_slope: float = 0.01, name: str | None = None) -> Any:
    """`leaky_relu`, written in place."""
    return written(x, leaky_relu, (negative_slope,))


def relu_(x: Any, name: str | None = None) -> Any:
    """`relu`, written in place."""
    return written(x, relu)


def softmax_(x: Any, axis: int = -1, dtype: Any = None, name: str | None = None) -> Any:
    """`softmax`, written in place."""
    return written(x, softmax, (axis, dtype))


def tanh_(x: Any, name: str | None = None) -> Any:
    """`tanh`, written in place."""
    return written(x, tanh)


def thresholded_relu_(x: Any, threshold: float = 1.0, value: float = 0.0, name: str | None = None) -> Any:
    """`thresholded_relu`, written in place."""
    return written(x, thresholded_relu, (threshold, value))


publish(__name__)
