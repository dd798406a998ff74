"""Slices between known bounds of arrays whose size only a run knows: kernels of computed sizes, as eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ops.dims import Dim, DimLike, concrete
from vitrify.ops.sizes import enough_for, is_repeated, left_of, taken_of

U = Dim.symbol("u1")
SIZES: list[DimLike] = [U, left_of(U, 1), left_of(U, 3), U + 2, 5, U - left_of(U, 1)]
BOUNDS = [None, 0, 1, 2, 5, -1, -2, -5]


def kept(t: Any) -> Any:
    return t[t > 0]


def steps(t: Any) -> Any:
    x = kept(t)
    return x[1:] - x[:-1], (x[1:] * x[:-1]).sum(), x[2:-1], x[1:][1:], x[-3:]


def padded(t: Any) -> Any:
    x = kept(t)
    pair = x[1:] > x[:-1]
    end = vt.zeros_like(pair[:1])
    y = vt.where(vt.concat([pair, end]), -1.0, x)
    return y * 2, y[~vt.concat([end, pair])]


def shrinking(t: Any) -> Any:
    sums = []
    for _ in range(4):
        t = t[vt.concat([t[1:] > t[:-1], vt.ones_like(t[:1]) > 0])]
        sums.append(t.sum())
    return t, vt.stack(sums)


def first_and_rest(t: Any) -> Any:
    x = kept(t)
    return vt.concat([x[:1], x[1:]]) + x, x[3:5]


def repeated(t: Any) -> Any:
    """How long both are together hangs on the run: names of their own."""
    x = kept(t)
    return x[:2] * x[:1], x[1:] + x[-2:]


def rows(t: Any) -> Any:
    x = t.reshape([-1, 1]) * vt.ones([1, 3])
    x = x[x[:, 0] > 0]
    return x[1:, :2] * 2, x[:-1, -1:] + x[1:], x[:-1].sum(0), x.T[1:, 1:]


def of_two_masks(t: Any) -> Any:
    """Names of their own: what fits, and what is repeated, is the run's to see."""
    a, b = t[t > 0.1], t[t < 1.5]
    return a[1:].sum() + b[1:].sum(), a[:1] + b[1:]


def numbers(t: Any) -> Any:
    x = kept(t)[:-1]
    return x * x.shape[0], vt.full([x.shape[0]], 2.0) + x, vt.arange(x.shape[0])


def written(t: Any) -> Any:
    x = kept(t) * 1
    x[1:] = x[1:] * 2
    x[:2] = 7.0
    return x


def by_steps(t: Any) -> Any:
    x = kept(t)
    return x[::2], x[1::2], x[::-1], x[:-1][::-1]


def in_a_branch(t: Any) -> Any:
    x = kept(t)
    y = x[1:].sum() * 2 if t.sum() > 0 else x[:-1].sum()
    return y, x[1:]


def sorted_gaps(t: Any) -> Any:
    x = vt.sort(kept(t))
    gaps = x[1:] - x[:-1]
    return vt.cumsum(gaps, 0), x[:-1][gaps > 0.2]


FUNCTIONS = [
    steps, padded, shrinking, first_and_rest, repeated, rows, of_two_masks, numbers, written, by_steps, in_a_branch,
    sorted_gaps,
]  # fmt: skip
NATIVE = [steps, padded, shrinking, first_and_rest, rows, numbers, sorted_gaps]
LINES = [np.sin(np.arange(n) * 2.3 + n).astype(np.float32) * 2 for n in (*range(9), 40, 300)]


def arrays(made: Any) -> list[Any]:
    return [a for part in made for a in arrays(part)] if isinstance(made, (list, tuple)) else [made.numpy()]


def result(run: Callable[[Any], Any], t: Any) -> Any:
    try:
        return arrays(run(t))
    except (ValueError, IndexError) as error:
        return type(error)


@pytest.mark.parametrize("function", FUNCTIONS, ids=[f.__name__ for f in FUNCTIONS])
def test_equals_eager_mode(function: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(function)
    for line in (LINES[9], *LINES, -abs(LINES[6]), abs(LINES[7]), LINES[9] * np.nan):
        made, expected = result(compiled, vt.to_tensor(line)), result(function, vt.to_tensor(line))
        assert isinstance(made, type) is isinstance(expected, type), (made, expected)
        for a, b in zip(made, expected, strict=True) if isinstance(made, list) else ():
            assert a.dtype == b.dtype and a.shape == b.shape
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", NATIVE, ids=[f.__name__ for f in NATIVE])
def test_no_step_of_python(function: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(function)
    compiled(vt.to_tensor(LINES[9]))
    found = compiled.dump("linearised")
    assert "interpreter" not in found and "piece " not in found, found


def test_gradients() -> None:
    def loss(t: Any) -> Any:
        x = kept(t)
        return ((x[1:] - x[:-1]) ** 2 * x[1:]).sum() + vt.exp(x[-2:]).sum() + (x[1:-1] ** 3).sum()

    for n in (0, 1, 2, 3, 5, 40):
        found = []
        for run in (loss, vt.to_static(loss)):
            x = vt.to_tensor(np.sin(np.arange(n) * 2.3) * 2, stop_gradient=False)
            run(x).backward()
            assert x.grad is not None
            found.append(x.grad.numpy())
        np.testing.assert_allclose(*found, rtol=1e-12)


def test_what_a_slice_takes() -> None:
    for size in SIZES:
        for start, stop in ((a, b) for a in BOUNDS for b in BOUNDS):
            taken = taken_of(size, start, stop)
            for n in range(12) if taken is not None else ():
                whole, place, count = concrete([size, *(taken or ())], {"u1": n})
                chosen = range(*slice(start, stop).indices(whole))
                assert count == len(chosen) and place >= 0 and place + count <= whole
                assert not count or place == chosen[0]


def test_from_which_size_on_a_number_is_not_below_zero() -> None:
    for a in SIZES:
        for b in SIZES:
            for k in (-3, 0, 1):
                number = a - b + k
                found = enough_for(number) if isinstance(number, Dim) else None
                values = [concrete([number], {"u1": n})[0] >= 0 for n in range(80)]
                assert found is None or (all(values[found[1] :]) and not any(values[max(found[1] - 1, 0) : found[1]]))


def test_which_of_two_axes_says_how_long_both_are() -> None:
    for a in SIZES:
        for b in SIZES:
            for n in range(70) if is_repeated(a, b) else ():
                x, y = concrete([a, b], {"u1": n})
                if x == y or 1 in (x, y):
                    assert np.broadcast_shapes((x,), (y,)) == (x,)


def test_an_array_that_was_repeated_is_cut_as_long_as_it_is() -> None:
    """Sizes that are taken to be equal, where one of the arrays has a single element."""

    def cut(x: vt.Tensor, m: vt.Tensor, n: vt.Tensor) -> vt.Tensor:
        y = (x[n][::-1] + x[m][::-1]).clone()
        y[:-1] = 7.0
        return y

    compiled, x = vt.to_static(cut), vt.arange(6.0)
    for ones, others in ((4, 4), (1, 4), (3, 3), (1, 1)):
        masks = [vt.arange(6) < count for count in (ones, others)]
        assert compiled(x, *masks).tolist() == cut(x, *masks).tolist()
