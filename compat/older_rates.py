"""`noam_decay` and its like in `optimizer.lr`: PaddlePaddle 1's functions, which make schedulers in eager mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec

from ..base.errors import OtherModeError
from ..dygraph.optimizer import lr
from ..static.mode_guards import in_dynamic_mode

P = ParamSpec("P")


def _eager(make: Callable[P, Any]) -> Callable[P, Any]:
    """In static mode a counter of the program would step; nothing steps a scheduler but its user."""

    @wraps(make)
    def checked(*args: P.args, **kwargs: P.kwargs) -> Any:
        if not in_dynamic_mode():
            raise OtherModeError(
                f"{make.__name__} works in eager mode", remedy="use a scheduler of optimizer.lr, and call its step()"
            )
        return make(*args, **kwargs)

    return checked


@_eager
def noam_decay(d_model: float, warmup_steps: int, learning_rate: float = 1.0) -> Any:
    """`NoamDecay`. Errors: OtherModeError in static mode, as for all of these."""
    return lr.NoamDecay(d_model, warmup_steps, learning_rate)  # type: ignore[arg-type]


@_eager
def polynomial_decay(
    learning_rate: float, decay_steps: int, end_learning_rate: float = 0.0001, power: float = 1.0, cycle: bool = False
) -> Any:
    """`PolynomialDecay`."""
    return lr.PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle)


@_eager
def piecewise_decay(boundaries: Sequence[int], values: Sequence[float]) -> Any:
    """`PiecewiseDecay`."""
    return lr.PiecewiseDecay(boundaries, values)


@_eager
def linear_lr_warmup(learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float) -> Any:
    """`LinearWarmup`, of a number or a scheduler.

    >>> linear_lr_warmup(0.5, 10, 0.0, 0.5).get_lr()
    0.0
    """
    return lr.LinearWarmup(learning_rate, warmup_steps, start_lr, end_lr)
