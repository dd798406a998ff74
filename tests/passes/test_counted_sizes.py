"""What a mask picks, counted first and then picked by kernels: as eager mode, whatever the mask, dtype and sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError

PROGRAMS: dict[str, Any] = {
    "picked": lambda x, m: x[m] * 2,
    "rows": lambda x, m: x[m[:, 0]] + 1,
    "two of one mask": lambda x, m: x[m] + (x * 3)[m],
    "places": lambda x, m: vt.nonzero(m),
    "places of numbers": lambda x, m: vt.nonzero(x - 1),
    "both": lambda x, m: (vt.nonzero(m), x[m], vt.nonzero(m).shape[0] + vt.zeros([2])),
    "what is picked of what was picked": lambda x, m: x[m][x[m] > 2] * 2,
    "sums of groups": lambda x, m: vt.scatter_nd_add(
        vt.zeros([9], x.dtype), (x[m].astype("int64") % 9).reshape([-1, 1]), x[m]
    ),
}


def _arrays(shape: tuple[int, ...], share: float, dtype: str) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    x = vt.to_tensor(rng.integers(0, 5, shape)).astype(dtype)
    return x, vt.to_tensor(rng.random(shape) < share)


def _same(made: Any, expected: Any) -> None:
    if isinstance(made, (tuple, list)):
        assert len(made) == len(expected)
        for a, b in zip(made, expected, strict=True):
            _same(a, b)
        return
    assert made.dtype == expected.dtype and tuple(made.shape) == tuple(expected.shape)
    np.testing.assert_array_equal(made.astype("float64").numpy(), expected.astype("float64").numpy())


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "float16"])
def test_equals_eager_mode(name: str, dtype: str) -> None:
    compiled = vt.to_static(PROGRAMS[name])
    for shape in ((97, 61), (5, 3), (0, 4)):
        for share in (0.0, 0.01, 0.5, 1.1):
            x, m = _arrays(shape, share, dtype)
            _same(compiled(x, m), PROGRAMS[name](x, m))


@pytest.mark.parametrize("size", [1, 7, 8, 9, 16, 63, 64, 65, 127, 128, 129, 4999, 5000, 70001])
def test_ends_of_lines(size: int) -> None:
    def picked(x: Any, m: Any) -> Any:
        return x[m] * 2, vt.nonzero(m), x.astype("float64")[m]

    compiled = vt.to_static(picked)
    for share in (0.001, 0.5, 0.999, 1.1):
        x, m = _arrays((size,), share, "float32")
        _same(compiled(x, m), picked(x, m))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "uint8", "int8"])
def test_different_elements(dtype: str) -> None:
    """Sorted, each once: NaN too, and of both zeros the first one."""
    compiled = vt.to_static(lambda x: vt.unique(x))
    rng = np.random.default_rng(7)
    for size in (1, 64, 65, 1000, 5000):
        for span in (3, 100, 2**40):
            x = (rng.integers(-span, span, size) // (1 if span < 200 else 3)).astype(dtype)
            if dtype.startswith("float") and size > 60:
                x[[3, 7, 9, 20, 30]] = np.nan, -0.0, -np.nan, np.inf, 0.0
            expected, made = vt.unique(vt.to_tensor(x)).numpy(), compiled(vt.to_tensor(x)).numpy()
            np.testing.assert_array_equal(expected, np.unique(x))
            np.testing.assert_array_equal(made, expected)
            if dtype.startswith("float"):
                np.testing.assert_array_equal(np.signbit(made)[made == 0], np.signbit(expected)[expected == 0])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8"])
def test_places_and_counts_of_different_elements(dtype: str) -> None:
    def parts(x: Any) -> Any:
        return (*vt.unique(x, True, True, True), *vt.unique(x, return_counts=True, dtype="int32"))

    compiled = vt.to_static(parts)
    rng = np.random.default_rng(7)
    for size in (1, 2, 65, 1000, 5000):
        x = rng.integers(-50, 50, size).astype(dtype)
        if dtype.startswith("float") and size > 60:
            x[[3, 7, 9, 20, 30]] = np.nan, -0.0, -np.nan, np.inf, 0.0
        for made, expected in zip(compiled(vt.to_tensor(x)), parts(vt.to_tensor(x)), strict=True):
            assert made.dtype == expected.dtype
            np.testing.assert_array_equal(made.numpy(), expected.numpy())


def test_different_elements_need_no_host() -> None:
    for dtype in ("float32", "float64", "int64"):
        functions = [lambda x: vt.unique(x) * 2, lambda x: vt.unique(x, return_counts=True)]
        if dtype != "int64":
            functions.append(lambda x: vt.unique(x, True, True, True))
        for function in functions:
            compiled = vt.to_static(function, input_spec=[vt.InputSpec([9000], dtype)])
            assert "host call" not in compiled.dump("linearised")


def test_sizes_of_each_call_and_threads() -> None:
    """A binding takes other sizes over, larger and smaller ones, and threads don't change what comes out."""
    spec = [vt.InputSpec([None], "float32"), vt.InputSpec([None], "bool")]

    def spread(x: Any, m: Any) -> Any:
        return x[m] * 2 - vt.exp(x[m]).sum(), vt.cumsum(x[m], 0)

    compiled = vt.to_static(spread, input_spec=spec)
    rng = np.random.default_rng(5)
    before = vt.get_num_threads()
    try:
        for k, n in enumerate(rng.integers(4096, 90000, 40)):
            vt.set_num_threads(1 + k % 2)
            x, m = vt.to_tensor(rng.random(n).astype("float32")), vt.to_tensor(rng.random(n) < rng.random())
            made, expected = compiled(x, m), spread(x, m)
            for a, b in zip(made, expected, strict=True):
                np.testing.assert_allclose(a.numpy(), b.numpy(), 1e-4)
            _same(compiled(x, m), made)
    finally:
        vt.set_num_threads(before)


