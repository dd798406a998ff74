"""Numbers and sizes that change between calls, where Python keeps them: each call has its own, as in eager mode."""

from __future__ import annotations

import collections
import functools
import os
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


class Box:
    """An object that no program puts together."""

    def __init__(self, v: Any) -> None:
        self.v = v


class Shown:
    """An object with a text of its own."""

    def __init__(self, v: Any) -> None:
        self.v = [v]

    def __repr__(self) -> str:
        return f"Shown({self.v})"


class Row(list[Any]):
    """A list of a class of its own."""


class Count:
    """An iterator of the user's."""

    def __init__(self, n: int) -> None:
        self.i, self.n = 0, n

    def __iter__(self) -> Count:
        return self

    def __next__(self) -> int:
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


STATE: dict[str, Any] = {}
TABLE: dict[int, int] = {}


def _plain(x: Any) -> Any:
    """What can be compared, with types."""
    if isinstance(x, vt.Tensor):
        return "tensor", x.dtype.name, x.tolist()
    if isinstance(x, Box):
        return "box", _plain(x.v)
    if isinstance(x, types.FunctionType):
        return _plain(x())
    if isinstance(x, functools.partial):
        return "partial", _plain(list(x.args)), _plain(x.keywords)
    if isinstance(x, types.SimpleNamespace):
        return "namespace", _plain(vars(x))
    if isinstance(x, (list, tuple, collections.deque)):
        return type(x).__name__, [_plain(v) for v in x]
    if isinstance(x, dict):
        return [(_plain(k), _plain(v)) for k, v in x.items()]
    if isinstance(x, BaseException):
        return type(x).__name__, _plain(list(x.args))
    return type(x).__name__, repr(x)


def _nested(n: Any) -> Any:
    return lambda: n + 1


def _stores(x: Any, n: Any) -> Any:
    STATE["box"] = Box(n)
    STATE["slice"] = slice(n)
    return x * n


def _counts(x: Any, n: Any) -> Any:
    for k in Count(n):
        x = x + k
    return x


def _keyed(x: Any, n: Any) -> Any:
    TABLE[n + 1] = n
    return x * TABLE[n + 1]


BOUND: list[Callable[..., Any]] = [
    lambda x, n: (x * n, Box(n)), lambda x, n: Box([n, n + 1]), lambda x, n: (x * n, slice(0, n), slice(n)),
    lambda x, n: range(n * 2), lambda x, n: _nested(n), lambda x, n: functools.partial(max, n, key=n),
    lambda x, n: types.SimpleNamespace(a=[n]), lambda x, n: collections.deque([n, n * 2]), lambda x, n: Row([n]),
    lambda x, n: ValueError(Box(n)), lambda x, n: {n: 1}, lambda x, n: f"{n}", lambda x, n: str({"a": n}),
    lambda x, n: os.path.join("a", str(n)),  # noqa: PTH118 (what is tested)
    lambda x, n: f"{[n]!s:>8}", lambda x, n: (complex(n, 1), n + 1j, (n * 1j).imag),
    lambda x, n: str(collections.deque([n + 1])), lambda x, n: f"{types.SimpleNamespace(a=(n + 1,))}", _keyed, _counts,
]  # fmt: skip
OPEN: list[Callable[..., Any]] = [
    lambda x, n: (n.__class__ is int, type(n) is int, np.isscalar(n), vt.is_tensor(n)),
    lambda x, n: (n in (1, 6), n in range(3, 6), n in range(8, 0, -2), n.__add__(1)),
    lambda x, n: (n + 1, n * 0.5, [n, {"n": n}]),
    lambda x, n: x * [n][0],
    lambda x, n: x[slice(0, n - n + 1)],
    lambda x, n: x * (lambda: n)(),
]


@pytest.mark.parametrize("function", [*BOUND, *OPEN])
def test_each_call_has_its_own_number(function: Callable[..., Any]) -> None:
    compiled, x = vt.to_static(function), vt.to_tensor([1.0])
    for n in (5, 6, 3, 4, 6):
        assert _plain(compiled(x, n)) == _plain(function(x, n))


@pytest.mark.parametrize("function", OPEN[2:])
def test_numbers_that_do_not_escape_stay_open(function: Callable[..., Any]) -> None:
    compiled, x = vt.to_static(function), vt.to_tensor([1.0])
    for n in (5, 6, 3, 4, 7, 8):
        compiled(x, n)
    assert compiled.get_traced_count() == 2


def test_only_the_number_that_escapes_is_bound() -> None:
    compiled = vt.to_static(lambda x, n, rate: (x * rate, Box(n)))
    x = vt.to_tensor([2.0])
    for k, n in enumerate((5, 6, 5, 6, 5, 6, 5, 6)):
        y, box = compiled(x, n, 0.1 * k)
        assert (y.tolist(), box.v) == ((x * (0.1 * k)).tolist(), n)
    assert compiled.get_traced_count() <= 4  # two numbers, and one each before it is known what changes


def test_only_the_size_that_escapes_is_bound() -> None:
    compiled = vt.to_static(lambda x, y: (x + 1, y * 2, Box(x.shape)))
    for rows, columns in ((2, 3), (3, 4), (2, 5), (3, 6), (2, 7), (3, 8)):
        x, y, box = compiled(vt.ones([rows]), vt.ones([columns]))
        assert (x.shape, y.shape, box.v) == ([rows], [columns], [rows])
    assert compiled.get_traced_count() <= 5


