"""Tracebacks of converted code show the user's lines and the user's function."""

# ruff: noqa: B007, RET503, RET504
# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import traceback

import pytest

from vitrify.jit.convert import is_block


def fails_in_if_in_while(n):
    while n > 0:
        n -= 1
        if n == 2:
            x = [
                n,
                1 / (n - 2),
            ]
            return x
    return 0


def fails_in_call(n):
    for i in range(n):
        y = int(
            "abc",
        )
    return y


def fails_in_test(n):
    if (
        n > 1
        and 1 / 0
    ):  # fmt: skip
        return 1


def fails_unbound(n):
    if n == 99:
        y = 1

    return y


def fails_in_assert(n):
    for _ in range(1):
        assert n == 0, "no"


def fails_after_early_return(n):
    if n == 99:
        return 3
    for i in range(n):
        if i == 100:
            break
        if i == 2:
            [][i]
    return n


CASES = [value for name, value in list(globals().items()) if name.startswith("fails_")]


def _frames(fn):
    with pytest.raises(Exception) as caught:
        fn(5)
    return [
        (frame.name, frame.line, frame.lineno)
        for frame in traceback.extract_tb(caught.value.__traceback__)
        if frame.filename == __file__
    ][1:]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_innermost_user_frame_is_the_same(fn, converted):
    want, got = _frames(fn), _frames(converted(fn))
    assert got[-1][1:] == want[-1][1:]
    names = {name for name, _, _ in got}
    assert names <= {fn.__name__, "<lambda>"}


def test_every_user_frame_is_a_construct_around_the_failure(converted):
    lines = [line for _, line, _ in _frames(converted(fails_in_if_in_while))]
    assert lines == ["while n > 0:", "if n == 2:", "1 / (n - 2),"]


def test_bodies_of_constructs_are_known(converted):
    code = converted(fails_in_call).__code__
    inner = [constant for constant in code.co_consts if hasattr(constant, "co_code")]
    assert inner
    assert all(is_block(block) and block.co_name == "fails_in_call" for block in inner)
    assert not is_block(code)
