"""Kernels of PaddlePaddle with arguments and results of their own: over the functions that do the same.

As `kernel_functions.py` and `kernel_orders.py`, which hold the first of them. What a kernel keeps for its gradient is
None where a function here keeps nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ..dygraph.nn import functional as F
from ..ops.op import FUNCTIONS, OPS

_root = __name__.partition(".")[0]


def of_module(module: str, name: str) -> Any:
    """A function or class of one of this package's public modules; "" is the package itself."""
    return getattr(import_module(f"{_root}.{module}" if module else _root), name)


# ---- sums, norms and products


def accuracy(x: Any, indices: Any, label: Any) -> tuple[Any, Any, Any]:
    """Which part of the rows have their label among `indices`, how many these are, and how many rows there are."""
    hits = OPS["any"](OPS["equal"](indices, OPS["cast"](label, indices.dtype)), (1,))
    correct = OPS["cast"](FUNCTIONS["sum"](OPS["cast"](hits, "int32")), "int32")
    total = FUNCTIONS["full"]([], indices.shape[0], "int32")
    return OPS["cast"](correct, "float32") / OPS["cast"](total, "float32"), correct, total


def norm(x: Any, axis: int, epsilon: float = 1e-10, is_test: bool = False) -> tuple[Any, Any]:
    """x divided by its 2-norms along an axis, and these norms."""
    size = OPS["sqrt"](OPS["sum"](x * x, axis, keepdim=True) + epsilon)
    return x / size, size


def frobenius_norm(x: Any, axis: Any = None, keep_dim: bool = False, reduce_all: bool = False) -> Any:
    """The root of the sum of squares."""
    return OPS["sqrt"](OPS["sum"](x * x, None if reduce_all else tuple(axis), keepdim=keep_dim))


def prod(x: Any, axis: Any = None, keepdim: bool = False, reduce_all: bool = False) -> Any:
    """`prod`."""
    return FUNCTIONS["prod"](x, None if reduce_all else axis, keepdim)


def mean_all(x: Any) -> Any:
    """The mean of all elements."""
    return OPS["mean"](x)


