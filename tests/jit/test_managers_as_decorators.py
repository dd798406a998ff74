"""Functions that a context manager decorates are captured like others."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

import vitrify as vt
from vitrify.jit import to_static


class Noted(contextlib.ContextDecorator):
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def __enter__(self) -> None:
        self.log.append("in")

    def __exit__(self, *_: Any) -> None:
        self.log.append("out")


def test_what_they_decorate_is_captured() -> None:
    log: list[str] = []

    @contextlib.contextmanager
    def named(name: str) -> Iterator[None]:
        log.append(name)
        yield
        log.append(f"/{name}")

    @named("a")
    @named("b")
    def by_sign(x: Any) -> Any:
        if x.sum() > 0:
            return x * 2
        return x - 1

    @Noted(log)
    def halved(x: Any, *, times: int = 2) -> Any:
        while x.sum() > 1:
            x = x / 2
        return x * times

    def both(x: Any) -> Any:
        return by_sign(x) + halved(x, times=3)

    compiled = to_static(both)
    for value in (1.0, -1.0):
        x = vt.full([2], value)
        expected = both(x).numpy()
        noted = log.copy()
        log.clear()
        np.testing.assert_array_equal(compiled(x).numpy(), expected)
        assert log == noted == ["a", "b", "/b", "/a", "in", "out"]
        log.clear()
