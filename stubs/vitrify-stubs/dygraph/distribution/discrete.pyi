# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.distribution.base import Distribution as _Distribution
from vitrify.dygraph.distribution.base import ExponentialFamily as _ExponentialFamily

class Bernoulli(_ExponentialFamily):
    """1 with probability `probs`, else 0."""
    name: _Any
    dtype: _Any
    def __init__(self, probs: _Any, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def logits(self) -> _Any:
        """The logarithm of the odds of 1."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def rsample(self, shape: _Sequence[_int] = ..., temperature: _float = 1.0) -> _Any:
        """Draws whose sign tells 1 from 0 more clearly as the temperature falls: logits of relaxed draws, Paddle's way.

        `sigmoid` of them lies between 0 and 1; gradients flow to `probs`."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def cdf(self, value: _Any) -> _Any:
        """The probability of at most `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""

class Binomial(_Distribution):
    """How many of `total_count` tries succeed, each with probability `probs`.

    >>> float(Binomial(10, 0.5).mean)
    5.0"""
    total_count: _Any
    def __init__(self, total_count: _Any, probs: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def entropy(self) -> _Any:
        """By a sum over all counts; `total_count` must be known. Errors: ArgumentError."""

class Categorical(_Distribution):
    """Numbers of categories. As in Paddle `logits` are read in two ways: `probs` and `log_prob` take them for weights
    (divided by their sum), draws, `entropy` and `kl_divergence` for logarithms of weights."""
    name: _Any
    logits: _Any
    dtype: _Any
    def __init__(self, logits: _Any, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def prob(self, value: _Any) -> _Any:
        """The probability of categories: value [...] for logits [n]; else value [k], or [..., k] with the axes of the
        logits before the last. Errors: AttributeError for what isn't a tensor, ShapeError."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""
    def kl_divergence(self, other: _Distribution) -> _Any:
        """The divergence from `other`: `kl_divergence(self, other)`."""

class Geometric(_Distribution):
    """How often a try of success `probs` fails before it first succeeds: 0, 1, 2, ...

    >>> float(Geometric(0.25).mean)
    3.0"""
    def __init__(self, probs: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Whole draws; their gradient is 0."""
    def pmf(self, k: _Any) -> _Any:
        """The probability of k failures."""
    def log_pmf(self, k: _Any) -> _Any:
        """The logarithm of the probability of k failures."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def cdf(self, k: _Any) -> _Any:
        """The probability of at most `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""
    def kl_divergence(self, other: _Distribution) -> _Any:
        """The divergence from `other`: `kl_divergence(self, other)`."""

class Multinomial(_Distribution):
    """How `total_count` draws of categories with the weights `probs` [..., k] divide among them.

    >>> Multinomial(10, [0.25, 0.75]).mean.tolist()
    [2.5, 7.5]"""
    total_count: _int
    def __init__(self, total_count: _int, probs: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""

class Poisson(_Distribution):
    """How many events come in a time in which `rate` are expected.

    >>> float(Poisson(4.0).variance)
    4.0"""
    rate: _Any
    def __init__(self, rate: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def entropy(self) -> _Any:
        """By a sum over all counts of a probability that matters; the rates must be known. Errors: ArgumentError."""
