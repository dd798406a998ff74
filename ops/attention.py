"""Scaled dot-product attention as one row, and its gradient as another: no matrix of scores is kept between them.

`attention` gives the result and, for each query, the logarithm of the sum of its exponentials: with it the gradient
computes the weights again, block by block (runtime/lower/contraction/attention_kernels.py), as the forward kernel did.
Source: Dao, Fu, Ermon, Rudra, Ré, FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness, 2022.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import float32, float64
from ..base.errors import DTypeError, ShapeError
from .arith import is_value
from .compare import where
from .create import arange
from .dims import Dim, DimLike, assume_equal, same_dim
from .index import zeros_of
from .infer import require_same_dtype, show_shape
from .interpreter import Interpreter
from .lowering import Custom
from .op import OPS, Sample, random_array, row
from .types import TensorType

LARGEST_HEAD = 512  # numbers of one head: a block of queries of that many fits the first-level cache
_ATTRS: dict[str, Any] = {"scale": 1.0, "causal": False, "heads": 2}
_SWAP = (0, 2, 1, 3)


def refusal(query: TensorType, key: TensorType, value: TensorType, mask: TensorType | None, heads: int) -> str | None:
    """Why the row doesn't take such operands, in words; None where it does. heads: the axis of the heads, 1 or 2."""
    kinds = (query, key, value)
    if any(len(k.shape) != 4 for k in kinds):
        return "queries, keys and values must have four axes"
    if any(k.dtype is not query.dtype for k in kinds):
        return "queries, keys and values must have one dtype"
    if any(isinstance(k.shape[axis], Dim) for k in kinds for axis in (heads, 3)):
        return "the number of heads and their size must be known"
    size, own, others = (query.shape[3], query.shape[heads], key.shape[heads])
    if key.shape[3] != size or value.shape[3] != size:
        return "keys and values must be as wide as queries"
    if not size or size > LARGEST_HEAD:
        return f"heads must have 1 to {LARGEST_HEAD} numbers"
    if not others or others != value.shape[heads] or own % others:
        return "the heads of queries must divide among those of keys and values"
    if mask is not None and not (mask.dtype.is_bool or mask.dtype is query.dtype):
        return "a mask must be bool or have the dtype of the queries"
    if mask is not None and (len(mask.shape) != 4 or not (same_dim(mask.shape[1], 1) or mask.shape[1] == own)):
        return "a mask must be [batch or 1, heads or 1, queries or 1, keys or 1]"
    return None


def _length(heads: int) -> int:
    """The axis of the queries or keys."""
    return 3 - heads


def _check(
    what: str, q: TensorType, k: TensorType, v: TensorType, masks: Sequence[TensorType], heads: int
) -> tuple[DimLike, ...]:
    """Batch, heads of queries, queries, keys. DTypeError and ShapeError for what the row doesn't take."""
    if q.dtype not in (float32, float64):
        raise DTypeError(f"{what} needs float32 or float64, got {q.dtype.name}")
    require_same_dtype(what, (q, k, v))
    reason = refusal(q, k, v, masks[0] if masks else None, heads)
    if reason is not None:
        shapes = ", ".join(f"{t.dtype.short}{show_shape(t.shape)}" for t in (q, k, v, *masks))
        raise ShapeError(f"{what}: {reason}; got {shapes}")
    batch, queries, keys = q.shape[0], q.shape[_length(heads)], k.shape[_length(heads)]
    pairs = [(k.shape[0], batch), (v.shape[0], batch), (v.shape[_length(heads)], keys)]
    for mask in masks:
        wanted = zip(mask.shape, (batch, q.shape[heads], queries, keys), strict=True)
        pairs += [(size, other) for size, other in wanted if not same_dim(size, 1)]
    for size, other in pairs:
        if assume_equal(size, other) is False:
            shapes = ", ".join(show_shape(t.shape) for t in (q, k, v, *masks))
            raise ShapeError(f"{what}: {size} against {other} in {shapes}")
    return batch, q.shape[heads], queries, keys


def _infer(q: TensorType, k: TensorType, v: TensorType, *mask: TensorType, heads: int, **_: Any) -> Any:
    batch, count, queries, _keys = _check("attention", q, k, v, mask, heads)
    return TensorType(q.dtype, q.shape), TensorType(q.dtype, (batch, count, queries))


def _grad_infer(
    g: TensorType, q: TensorType, k: TensorType, v: TensorType, out: TensorType, sums: TensorType, *mask: TensorType,
    heads: int, **_: Any,
) -> Any:  # fmt: skip
    require_same_dtype("the gradient of attention", (g, q, out, sums))
    batch, count, queries, _keys = _check("the gradient of attention", q, k, v, mask, heads)
    for given, wanted in ((g.shape, q.shape), (out.shape, q.shape), (sums.shape, (batch, count, queries))):
        fits = zip(given, wanted, strict=False)
        if len(given) != len(wanted) or any(assume_equal(a, b) is False for a, b in fits):
            raise ShapeError(f"the gradient of attention needs {show_shape(wanted)}, got {show_shape(given)}")
    return tuple(TensorType(t.dtype, t.shape) for t in (q, k, v))


