"""Kernels of PaddlePaddle that `_C_ops` calls and that no public function has the name of, over the functions here.

Their arguments are those of the kernels, by position; programs take them from PaddlePaddle's own functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..base.suggest import one_of
from ..dygraph.nn import functional as F
from ..dygraph.nn.cell import activation_of, gru_step, lstm_step, project, simple_step
from ..dygraph.nn.rnn import run
from ..dygraph.sparse.sparse_creation import sparse_coo_tensor as made_sparse
from ..ops.dispatch import current
from ..ops.op import FUNCTIONS, OPS
from ..vision.multiclass import multiclass_nms

# ---- fills and fused steps


def fill_any(x: Any, value: float = 0.0) -> Any:
    """A tensor of x's shape and dtype that holds one number."""
    return FUNCTIONS["full_like"](x, value)


_BINARY = {"elementwise_add": "add", "elementwise_mul": "multiply"}
_UNARY = {"scale", "relu", "sigmoid", "tanh", "gelu"}


def fused_elemwise_activation(
    x: Any, y: Any, functor_list: Sequence[str], axis: int = -1, scale: float = 0.0, save_intermediate_out: bool = False
) -> tuple[Any, Any]:
    """Two steps in one, and what lies between them: `[unary, binary]` is unary(binary(x, y)), `[binary, unary]` is
    binary(x, unary(y)).

    Binary steps: elementwise_add, elementwise_mul (the first axis of the smaller operand meets the axis `axis` of the
    other); unary ones: relu, sigmoid, tanh, gelu (by tanh), and `scale` by a number. Errors: ArgumentError.
    """
    if axis != -1:
        rank = max(x.ndim, y.ndim) - axis
        x, y = _to_rank(x, y.ndim > x.ndim, rank), _to_rank(y, x.ndim > y.ndim, rank)

    def unary(name: str, value: Any) -> Any:
        if name == "gelu":
            return F.gelu(value, approximate=True)
        return OPS["multiply"](value, scale) if name == "scale" else getattr(F, name)(value)

    first, second = functor_list
    for step in (first, second):
        if step not in _UNARY | _BINARY.keys():
            raise ArgumentError(f"functor_list: there is no step {step!r}", remedy=one_of(step, [*_BINARY, *_UNARY]))
    if (first in _BINARY) == (second in _BINARY):
        raise ArgumentError("functor_list must have one binary step and one unary one")
    if first in _BINARY:
        between = unary(second, y)
        return OPS[_BINARY[first]](x, between), between
    between = OPS[_BINARY[second]](x, y)
    return unary(first, between), between


def _to_rank(x: Any, is_smaller: bool, rank: int) -> Any:
    """The smaller of two operands with axes of one element behind its own."""
    return OPS["reshape"](x, (*x.shape, *(1,) * (rank - x.ndim))) if is_smaller and 0 < x.ndim < rank else x


def number_count(numbers: Any, upper_range: int) -> Any:
    """How often each integer below `upper_range` is there; int64, of shape [upper_range]."""
    return FUNCTIONS["bincount"](OPS["reshape"](numbers, (-1,)), minlength=upper_range)[:upper_range]


# ---- sums, norms and losses


def l1_norm(x: Any) -> Any:
    """The sum of the absolute values."""
    return OPS["sum"](OPS["abs"](x))


def squared_l2_norm(x: Any) -> Any:
    """The sum of the squares, of shape [1]."""
    return OPS["reshape"](OPS["sum"](x * x), (1,))


def p_norm(
    x: Any, porder: float = 2.0, axis: int = -1, epsilon: float = 1e-12, keepdim: bool = False, asvector: bool = False
) -> Any:
    """`norm` along an axis, or with `asvector` of all elements."""
    flat = OPS["reshape"](x, (-1,)) if asvector else x
    made = FUNCTIONS["norm"](flat, porder, 0 if asvector else axis, keepdim and not asvector)
    return OPS["reshape"](made, (1,) * x.ndim) if asvector and keepdim else made


def bce_loss(input: Any, label: Any) -> Any:
    """`binary_cross_entropy` of each element."""
    return F.binary_cross_entropy(input, label, reduction="none")


