"""Functions of networks that draw random numbers or write running statistics: dropouts, attention, batch_norm, …"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...base.dtype import bool_, float32, int64
from ...base.errors import ArgumentError, KindError, ShapeError
from ...ops import composite as _composite
from ...ops import norms as _norms
from ...ops import pool_nd as _pool
from ...ops.activation import as_float, softmax
from ...ops.arith import is_run_time_number
from ...ops.dispatch import current
from ...ops.index import scatter_add
from ...ops.infer import axis_index, show_shape
from ...ops.lines import scalar_as_line
from ...ops.matrix_norms import vector_norm
from ...ops.op import FUNCTIONS, OPS
from ...ops.transcendental import leaky_relu
from ..in_place_functions import written
from ..modes import GradMode
from ..random_generators import default_generator

__all__ = [
    "alpha_dropout", "batch_norm", "class_center_sample", "dropout", "dropout2d", "dropout3d", "embedding",
    "feature_alpha_dropout", "flash_attention", "fractional_max_pool2d", "fractional_max_pool3d", "gumbel_softmax",
    "instance_norm", "rrelu", "scaled_dot_product_attention",
]  # fmt: skip


def draw(shape: Sequence[Any], dtype: Any, moves: Any = None) -> Any:
    """Uniform numbers of [0, 1) from the default generator: the source of randomness of dropout.

    moves: whether the generator moves on, where only a run knows that.
    """
    return default_generator.draw("uniform", shape, dtype, moves)


def dropout(
    x: Any,
    p: Any = 0.5,
    axis: Any = None,
    training: bool = True,
    inplace: bool | str = False,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Any:
    """Each element is 0 with probability `p` while training; `inplace`: written into x.

    p: a number, or a tensor with one element, which isn't checked.

    mode (also accepted in the place of `inplace`, where older releases have it):
    "upscale_in_train" divides the others by 1 - p; "downscale_in_infer" multiplies by 1 - p when not training.
    axis: the axes along which elements are dropped one by one. Errors: ArgumentError for p outside [0, 1] or the mode.

    >>> from ..conversions import to_tensor
    >>> dropout(to_tensor([1.0, 2.0]), 0.5, training=False).tolist()
    [1.0, 2.0]
    """
    if isinstance(inplace, str):
        mode, inplace = inplace, False
    if inplace:
        return written(x, dropout, (p, axis, training, False, mode))
    return _in_modes(lambda train: _composite.dropout(x, p, axis, train, mode, draw=draw), training)


def _in_modes(call: Callable[[bool], Any], training: bool) -> Any:
    """`call(training)`; a recorder of static programs also keeps what testing does instead."""
    return current().in_modes(call) if training else call(False)


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Whole channels of sequences [n, c, l] or [c, l] are 0 with probability `p` while training; others are upscaled.

    >>> from ..conversions import to_tensor
    >>> dropout1d(to_tensor([[1.0, 2.0]]), 0.5, training=False).tolist()
    [[1.0, 2.0]]
    """
    if input.ndim not in (2, 3):
        raise ShapeError(f"dropout1d needs sequences of rank 2 or 3, got {show_shape(input.shape)}")
    return dropout(input, p, [0, 1] if input.ndim == 3 else [0], training, inplace)


