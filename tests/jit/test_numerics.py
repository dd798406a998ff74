"""Reference numerics equal eager mode bit for bit; fast ones say how far they are; threads change no bit of either."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError, MissingError
from vitrify.base.flags import flags

Array = np.ndarray[Any, Any]


class Convolutional(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.filters = nn.Sequential(nn.Conv2D(2, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2, 2))
        self.head = nn.Linear(36, 5)

    def forward(self, x: Any) -> Any:
        return self.head(vt.flatten(self.filters(x), 1))


class Recurrent(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(6, 8)
        self.head = nn.Linear(8, 5)

    def forward(self, x: Any) -> Any:
        h = c = vt.zeros([x.shape[0], 8])
        for t in range(x.shape[1]):
            _, (h, c) = self.cell(x[:, t], (h, c))
        return self.head(h)


class Attentive(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1)
        self.head = nn.Linear(8, 5)

    def forward(self, x: Any) -> Any:
        return self.head(self.encoder(x).mean(axis=1))


def dense() -> nn.Layer:
    return nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.Dropout(0.5), nn.LayerNorm(16), nn.Linear(16, 5))


MODELS: dict[str, tuple[Callable[[], nn.Layer], tuple[int, ...]]] = {
    "dense": (dense, (9, 6)), "convolutional": (Convolutional, (4, 2, 8, 8)), "recurrent": (Recurrent, (3, 7, 6)),
    "attentive": (Attentive, (3, 5, 8)),
}  # fmt: skip


@pytest.fixture
def threads() -> Iterator[None]:
    before = vt.get_num_threads() if hasattr(vt, "get_num_threads") else 1
    yield
    vt.set_num_threads(before)


def data(shape: tuple[int, ...]) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    return vt.to_tensor(rng.standard_normal(shape).astype(np.float32)), vt.to_tensor(rng.integers(0, 5, shape[:1]))


def trained(name: str, **options: Any) -> list[Array]:
    """Three steps of training, forward, backward and update in one function: losses and weights."""
    make, shape = MODELS[name]
    vt.seed(11)
    net = make()
    optimizer = vt.optimizer.Adam(0.01, parameters=net.parameters(), weight_decay=0.01)

    def step(x: Any, y: Any) -> Any:
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    run = vt.jit.to_static(step, **options) if options else step
    x, y = data(shape)
    losses = [run(x, y).numpy() for _ in range(3)]
    return [*losses, *[v.numpy() for v in net.state_dict().values()]]


def differing(found: list[Array], expected: list[Array]) -> int:
    assert len(found) == len(expected)
    return sum(int((a != b).sum()) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("name", MODELS)
def test_reference_training_equals_eager_to_the_bit(name: str) -> None:
    assert differing(trained(name, numerics="reference"), trained(name)) == 0


@pytest.mark.parametrize("name", MODELS)
def test_gradients_from_outside_equal_eager_ones_to_the_bit(name: str) -> None:
    make, shape = MODELS[name]
    found = []
    for captured in (True, False):
        vt.seed(5)
        net = make()
        forward = vt.jit.to_static(net.forward, numerics="reference") if captured else net
        x, y = data(shape)
        x.stop_gradient = False
        nn.functional.cross_entropy(forward(x), y).backward()
        found.append([p.grad.numpy() for p in net.parameters() if not p.stop_gradient] + [x.grad.numpy()])
    assert differing(*found) == 0


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.usefixtures("threads")
def test_the_number_of_threads_changes_no_bit(name: str) -> None:
    made = []
    for count in (1, 2):
        vt.set_num_threads(count)
        made.append(trained(name, numerics="fast"))
    assert differing(*made) == 0


@pytest.mark.parametrize("sizes", [(256, 784, 100), (257, 300, 511), (40, 512, 512), (1, 2048, 1024), (1024, 2048, 1)])
@pytest.mark.usefixtures("threads")
def test_products_don_t_depend_on_the_number_of_threads(sizes: tuple[int, int, int]) -> None:
    m, k, n = sizes
    rng = np.random.default_rng(0)
    x, y = (vt.to_tensor(rng.standard_normal(s).astype(np.float32)) for s in ((m, k), (k, n)))
    product = vt.jit.to_static(lambda a, b: vt.matmul(a, b))
    made = []
    for count in (1, 2, 3):
        vt.set_num_threads(count)
        made.append([product(x, y).numpy().copy()])
    assert differing(made[0], made[1]) == differing(made[0], made[2]) == 0
    np.testing.assert_allclose(made[0][0], x.numpy() @ y.numpy(), rtol=1e-3, atol=1e-3)


def total(x: Any, w: Any) -> Any:
    return vt.exp(x).sum(), vt.tanh(x @ w)


def test_a_deviation_is_told_for_each_output() -> None:
    x, w = vt.randn([64, 32]), vt.randn([32, 8])
    function = vt.jit.to_static(total)
    found = function.deviation(x, w)
    assert [d.name for d in found] == ["out0", "out1"]
    assert 0 <= found.ulp < 1000
    assert found.ulp == max(d.ulp for d in found)
    assert all(d.difference < 1e-4 * max(1, d.scale) for d in found)
    assert "largest difference" in str(found)
    exact = vt.jit.to_static(lambda a: a * 2 + 1).deviation(x)
    assert exact.ulp == 0


def test_a_deviation_changes_nothing() -> None:
    vt.seed(1)
    net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
    optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())

    @vt.jit.to_static
    def step(x: Any) -> Any:
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    x = vt.ones([3, 4])
    step(x)
    before = [v.numpy().copy() for v in net.state_dict().values()]
    names = [d.name for d in step.deviation(x)]
    assert "out0" in names
    assert any(name.endswith("w_0") for name in names)
    for value, old in zip(net.state_dict().values(), before, strict=True):
        np.testing.assert_array_equal(value.numpy(), old)


def test_reference_programs_have_no_kernels_to_show() -> None:
    function = vt.jit.to_static(total, numerics="reference")
    function(vt.ones([2, 3]), vt.ones([3, 2]))
    with pytest.raises(MissingError, match='numerics="reference"'):
        _ = function.memory_plan
    assert "total" in function.explain()


def test_a_reference_program_lets_go_of_what_nothing_reads_any_more() -> None:
    def long(x: Any) -> Any:
        for factor in [1.5, 0.5] * 20:
            x = vt.sin(x) * factor
        return x if x.sum() > 1e9 else x + vt.ones([])

    function = vt.jit.to_static(long, numerics="reference")
    x = vt.ones([256, 1024])  # 1 MB
    expected = long(x).numpy()
    function(x)
    tracemalloc.start()
    try:
        found = function(x).numpy()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    np.testing.assert_array_equal(found, expected)
    assert peak < 10 << 20, "80 results of a megabyte each, of which three are in use at once"


def test_options_that_exclude_each_other() -> None:
    with pytest.raises(ArgumentError, match="there are none"):
        vt.jit.to_static(total, numerics="reference", memory_limit=1000)
    with pytest.raises(ArgumentError, match="unknown numerics"):
        vt.jit.to_static(total, numerics="exact")


def test_the_flag_says_what_functions_without_a_choice_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags, "numerics", "reference")
    x = vt.randn([50, 7])
    np.testing.assert_array_equal(vt.jit.to_static(lambda a: vt.exp(a).sum())(x).numpy(), vt.exp(x).sum().numpy())


@pytest.mark.usefixtures("threads")
def test_sums_over_all_axes_are_divided_and_don_t_depend_on_the_number_of_threads() -> None:
    x = vt.to_tensor(np.random.default_rng(0).standard_normal((600, 500)).astype(np.float32))
    reduce = vt.jit.to_static(lambda a: (vt.exp(a).sum(), a.mean(), a.max(), (a > 3).any()))
    made = []
    for count in (1, 2, 3):
        vt.set_num_threads(count)
        made.append([r.numpy() for r in reduce(x)])
    assert differing(made[0], made[1]) == differing(made[0], made[2]) == 0
    exact = x.numpy().astype(np.float64)
    np.testing.assert_allclose(made[0][0], np.exp(exact).sum(), rtol=3e-7)
    np.testing.assert_allclose(made[0][1], exact.mean(), rtol=1e-4, atol=1e-8)
    assert made[0][2] == x.numpy().max()
