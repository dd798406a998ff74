"""Sparse tensors against dense arrays: values, places, gradients, and capture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import sparse
from vitrify.errors import ArgumentError, ShapeError


def part(shape: tuple[int, ...], seed: int, fill: float = 0.5) -> np.ndarray:
    """An array with zeros in it."""
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(0.5, 2.0, shape) * (rng.uniform(size=shape) < fill))


def made(array: np.ndarray, layout: str) -> Any:
    """A sparse tensor of the elements that aren't 0."""
    x = vt.to_tensor(array)
    tensor = x.to_sparse_csr() if layout == "csr" else x.to_sparse_coo()
    tensor.stop_gradient = False
    return tensor


LAYOUTS = pytest.mark.parametrize("layout", ["coo", "csr"])


def check_gradient(call: Callable[..., Any], *leaves: Any) -> None:
    """The gradients of the values are the numeric ones."""

    def total() -> Any:
        made = call(*leaves)
        values = made.values() if hasattr(made, "nnz") else made
        return (values * vt.arange(1.0, values.size + 1.0, dtype="float64").reshape(values.shape)).sum()

    total().backward()
    for leaf in leaves:
        values = leaf.values() if hasattr(leaf, "nnz") else leaf
        got, array = values.grad.numpy(), values.numpy().copy()
        for place in np.ndindex(*array.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = array.copy()
                moved[place] += step
                with vt.no_grad():
                    values.set_value(moved)
                ends.append(float(total()))
            values.set_value(array)
            assert got[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4, abs=1e-6)


def test_coordinates_repeat_until_they_are_joined() -> None:
    x = sparse.sparse_coo_tensor([[1, 0, 0], [0, 1, 1]], [3.0, 1.0, 2.0])
    assert x.shape == [2, 2] and x.nnz() == 3 and not x.is_coalesced()
    assert x.to_dense().tolist() == [[0.0, 3.0], [3.0, 0.0]]
    joined = sparse.coalesce(x)
    assert joined.indices().tolist() == [[0, 1], [1, 0]] and joined.values().tolist() == [3.0, 3.0]
    assert x.is_sparse() and x.is_sparse_coo() and not x.is_sparse_csr() and not x.values().is_sparse()


def test_layouts_turn_into_each_other() -> None:
    for array in (part((4, 5), 0), part((2, 3, 4), 1)):
        rows = vt.to_tensor(array).to_sparse_csr()
        np.testing.assert_array_equal(rows.numpy(), array)
        np.testing.assert_array_equal(rows.to_sparse_coo(array.ndim).to_sparse_csr().numpy(), array)
    hybrid = vt.to_tensor(part((4, 3), 2)).to_sparse_coo(1)
    assert hybrid.values().shape[1:] == [3]
    np.testing.assert_array_equal(hybrid.numpy(), part((4, 3), 2))
    assert "crows=[0, 1], " in repr(sparse.sparse_csr_tensor([0, 1], [1], [2.0], [1, 2]))


@pytest.mark.parametrize(
    "given, message",
    [
        (lambda: sparse.sparse_coo_tensor([[0, 3]], [1.0, 2.0], [2]), "need a shape of"),
        (lambda: sparse.sparse_coo_tensor([[0, 1]], [1.0], [2]), "indices \\[k, n\\]"),
        (lambda: sparse.sparse_csr_tensor([0, 1], [0], [1.0], [3, 2]), "has 4 numbers"),
        (lambda: sparse.add(made(part((2, 2), 0), "coo"), made(part((3, 2), 0), "coo")), "differ"),
        (lambda: sparse.matmul(made(part((2, 2), 0), "coo"), vt.ones([3, 2])), "don't fit"),
    ],
)
def test_shapes_that_do_not_fit_are_errors(given: Callable[[], Any], message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        given()


def test_rows_that_do_not_follow_each_other_are_errors() -> None:
    for crows, cols in (([1, 1, 2], [0, 1]), ([0, 2, 1], [0, 1]), ([0, 1, 1], [0, 1])):
        with pytest.raises(ArgumentError, match="begin at 0"):
            sparse.sparse_csr_tensor(crows, cols, [1.0, 2.0], [2, 2])
    with pytest.raises(ShapeError, match="columns 0 to 2"):
        sparse.sparse_csr_tensor([0, 1, 2], [0, 2], [1.0, 2.0], [2, 2])


def test_a_batch_is_found_where_rows_begin_again() -> None:
    x = sparse.sparse_csr_tensor([0, 2, 2, 0, 1, 1, 0, 0, 0], [0, 1, 1], [1.0, 2.0, 5.0])
    assert x.tolist() == [[[1.0, 2.0], [0.0, 0.0]], [[0.0, 5.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]


def test_what_would_fill_every_place_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="would fill every element"):
        made(part((2, 2), 0), "coo") + 1.0
    with pytest.raises(ArgumentError, match="takes a sparse tensor"):
        sparse.sin(vt.ones([2]))
    with pytest.raises(AttributeError, match="to_dense"):
        made(part((2, 2), 0), "coo").argsort


@LAYOUTS
@pytest.mark.parametrize(
    "name",
    ["sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "sqrt", "square", "log1p", "abs", "neg", "expm1",
     "deg2rad", "rad2deg"],
)  # fmt: skip
def test_functions_of_the_values(name: str, layout: str) -> None:
    array = part((3, 4), 3) * 0.4
    numpy = {"asin": "arcsin", "atan": "arctan", "asinh": "arcsinh", "atanh": "arctanh", "neg": "negative"}
    expected = getattr(np, numpy.get(name, name))(array)
    np.testing.assert_allclose(getattr(sparse, name)(made(array, layout)).numpy(), expected, rtol=1e-12)
    check_gradient(getattr(sparse, name), made(array, layout))


@LAYOUTS
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide"])
def test_two_sparse_tensors(name: str, layout: str) -> None:
    x, y = part((3, 4), 4), part((3, 4), 5)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x, y)
    got = getattr(sparse, name)(made(x, layout), made(y, layout))
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-12)
    assert got.nnz() == (12 if name == "divide" else np.sum((x != 0) | (y != 0)))
    full = part((3, 4), 4, 1.0), part((3, 4), 5, 1.0)
    check_gradient(getattr(sparse, name), *(made(a, layout) for a in full))


def test_operators_with_numbers_and_dense_tensors() -> None:
    x, y = part((3, 4), 6), part((3, 4), 7, 1.0)
    s, d = made(x, "coo"), vt.to_tensor(y)
    for got, expected in (
        (s * 2, x * 2), (3 * s, x * 3), (s / 2, x / 2), (-s, -x), (abs(-s), x), (s**2, x**2), (s - s, x * 0),
        (s * d, x * y), (s / d, x / y), (s + d, x + y), (s.T, x.T), (s.sin(), np.sin(x)),
    ):  # fmt: skip
        np.testing.assert_allclose(got.numpy(), expected, rtol=1e-12)


@LAYOUTS
def test_products_of_matrices(layout: str) -> None:
    x, y, z = part((2, 3, 4), 8), part((2, 4, 5), 9), part((2, 3, 5), 10)
    dense = vt.to_tensor(y, stop_gradient=False)
    np.testing.assert_allclose(sparse.matmul(made(x, layout), dense).numpy(), x @ y, rtol=1e-12)
    np.testing.assert_allclose(sparse.matmul(made(x, layout), made(y, layout)).numpy(), x @ y, rtol=1e-12)
    check_gradient(sparse.matmul, made(x[0], layout), vt.to_tensor(y[0], stop_gradient=False))
    masked = sparse.masked_matmul(vt.to_tensor(x), vt.to_tensor(y), made(z, layout))
    np.testing.assert_allclose(masked.numpy(), np.where(z != 0, x @ y, 0), rtol=1e-12)
    a = made(x[0], layout)
    np.testing.assert_allclose(sparse.mv(a, vt.to_tensor(y[0, :, 0])).numpy(), x[0] @ y[0, :, 0], rtol=1e-12)
    got = sparse.addmm(vt.to_tensor(z[0]), a, vt.to_tensor(y[0]), 0.5, 2.0)
    np.testing.assert_allclose(got.numpy(), z[0] * 0.5 + x[0] @ y[0] * 2, rtol=1e-12)
    np.testing.assert_allclose((vt.to_tensor(y[0].T) @ vt.to_tensor(x[0].T)).numpy(), (x[0] @ y[0]).T, rtol=1e-12)


@LAYOUTS
def test_softmax_of_what_is_there(layout: str) -> None:
    array = part((2, 3, 4), 11)
    with np.errstate(all="ignore"):
        powers = np.where(array != 0, np.exp(array), 0)
        expected = np.nan_to_num(powers / powers.sum(-1, keepdims=True))
    np.testing.assert_allclose(sparse.nn.functional.softmax(made(array, layout)).numpy(), expected, rtol=1e-12)
    check_gradient(sparse.nn.functional.softmax, made(array[0], layout))


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_along_any_axis(axes: int, axis: int) -> None:
    array = np.abs(part((2, 3, 4), 11))
    x = vt.to_tensor(array, stop_gradient=False).to_sparse_coo(axes)
    places = x.indices().numpy()
    there = np.zeros(array.shape, bool)
    there[tuple(places)] = True
    with np.errstate(all="ignore"):
        powers = np.where(there, np.exp(array), 0)
        expected = np.nan_to_num(powers / powers.sum(axis, keepdims=True))
    np.testing.assert_allclose(sparse.nn.Softmax(axis)(x).to_dense().numpy(), expected, rtol=1e-12)


def test_sums_and_moves() -> None:
    array = part((2, 3, 4), 12)
    x = made(array, "coo")
    assert float(sparse.sum(x).to_dense()) == pytest.approx(array.sum())
    for axis in (0, -1, [0, 2]):
        for keep in (True, False):
            expected = array.sum(tuple(np.atleast_1d(axis)), keepdims=keep)
            np.testing.assert_allclose(sparse.sum(x, axis, keepdim=keep).numpy(), expected, rtol=1e-12)
    np.testing.assert_allclose(sparse.sum(made(array, "csr"), -1).numpy(), array.sum(-1, keepdims=True), rtol=1e-12)
    np.testing.assert_array_equal(sparse.transpose(x, [2, 0, 1]).numpy(), array.transpose(2, 0, 1))
    np.testing.assert_array_equal(sparse.transpose(made(array, "csr"), [0, 2, 1]).numpy(), array.transpose(0, 2, 1))
    np.testing.assert_array_equal(sparse.reshape(x, [0, -1]).numpy(), array.reshape(2, 12))
    np.testing.assert_array_equal(sparse.slice(x, [0, 2], [1, -3], [2, 4]).numpy(), array[1:2, :, -3:4])
    np.testing.assert_array_equal(sparse.mask_as(vt.ones([2, 3, 4]), x).numpy(), array != 0)
    kinds = sparse.cast(x, "int32", "float32")
    assert (kinds.indices().dtype, kinds.values().dtype, x.indices().dtype) == (vt.int32, vt.float32, vt.int64)


def test_attention_between_pairs_of_a_mask() -> None:
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 1, 2, 4, 3))
    mask = np.tril(np.ones((2, 4, 4)))
    scores = np.where(mask[None] != 0, q @ k.transpose(0, 1, 3, 2) / np.sqrt(3), -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    got = sparse.nn.functional.attention(*map(vt.to_tensor, (q, k, v)), vt.to_tensor(mask).to_sparse_csr())
    np.testing.assert_allclose(got.numpy(), powers / powers.sum(-1, keepdims=True) @ v, rtol=1e-12)


def test_gradients_arrive_as_sparse_tensors() -> None:
    x = sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], stop_gradient=False)
    (x * x).backward(vt.to_tensor([[5.0, 1.0], [1.0, 5.0]]))
    assert x.grad.values().tolist() == [2.0, 4.0] and x.grad.shape == [2, 2]
    x.clear_grad()
    assert x.detach().stop_gradient and not x.clone().stop_gradient and x.dtype == vt.float32


