"""`static.amp.amp_nn`: the two steps of loss scaling as operations of a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import KindError
from ..dygraph.assignment import assign
from ..ops.op import FUNCTIONS, OPS


def check_finite_and_unscale(
    x: Sequence[Any], scale: Any, name: str | None = None, float_status: Any = None
) -> tuple[list[Any], Any]:
    """Each gradient divided by `scale`, in place, and whether any of their elements isn't finite: bool [1].

    Errors: KindError for anything but a list of gradients.

    >>> import vitrify as vt
    >>> grads, found = check_finite_and_unscale([vt.to_tensor([2.0, 4.0])], vt.to_tensor([2.0]))
    >>> grads[0].tolist(), found.tolist()
    ([1.0, 2.0], [False])
    """
    _check("check_finite_and_unscale", x)
    finite = None
    for grad in x:
        own = OPS["all"](OPS["isfinite"](grad))
        finite = own if finite is None else OPS["logical_and"](finite, own)
    for grad in x:
        assign(grad / OPS["cast"](scale, grad.dtype), grad)
    return list(x), OPS["reshape"](OPS["logical_not"](finite), [1])


def update_loss_scaling(
    x: Sequence[Any], found_inf: Any, prev_loss_scaling: Any, num_good_steps: Any, num_bad_steps: Any,
    incr_every_n_steps: int, decr_every_n_nan_or_inf: int, incr_ratio: float, decr_ratio: float,
    stop_update: Any = False, name: str | None = None,
) -> list[Any]:  # fmt: skip
    """The gradients, zero where `found_inf` says so; the scale and the two counts are brought up to date in place.

    After `incr_every_n_steps` good steps in a row the scale grows by `incr_ratio`, unless it becomes infinite; after
    `decr_every_n_nan_or_inf` bad ones it shrinks by `decr_ratio`, to 1 at least. With `stop_update` only the gradients
    change. Errors: KindError for anything but a list of gradients.

    >>> import vitrify as vt
    >>> scale, good, bad = vt.to_tensor([8.0]), vt.to_tensor([0], "int32"), vt.to_tensor([1], "int32")
    >>> _ = update_loss_scaling([vt.ones([2])], vt.to_tensor([True]), scale, good, bad, 1000, 2, 2.0, 0.5)
    >>> scale.tolist(), good.tolist(), bad.tolist()
    ([4.0], [0], [0])
    """
    _check("update_loss_scaling", x)
    where = OPS["where"]
    none = OPS["multiply"](num_good_steps, 0)
    good = where(found_inf, none, num_good_steps + 1)
    bad = where(found_inf, num_bad_steps + 1, none)
    grows, shrinks = good >= incr_every_n_steps, bad >= decr_every_n_nan_or_inf
    grown = prev_loss_scaling * incr_ratio
    grown = where(OPS["isfinite"](grown), grown, prev_loss_scaling)
    shrunk = FUNCTIONS["clip"](prev_loss_scaling * decr_ratio, 1.0)
    scale = where(grows, grown, where(shrinks, shrunk, prev_loss_scaling))
    updates = [(prev_loss_scaling, scale), (num_good_steps, where(grows, none, good))]
    updates.append((num_bad_steps, where(shrinks, none, bad)))
    for grad in x:
        assign(where(found_inf, FUNCTIONS["zeros_like"](grad), grad), grad)
    for target, value in updates:
        if stop_update is True:
            break
        assign(value if stop_update is False else where(stop_update, target, value), target)
    return list(x)


def _check(name: str, x: Any) -> None:
    if not isinstance(x, (list, tuple)) or not x:
        raise KindError(f"{name}: x must be a list of gradients, not {x!r:.80}")
