"""The memory plan: nothing that lives at the same time lies in the same place, and little is wasted."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitrify.passes.memory.memory_plan import ALIGNMENT, Lifetime, plan

LIFETIMES = st.lists(
    st.builds(
        lambda size, first, more: Lifetime(size, first, first + more),
        st.integers(0, 2000), st.integers(0, 30), st.integers(0, 12),
    ),
    max_size=40,
)  # fmt: skip


def meet(a: Lifetime, b: Lifetime) -> bool:
    return a.first <= b.last and b.first <= a.last


@settings(deadline=None, max_examples=300)
@given(LIFETIMES)
def test_what_lives_together_lies_apart(lifetimes: list[Lifetime]) -> None:
    made = plan(lifetimes)
    assert len(made.offsets) == len(lifetimes)
    for (a, x), (b, y) in combinations(zip(lifetimes, made.offsets, strict=True), 2):
        assert not (meet(a, b) and a.bytes and b.bytes and x < y + b.bytes and y < x + a.bytes), (a, x, b, y)
    for lifetime, offset in zip(lifetimes, made.offsets, strict=True):
        assert offset >= 0
        assert offset % ALIGNMENT == 0
        assert offset + lifetime.bytes <= made.peak


@settings(deadline=None, max_examples=300)
@given(LIFETIMES)
def test_bounds_of_the_peak(lifetimes: list[Lifetime]) -> None:
    made = plan(lifetimes)
    assert made.lower_bound <= made.peak <= made.total
    assert (
        sum(t.bytes for t in lifetimes)
        <= made.total
        < sum(t.bytes for t in lifetimes) + ALIGNMENT * max(1, len(lifetimes))
    )
    steps = range(45)
    live = [sum(-(-t.bytes // ALIGNMENT) * ALIGNMENT for t in lifetimes if t.first <= k <= t.last) for k in steps]
    assert made.lower_bound == max(live, default=0)


@pytest.mark.parametrize(
    ("lifetimes", "peak"),
    [
        ([], 0),
        ([Lifetime(0, 0, 5)], 0),
        ([Lifetime(1, 0, 0)], 64),
        ([Lifetime(64, 0, 0), Lifetime(64, 1, 1), Lifetime(64, 2, 2)], 64),
        ([Lifetime(64, 0, 1), Lifetime(64, 1, 2), Lifetime(64, 2, 3)], 128),
        ([Lifetime(64, 0, 9), Lifetime(128, 1, 2), Lifetime(64, 3, 4), Lifetime(64, 3, 4)], 192),
        ([Lifetime(64, 0, 1), Lifetime(128, 2, 3)], 128),
    ],
    ids=[
        "nothing",
        "no bytes",
        "one byte",
        "one after the other",
        "a chain",
        "a gap shared by two",
        "a gap that grows",
    ],
)
def test_small_plans(lifetimes: list[Lifetime], peak: int) -> None:
    assert plan(lifetimes).peak == peak


def test_a_chain_of_layers_takes_two_places() -> None:
    """x1 -> x2 -> … each read by the next only: two places in turn, whatever the length."""
    chain = [Lifetime(1000, k, k + 1) for k in range(50)]
    assert plan(chain).peak == 2048


def test_a_training_step_takes_little_more_than_its_lower_bound() -> None:
    """Activations are kept until backward comes by: the plan is as large as the most that lives at once."""
    kept = [Lifetime(4096 - 64 * k, k, 40 - k) for k in range(20)]
    gradients = [Lifetime(4096 - 64 * k, 40 - k, 41 - k) for k in range(20)]
    made = plan([*kept, *gradients])
    assert made.peak <= 1.05 * made.lower_bound
