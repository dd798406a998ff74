"""Losses of margins and distances between samples, and those of distributions with parameters.

Names, defaults and formulas are Paddle's; each formula is in its docstring.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..base.errors import ArgumentError, AssertedError, ShapeError
from .activation import as_float, as_floats, log_softmax
from .along import take_along_axis
from .arith import is_value
from .compare import equal, logical_and, where
from .composite import one_hot
from .dims import same_dim
from .dispatch import current
from .elementwise import cast, clip, maximum, power, square
from .index import gather
from .infer import require, show_shape
from .losses import reduced
from .op import OPS
from .reduce import mean, sum_
from .transcendental import acos, cos, exp, log, softplus, sqrt
from .vision import pairwise_distance

__all__ = [
    "cosine_embedding_loss", "dice_loss", "gaussian_nll_loss", "margin_cross_entropy", "multi_label_margin_loss",
    "multi_label_soft_margin_loss", "multi_margin_loss", "npair_loss", "poisson_nll_loss", "soft_margin_loss",
    "triplet_margin_with_distance_loss",
]  # fmt: skip


_NEGATIVE = "gaussian_nll_loss: the variance has elements below 0"


def _same_shape(op: str, input: Any, label: Any) -> tuple[Any, Any]:
    if list(input.shape) != list(label.shape):
        raise ShapeError(f"{op}: input {show_shape(input.shape)} and label {show_shape(label.shape)} must be alike")
    input, label = as_floats(input, label)
    return input, label


def _checked(reduction: str) -> str:
    if reduction not in ("mean", "sum", "none"):
        raise ArgumentError(f'reduction must be "mean", "sum" or "none", not {reduction!r}')
    return reduction


def dice_loss(input: Any, label: Any, epsilon: float = 1e-5, name: str | None = None) -> Any:
    """1 - 2 |input ∩ label| / (|input| + |label|), averaged; input [n, …, classes], integer label [n, …, 1]."""
    if not input.dtype.is_floating or not label.dtype.is_integer:
        raise AssertedError(f"dice_loss needs floats and integer labels, not {input.dtype.name} and {label.dtype.name}")
    if input.ndim < 2 or label.ndim != input.ndim or label.shape[-1] != 1:
        raise ShapeError(f"dice_loss: label {show_shape(label.shape)} must be {show_shape(input.shape[:-1])} and 1")
    target = cast(one_hot(OPS["reshape"](label, tuple(label.shape[:-1])), input.shape[-1]), input.dtype)
    axes = list(range(1, input.ndim))
    both, total = sum_(input * target, axes), sum_(input, axes) + sum_(target, axes)
    return mean(1.0 - both * 2.0 / (total + epsilon))


def npair_loss(anchor: Any, positive: Any, labels: Any, l2_reg: float = 0.002) -> Any:
    """Cross entropy of anchor · positiveᵀ against equal labels, plus l2_reg / 4 times the mean squares (Sohn, 2016)."""
    anchor, positive = as_float(anchor), as_float(positive)
    count = labels.shape[0]
    column = OPS["reshape"](labels, (count, 1))
    same = cast(equal(column, OPS["reshape"](labels, (1, count))), anchor.dtype)
    target = same / sum_(same, 1, True)
    penalty = (mean(sum_(square(anchor), 1)) + mean(sum_(square(positive), 1))) * (0.25 * l2_reg)
    loss = -sum_(target * log_softmax(OPS["matmul"](anchor, positive, False, True)), -1, True)
    return penalty + mean(sum_(target * loss, 0))


def poisson_nll_loss(
    input: Any, label: Any, log_input: bool = True, full: bool = False, epsilon: float = 1e-8, reduction: str = "mean",
    name: str | None = None,
) -> Any:  # fmt: skip
    """-log of the Poisson distribution: exp(input) - label * input, or input - label * log(input) without log_input.

    full: Stirling's formula for log(label!) is added where the label is above 1.
    """
    _checked(reduction)
    if epsilon <= 0:
        raise ArgumentError(f"poisson_nll_loss: epsilon must be above 0, not {epsilon}")
    input, label = _same_shape("poisson_nll_loss", input, label)
    loss = exp(input) - label * input if log_input else input - label * log(input + epsilon)
    if full:
        above = label > 1.0
        safe = where(above, label, 2.0)
        loss = loss + where(above, safe * log(safe) - safe + log(safe * (2.0 * math.pi)) * 0.5, 0.0)
    return reduced(loss, reduction)


def gaussian_nll_loss(
    input: Any, label: Any, variance: Any, full: bool = False, epsilon: float = 1e-6, reduction: str = "mean",
    name: str | None = None,
) -> Any:  # fmt: skip
    """Half of log(variance) + (input - label)² / variance, plus log(2 pi) / 2 if `full`; the variance is at least
    epsilon.

    variance: in input's shape, without its last axis, or with size 1 there. Errors: ShapeError; ArgumentError (a
    ValueError) where it is below 0.
    """
    _checked(reduction)
    input, label, variance = as_floats(input, label, variance)
    if list(label.shape) != list(input.shape):
        raise ShapeError(f"gaussian_nll_loss: label {show_shape(label.shape)} isn't like {show_shape(input.shape)}")
    if list(variance.shape) == list(input.shape[:-1]) and input.ndim:
        variance = OPS["reshape"](variance, (*variance.shape, 1))
    elif list(variance.shape[:-1]) != list(input.shape[:-1]) or variance.shape[-1:] not in (
        input.shape[-1:],
        [1],
        (1,),
    ):
        raise ShapeError(
            f"gaussian_nll_loss: variance {show_shape(variance.shape)} doesn't fit {show_shape(input.shape)}"
        )
    require(OPS["all"](OPS["greater_equal"](variance, 0.0)), _NEGATIVE)
    bounded = OPS["stop_gradient"](clip(variance, epsilon, math.inf)) + (variance - OPS["stop_gradient"](variance))
    loss = (log(bounded) + square(input - label) / bounded) * 0.5
    return reduced(loss + 0.5 * math.log(2.0 * math.pi) if full else loss, reduction)


def soft_margin_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """log(1 + exp(-label * input)) for labels 1 and -1."""
    _checked(reduction)
    input, label = _same_shape("soft_margin_loss", input, label)
    return reduced(softplus(-label * input), reduction)


def multi_label_soft_margin_loss(
    input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: str | None = None
) -> Any:
    """The mean over classes (last axis) of the binary cross entropy with logits, for labels 0 and 1."""
    _checked(reduction)
    input, label = _same_shape("multi_label_soft_margin_loss", input, label)
    loss = softplus(-input) * label + softplus(input) * (1.0 - label)
    return reduced(mean(loss if weight is None else loss * weight, -1), reduction)


def multi_label_margin_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """The sum of max(0, 1 - (input[target] - input[other])) over targets and other classes, by the number of classes.

    label [n, classes]: class numbers, up to the first below 0.
    """
    _checked(reduction)
    input = as_float(input)
    if input.ndim != 2 or list(label.shape) != list(input.shape):
        raise ShapeError(
            f"multi_label_margin_loss needs input and label [n, classes], got {show_shape(input.shape)} and"
            f" {show_shape(label.shape)}"
        )
    n, classes = input.shape
    given = OPS["equal"](OPS["cumsum"](cast(label < 0, label.dtype), 1), 0)
    places = where(given, label, 0)
    hits = cast(given, input.dtype)
    is_target = OPS["any"](
        logical_and(equal(OPS["reshape"](places, (n, classes, 1)), OPS["arange"](classes)),
                    OPS["reshape"](given, (n, classes, 1))), 1)  # fmt: skip
    chosen = take_along_axis(input, places, 1)
    margins = maximum(1.0 - OPS["reshape"](chosen, (n, classes, 1)) + OPS["reshape"](input, (n, 1, classes)), 0.0)
    others = OPS["reshape"](cast(OPS["logical_not"](is_target), input.dtype), (n, 1, classes))
    return reduced(sum_(margins * others * OPS["reshape"](hits, (n, classes, 1)), [1, 2]) / classes, reduction)


def multi_margin_loss(
    input: Any, label: Any, p: int = 1, margin: float = 1.0, weight: Any = None, reduction: str = "mean",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The mean over other classes of max(0, margin - input[label] + input[other]) ** p; weight: [classes]."""
    _checked(reduction)
    input = as_float(input)
    if input.ndim != 2 or label.ndim not in (1, 2) or label.shape[0] != input.shape[0]:
        raise ShapeError(
            f"multi_margin_loss: label {show_shape(label.shape)} must be [n] for input [n, classes], got"
            f" {show_shape(input.shape)}"
        )
    n, classes = input.shape
    column = OPS["reshape"](label, (n, 1))
    chosen = take_along_axis(input, column, 1)
    reach = maximum(margin - chosen + input, 0.0)
    cost = power(reach, float(p)) if p != 1 else reach
    if weight is not None:
        if list(weight.shape) != [classes]:
            raise ShapeError(f"multi_margin_loss: weight {show_shape(weight.shape)} must be [{classes}]")
        cost = cost * OPS["reshape"](gather(weight, OPS["reshape"](label, (n,)), 0), (n, 1))
    is_label = equal(column, OPS["arange"](classes))
    return reduced(sum_(where(is_label, 0.0, cost), 1) / classes, reduction)


