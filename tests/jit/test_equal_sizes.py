"""What masks that are computed alike pick has one size, as have tensors made of sizes that are computed alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def counted(g: Any, x: Any, y: Any) -> Any:
    return vt.bincount(g[y > 0], x[y > 0], minlength=10)


def by_one_mask(g: Any, x: Any, y: Any) -> Any:
    m = y > 0
    return vt.bincount(g[m], x[m]), x[m] * y[m], vt.stack([x[m], y[m]], 1)


def means_of_groups(g: Any, x: Any, y: Any) -> Any:
    return x - (vt.bincount(g, x) / vt.bincount(g))[g]


def on_two_paths(g: Any, x: Any, y: Any) -> Any:
    if x.sum() > 0:
        x[0] = 3.0
        return x[y > 0] * y[y > 0]
    return None


def of_what_is_written(g: Any, x: Any, y: Any) -> Any:
    first = x[y > 0]
    y[:2] = -1.0
    return first, x[y > 0] + y[y > 0]


def places(g: Any, x: Any, y: Any) -> Any:
    found = vt.nonzero(y > 0)
    return x[y > 0] + found[:, 0].astype("float64"), vt.nonzero(g)


def in_a_loop(g: Any, x: Any, y: Any) -> Any:
    total = x * 0
    for k in range(3):
        kept = y > k * 0.5
        total[kept] = total[kept] + x[kept]
    return total


FUNCTIONS = [counted, by_one_mask, means_of_groups, on_two_paths, of_what_is_written, places, in_a_loop]


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_results_are_those_of_eager_mode(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        given = rng.integers(0, 9, 20), rng.standard_normal(20), rng.standard_normal(20) - 0.5 * seed
        expected = fn(*map(vt.to_tensor, given))
        found = compiled(*map(vt.to_tensor, given))
        assert (found is None) is (expected is None)
        for a, b in zip(_listed(found), _listed(expected), strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-12)


def _listed(found: Any) -> list[Any]:
    return [] if found is None else list(found) if isinstance(found, tuple) else [found]


def test_gradients_go_through_both() -> None:
    def loss(x: Any, y: Any) -> Any:
        return (x[y > 0] * y[y > 0] ** 2).sum()

    found = []
    for fn in (loss, vt.to_static(loss)):
        x, y = vt.to_tensor([1.0, 2.0, 3.0], stop_gradient=False), vt.to_tensor([1.0, -2.0, 3.0], stop_gradient=False)
        fn(x, y).backward()
        found.append((x.grad.tolist(), y.grad.tolist()))
    assert found[0] == found[1] == ([1.0, 0.0, 9.0], [2.0, 0.0, 18.0])


def test_no_step_of_two_sizes_is_left_to_python() -> None:
    compiled = vt.to_static(means_of_groups)
    rng = np.random.default_rng(0)
    given = vt.to_tensor(rng.integers(0, 9, 20)), vt.to_tensor(rng.standard_normal(20)), vt.ones([20])
    compiled(*given)
    with vt.profiler.profile() as seen:
        compiled(*given)
    assert not [row for row in seen.kernels if "(Python)" in str(row)]


def test_masks_on_two_paths_of_a_condition_before_them() -> None:
    def fn(x: Any, y: Any, n: int) -> Any:
        w = x
        if y.sum() > 2.5:
            w = None
        z = x[x > 0.5] + 1
        return w, z, x[x > 0.5] * z, n

    def number(x: Any, y: Any, n: int) -> Any:
        a = x * 1
        a.stop_gradient = False
        if n > 2:
            a = a * 0.5
        a = a * 2
        a[y > 0] += 1.0
        return a, a[y > 0]

    for each in (fn, number):
        compiled = vt.to_static(each)
        for n, y in ((2, 1.0), (1, 0.5), (3, 1.0), (4, -1.0)):
            x, y = vt.to_tensor([1.0, 2.0, -1.0]), vt.ones([3]) * y
            assert repr(compiled(x, y, n)) == repr(each(x, y, n))