def variance(x: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """`var` of all that there is, not of a sample."""
    return FUNCTIONS["var"](x, axis or None, False, keepdim)


def elementwise_pow(x: Any, y: Any) -> Any:
    """`pow`."""
    return FUNCTIONS["pow"](x, y)


def identity_loss(x: Any, reduction: int = 1) -> Any:
    """0: the sum, 1: the mean, 2: x."""
    return OPS["sum"](x) if reduction == 0 else OPS["mean"](x) if reduction == 1 else x


def linear_v2(input: Any, weight: Any, bias: Any, transpose_weight: bool = False) -> Any:
    """`linear`."""
    return OPS["matmul"](input, weight, False, transpose_weight) + bias


def batch_fc(input: Any, w: Any, bias: Any) -> Any:
    """A `linear` of each batch [slots, rows, in] by weights [slots, in, out] and biases [slots, out]."""
    return OPS["matmul"](input, w) + FUNCTIONS["unsqueeze"](bias, 1)


def tanh_shrink(x: Any) -> Any:
    """`tanhshrink`."""
    return F.tanhshrink(x)


def add_position_encoding(x: Any, alpha: float = 1.0, beta: float = 1.0) -> Any:
    """alpha x + beta sines and cosines of positions, in the halves of the last axis of x [n, time, size]."""
    time, half = x.shape[1], x.shape[2] // 2
    powers = 10000.0 ** (np.arange(half) / (half - 1)) if half > 1 else np.array([10000.0])
    angles = np.arange(time)[:, None] / powers
    waves = np.concatenate([np.sin(angles), np.cos(angles)], 1).astype(x.dtype.numpy)
    return x * alpha + of_module("", "to_tensor")(waves * np.asarray(beta, waves.dtype))


# ---- matrices


def eigvalsh(x: Any, uplo: str = "L", is_test: bool = False) -> Any:
    """Eigenvalues and eigenvectors of Hermitian matrices."""
    return of_module("", "eigh")(x, uplo)


def matrix_rank(x: Any, tol: float, use_default_tol: bool = True, hermitian: bool = False) -> Any:
    """`matrix_rank`."""
    return FUNCTIONS["matrix_rank"](x, None if use_default_tol else tol, hermitian)


def matrix_rank_tol(x: Any, atol_tensor: Any, use_default_tol: bool = True, hermitian: bool = False) -> Any:
    """`matrix_rank` with a tensor as tolerance."""
    return FUNCTIONS["matrix_rank"](x, atol_tensor, hermitian)


def matrix_rank_atol_rtol(x: Any, atol: Any, rtol: Any = None, hermitian: bool = False) -> Any:
    """`matrix_rank` with two tolerances."""
    return FUNCTIONS["matrix_rank"](x, None, hermitian, atol, rtol)


def slogdet_v2(x: Any) -> tuple[Any, Any]:
    """Signs and logarithms of determinants."""
    made = FUNCTIONS["slogdet"](x)
    return made[0], made[1]


def lu(x: Any, pivot: bool = True) -> Any:
    """`lu` with its infos."""
    return FUNCTIONS["lu"](x, pivot, True)


# ---- losses


def kldiv_loss(x: Any, label: Any, reduction: str = "mean", log_target: bool = False) -> Any:
    """`kl_div`."""
    return F.kl_div(x, label, reduction, log_target)


def warpctc(
    logits: Any, label: Any, logits_length: Any = None, labels_length: Any = None, blank: int = 0,
    norm_by_times: bool = False,
) -> Any:  # fmt: skip
    """`ctc_loss` of each example, [n, 1]."""
    made = F.ctc_loss(logits, label, logits_length, labels_length, blank, "none", norm_by_times)
    return OPS["reshape"](made, (-1, 1))


def hsigmoid_loss(
    x: Any, label: Any, w: Any, bias: Any, path: Any, code: Any, num_classes: int, is_sparse: bool = False
) -> tuple[Any, None, None]:
    """`hsigmoid_loss`."""
    return F.hsigmoid_loss(x, label, num_classes, w, bias, path, code, is_sparse), None, None


def margin_cross_entropy(
    logits: Any, label: Any, return_softmax: bool = False, ring_id: int = 0, rank: int = 0, nranks: int = 1,
    margin1: float = 1.0, margin2: float = 0.5, margin3: float = 0.0, scale: float = 64.0,
) -> tuple[Any, Any]:  # fmt: skip
    """Probabilities and the loss of each example."""
    loss, probabilities = F.margin_cross_entropy(
        logits, label, margin1, margin2, margin3, scale, return_softmax=True, reduction=None
    )
    return probabilities, loss


def class_center_sample(label: Any, num_classes: int, num_samples: int, *rest: Any) -> Any:
    """`class_center_sample`; `rest`, ranks and seeds, has no effect."""
    return F.class_center_sample(label, num_classes, num_samples)


def edit_distance(
    hyps: Any, refs: Any, hypslength: Any = None, refslength: Any = None, normalized: bool = False
) -> tuple[Any, Any]:
    """How many sequences there are, and their distances."""
    return F.edit_distance(hyps, refs, normalized, None, hypslength, refslength)


def viterbi_decode(potentials: Any, transition_params: Any, lengths: Any, include_bos_eos_tag: bool = True) -> Any:
    """`text.viterbi_decode`."""
    return of_module("text", "viterbi_decode")(potentials, transition_params, lengths, include_bos_eos_tag)


# ---- signals


def fft_c2c(x: Any, axes: Sequence[int], normalization: str, forward: bool) -> Any:
    """`fftn` or `ifftn`."""
    return of_module("fft", "fftn" if forward else "ifftn")(x, axes=list(axes), norm=normalization)


def fft_r2c(x: Any, axes: Sequence[int], normalization: str, forward: bool, onesided: bool = True) -> Any:
    """`rfftn` or `ihfftn`; not onesided: `fftn` or `ifftn` of real numbers."""
    if onesided:
        return of_module("fft", "rfftn" if forward else "ihfftn")(x, axes=list(axes), norm=normalization)
    return fft_c2c(OPS["cast"](x, "complex128" if x.dtype.name == "float64" else "complex64"), axes, normalization,
                   forward)  # fmt: skip


def fft_c2r(x: Any, axes: Sequence[int], normalization: str, forward: bool, last_dim_size: int = 0) -> Any:
    """`irfftn` or `hfftn` with `last_dim_size` results on the last axis; 0: twice as many as there are, less 2."""
    sizes = [x.shape[k] for k in axes]
    sizes[-1] = last_dim_size or 2 * (sizes[-1] - 1)
    return of_module("fft", "hfftn" if forward else "irfftn")(x, s=sizes, axes=list(axes), norm=normalization)


def frame(x: Any, frame_length: int, hop_length: int, axis: int = -1) -> Any:
    """`signal.frame`."""
    return of_module("signal", "frame")(x, frame_length, hop_length, axis)


def overlap_add(x: Any, hop_length: int, axis: int = -1) -> Any:
    """`signal.overlap_add`."""
    return of_module("signal", "overlap_add")(x, hop_length, axis)


def stft(x: Any, window: Any, n_fft: int, hop_length: int, normalized: bool, onesided: bool) -> Any:
    """`signal.stft` of frames as they are."""
    return of_module("signal", "stft")(
        x, n_fft, hop_length, window=window, center=False, normalized=normalized, onesided=onesided
    )


# ---- images


def affine_channel(x: Any, scale: Any, bias: Any, data_layout: str = "AnyLayout") -> Any:
    """scale x + bias, by channels."""
    shape = (-1,) if data_layout == "NHWC" else (-1, *(1,) * (x.ndim - 2))
    return x * OPS["reshape"](scale, shape) + OPS["reshape"](bias, shape)


def batch_norm(
    x: Any, mean: Any, variance: Any, scale: Any, bias: Any, is_test: bool, momentum: float, epsilon: float,
    data_format: str, use_global_stats: bool = False, trainable_statistics: bool = False,
) -> tuple[Any, Any, Any, Any, Any, None]:  # fmt: skip
    """The result, the running averages, and the mean and 1 / deviation that it is made with."""
    training = (not is_test or trainable_statistics) and not use_global_stats
    used_mean, used = mean, variance
    if training:
        axes = [k for k in range(x.ndim) if k != (x.ndim - 1 if data_format.endswith("C") else 1)]
        used_mean, used = of_module("", "mean")(x, axes), FUNCTIONS["var"](x, axes, False)
    saved = OPS["rsqrt"](used + epsilon)
    made = F.batch_norm(x, mean, variance, scale, bias, training, momentum, epsilon, data_format)
    return made, mean, variance, used_mean, saved, None


def lp_pool2d(
    x: Any, kernel_size: Any, strides: Any, paddings: Any, ceil_mode: bool, exclusive: bool, data_format: str,
    pooling_type: str, global_pooling: bool, adaptive: bool, padding_algorithm: str, norm_type: float,
) -> Any:  # fmt: skip
    """`lp_pool2d`."""
    padding: Any = list(paddings) if padding_algorithm == "EXPLICIT" else padding_algorithm
    if global_pooling:
        kernel_size, padding = list(x.shape[1:-1] if data_format.endswith("C") else x.shape[2:]), 0
    return F.lp_pool2d(x, norm_type, kernel_size, strides, padding, ceil_mode, data_format)


def _fractional(name: str, x: Any, output_size: Any, kernel_size: Any, random_u: float) -> Any:
    kernel = kernel_size if kernel_size is not None and any(list(kernel_size)) else None  # 0: disjoint windows
    return getattr(F, name)(x, output_size, kernel, random_u or None, return_mask=True)


def fractional_max_pool2d(
    x: Any, output_size: Any, kernel_size: Any = (0, 0), random_u: float = 0.0, return_mask: bool = True
) -> Any:
    """`fractional_max_pool2d` and the places of its results, whatever `return_mask` says."""
    return _fractional("fractional_max_pool2d", x, output_size, kernel_size, random_u)


def fractional_max_pool3d(
    x: Any, output_size: Any, kernel_size: Any = (0, 0, 0), random_u: float = 0.0, return_mask: bool = True
) -> Any:
    """`fractional_max_pool3d` and the places of its results, whatever `return_mask` says."""
    return _fractional("fractional_max_pool3d", x, output_size, kernel_size, random_u)


def unpool(
    x: Any, indices: Any, ksize: Any, strides: Any, padding: Any, output_size: Any, data_format: str = "NCHW"
) -> Any:
    """`max_unpool2d`."""
    return F.max_unpool2d(x, indices, ksize, strides, padding, data_format, output_size)


def unpool3d(
    x: Any, indices: Any, ksize: Any, strides: Any = (1, 1, 1), paddings: Any = (0, 0, 0), output_size: Any = None,
    data_format: str = "NCDHW",
) -> Any:  # fmt: skip
    """`max_unpool3d`."""
    return F.max_unpool3d(x, indices, ksize, strides, paddings, data_format, output_size)


def deformable_conv(
    x: Any, offset: Any, filter: Any, mask: Any, strides: Any, paddings: Any, dilations: Any, deformable_groups: int,
    groups: int, im2col_step: int = 64,
) -> Any:  # fmt: skip
    """`vision.ops.deform_conv2d`."""
    made = of_module("vision.ops", "deform_conv2d")
    return made(x, offset, filter, None, strides, paddings, dilations, deformable_groups, groups, mask)


def pad(x: Any, paddings: Sequence[int], pad_value: Any = 0.0) -> Any:
    """`pad` of all axes, the first one first."""
    return F.pad(x, list(paddings), "constant", pad_value, pad_from_left_axis=True)


def pad3d(x: Any, paddings: Any, mode: str = "constant", pad_value: float = 0.0, data_format: str = "NCDHW") -> Any:
    """`pad` of the axes of volumes, the last one first."""
    return F.pad(x, paddings if hasattr(paddings, "numpy") else list(paddings), mode, pad_value, data_format)


def rrelu(x: Any, lower: float, upper: float, is_test: bool) -> Any:
    """`rrelu`."""
    return F.rrelu(x, lower, upper, not is_test)


def box_coder(
    prior_box: Any, prior_box_var: Any, target_box: Any, code_type: str, box_normalized: bool, axis: int,
    variance: Sequence[float] = (),
) -> Any:  # fmt: skip
    """`vision.ops.box_coder`; the variances are a tensor or numbers."""
    given = prior_box_var if prior_box_var is not None else list(variance) or None
    return of_module("vision.ops", "box_coder")(prior_box, given, target_box, code_type, box_normalized, axis)


def prior_box(
    input: Any, image: Any, min_sizes: Any, max_sizes: Any, aspect_ratios: Any, variances: Any, flip: bool, clip: bool,
    step_w: float, step_h: float, offset: float, min_max_aspect_ratios_order: bool,
) -> Any:  # fmt: skip
    """`vision.ops.prior_box`."""
    return of_module("vision.ops", "prior_box")(
        input, image, list(min_sizes), list(max_sizes) or None, list(aspect_ratios), list(variances), flip, clip,
        [step_w, step_h], offset, min_max_aspect_ratios_order,
    )  # fmt: skip


def matrix_nms(
    bboxes: Any, scores: Any, score_threshold: float, nms_top_k: int, keep_top_k: int, post_threshold: float,
    use_gaussian: bool, gaussian_sigma: float, background_label: int, normalized: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """What `vision.ops.matrix_nms` finds, the places of these boxes, and their number by image."""
    found, counts, places = of_module("vision.ops", "matrix_nms")(
        bboxes, scores, score_threshold, post_threshold, nms_top_k, keep_top_k, use_gaussian, gaussian_sigma,
        background_label, normalized, return_index=True, return_rois_num=True,
    )  # fmt: skip
    return found, places, counts


def yolo_box(
    x: Any, img_size: Any, anchors: Sequence[int], class_num: int, conf_thresh: float, downsample_ratio: int,
    clip_bbox: bool = True, scale_x_y: float = 1.0, iou_aware: bool = False, iou_aware_factor: float = 0.5,
) -> Any:  # fmt: skip
    """`vision.ops.yolo_box`."""
    return of_module("vision.ops", "yolo_box")(
        x, img_size, anchors, class_num, conf_thresh, downsample_ratio, clip_bbox, None, scale_x_y, iou_aware,
        iou_aware_factor,
    )  # fmt: skip


def yolo_loss(
    x: Any, gt_box: Any, gt_label: Any, gt_score: Any, anchors: Sequence[int], anchor_mask: Sequence[int],
    class_num: int, ignore_thresh: float, downsample_ratio: int, use_label_smooth: bool = True, scale_x_y: float = 1.0,
) -> Any:  # fmt: skip
    """`vision.ops.yolo_loss`."""
    return of_module("vision.ops", "yolo_loss")(
        x, gt_box, gt_label, anchors, anchor_mask, class_num, ignore_thresh, downsample_ratio, gt_score,
        use_label_smooth, None, scale_x_y,
    )  # fmt: skip
