"""Parts of layers by dotted names, PyTorch's spellings, dtypes of all parts, hooks of states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.errors import ArgumentError, KindError, MissingError, ModeError, StateKeyError


def model() -> Any:
    return nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.BatchNorm(3), nn.BatchNorm1D(3)))


def test_parts_by_dotted_names() -> None:
    net = model()
    assert net.get_sublayer("1.0") is net[1][0] and net.get_submodule("") is net
    assert net.get_parameter("0.weight") is net[0].weight
    assert net.get_parameter("1.1._mean") is net[1][1]._mean
    net[1].register_buffer("seen", vt.ones([1]))
    assert net.get_buffer("1.seen") is net[1].seen
    for wrong in (
        lambda: net.get_sublayer("2"),
        lambda: net.get_sublayer("0.weight"),
        lambda: net.get_buffer("0.weight"),
        lambda: net.get_parameter("1.0"),
        lambda: net.get_parameter("0.gain"),
        lambda: net.set_sublayer("1.5", nn.ReLU(), strict=True),
        lambda: net.set_sublayer("0.weight", nn.ReLU()),
    ):
        with pytest.raises(MissingError):
            wrong()
    with pytest.raises(ArgumentError, match="name of a place"):
        net.set_sublayer("", nn.ReLU())
    with pytest.raises(ArgumentError, match="needs a layer"):
        net.set_sublayer("0", 3)
    net.set_submodule("1.0", nn.ReLU())
    assert isinstance(net[1][0], nn.ReLU)


def test_spellings_of_registering() -> None:
    net = nn.Layer()
    net.add_module("first", nn.Linear(2, 2))
    net.register_module("second", net.first)
    net.register_parameter("gain", net.create_parameter([1]))
    assert [name for name, _ in net.named_modules()] == ["", "first"]
    assert [name for name, _ in net.named_sublayers(remove_duplicate=False)] == ["first", "second"]
    assert len(list(net.modules())) == 2 and len(net.parameters()) == 3
    with pytest.raises(ModeError, match="get_extra_state"):
        net.get_extra_state()


def test_gradients_of_all_parameters() -> None:
    net = nn.Linear(2, 3)
    net(vt.ones([1, 2])).sum().backward()
    net.zero_grad(set_to_none=False)
    assert net.weight.grad.tolist() == [[0.0] * 3] * 2
    net.zero_grad()
    assert net.weight.grad is None
    assert all(p.stop_gradient for p in net.requires_grad_(False).parameters())
    assert not any(p.stop_gradient for p in net.requires_grad_().parameters())
    assert [p.stop_gradient for p in nn.BatchNorm1D(3).requires_grad_().parameters()] == [False, False, True, True]


def test_dtypes_of_all_parts() -> None:
    net = model().bfloat16()
    assert [p.dtype.name for p in net.parameters()] == ["bfloat16"] * 2 + ["float32"] * 4 + ["bfloat16"] * 4
    assert {p.dtype.name for p in net.double().parameters()} == {"float64"}
    net.float(excluded_layers=[nn.Linear])
    assert net[0].weight.dtype == "float64" and net[1][0].weight.dtype == "float32"
    assert net.half()[0].weight.dtype == "float16"
    assert net.type("int32")[0].weight.dtype == "int32"
    with pytest.raises(KindError, match="excluded_layers"):
        net.float(excluded_layers="Linear")
    with pytest.warns(UserWarning, match="float16 isn't computed"):
        assert nn.Linear(2, 2).float16().weight.dtype == "float32"
    assert net.cpu() is net
    with pytest.raises(ArgumentError, match="CPU only"):
        net.cuda()


def test_states_in_pytorchs_manner() -> None:
    net, other = model(), model()
    assert str(other.load_state_dict(net.state_dict())) == "<All keys matched successfully>"
    np.testing.assert_array_equal(other[0].weight.numpy(), net[0].weight.numpy())
    state = {"0.weight": net[0].weight, "extra": net[0].bias}
    with pytest.raises(RuntimeError, match=r"Unexpected key.*'extra'.*Missing key.*'0\.bias'") as told:
        other.load_state_dict(state)
    assert isinstance(told.value, StateKeyError)
    with pytest.warns(UserWarning, match="set_state_dict"):
        found = other.load_state_dict(state, strict=False)
    assert found.unexpected_keys == ["extra"] and "0.bias" in found.missing_keys
    assert all(t.stop_gradient for t in net.state_dict(keep_vars=False).values())
    assert list(net[0].state_dict(prefix="net.")) == ["net.weight", "net.bias"]


def test_hooks_of_states() -> None:
    net = model()
    inner = net[0].register_state_dict_hook(lambda state: {k: v for k, v in state.items() if k != "0.bias"})
    outer = net.register_state_dict_hook(lambda state: {**state, "keys": len(state)})
    assert net.state_dict()["keys"] == 9 and "0.bias" not in net.state_dict()
    assert "0.bias" in net.state_dict(use_hook=False)
    assert inner.remove() is None and outer.remove() is None
    assert len(net.state_dict()) == 10


@pytest.mark.parametrize("compiled", [False, True])
def test_layers_written_in_place(compiled: bool) -> None:
    def twice(x: Any) -> Any:
        y = x * 1.0
        done = nn.Silu(inplace=True)(y)
        return done, y

    for found in (vt.to_static(twice) if compiled else twice)(vt.to_tensor([-1.0, 2.0])):
        np.testing.assert_allclose(found.numpy(), [-0.26894143, 1.7615942], rtol=1e-6)
    drop = nn.Dropout(1.0, inplace=True)
    x = vt.to_tensor([1.0, 2.0])
    assert drop(x) is x and x.tolist() == [0.0, 0.0]
    assert repr(drop) == "Dropout(p=1.0, axis=None, mode=upscale_in_train, inplace=True)"
    assert vt.nn.functional.dropout(x, 0.5, None, False, "downscale_in_infer").tolist() == [0.0, 0.0]
    assert nn.Dropout(0.5, 1).axis == 1


def test_constructors_in_pytorchs_spelling() -> None:
    assert nn.LayerNorm(3, elementwise_affine=False).weight is None
    norm = nn.LayerNorm([2, 3], bias=False, dtype="float64")
    assert norm.bias is None and norm.weight.dtype == "float64"
    assert nn.GroupNorm(1, 2, affine=False).state_dict() == {}
    table = nn.Embedding(3, 2, _weight=vt.arange(6, dtype="float32").reshape([3, 2]), _freeze=True)
    assert table(vt.to_tensor([2])).tolist() == [[4.0, 5.0]] and table.weight.stop_gradient
    assert nn.Conv1D(2, 2, 3, bias=False).bias is None


MARGINS = {  # of [[0, 1], [2, 3]], from PaddlePaddle 3.3.1
    "ConstantPad2D": ((1, 2.5), [[2.5] * 4, [2.5, 0.0, 1.0, 2.5], [2.5, 2.0, 3.0, 2.5], [2.5] * 4]),
    "ReflectionPad2D": (([1, 0, 1, 0],), [[3.0, 2.0, 3.0], [1.0, 0.0, 1.0], [3.0, 2.0, 3.0]]),
    "ReplicationPad2D": (([1, 0, 1, 0],), [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [2.0, 2.0, 3.0]]),
    "CircularPad2D": (([0, 1, 1, 0],), [[2.0, 3.0, 2.0], [0.0, 1.0, 0.0], [2.0, 3.0, 2.0]]),
}


@pytest.mark.parametrize("name", MARGINS)
def test_margins_of_one_kind(name: str) -> None:
    settings, wanted = MARGINS[name]
    layer = getattr(nn, name)(*settings)
    x = vt.arange(4, dtype="float32").reshape([1, 1, 2, 2])
    assert layer(x).tolist() == layer(x=x).tolist() == [[wanted]]
    assert vt.to_static(layer)(x).tolist() == [[wanted]]
    assert getattr(nn, name.replace("D", "d")) is getattr(nn, name)


def test_margins_show_their_settings() -> None:
    assert repr(nn.ReflectionPad1D(2)) == "ReflectionPad1D(padding=[2, 2], mode=reflect, value=0.0, data_format=NCL)"
    with pytest.raises(KindError, match="value"):
        nn.ConstantPad1D(1)


TEXTS = {  # of PaddlePaddle 3.3.1
    "MaxPool2D(kernel_size=3, stride=2, padding=1)": lambda: nn.MaxPool2D(3, 2, 1),
    "AvgPool1D(kernel_size=2, stride=None, padding=0)": lambda: nn.AvgPool1D(2),
    "AdaptiveAvgPool2D(output_size=2)": lambda: nn.AdaptiveAvgPool2D(2),
    "MaxUnPool2D(output_size=None)": lambda: nn.MaxUnPool2D(2),
    "LPPool2D(norm_type=2.0, kernel_size=3, stride=3, padding=0)": lambda: nn.LPPool2D(2, 3),
    "FractionalMaxPool2D(output_size=2, return_mask=False)": lambda: nn.FractionalMaxPool2D(2),
    "Silu(inplace=False)": lambda: nn.SiLU(),
    "PReLU(num_parameters=1, data_format=NCHW, init=0.25, dtype=float32)": lambda: nn.PReLU(),
    "RReLU(lower=0.125, upper=0.3333333333333333, training=True, dtype=float32)": lambda: nn.RReLU(),
    "LocalResponseNorm(size=3, alpha=0.0001, beta=0.75, k=1.0)": lambda: nn.LocalResponseNorm(3),
    "Bilinear(in1_features=2, in2_features=3, out_features=4, dtype=float32)": lambda: nn.Bilinear(2, 3, 4),
    "Embedding(3, 4, padding_idx=1, sparse=False, scale_grad_by_freq=False)": lambda: nn.Embedding(3, 4, 1),
    "Upsample(scale_factor=2, mode=bilinear, align_corners=False, align_mode=0, data_format=None)": (
        lambda: nn.Upsample(scale_factor=2, mode="bilinear")
    ),
    "UpsamplingBilinear2D(size=[3, 3], data_format=NCHW)": lambda: nn.UpsamplingBilinear2D(size=[3, 3]),
    "PairwiseDistance(p=2.0)": lambda: nn.PairwiseDistance(),
    "PixelShuffle(upscale_factor=2)": lambda: nn.PixelShuffle(2),
    "ChannelShuffle(groups=2)": lambda: nn.ChannelShuffle(2),
    "Unfold(kernel_size=2, dilation=1, padding=0, stride=1)": lambda: nn.Unfold(2),
    "ReLU(name=test)": lambda: nn.ReLU(name="test"),
    "Softmax2D(name=test)": lambda: nn.Softmax2D(name="test"),
    "Silu(inplace=False, name=test)": lambda: nn.Silu(name="test"),
    "Dropout(p=0.5, axis=None, mode=upscale_in_train, name=test, inplace=False)": lambda: nn.Dropout(name="test"),
    "Dropout2D(p=0.5, data_format=NCHW, name=test)": lambda: nn.Dropout2D(name="test"),
    "AlphaDropout(p=0.5, name=test)": lambda: nn.AlphaDropout(name="test"),
    "Linear(in_features=2, out_features=3, dtype=float32, name=test)": lambda: nn.Linear(2, 3, name="test"),
    "Embedding(4, 3, sparse=False, scale_grad_by_freq=False, name=test)": lambda: nn.Embedding(4, 3, name="test"),
    "BatchNorm1D(num_features=2, momentum=0.9, epsilon=1e-05, data_format=NCL, name=test)": (
        lambda: nn.BatchNorm1D(2, name="test")
    ),
    "Unflatten(axis=1, shape=[2, 3], name=test)": lambda: nn.Unflatten(1, [2, 3], name="test"),
    "Pad1D(padding=[1, 1], mode=constant, value=0.0, data_format=NCL, name=test)": lambda: nn.Pad1D(1, name="test"),
    "AvgPool2D(kernel_size=2, stride=None, padding=0)": lambda: nn.AvgPool2D(2, name="test"),
    "SimpleRNNCell(2, 3, activation=relu)": lambda: nn.SimpleRNNCell(2, 3, activation="relu"),
}


@pytest.mark.parametrize("text", TEXTS)
def test_layers_show_their_settings(text: str) -> None:
    assert repr(TEXTS[text]()) == text


def test_recurrent_layers_show_what_is_unusual() -> None:
    assert repr(nn.LSTM(2, 3, 2, dropout=0.1)).startswith("LSTM(2, 3, num_layers=2, dropout=0.1")
    assert repr(nn.GRU(2, 3)).startswith("GRU(2, 3\n")
