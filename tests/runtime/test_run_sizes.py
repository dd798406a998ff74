"""Sizes that only a run knows, in native steps: the VM computes them; no step of Python, the values of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, ShapeError


def masked(x: Any) -> Any:
    return x[x > 0]


def masked_chain(x: Any) -> Any:
    kept = x[x > 0]
    return vt.exp(kept * 2) + 1, kept.sum(), (kept * kept).mean()


def two_masks(x: Any) -> Any:
    return x[x > 0], x[x <= 0] * 2, vt.concat([x[x > 1], x[x < -1]])


def places(x: Any) -> Any:
    return vt.nonzero(x > 0), x[vt.nonzero(x > 0).reshape([-1])]


def places_of_two_axes(x: Any) -> Any:
    grid = x[: x.shape[0] // 2 * 2].reshape([-1, 2])
    return vt.nonzero(grid > 0), grid[grid > 0.5], vt.where(grid > 0)


def counted(x: Any) -> Any:
    index = vt.abs(x * 3).astype("int64")
    return vt.bincount(index), vt.bincount(index, minlength=9) + 1, vt.bincount(index, weights=x)


def repeated(x: Any) -> Any:
    return vt.repeat_interleave(x, vt.abs(x).astype("int64"))


def written(x: Any) -> Any:
    y = x + 0
    y[x > 0] = y[x > 0] * 3
    return y


def of_two_sizes(x: Any) -> Any:
    a, b = x[x > 0], x[x < 0]
    return a.unsqueeze(1) * b.unsqueeze(0), (a.unsqueeze(1) - b).sum(1)


def in_a_loop(x: Any) -> Any:
    total = x.sum()
    for _ in range(vt.to_tensor(3)):
        kept = x[x > total * 0.01]
        total = total + (kept * kept).sum()
        x = x - 0.25
    return total, x[x > 0]


def on_one_path(x: Any) -> Any:
    kept = x[x > 0]
    if x.sum() > 0:
        y = (kept * 2).sum()
    else:
        y = vt.bincount(vt.abs(x).astype("int64")).sum().astype(x.dtype)
    return y, kept


def different(x: Any) -> Any:
    return vt.unique(x.astype("int64")), vt.unique((x * 100).astype("int32")) * 2


def beside_python(x: Any) -> Any:
    values = vt.unique(vt.round(x * 2))
    return values, values * 2, (values > 0).astype("int64").sum(), x[x > 0] + values.sum()


CASES = [
    masked, masked_chain, two_masks, places, places_of_two_axes, counted, repeated, written, of_two_sizes, in_a_loop,
    on_one_path, different, beside_python,
]  # fmt: skip


def arrays(found: Any) -> list[Any]:
    return [a for part in found for a in arrays(part)] if isinstance(found, (list, tuple)) else [found.numpy()]


def inputs(n: int, kind: str) -> Any:
    rng = np.random.default_rng(n)
    x = rng.standard_normal(n) * 2
    if kind == "none":
        x = -np.abs(x)
    return x.astype(np.float32)


@pytest.mark.parametrize("function", CASES, ids=[f.__name__ for f in CASES])
def test_equals_eager_mode(function: Callable[[Any], Any]) -> None:
    """Whatever is picked: much, little, nothing; again, with other sizes; beyond what small results take."""
    compiled = vt.to_static(function)
    for n in (7, 300, 1, 300, 2, 40_000, 7):
        for kind in ("some", "none"):
            x = vt.to_tensor(inputs(min(n, 600) if function is of_two_sizes else n, kind))  # whose results are n * n
            for a, b in zip(arrays(compiled(x)), arrays(function(x)), strict=True):
                assert a.dtype == b.dtype and a.shape == b.shape
                np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5)


NATIVE = [masked, masked_chain, two_masks, places, places_of_two_axes, counted, repeated, of_two_sizes]


@pytest.mark.parametrize("function", NATIVE, ids=[f.__name__ for f in NATIVE])
def test_no_step_of_python(function: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(function)
    compiled(vt.to_tensor(inputs(30, "some")))
    steps = compiled.dump("linearised")
    assert "interpreter" not in steps and "piece " not in steps and "host call" not in steps, steps


def test_numbers_of_their_own() -> None:
    """Equal operations on arrays of run-time size that are filled with different numbers."""

    def filled(x: Any) -> Any:
        kept = x[x > 0]
        ones, twos = vt.ones_like(kept), vt.full_like(kept, 2.0)
        return vt.cumsum(ones, 0), vt.cumsum(twos, 0), ones, twos * kept

    compiled = vt.to_static(filled)
    x = vt.to_tensor(inputs(30, "some"))
    for a, b in zip(arrays(compiled(x)), arrays(filled(x)), strict=True):
        np.testing.assert_array_equal(a, b)


def extremes(x: Any) -> Any:
    kept = x[x > -1]
    return kept.max(), kept.argmin(), vt.nn.functional.softmax(kept, 0), (kept * kept).min()


def test_extremes_of_what_is_picked() -> None:
    """They are native, and of nothing an error, as in eager mode; the next call is as if nothing had been."""
    compiled = vt.to_static(extremes)
    for n in (7, 300, 1, 7):
        x = vt.abs(vt.to_tensor(inputs(n, "some")))
        for a, b in zip(arrays(compiled(x)), arrays(extremes(x)), strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5)
        with pytest.raises(ShapeError):
            compiled(vt.to_tensor(np.full(n, -2, np.float32)))
    steps = compiled.dump("linearised")
    assert "interpreter" not in steps and "piece " not in steps and "or else max" in steps
    assert compiled.cost().python_calls == 0


def test_special_values() -> None:
    """NaNs and zeros of either sign are told apart as in eager mode."""
    x = vt.to_tensor(np.array([np.nan, 0.0, -0.0, np.inf, -np.inf, 2.0]))
    for function in (vt.nonzero, lambda t: t[t == t], lambda t: t[vt.isnan(t)], lambda t: vt.where(t)[0]):
        compiled = vt.to_static(lambda t, function=function: function(t))
        np.testing.assert_array_equal(compiled(x).numpy(), function(x).numpy())


def test_gradients_of_what_is_picked() -> None:
    def loss(x: Any) -> Any:
        kept = x[x > 0]
        return (kept * kept * kept).sum() + vt.exp(x[x < -0.5]).sum()

    for n in (40, 1, 300):
        found = []
        for function in (loss, vt.to_static(loss)):
            x = vt.to_tensor(inputs(n, "some").astype("float64"))
            x.stop_gradient = False
            function(x).backward()
            found.append(x.grad.numpy())
        np.testing.assert_allclose(found[0], found[1], rtol=1e-12)


def test_results_are_the_callers() -> None:
    """A later call doesn't write into what an earlier one gave."""
    compiled = vt.to_static(masked)
    first = compiled(vt.to_tensor(np.arange(5, dtype=np.float32)))
    before = first.numpy().copy()
    compiled(vt.to_tensor(np.arange(5, 10, dtype=np.float32)))
    np.testing.assert_array_equal(first.numpy(), before)