def test_layers_and_capture() -> None:
    @vt.to_static
    def captured(values: Any, dense: Any) -> Any:
        x = sparse.sparse_coo_tensor([[0, 1, 1], [1, 2, 0]], values, [3, 3])
        joined = sparse.nn.LeakyReLU(0.5)(x) + x.T
        return sparse.nn.Softmax()(joined) @ dense, joined.to_dense()

    values, dense = vt.to_tensor([1.0, -2.0, 3.0]), vt.to_tensor(part((3, 2), 13).astype("float32"))
    for got, expected in zip(captured(values, dense), captured.dygraph_function(values, dense), strict=True):
        np.testing.assert_allclose(got.numpy(), expected.numpy(), rtol=1e-6)
    hybrid = sparse.sparse_coo_tensor([[0, 2]], [[1.0, 4.0], [3.0, 8.0]], [3, 2])
    normal = sparse.nn.BatchNorm(2)(hybrid).values().numpy()
    np.testing.assert_allclose(normal, [[-1, -1], [1, 1]], rtol=1e-4)


def test_places_in_buffers_of_a_captured_layer() -> None:
    class Mix(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("places", vt.to_tensor([[0, 1, 2], [1, 2, 0]]))
            self.register_buffer("starts", vt.to_tensor([0, 1, 2, 3]))

        def forward(self, x: Any, values: Any) -> Any:
            mixed = sparse.sparse_coo_tensor(self.places, values, [3, 3]) @ x
            return sparse.sparse_csr_tensor(self.starts, self.places[1], values, [3, 3]) @ mixed

    net, x, values = Mix(), vt.to_tensor(part((3, 2), 14)), vt.to_tensor([1.0, 2.0, 3.0], "float64")
    expected = net(x, values).numpy()
    np.testing.assert_allclose(vt.to_static(net)(x, values).numpy(), expected)
    with pytest.raises(ArgumentError, match="give the shape"):
        vt.to_static(lambda i: sparse.sparse_coo_tensor(i, [1.0, 2.0, 3.0]).to_dense())(net.places)


@pytest.mark.parametrize(
    "run", [vt.nn.functional.relu, np.asarray, lambda s: vt.matmul(s, vt.ones([2, 2])), vt.to_tensor]
)
def test_functions_of_dense_tensors_say_what_to_call(run):
    given = sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])
    with pytest.raises(vt.errors.DTypeError, match=r"taken for a dense tensor(?s:.*)vt\.sparse"):
        run(given)


