"""Loops with an exit whose state grows: one path per exit, however many iterations there are."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import vitrify as vt
from vitrify.jit.converters import for_loop
from vitrify.jit.converters.regions.loops import LoopCapture


class Kept(NamedTuple):
    rows: Any
    sums: Any


class Cache:
    """What a decoder keeps: nothing at first, then tensors that grow."""

    def __init__(self) -> None:
        self.slots: list[Kept | None] = [None]

    def add(self, row: Any) -> Any:
        before = self.slots[0]
        if before is None:
            self.slots[0] = Kept(row, row * 2)
        else:
            self.slots[0] = Kept(vt.concat([before.rows, row], 1), vt.concat([before.sums, row + 1], 1))
        return self.slots[0]

    def reorder(self, order: Any) -> None:
        self.slots = [Kept(*(t.index_select(order, axis=0) for t in slot)) if slot else slot for slot in self.slots]


def decode(x: Any, bound: Any, steps: int) -> Any:
    cache = Cache()
    for k in range(steps):
        kept = cache.add(x * 0.5 + k)
        x = kept.rows.sum(1, keepdim=True) + kept.sums.max(1, keepdim=True)
        cache.reorder(vt.argsort(x[:, 0]))
        if (x > bound).all():
            break
    return x, cache.slots[0].rows


@pytest.mark.parametrize("steps", [3, 7])
def test_a_path_for_each_exit(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    promoted, tried = list[object](), list[object]()
    promote, as_one = for_loop._ForLoop._promote, LoopCapture.run

    def counted_promote(self: Any, *args: Any) -> None:
        promoted.append(self)
        promote(self, *args)

    def counted_run(self: Any) -> None:
        tried.append(self)
        as_one(self)

    monkeypatch.setattr(for_loop._ForLoop, "_promote", counted_promote)
    monkeypatch.setattr(LoopCapture, "run", counted_run)
    compiled = vt.to_static(decode)
    for bound in (0.0, 3.0, 8.0, 1e6):
        x, limit = vt.to_tensor([[0.5], [0.25]]), vt.to_tensor(bound)
        made, right = compiled(x, limit, steps), decode(x, limit, steps)
        assert [m.tolist() for m in made] == [r.tolist() for r in right], bound
    assert (len(promoted), len(tried)) == (2 * steps - 1, 1)
