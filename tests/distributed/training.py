"""One training loop three ways (eager, captured, static) on any number of ranks, for the tests of transpilers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import vitrify as vt
from vitrify import distributed as dist
from vitrify import static

DATA = np.random.default_rng(2).standard_normal((48, 6)).astype("float32")
WAYS = ("eager", "captured", "static")
clip = vt.nn.ClipGradByGlobalNorm

OPTIMIZERS: dict[str, Callable[..., Any]] = {
    "sgd": lambda **k: vt.optimizer.SGD(0.1, **k),
    "momentum": lambda **k: vt.optimizer.Momentum(0.05, weight_decay=0.01, **k),
    "adam": lambda **k: vt.optimizer.Adam(0.01, **k),
    "adamw": lambda **k: vt.optimizer.AdamW(0.01, grad_clip=clip(0.3), **k),
    "scheduled": lambda **k: vt.optimizer.Momentum(vt.optimizer.lr.StepDecay(0.1, 2, 0.5), **k),
}

Stages = Callable[[], Sequence[Any]]


def net_of() -> Any:
    """The model of the dynamic ways."""
    return vt.nn.Sequential(vt.nn.Linear(4, 5), vt.nn.Tanh(), vt.nn.Linear(5, 2))


def rows(step: int, ranks: int, rank: int) -> Any:
    """This rank's part of a step's batch of 24 rows."""
    return np.split(DATA[(step % 2) * 24 :][:24], ranks)[rank]


def with_stages(optimizer: Any, stages: Stages) -> Any:
    """The optimizer with stages; itself without any."""
    for stage in stages():
        optimizer = stage.optimizer(optimizer)
    return optimizer


def none() -> Sequence[Any]:
    """No stages."""
    return ()


def dynamic(kind: str, stages: Stages, steps: int, captured: bool, model: Callable[[], Any] = net_of) -> Any:
    """Parameters after some steps, the optimizer, and the step itself."""
    vt.seed(7)
    net = model()
    optimizer = with_stages(OPTIMIZERS[kind](parameters=net.parameters()), stages)

    def step(x: Any, y: Any) -> Any:
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    run = vt.to_static(step) if captured else step
    rank, size = dist.get_rank(), dist.get_world_size()
    for k in range(steps):
        part = rows(k, size, rank)
        run(vt.to_tensor(part[:, :4]), vt.to_tensor(part[:, 4:]))
        if kind == "scheduled":
            optimizer._learning_rate.step()
    return [p.numpy() for p in net.parameters()], optimizer, run


def built(kind: str, stages: Stages, late: bool = True) -> tuple[Any, Any, Any, Any]:
    """A static program that trains, its startup program, loss and optimizer. late: transpiled when it is finished."""
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x, y = static.data("x", [None, 4]), static.data("y", [None, 2])
        hidden = vt.tanh(static.nn.fc(x, 5))
        loss = ((static.nn.fc(hidden, 2) - y) ** 2).mean()
        optimizer = OPTIMIZERS[kind]()
        if not late:
            optimizer = with_stages(optimizer, stages)
        optimizer.minimize(loss, startup)
    if late:
        for stage in stages():
            stage.transpile(main)
    return main, startup, loss, optimizer


def static_way(kind: str, stages: Stages, steps: int, late: bool = True) -> Any:
    """Parameters after some runs of a static program that starts from the dynamic model's."""
    vt.seed(7)
    start = [p.numpy() for p in net_of().parameters()]
    vt.enable_static()
    rank, size = dist.get_rank(), dist.get_world_size()
    main, startup, loss, optimizer = built(kind, stages, late)
    executor, scope = static.Executor(), static.Scope()
    with static.scope_guard(scope):
        executor.run(startup)
        for p, array in zip(main.all_parameters(), start, strict=True):
            scope.find_var(p.name).get_tensor().set(array)
        for k in range(steps):
            part = rows(k, size, rank)
            executor.run(main, feed={"x": part[:, :4], "y": part[:, 4:]}, fetch_list=[loss])
            if kind == "scheduled":
                optimizer._learning_rate.step()
        found = [np.array(scope.find_var(p.name).get_tensor()) for p in main.all_parameters()]
    vt.disable_static()
    return found


def trained(way: str, kind: str, stages: Stages = none, steps: int = 4) -> list[Any]:
    """Parameters after some steps, one of WAYS."""
    if way == "static":
        return static_way(kind, stages, steps)
    return dynamic(kind, stages, steps, way == "captured")[0]


def distance(a: Sequence[Any], b: Sequence[Any]) -> float:
    """The largest difference between arrays."""
    return max(float(np.abs(x - y).max()) for x, y in zip(a, b, strict=True))
