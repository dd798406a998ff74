"""Losses over alignments of sequences: ctc_loss and rnnt_loss, sums over all alignments by forward and backward passes;
and edit_distance, the shortest alignment.

The rows of losses give the loss and its gradient with respect to log-probabilities together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import FLOATS, float32, int64
from ..base.errors import ArgumentError, AxisError, DTypeError, GradientError, ShapeError
from .activation import as_float, log_softmax
from .arith import is_value
from .compare import isinf, where
from .dims import DimLike
from .elementwise import cast
from .index import wrapped
from .infer import require_dtype, show_shape
from .interpreter import Interpreter
from .losses import reduced
from .lowering import Custom
from .op import NONDIFFERENTIABLE, OPS, REQUIRED, Sample, random_array, row
from .reduce import mean
from .types import TensorType

__all__ = ["ctc_loss", "edit_distance", "rnnt_loss"]


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Any:
    made = [v if is_value(v) else interpreter.constant(v, None) for v in values]
    return (made[0], *(v if v.dtype is int64 else cast(v, int64) for v in made[1:])), attrs


def _loss_vjp(g: Any, y: Any, logp: Any, labels: Any, inputs: Any, targets: Any, **attrs: Any) -> tuple[Any, ...]:
    if g[1] is not None:
        raise GradientError("ctc_loss and rnnt_loss have first gradients only")
    return OPS["reshape"](g[0], attrs_shape(y[1], g[0])) * y[1], None, None, None


def attrs_shape(gradient: Any, loss: Any) -> tuple[Any, ...]:
    """The shape that spreads a loss per sequence over its gradient: [1, n, 1] for [t, n, c], [n, 1, 1, 1] for four."""
    return (1, -1, 1) if gradient.ndim == 3 else (-1, 1, 1, 1)


# ---- connectionist temporal classification


def _ctc_infer(
    logp: TensorType, labels: TensorType, inputs: TensorType, targets: TensorType, *, blank: int
) -> tuple[TensorType, TensorType]:
    require_dtype("ctc_loss", logp.dtype, FLOATS)
    if logp.rank != 3 or labels.rank != 2:
        raise ShapeError(
            f"ctc_loss needs log-probabilities [time, n, classes] and labels [n, length], got {logp}, {labels}"
        )
    if blank not in range(logp.shape[2] if isinstance(logp.shape[2], int) else blank + 1):
        raise ShapeError(f"ctc_loss: the blank, {blank}, isn't one of the {logp.shape[2]} classes")
    for kind in (labels, inputs, targets):
        if kind is not labels and kind.rank != 1:
            raise ShapeError(f"ctc_loss needs one length per sequence, got {show_shape(kind.shape)}")
        if {type(kind.shape[0]), type(logp.shape[1])} == {int} and kind.shape[0] != logp.shape[1]:
            raise ShapeError(f"ctc_loss: {logp.shape[1]} sequences, but labels or lengths of {kind.shape[0]}")
    return TensorType(logp.dtype, (logp.shape[1],)), logp


def _ctc_work(given: Sequence[TensorType], made: Sequence[TensorType], **_: Any) -> DimLike:
    return given[1].size * given[0].shape[0] * 240


def _logsumexp(*parts: Any) -> Any:
    top = np.maximum.reduce(parts)
    safe = np.where(np.isfinite(top), top, 0.0)
    return np.log(sum(np.exp(p - safe) for p in parts)) + safe


def _shifted(a: Any, by: int) -> Any:
    """a [n, s] moved by `by` places along s, -inf coming in."""
    out = np.full_like(a, -np.inf)
    if by > 0:
        out[:, by:] = a[:, :-by]
    else:
        out[:, :by] = a[:, -by:]
    return out


def _ctc_eager(logp: Any, labels: Any, inputs: Any, targets: Any, *, blank: int) -> tuple[Any, Any]:
    """Graves et al., Connectionist Temporal Classification, 2006: over labels with blanks between, in logarithms."""
    wide = logp.astype(np.float64)
    times, n, classes = wide.shape
    places = 2 * labels.shape[1] + 1
    path = np.full((n, places), blank)
    path[:, 1::2] = labels
    beyond = np.arange(places) > 2 * targets[:, None]
    path[beyond] = blank
    for what, lengths, most in (("an input", inputs, times), ("a label", targets, labels.shape[1])):
        if lengths.size and lengths.max() > most:
            raise AxisError(f"ctc_loss: the length of {what} is {lengths.max()}, but there are {most} steps")
    for indices, size in ((inputs - 1, times), (2 * targets, places), (path, classes)):
        wrapped(indices, size)  # an AxisError where one is outside
    skips = np.zeros((n, places), bool)
    skips[:, 2:] = (path[:, 2:] != blank) & (path[:, 2:] != path[:, :-2])
    emitted = np.take_along_axis(wide, np.broadcast_to(path, (times, n, places)), 2)
    emitted = np.where(beyond, -np.inf, emitted)
    alpha = np.full((times, n, places), -np.inf)
    alpha[0, :, :2] = emitted[0, :, :2]
    for t in range(1, times):
        past = alpha[t - 1]
        jump = np.where(skips, _shifted(past, 2), -np.inf)
        alpha[t] = _logsumexp(past, _shifted(past, 1), jump) + emitted[t]
    rows = np.arange(n)
    last, end = inputs - 1, 2 * targets
    beta = np.full((n, places), -np.inf)
    grad = np.zeros_like(wide)
    total = _logsumexp(alpha[last, rows, end], np.where(end > 0, alpha[last, rows, end - 1], -np.inf))
    reachable = np.isfinite(total)
    safe = np.where(reachable, total, 0.0)
    for t in range(times - 1, -1, -1):
        if t + 1 < times:
            future = beta + emitted[t + 1]
            jump = np.where(_next_skips(skips), _shifted(future, -2), -np.inf)
            beta = _logsumexp(future, _shifted(future, -1), jump)
        ending = last == t
        beta[ending] = -np.inf
        beta[rows[ending], end[ending]] = 0.0
        inside = ending & (end > 0)
        beta[rows[inside], end[inside] - 1] = 0.0
        share = np.exp(alpha[t] + beta - safe[:, None])
        share[~reachable | (t > last)] = 0.0
        np.add.at(grad[t], (rows[:, None], path), -share)
    return (-total).astype(logp.dtype), grad.astype(logp.dtype)


def _next_skips(skips: Any) -> Any:
    out = np.zeros_like(skips)
    out[:, :-2] = skips[:, 2:]
    return out


def _log_probabilities(seed: int, shape: tuple[int, ...]) -> Any:
    x = random_array(seed, shape)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


ctc_row = row(
    "ctc_loss",
    "-log of the probability [n] of labels [n, length] under log-probabilities [time, n, classes]; and its gradient.",
    "logp labels inputs targets",
    attrs={"blank": 0},
    infer=_ctc_infer,
    eager=_ctc_eager,
    lowering=Custom("sequence.ctc_loss"),
    work=_ctc_work,
    vjp=_loss_vjp,
    prepare=_prepare,
    samples=lambda: [
        Sample(
            (_log_probabilities(1, (6, 2, 4)), np.array([[1, 2], [3, 3]]), np.array([6, 5]), np.array([2, 2])),
            smooth=False,
        )
    ],
    method=False,
    public=False,
)


def ctc_loss(
    log_probs: Any, labels: Any, input_lengths: Any, label_lengths: Any, blank: int = 0, reduction: str = "mean",
    norm_by_times: bool = False, zero_infinity: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """-log of the probability of the labels [n, length] under the scores log_probs [time, n, classes], summed over all
    alignments; scores are normalised by log_softmax first.

    reduction "mean": each loss by its label's length, then the mean. norm_by_times: gradients by the number of times.
    The loss of labels that can't be aligned, and its gradient, are 0, as in PaddlePaddle with any `zero_infinity`.
    """
    x = as_float(log_probs)
    if x.ndim != 3 or labels.ndim != 2:
        raise ShapeError(
            f"ctc_loss needs scores [time, n, classes] and labels [n, length], got {show_shape(x.shape)} and"
            f" {show_shape(labels.shape)}"
        )
    if isinstance(x.shape[2], int) and not 0 <= blank < x.shape[2]:
        raise ArgumentError(f"ctc_loss: blank must be from 0 to {x.shape[2] - 1}, not {blank}")
    if norm_by_times:
        scale = OPS["reshape"](1.0 / cast(input_lengths, x.dtype), (1, -1, 1))
        x = x * scale + OPS["stop_gradient"](x - x * scale)
    loss, _ = ctc_row(log_softmax(x), labels, input_lengths, label_lengths, blank)
    loss = where(isinf(loss), 0.0, loss)
    if reduction == "mean":
        return mean(loss / cast(label_lengths, loss.dtype))
    return reduced(loss, reduction)


# ---- the transducer of recurrent networks


def _rnnt_infer(
    logp: TensorType, labels: TensorType, inputs: TensorType, targets: TensorType, *, blank: int, fastemit: float
) -> tuple[TensorType, TensorType]:
    require_dtype("rnnt_loss", logp.dtype, FLOATS)
    if logp.rank != 4 or labels.rank != 2:
        raise ShapeError(
            f"rnnt_loss needs log-probabilities [n, time, length + 1, classes] and labels, got {logp}, {labels}"
        )
    return TensorType(logp.dtype, (logp.shape[0],)), logp


def _rnnt_eager(logp: Any, labels: Any, inputs: Any, targets: Any, *, blank: int, fastemit: float) -> tuple[Any, Any]:
    """Graves, Sequence Transduction with Recurrent Neural Networks, 2012, in logarithms."""
    wide = logp.astype(np.float64)
    n, times, places, _ = wide.shape
    silent = wide[..., blank]
    index = np.zeros((n, 1, places, 1), np.int64)
    index[:, 0, : labels.shape[1], 0] = labels[:, : places - 1] if labels.shape[1] >= places else labels
    emit = np.take_along_axis(wide, np.broadcast_to(index, (n, times, places, 1)), 3)[..., 0]
    emit = np.where(np.arange(places) < targets[:, None, None], emit, -np.inf)
    alpha = np.full((n, times, places), -np.inf)
    beta = np.full((n, times + 1, places + 1), -np.inf)
    for t in range(times):
        for u in range(places):
            stay = alpha[:, t - 1, u] + silent[:, t - 1, u] if t else None
            move = alpha[:, t, u - 1] + emit[:, t, u - 1] if u else None
            known = [p for p in (stay, move) if p is not None]
            alpha[:, t, u] = _logsumexp(*known) if known else 0.0
    rows = np.arange(n)
    for t in range(times - 1, -1, -1):
        for u in range(places - 1, -1, -1):
            value = _logsumexp(beta[:, t + 1, u] + silent[:, t, u], beta[:, t, u + 1] + emit[:, t, u])
            value = np.where((t >= inputs) | (u > targets), -np.inf, value)
            beta[:, t, u] = np.where((t == inputs - 1) & (u == targets), silent[:, t, u], value)
    total = beta[:, 0, 0]
    safe = np.where(np.isfinite(total), total, 0.0)[:, None, None]
    after = beta[:, 1:, :-1].copy()
    after[rows, inputs - 1, targets] = 0.0
    quiet = np.exp(alpha + silent + after - safe)
    loud = np.exp(alpha + emit + beta[:, :-1, 1:] - safe) * (1.0 + fastemit)
    quiet[~np.isfinite(total)] = 0.0
    loud[~np.isfinite(total)] = 0.0
    grad = np.zeros_like(wide)
    grad[..., blank] -= quiet
    np.add.at(grad, (rows[:, None, None], np.arange(times)[:, None], np.arange(places), index[:, :, :, 0]), -loud)
    return (-total).astype(logp.dtype), grad.astype(logp.dtype)


rnnt_row = row(
    "rnnt_loss",
    "-log of the probability [n] of labels [n, length] under log-probabilities [n, time, length + 1, classes]; and its"
    " gradient.",
    "logp labels inputs targets",
    attrs={"blank": 0, "fastemit": REQUIRED},
    infer=_rnnt_infer,
    eager=_rnnt_eager,
    vjp=_loss_vjp,
    prepare=_prepare,
    samples=lambda: [
        Sample(
            (_log_probabilities(1, (2, 4, 3, 4)), np.array([[1, 2], [3, 3]]), np.array([4, 3]), np.array([2, 1])),
            {"blank": 0, "fastemit": 0.0},
            smooth=False,
        )
    ],
    method=False,
    public=False,
)


def rnnt_loss(
    input: Any, label: Any, input_lengths: Any, label_lengths: Any, blank: int = 0, fastemit_lambda: float = 0.001,
    reduction: str = "mean", name: str | None = None,
) -> Any:  # fmt: skip
    """-log of the probability of the labels [n, length] under the scores input [n, time, length + 1, classes] of a
    transducer; scores are normalised by log_softmax first.

    fastemit_lambda: how much more the gradient favours labels over blanks (Yu et al., FastEmit, 2021).
    """
    if is_value(input) and not input.dtype.is_differentiable:
        raise DTypeError(f"rnnt_loss needs scores that are floats, not {input.dtype.name}")
    x = as_float(input)
    if x.ndim != 4 or label.ndim != 2:
        raise ShapeError(
            f"rnnt_loss needs scores [n, time, length + 1, classes] and labels [n, length], got {show_shape(x.shape)}"
            f" and {show_shape(label.shape)}"
        )
    loss, _ = rnnt_row(log_softmax(x), label, input_lengths, label_lengths, blank, float(fastemit_lambda))
    return reduced(loss, reduction)


# ---- edit distance


def _prepare_tokens(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Any:
    made = [v if is_value(v) else interpreter.constant(v, None) for v in values]
    return tuple(v if v.dtype is int64 else cast(v, int64) for v in made), attrs


def _edit_infer(
    hyps: TensorType, refs: TensorType, hyp_sizes: TensorType, ref_sizes: TensorType, *, normalized: bool
) -> tuple[TensorType, TensorType]:
    if (hyps.rank, refs.rank, hyp_sizes.rank, ref_sizes.rank) != (2, 2, 1, 1):
        raise ShapeError(f"edit_distance doesn't take {hyps}, {refs}, {hyp_sizes}, {ref_sizes}")
    counts = {kind.shape[0] for kind in (hyps, refs, hyp_sizes, ref_sizes) if isinstance(kind.shape[0], int)}
    if len(counts) > 1:
        raise ShapeError(f"edit_distance: sequences, labels and lengths differ in number: {sorted(counts)}")
    return TensorType(float32, (hyps.shape[0], 1)), TensorType(int64, (1,))


def _edit_eager(hyps: Any, refs: Any, hyp_sizes: Any, ref_sizes: Any, *, normalized: bool) -> tuple[Any, Any]:
    """Wagner, Fischer, The String-to-String Correction Problem, 1974: one line of the table a step."""
    n, length = hyps.shape
    wrapped(hyp_sizes, length + 1)  # an AxisError where a sequence is shorter
    wrapped(ref_sizes, refs.shape[1] + 1)
    columns = np.arange(refs.shape[1] + 1)
    line = np.broadcast_to(columns, (n, len(columns)))
    last = line
    for k in range(length):
        reached = line + 1
        reached[:, 1:] = np.minimum(reached[:, 1:], line[:, :-1] + (hyps[:, k : k + 1] != refs))
        line = np.minimum.accumulate(reached - columns, 1) + columns
        last = np.where((hyp_sizes == k + 1)[:, None], line, last)
    found = last[np.arange(n), ref_sizes].astype(np.float32)
    if normalized:
        if not ref_sizes.all():
            raise ArgumentError(
                "edit_distance: a label has length 0, by which its distance can't be divided",
                remedy="pass normalized=False",
            )
        found = found / ref_sizes.astype(np.float32)
    return found[:, None], np.array([n], np.int64)


edit_row = row(
    "edit_distance",
    "How many tokens have to be inserted, removed or replaced to turn sequences into their labels [n, 1]; and n.",
    "hyps refs hyp_sizes ref_sizes",
    attrs={"normalized": True},
    infer=_edit_infer,
    eager=_edit_eager,
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare_tokens,
    samples=lambda: [
        Sample((np.array([[1, 2, 3], [4, 4, 4]]), np.array([[1, 3], [5, 4]]), np.array([3, 2]), np.array([2, 1])))
    ],
    method=False,
    public=False,
)


def edit_distance(
    input: Any, label: Any, normalized: bool = True, ignored_tokens: Sequence[int] | None = None,
    input_length: Any = None, label_length: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The number of sequences, int64 [1], and how many tokens have to be inserted, removed or replaced to turn the
    sequences input [n, length] into the labels [n, length]: float32 [n, 1], divided by the label's length if
    `normalized`. The order is what PaddlePaddle's function returns; its text names the two the other way round.

    input_length, label_length: how many tokens of each sequence count, [n] integers; all by default.

    Errors: ArgumentError for `ignored_tokens`, which have to be removed first, and for a label of length 0 that is to
    be divided by.

    >>> import vitrify as vt
    >>> count, found = edit_distance(vt.to_tensor([[1, 2, 3]]), vt.to_tensor([[1, 3, 4, 1]]), normalized=False)
    >>> found.tolist(), count.tolist()
    ([[3.0]], [1])
    """
    if ignored_tokens:
        raise ArgumentError(
            "edit_distance takes no ignored_tokens", remedy="remove the tokens from the sequences first"
        )
    if input.ndim != 2 or label.ndim != 2:
        raise ShapeError(
            "edit_distance needs sequences [n, length] and labels [n, length], got "
            f"{show_shape(input.shape)} and {show_shape(label.shape)}"
        )
    sizes = [
        OPS["full"]((value.shape[0],), value.shape[1], int64) if lengths is None else OPS["reshape"](lengths, (-1,))
        for value, lengths in ((input, input_length), (label, label_length))
    ]
    found, count = edit_row(input, label, *sizes, normalized)
    return count, found
