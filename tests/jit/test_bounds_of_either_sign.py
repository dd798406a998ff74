"""Bounds of slices made of sizes: below 0 they count from the end, in each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import GuardError
from vitrify.ops.dims import Dim
from vitrify.ops.sizes import from_start

OF_ONE: dict[str, Callable[..., Any]] = {
    "a difference": lambda x: x[x.shape[0] - 5 :],
    "a difference as the end": lambda x: x[: x.shape[0] - 5],
    "the other difference": lambda x: x[3 - x.shape[0] :],
    "minus a quotient below 0": lambda x: x[-((1 - x.shape[0]) // 2) :],
    "minus a quotient of either sign": lambda x: x[-((5 - x.shape[0]) // 2) :],
    "minus a product below 0": lambda x: x[-x.shape[0] * (-1 // x.shape[0]) - 1 :],
    "an index": lambda x: x[-((1 - x.shape[0]) // 2) - 1],
    "backwards": lambda x: x[x.shape[0] - 5 :: -1],
    "a remainder": lambda x: x[x.shape[0] % 3 - 1 :],
    "far below the start": lambda x: vt.strided_slice(x, [0], [-1], [-9], [-1]),
}
OF_TWO: dict[str, Callable[..., Any]] = {
    "the last": lambda x, y: x[-y.shape[0] :],
    "all but the last": lambda x, y: x[: -y.shape[0]],
    "half": lambda x, y: x[-(y.shape[0] // 2) :],
    "the smaller": lambda x, y: x[-min(y.shape[0], 3) :],
    "the larger": lambda x, y: x[-max(y.shape[0], 3) :],
    "strided": lambda x, y: vt.strided_slice(x, [0], [-y.shape[0]], [99], [1]),
}


def numbers(n: int) -> Any:
    return vt.to_tensor(np.arange(n, dtype="float32"))


@pytest.mark.parametrize("name", OF_ONE)
def test_bounds_made_of_the_axis_itself(name: str) -> None:
    fn = OF_ONE[name]
    compiled = vt.jit.to_static(fn)
    for n in (3, 7, 5, 1, 2, 4, 12):
        assert compiled(numbers(n)).tolist() == fn(numbers(n)).tolist(), n


@pytest.mark.parametrize("name", OF_TWO)
def test_bounds_made_of_another_size(name: str) -> None:
    fn = OF_TWO[name]
    compiled = vt.jit.to_static(fn)
    for n, m in ((3, 1), (7, 3), (5, 5), (4, 0), (4, 1), (2, 4), (12, 10), (0, 1), (0, 0)):
        assert compiled(numbers(n), numbers(m)).tolist() == fn(numbers(n), numbers(m)).tolist(), (n, m)


@pytest.mark.parametrize("name", OF_ONE)
def test_saved_programs_are_right_or_refuse(name: str, tmp_path: Any) -> None:
    fn = OF_ONE[name]
    vt.jit.save(vt.jit.to_static(fn, input_spec=[vt.static.InputSpec([None])]), str(tmp_path / "m"))
    loaded, right = vt.jit.load(str(tmp_path / "m")), 0
    for n in (1, 3, 6, 10, 13):
        try:
            made = loaded(numbers(n)).tolist()
        except GuardError:
            continue
        assert made == fn(numbers(n)).tolist(), n
        right += 1
    assert right >= 2


def test_where_nobody_can_say_the_run_does() -> None:
    place, size = Dim.parse("M-3"), Dim.symbol("N")
    for m in range(8):
        assert from_start(place, size).evaluate({"M": m, "N": 10}) == (m - 3 if m >= 3 else m + 7)  # type: ignore[union-attr]


PARTS: dict[str, Callable[[Any, int, Any], Any]] = {
    "the last half": lambda x, n, y: x[-(n // 2) :],
    "without the last half": lambda x, n, y: x[: -(n // 2)],
    "thirds": lambda x, n, y: x[-(n // 3) : -(n // 5)],
    "all but one": lambda x, n, y: x[-(n - 1) :],
    "up to one": lambda x, n, y: x[: 1 - n],
    "from four": lambda x, n, y: x[n - 4 :],
    "between": lambda x, n, y: x[n // 2 - 2 : n // 2 + 2],
    "backwards": lambda x, n, y: x[n - 4 :: -2],
    "backwards to": lambda x, n, y: x[: n - 3 : -1],
    "columns": lambda x, n, y: x[:, : n - 2],
    "by another": lambda x, n, y: x[-y.shape[0] :],
    "the least": lambda x, n, y: x[-min(3, n - 1) :],
    "one place": lambda x, n, y: x[1 - n],
    "a column": lambda x, n, y: x[-1, -(n % 4)],
    "slice": lambda x, n, y: vt.slice(x, [0], [1 - n], [100]),
    "strided": lambda x, n, y: vt.strided_slice(x, [0, 1], [n - 3, -1], [-n - 1, n - 7], [-1, -1]),
    "written": lambda x, n, y: vt.scatter(x, vt.arange(n)[-(n // 2) :], x[-(n // 2) :] * 2),
}


@pytest.mark.parametrize("name", PARTS)
def test_bounds_of_rows_and_columns(name: str) -> None:
    def part(x: Any, y: Any) -> Any:
        return PARTS[name](x, x.shape[0], y)

    def outcome(call: Callable[..., Any], rows: int) -> Any:
        x = vt.arange(rows * 4).reshape([rows, 4])
        try:
            return call(x, vt.ones([rows % 3])).tolist()
        except (IndexError, ValueError) as error:
            return type(error).__name__

    compiled = vt.to_static(part)
    for rows in (4, 6, 1, 2, 3, 7, 9):
        assert outcome(compiled, rows) == outcome(part, rows), rows
