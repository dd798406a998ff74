"""Loops split where conditions on their variable change, pieces side by side in one sweep, columns in registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import current_target
from vitrify.runtime.kernel.index_sets import split_loops
from vitrify.runtime.kernel.kernel_parser import parse_kernel
from vitrify.runtime.kernel.kernel_printer import print_body
from vitrify.runtime.kernel.statements import LoopKind

BODY = """
def body(p0, p1, lo, hi):
    for r in range(lo, hi):
        for j in range({length}):
            t0 = j - 3
            t1 = (t0 >= 0) & ({test})
            t2 = select(t1, t0, 0)
            t3 = p0[r * 90 + t2]
            p1[r * 100 + j] = select(t1, t3, f32(0.5))
"""


def _split(text: str, extent: int = 4) -> str:
    return "\n".join(line for line, _ in print_body(split_loops(parse_kernel(text), extent)))


def test_parts_have_no_conditions() -> None:
    made = _split(BODY.format(length=100, test="t0 < 90"))
    for bounds in ("range(3)", "range(3, 93)", "range(93, 100)"):
        assert bounds in made
    assert "select" not in made
    assert made.count("p0[") == 1  # outside of the middle nothing is read


@pytest.mark.parametrize("test", ["t0 < 90", "t0 <= 89", "90 > t0", "89 >= t0", "92 - j >= 0"])
def test_all_spellings_of_a_bound_change_at_the_same_place(test: str) -> None:
    assert _split(BODY.format(length=100, test=test)).count("for j in range(3, 93)") == 1


def test_conditions_on_data_and_short_loops_stay() -> None:
    assert "select" in _split(
        BODY.format(length=100, test="t0 < 90").replace("t1 = (t0 >= 0) & (t0 < 90)", "t1 = p0[j] < 90")
    )
    short = BODY.format(length=20, test="t0 < 9")
    assert _split(short).count("for j") == 1


MOVING = """
def body(p0, p1, lo, hi):
    for r in range(lo, hi):
        for j in range(200):
            t0 = p0[r * 200 + j]
            p1[r * 200 + j] = select({test}, t0, f32(0.5))
"""


@pytest.mark.parametrize(
    ("test", "place", "keeps_first"),
    [
        ("j - r <= 0", "r + 1", True), ("r - j >= 0", "r + 1", True), ("j - r < 3", "r + 3", True),
        ("j - r > -2", "r - 1", False), ("r + 5 <= j", "r + 5", False), ("j + 2 * r < 90", "0 - 2 * r + 90", True),
    ],
)  # fmt: skip
def test_a_place_may_depend_on_what_is_around_the_loop(test: str, place: str, keeps_first: bool) -> None:
    made = _split(MOVING.format(test=test))
    assert f"range(min(max({place}, 0), 200))" in made
    assert f"range(min(max({place}, 0), 200), 200)" in made
    assert "select" not in made
    first, second = made.split("for j in")[1:]
    assert ("p0[" in (first if keeps_first else second)) and ("p0[" not in (second if keeps_first else first))


def test_places_that_change_with_the_data_or_differ_stay() -> None:
    assert "select" in _split(MOVING.format(test="j - t0 <= 0"))
    assert "select" in _split(MOVING.format(test="(j - r <= 0) & (j + r > 7)"))
    assert "select" in _split(MOVING.format(test="j - r <= 0").replace("200", "100"))


def test_blocks_of_two_vectors_are_split() -> None:
    text = BODY.format(length=24, test="t0 < 9")
    body = parse_kernel(text)
    (rows,) = body
    rows.body[0].kind = LoopKind.BLOCK  # type: ignore[union-attr]
    assert "range(3, 12)" not in "\n".join(line for line, _ in print_body(split_loops(body, 4, 16)))
    parts = split_loops(body, 4, 8)[0].body  # type: ignore[union-attr]
    assert [part.kind for part in parts] == [LoopKind.SERIAL, LoopKind.BLOCK, LoopKind.BLOCK]  # type: ignore[union-attr]


def test_the_range_of_a_kernel_is_split_inside_its_bounds() -> None:
    text = """
def body(p0, p1, lo, hi):
    for i in range(lo, hi):
        p1[i] = p0[select(i >= 70, i - 70, i + 30)]
"""
    made = _split(text, extent=100)
    assert "range(lo, min(hi, 70))" in made
    assert "range(max(lo, 70), hi)" in made


def test_sums_go_on_from_part_to_part() -> None:
    text = """
def body(p0, p1, lo, hi):
    for r in range(lo, hi):
        a0 = f32(0)
        for j in range(100):
            a0 = fast_add(a0, select(j < 40, p0[r * 100 + j], f32(1)))
        p1[r] = a0
