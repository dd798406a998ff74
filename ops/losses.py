"""Losses written with rows, with Paddle's arguments. Fusion makes one kernel of each, forward and backward.

`reduction`: "mean", "sum" or "none". Labels are class numbers (integers) unless a loss says otherwise; one outside
the classes that isn't `ignore_index` is an AxisError.
"""

from __future__ import annotations

from typing import Any

from ..base.dtype import float32, int64
from ..base.errors import ArgumentError, AxisError, DTypeError, KindError, ShapeError
from ..base.suggest import one_of
from .activation import as_float, as_floats, log_softmax, softmax
from .along import take_along_axis
from .arith import is_run_time_number, is_value
from .compare import equal, not_equal, where
from .dims import assume_equal, same_shape
from .dispatch import current
from .elementwise import abs_, cast, maximum, square
from .failing import label_outside
from .index import as_index, gather
from .infer import axis_index, broadcast_shapes, require_axes, show_shape
from .matrix_norms import vector_norm
from .op import OPS, composite
from .planned import planned
from .reduce import mean, sum_
from .transcendental import exp, log, softplus


def reduced(loss: Any, reduction: str) -> Any:
    """The mean or the sum of all elements, or the elements."""
    if reduction == "mean":
        return mean(loss)
    if reduction == "sum":
        return sum_(loss)
    if reduction != "none":
        choices = ["mean", "sum", "none"]
        raise ArgumentError(f"there is no reduction {reduction!r}", remedy=one_of(reduction, choices))
    return loss


def _pair(op: str, input: Any, label: Any) -> tuple[Any, Any]:
    """Input and label as floats of one dtype, the wider one, and of shapes that broadcast."""
    input, label = as_floats(input, label)
    try:
        broadcast_shapes(input.shape, label.shape)
    except ShapeError as error:
        raise ShapeError(
            f"{op}: input {show_shape(input.shape)} and label {show_shape(label.shape)} don't fit"
        ) from error
    return input, label


# ---- classification


def _labels(op: str, input: Any, label: Any, axis: int) -> Any:
    """Class numbers with size 1 on `axis`, from labels with or without that axis."""
    label = label if is_value(label) else current().constant(label, None)
    if label.dtype.is_floating and current().is_static:
        label = cast(label, int64)  # a static program's labels may be declared as floats: feeds are converted
    if not label.dtype.is_integer:
        raise DTypeError(
            f"{op} needs integer labels, not {label.dtype.name}", remedy="convert them, or pass soft_label=True"
        )
    wanted = tuple(1 if k == axis else d for k, d in enumerate(input.shape))
    given = tuple(label.shape)
    if len(given) == input.ndim - 1:
        given = (*given[:axis], 1, *given[axis:])
    if len(given) != input.ndim or any(assume_equal(a, b) is False for a, b in zip(given, wanted, strict=True)):
        raise ShapeError(
            f"{op}: labels {show_shape(label.shape)} don't fit input {show_shape(input.shape)}, classes on axis {axis}",
            remedy=f"use labels of shape {show_shape(wanted)}, or without axis {axis}",
        )
    return label if len(label.shape) == input.ndim else OPS["reshape"](label, given)


def _weighted_mean(loss: Any, weights: Any) -> Any:
    """sum(loss) / sum(weights); 0 where all weights are 0."""
    total = sum_(weights)
    return sum_(loss) / where(equal(total, 0.0), 1.0, total)


def _class_weights(op: str, weight: Any, input: Any, axis: int) -> Any:
    if weight.ndim != 1 or assume_equal(weight.shape[0], input.shape[axis]) is False:
        raise ShapeError(
            f"{op}: weight {show_shape(weight.shape)} must hold one number per class of {show_shape(input.shape)}"
        )
    return as_float(weight, input.dtype)


def _hard_loss(
    op: str, logp: Any, label: Any, weight: Any, ignore_index: int, reduction: str, axis: int, squeeze: bool
) -> Any:
    """-logp at the label, 0 at ignored labels; with class weights; the mean is over what isn't ignored."""
    labels = as_index(current(), op, _labels(op, logp, label, axis))
    valid = not_equal(labels, ignore_index)
    outside = where(labels < 0, labels - logp.shape[axis], labels)  # no class, though an index from the end
    safe = where(valid, outside, 0)
    try:
        picked = take_along_axis(logp, safe, axis)
    except AxisError as error:  # in eager mode; a program checks when it runs
        raise label_outside(op, error) from None
    current().reads_labels(picked, op)
    loss = where(valid, -picked, 0.0)
    counted = cast(valid, logp.dtype)
    if weight is not None:
        weights = gather(_class_weights(op, weight, logp, axis), safe, 0)
        loss, counted = loss * weights, counted * weights
    if reduction == "mean":
        return _weighted_mean(loss, counted)
    loss = reduced(loss, reduction)
    return OPS["reshape"](loss, label.shape) if reduction == "none" and squeeze else loss


