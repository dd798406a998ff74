"""Systems, inverses, determinants and factors of small matrices in kernels: against NumPy, with its errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError

Array = np.ndarray[Any, Any]
SIZES = [1, 2, 3, 4, 7, 16, 32, 33]
ONE: dict[str, Callable[[Any], Any]] = {
    "inv": lambda x: vt.linalg.inv(x),
    "det": lambda x: vt.linalg.det(x),
    "slogdet": lambda x: vt.linalg.slogdet(x),
    "cholesky": lambda x: vt.linalg.cholesky(x),
    "cholesky of the upper triangle": lambda x: vt.linalg.cholesky(x, upper=True),
}


def _matrices(n: int, dtype: str, *, definite: bool = False) -> Array:
    made = np.random.default_rng(n).standard_normal((3, n, n))
    made[1] = made[1][::-1]  # rows must be exchanged
    return (made @ np.swapaxes(made, 1, 2) + n * np.eye(n) if definite else made).astype(dtype)


def _close(found: Any, expected: Any, dtype: str, scale: float = 1.0) -> None:
    tolerance = (2e-3 if dtype == "float32" else 1e-9) * scale
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", list(ONE))
def test_one_matrix(name: str, dtype: str) -> None:
    function = ONE[name]
    for n in SIZES:
        x = vt.to_tensor(_matrices(n, dtype, definite=name.startswith("chol")))
        _close(vt.to_static(lambda x: function(x))(x), function(x), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("columns", [1, 2, 9])
def test_systems(columns: int, dtype: str) -> None:
    for n in SIZES:
        a, b = vt.to_tensor(_matrices(n, dtype)), vt.to_tensor(np.ones((n, columns), dtype))  # leading axes broadcast
        _close(vt.to_static(vt.linalg.solve)(a, b), vt.linalg.solve(a, b), dtype)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("unit", [False, True])
def test_triangles(upper: bool, transpose: bool, unit: bool) -> None:
    def solved(a: Any, b: Any) -> Any:
        return vt.linalg.triangular_solve(a, b, upper=upper, transpose=transpose, unitriangular=unit)

    for n in (1, 3, 40):
        x = _matrices(n, "float64") / n + 2 * np.eye(n)
        a, b = vt.to_tensor(x), vt.to_tensor(np.random.default_rng(1).standard_normal((3, n, 5)))
        _close(vt.to_static(solved)(a, b), solved(a, b), "float64")


@pytest.mark.parametrize("name", ["inv", "solve", "cholesky", "triangular_solve"])
def test_errors_are_those_of_eager_mode(name: str) -> None:
    x = vt.to_tensor(np.array([[[2.0, 1], [1, 2]], [[1, 2], [2, 4]]]) - (name == "triangular_solve") * np.eye(2))
    call = {
        "inv": lambda x: vt.linalg.inv(x), "cholesky": lambda x: vt.linalg.cholesky(x - vt.eye(2, dtype="float64")),
        "solve": lambda x: vt.linalg.solve(x, x), "triangular_solve": lambda x: vt.linalg.triangular_solve(x, x),
    }[name]  # fmt: skip
    with pytest.raises(ArgumentError) as eager:
        call(x)
    with pytest.raises(ArgumentError) as compiled:
        vt.to_static(call)(x)
    assert str(compiled.value).splitlines()[0] == str(eager.value).splitlines()[0]
    assert compiled.value.remedy == eager.value.remedy


def _low_rank(rng: Any, n: int, kind: str) -> Array:
    """Singular but for rounding: what elimination finds depends on each bit of the way."""
    if kind == "integers":
        return np.asarray(rng.integers(-3, 4, (n, 1)) @ rng.integers(-3, 4, (1, n)), np.float64)
    if kind == "equal rows":
        made = rng.standard_normal((n, n))
        made[-1] = made[0]
        return np.asarray(made)
    return np.asarray(rng.standard_normal((n, max(1, n - 1))) @ rng.standard_normal((max(1, n - 1), n)))


def _outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        made = function(*arguments)
    except ArgumentError:
        return "refused"
    parts = made if isinstance(made, (tuple, list)) else [made]
    return [tuple((part.numpy() == 0).ravel()) for part in parts]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("sizes", ["known", "of the run"])
@pytest.mark.parametrize("name", [*ONE, "solve"])
def test_eager_mode_and_kernels_find_the_same_matrices_singular(name: str, sizes: str, dtype: str) -> None:
    rng, function = np.random.default_rng(7), ONE.get(name, lambda x: vt.linalg.solve(x, vt.ones_like(x)))
    definite = name.startswith("chol")
    for n in (2, 3, 4, 9) if sizes == "known" else (4,):
        spec = [vt.InputSpec([n, n] if sizes == "known" else [None, None], dtype)]
        compiled = vt.to_static(lambda x: function(x), input_spec=spec)
        for size in (n,) if sizes == "known" else (1, 2, 3, 4, 9):
            for kind in ("integers", "equal rows", "real") * 4:
                low = _low_rank(rng, size, kind)
                x = vt.to_tensor((low @ low.T if definite else low).astype(dtype))
                assert _outcome(compiled, x) == _outcome(function, x), (size, kind)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["inv", "solve"])
def test_eager_mode_and_programs_find_the_same_complex_matrices_singular(name: str, dtype: str) -> None:
    rng, function = np.random.default_rng(8), ONE.get(name, lambda x: vt.linalg.solve(x, vt.ones_like(x)))
    for n in (1, 2, 4, 9):
        compiled = vt.to_static(lambda x: function(x), input_spec=[vt.InputSpec([n, n], dtype)])
        for kind in ("integers", "equal rows", "real") * 4:
            low = _low_rank(rng, n, kind) * (1 + 2j) + (1j * _low_rank(rng, n, "integers") if kind == "real" else 0)
            x = vt.to_tensor(low.astype(dtype))
            assert _outcome(compiled, x) == _outcome(function, x), (n, kind)
    zeros = vt.zeros([3, 3], dtype)
    with pytest.raises(ArgumentError, match=f"{name}: Singular matrix"):
        function(zeros)
    with pytest.raises(ArgumentError, match=f"{name}: Singular matrix"):
        vt.to_static(lambda x: function(x))(zeros)


def test_a_handler_asks_as_the_kernel_does() -> None:
    def solved(x: Any, y: Any) -> Any:
        try:
            return vt.linalg.solve(x, y)
        except ArgumentError:
            return y - 100.0

    compiled, rng = vt.to_static(solved), np.random.default_rng(5)
    for _ in range(20):
        x = vt.to_tensor((rng.standard_normal((4, 1)) @ rng.standard_normal((1, 4))).astype("float32"))
        y = vt.to_tensor(rng.standard_normal((4, 1)).astype("float32"))
        np.testing.assert_allclose(compiled(x, y).numpy(), solved(x, y).numpy(), rtol=1e-5)


def test_a_failing_call_leaves_state_as_it_was() -> None:
    class Filter(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", vt.zeros([2, 2]))

        def forward(self, x: Any) -> Any:
            made = vt.linalg.inv(x)
            self.count.set_value(self.count + 1.0)
            return made

    layer = vt.to_static(Filter())
    layer(vt.eye(2))
    with pytest.raises(ArgumentError):
        layer(vt.zeros([2, 2]))
    assert layer.count.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_singular_and_missing_numbers() -> None:
    x = np.stack([np.zeros((3, 3)), np.full((3, 3), np.nan), np.diag([1e-200, 1e-200, 1e300])])

    def sizes(x: Any) -> Any:
        return vt.linalg.det(x), vt.linalg.slogdet(x)

    found, expected = vt.to_static(sizes)(vt.to_tensor(x)), sizes(vt.to_tensor(x))
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-10)


def test_a_loop_with_small_systems_is_one_kernel() -> None:
    def filtered(p: Any, h: Any, n: int) -> Any:
        for _ in range(n):
            gain = vt.linalg.solve(h @ p @ h.transpose([1, 0]) + vt.eye(2, dtype="float64"), h @ p)
            p = p - p @ h.transpose([1, 0]) @ gain
        return p

    spec = [vt.InputSpec([3, 3], "float64"), vt.InputSpec([2, 3], "float64"), vt.InputSpec([], "int64")]
    compiled = vt.to_static(filtered, input_spec=spec)
    p, h = vt.eye(3, dtype="float64"), vt.to_tensor(np.array([[1.0, 0.5, 0], [0, 1, 0.25]]))
    _close(compiled(p, h, vt.to_tensor(5)), filtered(p, h, 5), "float64")
    assert "one kernel" in str(compiled.explain())


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_small_products(turned: tuple[bool, bool], dtype: str) -> None:
    def multiplied(x: Any, y: Any) -> Any:
        made = vt.matmul(x, y, transpose_x=turned[0], transpose_y=turned[1])
        for _ in range(vt.full([], 2, "int64")):
            made = made + vt.matmul(x, y, transpose_x=turned[0], transpose_y=turned[1])
        return made

    for m, k, n, lead in ((3, 4, 5, (7,)), (1, 1, 1, ()), (16, 16, 16, (2, 3)), (3, 0, 2, ()), (2, 40, 2, (5,))):
        rng = np.random.default_rng(m)
        x = rng.integers(-9, 9, (*lead, *((k, m) if turned[0] else (m, k)))).astype(dtype)
        y = rng.integers(-9, 9, (n, k) if turned[1] else (k, n)).astype(dtype)
        found = vt.to_static(multiplied)(vt.to_tensor(x), vt.to_tensor(y))
        expected = np.matmul(np.swapaxes(x, -1, -2) if turned[0] else x, y.T if turned[1] else y)
        np.testing.assert_array_equal(found.numpy(), 3 * expected)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_stacks_of_small_products(turned: tuple[bool, bool], dtype: str) -> None:
    """A kernel for all matrices of a stack; the number of matrices may be unknown, and leading axes broadcast."""

    def multiplied(x: Any, y: Any) -> Any:
        return vt.matmul(x, y, transpose_x=turned[0], transpose_y=turned[1])

    stacks = (((9,), (9,)), ((5, 1), (1, 4)), ((0,), (1,)), ((6,), (1,)), ((1,), (3,)))
    for (m, k, n), (first, second) in zip(
        ((3, 3, 3), (4, 4, 4), (2, 5, 8), (3, 2, 1), (16, 3, 4)), stacks, strict=True
    ):
        rng = np.random.default_rng(m)
        x = rng.integers(-9, 9, (*first, *((k, m) if turned[0] else (m, k)))).astype(dtype)
        y = rng.integers(-9, 9, (*second, *((n, k) if turned[1] else (k, n)))).astype(dtype)
        spec = [vt.InputSpec([*(None if d > 1 else d for d in a.shape[:-2]), *a.shape[-2:]], dtype) for a in (x, y)]
        expected = np.matmul(np.swapaxes(x, -1, -2) if turned[0] else x, np.swapaxes(y, -1, -2) if turned[1] else y)
        for compiled in (vt.to_static(multiplied), vt.to_static(multiplied, input_spec=spec)):
            np.testing.assert_array_equal(compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy(), expected)


@pytest.mark.parametrize("dtype", ["float64", "int64"])
def test_products_with_vectors(dtype: str) -> None:
    def multiplied(a: Any, v: Any, w: Any) -> Any:
        for _ in range(vt.full([], 3, "int64")):
            v = vt.matmul(a, v) + vt.matmul(v, w) + vt.matmul(v, vt.matmul(a, w))
        return v

    rng = np.random.default_rng(0)
    arrays = [vt.to_tensor(rng.integers(-3, 3, shape).astype(dtype)) for shape in ((4, 4), (4,), (4, 4))]
    np.testing.assert_array_equal(vt.to_static(multiplied)(*arrays).numpy(), multiplied(*arrays).numpy())


def test_products_of_integers_wrap_around() -> None:
    x = np.full((2, 2), 2**62, np.int64)
    found = vt.to_static(vt.matmul, input_spec=[vt.InputSpec([None, None], "int64")] * 2)(*[vt.to_tensor(x)] * 2)
    np.testing.assert_array_equal(found.numpy(), np.matmul(x, x))
