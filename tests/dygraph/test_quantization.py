"""Quantisation aware training and quantisation after training, against figures of PaddlePaddle 3.3.1."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.errors import ArgumentError, ShapeError, StateError
from vitrify.nn.quant import Stub
from vitrify.nn.quant.format import LinearDequanter, LinearQuanter
from vitrify.nn.quant.qat import QuantedConv2D, QuantedLinear
from vitrify.quantization import PTQ, QAT, BaseQuanter, QuantConfig, quanter
from vitrify.quantization.observers import AbsmaxObserver, GroupWiseWeightObserver
from vitrify.quantization.quanters import FakeQuanterWithAbsMaxObserver

BATCHES = np.array([[[1.0, -2.0, 0.3], [0.4, 0.55, -0.66]], [[0.1, -0.2, 0.3], [4.0, 0.5, -0.6]]], "float32")


def model() -> Any:
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
    net[0].weight.set_value(np.array([[0.5, -0.25], [1.0, 0.3], [-0.7, 0.11]], "float32"))
    net[0].bias.set_value(np.array([0.1, -0.1], "float32"))
    return net


@pytest.mark.parametrize("compiled", [False, True])
def test_training_with_rounded_values(compiled: bool) -> None:
    rounds = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    net = QAT(QuantConfig(activation=rounds, weight=rounds)).quantize(model())

    def step(x: Any) -> Any:
        y = net(x)
        return (y, *vt.grad((y * y).sum(), [x, net[0].weight]))

    run = vt.to_static(step) if compiled else step
    wanted = [
        (1.1662757, [1.1754590, 2.3325515, -1.6346227], [0.9250940, 1.2895249, -1.5418234]),
        (1.5646008, [1.5769205, 3.1292007, -2.1929052], [7.6324806, 1.5625551, -1.8630464]),
    ]
    for batch, (result, by_input, by_weight) in zip(BATCHES, wanted, strict=True):
        x = vt.to_tensor(batch)
        x.stop_gradient = False
        y, dx, dw = run(x)
        np.testing.assert_allclose(y.numpy(), [[0, 0], [result, 0]], rtol=1e-5)
        np.testing.assert_allclose(dx.numpy(), [[0, 0, 0], by_input], rtol=1e-5)
        np.testing.assert_allclose(dw.numpy()[:, 0], by_weight, rtol=1e-5)
    state = {name: value.numpy() for name, value in net.state_dict().items()}
    for name, scale, accum in (
        ("0.weight_quanter", 1.0, 2.71), ("0.activation_quanter", 2.4391143, 6.61), ("1._observer", 1.5646008, 4.2400684)
    ):  # fmt: skip
        np.testing.assert_allclose(state[f"{name}._scale"], [scale], rtol=1e-5)
        np.testing.assert_allclose(state[f"{name}._state"], [2.71], rtol=1e-5)
        np.testing.assert_allclose(state[f"{name}._accum"], [accum], rtol=1e-5)
    net.eval()
    done = vt.to_static(net) if compiled else net
    np.testing.assert_allclose(done(vt.to_tensor(BATCHES[0])).numpy(), [[0, 0], [1.318207, 0]], rtol=1e-5)


@pytest.mark.parametrize("remain", [False, True])
def test_quantised_after_training(remain: bool, tmp_path: Path) -> None:
    observer = AbsmaxObserver()
    ptq = PTQ(QuantConfig(activation=observer, weight=observer))
    net = model()
    net.eval()
    watched = ptq.quantize(net)
    for batch in BATCHES:
        np.testing.assert_array_equal(watched(vt.to_tensor(batch)).numpy(), net(vt.to_tensor(batch)).numpy())
    made = ptq.convert(watched, remain_weight=remain)
    x = vt.to_tensor(BATCHES[0])
    np.testing.assert_allclose(made(x).numpy(), [[0, 0], [1.307874, 0]], rtol=1e-5)
    numbers = [[64, -32], [127, 38], [-89, 14]]
    np.testing.assert_array_equal(made[0].weight.numpy(), net[0].weight.numpy() if remain else numbers)
    assert float(made[0].activation_quanter._quanter._scales) == 4.0
    vt.jit.save(made, str(tmp_path / "made"), [vt.static.InputSpec([None, 3], "float32")])
    np.testing.assert_allclose(vt.jit.load(str(tmp_path / "made"))(x).numpy(), made(x).numpy(), rtol=1e-6)
    with pytest.raises(StateError, match="seen no values"):
        ptq.convert(ptq.quantize(net))


def test_watching_in_a_captured_function() -> None:
    net = model()
    net.eval()
    ptq = PTQ(QuantConfig(activation=AbsmaxObserver(), weight=None))
    watched = ptq.quantize(net)
    run = vt.to_static(watched)
    for batch in BATCHES:
        run(vt.to_tensor(batch))
    assert float(watched[0].activation_quanter.scales()) == 4.0


def test_which_layers_are_quantised() -> None:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)
            self.conv = nn.Conv2D(1, 2, 3, padding=1, padding_mode="reflect")
            self.quant, self.inner = Stub(), nn.Sequential(nn.Linear(4, 4))

        def forward(self, x: Any) -> Any:
            y = self.conv(x.reshape([1, 1, 4, 4])).sum(axis=[0, 1])
            return self.inner(self.quant(self.second(self.first(y))))

    rounds = FakeQuanterWithAbsMaxObserver()
    net = Net()
    config = QuantConfig(activation=None, weight=None)
    config.add_layer_config([net.first], activation=rounds)
    config.add_type_config(nn.Conv2D, weight=rounds)
    config.add_type_config([Stub], activation=rounds)
    assert "linear_" in str(config) and str(config).startswith("Global config:\nNone\nLayer type config:\n{")
    made = QAT(config).quantize(net)
    kinds = [type(layer).__name__ for layer in made.children()]
    assert kinds == ["QuantedLinear", "Linear", "QuantedConv2D", "QuanterStub", "Sequential"]
    assert made.first.weight_quanter is None and type(net.first) is nn.Linear
    x = vt.rand([4, 4])
    for _ in range(80):  # until the moving averages have forgotten where they began
        made(x)
    np.testing.assert_allclose(made(x).numpy(), net(x).numpy(), atol=0.05)
    whole = QuantConfig(activation=rounds, weight=rounds)
    whole.add_customized_leaf(nn.Sequential)
    assert whole.customized_leaves == [nn.Sequential]
    leaf = QAT(whole).quantize(nn.Sequential(nn.Sequential(nn.Tanh())))
    assert type(leaf[0]).__name__ == "ObserveWrapper"
    qat = QAT(whole)
    assert repr(qat) == str(whole)
    qat.quantize(model())
    assert repr(qat) == "Sequential()"  # as PaddlePaddle: the layers that had a configuration are replaced


def test_layers_of_ones_own() -> None:
    class Own(nn.Layer):
        def __init__(self, layer: Any, q_config: Any) -> None:
            super().__init__()
            self.inner = layer

        def forward(self, x: Any) -> Any:
            return self.inner(x)

    config = QuantConfig(activation=AbsmaxObserver(), weight=None)
    config.add_qat_layer_mapping(nn.Linear, Own)
    net = model()
    net.eval()
    made = PTQ(config).quantize(net, inplace=True)
    assert made is net and type(made[0]) is Own and config.default_qat_layer_mapping[nn.Linear] is QuantedLinear
    with pytest.raises(ArgumentError, match="class of layers"):
        config.add_qat_layer_mapping(nn.Linear, 3)


def test_quanters_of_ones_own() -> None:
    @quanter("OwnQuanter")
    class OwnQuanterLayer(BaseQuanter):
        def __init__(self, layer: Any, factor: float, shift: float = 0.0) -> None:
            super().__init__()
            self.factor, self.shift = factor, shift

        def forward(self, x: Any) -> Any:
            return x * self.factor + self.shift

        def scales(self) -> Any:
            return None

        zero_points = quant_axis = bit_length = scales

    factory = sys.modules[__name__].OwnQuanter(2.0, shift=1.0)
    assert str(factory) == "OwnQuanter(2.0,shift=1.0)"
    net = model()
    made = QAT(QuantConfig(activation=factory, weight=None)).quantize(net)
    x = vt.to_tensor(BATCHES[0])
    np.testing.assert_allclose(made[0](x).numpy(), net[0](x * 2.0 + 1.0).numpy(), rtol=1e-6)


def test_groups_of_rows() -> None:
    weight = vt.to_tensor((np.arange(256, dtype="float32") - 100).reshape(128, 2))
    observer = GroupWiseWeightObserver(quant_bits=4, group_size=64)._instance(None)
    assert observer(weight) is weight
    assert observer.scales().tolist() == [[100.0, 99.0], [154.0, 155.0]]
    numbers = LinearQuanter.from_quanter(observer)(weight)
    assert float(numbers.min()) == -7.0 and float(numbers.max()) == 7.0
    found = LinearDequanter.from_quanter(observer)(numbers)
    np.testing.assert_allclose(found.numpy(), weight.numpy(), atol=155 / 14 + 1e-3)
    with pytest.raises(ShapeError, match="64"):
        observer(weight[:63])
    with pytest.raises(ArgumentError, match="group_size"):
        GroupWiseWeightObserver(group_size=32)._instance(None)


def test_modes_and_mistakes() -> None:
    net, config = model(), QuantConfig(activation=AbsmaxObserver(), weight=AbsmaxObserver())
    with pytest.raises(StateError, match="is done"):
        PTQ(config).quantize(net)
    net.eval()
    with pytest.raises(StateError, match="that trains"):
        QAT(config).quantize(net)
    with pytest.raises(ArgumentError, match="bit_length"):
        FakeQuanterWithAbsMaxObserver(bit_length=1)._instance(None)
    with pytest.raises(ArgumentError, match="float8"):
        LinearQuanter(vt.ones([1]), bit_length=(4, 3))
    made = PTQ(config).quantize(net)
    made(vt.to_tensor(BATCHES[0]))
    done = PTQ(config).convert(made)
    with pytest.raises(StateError, match="once"):
        done[0]._convert()
    conv = QuantedConv2D(nn.Conv2D(1, 1, 3), QuantConfig(AbsmaxObserver(), None).global_config)
    assert conv(vt.ones([1, 1, 4, 4])).shape == [1, 1, 2, 2]
