"""Attention in all its forms: masks, caches inside and outside of the operator, windows, soft caps, grouped heads."""

from __future__ import annotations

import math
from typing import Any

from ...base import dtype as dt
from .node import Importer, Node, element_type, op, rows

_LOWEST = -math.inf


def _heads(n: Node, x: Any, name: str) -> Any:
    """[batch, length, heads * d] as [batch, heads, length, d]."""
    if x.ndim == 4:
        return x
    heads = int(n.required(name))
    apart = op.reshape(x, [x.shape[0], x.shape[1], heads, x.shape[2] // heads])
    return op.transpose(apart, [0, 2, 1, 3])


def _repeated(x: Any, times: int) -> Any:
    """Each head so many times, for queries that share keys."""
    if times == 1:
        return x
    batch, heads, length, width = x.shape
    wide = rows.broadcast_to(op.unsqueeze(x, 2), [batch, heads, times, length, width])
    return op.reshape(wide, [batch, heads * times, length, width])


def _offset(n: Node, queries: Any) -> Any:
    """How many keys are before the first query: a number, or one per batch, [batch, 1, 1, 1]."""
    if n.has(4):
        return n.graph.builder.constant(n[4].shape[2], dt.int64)
    if n.has(6):
        return op.reshape(op.cast(n[6], dt.int64), [-1, 1, 1, 1]) - queries
    return n.graph.constant(0)


def _seen(n: Node, q: Any, k: Any) -> Any | None:
    """Which keys a query may see by its place and theirs, a bool that broadcasts to the scores; None for all."""
    queries = n.graph.builder.constant(q.shape[2], dt.int64)
    left, right = int(n.attribute("left_window_size", -1)), int(n.attribute("right_window_size", -1))
    places = op.unsqueeze(n.count(k.shape[2]), 0)
    conditions = []
    if n.attribute("is_causal", 0) or left >= 0 or right >= 0:
        own = op.unsqueeze(n.count(q.shape[2]), 1) + _offset(n, queries)
        conditions += [places <= own] if n.attribute("is_causal", 0) else []
        conditions += [places >= own - left] if left >= 0 else []
        conditions += [places <= own + right] if right >= 0 else []
    if n.has(6):
        conditions.append(places < op.reshape(op.cast(n[6], dt.int64), [-1, 1, 1, 1]))
    if n.has(3) and n[3].dtype.is_bool:
        conditions.append(_whole_mask(n[3], k.shape[2], False))
    if not conditions:
        return None
    found = conditions[0]
    for condition in conditions[1:]:
        found = op.logical_and(found, condition)
    return found


def _whole_mask(mask: Any, count: Any, fill: Any) -> Any:
    """A mask that covers all keys: a shorter one hides the rest."""
    rest = count - mask.shape[-1]
    if isinstance(rest, int) and rest <= 0:
        return mask
    return op.concat([mask, op.full([*mask.shape[:-1], rest], fill, mask.dtype)], axis=-1)


def _attention(n: Node) -> Any:
    q, k, v = n[0], _heads(n, n[1], "kv_num_heads"), _heads(n, n[2], "kv_num_heads")
    flat, q = q.ndim == 3, _heads(n, q, "q_num_heads")
    if n.has(4) != n.has(5):
        raise n.refuse("a cache of keys or values alone")
    if n.has(4):
        k, v = op.concat([n[4], k], axis=2), op.concat([n[5], v], axis=2)
    present, dtype = (k, v), q.dtype
    times = q.shape[1] // k.shape[1]
    k, v = _repeated(k, int(times)), _repeated(v, int(times))
    factor = math.sqrt(float(n.attribute("scale", 1 / math.sqrt(int(str(q.shape[3]))))))
    scale = op.full([1], factor, dtype)
    scores = op.matmul(q * scale, k * scale, False, True)
    mode, found = int(n.attribute("qk_matmul_output_mode", 0)), scores
    cap = float(n.attribute("softcap", 0.0))
    if cap > 0:
        scores = op.tanh(scores / cap) * cap
        found = scores if mode == 1 else found
    biased, hidden = _biased(n, q, k, scores)
    found = biased if mode == 2 else found
    precision = n.attribute("softmax_precision")
    precise = biased if precision is None else op.cast(biased, element_type(precision, n.shown))
    weights = op.where(
        hidden, op.zeros_like(precise), op.softmax(op.where(hidden, op.zeros_like(precise), precise), -1)
    )
    found = weights if mode == 3 else found
    made = op.matmul(op.cast(weights, dtype), v)
    if flat:
        made = op.transpose(made, [0, 2, 1, 3])
        made = op.reshape(made, [made.shape[0], made.shape[1], made.shape[2] * made.shape[3]])
    return made, *present, op.cast(found, dtype)


def _biased(n: Node, q: Any, k: Any, scores: Any) -> tuple[Any, Any]:
    """The scores with masks added, and for each query whether it may see no key at all, [..., queries, 1]."""
    if n.has(3) and not n[3].dtype.is_bool:
        bias = _whole_mask(op.cast(n[3], scores.dtype), k.shape[2], _LOWEST)
    else:
        bias = op.zeros([1, 1], scores.dtype)
    seen = _seen(n, q, k)
    if seen is not None:
        bias = op.where(seen, bias, op.full([1], _LOWEST, scores.dtype))
    hidden = op.all(op.equal(bias, _LOWEST), -1, True)
    return scores + bias, hidden


ROWS: dict[str, Importer] = {"Attention": _attention}