def test_what_is_not_contiguous() -> None:
    x, m = _arrays((90, 80), 0.4, "float32")
    compiled = vt.to_static(lambda x, m: x.T[m.T] * 2)
    _same(compiled(x, m), x.T[m.T] * 2)


def test_in_loops_and_branches() -> None:
    def walked(x: Any, m: Any) -> Any:
        total = x.sum() * 0
        for k in range(3):
            if x[0, 0] > k:
                total = total + (x[m & (x > k)] ** 2).max()
        return total

    x, m = _arrays((70, 80), 0.9, "float32")
    _same(vt.to_static(walked)(x, m), walked(x, m))


def test_gradients() -> None:
    def slope(x: Any, m: Any) -> Any:
        x.stop_gradient = False
        taken = x[m]
        return vt.grad((taken * vt.arange(taken.shape[0], dtype="float64")).cumsum(0).sum() + taken.max(), x)[0]

    x, m = _arrays((70, 80), 0.3, "float64")
    np.testing.assert_array_equal(vt.to_static(slope)(x, m).numpy(), slope(x, m).numpy())


def test_picked_values_are_scattered_natively() -> None:
    """Both arrays are picked, and what follows is done, without a step of Python."""

    def sums(x: Any, shop: Any, m: Any) -> Any:
        kept, to = x[m], shop[m]
        total = vt.put_along_axis(vt.zeros([9]) + x[0], to, kept, 0, reduce="add")
        number = vt.put_along_axis(vt.zeros([9]) + x[1], to, vt.ones_like(kept), 0, reduce="add")
        return total / number, vt.put_along_axis(vt.zeros([9]), to, kept, 0, reduce="amax")

    compiled = vt.to_static(sums)
    x, m = _arrays((9000,), 0.4, "float32")
    shop = x.astype("int64")
    _same(compiled(x, shop, m), sums(x, shop, m))
    steps = compiled.dump("linearised")
    assert "piece " not in steps and "interpreter" not in steps


def test_lengths_of_counts() -> None:
    compiled = vt.to_static(lambda x: vt.bincount(x) + 0)
    rng = np.random.default_rng(0)
    for top in (3, 700, 20, 9000, 500, 1, 80, 81, 82, 83, 84, 85):
        x = vt.to_tensor(rng.integers(0, top, 5000))
        _same(compiled(x), vt.bincount(x))
    assert "interpreter" not in compiled.dump("linearised")
    with pytest.raises(ArgumentError):
        compiled(vt.to_tensor(rng.integers(-2, 3, 5000)))
    _same(compiled(vt.to_tensor([1, 3])), vt.to_tensor([0, 1, 0, 1]))


def test_lengths_of_runs_in_each_call() -> None:
    """Joined arrays, whose places in memory the sizes decide: in one piece, whatever the sizes."""

    def runs(x: Any) -> Any:
        edge = vt.nonzero(x[1:] != x[:-1]).reshape([-1]) + 1
        starts = vt.concat([vt.zeros([1], "int64"), edge])
        ends = vt.concat([edge, vt.full([1], x.shape[0], "int64")])
        pairs = vt.concat([x[starts].unsqueeze(1), ends.unsqueeze(1), starts.unsqueeze(1)], 1)
        return x[starts], ends - starts, pairs, vt.concat([x, edge, x])

    compiled = vt.to_static(runs)
    rng = np.random.default_rng(2)
    for share in rng.random(30):
        x = vt.to_tensor(np.cumsum(rng.random(6000) < share))
        _same(compiled(x), runs(x))
    assert "interpreter" not in compiled.dump("linearised")
