"""Products of matrices in all ranks: NumPy's matmul as parameters of the VM's GEMM."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ops.dims import Dim
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.fusion.contractions import takes_epilogue
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.lower.matrices.small_matrices import is_small_product
from vitrify.runtime.schedule.program_steps import GemmStep
from vitrify.runtime.vm import team
from vitrify.runtime.vm.gemm import gemm_blocks

from .checks import check

BATCHES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((), ()), ((2,), ()), ((), (3,)), ((2,), (2,)), ((2, 1), (1, 3)), ((2, 3), (3,)), ((2, 3), (2, 1)), ((1,), (4,)),
    ((2, 1, 3), (4, 1)), ((2, 3, 2), (2, 3, 2)), ((2, 1, 2, 1), (3, 1, 4)), ((0,), ()), ((2,), (0, 1)),
]  # fmt: skip
CORES = [(3, 4, 5), (1, 1, 1), (1, 7, 1), (4, 1, 3), (1, 5, 6), (6, 5, 1), (3, 0, 2), (0, 3, 2), (2, 3, 0)]


def expected(a: Any, b: Any, ta: bool, tb: bool) -> Any:
    a = a.swapaxes(-1, -2) if ta and a.ndim > 1 else a
    b = b.swapaxes(-1, -2) if tb and b.ndim > 1 else b
    with np.errstate(invalid="ignore"):  # NumPy's own product warned here once under load, of finite data
        return np.matmul(a, b)


def run_all(pairs: list[tuple[Any, Any]], flags: tuple[bool, bool]) -> None:
    """One program with a product per pair: next to none needs a kernel, so many are cheap."""
    program, builder = new_program("products")
    feeds, fetches = [], []
    with builder.active():
        for k, pair in enumerate(pairs):
            values = [program.add_feed(f"x{k}_{j}", TensorType(dt.of_array(a), a.shape)) for j, a in enumerate(pair)]
            feeds += pair
            fetches.append(OPS["matmul"](*values, transpose_x=flags[0], transpose_y=flags[1]))
        builder.return_(fetches)
    executable = compile_program(program, passes=())
    for step in executable.steps.steps:
        operation = step.operation
        assert isinstance(step, GemmStep) or (operation and (takes_epilogue(operation) or is_small_product(operation)))
    for found, (a, b) in zip(executable.run(feeds), pairs, strict=True):
        wanted = expected(a, b, *flags)
        tolerance = 1e-4 if a.dtype == np.float32 else 1e-12
        assert found.shape == wanted.shape
        np.testing.assert_allclose(
            found, wanted, rtol=tolerance, atol=tolerance, err_msg=f"{a.shape} @ {b.shape} {flags}"
        )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("flags", [(False, False), (False, True), (True, False), (True, True)])
def test_every_batch_and_every_core(flags: tuple[bool, bool], dtype: str) -> None:
    rng = np.random.default_rng(0)
    pairs = []
    for (batch_a, batch_b), (m, k, n) in itertools.product(BATCHES, CORES):
        a = rng.standard_normal((*batch_a, *((k, m) if flags[0] else (m, k)))).astype(dtype)
        b = rng.standard_normal((*batch_b, *((n, k) if flags[1] else (k, n)))).astype(dtype)
        pairs.append((a, b))
    run_all(pairs, flags)


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
def test_vectors(batch: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    for k, n in [(4, 3), (1, 1), (0, 3), (5, 0)]:
        v, w = rng.standard_normal(k), rng.standard_normal(k)
        left, right = rng.standard_normal((*batch, n, k)), rng.standard_normal((*batch, k, n))
        run_all([(v, w), (left, v), (v, right)], (False, False))
        run_all([(v, left)], (False, True))
        run_all([(right, v)], (True, False))


def test_many_rows_against_one_matrix_are_one_product() -> None:
    blocks = list(gemm_blocks((5, 7, 3), (3, 4), (5, 7, 4), False, False))
    assert len(blocks) == 1
    assert blocks[0] is not None
    assert blocks[0][0][0] == 35, "m holds all rows"


def test_products_of_one_row_are_split_by_what_they_read() -> None:
    def chunks(*sizes: int) -> int:
        m, k, n = sizes
        (item,) = gemm_blocks((m, k), (k, n), (m, n), False, False)
        assert item is not None
        return item[1]

    assert chunks(1, 768, 768) == chunks(768, 768, 1) == 2
    assert chunks(1, 400, 400) == chunks(64, 100, 10) == 1
    assert chunks(400, 400, 400) == 2
    assert chunks(1024, 768, 768) == 4
    assert chunks(4096, 4096, 768) == 8


@pytest.mark.parametrize("threads", [1, 2])
def test_large_products_are_split(threads: int) -> None:
    rng = np.random.default_rng(2)  # both ways: many matmuls of rows by columns have a kernel (test_product.py)
    before = team.get_num_threads()
    team.set_num_threads(threads)
    try:
        for shape_a, shape_b in [
            ((300, 200), (200, 250)),
            ((1000, 64), (64, 40)),
            ((40, 64), (64, 1001)),
            ((1, 700), (700, 905)),
            ((905, 700), (700, 1)),
            ((6, 150, 90), (6, 90, 80)),
        ]:
            run_all([(rng.standard_normal(shape_a), rng.standard_normal(shape_b))], (False, False))
            run_all(
                [(rng.standard_normal((*shape_a[:-2], *shape_a[:-3:-1])), rng.standard_normal(shape_b))], (True, False)
            )
    finally:
        team.set_num_threads(before)


def test_symbolic_sizes() -> None:
    n, m = Dim.symbol("N"), Dim.symbol("M")
    program, builder = new_program()
    x = program.add_feed("x", TensorType(dt.float32, (n, m, 4)))
    y = program.add_feed("y", TensorType(dt.float32, (n, 4, m)))
    with builder.active():
        builder.return_([OPS["matmul"](x, y), OPS["matmul"](y, x), OPS["matmul"](x, x, transpose_y=True)])
    rng = np.random.default_rng(3)
    for sizes in [(2, 3), (1, 1), (0, 2), (3, 0), (5, 2)]:
        check(
            program,
            rng.random((*sizes, 4), np.float32),
            rng.random((sizes[0], 4, sizes[1]), np.float32),
            pipelines=["plain"],
        )


@pytest.mark.parametrize("k", [0, 1, 4])
@pytest.mark.parametrize("beta", [0.0, 1.0, -0.5])
def test_accumulating_products(k: int, beta: float) -> None:
    text = f"""program @f(%x: f32[3, {k}], %y: f32[{k}, 2], %n: i64[]) state(%c: f32[3, 2] parameter) -> f32[3, 2] {{
      %a = for %n, %c : f32[3, 2] (%i: i64[], %b: f32[3, 2]) {{
        %d = matmul_add %b, %x, %y {{alpha = 0.5, beta = {beta}, transpose_x = false, transpose_y = false}} : f32[3, 2]
        yield %d
      }}
      update %c, %a
      return %a
    }}"""
    rng = np.random.default_rng(4)
    x, y, c = (rng.standard_normal(s).astype(np.float32) for s in ((3, k), (k, 2), (3, 2)))
    check(text, x, y, np.int64(3), state=[c])


@pytest.mark.parametrize("operands", ["%b, %b, %y", "%b, %y, %b", "%y, %b, %b"])
def test_an_accumulating_product_of_its_own_sum(operands: str) -> None:
    text = f"""program @f(%x: f32[3, 3], %y: f32[3, 3], %n: i64[]) -> f32[3, 3] {{
      %a = for %n, %x : f32[3, 3] (%i: i64[], %b: f32[3, 3]) {{
        %d = matmul_add {operands} {{alpha = 0.5, beta = 1.0, transpose_x = false, transpose_y = false}} : f32[3, 3]
        yield %d
      }}
      return %a
    }}"""
    rng = np.random.default_rng(5)
    check(text, *(rng.standard_normal((3, 3)).astype(np.float32) for _ in range(2)), np.int64(3))


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.tuples(st.sampled_from([(1, 1), (1, 0), (0, 1), (1, 2), (2, 2)]), st.integers(1, 3)), max_size=5),
    st.booleans(),
    st.booleans(),
)
def test_offsets_and_strides_reach_every_matrix_once(
    axes: list[tuple[tuple[int, int], int]], ta: bool, tb: bool
) -> None:
    """Blocks cover the result exactly once, for every pattern of broadcast batch axes."""
    batch_a = tuple(1 if kind[0] == 1 and kind != (1, 1) else size for kind, size in axes)
    batch_b = tuple(1 if kind[1] == 1 and kind != (1, 1) else size for kind, size in axes)
    batch = tuple(max(p, q) for p, q in zip(batch_a, batch_b, strict=True))
    m, k, n = 2, 3, 4
    a, b = (*batch_a, *((k, m) if ta else (m, k))), (*batch_b, *((n, k) if tb else (k, n)))
    covered = np.zeros(int(np.prod((*batch, m, n))), np.int64)
    for item in gemm_blocks(a, b, (*batch, m, n), ta, tb):
        assert item is not None
        block, _, (_, _, shift) = item
        rows, columns, outer, inner = (int(block[w]) for w in (0, 1, 11, 15))
        for p, q in itertools.product(range(outer), range(inner)):
            start = shift + p * int(block[14]) + q * int(block[18])
            covered[start : start + rows * columns] += 1
    assert (covered == 1).all()
