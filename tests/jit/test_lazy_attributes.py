"""Attributes that a function makes in its first call: later calls find them, as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn


def by_hasattr(owner: Any, x: Any) -> Any:
    if not hasattr(owner, "count"):
        owner.count = vt.zeros([1])
    owner.count = owner.count + 1
    return x * owner.count


def by_getattr(owner: Any, x: Any) -> Any:
    if getattr(owner, "count", None) is None:
        owner.count = vt.zeros([1])
    owner.count += 1
    return x * owner.count


def by_trying(owner: Any, x: Any) -> Any:
    try:
        count = owner.count
    except AttributeError:
        count = vt.zeros([1])
    owner.count = count + 1
    return x * owner.count


def by_dict(owner: Any, x: Any) -> Any:
    if "count" not in owner.__dict__:
        owner.count = vt.zeros([1])
    owner.count = owner.count + 1
    return x * owner.count


def by_vars(owner: Any, x: Any) -> Any:
    if "count" not in vars(owner):
        owner.count = 0
    owner.count = owner.count + 1
    return x * owner.count


def a_buffer(owner: Any, x: Any) -> Any:
    if not hasattr(owner, "count"):
        owner.register_buffer("count", vt.zeros([1]))
    owner.count += 1
    return x * owner.count


def a_layer(owner: Any, x: Any) -> Any:
    if not hasattr(owner, "scale"):
        owner.scale = nn.Linear(1, 1)
        owner.count = vt.zeros([1])
    owner.count.add_(vt.ones([1]))
    return owner.scale(x) + owner.count


class Plain:
    """Without attributes."""


class Module(nn.Layer):
    """A layer that has a function for its forward."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, x: Any) -> Any:
        return self.fn(self, x)


CASES = [
    (fn, kind)
    for fn in (by_hasattr, by_getattr, by_trying, by_dict, by_vars)
    for kind in ("object", "argument", "layer")
]
CASES += [(fn, kind) for fn in (a_buffer, a_layer) for kind in ("argument", "layer")]


@pytest.mark.parametrize(("fn", "kind"), CASES)
def test_the_second_call_finds_what_the_first_made(fn: Any, kind: str) -> None:
    found = []
    for compiled in (False, True):
        vt.seed(1)
        owner = Plain() if kind == "object" else Module(fn)
        if kind == "layer":
            step = vt.to_static(owner) if compiled else owner
            results = [step(vt.ones([1, 1])) for _ in range(4)]
        else:
            run = vt.to_static(fn) if compiled else fn
            results = [run(owner, vt.ones([1, 1])) for _ in range(4)]
        found.append(([r.tolist() for r in results], float(owner.count)))
    assert found[0] == found[1]


def test_an_attribute_that_goes_is_made_again() -> None:
    layer = Module(by_hasattr)
    step = vt.to_static(layer)
    for _ in range(3):
        step(vt.ones([1]))
    del layer.count
    step(vt.ones([1]))
    assert layer.count.tolist() == [1.0]


class Counting:
    """Counts who reads its attribute, in code that looks at each."""

    def __init__(self) -> None:
        self.reads, self.w = 0, vt.ones([2])

    def __getattribute__(self, name: str) -> Any:
        if name == "w":
            object.__setattr__(self, "reads", object.__getattribute__(self, "reads") + 1)
        return object.__getattribute__(self, name)


def test_reads_are_counted_as_often_as_the_code_has_them() -> None:
    told = []
    for jit in (lambda fn: fn, vt.to_static):
        owner = Counting()
        step = jit(lambda x, owner=owner: x * owner.w + owner.w)
        counts = []
        for _ in range(3):
            step(vt.ones([2]))
            counts.append(owner.reads)
        owner.w = vt.ones([2]) * 4
        told.append((counts, step(vt.ones([2])).tolist(), owner.reads))
    assert told[0] == told[1]
