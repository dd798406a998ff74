"""What functions take while a program is built: variables, not arrays; sizes that tensors give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.nn import functional as F

ARRAY = np.ones((2, 3), "float32")


@pytest.fixture(autouse=True)
def _program() -> Iterator[None]:
    vt.enable_static()
    with vt.static.program_guard(vt.static.Program(), vt.static.Program()):
        yield
    vt.disable_static()


def sequences() -> Any:
    return vt.base.create_lod_tensor(ARRAY, [[1, 1]])


REFUSED: list[tuple[str, Callable[[Any], Any], str]] = [
    ("function", lambda x: vt.clip(ARRAY, 0.0, 1.0), "clip needs a Variable"),
    ("row", lambda x: vt.add(x, ARRAY), "add needs a Variable"),
    ("row, by name", lambda x: vt.less_than(x=ARRAY, y=x), "less_than needs a Variable"),
    ("along an axis", lambda x: F.softmax(ARRAY), "softmax needs a Variable"),
    ("number", lambda x: F.relu6(1), "relu6 needs a Variable, not a int"),
    ("number for a row", lambda x: vt.tanh(1.5), "tanh needs a Variable, not a float"),
    ("number in place", lambda x: F.relu_(1), "relu_ writes into a tensor, not into int"),
    ("sequences", lambda x: vt.add(x, sequences()), "not a bare DenseTensor"),
    ("float as a size", lambda x: vt.full([2.5], 1.0), "must be an int"),
    ("float variable as a size", lambda x: vt.full([vt.static.data("n", [1])], 1.0), "not a float32 tensor"),
    ("several as a size", lambda x: vt.full([vt.full([2], 3)], 1.0), "one int"),
    ("unknown argument", lambda x: vt.logical_and(x, x, out=1), "has no argument 'out'"),
    ("one too many", lambda x: vt.add(x, x, None, 1), "got 4 arguments"),
    ("one too few", lambda x: vt.add(x), "needs the argument"),
]


@pytest.mark.parametrize(("call", "text"), [(c, t) for _, c, t in REFUSED], ids=[name for name, _, _ in REFUSED])
def test_refused(call: Callable[[Any], Any], text: str) -> None:
    with pytest.raises(TypeError, match=text):
        call(vt.static.data("x", [2, 3]))


def test_arrays_where_they_belong() -> None:
    x = vt.static.data("x", [2, 3])
    made = [x + ARRAY, vt.assign(ARRAY), vt.to_tensor(ARRAY), F.unfold(vt.ones([1, 1, 4, 4]), 2)]
    assert [y.shape for y in made] == [[2, 3], [2, 3], [2, 3], [1, 4, 9]]
    lengths = sequences()
    assert (lengths.lod(), lengths.recursive_sequence_lengths(), lengths.shape()) == ([[0, 1, 2]], [[1, 1]], [2, 3])
    (doubled,) = vt.static.Executor().run(feed={"x": lengths}, fetch_list=[x * 2])
    np.testing.assert_array_equal(doubled, ARRAY * 2)
    with pytest.raises(ValueError, match="don't add up to 2 rows"):
        vt.base.create_lod_tensor(ARRAY, [[1, 2]])


def test_in_place_functions_make_new_variables() -> None:
    x = vt.static.data("x", [2, 3])
    with pytest.warns(UserWarning, match="writes nothing in place") as caught:
        made = [vt.tanh_(x), x.tanh_(), F.tanh_(x), x.squeeze_(0)]
    assert caught[0].filename == __file__
    found = vt.static.Executor().run(feed={"x": ARRAY}, fetch_list=[x, *made])
    np.testing.assert_array_equal(found[0], ARRAY)
    for y in found[1:4]:
        np.testing.assert_allclose(y, np.tanh(ARRAY), rtol=1e-6)


def test_sizes_that_only_a_run_knows() -> None:
    sizes, count = vt.static.data("sizes", [2], "int32"), vt.static.data("count", [1], "int64")
    x = vt.static.data("x", [3, 4])
    made = [
        vt.full(sizes, 1.5),
        vt.full([count, 3], 2.0),
        vt.zeros([2, vt.full([1], 3, "int32")]),
        vt.reshape(x, sizes),
        vt.expand(vt.ones([1, 3]), [count, 3]),
    ]
    assert [y.shape for y in made] == [[-1, -1], [-1, 3], [2, 3], [-1, -1], [-1, 3]]
    given = {"sizes": np.array([2, 6], "int32"), "count": np.array([5]), "x": np.ones((3, 4), "float32")}
    found = vt.static.Executor().run(feed=given, fetch_list=made)
    assert [y.shape for y in found] == [(2, 6), (5, 3), (2, 3), (2, 6), (5, 3)]
    assert (found[0] == 1.5).all()


def test_a_size_of_adaptive_pooling_from_a_variable() -> None:
    x = vt.static.data("x", [1, 1, 4, 4])
    made = [F.adaptive_avg_pool2d(x, size) for size in ([2, 2], vt.assign([2, 2]), [vt.assign([2]), 2])]
    image = np.arange(16.0, dtype=np.float32).reshape(1, 1, 4, 4)
    for found in vt.static.Executor().run(feed={"x": image}, fetch_list=made):
        assert found.tolist() == [[[[2.5, 4.5], [10.5, 12.5]]]]


def test_bounds_of_a_linspace_are_fed() -> None:
    main = vt.static.Program()
    with vt.static.program_guard(main):
        start, stop = vt.static.data("start", [1], "int32"), vt.static.data("stop", [], "float64")
        made = vt.linspace(start, stop, 4)
    feed = {"start": np.array([3], "int32"), "stop": np.array(8.3)}
    (got,) = vt.static.Executor().run(main, feed=feed, fetch_list=[made])
    np.testing.assert_array_equal(got, np.linspace(3, 8.3, 4).astype("float32"))
