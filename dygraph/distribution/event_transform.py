"""Transformations of whole events: shares of one, other shapes, and one map for each place along an axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.errors import KindError, ShapeError
from ...ops.create import full_like
from ...ops.dispatch import current
from ...ops.infer import show_shape
from ...ops.op import OPS
from ...ops.rearrange import stack, unbind
from . import constraint, domain
from .transform import Transform, Type, list_of_transforms


class SoftmaxTransform(Transform):
    """Shares exp(x) / sum(exp(x)) of the last axis. Not one to one."""

    _type = Type.OTHER

    @property
    def _domain(self) -> domain.Variable:
        return domain.Independent(domain.real, 1)

    @property
    def _codomain(self) -> domain.Variable:
        return domain.Variable(False, 1, constraint.simplex)

    def _forward(self, x: Any) -> Any:
        grown = OPS["exp"](x - OPS["max"](x, -1, True))
        return grown / OPS["sum"](grown, -1, True)

    def _inverse(self, y: Any) -> Any:
        return OPS["log"](y)

    def _forward_shape(self, shape: Sequence[int]) -> Sequence[int]:
        if not shape:
            raise ShapeError("SoftmaxTransform needs at least one axis")
        return shape

    _inverse_shape = _forward_shape


class StickBreakingTransform(Transform):
    """n numbers to n + 1 shares: each takes its part sigmoid(x - log(how many are to follow)) of what is left.

    Source: Stan Reference Manual, Unit simplex.
    """

    _type = Type.BIJECTION

    @property
    def _domain(self) -> domain.Variable:
        return domain.Independent(domain.real, 1)

    @property
    def _codomain(self) -> domain.Variable:
        return domain.Variable(False, 1, constraint.simplex)

    @staticmethod
    def _offset(x: Any) -> Any:
        """log of how many places follow each of the last axis's."""
        count = np.arange(x.shape[-1], 0, -1)
        return current().constant(np.log(count).astype(x.dtype.name), None)

    def _forward(self, x: Any) -> Any:
        part = OPS["sigmoid"](x - self._offset(x))
        left = OPS["cumprod"](1.0 - part, axis=-1)
        one = full_like(x[..., :1], 1.0)
        return OPS["concat"]([part, one], -1) * OPS["concat"]([one, left], -1)

    def _inverse(self, y: Any) -> Any:
        shares = y[..., :-1]
        left = 1.0 - OPS["cumsum"](shares, axis=-1)
        return OPS["log"](shares) - OPS["log"](left) + self._offset(shares)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        y, shifted = self._forward(x), x - self._offset(x)
        return OPS["sum"](-shifted - OPS["softplus"](-shifted) + OPS["log"](y[..., :-1]), -1)

    def _forward_shape(self, shape: Sequence[int]) -> Sequence[int]:
        if not shape:
            raise ShapeError("StickBreakingTransform needs at least one axis")
        return (*shape[:-1], shape[-1] + 1)

    def _inverse_shape(self, shape: Sequence[int]) -> Sequence[int]:
        if not shape:
            raise ShapeError("StickBreakingTransform needs at least one axis")
        return (*shape[:-1], shape[-1] - 1)


class ReshapeTransform(Transform):
    """Events of one shape as events of another with as many elements.

    >>> ReshapeTransform([2, 3], [6]).forward_shape([5, 2, 3])
    (5, 6)
    """

    _type = Type.BIJECTION

    def __init__(self, in_event_shape: Sequence[int], out_event_shape: Sequence[int]) -> None:
        for given in (in_event_shape, out_event_shape):
            if not isinstance(given, Sequence):
                raise KindError(f"ReshapeTransform takes shapes, not a {type(given).__name__}")
        if math.prod(in_event_shape) != math.prod(out_event_shape):
            raise ShapeError(f"{list(in_event_shape)} and {list(out_event_shape)} have different numbers of elements")
        self._in, self._out = tuple(in_event_shape), tuple(out_event_shape)

    @property
    def in_event_shape(self) -> tuple[int, ...]:
        """The shape of what it takes."""
        return self._in

    @property
    def out_event_shape(self) -> tuple[int, ...]:
        """The shape of what it gives."""
        return self._out

    @property
    def _domain(self) -> domain.Variable:
        return domain.Independent(domain.real, len(self._in))

    @property
    def _codomain(self) -> domain.Variable:
        return domain.Independent(domain.real, len(self._out))

    def _forward(self, x: Any) -> Any:
        return OPS["reshape"](x, self._swapped(tuple(x.shape), self._in, self._out))

    def _inverse(self, y: Any) -> Any:
        return OPS["reshape"](y, self._swapped(tuple(y.shape), self._out, self._in))

    def _forward_shape(self, shape: Sequence[int]) -> Sequence[int]:
        return self._swapped(shape, self._in, self._out)

    def _inverse_shape(self, shape: Sequence[int]) -> Sequence[int]:
        return self._swapped(shape, self._out, self._in)

    @staticmethod
    def _swapped(shape: Sequence[int], old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
        lead = len(shape) - len(old)
        if lead < 0 or tuple(shape[lead:]) != old:
            raise ShapeError(f"expected a shape that ends with {list(old)}, got {list(shape)}")
        return (*shape[:lead], *new)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return OPS["full"](list(x.shape[: x.ndim - len(self._in)]), 0.0, x.dtype)


class StackTransform(Transform):
    """Several maps, one for each place along `axis`."""

    def __init__(self, transforms: Sequence[Transform], axis: int = 0) -> None:
        made = list_of_transforms("StackTransform", transforms)
        if not made or isinstance(axis, bool) or not isinstance(axis, int):
            raise KindError(f"StackTransform takes Transforms and an int for axis, not {transforms!r:.60} and {axis!r}")
        self._transforms, self._axis = made, axis

    def _is_injective(self) -> bool:
        return all(t._is_injective() for t in self._transforms)

    @property
    def transforms(self) -> list[Transform]:
        """The maps."""
        return self._transforms

    @property
    def axis(self) -> int:
        """The axis along which they stand."""
        return self._axis

    def _each(self, value: Any, method: str) -> Any:
        if not -value.ndim <= self._axis < value.ndim or value.shape[self._axis] != len(self._transforms):
            found = show_shape(value.shape)
            raise ShapeError(
                f"StackTransform needs {len(self._transforms)} places along axis {self._axis}, got {found}"
            )
        parts = zip(self._transforms, unbind(value, self._axis), strict=True)
        made = [(getattr(t, method)(part), part) for t, part in parts]
        if method == "forward_log_det_jacobian":  # a constant stretch has the shape of the constant
            made = [(OPS["broadcast_to"](m, part.shape) if m.ndim < part.ndim else m, part) for m, part in made]
        return stack([m for m, _ in made], self._axis)

    def _forward(self, x: Any) -> Any:
        return self._each(x, "forward")

    def _inverse(self, y: Any) -> Any:
        return self._each(y, "inverse")

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._each(x, "forward_log_det_jacobian")

    @property
    def _domain(self) -> domain.Variable:
        return domain.Stack([t._domain for t in self._transforms], self._axis)

    @property
    def _codomain(self) -> domain.Variable:
        return domain.Stack([t._codomain for t in self._transforms], self._axis)
