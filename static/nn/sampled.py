"""Losses over a sample of the classes, with parameters of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base import unique_name
from ...base.dtype import float32, float64, int64
from ...base.errors import ArgumentError, KindError, ShapeError
from ...dygraph.random_generators import Generator, default_generator
from ...dygraph.tensor import Tensor
from ...ops.dispatch import current
from ...ops.index import gather
from ...ops.op import FUNCTIONS, OPS
from ...ops.reduce import sum_
from ...ops.shape import concat
from ...ops.transcendental import log, sigmoid
from ..cond_while import deciding_sizes
from ..layers import parameter

MOST_NEGATIVE = 10  # classes sampled for a row, where nobody says how many


def nce(
    input: Any, label: Any, num_total_classes: int, sample_weight: Any = None, param_attr: Any = None,
    bias_attr: Any = None, num_neg_samples: int | None = None, name: str | None = None, sampler: str = "uniform",
    custom_dist: Sequence[float] | None = None, seed: int = 0, is_sparse: bool = False,
) -> Any:  # fmt: skip
    """The loss [n, 1] of telling each row's classes from sampled ones; it makes a weight [classes, d] and a bias.

    Shapes: input f[n, d], label i64[n, classes of a row], sample_weight [n] or [n, 1]. sampler: classes are drawn
    "uniform", "log_uniform" (frequent ones first) or by "custom_dist", with replacement and for each row anew;
    seed: other than 0, every run draws the same. is_sparse: without effect.
    Errors: KindError for no variables, and for other dtypes than float32 and float64, int64; ShapeError;
    ArgumentError. Source: Gutmann, Hyvärinen, Noise-contrastive estimation, 2010.
    """
    for what, x, kinds in (("input", input, (float32, float64)), ("label", label, (int64,))):
        if not isinstance(x, Tensor):
            raise KindError(f"nce: {what} must be a variable, not a {type(x).__name__}")
        if x.dtype not in kinds:
            raise KindError(f"nce: {what} must be of {' or '.join(k.name for k in kinds)}, not {x.dtype.name}")
        if x.ndim != 2:
            raise ShapeError(f"nce: {what} needs two axes, not {x.ndim}")
    drawn = MOST_NEGATIVE if num_neg_samples is None else int(num_neg_samples)
    chances = _chances(sampler, num_total_classes, custom_dist)
    stem = name or unique_name.generate("nce")
    weight = parameter(stem, (num_total_classes, input.shape[1]), param_attr, input.dtype, False)
    bias = parameter(stem, (num_total_classes, 1), bias_attr, input.dtype, True)
    with deciding_sizes():
        return _loss(input, label, weight, bias, chances, drawn, seed, sample_weight)


def _loss(
    input: Any, label: Any, weight: Any, bias: Any, chances: np.ndarray[Any, Any], drawn: int, seed: int, scale: Any
) -> Any:
    rows, wanted = label._storage.payload.shape
    classes = concat([label, _sample(chances, (rows, drawn), seed)], axis=1)
    score = sum_(gather(weight, classes, 0) * OPS["reshape"](input, (-1, 1, input.shape[1])), 2)
    if bias is not None:
        score = score + gather(OPS["reshape"](bias, (-1,)), classes, 0)
    made = sigmoid(score)
    expected = OPS["cast"](gather(current().constant(chances, float64), classes, 0), input.dtype) * float(drawn)
    hits = made[:, :wanted]
    loss = sum_(log(made + expected), 1, True) - sum_(log(hits), 1, True) - sum_(log(expected[:, wanted:]), 1, True)
    return loss if scale is None else loss * OPS["reshape"](scale, (-1, 1))


def _chances(sampler: str, classes: int, given: Sequence[float] | None) -> np.ndarray[Any, Any]:
    """How likely each class is drawn, f64[classes]."""
    if sampler == "uniform":
        return np.full(classes, 1.0 / classes)
    if sampler == "log_uniform":
        return np.asarray(np.diff(np.log(np.arange(1, classes + 2))) / np.log(classes + 1))
    if sampler != "custom_dist":
        raise ArgumentError(f'nce: sampler is "uniform", "log_uniform" or "custom_dist", not {sampler!r}')
    if given is None or len(given) != classes:
        raise ArgumentError(f"nce: custom_dist must have a number for each of the {classes} classes")
    return np.asarray(given, np.float64)


def _sample(chances: np.ndarray[Any, Any], shape: tuple[Any, ...], seed: int) -> Any:
    """Classes by their chances."""
    if seed:
        state = current().constant(Generator(seed).state.numpy(), int64)
        places = OPS["uniform"](state, shape, float64, low=0.0, high=1.0)
    else:
        places = default_generator.draw("uniform", shape, float64, low=0.0, high=1.0)
    ends = current().constant(np.cumsum(chances)[:-1], float64)
    return FUNCTIONS["searchsorted"](ends, places, right=True)
