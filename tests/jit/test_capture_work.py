"""The work of a capture: about in proportion to the program's size, also where paths end with values of different types."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn
from vitrify.ir.builder import Builder
from vitrify.jit.converters.regions import decisions


class Layer(nn.Layer):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.first, self.second, self.norm = nn.Linear(size, size), nn.Linear(size, size), nn.LayerNorm(size)

    def forward(self, x: Any) -> Any:
        y = self.second(nn.functional.relu(self.first(self.norm(x))))
        if y.mean() > 0.5:
            y = y * 0.5
        return x + y


class Skip(nn.Layer):
    """A variable is None or a tensor after each layer."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.layers = nn.LayerList([Layer(2) for _ in range(count)])

    def forward(self, x: Any) -> Any:
        skip = None
        for layer in self.layers:
            y = layer(x)
            if y.max() > 1:
                skip = y
            x = y
        return x if skip is None else x + skip


class Exit(Skip):
    def forward(self, x: Any) -> Any:
        for number, layer in enumerate(self.layers):
            x = layer(x)
            if x.max() > 50:
                return x, number
        return x, None


class Experts(Skip):
    def forward(self, x: Any) -> Any:
        chosen = x.argmax(axis=-1)
        out = vt.zeros_like(x)
        for number, layer in enumerate(self.layers):
            mask = chosen == number
            if mask.any():
                out[mask] = layer(x[mask])
        return out


def counted_work(patch: pytest.MonkeyPatch) -> list[int]:
    """A number that counts the operations that captures record, those of failed attempts included."""
    count, place = [0], Builder.place

    def counted(self: Builder, operation: Any) -> Any:
        count[0] += 1
        return place(self, operation)

    patch.setattr(Builder, "place", counted)
    return count


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    return counted_work(monkeypatch)


@functools.cache  # two tests ask for one of them, and it takes seconds
def operations(make: Callable[[int], Any], size: int) -> int:
    vt.seed(0)
    net, x = make(size), vt.to_tensor([[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]])
    expected = net(x)
    with pytest.MonkeyPatch.context() as patch:
        work = counted_work(patch)
        found = vt.jit.to_static(net)(x)
    count = work[0]
    for one, other in zip(*([v] if isinstance(v, vt.Tensor) else v for v in (expected, found)), strict=True):
        assert one == other if not isinstance(one, vt.Tensor) else vt.allclose(one, other, atol=1e-5)
    return count


@pytest.mark.parametrize("make", [Skip, Exit, Experts])
def test_twice_the_layers_are_about_twice_the_work(make: Callable[[int], Any]) -> None:
    small, large = (operations(make, size) for size in (8, 16))
    assert large < 3 * small


def test_the_usual_way_is_left_where_its_copies_are_long() -> None:
    assert operations(Skip, 16) < 3 * decisions.MOST_TRIED


def decode(x: Any, layers: Any, steps: Any) -> Any:
    """Two variables grow until a condition on a tensor ends the loop."""
    words, marks = x, x[:, :1]
    for _ in range(steps):
        y = words
        for layer in layers:
            y = y + layer(y.sum(1, keepdim=True)) * 0.5
        last = y[:, -1:]
        if (last > 3).all():
            break
        words, marks = vt.concat([words, last], 1), vt.concat([marks, last * 2], 1)
    return words, marks


