"""Batched launches of equal kernel calls: which come together, where they stay apart, and that results and memory are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ir.parser import parse_program
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.schedule.linearise import linearise
from vitrify.runtime.schedule.pipeline import run_schedule
from vitrify.runtime.schedule.program_steps import BatchedStep, KernelStep, ProgramStep

GENERATOR = np.random.default_rng(3)
SHAPES = [(3,), (40, 50), (7, 11), (1,), (300, 200), (5, 4, 3)]


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = vt.get_num_threads()
    yield
    vt.set_num_threads(before)


def steps_of(function: Any) -> list[ProgramStep]:
    """The steps of the last program of a compiled function."""
    (runner,) = [entry.runner for entry in function._entries()]
    return list(runner.executable.steps.steps)


def sizes_of_batches(steps: list[ProgramStep]) -> list[int]:
    return sorted(len(step.calls) for step in steps if isinstance(step, BatchedStep))


def single_kernels(steps: list[ProgramStep]) -> list[str]:
    return [s.kernel.source.name for s in steps if type(s) is KernelStep]


OPTIMIZERS: dict[str, Callable[..., Any]] = {
    "SGD": lambda p, **k: vt.optimizer.SGD(0.1, parameters=p, **k),
    "Momentum": lambda p, **k: vt.optimizer.Momentum(0.1, 0.9, parameters=p, **k),
    "Adam": lambda p, **k: vt.optimizer.Adam(0.1, parameters=p, **k),
    "AdamW": lambda p, **k: vt.optimizer.AdamW(0.1, parameters=p, **k),
    "Adagrad": lambda p, **k: vt.optimizer.Adagrad(0.1, parameters=p, **k),
    "RMSProp": lambda p, **k: vt.optimizer.RMSProp(0.1, parameters=p, **k),
    "Lamb": lambda p, **k: vt.optimizer.Lamb(0.1, parameters=p, **k),
}
OPTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "plain": dict,
    "clip": lambda: {"grad_clip": vt.nn.ClipGradByGlobalNorm(0.5)},
}


def _parameters() -> list[vt.Tensor]:
    generator = np.random.default_rng(5)
    made = [vt.to_tensor(generator.standard_normal(s).astype("float32"), stop_gradient=False) for s in SHAPES]
    vt.add_n([(p * p).sum() for p in made]).backward()
    return made


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps_of_optimizers_equal_eager_ones(name: str, options: str) -> None:
    for threads in (1, 2):
        vt.set_num_threads(threads)
        eager, compiled = _parameters(), _parameters()
        by_hand = OPTIMIZERS[name](eager, **OPTIONS[options]())
        optimizer = OPTIMIZERS[name](compiled, **OPTIONS[options]())
        step = vt.to_static(lambda optimizer=optimizer: optimizer.step())
        for _ in range(3):
            by_hand.step()
            step()
        for value, wanted in zip(compiled, eager, strict=True):
            np.testing.assert_allclose(value.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-6)
        assert max(sizes_of_batches(steps_of(step))) >= len(SHAPES) - 2


@pytest.mark.parametrize(("name", "batches"), [("SGD", [5]), ("Momentum", [5]), ("Adam", [5, 6, 6])])
def test_the_update_of_all_parameters_is_one_call(name: str, batches: list[int]) -> None:
    optimizer = OPTIMIZERS[name](_parameters())
    step = vt.to_static(lambda: optimizer.step())
    step()
    steps = steps_of(step)
    assert sizes_of_batches(steps) == batches
    assert len(single_kernels(steps)) == 1, "the parameter of one element is updated by other text"


def test_a_table_is_said_in_reports_and_profiles() -> None:
    optimizer = OPTIMIZERS["SGD"](_parameters())
    step = vt.to_static(lambda: optimizer.step())
    step()
    text = max(step.kernels.values(), key=lambda text: text.calls)
    assert (text.calls, text.tables) == (5, 1)
    assert "used 5 times by 1 call (none of them waits for another)" in str(step.kernels)
    assert any("optimizer.step()" in line for line in text.lines)
    with vt.profiler.profile() as profile:
        step()
    (row,) = [row for row in profile.kernels if row.name.endswith(" × 5")]
    assert row.calls == 1
    elements = sum(int(np.prod(s)) for s in SHAPES if np.prod(s) > 1)
    assert row.bytes == pytest.approx(2 * 4 * elements, rel=0.01), "each array once"


def _steps(text: str) -> list[ProgramStep]:
    made = linearise(parse_program(text))
    run_schedule(made)
    return made.steps


def test_a_call_that_waits_for_another_stays_apart() -> None:
    text = """
program @chain(%x: f32[8]) -> (f32[8], f32[8]) {
  %0 = tanh %x : f32[8]
  %1 = tanh %0 : f32[8]
  return %0, %1
}
"""
    assert sizes_of_batches(_steps(text)) == []


def test_calls_at_one_height_come_together_whatever_is_between() -> None:
    text = """