def cosine_embedding_loss(
    input1: Any, input2: Any, label: Any, margin: float = 0, reduction: str = "mean", name: str | None = None
) -> Any:
    """1 - cos(input1, input2) where the label is 1, max(0, cos - margin) where it is -1; inputs [n, d] or [d]."""
    _checked(reduction)
    narrow = label.dtype.name in ("bool", "int8", "int16", "uint8")
    if narrow or not (input1.dtype.is_floating and input2.dtype.is_floating):
        raise ArgumentError(
            f"cosine_embedding_loss needs floats and a label of int32, int64 or a float, got {input1.dtype.name}, "
            f"{input2.dtype.name} and {label.dtype.name}"
        )
    one = input1.ndim == 1 and (label.ndim == 0 or (label.ndim == 1 and same_dim(label.shape[0], 1)))
    if list(input1.shape) != list(input2.shape) or not (one or (input1.ndim == 2 and label.ndim == 1)):
        raise ShapeError(
            "cosine_embedding_loss needs inputs [n, d] and label [n], or [d] and a number, got"
            f" {show_shape(input1.shape)}, {show_shape(input2.shape)} and {show_shape(label.shape)}"
        )
    a, b = as_float(input1), as_float(input2)
    lengths = (sum_(square(a), -1) + 1e-11) * (sum_(square(b), -1) + 1e-11)
    cosine = sum_(a * b, -1) / sqrt(lengths)
    far = maximum(cosine - margin, 0.0)
    loss = where(equal(label, 1), 1.0 - cosine, where(equal(label, -1), far, 0.0))
    return reduced(loss, reduction)


