"""Costs before a run: counts against known ones, the peak against the counter of allocations, budgets."""

from __future__ import annotations

import gc
import json
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import InputSpec, nn
from vitrify.base.errors import ArgumentError, BudgetError, KindError
from vitrify.runtime.allocations import allocations
from vitrify.runtime.observe.machine_model import MachineModel, _read, machine_model


def spec(*sizes: Any) -> list[InputSpec]:
    return [InputSpec(list(s), name=f"x{k}") for k, s in enumerate(sizes)]


def test_a_product_and_a_chain_are_counted() -> None:
    f = vt.to_static(lambda x, w: vt.tanh(x @ w) * 2.0, input_spec=spec([None, 8], [8, 16]))
    cost = f.cost()
    assert str(cost.work) == f"{2 * 8 * 16 + 16 * 8 + 16}*N" and cost.symbols == ("N",)
    at = cost.at(N=4)
    assert at.work == 4 * (2 * 8 * 16 + 16 * 8 + 16) and at.symbols == ()
    assert at.calls == 2 and at.python_calls == 0 and at.unknown == ()
    inputs, product = 4 * (4 * 8 + 8 * 16), 4 * 4 * 16
    assert at.bytes_after == (inputs + product) + 2 * product
    assert at.bytes_before == (inputs + product) + 2 * product + 2 * product
    assert (at.arguments, at.results) == (inputs, product)


def test_costs_at_sizes_are_those_of_the_static_program() -> None:
    def f(x: Any) -> Any:
        y = nn.functional.softmax(x @ x.t())
        return vt.concat([y, y * 2]).sum(axis=1)

    open_ = vt.to_static(f, input_spec=spec([None, 12])).cost()
    for n in (3, 50, 200):
        fixed = vt.to_static(f, input_spec=spec([n, 12])).cost()
        at = open_.at(N=n)
        for word in ("work", "bytes_after", "bytes_before", "calls", "peak", "arguments", "results"):
            assert getattr(at, word) == getattr(fixed, word), word


@pytest.mark.parametrize("n", [5, 64, 301])
def test_the_peak_is_what_the_counter_says(n: int) -> None:
    def f(x: Any, w: Any) -> Any:
        h = vt.tanh(x @ w)
        for _ in range(3):
            h = vt.nn.functional.softmax(h @ w) + h
        return h.sum()

    compiled = vt.to_static(f, input_spec=spec([None, 32], [32, 32]))
    expected = compiled.cost().at(N=n).peak
    gc.collect()  # what earlier tests have left isn't freed meanwhile
    before = allocations().arenas
    compiled(vt.ones([n, 32]), vt.ones([32, 32]))
    assert allocations().arenas - before == expected > 0
    assert compiled.cost().at(N=n).peak == compiled.memory_plan.peak == expected


def test_turns_of_loops_multiply() -> None:
    @vt.to_static(input_spec=[InputSpec([64]), InputSpec([], "int64")])
    def f(x: Any, n: Any) -> Any:
        k = vt.zeros([], "int64")
        while k < n:
            x = x * x
            k = k + 1
        return x

    cost = f.cost()
    (turn,) = cost.turns
    assert "test_cost.py" in cost.turns[turn]
    more = cost.at(**{turn: 11}).work - cost.at(**{turn: 10}).work
    assert more == 64 + 2  # the body, k + 1, and the test
    assert cost.at(**{turn: 7}).symbols == ()


def test_known_counts_of_turns_are_filled_in() -> None:
    @vt.to_static(input_spec=[InputSpec([None, 4])])
    def f(x: Any) -> Any:
        total = vt.zeros([4])
        for row in x:
            total = total + row * 2.0
        return total

    cost = f.cost()
    assert cost.turns == {} and cost.symbols == ("N",)
    assert cost.at(N=11).work - cost.at(N=10).work >= 8


def test_the_dearer_branch_counts() -> None:
    def cost(cheap_first: bool) -> Any:
        @vt.to_static(input_spec=[InputSpec([1000])])
        def f(x: Any) -> Any:
            if x.sum() > 0:
                y = x + 1.0 if cheap_first else vt.exp(x)
            else:
                y = vt.exp(x) if cheap_first else x + 1.0
            return y

        return f.cost()

    assert cost(True).work == cost(False).work
    assert 8000 <= cost(True).work < 9100 + 1000


def test_backward_programs_have_costs_of_their_own() -> None:
    net = nn.Linear(16, 4)
    f = vt.to_static(net.__call__)
    x = vt.ones([8, 16])
    x.stop_gradient = False
    f(x).sum().backward()
    cost = f.cost().at(N=8)
    assert cost.backward is not None
    assert cost.backward.work >= 2 * (2 * 8 * 16 * 4) and "and backward" in str(cost)
    assert cost.to_dict()["backward"]["work"] == cost.backward.work


