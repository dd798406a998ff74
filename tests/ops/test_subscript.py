"""x[key] and x[key] = value against NumPy's, their gradients, and keys with symbolic sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import AxisError, DTypeError, KindError, ShapeError
from vitrify.ops.data_sized import masked_select, nonzero
from vitrify.ops.dims import Dim, deciding
from vitrify.ops.indexing import getitem, setitem

from .checks import check_gradients, run, type_values
from .numpy_values import ArrayValue, numpy_values

X = np.random.default_rng(0).uniform(-2, 2, (4, 5, 6))
MASK = np.random.default_rng(1).uniform(size=(4, 5)) > 0.5
A, B = np.array([2, 0, -1]), np.array([[1], [-4]])
KEYS: list[Any] = [
    1, -1, (1, 2, 3), (-1, -2), slice(None), slice(1, 3), (slice(None), slice(4, 0, -2)),
    (Ellipsis, 1), (1, Ellipsis, None),
    None, (None, 2, None, slice(1, None)), slice(10, 20), slice(-100, 100, 3), slice(None, None, -1), (slice(3, 3), 0),
    A, [0, 2], B, (A, A), (slice(None), A), (A, slice(None), A), (A, slice(1, 3), 2), (0, slice(None), A), (0, A),
    (slice(None), A, B), (A, None, B), (None, A), (slice(None), 1, A), (Ellipsis, A),
    (slice(1, 3), A, slice(None, None, 2)),
    (A, slice(None, None, -1), None, 1), np.array([], int), MASK, (slice(None), X[0] > 0),
    (MASK, 2), (1, MASK[0]), np.int64(2), np.array(1), range(3), (slice(None, -1), slice(-2, None)),
    True, (True, 1), (1, True), (slice(None), True), (True, True), (Ellipsis, True, 2), (None, True, slice(1, 3)),
]  # fmt: skip
IDS = [str(k).replace("\n", "") for k in KEYS]


@pytest.mark.parametrize("key", KEYS, ids=IDS)
def test_getitem_is_numpys(key: Any) -> None:
    got = run(lambda x: getitem(x, key), X)
    expected = X[list(key) if isinstance(key, range) else key]
    assert got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("key", KEYS, ids=IDS)
def test_setitem_is_numpys(key: Any) -> None:
    plain = list(key) if isinstance(key, range) else key
    shape = X[plain].shape
    values = [np.array(7.5), np.arange(float(np.prod(shape))).reshape(shape), np.ones((1, 1, *shape[-1:]))]
    for value in values:
        expected = X.copy()
        expected[plain] = value if value.ndim <= len(shape) else value.reshape(shape[-1:])
        np.testing.assert_array_equal(run(lambda x, v: setitem(x, key, v), X, value), expected)
    np.testing.assert_array_equal(run(lambda x: setitem(x, key, -1), X), run(lambda x: setitem(x, key, -1.0), X))


@pytest.mark.parametrize("key", KEYS, ids=IDS)
def test_gradients(key: Any) -> None:
    plain = list(key) if isinstance(key, range) else key
    check_gradients(lambda x: getitem(x * x, key), X)
    value = np.random.default_rng(2).uniform(1, 2, X[plain].shape)
    if value.size and not has_repeats(plain):
        check_gradients(lambda x, v: setitem(x * x, key, v * v * v), X, value)


def has_repeats(key: Any) -> bool:
    places = np.arange(X.size).reshape(X.shape)[key]
    return places.size != np.unique(places).size


@pytest.mark.parametrize(
    "make",
    [
        lambda i: i,
        lambda i: (slice(None), i),
        lambda i: (i, slice(1, 3), i),
        lambda i: (Ellipsis, i, None),
        lambda i: (i, A),
        lambda i: (A, slice(None), i),
        lambda i: (slice(0, 3), i, A),
        lambda i: (1, i, slice(None, None, -1)),
    ],
)
def test_an_index_known_at_run_time(make: Any) -> None:
    for place in (np.array(1), np.array(-2, "int32")):
        plain = make(int(place))
        np.testing.assert_array_equal(run(lambda x, i: getitem(x, make(i)), X, place), X[plain])
        expected = X.copy()
        expected[plain] = 3.0
        np.testing.assert_array_equal(run(lambda x, i: setitem(x, make(i), 3.0), X, place), expected)
        check_gradients(lambda x, i: getitem(x * x, make(i)), X, place)
        check_gradients(lambda x, v, i: setitem(x * x, make(i), v * v), X, np.ones(X[plain].shape), place)


def test_index_tensors() -> None:
    for key in ((A,), (A, B)):
        plain = key if len(key) > 1 else key[0]
        np.testing.assert_array_equal(run(lambda x, *i: getitem(x, i), X, *key), X[plain])


def test_a_list_may_hold_tensors() -> None:
    np.testing.assert_array_equal(run(lambda x, i: getitem(x, [0, i]), X, np.array(2)), X[[0, 2]])


def test_a_mask_tensor_chooses() -> None:
    for mask, value in ((X > 0, 0.5), (MASK, np.arange(6.0)), (X > 0, np.arange(float((X > 0).sum())))):
        expected = X.copy()
        expected[mask] = value
        np.testing.assert_array_equal(
            run(lambda x, m, v: setitem(x, m, v), X, mask, np.asarray(value, float)), expected
        )
    check_gradients(lambda x, v, m: setitem(x * x, m, v * v), X, np.arange(6.0) + 1, MASK)


def test_a_mask_tensor_picks_elements() -> None:
    np.testing.assert_array_equal(run(getitem, X, X > 0), X[X > 0])
    np.testing.assert_array_equal(masked_select.eager(X, X > 0, defines=None), X[X > 0])
    np.testing.assert_array_equal(nonzero.eager(MASK, defines=None), np.argwhere(MASK))
    for shape in ((80, 70), (20, 30, 40), (5000, 1), (5000,)):
        large = np.random.default_rng(0).random(shape) < 0.3
        for given in (large, large.astype("float64"), large.T, large[::2]):
            found = nonzero.eager(given, defines=None)
            np.testing.assert_array_equal(found, np.argwhere(given))
            assert found.dtype == np.int64


def test_assignment_takes_the_dtype_of_x() -> None:
    assert run(lambda x: setitem(x, 0, 2.7), np.arange(3)).tolist() == [2, 1, 2]


@pytest.mark.parametrize(
    ("key", "error", "text"),
    [
        (4, AxisError, "index 4 is outside an axis of 4"),
        ((0, 0, 0, 0), AxisError, "4 indices for a tensor of rank 3"),
        ((Ellipsis, Ellipsis), AxisError, "only one Ellipsis"),
        (1.5, DTypeError, "can't hold float"),
        ("a", DTypeError, "can't hold str"),
        (False, DTypeError, "can't hold bool"),
        ((True, [0, 1]), DTypeError, "can't hold bool"),
        ((True, slice(None), 1), DTypeError, "can't hold bool"),
        (np.array([9]), AxisError, "index 9 is outside an axis of 4"),
        (np.zeros((3, 3), bool), AxisError, "mask of shape"),
        (slice(None, None, 0), AxisError, "step"),
        (slice(0, "b"), KindError, "bounded by ints, not 'b'"),
    ],
)
def test_wrong_keys(key: Any, error: type[Exception], text: str) -> None:
    with numpy_values(), pytest.raises(error, match=text):
        getitem(ArrayValue(X), key)


def test_wrong_values() -> None:
    with numpy_values(), pytest.raises(ShapeError, match="can't be put into"):
        setitem(ArrayValue(X), 0, ArrayValue(np.zeros((2, 6))))


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        (slice(1, None), "N-1, 3"), (slice(None, -1), "N-1, 3"), (slice(None, None, 2), "(N+1)//2, 3"), (-1, "3"),
        (slice(None, None, -1), "N, 3"), (slice(0, Dim.parse("N-2")), "N-2, 3"), ((None, 0), "1, 3"),
        (np.array([0, 1]), "2, 3"),
        (Dim.parse("N-1"), "3"), ((Ellipsis, 2), "N"), (slice(-3, -1), "2, 3"),
        ((slice(None), np.array([[2], [0]])), "N, 2, 1"),
    ],
)  # fmt: skip
def test_symbolic_sizes(key: Any, shape: str) -> None:
    def large(relation: str, difference: Dim) -> bool:
        value = difference.evaluate({"N": 100})
        assert isinstance(value, int)
        return value >= 0 if relation == ">=" else value == 0

    with type_values() as value, deciding(large):
        x = value("f32", "N", 3)
        assert str(getitem(x, key).type) == f"f32[{shape}]"
        assert setitem(x, key, 1.0).type == x.type


@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 0), (5, 6), (2, 3, 4)])
def test_places_of_any_rank_and_layout(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    x = np.where(rng.random(shape) < 0.5, rng.normal(size=shape), 0.0)
    mask = rng.random(shape) < 0.5
    for each, chosen in ((x, mask), (x.T, mask.T), (x[..., ::-1] if shape else x, mask)):
        np.testing.assert_array_equal(nonzero.eager(each, defines=None), np.argwhere(each))
        np.testing.assert_array_equal(masked_select.eager(each, chosen, defines=None), each[chosen])
    special = np.array([np.nan, 0.0, -0.0, np.inf])
    assert nonzero.eager(special, defines=None).tolist() == [[0], [3]]
