"""Items of a range whose bounds only a run of the program knows."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError


def last(x: Any) -> Any:
    return range(int(x.sum()))[-1] * x


def by_a_tensor(x: Any) -> Any:
    try:
        return range(2, int(x.sum()), 3)[int(x[0])]
    except IndexError:
        return -1


def in_a_list(x: Any) -> Any:
    return [range(1, int(x.sum()))[k] for k in range(2)]


def told(fn: Any, values: list[float]) -> Any:
    try:
        made = fn(vt.to_tensor(values))
    except IndexError as error:
        return error.args[0].splitlines()[0]
    return made.tolist() if isinstance(made, vt.Tensor) else made


@pytest.mark.parametrize("fn", [last, by_a_tensor, in_a_list])
def test_items_are_those_of_eager_mode(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for values in ([3.0, 1.0], [1.0, 7.0], [0.0, 0.0], [-2.0, 9.0]):
        assert told(compiled, values) == told(fn, values)


def test_a_slice_is_refused() -> None:
    with pytest.raises(CaptureError, match="a slice of a range whose length only a run of the program knows"):
        vt.to_static(lambda x: range(int(x.sum()))[1:])(vt.to_tensor([3.0]))
