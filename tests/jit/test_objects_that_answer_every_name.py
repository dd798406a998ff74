"""Objects, classes and modules whose `__getattr__` answers every name, and classes with the names of marks of ours."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import vitrify as vt


class AnsweringType(type):
    def __getattr__(cls, name: str) -> float:
        return 8.0


class Answering(metaclass=AnsweringType):
    def __init__(self) -> None:
        self.k = 3.0


class Empty(metaclass=AnsweringType):
    pass


class AttrDict(dict[str, Any]):
    def __getattr__(self, name: str) -> Any:
        return self.get(name)


class Number:
    def __getattr__(self, name: str) -> float:
        return 8.0


class Slotted:
    __slots__ = ("k",)

    def __init__(self) -> None:
        self.k = 3.0

    def __getattr__(self, name: str) -> float:
        return 8.0


class Callable8(Number):
    def __call__(self, x: Any) -> Any:
        return x * 2


class Marked:
    """Uses names that classes of the library have for something else."""

    is_union = is_state = is_followed = is_iterator = holds_stand_ins = is_made_of_attributes = True
    is_lazy = "lazy"
    read_by_runs = 3
    objects = decision = None

    def __init__(self) -> None:
        self.k = 3.0

    def parts_of(self) -> str:
        return "none"


answering, number, slotted, called, marked = Answering(), Number(), Slotted(), Callable8(), Marked()
attributes = AttrDict(lr=2.0)
holder = types.SimpleNamespace(kind=Answering, item=Answering())

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "a class": lambda x: x * Answering.foo,
    "a class without attributes": lambda x: x * Empty.bar,
    "an instance": lambda x: x * answering.k,
    "an instance made inside": lambda x: x * Answering().k,
    "an attribute": lambda x: x * holder.kind.foo * holder.item.k,
    "an object": lambda x: x * number.foo,
    "an object with slots": lambda x: x * slotted.foo + slotted.k,
    "an object that is called": lambda x: called(x) * called.foo,
    "a dict": lambda x: x * attributes.lr + (0 if attributes.nope is None else 1),
    "in a list": lambda x: x * [answering, slotted][1].k + len([answering]),
    "names of marks": lambda x: x * marked.k + len(marked.parts_of()),
    "names of marks made inside": lambda x: x * Marked().k,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_they_are_read_as_in_eager_mode(name: str) -> None:
    fn, x = FUNCTIONS[name], vt.to_tensor(1.5)
    compiled = vt.to_static(fn)
    assert [compiled(x).item() for _ in range(2)] == [fn(x).item()] * 2


@pytest.mark.parametrize("given", [answering, number, slotted, called, marked])
def test_as_arguments(given: Any) -> None:
    def read(x: Any, owner: Any) -> Any:
        return x * owner.k if x > 1 else x * 2

    compiled, x = vt.to_static(read), vt.to_tensor(1.5)
    assert compiled(x, given).item() == read(x, given).item()


@pytest.mark.parametrize("kind", [Answering, Slotted, Marked])
def test_on_both_paths_and_written(kind: Any) -> None:
    def run(wrap: Callable[..., Any]) -> list[float]:
        owner = kind()

        @wrap
        def step(x: Any) -> Any:
            made = kind()
            if x > 1:
                made.k = x * 2
                owner.k = x + 1
            return made.k * x

        found = []
        for x in (1.5, 0.5, 2.5):
            found += [float(step(vt.to_tensor(x))), float(owner.k)]
        return found

    assert run(vt.to_static) == run(lambda fn: fn)


def test_what_changes_is_seen() -> None:
    class Local(metaclass=AnsweringType):
        pass

    compiled, x = vt.to_static(lambda x: x * Local.foo), vt.to_tensor(1.0)
    assert compiled(x).item() == 8.0
    Local.foo = 2.0
    assert compiled(x).item() == 2.0
    del Local.foo
    assert compiled(x).item() == 8.0


@pytest.fixture
def modules() -> Iterator[tuple[types.ModuleType, types.ModuleType]]:
    number, nothing = types.ModuleType("answering_number"), types.ModuleType("answering_nothing")
    number.__getattr__ = lambda name: 8.0  # type: ignore[method-assign]
    nothing.__getattr__ = lambda name: None  # type: ignore[method-assign]
    number.k = nothing.k = 2.0  # type: ignore[attr-defined]
    made = {m.__name__: m for m in (number, nothing)}
    sys.modules.update(made)
    yield number, nothing
    for name in made:
        del sys.modules[name]


def test_modules(modules: tuple[types.ModuleType, types.ModuleType]) -> None:
    number, nothing = modules
    x = vt.to_tensor(1.0)
    assert vt.to_static(lambda x: x * number.k * nothing.k)(x).item() == 4.0
    assert vt.to_static(lambda x: x * number.other)(x).item() == 8.0
    assert vt.to_static(lambda x: x if nothing.other is None else x * 2)(x).item() == 1.0

    def both(x: Any) -> Any:
        if x > 0:
            return x * number.k
        return x * number.other

    compiled = vt.to_static(both)
    assert [compiled(vt.to_tensor(v)).item() for v in (1.0, -1.0)] == [2.0, -8.0]