"""
    made = _split(text)
    assert made.count("a0 = fast_add(") == 2


MOVES: dict[str, Callable[..., Any]] = {
    "pad": lambda x: vt.nn.functional.pad(x, [1, 2, 3, 4]), "roll": lambda x: vt.roll(x, (2, -5), (0, 1)),
    "stack last": lambda x: vt.stack([x, x * 2, x], 2), "concat": lambda x: vt.concat([x[:, 5:], x, x[:, :3]], 1),
    "interleave": lambda x: vt.concat([vt.unsqueeze(x, 2), vt.stack([x, -x], 2)], 2),
    "sum of rolls": lambda x: vt.roll(x.reshape([-1]), 5) - vt.roll(x.reshape([-1]), -7), "diff": lambda x: vt.diff(x),
    "tril": lambda x: vt.tril(x, 3), "triu": lambda x: vt.triu(x, -2), "tril of wide": lambda x: vt.tril(x[:, :190], 150),
    "triangles": lambda x: vt.tril(x) + vt.triu(x, 1) * 2, "turned": lambda x: vt.tril(vt.transpose(x, [1, 0]), -100),
    "of several": lambda x: vt.tril(x.reshape([2, 3, 200]), 1), "short diff": lambda x: vt.diff(x.reshape([-1, 24])),
    "above all": lambda x: vt.tril(x, -9), "below all": lambda x: vt.triu(x, -9), "nothing": lambda x: vt.triu(x, 200),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "int64"])
@pytest.mark.parametrize("name", MOVES)
def test_moves_are_those_of_eager_mode(name: str, dtype: str) -> None:
    x = vt.to_tensor((np.random.default_rng(1).standard_normal((6, 200)) * 9).astype(dtype))
    np.testing.assert_array_equal(vt.to_static(MOVES[name])(x).numpy(), MOVES[name](x).numpy())


@pytest.mark.parametrize("name", MOVES)
def test_gradients_of_moves_are_those_of_eager_mode(name: str) -> None:
    def gradient(x: Any) -> Any:
        x.stop_gradient = False
        made = MOVES[name](x)
        return vt.grad((made * made).sum(), [x])[0]

    x = vt.to_tensor(np.random.default_rng(2).standard_normal((6, 200)).astype("float32"))
    np.testing.assert_allclose(vt.to_static(gradient)(x).numpy(), gradient(x).numpy(), rtol=1e-6)


def test_a_stack_along_the_last_axis_is_one_kernel() -> None:
    stacked = vt.to_static(lambda x, y: vt.stack([x, y], 2))
    stacked(vt.ones([6, 200]), vt.zeros([6, 200]))
    (kernel,) = stacked.kernels.values()
    assert "p0[r * 2 + 1] = " in str(kernel)


@pytest.mark.parametrize("columns", [3, 16, 100, 400])
def test_columns_are_folded_as_in_eager_mode(columns: int) -> None:
    def folded(x: Any) -> Any:
        return x.sum(0), x.max(0), (x > 0).any(0), vt.var(x[8:], 0), x.reshape([2, -1, columns]).min(1)

    x = np.random.default_rng(3).standard_normal((300, columns)).astype("float32")
    x[1, 0], x[2, 1], x[3, 2] = np.nan, np.inf, -0.0
    given = vt.to_tensor(x)
    for got, want in zip(vt.to_static(folded)(given), folded(given), strict=True):
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-4)


def test_few_columns_are_folded_in_registers() -> None:
    total, columns = vt.to_static(lambda x: x.sum(0)), current_target().lanes(4)
    total(vt.ones([300, columns]))
    (kernel,) = total.kernels.values()
    assert f"local_f32({4 * columns})" in str(kernel), "four rows at a time"


@pytest.mark.parametrize("columns", [12, 16, 24])
def test_short_rows_become_vectors(columns: int) -> None:
    scaled = vt.to_static(lambda x, y: x * y)
    x, y = vt.ones([300, columns]) * 3, vt.ones([300, 1]) * 2
    np.testing.assert_array_equal(scaled(x, y).numpy(), np.full((300, columns), 6, "float32"))
    (kernel,) = scaled.kernels.values()
    assert "fmul <" in kernel.llvm()


@pytest.mark.parametrize("columns", [16, 32, 64])
def test_sums_of_short_rows_become_vectors(columns: int) -> None:
    total = vt.to_static(lambda x: vt.square(x).sum(1))
    np.testing.assert_array_equal(total(vt.ones([300, columns]) * 2).numpy(), np.full(300, 4 * columns, "float32"))
    (kernel,) = total.kernels.values()
    assert "fmul <" in kernel.llvm() or "fmuladd.v" in kernel.llvm()


def test_many_short_rows_are_summed_row_by_row() -> None:
    def total(x: Any) -> Any:
        return (x.sum(2) * 2 > 1).any(), vt.tanh(x[:, 1:]).sum()

    compiled = vt.to_static(total)
    assert float(compiled(vt.ones([3, 200, 64]))[1]) == pytest.approx(3 * 199 * 64 * np.tanh(1.0), rel=1e-5)
    assert all("range(0, 64, 4096)" not in str(kernel) for kernel in compiled.kernels.values())


BLOCKS = """
def body(p0, p1, lo, hi):
    for r in range(lo, hi):
        a = f64(0)
        for first in range(0, 9000, 4096):
            for j in range(first, min(first + 4096, 9000)):
                t0 = j >= 1
                t1 = select(t0 & (j < 8999), j, 0)
                t2 = p0[t1]
                a = fast_add(a, select(t0, t2, f64(2)))
        p1[0] = a
"""


def test_blocks_of_a_sum_are_split_where_conditions_change() -> None:
    made = _split(BLOCKS)
    assert made.count("for j in range(") == 3
    assert "select" not in made
    assert "range(min(max(1, first), min(first + 4096, 9000)), min(max(8999, first), min(first + 4096, 9000)))" in made


def test_blocks_with_many_conditions_stay() -> None:
    made = _split(BLOCKS.replace("j >= 1", "(j >= 1) & (j < 70) & (j < 90)"))
    assert made.count("for j in range(") == 1
