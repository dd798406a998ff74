"""Normalisation, and losses by class."""

from __future__ import annotations

from typing import Any

from ...base import dtype as dt
from ...ops.dims import product
from .elements import cast_to
from .node import Importer, Node, op, rows
from .reductions import axis_of


def _channels(p: Any, rank: int) -> Any:
    """[c] as [1, c, 1, …]."""
    return op.reshape(p, [1, p.shape[0], *[1] * (rank - 2)])


def _batch_norm(n: Node) -> Any:
    x, scale, bias, mean, var = (n[k] for k in range(5))
    epsilon = float(n.attribute("epsilon", 1e-5))
    axes = [0, *range(2, x.ndim)]
    if not n.attribute("training_mode", 0):
        return _standard(x, scale, bias, _channels(mean, x.ndim), _channels(var, x.ndim), epsilon)
    momentum = float(n.attribute("momentum", 0.9))
    now, spread = op.mean(x, axes), op.var(x, axes, unbiased=False)
    y = _standard(x, scale, bias, _channels(now, x.ndim), _channels(spread, x.ndim), epsilon)
    return y, mean * momentum + now * (1 - momentum), var * momentum + spread * (1 - momentum)


def _standard(x: Any, scale: Any, bias: Any, mean: Any, var: Any, epsilon: float) -> Any:
    y = (x - mean) * rows.rsqrt(var + epsilon)
    return y * _channels(scale, x.ndim) + _channels(bias, x.ndim)


def _instance_norm(n: Node) -> Any:
    x, axes = n[0], list(range(2, n[0].ndim))
    mean, var = op.mean(x, axes, keepdim=True), op.var(x, axes, unbiased=False, keepdim=True)
    return _standard(x, n[1], n[2], mean, var, float(n.attribute("epsilon", 1e-5)))


def _layer_norm(n: Node) -> Any:
    x, axis = n[0], axis_of(n, "axis", -1)
    axes = list(range(axis, x.ndim))
    wide = op.cast(x, dt.float32) if x.dtype in (dt.float16, dt.bfloat16) else x
    mean = op.mean(wide, axes, keepdim=True)
    var = op.mean((wide - mean) * (wide - mean), axes, keepdim=True)
    inverse = rows.rsqrt(var + float(n.attribute("epsilon", 1e-5)))
    y = cast_to((wide - mean) * inverse, x.dtype) * n[1]
    return (y if not n.has(2) else y + n[2]), mean, inverse


def _rms_norm(n: Node) -> Any:
    x, axis = n[0], axis_of(n, "axis", -1)
    wide = op.cast(x, dt.float32) if x.dtype in (dt.float16, dt.bfloat16) else x
    mean = op.mean(wide * wide, list(range(axis, x.ndim)), keepdim=True)
    return cast_to(wide * rows.rsqrt(mean + float(n.attribute("epsilon", 1e-5))), x.dtype) * n[1]


def _group_norm(n: Node) -> Any:
    """Until opset 20 scale and bias have one element per group, from 21 on one per channel."""
    x, groups = n[0], int(n.required("num_groups"))
    batch, channels = x.shape[:2]
    split = op.reshape(x, (batch, groups, product((channels // groups, *x.shape[2:]))))
    mean = op.mean(split, [2], keepdim=True)
    var = op.mean((split - mean) * (split - mean), [2], keepdim=True)
    y = (split - mean) * rows.rsqrt(var + float(n.attribute("epsilon", 1e-5)))
    if n.version < 21:
        per_group = [op.reshape(p, (1, groups, 1)) for p in (n[1], n[2])]
        return op.reshape(y * per_group[0] + per_group[1], x.shape)
    return op.reshape(y, x.shape) * _channels(n[1], x.ndim) + _channels(n[2], x.ndim)


def _lrn(n: Node) -> Any:
    x, size = n[0], int(n.required("size"))
    alpha, beta, bias = (float(n.attribute(k, v)) for k, v in (("alpha", 1e-4), ("beta", 0.75), ("bias", 1.0)))
    before = (size - 1) // 2
    pads = [(0, 0)] * x.ndim
    pads[1] = (before, size - 1 - before)
    squares = rows.pad(x * x, pads)
    total: Any = None
    for k in range(size):
        part = rows.slice(squares, [0, k, *[0] * (x.ndim - 2)], list(x.shape))
        total = part if total is None else total + part
    return x / op.pow(total * (alpha / size) + bias, beta)


def _lp_norm(n: Node) -> Any:
    """A line of zeros stays one."""
    x, axis = n[0], axis_of(n, "axis", -1)
    one = int(n.attribute("p", 2)) == 1
    norm = op.sum(op.abs(x), axis, keepdim=True) if one else op.sqrt(op.sum(x * x, axis, keepdim=True))
    return op.where(op.equal(norm, 0.0), op.zeros_like(x), x / norm)


def _mean_variance(n: Node) -> Any:
    x, axes = n[0], n.ints("axes") or [0, 2, 3]
    mean = op.mean(x, axes, keepdim=True)
    spread = op.mean(x * x, axes, keepdim=True) - mean * mean
    return (x - mean) / (op.sqrt(spread) + 1e-9)


# ---- losses


def _picked(n: Node, logp: Any, labels: Any, weight: Any) -> Any:
    """Minus the log-probability of each label, weighted; what is ignored counts as nothing."""
    ignored = n.attribute("ignore_index")
    safe = labels if ignored is None else op.where(op.equal(labels, ignored), op.zeros_like(labels), labels)
    shape = [labels.shape[0], 1, *labels.shape[1:]]
    loss = -op.reshape(rows.take_along_axis(logp, op.reshape(safe, shape), axis=1), labels.shape)
    share = op.ones(labels.shape, logp.dtype) if weight is None else rows.gather(weight, safe, axis=0)
    if ignored is not None:
        share = op.where(op.equal(labels, ignored), 0.0, share)
    loss = loss * share
    kind = n.attribute("reduction", b"mean")
    if kind == b"none":
        return loss
    return op.sum(loss) if kind == b"sum" else op.sum(loss) / op.sum(share)


def _nll(n: Node) -> Any:
    return _picked(n, n[0], n[1], n.get(2))


def _cross_entropy(n: Node) -> Any:
    logp = op.log_softmax(n[0], 1)
    loss = _picked(n, logp, n[1], n.get(2))
    return (loss, logp) if n.wants(1) else loss


ROWS: dict[str, Importer] = {
    "BatchNormalization": _batch_norm,
    "GroupNormalization": _group_norm,
    "InstanceNormalization": _instance_norm,
    "LRN": _lrn,
    "LayerNormalization": _layer_norm,
    "LpNormalization": _lp_norm,
    "MeanVarianceNormalization": _mean_variance,
    "NegativeLogLikelihoodLoss": _nll,
    "RMSNormalization": _rms_norm,
    "SoftmaxCrossEntropyLoss": _cross_entropy,
}
