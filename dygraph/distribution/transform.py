"""Maps of random variables: values there and back, and how they stretch densities.

Paddle's methods (`_forward`, `_inverse`, `_forward_log_det_jacobian`, `_forward_shape`, `_inverse_shape`, `_domain`,
`_codomain`, `_type`) are what a subclass gives; the public ones check their arguments and call them.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Any

from ...base.changes import Counted
from ...base.errors import ArgumentError, KindError, ShapeError
from ...ops.dispatch import current
from ...ops.infer import broadcast_shapes
from ...ops.op import OPS
from ..tensor import Tensor
from . import constraint, domain
from .base import Distribution, sum_last


class Type(enum.Enum):
    """How a map pairs values."""

    BIJECTION = "bijection"
    INJECTION = "injection"
    SURJECTION = "surjection"
    OTHER = "other"

    @classmethod
    def is_injective(cls, _type: Type) -> bool:
        """Whether different values go to different values."""
        return _type in (cls.BIJECTION, cls.INJECTION)


class Transform(Counted):
    """A map of random variables. Calling it with a distribution gives the distribution of what it makes of draws; with
    another Transform, the map of first that one, then this; with a tensor, `forward`.
    """

    _type = Type.INJECTION

    def _is_injective(self) -> bool:
        return Type.is_injective(self._type)

    def __call__(self, input: Any) -> Any:
        if isinstance(input, Distribution):
            return input._transformed([self])
        if isinstance(input, Transform):
            return ChainTransform([input, self])
        return self.forward(input)

    def forward(self, x: Any) -> Any:
        """What x goes to."""
        return self._forward(_checked(x, self._domain.event_rank))

    def inverse(self, y: Any) -> Any:
        """What goes to y."""
        return self._inverse(_checked(y, self._codomain.event_rank))

    def forward_log_det_jacobian(self, x: Any) -> Any:
        """The logarithm of how much volume grows at x. NotImplementedError for maps that aren't one to one."""
        _checked(x, self._domain.event_rank)
        if not self._is_injective():
            raise NotImplementedError(f"{type(self).__name__} isn't one to one: it has no log det Jacobian")
        return self._call_forward_log_det_jacobian(x)

    def inverse_log_det_jacobian(self, y: Any) -> Any:
        """The logarithm of how much volume grows on the way back from y."""
        return self._call_inverse_log_det_jacobian(_checked(y, self._codomain.event_rank))

    def forward_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        """The shape of what values of this shape go to."""
        return self._forward_shape(_checked_shape(shape))

    def inverse_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        """The shape of what goes to values of this shape."""
        return self._inverse_shape(_checked_shape(shape))

    @property
    def _domain(self) -> domain.Variable:
        return domain.real

    @property
    def _codomain(self) -> domain.Variable:
        return domain.real

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no _forward")

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no _inverse")

    def _forward_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        return shape

    def _inverse_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        return shape

    def _call_forward_log_det_jacobian(self, x: Any) -> Any:
        if hasattr(self, "_forward_log_det_jacobian"):
            return self._forward_log_det_jacobian(x)
        if hasattr(self, "_inverse_log_det_jacobian"):
            return -self._inverse_log_det_jacobian(self.forward(x))
        raise NotImplementedError(f"{type(self).__name__} has no _forward_log_det_jacobian")

    def _call_inverse_log_det_jacobian(self, y: Any) -> Any:
        if hasattr(self, "_inverse_log_det_jacobian"):
            return self._inverse_log_det_jacobian(y)
        if hasattr(self, "_forward_log_det_jacobian"):
            return -self._forward_log_det_jacobian(self._inverse(y))
        raise NotImplementedError(f"{type(self).__name__} has no _inverse_log_det_jacobian")


def _checked(x: Any, rank: int) -> Any:
    if not isinstance(x, Tensor):
        raise KindError(f"a transformation takes a tensor, not a {type(x).__name__}")
    if x.ndim < rank:
        raise ShapeError(f"a transformation of events with {rank} axes got a value with {x.ndim}")
    return x


