"""Maps along rows of few elements: these are written out, and the loop over rows is the innermost one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.pytree import flatten

ROWS: dict[str, tuple[tuple[int, ...], tuple[int, ...], Any]] = {
    "channels to the end": ((40, 2, 30), (), lambda x: vt.transpose(x, [0, 2, 1]) * 2.0),
    "pixels of channels": ((3, 4, 2, 2, 9, 17), (), lambda x: vt.transpose(x, [0, 1, 4, 2, 5, 3])),
    "differences of points": ((50, 1, 3), (1, 70, 3), lambda x, y: x - y),
    "a number for each row": ((90, 2), (90, 1), lambda x, y: vt.exp(x) * y),
    "two results": ((20, 1, 5), (1, 33, 5), lambda x, y: (x * y, vt.maximum(x, y))),
    "six": ((30, 6, 41), (), lambda x: vt.transpose(x, [0, 2, 1]) + 1.0),
    "a few of few": ((50, 2, 3), (50, 1, 1), lambda x, y: vt.transpose(x, [0, 2, 1]) * y),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("name", ROWS)
def test_short_rows_of_maps_are_written_out(name: str, dtype: str) -> None:
    """The loop over rows becomes vectors: none of it takes the indices of each element apart."""
    *shapes, program = ROWS[name]
    rng = np.random.default_rng(2)
    given = [vt.to_tensor((rng.standard_normal(s) * 4).astype(dtype)) for s in shapes if s]
    compiled = vt.to_static(program)
    for _ in range(2):
        made, expected = (flatten(f(*given), lambda x: isinstance(x, vt.Tensor))[0] for f in (compiled, program))
        for a, b in zip(made, expected, strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-6)
    text = "".join(map(str, compiled.kernels.values()))
    assert f"for j in range({made[0].shape[-1]})" not in text, text


def test_a_short_row_that_takes_its_operands_place() -> None:
    """All elements of a row are loaded before one is stored."""

    def program(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        z = vt.exp(x * 0.1)
        for _ in range(3):
            z = z * y + z[:, ::-1] * 0.5
        return z

    rng = np.random.default_rng(8)
    x, y = vt.to_tensor(rng.standard_normal((60, 3))), vt.to_tensor(rng.standard_normal((60, 1)))
    np.testing.assert_allclose(vt.to_static(program)(x, y).numpy(), program(x, y).numpy(), rtol=1e-12)


def test_bools_take_a_short_row_too() -> None:
    x = vt.to_tensor(np.random.default_rng(1).random((40, 3, 50)) > 0.5)
    compiled = vt.to_static(lambda x: vt.logical_not(vt.transpose(x, [0, 2, 1])))
    np.testing.assert_array_equal(compiled(x).numpy(), ~x.numpy().transpose(0, 2, 1))
