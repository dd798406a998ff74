"""Elements read at indices that a run gives: kernels count indices out of range, and read each index where it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt


def same(fn: Any, *arrays: Any) -> Any:
    """The compiled function; its results for the arrays are eager mode's."""
    compiled = vt.to_static(fn)
    for _ in range(2):
        found, wanted = compiled(*map(vt.to_tensor, arrays)), fn(*map(vt.to_tensor, arrays))
        np.testing.assert_array_equal(found.numpy(), wanted.numpy())
    return compiled


IMAGES = np.arange(5 * 3 * 17 * 19, dtype=np.float32).reshape(5, 3, 17, 19)
TOP, LEFT = np.array([0, 3, 8, -9, 5]), np.array([2, -7, 10, 0, 11])


def cut(x: Any, top: Any, left: Any) -> Any:
    rows = top[:, None, None, None] + vt.arange(8)[None, None, :, None]
    columns = left[:, None, None, None] + vt.arange(7)[None, None, None, :]
    return x[vt.arange(5)[:, None, None, None], vt.arange(3)[None, :, None, None], rows, columns]


def test_indices_of_several_axes_need_no_memory_of_their_own() -> None:
    compiled = same(lambda x, t, c: cut(x, t, c).flip([-1]) * 2.0, IMAGES, TOP, LEFT)
    assert len(compiled.kernels) == 1, list(compiled.kernels)


def test_an_index_that_others_read_too_is_made_once() -> None:
    def both(x: Any, i: Any, j: Any) -> Any:
        points = vt.stack([i, j], -1)
        return vt.gather_nd(x, points) + vt.gather_nd(x * 2.0, points) + points.sum(-1).astype("float32")

    same(both, IMAGES[0, 0], np.array([3, -1, 0]), np.array([1, 1, -19]))


def test_points_of_unequal_pieces() -> None:
    def read(x: Any, pair: Any, last: Any) -> Any:
        return vt.gather_nd(x, vt.concat([pair, last], -1)) + 1.0

    same(read, IMAGES[0], np.array([[0, 3], [2, -1]]), np.array([[5], [-2]]))


def test_gradients_at_places_of_several_axes() -> None:
    def slope(x: Any, i: Any, j: Any) -> Any:
        x.stop_gradient = False
        return vt.grad((x[i, j + 1] * x[i, j]).sum(), [x])[0]

    same(slope, IMAGES[0, 0], np.array([3, 3, 0, -1]), np.array([1, 1, 2, -4]))


@pytest.mark.parametrize("place", [17, -18, 2**62, -(2**63)])
@pytest.mark.parametrize("where", [0, 700, 1999])
def test_one_index_out_of_range_among_many(place: int, where: int) -> None:
    x, index = np.arange(17.0), np.arange(2000) % 17
    pick = vt.to_static(lambda x, i: vt.sqrt(x[i] + 1.0))
    pick(vt.to_tensor(x), vt.to_tensor(index))
    index[where] = place
    with pytest.raises(IndexError):
        pick(vt.to_tensor(x), vt.to_tensor(index))
    index[where] = 16
    np.testing.assert_array_equal(pick(vt.to_tensor(x), vt.to_tensor(index)).numpy(), np.sqrt(x[index] + 1.0))


@pytest.mark.parametrize("axis", [0, 1])
def test_points_out_of_range_along_one_axis(axis: int) -> None:
    pick = vt.to_static(lambda x, i, j: x[i, j] * 2.0)
    places = [np.array([0, 1, 2]), np.array([0, 1, 2])]
    places[axis][1] = 40
    with pytest.raises(IndexError):
        pick(vt.to_tensor(IMAGES[0, 0]), *map(vt.to_tensor, places))


def test_rows_picked_in_a_loop() -> None:
    def walk(x: Any, index: Any) -> Any:
        total = x[0] * 0.0
        for k in range(20):
            total = total * 0.5 + x[index[k]] + x[index[k], 1]
        return total

    same(walk, IMAGES[0, 0], np.arange(20) % 17 - 5)


def test_empty_indices() -> None:
    none = np.zeros(0, np.int64)
    same(lambda x, i, j: x[i, j] + 1.0, IMAGES[0, 0], none, none)


def added(x: Any, index: Any, rows: Any) -> Any:
    return vt.index_add(x, index, 0, rows) * 2.0


