"""Distributions over vectors and matrices: MultivariateNormal, LKJCholesky."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.errors import ArgumentError
from ...ops.create import full_like
from ...ops.diagonals import diagonal
from ...ops.dispatch import current
from ...ops.infer import broadcast_shapes
from ...ops.op import OPS
from ...ops.rearrange import squeeze, stack, unsqueeze
from ...ops.solving import inverse
from ..modes import GradMode
from .base import Distribution, as_value, check_range, noise, parameter, register_kl
from .continuous import HALF_LOG_TWO_PI
from .positive import Beta


class MultivariateNormal(Distribution):
    """Normal vectors [..., n] of mean `loc`, given one of the covariance, its inverse (precision) or its lower
    Cholesky factor, each [..., n, n].

    >>> MultivariateNormal([0.0, 0.0], covariance_matrix=[[4.0, 0.0], [0.0, 9.0]]).variance.tolist()
    [4.0, 9.0]
    """

    def __init__(
        self, loc: Any, covariance_matrix: Any = None, precision_matrix: Any = None, scale_tril: Any = None
    ) -> None:
        given = [m for m in (covariance_matrix, precision_matrix, scale_tril) if m is not None]
        if len(given) != 1:
            raise ArgumentError(
                f"MultivariateNormal takes one of covariance_matrix, precision_matrix and scale_tril, not {len(given)}"
            )
        mean, matrix = parameter(loc, "loc"), parameter(given[0], "the matrix")
        mean = OPS["reshape"](mean, (1,)) if not mean.ndim else mean
        if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
            raise ArgumentError(f"MultivariateNormal needs square matrices, got the shape {list(matrix.shape)}")
        size = matrix.shape[-1]
        batch = broadcast_shapes(mean.shape[:-1], matrix.shape[:-2])
        self.loc = OPS["broadcast_to"](OPS["cast"](mean, matrix.dtype), (*batch, size))
        factor = matrix if scale_tril is not None else self._factor(matrix, precision_matrix is not None)
        self._unbroadcasted_scale_tril = factor
        self.scale_tril = OPS["broadcast_to"](factor, (*batch, size, size))
        super().__init__(batch, (size,))

    @staticmethod
    def _factor(matrix: Any, inverted: bool) -> Any:
        return OPS["cholesky"](inverse(matrix) if inverted else matrix)

    @property
    def covariance_matrix(self) -> Any:
        """The covariance [..., n, n]."""
        return OPS["matmul"](self.scale_tril, _transposed(self.scale_tril))

    @property
    def precision_matrix(self) -> Any:
        """The inverse of the covariance [..., n, n]."""
        return inverse(self.covariance_matrix)

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        return OPS["sum"](self.scale_tril * self.scale_tril, -1)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        drawn = noise("normal", self._shape(shape), self.loc)
        return self.loc + squeeze(OPS["matmul"](self.scale_tril, unsqueeze(drawn, -1)), -1)

    def _half_log_det(self) -> Any:
        return OPS["sum"](OPS["log"](diagonal(self.scale_tril, 0, -2, -1)), -1)

    def log_prob(self, value: Any) -> Any:
        distance = as_value(value, self.loc) - self.loc
        square = _squared_norm(self.scale_tril, unsqueeze(distance, -1))
        return -0.5 * square - self._half_log_det() - HALF_LOG_TWO_PI * self._event_shape[0]

    def entropy(self) -> Any:
        return self._half_log_det() + (0.5 + HALF_LOG_TWO_PI) * self._event_shape[0]


def _transposed(matrix: Any) -> Any:
    axes = list(range(matrix.ndim))
    return OPS["transpose"](matrix, (*axes[:-2], axes[-1], axes[-2]))


def _squared_norm(factor: Any, columns: Any) -> Any:
    """The sum of the squares of factor^-1 columns, for lower triangles factor [..., n, n] and columns [..., n, k]."""
    batch = broadcast_shapes(factor.shape[:-2], columns.shape[:-2])
    factor = OPS["broadcast_to"](factor, (*batch, *factor.shape[-2:]))
    columns = OPS["broadcast_to"](columns, (*batch, *columns.shape[-2:]))
    solved = OPS["triangular_solve"](factor, columns, upper=False)
    return OPS["sum"](solved * solved, [-2, -1])


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p: MultivariateNormal, q: MultivariateNormal) -> Any:
    spread = _squared_norm(q.scale_tril, p.scale_tril)
    distance = _squared_norm(q.scale_tril, unsqueeze(q.loc - p.loc, -1))
    return q._half_log_det() - p._half_log_det() + 0.5 * (spread + distance - float(p._event_shape[0]))


class LKJCholesky(Distribution):
    """Lower Cholesky factors [dim, dim] of correlation matrices, whose density is in proportion to
    det(correlation)**(concentration - 1).

    sample_method: "onion" (rows of growing length on the sphere) or "cvine" (partial correlations); both draw from the
    same distribution. Source: Lewandowski, Kurowicka, Joe, Generating random correlation matrices, 2009.
    """

    def __init__(self, dim: int = 2, concentration: Any = 1.0, sample_method: str = "onion") -> None:
        if isinstance(dim, bool) or not isinstance(dim, int) or dim < 2:
            raise ArgumentError(f"LKJCholesky: dim must be an int of at least 2, not {dim!r}")
        if sample_method not in ("onion", "cvine"):
            raise ArgumentError(f"LKJCholesky: sample_method must be 'onion' or 'cvine', not {sample_method!r}")
        self.concentration = parameter(concentration, "concentration")
        check_range("concentration of LKJCholesky", self.concentration, lambda c: c > 0, "above 0")
        self.dim, self.sample_method = dim, sample_method
        super().__init__(self.concentration.shape, (dim, dim))

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        with GradMode(False):
            wanted = self._shape(shape)
            return self._onion(wanted) if self.sample_method == "onion" else self._vine(wanted)

    def _first(self, shape: list[int]) -> Any:
        start = np.zeros((self.dim, self.dim), self.concentration.dtype.name)
        start[0, 0] = 1.0
        return OPS["broadcast_to"](current().constant(start, None), shape)

    def _onion(self, wanted: list[int]) -> Any:
        """Row i + 1 is a point of the sphere of radius sqrt(y), y of a Beta distribution, and what is left to 1."""
        made = self._first(wanted)
        lead = wanted[: len(wanted) - len(self._batch_shape) - 2]
        for i in range(1, self.dim):
            rest = self.concentration + 0.5 * (self.dim - 1 - i)
            share = unsqueeze(Beta(full_like(rest, 0.5 * i), rest).sample(lead), -1)
            point = noise("normal", [*wanted[:-2], i], self.concentration)
            point = point / OPS["sqrt"](OPS["sum"](point * point, -1, True))
            row = OPS["concat"]([OPS["sqrt"](share) * point, OPS["sqrt"](1.0 - share)], -1)
            made = _with_row(made, row, i, self.dim)
        return made

    def _vine(self, wanted: list[int]) -> Any:
        """Partial correlation j of each row is 2 b - 1, b of a symmetric Beta distribution that j gives."""
        made = self._first(wanted)
        lead = wanted[: len(wanted) - len(self._batch_shape) - 2]
        for i in range(1, self.dim):
            left, parts = None, []
            for j in range(i):
                weight = self.concentration + 0.5 * (self.dim - 2 - j)
                partial = Beta(weight, weight).sample(lead) * 2.0 - 1.0
                parts.append(partial if left is None else partial * OPS["sqrt"](left))
                rest = 1.0 - partial * partial
                left = rest if left is None else left * rest
            row = stack([*parts, OPS["sqrt"](left)], -1)
            made = _with_row(made, row, i, self.dim)
        return made

    def log_prob(self, value: Any) -> Any:
        value = as_value(value, self.concentration)
        edge = diagonal(value, 0, -2, -1)[..., 1:]
        powers = np.arange(self.dim - 2, -1, -1).astype(self.concentration.dtype.name)
        order = current().constant(powers, None) + unsqueeze(2.0 * self.concentration - 2.0, -1)
        return OPS["sum"](order * OPS["log"](edge), -1) - self._log_constant()

    def _log_constant(self) -> Any:
        """The logarithm of the integral of the density's numerator: a product of Beta functions over the rows."""
        half = 0.5 * (self.dim - 1)
        alpha = self.concentration + half
        steps = np.arange(1, self.dim).astype(self.concentration.dtype.name)
        inner = unsqueeze(alpha, -1) - current().constant(steps * 0.5, None)
        known = 0.25 * math.log(math.pi) * self.dim * (self.dim - 1)
        return OPS["sum"](OPS["lgamma"](inner), -1) + known - OPS["lgamma"](alpha) * float(self.dim - 1)


def _with_row(matrix: Any, row: Any, i: int, dim: int) -> Any:
    """matrix + row (its first i + 1 entries) in line i, where the matrix is zero."""
    line = np.zeros((dim, 1), row.dtype.name)
    line[i] = 1.0
    shape = [*row.shape[:-1], dim - i - 1]
    full = OPS["concat"]([row, OPS["full"](shape, 0.0, row.dtype)], -1) if shape[-1] else row
    return matrix + current().constant(line, None) * unsqueeze(full, -2)
