# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.distribution.base import Distribution as _Distribution
from vitrify.dygraph.distribution.transform import Transform as _Transform

class Independent(_Distribution):
    """Another distribution whose last batch axes count as axes of one draw: their log_prob is added up.

    >>> from vitrify import ones
    >>> from vitrify.distribution import Normal
    >>> Independent(Normal(ones([2, 3]), ones([2, 3])), 1).event_shape
    (3,)"""
    def __init__(self, base: _Distribution, reinterpreted_batch_rank: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""

class TransformedDistribution(_Distribution):
    """What a list of transformations makes of another distribution's draws, the first one first.

    >>> from vitrify import to_tensor
    >>> from vitrify.distribution import AffineTransform, Normal
    >>> moved = TransformedDistribution(Normal(0.0, 1.0), [AffineTransform(to_tensor(1.0), to_tensor(2.0))])
    >>> round(float(moved.log_prob(to_tensor(1.0))), 4)
    -1.6121"""
    def __init__(self, base: _Distribution, transforms: _Sequence[_Transform]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
