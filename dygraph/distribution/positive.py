"""Distributions over positive numbers and over shares of one: Exponential, Gamma, Chi2, Beta, Dirichlet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError
from ...ops.create import full_like
from ...ops.op import OPS
from ...ops.rearrange import stack
from ..draws import standard_gamma
from ..modes import GradMode
from .base import (
    Distribution,
    ExponentialFamily,
    as_value,
    check_range,
    noise,
    parameter,
    real_or_tensor,
    register_kl,
    together,
    xlogy,
)  # fmt: skip


class Exponential(ExponentialFamily):
    """Waiting times of events that come at `rate`."""

    def __init__(self, rate: Any) -> None:
        (self.rate,) = together(rate)
        super().__init__(self.rate.shape)

    @property
    def mean(self) -> Any:
        return 1.0 / self.rate

    @property
    def variance(self) -> Any:
        return 1.0 / (self.rate * self.rate)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self.icdf(noise("uniform", self._shape(shape), self.rate))

    def log_prob(self, value: Any) -> Any:
        return OPS["log"](self.rate) - self.rate * as_value(value, self.rate)

    def cdf(self, value: Any) -> Any:
        return -OPS["expm1"](-self.rate * as_value(value, self.rate))

    def icdf(self, value: Any) -> Any:
        """The value below which the share `value` of draws lies."""
        return -OPS["log1p"](-as_value(value, self.rate)) / self.rate

    def entropy(self) -> Any:
        return 1.0 - OPS["log"](self.rate)

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        return (-self.rate,)

    def _log_normalizer(self, *parameters: Any) -> Any:
        return -OPS["log"](-parameters[0])


class Gamma(ExponentialFamily):
    """Waiting times for `concentration` events that come at `rate`.

    >>> float(Gamma(3.0, 2.0).mean)
    1.5
    """

    def __init__(self, concentration: Any, rate: Any) -> None:
        self.concentration, self.rate = together(concentration, rate)
        check_range("concentration of Gamma", self.concentration, lambda x: x > 0, "above 0")
        check_range("rate of Gamma", self.rate, lambda x: x > 0, "above 0")
        super().__init__(self.concentration.shape)

    @property
    def mean(self) -> Any:
        return self.concentration / self.rate

    @property
    def variance(self) -> Any:
        return self.concentration / (self.rate * self.rate)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        """Draws; gradients flow to `rate` only."""
        return standard_gamma(OPS["broadcast_to"](self.concentration, self._shape(shape))) / self.rate

    def log_prob(self, value: Any) -> Any:
        value = as_value(value, self.rate)
        known = xlogy(self.concentration, self.rate) - OPS["lgamma"](self.concentration)
        return known + xlogy(self.concentration - 1.0, value) - self.rate * value

    def entropy(self) -> Any:
        a = self.concentration
        return a - OPS["log"](self.rate) + OPS["lgamma"](a) + (1.0 - a) * OPS["digamma"](a)

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        return self.concentration - 1.0, -self.rate

    def _log_normalizer(self, *parameters: Any) -> Any:
        power, slope = parameters
        return OPS["lgamma"](power + 1.0) - (power + 1.0) * OPS["log"](-slope)


class Chi2(Gamma):
    """Distributions of the sum of `df` squared normal numbers."""

    def __init__(self, df: Any) -> None:
        real_or_tensor("Chi2", df=df)
        (made,) = together(df)
        check_range("df of Chi2", made, lambda x: x > 0, "above 0")
        super().__init__(made * 0.5, full_like(made, 0.5))

    @property
    def df(self) -> Any:
        """Degrees of freedom."""
        return self.concentration * 2.0


class Dirichlet(ExponentialFamily):
    """Shares [..., k] of one, with weights `concentration` [..., k].

    >>> Dirichlet([1.0, 3.0]).mean.tolist()
    [0.25, 0.75]
    """

    def __init__(self, concentration: Any) -> None:
        self.concentration = parameter(concentration, "concentration")
        if not self.concentration.ndim:
            raise ArgumentError("Dirichlet needs a concentration of at least one axis")
        super().__init__(self.concentration.shape[:-1], self.concentration.shape[-1:])

    def _total(self, keep: bool = True) -> Any:
        return OPS["sum"](self.concentration, -1, keep)

    @property
    def mean(self) -> Any:
        return self.concentration / self._total()

    @property
    def variance(self) -> Any:
        total = self._total()
        return self.concentration * (total - self.concentration) / (total * total * (total + 1.0))

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        with GradMode(False):
            drawn = standard_gamma(OPS["broadcast_to"](self.concentration, self._shape(shape)))
            return drawn / OPS["sum"](drawn, -1, True)

    def log_prob(self, value: Any) -> Any:
        a = self.concentration
        known = OPS["lgamma"](self._total(False)) - OPS["sum"](OPS["lgamma"](a), -1)
        return OPS["sum"](xlogy(a - 1.0, as_value(value, a)), -1) + known

    def entropy(self) -> Any:
        a, total, k = self.concentration, self._total(False), self.concentration.shape[-1]
        log_beta = OPS["sum"](OPS["lgamma"](a), -1) - OPS["lgamma"](total)
        rest = OPS["sum"]((a - 1.0) * OPS["digamma"](a), -1)
        return log_beta + (total - float(k)) * OPS["digamma"](total) - rest

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        return (self.concentration,)

    def _log_normalizer(self, *parameters: Any) -> Any:
        (a,) = parameters
        return OPS["sum"](OPS["lgamma"](a), -1) - OPS["lgamma"](OPS["sum"](a, -1))


class Beta(ExponentialFamily):
    """Shares between 0 and 1 with the weights `alpha` for the one part and `beta` for the other.

    >>> float(Beta(1.0, 3.0).mean)
    0.25
    """

    def __init__(self, alpha: Any, beta: Any) -> None:
        self.alpha, self.beta = together(alpha, beta)
        if 0 in self.alpha.shape:
            raise ArgumentError("Beta needs at least one alpha and one beta")
        self._dirichlet = Dirichlet(stack([self.alpha, self.beta], -1))
        super().__init__(self.alpha.shape)

    @property
    def mean(self) -> Any:
        return self.alpha / (self.alpha + self.beta)

    @property
    def variance(self) -> Any:
        total = self.alpha + self.beta
        return self.alpha * self.beta / (total * total * (total + 1.0))

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        self._shape(shape)
        return self._dirichlet.sample(shape)[..., 0]

    def log_prob(self, value: Any) -> Any:
        value = as_value(value, self.alpha)
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self) -> Any:
        return self._dirichlet.entropy()

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        return self.alpha, self.beta

    def _log_normalizer(self, *parameters: Any) -> Any:
        a, b = parameters
        return OPS["lgamma"](a) + OPS["lgamma"](b) - OPS["lgamma"](a + b)


class ContinuousBernoulli(Distribution):
    """Numbers between 0 and 1 of a density in proportion to probs**x (1 - probs)**(1 - x).

    `lims` bounds the `probs` near 0.5, where formulas that divide by 1 - 2 probs are replaced by their series.
    Source: Loaiza-Ganem, Cunningham, The continuous Bernoulli, 2019.
    """

    def __init__(self, probs: Any, lims: tuple[float, float] = (0.499, 0.501)) -> None:
        given = parameter(probs, "probs")
        check_range("probs of ContinuousBernoulli", given, lambda x: (x >= 0) & (x <= 1), "between 0 and 1")
        tiny = 1e-6 if given.dtype.name == "float32" else 1e-12
        self.probs = OPS["clip"](given, min=tiny, max=1.0 - tiny)
        self.lims = tuple(lims)
        super().__init__(given.shape)

    def _near_half(self) -> Any:
        return OPS["logical_and"](self.probs > self.lims[0], self.probs < self.lims[1])

    def _steady(self) -> Any:
        """probs, with those near 0.5 moved to where the formulas hold."""
        return OPS["where"](self._near_half(), self.lims[0], self.probs)

    def _log_constant(self) -> Any:
        p = self._steady()
        gap = 1.0 - 2.0 * p
        exact = OPS["log"](2.0 * OPS["abs"](_atanh(gap))) - OPS["log"](OPS["abs"](gap))
        square = (self.probs - 0.5) * (self.probs - 0.5)
        series = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * square) * square
        return OPS["where"](self._near_half(), series, exact)

    @property
    def mean(self) -> Any:
        p = self._steady()
        exact = p / (2.0 * p - 1.0) + 0.5 / _atanh(1.0 - 2.0 * p)
        away = self.probs - 0.5
        return OPS["where"](self._near_half(), 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * away * away) * away, exact)

    @property
    def variance(self) -> Any:
        p = self._steady()
        gap, bend = 1.0 - 2.0 * p, _atanh(1.0 - 2.0 * p)
        exact = p * (p - 1.0) / (gap * gap) + 0.25 / (bend * bend)
        square = (self.probs - 0.5) * (self.probs - 0.5)
        return OPS["where"](self._near_half(), 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * square) * square, exact)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self.icdf(noise("uniform", self._shape(shape), self.probs))

    def log_prob(self, value: Any) -> Any:
        value = as_value(value, self.probs)
        weights = value * OPS["log"](self.probs) + (1.0 - value) * OPS["log1p"](-self.probs)
        return weights + self._log_constant()

    def cdf(self, value: Any) -> Any:
        value, p = as_value(value, self.probs), self._steady()
        grown = OPS["exp"](value * OPS["log"](p) + (1.0 - value) * OPS["log1p"](-p))
        inside = OPS["where"](self._near_half(), value, (grown + p - 1.0) / (2.0 * p - 1.0))
        return OPS["where"](value <= 0.0, 0.0, OPS["where"](value >= 1.0, 1.0, inside))

    def icdf(self, value: Any) -> Any:
        """The value below which the share `value` of draws lies."""
        value, p = as_value(value, self.probs), self._steady()
        exact = (OPS["log1p"]((2.0 * p - 1.0) * value - p) - OPS["log1p"](-p)) / (OPS["log"](p) - OPS["log1p"](-p))
        return OPS["where"](self._near_half(), value, exact)

    def entropy(self) -> Any:
        odds = OPS["log"](self.probs) - OPS["log1p"](-self.probs)
        return -(self.mean * odds + OPS["log1p"](-self.probs) + self._log_constant())


def _atanh(x: Any) -> Any:
    return 0.5 * (OPS["log1p"](x) - OPS["log1p"](-x))


# Divergences


@register_kl(Exponential, Exponential)
def _exponential(p: Exponential, q: Exponential) -> Any:
    ratio = q.rate / p.rate
    return ratio - 1.0 - OPS["log"](ratio)


@register_kl(Gamma, Gamma)
def _gamma(p: Gamma, q: Gamma) -> Any:
    a, b = p.concentration, q.concentration
    ratio = q.rate / p.rate
    known = OPS["lgamma"](b) - OPS["lgamma"](a) - b * OPS["log"](ratio)
    return (a - b) * OPS["digamma"](a) + known + a * (ratio - 1.0)


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Dirichlet, q: Dirichlet) -> Any:
    a, b = p.concentration, q.concentration
    total, other = p._total(), q._total(False)
    known = OPS["lgamma"](p._total(False)) - OPS["lgamma"](other) - OPS["sum"](OPS["lgamma"](a) - OPS["lgamma"](b), -1)
    return known + OPS["sum"]((a - b) * (OPS["digamma"](a) - OPS["digamma"](total)), -1)


@register_kl(Beta, Beta)
def _beta(p: Beta, q: Beta) -> Any:
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: ContinuousBernoulli, q: ContinuousBernoulli) -> Any:
    odds = OPS["log"](q.probs) - OPS["log1p"](-q.probs)
    return -p.entropy() - (p.mean * odds + OPS["log1p"](-q.probs) + q._log_constant())
