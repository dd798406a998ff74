"""Containers that hash tensors tell them apart by their identity, also where a later call gives one tensor twice."""

from __future__ import annotations

import collections
from typing import Any

import pytest

import vitrify as vt


def set_display(a: Any, b: Any) -> Any:
    return a + len({a, b})


def dict_display(a: Any, b: Any) -> Any:
    return a + len({a: 1, b: 2})


def set_of_a_list(a: Any, b: Any) -> Any:
    both = [a, b]
    return a + len(set(both))


def set_comprehension(a: Any, b: Any) -> Any:
    return a + len({t for t in (a, b) if t is not None})


def dict_comprehension(a: Any, b: Any) -> Any:
    return a + len(dict.fromkeys((a, b), 1))


def dict_of_pairs(a: Any, b: Any) -> Any:
    pairs = [(a, 1), (b, 2)]
    return a + len(dict(pairs))


def frozenset_of_a_tuple(a: Any, b: Any) -> Any:
    return a + len(frozenset((a, b)))


def updated_set(a: Any, b: Any) -> Any:
    s: set[Any] = set()
    s.update([a, b])
    return a + len(s)


def dict_from_keys(a: Any, b: Any) -> Any:
    return a + len(dict.fromkeys([a, b]))


def union_of_sets(a: Any, b: Any) -> Any:
    return a + len({a} | {b})


def starred(a: Any, b: Any) -> Any:
    return a + len({*[a], b})


def set_of_tuples(a: Any, b: Any) -> Any:
    return a + len({(a, 1), (b, 1)})


def items_set(a: Any, b: Any) -> Any:
    d: dict[Any, Any] = {}
    d[a] = 1
    d[b] = 2
    return a + len(d)


def items_set_by_tuples(a: Any, b: Any) -> Any:
    d: dict[Any, Any] = {}
    d[(a, 0)] = 1
    d[(b, 0)] = 2
    return a + len(d)


def defaults_set(a: Any, b: Any) -> Any:
    d: dict[Any, Any] = {}
    for t in (a, b):
        d.setdefault(t, []).append(1)
    return a + len(d)


def by_number(a: Any, b: Any) -> Any:
    return a + len({id(t): t for t in (a, b)})


def counter(a: Any, b: Any) -> Any:
    return a + len(collections.Counter([a, b]))


def unhashed(a: Any, b: Any) -> Any:
    return a + len([a, b])


FUNCTIONS = [
    set_display,
    dict_display,
    set_of_a_list,
    set_comprehension,
    dict_comprehension,
    dict_of_pairs,
    frozenset_of_a_tuple,
    updated_set,
    dict_from_keys,
    union_of_sets,
    starred,
    set_of_tuples,
    items_set,
    items_set_by_tuples,
    defaults_set,
    by_number,
    counter,
]


@pytest.mark.parametrize("fn", FUNCTIONS)
@pytest.mark.parametrize("first", [False, True])
def test_as_many_items_as_tensors(fn: Any, first: bool) -> None:
    compiled = vt.to_static(fn)
    for same in (first, not first, first, not first, True):
        a = vt.to_tensor([1.0])
        b = a if same else vt.to_tensor([2.0])
        assert compiled(a, b).tolist() == fn(a, b).tolist()


def test_an_argument_and_a_tensor_from_outside() -> None:
    p = vt.to_tensor([1.0])

    def fn(x: Any) -> Any:
        return x + len({x, p})

    compiled = vt.to_static(fn)
    for x in (vt.to_tensor([1.0]), p, vt.to_tensor([1.0]), p):
        assert compiled(x).tolist() == fn(x).tolist()


def test_one_program_where_nothing_hashes_them() -> None:
    compiled = vt.to_static(unhashed)
    a = vt.to_tensor([1.0])
    for b in (vt.to_tensor([2.0]), a):
        assert compiled(a, b).tolist() == unhashed(a, b).tolist()
    assert compiled.explain().startswith("unhashed: 1 ")


def test_a_number_that_changes_in_a_dict_by_tensors() -> None:
    weights = [vt.to_tensor([1.0]), vt.to_tensor([2.0])]
    rates = {weights[0]: 0.1, weights[1]: 0.2}

    def fn(x: Any) -> Any:
        return sum(rates[w] * w * x for w in weights)

    compiled = vt.to_static(fn)
    for rate in (0.1, 5.0, 0.5, 2.5):
        rates[weights[0]] = rate
        assert compiled(vt.to_tensor([3.0])).tolist() == fn(vt.to_tensor([3.0])).tolist()
    assert compiled.get_traced_count() <= 4


def test_dicts_by_tensors_are_written_and_read_in_each_call() -> None:
    weights = [vt.to_tensor([1.0]), vt.to_tensor([2.0])]

    def told(made: Any) -> list[str]:
        rates, moments = {weights[0]: 0.1, weights[1]: 0.2}, {w: vt.zeros([1]) for w in weights}
        counts: dict[Any, int] = {}
        mixed: dict[Any, Any] = {weights[0]: [1], weights[1]: (0.5, "a"), "k": 3}

        def fn(x: Any) -> Any:
            for w in weights:
                moments[w] = moments[w] * 0.9 + x * rates[w]
                counts[w] = counts.get(w, 0) + 1
            mixed[weights[0]].append(counts[weights[0]])
            return sum(moments[w] * mixed[weights[1]][0] for w in weights) + mixed["k"], weights[0] in rates

        step, out = made(fn), []
        for k in range(6):
            out.append(repr(step(vt.to_tensor([3.0 + k]))))
            if k == 1:
                rates[weights[0]] = 5.0
            elif k == 2:
                mixed[weights[1]], moments[weights[0]] = (0.25, "b"), vt.ones([1])
            elif k == 3:
                mixed["k"], rates[weights[1]] = 4, 0.7
            out.append(repr([*map(list, (d.values() for d in (rates, moments, counts, mixed)))]))
        return out

    assert told(vt.to_static) == told(lambda fn: fn)
