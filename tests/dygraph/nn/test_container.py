"""Sequential, LayerList, LayerDict, ParameterList."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError, AxisError, KindError, NameTakenError
from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.tensor import Parameter


def test_sequential_applies_in_order() -> None:
    net = nn.Sequential(nn.Linear(2, 3), ("act", nn.ReLU()), nn.Linear(3, 1))
    x = to_tensor(np.ones((4, 2), "float32"))
    np.testing.assert_array_equal(net(x).numpy(), net[2](net["act"](net[0](x))).numpy())
    assert list(net._sub_layers) == ["0", "act", "2"]
    assert len(net) == 3
    assert len(net[:2]) == 2
    assert net[-1] is net[2]
    net[1] = nn.Tanh()
    assert isinstance(net["act"], nn.Tanh)
    assert [type(layer).__name__ for layer in net] == ["Linear", "Tanh", "Linear"]


def test_sequential_refuses() -> None:
    with pytest.raises(KindError, match="layer 1 of Sequential"):
        nn.Sequential(nn.ReLU(), 3)
    with pytest.raises(NameTakenError, match="two layers named"):
        nn.Sequential(("a", nn.ReLU()), ("a", nn.ReLU()))
    with pytest.raises(AxisError, match="index 5"):
        nn.Sequential(nn.ReLU())[5]
    with pytest.raises(KindError, match="ints and slices"):
        nn.Sequential(nn.ReLU())["b"]


def test_layer_list_is_a_list() -> None:
    layers = nn.LayerList(nn.Linear(1, k + 1) for k in range(3))
    layers.append(nn.ReLU())
    layers.insert(0, nn.Tanh())
    layers.extend([nn.GELU()])
    assert [type(x).__name__ for x in layers] == ["Tanh", "Linear", "Linear", "Linear", "ReLU", "GELU"]
    assert list(layers._sub_layers) == [str(k) for k in range(6)]
    del layers[0]
    del layers[-2:]
    assert [x.out_features for x in layers] == [1, 2, 3]
    assert len(layers.parameters()) == 6
    assert isinstance(layers[1:], nn.LayerList)
    layers[0] = nn.ReLU()
    assert len(layers.parameters()) == 4
    with pytest.raises(KindError):
        nn.LayerList([3])  # type: ignore[list-item]
    with pytest.raises(KindError):
        layers[0] = 3  # type: ignore[assignment]
    with pytest.raises(ArgumentError):
        layers.insert(9, nn.ReLU())


def test_layer_dict() -> None:
    layers = nn.LayerDict({"a": nn.Linear(1, 1)})
    layers["b"] = nn.ReLU()
    layers.update([("c", nn.Tanh())])
    assert list(layers) == list(layers.keys()) == ["a", "b", "c"]
    assert "b" in layers
    assert len(layers.parameters()) == 2
    assert isinstance(layers.pop("b"), nn.ReLU)
    assert len(layers) == 2
    del layers["a"]
    assert [k for k, _ in layers.items()] == ["c"]
    layers.clear()
    assert not len(layers)
    with pytest.raises(KeyError, match="no layer 'x'"):
        layers["x"]
    with pytest.raises(KindError, match="pairs"):
        layers.update([3])
    with pytest.raises(AssertionError, match="pairs"):
        layers.update(3)


def test_parameter_list() -> None:
    params = nn.ParameterList([Parameter([1.0]), Parameter([2.0])])
    params.append(Parameter([3.0]))
    assert [p.item() for p in params] == [1, 2, 3]
    assert [n for n, _ in params.named_parameters()] == ["0", "1", "2"]
    params[1] = Parameter([5.0])
    assert params[-2].item() == 5
    assert len(params) == 3
    with pytest.raises(KindError):
        params.append(to_tensor([1.0]))  # type: ignore[arg-type]
