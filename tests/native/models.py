"""Models that the tests of libraries build: each with example arrays, and the limits of its open sizes."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn

Array = np.ndarray[Any, Any]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GENERATOR = np.random.default_rng(3)


def numbers(*shape: int) -> Array:
    return GENERATOR.standard_normal(shape).astype("float32")


@dataclass
class Case:
    """make: the layer or function, anew; arrays: of one call; open: axes of inputs whose size is left open."""

    make: Callable[[], Any]
    arrays: tuple[Array, ...]
    open: dict[tuple[int, int], str] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    runs: int = 1  # elsewhere; more where state goes from one to the next

    def model(self) -> Any:
        """The layer or function with the same weights each time, in inference mode."""
        vt.seed(11)
        made = self.make()
        if isinstance(made, nn.Layer):
            made.eval()
        return made

    @property
    def spec(self) -> list[vt.InputSpec]:
        """What `build` takes."""
        return [
            vt.InputSpec([self.open.get((k, axis), size) for axis, size in enumerate(a.shape)], str(a.dtype))
            for k, a in enumerate(self.arrays)
        ]


def expected(model: Any, arrays: tuple[Array, ...]) -> list[Array]:
    """What eager mode gives."""
    made = model(*(vt.to_tensor(a) for a in arrays))
    return [t.numpy() for t in vt.utils.flatten(made)]


def compare(found: Any, wanted: list[Array]) -> None:
    """Sums of products in another order: small results of large terms are as exact as the largest result."""
    arrays = found if isinstance(found, (tuple, list)) else [found]
    for a, b in zip(arrays, wanted, strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6 * max(1.0, float(np.abs(b).max(initial=0))))


class LeNet(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2D(1, 6, 3, padding=1), nn.Conv2D(6, 16, 5)
        self.norm = nn.BatchNorm2D(16)
        self.layers = nn.Sequential(
            nn.Linear(400, 120), nn.ReLU(), nn.Dropout(0.5), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)
        )

    def forward(self, x: vt.Tensor) -> vt.Tensor:
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        x = F.max_pool2d(F.relu(self.norm(self.second(x))), 2)
        return self.layers(x.flatten(1))


class Residual(nn.Layer):
    """A small residual network: convolutions with strides, a sum, the mean of each channel."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2D(3, 8, 3, padding=1), nn.Conv2D(8, 16, 3, stride=2, padding=1)
        self.third, self.side = nn.Conv2D(16, 16, 3, padding=1), nn.Conv2D(8, 16, 1, stride=2)
        self.norms = nn.LayerList([nn.BatchNorm2D(8), nn.BatchNorm2D(16), nn.BatchNorm2D(16)])
        self.out = nn.Linear(16, 10)

    def forward(self, x: vt.Tensor) -> vt.Tensor:
        x = F.relu(self.norms[0](self.first(x)))
        y = F.relu(self.norms[1](self.second(x)))
        y = F.relu(self.norms[2](self.third(y)) + self.side(x))
        return self.out(y.mean([2, 3]))


class Generator(nn.Layer):
    """An LSTM that goes on until a number of its state says so, and gives what it saw."""

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.out = nn.LSTMCell(8, 16), nn.Linear(16, 8)

    def forward(self, x: vt.Tensor, most: vt.Tensor) -> tuple[vt.Tensor, vt.Tensor]:
        h, c = vt.zeros([1, 16]), vt.zeros([1, 16])
        k = vt.zeros([], "int64")
        while k < most and h.sum() < 2.0:
            _, (h, c) = self.cell(x, (h, c))
            x = vt.tanh(self.out(h)) + 0.1
            k = k + 1
        return h, k


