"""What methods read that Python calls for a string or a key, what caches keep, and what dispatchers choose: as in eager mode."""

from __future__ import annotations

import dataclasses
import datetime
import fractions
import functools
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


class Shown:
    """An object with a text and a key of its own."""

    def __init__(self) -> None:
        self.k = 1
        self.items = [1, 2]

    def __repr__(self) -> str:
        return f"A{self.k}"

    def __hash__(self) -> int:
        return self.k

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and other.k == self.k


class Formatted(Shown):
    """One with a format of its own."""

    def __format__(self, spec: str) -> str:
        return f"F{self.k}{spec}"


@dataclasses.dataclass(unsafe_hash=True)
class Record:
    """A class whose methods the standard library has made."""

    k: int = 1


FORMS: list[tuple[type, Callable[[Any], Any]]] = [
    (Shown, lambda o: f"{o}"),
    (Shown, lambda o: f"{o!r}"),
    (Shown, str),
    (Shown, lambda o: str({"a": [o]})),
    (Shown, lambda o: "%s" % o),  # noqa: UP031
    (Shown, lambda o: "{} {0.k}".replace("{}", "{0}").format(o)),
    (Shown, lambda o: "{0.items[1]}".format(o)),  # noqa: UP030, UP032
    (Shown, hash),
    (Shown, lambda o: hash((o, 1))),
    (Shown, lambda o: {Shown(): 5}.get(o, 0)),
    (Formatted, lambda o: f"{o:>4}"),
    (Formatted, lambda o: format(o, "<")),
    (Shown, lambda o: o in {Shown()}),
    (Shown, lambda o: o in [Shown()]),
    (Shown, lambda o: len({o, Shown()})),
    (Record, lambda o: o == Record(2)),
    (Record, lambda o: o in {Record(1): 0}),
    (Record, lambda o: [Record(3), Record(1), Record(2)].index(o)),
    (Record, lambda o: f"{o}"),
    (Record, str),
    (Record, hash),
]


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_what_python_asks_an_object_for_is_as_it_is_now(number: int) -> None:
    kind, use = FORMS[number]
    changed = kind()

    def f(x: Any) -> Any:
        return x * 2, use(changed)

    compiled = vt.to_static(f)
    for value in (1, 2, 2, 3):
        changed.k = value
        if isinstance(changed, Shown):
            changed.items[1] = value
        assert compiled(vt.ones([1]))[1] == f(vt.ones([1]))[1]


def test_caches_answer_as_in_eager_mode() -> None:
    state = {"k": 1}
    asked: list[int] = []

    @functools.cache
    def scale(n: int) -> int:
        asked.append(n)
        return n * state["k"]

    def run(call: Callable[..., Any]) -> Any:
        scale.cache_clear()
        asked.clear()
        state["k"] = 1
        results = [call(vt.ones([1]), 2).tolist()]
        state["k"] = 5
        results += [call(vt.ones([1]), n).tolist() for n in (2, 3, 2, 3)]
        scale.cache_clear()
        results += [call(vt.ones([1]), n).tolist() for n in (2, 3, 4, 2)]
        return results, sorted(asked)

    def f(x: Any, n: int) -> Any:
        return x * scale(n)

    assert run(vt.to_static(f)) == run(f)


@pytest.mark.parametrize("size", [None, 2])
def test_programs_of_other_calls_leave_a_cached_function_alone(size: int | None) -> None:
    runs: list[Any] = []
    for wrap in (lambda f: f, vt.to_static):
        seen: list[tuple[int, int]] = []

        @functools.lru_cache(maxsize=size)
        def basis(n: int, scale: int) -> list[float]:
            seen.append((n, scale))  # noqa: B023
            return [float(i * scale) for i in range(n)]

        run = wrap(lambda x, n: x * sum(basis(n, 2)))
        made = [run(vt.ones([2]), n).tolist() for n in (3, 3, 4, 3, 5, 3)]
        runs.append((made, seen))
    assert runs[0] == runs[1]


def test_a_cache_keeps_the_tensor_that_it_made() -> None:
    @functools.cache
    def ones(n: int) -> Any:
        return vt.ones([n])

    def f(x: Any) -> Any:
        kept = ones(3)
        kept.add_(x)
        return kept * 2

    compiled = vt.to_static(f)
    assert [compiled(vt.ones([3])).tolist()[0] for _ in range(3)] == [4.0, 6.0, 8.0]
    ones.cache_clear()
    assert compiled(vt.ones([3])).tolist() == [4.0] * 3
    assert ones(3).tolist() == [2.0] * 3


class Dispatched:
    """A method for each class of argument."""

    @functools.singledispatchmethod
    def method(self, value: Any) -> Any:
        return 0

    @method.register
    def _(self, value: int) -> Any:
        return value + 1

    @method.register
    def _(self, value: float) -> Any:
        return value * 2

    @method.register(vt.Tensor)
    def _(self, value: Any) -> Any:
        return value * 10