def _prepare(
    interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return tuple(v if is_value(v) else interpreter.constant(v, None) for v in values), attrs


# ---- NumPy


def _grouped(x: Any, heads: int, groups: int) -> Any:
    """[batch, groups, heads / groups, length, size]: heads that share keys stand together."""
    x = x if heads == 1 else x.transpose(_SWAP)
    b, h, n, d = x.shape
    return x.reshape(b, groups, h // groups, n, d)


def _flat(x: Any, heads: int) -> Any:
    b, groups, each, n, d = x.shape
    x = x.reshape(b, groups * each, n, d)
    return np.ascontiguousarray(x if heads == 1 else x.transpose(_SWAP))


def _masked_scores(q: Any, k: Any, mask: Sequence[Any], scale: float, causal: bool) -> Any:
    """Scores [batch, groups, heads / groups, queries, keys] of grouped queries and keys; -inf where none may look."""
    scores = np.matmul(q, k.swapaxes(-1, -2)) * q.dtype.type(scale)
    lowest = scores.dtype.type(-np.inf)
    if causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=np.bool_), scores, lowest)
    for one in mask:
        b, h, *rest = one.shape
        one = one.reshape((b, *((1, 1) if h == 1 else q.shape[1:3]), *rest))
        scores = np.where(one, scores, lowest) if one.dtype == np.bool_ else scores + one
    return scores


def _eager(q: Any, k: Any, v: Any, *mask: Any, scale: float, causal: bool, heads: int) -> Any:
    groups = k.shape[heads]
    qs, ks, vs = (_grouped(x, heads, groups) for x in (q, k, v))
    scores = _masked_scores(qs, ks, mask, scale, causal)
    top = scores.max(-1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - top)
    total = weights.sum(-1, keepdims=True)
    sums = (top + np.log(total)).reshape(q.shape[0], q.shape[heads], qs.shape[3])
    return _flat(np.matmul(weights / total, vs), heads), sums


def _grad_eager(g: Any, q: Any, k: Any, v: Any, out: Any, sums: Any, *mask: Any, heads: int, **attrs: Any) -> Any:
    groups = k.shape[heads]
    gs, qs, ks, vs, ys = (_grouped(x, heads, groups) for x in (g, q, k, v, out))
    weights = np.exp(_masked_scores(qs, ks, mask, **attrs) - sums.reshape((*qs.shape[:4], 1)))
    scale = q.dtype.type(attrs["scale"])
    slopes = weights * (np.matmul(gs, vs.swapaxes(-1, -2)) - (gs * ys).sum(-1, keepdims=True)) * scale
    back = [np.matmul(a.swapaxes(-1, -2), b).sum(2, keepdims=True) for a, b in ((slopes, qs), (weights, gs))]
    return tuple(_flat(x, heads) for x in (np.matmul(slopes, ks), *back))


# ---- gradients, in ops


def _vjp(g: Any, y: Any, q: Any, k: Any, v: Any, *mask: Any, scale: float, causal: bool, heads: int) -> Any:
    (g_out, g_sums), (out, sums) = g, y
    if g_out is None:
        g_out = zeros_of(out.shape, out.dtype)
    attrs: dict[str, Any] = {"scale": scale, "causal": causal, "heads": heads}
    to_q, to_k, to_v = OPS["attention_grad"](g_out, q, k, v, out, sums, list(mask), **attrs)
    taking = [m for m in mask if _takes_gradient(m)]
    if g_sums is None and not taking:
        return to_q, to_k, to_v, *[None for _ in mask]
    parts = _Parts(q, k, mask, **attrs)
    weights = parts.weights(sums)
    if g_sums is not None:  # second derivatives only: the gradient of a logarithm of sums is the weights
        more = weights * parts.of_row(g_sums) * scale
        to_q, to_k = to_q + parts.back(matmul(more, parts.k)), to_k + parts.back(matmul(more, parts.q, True), keys=True)
    inner = matmul(parts.of(g_out), parts.of(v), False, True) - parts.delta(g_out, out)
    scores = weights * (inner if g_sums is None else inner + parts.of_row(g_sums))
    return to_q, to_k, to_v, *[parts.to_mask(scores, m) if m in taking else None for m in mask]


def _takes_gradient(mask: Any) -> bool:
    return not (mask.dtype.is_bool or getattr(mask, "stop_gradient", False))


