"""Handlers around operations whose sizes only a run knows: what doesn't broadcast, and divisions by a size of 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def adds(x: Any, y: Any) -> Any:
    try:
        return x + y[y > 0]
    except ValueError as error:
        print(error)
        return x * 0


def compares(x: Any, y: Any) -> Any:
    try:
        return x[x > 5] < y[y > 0]
    except ValueError:
        return x * 0


def chooses(x: Any, y: Any) -> Any:
    try:
        return vt.where(x > 5, x, y[y > 0])
    except ValueError:
        return x * 0


def multiplies(x: Any, y: Any) -> Any:
    try:
        return x @ y[y > 0]
    except ValueError as error:
        print(error)
        return x * 0


def divides(x: Any, y: Any) -> Any:
    n = y[y > 0].shape[0]
    try:
        return x * (10 // n)
    except ZeroDivisionError as error:
        print(error)
        return x * 0


def leaves_a_rest(x: Any, y: Any) -> Any:
    n = y[y > 0].shape[0]
    try:
        return x * (10 % n)
    except ZeroDivisionError as error:
        print(error)
        return x * 0


def divides_without_a_handler(x: Any, y: Any) -> Any:
    return x * (10 // y[y > 0].shape[0])


def adds_without_a_handler(x: Any, y: Any) -> Any:
    return x + y[y > 0]


@pytest.mark.parametrize(
    "fn",
    [adds, compares, chooses, multiplies, divides, leaves_a_rest, divides_without_a_handler, adds_without_a_handler],
)
def test_handlers_see_the_error_of_a_run(fn: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    def told(call: Callable[..., Any], y: list[float]) -> Any:
        capsys.readouterr()
        try:
            return call(vt.to_tensor([5.0, 6.0]), vt.to_tensor(y)).tolist(), capsys.readouterr().out
        except Exception as error:
            return type(error)

    compiled = vt.to_static(fn)
    for y in ([1.0, 1.0], [-1.0, -1.0], [1.0, 1.0, 1.0], [1.0, -1.0], [2.0, 8.0]):
        assert told(compiled, y) == told(fn, y)


def _handled_sum(x: Any, y: Any) -> Any:
    try:
        return x + y
    except ValueError:
        return None


def _sum_on_one_path(x: Any, y: Any) -> Any:
    if x.sum() > 2:
        x = x + y
    return x * 2


@pytest.mark.parametrize("fn", [_handled_sum, _sum_on_one_path], ids=lambda fn: fn.__name__)
def test_a_size_of_one_fits_others(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for n, m in ((3, 3), (4, 1), (1, 4), (2, 1), (0, 1), (5, 5)):
        assert repr(compiled(vt.ones([n]), vt.ones([m]))) == repr(fn(vt.ones([n]), vt.ones([m])))


def test_sizes_that_do_not_fit_are_handled_beside_those_that_do() -> None:
    compiled = vt.to_static(_handled_sum)
    for n, m in ((3, 3), (4, 1), (4, 3), (1, 4), (2, 5), (6, 1)):
        assert repr(compiled(vt.ones([n]), vt.ones([m]))) == repr(_handled_sum(vt.ones([n]), vt.ones([m])))