def huber_loss(input: Any, label: Any, delta: float) -> Any:
    """The loss of each element."""
    return F.smooth_l1_loss(input, label, reduction="none", delta=delta)


def sigmoid_cross_entropy_with_logits(
    x: Any, label: Any, pos_weight: Any = None, normalize: bool = False, ignore_index: int = -100
) -> Any:
    """The loss of each element, 0 where the label is `ignore_index`; `normalize` divides by the count of the others.

    pos_weight weighs the part -log(sigmoid(x)), whatever the label.
    """
    rest = F.softplus(-x)
    loss = (1.0 - label) * x + (rest if pos_weight is None else pos_weight * rest)
    counts = OPS["cast"](OPS["not_equal"](label, float(ignore_index)), x.dtype)
    loss = loss * counts
    return loss / OPS["maximum"](OPS["sum"](counts), 1e-5) if normalize else loss


def spectral_norm(weight: Any, u: Any, v: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12) -> Any:
    """The weight divided by its largest singular value as u and v estimate it, after `power_iters` better estimates."""
    order = [dim, *(k for k in range(weight.ndim) if k != dim)]
    matrix = OPS["reshape"](OPS["transpose"](weight, order), (weight.shape[dim], -1))
    for _ in range(power_iters):
        v = _unit(OPS["matmul"](u, matrix.detach()), eps)
        u = _unit(OPS["matmul"](matrix.detach(), v), eps)
    return weight / OPS["sum"](u.detach() * OPS["matmul"](matrix, v.detach()))


def _unit(x: Any, eps: float) -> Any:
    return x / (OPS["sqrt"](OPS["sum"](x * x)) + eps)


def cross_entropy_with_softmax(
    logits: Any, label: Any, soft_label: bool = False, use_softmax: bool = True, numeric_stable_mode: bool = True,
    ignore_index: int = -100, axis: int = -1,
) -> tuple[Any, Any]:  # fmt: skip
    """Probabilities and losses; without `use_softmax` `logits` are probabilities."""
    if not use_softmax:
        loss = F.cross_entropy(
            logits, label, ignore_index=ignore_index, reduction="none", soft_label=soft_label, axis=axis,
            use_softmax=False,
        )  # fmt: skip
        return logits, loss
    loss, probabilities = F.softmax_with_cross_entropy(
        logits, label, soft_label, ignore_index, numeric_stable_mode, return_softmax=True, axis=axis
    )
    return probabilities, loss


# ---- images


def shuffle_channel(x: Any, group: int = 1) -> Any:
    """`channel_shuffle`."""
    return F.channel_shuffle(x, group)


