"""Attributes set after construction act, in eager mode and in compiled functions; checkpoints of earlier releases load."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

IMAGE = np.arange(36, dtype="float32").reshape(1, 1, 6, 6) / 36


def image() -> Any:
    return vt.to_tensor(IMAGE)


def test_batch_norms_epsilon_and_momentum_act() -> None:
    layer = nn.BatchNorm2D(1).eval()
    layer._variance.set_value(vt.to_tensor([1e-3]))
    before = float(layer(image()).max())
    layer._epsilon = 1e-3
    assert float(layer(image()).max()) == pytest.approx(before * (1.01e-3 / 2e-3) ** 0.5)
    layer.train()
    layer._momentum = 0.5
    layer(image())
    assert float(layer._mean) == pytest.approx(IMAGE.mean() / 2)


def test_convolutions_stride_and_padding_act() -> None:
    layer = nn.Conv2D(1, 1, 3, stride=2)
    layer._stride = [1, 1]
    assert layer(image()).shape == [1, 1, 4, 4]
    layer._updated_padding = [1, 1]
    assert layer(image()).shape == [1, 1, 6, 6]
    layer._padding_algorithm = "VALID"
    assert layer(image()).shape == [1, 1, 4, 4]


def test_the_names_of_earlier_releases_are_the_same_attributes() -> None:
    layer = nn.Conv2D(1, 1, 3)
    layer.stride, layer.padding = [2, 2], 1
    assert (layer._stride, layer._updated_padding) == ([2, 2], [1, 1])
    assert layer(image()).shape == [1, 1, 3, 3]
    norm = nn.LayerNorm(3)
    norm._epsilon = 0.5
    assert norm.epsilon == 0.5
    assert nn.MaxPool2D(2).kernel_size == nn.MaxPool2D(2).ksize == 2


def test_embeddings_padding_acts() -> None:
    layer = nn.Embedding(4, 2)
    layer._padding_idx = 0
    assert layer(vt.to_tensor([0])).tolist() == [[0.0, 0.0]]


def test_layer_norms_epsilon_acts() -> None:
    layer = nn.LayerNorm(3)
    layer._epsilon = 1e-12
    np.testing.assert_allclose(layer(vt.to_tensor([[1e-3, 2e-3, 4e-3]])), [[-1.069045, -0.267261, 1.336306]], rtol=1e-4)


class Derived(nn.Conv2D):
    """A user's own layer over a library layer, whose attributes only the library's code reads."""

    def forward(self, x: Any) -> Any:
        return super().forward(x) * 2.0


@pytest.mark.parametrize("kind", [nn.Conv2D, Derived])
def test_a_compiled_layer_sees_a_list_that_was_replaced(kind: Any) -> None:
    layer = kind(1, 1, 3)
    run = vt.jit.to_static(layer)
    assert run(image()).shape == [1, 1, 4, 4]
    layer._stride = [2, 2]
    assert run(image()).shape == [1, 1, 2, 2]
    layer._updated_padding = [1, 1]
    np.testing.assert_allclose(run(image()), layer.forward(image()), rtol=1e-5)


def test_a_compiled_function_sees_attributes_of_a_layer_inside() -> None:
    model = nn.Sequential(nn.BatchNorm2D(1), nn.LeakyReLU())
    run = vt.jit.to_static(model.eval())
    before = run(image() - 0.5).numpy()
    model[1]._negative_slope = 0.5
    model[0]._epsilon = 3.0
    after = run(image() - 0.5).numpy()
    np.testing.assert_allclose(after, np.where(before > 0, before, before * 50) / 2, rtol=1e-4)


@pytest.mark.parametrize("compiled", [False, True])
def test_one_element_per_channel_is_left_as_it_is_by_batch_norm(compiled: bool) -> None:
    layer = nn.BatchNorm1D(2)
    run = vt.jit.to_static(layer) if compiled else layer
    run(vt.to_tensor([[1.0, 5.0], [3.0, 1.0]]))
    mean, variance = layer._mean.tolist(), layer._variance.tolist()
    x = vt.to_tensor([[3.0, -2.0]], stop_gradient=False)
    y = run(x)
    assert y.tolist() == [[3.0, -2.0]]
    assert (layer._mean.tolist(), layer._variance.tolist()) == (mean, variance)
    y.sum().backward()
    assert x.grad.tolist() == [[1.0, 1.0]]
    assert layer.weight.grad.tolist() == layer.bias.grad.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("index", [[[1], [2], [3]], [1, 2, 3]])
@pytest.mark.parametrize("function", [vt.gather, vt.index_select])
def test_a_column_of_places_gathers_what_a_line_does(function: Any, index: Any) -> None:
    x = vt.reshape(vt.arange(10), [5, 2])
    assert function(x, vt.to_tensor(index)).tolist() == [[2, 3], [4, 5], [6, 7]]
    assert function(x, vt.to_tensor(index)[:1], axis=1).tolist() == [[1], [3], [5], [7], [9]]


@pytest.mark.parametrize(
    ("layer", "shape", "wanted"),
    [
        (nn.MaxPool2D(2, 2), [1, 1, 1, 4], [1, 1, 1, 2]),
        (nn.AvgPool2D(3, 2), [1, 1, 2, 5], [1, 1, 1, 2]),
        (nn.MaxPool1D(2), [1, 1, 1], [1, 1, 1]),
        (nn.AvgPool3D(2), [1, 1, 1, 2, 2], [1, 1, 1, 1, 1]),
    ],
)
def test_an_image_smaller_than_the_window_is_pooled_as_a_whole(layer: Any, shape: Any, wanted: Any) -> None:
    x = vt.ones(shape)
    assert layer(x).shape == wanted
    assert float(layer(x).min()) == 1.0
    np.testing.assert_array_equal(vt.jit.to_static(layer)(x), layer.forward(x))


def test_a_prelu_of_an_earlier_release_loads() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.PReLU(init=0.1))
    given = {"0.weight": vt.ones([2, 2]), "0.bias": vt.zeros([2]), "1.weight": vt.to_tensor([0.7])}
    assert model.set_state_dict(given) == ([], [])
    assert float(model[1]._weight) == pytest.approx(0.7)
    assert list(model[1].state_dict()) == ["_weight"]


def test_a_layer_norm_of_an_earlier_release_loads() -> None:
    layer = nn.LayerNorm([4, 1, 2])
    assert [item.shape for item in layer.state_dict().values()] == [[8], [8]]
    given = {"weight": vt.reshape(vt.arange(8, dtype="float32"), [4, 1, 2]), "bias": vt.ones([4, 1, 2])}
    assert layer.set_state_dict(given) == ([], [])
    assert layer.weight.tolist() == [float(k) for k in range(8)]


def test_a_shape_that_never_was_is_still_refused() -> None:
    with pytest.warns(UserWarning, match=r"has shape \[2, 4\], the layer's has \[8\]"):
        missing, unexpected = nn.LayerNorm([4, 1, 2]).set_state_dict({"weight": vt.ones([2, 4]), "bias": vt.ones([8])})
    assert missing == unexpected == ["weight"]


@pytest.mark.parametrize("direction", ["forward", "bidirect"])
def test_a_recurrent_network_of_an_earlier_release_loads(direction: str) -> None:
    layer = nn.LSTM(3, 4, num_layers=2, direction=direction, proj_size=2)
    state = layer.state_dict()
    shared = {key: value * 0.5 for key, value in state.items() if "cell" not in key}
    for key, value in state.items():
        if key.endswith("weight_ho"):
            k, cell, _ = key.split(".")
            shared[f"weight_ho_l{k}{'_reverse' * (cell == 'cell_bw')}"] = value * 0.5
    before = {key: value.numpy().copy() for key, value in state.items()}
    assert layer.set_state_dict(shared) == ([], [])
    for key, value in layer.state_dict().items():
        np.testing.assert_array_equal(value, before[key] * 0.5, err_msg=key)


def test_the_cells_of_a_recurrent_network_are_its_sublayers_and_share_its_parameters() -> None:
    layer = nn.GRU(3, 4, num_layers=2, direction="bidirect")
    assert layer[1].cell_bw.weight_hh is layer.weight_hh_l1_reverse
    assert len(layer.parameters()) == 16
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.GRU(3, 4, num_layers=2, direction="bidirect").set_state_dict(layer.state_dict())


def test_numbers_load_from_tensors_of_one_element_and_back() -> None:
    layer = nn.utils.weight_norm(nn.Linear(2, 3), dim=None)
    state = {key: value.numpy() for key, value in layer.state_dict().items()}
    assert state["weight_g"].shape == ()
    assert layer.set_state_dict(state | {"weight_g": np.ones([1], "float32")}) == ([], [])
    assert float(layer.weight_g) == 1.0


def test_transformers_keep_their_activation_as_a_function() -> None:
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
    assert layer.activation(vt.to_tensor([-1.0])).tolist() == [0.0]
    x = vt.ones([1, 2, 4])
    before = layer(x).numpy()
    layer.activation = nn.functional.gelu
    assert not np.allclose(layer(x), before)


def test_places_along_each_axis_are_lines() -> None:
    x = vt.to_tensor([[0, 5], [7, 0]])
    places = vt.nonzero(x, as_tuple=True)
    assert [place.tolist() for place in places] == [[0, 1], [1, 0]]
    assert x[places].tolist() == [5, 7]


def test_a_sublayers_name_may_have_dots() -> None:
    model = nn.Sequential()
    model.add_sublayer("blocks.0.", nn.Linear(2, 2))
    model.add_sublayer("a.b", nn.Linear(2, 2))
    assert list(model.state_dict()) == ["blocks.0..weight", "blocks.0..bias", "a.b.weight", "a.b.bias"]
    x = vt.ones([1, 2])
    np.testing.assert_allclose(vt.jit.to_static(model)(x), model.forward(x), rtol=1e-6)
    with pytest.raises(vt.errors.NameTakenError, match=r"must not be empty or contain '\.'"):
        model.add_parameter("a.b", model.create_parameter([1]))


@pytest.mark.parametrize("mode", ["upscale_in_train", "downscale_in_infer"])
@pytest.mark.parametrize("training", [True, False])
def test_dropout_takes_its_probability_from_a_tensor(mode: str, training: bool) -> None:
    def dropped(x: Any, p: Any) -> Any:
        return nn.functional.dropout(x, p, training=training, mode=mode)

    captured = vt.jit.to_static(dropped)
    for p in (0.25, 0.0, 1.0):
        found = []
        for function, given in ((dropped, p), (dropped, vt.to_tensor(p)), (captured, vt.to_tensor([p]))):
            x = vt.ones([1, 64])
            x.stop_gradient = False
            vt.seed(3)
            made = function(x, given)
            made.sum().backward()
            found.append(np.stack([made.numpy(), x.grad.numpy()]))
        np.testing.assert_array_equal(found[1], found[2])
        np.testing.assert_allclose(found[0], found[1], rtol=1e-6)
