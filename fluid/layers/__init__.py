"""fluid.layers: blocks with parameters of their own, ops under their old names, control flow, feeds."""

from typing import Any

from ...base.suggest import no_attribute
from ...dygraph.nn.functional import sequence_mask
from ...ops import functions as _functions
from ...static.nn import (
    batch_norm,
    bilinear_tensor_product,
    case,
    cond,
    conv2d,
    conv2d_transpose,
    conv3d,
    group_norm,
    instance_norm,
    layer_norm,
    prelu,
    py_func,
    switch_case,
    while_loop,
)
from ..inputs import layers_embedding as embedding
from ..inputs import layers_one_hot as one_hot
from .arithmetic import (
    elementwise_add,
    elementwise_div,
    elementwise_floordiv,
    elementwise_max,
    elementwise_min,
    elementwise_mod,
    elementwise_mul,
    elementwise_pow,
    elementwise_sub,
    matmul,
    mean,
    mul,
    pow,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    scale,
    sum,
    sums,
)
from .blocks import Assert, Print, accuracy, dropout, fc, l2_normalize, pool2d
from .losses import (
    cross_entropy,
    huber_loss,
    label_smooth,
    log_loss,
    mse_loss,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_with_cross_entropy,
    square_error_cost,
)
from .making import (
    assign,
    create_global_var,
    create_parameter,
    data,
    fill_constant,
    fill_constant_batch_size_like,
    gaussian_random,
    linspace,
    ones,
    range,
    uniform_random,
    zeros,
)
from .moving import argmax, argmin, argsort, cast, concat, expand, flatten, gather, reshape, split, topk, transpose

_SAME = """
abs acos asin atan ceil clip cos cosh cumsum diag elu equal equal_all erf exp eye floor gather_nd gelu greater_equal
greater_than increment isfinite leaky_relu less_equal less_than log logical_and logical_not logical_or logical_xor
maxout not_equal ones_like rank reciprocal relu relu6 round rsqrt scatter scatter_nd scatter_nd_add selu shape sigmoid
sign sin sinh slice softplus softsign sqrt square squeeze stack strided_slice tanh unique unsqueeze unstack where
zeros_like
""".split()  # noqa: SIM905 - names that mean today what they meant then; a list would take fifty lines
_table = _functions()
size = _table["numel"]
globals().update({name: _table[name] for name in _SAME if name in _table})

__all__ = [
    "Assert",
    "Print",
    "accuracy",
    "argmax",
    "argmin",
    "argsort",
    "assign",
    "batch_norm",
    "bilinear_tensor_product",
    "case",
    "cast",
    "concat",
    "cond",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "create_global_var",
    "create_parameter",
    "cross_entropy",
    "data",
    "dropout",
    "elementwise_add",
    "elementwise_div",
    "elementwise_floordiv",
    "elementwise_max",
    "elementwise_min",
    "elementwise_mod",
    "elementwise_mul",
    "elementwise_pow",
    "elementwise_sub",
    "embedding",
    "expand",
    "fc",
    "fill_constant",
    "fill_constant_batch_size_like",
    "flatten",
    "gather",
    "gaussian_random",
    "group_norm",
    "huber_loss",
    "instance_norm",
    "l2_normalize",
    "label_smooth",
    "layer_norm",
    "linspace",
    "log_loss",
    "matmul",
    "mean",
    "mse_loss",
    "mul",
    "one_hot",
    "ones",
    "pool2d",
    "pow",
    "prelu",
    "py_func",
    "range",
    "reduce_all",
    "reduce_any",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "reshape",
    "scale",
    "sequence_mask",
    "sigmoid_cross_entropy_with_logits",
    "size",
    "softmax",
    "softmax_with_cross_entropy",
    "split",
    "square_error_cost",
    "sum",
    "sums",
    "switch_case",
    "topk",
    "transpose",
    "uniform_random",
    "while_loop",
    "zeros",
]  # fmt: skip
__all__ += [name for name in _SAME if name in _table]


def __getattr__(name: str) -> Any:
    raise no_attribute(__name__, name, lambda: __all__)
