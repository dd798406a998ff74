"""Operators, getters and constructors of users' classes, with tensors' tests in them, in compiled functions."""

from __future__ import annotations

import functools
import math
import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

from .constructs_support import DOWN, UP, Table

TABLE = Table()


class Box:
    """A tensor of positive sum; most of what Python calls by itself."""

    def __init__(self, v):
        if v.sum() > 0:
            self.v = v
        else:
            self.v = -v

    @property
    def clipped(self):
        return vt.minimum(self.v, 2.0) if self.v.max() > 2.0 else self.v

    @clipped.setter
    def clipped(self, v):
        self.v = v

    @functools.cached_property
    def largest(self):
        if self.v[0] > self.v[1]:
            return self.v[0]
        return self.v[1]

    def __add__(self, o):
        other = o.v if isinstance(o, Box) else o
        if self.v[0] > 1:
            return Box(self.v + other)
        return Box(self.v - 2 * other)

    def __radd__(self, o):
        return self + o

    def __matmul__(self, o):
        total = self.v[0] * 0
        for a, b in zip(self.v, o.v, strict=True):
            if a > b:
                total = total + a * b
        return total

    def __neg__(self):
        return self.v if self.v.mean() > 0.5 else -self.v

    def __eq__(self, o):
        return o.v[0] if self.v[0] > o.v[0] else self.v[0]

    def __lt__(self, o):
        return self.v[0] < o.v[0] if self.v[1] > 0 else self.v[0] > o.v[0]


class Small(Box):
    """Inherits them."""

    def __iadd__(self, o):
        while self.v.sum() < 20:
            self.v = self.v + o
        return self


@dataclass
class Pair:
    """Python calls `__post_init__` from code that it makes itself."""

    x: Any
    y: Any = field(init=False)

    def __post_init__(self):
        self.y = self.x * 2 if self.x.sum() > 0 else self.x * 3

    @property
    def both(self):
        if (self.y > self.x).all():
            return self.x + self.y
        return self.x - self.y


@TABLE.row(UP, DOWN)
def getters(x):
    return Box(x).clipped, Small(x + 1).clipped


@TABLE.row(UP, DOWN)
def getters_beside_setters(x):
    box = Box(x)
    box.clipped = box.clipped * 2
    return box.v


@TABLE.row(UP, DOWN)
def getters_that_are_kept(x):
    box = Box(x)
    return box.largest + box.largest


@TABLE.row(UP, DOWN)
def operators(x):
    return (Box(x) + Box(x * 2)).v, (1.0 + Box(x)).v, Box(x) @ Box(x + 1), -Box(x)


@TABLE.row(UP, DOWN)
def comparisons(x):
    return Box(x) == Box(x + 1), Box(x) < Box(x + 1), Box(x) > Box(x + 1)


@TABLE.row(UP, DOWN)
def operators_in_place(x):
    box = Small(x + 3)
    box += vt.abs(x) + 1
    return box.v


@TABLE.row(UP, DOWN)
def operators_under_control_flow(x):
    total = Box(x)
    for _ in range(3):
        if total.clipped.sum() > 1:
            total = total + 1.0
    return total.v


@TABLE.row(UP, DOWN)
def dataclasses_that_finish_themselves(x):
    pair = Pair(x)
    return pair.y, pair.both


class Gated(vt.nn.Layer):
    """A layer whose weight is computed by a getter."""

    def __init__(self):
        super().__init__()
        self.linear = vt.nn.Linear(4, 4)

    @property
    def weight(self):
        return self.linear.weight if self.linear.weight.sum() > 0 else -self.linear.weight

    def forward(self, x):
        return vt.matmul(x, self.weight)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_layers_getter_looks_at_its_weights_at_each_call(sign: float) -> None:
    layer, x = Gated(), vt.to_tensor(np.arange(4, dtype=np.float32))
    compiled = vt.jit.to_static(layer.forward)
    for scale in (sign, -sign):
        layer.linear.weight.set_value(np.full((4, 4), scale, np.float32))
        found, expected = compiled(x).sum(), layer.forward(x).sum()
        np.testing.assert_array_equal(found.numpy(), expected.numpy())
        found.backward()
        inside = layer.linear.weight.grad.numpy()
        layer.linear.weight.clear_gradient()
        expected.backward()
        np.testing.assert_allclose(inside, layer.linear.weight.grad.numpy())
        layer.linear.weight.clear_gradient()


