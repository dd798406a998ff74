"""Networks for images against PaddlePaddle 3.3: names and shapes of the parameters, and scores with the same weights."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.vision import models

# recorded from PaddlePaddle with num_classes=7: elements of the parameters, entries of the state, and a hash of the
# entries' names and shapes
STATES = {
    "LeNet": (61355, 10, "066c1b41"), "alexnet": (57032519, 16, "06f9e924"),
    "densenet121": (6961031, 606, "2507d6f2"), "densenet161": (26487463, 806, "923dc71e"),
    "densenet169": (12496135, 846, "3f6e46de"), "densenet201": (18106375, 1006, "8694ef31"),
    "densenet264": (30667527, 1326, "d77f7433"), "googlenet": (8482261, 69, "10930735"),
    "inception_v3": (21799911, 472, "e625d2e2"), "mobilenet_v1": (3214151, 137, "3c08de1f"),
    "mobilenet_v2": (2232839, 262, "7cc7f34e"), "mobilenet_v3_large": (4210999, 266, "4a5cf9b8"),
    "mobilenet_v3_small": (1525031, 210, "098ba618"), "resnet101": (42514503, 522, "022ab047"),
    "resnet152": (58158151, 777, "8e0c8bdd"), "resnet18": (11180103, 102, "982059b2"),
    "resnet34": (21288263, 182, "04021df7"), "resnet50": (23522375, 267, "8d5c66e8"),
    "resnext101_32x4d": (42143047, 522, "6dd78080"), "resnext101_64x4d": (81420615, 522, "be0b42a0"),
    "resnext152_32x4d": (57916743, 777, "9f732b8b"), "resnext152_64x4d": (112937287, 777, "b2ea703b"),
    "resnext50_32x4d": (22994247, 267, "b7876f4e"), "resnext50_64x4d": (43157831, 267, "2505bf79"),
    "shufflenet_v2_swish": (1260779, 282, "f5f20717"), "shufflenet_v2_x0_25": (94279, 282, "cdfaeeb9"),
    "shufflenet_v2_x0_33": (137863, 282, "a8cff369"), "shufflenet_v2_x0_5": (348967, 282, "7ccce5ae"),
    "shufflenet_v2_x1_0": (1260779, 282, "f5f20717"), "shufflenet_v2_x1_5": (2485799, 282, "c3c19405"),
    "shufflenet_v2_x2_0": (5331879, 282, "80e1fef5"), "squeezenet1_0": (739015, 52, "6fd024db"),
    "squeezenet1_1": (726087, 52, "a870b6c8"), "vgg11": (128795015, 22, "4234029d"),
    "vgg13": (128979527, 26, "bff953f7"), "vgg16": (134289223, 32, "22719728"),
    "vgg19": (139598919, 38, "fc91344b"), "wide_resnet101_2": (124852039, 522, "de551919"),
    "wide_resnet50_2": (66848583, 267, "7db28f74"),
}  # fmt: skip

# recorded from PaddlePaddle: the size of the image, and the scores of three classes with the weights of `weight`
SCORES = {
    "mobilenet_v1": (32, [[0.099118, 0.1883776, -0.2061573]]),
    "mobilenet_v2": (32, [[-0.04985723, 0.4368694, -0.1831537]]),
    "mobilenet_v3_small": (32, [[0.06331862, -0.1629671, -0.1890372]]),
    "mobilenet_v3_large": (32, [[0.09154988, 0.04331217, -0.1556805]]),
    "densenet121": (32, [[-0.09385466, -0.190815, 0.09390658]]),
    "resnext50_32x4d": (32, [[2.478665, 1.579731, -2.442794]]),
    "squeezenet1_0": (67, [[0.0, 0.2313384, 0.1373947]]),
    "squeezenet1_1": (32, [[0.0, 0.1069303, 0.2442357]]),
    "shufflenet_v2_x0_25": (32, [[0.01585459, 0.2400186, 0.2965463]]),
    "shufflenet_v2_swish": (32, [[0.08927782, 0.07388271, 0.1275124]]),
    "googlenet": (
        189,
        [[-0.06710213, -3.908487, -4.328549], [-1.571645, -1.045707, 1.988535], [0.1912971, 0.8935727, -3.63525]],
    ),
    "inception_v3": (75, [[0.009248458, 0.0212463, -0.1435134]]),
}


def weight(key: str, shape: Any) -> Any:
    """Values that depend on the entry's name and shape alone, of a size that keeps activations in range."""
    rng, kind = np.random.default_rng(zlib.crc32(key.encode())), key.rsplit(".", 1)[-1]
    if kind == "_variance":
        return rng.uniform(0.7, 1.4, shape).astype("float32")
    if kind in ("_mean", "bias"):
        return (rng.normal(size=shape) * 0.1).astype("float32")
    if len(shape) == 1:
        return rng.uniform(0.6, 1.1, shape).astype("float32")
    fan = np.prod(shape[1:]) if len(shape) == 4 else shape[0]
    return (rng.normal(size=shape) * np.sqrt(1.6 / fan)).astype("float32")


