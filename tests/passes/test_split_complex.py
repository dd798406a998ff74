"""Complex numbers in compiled programs: kernels over their parts, with NumPy's results, special values and gradients."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ops.complex_parts import PART_RULES
from vitrify.ops.op import OPS

RNG = np.random.default_rng(11)
ODD = [0.0, -0.0, 1.0, -2.5, 1e-30, float(np.float32(3e37)), np.inf, -np.inf, np.nan]
EVERY = np.array([complex(a, b) for a, b in itertools.product(ODD, ODD)])


def numbers(*shape: int, dtype: str = "complex64") -> Any:
    made = RNG.normal(size=shape) + 1j * RNG.normal(size=shape)
    return vt.to_tensor(made.astype(dtype), stop_gradient=False)


def check(fn: Callable[..., Any], *args: Any, rtol: float = 2e-5) -> Any:
    """Eager mode and the compiled program, twice: results and gradients of every argument."""
    compiled = vt.jit.to_static(fn)

    def run(f: Any) -> list[Any]:
        for a in args:
            a.clear_grad() if not a.stop_gradient else None
        out = f(*args)
        outs = list(out) if isinstance(out, tuple) else [out]
        if any(not o.stop_gradient for o in outs):
            total = sum((vt.abs(o) ** 2).sum() for o in outs)
            total.backward()
        return [o.numpy() for o in outs] + [a.grad.numpy() for a in args if a.grad is not None]

    expected = run(fn)
    for _ in range(2):
        for found, wanted in zip(run(compiled), expected, strict=True):
            assert found.dtype == wanted.dtype and found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol)
    return compiled


PROGRAMS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "arithmetic": (lambda x, y: (x * y - x / y + (2 - 1j) * x.conj(), vt.abs(x + y)), [(3, 4), (4,)]),
    "products": (lambda x, y: (x @ y, y.t() @ x.t().conj()), [(3, 4), (4, 5)]),
    "systems": (lambda x, y: (vt.linalg.solve(x, y), vt.linalg.inv(x) * 2.0), [(2, 4, 4), (4, 3)]),
    "parts": (lambda x, y: (x.real() * y.imag(), vt.complex(x.imag(), y.real())), [(3, 4), (3, 4)]),
    "pieces": (lambda x, y: (vt.concat([x[1:], y[:, ::2]], 1), x.reshape([4, 3])[2], x[:, 1]), [(3, 4), (2, 6)]),
    "sums": (lambda x, y: (x.sum(0), y.mean(), (x * x).cumsum(1)), [(3, 4), (5,)]),
    "exponential": (lambda x, y: vt.exp(1j * x) * vt.exp(y), [(6,), (6,)]),
    "transforms": (lambda x, y: vt.fft.ifft(vt.fft.fft(x) * vt.fft.fft(y)), [(3, 8), (8,)]),
    "pairs": (lambda x, y: vt.as_complex(vt.as_real(x) * 2.0 + vt.as_real(y)), [(3, 4), (4,)]),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_complex_numbers(name: str, dtype: str) -> None:
    fn, shapes = PROGRAMS[name]
    check(fn, *(numbers(*shape, dtype=dtype) for shape in shapes), rtol=2e-4 if dtype == "complex64" else 1e-10)


@pytest.mark.parametrize(("rows", "columns", "steps"), [(1, 1, 0), (12, 181, 0), (32, 2, 0), (33, 2, 1)])
def test_systems_of_few_complex_numbers_are_real_ones(rows: int, columns: int, steps: int) -> None:
    x, y = (numbers(rows, n, dtype="complex128").detach() for n in (rows, columns))
    compiled = check(vt.linalg.solve, x, y, rtol=1e-8)
    with vt.profiler.profile() as taken:
        found = compiled(x, y).numpy()
    assert sum(row.name == "solve (Python)" for row in taken.kernels) == steps
    np.testing.assert_allclose(x.numpy() @ found, y.numpy(), rtol=1e-8, atol=1e-8)


def test_written_elements_and_choices() -> None:
    def fn(x: Any, y: Any) -> Any:
        z = x * 1.0
        z[1] = y
        z[:, 0] += 2j
        return vt.where(z.real() > 0, z, z.conj()), vt.isfinite(z)

    compiled = vt.jit.to_static(fn)
    x, y = numbers(3, 4).detach(), numbers(4).detach()
    for found, wanted in zip(compiled(x, y), fn(x, y), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6)


def test_a_loop_with_a_branch() -> None:
    def orbit(c: Any, n: Any) -> Any:
        z, count = c * 0, vt.zeros(c.shape, "int64")
        for _ in range(n):
            z = z * z + c
            if vt.abs(z).max() > 1e6:
                z = z / vt.abs(z).max()
            count += (vt.abs(z) < 2).astype("int64")
        return z, count

    compiled = vt.jit.to_static(orbit)
    c = vt.to_tensor((RNG.uniform(-0.5, 0.5, (8, 8)) + 1j * RNG.uniform(-0.5, 0.5, (8, 8))).astype("complex128"))
    for n in (0, 1, 12):
        for found, wanted in zip(compiled(c, vt.to_tensor(n)), orbit(c, vt.to_tensor(n)), strict=True):
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-9)


def test_gates_in_a_loop_run_as_kernels() -> None:
    gate = vt.to_tensor(np.array([[1, 1], [1, -1]], "complex64") / np.float32(2) ** 0.5)

    def circuit(state: Any, n: Any) -> Any:
        for _ in range(n):
            state = (gate @ state.reshape([2, 4])).reshape([8]) * vt.exp(0.3j * vt.arange(8).astype("float32"))
        return vt.abs(state) ** 2

    compiled = check(circuit, numbers(8), vt.to_tensor(5), rtol=1e-4)
    found = vt.jit.verify(compiled, numbers(8), vt.to_tensor(5))
    assert found, str(found)


def test_any_batch_size_is_one_program() -> None:
    def fn(x: Any) -> Any:
        return vt.as_complex(x) * 2j

    compiled = vt.jit.to_static(fn, input_spec=[vt.static.InputSpec([None, 3, 2], "float32")])
    for n in (1, 4, 7):
        x = vt.randn([n, 3, 2])
        np.testing.assert_allclose(compiled(x).numpy(), fn(x).numpy())


UNARY = ["abs", "exp", "square", "sqrt", "conj", "real", "imag", "isnan", "isinf", "isfinite", "neg"]
BINARY = ["add", "subtract", "multiply", "divide", "equal", "not_equal"]


def same(found: Any, wanted: Any, what: str, sizes: Any = 0.0) -> None:
    """Equal values, parts that are NaN or infinite at the same places. sizes: of products that may cancel."""
    assert found.dtype == wanted.dtype
    slack = np.where(np.isfinite(sizes), 1e-6 * sizes, 0.0)
    for part in (np.real, np.imag) if np.iscomplexobj(wanted) else (np.asarray,):
        a, b = part(found), part(wanted)
        kind = np.float64 if a.dtype == bool else a.dtype
        a, b = a.astype(kind), b.astype(kind)
        near = np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= slack)
        np.testing.assert_allclose(np.where(near, b, a), b, rtol=2e-6, atol=1e-44, err_msg=what)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", UNARY + BINARY)
def test_special_values_are_numpys(name: str, dtype: str) -> None:
    """Each with each: zeros of both signs, tiny, large, infinite and NaN parts."""
    use, given = OPS[name], EVERY.astype(dtype)
    if name in ("multiply", "square"):
        given = given[
            (np.abs(given.real) != np.float32(3e37)) & (np.abs(given.imag) != np.float32(3e37))
        ]  # what overflows on the way depends on the CPU
    args = [vt.to_tensor(given)] if name in UNARY else [vt.to_tensor(given), vt.to_tensor(given[:, None])]

    def fn(*given: Any) -> Any:
        return use(*given)

    with np.errstate(all="ignore"):
        sizes = np.abs(args[0].numpy()) * np.abs(args[-1].numpy()) if name in ("multiply", "square") else 0.0
        same(vt.jit.to_static(fn)(*args).numpy(), fn(*args).numpy(), name, sizes)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("axis", [None, 0, 1, []])
def test_means_of_special_values_are_those_of_eager_mode(axis: Any, dtype: str) -> None:
    compiled = vt.to_static(lambda t: t.mean(axis))
    for pairs in (EVERY.reshape(-1, 3), EVERY.reshape(3, -1), EVERY[:0].reshape(2, 0)):
        for row in (pairs, pairs[:1]):
            x = vt.to_tensor(row.astype(dtype))
            with np.errstate(all="ignore"):
                np.testing.assert_allclose(compiled(x).numpy(), x.mean(axis).numpy(), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["bool", "complex128", "float32", "int64"])
def test_casts_are_those_of_eager_mode(dtype: str) -> None:
    x = vt.to_tensor(np.array([0, 1j, 2, -0.5 + 1j, 3], "complex64"))

    def fn(x: Any) -> Any:
        return (x * 1.0).astype(dtype)

    np.testing.assert_array_equal(vt.jit.to_static(fn)(x).numpy(), fn(x).numpy())


def test_large_exponents_that_fit_do_not_overflow() -> None:
    x = vt.to_tensor(np.array([709.9 + 0.78j, -740 + 1j, 1000 + 0j], "complex128"))
    np.testing.assert_allclose(
        vt.jit.to_static(lambda x: vt.exp(x))(x).numpy(), vt.exp(x).numpy(), rtol=1e-12, atol=1e-322
    )


def test_every_rule_is_a_rows() -> None:
    assert set(PART_RULES) <= set(OPS)
    assert len(PART_RULES) > 40


@pytest.mark.parametrize(("dtype", "real"), [("complex64", "float32"), ("complex128", "float64")])
def test_roots_of_all_sizes_and_signs(dtype: str, real: str) -> None:
    few = np.finfo(real)
    sizes = [0.0, few.smallest_subnormal, few.tiny, few.eps, 1.0, 3.0, few.max / 4, few.max, np.inf, np.nan]
    x = np.array([complex(a * i, b * k) for a, b in itertools.product(sizes, sizes) for i in (1, -1) for k in (1, -1)])
    x = np.concatenate([x.astype(dtype), (RNG.normal(size=999) + 1j * RNG.normal(size=999)).astype(dtype)])
    for way in (vt.sqrt, lambda x: x**0.5):
        found, wanted = vt.to_static(way)(vt.to_tensor(x)).numpy(), np.sqrt(x)
        assert found.dtype == wanted.dtype
        for part in (np.real, np.imag):
            a, b = part(found), part(wanted)
            np.testing.assert_allclose(a, b, rtol=4 * few.eps, atol=2 * few.smallest_subnormal)
            known = ~np.isnan(b)
            np.testing.assert_array_equal(np.signbit(a)[known], np.signbit(b)[known])


@pytest.mark.parametrize("axis", [0, 1, -1, [0, 2], None])
@pytest.mark.parametrize("shape", [(5, 7, 3), (1, 2, 64), (3, 100, 1), (2, 0, 3)])
def test_products_along_axes(shape: tuple[int, ...], axis: Any) -> None:
    x = numbers(*shape, dtype="complex128")
    check(lambda x: (vt.prod(x, axis), vt.prod(x, axis, keepdim=True)), x, rtol=1e-10)
