# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.distribution.base import Distribution as _Distribution
from vitrify.dygraph.distribution.transformed import TransformedDistribution as _TransformedDistribution

class Cauchy(_Placed):
    """Distributions of the ratio of two normal numbers; they have no mean and no variance.

    >>> from vitrify import to_tensor
    >>> round(float(Cauchy(0.0, 1.0).cdf(to_tensor(1.0))), 6)
    0.75"""
    name: _Any
    def __init__(self, loc: _Any, scale: _Any, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    @property
    def stddev(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ..., name: _str | None = None) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def cdf(self, value: _Any) -> _Any:
        """The probability of at most `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""
    def kl_divergence(self, other: _Distribution) -> _Any:
        """The divergence from `other`: `kl_divergence(self, other)`."""

class _Placed(_Distribution):
    """Distributions that one shape gives, moved by `loc` and stretched by `scale`."""
    loc: _Any
    scale: _Any
    def __init__(self, loc: _Any, scale: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...

class Gumbel(_Placed):
    """Distributions of the largest of many draws."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    @property
    def stddev(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def cdf(self, value: _Any) -> _Any:
        """The probability of at most `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""

class Laplace(_Placed):
    """Two exponential distributions back to back around `loc`."""
    @property
    def variance(self) -> _Any: ...
    @property
    def stddev(self) -> _Any: ...
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

class LogNormal(_TransformedDistribution):
    """Distributions whose logarithm is normal with mean `loc` and standard deviation `scale`."""
    loc: _Any
    scale: _Any
    def __init__(self, loc: _Any, scale: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""

class Normal(_Distribution):
    """Normal distributions of mean `loc` and standard deviation `scale`.

    >>> from vitrify import to_tensor
    >>> round(float(Normal(0.0, 1.0).log_prob(to_tensor(0.0))), 4)
    -0.9189"""
    name: _Any
    loc: _Any
    scale: _Any
    dtype: _Any
    def __init__(self, loc: _Any, scale: _Any, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def prob(self, value: _Any) -> _Any:
        """The density (or probability) at `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""
    def kl_divergence(self, other: _Distribution) -> _Any:
        """The divergence from `other`: `kl_divergence(self, other)`."""

class StudentT(_Distribution):
    """Student's distributions: of a normal mean over its estimated spread, with `df` degrees of freedom.

    The mean exists for df > 1 (else NaN), the variance for df > 2 (else infinite, or NaN up to 1)."""
    name: _Any
    df: _Any
    loc: _Any
    scale: _Any
    def __init__(self, df: _Any, loc: _Any, scale: _Any, name: _str | None = None) -> None:
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

class Uniform(_Distribution):
    """Even distributions over [low, high)."""
    name: _Any
    low: _Any
    high: _Any
    dtype: _Any
    def __init__(self, low: _Any, high: _Any, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def prob(self, value: _Any) -> _Any:
        """The density (or probability) at `value`."""
    def cdf(self, value: _Any) -> _Any:
        """The probability of at most `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""
