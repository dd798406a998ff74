"""Numbers that only a run knows where Python looks them up: keys of dicts, sorted lists, whole numbers of `math`."""

from __future__ import annotations

import bisect
import dataclasses
import math
import operator
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


def t(*values: float) -> Any:
    return vt.to_tensor(list(values), dtype="float32")


DATA = ([1.0, -2.0, 3.0], [-1.0, 2.0, -4.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0], [2.0, 2.0, 2.0])


def of_one_type(x: Any) -> Any:
    d = {0: x * 2, 2: x * 3, 3: x + 1}
    return d[int(x.sum())]


def of_several_types(x: Any) -> Any:
    d = {0: x * 2, 2: x.sum(), 3: (x, 1), "name": 4}
    return d[int(x.sum())]


def numbers(x: Any) -> Any:
    d = {0: 1.5, 2: 2.5, 3.0: 4.5}
    return x * d[float(x.sum())]


def functions(x: Any) -> Any:
    d = {0: lambda v: v + 1, 2: vt.abs, 3: lambda v: v.sum()}
    return d[int(x.sum())](x)


def with_a_default(x: Any) -> Any:
    d = {0: 1.5, 3: 2.5}
    return x * d.get(int(x.sum()), 7.0), d.get(int(x.max()))


def in_a_handler(x: Any) -> Any:
    d = OrderedDict({0: x * 2, 3: x * 3})
    try:
        return d[int(x.sum())]
    except KeyError:
        return x - 1


def in_a_loop(x: Any) -> Any:
    names = {0: 10.0, 1: 20.0, 2: 30.0, 3: 40.0}
    total = x.sum() * 0
    for v in x:
        total = total + names[int(v.abs()) % 4]
    return total


def places(x: Any) -> Any:
    steps = [1.0, 2.0, 2.0, 5.0]
    value = float(x.sum())
    return (
        bisect.bisect(steps, value),
        bisect.bisect_left(steps, value),
        bisect.bisect_right(steps, value, 1, 3),
        bisect.bisect_left([5.0, 2.0, 1.0], -value, key=lambda v: -v),
    )


def sorted_in(x: Any) -> Any:
    steps, others = [1.0, 2.0, 5.0], []
    bisect.insort(steps, float(x.sum()))
    bisect.insort_left(others, float(x.max()))
    return steps, others


def whole_numbers(x: Any) -> Any:
    n = int(x.sum()) * 6
    return math.gcd(n, 4), math.lcm(n, 4), math.gcd(n), math.gcd(12, n, 8), math.lcm(3, n, 5)


FUNCTIONS: list[Callable[[Any], Any]] = [
    of_one_type, of_several_types, numbers, functions, with_a_default, in_a_handler, in_a_loop, places, sorted_in,
    whole_numbers,
]  # fmt: skip


