"""Functions under other libraries' names, against NumPy; methods that Paddle has beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, GradientError, KindError, ShapeError

X = np.arange(12, dtype=np.float64).reshape(3, 4) - 5.0


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (lambda x: x.permute(1, 0), X.T),
        (lambda x: vt.permute(x, [1, 0]), X.T),
        (lambda x: vt.narrow(x, 1, 1, 2), X[:, 1:3]),
        (lambda x: vt.narrow(x, 0, -2, 2), X[-2:]),
        (lambda x: vt.fliplr(x), np.fliplr(X)),
        (lambda x: vt.flipud(x), np.flipud(X)),
        (lambda x: vt.aminmax(x)[0], X.min()),
        (lambda x: vt.aminmax(x, 1, True)[1], X.max(1, keepdims=True)),
        (lambda x: x.mT, X.T),
        (lambda x: vt.Tensor.concat([x, x], 1), np.concatenate([X, X], 1)),
        (lambda x: vt.Tensor.stack([x, x]), np.stack([X, X])),
        (lambda x: vt.Tensor.hstack([x, x]), np.hstack([X, X])),
        (lambda x: x.new_zeros([2]), np.zeros(2)),
        (lambda x: x.new_full([2], 7), np.full(2, 7.0)),
    ],
)
def test_values_eager_and_compiled(call, wanted) -> None:
    x = vt.to_tensor(X)
    for made in (call(x), vt.jit.to_static(lambda x: call(x))(x)):
        assert made.dtype == vt.float64
        np.testing.assert_array_equal(made.numpy(), wanted)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (7, 3), (3, 5), (3, 3, 3)])
def test_fill_diagonal_as_numpy(shape, wrap) -> None:
    wanted = np.zeros(shape)
    np.fill_diagonal(wanted, 2.0, wrap=wrap)
    x = vt.zeros(shape, "float64")
    assert x.fill_diagonal_(2.0, wrap=wrap) is x
    np.testing.assert_array_equal(x.numpy(), wanted)


@pytest.mark.parametrize("offset", [-4, -2, -1, 1, 2, 5])
def test_fill_diagonal_moved_by_columns(offset) -> None:
    wanted = np.where(np.eye(4, 4, offset) == 1.0, 3.0, 0.0)
    np.testing.assert_array_equal(vt.zeros([4, 4]).fill_diagonal(3.0, offset).numpy(), wanted)


SUMS = {"sum": np.add, "prod": np.multiply, "amin": np.minimum, "amax": np.maximum}


@pytest.mark.parametrize("reduce", SUMS)
def test_scatter_reduce_as_numpy(reduce) -> None:
    rng = np.random.default_rng(0)
    x, v, index = rng.standard_normal((4, 3)), rng.standard_normal((2, 3)), np.array([[0, 1, 1], [0, 3, 1]])
    wanted = x.copy()
    SUMS[reduce].at(wanted, (index, np.arange(3)[None]), v)
    made = vt.scatter_reduce(vt.to_tensor(x), 0, vt.to_tensor(index), vt.to_tensor(v), reduce)
    np.testing.assert_allclose(made.numpy(), wanted, rtol=1e-15)


def test_gradients() -> None:
    index = vt.to_tensor([[0, 1], [0, 2]])
    for fn in (
        lambda x: vt.narrow(x, 1, 1, 2).sum(0),
        lambda x: x.fill_diagonal(2.0) * x,
        lambda x: vt.scatter_add(x, 0, index, x[:2, :2]),
        lambda x: vt.nn.functional.swiglu(x),
        lambda x: vt.nn.functional.swiglu(x, x * 2),
    ):
        x = vt.to_tensor(X / 7, stop_gradient=False)
        assert vt.autograd.gradcheck(fn, [x])


def test_dtypes_by_method() -> None:
    t = vt.to_tensor([0.0, 2.5])
    names = ["float", "double", "half", "bfloat16", "short", "int", "long", "char", "byte", "bool", "cfloat", "cdouble"]
    kinds = [
        "float32",
        "float64",
        "float16",
        "bfloat16",
        "int16",
        "int32",
        "int64",
        "int8",
        "uint8",
        "bool",
        "complex64",
        "complex128",
    ]
    assert [getattr(t, n)().dtype.name for n in names] == kinds
    assert (t.nbytes, t.ndimension(), t.is_dense(), vt.Tensor.is_tensor(t), vt.Tensor.is_tensor(1)) == (
        8, 1, True, True, False,
    )  # fmt: skip


def test_apply() -> None:
    t = vt.to_tensor([1.0, 2.0])
    assert t.apply(lambda x: x * 2).tolist() == [2.0, 4.0]
    assert t.apply_(lambda x: x + 1) is t
    assert t.tolist() == [2.0, 3.0]
    t.stop_gradient = False
    with pytest.raises(GradientError):
        t.apply(lambda x: x)


def test_random_twins_as_functions() -> None:
    for name, args in {
        "normal_": (),
        "bernoulli_": (0.5,),
        "cauchy_": (),
        "geometric_": (0.3,),
        "log_normal_": (),
    }.items():
        x = vt.zeros([64])
        assert getattr(vt, name)(x, *args) is x
        assert len(set(x.tolist())) > 1


def test_constants_and_switches() -> None:
    assert (vt.pi, vt.e, vt.inf, vt.newaxis) == (math.pi, math.e, math.inf, None)
    assert math.isnan(vt.nan)
    assert vt.get_cuda_rng_state() == []
    vt.disable_signal_handler()
    with vt.LazyGuard():
        layer = vt.nn.Linear(2, 2)
    layer.weight.initialize()
    assert layer.weight.shape == [2, 2]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: vt.narrow(vt.ones([3]), 0, 2, 2), ArgumentError),
        (lambda: vt.narrow(vt.ones([3]), 0, 4, 1), ArgumentError),
        (lambda: vt.fliplr(vt.ones([3])), ArgumentError),
        (lambda: vt.flipud(vt.to_tensor(1.0)), ArgumentError),
        (lambda: vt.scatter_reduce(vt.ones([3]), 0, vt.to_tensor([0]), vt.ones([1]), "max"), ArgumentError),
        (lambda: vt.ones([3]).fill_diagonal_(1.0), ArgumentError),
        (lambda: vt.ones([2, 2, 3]).fill_diagonal_(1.0), ArgumentError),
        (lambda: vt.nn.functional.swiglu(vt.ones([3])), ShapeError),
        (lambda: vt.set_cuda_rng_state([1]), ArgumentError),
        (lambda: vt.check_shape(3), KindError),
        (lambda: vt.check_shape([2.0]), KindError),
        (lambda: vt.check_shape([-1]), ArgumentError),
    ],
)
def test_bad_arguments(call, error) -> None:
    with pytest.raises(error):
        call()


def test_swapaxes_takes_all_axes_as_transpose_does() -> None:
    x = vt.zeros([2, 3, 4])
    assert vt.swapaxes(x, [1, 0, 2]).shape == vt.swapdims(x, perm=[1, 0, 2]).shape == x.swapaxes(0, 1).shape
    with pytest.raises(TypeError, match="two axes"):
        vt.swapaxes(x, 1)
