"""Sparse tensors: coordinates (COO) and compressed rows (CSR), with gradients."""

from ...base.suggest import tell_unknown_names as _tell_unknown_names
from .sparse_creation import mask_as, sparse_coo_tensor, sparse_csr_tensor
from .sparse_math import (
    abs,
    add,
    addmm,
    asin,
    asinh,
    atan,
    atanh,
    cast,
    coalesce,
    deg2rad,
    divide,
    expm1,
    is_same_shape,
    isnan,
    log1p,
    masked_matmul,
    matmul,
    multiply,
    mv,
    neg,
    pow,
    rad2deg,
    reshape,
    sin,
    sinh,
    slice,
    sqrt,
    square,
    subtract,
    sum,
    tan,
    tanh,
    transpose,
)

__all__ = [
    "abs", "add", "addmm", "asin", "asinh", "atan", "atanh", "cast", "coalesce", "deg2rad", "divide", "expm1",
    "is_same_shape", "isnan", "log1p", "mask_as", "masked_matmul", "matmul", "multiply", "mv", "neg", "pow",
    "rad2deg", "reshape", "sin", "sinh", "slice", "sparse_coo_tensor", "sparse_csr_tensor", "sqrt", "square",
    "subtract", "sum", "tan", "tanh", "transpose",
]  # fmt: skip

_tell_unknown_names(__name__)
