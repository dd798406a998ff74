"""Rows of images moved by vectors: the machine code for each width of vectors, the reference, and NumPy agree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from vitrify.base.target import TARGETS, current_target, is_swapped, runnable, using_target
from vitrify.runtime.kernel.kernel_call import Kernel, KernelSlot
from vitrify.runtime.kernel.kernel_parser import parse_kernel
from vitrify.runtime.kernel.reference import run_kernel
from vitrify.testing.emulation import call_kernel

NUMBERS = np.random.default_rng(5)


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param not in runnable() or is_swapped():
        pytest.skip(f"this machine doesn't run code for {request.param}")
    with using_target(TARGETS[request.param]):
        yield request.param


def both(text: str, arrays: list[np.ndarray]) -> np.ndarray:
    """What a kernel leaves in its last array, by machine code; the reference leaves the same."""
    kinds = {"float32": "f32", "float64": "f64", "int64": "i64"}
    slots = [KernelSlot("in", element=kinds[str(a.dtype)]) for a in arrays]
    kernel = Kernel("moves", parse_kernel(text), slots, [], 1, 1)
    expected = [a.copy() for a in arrays]
    run_kernel(kernel.body, expected, [], 0, 1)
    call_kernel(kernel.source, arrays, [], 1)
    np.testing.assert_array_equal(arrays[-1], expected[-1])
    return arrays[-1]


# columns of the target, step, shift, columns of the source
SHIFTS = [
    (14, 1, -1, 14), (14, 1, 1, 14), (7, 1, 0, 7), (37, 1, -2, 36), (150, 1, 3, 150), (14, 2, -1, 28), (7, 2, 1, 14),
    (113, 2, 0, 224), (45, 3, -2, 131), (20, 4, 2, 80), (9, 1, 30, 20), (9, 1, -30, 20), (1, 2, 0, 1),
]  # fmt: skip


@pytest.mark.parametrize("case", SHIFTS, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_are_copied_under_a_shift_with_zeros_beyond_their_ends(
    case: tuple[int, ...], dtype: str, target: str
) -> None:
    columns, step, shift, width = case
    low = max(0, min(columns, (step - 1 - shift) // step))
    high = max(low, min(columns, (width - 1 - shift) // step + 1))
    source = NUMBERS.standard_normal((5, width)).astype(dtype)
    made = np.full((8, columns + 1), 7, dtype)
    text = (
        "def body(p0, p1, lo, hi):\n    for r in range(lo, hi):\n"
        f"        shifted_f{source.itemsize * 8}({columns}, {low}, {high}, {step}, 1, 3, 2, p0, {width} + {shift}, {width},"
        f" p1, {columns + 1}, {columns + 1})\n"
    )
    both(text, [source.reshape(-1), made.reshape(-1)])
    wanted = np.full((8, columns + 1), 7, dtype)
    wanted[1:7, :columns] = 0  # a row before, two behind
    for j in range(columns):
        if 0 <= j * step + shift < width:
            wanted[2:5, j] = source[1:4, j * step + shift]
    np.testing.assert_array_equal(made, wanted)


@pytest.mark.parametrize("pixels", [1, 5, 16, 49])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_that_lie_where_a_table_says_become_columns(pixels: int, dtype: str, target: str) -> None:
    source = NUMBERS.standard_normal(2000).astype(dtype)
    lanes = current_target().lanes(source.itemsize)
    table = np.zeros(2 * lanes + 2, "int64")
    table[3::2] = places = NUMBERS.integers(0, 1900, lanes)
    made = np.full((pixels, lanes + 3), 7, dtype)
    text = (
        "def body(p0, p1, p2, lo, hi):\n    for r in range(lo, hi):\n"
        f"        columns_f{source.itemsize * 8}({pixels % lanes}, {pixels // lanes}, p0, 2, p1, 10, p2, 0, {lanes + 3})\n"
    )
    both(text, [table, source, made.reshape(-1)])
    wanted = np.full((pixels, lanes + 3), 7, dtype)
    wanted[:, :lanes] = np.stack([source[10 + place :][:pixels] for place in places], 1)
    np.testing.assert_array_equal(made, wanted)
