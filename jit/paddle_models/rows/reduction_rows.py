"""Sums, means, extremes and norms along axes."""

from __future__ import annotations

from typing import Any

from ....base import dtype as dt
from ..paddle_call import OperatorCall, Reader, op
from .paddle_row import Entry, entry


def _axes(c: OperatorCall) -> list[int] | None:
    """The axes to reduce; None for all."""
    if c.attribute("reduce_all", False):
        c.without("axis dim")
        return None
    return c.ints(1, "axis dim") or None


def _kept(c: OperatorCall) -> bool:
    return bool(c.attribute("keepdim keep_dim keepdims", False))


def _reduced(name: str) -> Reader:
    def read(c: OperatorCall) -> Any:
        x = c[0]
        if name == "sum" and (x.dtype.is_bool or x.dtype in (dt.int32, *dt.SHORT_INTEGERS)):
            x = op.cast(x, dt.int64)
        made = getattr(op, name)(x, _axes(c), keepdim=_kept(c))
        return op.cast(made, c.dtype("dtype out_dtype", made.dtype))

    return read


def _extreme(name: str) -> Reader:
    """The place of an extreme, along an axis or in the whole tensor."""

    def read(c: OperatorCall) -> Any:
        x, dtype = c[0], c.dtype("dtype", dt.int64)
        if c.attribute("flatten", False):
            made = getattr(op, name)(op.reshape(x, [-1]), 0, False)
            return op.cast(op.reshape(made, [1] * x.ndim) if _kept(c) else made, dtype)
        return op.cast(getattr(op, name)(x, int(c.number(1, "axis", -1)), _kept(c)), dtype)

    return read


def _logsumexp(c: OperatorCall) -> Any:
    return op.logsumexp(c[0], _axes(c), _kept(c))


def _p_norm(c: OperatorCall) -> Any:
    x, p, axis = c[0], float(c.attribute("porder", 2.0)), int(c.attribute("axis", -1))
    c.without("epsilon")  # of the gradient
    if c.attribute("asvector", False):
        return op.norm(op.reshape(x, [-1]), p, 0, _kept(c))
    return op.norm(x, p, axis, _kept(c))


def _frobenius(c: OperatorCall) -> Any:
    return op.sqrt(op.sum(op.square(c[0]), _axes(c), keepdim=_kept(c)))


def _l2_normalize(c: OperatorCall) -> Any:
    """x over its length along an axis, and the length."""
    x, axis = c[0], int(c.attribute("axis", -1))
    length = op.sqrt(op.sum(op.square(x), [axis], keepdim=True) + float(c.attribute("epsilon", 1e-10)))
    return x / length, length


ENTRIES: list[Entry] = [
    *(entry(_reduced(name), name, f"reduce_{name}") for name in ("sum", "mean", "max", "min", "prod", "any", "all")),
    *(entry(_reduced(name), name, f"reduce_{name}") for name in ("amax", "amin")),
    entry(lambda c: op.mean(c[0]), "mean_all", "mean"),
    entry(_extreme("argmax"), "argmax", "arg_max"),
    entry(_extreme("argmin"), "argmin", "arg_min"),
    entry(_frobenius, "frobenius_norm"),
    entry(_l2_normalize, "norm", None, "X", "Out Norm"),
    entry(_logsumexp, "logsumexp"),
    entry(_p_norm, "p_norm"),
]