class Untouched(vt.nn.initializer.Constant):
    """Zeros whose memory nobody writes: drawing or filling the weights of large networks takes seconds."""

    def _make(self, shape: Any, dtype: Any) -> Any:
        return vt.to_tensor(np.broadcast_to(np.float32(0), shape)) if len(shape) > 1 else super()._make(shape, dtype)


@pytest.fixture
def zeros_first() -> Iterator[None]:
    zero = Untouched(0.0)
    vt.nn.initializer.set_global_initializer(zero, zero)
    yield
    vt.nn.initializer.set_global_initializer(None, None)


@pytest.mark.parametrize("name", STATES)
def test_state(name: str, zeros_first: None) -> None:
    state = getattr(models, name)(num_classes=7).state_dict()
    shapes = sorted((key, tuple(value.shape)) for key, value in state.items())
    count = sum(int(np.prod(shape)) for key, shape in shapes if not key.endswith(("._mean", "._variance")))
    assert (count, len(shapes), hashlib.sha1(repr(shapes).encode()).hexdigest()[:8]) == STATES[name]


def filled(name: str, **options: Any) -> Any:
    network = getattr(models, name)(**options)
    network.set_state_dict({key: weight(key, value.shape) for key, value in network.state_dict().items()})
    return network


@pytest.mark.parametrize("name", SCORES)
def test_scores(name: str, zeros_first: None) -> None:
    size, wanted = SCORES[name]
    network = filled(name, num_classes=3).eval()
    x = vt.to_tensor(np.random.default_rng(5).normal(size=(1, 3, size, size)).astype("float32"))
    found = network(x)
    found = vt.concat(list(found)) if isinstance(found, tuple) else found
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "size"),
    [("mobilenet_v3_small", 32), ("shufflenet_v2_x0_25", 32), ("squeezenet1_1", 32)],
)
def test_gradients_are_finite(name: str, size: int, zeros_first: None) -> None:
    vt.seed(3)
    network = filled(name, num_classes=3)
    loss = vt.nn.functional.cross_entropy(network(vt.randn([4, 3, size, size])), vt.to_tensor([0, 1, 2, 1]))
    loss.backward()
    gradients = [p.grad for p in network.parameters() if not p.stop_gradient]
    assert all(g is not None and np.isfinite(g.numpy()).all() for g in gradients)
    assert any(g.abs().max() > 0 for g in gradients)


def test_a_compiled_network(zeros_first: None) -> None:
    network = filled("squeezenet1_1", num_classes=3).eval()
    x = vt.to_tensor(np.random.default_rng(5).normal(size=(1, 3, 32, 32)).astype("float32"))
    np.testing.assert_allclose(vt.jit.to_static(network)(x).numpy(), network(x).numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    "make",
    [
        lambda: models.mobilenet_v3_small(pretrained=True),
        lambda: models.shufflenet_v2_x1_0(pretrained=True),
        lambda: models.resnext50_32x4d(pretrained=True),
        lambda: models.DenseNet(122),
        lambda: models.SqueezeNet("2.0"),
        lambda: models.ShuffleNetV2(0.7),
        lambda: models.ShuffleNetV2(1.0, "gelu"),
    ],
)
def test_what_networks_refuse(make: Any) -> None:
    with pytest.raises(ValueError, match=r"pretrained|must be"):
        make()


def test_a_network_that_derives_from_resnet_makes_its_own_stages() -> None:
    class Small(models.ResNet):
        def __init__(self) -> None:
            super().__init__(block=models.resnet.BottleneckBlock, depth=50, num_classes=0)
            self.inplanes = 64
            self.layer1 = self._make_layer(models.resnet.BottleneckBlock, 8, 2)
            self.layer2 = self._make_layer(models.resnet.BottleneckBlock, 16, blocks=1, stride=2, dilate=True)
            self.layer3 = self.layer4 = vt.nn.Identity()
            self.with_pool = False

    net = Small().eval()
    assert (len(net.layer1), len(net.layer2), net.dilation) == (2, 1, 2)
    assert net(vt.ones([1, 3, 32, 32])).shape == [1, 64, 8, 8]
