"""Index rows and functions against NumPy's; what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, AxisError, DTypeError, ShapeError
from vitrify.ops import composite as c
from vitrify.ops.along import take_along_axis
from vitrify.ops.combine import put_along_axis
from vitrify.ops.index import gather, gather_nd, scatter_add, scatter_nd_add, scatter_nd_update
from vitrify.ops.select import masked_scatter, select, select_add, select_update

from .checks import check_gradients, run
from .numpy_values import ArrayValue, numpy_values

X = np.random.default_rng(0).uniform(-2, 2, (4, 3, 5))
PLACES = np.array([[3, 0], [-1, 3]])


@pytest.mark.parametrize("axis", [0, 2])
def test_gather_and_its_transpose(axis: int) -> None:
    index = PLACES % X.shape[axis]
    picked = run(lambda x, i: gather(x, i, axis), X, index)
    np.testing.assert_array_equal(picked, np.take(X, index, axis))
    added = run(lambda x, i, u: scatter_add(x, i, u, axis), X, index, picked)
    expected = X.copy()
    for place in np.ndindex(*index.shape):
        at: Any = (slice(None),) * axis
        expected[(*at, index[place])] += picked[(*at, *place)]
    np.testing.assert_allclose(added, expected)


def test_scatter_nd_keeps_the_last_or_adds_all() -> None:
    index, updates = np.array([[1, 2], [1, 2], [-1, 0]]), np.arange(15.0).reshape(3, 5)
    written, added = X.copy(), X.copy()
    for at, u in zip(index, updates, strict=True):
        written[tuple(at)] = u
        added[tuple(at)] += u
    np.testing.assert_array_equal(run(scatter_nd_update, X, index, updates), written)
    np.testing.assert_allclose(run(scatter_nd_add, X, index, updates), added)
    np.testing.assert_array_equal(run(gather_nd, X, index), X[tuple(index.T)])
    zeros = run(lambda i, u: c.scatter_nd(i, u, X.shape), index, updates)
    np.testing.assert_allclose(zeros, added - X, atol=1e-12)


@pytest.mark.parametrize("rest", [(1,), (2, 1), (1, 3), (2, 1, 1), (1, 3, 1), (1, 1)])
def test_rows_with_axes_of_one_element_are_written_whole(rest: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    base, index, updates = rng.random((4, *rest)), np.array([2, 0, 2]), rng.random((3, *rest))
    written, added = base.copy(), base.copy()
    written[index] = updates
    np.add.at(added, index, updates)
    np.testing.assert_array_equal(run(scatter_nd_update, base, index[:, None], updates), written)
    np.testing.assert_allclose(run(scatter_nd_add, base, index[:, None], updates), added)
    np.testing.assert_allclose(run(lambda x, i, u: scatter_add(x, i, u, 0), base, index, updates), added)


def test_take_along_axis_spreads_sizes_of_1() -> None:
    index = np.array([[[2]], [[0]], [[1]], [[-1]]])
    np.testing.assert_array_equal(run(lambda x, i: take_along_axis(x, i, 1), X, index), np.take_along_axis(X, index, 1))
    check_gradients(lambda x, i: take_along_axis(x, i, 1), X, index)
    check_gradients(lambda x, i: take_along_axis(x, i, 1), X[:1, :, :1], np.array([[[0, 1]], [[2, 2]]]))


def test_select() -> None:
    place = np.array(-2)
    np.testing.assert_array_equal(run(lambda x, i: select(x, i, 2), X, place), X[..., -2])
    for row, base in ((select_update, np.zeros((4, 3))), (select_add, X[..., -2])):
        expected = X.copy()
        expected[..., -2] = base + 1.5
        np.testing.assert_array_equal(run(lambda x, v, i, row=row: row(x, v, i, 2), X, np.array(1.5), place), expected)


def test_an_embedding_ignores_padding() -> None:
    ids, weight = np.array([[1, 0], [2, 1]]), X[:, 0]
    expected = weight[ids]
    expected[ids == 1] = 0
    for padding in (1, -3):
        np.testing.assert_array_equal(run(lambda w, i, p=padding: c.embedding(i, w, p), weight, ids), expected)
    np.testing.assert_array_equal(run(lambda w, i: c.embedding(i, w), weight, ids), weight[ids])
    check_gradients(lambda w, i: c.embedding(i, w * w, 1), weight, ids)


def test_paddles_index_functions() -> None:
    rows, updates = np.array([2, 0, 2]), np.ones((3, 3, 5))
    np.testing.assert_array_equal(run(c.index_select, X, rows), X[rows])
    np.testing.assert_array_equal(
        run(c.index_sample, X[:, 0], PLACES.repeat(2, 0)), np.take_along_axis(X[:, 0], PLACES.repeat(2, 0), 1)
    )
    added = X.copy()
    np.add.at(added, (slice(None), rows), 2.0)
    np.testing.assert_allclose(run(lambda x, i: c.index_add(x, i, 1, 2.0), X, rows), added)
    written, summed = X.copy(), X.copy()
    written[rows], summed[rows] = 1.0, 0.0
    np.add.at(summed, rows, updates)
    np.testing.assert_array_equal(run(c.scatter, X, rows, updates), written)
    np.testing.assert_array_equal(run(lambda x, i, u: c.scatter(x, i, u, overwrite=False), X, rows, updates), summed)
    filled = X.copy()
    filled[:, [1, -1]] = 9
    np.testing.assert_array_equal(run(lambda x, i: c.index_fill(x, i, 1, 9), X, np.array([1, -1])), filled)
    np.testing.assert_array_equal(run(lambda x, m: c.masked_fill(x, m, 0), X, X > 0), np.where(X > 0, 0, X))
    np.testing.assert_array_equal(run(lambda i: c.one_hot(i, 3), PLACES % 3), np.eye(3)[PLACES % 3])


@pytest.mark.parametrize("reduce", ["assign", "add"])
def test_put_along_axis(reduce: str) -> None:
    index, base = np.array([[1, -1], [0, 2]]), X[:2, 0]
    expected = base.copy()
    np.put_along_axis(expected, index, 5.0 + (np.take_along_axis(base, index, 1) if reduce == "add" else 0), 1)
    np.testing.assert_allclose(run(lambda x, i: put_along_axis(x, i, 5.0, 1, reduce), base, index), expected)


@pytest.mark.parametrize("descending", [False, True])
def test_sorting(descending: bool) -> None:
    x = np.array([[2.0, 1.0, 2.0, -1.0], [0.0, 0.0, 3.0, 3.0]])
    order = run(lambda v: c.argsort_(v, 1, descending), x)
    np.testing.assert_array_equal(order, np.argsort(-x if descending else x, 1, kind="stable"))
    np.testing.assert_array_equal(run(lambda v: c.sort(v, 1, descending), x), np.take_along_axis(x, order, 1))
    values, places = run(lambda v: c.topk(v, 2, largest=descending), x)
    np.testing.assert_array_equal(places, order[:, :2])
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1)[:, :2])
    check_gradients(lambda v: c.topk(v * v, 2, axis=0)[0], X[0])


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda x: gather(x, np.array([4]), 0), AxisError, "index 4 is outside an axis of 4"),
        (lambda x: gather(x, np.array([0.5]), 0), DTypeError, "integer index"),
        (lambda x: gather(x, np.array([0]), 3), AxisError, "rank 3"),
        (lambda x: scatter_add(x, np.array([0, 1]), x, 0), ShapeError, r"updates has shape \[4, 3, 5\]"),
        (lambda x: take_along_axis(x, np.array([0]), 0), ShapeError, "rank of x"),
        (lambda x: take_along_axis(x, np.zeros((4, 2, 5), int), 0), ShapeError, "doesn't fit x"),
        (lambda x: gather_nd(x, np.zeros((2, 4), int)), ShapeError, "at most the rank"),
        (lambda x: select(x, np.array([1]), 0), ShapeError, "without axes"),
        (lambda x: select(x, np.array(7), 0), AxisError, "index 7"),
        (lambda x: masked_scatter(x, np.ones((4, 3, 5), bool), np.ones(2)), ShapeError, "2 values for 60"),
        (lambda x: c.embedding(np.array([0]), x), ShapeError, "weight"),
        (lambda x: c.topk(x, 9), ArgumentError, "from 1 to 5"),
        (lambda x: put_along_axis(x, ArrayValue(np.zeros((4, 3, 1), int)), 1.0, 2, "most"), ArgumentError, "assign"),
    ],
)
def test_mistakes_are_named(wrong: Any, error: type[Exception], text: str) -> None:
    with numpy_values(), pytest.raises(error, match=text):
        wrong(ArrayValue(X))


def test_points_of_no_axis_are_the_whole_tensor() -> None:
    import vitrify as vt

    x, index = vt.to_tensor([[1.0, 2.0, 3.0]], stop_gradient=False), vt.zeros([2, 0], "int64")
    for picked in (vt.gather_nd, vt.to_static(vt.gather_nd)):
        made = picked(x, index)
        assert made.tolist() == [[[1.0, 2.0, 3.0]]] * 2
        made.sum().backward()
        assert x.grad is not None
        assert x.grad.tolist() == [[2.0, 2.0, 2.0]]
        x.clear_grad()
    updates = np.arange(6.0).reshape(2, 1, 3)
    np.testing.assert_array_equal(run(scatter_nd_update, np.zeros((1, 3)), np.zeros((2, 0), int), updates), updates[1])
    np.testing.assert_array_equal(run(scatter_nd_add, np.zeros((1, 3)), np.zeros((2, 0), int), updates), updates.sum(0))


def test_a_tensor_is_broadcast_to_its_mask() -> None:
    x, mask = vt.to_tensor([1.0, 2.0, 3.0]), np.array([[True, False, True], [False, True, True]])
    x.stop_gradient = False
    made = vt.masked_scatter(x, vt.to_tensor(mask), vt.arange(6).astype("float32"))
    assert made.tolist() == [[0.0, 2.0, 1.0], [1.0, 2.0, 3.0]]
    taken = vt.masked_select(x, vt.to_tensor(mask))
    assert taken.tolist() == [1.0, 3.0, 2.0, 3.0]
    (made.sum() + taken.sum()).backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]
    compiled = vt.to_static(lambda x, mask: vt.masked_scatter(x, mask, vt.arange(6).astype("float32")))
    assert compiled(x, vt.to_tensor(mask)).tolist() == made.tolist()


LINES = [((4, 5), (6, 1), 0), ((4, 5), (1, 6), 1), ((3, 4, 5), (1, 2, 1), 1), ((3, 4, 5), (3, 6, 1), 1), ((3, 4, 5), (1, 6, 5), 1),
         ((4, 0), (3, 1), 0), ((0, 4), (1, 3), 1), ((4, 5), (0, 1), 0), ((1, 4), (1, 1), 1),
         ((4, 5, 1), (6, 1, 1), 0), ((4, 1, 5, 1), (6, 1, 1, 1), 0), ((3, 5, 1), (1, 6, 1), 1), ((4, 1, 1), (6, 1, 1), 0)]  # fmt: skip


@pytest.mark.parametrize(("shape", "sizes", "axis"), LINES)
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64"])
def test_an_index_of_size_one_off_the_axis_is_for_whole_lines(
    shape: tuple[int, ...], sizes: tuple[int, ...], axis: int, dtype: str
) -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 9, shape).astype(dtype)
    index = rng.integers(-shape[axis], shape[axis], sizes)
    whole = np.broadcast_to(index, [n if k != axis else sizes[k] for k, n in enumerate(shape)])
    values = rng.integers(0, 9, whole.shape).astype(dtype)
    put: list[Any] = [
        (lambda i, r=r: put_along_axis(vt.to_tensor(x), i, vt.to_tensor(values), axis, r)) for r in ("assign", "add")
    ]
    if dtype in ("float32", "int64"):
        put += [
            (lambda i, r=r: put_along_axis(vt.to_tensor(x), i, vt.to_tensor(values), axis, r))
            for r in ("mul", "amax", "amin", "mean")
        ]
    for fn in [lambda i: vt.take_along_axis(vt.to_tensor(x), i, axis), *put]:
        wanted = fn(vt.to_tensor(np.ascontiguousarray(whole))).numpy()
        spread = vt.to_static(lambda i, fn=fn: fn(vt.broadcast_to(i, list(whole.shape))))
        for run_it in (fn, vt.to_static(fn), spread):
            for _ in range(2):
                np.testing.assert_array_equal(run_it(vt.to_tensor(index)).numpy(), wanted)
        outside = vt.to_tensor(np.full(sizes, shape[axis]))
        for run_it in (fn, vt.to_static(fn)):
            if whole.size:
                with pytest.raises(IndexError):
                    run_it(outside)
            else:  # nothing is read or written
                assert run_it(outside).shape == list(wanted.shape)