def _checked_shape(shape: Sequence[Any]) -> Sequence[Any]:
    if not isinstance(shape, Sequence):
        raise KindError(f"a shape is a list or tuple, not a {type(shape).__name__}")
    return shape


class AbsTransform(Transform):
    """|x|. Not one to one: `inverse` gives the pair (-y, y)."""

    _type = Type.SURJECTION

    def _forward(self, x: Any) -> Any:
        return OPS["abs"](x)

    def _inverse(self, y: Any) -> Any:
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        zero = current().constant(0.0, y.dtype)
        return zero, zero

    @property
    def _codomain(self) -> domain.Variable:
        return domain.positive


class AffineTransform(Transform):
    """loc + scale x.

    >>> from vitrify import to_tensor
    >>> float(AffineTransform(to_tensor(1.0), to_tensor(2.0)).forward(to_tensor(3.0)))
    7.0
    """

    _type = Type.BIJECTION

    def __init__(self, loc: Any, scale: Any) -> None:
        for name, value in (("loc", loc), ("scale", scale)):
            if not isinstance(value, Tensor):
                raise KindError(f"AffineTransform: {name} must be a tensor, not a {type(value).__name__}")
        self._loc, self._scale = loc, scale

    @property
    def loc(self) -> Any:
        """What is added."""
        return self._loc

    @property
    def scale(self) -> Any:
        """What is multiplied with."""
        return self._scale

    def _forward(self, x: Any) -> Any:
        return self._loc + self._scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self._loc) / self._scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return OPS["log"](OPS["abs"](self._scale))

    def _forward_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        return broadcast_shapes(tuple(shape), self._loc.shape, self._scale.shape)

    _inverse_shape = _forward_shape


