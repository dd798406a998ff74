"""Native calls of methods that count in numbers of Python, and read numbers that others change."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit.call.caller import MISS
from vitrify.runtime.vm.calls import native_call

pytestmark = pytest.mark.skipif(not native_call.is_possible(), reason="objects of this Python lie in another way")


class Counter:
    """Numbers of several kinds that a method counts up."""

    def __init__(self) -> None:
        self.n, self.total, self.rate = 0, 0.0, 0.5

    def step(self, x: vt.Tensor) -> vt.Tensor:
        self.n += 1
        self.total += self.rate
        return x * self.rate + self.n


def _pair() -> tuple[Counter, Counter, Any]:
    eager, compiled = Counter(), Counter()
    return eager, compiled, vt.to_static(compiled.step)


def _check(eager: Counter, compiled: Counter, step: Any) -> None:
    x = vt.ones([3])
    assert step(x).tolist() == eager.step(x).tolist()
    assert vars(eager) == {k: v for k, v in vars(compiled).items() if k in vars(eager)}
    assert type(compiled.n) is type(eager.n)
    assert type(compiled.total) is type(eager.total)


def test_counting_is_native() -> None:
    eager, compiled, step = _pair()
    for _ in range(8):
        _check(eager, compiled, step)
    assert step._first.__name__ == "native_call"
    assert (compiled.n, compiled.total) == (8, 4.0)


@pytest.mark.parametrize("value", [7, -3, 2.5, True, 2**40, 0], ids=repr)
@pytest.mark.parametrize("name", ["n", "total", "rate"])
def test_numbers_that_others_change(name: str, value: Any) -> None:
    eager, compiled, step = _pair()
    for _ in range(6):
        _check(eager, compiled, step)
    for _ in range(4):
        setattr(eager, name, value)
        setattr(compiled, name, value)
        _check(eager, compiled, step)
        _check(eager, compiled, step)


def test_numbers_beyond_the_program() -> None:
    eager, compiled, step = _pair()
    for _ in range(6):
        _check(eager, compiled, step)
    compiled.n = eager.n = 2**70
    x = vt.ones([3])
    results = []
    for run in (eager.step, step):
        try:
            results.append(run(x).tolist())
        except Exception as error:  # broad: the same one is wanted of both
            results.append(type(error))
    assert results[0] == results[1]
    compiled.n = eager.n = 1
    compiled.total = eager.total
    _check(eager, compiled, step)
    del compiled.n
    with pytest.raises(AttributeError):
        step(x)


def test_threads_that_take_turns() -> None:
    counter = Counter()
    step, lock = vt.to_static(counter.step), threading.Lock()
    x = vt.ones([3])
    for _ in range(4):
        step(x)
    wrong = []

    def work() -> None:
        for _ in range(300):
            with lock:
                before = counter.n
                made = step(x)
                if counter.n != before + 1 or made.tolist() != [0.5 + before + 1] * 3:
                    wrong.append(before)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert counter.n == 904


def test_a_long_run_does_not_change_the_numbers_of_another() -> None:
    counters = [Counter() for _ in range(3)]
    steps = [vt.to_static(c.step) for c in counters]
    x = vt.ones([200_000])
    wrong = []

    def work(k: int) -> None:
        for n in range(50):
            made = steps[k](x)
            if made[-1].item() != 0.5 + n + 1:
                wrong.append((k, n))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


class Agent:
    """A network and a count."""

    def __init__(self) -> None:
        self.net, self.n = vt.nn.Linear(2, 2), 0

    def step(self, x: vt.Tensor) -> vt.Tensor:
        self.n += 1
        return self.net(x) + self.n


def test_counting_beside_a_layer_stays_native() -> None:
    agent, x = Agent(), vt.ones([2])
    for k in range(300):
        agent.net.note = k  # numbers of changes up to 256 would be the same objects wherever they come from
    with vt.no_grad():
        step = vt.to_static(agent.step)
        for _ in range(4):
            step(x)
        for k in range(4):
            made = step._first((x,), {})
            assert made is not MISS
            assert agent.n == 5 + k
            assert made.tolist() == (agent.net(x) + agent.n).tolist()
