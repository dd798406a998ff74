"""The search for NaN inside compiled programs: names operation, line and turn, and a failed call changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import NonFiniteError
from vitrify.runtime.executable import Bound


@pytest.fixture
def check() -> Iterator[None]:
    vt.set_flags({"FLAGS_check_nan_inf": True})
    yield
    vt.set_flags({"FLAGS_check_nan_inf": False})


@vt.jit.to_static
def falling(x: Any, turns: Any) -> Any:
    i = vt.to_tensor(0)
    while i < turns:
        x = x + vt.sqrt(x - 1.0) - vt.sqrt(vt.abs(x - 1.0))
        x = x - 1.0
        i = i + 1
    return x * 2.0


def test_a_nan_in_turn_37_of_a_loop_is_named(check: None) -> None:
    x = vt.to_tensor([37.5, 100.0])
    with pytest.raises(NonFiniteError) as caught:
        falling(x, vt.to_tensor(50))
    text = str(caught.value)
    assert "sqrt has 1 NaN and 0 infinite elements among 2, in iteration 37 of the loop at test_nonfinite.py:" in text
    assert "x = x + vt.sqrt(x - 1.0)" in text
    np.testing.assert_array_equal(falling(x, vt.to_tensor(20)).numpy(), [35.0, 160.0])


def test_turns_of_nested_loops_are_all_named(check: None) -> None:
    @vt.jit.to_static
    def nested(x: Any, n: Any) -> Any:
        for i in range(n):
            for j in range(n):
                x = x / (i * 3 + j - 7)
        return x

    with pytest.raises(
        NonFiniteError, match=r"divide has .* in iteration 1 of the loop at .*, in iteration 2 of the loop at"
    ):
        nested(vt.to_tensor([1.0]), vt.to_tensor(3))


def test_nothing_is_found_where_nothing_looks() -> None:
    assert Bound.call is Bound.call_natively  # a call costs what it did
    assert np.isnan(falling(vt.to_tensor([37.5]), vt.to_tensor(50)).numpy()).all()


def test_a_failed_step_leaves_parameters_and_random_state() -> None:
    layer = vt.nn.Linear(3, 3)
    optimizer = vt.optimizer.Adam(parameters=layer.parameters())

    @vt.jit.to_static
    def step(x: Any) -> Any:
        loss = vt.log(vt.mean(vt.nn.functional.dropout(layer(x), 0.5) ** 2))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    step(vt.randn([4, 3]))
    layer.bias.set_value(np.zeros(3, "float32"))
    before = [p.numpy().copy() for p in layer.parameters()]
    vt.seed(5)
    with vt.autograd.detect_anomaly(), pytest.raises(NonFiniteError, match="log has"):
        step(vt.zeros([4, 3]))
    for p, was in zip(layer.parameters(), before, strict=True):
        np.testing.assert_array_equal(p.numpy(), was)
    drawn = vt.rand([3]).numpy()
    vt.seed(5)
    np.testing.assert_array_equal(drawn, vt.rand([3]).numpy())


def test_the_checked_run_gives_the_same_training_step() -> None:
    results = []
    for checked in (False, True):
        vt.seed(3)
        layer = vt.nn.Linear(4, 2)
        optimizer = vt.optimizer.Momentum(0.1, parameters=layer.parameters())

        @vt.jit.to_static
        def step(x: Any, layer: Any = layer, optimizer: Any = optimizer) -> Any:
            loss = vt.nn.functional.dropout(layer(x), 0.3).pow(2).sum()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        x = vt.to_tensor(np.arange(12, dtype="float32").reshape(3, 4))
        with vt.autograd.detect_anomaly(checked):
            losses = [step(x).item() for _ in range(3)]
        results.append([*losses, layer.weight.numpy()])
    for plain, checked_one in zip(*results, strict=True):
        np.testing.assert_allclose(plain, checked_one, rtol=2e-5)


def test_gradients_from_outside_and_static_programs_are_searched(check: None) -> None:
    @vt.jit.to_static
    def root(x: Any) -> Any:
        return vt.sqrt(x).sum()

    x = vt.to_tensor([0.0, 4.0], stop_gradient=False)
    y = root(x)
    with pytest.raises(NonFiniteError, match="divide"):
        y.backward()
    vt.enable_static()
    try:
        main = vt.static.Program()
        with vt.static.program_guard(main):
            a = vt.static.data("a", [2], "float32")
            out = vt.log(a)
        with pytest.raises(NonFiniteError, match=r"log has 0 NaN and 1 infinite elements among 2"):
            vt.static.Executor().run(main, feed={"a": np.array([0.0, 1.0], "float32")}, fetch_list=[out])
    finally:
        vt.disable_static()


def test_what_fails_otherwise_fails_as_before(check: None) -> None:
    @vt.jit.to_static
    def checked(x: Any) -> Any:
        if x.sum() > 0:
            raise ValueError("too large")
        return x

    with pytest.raises(ValueError, match="too large") as caught:
        checked(vt.to_tensor([1.0]))
    assert "raise ValueError" in str(getattr(caught.value, "__notes__", "")) + str(caught.value)