def depthwise_conv2d(
    input: Any, filter: Any, strides: Sequence[int] = (1, 1), paddings: Any = (0, 0),
    padding_algorithm: str = "EXPLICIT", groups: int = 1, dilations: Sequence[int] = (1, 1), data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """`conv2d` with a filter for each channel."""
    padding = list(paddings) if padding_algorithm == "EXPLICIT" else padding_algorithm
    return F.conv2d(
        input, filter, None, list(strides), padding, list(dilations), groups, data_format.replace("AnyLayout", "NCHW")
    )


def _sizes(x: Any, data_format: str) -> list[Any]:
    return list(x.shape[1:-1] if data_format.endswith("C") else x.shape[2:])


def _pool(
    rank: int, x: Any, kernel_size: Any, strides: Any, paddings: Any, ceil_mode: bool, exclusive: bool,
    data_format: str, pooling_type: str, global_pooling: bool, adaptive: bool, padding_algorithm: str,
) -> Any:  # fmt: skip
    if global_pooling:
        kernel_size, paddings, strides, padding_algorithm = _sizes(x, data_format), 0, 1, "EXPLICIT"
    elif adaptive:
        return getattr(F, f"adaptive_{pooling_type}_pool{rank}d")(
            x, list(kernel_size), **({"data_format": data_format} if pooling_type == "avg" else {})
        )
    window = {"padding": _margins(paddings, padding_algorithm), "ceil_mode": ceil_mode, "data_format": data_format}
    if pooling_type == "avg":
        window["exclusive"] = exclusive
    return getattr(F, f"{pooling_type}_pool{rank}d")(x, kernel_size, strides, **window)


def _margins(paddings: Any, algorithm: str) -> Any:
    if algorithm != "EXPLICIT":
        return algorithm
    return paddings if isinstance(paddings, int) else list(paddings)


def pool2d(
    x: Any, kernel_size: Any, strides: Any = (1, 1), paddings: Any = (0, 0), ceil_mode: bool = False,
    exclusive: bool = True, data_format: str = "NCHW", pooling_type: str = "max", global_pooling: bool = False,
    adaptive: bool = False, padding_algorithm: str = "EXPLICIT",
) -> Any:  # fmt: skip
    """`max_pool2d`, `avg_pool2d` and their adaptive kinds."""
    return _pool(2, x, kernel_size, strides, paddings, ceil_mode, exclusive, data_format, pooling_type, global_pooling,
                 adaptive, padding_algorithm)  # fmt: skip


def pool3d(
    x: Any, kernel_size: Any, strides: Any = (1, 1, 1), paddings: Any = (0, 0, 0), ceil_mode: bool = False,
    exclusive: bool = True, data_format: str = "NCDHW", pooling_type: str = "max", global_pooling: bool = False,
    adaptive: bool = False, padding_algorithm: str = "EXPLICIT",
) -> Any:  # fmt: skip
    """`max_pool3d`, `avg_pool3d` and their adaptive kinds."""
    return _pool(3, x, kernel_size, strides, paddings, ceil_mode, exclusive, data_format, pooling_type, global_pooling,
                 adaptive, padding_algorithm)  # fmt: skip


def _pool_with_index(
    rank: int, x: Any, kernel_size: Any, strides: Any, paddings: Any, whole: bool, adaptive: bool, ceil_mode: bool
) -> tuple[Any, Any]:
    if adaptive:
        return getattr(F, f"adaptive_max_pool{rank}d")(x, list(kernel_size), return_mask=True)  # type: ignore[no-any-return]
    if whole:
        kernel_size, paddings, strides = list(x.shape[2:]), 0, 1
    margins = paddings if isinstance(paddings, int) else list(paddings)
    return getattr(F, f"max_pool{rank}d")(x, kernel_size, strides, margins, return_mask=True, ceil_mode=ceil_mode)  # type: ignore[no-any-return]


def max_pool2d_with_index(
    x: Any, kernel_size: Any, strides: Any = (1, 1), paddings: Any = (0, 0), global_pooling: bool = False,
    adaptive: bool = False, ceil_mode: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """The largest element of each window and its place."""
    return _pool_with_index(2, x, kernel_size, strides, paddings, global_pooling, adaptive, ceil_mode)


def max_pool3d_with_index(
    x: Any, kernel_size: Any, strides: Any = (1, 1, 1), paddings: Any = (0, 0, 0), global_pooling: bool = False,
    adaptive: bool = False, ceil_mode: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """The largest element of each window and its place."""
    return _pool_with_index(3, x, kernel_size, strides, paddings, global_pooling, adaptive, ceil_mode)


def _resize(
    x: Any, out_size: Any = None, size_tensor: Any = None, scale_tensor: Any = None, data_format: str = "NCHW",
    out_d: int = 0, out_h: int = 0, out_w: int = 0, scale: Any = (), interp_method: str = "bilinear",
    align_corners: bool = True, align_mode: int = 1,
) -> Any:  # fmt: skip
    """`interpolate`: the size comes from tensors, then from the scale, then from the numbers."""
    rank = x.ndim - 2
    size: Any = [out_d, out_h, out_w][3 - rank :]
    factor = scale_tensor if scale_tensor is not None else list(scale) if isinstance(scale, (list, tuple)) else scale
    if size_tensor:
        size, factor = list(size_tensor), None
    elif out_size is not None:
        size, factor = out_size, None
    elif factor is not None and not isinstance(factor, (int, float)) and len(factor) == 0:
        factor = None
    elif not isinstance(factor, (int, float)) and len(factor) == 1:
        factor = factor[0]
    layouts = ("NCW", "NCHW", "NCDHW") if data_format.startswith("NC") else ("NWC", "NHWC", "NDHWC")
    layout = layouts[rank - 1]  # programs may name the layout of images, whatever the rank is
    if interp_method == "nearest" and align_corners:
        return _nearest_of_corners(x, size, factor, 1 if data_format.endswith("C") else 2)
    chosen = {"size": size} if factor is None else {"scale_factor": factor}
    return F.interpolate(
        x, **chosen, mode=interp_method, align_corners=align_corners, align_mode=align_mode, data_format=layout
    )


def _nearest_of_corners(x: Any, size: Any, factor: Any, first: int) -> Any:
    """The nearest elements of a grid whose corners are those of the image, whose axes begin at `first`."""
    rank = x.ndim - 2
    if factor is not None:
        given = factor.tolist() if hasattr(factor, "tolist") else factor
        parts = list(given) if isinstance(given, (list, tuple)) else [given]
        factors = [float(v) for v in parts] * (rank if len(parts) == 1 else 1)
        size = [int(n * s) for n, s in zip(x.shape[first : first + rank], factors, strict=True)]
    for k, n in enumerate(int(v) for v in size):
        old = x.shape[first + k]
        step = np.float32((old - 1) / (n - 1) if n > 1 else 0.0)  # PaddlePaddle's kernel computes in float32
        places = (step * np.arange(n, dtype=np.float32) + 0.5).astype(np.int64)
        x = FUNCTIONS["index_select"](x, current().constant(places, None), first + k)
    return x


linear_interp = bilinear_interp = trilinear_interp = bicubic_interp = nearest_interp = _resize


def scaled(x: Any, scale: float, bias: float, bias_after_scale: bool = True, trace_backward: bool = True) -> Any:
    """`scale` as the engine has it; without `trace_backward` outside of the graph."""
    made = FUNCTIONS["scale"](x, scale, bias, bias_after_scale)
    return made if trace_backward else made.detach()


def warprnnt(
    input: Any, label: Any, input_lengths: Any, label_lengths: Any, blank: int = 0, fastemit_lambda: float = 0.0,
    num_threads: int = 1,
) -> Any:  # fmt: skip
    """`rnnt_loss` of each example; the count of threads has no effect."""
    return F.rnnt_loss(input, label, input_lengths, label_lengths, blank, fastemit_lambda, "none")


def cross_entropy2(x: Any, label: Any, ignore_index: int = -100) -> tuple[Any, Any]:
    """-log of the probability x[..., classes] at each label, and that probability; 0 at `ignore_index`.

    Both have the shape of the label, [..., 1] or without that axis.
    """
    flat = OPS["reshape"](x, (-1, x.shape[-1]))
    rows = OPS["reshape"](label, (-1, 1))
    kept = OPS["not_equal"](rows, ignore_index)
    picked = FUNCTIONS["take_along_axis"](flat, OPS["where"](kept, rows, 0), 1)
    chances = OPS["where"](kept, picked, 1.0)
    shape = tuple(label.shape)
    return OPS["reshape"](-OPS["log"](chances), shape), OPS["reshape"](OPS["where"](kept, picked, 0.0), shape)


def multiclass_nms3(
    bboxes: Any, scores: Any, rois_num: Any, score_threshold: float, nms_top_k: int, keep_top_k: int,
    nms_threshold: float = 0.3, normalized: bool = True, nms_eta: float = 1.0, background_label: int = 0,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """What a detector finds, the places of these boxes and their number by image.

    Errors: ArgumentError for boxes of several images in one list, and for a threshold that adapts.
    """
    if rois_num is not None or nms_eta != 1.0:
        raise ArgumentError("multiclass_nms3 takes no rois_num, and nms_eta=1.0 only")
    found, places, counts = multiclass_nms(
        bboxes, scores, score_threshold, nms_top_k, keep_top_k, nms_threshold, normalized, background_label
    )
    return found, OPS["cast"](places, "int32"), OPS["cast"](counts, "int32")


def c_embedding(table: Any, index: Any, start_index: int = 0, vocab_size: int = -1) -> Any:
    """The rows of a part of a table, which begins at row `start_index`; zeros for rows of other parts."""
    places = index - start_index
    own = OPS["logical_and"](OPS["greater_equal"](places, 0), OPS["less_than"](places, table.shape[0]))
    rows = F.embedding(OPS["where"](own, places, 0), table)
    return OPS["where"](OPS["reshape"](own, (*own.shape, 1)), rows, 0.0)


def sparse_coo_tensor(indices: Any, values: Any, shape: Sequence[int], stop_gradient: bool = True) -> Any:
    """`sparse.sparse_coo_tensor` as the engine has it; the values may be flat."""
    parts = tuple(shape[indices.shape[0] :])
    made = OPS["reshape"](values, (-1, *parts)) if values.ndim == 1 and parts else values
    return made_sparse(indices, made, shape, stop_gradient=stop_gradient)


# ---- tensors in place, and choices


def top_k(x: Any, k: int = 1) -> Any:
    """The largest elements of each row and their places."""
    return FUNCTIONS["topk"](x, k)


def flatten2(x: Any, axis: int = 1) -> Any:
    """A matrix of the axes before `axis` and those from it on."""
    count = 1
    for size in x.shape[:axis]:
        count = count * size
    return OPS["reshape"](x, (count, -1) if x.ndim else (1,))


def index_select_strided(x: Any, index: int, axis: int = 0) -> Any:
    """The part at one place of an axis."""
    return x[(slice(None),) * (axis % x.ndim) + (index,)]


def share_data(x: Any) -> Any:
    """The same value, without gradients."""
    return x.detach()


def full_(output: Any, shape: Any, value: Any, dtype: Any = "float32", place: Any = None) -> Any:
    """Fill a tensor in place."""
    return output.set_value(OPS["full"](tuple(shape), value, output.dtype)) or output


# ---- recurrent networks


def rnn(
    x: Any, pre_state: Sequence[Any], weight_list: Sequence[Any], sequence_length: Any = None,
    dropout_state_in: Any = None, dropout_prob: float = 0.0, is_bidirec: bool = False, input_size: int = 10,
    hidden_size: int = 100, num_layers: int = 1, mode: str = "RNN_TANH", seed: int = 0, is_test: bool = False,
) -> tuple[Any, Any, list[Any]]:  # fmt: skip
    """LSTM, GRU or RNN_TANH and RNN_RELU over x [time, n, i]: (outputs, the state of dropout, last states).

    weight_list: for each layer and direction the weights of inputs and of states, then all biases in that order.
    """
    directions, count = 2 if is_bidirec else 1, num_layers * (2 if is_bidirec else 1)
    weights, biases = weight_list[: 2 * count], weight_list[2 * count :]
    firsts = [FUNCTIONS["unbind"](state, 0) for state in pre_state]
    last: list[Any] = []
    for layer in range(num_layers):
        if layer and dropout_prob:
            x = F.dropout(x, dropout_prob, training=not is_test)
        outputs = []
        for back in range(directions):
            k = layer * directions + back
            advance = _step(mode, weights[2 * k + 1], biases[2 * k + 1])
            state = tuple(first[k] for first in firsts) if len(firsts) > 1 else firsts[0][k]
            inner = project(x, weights[2 * k], biases[2 * k])
            out, state = run(inner, advance, state, sequence_length, bool(back), is_ours=True)
            outputs.append(out)
            last.append(state if len(firsts) > 1 else (state,))
        x = outputs[0] if directions == 1 else OPS["concat"](outputs, axis=2)
    return x, dropout_state_in, [FUNCTIONS["stack"]([s[k] for s in last], 0) for k in range(len(firsts))]


def _step(mode: str, weight: Any, bias: Any) -> Any:
    """One step of a cell over its projected input, as (output, state)."""

    def advance(inner: Any, old: Any) -> tuple[Any, Any]:
        if mode == "LSTM":
            new: Any = lstm_step(inner, old, weight, bias, None)
        elif mode == "GRU":
            new = gru_step(inner, old, weight, bias)
        else:
            new = simple_step(inner, old, weight, bias, activation_of(mode.removeprefix("RNN_").lower()))
        return (new[0], new) if isinstance(new, tuple) else (new, new)

    if mode not in ("LSTM", "GRU", "RNN_TANH", "RNN_RELU"):
        raise ArgumentError(
            f"rnn: there is no mode {mode!r}", remedy=one_of(mode, ["LSTM", "GRU", "RNN_TANH", "RNN_RELU"])
        )
    return advance
