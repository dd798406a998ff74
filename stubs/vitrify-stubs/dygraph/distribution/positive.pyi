# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.distribution.base import Distribution as _Distribution
from vitrify.dygraph.distribution.base import ExponentialFamily as _ExponentialFamily

class Beta(_ExponentialFamily):
    """Shares between 0 and 1 with the weights `alpha` for the one part and `beta` for the other.

    >>> float(Beta(1.0, 3.0).mean)
    0.25"""
    alpha: _Any
    beta: _Any
    def __init__(self, alpha: _Any, beta: _Any) -> None:
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

class Chi2(Gamma):
    """Distributions of the sum of `df` squared normal numbers."""
    def __init__(self, df: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def df(self) -> _Any:
        """Degrees of freedom."""

class Gamma(_ExponentialFamily):
    """Waiting times for `concentration` events that come at `rate`.

    >>> float(Gamma(3.0, 2.0).mean)
    1.5"""
    concentration: _Any
    rate: _Any
    def __init__(self, concentration: _Any, rate: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws; gradients flow to `rate` only."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""

class ContinuousBernoulli(_Distribution):
    """Numbers between 0 and 1 of a density in proportion to probs**x (1 - probs)**(1 - x).

    `lims` bounds the `probs` near 0.5, where formulas that divide by 1 - 2 probs are replaced by their series.
    Source: Loaiza-Ganem, Cunningham, The continuous Bernoulli, 2019."""
    lims: _Any
    def __init__(self, probs: _Any, lims: _tuple[_float, _float] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def cdf(self, value: _Any) -> _Any:
        """The probability of at most `value`."""
    def icdf(self, value: _Any) -> _Any:
        """The value below which the share `value` of draws lies."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""

class Dirichlet(_ExponentialFamily):
    """Shares [..., k] of one, with weights `concentration` [..., k].

    >>> Dirichlet([1.0, 3.0]).mean.tolist()
    [0.25, 0.75]"""
    concentration: _Any
    def __init__(self, concentration: _Any) -> None:
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

class Exponential(_ExponentialFamily):
    """Waiting times of events that come at `rate`."""
    rate: _Any
    def __init__(self, rate: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def cdf(self, value: _Any) -> _Any:
        """The probability of at most `value`."""
    def icdf(self, value: _Any) -> _Any:
        """The value below which the share `value` of draws lies."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""
