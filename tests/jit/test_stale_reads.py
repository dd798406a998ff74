"""What code reads of outside objects without a call that is captured: guarded, or refused before anything has moved."""

from __future__ import annotations

import decimal
import io
import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

READING: dict[str, Callable[[Any, Any], Any]] = {
    "readline": lambda x, s: x * len(s.readline()),
    "read": lambda x, s: x * len(s.read(2)),
    "readlines": lambda x, s: x * len(s.readlines()),
    "a loop": lambda x, s: sum(x * len(line) for line in s),
    "next": lambda x, s: x * len(next(s)),
    "list": lambda x, s: x * len(list(s)),
    "enumerate": lambda x, s: sum(x * k for k, _ in enumerate(s)),
    "unused": lambda x, s: (s.readline(), x)[1],
    "seek": lambda x, s: (s.seek(1), x)[1],
    "close": lambda x, s: (s.close(), x)[1],
}


@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("is_file", [False, True])
def test_reading_of_a_stream_from_outside_is_refused(name: str, is_file: bool, tmp_path: Any) -> None:
    fn = READING[name]
    (tmp_path / "file").write_text("ab\nc\n")
    with (tmp_path / "file").open() if is_file else io.StringIO("ab\nc\n") as stream:
        with pytest.raises(CaptureError, match="from outside would move it on once, while the function is captured"):
            vt.jit.to_static(lambda x: fn(x, stream))(vt.ones([1]))
        assert stream.read() == "ab\nc\n"


def test_what_a_stream_tells_is_asked_again() -> None:
    stream = io.StringIO("ab")
    compiled = vt.jit.to_static(lambda x: x * len(stream.getvalue()))
    found = []
    for text in ("", "cd", "e"):
        stream.seek(0, io.SEEK_END)
        stream.write(text)
        found.append(compiled(vt.ones([1])).item())
    assert found == [2.0, 4.0, 5.0]

    def written(x: Any) -> Any:
        stream.write("x")
        return x * len(stream.getvalue())

    with pytest.raises(CaptureError, match="is used after line"):
        vt.jit.to_static(written)(vt.ones([1]))
    assert stream.getvalue() == "abcde"


def test_a_stream_that_the_function_makes_may_be_read() -> None:
    def fn(x: Any) -> Any:
        stream = io.StringIO("ab\nc\n")
        return x * len(stream.readline()) + sum(len(line) for line in stream)

    assert vt.jit.to_static(fn)(vt.ones([1])).item() == fn(vt.ones([1])).item()


LOGGER = logging.getLogger("vt.stale")
NUMBERS = np.array([{"k": 1.0}, [2.0], 3.0], dtype=object)


class Holder:
    """Holds an object array."""

    def __init__(self) -> None:
        self.parts = (NUMBERS,)


HOLDER = Holder()
CHANGES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], None], tuple[Any, ...]]] = {
    "isEnabledFor": (
        lambda x: x * (10 if LOGGER.isEnabledFor(logging.INFO) else 1),
        LOGGER.setLevel, (logging.ERROR, logging.INFO, logging.ERROR),
    ),
    "the effective level": (
        lambda x: x * LOGGER.getEffectiveLevel(), LOGGER.setLevel, (logging.ERROR, logging.INFO),
    ),
    "an attribute of a logger": (lambda x: x * LOGGER.level, LOGGER.setLevel, (logging.ERROR, logging.INFO)),
    "the precision": (
        lambda x: x * decimal.getcontext().prec,
        lambda p: setattr(decimal.getcontext(), "prec", p), (28, 5, 28),
    ),
    "decimals": (
        lambda x: x * float(decimal.Decimal(1) / decimal.Decimal(3)),
        lambda p: setattr(decimal.getcontext(), "prec", p), (28, 2, 28),
    ),
    "the rounding": (
        lambda x: x * float(decimal.Decimal("2.5").to_integral_value()),
        lambda r: setattr(decimal.getcontext(), "rounding", r), (decimal.ROUND_HALF_EVEN, decimal.ROUND_UP),
    ),
    "a dict in an array": (lambda x: x * NUMBERS[0]["k"], lambda v: NUMBERS[0].update(k=v), (1.0, 5.0)),
    "a list in an array": (lambda x: x * NUMBERS[1][0], lambda v: NUMBERS[1].__setitem__(0, v), (2.0, 5.0)),
    "an item of an array": (lambda x: x * NUMBERS[2], lambda v: NUMBERS.__setitem__(2, v), (3.0, 5.0)),
    "an array in an attribute": (
        lambda x: x * HOLDER.parts[0][0]["k"], lambda v: NUMBERS[0].update(k=v), (1.0, 5.0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_seen(name: str) -> None:
    fn, change, values = CHANGES[name]
    compiled, found = vt.jit.to_static(fn), []
    for value in values:
        change(value)
        for _ in range(2):
            found.append(compiled(vt.ones([1])).item())
            assert found[-1] == fn(vt.ones([1])).item()
    change(values[0])
    assert len(set(found)) > 1


def _popping(x: Any) -> Any:
    members, found = {1, 2, 3, 4}, 0
    for _ in x:
        found = found * 10 + members.pop()
    return found, members


def _worklist(x: Any) -> Any:
    todo, seen = {0, 1, 2}, []
    while todo:
        i = todo.pop()
        seen.append(i)
        if x[i] > 1:
            todo |= {i + 3} if i < 3 else set()
    return seen


def _plain(x: Any) -> Any:
    members = {5, 6, 7}
    return x * members.pop(), members


def _changed(x: Any) -> Any:
    members = {5, 6, 7}
    if x.sum() > 2:
        members.add(1)
    return x * members.pop()


def _single(x: Any) -> Any:
    members = {5}
    for row in x:
        if row > 2 and members:
            members.pop()
    return len(members)


OUTSIDE = {5, 6, 7}


def _outside(x: Any) -> Any:
    return x * OUTSIDE.pop()


@pytest.mark.parametrize("fn", [_popping, _worklist, _plain, _changed, _single, _outside])
def test_pop_of_a_set_takes_eager_modes_member_or_is_refused(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for values in ([0.0, 2, 0, 0, 0, 0], [2.0, 2, 2, 0, 0, 0], [1.0, 1, 1, 0, 0, 0], [3.0]):
        if len(values) == 1 and fn is _worklist:
            return
        x = vt.to_tensor(values[:2] if fn is _popping else values)
        try:
            found = compiled(x)
        except CaptureError:  # pop() of a set
            assert fn in (_popping, _outside)
            continue
        expected = fn(x)
        assert str(found) == str(expected)
    assert {5, 6, 7} == OUTSIDE
