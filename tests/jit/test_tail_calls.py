"""Recursion that a tensor's value ends, where the call stands in the place of a `return`'s value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def factorial(n: Any, made: Any) -> Any:
    if n <= 0:
        return made
    return factorial(n - 1, made * n)


def divisor(a: Any, b: Any) -> Any:
    return a if b == 0 else divisor(b, a % b)


def steps_to_one(n: Any, steps: Any) -> Any:
    if n == 1:
        return steps
    elif n % 2 == 0:
        return steps_to_one(n // 2, steps + 1)
    else:
        return steps_to_one(3 * n + 1, steps=steps + 1)


def power(x: Any, n: Any, made: Any) -> Any:
    if n <= 0:
        return made
    if n % 2 == 1:
        return power(x * x, n // 2, made * x)
    return power(x * x, n // 2, made)


def sum_of_powers(x: Any, n: Any) -> Any:
    total = x * 0
    for k in range(n):
        total = total + power(x, k, x * 0 + 1)
    return total


def forever(n: Any) -> Any:
    if n > 0:
        return forever(n + 1)
    return n


CALLS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (factorial, [(5, 1), (0, 7), (3, 2.5), (2, 1)]),
    (divisor, [(12, 18), (7, 3), (4, 0)]),
    (steps_to_one, [(6, 0), (1, 0), (27, 0)]),
    (power, [(1.1, 7, 1.0), (2.0, 0, 1.0)]),
    (sum_of_powers, [(1.1, 4), (0.5, 2), (3.0, 0)]),
]


@pytest.mark.parametrize(("fn", "calls"), CALLS, ids=[fn.__name__ for fn, _ in CALLS])
def test_compiled_equals_eager(fn: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    compiled = vt.jit.to_static(fn)
    for call in calls:
        want, got = (f(*map(vt.to_tensor, call)) for f in (fn, compiled))
        assert got.dtype is want.dtype, call
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-5)


def test_a_python_number_stays_what_it_is_where_no_call_changes_it() -> None:
    compiled = vt.jit.to_static(factorial)
    assert compiled(vt.to_tensor(0), 1) == 1
    assert compiled(vt.to_tensor(4), 1).numpy() == 24


def test_gradients_pass_from_outside_and_inside() -> None:
    def inside(x: Any, n: Any) -> Any:
        power(x, n, x * 0 + 1).backward()
        return x.grad * 1

    for n in (0, 3, 6):
        grads = []
        for fn in (power, vt.jit.to_static(power)):
            x = vt.to_tensor(1.3, stop_gradient=False)
            fn(x, vt.to_tensor(n), x * 0 + 1).backward()
            grads.append(x.grad.numpy())
        x = vt.to_tensor(1.3, stop_gradient=False)
        grads.append(vt.jit.to_static(inside)(x, vt.to_tensor(n)).numpy())
        np.testing.assert_allclose(grads[1:], [grads[0]] * 2, rtol=1e-5)


def test_a_saved_function_still_ends_by_the_value(tmp_path: Any) -> None:
    fn = vt.jit.to_static(divisor, input_spec=[vt.static.InputSpec([], "int64"), vt.static.InputSpec([], "int64")])
    vt.jit.save(fn, str(tmp_path / "divisor"))
    loaded = vt.jit.load(str(tmp_path / "divisor"))
    assert loaded(vt.to_tensor(12), vt.to_tensor(18)).numpy() == 6


def test_recursion_that_never_ends_is_stopped_with_its_line_and_depth() -> None:
    with pytest.raises(
        RecursionError, match=r"`forever` calls itself more than 10000 times deep.*test_tail_calls.py:\d+"
    ):
        vt.jit.to_static(forever)(vt.to_tensor(3))
