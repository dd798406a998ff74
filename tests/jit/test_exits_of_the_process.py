"""`sys.exit()`, and exceptions that aren't Exceptions, under a tensor's condition: those of eager mode, when they run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def leaves(x: Any) -> Any:
    if not vt.isfinite(x.sum()):
        sys.exit("loss isn't finite")
    return x * 2


def leaves_with_a_number(x: Any) -> Any:
    if x.sum() > 10:
        exit(3)
    return x * 2


def leaves_in_a_loop(x: Any) -> Any:
    total = x[0] * 0
    for r in x:
        if r > 10:
            sys.exit()
        total = total + r
    return total


def stays(x: Any) -> Any:
    try:
        if x.sum() > 10:
            sys.exit(1)
    except SystemExit as error:
        return x * 0 + error.code
    return x * 2


def interrupted(x: Any) -> Any:
    if x.sum() > 10:
        raise KeyboardInterrupt("stop")
    return x * 2


def ended(x: Any) -> Any:
    if x.sum() > 10:
        raise GeneratorExit
    return x * 2


class Guard:
    def check(self, loss: Any) -> None:
        if loss > 10:
            raise StopIteration("too large")


def stopped_by_a_callback(x: Any) -> Any:
    for guard in [Guard(), Guard()]:
        guard.check(x.sum())
    return x * 2


def first_of_a_generator(x: Any) -> Any:
    def rows() -> Any:
        for k in range(3):
            if x.sum() > 10:
                yield x * k + 1

    return next(rows())


def first_that_is_large(x: Any) -> Any:
    return next(row for row in [x[0], x[1]] if row > 2)


def outcome(fn: Callable[..., Any], x: Any) -> Any:
    try:
        return repr(fn(x).tolist())
    except BaseException as error:  # broad: the exceptions of this file are none
        return type(error), error.args


@pytest.mark.parametrize(
    "fn",
    [leaves, leaves_with_a_number, leaves_in_a_loop, stays, interrupted, ended, stopped_by_a_callback,
     first_of_a_generator, first_that_is_large],
)  # fmt: skip
def test_as_in_eager_mode(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [float("inf"), 1.0], [3.0, 4.0], [20.0, 1.0]):
        x = vt.to_tensor(values)
        assert outcome(compiled, x) == outcome(fn, x)


class Counted:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __iter__(self) -> Counted:
        return self

    def __next__(self) -> Any:
        if self.x.sum() > 10:
            raise StopIteration
        self.x = self.x * 2
        return self.x


def test_an_iterator_that_a_tensor_ends_is_refused() -> None:
    def fn(x: Any) -> Any:
        return sum(y.sum() for y in Counted(x))

    with pytest.raises(vt.errors.CaptureError, match="iterator"):
        vt.to_static(fn)(vt.ones([2]))