def test_an_input_picked_whole_is_copied() -> None:
    compiled = vt.to_static(lambda x: x[x == x])
    x = vt.to_tensor(np.arange(4.0))
    made = compiled(x)
    made[0] = 9.0
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_sizes_that_do_not_fit() -> None:
    """What NumPy would repeat, or refuse, is still seen by the run."""
    product = vt.to_static(lambda x: (x[x > 0] * x[x <= 0] + 1).sum())
    for values, expected in (([1.0, -1.0, 2.0, -3.0], -5.0), ([1.0, 2.0, -1.0], -1.0), ([-1.0], 0.0)):
        assert product(vt.to_tensor(np.array(values))).item() == expected
    with pytest.raises(ShapeError):
        product(vt.to_tensor(np.array([1.0, 2.0, -1.0, -2.0, -3.0])))


def test_sizes_below_zero() -> None:
    compiled = vt.to_static(lambda n: vt.ones([n.item()]) * 2)
    assert compiled(vt.to_tensor(3)).tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(ArgumentError):
        compiled(vt.to_tensor(-1))
    assert compiled(vt.to_tensor(0)).tolist() == []


def test_state_stays_where_a_call_fails() -> None:
    """A failed call leaves parameters as they were, though kernels have run before."""
    counts = vt.to_tensor([0, 0, 0])

    @vt.to_static
    def step(x: Any) -> Any:
        counts.add_(vt.ones([3], "int64"))
        return vt.bincount(x)

    assert step(vt.to_tensor([1, 2])).tolist() == [0, 1, 1]
    with pytest.raises(ArgumentError):
        step(vt.to_tensor([1, -2]))
    assert counts.tolist() == [1, 1, 1]


def test_memory_of_nothing_is_shared() -> None:
    """Arrays that aren't in use at the same time lie in one list."""
    compiled = vt.to_static(lambda x: vt.cumsum(vt.cumsum(vt.cumsum(x[x > 0], 0) + 1, 0) + 1, 0))
    x = vt.to_tensor(inputs(50, "some"))
    np.testing.assert_allclose(
        compiled(x).numpy(), vt.cumsum(vt.cumsum(vt.cumsum(x[x > 0], 0) + 1, 0) + 1, 0).numpy(), rtol=1e-5
    )


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64"])
def test_pieces_that_fit_only_if_a_run_says_so(axis: int, dtype: str) -> None:
    """Copied by kernels where the size is the one that it must be; else the error of eager mode."""

    def beside(x: Any, ids: Any) -> Any:
        made = vt.zeros([vt.max(ids) + 1, 3], dtype)
        made = made if axis else made.T
        return vt.concat([x, made, x], axis), made.shape[1 - axis]

    compiled = vt.to_static(beside)
    x = vt.to_tensor((np.arange(12).reshape(4, 3) % 3).astype(dtype))
    x = x if axis else x.T
    for top in (3, 2, 3, 0, 4, 3):
        ids = vt.to_tensor([0, top])
        if top == 3:
            for _ in range(2):
                np.testing.assert_array_equal(compiled(x, ids)[0].numpy(), beside(x, ids)[0].numpy())
            continue
        for run in (beside, compiled):
            with pytest.raises(ValueError, match="concat"):
                run(x, ids)
    steps = compiled.dump("linearised")
    assert "or else concat" in steps and "interpreter" not in steps


def test_gradients_of_pieces_that_fit_only_if_a_run_says_so() -> None:
    def beside(x: Any, ids: Any) -> Any:
        made = vt.geometric.segment_max(x * 2, ids)
        return vt.concat([x, made], -1).square()

    ids = vt.to_tensor([0, 2, 1, 2])
    found = []
    for run in (beside, vt.to_static(beside)):
        x = vt.to_tensor(np.arange(12.0).reshape(4, 3), stop_gradient=False)
        with pytest.raises(ValueError, match="concat"):
            run(x, ids)
        y = vt.to_tensor(np.arange(9.0).reshape(3, 3), stop_gradient=False)
        run(y, vt.to_tensor([2, 1, 0])).sum().backward()
        assert y.grad is not None
        found.append(y.grad.numpy())
    np.testing.assert_array_equal(*found)