def test_what_nobody_counts_is_named() -> None:
    f = vt.to_static(lambda x: vt.linalg.matrix_exp(x) + 1.0, input_spec=spec([3, 3]))
    cost = f.cost()
    assert cost.unknown == ("matrix_exp (Python)",) and cost.python_calls == 1
    assert "without matrix_exp" in str(cost) and cost.time().partial and str(cost.time()).startswith("at least")


def test_time_comes_with_the_models_error() -> None:
    model = MachineModel(((1 << 15, 1e11), (1 << 26, 1e10)), *[{"f32": 1e10, "f64": 5e9}] * 3, 1e-6, 1, 0.2)
    f = vt.to_static(lambda x, w: x @ w, input_spec=spec([None, 256], [256, 256]))
    time = f.cost().at(N=256).time(model)
    assert time.seconds == pytest.approx(1e-6 + 2 * 256**3 / 1e10) and time.error == 0.2
    assert "off by 20%" in str(time)
    with pytest.raises(ArgumentError, match="depends on N"):
        f.cost().time(model)
    assert model.bytes_per_second(1) == 1e11 and model.bytes_per_second(1 << 30) == 1e10
    assert 1e10 < model.bytes_per_second(1 << 20) < 1e11
    assert model.seconds("kernel", 0, 0) == 0 and model.seconds("kernel", 10, 0, 10) == 1e-9


def test_this_machine_is_measured_once_and_kept(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = machine_model()
    assert found is machine_model() and found.threads >= 1
    assert min(found.products.values()) > 1e8 and found.bandwidth[0][1] > 1e8 and found.error >= 0
    path = tmp_path / "model.json"
    for text in ("", "[]", "{}", '{"bandwidth": [[1, -2]], "arithmetic": {}}', "\xff"):
        path.write_text(text)
        assert _read(path) is None


def test_wrong_sizes_are_refused() -> None:
    f = vt.to_static(lambda x: x + 1.0, input_spec=spec([None, 4]))
    with pytest.raises(ArgumentError, match=r"(?s)'M' is no open size.*open ones are N"):
        f.cost().at(M=3)
    with pytest.raises(ArgumentError, match="all its sizes are known"):
        f.cost().at(N=3).at(N=4)
    with pytest.raises(ArgumentError, match="has no program yet"):
        vt.to_static(lambda x: x).cost()


def test_budgets() -> None:
    f = vt.to_static(lambda x: vt.tanh(x).sum(), input_spec=spec([None, 8]))
    assert vt.assert_budget(f, peak="1KB", flops=5000, calls=1, bytes="4KB", N=64).work == 64 * 8 * 9
    with pytest.raises(BudgetError, match=r"work is 4,608, the budget 4,000; bytes_after is 2,052 bytes") as caught:
        vt.assert_budget(f, work=4000, bytes=2000, N=64)
    assert isinstance(caught.value, AssertionError) and "fn.cost()" in str(caught.value)
    with pytest.raises(ArgumentError, match="depends on N"):
        vt.assert_budget(f, work=4000)
    with pytest.raises(ArgumentError, match="no amount of memory"):
        vt.assert_budget(f, peak="much", N=3)
    with pytest.raises(KindError, match="isn't a compiled function"):
        vt.assert_budget(len, peak=1)
    layer = vt.to_static(nn.Linear(4, 2), input_spec=spec([3, 4]))
    assert vt.assert_budget(layer, flops=100).work == 2 * 3 * 4 * 2 + 6


def test_costs_print_and_are_data() -> None:
    f = vt.to_static(lambda x, w: vt.exp(x @ w).sum(), input_spec=spec([None, 4], [4, 4]))
    cost = f.cost()
    assert "largest live set" in str(cost) and "68*N" in str(cost) and "<pre" in cost._repr_html_()
    assert "planned" in str(cost.at(N=3)) and "for N = 3" in str(cost.at(N=3))
    assert json.loads(json.dumps(cost.to_dict()))["work"] == "68*N"


def test_work_agrees_with_layer_counts() -> None:
    """`vt.flops` counts a multiplication with its addition as one; the bias is one per output in both."""
    net = nn.Sequential(nn.Conv2D(3, 8, 3), nn.Conv2D(8, 4, 3, bias_attr=False))
    layers = vt.flops(net, [1, 3, 12, 12])
    net.eval()
    work = vt.to_static(net, input_spec=spec([1, 3, 12, 12])).forward.cost().work
    outputs = 8 * 10 * 10
    assert isinstance(work, int) and abs(work - (2 * (layers - outputs) + outputs)) <= 2 * outputs
    assert np.isfinite(work)
