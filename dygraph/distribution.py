"""Probability distributions over tensors: draws, densities, entropies and divergences, in Paddle's form."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..base.dtype import float32
from ..base.errors import ArgumentError, KindError
from ..ops.dispatch import current
from ..ops.infer import broadcast_shapes
from ..ops.op import OPS
from .modes import GradMode
from .random import default_generator
from .sampling import multinomial
from .tensor import Tensor

__all__ = [
    "Bernoulli", "Categorical", "Distribution", "Exponential", "Gumbel", "Laplace", "LogNormal", "Normal", "Uniform",
    "kl_divergence", "register_kl",
]  # fmt: skip

EULER = 0.5772156649015329


def _parameter(value: Any) -> Any:
    made = current().constant(value, None if isinstance(value, Tensor) else float32)
    return made if made.dtype.is_floating else OPS["cast"](made, float32)


def _together(*values: Any) -> tuple[Any, ...]:
    """Parameters in one dtype, as they broadcast."""
    made = [_parameter(v) for v in values]
    shape = broadcast_shapes(*(m.shape for m in made))
    wide = next((m.dtype for m in made if m.dtype.name == "float64"), made[0].dtype)
    return tuple(OPS["broadcast_to"](m if m.dtype is wide else OPS["cast"](m, wide), shape) for m in made)


class Distribution:
    """Base of distributions. batch_shape: one distribution per entry; event_shape: the shape of one draw."""

    def __init__(self, batch_shape: Sequence[int] = (), event_shape: Sequence[int] = ()) -> None:
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """One distribution per entry of this shape."""
        return self._batch_shape

    @property
    def event_shape(self) -> tuple[int, ...]:
        """The shape of one draw."""
        return self._event_shape

    @property
    def mean(self) -> Any:
        """The expected value."""
        raise NotImplementedError(f"{type(self).__name__} has no mean")

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        raise NotImplementedError(f"{type(self).__name__} has no variance")

    @property
    def stddev(self) -> Any:
        """The root of the variance."""
        return OPS["sqrt"](self.variance)

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        """Draws of shape `shape + batch_shape + event_shape`, without gradient."""
        with GradMode(False):
            return self.rsample(shape)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        """Draws through which gradients flow to the parameters."""
        raise NotImplementedError(f"{type(self).__name__} has no draws with gradients")

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density (or probability) at `value`."""
        raise NotImplementedError(f"{type(self).__name__} has no log_prob")

    def prob(self, value: Any) -> Any:
        """The density (or probability) at `value`."""
        return OPS["exp"](self.log_prob(value))

    def probs(self, value: Any) -> Any:
        """`prob` under its older name."""
        return self.prob(value)

    def entropy(self) -> Any:
        """The expected -log_prob, in nats."""
        raise NotImplementedError(f"{type(self).__name__} has no entropy")

    def kl_divergence(self, other: Distribution) -> Any:
        """The divergence from `other`: `kl_divergence(self, other)`."""
        return kl_divergence(self, other)

    def _shape(self, shape: Sequence[int]) -> list[int]:
        if not isinstance(shape, (list, tuple)):
            raise KindError(f"shape must be a list or tuple, not a {type(shape).__name__}")
        return [*shape, *self._batch_shape, *self._event_shape]


def _noise(row: str, shape: list[int], like: Any) -> Any:
    return default_generator.draw(row, shape, like.dtype)


