"""Dataclasses with attributes that are no fields: set by methods, or by what made them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import vitrify as vt


@dataclasses.dataclass
class Box:
    lo: Any
    hi: Any
    scale: dataclasses.InitVar[float] = 1.0

    def __post_init__(self, scale: float) -> None:
        self.mid = (self.lo + self.hi) / 2
        self.wide = (self.hi - self.lo) * scale

    def grown(self, by: Any) -> Box:
        made = Box(self.lo - by, self.hi + by)
        made.by = by  # type: ignore[attr-defined]
        return made


@dataclasses.dataclass
class Late:
    x: Any
    y: Any = dataclasses.field(init=False)


def _made(x: Any) -> Any:
    return Box(x, x * 3, scale=2.0)


def _grown(x: Any) -> Any:
    return Box(x, x * 3).grown(x)


def _chosen(x: Any) -> Any:
    if x.sum() > 2:
        return Box(x, x * 5)
    return Box(x * 2, x * 3)


def _in_a_loop(x: Any) -> Any:
    box = Box(x, x)
    while box.wide.sum() < 20:
        box = Box(box.lo, box.hi + box.mid)
    return box


def _inside(x: Any) -> Any:
    return [Box(x, x)], {"a": Box(x, x * 2)}


def _not_yet_set(x: Any) -> Any:
    return Late(x)


def _shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_shown(v) for v in value]
    if isinstance(value, dict):
        return {k: _shown(v) for k, v in value.items()}
    if isinstance(value, vt.Tensor):
        return value.tolist()
    return type(value).__name__, _shown(dict(vars(value)))


@pytest.mark.parametrize("fn", [_made, _grown, _chosen, _in_a_loop, _inside, _not_yet_set])
def test_results_have_them(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for number in (1.0, 2.0, 1.0, 0.5):
        x = vt.full([2], number)
        assert _shown(compiled(x)) == _shown(fn(x))


def test_arguments_have_them() -> None:
    def f(box: Any) -> Any:
        box.lo = box.lo + box.mid
        box.mid = box.mid * 2
        return box.mid + getattr(box, "by", 0)

    compiled = vt.to_static(f)
    for grown in (False, True, False):
        given = [Box(vt.ones([2]), vt.full([2], 3.0)) for _ in range(2)]
        given = [box.grown(vt.full([2], 7.0)) if grown else box for box in given]
        assert compiled(given[0]).tolist() == f(given[1]).tolist()
        assert _shown(given[0]) == _shown(given[1])


class Item(dict[str, Any]):
    """A dict with attributes beside its items."""


@pytest.mark.parametrize("make", [lambda k: k, lambda k: f"{k}" * k, lambda k: vt.full([1], float(k)), lambda k: [k]])
def test_a_dict_of_a_class_has_its_attributes(make: Any) -> None:
    def f(item: Any, x: Any) -> Any:
        item["n"] = item["n"] + 1
        kind = getattr(item, "k", 0)
        item.seen = getattr(item, "seen", 0) + 1
        return x * item["n"] + (len(kind) if isinstance(kind, (str, list)) else kind)

    compiled = vt.to_static(f)
    shown = []
    for fn in (f, compiled):
        results: list[Any] = []
        item = Item(n=1, t=vt.ones([2]))
        for k in range(1, 6):
            item.k = make(k)  # type: ignore[attr-defined]
            results += [fn(item, vt.ones([2])).tolist(), item["n"], item.seen]  # type: ignore[attr-defined]
        item.alias = item["t"]  # type: ignore[attr-defined]
        results.append(fn(item, vt.ones([2])).tolist())
        shown.append(results)
    assert shown[0] == shown[1]
