"""Errors of Python's own that arise in a function of the library are those of the code that calls it.

Under a condition they belong to the path that runs, as in eager mode. Each case needs the mark of the function in which
the error arises (base/frame_marks.py).
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
import operator
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt

NUMBER: Any = 3
TEXT: Any = "a"


@dataclass(frozen=True)
class Frozen:
    """Its attribute can't be set."""

    number: int = 1


class Slotted:
    """It takes no argument and no other attribute."""

    __slots__ = ("a",)


@functools.lru_cache
def cached(value: Any) -> Any:
    """A function with a cache."""
    return value


@functools.singledispatch
def dispatched(value: Any) -> Any:
    """A function by the class of its argument."""
    return value


def of_two(a: Any, b: Any) -> Any:
    return a


def generated(a: Any) -> Iterator[Any]:
    yield a


def unhashable() -> Iterator[Any]:
    yield []


def set_frozen(x: Any) -> Any:
    o = Frozen()
    if x.sum() > 0:
        o.number = 3  # type: ignore[misc]
    return x * o.number


def set_slot(x: Any) -> Any:
    o = Slotted()
    if x.sum() > 0:
        o.b = 3  # type: ignore[attr-defined]
    return x


def unbound(x: Any) -> Any:
    y = x
    if x.sum() > 0:
        del y
        return x + y
    return x


def changed_while_iterated(x: Any) -> Any:
    found = {1: 2, 3: 4}
    for key in found:
        found[key + 10] = 1
    return x


def loop_over_a_number(x: Any) -> Any:
    for v in 3:  # type: ignore[attr-defined]
        x = x + v
    return x


def deleted(x: Any) -> Any:
    found = [1]
    del found[3]
    return x


def put(x: Any) -> Any:
    found = [1]
    found[3] = x
    return x


def grown(x: Any) -> list[Any]:
    items: list[Any] = []
    for v in x:
        if v > 0:
            items.append(v)
    return items


def inserted(x: Any) -> Any:
    items = grown(x)
    items.insert(0)
    return items


FAILING: dict[str, Callable[[Any], Any]] = {
    "a call of a function": lambda x: of_two(1),  # type: ignore[call-arg]
    "a call of a lambda": lambda x: (lambda a: a)(),  # type: ignore[call-arg]
    "a call of a method": lambda x: SimpleNamespace(a=of_two).a(1, 2, 3),
    "a call of a class": lambda x: Slotted(1),  # type: ignore[call-arg]
    "a call of a dataclass": lambda x: Frozen(1, 2),  # type: ignore[call-arg]
    "a call of a number": lambda x: NUMBER(x),
    "a call of a built-in function": lambda x: chr(-1),
    "a built-in method": lambda x: "a".split(3),  # type: ignore[arg-type]
    "a call of a partial": lambda x: functools.partial(of_two, 1)(),
    "a cached function": lambda x: cached([]),
    "a cached function without arguments": lambda x: cached(),  # type: ignore[call-arg]
    "a dispatched function": lambda x: dispatched(x, 2),  # type: ignore[call-arg]
    "a generator function": lambda x: list(generated(1, 2)),  # type: ignore[call-arg]
    "any": lambda x: any(1, 2),  # type: ignore[call-arg,arg-type]
    "any of a generator": lambda x: any((v for v in [x]), 2),  # type: ignore[call-arg]
    "bisect": lambda x: bisect.bisect([1, 2], x.sum(), 0, 1, 2, 3),  # type: ignore[call-arg]
    "map": lambda x: list(map(abs, 3)),  # type: ignore[call-overload]
    "a mapped function": lambda x: list(map(of_two, [1])),
    "reduce": lambda x: functools.reduce(of_two, []),
    "int": lambda x: int("a"),
    "int of a list": lambda x: int([]),  # type: ignore[call-overload]
    "float": lambda x: float("a"),
    "len": lambda x: len(3),  # type: ignore[arg-type]
    "len of a tensor": lambda x: len(x.sum()),
    "abs": lambda x: abs("a"),  # type: ignore[arg-type]
    "max": lambda x: max([]),
    "max of a generator": lambda x: max(v for v in []),  # type: ignore[var-annotated]
    "min of two kinds": lambda x: min(1, "a"),  # type: ignore[call-overload]
    "sum": lambda x: sum(["a"]),  # type: ignore[list-item]
    "sorted": lambda x: sorted([1, "a"]),  # type: ignore[type-var]
    "range": lambda x: range("a"),  # type: ignore[call-overload]
    "round": lambda x: round("a"),  # type: ignore[call-overload]
    "isinstance": lambda x: isinstance(1, 2),  # type: ignore[arg-type]
    "getattr": lambda x: getattr(SimpleNamespace(), "a"),  # noqa: B009
    "iter": lambda x: iter(3),  # type: ignore[call-overload]
    "next of a number": lambda x: next(3),  # type: ignore[call-overload]
    "next with too much": lambda x: next(iter([1]), 2, 3),  # type: ignore[call-overload]
    "next of what is mapped": lambda x: next(map(int, ["a"])),
    "a strict zip": lambda x: list(zip([1], [1, 2], strict=True)),
    "a gathered set": lambda x: {*unhashable()},
    "a gathered sum": lambda x: "-".join(v for v in [1]),  # type: ignore[misc]
    "zip": lambda x: list(zip(3)),  # type: ignore[call-overload]
    "enumerate": lambda x: list(enumerate(3)),  # type: ignore[arg-type]
    "reversed": lambda x: reversed(3),  # type: ignore[call-overload]
    "count": lambda x: itertools.count("a"),  # type: ignore[type-var]
    "math.sqrt": lambda x: math.sqrt(-1),
    "math.sqrt of text": lambda x: math.sqrt("a"),  # type: ignore[arg-type]
    "math.gcd": lambda x: math.gcd(int(x.sum()), 1.5),  # type: ignore[arg-type]
    "math.floor": lambda x: math.floor("a"),  # type: ignore[arg-type]
    "operator.getitem": lambda x: operator.getitem([], 1),
    "a list": lambda x: [1][5],
    "a dict": lambda x: {}["k"],
    "a list by text": lambda x: [1][TEXT],
    "an unhashable key": lambda x: {1: 2}[[]],  # type: ignore[index]
    "an item of a number": lambda x: NUMBER[0],
    "a deleted item": deleted,
    "an item that is set": put,
    "a loop over a number": loop_over_a_number,
    "a dict that changes in a loop": changed_while_iterated,
    "a deque": lambda x: deque().pop(),
    "inserted without a value": inserted,
    "stacked": lambda x: vt.stack(grown(x), 0, "s", 4),
    "divided": lambda x: int(x.sum()) / 0,
    "a shift": lambda x: int(x.sum()) << -1,
}


