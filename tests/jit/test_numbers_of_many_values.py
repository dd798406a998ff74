"""Python numbers that decide sizes: a program for each of the first values, then one for all."""

import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt

X = vt.to_tensor(np.arange(64, dtype="float32"))
CASES = {
    "a slice": lambda n: X[:n].sum(),
    "a slice from the end": lambda n: X[-n:] * 2,
    "a slice that comes out": lambda n: X[n : 2 * n],
    "a value": lambda n: vt.full([2], n),
    "a size": lambda n: vt.zeros([n, 3]) + 1,
    "a range": lambda n: vt.arange(n) * 2,
    "a bound": lambda n: X.clip(0, n),
    "a shape": lambda n: X[: 2 * n].reshape([n, -1]).sum(0),
    "copies": lambda n: vt.tile(X[:3], [n]),
    "rows and columns": lambda n: vt.eye(n),
    "a part": lambda n: vt.split(X, [n, -1])[0],
}


@pytest.mark.parametrize("name", CASES)
def test_an_argument_has_four_programs_at_most(name: str) -> None:
    fn = CASES[name]
    compiled = vt.to_static(lambda n: fn(n))
    for n in (3, 4, 5, 6, 7, 20, 2, 30):
        np.testing.assert_array_equal(compiled(n).numpy(), fn(n).numpy())
    assert compiled.get_traced_count() <= 4


def test_an_attribute_has_four_programs_at_most() -> None:
    state = SimpleNamespace(n=0)
    compiled = vt.to_static(lambda x: x[: state.n].sum() + state.n)
    for n in (3, 4, 5, 6, 7, 20, 2, 30):
        state.n = n
        assert float(compiled(X)) == n * (n - 1) / 2 + n
    assert compiled.get_traced_count() <= 4


def test_bounds_beyond_the_axis_and_below_zero() -> None:
    def fn(x: Any, n: int) -> Any:
        return x[:n].sum()

    compiled = vt.to_static(fn)
    for n in (3, 4, 5, 6, -3, 0, 100, -100, 7, 64):
        assert float(compiled(X, n)) == float(fn(X, n))
    assert compiled.get_traced_count() <= 4


def test_code_that_needs_the_value_keeps_a_program_for_each() -> None:
    def fn(x: Any, n: int) -> Any:
        return x * len(str(n)) + {3: 1.0}.get(n, 0.0)

    compiled = vt.to_static(fn)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in (3, 14, 5, 600, 7, 8000, 3):
            assert compiled(X, n).tolist() == fn(X, n).tolist()
    assert compiled.get_traced_count() == 6


def test_other_numbers_stay_open_where_one_needs_its_value() -> None:
    def fn(x: Any, n: int, scale: float) -> Any:
        return x[: len("a" * n)] * scale

    compiled = vt.to_static(fn)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n, scale in ((3, 1.0), (4, 2.0), (5, 3.0), (6, 4.0), (6, 5.0), (6, 6.5), (3, 7.5)):
            assert compiled(X, n, scale).tolist() == fn(X, n, scale).tolist()
        programs = compiled.get_traced_count()
        assert compiled(X, 6, 8.25).tolist() == fn(X, 6, 8.25).tolist()
    assert compiled.get_traced_count() == programs


def test_gradients_and_state_of_a_cache_with_a_position() -> None:
    class Cache:
        def __init__(self) -> None:
            self.keys = vt.zeros([16, 4])

        def step(self, q: Any, n: int) -> Any:
            self.keys[n] = q.detach()
            return (vt.nn.functional.softmax(self.keys[: n + 1] @ q, -1) * vt.arange(n + 1)).sum()

    eager, cache = Cache(), Cache()
    compiled = vt.to_static(cache.step)
    for n in range(10):
        grads, values = [], []
        for step in (eager.step, compiled):
            q = vt.to_tensor(np.linspace(-1, 1, 4).astype("float32") * (n + 1), stop_gradient=False)
            value = step(q, n)
            value.backward()
            grads.append(q.grad.numpy())
            values.append(float(value))
        np.testing.assert_allclose(values[1], values[0], rtol=1e-5)
        np.testing.assert_allclose(grads[1], grads[0], rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(cache.keys.numpy(), eager.keys.numpy())
    assert compiled.get_traced_count() <= 4