@pytest.mark.parametrize("row", [(), (1,), (3,), (24,), (5, 16), (130,), (0,), (2, 1, 9)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_rows_added_where_an_index_says(row: tuple[int, ...], dtype: str) -> None:
    """Duplicates among the places, negative ones, rows of any length; the second size makes the length symbolic."""
    numbers = np.random.default_rng(4)
    compiled = vt.to_static(added)
    for size, count in ((7, 40), (9, 0), (3, 5)):
        x = numbers.integers(-9, 9, (size, *row)).astype(dtype)
        rows, index = numbers.integers(-9, 9, (count, *row)).astype(dtype), numbers.integers(-size, size, count)
        given = [vt.to_tensor(a) for a in (x, index, rows)]
        np.testing.assert_array_equal(compiled(*given).numpy(), added(*given).numpy())


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_rows_added_along_an_axis(axis: int) -> None:
    shape = [6, 5, 8]
    shape[axis] = 11
    rows = np.random.default_rng(5).integers(-9, 9, shape).astype(np.float32)
    index = np.arange(11) * 3 % (6, 5, 8)[axis]
    same(lambda x, i, r: vt.index_add(x, i, axis, r), np.ones((6, 5, 8), np.float32), index, rows)


def test_rows_put_at_points() -> None:
    points, rows = np.array([[0, 1], [-1, 2], [0, 1]]), np.arange(27.0).reshape(3, 9)
    same(lambda x, p, r: vt.scatter_nd_add(x, p, r), np.ones((4, 3, 9)), points, rows)


def test_a_row_for_a_place_out_of_range_is_refused() -> None:
    compiled = vt.to_static(added)
    given = [vt.ones([4, 24]), vt.to_tensor([0, 1, 4]), vt.ones([3, 24])]
    with pytest.raises(IndexError):
        compiled(*given)


BOUNDED = {
    "clip": lambda i: vt.clip(i, 0, 9),
    "minimum and maximum": lambda i: vt.minimum(vt.maximum(i, vt.zeros_like(i)), vt.full_like(i, 9)),
    "remainder": lambda i: i % 10,
    "bits": lambda i: i & 7,
    "quotient": lambda i: (i % 40) // 4,
    "sum and product": lambda i: 2 * (i % 4) - (i & 1) + 2,
    "where": lambda i: vt.where(i > 5, i % 5, vt.full_like(i, 9)),
    "places": lambda i: i.reshape([10, 10]).argmax(0),
    "bools": lambda i: (i > 4).astype("int64"),
    "parts": lambda i: vt.concat([i[:3] % 3, i[3:] % 10]).flip([0]),
    "constant": lambda i: vt.to_tensor([3, 0, 9]) + 0 * i.shape[0],
}


@pytest.mark.parametrize("name", BOUNDED)
def test_indices_that_are_within_bounds_by_what_made_them_are_not_checked(name: str) -> None:
    places = np.random.default_rng(3).integers(-1000, 1000, 100)
    compiled = same(lambda x, i: x[BOUNDED[name](i)] + 1.0, np.arange(10.0), places)
    assert not any("wrong" in str(text) for text in compiled.kernels.values())


UNBOUNDED = {
    "beyond": lambda i: vt.clip(i, 0, 10),
    "from the end": lambda i: vt.clip(i, -1, 9),
    "one side": lambda i: vt.clip(i, 0, None),
    "negative rests": lambda i: i % -10,
    "quotient of any": lambda i: i // 1000,
    "product": lambda i: (i % 4) * (i % 5),
    "around": lambda i: ((i % 2).astype("int8") + 127 - 127).astype("int64"),
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_indices_that_may_be_out_of_bounds_are_checked(name: str) -> None:
    places = np.array([1, 5, 7, 9])
    compiled = same(lambda x, i: x[UNBOUNDED[name](i)] + 1.0, np.arange(10.0), places)
    assert any("wrong" in str(text) for text in compiled.kernels.values())


def test_kernels_alike_but_for_the_bounds_of_their_indices() -> None:
    def both(x: Any, i: Any, j: Any) -> Any:
        i, j = vt.sort(vt.clip(i, 0, 9)), vt.sort(vt.clip(j, 0, 20))
        return x[vt.clip(i, 0, 9)] * 2.0, x[i] * 2.0, x[j] * 2.0, x[vt.clip(j, 0, 20)] * 2.0

    x, i = vt.arange(10, dtype="float32"), vt.to_tensor([3, 50, -4])
    compiled = vt.to_static(both)
    for made, wanted in zip(compiled(x, i, vt.to_tensor([3, 5, 4])), both(x, i, vt.to_tensor([3, 5, 4])), strict=True):
        np.testing.assert_array_equal(made.numpy(), wanted.numpy())
    with pytest.raises(vt.errors.AxisError):
        compiled(x, i, i)