def triplet_margin_with_distance_loss(
    input: Any, positive: Any, negative: Any, distance_function: Callable[[Any, Any], Any] | None = None,
    margin: float = 1.0, swap: bool = False, reduction: str = "mean", name: str | None = None,
) -> Any:  # fmt: skip
    """max(0, d(input, positive) - d(input, negative) + margin), d by default the Euclidean distance.

    swap: d(positive, negative) instead of d(input, negative) where it is smaller.
    """
    _checked(reduction)
    if margin < 0:
        raise ArgumentError(f"triplet_margin_with_distance_loss: margin must be at least 0, not {margin}")
    if not list(input.shape) == list(positive.shape) == list(negative.shape):
        shapes = ", ".join(show_shape(v.shape) for v in (input, positive, negative))
        raise ShapeError(f"triplet_margin_with_distance_loss needs three tensors of one shape, got {shapes}")
    distance = distance_function or pairwise_distance
    near, far = distance(input, positive), distance(input, negative)
    if swap:
        far = OPS["minimum"](far, distance(positive, negative))
    return reduced(maximum(near - far + margin, 0.0), reduction)


def margin_cross_entropy(
    logits: Any, label: Any, margin1: float = 1.0, margin2: float = 0.5, margin3: float = 0.0, scale: float = 64.0,
    group: Any = None, return_softmax: bool = False, reduction: str | None = "mean",
) -> Any:  # fmt: skip
    """Cross entropy of scale * cosines [n, classes], that of the label replaced by cos(margin1 θ + margin2) - margin3.

    Source: Deng et al., ArcFace, 2019. Without reduction: [n, 1].
    """
    if reduction not in ("mean", "sum", "none", None):
        raise ArgumentError(f'reduction must be "mean", "sum", "none" or None, not {reduction!r}')
    logits = as_float(logits)
    if logits.ndim != 2 or label.ndim not in (1, 2) or (label.ndim == 2 and label.shape[1] != 1):
        raise ShapeError(
            f"margin_cross_entropy needs logits [n, classes] and label [n] or [n, 1], got {show_shape(logits.shape)}"
            f" and {show_shape(label.shape)}"
        )
    n, classes = logits.shape
    column = OPS["reshape"](label if is_value(label) else current().constant(label, None), (n, 1))
    cosine = take_along_axis(logits, column, 1)
    moved = cosine
    if margin1 != 1.0 or margin2 != 0.0:
        edge = 1.0 - (1e-7 if logits.dtype.itemsize < 8 else 1e-15)
        moved = cos(acos(clip(cosine, -edge, edge)) * margin1 + margin2)
    moved = moved - margin3 if margin3 else moved
    logp = log_softmax(where(equal(column, OPS["arange"](classes)), moved, logits) * scale)
    loss = -take_along_axis(logp, column, 1)
    loss = loss if reduction in ("none", None) else reduced(loss, str(reduction))
    return (loss, exp(logp)) if return_softmax else loss
