"""The collector held back: it comes back on, and what was made is looked at in the end."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from vitrify.base import collection
from vitrify.base.collection import without_collection


class Node:
    """Something that may be part of a cycle."""

    def __init__(self) -> None:
        self.other: object = None


def cycle() -> weakref.ref[Node]:
    """A cycle that nobody holds."""
    one, other = Node(), Node()
    one.other, other.other = other, one
    return weakref.ref(one)


@pytest.mark.parametrize("lives_on", [False, True])
def test_it_is_on_again_behind_the_outer_block(lives_on: bool) -> None:
    with pytest.raises(ValueError, match="inside"), without_collection(lives_on=lives_on):
        with without_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
        raise ValueError("inside")
    assert gc.isenabled()


@pytest.fixture
def nothing_set_aside(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tests themselves, which are set aside for all other tests, come back for one."""
    gc.unfreeze()
    monkeypatch.setattr(collection, "_is_set_aside", False)
    yield
    gc.freeze()


@pytest.mark.usefixtures("nothing_set_aside")
def test_what_lives_on_is_old_behind_the_block() -> None:
    with without_collection(lives_on=True):
        kept = [Node() for _ in range(2000)]
        gone = cycle()
    assert gc.get_count()[0] < 2000
    gc.collect(1)
    assert gone() is not None  # the young ones only
    gc.collect()
    assert gone() is None
    assert len(kept) == 2000


@pytest.mark.usefixtures("nothing_set_aside")
def test_many_blocks_are_looked_at_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "_most", 5000)
    monkeypatch.setattr(collection, "_waiting", 0)
    found, kept = [], []
    for _ in range(8):
        with without_collection(lives_on=True):
            kept += [Node() for _ in range(1000)]
            found.append(cycle())
    assert len(kept) == 8000
    assert found[0]() is None
    assert collection._most >= 2 * len(kept)  # a look takes as long as there are objects: the next is so much later


def test_what_somebody_set_aside_stays_there_and_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "_is_set_aside", False)
    gc.freeze()
    count = gc.get_freeze_count()
    assert count
    with without_collection(lives_on=True):
        pass
    assert gc.get_freeze_count() == count
    monkeypatch.setattr(gc, "get_freeze_count", lambda: pytest.fail("counted again"))
    with without_collection(lives_on=True):
        pass


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collection(lives_on=True):
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
