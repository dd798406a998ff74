"""What code asks of tensors among the arguments, and of tensors that it replaces, besides what they hold."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt

pytestmark = pytest.mark.filterwarnings("ignore::vitrify.jit.call.recompiles.RecompileWarning")


class Marked(vt.Tensor):
    """A tensor of a class of the user's."""

    factor = 5.0


def plain() -> Any:
    return vt.to_tensor([1.0, 2.0])


def with_attributes(**attributes: Any) -> Any:
    x = plain()
    for name, value in attributes.items():
        setattr(x, name, value)
    return x


def leaf() -> Any:
    return vt.to_tensor([1.0, 2.0], stop_gradient=False)


def marked() -> Any:
    return Marked([1.0, 2.0])


def written(times: int) -> Any:
    x = plain()
    for _ in range(times):
        x.add_(vt.zeros([2]))
    return x


def by_name(x: Any) -> Any:
    return x * 2 if x.name == "a" else x * 3


def name_as_text(x: Any) -> Any:
    return x, f"of {x.name}"


def by_leaf(x: Any) -> Any:
    return x * 2 if x.is_leaf else x * 3


def by_class(x: Any) -> Any:
    return x * x.factor if isinstance(x, Marked) else x * 3


def by_persistable(x: Any) -> Any:
    return x * 2 if x.persistable else x * 3


def by_version(x: Any) -> Any:
    return x * x.inplace_version


def by_version_of_a_part(x: Any) -> Any:
    part = x[:1]
    before = part.inplace_version
    x.scale_(2.0)
    return x * (10 * before + part.inplace_version)


def by_attribute(x: Any) -> Any:
    return x * 2 if getattr(x, "tag", None) == "u" else x * 3


def whether_there(x: Any) -> Any:
    return x * x.degree if hasattr(x, "degree") else x


def in_a_list(xs: Any) -> Any:
    return sum(x * k for k, x in enumerate(xs) if x.name != "a")


NAMES = [lambda: with_attributes(name="a"), lambda: with_attributes(name="b")]
CASES: list[tuple[Callable[[Any], Any], list[Callable[[], Any]]]] = [
    (by_name, NAMES),
    (name_as_text, NAMES),
    (by_leaf, [leaf, lambda: leaf() * 1]),
    (by_class, [plain, marked]),
    (by_persistable, [plain, lambda: with_attributes(persistable=True)]),
    (by_version, [lambda: written(0), lambda: written(1), lambda: written(3)]),
    (by_version_of_a_part, [lambda: written(0), lambda: written(1), lambda: written(3)]),
    (by_attribute, [plain, lambda: with_attributes(tag="u"), lambda: with_attributes(tag="v")]),
    (whether_there, [plain, lambda: with_attributes(degree=2.0), lambda: with_attributes(degree=3.0)]),
]


def shown(value: Any) -> Any:
    if isinstance(value, tuple):
        return [shown(v) for v in value]
    return (value.tolist(), value.stop_gradient) if isinstance(value, vt.Tensor) else value


@pytest.mark.parametrize(("fn", "makers"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_the_answer_is_that_of_each_call(fn: Any, makers: Any) -> None:
    compiled = vt.to_static(fn)
    for make in [*makers, *reversed(makers), *makers]:
        assert shown(compiled(make())) == shown(fn(make()))
    assert compiled.get_traced_count() <= len(makers), compiled.explain()


def test_tensors_in_a_list() -> None:
    compiled = vt.to_static(in_a_list)
    for names in (("a", "b", "c"), ("b", "a", "c"), ("b", "b", "b"), ("a", "b", "c")):
        given = [with_attributes(name=n) for n in names]
        assert shown(compiled(given)) == shown(in_a_list(given))


@pytest.mark.parametrize("fact", ["is_leaf", "inplace_version"])
def test_a_tensor_that_the_function_replaces(fact: str) -> None:
    def run(compiles: bool) -> list[Any]:
        s = SimpleNamespace(t=leaf())

        def fn(x: Any) -> Any:
            y = x * 2 if getattr(s.t, fact) else x * 3
            s.t = s.t * 1 + x
            return y

        used = vt.to_static(fn) if compiles else fn
        return [used(plain()).tolist() for _ in range(4)]

    assert run(True) == run(False)


def test_the_reason_names_the_attribute() -> None:
    compiled = vt.to_static(by_name)
    for make in NAMES:
        compiled(make())
    assert "x.name is now 'b'" in compiled.explain()
