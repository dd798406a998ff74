"""Element types in eager mode and compiled: complex numbers, float16 and bfloat16, promotion, limits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, DTypeError, ShapeError

Z = np.array([[1 + 2j, -0.5 - 1j], [0.3 + 0.1j, 2 - 0.7j]])

HOLOMORPHIC: list[tuple[str, Any]] = [
    ("add", lambda z: z + (1 - 2j)), ("subtract", lambda z: 1j - z), ("multiply", lambda z: z * z * 3),
    ("divide", lambda z: 1 / z + z / (1 + 1j)), ("neg", lambda z: -z), ("square", vt.square), ("exp", vt.exp),
    ("log", vt.log), ("sqrt", vt.sqrt), ("sin", vt.sin), ("cosh", vt.cosh), ("tanh", vt.tanh), ("pow", lambda z: z**3),
    ("reciprocal", vt.reciprocal), ("sum", lambda z: vt.sum(z, axis=0)), ("mean", lambda z: vt.mean(z, axis=1)),
    ("prod", lambda z: vt.prod(z, axis=0)), ("matmul", lambda z: z @ z), ("rsqrt", vt.rsqrt), ("atan", vt.atan),
    ("cumsum", lambda z: vt.cumsum(z, 0)), ("cumprod", lambda z: vt.cumprod(z, 1)), ("sigmoid", vt.nn.functional.sigmoid),
    ("tensordot", lambda z: vt.tensordot(z, z, 1)), ("outer", lambda z: vt.outer(z[0], z[1])), ("tril", lambda z: vt.tril(z) * z),
]  # fmt: skip
REAL_RESULTS: list[tuple[str, Any]] = [
    ("abs", vt.abs), ("real", vt.real), ("imag", vt.imag), ("angle", vt.angle), ("as_real", vt.as_real),
    ("conj", lambda z: vt.real(vt.conj(z) * z * z)), ("index", lambda z: vt.abs(z[0]) * vt.real(z[:, 1])),
    ("concat", lambda z: vt.imag(vt.concat([z, z * z], axis=1))), ("cast", lambda z: vt.abs(z * z.real())),
    ("transpose", lambda z: vt.abs(z.T @ z)), ("where", lambda z: vt.real(vt.where(z.real() > 0, z * z, z))),
]  # fmt: skip
CASES = [(n, lambda z, f=f: vt.as_real(f(z))) for n, f in HOLOMORPHIC] + REAL_RESULTS


@pytest.mark.parametrize(("name", "fn"), CASES, ids=[n for n, _ in CASES])
def test_complex_gradients_are_slopes(name: str, fn: Any) -> None:
    """Along a direction d the slope of a real result is Re(conj(gradient) d): Paddle's and torch's convention."""
    z = vt.to_tensor(Z, stop_gradient=False)
    y = fn(z)
    weights = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)
    (y * vt.to_tensor(weights)).sum().backward()
    way = np.random.default_rng(1).normal(size=Z.shape) + 1j * np.random.default_rng(2).normal(size=Z.shape)

    def value(at: Any) -> float:
        return float(np.sum(fn(vt.to_tensor(at)).numpy() * weights))

    numeric = (value(Z + 1e-6 * way) - value(Z - 1e-6 * way)) / 2e-6
    assert z.grad is not None
    assert np.sum((np.conj(z.grad.numpy()) * way).real) == pytest.approx(numeric, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(("name", "fn"), CASES, ids=[n for n, _ in CASES])
def test_complex_values_compiled_are_the_eager_ones(name: str, fn: Any) -> None:
    z = vt.to_tensor(Z)
    np.testing.assert_allclose(vt.to_static(fn)(z).numpy(), fn(z).numpy(), rtol=1e-12)


def test_a_compiled_complex_gradient_is_the_eager_one() -> None:
    def step(z: Any) -> Any:
        (g,) = vt.grad(vt.abs(vt.exp(z) * z).sum(), z)
        return g

    z = vt.to_tensor(Z, stop_gradient=False)
    np.testing.assert_allclose(vt.to_static(step)(z).numpy(), step(z).numpy(), rtol=1e-12)


def test_real_tensors_have_parts_too() -> None:
    x = vt.to_tensor([-1.0, 2.0, np.nan])
    assert vt.conj(x) is x
    assert vt.real(x) is x
    assert vt.imag(x).tolist() == [0.0, 0.0, 0.0]
    np.testing.assert_allclose(vt.angle(x).numpy(), np.angle(x.numpy()))


def test_complex_numbers_from_parts() -> None:
    np.testing.assert_allclose(
        vt.complex(vt.to_tensor([[1.0], [2.0]]), vt.to_tensor([3.0])).numpy(), [[1 + 3j], [2 + 3j]]
    )
    np.testing.assert_allclose(vt.polar(vt.to_tensor([2.0]), vt.to_tensor([np.pi / 2])).numpy(), [2j], atol=1e-6)
    pairs = vt.to_tensor(np.arange(6.0).reshape(3, 2))
    assert vt.as_complex(pairs).dtype is vt.complex128
    np.testing.assert_array_equal(vt.as_real(vt.as_complex(pairs)).numpy(), pairs.numpy())


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: vt.as_complex(vt.ones([3])), ShapeError, "last axis of size 2"),
        (lambda: vt.as_complex(vt.ones([2], "int64")), DTypeError, "float32"),
        (lambda: vt.as_real(vt.ones([2])), DTypeError, "complex tensor"),
        (lambda: vt.angle(vt.ones([2], "int64")), DTypeError, "angle needs"),
        (lambda: vt.is_complex([1j]), TypeError, "needs a Tensor"),
        (lambda: vt.to_tensor([1j]) < 1, DTypeError, "complex64"),
        (lambda: vt.finfo("int32"), ArgumentError, "iinfo"),
        (lambda: vt.iinfo("float32"), ArgumentError, "finfo"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()


def test_kinds_of_tensors() -> None:
    kinds = {name: vt.ones([2], name) for name in ("complex64", "float16", "int8")}
    assert [(vt.is_complex(x), vt.is_floating_point(x), vt.is_integer(x)) for x in kinds.values()] == [
        (True, False, False), (False, True, False), (False, False, True),
    ]  # fmt: skip
    assert [x.element_size() for x in kinds.values()] == [8, 2, 1]


LOW = ["float16", pytest.param("bfloat16", marks=pytest.mark.needs("ml_dtypes"))]
LOW_CASES: list[tuple[str, Any]] = [
    ("arithmetic", lambda x: x * 2 + x / 3 - 1), ("functions", lambda x: vt.exp(vt.tanh(x)) + vt.sqrt(vt.abs(x))),
    ("sums", lambda x: x.sum(axis=0) + x.mean(axis=0)), ("matmul", lambda x: x @ x.T),
    ("softmax", lambda x: vt.nn.functional.softmax(x, axis=-1)), ("max", lambda x: x.max(axis=1)),
    ("index", lambda x: x[0, 1:] * x[1, 1:]), ("concat", lambda x: vt.concat([x, -x])),
    ("where", lambda x: vt.where(x > 0, x, x * 2)), ("clip", lambda x: vt.clip(x, -0.5, 0.5)),
    ("einsum", lambda x: vt.einsum("ij,kj->ik", x, x)), ("norm", lambda x: vt.norm(x, axis=1)),
    ("layer_norm", lambda x: vt.nn.functional.layer_norm(x, 4)), ("std", lambda x: vt.std(x, axis=0)),
]  # fmt: skip


@pytest.mark.parametrize("dtype", LOW)
@pytest.mark.parametrize(("name", "fn"), LOW_CASES, ids=[n for n, _ in LOW_CASES])
def test_short_floats_are_computed_in_float32(dtype: str, name: str, fn: Any) -> None:
    x = vt.to_tensor(np.random.default_rng(3).normal(size=(3, 4)).astype("float32")).astype(dtype)
    x.stop_gradient = False
    y = fn(x)
    assert y.dtype == dtype
    wide = x.detach().astype("float32")
    wide.stop_gradient = False
    expected = fn(wide)
    close = {"rtol": 0.03, "atol": 0.03}
    np.testing.assert_allclose(y.astype("float32").numpy(), expected.numpy(), **close)
    np.testing.assert_allclose(vt.to_static(fn)(x).astype("float32").numpy(), y.astype("float32").numpy(), **close)
    y.sum().backward()
    expected.sum().backward()
    assert x.grad is not None
    assert wide.grad is not None
    assert x.grad.dtype == dtype
    np.testing.assert_allclose(x.grad.astype("float32").numpy(), wide.grad.numpy(), rtol=0.05, atol=0.06)


def test_a_sum_of_many_float16_is_exact_to_its_last_bit() -> None:
    assert float(vt.full([4096], 1.0, "float16").sum()) == 4096.0


@pytest.mark.needs("ml_dtypes")
@pytest.mark.parametrize(
    ("a", "b", "made"),
    [
        ("float16", "bfloat16", "float32"), ("bfloat16", "float32", "float32"), ("bfloat16", "int64", "bfloat16"),
        ("float16", "bool", "float16"), ("float32", "complex64", "complex64"), ("float64", "complex64", "complex128"),
        ("int32", "complex64", "complex64"), ("uint8", "int8", "int16"), ("int32", "float16", "float16"),
    ],
)  # fmt: skip
def test_promotion(a: str, b: str, made: str) -> None:
    assert (vt.ones([2], a) + vt.ones([2], b)).dtype == made
    assert (vt.ones([2], b) * vt.ones([2], a)).dtype == made


@pytest.mark.needs("ml_dtypes")
def test_bfloat16_goes_through_files_and_arrays(tmp_path: Any) -> None:
    x = vt.to_tensor([1.0, 2.5, -3.0], dtype="bfloat16")
    assert x.numpy().dtype.name == "bfloat16"
    vt.save({"x": x}, tmp_path / "x.pdparams")
    again = vt.load(tmp_path / "x.pdparams")["x"]
    assert again.dtype is vt.bfloat16
    assert again.astype("float32").tolist() == [1.0, 2.5, -3.0]


@pytest.mark.needs("ml_dtypes")
def test_limits_are_numpys() -> None:
    import ml_dtypes

    for name in ("float16", "float32", "float64", "bfloat16"):
        ours, theirs = vt.finfo(name), (ml_dtypes if name == "bfloat16" else np).finfo(name)
        for field in ("min", "max", "eps", "resolution", "smallest_normal", "tiny", "bits"):
            assert getattr(ours, field) == pytest.approx(float(getattr(theirs, field)), rel=2e-3), (name, field)
    for name in ("uint8", "int8", "int16", "int32", "int64"):
        assert (vt.iinfo(name).min, vt.iinfo(name).max) == (np.iinfo(name).min, np.iinfo(name).max)
    assert vt.finfo("complex64").bits == 32


def test_predicates_of_complex_numbers() -> None:
    z = vt.to_tensor([1 + 1j, complex(np.nan, 0), complex(0, np.inf)])
    assert vt.isnan(z).tolist() == [False, True, False]
    assert vt.isinf(z).tolist() == [False, False, True]
    assert vt.isfinite(z).tolist() == [True, False, False]
    assert bool(vt.allclose(z[:1], z[:1] + 1e-9))


@pytest.mark.parametrize("dtype", LOW)
def test_a_short_default_dtype(dtype: str) -> None:
    vt.set_default_dtype(dtype)
    try:
        assert vt.rand([3]).dtype == vt.ones([1]).dtype == vt.randn([2]).dtype == dtype
        assert vt.nn.Linear(2, 2)(vt.rand([3, 2])).dtype == dtype
    finally:
        vt.set_default_dtype("float32")


def test_the_default_dtype() -> None:
    vt.set_default_dtype("float64")
    try:
        assert vt.get_default_dtype() == "float64"
        assert vt.ones([1]).dtype is vt.float64
        assert vt.to_tensor([1j]).dtype is vt.complex128
    finally:
        vt.set_default_dtype("float32")


def test_whole_bfloat16_numbers_print_as_floats() -> None:
    assert "[1.        , 2.50000000]" in repr(vt.to_tensor([1.0, 2.5], "bfloat16"))
    assert "[1., 2.]" in repr(vt.to_tensor([1.0, 2.0], "bfloat16"))


def test_the_resolution_of_a_float_is_a_power_of_ten() -> None:
    assert [vt.finfo(name).resolution for name in ("float16", "bfloat16", "float32", "float64")] == [
        1e-3,
        1e-2,
        1e-6,
        1e-15,
    ]


def test_clip_makes_floats_of_integers_between_floats() -> None:
    x = vt.to_tensor(np.array([1, 2, 30], np.int32))
    for low, high in ((1.5, None), (None, 2.5), (1.0, 3), (1, math.inf)):
        y = x.clip(low, high)
        assert y.dtype is vt.float32
        np.testing.assert_array_equal(y.numpy(), np.clip(x.numpy(), low, high).astype(np.float32))
    assert x.clip(2, 3).dtype is vt.int32
    assert x.clip_(1.5, math.inf).tolist() == [1, 2, 30] and x.clip_(max=2.5).tolist() == [1, 2, 2]
    assert x.dtype is vt.int32


def test_the_dtype_of_a_fill_value() -> None:
    found = [vt.full([2], value).dtype for value in (3, 3.0, np.int64(3), True, 1j)]
    assert found == [vt.float32, vt.float32, vt.float32, vt.bool, vt.complex128]
    vt.set_default_dtype("float64")
    try:
        assert vt.full([2], 3).dtype is vt.float64
    finally:
        vt.set_default_dtype("float32")