def outcome(fn: Callable[[Any], Any], data: list[float]) -> Any:
    def plain(value: Any) -> Any:
        if isinstance(value, vt.Tensor):
            return value.dtype, value.tolist()
        return type(value)(map(plain, value)) if isinstance(value, (list, tuple)) else (type(value), value)

    try:
        return plain(fn(vt.to_tensor(data)))
    except Exception as error:
        return type(error), error.args


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_as_in_eager_mode(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for data in DATA:
        assert outcome(compiled, data) == outcome(fn, data)


def test_gradients_pass_through_what_a_key_finds() -> None:
    def slope(fn: Callable[[Any], Any], data: list[float]) -> Any:
        x = vt.to_tensor(data, stop_gradient=False)
        fn(x).sum().backward()
        return x.grad.tolist()

    compiled = vt.to_static(of_one_type)
    for data in (DATA[0], DATA[2], DATA[3]):
        assert slope(compiled, data) == slope(of_one_type, data)


def test_dicts_that_make_items_are_refused() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        return defaultdict(list, {0: [x]})[int(x.sum())]

    with pytest.raises(CaptureError, match="key of a dict"):
        fn(vt.ones([2]))


def test_floats_have_no_divisor() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        return math.gcd(float(x.sum()), 2)  # type: ignore[arg-type]

    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        fn(vt.ones([2]))


@dataclasses.dataclass
class Individual:
    """One of a population."""

    genes: Any
    fitness: float = 0.0


def population() -> list[Individual]:
    return [Individual(t(k)) for k in (3, 1, 2)]


def test_sorted_floats_keep_their_width() -> None:
    found = []
    for compiled in (lambda f: f, vt.to_static):
        fn = compiled(lambda x: sorted(float(v) * 0.1 for v in x))
        found.append([fn(t(3, 1, 2)), fn(t(5, 7, 1))])
    assert found[0] == found[1]


def test_the_best_of_sorted_objects_is_kept_where_it_is_better() -> None:
    found = []
    for compiled in (lambda f: f, vt.to_static):
        people, best = population(), Holder()

        def step(target: Any, people: Any = people, best: Any = best) -> Any:
            for p in people:
                p.fitness = float(-((p.genes - target) ** 2).sum())
            ranked = sorted(people, key=operator.attrgetter("fitness"), reverse=True)
            if best.value is None or ranked[0].fitness > best.value:
                best.value = ranked[0].fitness
            return best.value

        fn = compiled(step)
        found.append([(fn(t(k)), [p.fitness for p in people]) for k in (7, 1, 0, 2.5, 8)])
    assert found[0] == found[1]


class Holder:
    """Of the best value."""

    value: Any = None


@pytest.mark.parametrize("in_place", [False, True])
def test_a_write_into_an_object_that_a_run_sorts_is_refused(in_place: bool) -> None:
    people = population()

    def step(target: Any) -> None:
        ranked = people
        if in_place:
            people.sort(key=lambda p: float((p.genes - target).sum()))
        else:
            ranked = sorted(people, key=lambda p: float((p.genes - target).sum()))
        ranked[0].genes = ranked[0].genes + 1

    before = list(people)
    with pytest.raises(CaptureError, match="a list whose length, order or index only a run knows"):
        vt.to_static(step)(t(1))
    assert people == before


def test_a_write_into_a_tensor_that_a_run_sorts_is_refused() -> None:
    rows = [t(3), t(1), t(2)]

    def step(x: Any) -> Any:
        return sorted(rows, key=lambda r: float((r * x).sum()))[0].add_(x)

    with pytest.raises(CaptureError, match="another tensor still in use"):
        vt.to_static(step)(t(1))
    assert [float(r) for r in rows] == [3, 1, 2]


def tell(s: Any, k: int, x: Any) -> float:
    return 1.0 if x > 3 else 2.0


def discarded(s: Any, k: int, x: Any) -> Any:
    if k in s.calls:
        s.calls.discard(k)
    return tell(s, k, x)


def removed(s: Any, k: int, x: Any) -> Any:
    if k in s.calls:
        s.calls.remove(k)
    return tell(s, k, x)


def deleted(s: Any, k: int, x: Any) -> Any:
    if k in s.named:
        del s.named[k]
    return tell(s, k, x)


def joined(s: Any, k: int, x: Any) -> Any:
    if k in s.calls:
        s.calls.discard(k)
        x = x + k
        return bool(x > 3) and bool(x >= 3)
    return False


def several_conditions(s: Any, k: int, x: Any) -> Any:
    y = 0.0
    if k in s.named:
        y = s.named.pop(k)
    if x > 3 or k == 2:
        y = y + 1
    if k in s.calls:
        s.calls.remove(k)
    if x > 1:
        y = y + 10
    return y


def in_a_loop(s: Any, k: int, x: Any) -> Any:
    found = 0
    for j in range(3):
        if k + j in s.calls:
            s.calls.discard(k + j)
            found += 1
        if x > j:
            found += 10
    return found


@pytest.mark.parametrize(
    "fn", [discarded, removed, deleted, joined, several_conditions, in_a_loop], ids=lambda f: f.__name__
)
def test_conditions_behind_a_key_that_is_taken_away(fn: Callable[..., Any]) -> None:
    def run(compiled: Any) -> list[Any]:
        class State:
            def __init__(self) -> None:
                self.calls: set[int] = set()
                self.named: dict[int, float] = {}

        s, found = State(), []
        step = compiled(fn)
        for k, x in ((0, 0.0), (3, 0.0), (1, 2.0), (2, 1.0), (1, 9.0), (2, 5.0), (5, 0.0)):
            if k:
                s.calls.add(k)
                s.named[k] = 1.0
            found.append((float(step(s, k, vt.to_tensor(x))), sorted(s.calls), dict(s.named)))
        return found

    assert run(lambda f: f) == run(vt.to_static)
