"""Where code finds a number by another way than the object's own attribute: each change there is seen by the next call."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import vitrify as vt

Steps = tuple[Callable[[Any], Any], list[Callable[[], Any]]]


def put(owner: Any, value: Any) -> Callable[[], None]:
    return lambda: setattr(owner, "k", value)


def drop(owner: Any) -> Callable[[], None]:
    return lambda: delattr(owner, "k")


def by_getattribute() -> Steps:
    class A:
        held: dict[str, float]

        def __getattribute__(self, name: str) -> Any:
            if name == "k":
                return object.__getattribute__(self, "held")["k"]
            return object.__getattribute__(self, name)

    a: Any = A()
    a.held = {"k": 2.0}
    return lambda x: x * a.k, [lambda: a.held.update(k=3.0), lambda: setattr(a, "held", {"k": 4.0})]


def by_getattribute_of_super() -> Steps:
    class A:
        def __getattribute__(self, name: str) -> Any:
            found = super().__getattribute__(name)
            return found + 1 if name == "k" else found

    a: Any = A()
    a.k = 2.0
    return lambda x: x * a.k, [put(a, 3.0), put(a, 4.0), put(a, 5.0)]


def in_a_slot() -> Steps:
    class A:
        __slots__ = ("k",)

    a: Any = A()
    a.k = 1.0
    return lambda x: x * getattr(a, "k", 9.0), [drop(a), put(a, 3.0), put(a, 4.0), drop(a)]


def in_a_slot_or_made_up() -> Steps:
    class A:
        __slots__ = ("__dict__", "k")

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return 9.0

    a: Any = A()
    return lambda x: x * a.k, [put(a, 3.0), put(a, 4.0), drop(a), put(a, 5.0)]


def in_the_attributes() -> Steps:
    class A:
        k = 1.0

    a = A()
    a.k = 3.0
    steps = [drop(a), put(a, 4.0), put(a, 5.0), drop(a), put(A, 2.0)]
    return lambda x: x * (a.k if "k" in a.__dict__ else 50.0 + a.k), steps


def by_a_layer_around() -> Steps:
    class Proxy(vt.nn.Layer):
        def __init__(self, inner: Any) -> None:
            super().__init__()
            self.inner = inner

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(super().__getattr__("inner"), name)

        def forward(self, x: Any) -> Any:
            return x * self.k

    inner: Any = vt.nn.Linear(1, 1)
    inner.k = 3.0
    layer = Proxy(inner)
    weight = vt.create_parameter([], "float32", default_initializer=vt.nn.initializer.Constant(7.0))
    return layer, [put(inner, 4.0), put(layer, 100.0), put(layer, 200.0), drop(layer), put(layer, weight), drop(layer)]


FORMS = [
    by_getattribute, by_getattribute_of_super, in_a_slot, in_a_slot_or_made_up, in_the_attributes, by_a_layer_around,
]  # fmt: skip


@pytest.fixture
def no_builtin() -> Iterator[None]:
    yield
    vars(builtins).pop("SCALE_OF_A_TEST", None)


def after_each(run: Callable[[Any], Any], make: Callable[[], Steps]) -> list[float]:
    fn, steps = make()
    called, found = run(fn), []
    for step in (lambda: None, *steps):
        step()
        found.append(float(called(vt.ones([]))))
    return found


@pytest.mark.parametrize("make", FORMS, ids=lambda m: m.__name__)
def test_each_call_finds_what_eager_mode_finds(make: Callable[[], Steps]) -> None:
    assert after_each(vt.to_static, make) == after_each(lambda fn: fn, make)


def scaled(x: Any) -> Any:
    return x * SCALE_OF_A_TEST  # noqa: F821 (a builtin that the test puts there)


@pytest.mark.usefixtures("no_builtin")
def test_a_name_that_others_put_among_the_builtins() -> None:
    compiled = vt.to_static(scaled)
    space = vars(builtins)
    for value in (9.0, 11.0, 12.0):
        space["SCALE_OF_A_TEST"] = value
        assert float(compiled(vt.ones([]))) == value
    globals()["SCALE_OF_A_TEST"] = 3.0
    assert float(compiled(vt.ones([]))) == 3.0
    del globals()["SCALE_OF_A_TEST"]
    space["SCALE_OF_A_TEST"] = 13.0
    assert float(compiled(vt.ones([]))) == 13.0
    del space["SCALE_OF_A_TEST"]
    with pytest.raises(NameError):
        compiled(vt.ones([]))
