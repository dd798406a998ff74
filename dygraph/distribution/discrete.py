"""Distributions over whole numbers: Bernoulli, Categorical, Geometric, Poisson, Binomial, Multinomial."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtype import float32
from ...base.errors import ArgumentError, KindError, ShapeError
from ...ops.composite import one_hot
from ...ops.dispatch import current, is_captured
from ...ops.infer import broadcast_shapes
from ...ops.op import OPS
from ..draws import binomial, multinomial, poisson
from ..modes import GradMode
from ..tensor import Tensor
from .base import (
    Distribution,
    ExponentialFamily,
    as_value,
    check_range,
    is_static,
    noise,
    parameter,
    real_or_tensor,
    register_kl,
    together,
    xlogy,
)  # fmt: skip


def _inside(p: Any) -> Any:
    eps = 1.1920929e-07 if p.dtype is float32 else 2.220446049250313e-16
    return OPS["clip"](p, min=eps, max=1.0 - eps)


def _share(x: Any) -> Any:
    return (x >= 0) & (x <= 1)


class Bernoulli(ExponentialFamily):
    """1 with probability `probs`, else 0."""

    def __init__(self, probs: Any, name: str | None = None) -> None:
        self.name = name if name is not None else "Bernoulli"
        given = parameter(probs, "probs")
        check_range("probs of Bernoulli", given, _share, "between 0 and 1")
        self.probs = _inside(given)
        self.dtype = self.probs.dtype.name
        super().__init__(self.probs.shape)

    @property
    def logits(self) -> Any:
        """The logarithm of the odds of 1."""
        return OPS["log"](self.probs) - OPS["log1p"](-self.probs)

    @property
    def mean(self) -> Any:
        return self.probs

    @property
    def variance(self) -> Any:
        return self.probs * (1.0 - self.probs)

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        with GradMode(False):
            return OPS["cast"](noise("uniform", self._shape(shape), self.probs) < self.probs, self.probs.dtype)

    def rsample(self, shape: Sequence[int] = (), temperature: float = 1.0) -> Any:
        """Draws whose sign tells 1 from 0 more clearly as the temperature falls: logits of relaxed draws, Paddle's way.

        `sigmoid` of them lies between 0 and 1; gradients flow to `probs`.
        """
        if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
            raise KindError(f"temperature must be a number, not a {type(temperature).__name__}")
        drawn = noise("uniform", self._shape(shape), self.probs)
        odds = OPS["log"](OPS["maximum"](drawn, 1e-7)) - OPS["log1p"](-drawn)
        return (self.logits + odds) / temperature

    def log_prob(self, value: Any) -> Any:
        value = as_value(value, self.probs)
        return value * OPS["log"](self.probs) + (1.0 - value) * OPS["log1p"](-self.probs)

    def cdf(self, value: Any) -> Any:
        value = as_value(value, self.probs)
        below = OPS["where"](value < 1.0, 1.0 - self.probs, 1.0)
        return OPS["where"](value < 0.0, 0.0, below)

    def entropy(self) -> Any:
        odds = self.logits
        size = OPS["abs"](odds)
        return OPS["maximum"](odds, 0.0) - odds * self.probs + OPS["log1p"](OPS["exp"](-size))

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        return (self.logits,)

    def _log_normalizer(self, *parameters: Any) -> Any:
        return OPS["softplus"](parameters[0])


class Categorical(Distribution):
    """Numbers of categories. As in Paddle `logits` are read in two ways: `probs` and `log_prob` take them for weights
    (divided by their sum), draws, `entropy` and `kl_divergence` for logarithms of weights.
    """

    def __init__(self, logits: Any, name: str | None = None) -> None:
        self.name = name if name is not None else "Categorical"
        self.logits = parameter(logits, "logits")
        if not self.logits.ndim:
            raise ArgumentError("Categorical needs logits of at least one axis")
        self.dtype = self.logits.dtype.name
        super().__init__(self.logits.shape[:-1])

    def _weights(self) -> Any:
        return self.logits / OPS["sum"](self.logits, -1, True)

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        wanted = self._shape(shape)
        count = math.prod(wanted[: len(wanted) - len(self._batch_shape)])
        weights = OPS["exp"](_log_softmax(self.logits.detach()))
        rows = OPS["reshape"](weights, (-1, self.logits.shape[-1]))
        drawn = multinomial(rows, count, replacement=True)  # [rows, count]
        return OPS["reshape"](OPS["transpose"](drawn, (1, 0)), wanted)

    def prob(self, value: Any) -> Any:
        """The probability of categories: value [...] for logits [n]; else value [k], or [..., k] with the axes of the
        logits before the last. Errors: AttributeError for what isn't a tensor, ShapeError.
        """
        if not isinstance(value, Tensor):
            raise AttributeError(f"the categories of a probability must be a tensor, not a {type(value).__name__}")
        chosen = self._weights()
        if self.logits.ndim == 1:
            made = OPS["gather"](chosen, OPS["reshape"](value, (-1,)), 0)
            return OPS["reshape"](made, tuple(value.shape))
        if value.ndim == 1:
            shape = (*self.logits.shape[:-1], value.shape[0])
            return OPS["take_along_axis"](chosen, OPS["broadcast_to"](value, shape), -1)
        if value.ndim != chosen.ndim or tuple(value.shape[:-1]) != tuple(chosen.shape[:-1]):
            raise ShapeError(
                f"categories {list(value.shape)} and logits {list(chosen.shape)} differ before the last axis"
            )
        return OPS["take_along_axis"](chosen, value, -1)

    def log_prob(self, value: Any) -> Any:
        return OPS["log"](self.prob(value))

    def entropy(self) -> Any:
        logarithm = _log_softmax(self.logits)
        return -OPS["sum"](OPS["exp"](logarithm) * logarithm, -1)

    def kl_divergence(self, other: Distribution) -> Any:
        if not isinstance(other, Categorical):
            raise KindError(f"Categorical.kl_divergence needs another Categorical, not a {type(other).__name__}")
        return super().kl_divergence(other)


def _log_softmax(x: Any) -> Any:
    shifted = x - OPS["max"](x, -1, True)
    return shifted - OPS["log"](OPS["sum"](OPS["exp"](shifted), -1, True))


class Geometric(Distribution):
    """How often a try of success `probs` fails before it first succeeds: 0, 1, 2, ...

    >>> float(Geometric(0.25).mean)
    3.0
    """

    def __init__(self, probs: Any) -> None:
        real_or_tensor("Geometric", probs=probs)
        (self.probs,) = together(probs)
        check_range("probs of Geometric", self.probs, lambda p: (p > 0) & (p <= 1), "in (0, 1]")
        super().__init__(self.probs.shape)

    @property
    def mean(self) -> Any:
        return 1.0 / self.probs - 1.0

    @property
    def variance(self) -> Any:
        return (1.0 / self.probs - 1.0) / self.probs

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        """Whole draws; their gradient is 0."""
        drawn = OPS["clip"](noise("uniform", self._shape(shape), self.probs), min=1e-7)
        return OPS["floor"](OPS["log"](drawn) / OPS["log1p"](-self.probs))

    def _count(self, k: Any) -> Any:
        if isinstance(k, bool) or not isinstance(k, (int, np.integer, Tensor)):
            raise KindError(f"Geometric counts whole numbers or a tensor of them, not a {type(k).__name__}")
        return as_value(k, self.probs)

    def pmf(self, k: Any) -> Any:
        """The probability of k failures."""
        return OPS["exp"](self.log_pmf(k))

    def log_pmf(self, k: Any) -> Any:
        """The logarithm of the probability of k failures."""
        return self._count(k) * OPS["log1p"](-self.probs) + OPS["log"](self.probs)

    def log_prob(self, value: Any) -> Any:
        return self.log_pmf(value)

    def cdf(self, k: Any) -> Any:
        return -OPS["expm1"]((self._count(k) + 1.0) * OPS["log1p"](-self.probs))

    def entropy(self) -> Any:
        p, rest = self.probs, 1.0 - self.probs
        return -(xlogy(rest, rest) + xlogy(p, p)) / p

    def kl_divergence(self, other: Distribution) -> Any:
        if not isinstance(other, Geometric):
            raise KindError(f"Geometric.kl_divergence needs another Geometric, not {other!r:.80}")
        return super().kl_divergence(other)


class Poisson(Distribution):
    """How many events come in a time in which `rate` are expected.

    >>> float(Poisson(4.0).variance)
    4.0
    """

    def __init__(self, rate: Any) -> None:
        (self.rate,) = together(rate)
        check_range("rate of Poisson", self.rate, lambda r: r >= 0, "at least 0")
        super().__init__(self.rate.shape)

    @property
    def mean(self) -> Any:
        return self.rate

    @property
    def variance(self) -> Any:
        return self.rate

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        with GradMode(False):
            return poisson(OPS["broadcast_to"](self.rate, self._shape(shape)))

    def log_prob(self, value: Any) -> Any:
        value = as_value(value, self.rate)
        return xlogy(value, self.rate) - self.rate - OPS["lgamma"](value + 1.0)

    def entropy(self) -> Any:
        """By a sum over all counts of a probability that matters; the rates must be known. Errors: ArgumentError."""
        if is_captured() or is_static(self.rate):
            raise ArgumentError("the entropy of Poisson needs rates that are known", remedy="take it in eager mode")
        highest = float(np.max(self.rate.numpy(), initial=0.0))
        return _expected_surprise(self, int(highest + 12.0 * math.sqrt(highest) + 30.0))


class Binomial(Distribution):
    """How many of `total_count` tries succeed, each with probability `probs`.

    >>> float(Binomial(10, 0.5).mean)
    5.0
    """

    def __init__(self, total_count: Any, probs: Any) -> None:
        count, share = parameter(total_count, "total_count"), parameter(probs, "probs")
        count, share = together(OPS["cast"](count, share.dtype), share)
        check_range("total_count of Binomial", count, lambda n: n >= 0, "at least 0")
        check_range("probs of Binomial", share, _share, "between 0 and 1")
        self.total_count = count
        self.probs = share
        super().__init__(share.shape)

    @property
    def mean(self) -> Any:
        return self.total_count * self.probs

    @property
    def variance(self) -> Any:
        return self.total_count * self.probs * (1.0 - self.probs)

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        wanted = self._shape(shape)
        with GradMode(False):
            count = OPS["broadcast_to"](self.total_count, wanted)
            return OPS["cast"](binomial(count, OPS["broadcast_to"](self.probs, wanted)), self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        value, n, p = as_value(value, self.probs), self.total_count, self.probs
        ways = OPS["lgamma"](n + 1.0) - OPS["lgamma"](value + 1.0) - OPS["lgamma"](n - value + 1.0)
        return ways + xlogy(value, p) + xlogy(n - value, 1.0 - p)

    def entropy(self) -> Any:
        """By a sum over all counts; `total_count` must be known. Errors: ArgumentError."""
        if is_captured() or is_static(self.total_count):
            raise ArgumentError("the entropy of Binomial needs a known count", remedy="take it in eager mode")
        return _expected_surprise(self, int(np.max(self.total_count.numpy(), initial=0.0)), self.total_count)


def _expected_surprise(p: Distribution, highest: int, end: Any = None) -> Any:
    """The expected -log_prob over the counts 0..highest, each distribution's own up to `end`."""
    shape = (highest + 1,) + (1,) * len(p.batch_shape)
    counts = current().constant(np.arange(highest + 1.0).reshape(shape), None)
    inside = counts <= (OPS["cast"](end, "float64") if end is not None else float(highest))
    within = counts if end is None else OPS["where"](inside, counts, 0.0)
    surprise = p.log_prob(within)
    some = OPS["where"](surprise > -math.inf, surprise, 0.0)
    return -OPS["sum"](OPS["where"](inside, OPS["exp"](surprise) * some, 0.0), 0)


