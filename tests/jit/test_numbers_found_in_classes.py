"""A number that changes between calls, found in an object at first and then in its class, a base, or by `__getattr__`."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

Steps = tuple[Callable[[Any], Any], Any, list[Callable[[], Any]]]


def put(owner: Any, value: Any) -> Callable[[], None]:
    return lambda: setattr(owner, "k", value)


def drop(owner: Any) -> Callable[[], None]:
    return lambda: delattr(owner, "k")


def of_a_class() -> Steps:
    class A:
        k = 1.0

    a = A()
    a.k = 3.0
    steps = [drop(a), put(A, 9.0), put(a, 4.0), put(a, 5.0), drop(a), put(A, 6.0), drop(A)]
    steps += [lambda: setattr(A, "__getattr__", lambda self, name: 100.0), put(A, 7.0)]
    return lambda x: x * a.k, a, steps


def of_a_base() -> Steps:
    class B:
        k = 1.0

    class A(B):
        pass

    a = A()
    a.k = 3.0
    return lambda x: x * a.k, a, [drop(a), put(B, 9.0), put(A, 5.0), drop(A), put(B, 2.0), drop(B)]


def in_a_tuple() -> Steps:
    class A:
        k = (1.0, 2)

    a = A()
    a.k = (3.0, 2)
    return lambda x: x * a.k[0], a, [put(a, (5.0, 2)), drop(a), put(A, (9.0, 2)), put(A, (8.0, 3))]


def of_a_layer() -> Steps:
    class Scale(vt.nn.Layer):
        k = 1.0

        def forward(self, x: Any) -> Any:
            return x * self.k

    layer = Scale()
    layer.k = 3.0
    return layer, layer, [drop(layer), put(Scale, 9.0), put(layer, 2.0), drop(layer), put(Scale, 4.0), drop(Scale)]


def of_a_metaclass() -> Steps:
    class Meta(type):
        k = 1.0

    class A(metaclass=Meta):
        k = 2.0

    return lambda x: x * A.k, A, [put(A, 3.0), put(A, 4.0), drop(A), put(Meta, 9.0), put(A, 5.0)]


def counted_on() -> Steps:
    class A:
        k = 1

        def count(self, x: Any) -> Any:
            self.k += 1
            return x * self.k

    a = A()
    return a.count, a, [lambda: None, drop(a), lambda: None, put(A, 20), drop(a), lambda: None, drop(a), put(A, 30)]


def of_a_module() -> Steps:
    module: Any = types.ModuleType("settings")
    module.k = 1.0
    module.__getattr__ = lambda name: 7.0
    return lambda x: x * module.k, module, [put(module, 2.0), put(module, 3.0), drop(module), put(module, 4.0)]


FORMS = [of_a_class, of_a_base, in_a_tuple, of_a_layer, of_a_metaclass, counted_on, of_a_module]


def after_each(run: Callable[[Any], Any], make: Callable[[], Steps]) -> list[Any]:
    """What each call gives, with the object's own value behind it."""
    fn, owner, steps = make()
    called, found = run(fn), []
    for step in (lambda: None, *steps):
        step()
        try:
            found.append((float(called(vt.ones([]))), vars(owner).get("k")))
        except AttributeError:
            found.append(("AttributeError", vars(owner).get("k")))
    return found


@pytest.mark.parametrize("make", FORMS, ids=lambda m: m.__name__)
def test_each_call_finds_what_eager_mode_finds(make: Callable[[], Steps]) -> None:
    assert after_each(vt.to_static, make) == after_each(lambda fn: fn, make)
