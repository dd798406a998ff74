"""Pieces of an axis, and turns of it, by numbers that only a run knows: nothing outside of the axis is read."""

from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, ShapeError

X = vt.arange(8) * 1.0


@pytest.mark.parametrize("shift", [3, 0, -1, -20, 21])
def test_a_roll_of_either_sign(shift: int) -> None:
    def fn(n: Any) -> Any:
        return vt.roll(X, int(n)), vt.roll(X.reshape([2, 4]), [int(n), 1], [1, 0])

    for expected, got in zip(fn(vt.to_tensor(shift)), vt.to_static(fn)(vt.to_tensor(shift)), strict=True):
        assert got.tolist() == expected.tolist()


def test_a_roll_by_an_argument_of_many_values() -> None:
    compiled = vt.to_static(lambda n: vt.roll(X, n))
    for n in (1, 2, 3, 4, -1, -5, 0, 30):
        assert compiled(n).tolist() == vt.roll(X, n).tolist()
    assert compiled.get_traced_count() <= 4


@pytest.mark.parametrize("start", [0, 3, -1, -20, 7, 30])
def test_a_slice_between_bounds_of_either_sign(start: int) -> None:
    def fn(n: Any) -> Any:
        return vt.slice(X, [0], [int(n)], [int(n) + 3])

    assert vt.to_static(fn)(vt.to_tensor(start)).tolist() == fn(vt.to_tensor(start)).tolist()


def test_sections_that_do_not_fit_end_the_run() -> None:
    compiled = vt.to_static(lambda n: vt.split(X, [int(n), -1]))
    assert [part.tolist() for part in compiled(vt.to_tensor(3))] == [part.tolist() for part in vt.split(X, [3, -1])]
    with pytest.raises(ArgumentError, match="don't fit into 8"):
        compiled(vt.to_tensor(20))
    assert len(compiled(vt.to_tensor(8))[1].tolist()) == 0


def test_a_crop_that_does_not_fit_ends_the_run() -> None:
    compiled = vt.to_static(lambda n: vt.crop(X, [3], [int(n)]))
    assert compiled(vt.to_tensor(5)).tolist() == [5.0, 6.0, 7.0]
    for n in (6, 8, 20):
        with pytest.raises(ShapeError, match="no such elements"):
            compiled(vt.to_tensor(n))
    assert compiled(vt.to_tensor(0)).tolist() == [0.0, 1.0, 2.0]
