"""Python state that a user's cell changes at each step, where a recurrent layer or a decoding is a loop of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.nn.decode import Decoder

Jit = Callable[[Any], Any]
TIMES = (3, 3, 5, 4)


def as_is(f: Any) -> Any:
    return f


class Counted(nn.RNNCellBase):
    """Attributes, items of a dict, and conditions on them."""

    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Linear(2, 2)
        self.steps, self.scale, self.seen = 0, 1.0, {"odd": 0, "last": -1}

    @property
    def state_shape(self) -> Any:
        return (2,)

    def counts(self) -> Any:
        """What the steps have changed."""
        return self.steps, round(self.scale, 4), dict(self.seen)

    def forward(self, x: Any, h: Any) -> Any:
        """One step: its output tells which it is."""
        self.steps += 1
        self.scale *= 0.9
        if self.steps % 2:
            self.seen["odd"] += 1
        self.seen["last"] = self.steps
        h = vt.tanh(self.w(x) + h * self.scale)
        return (h * self.steps if self.steps % 3 else h - self.seen["odd"]), h


class Listed(Counted):
    """Numbers in a list of known length, and in an object of the user's."""

    def __init__(self) -> None:
        super().__init__()
        self.recent, self.helper = [0, 0, 0], Helper()

    def counts(self) -> Any:
        return super().counts(), list(self.recent), self.helper.calls

    def forward(self, x: Any, h: Any) -> Any:
        self.recent[0], self.recent[1] = self.recent[1] + 1, self.recent[0]
        return super().forward(self.helper.scaled(x) + self.recent[0], h)


class Helper:
    def __init__(self) -> None:
        self.calls = 0

    def scaled(self, x: Any) -> Any:
        self.calls += 1
        return x / self.calls


NETS: dict[str, Callable[[Any], Any]] = {
    "forward": lambda cell: nn.RNN(cell()),
    "reversed": lambda cell: nn.RNN(cell(), is_reverse=True),
    "time first": lambda cell: nn.RNN(cell(), time_major=True),
    "two cells": lambda cell: nn.BiRNN(cell(), cell()),
    "two cells, time first": lambda cell: nn.BiRNN(cell(), cell(), time_major=True),
}


def run(jit: Jit, net: str, kind: Any, evaluation: bool, lengths: bool) -> Any:
    vt.seed(0)
    rnn = NETS[net](kind)
    if evaluation:
        rnn.eval()
    f, found, counts = jit(rnn.forward), [], []
    cells = [x for x in rnn.sublayers() if isinstance(x, Counted)]
    for t in TIMES:
        x = np.random.default_rng(t).standard_normal([t, t, 2]).astype("float32")[:, :2]
        x = x if "first" in net else x.transpose(1, 0, 2)
        outputs, _ = f(vt.to_tensor(x), None, vt.to_tensor([t, t - 1])) if lengths else f(vt.to_tensor(x))
        found.append(outputs.numpy())
        counts.append([cell.counts() for cell in cells])
    return found, counts


@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("kind", [Counted, Listed])
@pytest.mark.parametrize("lengths", [False, True])
def test_counts_and_results_are_those_of_eager_mode(net: str, kind: Any, lengths: bool) -> None:
    evaluation = kind is Listed
    wanted, counted = run(as_is, net, kind, evaluation, lengths)
    found, counts = run(vt.to_static, net, kind, evaluation, lengths)
    assert counts == counted
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_the_count_is_that_of_the_steps() -> None:
    _, counts = run(vt.to_static, "forward", Counted, False, False)
    assert [each[0][0] for each in counts] == [3, 6, 11, 15]


def test_state_of_a_cell_behind_gradients() -> None:
    def results(jit: Jit) -> Any:
        vt.seed(0)
        rnn = nn.RNN(Counted())
        f, found = jit(rnn.forward), []
        for t in TIMES:
            (f(vt.ones([2, t, 2]))[0] ** 2).sum().backward()
            found.append([p.grad.numpy() for p in rnn.parameters()])
            rnn.clear_gradients()
        return found

    for a, b in zip(results(vt.to_static), results(as_is), strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)


class Logging(Counted):
    """Appends numbers, the first of them to a list that is empty."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[int] = []

    def forward(self, x: Any, h: Any) -> Any:
        self.log.append(self.steps)
        out, h = super().forward(x, h)
        return out * len(self.log), h


@pytest.mark.parametrize("settings", [{}, {"is_reverse": True}, {"time_major": True}])
def test_numbers_that_a_cell_appends(settings: Any) -> None:
    def results(jit: Jit) -> Any:
        vt.seed(0)
        cell = Logging()
        f, found, logs = jit(nn.RNN(cell, **settings).forward), [], []
        for t in TIMES:
            found.append(f(vt.ones([t, 2, 2] if "time_major" in settings else [2, t, 2]))[0].numpy())
            logs.append(list(cell.log))
        return found, logs

    (found, logs), (wanted, kept) = results(vt.to_static), results(as_is)
    assert logs == kept
    assert kept[-1] == list(range(15))
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


# ---- decoding


class Decoding(nn.GRUCell):
    """Counts its steps, and gives outputs that depend on it."""

    def __init__(self) -> None:
        super().__init__(4, 4)
        self.n, self.seen = 0, {"even": 0}

    def forward(self, x: Any, s: Any = None) -> Any:
        self.n += 1
        if self.n % 2 == 0:
            self.seen["even"] += 1
        h, s = super().forward(x, s)
        return h * self.n, s


def beams(jit: Jit, most: int, calls: int) -> Any:
    vt.seed(0)
    cell, embedding, output = Decoding(), nn.Embedding(6, 4), nn.Linear(4, 6)
    drawn = {"calls": 0}

    def scores(h: Any) -> Any:
        drawn["calls"] += 1
        return output(h)

    decoder = nn.BeamSearchDecoder(cell, 0, 1, 2, embedding_fn=embedding, output_fn=scores)
    f, found = jit(lambda h: nn.dynamic_decode(decoder, inits=h, max_step_num=most)[0]), []
    with vt.no_grad():
        for k in range(calls):
            ids = f(vt.full([2, 4], 0.5 * k))
            found.append((ids.tolist(), cell.n, dict(cell.seen), dict(drawn)))
    return found


@pytest.mark.parametrize("most", [0, 1, 6])
def test_a_beam_search_counts_its_steps(most: int) -> None:
    assert beams(vt.to_static, most, 3) == beams(as_is, most, 3)


class Greedy(Decoder):
    """A decoder of the user's that has state itself."""

    def __init__(self, last: int) -> None:
        self.calls, self.last = 0, last

    def initialize(self, inits: Any) -> Any:
        return inits, inits, vt.zeros([inits.shape[0]], "bool")

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> Any:
        self.calls += 1
        kwargs["log"]["steps"] += 2
        new = states + inputs * self.calls
        return new, new, inputs * 0.5, time >= vt.full([inputs.shape[0]], self.last, "int64")

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> Any:
        return outputs, final_states


@pytest.mark.parametrize("last", [0, 1, 4])
def test_a_decoder_with_state(last: int) -> None:
    def results(jit: Jit) -> Any:
        decoder, log, found = Greedy(last), {"steps": 0}, []
        f = jit(lambda x: nn.dynamic_decode(decoder, inits=x, max_step_num=9, log=log)[0])
        for k in range(3):
            found.append((f(vt.full([2, 3], 1.0 + k)).tolist(), decoder.calls, dict(log)))
        return found

    assert results(vt.to_static) == results(as_is)
