"""LocalSGD whose number of local steps falls with the loss."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify import static
from vitrify.distributed import fleet, run_ranks

from .training import distance, net_of, rows


def by_hand(steps: int, k_steps: int, begin: int, rate: float = 0.1) -> Any:
    """Parameters of all ranks, averaged in the steps that the rule says; and these steps."""
    vt.seed(7)
    net = net_of()
    optimizer = vt.optimizer.SGD(rate, parameters=net.parameters())
    first, count, due, averaged = 0.0, 0, 0, []
    for k in range(steps):
        if k == 3:
            optimizer.set_lr(rate / 4)
        part = rows(k, dist.get_world_size(), dist.get_rank())
        loss = ((net(vt.to_tensor(part[:, :4])) - vt.to_tensor(part[:, 4:])) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        count += 1
        if k + 1 > begin and count < due:
            continue
        mean = float(dist.all_reduce_of(loss.detach(), "mean"))
        if k == 0:
            first = mean
        due, count = k_steps, 0
        if k + 1 > begin:
            due = min(max(math.ceil(math.sqrt(rate * mean / (optimizer.get_lr() * first) * k_steps)), 1), 16)
        for p in net.parameters():
            p.set_value(dist.all_reduce_of(p.detach(), "mean"))
        averaged.append(k + 1)
    return [p.numpy() for p in net.parameters()], averaged


def adapted(steps: int, k_steps: int, begin: int, captured: bool) -> Any:
    vt.seed(7)
    net = net_of()
    optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())
    adaptive = dist.AdaptiveLocalSGD(k_steps, begin).optimizer(optimizer)

    def step(x: Any, y: Any) -> Any:
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        adaptive.minimize(loss)
        adaptive.clear_grad()
        return loss

    run = vt.to_static(step) if captured else step
    for k in range(steps):
        if k == 3:
            adaptive.set_lr(0.025)
        part = rows(k, dist.get_world_size(), dist.get_rank())
        run(vt.to_tensor(part[:, :4]), vt.to_tensor(part[:, 4:]))
    return [p.numpy() for p in net.parameters()]


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize(("k_steps", "begin"), [(1, 1), (2, 1), (2, 4), (20, 1)])
def test_parameters_are_averaged_when_the_rule_says(k_steps: int, begin: int, captured: bool) -> None:
    wanted = run_ranks(by_hand, 12, k_steps, begin, ranks=3)
    found = run_ranks(adapted, 12, k_steps, begin, captured, ranks=3)
    for (parameters, averaged), other in zip(wanted, found, strict=True):
        assert distance(parameters, other) < 1e-6
        assert averaged[:begin] == [*range(1, begin + 1)] and (k_steps == 1 or len(averaged) < 12)


def test_flags_and_what_it_refuses() -> None:
    def static_steps() -> Any:
        strategy = fleet.DistributedStrategy()
        strategy.adaptive_localsgd, strategy.adaptive_localsgd_configs = True, {"init_k_steps": 2}
        fleet.init(is_collective=True, strategy=strategy)
        vt.enable_static()
        vt.seed(7)
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            x, y = static.data("x", [None, 4]), static.data("y", [None, 2])
            loss = ((static.nn.fc(x, 2) - y) ** 2).mean()
            optimizer = fleet.distributed_optimizer(vt.optimizer.SGD(0.1))
            optimizer.minimize(loss, startup)
        executor, scope = static.Executor(), static.Scope()
        with static.scope_guard(scope):
            executor.run(startup)
            for k in range(3):
                part = rows(k, 2, dist.get_rank())
                executor.run(main, feed={"x": part[:, :4], "y": part[:, 4:]})
            found = [np.array(scope.find_var(p.name).get_tensor()) for p in main.all_parameters()]
        vt.disable_static()
        return found

    found = run_ranks(static_steps, ranks=2)
    assert distance(found[0], found[1]) == 0  # averaged in step 1 and step 3
    net = vt.nn.Linear(2, 2)
    optimizer = dist.AdaptiveLocalSGD().optimizer(vt.optimizer.SGD(0.1, parameters=net.parameters()))
    net(vt.ones([1, 2])).mean().backward()
    with pytest.raises(RuntimeError, match="needs the loss"):
        optimizer.step()
    with pytest.raises(RuntimeError, match="one is enough"):
        dist.LocalSGD().optimizer(optimizer)
