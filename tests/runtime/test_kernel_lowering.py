"""Kernels are lowered from their trees: the results are Python's, and what kernels can't say is refused."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from llvmlite import ir

from vitrify.base.errors import KernelError
from vitrify.base.target import current_target
from vitrify.runtime.codegen.kernel_lowering import lower_kernel
from vitrify.runtime.codegen.kernel_types import FLOAT64, INT64, PointerKind
from vitrify.runtime.codegen.llvm_backend import compile_kernel, llvm_text
from vitrify.runtime.kernel.kernel_parser import parse_kernel
from vitrify.runtime.kernel_cache import KernelSource, addresses


def run(text: str, arrays: list[Any], dims: list[int], high: int) -> None:
    shorts = {"float32": "f32", "float64": "f64", "int64": "i64", "int32": "i32", "uint8": "u8"}
    source = KernelSource("tried", text, tuple(shorts[a.dtype.name] for a in arrays), len(dims))
    (address,) = addresses([source])
    pointers = (ctypes.c_int64 * len(arrays))(*[a.ctypes.data for a in arrays])
    sizes = (ctypes.c_int64 * max(1, len(dims)))(*dims)
    ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(address)(ctypes.addressof(pointers), ctypes.addressof(sizes), 0, high)


def in_python(text: str, arrays: list[Any], dims: list[int], high: int) -> None:
    names: dict[str, Any] = {
        "f32": np.float32, "f64": np.float64, "i64": np.int64, "inf": np.inf, "nan": np.nan, "back": 0,
        "local_f64": np.zeros,
    }  # fmt: skip
    exec(text, names)
    with np.errstate(all="ignore"):
        names["body"](*arrays, *dims, 0, high)


BODIES = {
    "loops that run once, and zeros and ones": """
    for r in range(lo, hi):
        total = 0
        for once in range(3, 4):
            total = total + once * 1 + 0 * r + (once + 0) * 10
            for never in range(1, 1):
                total = 99
            once = once + 5
        for ended in range(1):
            if r == 2:
                break
            total = total + 1000
        p1[r * 1 + 0] = f64(total + once) + p0[0 + r] * 0 + 1 * 2
""",
    "steps that only a call tells": """
    for r in range(lo, hi):
        total = 0
        for k in range(r, d0 * 3, d0):
            total = total * 2 + k
        p1[r] = f64(total)
""",
    "variables of several types": """
    for r in range(lo, hi):
        x = 0
        if r > 2:
            x = p0[r]
        y = 7
        for k in range(3):
            y = y // 2 + x
        p1[r] = y + x / 4
""",
    "steps that only the kernel knows": """
    for r in range(lo, hi):
        total = 0
        step = r - 4 if r > 4 else r + 1
        for k in range(r, 30, step):
            total = (total * 2 + k) % 1000003
        for k in range(r, -20, 0 - step):
            total = (total * 3 - k) % 1000003
        p1[r] = f64(total)
""",
    "a loop that ends early": """
    for r in range(lo, hi):
        total = f64(0.0)
        for k in range(d0):
            if p0[k] > r:
                break
            if k % 2 == 1:
                continue
            total = total + p0[k]
        p1[r] = total
""",
    "while": """
    for r in range(lo, hi):
        n = r
        steps = 0
        while n > 1 and steps < 50:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps = steps + 1
        p1[r] = f64(steps)
""",
    "and, or, not": """
    for r in range(lo, hi):
        a = p0[r] > 1.0
        b = r < d0 - 1 and p0[r + 1] > p0[r]
        c = not a and (b or r == 2) or r == 0
        if r >= d0 - 1 or p0[r + 1] < 2.0 and not b:
            p1[r] = 1.0 if c else 2.0
        else:
            p1[r] = 3.0 if a and c else 4.0
""",
    "return": """
    for r in range(lo, hi):
        if r == 3:
            p1[r] = nan
            return
        p1[r] = -inf
""",
    "ranges": """
    for r in range(lo, hi):
        total = 0
        for k in range(r, d0, 2):
            total = total + k
        for k in range(r, -3, -1):
            total = total * 2 - k
        for k in range(3, 1):
            total = 99
        p1[r] = f64(total + back)
""",
    "a loop's variable after it, and assigned in it": """
    for r in range(lo, hi):
        total = 0
        for k in range(1, 9, 3):
            if k == 4 and r % 2 == 0:
                continue
            total = total * 10 + k
            k = k + 100
            total = total + k
        p1[r] = f64(total * 1000 + k)
