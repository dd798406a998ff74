# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.boundary import Created as _Created
from vitrify.base.changes import Counted as _Counted

class ExponentialFamily(Distribution):
    """Distributions of density exp(<natural parameters, statistics> - log_normalizer) times a carrier measure.

    A subclass gives `_natural_parameters`, `_log_normalizer(*parameters)` and `_mean_carrier_measure`; entropy and
    divergence then follow from derivatives of the normalizer (Bregman divergences; Nielsen, Nock, 2010)."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""

class Distribution(_Counted, _Created):
    """Base of distributions. batch_shape: one distribution per entry; event_shape: the shape of one draw."""
    is_made_of_attributes: _bool
    probs: _Any
    def __init__(self, batch_shape: _Sequence[_Any] = ..., event_shape: _Sequence[_Any] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def batch_shape(self) -> _tuple[_int, ...]:
        """One distribution per entry of this shape."""
    @property
    def event_shape(self) -> _tuple[_int, ...]:
        """The shape of one draw."""
    @property
    def mean(self) -> _Any:
        """The expected value."""
    @property
    def variance(self) -> _Any:
        """The expected square of the distance from the mean."""
    @property
    def stddev(self) -> _Any:
        """The root of the variance."""
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def prob(self, value: _Any) -> _Any:
        """The density (or probability) at `value`."""
    def probs(self, value: _Any) -> _Any: ...
    def cdf(self, value: _Any) -> _Any:
        """The probability of at most `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""
    def kl_divergence(self, other: Distribution) -> _Any:
        """The divergence from `other`: `kl_divergence(self, other)`."""