class ExpTransform(Transform):
    """e to the power x."""

    _type = Type.BIJECTION

    @property
    def _codomain(self) -> domain.Variable:
        return domain.positive

    def _forward(self, x: Any) -> Any:
        return OPS["exp"](x)

    def _inverse(self, y: Any) -> Any:
        return OPS["log"](y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return x


class PowerTransform(Transform):
    """x to the power `power`, for positive x."""

    _type = Type.BIJECTION

    def __init__(self, power: Any) -> None:
        if not isinstance(power, Tensor):
            raise KindError(f"PowerTransform: power must be a tensor, not a {type(power).__name__}")
        self._power = power

    @property
    def power(self) -> Any:
        """The exponent."""
        return self._power

    @property
    def _domain(self) -> domain.Variable:
        return domain.real

    @property
    def _codomain(self) -> domain.Variable:
        return domain.positive

    def _forward(self, x: Any) -> Any:
        return OPS["pow"](x, self._power)

    def _inverse(self, y: Any) -> Any:
        return OPS["pow"](y, 1.0 / self._power)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return OPS["log"](OPS["abs"](self._power * OPS["pow"](x, self._power - 1.0)))

    def _forward_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        return broadcast_shapes(tuple(shape), self._power.shape)

    _inverse_shape = _forward_shape


class SigmoidTransform(Transform):
    """1 / (1 + exp(-x))."""

    _type = Type.BIJECTION

    @property
    def _codomain(self) -> domain.Variable:
        return domain.Variable(False, 0, constraint.Range(0, 1))

    def _forward(self, x: Any) -> Any:
        return OPS["sigmoid"](x)

    def _inverse(self, y: Any) -> Any:
        return OPS["log"](y) - OPS["log1p"](-y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -OPS["softplus"](-x) - OPS["softplus"](x)


class TanhTransform(Transform):
    """tanh(x)."""

    _type = Type.BIJECTION

    @property
    def _codomain(self) -> domain.Variable:
        return domain.Variable(False, 0, constraint.Range(-1.0, 1.0))

    def _forward(self, x: Any) -> Any:
        return OPS["tanh"](x)

    def _inverse(self, y: Any) -> Any:
        return 0.5 * (OPS["log1p"](y) - OPS["log1p"](-y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        """log(1 - tanh(x)^2), without the loss of digits at large x."""
        return 2.0 * (math.log(2.0) - x - OPS["softplus"](-2.0 * x))


class IndependentTransform(Transform):
    """A map whose last batch axes count as axes of one event: their stretch is added up."""

    def __init__(self, base: Transform, reinterpreted_batch_rank: int) -> None:
        if not isinstance(base, Transform):
            raise KindError(f"IndependentTransform: base must be a Transform, not a {type(base).__name__}")
        if reinterpreted_batch_rank <= 0:
            raise ArgumentError(f"reinterpreted_batch_rank must be above 0, not {reinterpreted_batch_rank}")
        self._base, self._reinterpreted_batch_rank = base, reinterpreted_batch_rank

    def _is_injective(self) -> bool:
        return self._base._is_injective()

    def _forward(self, x: Any) -> Any:
        return self._base.forward(x)

    def _inverse(self, y: Any) -> Any:
        return self._base.inverse(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return sum_last(self._base.forward_log_det_jacobian(x), self._reinterpreted_batch_rank)

    def _forward_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        return self._base.forward_shape(shape)

    def _inverse_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        return self._base.inverse_shape(shape)

    @property
    def _domain(self) -> domain.Variable:
        return domain.Independent(self._base._domain, self._reinterpreted_batch_rank)

    @property
    def _codomain(self) -> domain.Variable:
        return domain.Independent(self._base._codomain, self._reinterpreted_batch_rank)


def list_of_transforms(owner: str, given: Any) -> list[Transform]:
    """The maps that were given to `owner`. Errors: KindError."""
    if not isinstance(given, Sequence) or not all(isinstance(t, Transform) for t in given):
        raise KindError(f"{owner} takes a list of Transforms, not {given!r:.80}")
    return list(given)


class ChainTransform(Transform):
    """Several maps, the first one first."""

    def __init__(self, transforms: Sequence[Transform]) -> None:
        self.transforms = list_of_transforms("ChainTransform", transforms)

    def _is_injective(self) -> bool:
        return all(t._is_injective() for t in self.transforms)

    def _forward(self, x: Any) -> Any:
        for t in self.transforms:
            x = t.forward(x)
        return x

    def _inverse(self, y: Any) -> Any:
        for t in reversed(self.transforms):
            y = t.inverse(y)
        return y

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        made, rank = 0.0, self._domain.event_rank
        for t in self.transforms:
            made = made + sum_last(t.forward_log_det_jacobian(x), rank - t._domain.event_rank)
            x = t.forward(x)
            rank += t._codomain.event_rank - t._domain.event_rank
        return made

    def _forward_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        for t in self.transforms:
            shape = t.forward_shape(shape)
        return shape

    def _inverse_shape(self, shape: Sequence[Any]) -> Sequence[Any]:
        for t in reversed(self.transforms):
            shape = t.inverse_shape(shape)
        return shape

    @property
    def _domain(self) -> domain.Variable:
        """The first map's, with as many axes as the rest of the chain needs."""
        first, rank = self.transforms[0]._domain, self.transforms[-1]._codomain.event_rank
        for t in reversed(self.transforms):
            rank = max(rank + t._domain.event_rank - t._codomain.event_rank, t._domain.event_rank)
        return domain.Independent(first, rank - first.event_rank)

    @property
    def _codomain(self) -> domain.Variable:
        last, rank = self.transforms[-1]._codomain, self.transforms[0]._domain.event_rank
        for t in self.transforms:
            rank = max(rank + t._codomain.event_rank - t._domain.event_rank, t._codomain.event_rank)
        return domain.Independent(last, rank - last.event_rank)