class Normal(Distribution):
    """Normal distributions of mean `loc` and standard deviation `scale`.

    >>> round(float(Normal(0.0, 1.0).log_prob(Tensor(0.0))), 4)
    -0.9189
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.loc, self.scale = _together(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        return self.scale * self.scale

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self.loc + _noise("normal", self._shape(shape), self.loc) * self.scale

    def log_prob(self, value: Any) -> Any:
        distance = (value - self.loc) / self.scale
        return distance * distance * -0.5 - OPS["log"](self.scale) - 0.5 * math.log(2 * math.pi)

    def entropy(self) -> Any:
        return 0.5 + 0.5 * math.log(2 * math.pi) + OPS["log"](self.scale)


class LogNormal(Normal):
    """Distributions whose logarithm is normal with mean `loc` and standard deviation `scale`."""

    @property
    def mean(self) -> Any:
        return OPS["exp"](self.loc + self.scale * self.scale * 0.5)

    @property
    def variance(self) -> Any:
        square = self.scale * self.scale
        return OPS["expm1"](square) * OPS["exp"](self.loc * 2.0 + square)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return OPS["exp"](super().rsample(shape))

    def log_prob(self, value: Any) -> Any:
        logarithm = OPS["log"](value)
        return super().log_prob(logarithm) - logarithm

    def entropy(self) -> Any:
        return super().entropy() + self.loc


class Uniform(Distribution):
    """Even distributions over [low, high)."""

    def __init__(self, low: Any, high: Any, name: str | None = None) -> None:
        self.low, self.high = _together(low, high)
        super().__init__(self.low.shape)

    @property
    def mean(self) -> Any:
        return (self.low + self.high) * 0.5

    @property
    def variance(self) -> Any:
        width = self.high - self.low
        return width * width / 12.0

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return self.low + _noise("uniform", self._shape(shape), self.low) * (self.high - self.low)

    def log_prob(self, value: Any) -> Any:
        value = current().constant(value, self.low.dtype)
        inside = OPS["logical_and"](value >= self.low, value < self.high)
        return OPS["where"](inside, -OPS["log"](self.high - self.low), -math.inf)

    def entropy(self) -> Any:
        return OPS["log"](self.high - self.low)


class Exponential(Distribution):
    """Waiting times of events that come at `rate`."""

    def __init__(self, rate: Any) -> None:
        (self.rate,) = _together(rate)
        super().__init__(self.rate.shape)

    @property
    def mean(self) -> Any:
        return 1.0 / self.rate

    @property
    def variance(self) -> Any:
        return 1.0 / (self.rate * self.rate)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        return -OPS["log"](1.0 - _noise("uniform", self._shape(shape), self.rate)) / self.rate

    def log_prob(self, value: Any) -> Any:
        return OPS["log"](self.rate) - self.rate * value

    def entropy(self) -> Any:
        return 1.0 - OPS["log"](self.rate)


class Laplace(Distribution):
    """Two exponential distributions back to back around `loc`."""

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = _together(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        return self.scale * self.scale * 2.0

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        turned = _noise("uniform", self._shape(shape), self.loc) - 0.5
        return self.loc - self.scale * OPS["sign"](turned) * OPS["log1p"](-2.0 * OPS["abs"](turned))

    def log_prob(self, value: Any) -> Any:
        return -OPS["log"](self.scale * 2.0) - OPS["abs"](value - self.loc) / self.scale

    def entropy(self) -> Any:
        return 1.0 + OPS["log"](self.scale * 2.0)


class Gumbel(Distribution):
    """Distributions of the largest of many draws."""

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = _together(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        return self.loc + self.scale * EULER

    @property
    def variance(self) -> Any:
        return self.scale * self.scale * (math.pi**2 / 6)

    def rsample(self, shape: Sequence[int] = ()) -> Any:
        drawn = 1.0 - _noise("uniform", self._shape(shape), self.loc)
        return self.loc - self.scale * OPS["log"](OPS["maximum"](-OPS["log"](drawn), 1e-30))

    def log_prob(self, value: Any) -> Any:
        distance = (value - self.loc) / self.scale
        return -(distance + OPS["exp"](-distance)) - OPS["log"](self.scale)

    def entropy(self) -> Any:
        return OPS["log"](self.scale) + (1.0 + EULER)


class Bernoulli(Distribution):
    """1 with probability `probs`, else 0."""

    def __init__(self, probs: Any, name: str | None = None) -> None:
        (self._p,) = _together(probs)
        super().__init__(self._p.shape)

    @property
    def mean(self) -> Any:
        return self._p

    @property
    def variance(self) -> Any:
        return self._p * (1.0 - self._p)

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        with GradMode(False):
            return OPS["cast"](_noise("uniform", self._shape(shape), self._p) < self._p, self._p.dtype)

    def rsample(self, shape: Sequence[int] = (), temperature: float = 1.0) -> Any:
        """Draws between 0 and 1 that gather at the ends as the temperature falls; gradients flow to `probs`."""
        drawn = _noise("uniform", self._shape(shape), self._p)
        noise = OPS["log"](OPS["maximum"](drawn, 1e-7)) - OPS["log1p"](-drawn)
        p = _inside(self._p)
        return OPS["sigmoid"]((OPS["log"](p) - OPS["log1p"](-p) + noise) / temperature)

    def log_prob(self, value: Any) -> Any:
        p = _inside(self._p)
        return value * OPS["log"](p) + (1.0 - value) * OPS["log1p"](-p)

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        value = current().constant(value, self._p.dtype)
        below = OPS["where"](value < 1.0, 1.0 - self._p, 1.0)
        return OPS["where"](value < 0.0, 0.0, below)

    def entropy(self) -> Any:
        p = _inside(self._p)
        return -(p * OPS["log"](p) + (1.0 - p) * OPS["log1p"](-p))


def _inside(p: Any) -> Any:
    eps = 1e-7 if p.dtype is float32 else 1e-15
    return OPS["clip"](p, min=eps, max=1.0 - eps)


class Categorical(Distribution):
    """Numbers of categories. As in Paddle `logits` are read in two ways: draws, `probs` and `log_prob` take them for
    weights (divided by their sum), `entropy` and `kl_divergence` for logarithms of weights.
    """

    def __init__(self, logits: Any, name: str | None = None) -> None:
        (self.logits,) = _together(logits)
        if not self.logits.ndim:
            raise ArgumentError("Categorical needs logits of at least one axis")
        super().__init__(self.logits.shape[:-1])

    def _weights(self) -> Any:
        return self.logits / OPS["sum"](self.logits, -1, True)

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Any:
        count = math.prod(self._shape(shape)[: len(shape)])
        classes = self.logits.shape[-1]
        rows = OPS["reshape"](self.logits.detach(), (-1, classes))
        drawn = multinomial(rows, count, replacement=True)  # [rows, count]
        return OPS["reshape"](OPS["transpose"](drawn, (1, 0)), self._shape(shape))

    def prob(self, value: Any) -> Any:
        value = current().constant(value, None)
        chosen = self._weights()
        if self.logits.ndim == 1:
            return OPS["gather"](chosen, value, 0)
        index = OPS["reshape"](value, (*value.shape, 1))
        return _picked(chosen, index)

    def log_prob(self, value: Any) -> Any:
        return OPS["log"](self.prob(value))

    def entropy(self) -> Any:
        logarithm = _log_softmax(self.logits)
        return -OPS["sum"](OPS["exp"](logarithm) * logarithm, -1)


def _picked(table: Any, index: Any) -> Any:
    """One number of each row of table [..., n], by index [..., 1]; leading axes broadcast."""
    shape = broadcast_shapes(table.shape[:-1], index.shape[:-1])
    table = OPS["broadcast_to"](table, (*shape, table.shape[-1]))
    made = OPS["take_along_axis"](table, OPS["broadcast_to"](index, (*shape, 1)), -1)
    return OPS["reshape"](made, shape)


def _log_softmax(x: Any) -> Any:
    shifted = x - OPS["max"](x, -1, True)
    return shifted - OPS["log"](OPS["sum"](OPS["exp"](shifted), -1, True))


# Divergences

_Rule = Callable[[Any, Any], Any]
_rules: dict[tuple[type, type], _Rule] = {}


def register_kl(cls_p: type, cls_q: type) -> Callable[[_Rule], _Rule]:
    """Decorate a function of two distributions as the divergence of their classes."""
    for kind in (cls_p, cls_q):
        if not isinstance(kind, type) or not issubclass(kind, Distribution):
            raise KindError(f"register_kl needs classes of distributions, not {kind!r}")

    def add(rule: _Rule) -> _Rule:
        _rules[cls_p, cls_q] = rule
        return rule

    return add


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """The expected log_prob of p minus that of q under p. NotImplementedError for kinds without a formula.

    >>> float(kl_divergence(Normal(0.0, 1.0), Normal(0.0, 1.0)))
    0.0
    """
    for first in type(p).__mro__:
        for second in type(q).__mro__:
            if (first, second) in _rules:
                return _rules[first, second](p, q)
    raise NotImplementedError(f"there is no formula for the divergence of {type(p).__name__} from {type(q).__name__}")


@register_kl(Normal, Normal)
def _normal(p: Normal, q: Normal) -> Any:
    ratio = p.scale / q.scale
    distance = (p.loc - q.loc) / q.scale
    return (ratio * ratio + distance * distance - 1.0) * 0.5 - OPS["log"](ratio)


@register_kl(Uniform, Uniform)
def _uniform(p: Uniform, q: Uniform) -> Any:
    inside = OPS["logical_and"](q.low <= p.low, p.high <= q.high)
    return OPS["where"](inside, OPS["log"]((q.high - q.low) / (p.high - p.low)), math.inf)


@register_kl(Exponential, Exponential)
def _exponential(p: Exponential, q: Exponential) -> Any:
    ratio = q.rate / p.rate
    return ratio - 1.0 - OPS["log"](ratio)


@register_kl(Laplace, Laplace)
def _laplace(p: Laplace, q: Laplace) -> Any:
    distance = OPS["abs"](p.loc - q.loc)
    return (
        OPS["log"](q.scale / p.scale) + distance / q.scale + p.scale / q.scale * OPS["exp"](-distance / p.scale) - 1.0
    )


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Bernoulli, q: Bernoulli) -> Any:
    a, b = _inside(p._p), _inside(q._p)
    return a * OPS["log"](a / b) + (1.0 - a) * OPS["log"]((1.0 - a) / (1.0 - b))


@register_kl(Categorical, Categorical)
def _categorical(p: Categorical, q: Categorical) -> Any:
    a, b = _log_softmax(p.logits), _log_softmax(q.logits)
    return OPS["sum"](OPS["exp"](a) * (a - b), -1)