""",
    "divided by literals": """
    for r in range(lo, hi):
        n = (r - 4) * 7
        p1[r] = f64(n // 1 + n % 1 + n // 1099511627776 + n % 1099511627776 + n // 4 * 3 + n % 4 + i64(p0[r]) // 2)
""",
    "arrays on the stack": """
    for r in range(lo, hi):
        kept = local_f64(4)
        for k in range(4):
            kept[k] = p0[(r + k) % d0]
        last = 0.0
        for k in range(4):
            last = last * 2.0 + kept[3 - k]
        p1[r] = last
""",
    "operators": """
    for r in range(lo, hi):
        n = r * 7 - 11
        p1[r] = f64(n // 3 + n % 5 + (n << 2) + (n >> 1) + (n & 6) + (n | 8) + (n ^ 5) + ~n - -n) / -1.5
""",
}


@pytest.mark.parametrize("name", BODIES)
def test_kernels_do_what_python_does(name: str) -> None:
    text = "def body(p0, p1, d0, lo, hi):" + BODIES[name]
    x = np.array([0.5, 2.5, 1.0, 3.0, -1.0, 2.0, 7.0, 0.0])
    expected, got = np.zeros(8), np.zeros(8)
    in_python(text, [x, expected], [8], 8)
    run(text, [x, got], [8], 8)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x = p0\n        x = 1.5\n        p1[r] = x", "x is PointerKind.*, and Float.* later"),
        ("d0 = r\n        p1[r] = f64(d0)", "can't assign to `d0`"),
        ("lo = r\n        p1[r] = f64(lo)", "assigns its parameter lo"),
        ("p1[r] = f64(nobody)", "nobody has no value yet"),
        ("p1[r] = nobody(r)", "kernels know no nobody"),
        ("p1[r] = exp_f64(p0[r], r)", "kernels have no exp_f64 of"),
        ("p1[r] = p0[0.5]", "the index is Float"),
        ("p1[r] = r[0]", "no array"),
        ("p1[r] = p0[r] & 1", "no `&` of"),
        ("p1[r] = p0[r] << 1", "no `<<` of"),
        ("p1[r] = f64(p0)", "isn't converted to"),
        ("p1[r] = 1.0 if p0 else 2.0", "is no condition"),
        ("for k in range(p0[r]):\n            p1[r] = 1.0", "bounds a range"),
    ],
)
def test_what_kernels_cannot_say_is_refused(body: str, message: str) -> None:
    text = f"def body(p0, p1, d0, lo, hi):\n    for r in range(lo, hi):\n        {body}\n"
    with pytest.raises(KernelError, match=message):
        compile_kernel(text, ("f64", "f64"), 1, "refused")


def test_loops_and_indices_are_few_instructions() -> None:
    """Compile time is LLVM's, and grows with what it is given."""
    text = "def body(p0, p1, lo, hi):\n    for r in range(lo, hi):\n        p1[r // 8] = p0[r % 8]\n"
    kinds = {"p0": PointerKind(FLOAT64), "p1": PointerKind(FLOAT64), "lo": INT64, "hi": INT64}
    function = lower_kernel(parse_kernel(text), kinds, {}, ir.Module())
    assert sum(len(block.instructions) for block in function.blocks) < 35


def lowered(text: str) -> ir.Function:
    kinds = {"p0": PointerKind(FLOAT64), "p1": PointerKind(FLOAT64), "lo": INT64, "hi": INT64}
    return lower_kernel(parse_kernel(text), kinds, {}, ir.Module())


def places(function: ir.Function) -> int:
    return sum(i.opname == "alloca" for block in function.blocks for i in block.instructions)


def test_a_variable_that_is_assigned_once_is_its_value() -> None:
    text = "def body(p0, p1, lo, hi):\n    for r in range(lo, hi):\n        x = p0[r]\n        p1[r] = x * x\n"
    assert places(lowered(text)) == 1  # the loop's counter
    twice = text.replace("        p1", "        x = x + 1.0\n        p1")
    assert places(lowered(twice)) == 2


@pytest.mark.parametrize(
    "body",
    [
        "if r > 2:\n            x = p0[r]\n        if r > 2:\n            p1[r] = x",  # behind the block that assigns it
        "for k in range(3):\n            y = k + r\n        p1[r] = f64(y + k)",
        "k = 0\n        while k < 3:\n            y = k + r\n            k = k + 1\n        p1[r] = f64(y)",
        "for k in range(1):\n            y = p0[k]\n        p1[r] = y",  # a loop that runs once has no block
    ],
)
def test_a_variable_that_outlives_its_block_has_a_place(body: str) -> None:
    text = f"def body(p0, p1, d0, lo, hi):\n    for r in range(lo, hi):\n        {body}\n"
    x, expected, got = np.arange(8.0), np.zeros(8), np.zeros(8)
    in_python(text, [x, expected], [8], 8)
    run(text, [x, got], [8], 8)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("index", ["i * 2", "i * 2 + 1", "i * 2 + (1 + 0)", "2 * i + 1"])
def test_every_second_element_is_read_by_vectors(index: str) -> None:
    if current_target().architecture != "x86_64":
        pytest.skip("vectors of this CPU")
    body = f"def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = p0[{index}]\n"
    text = llvm_text(body, ("f32", "f32"), 0)
    assert "shufflevector" in text
    assert "masked.gather" not in text
    assert "insertelement" not in text