def matmul(x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    """The row of that name."""
    return OPS["matmul"](x, y, transpose_x, transpose_y)


class _Parts:
    """Operands in the order [batch, groups, heads / groups, length, size], as values that ops take."""

    def __init__(self, q: Any, k: Any, mask: Sequence[Any], *, scale: float, causal: bool, heads: int) -> None:
        self.heads, self.groups, self.scale, self.causal, self.mask = heads, k.shape[heads], scale, causal, mask
        self.each = q.shape[heads] // self.groups
        self.q, self.k = self.of(q), self.of(k)

    def of(self, x: Any) -> Any:
        x = x if self.heads == 1 else OPS["transpose"](x, _SWAP)
        b, h, n, d = x.shape
        return OPS["reshape"](x, (b, self.groups, h // self.groups, n, d))

    def of_row(self, x: Any) -> Any:
        """One number for each query."""
        return OPS["reshape"](x, (x.shape[0], self.groups, self.each, x.shape[2], 1))

    def delta(self, g: Any, out: Any) -> Any:
        """The sum of g times the result, for each query."""
        return OPS["sum"](self.of(g) * self.of(out), -1, keepdim=True)

    def back(self, x: Any, *, keys: bool = False) -> Any:
        """To the order of the operands; what goes to keys is added up over the heads that share them."""
        if keys:
            x = OPS["sum"](x, 2, keepdim=True)
        b, groups, each, n, d = x.shape
        x = OPS["reshape"](x, (b, groups * each, n, d))
        return x if self.heads == 1 else OPS["transpose"](x, _SWAP)

    def row_back(self, x: Any) -> Any:
        b, groups, each, n, _ = x.shape
        return OPS["reshape"](x, (b, groups * each, n))

    def scores(self) -> Any:
        """-inf where a query may not look."""
        scores = matmul(self.q, self.k, False, True) * self.scale
        n, m = scores.shape[-2:]
        if self.causal:
            scores = where(OPS["reshape"](arange(n), (n, 1)) >= arange(m), scores, -math.inf)
        for mask in self.mask:
            b, h, *rest = mask.shape
            one = OPS["reshape"](mask, (b, *((1, 1) if same_dim(h, 1) else (self.groups, self.each)), *rest))
            scores = where(one, scores, -math.inf) if mask.dtype.is_bool else scores + one
        return scores

    def weights(self, sums: Any) -> Any:
        """exp(scores - sums), 0 where a query may not look."""
        return OPS["exp"](self.scores() - self.of_row(sums))

    def to_mask(self, x: Any, mask: Any) -> Any:
        """The gradient of scores, for a mask that was broadcast to them."""
        b, groups, each, n, m = x.shape
        x = OPS["reshape"](x, (b, groups * each, n, m))
        axes = [k for k, size in enumerate(mask.shape) if same_dim(size, 1)]
        return OPS["sum"](x, tuple(axes), keepdim=True) if axes else x


def _grad_vjp(
    g: Any, y: Any, out_g: Any, q: Any, k: Any, v: Any, out: Any, sums: Any, *mask: Any, **attrs: Any
) -> Any:  # fmt: skip
    """With P the weights, D the sums of g times out, S = P (g vᵀ - D) scale: the results are S k, Sᵀ q and Pᵀ g."""
    parts = _Parts(q, k, mask, **attrs)
    scale = parts.scale
    to_q, to_k, to_v = (
        parts.of(zeros_of(x.shape, x.dtype) if one is None else one) for one, x in zip(g, (q, k, v), strict=True)
    )
    gs, vs, qs, ks = parts.of(out_g), parts.of(v), parts.q, parts.k
    weights = parts.weights(sums)
    inner = matmul(gs, vs, False, True) - parts.delta(out_g, out)
    slopes = weights * inner * scale
    wide = (matmul(to_q, ks, False, True) + matmul(qs, to_k, False, True)) * scale  # what arrives at P * inner
    both = wide * weights  # what arrives at g vᵀ; its negative sum at D
    to_delta = -OPS["sum"](both, -1, keepdim=True)
    scores = (wide * inner + matmul(gs, to_v, False, True)) * weights  # what arrives at the scores
    return (
        parts.back(matmul(weights, to_v) + matmul(both, vs) + to_delta * parts.of(out)),
        parts.back(matmul(slopes, to_k) + matmul(scores, ks) * scale),
        parts.back(matmul(slopes, to_q, True) + matmul(scores, qs, True) * scale, keys=True),
        parts.back(matmul(both, gs, True), keys=True),
        parts.back(to_delta * gs),
        parts.row_back(-OPS["sum"](scores, -1, keepdim=True)),
        *[parts.to_mask(scores, m) if _takes_gradient(m) else None for m in mask],
    )


# ---- the rows in other rows


def decomposed(q: Any, k: Any, v: Any, *mask: Any, scale: float, causal: bool, heads: int) -> Any:
    """What the row `attention` gives, by matmuls and softmax."""
    parts = _Parts(q, k, mask, scale=scale, causal=causal, heads=heads)
    scores = parts.scores()
    top = OPS["max"](scores, -1, True)
    weights = OPS["exp"](scores - top)
    total = OPS["sum"](weights, -1, keepdim=True)
    return parts.back(matmul(weights / total, parts.of(v))), parts.row_back(top + OPS["log"](total))


def decomposed_gradient(g: Any, q: Any, k: Any, v: Any, out: Any, sums: Any, *mask: Any, **attrs: Any) -> Any:
    """What the row `attention_grad` gives, by matmuls."""
    parts = _Parts(q, k, mask, **attrs)
    weights, gs = parts.weights(sums), parts.of(g)
    slopes = weights * (matmul(gs, parts.of(v), False, True) - parts.delta(g, out)) * parts.scale
    to_k, to_v = (parts.back(matmul(a, b, True), keys=True) for a, b in ((slopes, parts.q), (weights, gs)))
    return parts.back(matmul(slopes, parts.k)), to_k, to_v


# ---- samples and rows

_CASES: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...] | None, dict[str, Any]]] = [
    ((2, 3, 2, 4), (2, 5, 2, 4), None, {"scale": 0.5}),
    ((1, 2, 5, 3), (1, 1, 5, 3), None, {"causal": True, "heads": 1, "scale": 0.7}),
    ((2, 5, 4, 2), (2, 3, 2, 2), (2, 1, 5, 3), {"scale": 0.6}),
    ((1, 9, 1, 17), (1, 19, 1, 17), (1, 1, 1, 19), {"scale": 0.2, "causal": True}),
]


