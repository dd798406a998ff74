"""Elements that a function reads in Python (`.item()`, `.numpy()`, `.tolist()`) of tensors that it replaces: each call reads
the tensor that is there then, as in eager mode.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt

CASES: dict[str, Callable[[Any, Any], Any]] = {}


def case(fn: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    CASES[fn.__name__] = fn
    return fn


@case
def early(s: Any, x: Any) -> Any:
    if s.t.item() > 5:
        return x * 0
    s.t = s.t + x.sum()
    return s.t * 1


@case
def loopitem(s: Any, x: Any) -> Any:
    tot = 0.0
    for _ in range(3):
        tot += s.t.item()
        s.t = s.t * 2
    return x * tot


@case
def whileitem(s: Any, x: Any) -> Any:
    while s.t.item() < 20:
        s.t = s.t * 2 + 1
    s.t = s.t - 15
    return x * s.t


@case
def vec(s: Any, x: Any) -> Any:
    a = s.v.numpy()
    s.v = s.v * 2
    return x * float(a[1]) + float(a.sum())


@case
def vec_list(s: Any, x: Any) -> Any:
    a = s.v.tolist()
    s.v = s.v + 1
    return x * a[2] + sum(a)


@case
def shape(s: Any, x: Any) -> Any:
    n = s.n.item()
    s.n = s.n % 4 + 1
    return vt.zeros([n]) + x.sum()


@case
def listy(s: Any, x: Any) -> Any:
    a = s.l[0].item()
    s.l[0] = s.l[1] * x.sum()
    s.l[1] = vt.to_tensor(a)
    return s.l[0] + a


@case
def popped(s: Any, x: Any) -> Any:
    a = s.l.pop(0).item()
    s.l.append(x.sum() * a)
    return x * a


@case
def dicty(s: Any, x: Any) -> Any:
    a = s.d["a"].item()
    s.d = {"a": s.d["a"] + x.sum()}
    return x * a


@case
def dictupd(s: Any, x: Any) -> Any:
    a = s.d["a"].item()
    s.d.update(a=s.d["a"] + x.sum())
    return x * a


@case
def cond_replaced(s: Any, x: Any) -> Any:
    a = s.t.item()
    if x.sum() > 3:
        s.t = s.t + 10
    return x + a


@case
def swap(s: Any, x: Any) -> Any:
    a = s.l[0].item()
    s.l[0], s.l[1] = s.l[1], s.l[0]
    return x * a


@case
def augment(s: Any, x: Any) -> Any:
    a = s.t.item()
    s.t += 1
    return x * a


@case
def rebinding(s: Any, x: Any) -> Any:
    a = s.t.item()
    s.t = vt.to_tensor(a + 1)
    return x * a


@case
def np_math(s: Any, x: Any) -> Any:
    a = np.sqrt(s.v.numpy())
    s.v = s.v + x.sum()
    return vt.to_tensor(a) + x.sum()


@case
def both(s: Any, x: Any) -> Any:
    if s.t.item() > 2 and s.v.numpy().max() > 2:
        s.v = s.v - 1
    s.t = s.t + 1
    return s.v.sum() + x.sum()


@case
def bool_item(s: Any, x: Any) -> Any:
    if bool((s.t > 2).item()):
        s.t = s.t - 2
    else:
        s.t = s.t + 1
    return s.t * 1


@case
def dict_key(s: Any, x: Any) -> Any:
    a = {1: 10, 2: 20, 3: 30, 4: 40}[s.n.item()]
    s.n = s.n % 4 + 1
    return x * a


@case
def returned(s: Any, x: Any) -> Any:
    a = s.t.item()
    s.t = s.t * 3
    return a


def state() -> Any:
    numbers = [vt.to_tensor(1.0), vt.to_tensor(2.0)]
    return SimpleNamespace(
        t=vt.to_tensor(1.0), v=vt.to_tensor([1.0, 2.0, 3.0]), n=vt.to_tensor(3), l=numbers, d={"a": vt.to_tensor(0.5)}
    )


def shown(x: Any) -> Any:
    return (type(x).__name__, x.tolist()) if isinstance(x, vt.Tensor) else (type(x).__name__, x)


def calls(run: Callable[..., Any], s: Any, given: tuple[Any, ...]) -> list[Any]:
    found = [shown(run(*given, vt.to_tensor([v]))) for v in (1.0, 2.0, 3.0, 1.0, 4.0)]
    return [*found, s.t.item(), s.v.tolist(), s.n.item(), [x.item() for x in s.l], float(s.d["a"])]


@pytest.mark.parametrize("where", ["argument", "closure"])
@pytest.mark.parametrize("name", CASES)
def test_each_call_reads_what_is_there(name: str, where: str) -> None:
    fn, found = CASES[name], []
    for convert in (lambda f: f, vt.to_static):
        s = state()
        if where == "argument":
            found.append(calls(convert(fn), s, (s,)))
        else:

            def inner(x: Any, s: Any = s) -> Any:
                return fn(s, x)

            found.append(calls(convert(lambda x, s=s: inner(x, s)), s, ()))
    assert found[0] == found[1]


def test_gradients_that_a_backward_replaces() -> None:
    def trained(convert: Callable[[Any], Any]) -> list[float]:
        p = vt.create_parameter([2], "float32", default_initializer=vt.nn.initializer.Constant(1.0))

        def step(x: Any) -> Any:
            before = 0.0 if p.grad is None else p.grad.sum().item()
            old = -1.0 if p.grad is None else p.grad.numpy()[0].item()
            (p * x).sum().backward()
            return x * before + old

        run = convert(step)
        return [run(vt.to_tensor(v)).item() for v in (1.0, 2.0, 3.0)]

    assert trained(vt.to_static) == trained(lambda fn: fn)


def test_the_best_so_far() -> None:
    class Best(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("best", vt.to_tensor(1e9))

        def forward(self, loss: Any) -> Any:
            if self.best.item() > loss.item():
                self.best = loss
                return 1
            return 0

    losses = (3.0, 2.0, 5.0, 1.0, 4.0)
    eager, compiled = Best(), vt.to_static(Best())
    assert [compiled(vt.to_tensor(v)) for v in losses] == [eager(vt.to_tensor(v)) for v in losses] == [1, 1, 0, 1, 0]


def test_one_program_serves_all_calls() -> None:
    s = state()

    @vt.to_static
    def delta(x: Any) -> Any:
        d = x - s.t.item()
        s.t = x
        return d

    assert [delta(vt.to_tensor(v)).item() for v in (3.0, 5.0, 4.0, 8.0)] == [2.0, 2.0, -1.0, 4.0]
    assert len(delta.program_cache) == 1


def grown_by_one(s: Any, x: Any) -> Any:
    n = s.t.shape[0]
    s.t = vt.zeros([n + 1])
    return x * n


def grown_by_its_length(s: Any, x: Any) -> Any:
    s.t = vt.zeros([len(s.t) * 2]) + x
    return x * s.t.ndim


def sizes_of_items(s: Any, x: Any) -> Any:
    s.l[0] = vt.ones([s.l[0].size + s.l[1].shape[0]])
    return x + sum(t.shape[0] for t in s.l)


@pytest.mark.parametrize("fn", [grown_by_one, grown_by_its_length, sizes_of_items], ids=lambda f: f.__name__)
def test_sizes_of_tensors_that_the_program_does_not_read(fn: Any) -> None:
    found = []
    for convert in (lambda f: f, vt.to_static):
        s = SimpleNamespace(t=vt.ones([2]), l=[vt.ones([1]), vt.ones([3])])
        run, made = convert(fn), []
        for k in range(4):
            if k == 2:
                s.l[1] = vt.ones([6])
            made.append(run(s, vt.ones([1])).item())
        found.append((made, s.t.shape, [t.shape for t in s.l]))
    assert found[0] == found[1]


def test_a_result_that_is_kept_needs_no_program_per_size() -> None:
    class Keeps(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.last = vt.zeros([1, 2])

        def forward(self, x: Any) -> Any:
            self.last = x * 2 + x.shape[1]
            return self.last.sum()

    net = vt.to_static(Keeps())
    for n in (3, 5, 4, 7, 2, 9):
        net(vt.ones([n, 2]))
        assert net.last.shape == [n, 2]
    assert len(net.forward.program_cache) <= 2
