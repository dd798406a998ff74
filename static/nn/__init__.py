"""Building blocks of static programs: layers that make their own parameters, and control flow."""

from importlib import import_module
from typing import Any

from ..cond_while import case, cond, switch_case, while_loop
from ..layers import (
    batch_norm,
    bilinear_tensor_product,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    embedding,
    fc,
    group_norm,
    instance_norm,
    layer_norm,
    prelu,
    row_conv,
    sparse_embedding,
    spectral_norm,
)
from ..py_func import py_func
from ..static_pylayer import static_pylayer
from . import control_flow as control_flow
from .absent import missing
from .sampled import nce

__all__ = [
    "batch_norm",
    "bilinear_tensor_product",
    "case",
    "cond",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "embedding",
    "fc",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "nce",
    "prelu",
    "py_func",
    "row_conv",
    "sparse_embedding",
    "spectral_norm",
    "static_pylayer",
    "switch_case",
    "while_loop",
]


def __getattr__(name: str) -> Any:
    """A module of this name of Paddle's. Errors: MissingError (an AttributeError) that says what to use instead."""
    if name in ("common", "control_flow", "sequence_lod"):
        return import_module(f"{__name__}.{name}")
    raise missing(__name__, name, __all__)
