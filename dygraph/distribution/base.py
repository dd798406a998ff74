"""What all distributions share: parameters, shapes, draws, and the table of divergences."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from ...base.boundary import Created
from ...base.changes import Counted
from ...base.dtype import float32
from ...base.errors import ArgumentError, KindError
from ...ops.dispatch import current, is_captured
from ...ops.infer import broadcast_shapes
from ...ops.op import OPS
from ..grad import grad
from ..modes import GradMode
from ..random_generators import default_generator
from ..tensor import Tensor

EULER = 0.5772156649015329


def parameter(value: Any, name: str = "a parameter") -> Any:
    """A parameter as a floating value; whole numbers become float32. Errors: KindError."""
    if isinstance(value, (complex, np.complexfloating)) or not isinstance(
        value, (numbers.Real, list, tuple, np.ndarray, Tensor)
    ):
        raise KindError(f"{name} of a distribution must be a tensor or real numbers, not a {type(value).__name__}")
    made = current().constant(value, float32 if not isinstance(value, (Tensor, np.ndarray)) else None)
    return made if made.dtype.is_floating else OPS["cast"](made, float32)


def real_or_tensor(owner: str, **given: Any) -> None:
    """Refuse what is neither a real number nor a tensor. Errors: KindError."""
    for name, value in given.items():
        if isinstance(value, np.ndarray) or not isinstance(value, (numbers.Real, Tensor)):
            raise KindError(f"{owner}: {name} must be a real number or a tensor, not a {type(value).__name__}")


def together(*values: Any) -> tuple[Any, ...]:
    """Parameters in one dtype, as they broadcast."""
    made = [parameter(v) for v in values]
    shape = broadcast_shapes(*(m.shape for m in made))
    wide = next((m.dtype for m in made if m.dtype.name == "float64"), made[0].dtype)
    return tuple(OPS["broadcast_to"](m if m.dtype is wide else OPS["cast"](m, wide), shape) for m in made)


def as_value(value: Any, like: Any, *, strict: bool = False) -> Any:
    """Where a density is asked for, in the dtype of a parameter (UserWarning where a float tensor's differs).

    `strict` refuses all but tensors. Errors: KindError.
    """
    refused = strict or (is_static(like) and not isinstance(value, numbers.Real))
    if not isinstance(value, Tensor) and refused:
        raise KindError(f"the value of a density must be a tensor, not a {type(value).__name__}")
    made = current().constant(value, None if isinstance(value, Tensor) else like.dtype)
    if made.dtype is like.dtype:
        return made
    if isinstance(value, Tensor) and value.dtype.name in ("float32", "float64"):
        warnings.warn(f"the value's dtype {value.dtype.name} becomes the parameters' {like.dtype.name}", stacklevel=3)
    return OPS["cast"](made, like.dtype)


def is_static(value: Any) -> bool:
    """Whether a parameter belongs to a program (static mode or capture), whose values nobody knows yet."""
    return isinstance(value, Tensor) and not isinstance(value._storage.payload, np.ndarray)


def noise(row: str, shape: Sequence[Any], like: Any) -> Any:
    """Random numbers of a row ("uniform" or "normal") in the dtype of `like`."""
    return default_generator.draw(row, list(shape), like.dtype)


def sum_last(value: Any, axes: int) -> Any:
    """The sum over the last `axes` axes."""
    return OPS["sum"](value, list(range(-axes, 0))) if axes else value


def xlogy(x: Any, y: Any) -> Any:
    """x log(y), which is 0 where x is 0."""
    zero = OPS["equal"](x, 0.0)
    return OPS["where"](zero, 0.0, x * OPS["log"](OPS["where"](zero, 1.0, y)))


class Distribution(Counted, Created):
    """Base of distributions. batch_shape: one distribution per entry; event_shape: the shape of one draw."""

    is_made_of_attributes: ClassVar[bool] = True  # a call can make it anew from these
    _transformed: ClassVar[Callable[..., Any]]  # (self, transforms): set in transformed.py, which builds on this file

    def __init__(self, batch_shape: Sequence[Any] = (), event_shape: Sequence[Any] = ()) -> None:
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
        """Draws of shape `shape + batch_shape + event_shape`, without gradient. `seed` has no effect: see vt.seed."""
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise KindError(f"seed must be an int, not a {type(seed).__name__}")
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

    def _older_name(self, value: Any) -> Any:
        return self.prob(value)

    probs: Any = _older_name  # a method, but where a parameter has this name: there it is the parameter

    def cdf(self, value: Any) -> Any:
        """The probability of at most `value`."""
        raise NotImplementedError(f"{type(self).__name__} has no cdf")

    def entropy(self) -> Any:
        """The expected -log_prob, in nats."""
        raise NotImplementedError(f"{type(self).__name__} has no entropy")

    def kl_divergence(self, other: Distribution) -> Any:
        """The divergence from `other`: `kl_divergence(self, other)`."""
        if not isinstance(other, Distribution):
            raise KindError(f"a divergence is taken from another distribution, not from a {type(other).__name__}")
        return kl_divergence(self, other)

    def _extend_shape(self, sample_shape: Sequence[int]) -> tuple[int, ...]:
        return (*sample_shape, *self._batch_shape, *self._event_shape)

    def _shape(self, shape: Sequence[int]) -> list[int]:
        if not isinstance(shape, Iterable):
            raise KindError(f"shape must be a list or tuple, not a {type(shape).__name__}")
        return [*shape, *self._batch_shape, *self._event_shape]


class ExponentialFamily(Distribution):
    """Distributions of density exp(<natural parameters, statistics> - log_normalizer) times a carrier measure.

    A subclass gives `_natural_parameters`, `_log_normalizer(*parameters)` and `_mean_carrier_measure`; entropy and
    divergence then follow from derivatives of the normalizer (Bregman divergences; Nielsen, Nock, 2010).
    """

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        raise NotImplementedError(f"{type(self).__name__} has no natural parameters")

    def _log_normalizer(self, *parameters: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no log normalizer")

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no mean carrier measure")

    def _normalized(self) -> tuple[list[Any], Any, list[Any]]:
        """Natural parameters, the normalizer there, and its derivatives."""
        parameters = [p.detach() for p in self._natural_parameters]
        for p in parameters:
            p.stop_gradient = False
        normalizer = self._log_normalizer(*parameters)
        return parameters, normalizer, grad([OPS["sum"](normalizer)], parameters, create_graph=True)

    def entropy(self) -> Any:
        carrier = self._mean_carrier_measure
        parameters, normalizer, slopes = self._normalized()
        made = normalizer - carrier
        for p, slope in zip(parameters, slopes, strict=True):
            made = made - p * slope
        return made


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

    >>> from vitrify.distribution import Normal
    >>> float(kl_divergence(Normal(0.0, 1.0), Normal(0.0, 1.0)))
    0.0
    """
    for first in type(p).__mro__:
        for second in getattr(type(q), "__mro__", ()):
            if (first, second) in _rules:
                return _rules[first, second](p, q)
    raise NotImplementedError(f"there is no formula for the divergence of {type(p).__name__} from {type(q).__name__}")


@register_kl(ExponentialFamily, ExponentialFamily)
def of_exponential_families(p: ExponentialFamily, q: ExponentialFamily) -> Any:
    """The divergence of two distributions of one exponential family, from their normalizers."""
    if type(p) is not type(q):
        raise NotImplementedError(f"there is no formula for {type(p).__name__} from {type(q).__name__}")
    parameters, normalizer, slopes = p._normalized()
    theirs = q._natural_parameters
    made = q._log_normalizer(*theirs) - normalizer
    for own, other, slope in zip(parameters, theirs, slopes, strict=True):
        made = made - sum_last((other - own) * slope, len(q.event_shape))
    return made


def check_range(what: str, value: Any, holds: Callable[[Any], Any], wanted: str) -> None:
    """Refuse a parameter of known numbers that breaks a rule. Errors: ArgumentError."""
    if is_captured() or is_static(value):
        return
    if not bool(np.all(holds(value._copied()))):
        raise ArgumentError(f"{what} must be {wanted}, got {value._copied()!r}")