def dropout2d(x: Any, p: float = 0.5, training: bool = True, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Whole channels of images [n, c, h, w] are 0 with probability `p` while training; the others are upscaled."""
    if x.ndim != 4:
        raise ShapeError(f"dropout2d needs images of rank 4, got {show_shape(x.shape)}")
    if data_format not in ("NCHW", "NHWC"):
        raise ArgumentError(f"dropout2d: data_format must be NCHW or NHWC, not {data_format!r}")
    return dropout(x, p, [0, 3] if data_format.endswith("C") else [0, 1], training)


def dropout3d(
    x: Any, p: float = 0.5, training: bool = True, data_format: str = "NCDHW", name: str | None = None
) -> Any:
    """Whole channels of volumes [n, c, d, h, w] are 0 with probability `p` while training; the others are upscaled."""
    if x.ndim != 5:
        raise ShapeError(f"dropout3d needs volumes of rank 5, got {show_shape(x.shape)}")
    if data_format not in ("NCDHW", "NDHWC"):
        raise ArgumentError(f"dropout3d: data_format must be NCDHW or NDHWC, not {data_format!r}")
    return dropout(x, p, [0, 4] if data_format.endswith("C") else [0, 1], training)


def alpha_dropout(x: Any, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    """Dropout that keeps mean 0 and variance 1, for networks with selu (Klambauer et al., 2017)."""
    return _alpha_dropout(x, p, training, x.shape)


def feature_alpha_dropout(x: Any, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    """alpha_dropout of whole channels of [n, c, …]."""
    if x.ndim < 2:
        raise ShapeError(f"feature_alpha_dropout needs rank 2 or more, got {show_shape(x.shape)}")
    return _alpha_dropout(x, p, training, (*x.shape[:2], *[1] * (x.ndim - 2)))


def _alpha_dropout(x: Any, p: float, training: bool, shape: Sequence[Any]) -> Any:
    inside = _composite.is_inside(p, 0.0, 1.0)
    if not inside and not 0.0 <= p <= 1.0:
        raise ArgumentError(f"the probability of dropout must be from 0 to 1, not {p}")
    if not training or (not inside and p == 0.0):
        return x
    if not inside:
        return x * 0.0
    low = -1.7580993408473766  # what selu gives far to the left
    a = ((1.0 - p) * (1.0 + p * low * low)) ** -0.5
    keep = draw(tuple(shape), x.dtype) >= p
    return OPS["where"](keep, x, low) * a - a * low * p


def check_slopes(lower: object, upper: object) -> None:
    """Errors: KindError for slopes of `rrelu` that are ints, as in PaddlePaddle."""
    if isinstance(lower, int) or isinstance(upper, int):
        raise KindError(f"rrelu: lower and upper must be floats, not {lower!r} and {upper!r}")


def rrelu(
    x: Any, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, training: bool = True, name: str | None = None
) -> Any:
    """x where positive, else x times a random slope between lower and upper; times their mean when not training."""
    check_slopes(lower, upper)
    for what, value in (("lower", lower), ("upper", upper)):
        if not 0.0 <= value <= 1.0:
            raise ArgumentError(f"rrelu: {what} must be from 0 to 1, not {value}")
    if upper < lower:
        raise ArgumentError(f"rrelu needs lower <= upper, not {lower} and {upper}")
    x = as_float(x)
    if not training:
        return leaky_relu(x, (lower + upper) / 2)
    slope = draw(tuple(x.shape), x.dtype) * (upper - lower) + lower
    return OPS["where"](x >= 0.0, x, x * slope)


@scalar_as_line
def gumbel_softmax(
    x: Any, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: str | None = None
) -> Any:
    """softmax((x + Gumbel noise) / temperature): a soft sample; `hard`: one-hot, with the gradient of the soft one."""
    if is_run_time_number(temperature):
        current().require(temperature > 0, "gumbel_softmax: temperature must be above 0", "ArgumentError")
    elif not (_composite.is_inside(temperature, 0.0, math.inf) or temperature > 0):
        raise ArgumentError(f"gumbel_softmax: temperature must be above 0, not {temperature}")
    x = as_float(x)
    k = axis_index(axis, x.ndim)
    log, uniform = OPS["log"], draw(tuple(x.shape), x.dtype)
    noise = -log(-log(OPS["clip"](uniform, 1e-20, 1.0 - 1e-7)))
    soft = softmax((x + noise) * (1.0 / temperature), k)
    if not hard:
        return soft
    line = OPS["reshape"](OPS["arange"](x.shape[k]), tuple(-1 if j == k else 1 for j in range(x.ndim)))
    chosen = OPS["cast"](OPS["equal"](line, OPS["argmax"](soft, k, True)), x.dtype)
    return OPS["stop_gradient"](chosen - soft) + soft


def embedding(
    x: Any, weight: Any, padding_idx: int | None = None, max_norm: float | bool | None = None, norm_type: float = 2.0,
    sparse: bool = False, scale_grad_by_freq: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The rows of weight [count, size] that the integers x name; zeros, without gradient, where x is `padding_idx`.

    max_norm: the rows used are first scaled down, in place, to at most this p-norm. scale_grad_by_freq: each row's
    gradient is divided by how often x names it. Gradients are dense, `sparse` or not.
    """
    if isinstance(max_norm, bool):  # Paddle 2: the fourth argument was `sparse`
        max_norm = None
    count = weight.shape[0]
    if max_norm is not None:
        embedding_renorm_(x, weight, max_norm, norm_type)
    if scale_grad_by_freq:
        share = 1.0 / OPS["maximum"](_frequency(x, count, weight.dtype), 1.0)
        scaled = weight * share
        weight = scaled + OPS["stop_gradient"](weight - scaled)
    return _composite.embedding(x, weight, padding_idx)


def embedding_renorm_(x: Any, weight: Any, max_norm: float, norm_type: float = 2.0) -> Any:
    """Scale the rows of weight [count, size] that the integers x name, in place, to at most this p-norm; the weight.

    >>> from ..conversions import to_tensor
    >>> weight = embedding_renorm_(to_tensor([1]), to_tensor([[3.0, 4.0], [3.0, 4.0]]), 1.0)
    >>> [[round(v, 3) for v in row] for row in weight.tolist()]
    [[3.0, 4.0], [0.6, 0.8]]
    """
    with GradMode(False):
        used = _frequency(x, weight.shape[0], weight.dtype) > 0.0
        size = vector_norm(weight, float(norm_type), 1, True)
        large = OPS["logical_and"](used, size > max_norm)
        weight._write(OPS["where"](large, weight * (max_norm / (size + 1e-7)), weight), fresh=True)
    return weight


def _frequency(x: Any, count: int, dtype: Any) -> Any:
    """How often x names each row, [count, 1]."""
    flat = OPS["cast"](OPS["reshape"](x, (-1,)), int64)
    ones = OPS["full"](tuple(flat.shape), 1, dtype)
    return OPS["reshape"](scatter_add(OPS["full"]((count,), 0, dtype), flat, ones, 0), (count, 1))


def fractional_max_pool2d(
    x: Any, output_size: Any, kernel_size: Any = None, random_u: float | None = None, return_mask: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Maxima over `output_size` windows of images; random_u of (0, 1), drawn unless given, chooses where they lie."""
    return _pool.fractional_max_pool2d(x, output_size, kernel_size, random_u, return_mask, draw=draw)


def fractional_max_pool3d(
    x: Any, output_size: Any, kernel_size: Any = None, random_u: float | None = None, return_mask: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Maxima over `output_size` windows of volumes; random_u of (0, 1), drawn unless given, chooses where they lie."""
    return _pool.fractional_max_pool3d(x, output_size, kernel_size, random_u, return_mask, draw=draw)


def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    training: bool = True, scale: float | None = None, name: str | None = None, backend: str | None = None,
    enable_gqa: bool = True,
) -> Any:  # fmt: skip
    """softmax(query · keyᵀ / √d) · value for each head, for [batch, length, heads, d].

    attn_mask: bool (true: may look) or float (added), broadcast to [batch, heads, queries, keys]. Keys and values may
    have fewer heads, each shared by a group of query heads, whatever enable_gqa says; there is one backend.
    """
    return _composite.scaled_dot_product_attention(
        query, key, value, attn_mask, dropout_p, is_causal, training, scale, draw=draw
    )


def flash_attention(
    query: Any, key: Any, value: Any, dropout: float = 0.0, causal: bool = False, return_softmax: bool = False, *,
    fixed_seed_offset: Any = None, rng_name: str = "", training: bool = True, name: str | None = None,
) -> tuple[Any, None]:  # fmt: skip
    """scaled_dot_product_attention under another name: (result, None)."""
    if return_softmax:
        raise ArgumentError("flash_attention has no return_softmax", remedy="use MultiHeadAttention(need_weights=True)")
    return scaled_dot_product_attention(query, key, value, None, dropout, causal, training), None


def instance_norm(
    x: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
    use_input_stats: bool = True, momentum: float = 0.9, eps: float = 1e-5, data_format: str = "NCHW",
    name: str | None = None,
) -> Any:  # fmt: skip
    """Each image's channel with mean 0 and variance 1, times weight, plus bias [channels].

    use_input_stats=False: the running statistics are used instead of the image's.
    """
    return _norms.instance_norm(x, running_mean, running_var, weight, bias, use_input_stats, momentum, eps, data_format)


def batch_norm(
    x: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    momentum: float = 0.9, epsilon: float = 1e-5, data_format: str = "NCHW", use_global_stats: bool | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Each channel with mean 0 and variance 1, times weight, plus bias [c].

    Training uses the batch's statistics, through which gradients flow, and moves the running ones in place:
    running = momentum * running + (1 - momentum) * batch, with the biased variance; channels of one element are left
    as they are. Else, or with `use_global_stats=True`, the running ones are used; `use_global_stats=False`: never.
    No gradient flows to the running ones.
    """
    use_running = not training if use_global_stats is None else use_global_stats

    def use(train: bool) -> Any:
        if not train:
            return _norms.batch_norm_eval(
                x, _constant(running_mean), _constant(running_var), weight, bias, epsilon, data_format
            )
        return _batch_norm_train(x, running_mean, running_var, weight, bias, momentum, epsilon, data_format)

    return _in_modes(use, not use_running)


def _constant(statistic: Any) -> Any:
    """A running statistic as what it always is: nothing that is trained."""
    return statistic if statistic.stop_gradient else OPS["stop_gradient"](statistic)


def _batch_norm_train(
    x: Any, running_mean: Any, running_var: Any, weight: Any, bias: Any, momentum: float, epsilon: float,
    data_format: str,
) -> Any:  # fmt: skip
    y, mean, variance = _norms.batch_norm_train(x, weight, bias, epsilon, data_format)
    alone = _norms.has_one_per_channel(x, data_format)  # then, as in PaddlePaddle, all is left as it is
    if alone is True:
        alone = OPS["full"]((), True, bool_)
    _move(running_mean, mean, momentum, alone)
    _move(running_var, variance, momentum, alone)
    return y if alone is False else OPS["where"](alone, x if x.dtype is y.dtype else OPS["cast"](x, y.dtype), y)


def sync_batch_norm(
    x: Any, running: tuple[Any, Any], weight: Any, bias: Any, momentum: float, epsilon: float, data_format: str,
    ranks: int,
) -> Any:  # fmt: skip
    """`batch_norm` in training with the statistics of all ranks' batches, which move the `running` ones alike."""
    y, *batch = _norms.batch_norm_over_ranks(x, weight, bias, epsilon, data_format, ranks)
    for known, new in zip(running, batch, strict=True):
        _move(known, new, momentum)
    return y


def _move(running: Any, batch: Any, momentum: float, alone: Any = False) -> None:
    """Move a running statistic towards the batch's, but for `alone`."""
    with GradMode(False):
        new = batch if batch.dtype is running.dtype else OPS["cast"](batch, running.dtype)
        new = running * momentum + new * (1.0 - momentum)
        running._write(new if alone is False else OPS["where"](alone, running, new), fresh=True)


def class_center_sample(label: Any, num_classes: int, num_samples: int, group: Any = None) -> tuple[Any, Any]:
    """The classes that occur in `label` and random others, `num_samples` of them: (labels among these, classes).

    All classes that occur are kept, also when they are more than num_samples; they come first and ascend, the others
    follow as they are drawn. Source: An et al., Partial FC, 2020.
    """
    for count in (num_classes, num_samples):
        if isinstance(count, float):
            raise KindError(f"class_center_sample: a number of classes must be an int, not {count!r}")
    if num_samples > num_classes:
        raise ArgumentError(f"class_center_sample: num_samples {num_samples} must not be above {num_classes}")
    if not (group is None or group is False or hasattr(group, "is_member")):
        raise ArgumentError(f"class_center_sample: group must be None, False or a group of ranks, not {group!r}")
    if 0 in label.shape:
        raise ShapeError(f"class_center_sample needs labels, got {show_shape(label.shape)}")
    if isinstance(label._storage.payload, np.ndarray):
        given = label.numpy()
        if given.min() < 0 or given.max() >= num_classes:
            raise ArgumentError(f"class_center_sample: labels must be from 0 to {num_classes - 1}")
    wide = OPS["cast"](label, int64)
    zeros, ones = OPS["full"]((num_classes,), 0, int64), OPS["full"](tuple(label.shape), 1, int64)
    occurs = FUNCTIONS["scatter"](zeros, wide, ones)
    keys = OPS["where"](OPS["greater_than"](occurs, 0), -1.0, draw([num_classes], float32))
    order = FUNCTIONS["argsort"](keys, stable=True)
    chosen = order[: OPS["maximum"](OPS["sum"](occurs), num_samples)]
    remapped = FUNCTIONS["gather"](OPS["cumsum"](occurs, 0) - 1, wide)
    return OPS["cast"](remapped, label.dtype), OPS["cast"](chosen, label.dtype)
