"""Decoding step by step: beam search against its definition, decoders of users, lengths, and misuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, KindError, MissingError
from vitrify.nn.decode import Decoder

RUNS: dict[str, Callable[[Callable[[], Any]], Callable[[], Any]]] = {
    "eager": lambda fn: fn,
    "interpreted": lambda fn: vt.to_static(fn, numerics="reference"),
    "compiled": vt.to_static,
}
VOCABULARY, BEAMS, BATCH, END = 7, 3, 4, 1


class Cell(vt.nn.Layer):
    """The next state is a mixture of state and input."""

    def __init__(self, random: Any) -> None:
        super().__init__()
        self.weight = vt.to_tensor(random.standard_normal((11, 6)).astype("float32"))

    def forward(self, inputs: Any, states: Any) -> Any:
        state = vt.tanh(vt.matmul(vt.concat([inputs, states], 1), self.weight))
        return state, state


def parts(seed: int) -> tuple[Any, Any, Any, Any]:
    random = np.random.default_rng(seed)
    table = vt.to_tensor(random.standard_normal((VOCABULARY, 5)).astype("float32") * 2)
    last = vt.to_tensor(random.standard_normal((6, VOCABULARY)).astype("float32") * 2)
    first = vt.to_tensor(random.standard_normal((BATCH, 6)).astype("float32"))
    return Cell(random), table, last, first


def searched(seed: int, steps: int) -> tuple[Any, Any, Any]:
    """Tokens [batch, time, beam], log probabilities and lengths, one prefix after the other."""
    cell, table, last, first = (x if isinstance(x, Cell) else x.numpy() for x in parts(seed))
    weight = cell.weight.numpy()
    kept = [[([], 0.0 if k == 0 else -1e9, row, False, 0) for k in range(BEAMS)] for row in first]
    for _ in range(steps):
        if all(beam[3] for beams in kept for beam in beams):
            break
        for n, beams in enumerate(kept):
            new = []
            for tokens, score, state, ended, length in beams:
                inputs = table[tokens[-1] if tokens else 0]
                state = np.tanh(np.concatenate([inputs, state]) @ weight)
                logits = state @ last
                logs = logits - logits.max() - np.log(np.exp(logits - logits.max()).sum())
                for token in range(VOCABULARY):
                    gain = (0.0 if token == END else -1e9) if ended else logs[token]
                    new.append(([*tokens, token], score + gain, state, ended or token == END, length + (not ended)))
            kept[n] = sorted(new, key=lambda beam: -beam[1])[:BEAMS]
    tokens = np.array([[beam[0] for beam in beams] for beams in kept]).transpose(0, 2, 1)
    return (
        tokens,
        np.array([[b[1] for b in beams] for beams in kept]),
        np.array([[b[4] for b in beams] for beams in kept]),
    )


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(("seed", "most"), [(1, 0), (1, 5), (2, 5), (3, 40)])
def test_beam_search(run: str, seed: int, most: int) -> None:
    cell, table, last, first = parts(seed)
    decoder = vt.nn.BeamSearchDecoder(
        cell, 0, END, BEAMS, lambda ids: vt.nn.functional.embedding(ids, table), lambda x: vt.matmul(x, last)
    )
    tokens, scores, lengths = searched(seed, most + 1)
    decode = RUNS[run](lambda: vt.nn.dynamic_decode(decoder, first, max_step_num=most, return_length=True))
    for _ in range(2):
        ids, states, counted = decode()
        np.testing.assert_array_equal(ids.numpy(), tokens)
        np.testing.assert_array_equal(counted.numpy(), lengths)
        np.testing.assert_allclose(states.log_probs.numpy(), scores, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(states.finished.numpy(), (tokens == END).any(1))


def test_time_first_and_without_lengths() -> None:
    cell, table, last, first = parts(1)
    decoder = vt.nn.BeamSearchDecoder(
        cell, 0, END, BEAMS, lambda ids: vt.nn.functional.embedding(ids, table), lambda x: vt.matmul(x, last)
    )
    rows, _ = vt.nn.dynamic_decode(decoder, first, max_step_num=3)
    times, _ = vt.nn.dynamic_decode(decoder, first, max_step_num=3, output_time_major=True, is_test=True)
    np.testing.assert_array_equal(times.numpy(), rows.numpy().transpose(1, 0, 2))


class Counting(Decoder):
    """Adds its inputs up until a sum is above 6."""

    def initialize(self, inits: Any) -> Any:
        return inits, inits * 0, vt.full([inits.shape[0]], False, "bool")

    def step(self, time: Any, inputs: Any, states: Any, factor: float = 1.0) -> Any:
        states = states + inputs * factor
        return {"sum": states, "time": time.expand([inputs.shape[0]])}, states, inputs + 1, states[:, 0] > 6


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("impute", [False, True])
def test_a_decoder_of_the_user(run: str, impute: bool) -> None:
    x = vt.to_tensor(np.arange(6, dtype="float32").reshape(3, 2))

    def decode() -> Any:
        return vt.nn.dynamic_decode(Counting(), x, impute_finished=impute, return_length=True, factor=2.0)

    decoded = RUNS[run](decode)
    for _ in range(2):
        outputs, states, lengths = decoded()
        assert lengths.tolist() == [3, 1, 0]  # steps after which a sequence goes on
        assert outputs["time"].tolist() == [[0, 1, 2, 3]] * 3
        sums = np.cumsum(2 * (x.numpy()[:, None] + np.arange(4)[None, :, None]), axis=1)
        if impute:  # states stay, the outputs of a step are what the step made
            for n, last in enumerate([3, 1, 0]):
                np.testing.assert_allclose(states.numpy()[n], sums[n, last - 1] if last else [0, 0])
        else:
            np.testing.assert_allclose(states.numpy(), sums[:, -1])
            np.testing.assert_allclose(outputs["sum"].numpy(), sums)


@pytest.mark.parametrize("run", RUNS)
def test_a_decoder_needs_no_base_class(run: str) -> None:
    class Alone:
        initialize, step = Counting.initialize, Counting.step

        def finalize(self, outputs: Any, states: Any, lengths: Any) -> Any:
            return outputs["sum"], states + 1

    class Endless:
        initialize, step = Counting.initialize, Counting.step

    x = vt.to_tensor([[0.5, 1.0], [1.0, 2.0]])
    whole, last = RUNS[run](lambda: vt.nn.dynamic_decode(Counting(), x))()
    sums, after = RUNS[run](lambda: vt.nn.dynamic_decode(Alone(), x))()
    assert sums.tolist() == whole["sum"].tolist()
    assert after.tolist() == (last + 1).tolist()
    assert RUNS[run](lambda: vt.nn.dynamic_decode(Endless(), x))()[0]["sum"].tolist() == sums.tolist()


@pytest.mark.parametrize("run", RUNS)
def test_gradients_go_through_the_steps(run: str) -> None:
    def loss_of(x: Any) -> Any:
        outputs, _ = vt.nn.dynamic_decode(Counting(), x, max_step_num=2)
        return (outputs["sum"] ** 2).sum()

    x = vt.to_tensor([[0.5, 1.0], [1.0, 2.0]], stop_gradient=False)
    decoded = vt.to_static(loss_of, numerics="reference") if run == "interpreted" else loss_of
    decoded = vt.to_static(loss_of) if run == "compiled" else decoded
    decoded(x).backward()
    # sums are x, 2x + 1, 3x + 3
    value = x.numpy()
    np.testing.assert_allclose(x.grad.numpy(), 2 * value + 4 * (2 * value + 1) + 6 * (3 * value + 3), rtol=1e-5)


def test_rows_are_repeated_for_beams() -> None:
    x = vt.to_tensor([[1, 2], [3, 4]])
    tiled = vt.nn.BeamSearchDecoder.tile_beam_merge_with_batch(x, 2)
    assert tiled.tolist() == [[1, 2], [1, 2], [3, 4], [3, 4]]


def test_misuse() -> None:
    with pytest.raises(MissingError, match="'int' object has no attribute 'initialize'") as e:
        vt.nn.dynamic_decode(3)
    assert "test_decoding.py" in str(e.value)
    with pytest.raises(ArgumentError, match="beam_size must be at least 1, got 0"):
        vt.nn.BeamSearchDecoder(vt.nn.GRUCell(2, 2), 0, 1, 0)
    with pytest.raises(KindError, match="cell must be callable"):
        vt.nn.BeamSearchDecoder(None, 0, 1, 2)

    class Ended(Counting):
        def initialize(self, inits: Any) -> Any:
            return inits, inits, vt.full([inits.shape[0]], True, "bool")

    with pytest.raises(ArgumentError, match="ended before the first step"):
        vt.nn.dynamic_decode(Ended(), vt.ones([2, 2]))
