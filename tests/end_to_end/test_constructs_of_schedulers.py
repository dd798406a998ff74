"""`scheduler.step()` inside a compiled step happens in each call, on the path taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

UP = np.array([1.0, 2.0, 3.0], np.float32)
DOWN = -UP

SCHEDULERS = {
    "steps": lambda: vt.optimizer.lr.StepDecay(0.1, step_size=2, gamma=0.5),
    "warm": lambda: vt.optimizer.lr.LinearWarmup(vt.optimizer.lr.ExponentialDecay(0.1, 0.9), 3, 0.0, 0.1),
    "plateau": lambda: vt.optimizer.lr.ReduceOnPlateau(0.1, patience=1, factor=0.5),
}


@pytest.mark.parametrize("under_a_test", [False, True], ids=["always", "on one path"])
@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_scheduler_inside_of_the_compiled_step(name: str, under_a_test: bool) -> None:
    def train(compiles: bool) -> list[Any]:
        weight = vt.to_tensor(UP, stop_gradient=False)
        rate = SCHEDULERS[name]()
        opt = vt.optimizer.SGD(rate, parameters=[weight])
        other = vt.optimizer.SGD(0.5, parameters=[weight])

        def advance(loss):
            if name == "plateau":
                rate.step(loss)
            else:
                rate.step()

        def step(x):
            loss = ((weight * x) ** 2).sum()
            loss.backward()
            opt.step()
            opt.clear_grad()
            if under_a_test:
                if x.sum() > 0:
                    advance(loss)
            else:
                advance(loss)
            return loss.detach()

        fn = vt.to_static(step) if compiles else step
        found = []
        for k in range(8):
            if k == 4:
                other.set_lr_scheduler(rate)
            loss = fn(vt.to_tensor(UP * 0.5 if k % 3 else DOWN * 0.5))
            found.append((float(loss), rate.last_epoch, rate.last_lr, opt.get_lr(), float(other._lr_tensor)))
        if compiles:
            assert fn.get_traced_count() <= 2, fn.explain()
        return found

    for ours, theirs in zip(train(True), train(False), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-5)


class Halving(vt.optimizer.lr.LRScheduler):
    """A user's own: it counts what it does."""

    asked = 0

    def get_lr(self):
        self.asked += 1
        return self.base_lr * 0.5**self.last_epoch


READ = {
    "after": lambda rate, x: (rate.step(), x * rate.last_lr + rate.last_epoch)[1],
    "before and after": lambda rate, x: (x * rate.last_lr, rate.step(), x * rate.last_lr)[::2],
    "get_lr": lambda rate, x: (rate.step(), x * rate.get_lr())[1],
    "state_dict": lambda rate, x: (rate.step(), dict(rate.state_dict()))[1],
    "own": lambda rate, x: (rate.step(), getattr(rate, "asked", 0))[1],
}


def reading_in_a_loop(rate, x):
    total = x * 0
    for _ in range(x.argmax()):  # a loop of the program
        total = total + rate.last_epoch
        rate.step()
    return total, rate.last_epoch


def reading_on_a_path(rate, x):
    if x.sum() > 0:
        rate.step()
    if rate.last_epoch >= 2:
        return x * 100
    return x * rate.last_lr


@pytest.mark.parametrize("read", [*READ.values(), reading_in_a_loop, reading_on_a_path], ids=[*READ, "loop", "path"])
@pytest.mark.parametrize("scheduler", [*SCHEDULERS.values(), lambda: Halving(0.5)], ids=[*SCHEDULERS, "own class"])
def test_what_a_scheduler_says_after_its_step(scheduler: Any, read: Any) -> None:
    def results(compiles: bool) -> list[Any]:
        rate = scheduler()
        weight = vt.to_tensor(UP, stop_gradient=False)
        opt = vt.optimizer.SGD(rate, parameters=[weight])

        def step(x):
            return read(rate, x)

        fn = vt.to_static(step) if compiles else step
        found = []
        for k in range(6):
            if k == 4:
                rate.step()  # outside, too
            given = fn(vt.to_tensor(UP if k % 3 else DOWN))
            found.append((str(given), rate.last_epoch, rate.last_lr, opt.get_lr()))
        if compiles:
            assert fn.get_traced_count() == 1, fn.explain()
        return found

    assert results(True) == results(False)


def test_a_scheduler_that_is_only_read_is_guarded() -> None:
    rate = vt.optimizer.lr.StepDecay(0.5, step_size=1, gamma=0.5)
    names = ["first", "second", "third"]

    @vt.to_static
    def step(x):
        return {names[rate.last_epoch]: x * rate.last_lr, "state": rate.state_dict()["last_lr"]}

    for k, name in enumerate(names):
        found = step(vt.to_tensor(UP))
        assert found[name].tolist() == (UP * 0.5 ** (k + 1)).tolist() and found["state"] == 0.5 ** (k + 1)
        rate.step()


def test_a_scheduler_that_is_set_and_stepped_is_refused() -> None:
    rate = vt.optimizer.lr.StepDecay(0.5, step_size=1, gamma=0.5)

    @vt.to_static
    def step(x):
        rate.last_epoch = 5
        rate.step()
        return x

    with pytest.raises(vt.errors.CaptureError, match=r"`last_epoch` of a StepDecay is set .*before its step\(\)"):
        step(vt.to_tensor(UP))
    assert rate.last_epoch == 0


def test_a_scheduler_whose_number_changes_its_type() -> None:
    class Odd(vt.optimizer.lr.LRScheduler):
        best = 0

        def get_lr(self):
            self.best = self.last_epoch if self.last_epoch < 2 else "late"
            return 0.5

    rate = Odd(0.5)

    @vt.to_static
    def step(x):
        rate.step()
        return x * rate.best

    assert step(vt.to_tensor(UP)).tolist() == UP.tolist()
    with pytest.raises(TypeError, match=r"Odd\.best was of type int .* of type str in this call"):
        step(vt.to_tensor(UP))
