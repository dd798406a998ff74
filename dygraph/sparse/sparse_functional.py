"""Activations and attention of sparse tensors, under the names of `nn.functional`."""

from ...base.suggest import tell_unknown_names as _tell_unknown_names
from .sparse_math import attention, leaky_relu, relu, relu6, softmax

__all__ = ["attention", "leaky_relu", "relu", "relu6", "softmax"]

_tell_unknown_names(__name__)
