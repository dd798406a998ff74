"""What a function of the library asks in the place of the code that calls it: sizes that only a run knows.

Code of the user's gets an answer that the run gives; the library's own questions are answered by a guess that the run
checks. Each case needs the marks of the functions between its line and the question (base/frame_marks.py).
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

SELECTIONS = ([-1.0, -2.0, -1.0], [1.0, -2.0, -1.0], [1.0, 2.0, -1.0], [1.0, 2.0, 3.0])


def k(x: Any) -> Any:
    """How many elements are positive."""
    return x[x > 0].shape[0]


@dataclass
class Sized:
    """Compared by its fields."""

    size: Any


class Own:
    """Compares sizes by a method of its own."""

    def __init__(self, size: Any) -> None:
        self.size = size

    def __eq__(self, other: object) -> Any:
        return isinstance(other, Own) and self.size == other.size

    def __lt__(self, other: Any) -> Any:
        return self.size < other.size

    def __bool__(self) -> bool:
        return bool(self.size)

    __hash__ = None  # type: ignore[assignment]


def conditional(x: Any) -> Any:
    if k(x) >= 2:
        return x * 2
    return x * 3


def looped(x: Any) -> Any:
    n, total = k(x), 0
    while n > 1:
        n, total = n - 1, total + 3
    return total


def asserted(x: Any) -> Any:
    try:
        assert k(x) != 2
    except AssertionError:
        return x * 5
    return x


def compared_on_a_path(x: Any) -> Any:
    if x.sum() > 0:
        return x * 2 if (x.sum(), k(x)) < (x.sum(), 2) else x
    return x * 3


def yielded(x: Any) -> Iterator[Any]:
    for n in (1, 2):
        yield k(x) == n


def yielded_sizes(x: Any) -> Iterator[Any]:
    yield k(x)
    yield k(-x)


def over_a_generator(x: Any) -> Any:
    return [x * 2 if flag else x for flag in yielded(x)]


def first_that_fits(x: Any) -> Any:
    return next((n for n in (1, 2, 3) if k(x) <= n), 7)


def of_an_iterator(x: Any) -> Any:
    flags = itertools.starmap(operator.ge, [(k(x), 1), (k(x), 3)])
    return next(flags), next(flags)


ASKED: dict[str, Callable[[Any], Any]] = {
    "==": lambda x: k(x) == 2,
    "!=": lambda x: k(x) != 2,
    "<": lambda x: k(x) < 2,
    ">=": lambda x: k(x) >= 2,
    "on the right": lambda x: 2 > k(x),  # noqa: SIM300
    "beside a float": lambda x: k(x) <= 1.5,
    "a chain": lambda x: 0 < k(x) < 3,
    "a chain behind a tensor": lambda x: x.sum() < 2 <= k(x),
    "a chain of equals": lambda x: 1 == k(x) == x.shape[0] - 2,
    "a chain with not in": lambda x: 0 < k(x) not in (2, 3),
    "a chain with !=": lambda x: 0 < k(x) != 3,
    "not": lambda x: not k(x),
    "and": lambda x: k(x) and 7,
    "or": lambda x: k(x) or 7,
    "and, behind a tensor": lambda x: (x.sum() > 0 and k(x) == 2) or x.sum() < -3,
    "a condition": conditional,
    "an expression": lambda x: x * 2 if k(x) == 1 else x * 3,
    "a loop": looped,
    "an assertion": asserted,
    "a list": lambda x: [k(x), 1] == [2, 1],
    "a tuple": lambda x: (1, k(x)) == (1, 2),
    "a tuple that differs": lambda x: (1, k(x)) != (1, 2),
    "a nested list": lambda x: [[k(x)], 1] == [[2], 1],
    "a shape": lambda x: x[x > 0].shape == [2],
    "another shape": lambda x: x[x > 0].shape != (2,),
    "an ordered tuple": lambda x: (1, k(x)) < (1, 2),
    "an ordered tuple with tensors": lambda x: (x.sum(), k(x)) < (2.0, 3),
    "an ordered tuple on a path": compared_on_a_path,
    "in": lambda x: k(x) in (1, 2),
    "not in": lambda x: k(x) not in (1, 2),
    "a number in": lambda x: 2 in [k(x), 1],
    "in a list of tuples": lambda x: (k(x), 1) in [(2, 1), (3, 1)],
    "a dataclass": lambda x: Sized(k(x)) == Sized(2),
    "a dataclass that differs": lambda x: Sized(k(x)) != Sized(2),
    "a class": lambda x: Own(k(x)) == Own(2),
    "a class that is less": lambda x: Own(k(x)) < Own(2),
    "a class in a list": lambda x: Own(k(x)) in [Own(1), Own(2)],
    "bool": lambda x: bool(k(x)),
    "bool of a class": lambda x: bool(Own(k(x))),
    "all": lambda x: all([k(x), 1]),
    "any": lambda x: any([k(x), 0]),
    "max": lambda x: max(k(x), 1),
    "max of a generator": lambda x: max(yielded_sizes(x)),
    "min by a key": lambda x: min(3, 1, 2, key=lambda n: abs(n - k(x))),
    "sorted": lambda x: sorted([k(x), 2, 0]),
    "operator.eq": lambda x: operator.eq(k(x), 2),
    "operator.lt": lambda x: operator.lt(k(x), 2),
    "operator.not_": lambda x: operator.not_(k(x)),
    "operator.truth": lambda x: operator.truth(k(x)),
    "operator.contains": lambda x: operator.contains([1, 2], k(x)),
    "a partial": lambda x: functools.partial(operator.ge, k(x))(2),
    "a partial of a function": lambda x: functools.partial(lambda n, m: n == m, k(x))(m=2),
    "a method of the size": lambda x: k(x).__eq__(2),
    "reduce": lambda x: functools.reduce(operator.ge, [k(x), 2]),
    "map": lambda x: list(map(operator.eq, [k(x)] * 2, [1, 2])),
    "map of a method": lambda x: list(map(k(x).__ge__, [1, 3])),
    "starmap": lambda x: list(itertools.starmap(operator.eq, [(k(x), 1), (k(x), 2)])),
    "accumulate": lambda x: list(itertools.accumulate([k(x), 2], operator.ge))[1],
    "an iterator": of_an_iterator,
    "a generator": over_a_generator,
    "the first of a generator": first_that_fits,
    "a generator's values": lambda x: list(yielded(x)),
    "index": lambda x: [0, 1, 2, 3].index(k(x)),
    "count": lambda x: [1, 2, k(x)].count(2),
    "count of tuples": lambda x: ((1, k(x)), (1, 2)).count((1, 2)),
    "getattr": lambda x: getattr(SimpleNamespace(n=k(x)), "n") == 2,  # noqa: B009
    "round": lambda x: round(k(x)) == 2,
    "bits": lambda x: k(x) & 1 == 1,
    "an exact quotient": lambda x: ((k(x) // 2) * 4) // ((k(-x) + 2) // 2),
}


def shown(value: Any) -> Any:
    """A result as a nested list."""
    if isinstance(value, (list, tuple)):
        return [shown(v) for v in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("fn", ASKED.values(), ids=ASKED)
def test_the_run_answers(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for numbers in SELECTIONS:
        x = vt.to_tensor(np.array(numbers, "float32"))
        assert shown(compiled(x)) == shown(fn(x))
    assert compiled.get_traced_count() == 1


DIVIDED: dict[str, Callable[[Any], Any]] = {
    "//": lambda x: 6 // k(x),
    "%": lambda x: x.shape[0] % k(x),
    "of sizes": lambda x: (k(x) + 3) // k(x),
    "operator.floordiv": lambda x: operator.floordiv(6, k(x)),
    "divmod": lambda x: divmod(7, k(x)),
    "a map": lambda x: list(map(operator.mod, [7], [k(x)])),
}


@pytest.mark.parametrize("fn", DIVIDED.values(), ids=DIVIDED)
def test_the_run_fails_where_the_size_is_zero(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for numbers in SELECTIONS[1:]:
        x = vt.to_tensor(np.array(numbers, "float32"))
        assert shown(compiled(x)) == shown(fn(x))
    for function in (fn, compiled):
        with pytest.raises(ZeroDivisionError):
            function(vt.to_tensor(SELECTIONS[0]))


REFUSED: dict[str, Callable[[Any], Any]] = {
    "compress": lambda x: list(itertools.compress([x], [k(x)])),
    "compress, one by one": lambda x: next(itertools.compress([x], [k(x)]), None),
    "a set": lambda x: len({k(x) == 1, k(x) == 2}),
}


@pytest.mark.parametrize("fn", REFUSED.values(), ids=REFUSED)
def test_an_answer_that_c_code_needs_is_refused(fn: Callable[[Any], Any]) -> None:
    with pytest.raises(CaptureError, match="only a run of the program knows"):
        vt.to_static(fn)(vt.to_tensor([1.0, -1.0]))


FACTS: dict[str, Callable[[Any], Any]] = {
    "read": lambda w: w.stop_gradient,
    "getattr": lambda w: getattr(w, "stop_gradient"),  # noqa: B009
    "a getter": lambda w: operator.attrgetter("stop_gradient")(w),
    "a mapped getter": lambda w: next(map(operator.attrgetter("stop_gradient"), [w])),
}


@pytest.mark.parametrize("read", FACTS.values(), ids=FACTS)
def test_an_attribute_that_is_read_for_the_user_is_guarded(read: Callable[[Any], Any]) -> None:
    w = vt.to_tensor([1.0, 2.0])
    compiled = vt.to_static(lambda x: x * 2 if read(w) else x * 3)
    for stop in (True, False, True):
        w.stop_gradient = stop
        assert compiled(vt.ones([1])).tolist() == [2.0 if stop else 3.0]
