"""Loops over small arrays as one kernel each: what they compute, when they are not, how they fail and how they stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.runtime.schedule import loop_kernels
from vitrify.runtime.schedule.program_steps import LoopStep

from .checks import check_interrupt


def newton(a: Any) -> Any:
    x = a
    while vt.max(vt.abs(x * x - a) / a) > 1e-5:
        x = 0.5 * (x + a / x)
    return x


def steps_with_branches(y: Any) -> Any:
    t, h, n = vt.zeros([], "float64"), vt.full([], 0.3, "float64"), vt.zeros([], "float64")
    while t < 4.0:
        k = vt.stack([y[1], -y[0]])
        z = y + h * k
        error = vt.sqrt(vt.mean((z - y) ** 2))
        if error <= 0.2:
            t, y = t + h, z
            h = h * 1.5
        else:
            h = h * 0.5
        n = n + 1.0
    return y, n


def fibonacci(x: Any) -> Any:
    a, b = x, x + 1
    for _ in range(vt.to_tensor(40)):
        a, b = b, a + b  # a swap through a temporary
    return a, b


def wrapping(x: Any) -> Any:
    for _ in range(vt.to_tensor(40)):
        x = x * 3 + 1  # wraps around, as int32 does
    return x


def triangle(x: Any) -> Any:
    total = vt.zeros([3], "float32")
    for k in range(vt.to_tensor(5)):
        row = x
        for _ in range(k):
            row = vt.tanh(row) + vt.sum(row)
        total = total + row
    return total


def leaves_early(x: Any) -> Any:
    found = vt.full([], -1, "int64")
    for k in range(vt.to_tensor(20)):
        if vt.sum(x * k) > 10.0:
            found = found * 0 + k
            break
        if k % 2 == 0:
            continue
        x = x + 0.5
    return found, x


def reads_rows(x: Any) -> Any:
    h = vt.zeros([4], "float32")
    for k in range(vt.to_tensor(6)):
        h = 0.5 * h + x[k]
    return h


F32 = np.linspace(0.1, 1.0, 3, dtype=np.float32)
CASES: list[tuple[Callable[..., Any], Any]] = [
    (newton, np.geomspace(1.0, 1e4, 16).astype(np.float32)),
    (steps_with_branches, np.array([1.0, 0.0])),
    (fibonacci, np.array([0, 3, 7])),
    (wrapping, np.array([1, 5], np.int32)),
    (triangle, F32),
    (leaves_early, F32),
    (reads_rows, np.arange(24, dtype=np.float32).reshape(6, 4)),
]


def arrays(result: Any) -> list[Any]:
    return [r.numpy() for r in (result if isinstance(result, tuple) else (result,))]


def loop_steps(f: Any) -> list[LoopStep]:
    return [s for s in f._last.runner.executable.steps.steps if isinstance(s, LoopStep)]


@pytest.mark.parametrize(("function", "data"), CASES, ids=lambda c: getattr(c, "__name__", ""))
def test_a_loop_is_one_kernel_and_equals_eager_mode(function: Any, data: Any) -> None:
    compiled, x = vt.jit.to_static(function), vt.to_tensor(data)
    for made, expected in zip(arrays(compiled(x)), arrays(function(x)), strict=True):
        np.testing.assert_allclose(made, expected, rtol=1e-5 if data.dtype == np.float32 else 1e-12)
        assert made.dtype == expected.dtype
    assert len(loop_steps(compiled)) == 1
    assert "one kernel (loop kernel" in str(compiled.explain())
    for again in range(2):
        np.testing.assert_array_equal(arrays(compiled(x))[0], arrays(compiled(x))[0], err_msg=str(again))


def test_a_long_loop_returns_to_the_vm_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_kernels, "MOST_ITERATIONS", 7)

    @vt.jit.to_static
    def count(n: Any) -> Any:
        k, s = vt.zeros([], "int64"), vt.zeros([2], "int64")
        while k < n:
            s, k = s + k, k + 1
        return s

    for iterations in (0, 1, 6, 7, 8, 14, 100):
        np.testing.assert_array_equal(count(vt.to_tensor(iterations)).numpy(), [iterations * (iterations - 1) // 2] * 2)
    assert len(loop_steps(count)) == 1


def test_a_loop_without_end_can_be_interrupted() -> None:
    @vt.jit.to_static
    def forever(x: Any) -> Any:
        while x[0] >= 0.0:
            x = x * 0.5
        return x

    x = vt.to_tensor(np.array([1.0, 2.0], np.float32))
    forever(-x)
    assert len(loop_steps(forever)) == 1
    check_interrupt(lambda: forever(x))


def test_an_index_out_of_range_names_the_line_and_leaves_state_alone() -> None:
    weights = vt.to_tensor(np.zeros(3, np.float32))

    @vt.jit.to_static
    def read(x: Any, iterations: Any) -> Any:
        h = vt.zeros([], "float32")
        for k in range(iterations):
            h = h + x[k]
        weights.set_value(weights + h)
        return h

    x = vt.to_tensor(np.arange(1, 4, dtype=np.float32))
    assert float(read(x, vt.to_tensor(3))) == 6.0
    assert len(loop_steps(read)) == 1
    with pytest.raises(IndexError, match=r"h = h \+ x\[k\]"):
        read(x, vt.to_tensor(5))
    np.testing.assert_array_equal(weights.numpy(), [6.0] * 3)


def large(x: Any) -> Any:
    while vt.sum(x) > 1.0:
        x = x * 0.5
    return x


def nested_while(x: Any) -> Any:
    s = vt.zeros([], "float32")
    for k in range(vt.to_tensor(3)):
        y = x + k
        while vt.sum(y) > 1.0:
            y, s = y * 0.5, s + 1.0
    return s


def with_product(x: Any) -> Any:
    for _ in range(vt.to_tensor(3)):
        x = vt.tanh(vt.matmul(x, x))
    return x


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("iterations", [2, 3, 7])
def test_products_of_a_row_go_into_the_kernel(iterations: int, transposed: bool) -> None:
    """Every second iteration goes through the matrix the other way round."""

    def powers(x: Any, w: Any) -> Any:
        for _ in range(vt.to_tensor(iterations)):
            x = vt.tanh(vt.matmul(x, w, transpose_y=transposed))
        return x

    generator = np.random.default_rng(5)
    size = 150  # more than one block of columns, and what is left of them
    x, w = (vt.to_tensor(generator.standard_normal(s).astype("float32") / 8) for s in ((1, size), (size, size)))
    compiled = vt.jit.to_static(powers)
    np.testing.assert_allclose(compiled(x, w).numpy(), powers(x, w).numpy(), rtol=1e-4, atol=1e-6)
    assert len(loop_steps(compiled)) == 1


def test_a_large_array_that_a_loop_fills_row_by_row_is_written_in_its_place() -> None:
    def states(x: Any) -> Any:
        h, rows = vt.zeros([1, 40], "float32"), []
        for t in range(x.shape[0]):
            h = vt.tanh(vt.sin(x[t]) * 0.5 + vt.cos(h) * 0.25) + vt.sigmoid(h * x[t]) * vt.exp(-h)
            h = vt.tanh(vt.sin(h) * 0.5 + vt.cos(x[t]) * 0.25) + vt.sigmoid(h * x[t]) * vt.exp(-h)
            rows.append(h)
        return vt.stack(rows)

    x = vt.to_tensor(np.random.default_rng(1).standard_normal((100, 1, 40)).astype("float32"))
    compiled = vt.jit.to_static(states)
    np.testing.assert_allclose(compiled(x).numpy(), states(x).numpy(), rtol=1e-5, atol=1e-6)
    assert len(loop_steps(compiled)) == 1


@pytest.mark.parametrize(
    ("function", "data", "reason", "kernels"),
    [
        (large, np.full(5000, 7.0, np.float32), "an array of it has more than 4096 bytes", 0),
        (nested_while, np.array([3.0, 4.0], np.float32), "it contains a while", 1),
        (with_product, np.eye(40, dtype=np.float32), "matmul needs the VM", 0),
    ],
    ids=["large", "nested_while", "with_product"],
)
def test_a_loop_that_stays_with_the_vm_says_why(function: Any, data: Any, reason: str, kernels: int) -> None:
    compiled, x = vt.jit.to_static(function), vt.to_tensor(data)
    np.testing.assert_allclose(compiled(x).numpy(), function(x).numpy(), rtol=1e-5)
    assert f"VM instructions: {reason}" in str(compiled.explain())
    assert len(loop_steps(compiled)) == kernels


def test_the_kernel_s_text_can_be_read() -> None:
    @vt.jit.to_static
    def halve(x: Any) -> Any:
        while x > 1.0:
            x = x * 0.5
        return x

    assert float(halve(vt.to_tensor(9.0))) == 0.5625
    (text,) = [t for name, t in halve.kernels.items() if name.startswith("while")]
    assert text.reason.startswith("loop kernel")
    assert "x = x * 0.5" in " ".join(text.lines)
    lines = [line.strip() for line in text.splitlines()]
    assert lines.index("while left > 0:") < lines.index("over = u8(1)") < lines.index("break")


def by_parts(z: Any, n: Any) -> Any:
    for _ in range(n):
        z = vt.as_complex(vt.as_real(z) * 0.5 + 1)
    return z


def as_numbers(r: Any, n: Any) -> Any:
    for _ in range(n):
        z = vt.as_complex(r)
        r = vt.as_real(z * (0.5 + 0.25j) + z.real())
    return r


def in_turn(z: Any, n: Any) -> Any:
    r = vt.as_real(z) * 2
    for _ in range(n):
        z, r = vt.as_complex(r + 1), vt.as_real(z) * 0.5
    return z, r


def on_a_path(z: Any, n: Any) -> Any:
    for _ in range(n):
        if z.real().sum() > 0:
            z = vt.as_complex(vt.as_real(z) * 0.5 - 1)
        else:
            z = vt.as_complex(vt.as_real(z) + 1)
    return z


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("size", [1, 5, 300])
@pytest.mark.parametrize("fn", [by_parts, as_numbers, in_turn, on_a_path])
def test_complex_numbers_that_are_read_as_their_parts(fn: Callable[..., Any], size: int, dtype: str) -> None:
    rng = np.random.default_rng(size)
    z = (rng.standard_normal(size) + 1j * rng.standard_normal(size)).astype(dtype)
    compiled = vt.to_static(fn)
    for n in (4, 0, 7):
        given = vt.to_tensor(z) if fn is not as_numbers else vt.as_real(vt.to_tensor(z))
        made, wanted = compiled(given, vt.to_tensor(n)), fn(given, vt.to_tensor(n))
        for one, other in zip(made, wanted, strict=True) if isinstance(wanted, tuple) else [(made, wanted)]:
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-5)
