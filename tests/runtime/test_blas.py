"""Matrix products by pointer equal NumPy's: every transpose, both types, batches, vectors, slabs, odd sizes."""

import importlib
import itertools
import os
from pathlib import Path

import numpy as np
import pytest

from vitrify.runtime.vm import blas, team
from vitrify.runtime.vm.virtual_machine import Header, Instructions, Opcode, Status, gemm_block, run

pytestmark = pytest.mark.skipif(not blas.available(), reason="scipy_openblas32 is not installed")

SIZES = [
    (1, 1, 1),
    (7, 5, 3),
    (1, 33, 17),
    (33, 1, 17),
    (17, 31, 1),
    (64, 48, 80),
    (131, 65, 7),
    (1, 300, 64),
    (200, 300, 9),
]
TYPES = [(np.float32, Opcode.GEMM32), (np.float64, Opcode.GEMM64)]


@pytest.fixture(autouse=True)
def two_threads():
    before = team.get_num_threads()
    team.set_num_threads(2)
    yield
    team.set_num_threads(before)


def execute(opcode, block, chunks):
    table = Instructions()
    table.emit(opcode, block.ctypes.data, chunks)
    assert run(Header(table.table()).address) == Status.DONE


def random(*shape, kind):
    return np.random.default_rng(3).standard_normal(shape).astype(kind)


def test_pointers():
    assert all(blas.pointers().values())


def test_the_library_is_the_one_that_the_package_names():
    package = importlib.import_module("scipy_openblas32")
    assert blas._library() == Path(package.get_lib_dir()) / package.get_library(fullname=True)


def test_where_the_file_has_another_name_the_package_is_asked(monkeypatch):
    monkeypatch.setattr(blas, "find_spec", lambda _: None)
    test_the_library_is_the_one_that_the_package_names()


@pytest.mark.parametrize("kind, opcode", TYPES)
@pytest.mark.parametrize("transpose_a, transpose_b", list(itertools.product([0, 1], [0, 1])))
@pytest.mark.parametrize("m, n, k", SIZES)
@pytest.mark.parametrize("chunks", [1, 3, 4, 8])
def test_transposes(kind, opcode, transpose_a, transpose_b, m, n, k, chunks):
    a = random(*((k, m) if transpose_a else (m, k)), kind=kind)
    b = random(*((n, k) if transpose_b else (k, n)), kind=kind)
    c = np.full((m, n), np.nan, kind)  # beta is 0: what was there must not matter
    addresses = dict(a=a.ctypes.data, b=b.ctypes.data, c=c.ctypes.data)
    execute(opcode, gemm_block(m, n, k, transpose_a=transpose_a, transpose_b=transpose_b, **addresses), chunks)
    expected = (a.T if transpose_a else a) @ (b.T if transpose_b else b)
    np.testing.assert_allclose(c, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind, opcode", TYPES)
@pytest.mark.parametrize("m, n", [(5, 6), (1, 6), (5, 1)])
def test_alpha_and_beta(kind, opcode, m, n):
    a, b, c = random(m, 4, kind=kind), random(4, n, kind=kind), random(m, n, kind=kind)
    expected = 0.5 * a @ b - 2.0 * c
    addresses = dict(a=a.ctypes.data, b=b.ctypes.data, c=c.ctypes.data)
    execute(opcode, gemm_block(m, n, 4, alpha=0.5, beta=-2.0, **addresses), 1)
    np.testing.assert_allclose(c, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("m, n", [(5, 6), (1, 6), (5, 1), (0, 6), (5, 0)])
def test_nothing_to_sum(m, n):
    c = np.full((max(m, 1), max(n, 1)), 7, np.float32)
    execute(Opcode.GEMM32, gemm_block(m, n, 0, lda=1, ldb=max(n, 1), ldc=max(n, 1), c=c.ctypes.data), 2)
    assert (c == (0 if m * n else 7)).all()


@pytest.mark.parametrize("kind, opcode", TYPES)
@pytest.mark.parametrize("chunks", [1, 2, 5, 64])
def test_two_levels_of_batch(kind, opcode, chunks):
    # attention's heads: [batch, time, head, width] read as [batch, head, time, width] without a copy
    batch, time, head, width = 3, 5, 4, 8
    q, k = random(batch, time, head, width, kind=kind), random(batch, time, head, width, kind=kind)
    c = np.zeros((batch, head, time, time), kind)
    row = head * width
    block = gemm_block(
        time, time, width, transpose_b=1, lda=row, ldb=row, a=q.ctypes.data, b=k.ctypes.data, c=c.ctypes.data,
        batch=batch, stride_a=time * row, stride_b=time * row, stride_c=head * time * time,
        inner_batch=head, inner_stride_a=width, inner_stride_b=width, inner_stride_c=time * time,
    )  # fmt: skip
    execute(opcode, block, chunks)
    np.testing.assert_allclose(c, np.einsum("bthw,bshw->bhts", q, k), rtol=1e-4, atol=1e-4)


def test_one_matrix_for_a_whole_batch():
    a, b = random(6, 9, 4, kind=np.float32), random(4, 5, kind=np.float32)
    c = np.zeros((6, 9, 5), np.float32)
    block = gemm_block(9, 5, 4, a=a.ctypes.data, b=b.ctypes.data, c=c.ctypes.data, batch=6, stride_a=36, stride_c=45)
    execute(Opcode.GEMM32, block, 4)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5, atol=1e-5)


def test_without_openblas(monkeypatch):
    monkeypatch.setattr(blas, "openblas", lambda: None)
    assert not blas.available() and not any(blas.pointers().values())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_products_in_a_forked_child():
    a = random(200, 200, kind=np.float64)
    c = np.zeros_like(a)
    block = gemm_block(200, 200, 200, a=a.ctypes.data, b=a.ctypes.data, c=c.ctypes.data)
    execute(Opcode.GEMM64, block, 4)
    child = os.fork()
    if child == 0:
        try:
            c[:] = 0
            execute(Opcode.GEMM64, block, 4)
            os._exit(0 if np.allclose(c, a @ a) else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
