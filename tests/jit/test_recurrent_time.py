"""Recurrent layers over a number of times that only the run knows: a loop of the program, with gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn, static
from vitrify.static import InputSpec


class Leaky(nn.RNNCellBase):
    """A cell with outputs of their own structure, two states, and a test of its values."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.hidden = nn.Linear(3, 4), nn.Linear(4, 4)

    @property
    def state_shape(self) -> Any:
        """Two states."""
        return ((4,), (4,))

    def forward(self, x: Any, states: Any, scale: float = 1.0) -> Any:
        """One step."""
        h, count = states
        new = vt.tanh(self.inner(x) + self.hidden(h)) * scale
        new = 0.5 * new if bool(new.sum() > 0) else new
        return {"wide": new.reshape([new.shape[0], 2, 2]), "sum": new + count}, (new, count + 1)


NETS = {
    "plain": lambda: nn.SimpleRNN(3, 4),
    "two layers, both ways": lambda: nn.LSTM(3, 4, num_layers=2, direction="bidirect"),
    "projection": lambda: nn.LSTM(3, 4, proj_size=2),
    "time first": lambda: nn.GRU(3, 4, time_major=True),
    "own cell": lambda: nn.RNN(Leaky()),
    "own cell, backwards": lambda: nn.RNN(Leaky(), is_reverse=True),
    "two cells": lambda: nn.BiRNN(nn.GRUCell(3, 4), nn.GRUCell(3, 4)),
}


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = tuple(value.values())
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, tuple) else [value]


def results(net: Any, x: Any, lengths: Any) -> list[Any]:
    """Outputs, last states, and all gradients of a loss over them."""
    given = vt.to_tensor(x, stop_gradient=False)
    made = leaves(net(given) if lengths is None else net(given, None, vt.to_tensor(lengths)))
    loss = sum((k + 1.0) * (y * y).sum() for k, y in enumerate(made))
    loss.backward()
    found = [y.numpy() for y in made] + [given.grad.numpy()] + [p.grad.numpy() for p in net.parameters()]
    net.clear_gradients()
    return found


@pytest.mark.parametrize(
    ("kind", "lengths"), [*((kind, None) for kind in NETS), ("two layers, both ways", [3, 5]), ("own cell", [3, 5])]
)
def test_compiled_over_an_open_time_is_eager(kind: str, lengths: Any) -> None:
    vt.seed(0)
    net = NETS[kind]()
    shape = (5, 2, 3) if kind == "time first" else (2, 5, 3)
    x = np.random.default_rng(0).standard_normal(shape).astype("float32")
    wanted = results(net, x, lengths)
    spec = [InputSpec([None, None, 3])] + ([] if lengths is None else [None, InputSpec([None], "int64")])
    compiled = vt.jit.to_static(net, input_spec=spec)
    for a, b in zip(results(compiled, x, lengths), wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5)  # gradients are as large as 40
    assert net.forward.get_traced_count() == 1


def test_other_numbers_of_times_share_the_program() -> None:
    net = nn.GRU(3, 4)
    compiled = vt.jit.to_static(lambda x: net(x)[0], input_spec=[InputSpec([None, None, 3])])
    for shape in [(2, 5, 3), (1, 1, 3), (3, 9, 3)]:
        x = vt.rand(shape)
        np.testing.assert_allclose(compiled(x).numpy(), net(x)[0].numpy(), rtol=2e-5, atol=2e-6)
    assert compiled.get_traced_count() == 1


def test_keyword_arguments_go_to_the_cell() -> None:
    runner = nn.RNN(Leaky())
    x = vt.rand([2, 3, 3])
    once, twice = runner(x, scale=1.0)[0]["sum"], runner(x, scale=2.0)[0]["sum"]
    assert once.shape == twice.shape == [2, 3, 4]
    assert not np.allclose(once.numpy(), twice.numpy())


def test_a_cell_without_the_shape_of_its_states() -> None:
    class Bare(nn.RNNCellBase):
        def forward(self, x: Any, states: Any) -> Any:
            return x, states

    with pytest.raises(NotImplementedError, match="Bare has no state_shape"):
        nn.RNN(Bare())(vt.rand([2, 3, 3]))


def test_static_programs_train_over_an_open_time() -> None:
    vt.seed(0)  # from other weights the loss swings about where it ends
    vt.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            x, lengths = static.data("x", [-1, -1, 3]), static.data("lengths", [-1], "int64")
            h0 = static.data("h0", [1, -1, 4])
            net = nn.GRU(3, 4)
            y, _ = net(x, h0, lengths)
            mask = nn.functional.sequence_mask(lengths, dtype="float32")
            loss = (y.sum(axis=-1) * mask - mask).abs().sum()
            vt.optimizer.SGD(0.01).minimize(loss)
        runner = static.Executor()
        runner.run(startup)
        feed = {"x": np.ones((2, 6, 3), "float32"), "lengths": np.array([6, 4]), "h0": np.zeros((1, 2, 4), "float32")}
        losses = [float(runner.run(main, feed=feed, fetch_list=[loss])[0]) for _ in range(6)]
        assert losses[-1] < losses[0]
        shown = runner.run(main, feed=feed, fetch_list=[y])[0]
        assert shown.shape == (2, 6, 4) and not shown[1, 4:].any() and shown[1, :4].any()
    finally:
        vt.disable_static()
