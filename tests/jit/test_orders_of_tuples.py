"""`a < b` of names that are tuples, lists or dataclass objects with values of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import vitrify as vt


@dataclass(order=True)
class Card:
    rank: Any
    suit: Any


def best_of_pairs(x: Any) -> Any:
    best = (x[0], x[1])
    for k in range(1, 3):
        cand = (x[k], x[0])
        if best < cand:
            best = cand
    return best[0] * 10 + best[1]


def lists(x: Any) -> Any:
    a, b = [x[0], 1.0], [x[1], 2.0]
    return x + 1 if a <= b else x - 1


def numbers(x: Any) -> Any:
    pairs = [(int(v), -int(v)) for v in x]
    return sum(1 for p in pairs if p >= pairs[0])


def cards(x: Any) -> Any:
    a, b = Card(x[0], x[1]), Card(x[1], x[2])
    return x[0] if a < b else x[1] * 2


def chosen(x: Any) -> Any:
    pair = {"a": (x[0], 2.0), "b": (x[1], 1.0)}
    flag = pair["a"] > pair["b"]
    return x * 2 if flag else x * 3


@pytest.mark.parametrize("fn", [best_of_pairs, lists, numbers, cards, chosen], ids=lambda fn: fn.__name__)
def test_tuples_are_ordered_as_in_plain_python(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [2.0, 2.0, 2.0], [2.0, 2.0, 1.0], [1.0, 3.0, 3.0]):
        ours, theirs = (vt.to_tensor(values, stop_gradient=False) for _ in range(2))
        found, expected = compiled(ours), fn(theirs)
        if not isinstance(expected, vt.Tensor):
            assert found == expected
            continue
        assert found.tolist() == pytest.approx(expected.tolist())
        found.sum().backward()
        expected.sum().backward()
        assert ours.grad.tolist() == pytest.approx(theirs.grad.tolist())


def test_values_that_have_no_order_are_refused() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        a, b = {1: x[0]}, {1: x[1]}
        return x if a < b else -x

    with pytest.raises(TypeError, match="'<' not supported"):
        fn(vt.to_tensor([1.0, 2.0]))


def test_names_tell_an_order_where_no_value_is_compared() -> None:
    def names(**given: Any) -> Any:
        ordered = sorted(given.items())
        return [name for name, _ in ordered], ordered[0][1], sorted(given.items(), reverse=True)[0][1]

    compiled = vt.to_static(names)
    for z in (1.0, 2.0, 3.0):
        given = {"z": vt.to_tensor([z]), "y": "text", "w": None, "a": vt.to_tensor([z, z])}
        assert repr(compiled(**given)) == repr(names(**given))


def test_what_is_known_decides_at_several_places() -> None:
    def ordered(x: Any) -> Any:
        keys = [("b", 1, x[0]), ("a", (2, x[1]), None), ("b", 0), ("a", (1, x[0]), "text"), ("c", x[1])]
        return [key[0] for key in sorted(keys)], sorted(keys)[1][1][1], min(keys)[2], max(keys)[1]

    compiled = vt.to_static(ordered)
    for values in ([1.0, 2.0], [4.0, 3.0]):
        x = vt.to_tensor(values)
        assert repr(compiled(x)) == repr(ordered(x))


def test_what_a_run_compares_may_be_equal() -> None:
    def ordered(x: Any) -> Any:
        keys = [(x[0].item(), "b"), (x[1].item(), "a"), (x[2].item(), "c")]
        return [name for _, name in [min(keys), max(keys)]], min(keys) < max(keys)

    compiled = vt.to_static(ordered)
    for values in ([1.0, 1.0, 2.0], [2.0, 1.0, 2.0], [1.0, 1.0, 1.0], [3.0, 2.0, 1.0]):
        assert repr(compiled(vt.to_tensor(values))) == repr(ordered(vt.to_tensor(values)))


def test_values_that_python_does_not_compare_are_its_error() -> None:
    def ordered(x: Any) -> Any:
        try:
            return len(sorted([("a", None, x), ("a", "text", x)]))
        except TypeError:
            return x + 1

    x = vt.to_tensor([1.0])
    assert vt.to_static(ordered)(x).tolist() == ordered(x).tolist() == [2.0]
