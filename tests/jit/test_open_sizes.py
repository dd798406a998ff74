"""Code that asks about sizes which an InputSpec leaves open: the saved program asks when it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import GuardError, VitrifyError


def early(x: Any) -> Any:
    if x.shape[0] > 2:
        return x * 2
    return x - 1


def counted(x: Any) -> Any:
    total, i = vt.zeros([1]), 1
    while i < x.shape[0]:
        total, i = total + 1, i + 2
    return total


def doubled(x: Any) -> Any:
    if x.shape[0] % 2 == 0:
        x = vt.concat([x, x])
    return x.sum(0)


def refused(x: Any) -> Any:
    assert x.shape[0] != 3, "three rows"
    return x.reshape([-1])


def first_row(x: Any) -> Any:
    return x if x.shape[0] == 1 else x[:1]


def nested(x: Any) -> Any:
    y = vt.reshape(x, [-1, 1])
    if x.shape[0] < 2:
        y = vt.full(x.shape, 2.0) if y.shape[0] > 2 else vt.full(x.shape, 3.0)
    return y


def by_a_tensor(x: Any) -> Any:
    if x.sum() > 8:
        x = vt.concat([x, x])
    return x.sum(0)


def two_sizes(x: Any) -> Any:
    y = x.reshape([2, -1])
    return y if x.shape[0] == y.shape[1] else x


def odd(x: Any) -> Any:
    """A size is a condition as any number is."""
    y = x.sum(0)
    if x.shape[0] % 2:
        y = y + 10
    return y if not x.shape[0] % 3 else y * 2


def shortened(x: Any) -> Any:
    """Fixed bounds on a path that not every size takes."""
    if x.shape[0] > 3:
        x = x[:3]
    return x.sum(0)


def tail(x: Any) -> Any:
    y = x[-2:] + 1 if x.shape[0] >= 3 else x * 2
    return y.sum(0)


CASES = [odd, shortened, tail, early, counted, doubled, refused, first_row, nested, by_a_tensor, two_sizes]


def outcome(fn: Callable[[Any], Any], x: Any) -> Any:
    try:
        return fn(x).tolist()
    except AssertionError as error:
        return str(error).partition("\n")[0]


@pytest.mark.parametrize("fn", CASES, ids=lambda f: f.__name__)
def test_saved(fn: Callable[[Any], Any], tmp_path: Path) -> None:
    compiled = vt.to_static(fn, input_spec=[vt.InputSpec([None, 2], "float32")])
    vt.jit.save(compiled, str(tmp_path / "m"))
    loaded = vt.jit.load(str(tmp_path / "m"))
    for rows in range(1, 6):
        x = vt.to_tensor(np.arange(2 * rows, dtype="float32").reshape(rows, 2))
        assert outcome(loaded, x) == outcome(fn, x)


class Positions(nn.Layer):
    """A table of 6 rows, of which a call takes as many as its input has."""

    def __init__(self) -> None:
        super().__init__()
        rows = np.arange(12, dtype="float32").reshape(6, 2)
        self.table = self.create_parameter([6, 2], default_initializer=nn.initializer.Assign(rows))


class Added(Positions):
    def forward(self, x: Any) -> Any:
        return x + self.table[: x.shape[0]]


class Taken(Positions):
    def forward(self, x: Any) -> Any:
        size = x.shape[0]
        rows = self.table[:size]
        around = self.table[size - 1 : size + 1]
        return rows * 2, rows.shape[0], rows[1:].sum(), self.table[size:].sum(), around, vt.concat([rows, x])


@pytest.mark.parametrize("kind", [Added, Taken])
def test_rows_of_a_table(kind: Any, tmp_path: Path) -> None:
    """Sizes up to the table's, and where nothing else forbids it larger ones."""
    layer = kind()
    vt.jit.save(layer, str(tmp_path / "m"), input_spec=[vt.InputSpec([None, 2], "float32")])
    loaded = vt.jit.load(str(tmp_path / "m"))
    for size in range(1, 9):
        x = vt.to_tensor(np.ones((size, 2), "float32"))
        if kind is Added and size > 6:
            with pytest.raises(GuardError, match="assumes N <= 6, which fails for N="):
                loaded(x)
            continue
        for got, expected in zip(leaves(loaded(x)), leaves(layer(x)), strict=True):
            np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))


class Squeezed(nn.Layer):
    def forward(self, x: Any) -> Any:
        return x.squeeze(), x.squeeze(0), x.squeeze([0, 1]), x.squeeze(1)


def test_squeezed_axes() -> None:
    """Whether an axis has one element is asked in each call."""
    compiled, eager = vt.to_static(Squeezed()), Squeezed()
    for shape in ((2, 5), (1, 3), (3, 1), (1, 1), (4, 7), (1, 4)):
        x = vt.ones([*shape, 4])
        assert [y.shape for y in compiled(x)] == [y.shape for y in eager(x)]


def test_squeezed_open_axes_of_saved_programs(tmp_path: Path) -> None:
    """Ranks are fixed in a saved program: it takes no size of 1 for an axis that would go."""
    vt.jit.save(Squeezed(), str(tmp_path / "m"), input_spec=[vt.InputSpec([None, 1, 4], "float32")])
    loaded = vt.jit.load(str(tmp_path / "m"))
    assert [list(y.shape) for y in loaded(vt.ones([3, 1, 4]))] == [[3, 4], [3, 1, 4], [3, 4], [3, 4]]
    with pytest.raises(GuardError, match="assumes N >= 2, which fails for N=1"):
        loaded(vt.ones([1, 1, 4]))


def leaves(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


@pytest.mark.parametrize("name", ["diff", "split", "trapezoid"])
def test_no_elements_after_some(name: str) -> None:
    """Sizes such as N - 1 are below 0 then: no program for other sizes is taken for the call."""
    functions: dict[str, Callable[[Any], Any]] = {
        "diff": lambda x: vt.diff(x, axis=0),
        "split": lambda x: x.split([1, x.shape[0] - 1])[1],
        "trapezoid": lambda x: vt.trapezoid(x, axis=0),
    }
    compiled = vt.to_static(functions[name])
    for size in (3, 5, 0, 1, 4, 0):
        x = vt.ones([size, 4])
        told = []
        for fn in (functions[name], compiled):
            try:
                told.append(fn(x).tolist())
            except VitrifyError as error:
                told.append((type(error).__name__, error.message))
        assert told[0] == told[1]
    assert len(compiled.program_cache) <= 3  # of the first call's sizes, of all that fit, and of none


def test_no_elements_in_a_saved_program(tmp_path: Path) -> None:
    differences = vt.to_static(lambda x: vt.diff(x, axis=0), input_spec=[vt.InputSpec([None, 2], "float32")])
    vt.jit.save(differences, str(tmp_path / "m"))
    with pytest.raises(GuardError, match="assumes N >= 1"):
        vt.jit.load(str(tmp_path / "m"))(vt.ones([0, 2]))
