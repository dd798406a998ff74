"""Handlers of NameError see variables that a tensor's condition leaves unbound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def unbound_on_one_path(x: Any) -> Any:
    if x.sum() > 0:
        y = x * 2
    try:
        z = y + 1
    except NameError:
        z = x - 1
    return z


def deleted_on_one_path(x: Any) -> Any:
    y = x
    if x.sum() > 0:
        del y
    try:
        return y * 2
    except UnboundLocalError as error:
        return str(error), x * 3


def in_a_loop(x: Any) -> Any:
    total = x.sum() * 0
    for v in x:
        if v > 0:
            last = v
        try:
            total = total + last
        except NameError:
            total = total - 1
    return total


def through_finally(x: Any) -> Any:
    seen = []
    if x.sum() > 0:
        y = x * 2
    try:
        seen.append(y.sum())
    except NameError:
        seen.append(x.min())
    finally:
        seen.append(x.max())
    return seen


def read_twice(x: Any) -> Any:
    if x.sum() > 0:
        y = x * 2
    try:
        first = y + 1
    except NameError:
        first = x
    try:
        second = y + 2
    except NameError:
        second = x - 1
    return first + second


@pytest.mark.parametrize(
    "fn", [unbound_on_one_path, deleted_on_one_path, in_a_loop, through_finally, read_twice], ids=lambda fn: fn.__name__
)
def test_handlers_run_as_in_eager_mode(fn: Callable[[Any], Any]) -> None:
    def plain(value: Any) -> Any:
        return (
            [plain(v) for v in value] if isinstance(value, (list, tuple)) else getattr(value, "tolist", lambda: value)()
        )

    compiled = vt.to_static(fn)
    for data in ([1.0, -3.0, 1.5], [1.0, 2.0, 3.0], [-1.0, -2.0, 4.5], [-1.0, -2.0, -3.0]):
        x = vt.to_tensor(data)
        assert plain(compiled(x)) == plain(fn(x))


def test_without_a_handler_the_program_raises() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        if x.sum() > 0:
            y = x * 2
        return y

    assert fn(vt.ones([2])).tolist() == [2.0, 2.0]
    with pytest.raises(UnboundLocalError, match="'y'"):
        fn(-vt.ones([2]))


def test_a_variable_that_only_a_handler_binds_is_read_under_a_condition() -> None:
    def early(x: Any, s: Any, k: int) -> Any:
        try:
            if s > 0 and k > 1:
                return x
            x = x * 2
        except (ValueError, IndexError):
            w = s
        return x, w

    def within(x: Any, k: int) -> Any:
        try:
            y = x / k
        except ZeroDivisionError:
            w = x
        if x.sum() > 0:
            y = y + w
        return y

    for fn, args in ((early, (vt.ones([1]), vt.to_tensor(-1.0), 1)), (within, (vt.ones([1]), 2))):
        for mode in (fn, vt.to_static(fn)):
            with pytest.raises(UnboundLocalError, match="cannot access local variable 'w'"):
                mode(*args)
