"""A call that ends with an error leaves schedulers, and the rates of their optimisers, as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

lr = vt.optimizer.lr


class Recording(lr.StepDecay):
    """A scheduler of a user's own, with a list."""

    def __init__(self) -> None:
        self.given: list[float] = []
        super().__init__(0.1, 2)

    def get_lr(self) -> float:
        made = float(super().get_lr())
        self.given.append(made)
        return made


MAKERS: list[Callable[[], Any]] = [
    lambda: lr.StepDecay(0.1, 2),
    lambda: lr.LinearWarmup(lr.StepDecay(0.1, 2), 3, 0.0, 0.1),
    Recording,
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("fails", ["value", "tensor", "division", "index"])
def test_the_step_of_a_scheduler_is_taken_back(make: Callable[[], Any], fails: str) -> None:
    net, scheduler = vt.nn.Linear(2, 1), make()
    optimizer = vt.optimizer.SGD(scheduler, parameters=net.parameters())
    other = vt.optimizer.SGD(scheduler, parameters=vt.nn.Linear(1, 1).parameters())

    @vt.to_static
    def step(x: Any, bad: bool) -> Any:
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        scheduler.step()
        scheduler.step()
        if fails == "value" and bad:
            raise ValueError("bad")
        if fails == "tensor" and x.sum() > 50:
            raise ValueError("bad")
        if fails == "division":
            return loss, 1 / int(x.sum() - 80)
        if fails == "index":
            return loss, x[(x.sum() / 20).astype("int64")]
        return loss

    for _ in range(2):
        step(vt.ones([2, 2]), False)
        before = {k: list(v) if isinstance(v, list) else v for k, v in vars(scheduler).items()}
        rates = optimizer.get_lr(), other.get_lr()
        with pytest.raises((ValueError, ZeroDivisionError, IndexError)):
            step(vt.full([2, 2], 20.0), True)
        assert vars(scheduler) == before
        assert (optimizer.get_lr(), other.get_lr()) == rates
    step(vt.ones([2, 2]), False)
    assert scheduler.last_epoch == 6
    assert optimizer.get_lr() == other.get_lr() == pytest.approx(scheduler.last_lr)


def test_numbers_of_the_call_are_given_to_schedulers_as_numbers() -> None:
    schedulers = (
        lr.StepDecay(0.1, 2),
        lr.LambdaDecay(0.1, lambda epoch: 0.9**epoch),
        lr.ReduceOnPlateau(0.1, patience=1),
    )
    expected = lr.StepDecay(0.1, 2), lr.LambdaDecay(0.1, lambda epoch: 0.9**epoch), lr.ReduceOnPlateau(0.1, patience=1)

    def step(group: Any, x: Any, epoch: int, metric: float) -> Any:
        group[0].step(epoch * 2)
        group[1].step(epoch)
        group[2].step(metric)
        return x * 2

    compiled = vt.to_static(lambda x, epoch, metric: step(schedulers, x, epoch, metric))
    for epoch, metric in enumerate([1.0, 0.9, 0.95, 0.96, 0.97]):
        compiled(vt.ones([2]), epoch, metric)
        step(expected, vt.ones([2]), epoch, metric)
        for ours, theirs in zip(schedulers, expected, strict=True):
            assert ours.state_dict() == theirs.state_dict()
            assert type(ours.last_epoch) is int
    assert compiled.get_traced_count() <= 3


@pytest.mark.parametrize("handled", [False, True])
def test_a_step_before_an_error_on_one_path(handled: bool) -> None:
    """The function is traced once more for the path, with the same writes to parameters."""

    def runs(decorate: Callable[[Any], Any]) -> list[Any]:
        vt.seed(3)
        net, scheduler, history = vt.nn.Linear(2, 1), lr.StepDecay(0.1, 2), []
        optimizer = vt.optimizer.SGD(scheduler, parameters=net.parameters())

        def step(x: Any) -> Any:
            loss = net(x).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            scheduler.step()
            try:
                if x.sum() > 5:
                    raise ValueError("large")
            except ValueError:
                history.append("caught")
                if not handled:
                    raise
            finally:
                history.append("end")
            return loss.detach()

        fn, found = decorate(step), []
        for v in (0.2, 0.3, 2.0, 0.2) if handled else (0.2, 0.3):
            found.append((fn(vt.full([2, 2], v)).tolist(), scheduler.last_epoch, list(history)))
        if not handled:
            with pytest.raises(ValueError, match="large"):
                fn(vt.full([2, 2], 2.0))
        return [*found, net.weight.tolist()] if handled else found

    assert runs(vt.jit.to_static) == runs(lambda fn: fn)
