"""Methods that `dataclass` and `namedtuple` make, called by the user's own; mappings given to `dict`."""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import typing
from collections.abc import Iterator
from typing import Any

import pytest

import vitrify as vt


@dataclasses.dataclass
class Base:
    v: Any
    log: list[Any] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        if self.v.sum() > 0:
            self.v = self.v * 2
        self.log.append(self.v)


class Sub(Base):
    def __init__(self, v: Any, e: Any) -> None:
        super().__init__(v)
        self.e = e


@dataclasses.dataclass
class Key:
    n: int


class SubKey(Key):
    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]


class Pair(typing.NamedTuple("_Pair", [("a", Any), ("b", Any)])):
    def __new__(cls, a: Any) -> Pair:
        return super().__new__(cls, a, a * 2)  # type: ignore[call-arg]


class Table(collections.abc.MutableMapping[str, Any]):
    def __init__(self, **items: Any) -> None:
        self.d = items

    def __getitem__(self, k: str) -> Any:
        return self.d[k] * 2

    def __setitem__(self, k: str, v: Any) -> None:
        self.d[k] = v

    def __delitem__(self, k: str) -> None:
        del self.d[k]

    def __iter__(self) -> Iterator[str]:
        return iter(self.d)

    def __len__(self) -> int:
        return len(self.d)


def _init(x: Any) -> Any:
    made = Sub(x, 3)
    return made.v * made.e + made.log[0]


def _equal(x: Any) -> Any:
    return x * 2 if SubKey(3) == SubKey(3) and SubKey(3) != SubKey(4) else x * 3


def _new(x: Any) -> Any:
    return Pair(x).b + Pair(x).a


def _dict(x: Any) -> Any:
    table = Table(long=x, b=x + 1)
    made = dict(table)
    table["c"] = x * 3
    return made["long"] + dict(table, d=x)["c"] + len(made)


@pytest.mark.parametrize("fn", [_init, _equal, _new, _dict])
def test_they_are_those_of_eager_mode(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for number in (1.0, -1.0, 2.0):
        x = vt.full([2], number)
        assert compiled(x).tolist() == fn(x).tolist()
