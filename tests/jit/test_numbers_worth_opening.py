"""Numbers are left open where that takes a few times the work of a program for their values, and bound otherwise."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit.call import cache


def change(d: dict[Any, Any], x: Any, k: int) -> Any:
    """Branches that add and remove keys of one dict."""
    if k == 0:
        d.update(b=2, c=x.sum())
    elif k == 1:
        d.setdefault("l", []).append(len(d))
    elif k == 2:
        return d.popitem()
    elif k == 3:
        d.pop("zz", None)
        del d["a"]
    elif k == 4:
        d[(1, "t")] = 3
        d[1.5] = 4
    elif k == 5:
        return {v: q for q, v in d.items() if isinstance(v, int)}, d.keys() & {"a"}, len(d)
    elif k == 6:
        e = d.copy()
        e["n"] = 1
        d.clear()
        d.update(e)
    elif k == 7:
        return d["nope"]
    return x * len(d)


def told(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: told(v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [told(v) for v in x]
    return x.tolist() if isinstance(x, vt.Tensor) else x


def calls(wrap: Callable[..., Any], numbers: list[int]) -> tuple[list[Any], Any]:
    d: dict[Any, Any] = {"a": 1}
    f = wrap(lambda x, k, scale: change(d, x * scale, k))
    found: list[Any] = []
    for n, k in enumerate(numbers):
        try:
            found.append(told(f(vt.to_tensor([1.0]), k, 0.5 + n)))
        except KeyError as error:
            found.append(repr(error))
        found.append(told(d))
    return found, f


def test_a_number_that_takes_too_much_work_is_bound_and_others_stay_open() -> None:
    numbers = [0, 1, 1, 6, 7]
    found, f = calls(vt.to_static, numbers)
    assert found == calls(lambda g: g, numbers)[0]
    family = next(iter(f._families.values()))
    assert set(family.given_up) == {0}
    assert not family.bound
    assert family.open_numbers() == {1}


def walks(state: Any, x: Any, k: int) -> Any:
    """Each `if` doubles what is left to do."""
    out: list[Any] = []
    for n in range(10):
        if k % (n + 2) == 1:
            out.append(x * n)
    return sum(out, x) * state.scale


def test_a_number_of_many_values_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LEAST_WORK", 100)
    state, x = SimpleNamespace(scale=2.0), vt.to_tensor([1.0])
    f = vt.to_static(walks)
    reasons = []
    for k in (0, 1, 7, 9, 10):
        assert f(state, x, k).tolist() == walks(state, x, k).tolist()
        reasons.append("many times the work" in f.program_cache[-1].reason)
    assert reasons == [False, True, False, False, False]
    assert f.get_traced_count() == 3


def test_a_place_that_takes_too_much_work_is_bound() -> None:
    d: dict[Any, Any] = {"a": 1}
    state = SimpleNamespace(k=0, seen=0)

    @vt.to_static
    def f(x: Any) -> Any:
        state.seen += 1
        return change(d, x, state.k) * state.seen

    for seen, (k, size) in enumerate([(0, 3), (6, 4), (6, 4), (4, 6)], start=1):
        state.k = k
        assert f(vt.to_tensor([1.0])).tolist() == [float(size * seen)]
        assert (len(d), state.seen) == (size, seen)
    assert {key[1] for key in next(iter(f._families.values())).given_up} == {"k"}


@contextlib.contextmanager
def play(cells: list[int], at: int, player: int) -> Iterator[None]:
    cells[at] = player
    try:
        yield
    finally:
        cells[at] = 0


class Search:
    def __init__(self) -> None:
        self.nodes = 0

    def best(self, cells: list[int], w: Any, player: int, depth: int) -> Any:
        self.nodes += 1
        free = [i for i, v in enumerate(cells) if v == 0]
        if depth == 0 or not free:
            return sum(w[i] * v for i, v in enumerate(cells)), None
        best = chosen = None
        for i in free:
            with play(cells, i, player):
                v, _ = self.best(cells, w, -player, depth - 1)
            if best is None or (v > best if player > 0 else v < best):
                best, chosen = v, i
        return best, chosen


def test_a_search_whose_depth_and_player_change() -> None:
    w = vt.to_tensor([1.0, -0.5])
    eager, compiled = Search(), Search()
    f = vt.to_static(lambda player, depth: compiled.best([0, 0], w, player, depth))
    for player, depth in ((1, 1), (-1, 2), (1, 2)):
        value, at = f(player, depth)
        expected, place = eager.best([0, 0], w, player, depth)
        assert (value.item(), at, compiled.nodes) == (expected.item(), place, eager.nodes)
