"""Optimizers in a compiled function: a parameter that the run gave no gradient stays as it is, its moments too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

PATHS = [(c, n) for c in (1.0, -1.0) for _ in range(2) for n in (0, 3)]


def leaf(*numbers: float) -> Any:
    return vt.to_tensor(np.array(numbers, "float32"), stop_gradient=False)


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda ps: vt.optimizer.SGD(0.1, parameters=ps, weight_decay=0.1),
    "momentum": lambda ps: vt.optimizer.Momentum(
        0.1, parameters=ps, weight_decay=0.1, grad_clip=vt.nn.ClipGradByNorm(1.0)
    ),
    "adam": lambda ps: vt.optimizer.Adam(0.1, parameters=ps, grad_clip=vt.nn.ClipGradByGlobalNorm(1.0)),
    "adamw": lambda ps: vt.optimizer.AdamW(0.1, parameters=ps, weight_decay=0.1),
}


def in_a_branch(used: Any, other: Any, c: Any, n: Any) -> Any:
    s, z = (used * used).sum(), other * 2
    if c > 0:
        s = s + (used * z).sum()
    return s


def in_a_counted_loop(used: Any, other: Any, c: Any, n: Any) -> Any:
    s = (used * used).sum()
    for _ in range(n):
        s = s + (used * other).sum() * 0.1
    return s


def trained(kind: str, loss: Callable[..., Any], wrap: Callable[..., Any], scaled: bool) -> list[Any]:
    used, other = leaf(1, 2), leaf(3, 4)
    used.name, other.name = "used", "other"
    optimizer = OPTIMIZERS[kind]([used, other])
    scaler = vt.amp.GradScaler(enable=scaled, init_loss_scaling=8.0)

    def step(c: Any, n: Any) -> None:
        scaler.scale(loss(used, other, c, n)).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.clear_grad(set_to_zero=False)

    run, found = wrap(step), []
    for c, n in PATHS:
        run(vt.to_tensor(c), vt.to_tensor(n))
        state = [x.numpy() for key, x in sorted(optimizer.state_dict().items()) if key.startswith("used_")]
        found.append(np.concatenate([used.numpy(), other.numpy(), *(np.ravel(x) for x in state)]))
    return found


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("loss", [in_a_branch, in_a_counted_loop])
@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_an_optimizer_in_the_function_passes_over_what_the_run_did_not_use(
    kind: str, loss: Callable[..., Any], scaled: bool
) -> None:
    plain = trained(kind, loss, lambda fn: fn, scaled)
    np.testing.assert_allclose(trained(kind, loss, vt.to_static, scaled), plain, rtol=1e-5)


def test_what_every_run_uses_is_updated_without_branches() -> None:
    w, b = leaf(1, 2), leaf(3, 4)
    optimizer = vt.optimizer.Adam(0.1, parameters=[w, b])

    def step(x: Any, c: Any) -> None:
        h = x * w if c > 0 else x - w
        for _ in range(3):
            h = h * b
        h.sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    compiled = vt.to_static(step)
    compiled(leaf(1, 2), vt.to_tensor(1.0))
    (entry,) = compiled._entries()
    branches = [o for o in entry.trace.program.body.operations if o.name == "if"]
    assert len(branches) == 2  # the function's own, forward and backward
    assert all(write.present is None for write in entry.trace.grad_writes)


class Players:
    """Two networks in turn; what is returned of the second depends on a counter."""

    def __init__(self) -> None:
        vt.seed(3)
        self.judge, self.maker = vt.nn.Linear(2, 1), vt.nn.Linear(2, 2)
        self.judging = vt.optimizer.SGD(0.1, parameters=self.judge.parameters())
        self.making = vt.optimizer.SGD(0.1, parameters=self.maker.parameters())
        self.count = 0

    def step(self, x: Any) -> Any:
        self.count += 1
        first, second = self.judge(x).mean(), None
        first.backward()
        self.judging.step()
        self.judging.clear_grad()
        if self.count % 2 == 0:
            second = self.judge(self.maker(x)).mean()
            second.backward()
            self.making.step()
            self.making.clear_grad()
            self.judging.clear_grad()
        return first, second


def shown(found: Any) -> Any:
    return tuple(map(shown, found)) if isinstance(found, (tuple, list)) else found and round(float(found), 4)


def test_a_counter_stays_open_beside_an_argument_that_changes_what_is_returned() -> None:
    def runs(compiles: Any) -> Any:
        players = Players()

        def run(x: Any, sample: int) -> Any:
            found = players.step(x)
            return (found, found) if sample else found

        fn = compiles(run)
        calls = [fn(vt.ones([6, 2]), 3 if k % 3 == 2 else 0) for k in range(8)]
        return str(shown(calls)), fn

    (eager, _), (compiled, fn) = runs(lambda f: f), runs(vt.to_static)
    assert compiled == eager
    assert fn.get_traced_count() <= 4
