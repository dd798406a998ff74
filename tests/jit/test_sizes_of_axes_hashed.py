"""Sizes of open axes that dicts and sets hash are the numbers of the call there, equal to others that are the same."""

from __future__ import annotations

import collections
from dataclasses import dataclass
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError


@dataclass(frozen=True)
class Key:
    rows: Any
    name: str = "k"


def dict_display(x: Any) -> Any:
    d = {x.shape[0]: 1, x.shape[1]: 2, 7: 3}
    return len(d), list(d.values())


def set_display(x: Any) -> Any:
    return len({3, x.shape[0]}), len({*x.shape})


def item_set(x: Any) -> Any:
    d = {3: 2}
    d[x.shape[0]] = 1
    return d[3], len(d)


def item_added(x: Any) -> Any:
    d: Any = collections.defaultdict(int)
    for size in x.shape:
        d[size] += 2
    return sorted(d.values())


def item_set_by_tuples(x: Any) -> Any:
    d: Any = {(3, 3): 1}
    d[tuple(x.shape)] = 2
    return d[3, 3], len(d)


def comprehensions(x: Any) -> Any:
    return len({n for n in x.shape}), len({n: 1 for n in x.shape})  # noqa: C416, C420


def made_by_calls(x: Any) -> Any:
    made = set(x.shape), frozenset(x.shape), dict.fromkeys(x.shape), dict(zip(x.shape, "ab", strict=True))
    return [len(m) for m in made]


def counted(x: Any) -> Any:
    return sorted(collections.Counter([*x.shape, 3]).values())


def tuples_in_a_set(x: Any) -> Any:
    return (x.shape[0], "a") in {(3, "a")}, len({(x.shape[0], 0), (x.shape[1], 0)})


def sets_joined(x: Any) -> Any:
    a, b = {x.shape[0]}, {x.shape[1]}
    return len(a | b), len(a & b), a == b, a <= b


def frozen_dataclasses(x: Any) -> Any:
    return len({Key(x.shape[0]), Key(x.shape[1])}), {Key(3): 5}.get(Key(x.shape[0]), 0)


def sums_as_keys(x: Any) -> Any:
    return {x.shape[0] + 1: 1, 4: 2, 3: 3}


CASES = (
    dict_display, set_display, item_set, item_added, item_set_by_tuples, comprehensions, made_by_calls, counted,
    tuples_in_a_set, sets_joined, frozen_dataclasses, sums_as_keys,
)  # fmt: skip


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_a_size_is_one_key_with_an_equal_number(fn: Any) -> None:
    g = vt.jit.to_static(fn)
    for rows in (2, 3, 4, 3):
        x = vt.ones([rows, 3])
        assert g(x) == fn(x), rows


def test_a_size_that_an_input_spec_leaves_open_is_refused() -> None:
    g = vt.jit.to_static(set_display, input_spec=[vt.static.InputSpec([None, 3])])
    with pytest.raises(CaptureError, match="becomes a key of a dict or an element of a set"):
        g.concrete_program_specify_input_spec()


def flags(x: Any) -> Any:
    n = x.shape[0]
    return n == True, n != True, n == False, n in (True, 5), [True, 5].count(n), (n, 2) == (True, 2)  # noqa: E712


def test_a_size_is_equal_to_a_flag_as_to_its_number() -> None:
    g = vt.jit.to_static(flags)
    for rows in (2, 1, 3, 0, 1):
        assert g(vt.ones([rows])) == flags(vt.ones([rows])), rows


def flag_in_the_program(x: Any) -> Any:
    return x * 2 if x.shape[0] == True else x  # noqa: E712


def test_an_open_size_beside_a_flag_is_asked_by_the_program() -> None:
    g = vt.jit.to_static(flag_in_the_program, input_spec=[vt.static.InputSpec([None])])
    for rows in (2, 1):
        x = vt.ones([rows])
        assert g(x).tolist() == flag_in_the_program(x).tolist()