class Counter(nn.Layer):
    """A model with state of its own: a running sum of what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", vt.to_tensor(np.array([1.0, 2.0, 3.0], "float32")))

    def forward(self, x: vt.Tensor) -> vt.Tensor:
        self.total.set_value(self.total + x)
        return self.total * 2.0


class Decoder(nn.Layer):
    """Attention of one token at a time, with the keys and values of those before it as state."""

    def __init__(self, most: int = 6, width: int = 8) -> None:
        super().__init__()
        self.project = nn.Linear(width, 3 * width)
        self.register_buffer("keys", vt.zeros([most, width]))
        self.register_buffer("values", vt.zeros([most, width]))
        self.register_buffer("count", vt.zeros([], "int64"))

    def forward(self, x: vt.Tensor) -> vt.Tensor:
        query, key, value = vt.split(self.project(x), 3)
        place = vt.arange(self.keys.shape[0]).unsqueeze(1) == self.count
        self.keys.set_value(vt.where(place, key, self.keys))
        self.values.set_value(vt.where(place, value, self.values))
        scores = vt.where(vt.arange(self.keys.shape[0]) <= self.count, self.keys @ query, vt.full([], -1e9))
        self.count.set_value(self.count + 1)
        return F.softmax(scores) @ self.values


def learner() -> Any:
    """A training step of an MLP: weights and moments are state."""
    vt.seed(5)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
    optimizer = vt.optimizer.Adam(0.05, parameters=net.parameters())

    def step(x: vt.Tensor, labels: vt.Tensor) -> vt.Tensor:
        loss = F.cross_entropy(net(x), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    compiled = vt.to_static(step)
    compiled(vt.ones([20, 6]), vt.to_tensor(np.arange(20) % 3))  # moments exist from the first step on
    return compiled


def digits() -> nn.Layer:
    """The network of examples/digits_native.py, untrained."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return importlib.import_module("digits_native").PlainDigitNet(8)
    finally:
        sys.path.remove(str(EXAMPLES))


def mlp() -> nn.Layer:
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def layers() -> nn.Layer:
    """Weights that a few rows read once, and many by tiles."""
    return nn.Sequential(nn.Linear(300, 272), nn.ReLU(), nn.Linear(272, 1100), nn.ReLU(), nn.Linear(1100, 64))


def branches(x: vt.Tensor) -> vt.Tensor:
    if x.sum() > 0:
        return vt.exp(x) @ x.t()
    made = []
    for k in range(x.shape[0]):
        made.append(x[k] * float(k))
    return vt.stack(made) @ x.t()


def slope(x: vt.Tensor, count: vt.Tensor) -> vt.Tensor:
    """A gradient through a loop, which keeps what each iteration had on a list."""
    x.stop_gradient = False
    y, k = x, vt.zeros([], "int64")
    while k < count:
        y = vt.sin(y) * x + 0.5
        k = k + 1
    return vt.grad(y.sum(), [x])[0]


def integers(x: vt.Tensor, y: vt.Tensor) -> tuple[vt.Tensor, vt.Tensor, vt.Tensor]:
    return x // 3 + y, (x > y).any(1), x.astype("float64").mean() * 2.0


def products(a: vt.Tensor, b: vt.Tensor) -> tuple[vt.Tensor, vt.Tensor]:
    return vt.matmul(a, b, transpose_y=True), vt.matmul(
        a.astype("float64"), b[0].astype("float64"), transpose_x=False, transpose_y=True
    )


CASES: dict[str, Case] = {
    "mlp": Case(mlp, (numbers(1, 64),)),
    "mlp_of_any_batch": Case(mlp, (numbers(11, 64),), {(0, 0): "n"}, {"n": 40}),
    "lenet": Case(LeNet, (numbers(2, 1, 28, 28),)),
    "lenet_of_any_batch": Case(LeNet, (numbers(3, 1, 28, 28),), {(0, 0): "n"}, {"n": 4}),
    "lstm": Case(Generator, (numbers(1, 8), np.array(9))),
    "attention": Case(lambda: nn.MultiHeadAttention(16, 4), (numbers(2, 7, 16),)),
    "branches": Case(lambda: branches, (numbers(5, 6),)),
    "list": Case(lambda: slope, (numbers(4, 5), np.array(6))),
    "integers": Case(lambda: integers, (GENERATOR.integers(-9, 9, (6, 7)), GENERATOR.integers(-9, 9, (6, 7)))),
    "decoder": Case(Decoder, (numbers(8),), runs=3),
    "training": Case(learner, (numbers(20, 6), np.arange(20) % 3), runs=5),
    "digits": Case(digits, (numbers(5, 1, 8, 8),), {(0, 0): "n"}, {"n": 8}),
    "residual": Case(Residual, (numbers(1, 3, 16, 16),)),
    "products": Case(lambda: products, (numbers(3, 5, 9), numbers(3, 7, 9))),
    "layers_of_any_batch": Case(layers, (numbers(5, 300),), {(0, 0): "n"}, {"n": 80}),
}
LARGE = {
    "resnet18": Case(lambda: vt.vision.models.resnet18(num_classes=10), (numbers(1, 3, 32, 32),))
}  # --all-platforms