def test_variables_that_grow_are_not_traced_in_each_of_their_sizes_where_that_is_long(
    work: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    vt.seed(1)
    layers = [nn.Linear(1, 1) for _ in range(16)]
    monkeypatch.setattr(decisions, "MOST_TRIED", 300)
    compiled = vt.jit.to_static(lambda x, steps: decode(x, layers, steps))
    x = vt.to_tensor([[1.0, 2.0], [3.0, -4.0]])
    for steps in (5, 3):
        for found, expected in zip(compiled(x, vt.to_tensor(steps)), decode(x, layers, steps), strict=True):
            assert vt.allclose(found, expected, rtol=1e-5)
    assert work[0] < 3500, "it isn't captured statement by statement"


def joined(x: Any) -> Any:
    best = None
    for k in range(6):
        if x[k] > 0:
            best = x * k
        y = x if best is None else best
    return y


def test_where_steps_lead_nowhere_the_usual_way_takes_all_its_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_TRIED", 40)
    monkeypatch.setattr(decisions, "MOST_TRIED_COPIES", 1)
    monkeypatch.setattr(decisions, "MOST_TRIED_IN_STEPS", 0)
    monkeypatch.setattr(decisions, "MOST_STEPS", 2)
    x = vt.to_tensor([-1.0, 2.0, -3.0, 4.0, 5.0, -6.0])
    assert vt.jit.to_static(joined)(x).tolist() == joined(x).tolist()
    with monkeypatch.context() as less:
        less.setattr(decisions, "MOST_TAIL_COPIES", 1)
        with pytest.raises(vt.errors.CaptureError, match="end in more than"):
            vt.jit.to_static(joined)(x)


def test_what_one_call_has_taught_spares_the_next_one_failed_attempts(
    work: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "MOST_TRIED", 40)
    monkeypatch.setattr(decisions, "MOST_TRIED_COPIES", 1)
    monkeypatch.setattr(decisions, "MOST_TRIED_IN_STEPS", 0)
    monkeypatch.setattr(decisions, "MOST_TAIL_COPIES", 1)
    compiled, counts = vt.jit.to_static(joined), []
    for dtype in ("float32", "float64"):
        x = vt.to_tensor([-1.0, 2.0, -3.0, 4.0, 5.0, -6.0], dtype=dtype)
        before = work[0]
        assert compiled(x).tolist() == joined(x).tolist()
        counts.append(work[0] - before)
    assert counts[1] < counts[0]


def test_what_one_call_has_taught_need_not_help_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_TRIED", 40)
    monkeypatch.setattr(decisions, "MOST_TRIED_COPIES", 1)
    monkeypatch.setattr(decisions, "MOST_TRIED_IN_STEPS", 0)
    compiled = vt.jit.to_static(joined)
    with monkeypatch.context() as few:
        few.setattr(decisions, "MOST_TAIL_COPIES", 1)
        x = vt.to_tensor([-1.0, 2.0, -3.0, 4.0, 5.0, -6.0])
        assert compiled(x).tolist() == joined(x).tolist()
    monkeypatch.setattr(decisions, "MOST_STEPS", 2)
    x = vt.to_tensor([-1.0, 2.0, -3.0, 4.0, 5.0, -6.0], dtype="float64")
    assert compiled(x).tolist() == joined(x).tolist()


class Beam(nn.Layer):
    """Each step has a length of its own, and may be the last one."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.steps = steps

    def forward(self, x: Any) -> Any:
        for _ in range(self.steps):
            y = x
            for _ in range(4):
                y = self.layer(y).tanh()
            x = vt.concat([x, y[-1:]], 0)
            if y.sum() > 50:
                break
        return x


def test_a_chain_of_breaks_is_captured_the_usual_way_at_once(monkeypatch: pytest.MonkeyPatch, work: list[int]) -> None:
    monkeypatch.setattr(decisions, "MOST_TRIED_COPIES", 1)
    x, counts = vt.ones([3, 2]), []
    for most in (40, 10**6):
        monkeypatch.setattr(decisions, "MOST_TRIED", most)
        vt.seed(1)
        net = Beam(5)
        expected = net(x)
        before = work[0]
        assert vt.allclose(vt.jit.to_static(net)(x), expected, atol=1e-5)
        counts.append(work[0] - before)
    assert counts[0] == counts[1], "an attempt in vain went before"


def test_many_swaps_under_conditions_are_captured_in_little_time() -> None:
    """Each swap doubles the ways to what an element may be: they aren't all told apart in what comes out."""

    def sort(items: Any, first: int, last: int) -> None:
        if first < last and items[first] > items[last]:
            items[first], items[last] = items[last], items[first]
        if last - first > 1:
            third = (last - first + 1) // 3
            sort(items, first, last - third)
            sort(items, first + third, last)
            sort(items, first, last - third)

    @vt.to_static
    def sorted_list(items: Any) -> Any:
        sort(items, 0, len(items) - 1)
        return items

    for values in ([5.0, 1.0, 4.0, 2.0, 3.0], [1.0, 2.0, 3.0, 5.0, 4.0]):
        given = [vt.to_tensor(v) for v in values]
        begun = time.process_time()
        found = sorted_list(given)
        assert time.process_time() - begun < 20
        assert found is given
        assert [x.item() for x in found] == [1.0, 2.0, 3.0, 4.0, 5.0]


def four_ways(x: Any) -> Any:
    """Two of the four need a gradient only if the value before does."""
    y = vt.zeros([])
    for i in range(x.shape[0]):
        v = x[i]
        if v > 1:
            y = y + v
        elif v > 0:
            y = y * 0.9 + v
        elif v > -1:
            y = y - 0.1
        else:
            y = -y
    return y


def values(count: int, start: int = 0) -> list[float]:
    return [0.37 * ((7 * i + start) % 11) - 2 for i in range(count)]


def test_conditions_that_decide_about_gradients_are_work_in_proportion(work: list[int]) -> None:
    counts = []
    for count in (6, 12):
        before = work[0]
        compiled = vt.to_static(four_ways)
        for start in range(3):
            ours, theirs = (vt.to_tensor(values(count, start), stop_gradient=False) for _ in range(2))
            found, expected = compiled(ours), four_ways(theirs)
            found.backward()
            expected.backward()
            assert found.item() == pytest.approx(expected.item(), abs=1e-6)
            assert ours.grad.tolist() == pytest.approx(theirs.grad.tolist(), abs=1e-6)
        counts.append(work[0] - before)
    assert counts[1] < 3 * counts[0]


@pytest.mark.parametrize("count", [3, 12])
def test_a_result_needs_a_gradient_on_the_paths_of_eager_mode(count: int) -> None:
    compiled = vt.to_static(four_ways_weighted)
    for x in ([-0.5] * count, [-1.5] * count, [*[-0.5] * (count - 1), 0.5], [2.0, *[-1.5] * (count - 1)]):
        ours, theirs = (vt.to_tensor(2.0, stop_gradient=False) for _ in range(2))
        found, expected = compiled(vt.to_tensor(x), ours), four_ways_weighted(vt.to_tensor(x), theirs)
        (found * 1).sum().backward()
        if expected.stop_gradient:
            assert ours.grad is None
        else:
            (expected * 1).sum().backward()
            assert ours.grad.item() == pytest.approx(theirs.grad.item())


def four_ways_weighted(x: Any, w: Any) -> Any:
    y = vt.zeros([])
    for i in range(x.shape[0]):
        v = x[i]
        if v > 1:
            y = y + v * w
        elif v > 0:
            y = y * 0.9 + w
        elif v > -1:
            y = y - 0.1
        else:
            y = -y
    return y


class Over(Exception):
    pass


class Walk:
    """Ends with an exception as soon as it has come too far."""

    def __init__(self) -> None:
        self.place, self.steps = vt.zeros([2]), 0

    def step(self, by: Any) -> Any:
        self.place = self.place + by * 0.5 + vt.sin(self.place) * 0.01
        self.steps += 1
        if abs(self.place[0]) > 2 or abs(self.place[1]) > 3:
            raise Over(f"after {self.steps} steps")
        return self.place, 1.0


def walked(walk: Walk, by: Any, limit: int) -> Any:
    total = 0.0
    try:
        for _ in range(limit):
            place, gain = walk.step(by)
            by = by * 0.9 + place * 0.01
            total += gain
    except Over as e:
        print("over:", e)
        return total, walk.place, True
    return total, walk.place, False


@pytest.mark.parametrize("limit", [5, 12, 40])
def test_an_exception_that_ends_the_steps_of_a_loop(
    limit: int, work: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    compiled = vt.to_static(walked)
    for by in ([0.1, 0.2], [1.0, 0.0], [0.0, 0.9], [5.0, 5.0]):
        ours, theirs = Walk(), Walk()
        found, shown = compiled(ours, vt.to_tensor(by), limit), capsys.readouterr().out
        expected = walked(theirs, vt.to_tensor(by), limit)
        assert shown == capsys.readouterr().out
        assert found[0] == expected[0]
        assert type(found[0]) is float
        assert found[1].tolist() == pytest.approx(expected[1].tolist(), rel=1e-5)
        assert found[1] is ours.place
        assert (found[2], ours.steps) == (expected[2], theirs.steps)
    assert work[0] < 60_000