program @between(%x: f32[8], %y: f32[9]) -> (f32[8], f32[9], f32[9]) {
  %0 = tanh %x : f32[8]
  %1 = exp %y : f32[9]
  %2 = tanh %1 : f32[9]
  return %0, %1, %2
}
"""
    steps = _steps(text)
    assert sizes_of_batches(steps) == [2]
    assert [type(step) for step in steps] == [KernelStep, BatchedStep], (
        "exp comes first: one call of the batch needs it"
    )
    executable = compile_program(parse_program(text))
    x, y = (GENERATOR.standard_normal(n).astype("float32") for n in (8, 9))
    found = executable.run([x, y])
    for value, wanted in zip(found, (np.tanh(x), np.exp(y), np.tanh(np.exp(y))), strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-5)


@pytest.mark.parametrize(("columns", "together"), [(64, True), (64_000, False)])
def test_large_calls_do_not_move_past_large_steps_of_other_heights(columns: int, together: bool) -> None:
    text = f"""
program @large(%x: f32[{columns}], %y: f32[{columns}], %z: f32[{columns}]) -> (f32[{columns}], f32[{columns}], f32[{columns}]) {{
  %0 = tanh %x : f32[{columns}]
  %1 = cumsum %z {{axis = 0, reverse = false}} : f32[{columns}]
  %2 = cumsum %1 {{axis = 0, reverse = false}} : f32[{columns}]
  %3 = tanh %y : f32[{columns}]
  return %0, %2, %3
}}
"""
    assert (2 in sizes_of_batches(_steps(text))) is together


def test_the_plan_does_not_grow() -> None:
    """Two halves that each need a large intermediate: at once they would need both."""
    text = """
program @halves(%x: f32[100000], %y: f32[100000]) -> (f32[], f32[]) {
  %0 = cumsum %x {axis = 0, reverse = false} : f32[100000]
  %1 = sum %0 {axis = (0), keepdim = false} : f32[]
  %2 = cumsum %y {axis = 0, reverse = false} : f32[100000]
  %3 = sum %2 {axis = (0), keepdim = false} : f32[]
  return %1, %3
}
"""
    executable = compile_program(parse_program(text))
    x, y = GENERATOR.standard_normal((2, 100_000)).astype("float32")
    executable.run([x, y])
    (bound,) = executable.plan_sizes
    assert bound.binding.plan.peak <= 100_000 * 4 + 256
    assert sizes_of_batches(executable.steps.steps) == []


def test_a_weight_that_two_layers_share_is_updated_once() -> None:
    def model() -> tuple[list[vt.Tensor], Callable[[], Any]]:
        vt.seed(1)
        shared = vt.to_tensor(np.eye(4, dtype="float32"), stop_gradient=False)
        other = vt.to_tensor(np.ones((4, 4), "float32"), stop_gradient=False)
        optimizer = vt.optimizer.Momentum(0.1, 0.9, parameters=[shared, other])

        def step() -> vt.Tensor:
            x = vt.ones([2, 4])
            loss = (vt.tanh(x @ shared) @ shared @ other).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        return [shared, other], step

    eager, by_hand = model()
    compiled, function = model()
    step = vt.to_static(function)
    for _ in range(3):
        np.testing.assert_allclose(step().numpy(), by_hand().numpy(), rtol=1e-5)
    for value, wanted in zip(compiled, eager, strict=True):
        np.testing.assert_allclose(value.numpy(), wanted.numpy(), rtol=1e-5)


def test_sizes_that_a_call_tells_are_in_tables_too() -> None:
    @vt.to_static(input_spec=[vt.static.InputSpec([None, 3]), vt.static.InputSpec([None])])
    def both(x: vt.Tensor, y: vt.Tensor) -> tuple[vt.Tensor, vt.Tensor]:
        return vt.tanh(x), vt.tanh(y)

    for rows, others in ((2, 9), (5, 1), (700, 40)):
        x, y = GENERATOR.standard_normal((rows, 3)), GENERATOR.standard_normal(others)
        found = both(vt.to_tensor(x.astype("float32")), vt.to_tensor(y.astype("float32")))
        for value, wanted in zip(found, (np.tanh(x), np.tanh(y)), strict=True):
            np.testing.assert_allclose(value.numpy(), wanted, rtol=1e-5, atol=1e-6)
    assert sizes_of_batches(steps_of(both)) == [2]


def test_threads_split_a_table_by_elements() -> None:
    sizes = [2, 250_000, 3, 1_000, 90_001]
    arrays = [GENERATOR.standard_normal(n).astype("float32") for n in sizes]
    function = vt.to_static(lambda *xs: [vt.tanh(x) for x in xs])
    found = []
    for threads in (1, 2):
        vt.set_num_threads(threads)
        found.append([y.numpy() for y in function(*map(vt.to_tensor, arrays))])
    assert sizes_of_batches(steps_of(function)) == [len(sizes)]
    for one, two, array in zip(*found, arrays, strict=True):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_allclose(one, np.tanh(array), rtol=1e-5, atol=1e-6)
