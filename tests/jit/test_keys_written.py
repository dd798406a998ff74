"""Items of dicts that are written and deleted by keys that only a run knows: `d[int(t)] = v`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


def replaced(x: Any, k: Any) -> Any:
    d = {0: x, 1: x * 2, 2: x * 3, "name": 4}
    d[int(k)] = x * 7
    return d


def added_to(x: Any, k: Any) -> Any:
    d = OrderedDict({0: x, 1.0: x * 2, 2: x * 3})
    d[int(k)] += 1
    d[float(k)] *= 2
    return d[0] + d[1] * 10 + d[2] * 100, list(d)


def of_several_types(x: Any, k: Any) -> Any:
    d = {0: x, 1: None, 2: 3}
    d[int(k)] = x * 3
    return d


def deleted(x: Any, k: Any) -> Any:
    d = {0: x, 1: x * 2, 2: x * 3}
    del d[int(k)]
    return d, len(d)


def missing(x: Any, k: Any) -> Any:
    d = {0: x, 2: x}
    try:
        del d[int(k)]
    except KeyError:
        return x - 1
    return d


def counted(x: Any, k: Any) -> Any:
    counts = dict.fromkeys(range(4), 0)
    for v in x:
        counts[int(v.abs())] += 1
    counts[int(k)] = -1
    return counts


def in_its_values(x: Any, k: Any) -> Any:
    d: dict[int, Any] = {0: [], 1: [x], 2: []}
    d[int(k)].append(x)
    return d


@pytest.mark.parametrize(
    "fn", [replaced, added_to, of_several_types, deleted, missing, counted, in_its_values], ids=lambda fn: fn.__name__
)
def test_items_are_written_and_deleted(fn: Callable[..., Any]) -> None:
    static = vt.jit.to_static(fn)
    for k in (0, 1, 2, 1):
        x = vt.to_tensor([1.0, 2.5, -1.0, 0.5])
        assert repr(static(x, vt.to_tensor(k))) == repr(fn(x, vt.to_tensor(k)))
    assert static.get_traced_count() == 1


def test_a_dict_of_the_caller_is_written() -> None:
    def write(d: dict[int, Any], k: Any) -> None:
        d[int(k)] = d[int(k)] * 2

    found = {}
    for fn in (write, vt.jit.to_static(write)):
        d = {0: vt.to_tensor([1.0]), 5: vt.to_tensor([2.0])}
        fn(d, vt.to_tensor(5))
        found[fn] = repr(d)
    assert len(set(found.values())) == 1


def test_a_key_that_is_not_there_is_refused_when_it_is_met() -> None:
    def write(x: Any, k: Any) -> Any:
        d = {0: x}
        d[int(k)] = x * 2
        return d

    static = vt.jit.to_static(write)
    assert static(vt.ones([2]), vt.to_tensor(0))[0].tolist() == [2.0, 2.0]
    with pytest.raises(CaptureError, match="gets a new key that only a run of the program knows"):
        static(vt.ones([2]), vt.to_tensor(1))


def test_a_dict_without_such_keys_is_refused_at_once() -> None:
    def write(x: Any, k: Any) -> Any:
        d = {"a": x}
        d[int(k)] = x
        return d

    with pytest.raises(CaptureError, match=r"gets a new key that only a run of the program knows[\s\S]*int\(k\)"):
        vt.jit.to_static(write)(vt.ones([2]), vt.to_tensor(1))
