"""Functions of networks written with rows: linear, embedding, dropout, attention; and the index forms of Paddle.

A random function takes `draw(shape, dtype)`, which gives uniform numbers of [0, 1) and keeps the generator's state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..base import dtype as dt
from ..base.errors import ArgumentError, KindError, ShapeError
from ..base.flags import flags
from .activation import as_float, softmax
from .along import take_along_axis
from .arith import exact, is_run_time_number, is_value
from .attention import refusal
from .compare import equal, where
from .create import arange
from .dims import Dim, assume_equal, never_negative, product, same_dim
from .dispatch import current
from .elementwise import cast
from .index import as_index, gather, scatter_add, scatter_nd_add, scatter_nd_update, zeros_of
from .infer import as_dim, axis_index, has_as_many, known_dim, require, show_shape
from .linalg import matmul
from .lines import scalar_as_line
from .op import OPS, composite
from .orders import argsort, first_places, sorted_values
from .planned import planned
from .sizes import runtime_names
from .types import TensorType

Draw = Callable[..., Any]  # of a shape and a dtype, and whether that moves the generator on: always by itself


@composite(method=False)
@planned
def linear(x: Any, weight: Any, bias: Any = None, name: str | None = None) -> Any:
    """x @ weight + bias, for x [..., in], weight [in, out], bias [out]."""
    if weight.ndim != 2 or assume_equal(x.shape[-1] if x.ndim else 0, weight.shape[0]) is False:
        raise ShapeError(
            f"linear: x {show_shape(x.shape)} doesn't fit weight {show_shape(weight.shape)}",
            remedy=f"the last size of x must be {weight.shape[0]}" if weight.ndim == 2 else "weight must be [in, out]",
        )
    y = matmul(x, weight)
    return y if bias is None else y + bias


@composite(method=False)
def embedding(
    x: Any, weight: Any, padding_idx: int | None = None, sparse: bool = False, name: str | None = None
) -> Any:
    """The rows of weight [count, size] that the integers x name; zeros, without gradient, where x is `padding_idx`."""
    if weight.ndim != 2:
        raise ShapeError(f"embedding needs a weight [count, size], got {show_shape(weight.shape)}")
    x = as_index(current(), "embedding", x)
    y = gather(weight, x, 0)
    if padding_idx is None:
        return y
    count = weight.shape[0]
    if isinstance(count, int) and not -count <= padding_idx < count:
        raise ArgumentError(f"padding_idx must be from {-count} to {count - 1}, not {padding_idx}")
    row = padding_idx + count if padding_idx < 0 else padding_idx
    return where(equal(OPS["reshape"](x, (*x.shape, 1)), row), 0.0, y)


@composite(method=False)
def one_hot(x: Any, num_classes: int, name: str | None = None) -> Any:
    """1 at the place that each integer names, along a new last axis of size `num_classes`; zeros for one outside."""
    x = as_index(current(), "one_hot", x)
    return cast(equal(OPS["reshape"](x, (*x.shape, 1)), arange(num_classes, 0, 1, x.dtype)), flags.default_dtype)


def is_inside(number: Any, low: float, high: float) -> bool:
    """Whether low < number < high; a number that a program takes at each call says so without being looked at."""
    ask = getattr(number, "is_inside", None)
    return bool(low < number < high if ask is None else ask(low, high))


def _require_share(p: Any) -> Any:
    """Whether a run draws numbers: nothing is random at 0 and 1. The run ends with ArgumentError for others outside."""
    p = exact(p)
    fits = OPS["logical_and"](OPS["greater_equal"](p, 0.0), OPS["less_equal"](p, 1.0))
    current().require(fits, "the probability of dropout must be from 0 to 1", "ArgumentError")
    return OPS["logical_and"](OPS["greater_than"](p, 0.0), OPS["less_than"](p, 1.0))


def dropout(
    x: Any,
    p: Any = 0.5,
    axis: Any = None,
    training: bool = True,
    mode: str = "upscale_in_train",
    *,
    draw: Draw | None = None,
) -> Any:
    """Each element is 0 with probability p, a number or a tensor with one element. mode "upscale_in_train" divides the
    others by 1 - p; "downscale_in_infer" multiplies by 1 - p when not training. axis: those along which elements are
    dropped one by one; the others together.
    """
    known = not (is_value(p) or is_run_time_number(p))  # what only a run tells is looked at by nobody
    moves = _require_share(p) if is_run_time_number(p) else None
    p = p if known else cast(OPS["stop_gradient"](p), as_float(x).dtype)
    inside = known and is_inside(p, 0.0, 1.0)
    if known and not inside and not 0.0 <= p <= 1.0:
        raise ArgumentError(f"the probability of dropout must be from 0 to 1, not {p}")
    if mode not in ("upscale_in_train", "downscale_in_infer"):
        raise ArgumentError(f'the mode of dropout must be "upscale_in_train" or "downscale_in_infer", not {mode!r}')
    upscale = mode == "upscale_in_train"
    if not training:
        return x if upscale or (known and not inside and p == 0.0) else x * (1.0 - p)
    if known and not inside and p == 0.0:
        return x
    x = as_float(x)
    if known and not inside:
        return x * 0.0
    if draw is None:
        raise ArgumentError("dropout in training needs a source of random numbers", remedy="pass draw=")
    axes = (
        range(x.ndim)
        if axis is None
        else [axis_index(a, x.ndim) for a in (axis if isinstance(axis, (list, tuple)) else [axis])]
    )
    shape = tuple(d if k in axes else 1 for k, d in enumerate(x.shape))
    keep = (draw(shape, x.dtype) if moves is None else draw(shape, x.dtype, moves)) >= p
    if not known:
        rest = 1.0 - p
        return where(keep, x / where(rest > 0.0, rest, 1.0) if upscale else x, 0.0)
    return where(keep, x * (1.0 / (1.0 - p)) if upscale else x, 0.0)


def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    training: bool = True, scale: float | None = None, *, draw: Draw | None = None,
) -> Any:  # fmt: skip
    """softmax(query · keyᵀ / √d) · value per head, for [batch, length, heads, d] as in Paddle.

    attn_mask: bool (true: may look) or float (added), broadcast to [batch, heads, queries, keys]. is_causal: query i
    looks at keys 0 … i. Keys and values may have fewer heads, each shared by a group of query heads.
    """
    if any(v.ndim != 4 for v in (query, key, value)):
        shapes = ", ".join(show_shape(v.shape) for v in (query, key, value))
        raise ShapeError(f"attention needs [batch, length, heads, size] three times, got {shapes}")
    heads, size = query.shape[2], query.shape[3]
    scale = 1.0 / math.sqrt(size) if scale is None and not isinstance(size, Dim) else scale
    if not (dropout_p and training) and scale is not None:
        made = _in_one(query, key, value, attn_mask, is_causal, scale)
        if made is not None:
            return made
    q, k, v = (OPS["transpose"](t, (0, 2, 1, 3)) for t in (query, _heads(key, heads), _heads(value, heads)))
    scores = matmul(q, k, False, True) * (1.0 / math.sqrt(size) if scale is None else scale)
    if is_causal:
        rows, columns = arange(q.shape[2]), arange(k.shape[2])
        scores = where(OPS["reshape"](rows, (q.shape[2], 1)) >= columns, scores, -math.inf)
    if attn_mask is not None:
        is_choice = is_value(attn_mask) and attn_mask.dtype.is_bool
        scores = where(attn_mask, scores, -math.inf) if is_choice else scores + attn_mask
    weights = dropout(softmax(scores), dropout_p, training=training, draw=draw)
    return OPS["transpose"](matmul(weights, v), (0, 2, 1, 3))


def _in_one(query: Any, key: Any, value: Any, mask: Any, is_causal: bool, scale: Any) -> Any:
    """The row `attention`, where it takes these operands; None otherwise."""
    if not isinstance(scale, (int, float)) or (mask is not None and not (is_value(mask) and mask.ndim <= 4)):
        return None
    if mask is not None and mask.ndim < 4:
        mask = OPS["reshape"](mask, (*[1] * (4 - mask.ndim), *mask.shape))
    if mask is not None and not mask.dtype.is_bool and not getattr(mask, "stop_gradient", True):
        return None  # the gradient of a mask is as large as the scores
    masks = [] if mask is None else [mask]
    q, k, v, *rest = (TensorType(x.dtype, tuple(x.shape)) for x in (query, key, value, *masks))
    if not q.dtype.is_floating or refusal(q, k, v, rest[0] if rest else None, 2):
        return None
    made, _ = OPS["attention"](query, key, value, masks, scale=float(scale), causal=bool(is_causal), heads=2)
    return made


def _heads(x: Any, heads: Any) -> Any:
    """Heads repeated to `heads`: [b, n, h, d] -> [b, n, heads, d]."""
    b, n, own, d = x.shape
    if same_dim(own, heads):
        return x
    if isinstance(own, Dim) or isinstance(heads, Dim) or heads % own:
        raise ShapeError(
            f"attention: {heads} heads of the query don't divide among {own} heads of {show_shape(x.shape)}"
        )
    spread = OPS["broadcast_to"](OPS["reshape"](x, (b, n, own, 1, d)), (b, n, own, heads // own, d))
    return OPS["reshape"](spread, (b, n, heads, d))


# ---- sorting


@composite("argsort")
@scalar_as_line
def argsort_(x: Any, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None) -> Any:
    """The order (int64) in which the elements along `axis` rise, or fall with `descending`; always stable."""
    return argsort(x, axis, descending)


@composite()
@scalar_as_line
def sort(x: Any, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None) -> Any:
    """The elements along `axis` in rising order, or falling with `descending`."""
    return sorted_values(x, axis, descending)


@composite()
def msort(input: Any, name: str | None = None) -> Any:
    """The elements along the first axis in rising order."""
    return sort(input, 0)


@composite()
@scalar_as_line
def topk(
    x: Any, k: Any, axis: int = -1, largest: bool = True, sorted: bool = True, name: str | None = None
) -> tuple[Any, Any]:
    """The k largest (or smallest) elements along `axis`, in order, and their places (int64)."""
    at = axis_index(-1 if axis is None else axis, x.ndim)
    size, fed = x.shape[at], current().is_static and is_value(k)
    if isinstance(k, Dim) and runtime_names(k):
        fed, k = True, OPS["dim_value"](k)
    k = k.item() if not fed and hasattr(k, "item") else k
    if is_run_time_number(k):
        k = as_dim(k) if known_dim(k) is not k or not k.dtype.is_integer else k.snapshot()
        fed = not isinstance(k, (int, Dim))
    if isinstance(k, (str, float, Sequence)) or k is None:
        raise KindError(f"topk: k must be an int, not {k!r}")
    if not fed and (k < 1 or not has_as_many(size, k)):
        raise ArgumentError(f"topk: k must be from 1 to {size}, the size of axis {at}, not {k}")
    if fed or (runtime_names(size) and not never_negative(size - k)):
        fits = OPS["logical_and"](k >= 1, k <= size) if fed else current().constant(size, dt.int64) >= k
        require(OPS["all"](fits), f"topk: k must be from 1 to {size}, the size of axis {at}")
        k = as_dim(k)
    order = first_places(x, k, at, bool(largest))
    return TopKRetType(take_along_axis(x, order, at), order)


class TopKRetType(NamedTuple):
    """The largest (or smallest) elements along an axis, and their places."""

    values: Any
    indices: Any


# ---- Paddle's index functions


@composite("gather")
def gather_slices(x: Any, index: Any, axis: Any = 0, name: str | None = None) -> Any:
    """The slices of x along `axis` that the integers `index` name: [count], or [count, 1], which means the same.

    An index of another shape is taken as it is: its axes take the place of `axis`.
    """
    index = as_index(current(), "gather", index)
    if index.ndim == 2 and index.shape[1] == 1:
        index = OPS["reshape"](index, (index.shape[0],))
    return gather(x, index, 0 if axis is None else int(axis))


@composite()
def index_select(x: Any, index: Any, axis: int = 0, name: str | None = None) -> Any:
    """The slices of x along `axis` that the integers `index` ([count] or [count, 1]) name. Errors: ShapeError."""
    index = as_index(current(), "index_select", index)
    if index.ndim > 1 and (index.ndim > 2 or index.shape[1] != 1):
        raise ShapeError(f"index_select needs an index [count], got {show_shape(index.shape)}")
    return gather_slices(x, index, axis)


@composite()
def index_sample(x: Any, index: Any) -> Any:
    """x[i, index[i, j]] for matrices."""
    return take_along_axis(x, index, 1)


@composite()
def index_add(x: Any, index: Any, axis: Any, value: Any, alpha: Any = 1, name: str | None = None) -> Any:
    """x with `value` times `alpha` added to the slices along `axis` that `index` [count] names.

    The axis may stand before the index: `x.index_add(0, index, value)`. Errors: ShapeError for an index of other ranks.
    """
    if isinstance(index, (int, Dim)):
        index, axis = axis, index
    index = as_index(current(), "index_add", index)
    if index.ndim != 1:
        raise ShapeError(f"index_add needs an index of one axis, got {show_shape(index.shape)}")
    shape = list(x.shape)
    shape[axis_index(axis, x.ndim)] = index.shape[0]
    value = value if is_value(value) else current().constant(value, x.dtype)
    value = value if alpha == 1 else value * alpha
    return scatter_add(x, index, OPS["broadcast_to"](value, tuple(shape)), axis)


@composite()
def scatter(x: Any, index: Any, updates: Any, overwrite: bool = True, name: str | None = None) -> Any:
    """x with the rows that `index` ([count], or one number) names replaced by `updates`.

    Without `overwrite`: replaced by the sum of theirs.
    """
    index = as_index(current(), "scatter", index)
    points = OPS["reshape"](index, (product(index.shape), 1) if index.ndim else (1,))
    if overwrite:
        return scatter_nd_update(x, points, updates)
    cleared = scatter_nd_update(x, points, zeros_of(updates.shape, updates.dtype))
    return scatter_nd_add(cleared, points, updates)


@composite()
def scatter_nd(index: Any, updates: Any, shape: Any, name: str | None = None) -> Any:
    """Zeros of `shape` with `updates` added at the points that `index` [..., k] names."""
    return scatter_nd_add(zeros_of(tuple(shape), updates.dtype), index, updates)


@composite()
def masked_fill(x: Any, mask: Any, value: Any, name: str | None = None) -> Any:
    """x with `value` where the mask is true."""
    value = value if is_value(value) else current().constant(value, x.dtype)
    return where(mask, value if value.dtype is x.dtype else cast(value, x.dtype), x)


@composite()
def index_fill(x: Any, index: Any, axis: int, value: Any, name: str | None = None) -> Any:
    """x with `value` in the slices along `axis` that `index` [count] names."""
    at, size = axis_index(axis, x.ndim), x.shape[axis]
    places = OPS["reshape"](arange(size), (size, 1))
    index = as_index(current(), "index_fill", index)
    wrapped = where(index < 0, index + size, index)
    hit = OPS["any"](equal(places, cast(wrapped, dt.int64)), 1)
    return masked_fill(x, OPS["reshape"](hit, tuple(size if k == at else 1 for k in range(x.ndim))), value)
