"""Gradient clipping, before weight decay and the update. Parameters with need_clip=False are left out."""

from __future__ import annotations

from typing import Any

from ...base.changes import Counted
from ...base.errors import ArgumentError, AssertedError
from ...ops.op import OPS

__all__ = ["ClipGradBase", "ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"]

Pairs = list[tuple[Any, Any]]


class ClipGradBase(Counted):
    """Base: calling it on [(parameter, gradient)] gives such a list with the gradients clipped; a None is left out."""

    def __call__(self, params_grads: Pairs) -> Pairs:
        params_grads = [(p, g) for p, g in params_grads if g is not None]
        wanted = [g for p, g in params_grads if getattr(p, "need_clip", True)]
        clipped = iter(self._clip(wanted))
        return [(p, next(clipped) if getattr(p, "need_clip", True) else g) for p, g in params_grads]

    def _clip(self, grads: list[Any]) -> list[Any]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in vars(self).items())})"


class ClipGradByValue(ClipGradBase):
    """Every element is bounded to [min, max]; min is -max unless given.

    >>> ClipGradByValue(1.0)
    ClipGradByValue(max=1.0, min=-1.0)
    """

    def __init__(self, max: float, min: float | None = None) -> None:
        if min is None and max <= 0:
            raise AssertedError(f"ClipGradByValue without min needs max > 0, not {max}")
        self.max, self.min = float(max), float(-max if min is None else min)
        if self.min > self.max:
            raise ArgumentError(f"ClipGradByValue needs min <= max, not {min} and {max}")

    def _clip(self, grads: list[Any]) -> list[Any]:
        return [OPS["clip"](g, self.min, self.max) for g in grads]


class ClipGradByNorm(ClipGradBase):
    """Each gradient is scaled down so that its 2-norm is at most clip_norm."""

    def __init__(self, clip_norm: float) -> None:
        self.clip_norm = _positive("ClipGradByNorm", clip_norm)

    def _clip(self, grads: list[Any]) -> list[Any]:
        return [g * _factor(OPS["sum"](g * g), self.clip_norm) for g in grads]


class ClipGradByGlobalNorm(ClipGradBase):
    """All gradients are scaled down together so that the 2-norm of all of them is at most clip_norm."""

    def __init__(self, clip_norm: float, group_name: str = "default_group", auto_skip_clip: bool = False) -> None:
        self.clip_norm = float(clip_norm)  # any number, as in Paddle: 0 makes all gradients 0

    def _clip(self, grads: list[Any]) -> list[Any]:
        if not grads:
            return grads
        widest = max((g.dtype for g in grads), key=lambda dtype: dtype.itemsize)
        total: Any = None
        for g in grads:
            part = _cast(OPS["sum"](g * g), widest)
            total = part if total is None else total + part
        factor = _factor(total, self.clip_norm)
        return [g * _cast(factor, g.dtype) for g in grads]


def clip_by_norm(x: Any, max_norm: float, name: str | None = None) -> Any:
    """x scaled down so that its 2-norm is at most max_norm.

    >>> from ..tensor import Tensor
    >>> clip_by_norm(Tensor([3.0, 4.0]), 10.0).tolist()
    [3.0, 4.0]
    """
    return x * _factor(OPS["sum"](x * x), _positive("clip_by_norm", max_norm))


def _factor(square: Any, clip_norm: float) -> Any:
    """clip_norm over the norm where that is larger, else 1."""
    return clip_norm / OPS["maximum"](OPS["sqrt"](square), clip_norm)


def _cast(x: Any, dtype: Any) -> Any:
    return x if x.dtype is dtype else OPS["cast"](x, dtype)


def _positive(name: str, value: float) -> float:
    if not value > 0:
        raise ArgumentError(f"{name} needs clip_norm > 0, not {value}")
    return float(value)
