"""Distributions over the real line: Normal, Uniform, Laplace, Gumbel, Cauchy, StudentT and LogNormal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError, KindError
from ...ops.create import full_like
from ...ops.op import OPS
from ..draws import standard_gamma
from ..modes import GradMode
from .base import (
    EULER,
    Distribution,
    as_value,
    check_range,
    noise,
    real_or_tensor,
    register_kl,
    together,
)  # fmt: skip
from .transform import ExpTransform
from .transformed import TransformedDistribution

HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


class Normal(Distribution):
    """Normal distributions of mean `loc` and standard deviation `scale`.

    >>> from vitrify import to_tensor
    >>> round(float(Normal(0.0, 1.0).log_prob(to_tensor(0.0))), 4)
    -0.9189
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name if name is not None else type(self).__name__
        self.loc, self.scale = together(loc, scale)
        self.dtype = self.loc.dtype.name
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        return self.scale * self.scale

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self.loc + noise("normal", self._shape(shape), self.loc) * self.scale

    def log_prob(self, value: Any) -> Any:
        distance = (as_value(value, self.loc) - self.loc) / self.scale
        return distance * distance * -0.5 - OPS["log"](self.scale) - HALF_LOG_TWO_PI

    def prob(self, value: Any) -> Any:
        distance = (as_value(value, self.loc) - self.loc) / self.scale
        return OPS["exp"](distance * distance * -0.5) / (self.scale * math.sqrt(2 * math.pi))

    def entropy(self) -> Any:
        return 0.5 + HALF_LOG_TWO_PI + OPS["log"](self.scale)

    def kl_divergence(self, other: Distribution) -> Any:
        return _same_kind(self, other)


def _same_kind(p: Distribution, q: Any) -> Any:
    """The divergence of two distributions of one class. Errors: KindError for another."""
    if not isinstance(q, type(p)):
        raise KindError(f"{type(p).__name__}.kl_divergence needs another {type(p).__name__}, not {q!r:.80}")
    return Distribution.kl_divergence(p, q)


class LogNormal(TransformedDistribution):
    """Distributions whose logarithm is normal with mean `loc` and standard deviation `scale`."""

    def __init__(self, loc: Any, scale: Any) -> None:
        base = Normal(loc, scale)
        self.loc, self.scale = base.loc, base.scale
        super().__init__(base, [ExpTransform()])

    @property
    def mean(self) -> Any:
        return OPS["exp"](self.loc + self.scale * self.scale * 0.5)

    @property
    def variance(self) -> Any:
        square = self.scale * self.scale
        return OPS["expm1"](square) * OPS["exp"](self.loc * 2.0 + square)

    def entropy(self) -> Any:
        return self._base.entropy() + self.loc


class Uniform(Distribution):
    """Even distributions over [low, high)."""

    def __init__(self, low: Any, high: Any, name: str | None = None) -> None:
        self.name = name if name is not None else "Uniform"
        self.low, self.high = together(low, high)
        self.dtype = self.low.dtype.name
        super().__init__(self.low.shape)

    @property
    def mean(self) -> Any:
        return (self.low + self.high) * 0.5

    @property
    def variance(self) -> Any:
        width = self.high - self.low
        return width * width / 12.0

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self.low + noise("uniform", self._shape(shape), self.low) * (self.high - self.low)

    def log_prob(self, value: Any) -> Any:
        value = as_value(value, self.low)
        inside = OPS["logical_and"](value >= self.low, value < self.high)
        return OPS["where"](inside, 0.0, -math.inf) - OPS["log"](self.high - self.low)

    def prob(self, value: Any) -> Any:
        value = as_value(value, self.low)
        inside = OPS["logical_and"](value >= self.low, value < self.high)
        return OPS["cast"](inside, self.low.dtype) / (self.high - self.low)

    def cdf(self, value: Any) -> Any:
        return OPS["clip"]((as_value(value, self.low) - self.low) / (self.high - self.low), min=0.0, max=1.0)

    def entropy(self) -> Any:
        return OPS["log"](self.high - self.low)


