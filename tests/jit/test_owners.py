"""Owners of compiled methods: temporaries, slots, classes; what they hold goes with them."""

from __future__ import annotations

import copy
import gc
import weakref
from typing import Any

import pytest

import vitrify as vt


def t(*values: float) -> Any:
    return vt.to_tensor(list(values), dtype="float32")


class Scale:
    def __init__(self, k: float = 2.0) -> None:
        self.k = k

    @vt.jit.to_static
    def f(self, x: Any) -> Any:
        return x * self.k


class Slots:
    __slots__ = ("k",)

    def __init__(self, k: float = 2.0) -> None:
        self.k = k

    @vt.jit.to_static
    def f(self, x: Any) -> Any:
        return x * self.k


class Referenced(Slots):
    __slots__ = ("__weakref__",)


class OfClass:
    k = 3.0

    @classmethod
    @vt.jit.to_static
    def of(cls, x: Any) -> Any:
        return x * cls.k

    @vt.jit.to_static
    @classmethod
    def turned(cls, x: Any) -> Any:
        return x * cls.k

    @staticmethod
    @vt.jit.to_static
    def still(x: Any) -> Any:
        return x * 3


class Sub(Scale):
    @vt.jit.to_static
    def f(self, x: Any) -> Any:
        return super().f(x) + 1


@pytest.mark.parametrize("kind", [Scale, Slots, Referenced])
@pytest.mark.usefixtures("others_set_aside")
def test_an_owner_may_be_a_temporary(kind: Any) -> None:
    assert kind().f(t(1.0, 2.0)).tolist() == [2.0, 4.0]
    assert kind(5.0).f(t(1.0, 2.0)).tolist() == [5.0, 10.0]
    bound = kind(3.0).f
    gc.collect()
    assert bound(t(1.0)).tolist() == [3.0]


@pytest.mark.usefixtures("others_set_aside")
def test_a_method_of_a_temporary_may_be_compiled() -> None:
    class Plain:
        k = 2.0

        def f(self, x: Any) -> Any:
            return x * self.k

    fn = vt.jit.to_static(Plain().f)
    gc.collect()
    assert fn(t(1.0)).tolist() == [2.0]


@pytest.mark.usefixtures("others_set_aside")
def test_forward_outlives_the_name_of_its_layer() -> None:
    class Net(vt.nn.Layer):
        def forward(self, x: Any) -> Any:
            return x * 2

    forward = vt.jit.to_static(Net()).forward
    gc.collect()
    assert forward(t(1.0)).tolist() == [2.0]


def test_owners_with_slots_keep_their_programs_from_call_to_call() -> None:
    owner = Slots()
    for _ in range(3):
        owner.f(t(1.0))
    assert owner.f.get_traced_count() == 1
    owner.k = 7.0
    assert owner.f(t(1.0)).tolist() == [7.0]


def test_two_owners_have_two_programs() -> None:
    a, b = Scale(2.0), Scale(3.0)
    for _ in range(2):
        assert (a.f(t(1.0)).tolist(), b.f(t(1.0)).tolist()) == ([2.0], [3.0])
    assert a.f is a.f and a.f is not b.f


def test_methods_of_classes_work() -> None:
    for owner in (OfClass, OfClass()):
        for name in ("of", "turned", "still"):
            assert getattr(owner, name)(t(1.0)).tolist() == [3.0], name
    assert Scale.f(Scale(4.0), t(1.0)).tolist() == [4.0]


def test_a_compiled_method_of_the_base_is_called_by_super() -> None:
    sub = Sub(3.0)
    for _ in range(2):
        assert sub.f(t(1.0)).tolist() == [4.0]


@pytest.mark.usefixtures("others_set_aside")
def test_programs_go_with_their_owner() -> None:
    def used() -> weakref.ref[Any]:
        owner = Scale()
        owner.f(t(1.0))
        owner.f(t(1.0))
        return weakref.ref(owner)

    owners = [used() for _ in range(5)]
    gc.collect()
    assert [ref() for ref in owners] == [None] * 5


@pytest.mark.usefixtures("others_set_aside")
def test_few_owners_that_cannot_keep_their_programs_live_on() -> None:
    def used() -> weakref.ref[Any]:
        owner = Referenced()
        owner.f(t(1.0))
        return weakref.ref(owner)

    owners = [used() for _ in range(12)]
    gc.collect()
    assert sum(ref() is not None for ref in owners) <= 4


def test_a_copy_of_an_owner_has_a_program_of_its_own() -> None:
    a = Scale(2.0)
    a.f(t(1.0))
    b = copy.deepcopy(a)
    b.k = 5.0
    assert (a.f(t(1.0)).tolist(), b.f(t(1.0)).tolist()) == ([2.0], [5.0])


class ListWithState(list[Any]):
    def __init__(self) -> None:
        self.n, self.t = 0, vt.zeros([1])


class DictWithState(dict[str, Any]):
    def __init__(self) -> None:
        self.n, self.t = 0, vt.zeros([1])


class SetWithState(set[Any]):
    def __init__(self) -> None:
        self.n, self.t = 0, vt.zeros([1])


@pytest.mark.parametrize("kind", [ListWithState, DictWithState, SetWithState])
def test_attributes_of_containers_are_state(kind: Any) -> None:
    def run(decorate: Any) -> list[Any]:
        o, seen = kind(), []

        def step(x: Any) -> Any:
            o.n += x.shape[0]
            o.t = o.t + x.sum()
            return x * o.n

        compiled = decorate(step)
        for k in (2, 3, 4, 5):
            seen.append((compiled(vt.ones([k])).tolist(), o.n, o.t.tolist()))
        return seen

    assert run(vt.to_static) == run(lambda f: f)
