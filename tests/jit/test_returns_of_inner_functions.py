"""Early returns by a tensor, inside `try` or `with`, of functions that captured code makes and calls in many ways."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def make(use: Callable[[Any, Any], Any]) -> Any:
    def outer(x: Any) -> Any:
        def inner(v: Any, w: float = 0) -> Any:
            with vt.no_grad():
                if v.sum() > 3:
                    return v * 2
            return v + 1

        return use(inner, x)

    return outer


def wrapped(inner: Any) -> Any:
    @functools.wraps(inner)
    def run(*args: Any) -> Any:
        try:
            return inner(*args)
        finally:
            pass

    return run


USES: dict[str, Callable[[Any, Any], Any]] = {
    "called": lambda inner, x: inner(x) + 1,
    "mapped": lambda inner, x: sum(map(inner, [x, x + 1])),
    "partial": lambda inner, x: functools.partial(inner, w=2)(x) + 1,
    "reduced": lambda inner, x: functools.reduce(inner, [x, x, x]) + 1,
    "decorated": lambda inner, x: wrapped(inner)(x) + 1,
    "in a list": lambda inner, x: [inner(q) + 1 for q in (x, x)],
    "as a key": lambda inner, x: max([x, x + 1], key=lambda q: inner(q).sum()) + 1,
    "in a generator": lambda inner, x: sorted((inner(q) + 1 for q in (x, x)), key=lambda q: q.sum()),
}


def as_methods(x: Any) -> Any:
    class Kind:
        def __call__(self, v: Any) -> Any:
            try:
                if v.sum() > 3:
                    return v * 2
            finally:
                pass
            return v + 1

        @property
        def part(self) -> Any:
            try:
                if x.sum() > 3:
                    return x * 2
            finally:
                pass
            return x + 1

        def __add__(self, other: Any) -> Any:
            for k in range(2):
                try:
                    if x.sum() > 3 + k:
                        return x * other
                finally:
                    x.sum()
            return x + other

    return Kind()(x) + 1, Kind().part + 1, (Kind() + 3) + 1


def recursive(x: Any) -> Any:
    def down(v: Any, n: int) -> Any:
        try:
            if n == 0:
                return v
            if v.sum() > 30:
                return v * 2
        finally:
            n -= 1
        return down(v + 1, n) + 1

    return down(x, 3) + 1


def shown(value: Any) -> Any:
    return [shown(v) for v in value] if isinstance(value, (list, tuple)) else value.tolist()


@pytest.mark.parametrize(
    "fn", [*(pytest.param(make(use), id=name) for name, use in USES.items()), as_methods, recursive]
)
def test_the_value_is_what_was_returned(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for start in (0.5, 5.0, 20.0):
        x = vt.to_tensor([start, start])
        assert shown(compiled(x)) == shown(fn(x))
