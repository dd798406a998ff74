"""matmul and what is made of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import ShapeError
from vitrify.ops import linalg
from vitrify.ops.composite import linear

from .checks import run, type_values
from .numpy_values import ArrayValue, gradients, numpy_values

RNG = np.random.default_rng(0)
M, N, V = RNG.uniform(size=(3, 4)), RNG.uniform(size=(4, 5)), RNG.uniform(size=4)


def test_functions_over_matmul() -> None:
    np.testing.assert_allclose(run(linalg.mm, M, N), M @ N)
    np.testing.assert_allclose(run(linalg.mv, M, V), M @ V)
    np.testing.assert_allclose(run(linalg.bmm, M[None], N[None]), (M @ N)[None])
    np.testing.assert_allclose(run(linalg.dot, V, V), V @ V)
    np.testing.assert_allclose(run(linalg.dot, M, M), (M * M).sum(-1))
    np.testing.assert_allclose(run(linalg.outer, V, M), np.outer(V, M))
    np.testing.assert_allclose(run(linalg.t, M), M.T)
    np.testing.assert_allclose(
        run(lambda i, x, y: linalg.addmm(i, x, y, 2.0, 3.0), N[:3], M, N), 2 * N[:3] + 3 * (M @ N)
    )
    np.testing.assert_allclose(run(linear, M, N, N[0]), M @ N + N[0])


@pytest.mark.parametrize("transpose_x", [False, True])
@pytest.mark.parametrize("transpose_y", [False, True])
def test_gradients_of_matrices_are_products_with_flags(transpose_x: bool, transpose_y: bool) -> None:
    with numpy_values() as interpreter:
        x, y = ArrayValue(M.T if transpose_x else M), ArrayValue(N.T if transpose_y else N)
        z = linalg.matmul(x, y, transpose_x, transpose_y)
        gradients(interpreter.steps, [z], [ArrayValue(np.ones(z.shape))], [x, y])
    assert [s.op.name for s in interpreter.steps] == ["matmul"] * 3


def test_the_gradient_of_a_weight_is_one_product_over_all_batches() -> None:
    with numpy_values() as interpreter:
        x, y = ArrayValue(RNG.uniform(size=(2, 6, 3, 4))), ArrayValue(N)
        z = linalg.matmul(x, y)
        gradients(interpreter.steps, [z], [ArrayValue(np.ones(z.shape))], [x, y])
    assert [s.op.name for s in interpreter.steps] == ["matmul", "matmul", "reshape", "reshape", "matmul"]


def test_symbolic_sizes() -> None:
    with type_values() as value:
        x, w = value("f32", "N", 3, 4), value("f32", 4, "M")
        assert str(linalg.matmul(x, w).type) == "f32[N, 3, M]"
        assert str(linalg.matmul(x, x, False, True).type) == "f32[N, 3, 3]"
        assert str(linalg.matmul(value("f32", "N"), value("f32", "N")).type) == "f32[]"


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (
            lambda: linalg.matmul(ArrayValue(M), ArrayValue(M)),
            ShapeError,
            r"f64\[3, 4\] and f64\[3, 4\].*4 columns against 3 rows",
        ),
        (
            lambda: linalg.matmul(ArrayValue(M), ArrayValue(M), transpose_x=True, transpose_y=True),
            ShapeError,
            "transpose_x=True",
        ),
        (lambda: linalg.matmul(ArrayValue(M), 2.0), ShapeError, "at least one axis"),
        (lambda: linalg.matmul(ArrayValue(M[:, :1]), ArrayValue(M)), ShapeError, "1 columns against 3 rows"),
        (lambda: linalg.bmm(ArrayValue(M), ArrayValue(N)), ShapeError, "bmm needs rank 3"),
        (lambda: linalg.bmm(ArrayValue(M[None]), ArrayValue(np.stack([N, N]))), ShapeError, "1 matrices against 2"),
        (lambda: linalg.t(ArrayValue(M[None])), ShapeError, "rank"),
        (lambda: linear(ArrayValue(M), ArrayValue(M)), ShapeError, "linear"),
    ],
)
def test_mistakes_are_named(wrong: Any, error: type[Exception], text: str) -> None:
    with numpy_values(), pytest.raises(error, match=text):
        wrong()