def _soft_loss(op: str, logp: Any, target: Any, weight: Any, reduction: str, axis: int, valid: Any = None) -> Any:
    """-sum(target * logp) along the classes, kept as size 1; with class weights, weighted by sum(target * weight)."""
    loss = -sum_(target * logp, axis, True)
    counted = None if valid is None else cast(valid, logp.dtype)
    if weight is not None:
        shape = tuple(-1 if k == axis else 1 for k in range(logp.ndim))
        weights = sum_(target * OPS["reshape"](_class_weights(op, weight, logp, axis), shape), axis, True)
        loss, counted = loss * weights, weights if counted is None else counted * weights
    loss = loss if valid is None else where(valid, loss, 0.0)
    return _weighted_mean(loss, counted) if reduction == "mean" and counted is not None else reduced(loss, reduction)


@composite(method=False)
@planned
def cross_entropy(
    input: Any, label: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean",
    soft_label: bool = False, axis: int = -1, use_softmax: bool = True, label_smoothing: float = 0.0,
    name: str | None = None,
) -> Any:  # fmt: skip
    """-log(softmax(input)) at the label, over the classes on `axis`.

    label: class numbers, with `axis` of size 1 or without it; with `soft_label`, probabilities in input's shape (with
    label_smoothing, floats in that shape are probabilities in any case, and integers of another are class numbers).
    With `use_softmax=False` the input holds probabilities. weight: [classes]. Result without reduction: in the label's
    shape (soft labels, label_smoothing: size 1 on `axis`). The mean is over what isn't ignored, by the labels' weights.
    """
    input = as_float(input)
    k = axis_index(axis, input.ndim)
    logp = log_softmax(input, k) if use_softmax else log(input)
    if not 0.0 <= label_smoothing <= 1.0:
        raise ArgumentError(f"label_smoothing must be from 0 to 1, not {label_smoothing}")
    smooths = label_smoothing > 0.0
    by_number = smooths and is_value(label) and label.dtype.is_integer and not _is_as_large(label, input)
    if (soft_label and not by_number) or (smooths and _is_one_hot(label, input)):
        target = _soft_target(input, label, label_smoothing, k)
        return _soft_loss("cross_entropy", logp, target, weight, reduction, k)
    if label_smoothing == 0.0:
        return _hard_loss("cross_entropy", logp, label, weight, ignore_index, reduction, k, squeeze=True)
    labels = _labels("cross_entropy", input, label, k)
    valid = not_equal(labels, ignore_index)
    line = OPS["reshape"](
        OPS["arange"](input.shape[k]), tuple(input.shape[k] if i == k else 1 for i in range(input.ndim))
    )
    target = _smooth(cast(equal(labels, line), input.dtype), label_smoothing, input.shape[k])
    return _soft_loss("cross_entropy", logp, target, weight, reduction, k, valid)


def _is_one_hot(label: Any, input: Any) -> bool:
    """Whether labels are probabilities although nobody said so: floats in the input's shape."""
    return is_value(label) and label.dtype.is_floating and _is_as_large(label, input)


def _is_as_large(label: Any, input: Any) -> bool:
    return len(label.shape) == input.ndim and assume_equal(label.shape[-1], input.shape[-1]) is not False


def _smooth(target: Any, amount: float, classes: Any) -> Any:
    return target if amount == 0.0 else target * (1.0 - amount) + _one_over(classes, target.dtype) * amount


def _one_over(count: Any, dtype: Any) -> Any:
    return 1.0 / count if isinstance(count, int) else 1.0 / current().constant(count, dtype)


def _soft_target(input: Any, label: Any, smoothing: float, axis: int) -> Any:
    label = as_float(label, input.dtype)
    same = len(label.shape) == input.ndim
    if not same or any(assume_equal(a, b) is False for a, b in zip(label.shape, input.shape, strict=True)):
        raise ShapeError(
            f"cross_entropy: soft labels {show_shape(label.shape)} must have the shape of the input"
            f" {show_shape(input.shape)}",
            remedy="class numbers need soft_label=False",
        )
    return _smooth(label, smoothing, input.shape[axis])


