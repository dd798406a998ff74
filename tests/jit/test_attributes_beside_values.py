"""Objects of users' classes over Python's own (`class Batch(list)`): what they have beside their contents counts."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Batch(list[Any]):
    scale = 1.0


class Conf(dict[str, Any]):
    pass


class Word(str):
    pass


class Id(int):
    pass


class Amount(float):
    pass


class Phase(complex):
    pass


class Raw(bytes):
    pass


class Point(tuple[Any, ...]):
    pass


class Named(namedtuple("Named", "a b")):
    pass


class Members(frozenset[Any]):
    pass


class Holder:
    value: Any


HOLDER: Any = None
CONTENTS: dict[type, Callable[[], Any]] = {
    Batch: lambda: Batch([1.0, 2.0]),
    Conf: lambda: Conf(a=1.0),
    Word: lambda: Word("a"),
    Id: lambda: Id(3),
    Amount: lambda: Amount(2.5),
    Phase: lambda: Phase(1j),
    Raw: lambda: Raw(b"a"),
    Point: lambda: Point((1.0, 2)),
    Named: lambda: Named(1.0, 2.0),
    Members: lambda: Members([1, 2]),
}
KINDS = list(CONTENTS)
HASHABLE = [kind for kind in KINDS if kind not in (Batch, Conf)]
WEIGHTS = (1.0, 2.0, 3.0, 2.0, 3.0, 5.0, 1.0)


def made(kind: type, weight: Any) -> Any:
    value = CONTENTS[kind]()
    value.weight = weight
    return value


def both(run: Callable[[Callable[[Any], Any]], Any]) -> tuple[Any, Any]:
    return run(lambda fn: fn), run(vt.to_static)


PLACES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "attribute": (lambda value: value, lambda held: held),
    "list": (lambda value: [value], lambda held: held[0]),
    "tuple": (lambda value: (1, (value,)), lambda held: held[1][0]),
    "dict": (lambda value: {"a": value}, lambda held: held["a"]),
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
@pytest.mark.parametrize("place", PLACES)
def test_another_object_stands_in_a_place(place: str, kind: type) -> None:
    put, take = PLACES[place]

    def run(compile_: Any) -> list[float]:
        holder = Holder()
        step = compile_(lambda x: x * take(holder.value).weight)
        found = []
        for weight in WEIGHTS:
            holder.value = put(made(kind, weight))
            found.append(float(step(vt.ones([]))))
        return found

    eager, compiled = both(run)
    assert compiled == eager == list(WEIGHTS)


@pytest.mark.parametrize("kind", HASHABLE, ids=lambda k: k.__name__)
@pytest.mark.parametrize("collect", [frozenset, set, dict.fromkeys], ids=["frozenset", "set", "keys"])
def test_another_member_of_a_set(collect: Any, kind: type) -> None:
    def run(compile_: Any) -> list[float]:
        holder, members = Holder(), collect([made(kind, 0.0)])
        holder.value = members
        step = compile_(lambda x: x * sum(member.weight for member in holder.value))
        found = []
        for weight in WEIGHTS:
            if collect is frozenset:
                holder.value = collect([made(kind, weight)])
            else:
                members.clear()
                members.update(collect([made(kind, weight)]))
            found.append(float(step(vt.ones([]))))
        return found

    eager, compiled = both(run)
    assert compiled == eager == list(WEIGHTS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_the_attribute_changes(kind: type) -> None:
    def run(compile_: Any) -> list[float]:
        value = made(kind, 0.0)
        step = compile_(lambda x: x * value.weight)
        found = []
        for weight in WEIGHTS:
            value.weight = weight
            found.append(float(step(vt.ones([]))))
        return found

    eager, compiled = both(run)
    assert compiled == eager == list(WEIGHTS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "changed"])
def test_as_an_argument(is_new: bool, kind: type) -> None:
    def run(compile_: Any) -> list[float]:
        value = made(kind, 0.0)
        step = compile_(lambda x, w: x * w.weight)
        found = []
        for weight in WEIGHTS:
            value.weight = weight
            given = made(kind, weight) if is_new else value
            found.append(float(step(vt.ones([]), given)))
        return found

    eager, compiled = both(run)
    assert compiled == eager == list(WEIGHTS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_the_function_writes_attributes(kind: type) -> None:
    def run(compile_: Any) -> list[Any]:
        holder = Holder()

        def count(x: Any) -> Any:
            holder.value.weight += 1
            holder.value.last = x * holder.value.weight
            return x + holder.value.weight

        step = compile_(count)
        found: list[Any] = []
        for k, weight in enumerate((5, 5, 7, 5, 5)):
            before = getattr(holder, "value", None)
            if k != 3:
                holder.value = made(kind, weight)
            result = float(step(vt.ones([])))
            found += [result, holder.value.weight, float(holder.value.last), before and before.weight]
        return found

    eager, compiled = both(run)
    assert compiled == eager


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_the_function_writes_attributes_of_an_argument(kind: type) -> None:
    def count(x: Any, w: Any) -> Any:
        w.weight += 1
        return x + w.weight

    def run(compile_: Any) -> list[Any]:
        step, found = compile_(count), []
        for weight in (5, 5, 6, 5, 5, 8):
            given = made(kind, weight)
            found += [float(step(vt.ones([]), given)), given.weight]
        return found

    eager, compiled = both(run)
    assert compiled == eager


def test_equal_attributes_need_no_new_program() -> None:
    holder = Holder()
    step = vt.to_static(lambda x, w: x * holder.value.weight * w.weight)
    for _ in range(6):
        holder.value = made(Batch, 2.0)
        assert float(step(vt.ones([]), made(Word, 3.0))) == 6.0
    assert step.get_traced_count() == 1


def test_an_attribute_that_appears() -> None:
    word = Word("a")
    step = vt.to_static(lambda x: x * getattr(word, "weight", 2.0))
    assert float(step(vt.ones([]))) == 2.0
    word.weight = 3.0  # type: ignore[attr-defined]
    assert float(step(vt.ones([]))) == 3.0
    del word.weight  # type: ignore[attr-defined]
    assert float(step(vt.ones([]))) == 2.0


def test_an_attribute_of_the_class() -> None:
    batch = Batch([1.0])
    step = vt.to_static(lambda x: x * batch.scale)
    try:
        for scale in (1.0, 2.0, 3.0):
            Batch.scale = scale
            assert float(step(vt.ones([]))) == scale
    finally:
        Batch.scale = 1.0


def test_attributes_that_hold_such_objects_or_the_object_itself() -> None:
    holder = Holder()
    step = vt.to_static(lambda x: x * holder.value.inner.weight)
    for weight in WEIGHTS:
        holder.value = Word("a")
        holder.value.itself, holder.value.inner = holder.value, made(Point, weight)
        assert float(step(vt.ones([]))) == weight


class OwnWord(str):
    weight: Any

    def put(self, weight: Any) -> Any:
        self.weight = weight
        return self

    def twice(self) -> Any:
        return self.weight * 2


class OwnPoint(tuple[Any, ...]):
    weight: Any
    put, twice = OwnWord.put, OwnWord.twice


class OwnBatch(list[Any]):
    weight: Any
    put, twice = OwnWord.put, OwnWord.twice


def _on_a_path(kind: Any, holder: Any, x: Any) -> Any:
    value = kind("ab").put(x)
    if x > 2:
        value.put(x * 3)
    return value.twice()


def _in_a_loop(kind: Any, holder: Any, x: Any) -> Any:
    value = kind("ab").put(x)
    for i in range(3):
        if x > i:
            value.weight = value.weight + x
    return value.twice()


def _given_out(kind: Any, holder: Any, x: Any) -> Any:
    holder.made = kind("ab").put(x)
    holder.made.put(holder.made.twice() * 3)
    return holder.made.twice()


def _outside_on_a_path(kind: Any, holder: Any, x: Any) -> Any:
    if x > 2:
        holder.value.put(x * 2)
    return holder.value.twice()


def _two_of_them(kind: Any, holder: Any, x: Any) -> Any:
    values = [kind("a").put(x), kind("b").put(x * 2)]
    if x > 2:
        values[0].put(x + 5)
    return sum(value.twice() for value in values)


@pytest.mark.parametrize("kind", [OwnWord, OwnPoint, OwnBatch], ids=lambda k: k.__name__)
@pytest.mark.parametrize(
    "fn", [_on_a_path, _in_a_loop, _given_out, _outside_on_a_path, _two_of_them], ids=lambda f: f.__name__[1:]
)
def test_their_methods(fn: Any, kind: Any) -> None:
    def run(compile_: Any) -> list[Any]:
        holder = Holder()
        holder.value = kind("xy").put(1.0)
        step, found = compile_(lambda x: fn(kind, holder, x)), []
        for v in (1.0, 3.0, 2.5, 5.0, 0.5):
            found += [float(step(vt.to_tensor(v))), float(holder.value.weight)]
            found.append(float(holder.made.weight) if hasattr(holder, "made") else None)
        return found

    eager, compiled = both(run)
    assert compiled == eager


def test_a_named_tuple_comes_out_with_its_attributes() -> None:
    def step(x: Any) -> Any:
        found = Named(x, x * 2)
        if x > 2:
            found = Named(x + 1, x)
            found.weight = x * 5  # type: ignore[attr-defined]
        else:
            found.weight = x  # type: ignore[attr-defined]
        return found

    compiled = vt.to_static(step)
    for v in (1.0, 3.0, 2.5, 0.5):
        eager, made = step(vt.to_tensor(v)), compiled(vt.to_tensor(v))
        assert type(made) is Named
        assert [*map(float, made), float(made.weight)] == [*map(float, eager), float(eager.weight)]  # type: ignore[attr-defined]


def test_a_named_tuple_without_attributes_is_taken_apart() -> None:
    compiled = vt.to_static(lambda n: n.a * 2 + n.b)
    for v in (1.0, 2.0, 3.0):
        assert float(compiled(Named(vt.to_tensor(v), vt.ones([])))) == v * 2 + 1
    assert compiled.get_traced_count() == 1


class Slotted(list[Any]):
    __slots__ = ("weight",)
    weight: float


@pytest.mark.parametrize("is_given", [True, False], ids=["argument", "outside"])
def test_what_a_list_has_in_slots(is_given: bool) -> None:
    batch = Slotted([1.0])
    holder = Holder()
    holder.value = batch
    step = vt.to_static((lambda x, b: x * b.weight) if is_given else (lambda x, b: x * holder.value.weight))
    for weight in WEIGHTS:
        batch.weight = weight
        assert float(step(vt.ones([]), batch if is_given else None)) == weight
