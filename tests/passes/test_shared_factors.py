"""Operations that factorise one large matrix share its factors: values, gradients, errors, and how often it happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError
from vitrify.runtime.vm import lapack

pytestmark = pytest.mark.skipif(not lapack.serves(), reason="scipy_openblas32 is not installed")
Array = np.ndarray[Any, Any]
TOLERANCE = {"float32": 1e-3, "float64": 1e-9}


def _matrices(n: int, dtype: str, *lead: int) -> Array:
    """Of determinants that float32 has, with rows to exchange."""
    made = np.linalg.qr(np.random.default_rng(n).standard_normal((*lead, n, n))).Q
    return (made * np.exp2(np.linspace(-1, 1, n)))[..., ::-1, :].astype(dtype)


def _sides(n: int, dtype: str, *lead: int) -> Array:
    return np.random.default_rng(1).standard_normal((*lead, n, 3)).astype(dtype)


def _factorisations(compiled: Any) -> int:
    """How many operations factorise a matrix."""
    lines = str(compiled.dump("linearised")).splitlines()
    names = ("lu_transposed", "solve", "inv", "det", "slogdet", "cofactor")
    return sum(any(f" {name} " in f" {line.replace('(', ' ')} " for name in names) for line in lines)


def _solve_slopes(a: Any, b: Any) -> Any:
    a.stop_gradient = b.stop_gradient = False
    made = vt.linalg.solve(a, b)
    return [made, *vt.grad((made * made).sum(), [a, b])]


def _det_slopes(a: Any, b: Any) -> Any:
    a.stop_gradient = False
    made = vt.linalg.det(a)
    return [made, *vt.grad((made * made).sum(), [a])]


def _slogdet_slopes(a: Any, b: Any) -> Any:
    a.stop_gradient = False
    made = vt.linalg.slogdet(a)
    return [made, *vt.grad(made[1].sum(), [a])]


def _all(a: Any, b: Any) -> Any:
    across = vt.swapaxes(a, -1, -2)
    return [
        vt.linalg.inv(a), vt.linalg.inv(across), vt.linalg.solve(a, b), vt.linalg.solve(across, b), vt.linalg.det(a),
        vt.linalg.det(across), vt.linalg.slogdet(a), vt.linalg.solve(a, b, left=True),
    ]  # fmt: skip


SHARED: dict[str, Callable[[Any, Any], Any]] = {
    "solve": _solve_slopes, "det": _det_slopes, "slogdet": _slogdet_slopes, "all": _all,
}  # fmt: skip


def _compare(found: Any, expected: Any, dtype: str) -> None:
    for a, b in zip(found, expected, strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype
        scale = max(1.0, float(np.abs(b.numpy()).max()))
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=0, atol=TOLERANCE[dtype] * scale)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("name", list(SHARED))
def test_one_factorisation(name: str, dtype: str) -> None:
    for n, lead in ((33, ()), (64, ()), (40, (3,))):
        a, b = vt.to_tensor(_matrices(n, dtype, *lead)), vt.to_tensor(_sides(n, dtype, *lead))
        compiled = vt.to_static(SHARED[name])
        for _ in range(2):
            _compare(compiled(a, b), SHARED[name](a, b), dtype)
        assert _factorisations(compiled) == 1


def test_one_matrix_for_many_sides() -> None:
    """The matrix isn't repeated for the sides of a stack, nor a stack's for those of a larger one."""
    for lead, more in (((), (4,)), ((1, 2), (3, 2))):
        a, b = vt.to_tensor(_matrices(35, "float64", *lead)), vt.to_tensor(_sides(35, "float64", *more))
        compiled = vt.to_static(_solve_slopes)
        _compare(compiled(a, b), _solve_slopes(a, b), "float64")
        assert _factorisations(compiled) == 1


@pytest.mark.parametrize("n", [4, 32])
def test_small_matrices_are_eliminated(n: int) -> None:
    a, b = vt.to_tensor(_matrices(n, "float64")), vt.to_tensor(_sides(n, "float64"))
    compiled = vt.to_static(_solve_slopes)
    _compare(compiled(a, b), _solve_slopes(a, b), "float64")
    assert "lu_transposed" not in str(compiled.dump("linearised"))


def test_a_single_operation_keeps_its_kernel() -> None:
    a, b = vt.to_tensor(_matrices(50, "float64")), vt.to_tensor(_sides(50, "float64"))
    compiled = vt.to_static(lambda a, b: vt.linalg.solve(a, b))
    compiled(a, b)
    assert "lu_transposed" not in str(compiled.dump("linearised"))


def test_sizes_that_calls_choose() -> None:
    spec = [vt.InputSpec(["n", "n"], "float64"), vt.InputSpec(["n", 3], "float64")]
    compiled = vt.to_static(_solve_slopes, input_spec=spec)
    for n in (40, 3, 33):
        a, b = vt.to_tensor(_matrices(n, "float64")), vt.to_tensor(_sides(n, "float64"))
        _compare(compiled(a, b), _solve_slopes(a, b), "float64")


def test_a_loop_that_leaves_the_matrix_alone() -> None:
    """It is factorised once, before the loop, not at each step."""

    def steps(a: Any, b: Any, count: Any) -> Any:
        for _ in range(count):
            b = vt.linalg.solve(a, b)
        return b

    a, b, count = vt.to_tensor(_matrices(40, "float64")), vt.to_tensor(_sides(40, "float64")), vt.to_tensor(3)
    compiled = vt.to_static(steps)
    _compare([compiled(a, b, count)], [steps(a, b, 3)], "float64")
    text = str(compiled.dump("after shared_factors"))
    assert text.index("lu_transposed") < text.index("for ")
    _compare([compiled(a, b, vt.to_tensor(0))], [b], "float64")
    a[3] = 0.0
    _compare([compiled(a, b, vt.to_tensor(0))], [b], "float64")
    with pytest.raises(ArgumentError, match="solve: Singular matrix"):
        compiled(a, b, count)


def test_a_loop_that_changes_the_matrix() -> None:
    def steps(a: Any, b: Any, count: Any) -> Any:
        total = b * 0.0
        for _ in range(count):
            total = total + vt.linalg.solve(a, b) + vt.linalg.solve(vt.swapaxes(a, 0, 1), b)
            a = a + 1.0
        return total

    a, b = vt.to_tensor(_matrices(40, "float64")), vt.to_tensor(_sides(40, "float64"))
    compiled = vt.to_static(steps)
    _compare([compiled(a, b, vt.to_tensor(3))], [steps(a, b, 3)], "float64")


def test_branches() -> None:
    def chosen(a: Any, b: Any) -> Any:
        if b.sum() > 0:
            return vt.linalg.solve(a, b) + vt.linalg.solve(vt.swapaxes(a, 0, 1), b)
        return vt.linalg.inv(a) @ b

    a, b = vt.to_tensor(_matrices(40, "float64")), _sides(40, "float64")
    compiled = vt.to_static(chosen)
    for sides in (np.abs(b), -np.abs(b)):
        _compare([compiled(a, vt.to_tensor(sides))], [chosen(a, vt.to_tensor(sides))], "float64")


@pytest.mark.parametrize("name", ["solve", "inv"])
def test_errors_are_those_of_eager_mode(name: str) -> None:
    """In a step that would update a weight: it stays as it is."""
    weight = vt.to_tensor(np.ones((40, 3)), stop_gradient=False)

    def step(x: Any) -> Any:
        made = vt.linalg.slogdet(x)[1] + (vt.linalg.solve(x, weight) if name == "solve" else vt.linalg.inv(x)).sum()
        weight.set_value(weight + made)
        return made

    compiled, x = vt.to_static(step), np.eye(40)
    compiled(vt.to_tensor(x))
    kept = weight.numpy().copy()
    x[7, 7] = 0.0
    with pytest.raises(ArgumentError) as found:
        compiled(vt.to_tensor(x))
    np.testing.assert_array_equal(weight.numpy(), kept)
    with pytest.raises(ArgumentError) as eager:
        step(vt.to_tensor(x))
    assert str(found.value).splitlines()[0] == str(eager.value).splitlines()[0]
    assert found.value.remedy == eager.value.remedy


def test_singular_matrices_have_determinants_and_gradients() -> None:
    x = np.stack([_matrices(40, "float64"), np.zeros((40, 40)), np.full((40, 40), np.nan)])
    x[1] = x[0]
    x[1, 5] = x[1, 4]
    compiled = vt.to_static(_det_slopes)
    found, expected = compiled(vt.to_tensor(x), None), _det_slopes(vt.to_tensor(x), None)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-8, atol=1e-12)
    assert _factorisations(compiled) == 1


def test_gradients_against_differences() -> None:
    a, b = _matrices(34, "float64"), _sides(34, "float64")
    ways = [np.random.default_rng(k).standard_normal(x.shape) for k, x in enumerate((a, b))]

    def loss(a: Any, b: Any) -> Any:
        return (vt.linalg.solve(a, b) ** 2).sum() + vt.linalg.det(a) + vt.linalg.slogdet(a)[1] + vt.linalg.inv(a).sum()

    def slopes(a: Any, b: Any) -> Any:
        a.stop_gradient = b.stop_gradient = False
        return vt.grad(loss(a, b), [a, b])

    compiled = vt.to_static(slopes)
    found = compiled(vt.to_tensor(a), vt.to_tensor(b))
    along = sum(float((g.numpy() * w).sum()) for g, w in zip(found, ways, strict=True))
    ends = [float(loss(*(vt.to_tensor(x + s * w) for x, w in zip((a, b), ways, strict=True)))) for s in (1e-6, -1e-6)]
    assert along == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)
    assert _factorisations(compiled) == 1


def test_two_threads() -> None:
    before = vt.get_num_threads()
    a, b = vt.to_tensor(_matrices(40, "float64", 23)), vt.to_tensor(_sides(40, "float64", 23))
    try:
        vt.set_num_threads(2)
        _compare(vt.to_static(_solve_slopes)(a, b), _solve_slopes(a, b), "float64")
        _compare(vt.to_static(_slogdet_slopes)(a, b), _slogdet_slopes(a, b), "float64")
    finally:
        vt.set_num_threads(before)


def test_without_openblas_numpy_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lapack, "serves", lambda: False)
    a, b = vt.to_tensor(_matrices(35, "float64", 2)), vt.to_tensor(_sides(35, "float64", 2))
    for function in SHARED.values():
        _compare(vt.to_static(lambda a, b, function=function: function(a, b))(a, b), function(a, b), "float64")