class Multinomial(Distribution):
    """How `total_count` draws of categories with the weights `probs` [..., k] divide among them.

    >>> Multinomial(10, [0.25, 0.75]).mean.tolist()
    [2.5, 7.5]
    """

    def __init__(self, total_count: int, probs: Any) -> None:
        if isinstance(total_count, bool) or not isinstance(total_count, int) or total_count < 1:
            raise ArgumentError(f"Multinomial: total_count must be an int above 0, not {total_count!r}")
        weights = parameter(probs, "probs")
        if not weights.ndim:
            raise ArgumentError("Multinomial needs probs of at least one axis")
        self.total_count = total_count
        self.probs = weights / OPS["sum"](weights, -1, True)
        super().__init__(weights.shape[:-1], weights.shape[-1:])

    @property
    def mean(self) -> Any:
        return self.probs * float(self.total_count)

    @property
    def variance(self) -> Any:
        return self.probs * (1.0 - self.probs) * float(self.total_count)

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        wanted = self._shape(shape)
        with GradMode(False):
            counts = [self.total_count, *wanted[: len(wanted) - self.probs.ndim]]
            drawn = Categorical(OPS["log"](self.probs)).sample(counts)
            hits = one_hot(drawn, self.probs.shape[-1])
            return OPS["cast"](OPS["sum"](hits, 0), self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        value = as_value(value, self.probs)
        value = OPS["broadcast_to"](value, broadcast_shapes(value.shape, self.probs.shape))  # before the counts' sum
        ways = OPS["lgamma"](OPS["sum"](value, -1) + 1.0) - OPS["sum"](OPS["lgamma"](value + 1.0), -1)
        return ways + OPS["sum"](xlogy(value, self.probs), -1)

    def entropy(self) -> Any:
        n = self.total_count
        shape = (n,) + (1,) * self.probs.ndim
        counts = current().constant(np.arange(1.0, n + 1.0).reshape(shape).astype(self.probs.dtype.name), None)
        each = Binomial(current().constant(float(n), self.probs.dtype), self.probs)
        spread = OPS["sum"](OPS["exp"](each.log_prob(counts)) * OPS["lgamma"](counts + 1.0), [0, -1])
        single = -OPS["sum"](xlogy(self.probs, self.probs), -1)
        return single * float(n) - math.lgamma(n + 1.0) + spread


# Divergences


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Bernoulli, q: Bernoulli) -> Any:
    a, b = p.probs, q.probs
    return a * OPS["log"](a / b) + (1.0 - a) * (OPS["log1p"](-a) - OPS["log1p"](-b))


@register_kl(Categorical, Categorical)
def _categorical(p: Categorical, q: Categorical) -> Any:
    """Keeps the last axis with one element, as Paddle's does."""
    a, b = _log_softmax(p.logits), _log_softmax(q.logits)
    return OPS["sum"](OPS["exp"](a) * (a - b), -1, True)


@register_kl(Geometric, Geometric)
def _geometric(p: Geometric, q: Geometric) -> Any:
    a, b = p.probs, q.probs
    return OPS["log"](a / b) + (1.0 / a - 1.0) * (OPS["log1p"](-a) - OPS["log1p"](-b))


@register_kl(Poisson, Poisson)
def _poisson(p: Poisson, q: Poisson) -> Any:
    return xlogy(p.rate, p.rate / q.rate) - p.rate + q.rate


@register_kl(Binomial, Binomial)
def _binomial(p: Binomial, q: Binomial) -> Any:
    """Infinite where q can't reach p's counts."""
    a, b = p.probs, q.probs
    made = p.total_count * (xlogy(a, a / b) + xlogy(1.0 - a, (1.0 - a) / (1.0 - b)))
    return OPS["where"](OPS["equal"](p.total_count, q.total_count), made, math.inf)
