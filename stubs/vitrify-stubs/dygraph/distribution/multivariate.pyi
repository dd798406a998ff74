# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.distribution.base import Distribution as _Distribution

class LKJCholesky(_Distribution):
    """Lower Cholesky factors [dim, dim] of correlation matrices, whose density is in proportion to
    det(correlation)**(concentration - 1).

    sample_method: "onion" (rows of growing length on the sphere) or "cvine" (partial correlations); both draw from the
    same distribution. Source: Lewandowski, Kurowicka, Joe, Generating random correlation matrices, 2009."""
    concentration: _Any
    dim: _int
    sample_method: _str
    def __init__(self, dim: _int = 2, concentration: _Any = 1.0, sample_method: _str = 'onion') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def sample(self, shape: _Sequence[_int] = ..., seed: _int = 0) -> _Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""

class MultivariateNormal(_Distribution):
    """Normal vectors [..., n] of mean `loc`, given one of the covariance, its inverse (precision) or its lower
    Cholesky factor, each [..., n, n].

    >>> MultivariateNormal([0.0, 0.0], covariance_matrix=[[4.0, 0.0], [0.0, 9.0]]).variance.tolist()
    [4.0, 9.0]"""
    loc: _Any
    scale_tril: _Any
    def __init__(self, loc: _Any, covariance_matrix: _Any = None, precision_matrix: _Any = None, scale_tril: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def covariance_matrix(self) -> _Any:
        """The covariance [..., n, n]."""
    @property
    def precision_matrix(self) -> _Any:
        """The inverse of the covariance [..., n, n]."""
    @property
    def mean(self) -> _Any: ...
    @property
    def variance(self) -> _Any: ...
    def rsample(self, shape: _Sequence[_int] = ...) -> _Any:
        """Draws through which gradients flow to the parameters."""
    def log_prob(self, value: _Any) -> _Any:
        """The logarithm of the density (or probability) at `value`."""
    def entropy(self) -> _Any:
        """The expected -log_prob, in nats."""
