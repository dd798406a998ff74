"""Which tensors are one object: calls that give the same tensors in other ways have programs of their own."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt
from vitrify import nn

X, Y = vt.ones([2]), vt.full([2], 2.0)
PAIRS = [(X, X), (X, Y), (X, X), (Y, X), (Y, Y), (X, Y)]
QUESTIONS: list[Any] = [
    lambda a, b: a is b,
    lambda a, b: a is not b,
    lambda a, b: id(a) == id(b),
    lambda a, b: len({id(p) for p in (a, b)}),
    lambda a, b: 1 if a is b is not None else 2,
]


@pytest.mark.parametrize("fn", QUESTIONS)
@pytest.mark.parametrize("first", range(3))
def test_arguments_may_be_one_tensor(fn: Any, first: int) -> None:
    compiled = vt.to_static(fn)
    for pair in PAIRS[first:] + PAIRS:
        assert compiled(*pair) == fn(*pair)


def test_in_containers() -> None:
    def fn(items: Any) -> Any:
        return items[0] * 2 if items[0] is items[1] else items[0] * items[1]["b"]

    compiled = vt.to_static(lambda items: items[0] * 2 if items[0] is items[1]["b"] else items[0] + items[1]["b"])
    for a, b in PAIRS:
        expected = a * 2 if a is b else a + b
        assert compiled([a, {"b": b}]).tolist() == expected.tolist()


def test_an_argument_that_the_function_holds() -> None:
    class Holder:
        w = X

    holder = Holder()

    @vt.to_static
    def f(x: Any) -> Any:
        return holder.w * 3 if holder.w is x else holder.w + x

    for held, given in [(X, Y), (X, X), (Y, X), (Y, Y), (X, X)]:
        holder.w = held
        assert f(given).tolist() == (held * 3 if held is given else held + given).tolist()


def test_attention_with_itself_has_a_shorter_way() -> None:
    class Attention(nn.Layer):
        def forward(self, q: Any, k: Any) -> Any:
            return q + 1 if q is k else q * k

    layer = vt.to_static(Attention())
    for q, k in PAIRS:
        assert layer(q, k).tolist() == (q + 1 if q is k else q * k).tolist()


class Shelf:
    def __init__(self) -> None:
        self.w = [vt.full([], float(k)) for k in range(4)]
        self.rows = [[k, k] for k in range(4)]
        self.last: Any = None
        self.cur: Any = None


def pick(shelf: Any, a: int, b: int) -> Any:
    shelf.last = shelf.w[a]
    shelf.cur = shelf.rows[a]
    return shelf.w[b]


def put(shelf: Any, a: int, b: int) -> Any:
    shelf.last = shelf.w[a] = shelf.w[b] = shelf.w[a] + 1
    return shelf.w[b]


def changed(shelf: Any, a: int, b: int) -> Any:
    shelf.w[a] += 1
    shelf.last = shelf.w[a]
    return shelf.last


def grown(shelf: Any, a: int, b: int) -> Any:
    shelf.w.append(shelf.w[a])
    del shelf.w[0]
    shelf.last = shelf.w[b]
    return shelf.w[-1]


def cut(shelf: Any, a: int, b: int) -> Any:
    shelf.last = shelf.w[:a]
    return shelf.w[b]


@pytest.mark.parametrize("fn", [pick, put, changed, grown, cut])
def test_an_item_that_a_number_chooses_is_that_very_item_at_every_call(fn: Any) -> None:
    shown = []
    for run in (fn, vt.to_static(fn)):
        shelf, seen = Shelf(), []
        for a, b in ((0, 1), (2, 3), (3, 1), (1, 0)):
            run(shelf, a, b).add_(vt.full([], 10.0))
            if isinstance(shelf.last, vt.Tensor):
                shelf.last.add_(vt.full([], 100.0))
            if shelf.cur is not None:
                shelf.cur[0] += 5
            seen.append(([w.item() for w in shelf.w], [list(r) for r in shelf.rows], repr(shelf.last)))
        shown.append(seen)
    assert shown[0] == shown[1]


def test_items_that_a_number_chooses_and_that_are_computed_with_have_one_program() -> None:
    def fn(x: Any, ws: Any, k: int) -> Any:
        made = [x * 2, x * 3, x * 4]
        return x * ws[k], made[k]

    compiled, ws = vt.to_static(fn), [vt.full([], float(k)) for k in range(3)]
    for k in (0, 1, 2, 1, 0):
        assert repr(compiled(vt.ones([2]), ws, k)) == repr(fn(vt.ones([2]), ws, k))
    assert "2 programs" in compiled.explain()


class Split:
    def __init__(self) -> None:
        self.s = vt.ones([2])
        self.q: Any = None
        self.a: Any = None
        self.b: Any = None


def none_or_tensor(o: Any, x: Any) -> Any:
    o.q = x * 2 if x.sum() > 0 else None
    o.s = o.s + 1
    o.a = o.b = x * 3
    return o.s


def handled(o: Any, x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise ValueError("a")
    except ValueError:
        x = x * 2
    o.s = o.s + x
    o.a = o.b = x * 3
    return o.s


@pytest.mark.parametrize("fn", [none_or_tensor, handled])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_one_tensor_in_two_places_is_one_after_paths_of_two_kinds(fn: Any, sign: float) -> None:
    shown = []
    for run in (fn, vt.to_static(fn)):
        o, seen = Split(), []
        for k in range(3):
            run(o, vt.full([2], sign)).add_(vt.full([2], 10.0))
            o.a.add_(vt.full([2], 100.0))
            seen.append(repr((k, o.s, o.a, o.b)))
        shown.append(seen)
    assert shown[0] == shown[1]