def test_the_class_is_the_users_again_after_a_capture_and_after_an_error() -> None:
    own = dict(vars(Box))

    def good(x: Any) -> Any:
        return (Box(x) + Box(x)).clipped

    def bad(x: Any) -> Any:
        made = (Box(x) + Box(x)).clipped
        return math.gamma(made.sum())

    x = vt.to_tensor(UP)
    vt.jit.to_static(good)(x)
    assert dict(vars(Box)) == own
    with pytest.raises(CaptureError):
        vt.jit.to_static(bad)(x)
    assert dict(vars(Box)) == own


def test_other_threads_have_the_users_own_meanwhile() -> None:
    inside, ready, seen = threading.Event(), threading.Event(), []

    class Shared:
        def __init__(self, v: Any) -> None:
            self.v = v

        @property
        def side(self) -> Any:
            if self.v.sum() > 0:
                return self.v
            return -self.v

    def other() -> None:
        inside.wait()
        seen.append(Shared(vt.to_tensor(DOWN)).side.numpy())
        ready.set()

    @vt.jit.not_to_static
    def meet() -> None:
        inside.set()
        ready.wait()

    def traced(x: Any) -> Any:
        found = Shared(x).side
        meet()
        return found

    thread = threading.Thread(target=other)
    thread.start()
    np.testing.assert_array_equal(vt.jit.to_static(traced)(vt.to_tensor(DOWN)).numpy(), -DOWN)
    thread.join()
    np.testing.assert_array_equal(seen[0], -DOWN)


def test_what_cannot_be_captured_in_them_is_said_once_with_its_line() -> None:
    class Opaque:
        def __init__(self, v: Any) -> None:
            self.v = v

        @property
        def sure(self) -> Any:
            if self.v.sum() > 0:
                exec("pass")
            return self.v

    def reads(x: Any) -> Any:
        return Opaque(x).sure

    with pytest.raises(CaptureError, match="exec") as caught:
        vt.jit.to_static(reads)(vt.to_tensor(UP))
    assert 'exec("pass")' in str(caught.value)


@functools.total_ordering
class Ordered:
    """What compares by less and equal alone; the rest is made of them."""

    def __init__(self, v):
        self.v = v

    def __lt__(self, o):
        return self.v < o.v

    def __eq__(self, o):
        return self.v == o.v


@functools.total_ordering
class FromAbove:
    """The same with `__ge__`, and an answer for its own class only."""

    def __init__(self, v):
        self.v = v

    def __ge__(self, o):
        if not isinstance(o, FromAbove):
            return NotImplemented
        return self.v >= o.v

    def __eq__(self, o):
        return isinstance(o, FromAbove) and self.v == o.v


@TABLE.row(UP, DOWN)
def orders_made_of_two_methods(x):
    for kind in (Ordered, FromAbove):
        a, b, c = kind(x[0]), kind(x[1]), kind(x[0] * 1)
        if a > b:
            x = x + 1
        if a >= b:
            x = x * 2
        if a < b:
            x = x - 3
        if a <= c:
            x = x * 5
        if a != b:
            x = x + 7
        if a != c:
            x = x * 11
    return x


@TABLE.row(UP, DOWN)
def unequal_objects(x):
    a, b = FromAbove(x[0]), FromAbove(x[1])
    count = 0
    for other in (a, b, None, 3):
        if a != other:
            count = count + 1
    return x * (2 if a != b else 3), count, a != b


@TABLE.names()
def test_construct(name: str) -> None:
    TABLE.check(name)
