"""What Python's functions make of methods that a user's class has, in captured functions."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit import to_static


class Sized:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __len__(self) -> int:
        return len(self.x)


@pytest.mark.parametrize("count", [0, 3])
def test_a_length_as_a_bool(count: int) -> None:
    def asked(x: Any) -> Any:
        held = Sized(x)
        return bool(held), operator.truth(held), not held, len(held), x

    x = vt.zeros([count])
    flags = to_static(asked)(x)[:4]
    assert flags == asked(x)[:4]
    assert [type(f) for f in flags] == [bool, bool, bool, int]


class Doubling(dict[str, Any]):
    """A dict that writes something else than it is given."""

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value * 2)


class Lowering(dict[str, Any]):
    """A dict that counts what is written, under other keys."""

    count = 0

    def __setitem__(self, key: str, value: Any) -> None:
        self.count += 1
        super().__setitem__(key.lower(), value)


class DoublingInOrder(OrderedDict[str, Any]):
    """The same of a dict that keeps an order of its own."""

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value * 2)


class DoublingList(list[Any]):
    """A list that writes something else than it is given."""

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value * 2)

    def append(self, value: Any) -> None:
        super().append(value * 2)


def sets(d: Any, v: int, x: Any) -> None:
    d["Q"] = v


def sets_a_tensor(d: Any, v: int, x: Any) -> None:
    d["Q"] = x * v


def updates(d: Any, v: int, x: Any) -> None:
    d.update(q=v)


def moves(d: Any, v: int, x: Any) -> None:
    d["a"], d["b"] = v, v + 1
    d.pop("a")
    d["a"] = v


def sets_in_list(d: Any, v: int, x: Any) -> None:
    d[0] = v
    d.append(v)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        *[
            (kind, body)
            for kind in (Doubling, Lowering, DoublingInOrder)
            for body in (sets, sets_a_tensor, updates, moves)
        ],
        (lambda: DoublingList([0]), sets_in_list),
    ],
)
def test_a_container_of_ones_own_is_written_once(kind: Callable[[], Any], body: Callable[..., None]) -> None:
    def run(compiling: Callable[[Any], Any]) -> list[Any]:
        held = kind()

        def f(x: Any, v: int) -> Any:
            body(held, v, x)
            return x

        call, seen = compiling(f), []
        for v in (1, 2, 3, 5):
            call(vt.ones([1]), v)
            items = held.items() if isinstance(held, dict) else enumerate(held)
            shown = [(k, value.tolist() if isinstance(value, vt.Tensor) else value) for k, value in items]
            seen.append((shown, vars(held).get("count")))
        return seen

    assert run(vt.to_static) == run(lambda f: f)


class Circular(list[Any]):
    """A list without an end."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index % list.__len__(self))


class Trebling(list[Any]):
    """A list that gives something else than it holds."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index) * 3

    def __iter__(self) -> Any:
        return iter([1, 2])


class Shorter(list[Any]):
    """A list that hides its end."""

    def __len__(self) -> int:
        return super().__len__() - 1


class Keyed(dict[str, Any]):
    """A dict that finds keys in lower case, and tells of others."""

    def __getitem__(self, key: str) -> Any:
        return super().__getitem__(key.lower())

    def keys(self) -> Any:
        return ["another"]

    def items(self) -> Any:
        return [(key, value * 2) for key, value in super().items()]


@pytest.mark.parametrize(
    ("made", "body"),
    [
        (lambda: Circular([3, 4]), lambda o, v: o[v]),
        (lambda: Circular([3, 4]), lambda o, v: o.append(v)),
        (lambda: Trebling([3, 4]), lambda o, v: (o[v % 2], list(o))),
        (lambda: Trebling([3, 4]), lambda o, v: o.append(v)),
        (lambda: Shorter([3, 4]), lambda o, v: (len(o), o[1])),
        (lambda: Shorter([3, 4]), lambda o, v: o.append(v)),
        (lambda: Keyed(a=1), lambda o, v: o["A"] * v),
        (lambda: Keyed(a=1, b=2), lambda o, v: list(o.items())),
        (lambda: Keyed(a=1), lambda o, v: o.__setitem__("c", v)),
    ],
)
def test_a_container_that_is_read_in_another_way_keeps_what_it_holds(
    made: Callable[[], Any], body: Callable[[Any, int], Any]
) -> None:
    def run(compiling: Callable[[Any], Any]) -> list[Any]:
        held, seen = made(), []
        call = compiling(lambda x, v: body(held, v))
        for v in (1, 2, 3):
            given = call(vt.ones([1]), v)
            raw = dict(dict.items(held)) if isinstance(held, dict) else list(list.__iter__(held))
            seen.append((given, raw))
        if isinstance(held, list):
            list.__setitem__(held, 0, 7)
            seen.append(call(vt.ones([1]), 3))
        return seen

    assert run(vt.to_static) == run(lambda f: f)
