"""`xs.pop(i)`, `xs.insert(i, v)` and `del xs[i]` of lists, at places that only a run knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

T = vt.to_tensor


def _deleted(xs: list[Any], i: Any) -> Any:
    del xs[int(i)]
    return len(xs)


def _popped(xs: list[Any], i: Any) -> Any:
    return xs.pop(int(i)) * 10, len(xs)


def _inserted(xs: list[Any], i: Any) -> Any:
    xs.insert(int(i), T(9.0))
    return len(xs)


def _by_a_tensor(xs: list[Any], i: Any) -> Any:
    taken = xs.pop(i)
    xs.insert(i - 1, taken + 1)
    del xs[-i]
    return taken


def _under_a_condition(xs: list[Any], i: Any) -> Any:
    if i > 0:
        xs.insert(int(i), xs.pop(int(i) - 1) * 2)
    else:
        xs.insert(0, T(5.0))
        del xs[int(i) - 1]
    return sum(xs)


def _the_least_goes(xs: list[Any], i: Any) -> Any:
    k = min(range(len(xs)), key=lambda j: float(xs[j]))
    return xs[k] + i, xs.pop(k)


def _worst_beam(xs: list[Any], i: Any) -> Any:
    beams = [(float(x), x * 2) for x in xs]
    worst = sorted([(score, k) for k, (score, _) in enumerate(beams)])
    del beams[worst[0][1]]
    beams.insert(worst[1][1], (1.5, x) if (x := xs[0]) > i else (2.5, xs[1]))
    return beams


@pytest.mark.parametrize(
    "fn",
    [_deleted, _popped, _inserted, _by_a_tensor, _under_a_condition, _the_least_goes, _worst_beam],
    ids=lambda fn: fn.__name__,
)
def test_as_in_eager_mode(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for place in (1, 0, 2, -1, -2, 1):
        for values in ([3.0, 1.0, 2.0], [1.0, 3.0, 2.0], [2.0, 2.0, 1.0]):
            ours, theirs = ([T(v) for v in values] for _ in range(2))
            assert repr(compiled(ours, T(place))) == repr(fn(theirs, T(place)))
            assert [x.item() for x in ours] == [x.item() for x in theirs]


@pytest.mark.parametrize(("fn", "message"), [(_deleted, "list assignment index"), (_popped, "pop index")])
def test_a_place_that_is_not_there(fn: Callable[..., Any], message: str) -> None:
    compiled = vt.to_static(fn)
    for place in (0, 3, -3, -4, 7):
        ours, theirs = ([T(1.0), T(2.0), T(3.0)] for _ in range(2))
        if -3 <= place < 3:
            assert repr(compiled(ours, T(place))) == repr(fn(theirs, T(place)))
        else:
            for way, xs in ((compiled, ours), (fn, theirs)):
                with pytest.raises(IndexError, match=f"{message} out of range"):
                    way(xs, T(place))
        assert [x.item() for x in ours] == [x.item() for x in theirs]


def test_lists_of_one_item_and_of_none() -> None:
    def fn(x: Any, i: Any) -> Any:
        one, none, filled = [x], [], [x]
        taken = one.pop(int(i))
        none.insert(int(i) + 4, x * 3)
        filled.insert(int(i), x * 2)
        return taken, one, none, filled

    compiled = vt.to_static(fn)
    for place in (0, -1):
        assert repr(compiled(T([1.0, 2.0]), T(place))) == repr(fn(T([1.0, 2.0]), T(place)))
    with pytest.raises(IndexError, match="pop from empty list"):
        vt.to_static(lambda i: [].pop(int(i)))(T(0))


def test_items_of_several_kinds() -> None:
    def fn(x: Any, i: Any) -> Any:
        hypotheses = [(1, x), (2, vt.concat([x, x])), (3, x * 2)]
        names = ["a", "b", "c"]
        del hypotheses[int(i)]
        del names[int(i)]
        names.insert(int(i), "d")
        return [number for number, _ in hypotheses], sum(h.sum() for _, h in hypotheses), "".join(names)

    compiled = vt.to_static(fn)
    for place in (0, 1, 2, 1):
        ours, theirs = compiled(T([1.0, 2.0]), T(place)), fn(T([1.0, 2.0]), T(place))
        assert repr(ours) == repr(theirs)


def test_gradients_go_to_what_is_left() -> None:
    def fn(x: Any, i: Any) -> Any:
        rows = [x[0] * 2, x[1] * 3, x[2] * 4]
        taken = rows.pop(int(i))
        rows.insert(int(i) - 1, taken * taken)
        return rows[0] * 5 + rows[1] * 7 + rows[2]

    compiled = vt.to_static(fn)
    for place in (0, 1, 2):
        ours, theirs = (T([1.0, 2.0, 3.0], stop_gradient=False) for _ in range(2))
        compiled(ours, T(place)).backward()
        fn(theirs, T(place)).backward()
        assert ours.grad.tolist() == theirs.grad.tolist()


def test_beams_that_are_kept_over_a_loop() -> None:
    class Hypotheses:
        def __init__(self, size: int) -> None:
            self.size, self.beams, self.worst = size, [], 1e9

        def add(self, hypothesis: Any, score: Any) -> None:
            if len(self.beams) < self.size or score > self.worst:
                self.beams.append((score, hypothesis))
                if len(self.beams) > self.size:
                    ordered = sorted([(s, k) for k, (s, _) in enumerate(self.beams)])
                    del self.beams[ordered[0][1]]
                    self.worst = ordered[1][0]
                else:
                    self.worst = min(score, self.worst)

    def search(scores: Any, words: Any) -> Any:
        found = Hypotheses(2)
        for k in range(4):
            found.add(words[k], scores[k].item())
        return sum(s for s, _ in found.beams), found.worst, vt.stack([word for _, word in found.beams])

    compiled = vt.to_static(search)
    words = vt.arange(8.0).reshape([4, 2])
    for scores in ([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], [2.0, 4.0, 3.0, 1.0], [1.0, 1.0, 1.0, 2.0]):
        for ours, theirs in zip(compiled(T(scores), words), search(T(scores), words), strict=True):
            assert vt.allclose(vt.to_tensor(ours), vt.to_tensor(theirs))


def test_growing_lists() -> None:
    def fn(x: Any, i: Any) -> Any:
        kept: list[Any] = []
        for v in x:
            if v > 0:
                kept.append(v)
        kept.insert(int(i), x[0] * 100)
        first = kept.pop(int(i) + 1)
        del kept[int(i) - 1]
        return first, kept, len(kept)

    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0, -3.0, 4.0], [5.0, -2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]):
        for place in (1, 2):
            ours, theirs = compiled(T(values), T(place)), fn(T(values), T(place))
            assert [float(ours[0]), [float(v) for v in ours[1]], int(ours[2])] == [
                float(theirs[0]), [float(v) for v in theirs[1]], theirs[2],
            ]  # fmt: skip


def test_numbers_of_the_call_are_bound() -> None:
    def fn(xs: list[Any], i: int) -> Any:
        taken = xs.pop(i)
        xs.insert(i - 1, taken * 2)
        del xs[i]
        return len(xs)

    compiled = vt.to_static(fn)
    for place in (0, 1, 2, -1, 1):
        ours, theirs = ([T(1.0), T(2.0), T(3.0)] for _ in range(2))
        assert compiled(ours, place) == fn(theirs, place)
        assert [x.item() for x in ours] == [x.item() for x in theirs]


def _part_deleted(xs: list[Any], i: Any) -> Any:
    del xs[: int(i)]
    return xs, len(xs)


def _part_between_deleted(xs: list[Any], i: Any) -> Any:
    del xs[int(i) : int(i) + 1]
    return [x * 2 for x in xs], bool(xs)


def _part_replaced(xs: list[Any], i: Any) -> Any:
    xs[int(i) :] = [T(7.0), xs[0] + 1]
    xs[:1] = []
    return sum(xs), len(xs)


def _of_a_grown_list(xs: list[Any], i: Any) -> Any:
    kept = [x for x in xs if x > 1]
    kept.append(xs[0])
    kept[1:2] = [T(4.0), T(5.0)]
    del kept[: int(i)]
    del kept[-1:]
    kept.append(T(6.0))
    first, rest = kept[0], len(kept)
    kept[:] = [first]
    return kept, rest


@pytest.mark.parametrize(
    "fn", [_part_deleted, _part_between_deleted, _part_replaced, _of_a_grown_list], ids=lambda fn: fn.__name__
)
def test_parts_between_places_of_a_run(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for place in (1, 0, 2, -1):
        for values in ([3.0, 1.0, 2.0], [2.0, 4.0, 3.0]):
            ours, theirs = ([T(v) for v in values] for _ in range(2))
            found, expected = compiled(ours, T(place)), fn(theirs, T(place))
            assert [_plain(x) for x in found] == [_plain(x) for x in expected]
            assert _plain(ours) == _plain(theirs)


def _plain(x: Any) -> Any:
    return [_plain(v) for v in x] if isinstance(x, list) else float(x)
