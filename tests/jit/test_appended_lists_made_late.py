"""Lists that a function makes when it finds none, and appends to: one program for every length from then on."""

from __future__ import annotations

import math
from typing import Any

import pytest

import vitrify as vt

from .appended_lists_support import plain


class Late:
    losses: Any = None
    at = 0


class Own(Late):
    def __init__(self) -> None:
        self.losses = None


class Early(Late):
    def __init__(self) -> None:
        self.losses = []


def _is_none(t: Any, x: Any) -> Any:
    if t.losses is None:
        t.losses = []
    t.losses.append(x)
    return x * 2


def _is_kept(t: Any, x: Any) -> Any:
    t.losses = t.losses if t.losses is not None else []
    t.losses.append(x)
    return x * 2


def _is_made(t: Any, x: Any) -> Any:
    t.losses = [] if t.losses is None else t.losses
    t.losses.append(x)
    return x * 2


def _is_empty(t: Any, x: Any) -> Any:
    if not t.losses:
        t.losses = []
    t.losses.append(x)
    return x * 2


def _or_empty(t: Any, x: Any) -> Any:
    t.losses = t.losses or []
    t.losses.append(x)
    return x * 2


def _is_there(t: Any, x: Any) -> Any:
    if not hasattr(t, "losses") or t.losses is None:
        t.losses = []
    t.losses.append(x)
    return x * 2


def _numbers(t: Any, x: Any) -> Any:
    rate = 0.5 * t.at
    t.at += 1
    if t.losses is None:
        t.losses = []
    t.losses.append(rate)
    return x * rate


def _is_answered(t: Any, x: Any) -> Any:
    is_first = not t.losses
    if t.losses is None:
        t.losses = []
    t.losses.append(x)
    return x if is_first else x * 2


def _is_last(t: Any, x: Any) -> Any:
    if t.losses is None:
        t.losses = []
    t.losses.append(x * 2)
    return t.losses[-1]


ALL = [_is_none, _is_kept, _is_made, _is_empty, _or_empty, _is_there, _numbers, _is_answered, _is_last]


@pytest.mark.parametrize("kind", [Late, Own, Early])
@pytest.mark.parametrize("fn", ALL, ids=lambda f: f.__name__[1:])
def test_few_programs_for_every_length(fn: Any, kind: Any) -> None:
    eager, owner = kind(), kind()
    step = vt.to_static(lambda x: fn(owner, x))
    for k in range(8):
        x = vt.full([2], float(k))
        assert plain(step(x)) == plain(fn(eager, x))
        assert plain(owner.losses) == plain(eager.losses)
    assert step.get_traced_count() <= 3


@pytest.mark.parametrize("fn", ALL, ids=lambda f: f.__name__[1:])
def test_lists_that_others_empty_replace_or_take_away(fn: Any) -> None:
    eager, owner = Late(), Late()
    step = vt.to_static(lambda x: fn(owner, x))
    for k in range(24):
        for t in (eager, owner):
            if k % 8 == 3:
                t.losses.clear()
            if k % 8 == 5:
                t.losses = None
            if k % 8 == 6:
                t.losses = [vt.zeros([1])]
            if k % 8 == 7:
                t.losses = []
        x = vt.full([2], float(k))
        assert plain(step(x)) == plain(fn(eager, x))
        assert plain(owner.losses) == plain(eager.losses)
    assert step.get_traced_count() <= 6


def test_list_of_a_layer_that_others_empty() -> None:
    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.losses: list[Any] = []

        def forward(self, x: Any) -> Any:
            first = not self.losses
            self.losses.append(x)
            return x if first else x * 2

    net = Net()
    step = vt.to_static(lambda x: net(x))
    found = []
    for k in range(8):
        if k in (3, 6):
            net.losses.clear()
        found.append(float(step(vt.ones([]))))
    assert found == [1.0, 2.0, 2.0, 1.0, 2.0, 2.0, 1.0, 2.0]
    assert step.get_traced_count() <= 3


def _kept_elsewhere(t: Any, x: Any) -> Any:
    t.other = t.losses or [x]
    t.losses = t.losses or []
    t.losses.append(x)
    return x * len(t.other)


def _asked_by_string(t: Any, x: Any) -> Any:
    if not hasattr(t, "losses") or t.losses is None:
        t.losses = []
    t.losses.append(x)
    return x * len(getattr(t, "losses"))  # noqa: B009


def _compared(t: Any, x: Any) -> Any:
    if t.losses is None:
        t.losses = []
    t.losses.append(x)
    return x * 2 if len(t.losses) >= 3 and t.losses[-1] > t.losses[-3] else x


@pytest.mark.parametrize("fn", [_kept_elsewhere, _asked_by_string, _compared], ids=lambda f: f.__name__[1:])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_lists_that_are_read_are_guarded(fn: Any) -> None:
    eager, owner = Late(), Late()
    step = vt.to_static(lambda x: fn(owner, x))
    for k in range(5):
        x = vt.to_tensor(float(k * 7 % 5))
        assert plain(step(x)) == plain(fn(eager, x))
        assert plain(owner.losses) == plain(eager.losses)


def test_rates_that_are_noted() -> None:
    def step(x: Any) -> Any:
        rate = 0.1 * math.cos(owner.at * 0.1)
        owner.at += 1
        owner.losses = owner.losses or []
        owner.losses.append(rate)
        return x * rate

    owner = Late()
    compiled = vt.to_static(step)
    for _ in range(10):
        compiled(vt.ones([]))
    assert owner.losses == pytest.approx([0.1 * math.cos(k * 0.1) for k in range(10)])
    assert compiled.get_traced_count() <= 4