SIZED: list[Callable[..., Any]] = [
    lambda x: (x * 2, Box(x.shape[0])), lambda x: Box(x.shape), lambda x: (f"{x.shape}", "%s" % x.shape, str(x.shape)),  # noqa: UP031
    lambda x: (type(x.shape[0]) is int, x.shape[0].__class__ is int, np.isscalar(x.shape[0])),
    lambda x: slice(0, x.shape[0] + 1), lambda x: repr(collections.deque([x.shape[0]])),
    lambda x: f"{types.SimpleNamespace(a=x.shape[0])}", lambda x: {x.shape[0]: 1}, lambda x: _nested(x.shape[0]),
    lambda x: complex(x.shape[0], 1),
]  # fmt: skip


@pytest.mark.parametrize("function", SIZED)
def test_each_call_has_its_own_size(function: Callable[..., Any]) -> None:
    compiled = vt.to_static(function)
    for n in (2, 3, 4, 3, 5):
        assert _plain(compiled(vt.ones([n]))) == _plain(function(vt.ones([n])))


def test_what_is_stored_outside() -> None:
    compiled = vt.to_static(_stores)
    for n in (5, 6, 3, 4):
        compiled(vt.to_tensor([1.0]), n)
        assert (STATE["box"].v, STATE["slice"]) == (n, slice(n))


def _prints(x: Any, n: Any) -> Any:
    print(f"{[n]}", "%s" % [n], str((n, 1)), [n], f"{x.shape}", "%s" % x.shape, {"s": x.shape})  # noqa: UP031
    return x * n


def test_printed_containers(capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.to_static(_prints)
    for n in (5, 6, 3, 4):
        compiled(vt.ones([n]), n)
        shown = capsys.readouterr().out
        _prints(vt.ones([n]), n)
        assert shown == capsys.readouterr().out
    assert compiled.get_traced_count() == 2  # the texts are filled in


def _prints_floats(x: Any, n: Any) -> Any:
    print(n * 0.1, 0.1 / n, n - 0.1, x.shape[0] * 0.1, int(x.sum()) * 0.1)
    return x


def test_printed_floats_have_their_width(capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.to_static(_prints_floats)
    for n in (5, 6, 7):
        compiled(vt.ones([n]), n)
        shown = capsys.readouterr().out
        _prints_floats(vt.ones([n]), n)
        assert shown == capsys.readouterr().out


def _shows(x: Any, n: Any) -> Any:
    print(Shown(n), collections.deque([n]), types.SimpleNamespace(a=n))
    return x * n


def test_printed_objects(capsys: pytest.CaptureFixture[str]) -> None:
    compiled = vt.to_static(_shows)
    for n in (5, 6, 3, 4):
        compiled(vt.ones([1]), n)
        shown = capsys.readouterr().out
        _shows(vt.ones([1]), n)
        assert shown == capsys.readouterr().out


def _raises(x: Any, n: Any) -> Any:
    if x.sum() > 0:
        raise ValueError(Shown(n), n)
    return x


def _raises_size(x: Any, n: Any) -> Any:
    if x.shape[0] > 2:
        raise ValueError(x.shape[0], "rows")
    return x


@pytest.mark.parametrize("function", [_raises, _raises_size])
def test_exceptions_hold_the_numbers_of_the_call(function: Callable[..., Any]) -> None:
    compiled = vt.to_static(function)
    for n in (3, 4, 5, 6):
        with pytest.raises(ValueError) as error:
            compiled(vt.ones([n]), n)
        with pytest.raises(ValueError) as wanted:
            function(vt.ones([n]), n)
        assert str(error.value) == str(wanted.value)


def test_an_object_that_comes_out_holds_the_number_of_each_call() -> None:
    compiled = vt.to_static(lambda x: (Box(int(x.sum())), collections.deque([int(x.sum())])))
    for n in (3, 4, 5):
        box, items = compiled(vt.ones([n]))
        assert vars(box) == vars(Box(n))
        assert list(items) == [n]


FROM_TENSORS: list[Callable[..., Any]] = [
    lambda x: slice(0, int(x.sum())), lambda x: _nested(int(x.sum())),
]  # fmt: skip


@pytest.mark.parametrize("function", FROM_TENSORS)
def test_a_number_of_a_tensor_that_escapes_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(vt.errors.CaptureError) as error:
        vt.to_static(function)(vt.ones([3]))
    assert "test_escaping_numbers.py" in str(error.value)
    assert "help:" in str(error.value)


def test_an_iterator_that_a_tensor_ends_is_refused() -> None:
    def function(x: Any) -> Any:
        for k in Count(int(x.sum())):
            x = x + k
        return x

    with pytest.raises(vt.errors.CaptureError, match="whether this iterator ends"):
        vt.to_static(function)(vt.ones([3]))


def _true(x: Any) -> Any:
    flag = bool((x > 2).any())
    return x * 100 if flag is True else x * 10 if flag is not False else x


FLAGS: list[Callable[..., Any]] = [
    _true, lambda x: (x > 2).any().item() is True, lambda x: bool((x > 2).any()) is not False,
    lambda x: (any(x > 2), all(x > 0), int(x[0]) in (1, 3), int(x[0]) in range(2, 6, 2), any([x[0] > 2, x[1] > 2])),
    lambda x: vt.is_tensor(int(x.sum())), lambda x: (x > 2).any() is True, lambda x: bool((x > 2).any()) is None,
]  # fmt: skip


@pytest.mark.parametrize("function", FLAGS)
def test_flags_of_tensors(function: Callable[..., Any]) -> None:
    compiled = vt.to_static(function)
    for values in ([3.0, 1.0], [1.0, 1.0], [4.0, -1.0], [2.0, 0.0]):
        x = vt.to_tensor(values)
        assert _plain(compiled(x)) == _plain(function(x))
    assert compiled.get_traced_count() == 1
