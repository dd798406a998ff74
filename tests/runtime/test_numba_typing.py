"""Kernels' own contexts of Numba: what they leave out, `min` and `max`, and that Numba itself goes on working."""

from __future__ import annotations

import ctypes
import itertools
import subprocess
import sys

import numpy as np

from vitrify.runtime.kernel_cache import KernelSource, addresses

TEXT = """def body(p0, p1, d0, lo, hi):
    for r in range(lo, hi):
        a = p0[r]
        p1[r] = min(a, d0) + 1000 * max(a, i64(-3)) + 1000000 * max(0, min(r, 2))
"""


def run(source: KernelSource, arrays: list[np.ndarray], dims: list[int], high: int) -> None:
    (address,) = addresses([source])
    pointers = (ctypes.c_int64 * len(arrays))(*[a.ctypes.data for a in arrays])
    sizes = (ctypes.c_int64 * max(1, len(dims)))(*dims)
    ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(address)(ctypes.addressof(pointers), ctypes.addressof(sizes), 0, high)


def test_extremes_of_integers() -> None:
    given = np.array([-7, 5, 9], np.int64)
    made = np.zeros(3, np.int64)
    run(KernelSource("extremes", TEXT, ("i64", "i64"), 1), [given, made], [6], 3)
    expected = [min(a, 6) + 1000 * max(a, -3) + 1_000_000 * min(r, 2) for r, a in enumerate(given.tolist())]
    assert made.tolist() == expected


def test_operators_of_each_pair_of_types() -> None:
    """Signatures are kept: those of one pair must not answer for another."""
    kinds = {"f32": np.float32, "f64": np.float64, "i64": np.int64}
    text = """def body(p0, p1, p2, lo, hi):
    for r in range(lo, hi):
        a = p0[r]
        b = p1[r]
        p2[r] = f64(a + b) + f64(a * b) - f64(a - b) + f64(a < b) + f64(a == b) + f64(a / b)
        p2[r] += f64(a // b) + f64(a % b) + f64(abs(a) ** 2) + f64(-a) + f64(not a) + f64(int(a)) + float(b)
"""
    for a, b in itertools.product(kinds, kinds):
        x, y, made = np.array([7, 3], kinds[a]), np.array([2, 3], kinds[b]), np.zeros(2)
        run(KernelSource("pair", text, (a, b, "f64"), 0), [x, y, made], [], 2)
        assert made.tolist() == [9 + 14 - 5 + 3.5 + 3 + 1 + 49 - 7 + 7 + 2, 6 + 9 + 1 + 1 + 1 + 0 + 9 - 3 + 3 + 3]


def test_numbas_own_functions_still_work_and_little_is_imported() -> None:
    """In a process of its own: compile a kernel first, then a function of arrays with Numba, then a kernel again."""
    program = f"""
import sys
from vitrify.runtime.codegen.numba_backend import compile_kernel
text = {TEXT!r}
assert compile_kernel(text, ("i64", "i64"), 1, "first")
assert not {{"scipy.linalg", "numba.np.arraymath"}} & set(sys.modules)
import numba, numpy
total = numba.njit(lambda x: (x + min(1, 2, 3)).sum())
assert total(numpy.ones(5)) == 10
assert compile_kernel(text.replace("1000", "1001"), ("i64", "i64"), 1, "second")
print("done")
"""
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert made.stdout == "done\n", made.stderr