class _Placed(Distribution):
    """Distributions that one shape gives, moved by `loc` and stretched by `scale`."""

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = together(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        return self.loc

    def _distance(self, value: Any) -> Any:
        return (as_value(value, self.loc) - self.loc) / self.scale


class Laplace(_Placed):
    """Two exponential distributions back to back around `loc`."""

    @property
    def variance(self) -> Any:
        return self.scale * self.scale * 2.0

    @property
    def stddev(self) -> Any:
        return self.scale * math.sqrt(2.0)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self.icdf(OPS["clip"](noise("uniform", self._shape(shape), self.loc), min=1e-7))

    def log_prob(self, value: Any) -> Any:
        return -OPS["log"](self.scale * 2.0) - OPS["abs"](self._distance(value))

    def cdf(self, value: Any) -> Any:
        distance = self._distance(value)
        return 0.5 - 0.5 * OPS["sign"](distance) * OPS["expm1"](-OPS["abs"](distance))

    def icdf(self, value: Any) -> Any:
        """The value below which the share `value` of draws lies."""
        centred = as_value(value, self.loc) - 0.5
        return self.loc - self.scale * OPS["sign"](centred) * OPS["log1p"](-2.0 * OPS["abs"](centred))

    def entropy(self) -> Any:
        return 1.0 + OPS["log"](self.scale * 2.0)


class Gumbel(_Placed):
    """Distributions of the largest of many draws."""

    @property
    def mean(self) -> Any:
        return self.loc + self.scale * EULER

    @property
    def variance(self) -> Any:
        return self.scale * self.scale * (math.pi**2 / 6)

    @property
    def stddev(self) -> Any:
        return self.scale * (math.pi / math.sqrt(6))

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        drawn = 1.0 - noise("uniform", self._shape(shape), self.loc)
        return self.loc - self.scale * OPS["log"](OPS["maximum"](-OPS["log"](drawn), 1e-30))

    def log_prob(self, value: Any) -> Any:
        distance = self._distance(value)
        return -(distance + OPS["exp"](-distance)) - OPS["log"](self.scale)

    def cdf(self, value: Any) -> Any:
        return OPS["exp"](-OPS["exp"](-self._distance(value)))

    def entropy(self) -> Any:
        return OPS["log"](self.scale) + (1.0 + EULER)


class Cauchy(_Placed):
    """Distributions of the ratio of two normal numbers; they have no mean and no variance.

    >>> from vitrify import to_tensor
    >>> round(float(Cauchy(0.0, 1.0).cdf(to_tensor(1.0))), 6)
    0.75
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        real_or_tensor("Cauchy", loc=loc, scale=scale)
        super().__init__(loc, scale)
        self.name = name if name is not None else "Cauchy"

    @property
    def mean(self) -> Any:
        raise ArgumentError("a Cauchy distribution has no mean")

    @property
    def variance(self) -> Any:
        raise ArgumentError("a Cauchy distribution has no variance")

    @property
    def stddev(self) -> Any:
        raise ArgumentError("a Cauchy distribution has no standard deviation")

    def rsample(self, shape: Sequence[int] = (), name: str | None = None) -> Any:
        centred = noise("uniform", self._shape(shape), self.loc) - 0.5
        return self.loc + self.scale * OPS["tan"](centred * math.pi)

    def _distance(self, value: Any) -> Any:
        return (as_value(value, self.loc, strict=True) - self.loc) / self.scale

    def log_prob(self, value: Any) -> Any:
        distance = self._distance(value)
        return -OPS["log1p"](distance * distance) - OPS["log"](self.scale) - math.log(math.pi)

    def cdf(self, value: Any) -> Any:
        return OPS["atan"](self._distance(value)) / math.pi + 0.5

    def entropy(self) -> Any:
        return OPS["log"](self.scale) + math.log(4 * math.pi)

    def kl_divergence(self, other: Distribution) -> Any:
        return _same_kind(self, other)


class StudentT(Distribution):
    """Student's distributions: of a normal mean over its estimated spread, with `df` degrees of freedom.

    The mean exists for df > 1 (else NaN), the variance for df > 2 (else infinite, or NaN up to 1).
    """

    def __init__(self, df: Any, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name if name is not None else "StudentT"
        real_or_tensor("StudentT", df=df, loc=loc, scale=scale)
        self.df, self.loc, self.scale = together(df, loc, scale)
        check_range("df of StudentT", self.df, lambda df: df > 0, "above 0")
        check_range("scale of StudentT", self.scale, lambda scale: scale > 0, "above 0")
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        return OPS["where"](self.df > 1.0, self.loc, math.nan)

    @property
    def variance(self) -> Any:
        finite = self.df > 2.0
        made = self.scale * self.scale * self.df / OPS["where"](finite, self.df - 2.0, 1.0)
        return OPS["where"](finite, made, OPS["where"](self.df > 1.0, math.inf, full_like(self.df, math.nan)))

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        with GradMode(False):
            wanted = self._shape(shape)
            half = OPS["broadcast_to"](self.df * 0.5, wanted)
            spread = OPS["sqrt"](half / standard_gamma(half))
            return self.loc + self.scale * noise("normal", wanted, self.loc) * spread

    def _distance(self, value: Any) -> Any:
        return (as_value(value, self.loc) - self.loc) / self.scale

    def log_prob(self, value: Any) -> Any:
        distance = self._distance(value)
        half = (self.df + 1.0) * 0.5
        ratio = OPS["lgamma"](half) - OPS["lgamma"](self.df * 0.5)
        spread = OPS["log"](self.scale) + 0.5 * OPS["log"](self.df * math.pi)
        return ratio - spread - half * OPS["log1p"](distance * distance / self.df)

    def entropy(self) -> Any:
        half, rest = (self.df + 1.0) * 0.5, self.df * 0.5
        log_beta = OPS["lgamma"](rest) + math.lgamma(0.5) - OPS["lgamma"](half)
        slope = OPS["digamma"](half) - OPS["digamma"](rest)
        return OPS["log"](self.scale) + half * slope + 0.5 * OPS["log"](self.df) + log_beta


# Divergences


@register_kl(Normal, Normal)
def _normal(p: Normal, q: Normal) -> Any:
    ratio = p.scale / q.scale
    distance = (p.loc - q.loc) / q.scale
    square = ratio * ratio
    return (square + distance * distance - 1.0 - OPS["log"](square)) * 0.5


@register_kl(LogNormal, LogNormal)
def _log_normal(p: LogNormal, q: LogNormal) -> Any:
    return _normal(p._base, q._base)


@register_kl(Uniform, Uniform)
def _uniform(p: Uniform, q: Uniform) -> Any:
    inside = OPS["logical_and"](q.low <= p.low, p.high <= q.high)
    return OPS["where"](inside, OPS["log"]((q.high - q.low) / (p.high - p.low)), math.inf)


@register_kl(Laplace, Laplace)
def _laplace(p: Laplace, q: Laplace) -> Any:
    distance = OPS["abs"](p.loc - q.loc)
    shared = p.scale / q.scale * OPS["exp"](-distance / p.scale)
    return OPS["log"](q.scale / p.scale) + distance / q.scale + shared - 1.0


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Gumbel, q: Gumbel) -> Any:
    ratio, distance = p.scale / q.scale, (p.loc - q.loc) / q.scale
    lifted = OPS["exp"](OPS["lgamma"](ratio + 1.0) - distance)
    return distance - OPS["log"](ratio) + EULER * (ratio - 1.0) + lifted - 1.0


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Cauchy, q: Cauchy) -> Any:
    """Chyzak, Nielsen, A closed-form formula for the divergence between Cauchy distributions, 2019."""
    width, distance = p.scale + q.scale, p.loc - q.loc
    return OPS["log"]((width * width + distance * distance) / (p.scale * q.scale * 4.0))