def _samples() -> list[Sample]:
    out = []
    for number, (q, k, mask, attrs) in enumerate(_CASES):
        arrays = [random_array(number, q), random_array(number + 10, k), random_array(number + 20, k)]
        arrays += [] if mask is None else [random_array(number + 30, mask)]
        out.append(Sample(tuple(arrays), _ATTRS | attrs))
    looks = random_array(7, (2, 2, 6, 3)) > -1.0
    looks[..., 0] = True
    short = [random_array(k, (2, n, 6 if n == 2 else 3, 8), dtype="float32") for k, n in ((1, 2), (2, 2), (3, 2))]
    short = [short[0], short[1][:, :, :3].copy(), short[2][:, :, :3].copy()]
    return [*out, Sample((*short, looks), _ATTRS | {"heads": 1, "scale": 0.4}, smooth=False)]


def _grad_samples() -> list[Sample]:
    out = []
    for number, sample in enumerate(_samples()):
        q, k, v, *mask = sample.args
        made, sums = _eager(q, k, v, *mask, **sample.attrs)
        g = random_array(number + 40, q.shape, dtype=q.dtype.name)
        out.append(Sample((g, q, k, v, made, sums, *mask), sample.attrs, sample.smooth))
    return out


def _work(q: TensorType, k: TensorType, heads: int, matmuls: int) -> DimLike:
    """Two operations for each pair of a query and a key and each number of a head, in each matmul."""
    return q.size * k.shape[_length(heads)] * (2 * matmuls)


attention = row(
    "attention",
    "softmax(q · kᵀ · scale) · v for each head, and the logarithms [batch, heads, queries] of the sums in softmax."
    " q, k, v: [batch, length, heads, size], or with heads=1 [batch, heads, length, size]; k and v may have fewer"
    " heads, each shared by a group. mask: bool (true: may look) or added, [batch, heads, queries, keys] or 1 for each."
    " causal: query i looks at keys 0 … i. A query that may look at nothing gives NaN.",
    "q k v *mask",
    attrs=dict(_ATTRS),
    infer=_infer,
    eager=_eager,
    vjp=_vjp,
    prepare=_prepare,
    lowering=Custom("attention.forward"),
    work=lambda given, made, *, heads, **_: _work(given[0], given[1], heads, 2),
    samples=_samples,
    method=False,
    public=False,
)

attention_grad = row(
    "attention_grad",
    "The gradients of attention's q, k and v, for the gradient g of its first result; out, sums: its results.",
    "g q k v out sums *mask",
    attrs=dict(_ATTRS),
    infer=_grad_infer,
    eager=_grad_eager,
    vjp=_grad_vjp,
    prepare=_prepare,
    lowering=Custom("attention.backward"),
    work=lambda given, made, *, heads, **_: _work(given[1], given[2], heads, 5),
    samples=_grad_samples,
    method=False,
    public=False,
)
