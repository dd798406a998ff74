"""Items of a range whose bounds only a run of the program knows."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError


def last(x: Any) -> Any:
    return range(int(x.sum()))[-1] * x


def by_a_tensor(x: Any) -> Any:
    try:
        return range(2, int(x.sum()), 3)[int(x[0])]
    except IndexError:
        return -1


def in_a_list(x: Any) -> Any:
    return [range(1, int(x.sum()))[k] for k in range(2)]


def told(fn: Any, values: list[float]) -> Any:
    try:
        made = fn(vt.to_tensor(values))
    except IndexError as error:
        return error.args[0].splitlines()[0]
    return made.tolist() if isinstance(made, vt.Tensor) else made


@pytest.mark.parametrize("fn", [last, by_a_tensor, in_a_list])
def test_items_are_those_of_eager_mode(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for values in ([3.0, 1.0], [1.0, 7.0], [0.0, 0.0], [-2.0, 9.0]):
        assert told(compiled, values) == told(fn, values)


def test_a_slice_is_refused() -> None:
    with pytest.raises(CaptureError, match="a slice of a range whose length only a run of the program knows"):
        vt.to_static(lambda x: range(int(x.sum()))[1:])(vt.to_tensor([3.0]))


WHOLE: dict[str, Any] = {
    "sum": lambda n: (sum(range(n)), sum(range(n), 5), sum(range(2, n, 2))),
    "extremes": lambda n: (max(range(n)), min(range(n)), max(range(n), key=lambda k: -k), max(range(n - 9), default=7)),
    "any and all": lambda n: (any(range(n)), all(range(1, n)), any(range(n - 9))),
    "in": lambda n: (2 in range(n), n - 1 in range(n), n in range(n), 3 in range(0, n, 2), 2 in range(n, 0, -1)),
    "not in": lambda n: (7 not in range(n), -1 not in range(n)),
    "len": lambda n: (len(range(n)), len(range(0, n, 2)), len(range(n)) / 2, len(range(5, n)), len(range(n, 0, -1))),
    "kind": lambda n: (isinstance(len(range(n)), int), type(len(range(n))).__name__),
    "zip": lambda n: list(zip(range(n), range(2), strict=False)),
}
GIVEN: dict[str, Any] = {
    "numbers of a run": (lambda fn: lambda t: fn(int(t)), [vt.to_tensor(k) for k in (3, 4, 6)]),
    "numbers that change": (lambda fn: fn, [3, 4, 6]),
    "sizes": (lambda fn: lambda x: fn(x.shape[0]), [vt.ones([k]) for k in (3, 4, 6)]),
}


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("name", WHOLE)
def test_functions_of_whole_ranges_give_pythons_numbers(name: str, given: str) -> None:
    made, calls = GIVEN[given]
    plain = made(WHOLE[name])
    compiled = vt.to_static(plain)
    for call in calls:
        assert repr(compiled(call)) == repr(plain(call))


def test_the_largest_number_of_an_empty_range_is_pythons_error() -> None:
    compiled = vt.to_static(lambda t: max(range(int(t))))
    assert compiled(vt.to_tensor(3)) == 2
    with pytest.raises(ValueError, match="empty sequence"):
        compiled(vt.to_tensor(0))