def outcome(fn: Callable[[Any], Any], x: Any) -> Any:
    """What a call gives, or the built-in class of the error that ends it."""
    try:
        return fn(x).tolist()
    except Exception as error:  # broad: whatever the function raises is compared
        return next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")


@pytest.mark.parametrize("fail", FAILING.values(), ids=FAILING)
def test_only_the_path_that_runs_fails(fail: Callable[[Any], Any]) -> None:
    def fn(x: Any) -> Any:
        if x.sum() > 0:
            fail(x)
            return x * 2
        return x * 3

    compiled = vt.to_static(fn)
    for numbers in ([-1.0, -2.0], [1.0, 2.0], [-1.0, 3.0]):
        x = vt.to_tensor(numbers)
        assert outcome(compiled, x) == outcome(fn, x)
    assert compiled.get_traced_count() == 1


@pytest.mark.parametrize("fn", [set_frozen, set_slot, unbound], ids=lambda fn: fn.__name__)
def test_only_the_path_that_changes_a_variable_fails(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for numbers in ([-1.0, -2.0], [1.0, 2.0], [-1.0, 3.0]):
        x = vt.to_tensor(numbers)
        assert outcome(compiled, x) == outcome(fn, x)


HANDLED: dict[str, tuple[Callable[[Any], Any], type[Exception]]] = {
    "a divisor": (lambda x: 6 // int(x.sum()), ZeroDivisionError),
    "an index": (lambda x: x[int(x.sum())], IndexError),
    "an operation": (lambda x: vt.linalg.inv(x.reshape([1, 1])), Exception),
    "an assertion": (lambda x: assert_positive(x), AssertionError),
    "a key": (lambda x: {2: 5}[int(x.sum())], KeyError),
    "a place": (lambda x: [2, 3].index(int(x.sum())), ValueError),
    "the largest": (lambda x: max([v for v in x if v > 0]), ValueError),
}


def assert_positive(x: Any) -> Any:
    assert x.sum() > 0
    return x


@pytest.mark.parametrize(("fail", "kind"), HANDLED.values(), ids=HANDLED)
def test_a_handler_gets_what_data_make_fail(fail: Callable[[Any], Any], kind: type[Exception]) -> None:
    def fn(x: Any) -> Any:
        try:
            return vt.to_tensor(fail(x)) * 1.0
        except kind:
            return x - 7.0

    compiled = vt.to_static(fn)
    for number in (2.0, 0.0, -3.0, 3.0):
        x = vt.to_tensor([number])
        assert outcome(compiled, x) == outcome(fn, x)


def new_key(x: Any) -> Any:
    found: dict[int, Any] = {}
    if x.sum() > 0:
        found[int(x.sum())] = x
    return x * 3


def test_a_new_key_ends_the_run_that_adds_it() -> None:
    compiled = vt.to_static(new_key)
    assert compiled(vt.to_tensor([-1.0])).tolist() == [-3.0]
    with pytest.raises(vt.errors.CaptureError, match="a dict gets a new key"):
        compiled(vt.to_tensor([1.0]))


class Refusing(vt.autograd.PyLayer):
    """Its forward raises."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        raise KeyError("forward")

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad


def test_an_error_of_a_pylayer_is_none_of_a_path() -> None:
    def fn(x: Any) -> Any:
        return Refusing.apply(x) if x.sum() > 0 else x

    with pytest.raises(KeyError, match="forward"):  # its code is no part of the program
        vt.to_static(fn)(vt.to_tensor([-1.0]))
