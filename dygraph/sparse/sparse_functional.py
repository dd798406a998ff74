"""Activations, convolutions and attention of sparse tensors, under the names of `nn.functional`."""

from ...base.suggest import tell_unknown_names as _tell_unknown_names
from .sparse_conv import (
    conv2d,
    conv3d,
    max_pool3d,
    subm_conv2d,
    subm_conv2d_igemm,
    subm_conv3d,
    subm_conv3d_igemm,
)
from .sparse_math import attention, leaky_relu, relu, relu6, softmax

__all__ = [
    "attention", "conv2d", "conv3d", "leaky_relu", "max_pool3d", "relu", "relu6", "softmax", "subm_conv2d",
    "subm_conv2d_igemm", "subm_conv3d", "subm_conv3d_igemm",
]  # fmt: skip

_tell_unknown_names(__name__)
