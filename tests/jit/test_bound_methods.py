"""Compiled methods of instances: each belongs to its instance, and the class is asked at each call."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import weakref
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn

ONE = vt.ones([1])


class Counter:
    """At the top of the module, so that its instances can be pickled."""

    def __init__(self) -> None:
        self.k = 1

    @vt.to_static
    def f(self, x: Any) -> Any:
        self.k += 1
        return x * self.k

    def clone(self) -> Counter:
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new


class Other(Counter):
    @vt.to_static
    def f(self, x: Any) -> Any:
        return super().f(x) * 100


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.k = 1

    @vt.to_static
    def forward(self, x: Any) -> Any:
        self.k += 1
        return x * self.k


WAYS = {
    "copy.copy": copy.copy, "copy.deepcopy": copy.deepcopy, "its attributes": Counter.clone,
    "pickle": lambda c: pickle.loads(pickle.dumps(c)),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_has_its_own_state(way: str) -> None:
    made = Counter()
    made.f(ONE)
    copied = WAYS[way](made)
    assert [float(copied.f(ONE)), made.k, copied.k] == [3, 2, 3]
    assert [float(made.f(ONE)), float(copied.f(ONE)), made.k, copied.k] == [3, 4, 3, 4]


@pytest.mark.parametrize("way", ["copy.copy", "copy.deepcopy"])
def test_a_copied_layer_has_its_own_state(way: str) -> None:
    made = Net()
    made(ONE)
    copied = WAYS[way](made)
    assert [float(copied(ONE)), made.k, copied.k] == [3, 2, 3]


def test_another_class_has_its_own_method() -> None:
    made = Counter()
    assert float(made.f(ONE)) == 2
    made.__class__ = Other
    assert [float(made.f(ONE)), float(made.f(ONE)), made.k] == [300, 400, 4]
    made.__class__ = Counter
    assert float(made.f(ONE)) == 5


def test_methods_replaced_or_deleted_in_the_class_are_met_at_the_next_call() -> None:
    class B:
        @vt.to_static
        def f(self, x: Any) -> Any:
            return x * 2

    class L(nn.Layer):
        @vt.to_static
        def forward(self, x: Any) -> Any:
            return x * 2

    made, layer = B(), L()
    assert [float(made.f(ONE)), float(layer(ONE))] == [2, 2]
    B.f = lambda self, x: x * 3  # type: ignore[method-assign, assignment, misc]
    L.forward = lambda self, x: x * 5  # type: ignore[method-assign, assignment]
    assert [float(made.f(ONE)), float(layer(ONE))] == [3, 5]
    B.f = vt.to_static(lambda self, x: x * 7)  # type: ignore[method-assign]
    assert float(made.f(ONE)) == 7
    del B.f
    with pytest.raises(AttributeError):
        made.f(ONE)


def test_one_look_up_gives_one_function_with_its_programs() -> None:
    made = Counter()
    made.f(ONE)
    assert made.f is made.f
    assert made.f.get_traced_count() == 1  # type: ignore[attr-defined]
    assert Counter().f.get_traced_count() == 0  # type: ignore[attr-defined]


def test_attributes_hold_nothing_strange() -> None:
    made = Counter()
    made.f(ONE)
    shown = {k: v for k, v in vars(made).items() if not k.startswith("__")}
    assert shown == {"k": 2}
    assert json.loads(json.dumps(vars(made)))["k"] == 2


@pytest.mark.usefixtures("others_set_aside")
def test_an_instance_goes_with_its_programs() -> None:
    made = Counter()
    made.f(ONE)
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None


def test_rollback_gives_the_function_back_to_one_instance() -> None:
    made, other = Counter(), Counter()
    made.f(ONE)
    made.f.rollback()  # type: ignore[attr-defined]
    assert not hasattr(made.f, "rollback")
    assert hasattr(other.f, "rollback")
    assert [float(made.f(ONE)), made.k] == [3, 3]


class Scorer(nn.Layer):
    """Two methods, one of which is met in captured code only."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(2, 2)

    @vt.to_static
    def forward(self, x: Any) -> Any:
        return self.fc(x) * 2


USES = {
    "called": lambda made, x: made(x),
    "on one path": lambda made, x: made(x) if x.sum() > 0 else x,
    "in a loop": lambda made, x: sum((made(x) for _ in vt.arange(2)), x),
    "with its attributes": lambda made, x: made(x) * len([n for n in vars(made) if not n.startswith("__")]),
}


@pytest.mark.parametrize("use", USES)
def test_methods_first_met_in_captured_code_work_alone_afterwards(use: str, tmp_path: Any) -> None:
    made, x = Scorer(), vt.ones([1, 2])
    outer = vt.to_static(lambda x: USES[use](made, x))
    first = outer(x)
    assert use != "called" or vt.allclose(first, made.fc(x) * 2)
    assert vt.allclose(made(x), made.fc(x) * 2)
    assert vt.equal_all(outer(x), first)
    assert outer.get_traced_count() == 1 or use == "with its attributes"  # whose names are one more
    vt.jit.save(made, str(tmp_path / "made"), input_spec=[vt.InputSpec([None, 2])])
    assert vt.allclose(vt.jit.load(str(tmp_path / "made"))(x), made(x))


def test_methods_of_plain_objects_first_met_in_captured_code_work_alone_afterwards() -> None:
    made, copied = Counter(), Counter()
    outer = vt.to_static(lambda x: made.f(x) + 1)
    assert [float(outer(ONE)), float(made.f(ONE)), float(outer(ONE)), made.k] == [3, 3, 5, 4]
    copied.__dict__.update(vars(made))
    assert [float(copied.f(ONE)), made.k, copied.k] == [5, 4, 5]
    assert made.f.get_traced_count() == 1  # type: ignore[attr-defined]
