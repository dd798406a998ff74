"""Numbers that a call reads and changes (counters, averages) are inputs of its first program: no second one follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

TOTAL = 0
CASES: dict[str, tuple[Callable[[Any], Any], int]] = {}


class Kept:
    """What the functions change."""

    def __init__(self) -> None:
        self.n, self.mean, self.items, self.places = 0, 0.5, {"n": 1}, [3, 4]
        self.flag, self.whole, self.huge, self.beyond = False, 4, 2**62, 2**70
        self.names = ["a", "b", "c", "d", "e", "f", "g"]


def case(programs: int) -> Callable[[Any], Any]:
    """A case, and how many programs six calls take."""

    def add(fn: Any) -> Any:
        CASES[fn.__name__] = fn, programs
        return fn

    return add


@case(1)
def attributes(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.n += 1
        s.mean = 0.9 * s.mean + 0.1 * x.sum().item()
        return x * s.n + s.mean

    return fn


@case(1)
def items(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.items["n"] *= 2
        s.places[1] -= 1
        return x * s.items["n"] + s.places[1]

    return fn


@case(1)
def variables(s: Kept) -> Any:
    calls = 0

    def fn(x: Any) -> Any:
        global TOTAL
        nonlocal calls
        calls += 1
        TOTAL += 2
        return x * calls + TOTAL

    return fn


@case(1)
def conditions(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.n += 1
        if s.n % 3 == 0:
            x = x * 10
        return x + 1 if s.n > 4 else x - 1

    return fn


@case(1)
def written_on_one_path(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        if x.sum() > 4:
            s.n += 1
        return x * s.n

    return fn


@case(6)
def formatted(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.n += 1
        return {f"step{s.n}": x}

    return fn


@case(6)
def chosen_objects(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.n += 1
        return x, s.names[s.n]

    return fn


@case(2)
def toggled(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.flag = not s.flag
        return x if s.flag else -x

    return fn


@case(2)
def becomes_a_float(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.whole = s.whole / 2  # type: ignore[assignment]
        return x * s.whole

    return fn


@case(1)
def large(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.huge += 1
        return x + (s.huge - 2**62)

    return fn


@case(6)
def beyond_64_bits(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.beyond += 1
        return x + (s.beyond - 2**70)

    return fn


@case(1)
def set_without_being_read(s: Kept) -> Any:
    def fn(x: Any) -> Any:
        s.n = 7
        return x * s.n

    return fn


def _shown(value: Any) -> Any:
    return value.tolist() if isinstance(value, vt.Tensor) else value


def _run(name: str, *, compiled: bool) -> tuple[list[Any], int]:
    global TOTAL
    TOTAL = 0
    state = Kept()
    fn = CASES[name][0](state)
    called = vt.to_static(fn) if compiled else fn
    found = []
    for k in range(6):
        made = called(vt.to_tensor(np.array([1.0, k], "float32")))
        parts = made.items() if isinstance(made, dict) else made if isinstance(made, tuple) else [made]
        kinds = [(type(v), v) for v in vars(state).values()]
        found.append(
            ([_shown(p) if not isinstance(p, tuple) else (p[0], _shown(p[1])) for p in parts], repr(kinds), TOTAL)
        )
    return found, called.get_traced_count() if compiled else 0


@pytest.mark.parametrize("name", sorted(CASES))
def test_each_call_does_what_eager_code_does(name: str) -> None:
    found, programs = _run(name, compiled=True)
    assert found == _run(name, compiled=False)[0]
    assert programs == CASES[name][1]


def test_a_change_by_others_needs_no_program() -> None:
    kept = Kept()

    @vt.to_static
    def step(x: Any) -> Any:
        kept.n += 1
        return x * kept.n

    for n in (0, 1, 40, -3):
        kept.n = n
        assert float(step(vt.ones([]))) == n + 1
    assert step.get_traced_count() == 1


def test_a_number_of_another_type_has_its_own_program() -> None:
    kept = Kept()

    @vt.to_static
    def step(x: Any) -> Any:
        kept.n += 1
        return x * kept.n

    step(vt.ones([]))
    kept.n = 0.5  # type: ignore[assignment]
    assert float(step(vt.ones([]))) == 1.5 and kept.n == 1.5
    kept.n = True
    assert float(step(vt.ones([]))) == 2.0 and kept.n == 2 and type(kept.n) is int


def test_a_network_counts_its_calls() -> None:
    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.inner = vt.nn.Linear(3, 2)
            self.calls = 0

        def forward(self, x: Any) -> Any:
            self.calls += 1
            return self.inner(x) / self.calls

    net = Net()
    x = vt.ones([4, 3])
    wanted = net.inner(x)
    compiled = vt.to_static(net)
    for k in range(1, 4):
        np.testing.assert_allclose((compiled(x) * k).numpy(), wanted.numpy(), rtol=1e-6)
    assert net.calls == 3
    assert compiled.forward.get_traced_count() == 1
    assert compiled(vt.ones([7, 3])).shape == [7, 2]
    assert compiled.forward.get_traced_count() == 1


def test_caches_that_the_first_capture_fills_run_once() -> None:
    import functools

    kept = Kept()
    seen: list[int] = []

    @functools.lru_cache(None)
    def table(size: int) -> Any:
        seen.append(size)
        return vt.arange(size).astype("float32")

    @vt.to_static
    def step(x: Any) -> Any:
        kept.n += 1
        return x * kept.n + table(len(x))

    assert step(vt.ones([2])).tolist() == [1.0, 2.0]
    assert seen == [2]


def test_a_training_step_counts_its_updates() -> None:
    def made(compiled: bool) -> list[float]:
        vt.seed(3)
        net = vt.nn.Linear(3, 2)
        optimizer = vt.optimizer.Momentum(0.1, parameters=net.parameters())
        kept = Kept()

        def step(x: Any) -> Any:
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            kept.n += 1
            return loss * (1 - 0.5**kept.n)

        called = vt.to_static(step) if compiled else step
        losses = [float(called(vt.ones([4, 3]))) for _ in range(4)]
        assert not compiled or called.get_traced_count() == 1
        return losses

    np.testing.assert_allclose(made(True), made(False), rtol=1e-5)


@pytest.mark.parametrize("annealed", [lambda k: max(2.0 * 0.9**k, 0.5), lambda k: k, lambda k: 1.5 - k])
def test_a_temperature_may_change_with_each_step(annealed: Callable[[Any], Any]) -> None:
    def made(compiled: bool) -> list[Any]:
        kept, found = Kept(), []
        kept.mean = 0.75

        def step(x: Any) -> Any:
            kept.mean += 0.25
            return vt.nn.functional.gumbel_softmax(x, temperature=annealed(kept.mean))

        called = vt.to_static(step) if compiled else step
        for k in range(4):
            vt.seed(k)
            try:
                found.append(called(vt.ones([2, 3])).numpy())
            except ValueError as error:
                found.append(np.array("temperature must be above 0" in str(error)))
        assert not compiled or called.get_traced_count() == 1
        return found

    for ours, eager in zip(made(True), made(False), strict=True):
        np.testing.assert_allclose(ours, eager, rtol=1e-5)
