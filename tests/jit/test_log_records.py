"""Records of loggers in compiled functions: they name the user's line and function, and show what is handled there."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import vitrify as vt

log = logging.getLogger("tests.jit.test_log_records")


@pytest.fixture
def shown() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(filename)s:%(lineno)d %(funcName)s %(module)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    yield stream
    log.removeHandler(handler)


class Own(Exception):
    """An exception of the user's."""


def helper(x: Any) -> Any:
    log.debug("here")
    log.warning("in %s", float(x.sum()), stacklevel=2)
    return x


class Model:
    def method(self, x: Any) -> Any:
        for i in range(3):
            if x.sum() > i:
                log.info("in the method")
        return helper(x)


def lines(x: Any) -> Any:
    log.info("plain")
    if x.sum() > 0:
        log.info("on a path")
        while x.sum() < 10:
            x = x * 2
            log.info("in a loop")
        (lambda y: helper(y))(x)
        Model().method(x)
    log.log(logging.ERROR, "by number")
    return x


def of_the_caller(x: Any) -> Any:
    if x.sum() > 0:
        log.error("out", stacklevel=2)
    return x


def handled(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise Own(f"a {float(x.sum())}")
    except Own as e:
        log.exception("caught")
        log.error("again", exc_info=True)
        log.error("this one", exc_info=e)
    try:
        try:
            {}["k"]
        except KeyError:
            raise ValueError("z")  # noqa: B904 (its context is shown)
    except ValueError:
        log.exception("caught")
    log.info("none", exc_info=True)
    return x


@pytest.mark.parametrize("fn", [lines, of_the_caller, handled], ids=lambda fn: fn.__name__)
def test_records_are_those_of_eager_mode(fn: Callable[[Any], Any], shown: io.StringIO) -> None:
    def text(fn: Callable[[Any], Any], data: list[float]) -> str:
        shown.seek(0)
        shown.truncate()
        fn(vt.to_tensor(data))
        return re.sub(r"\n +[~^]+$", "", shown.getvalue(), flags=re.MULTILINE)  # marks below parts of a line

    compiled = vt.to_static(fn)
    for data in ([1.0, 0.5], [2.0, 1.5], [-1.0, 0.0]):
        assert text(compiled, data) == text(fn, data)


def test_the_exception_that_the_caller_handles(shown: io.StringIO) -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        log.exception("told")
        return x

    for number in range(3):
        try:
            raise LookupError(f"number {number}")
        except LookupError:
            fn(vt.to_tensor([1.0]))
        assert shown.getvalue().rstrip().endswith(f"LookupError: number {number}")
