"""What a condition's path raises is of any class: an iterator's end, errors of files, exceptions that are no Exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Stop(BaseException):
    """No Exception, so that no broad handler takes it."""


def _end() -> Any:
    return next(iter([]))


def _file() -> Any:
    raise FileNotFoundError(2, "no such file")


def _changed() -> Any:
    d = {1: 1}
    for k in d:
        d[k + 1] = 1


def _module() -> Any:
    import vitrify_that_is_not_there  # noqa: F401


def _exit() -> Any:
    raise SystemExit(3)


def _own() -> Any:
    raise Stop


RAISING = [_end, _file, _changed, _module, _exit, _own]


@pytest.mark.parametrize("raising", RAISING)
def test_a_number_of_the_call_decides(raising: Callable[[], Any]) -> None:
    def f(x: Any, k: int) -> Any:
        try:
            if k == 6:
                raising()
            x = x + k
        except BaseException as error:
            return type(error).__name__, x
        return "none", x

    compiled = vt.to_static(f)
    for k in (6, 7, 6, 8):
        expected, found = f(vt.ones([2]), k), compiled(vt.ones([2]), k)
        assert (found[0], found[1].tolist()) == (expected[0], expected[1].tolist())


@pytest.mark.parametrize("raising", RAISING)
def test_a_tensor_decides(raising: Callable[[], Any]) -> None:
    def f(x: Any, k: int) -> Any:
        try:
            if x.sum() > 0 and k == 6:
                raising()
        except BaseException:
            return x * 100
        return x

    compiled = vt.to_static(f)
    for k in (6, 7, 6):
        for sign in (1.0, -1.0):
            x = vt.full([2], sign)
            assert compiled(x, k).tolist() == f(x, k).tolist()


def test_a_loop_ends_early() -> None:
    def f(x: Any, k: int) -> Any:
        try:
            for q in range(3):
                if k == q:
                    next(iter(()))
                x = x + 1
        except StopIteration:
            return x
        return x * 10

    compiled = vt.to_static(f)
    for k in (1, 7, 2, 8, 0):
        assert compiled(vt.ones([2]), k).tolist() == f(vt.ones([2]), k).tolist()


@pytest.mark.parametrize("raising", [_own, _exit])
def test_without_a_handler_the_caller_gets_it(raising: Callable[[], Any]) -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        if x.sum() > 0:
            raising()
        return x

    assert f(vt.full([2], -1.0)).tolist() == [-1, -1]
    with pytest.raises((Stop, SystemExit)):
        f(vt.ones([2]))
    assert f(vt.full([2], -1.0)).tolist() == [-1, -1]


def test_an_object_from_outside_is_raised_itself() -> None:
    error = ValueError("shared")

    @vt.to_static
    def f(x: Any, n: int) -> Any:
        if n:
            raise error
        return x

    for n in (0, 1, 2):
        if n:
            with pytest.raises(ValueError, match="shared") as found:
                f(vt.ones([1]), n)
            assert found.value is error
        else:
            f(vt.ones([1]), n)


def test_a_bare_raise_raises_what_the_caller_handles() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        if x.sum() > 2:
            raise
        return x

    for text in ("first", "second"):
        error = KeyError(text)
        with pytest.raises(KeyError) as found:
            try:
                raise error
            except KeyError:
                f(vt.full([1], 3.0))
        assert found.value is error
        assert error.__context__ is None
