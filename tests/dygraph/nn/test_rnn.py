"""Cells, recurrent networks, attention and the transformer encoder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import ShapeError
from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor

from .support import check_gradients, rand, tensor
from .test_activation import sigmoid, softmax


def parts(cell: Any, suffix: str = "") -> list[Any]:
    return [getattr(cell, f"{n}{suffix}").numpy() for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]


def numpy_step(kind: str, x: Any, state: Any, weights: list[Any]) -> Any:
    wi, wh, bi, bh = weights
    if kind == "LSTM":
        h, c = state
        i, f, g, o = np.split(x @ wi.T + bi + h @ wh.T + bh, 4, 1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        return sigmoid(o) * np.tanh(c), c
    a, b = x @ wi.T + bi, state @ wh.T + bh
    if kind == "SimpleRNN":
        return np.tanh(a + b)
    (r, z, c), (r2, z2, c2) = np.split(a, 3, 1), np.split(b, 3, 1)
    z = sigmoid(z + z2)
    c = np.tanh(c + sigmoid(r + r2) * c2)
    return z * state + (1 - z) * c


@pytest.mark.parametrize("kind", ["SimpleRNN", "LSTM", "GRU"])
def test_cells(kind: str) -> None:
    cell = getattr(nn, f"{kind}Cell")(3, 4).astype("float64")
    x, h, c = rand(2, 3), rand(2, 4, seed=1), rand(2, 4, seed=2)
    lstm = kind == "LSTM"
    out, state = cell(tensor(x), (tensor(h), tensor(c)) if lstm else tensor(h))
    wanted = numpy_step(kind, x, (h, c) if lstm else h, parts(cell))
    np.testing.assert_allclose(out.numpy(), wanted[0] if lstm else wanted, rtol=1e-9)
    if lstm:
        np.testing.assert_allclose(state[1].numpy(), wanted[1], rtol=1e-9)
    check_gradients(cell, x)


@pytest.mark.parametrize("kind", ["SimpleRNN", "LSTM", "GRU"])
def test_networks_over_time(kind: str) -> None:
    net = getattr(nn, kind)(3, 4, num_layers=2, direction="bidirect").astype("float64")
    x = rand(2, 5, 3)
    lstm = kind == "LSTM"
    layer_input = x
    last = []
    for layer in range(2):
        outs = []
        for suffix, times in (("", range(5)), ("_reverse", range(4, -1, -1))):
            state: Any = (np.zeros((2, 4)),) * 2 if lstm else np.zeros((2, 4))
            out = np.zeros((2, 5, 4))
            for t in times:
                state = numpy_step(kind, layer_input[:, t], state, parts(net, f"_l{layer}{suffix}"))
                out[:, t] = state[0] if lstm else state
            outs.append(out)
            last.append(state[0] if lstm else state)
        layer_input = np.concatenate(outs, 2)
    y, final = net(tensor(x))
    np.testing.assert_allclose(y.numpy(), layer_input, rtol=1e-9)
    np.testing.assert_allclose((final[0] if lstm else final).numpy(), np.stack(last), rtol=1e-9)
    major = getattr(nn, kind)(3, 4, num_layers=2, direction="bidirect", time_major=True).astype("float64")
    major.set_state_dict(net.state_dict())
    np.testing.assert_allclose(
        major(tensor(x.transpose(1, 0, 2)))[0].numpy(), layer_input.transpose(1, 0, 2), rtol=1e-9
    )


def test_gradients_through_time() -> None:
    check_gradients(nn.GRU(2, 2, direction="bidirect"), rand(1, 3, 2))
    check_gradients(nn.LSTM(2, 2, num_layers=2), rand(1, 3, 2))


def test_sequence_length_stops_a_sequence() -> None:
    net = nn.LSTM(2, 3, direction="bidirect").astype("float64")
    x = rand(2, 4, 2)
    y, (h, _) = net(tensor(x), sequence_length=to_tensor([2, 4]))
    short, (h2, _) = net(tensor(x[:1, :2]))
    np.testing.assert_allclose(y.numpy()[0, :2], short.numpy()[0], rtol=1e-9)
    assert not y.numpy()[0, 2:].any()
    np.testing.assert_allclose(h.numpy()[:, 0], h2.numpy()[:, 0], rtol=1e-9)


def test_rnn_of_a_cell() -> None:
    cell = nn.GRUCell(3, 4)
    net = nn.RNN(cell, is_reverse=True)
    x = tensor(rand(2, 3, 3), "float32")
    y, state = net(x)
    wanted: Any = None
    for t in (2, 1, 0):
        _, wanted = cell(x[:, t], wanted)
    np.testing.assert_allclose(state.numpy(), wanted.numpy(), rtol=1e-5)
    np.testing.assert_allclose(y[:, 0].numpy(), wanted.numpy(), rtol=1e-5)
    with pytest.raises(ShapeError, match="needs initial states"):
        nn.GRU(3, 4)(x, tensor(rand(2, 2, 4), "float32"))
    with pytest.raises(ShapeError, match=r"needs \[n, time, in\]"):
        nn.GRU(3, 4)(x[0])
    with pytest.raises(ShapeError, match="takes inputs"):
        nn.GRU(5, 4)(x)


def numpy_attention(layer: Any, q: Any, kv: Any, mask: Any = None) -> tuple[Any, Any]:
    def project(linear: Any, x: Any) -> Any:
        y = x @ linear.weight.numpy() + linear.bias.numpy()
        return y.reshape(*x.shape[:2], layer.num_heads, -1).transpose(0, 2, 1, 3)

    a, b, c = project(layer.q_proj, q), project(layer.k_proj, kv), project(layer.v_proj, kv)
    scores = a @ b.transpose(0, 1, 3, 2) / np.sqrt(a.shape[-1])
    weights = softmax(scores if mask is None else scores + mask)
    y = (weights @ c).transpose(0, 2, 1, 3).reshape(*q.shape[:2], -1)
    return y @ layer.out_proj.weight.numpy() + layer.out_proj.bias.numpy(), weights


def test_multi_head_attention() -> None:
    layer = nn.MultiHeadAttention(8, 2, kdim=6, vdim=6).astype("float64")
    q, kv, mask = rand(2, 3, 8), rand(2, 5, 6, seed=1), rand(3, 5, seed=2)
    got = layer(tensor(q), tensor(kv), tensor(kv), tensor(mask))
    np.testing.assert_allclose(got.numpy(), numpy_attention(layer, q, kv, mask)[0], rtol=1e-9)
    layer.need_weights = True
    got, weights = layer(tensor(q), tensor(kv), tensor(kv))
    wanted = numpy_attention(layer, q, kv)
    np.testing.assert_allclose(got.numpy(), wanted[0], rtol=1e-9)
    np.testing.assert_allclose(weights.numpy(), wanted[1], rtol=1e-9)
    check_gradients(nn.MultiHeadAttention(4, 2), rand(1, 3, 4))


def test_attention_step_by_step_with_a_cache() -> None:
    layer = nn.MultiHeadAttention(4, 2).astype("float64")
    x = rand(1, 3, 4)
    cache = layer.gen_cache(tensor(x))
    outs = []
    for t in range(3):
        out, cache = layer(tensor(x[:, t : t + 1]), cache=cache)
        outs.append(out.numpy())
    causal = np.where(np.tri(3, dtype=bool), 0.0, -np.inf)
    np.testing.assert_allclose(np.concatenate(outs, 1), numpy_attention(layer, x, x, causal)[0], rtol=1e-9)


@pytest.mark.parametrize("before", [False, True])
def test_transformer_encoder(before: bool) -> None:
    made = nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, activation="gelu", normalize_before=before)
    net = nn.TransformerEncoder(made, 2, nn.LayerNorm(4))
    assert net.layers[0] is made
    assert (net.layers[1].linear1.weight.numpy() != made.linear1.weight.numpy()).any()
    assert len(net.parameters()) == 2 * 16 + 2
    check_gradients(net, rand(1, 3, 4), tolerance=2e-5)


@pytest.mark.parametrize("direction", ["forward", "bidirect"])
def test_lstm_with_a_projection_against_torch(direction: str) -> None:
    torch = pytest.importorskip("torch")
    layer = nn.LSTM(3, 5, 2, direction, proj_size=2).astype("float64")
    ref = torch.nn.LSTM(3, 5, 2, bidirectional=direction != "forward", batch_first=True, proj_size=2).double()
    for name, p in layer.named_parameters():
        other = getattr(ref, name.replace("weight_ho", "weight_hr"))
        p.set_value(other.detach().numpy().T if "weight_ho" in name else other.detach().numpy())
    x = rand(2, 4, 3)
    y, (h, c) = layer(tensor(x))
    wanted, (hidden, cell) = ref(torch.tensor(x))
    for found, expected in ((y, wanted), (h, hidden), (c, cell)):
        np.testing.assert_allclose(found.numpy(), expected.detach().numpy(), rtol=1e-9)
    check_gradients(nn.LSTMCell(3, 5, proj_size=2), rand(2, 3))
    assert nn.LSTMCell(3, 5, proj_size=2).state_shape == ((2,), (5,))
    with pytest.raises(ValueError, match="proj_size"):
        nn.LSTM(3, 5, proj_size=5)


def test_initial_states_of_cells() -> None:
    cell = nn.GRUCell(3, 4)
    batch = tensor(rand(5, 2, 3), "float32")
    assert cell.state_shape == (4,)
    states = cell.get_initial_states(batch, init_value=2.0, batch_dim_idx=1)
    assert states.shape == [2, 4]
    assert (states.numpy() == 2.0).all()
    first, second = cell.get_initial_states(batch, shape=[(3,), [-1, 6]], dtype="float64")
    assert (first.shape, second.shape) == ([5, 3], [5, 6])