def test_a_method_is_chosen_by_the_class_of_a_number_that_changes() -> None:
    owner = Dispatched()
    compiled = vt.to_static(lambda x, value: x * owner.method(value))
    for value in (1, 2, 3, 0.5, 1.5, 2.5, "text", None):
        assert compiled(vt.ones([1]), value).tolist() == [float(owner.method(value))]
    assert compiled(vt.ones([1]), vt.full([1], 2.0)).tolist() == [20.0]


class Box:
    """An object with operators for a number on its left."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __rmul__(self, other: Any) -> Any:
        return self.value * other

    def __rsub__(self, other: Any) -> Any:
        return other - self.value

    def __gt__(self, other: Any) -> Any:
        return self.value > other

    def __eq__(self, other: object) -> Any:
        return self.value == other

    __hash__ = None  # type: ignore[assignment]


def test_operators_of_objects_are_asked_beside_numbers() -> None:
    box = Box(3)

    def f(x: Any, n: int) -> Any:
        k = int(x.sum())
        return k * box, float(k) - box, k < box, k == box, n * box, n - box, n < box, n == box

    compiled = vt.to_static(f)
    for n in (1, 2, 3):
        box.value = n + 1
        assert compiled(vt.full([1], n + 1.0), n) == f(vt.full([1], n + 1.0), n)


@pytest.mark.parametrize("number", range(4))
def test_code_that_is_not_captured_can_not_be_caught_failing(number: int) -> None:
    call = (
        lambda n: json.dumps({"n": n}), lambda n: fractions.Fraction(n, 4), lambda n: datetime.timedelta(seconds=n),
        lambda n: list(itertools.islice([1, 2, 3], n)),
    )[number]  # fmt: skip

    def f(x: Any) -> Any:
        try:
            return call(int(x.sum()))
        except (TypeError, ValueError):
            return "another path"

    with pytest.raises(CaptureError, match="isn't captured"):
        vt.to_static(f)(vt.ones([2]))


def test_a_fraction_beside_a_number_of_the_call() -> None:
    third = fractions.Fraction(1, 3)
    compiled = vt.to_static(lambda n: n * third)
    assert [compiled(n) for n in (1, 2, 3)] == [third, 2 * third, 1]


def test_a_size_is_hashed_as_a_number() -> None:
    compiled = vt.to_static(lambda x: hash(x.shape[0]))
    assert [compiled(vt.ones([n])) for n in (2, 3, 4)] == [2, 3, 4]


@dataclasses.dataclass
class Point:
    """A class for patterns."""

    a: int = 1
    b: int = 2
    inner: Any = None


def by_keyword(p: Any, x: Any) -> Any:
    match p:
        case Point(a=1):
            return x
        case Point(b=k):
            return x * k


def by_position(p: Any, x: Any) -> Any:
    match p:
        case Point(1, _, None):
            return x
        case Point(k, m, Point(n)):
            return x * k + m * n
        case Point(k):
            return x * k


@pytest.mark.parametrize(
    "function",
    [
        by_keyword,
        by_position,
        lambda p, x: x * sum(v for v in dataclasses.asdict(p).values() if isinstance(v, int)),
        lambda p, x: x * dataclasses.astuple(p)[0],
        lambda p, x: x if p == Point() else x * 7,
        lambda p, x: x if [p] == [Point(3)] else x * 7,
    ],
)
def test_fields_that_no_name_in_the_code_reads_are_guarded(function: Callable[..., Any]) -> None:
    point = Point()
    compiled = vt.to_static(lambda x: function(point, x))
    for a, b, inner in ((1, 2, None), (3, 2, None), (3, 5, None), (3, 5, Point(4)), (1, 1, None)):
        point.a, point.b, point.inner = a, b, inner
        assert compiled(vt.ones([1])).tolist() == function(point, vt.ones([1])).tolist()


def test_what_a_cached_function_gave_is_written_in_each_call() -> None:
    class Counter:
        uses = 0

    def run(compiles: Any) -> Any:
        @functools.cache
        def counter(name: str) -> Any:
            return Counter()

        @functools.cache
        def rows(n: int) -> list[Any]:
            return []

        def fn(x: Any, name: str, n: int) -> Any:
            found, kept = counter(name), rows(n)
            found.uses += 1
            kept.append(x * 2)
            return x * found.uses + len(kept)

        call = compiles(fn)
        made = [call(vt.ones([1]), "ab"[k % 2], k // 4).tolist() for k in range(7)]
        return made, counter("a").uses, counter("b").uses, [[x.tolist() for x in rows(n)] for n in (0, 1)]

    assert run(vt.to_static) == run(lambda fn: fn)
