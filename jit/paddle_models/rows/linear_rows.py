"""Products of matrices, normalisation, softmax and recurrent networks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....base import dtype as dt
from ....ops.dims import product
from ..paddle_call import OperatorCall, op, rows
from .control_rows import loop
from .paddle_row import Entry, entry


def _matmul(c: OperatorCall) -> Any:
    made = op.matmul(
        c[0], c[1], bool(c.attribute("transpose_x trans_x transpose_X", False)),
        bool(c.attribute("transpose_y trans_y transpose_Y", False)),
    )  # fmt: skip
    alpha = float(c.attribute("alpha", 1.0))
    return made if alpha == 1.0 else made * alpha


def _mul(c: OperatorCall) -> Any:
    """Both flattened to matrices, and the rest of their axes put back."""
    x, y = c[0], c[1]
    m, n = int(c.attribute("x_num_col_dims", 1)), int(c.attribute("y_num_col_dims", 1))
    left = op.reshape(x, [product(x.shape[:m]), product(x.shape[m:])])
    right = op.reshape(y, [product(y.shape[:n]), product(y.shape[n:])])
    return op.reshape(op.matmul(left, right), [*x.shape[:m], *y.shape[n:]])


def _addmm(c: OperatorCall) -> Any:
    beta, alpha = float(c.attribute("beta Beta", 1.0)), float(c.attribute("alpha Alpha", 1.0))
    return c[0] * beta + op.matmul(c[1], c[2]) * alpha


def _channels(p: Any, rank: int, last: bool) -> Any:
    return p if p is None or last else op.reshape(p, [p.shape[0], *[1] * (rank - 2)])


def _batch_norm(c: OperatorCall) -> Any:
    """With the statistics of training: (x - mean) / sqrt(variance + epsilon) * scale + bias."""
    x, mean, variance = c[0], c[1], c[2]
    if not c.attribute("is_test", False) and not c.attribute("use_global_stats", False):
        raise c.refuse("batch normalisation while training")
    form = str(c.attribute("data_format data_layout", "NCHW"))
    last = form in ("NHWC", "NDHWC", "NLC") or x.ndim == 2
    factor = op.rsqrt(variance + float(c.attribute("epsilon", 1e-5)))
    factor = factor * c[3] if c.has(3) else factor
    shift = 0.0 - mean * factor
    shift = shift + c[4] if c.has(4) else shift
    return x * _channels(factor, x.ndim, last) + _channels(shift, x.ndim, last)


def _layer_norm(c: OperatorCall) -> Any:
    x, start = c[0], int(c.attribute("begin_norm_axis", 1))
    shape = list(x.shape[start:])
    weight, bias = (op.reshape(c[k], shape) if c.has(k) else None for k in (1, 2))
    made = op.layer_norm(x, shape, weight, bias, float(c.attribute("epsilon", 1e-5)))
    return (made, *_moments(op.reshape(x, [*x.shape[:start], product(shape)])))


def _moments(parts: Any) -> tuple[Any, Any]:
    """The mean and the variance along the last axis, which normalisations give beside their result."""
    return op.mean(parts, -1), op.var(parts, -1, False)


def _group_norm(c: OperatorCall) -> Any:
    x, groups = c[0], int(c.required("groups"))
    weight, bias = (c[k] if c.has(k) else None for k in (1, 2))
    form = str(c.attribute("data_format data_layout", "NCHW"))
    made = op.group_norm(x, groups, float(c.attribute("epsilon", 1e-5)), weight, bias, form)
    first = x if form.startswith("NC") else op.moveaxis(x, -1, 1)
    return (made, *_moments(op.reshape(first, [x.shape[0], groups, -1])))


def _instance_norm(c: OperatorCall) -> Any:
    weight, bias = (c[k] if c.has(k) else None for k in (1, 2))
    return op.instance_norm(c[0], weight=weight, bias=bias, eps=float(c.attribute("epsilon", 1e-5)))


def _rms_norm(c: OperatorCall) -> Any:
    """x over its root mean square; some programs add a bias and a residual first."""
    x = c[0]
    for k in (1, 2):
        x = x + c[k] if c.has(k) else x
    start = int(c.attribute("begin_norm_axis", -1)) % x.ndim
    square = op.mean(op.square(x), list(range(start, x.ndim)), keepdim=True)
    made = x * op.rsqrt(square + float(c.attribute("epsilon", 1e-6)))
    made = made * c[3] if c.has(3) else made
    return made + c[4] if c.has(4) else made


def _softmax(c: OperatorCall) -> Any:
    return op.softmax(c[0], int(c.attribute("axis", -1)))


def _log_softmax(c: OperatorCall) -> Any:
    return op.log_softmax(c[0], int(c.attribute("axis", -1)))


def _attention(c: OperatorCall) -> Any:
    """softmax(q kᵀ / sqrt(d) + mask) v on [batch, length, heads, d]."""
    q, k, v = (op.transpose(c[j], [0, 2, 1, 3]) for j in range(3))
    scores = op.matmul(q, k, False, True) * float(int(str(q.shape[-1])) ** -0.5)
    if c.has(4):
        scores = scores + c[4]
    if c.attribute("causal", False):
        rows_, columns = (c.reader.builder.constant(d, None) for d in scores.shape[-2:])
        seen = op.unsqueeze(op.arange(columns), 0) <= op.unsqueeze(op.arange(rows_), 1) + (columns - rows_)
        scores = op.where(seen, scores, op.full_like(scores, float("-inf")))
    return op.transpose(op.matmul(op.softmax(scores, -1), v), [0, 2, 1, 3])


# ---- recurrent networks


def _rnn(c: OperatorCall) -> Any:
    """LSTM, GRU or simple cells over [time, batch, n], layer after layer, in one direction or both.

    Results: the outputs, (a mask), and the last states of all layers.
    """
    x, before = c[0], c.several(1)
    weights = c.several(2)
    lengths = op.cast(c[3], dt.int64) if c.has(3) else None
    both, layers = bool(c.attribute("is_bidirec", False)), int(c.attribute("num_layers", 1))
    mode = str(c.attribute("mode", "LSTM"))
    ways = 2 if both else 1
    per = len(weights) // (layers * ways)
    if per not in (2, 4) or mode not in _CELLS:
        raise c.refuse(f"{mode} with {len(weights)} weights")
    cells, biases = weights[: 2 * layers * ways], weights[2 * layers * ways :]
    last: list[list[Any]] = [[] for _ in before]
    for layer in range(layers):
        made = []
        for way in range(ways):
            k = layer * ways + way
            given = cells[2 * k : 2 * k + 2], biases[2 * k : 2 * k + 2] or None
            start = [op.reshape(rows.slice(s, [k, 0, 0], [1, *s.shape[1:]]), s.shape[1:]) for s in before]
            outputs, ends = _direction(c, x, start, given, mode, bool(way), lengths)
            made.append(outputs)
            for kept, end in zip(last, ends, strict=True):
                kept.append(end)
        x = made[0] if len(made) == 1 else op.concat(made, axis=-1)
    states = [op.stack(kept, 0) for kept in last]
    return (x, states, None) if c.reader.model.form == "old" else (x, None, states)


def _direction(
    c: OperatorCall, x: Any, start: list[Any], given: Any, mode: str, backwards: bool, lengths: Any
) -> tuple[Any, list[Any]]:
    """One pass over the time: the outputs and the last states. Behind a sequence's end its state stays, its outputs
    are zeros.
    """
    (w_input, w_state), biases = given
    length = x.shape[0]
    inputs = op.matmul(x, w_input, False, True)
    inputs = inputs if biases is None else inputs + biases[0]
    hidden = None if biases is None else biases[1]
    store = op.zeros([length, *start[0].shape], x.dtype)

    def step(k: Any, state: Any) -> Any:
        kept, *now = state
        place = rows.dim_value(length) - 1 - k if backwards else k
        gates = op.matmul(now[0], w_state, False, True)
        gates = gates if hidden is None else gates + hidden
        after = _CELLS[mode](rows.select(inputs, place, axis=0), gates, now)
        if lengths is not None:
            inside = op.unsqueeze(place < lengths, 1)
            output = op.where(inside, after[0], op.zeros_like(after[0]))
            states = [op.where(inside, new, old) for new, old in zip(after, now, strict=True)]
            return [rows.select_update(kept, output, place, axis=0), *states]
        return [rows.select_update(kept, after[0], place, axis=0), *after]

    made = loop(c, rows.dim_value(length), step, [store, *start])
    return made[0], made[1:]


def _lstm(x: Any, h: Any, state: list[Any]) -> list[Any]:
    i, f, g, o = op.split(x + h, 4, -1)
    cell = op.sigmoid(f) * state[1] + op.sigmoid(i) * op.tanh(g)
    return [op.sigmoid(o) * op.tanh(cell), cell]


def _gru(x: Any, h: Any, state: list[Any]) -> list[Any]:
    (xr, xz, xn), (hr, hz, hn) = op.split(x, 3, -1), op.split(h, 3, -1)
    z = op.sigmoid(xz + hz)
    new = op.tanh(xn + op.sigmoid(xr + hr) * hn)
    return [(state[0] - new) * z + new]


_CELLS: dict[str, Callable[[Any, Any, list[Any]], list[Any]]] = {
    "LSTM": _lstm, "GRU": _gru, "RNN_TANH": lambda x, h, s: [op.tanh(x + h)],
    "RNN_RELU": lambda x, h, s: [op.relu(x + h)],
}  # fmt: skip


ENTRIES: list[Entry] = [
    entry(_addmm, "addmm", None, "Input X Y"),
    entry(_attention, "flash_attn", None, "q k v fixed_seed_offset attn_mask", "out"),
    entry(_batch_norm, "batch_norm sync_batch_norm", None, "X Mean Variance Scale Bias", "Y"),
    entry(lambda c: op.bmm(c[0], c[1]), "bmm", None, "X Y"),
    entry(lambda c: op.sum(c[0] * c[1], -1), "dot", None, "X Y"),
    entry(_group_norm, "group_norm", None, "X Scale Bias", "Y Mean Variance"),
    entry(_instance_norm, "instance_norm", None, "X Scale Bias", "Y"),
    entry(_layer_norm, "layer_norm", None, "X Scale Bias", "Y Mean Variance"),
    entry(_log_softmax, "log_softmax"),
    entry(_matmul, "matmul", "matmul_v2 matmul", "X Y"),
    entry(_mul, "mul", None, "X Y"),
    entry(lambda c: op.mv(c[0], c[1]), "mv", None, "X Vec"),
    entry(_rms_norm, "rms_norm", None, "x bias residual norm_weight norm_bias", "out"),
    entry(_rnn, "rnn", None, "Input PreState* WeightList* SequenceLength", "Out State Reserve"),
    entry(_softmax, "softmax"),
]
