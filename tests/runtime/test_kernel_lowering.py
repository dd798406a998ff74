"""Kernels are lowered from their trees: the results are Python's, and Numba infers types only where the tree can't tell."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.runtime.codegen import numba_backend
from vitrify.runtime.codegen.kernel_lowering import NotTypedError
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


@pytest.fixture
def inferred(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that Numba infers types for."""
    found: list[str] = []
    before = numba_backend._load

    def load(text: str, *rest: Any) -> Any:
        found.append(text)
        return before(text, *rest)

    monkeypatch.setattr(numba_backend, "_load", load)
    return found


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
def test_kernels_do_what_python_does(name: str, inferred: list[str]) -> None:
    text = "def body(p0, p1, d0, lo, hi):" + BODIES[name]
    x = np.array([0.5, 2.5, 1.0, 3.0, -1.0, 2.0, 7.0, 0.0])
    expected, got = np.zeros(8), np.zeros(8)
    in_python(text, [x, expected], [8], 8)
    run(text, [x, got], [8], 8)
    np.testing.assert_array_equal(got, expected)
    assert numba_backend.compile_kernel(text, ("f64", "f64"), 1, "again")  # the first one may come from the disk
    assert inferred == []


@pytest.mark.parametrize(
    "body",
    [
        "x = 0\n        x = x + 0.5 + r\n        p1[r] = x",  # an int, then a float
        "d0 = r\n        p1[r] = f64(d0)",
        "p1[r] = 1.0 if r > 2 else r",
        "p1[r] = f64(r ** 2)",
        "p1[r] = f64(r)\n        for k in range(r, 9, r + 1):\n            p1[r] = f64(k)",  # a step that isn't known to be above 0
    ],
)
def test_numba_infers_what_a_tree_does_not_tell(body: str, inferred: list[str]) -> None:
    text = f"def body(p0, p1, d0, lo, hi):\n    for r in range(lo, hi):\n        {body}\n"
    expected, got = np.zeros(5), np.zeros(5)
    in_python(text, [np.zeros(5), expected], [5], 5)
    run(text, [np.zeros(5), got], [5], 5)
    np.testing.assert_array_equal(got, expected)
    inferred.clear()
    assert numba_backend.compile_kernel(text, ("f64", "f64"), 1, "again")
    assert inferred == [text]


def test_loops_and_indices_are_few_instructions() -> None:
    """Compile time is LLVM's, and grows with what it is given."""
    text = "def body(p0, p1, lo, hi):\n    for r in range(lo, hi):\n        p1[r // 8] = p0[r % 8]\n"
    kinds = {name: numba_backend.types.CPointer(numba_backend.types.float64) for name in ("p0", "p1")}
    kinds |= dict.fromkeys(("lo", "hi"), numba_backend.types.int64)
    _, function, _ = numba_backend.lower_kernel(
        numba_backend.parse_kernel(text), kinds, {}, numba_backend._flags(), numba_backend._Library
    )
    assert sum(len(block.instructions) for block in function.blocks) < 35


def test_names_without_a_value_are_refused() -> None:
    with pytest.raises(NotTypedError, match="nobody has no value"):
        numba_backend.lower_kernel(
            numba_backend.parse_kernel("def body(lo, hi):\n    x = nobody\n"), {"lo": numba_backend.types.int64,
            "hi": numba_backend.types.int64}, {}, numba_backend._flags(), numba_backend._Library,
        )  # fmt: skip


def test_no_kernel_of_a_training_step_is_inferred(inferred: list[str]) -> None:
    net = vt.nn.Sequential(
        vt.nn.Conv2D(2, 4, 3, padding=1), vt.nn.BatchNorm2D(4), vt.nn.ReLU(), vt.nn.MaxPool2D(2),
        vt.nn.Flatten(), vt.nn.Linear(64, 8), vt.nn.LayerNorm(8), vt.nn.GELU(), vt.nn.Linear(8, 3),
    )  # fmt: skip
    optimizer = vt.optimizer.AdamW(1e-3, parameters=net.parameters())

    @vt.to_static
    def step(x: Any, y: Any) -> Any:
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    step(vt.randn([3, 2, 8, 8]), vt.to_tensor([0, 1, 2]))
    for kernel in step.kernels.values():
        assert "define" in kernel.llvm()
    assert len(step.kernels) > 10
    assert inferred == []
