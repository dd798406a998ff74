"""`==` and `!=` of lists and tuples of tensors, and reads of the elements whose places in a growing list are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def equal(a: Any, b: Any) -> Any:
    return [a, b] == [b, a], (a, 1) == (a, 1), [a] != [b], [a] == [a, b]


def chosen(a: Any, b: Any) -> Any:
    found = [a]
    if a > 1:
        found[0] = b
    return a * 2 if found == [b] else a - 1


def first_ones(a: Any, b: Any) -> Any:
    found = [a, b]
    for _ in range(a.astype("int64")):
        found.append(found[-1] + 1)
    found[0] = found[0] * 2
    return found[0], sum(found[:2]), [x * y for x, y in zip(found, (0.5, 2.0), strict=False)], len(found)


def spread(a: Any, b: Any) -> Any:
    found = [a, b]
    if a > b:
        found.append(a * b)
    return add(*found[:2]), found.pop(0), found


def add(x: Any, y: Any) -> Any:
    return x + y


CASES = [equal, chosen, first_ones, spread]


def plain(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return [plain(y) for y in x]
    return x.item() if isinstance(x, vt.Tensor) else x


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_compiled_equals_eager(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for a, b in ((1.0, 2.0), (2.0, 2.0), (3.0, 0.5)):
        args = vt.to_tensor(a), vt.to_tensor(b)
        assert plain(compiled(*args)) == plain(fn(*args))


def matched(a: Any, b: Any) -> Any:
    found, count = [a, b], 0
    for _ in range(a.astype("int64")):
        found.append(found[-1] * 2)
    match found:
        case [_, _]:
            count += 1
        case [first, _, *rest] if b > 1:
            count += 10 + len(rest)
            a = a + first
        case [first, *_, last]:
            a = first + last
    match (count, len(found)):
        case (0, _):
            count += 1000
        case (_, 3):
            count += 2000
        case (n, _) if a > 3:
            count += 3000 + n
        case _:
            count += 5000
    return a, count


def lengths(a: Any, b: Any) -> Any:
    found = [a, b]
    for _ in range(a.astype("int64")):
        found.append(found[-1] * 2)
    n = len(found)
    return n == 3, n != 3, n in (2, 4), 2 < n == 4, n == len(found[:2])


@pytest.mark.parametrize("fn", [matched, lengths])
def test_lengths_that_only_a_run_knows_are_compared_when_it_runs(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for a, b in ((0.0, 2.0), (1.0, 0.5), (1.0, 2.0), (2.0, 0.5), (3.0, 3.0)):
        args = vt.to_tensor(a), vt.to_tensor(b)
        assert plain(compiled(*args)) == plain(fn(*args)), (a, b)
