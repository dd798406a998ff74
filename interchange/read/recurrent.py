"""RNN, LSTM and GRU: a program loop over time, both directions, sequences of different lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...base import dtype as dt
from ...ir.core import Block
from ...ops.dims import assume_equal
from ...ops.types import TensorType
from .node import Importer, Node, op, rows

Step = Callable[[Any, tuple[Any, ...]], tuple[Any, ...]]

_ACTIVATIONS: dict[str, Callable[[Any, float, float], Any]] = {
    "affine": lambda x, a, b: x * a + b,
    "elu": lambda x, a, b: op.where(x < 0, (op.exp(x) - 1.0) * a, x),
    "hardsigmoid": lambda x, a, b: op.clip(x * a + b, 0.0, 1.0),
    "leakyrelu": lambda x, a, b: op.where(x < 0, x * a, x),
    "relu": lambda x, a, b: op.relu(x),
    "scaledtanh": lambda x, a, b: op.tanh(x * b) * a,
    "sigmoid": lambda x, a, b: op.sigmoid(x),
    "softplus": lambda x, a, b: op.softplus(x),
    "softsign": lambda x, a, b: op.softsign(x),
    "tanh": lambda x, a, b: op.tanh(x),
    "thresholdedrelu": lambda x, a, b: op.where(x > a, x, 0.0),
}
_DEFAULTS = {"affine": (1.0, 0.0), "elu": (1.0, 0.0), "hardsigmoid": (0.2, 0.5), "leakyrelu": (0.01, 0.0),
             "scaledtanh": (1.0, 1.0), "thresholdedrelu": (1.0, 0.0)}  # fmt: skip


def _functions(n: Node, usual: Sequence[str], direction: int) -> list[Callable[[Any], Any]]:
    names = [a.decode().lower() for a in n.attribute("activations", [])]
    names = names[direction * len(usual) : (direction + 1) * len(usual)] if names else list(usual)
    alphas, betas = list(n.attribute("activation_alpha", [])), list(n.attribute("activation_beta", []))
    made = []
    for k, name in enumerate(names):
        if name not in _ACTIVATIONS:
            raise n.refuse(f"the activation {name!r}")
        a, b = _DEFAULTS.get(name, (0.0, 0.0))
        place = direction * len(usual) + k
        a = float(alphas[place]) if place < len(alphas) else a
        b = float(betas[place]) if place < len(betas) else b
        made.append(_clipped(n, partial(_activate, _ACTIVATIONS[name], a, b)))
    return made


def _activate(function: Callable[[Any, float, float], Any], a: float, b: float, x: Any) -> Any:
    return function(x, a, b)


def _clipped(n: Node, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    bound = n.attribute("clip")
    if bound is None:
        return function
    return lambda x: function(op.clip(x, -float(bound), float(bound)))


def _directions(n: Node) -> list[bool]:
    """For each direction whether it runs backwards."""
    return {b"forward": [False], b"reverse": [True], b"bidirectional": [False, True]}[
        n.attribute("direction", b"forward")
    ]


def _of(value: Any, direction: int) -> Any:
    """The part of a stacked weight or state for one direction."""
    if value is None:
        return None
    starts = [direction, *[0] * (value.ndim - 1)]
    return op.reshape(rows.slice(value, starts, [1, *value.shape[1:]]), list(value.shape[1:]))


def _cut(value: Any, parts: int) -> list[Any]:
    """Equal pieces along the last axis."""
    size = value.shape[-1] // parts
    lead = list(value.shape[:-1])
    return [rows.slice(value, [*[0] * len(lead), k * size], [*lead, size]) for k in range(parts)]


def _recur(n: Node, x: Any, step: Step, states: tuple[Any, ...], lengths: Any, backwards: bool) -> tuple[Any, ...]:
    """`for` over the steps of x [t, b, n]: what each gives [t, b, h], and the last states. Behind the end of a sequence
    the states stay and the output is zero.
    """
    builder, trip_count = n.graph.builder, x.shape[0]
    out = op.zeros([trip_count, *states[0].shape], states[0].dtype)
    body = Block([TensorType(dt.int64, ()), out.type, *(s.type for s in states)])
    with n.graph.model.blocks.inside(body):
        iteration, made, *now = body.args
        at = rows.dim_value(trip_count) - 1 - iteration if backwards else iteration
        following = step(rows.select(x, at, axis=0), tuple(now))
        shown = following[0]
        if lengths is not None:
            live = op.reshape(op.cast(lengths, dt.int64) > at, [lengths.shape[0], 1])
            shown = op.where(live, following[0], op.zeros_like(following[0]))
            following = tuple(op.where(live, a, b) for a, b in zip(following, now, strict=True))
        builder.yield_([rows.select_update(made, shown, at, axis=0), *following])
    return tuple(builder.for_(rows.dim_value(trip_count), [out, *states], body))


def _run(n: Node, usual: Sequence[str], count: int, make: Any) -> Any:
    """All directions of a layer. count: how many states there are; make(n, direction, functions) gives the step."""
    x, lengths = n[0], n.get(4)
    batch_first = bool(n.attribute("layout", 0))
    x = op.transpose(x, [1, 0, 2]) if batch_first else x
    hidden = int(str(n[2].shape[-1]))
    outputs, finals = [], []
    for direction, backwards in enumerate(_directions(n)):
        states = []
        for k in range(count):
            given = n.get(5 + k)
            given = op.transpose(given, [1, 0, 2]) if batch_first and given is not None else given
            state = op.zeros([x.shape[1], hidden], x.dtype)
            if given is not None:
                zero, state = state, _of(given, direction)
                if state.dtype is not zero.dtype or not all(map(assume_equal, state.shape, zero.shape)):
                    raise n.refuse(f"an initial state of {state.type} where {zero.type} is needed")
            states.append(state)
        step = make(n, direction, _functions(n, usual, direction))
        made, *last = _recur(n, x, step, tuple(states), lengths, backwards)
        outputs.append(made)
        finals.append(last)
    y = op.stack(outputs, axis=1)
    lasts = [op.stack([f[k] for f in finals], axis=0) for k in range(count)]
    if batch_first:
        y, lasts = op.transpose(y, [2, 0, 1, 3]), [op.transpose(v, [1, 0, 2]) for v in lasts]
    return (y, *lasts)


def _weights(n: Node, direction: int) -> tuple[Any, Any, Any, Any]:
    """W, R transposed, and the two halves of the bias (None where absent)."""
    w, r, b = (_of(n.get(k), direction) for k in (1, 2, 3))
    halves = _cut(b, 2) if b is not None else [None, None]
    return op.transpose(w, [1, 0]), op.transpose(r, [1, 0]), halves[0], halves[1]


def _plus(x: Any, bias: Any) -> Any:
    return x if bias is None else x + bias


def _rnn_step(n: Node, direction: int, functions: list[Callable[[Any], Any]]) -> Step:
    w, r, wb, rb = _weights(n, direction)

    def step(x: Any, states: tuple[Any, ...]) -> tuple[Any, ...]:
        return (functions[0](_plus(_plus(op.matmul(x, w), wb) + op.matmul(states[0], r), rb)),)

    return step


def _gru_step(n: Node, direction: int, functions: list[Callable[[Any], Any]]) -> Step:
    w, r, wb, rb = _weights(n, direction)
    before = bool(n.attribute("linear_before_reset", 0))
    _, _, r_hidden = _cut(r, 3)
    hidden_bias = None if rb is None else _cut(rb, 3)[2]
    gate, candidate = functions

    def step(x: Any, states: tuple[Any, ...]) -> tuple[Any, ...]:
        (h,) = states
        from_x = _cut(_plus(op.matmul(x, w), wb), 3)
        from_h = _cut(_plus(op.matmul(h, r), rb), 3)
        z, reset = gate(from_x[0] + from_h[0]), gate(from_x[1] + from_h[1])
        if before:
            rest = reset * from_h[2]
        else:
            rest = _plus(op.matmul(reset * h, r_hidden), hidden_bias)
        new = candidate(from_x[2] + rest)
        return ((1.0 - z) * new + z * h,)

    return step


def _lstm_step(n: Node, direction: int, functions: list[Callable[[Any], Any]]) -> Step:
    w, r, wb, rb = _weights(n, direction)
    peephole = _of(n.get(7), direction)
    peeks = _cut(peephole, 3) if peephole is not None else None
    gate, candidate, shown = functions
    coupled = bool(n.attribute("input_forget", 0))

    def step(x: Any, states: tuple[Any, ...]) -> tuple[Any, ...]:
        h, c = states
        i, o, f, g = _cut(_plus(_plus(op.matmul(x, w), wb) + op.matmul(h, r), rb), 4)
        if peeks is not None:
            i, f = i + peeks[0] * c, f + peeks[2] * c
        i = gate(i)
        f = 1.0 - i if coupled else gate(f)
        c = f * c + i * candidate(g)
        o = gate(o if peeks is None else o + peeks[1] * c)
        return o * shown(c), c

    return step


ROWS: dict[str, Importer] = {
    "GRU": lambda n: _run(n, ("sigmoid", "tanh"), 1, _gru_step),
    "LSTM": lambda n: _run(n, ("sigmoid", "tanh", "tanh"), 2, _lstm_step),
    "RNN": lambda n: _run(n, ("tanh",), 1, _rnn_step),
}