def test_sparse_tensors_print_as_paddles() -> None:
    x = vt.to_tensor([[0.0, 1.5, 0.0], [2.0, 0.0, 3.0]])
    assert repr(x.to_sparse_coo(2)).splitlines() == [
        "Tensor(shape=[2, 3], dtype=vitrify.float32, place=Place(cpu), stop_gradient=True, ",
        "       indices=[[0, 1, 1],",
        "                [1, 0, 2]], ",
        "       values=[1.50000000, 2.        , 3.        ])",
    ]
    assert "       crows=[0, 1, 3], \n       cols=[1, 0, 2], \n" in repr(x.to_sparse_csr())


def test_a_sparse_gradient_goes_to_its_own_places_of_the_dense_source():
    x = vt.to_tensor([[0.0, 1.0, 2.0], [0.0, 0.0, 3.0]], stop_gradient=False)
    gradient = vt.sparse.sparse_coo_tensor([[0, 1], [0, 2]], [2.0, 5.0], shape=[2, 3])
    (x * 2).to_sparse_coo(2).backward(gradient)
    np.testing.assert_array_equal(x.grad.numpy(), [[4.0, 0.0, 0.0], [0.0, 0.0, 10.0]])


def test_a_sum_over_the_only_sparse_axis() -> None:
    x = vt.to_tensor([0.0, 1.0, 2.0]).to_sparse_coo(1)
    x.stop_gradient = False
    for keepdim in (False, True):
        made = vt.sparse.sum(x, 0, keepdim=keepdim)
        assert made.to_dense().tolist() == [3.0]
    made.backward()
    assert x.grad.to_dense().tolist() == [0.0, 1.0, 1.0]


