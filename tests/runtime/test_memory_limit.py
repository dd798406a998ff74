"""Memory: steady state takes none, the peak is the planned one, a limit is kept to or refused before anything runs."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError, MemoryLimitError
from vitrify.base.memory import shown_bytes
from vitrify.runtime import allocations
from vitrify.runtime.options import as_bytes
from vitrify.runtime.vm import binding

ProgramStep = Callable[..., Any]


class Lenet(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.filters = nn.Sequential(nn.Conv2D(1, 6, 5), nn.ReLU(), nn.MaxPool2D(2, 2))
        self.rest = nn.Sequential(nn.Linear(6 * 4 * 4, 16), nn.ReLU(), nn.Linear(16, 10))

    def forward(self, x: Any) -> Any:
        return self.rest(vt.flatten(self.filters(x), 1))


class Recurrent(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(8, 16)
        self.head = nn.Linear(16, 10)

    def forward(self, x: Any) -> Any:
        h = c = vt.zeros([x.shape[0], 16])
        for t in range(vt.full([], x.shape[1], "int64")):
            _, (h, c) = self.cell(x[:, t], (h, c))
        return self.head(h)


def deep(layers: int = 12, width: int = 32) -> nn.Layer:
    parts = [part for _ in range(layers) for part in (nn.Linear(width, width), nn.GELU())]
    return nn.Sequential(*parts, nn.Linear(width, 10))


def step_of(net: nn.Layer, **options: Any) -> ProgramStep:
    optimizer = vt.optimizer.Momentum(0.01, parameters=net.parameters())

    @vt.jit.to_static(**options)
    def step(x: Any, y: Any) -> Any:
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step  # type: ignore[no-any-return]


def batch(*shape: int) -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    x = vt.to_tensor(random.standard_normal(shape).astype(np.float32))
    return x, vt.to_tensor(random.integers(0, 10, shape[:1]))


CASES = {
    "mlp": (lambda: deep(2), (64, 32)), "lenet": (Lenet, (16, 1, 12, 12)), "lstm": (Recurrent, (4, 9, 8)),
}  # fmt: skip


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[ProgramStep, Any, Any]:
    make, shape = CASES[request.param]
    vt.seed(1)
    return step_of(make()), *batch(*shape)


def test_steady_state_takes_no_memory(case: tuple[ProgramStep, Any, Any]) -> None:
    step, x, y = case
    for _ in range(3):
        step(x, y)
    before = vt.jit.allocations()
    for _ in range(20):
        step(x, y)
    assert vt.jit.allocations() == before
    assert before.count > 0 and before.arenas > 0
    tracemalloc.start()  # NumPy's arrays are seen by it: nothing but the loss may come and go
    try:
        step(x, y)
        tracemalloc.reset_peak()
        held = tracemalloc.get_traced_memory()[0]
        for _ in range(5):
            step(x, y)
        assert tracemalloc.get_traced_memory()[1] - held < 4096
    finally:
        tracemalloc.stop()


def test_the_measured_peak_is_the_planned_one(case: tuple[ProgramStep, Any, Any]) -> None:
    step, x, y = case
    step(x, y)
    runner = step._last.runner  # type: ignore[attr-defined]
    (bound,) = next(iter(runner.free.values()))
    arena, peak = bound.binding.arena, step.memory_plan.peak  # type: ignore[attr-defined]
    assert arena.nbytes == peak
    touched = np.zeros(peak, bool)
    for paint in (0x55, 0xAA):
        arena[:] = paint
        step(x, y)
        touched |= arena != paint
    assert peak - 64 <= np.flatnonzero(touched)[-1] < peak  # buffers are aligned to 64 bytes


def losses(step: ProgramStep, x: Any, y: Any) -> list[float]:
    return [float(step(x, y)) for _ in range(3)]


@pytest.mark.parametrize("share", [0.9, 0.5, 0.3])
def test_a_limit_is_kept_to_and_changes_no_result(share: float) -> None:
    x, y = batch(96, 32)
    vt.seed(3)
    plain = step_of(deep())
    expected = losses(plain, x, y)
    limit = int(plain.memory_plan.peak * share)  # type: ignore[attr-defined]
    vt.seed(3)
    limited = step_of(deep(), memory_limit=limit)
    np.testing.assert_allclose(losses(limited, x, y), expected, rtol=2e-6)
    assert limited.memory_plan.peak <= limit  # type: ignore[attr-defined]


def test_a_limit_that_is_too_low_names_the_least_before_anything_runs() -> None:
    x, y = batch(96, 32)
    vt.seed(3)
    net = deep()
    step = step_of(net, memory_limit="1 KiB")
    before = {name: value.numpy().copy() for name, value in net.state_dict().items()}
    with pytest.raises(MemoryLimitError, match=r"plans .* with recomputation; memory_limit is 1,024 bytes") as caught:
        step(x, y)
    assert isinstance(caught.value, MemoryError)
    for name, value in net.state_dict().items():
        np.testing.assert_array_equal(value.numpy(), before[name])
    least = int(str(caught.value.remedy).split()[-1])
    vt.seed(3)
    again = step_of(deep(), memory_limit=least)
    again(x, y)
    assert again.memory_plan.peak == least  # type: ignore[attr-defined]


def test_each_size_of_an_open_dimension_has_its_own_plan() -> None:
    spec = [vt.static.InputSpec([None, 32], "float32")]
    net = deep()

    def score(x: Any) -> Any:
        y = net(x).sum()
        return vt.grad(y, [x])[0]

    limited = vt.jit.to_static(score, input_spec=spec, memory_limit=150_000)
    plain = vt.jit.to_static(score, input_spec=spec)
    for rows in (8, 64):
        x, _ = batch(rows, 32)
        x.stop_gradient = False
        np.testing.assert_allclose(limited(x).numpy(), plain(x).numpy(), rtol=1e-5, atol=1e-7)
    x, _ = batch(4096, 32)
    x.stop_gradient = False
    with pytest.raises(MemoryLimitError, match="=4096 plans"):
        limited(x)


def test_too_little_memory_is_said_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "CHECKED_BYTES", 1)
    monkeypatch.setattr(allocations, "available", lambda: 1000)
    x, y = batch(64, 32)
    with pytest.raises(MemoryLimitError, match=r"needs .* for intermediates, and 1,000 bytes are left"):
        step_of(deep(2))(x, y)


def test_what_the_system_can_give() -> None:
    left = allocations.available()
    assert left is None or left > 1 << 20


@pytest.mark.parametrize(
    ("text", "count"), [(7, 7), ("64", 64), ("64MB", 64_000_000), ("1.5 KiB", 1536), ("2gib", 2 << 30)]
)
def test_amounts(text: Any, count: int) -> None:
    assert as_bytes(text) == count


@pytest.mark.parametrize("text", [0, -1, "", "many", "3 parsecs", True, 1.5, "0"])
def test_amounts_that_are_none(text: Any) -> None:
    with pytest.raises(ArgumentError, match="is no amount of memory"):
        vt.jit.to_static(memory_limit=text)


def test_amounts_as_shown() -> None:
    assert [shown_bytes(n) for n in (12, 2048, 3 << 20, 5 << 30)] == [
        "12 bytes", "2,048 bytes (2.0 KiB)", "3,145,728 bytes (3.0 MiB)", "5,368,709,120 bytes (5.0 GiB)",
    ]  # fmt: skip