@composite(method=False)
@planned
def softmax_with_cross_entropy(
    logits: Any, label: Any, soft_label: bool = False, ignore_index: int = -100, numeric_stable_mode: bool = True,
    return_softmax: bool = False, axis: int = -1,
) -> Any:  # fmt: skip
    """The cross entropy of each sample, with size 1 on `axis`; with `return_softmax`, also the probabilities."""
    logits = as_float(logits)
    k = axis_index(axis, logits.ndim)
    logp = log_softmax(logits, k)
    if soft_label:
        loss = _soft_loss("softmax_with_cross_entropy", logp, _soft_target(logits, label, 0.0, k), None, "none", k)
    else:
        loss = _hard_loss("softmax_with_cross_entropy", logp, label, None, ignore_index, "none", k, squeeze=False)
    return (loss, softmax(logits, k)) if return_softmax else loss


@composite(method=False)
@planned
def nll_loss(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """-input at the label, for log-probabilities [n, classes, …] and labels [n, …]."""
    input = as_float(input)
    if input.ndim < 2:
        raise ShapeError(f"nll_loss needs log-probabilities [n, classes, …], got {show_shape(input.shape)}")
    return _hard_loss("nll_loss", input, label, weight, ignore_index, reduction, 1, squeeze=True)


@composite(method=False)
@planned
def label_smooth(label: Any, prior_dist: Any = None, epsilon: float = 0.1, name: str | None = None) -> Any:
    """(1 - epsilon) * label + epsilon * prior, for soft labels [..., classes]; the prior is even unless given."""
    if is_run_time_number(epsilon):
        fits = OPS["logical_and"](epsilon >= 0.0, epsilon <= 1.0)
        current().require(fits, "label_smooth: epsilon must be from 0 to 1", "ArgumentError")
    elif not 0.0 <= epsilon <= 1.0:
        raise ArgumentError(f"label_smooth: epsilon must be from 0 to 1, not {epsilon}")
    label = as_float(label)
    require_axes("label_smooth", label, 1)
    prior = _one_over(label.shape[-1], label.dtype) if prior_dist is None else prior_dist
    return label * (1.0 - epsilon) + prior * epsilon


# ---- probabilities of two classes


def _scaled(loss: Any, weight: Any, reduction: str) -> Any:
    return reduced(loss if weight is None else loss * weight, reduction)


@composite(method=False)
@planned
def binary_cross_entropy(
    input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: str | None = None
) -> Any:
    """-(label * log(input) + (1 - label) * log(1 - input)) for probabilities; a logarithm counts as at least -100."""
    input, label = _pair("binary_cross_entropy", input, label)
    return _scaled(-(label * _bounded_log(input) + (1.0 - label) * _bounded_log(1.0 - input)), weight, reduction)


def _bounded_log(x: Any) -> Any:
    inside = x > 0.0
    return where(inside, maximum(log(where(inside, x, 1.0)), -100.0), -100.0)


@composite(method=False)
@planned
def binary_cross_entropy_with_logits(
    logit: Any, label: Any, weight: Any = None, reduction: str = "mean", pos_weight: Any = None, name: str | None = None
) -> Any:
    """binary_cross_entropy of sigmoid(logit), without overflow; pos_weight multiplies the loss of label 1."""
    logit, label = _pair("binary_cross_entropy_with_logits", logit, label)
    tail = softplus(-logit)
    tail = tail if pos_weight is None else tail * ((pos_weight - 1.0) * label + 1.0)
    return _scaled((1.0 - label) * logit + tail, weight, reduction)


@composite(method=False)
@planned
def sigmoid_focal_loss(
    logit: Any, label: Any, normalizer: Any = None, alpha: float = 0.25, gamma: float = 2.0, reduction: str = "sum",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The binary cross entropy times alpha_t * (1 - p_t) ** gamma (Lin et al., 2017), over `normalizer` if given."""
    logit, label = _pair("sigmoid_focal_loss", logit, label)
    cost = (1.0 - label) * logit + softplus(-logit)
    miss = 1.0 - exp(-cost)
    loss = cost * (label * alpha + (1.0 - label) * (1.0 - alpha)) * OPS["pow"](maximum(miss, 1e-12), float(gamma))
    return reduced(loss if normalizer is None else loss / normalizer, reduction)


@composite(method=False)
@planned
def log_loss(input: Any, label: Any, epsilon: float = 1e-4, name: str | None = None) -> Any:
    """-label * log(input + epsilon) - (1 - label) * log(1 - input + epsilon), element by element."""
    input, label = _pair("log_loss", input, label)
    return -label * log(input + epsilon) - (1.0 - label) * log(1.0 - input + epsilon)


@composite(method=False)
@planned
def kl_div(input: Any, label: Any, reduction: str = "mean", log_target: bool = False, name: str | None = None) -> Any:
    """label * (log(label) - input) for log-probabilities `input`; 0 where the label is 0. Also "batchmean"."""
    input, label = _pair("kl_div", input, label)
    if log_target:
        loss = exp(label) * (label - input)
    else:
        inside = label > 0.0
        loss = where(inside, label * (log(where(inside, label, 1.0)) - input), 0.0)
    if reduction == "batchmean":
        return sum_(loss) / (loss.shape[0] if loss.ndim else 1)
    return reduced(loss, reduction)


# ---- distances


@composite(method=False)
@planned
def mse_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """The square of input - label."""
    input, label = _pair("mse_loss", input, label)
    return reduced(square(input - label), reduction)


@composite(method=False)
@planned
def square_error_cost(input: Any, label: Any) -> Any:
    """(input - label)², element by element. Errors: KindError for lists."""
    for name, value in (("input", input), ("label", label)):
        if isinstance(value, (list, tuple)):
            raise KindError(f"square_error_cost: {name} must be a Tensor, not a {type(value).__name__}")
    return mse_loss(input, label, "none")


@composite(method=False)
@planned
def l1_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """|input - label|."""
    input, label = _pair("l1_loss", input, label)
    return reduced(abs_(input - label), reduction)


@composite(method=False)
@planned
def smooth_l1_loss(
    input: Any, label: Any, reduction: str = "mean", delta: float = 1.0, is_huber: bool = True, name: str | None = None
) -> Any:
    """Half the square of d = input - label where |d| <= delta, else delta * (|d| - delta / 2) (Huber).

    is_huber=False: divided by delta.
    """
    input, label = _pair("smooth_l1_loss", input, label)
    d = abs_(input - label)
    inside = d <= delta
    near = where(inside, d, 0.0)  # its square has a slope everywhere, at an infinite distance too
    loss = where(inside, near * near * 0.5, d * delta - 0.5 * delta * delta)
    return reduced(loss if is_huber else loss / delta, reduction)


@composite(method=False)
@planned
def margin_ranking_loss(
    input: Any, other: Any, label: Any, margin: float = 0.0, reduction: str = "mean", name: str | None = None
) -> Any:
    """max(0, -label * (input - other) + margin), for labels 1 and -1."""
    input, other = _pair("margin_ranking_loss", input, other)
    return reduced(OPS["relu"](label * (other - input) + margin), reduction)


@composite(method=False)
@planned
def hinge_embedding_loss(
    input: Any, label: Any, margin: float = 1.0, reduction: str = "mean", name: str | None = None
) -> Any:
    """The input where the label is 1, max(0, margin - input) where it is -1."""
    input, label = _pair("hinge_embedding_loss", input, label)
    return reduced(where(equal(label, 1.0), input, OPS["relu"](margin - input)), reduction)


@composite(method=False)
@planned
def triplet_margin_loss(
    input: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2.0, epsilon: float = 1e-6,
    swap: bool = False, reduction: str = "mean", name: str | None = None,
) -> Any:  # fmt: skip
    """max(0, |input - positive| - |input - negative| + margin) over the last axis, in the p-norm.

    Errors: ShapeError where the three have different shapes; ArgumentError for a margin below 0.
    """
    for other in (positive, negative):
        if not same_shape(input.shape, other.shape):
            shapes = " and ".join(show_shape(x.shape) for x in (input, other))
            raise ShapeError(f"triplet_margin_loss: input, positive and negative must have one shape, not {shapes}")
    if is_run_time_number(margin):
        current().require(margin >= 0, "triplet_margin_loss: margin must be at least 0", "ArgumentError")
    elif margin < 0:
        raise ArgumentError(f"triplet_margin_loss: margin must be at least 0, not {margin}")
    near = vector_norm(input - positive + epsilon, p, -1)
    far = vector_norm(input - negative + epsilon, p, -1)
    if swap:
        far = OPS["minimum"](far, vector_norm(positive - negative + epsilon, p, -1))
    return reduced(maximum(near - far + margin, 0.0), reduction)


@composite(method=False)
@planned
def accuracy(input: Any, label: Any, k: int = 1, name: str | None = None) -> Any:
    """The share of samples whose label is among the k highest of the classes on the last axis."""
    labels = _labels("accuracy", input, label, input.ndim - 1)
    if k == 1:
        return mean(cast(equal(OPS["argmax"](input, input.ndim - 1, True), labels), float32))
    rank = sum_(cast(input > take_along_axis(input, labels, -1), input.dtype), -1, True)
    return mean(cast(rank < k, float32))