def test_a_bias_is_added_to_values_that_are_vectors() -> None:
    x = vt.sparse.sparse_coo_tensor([[0, 1], [0, 3]], [[1.0, 1.0], [2.0, 2.0]], [2, 4, 2], stop_gradient=False)
    bias = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    made = vt.sparse.add(x, bias)
    made.backward()
    assert made.values().tolist() == [[2.0, 3.0], [3.0, 4.0]]
    assert (x.grad.values().tolist(), bias.grad.tolist()) == ([[1.0, 1.0], [1.0, 1.0]], [2.0, 2.0])


def test_compressed_rows_of_a_dense_tensor_have_a_gradient() -> None:
    dense = vt.to_tensor([[1.0, 0.0], [2.0, 3.0]], stop_gradient=False)
    rows = dense.to_sparse_csr()
    vt.sparse.multiply(rows, rows).backward()
    assert rows.grad.to_dense().tolist() == dense.grad.tolist() == [[2.0, 0.0], [4.0, 6.0]]


def test_copy_takes_over_places_values_and_shape() -> None:
    x = vt.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])
    y = vt.sparse.sparse_coo_tensor([[2], [0]], [5.0], [3, 3], stop_gradient=False)
    assert x.copy_(y, True) is x
    assert x.shape == [3, 3]
    np.testing.assert_array_equal(x.to_dense().numpy(), y.to_dense().numpy())
    x.values().fill_(0.0)
    assert y.values().tolist() == [5.0] and x.stop_gradient
    with pytest.raises(TypeError, match="not a SparseCsrTensor"):
        x.copy_(y.to_sparse_csr())
    with pytest.raises(TypeError, match="those of the other int64"):
        x.copy_(y.astype("int64"))


def test_no_dtype_may_be_false() -> None:
    """Callers of release 1 have `stop_gradient` where the dtype is now, and PaddlePaddle takes it for none."""
    assert sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2], False).dtype is vt.float32
    assert sparse.sparse_csr_tensor([0, 1, 2], [0, 1], vt.ones([2], "float64"), [2, 2], False).dtype is vt.float64
    assert vt.to_tensor([1.0], dtype=False).dtype is vt.float32
