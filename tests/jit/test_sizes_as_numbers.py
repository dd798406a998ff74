"""Sizes that data decide, as Python's numbers: extremes, truth values and equal shapes are those of eager mode."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError, ShapeError

SELECTIONS = ([-1.0, -2.0, -1.0], [1.0, -2.0, -1.0], [1.0, 2.0, -1.0], [1.0, 2.0, 3.0])


def positive(x: Any) -> Any:
    return x[x > 0]


def mean_or_zero(x: Any) -> Any:
    s = x[x > 0]
    return s.sum() / max(s.shape[0], 1)


def branch(x: Any) -> Any:
    s = x[x > 0]
    if len(s):
        return s.mean()
    return x.sum() * 0


def counted_down(x: Any) -> Any:
    n, k = x[x > 0].shape[0], 0
    while n:
        n = n - 1
        k = k + 2
    return k


FORMS: dict[str, Callable[[Any], Any]] = {
    "mean_or_zero": mean_or_zero,
    "branch": branch,
    "while": counted_down,
    "two of each": lambda x: (min(positive(x).shape[0], 2), max(3, positive(x).shape[0])),
    "max of a list": lambda x: max([positive(x).shape[0], 1]),
    "min of a list": lambda x: min([positive(x).shape[0], 2, 5]),
    "numel": lambda x: max(positive(x).numel(), 1),
    "size": lambda x: max(positive(x).size, 1),
    "len": lambda x: max(len(positive(x)), 1),
    "nonzero": lambda x: max(vt.nonzero(x > 0).shape[0], 1),
    "beside a batch size": lambda x: max(positive(x).shape[0], x.shape[0] - 1),
    "beside a float": lambda x: max(positive(x).shape[0], 1.5),
    "by a key": lambda x: max(positive(x).shape[0], 1, key=lambda v: -v),
    "as a size": lambda x: vt.ones([max(positive(x).shape[0], 1)]),
    "if": lambda x: 5 if positive(x).shape[0] else 6,
    "if len": lambda x: 5 if len(positive(x)) else 6,
    "bool": lambda x: bool(positive(x).shape[0]),
    "all": lambda x: all([positive(x).shape[0], len(x)]),
    "any": lambda x: any([positive(x).shape[0], 0]),
    "not": lambda x: not positive(x).shape[0],
    "or": lambda x: positive(x).shape[0] or 1,
    "and": lambda x: positive(x).shape[0] and 7,
    "if and": lambda x: 5 if positive(x).shape[0] and x.sum() > 0 else 6,
    "a list": lambda x: positive(x).shape == [2],
    "a list on the left": lambda x: [2] == positive(x).shape,  # noqa: SIM300
    "a tuple": lambda x: tuple(positive(x).shape) == (2,),
    "equal shapes": lambda x: positive(x).shape == x.shape,
    "other shapes": lambda x: positive(x).shape != x.shape,
    "if equal": lambda x: 5 if positive(x).shape == [2] else 6,
    "among shapes": lambda x: positive(x).shape in ([1], [2]),
}


@pytest.mark.parametrize("fn", FORMS.values(), ids=FORMS)
def test_as_eager(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for numbers in SELECTIONS:
        x = vt.to_tensor(np.array(numbers, "float32"))
        np.testing.assert_array_equal(np.asarray(compiled(x)), np.asarray(fn(x)))
    assert compiled.get_traced_count() == 1


def test_assert() -> None:
    @vt.to_static
    def some(x: Any) -> Any:
        s = x[x > 0]
        assert s.shape[0], "empty"
        return s

    assert some(vt.to_tensor([1.0, -1.0])).tolist() == [1.0]
    with pytest.raises(AssertionError, match="empty"):
        some(vt.to_tensor([-1.0, -1.0]))


def test_what_cannot_be_converted_is_refused() -> None:
    x = vt.to_tensor([1.0, -1.0])
    with pytest.raises(CaptureError, match="only a run of the program knows"):
        vt.to_static(lambda x: list(itertools.compress([x], [positive(x).shape[0]])))(x)


def test_a_size_is_converted_by_a_callback_too() -> None:
    compiled = vt.to_static(lambda x: list(map(bool, [positive(x).shape[0]])))
    assert [compiled(vt.to_tensor(v)) for v in ([1.0, -1.0], [-1.0, -1.0])] == [[True], [False]]


def test_a_squeezed_axis_that_turns_out_to_be_1_is_an_error_of_the_run() -> None:
    for fn in (lambda x: positive(x).squeeze(), lambda x: positive(x).squeeze(0)):
        compiled = vt.to_static(fn)
        for numbers in SELECTIONS:
            x = vt.to_tensor(np.array(numbers, "float32"))
            if (x > 0).sum() == 1:
                with pytest.raises(ShapeError, match="ranks can't"):
                    compiled(x)
            else:
                assert compiled(x).tolist() == fn(x).tolist()
    rows = vt.to_static(lambda x: x[x[:, 0, 0] > 0].squeeze(1))
    assert rows(vt.ones([1, 1, 2])).shape == [1, 2]
