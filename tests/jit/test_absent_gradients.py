"""`.grad` of what a run didn't use: None, as in eager mode, not zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def leaf(*numbers: float) -> Any:
    return vt.to_tensor(np.array(numbers, "float32"), stop_gradient=False)


def number(x: Any) -> Any:
    return vt.to_tensor(x)


def on_one_path(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    if c > 0:
        return (x * 2).sum()
    return (y * p).sum()


def on_a_path_of_a_path(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    s = (x * 1).sum()
    if c > 0:
        if d > 0:
            s = s + (y * 2).sum()
        else:
            s = s * p.sum()
    return s


def in_a_counted_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    for _ in range(n):
        x = x * p
    return x.sum()


def in_a_tested_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    i = vt.to_tensor(0)
    while i < n:
        x = x * p
        i = i + 1
    return x.sum()


def in_a_branch_of_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    a, b = x, x * 0.0
    for i in range(n):
        if i % 2 == 0:
            a = a * p
        else:
            b = b + a * y
    return a.sum() + b.sum()


def swapped_in_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    h, k = x * 0.0, y * 1.0
    for _ in range(n):
        h = h + x
        h, k = k, h
    return h.sum()


def in_nested_loops(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    for _ in range(n):
        for _ in range(n - 1):
            x = x * y
    return x.sum()


def before_a_break(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    for _ in range(n):
        if c * x.sum() > 0:
            break
        x = x * y
    return x.sum()


def behind_other_operations(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    z = p * 2
    if c > 0:
        return (x * z).sum()
    return x.sum() + y.sum()


def replaced_in_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    h = x * 1.0
    for _ in range(n):
        h = p * 1.0
    return h.sum()


FUNCTIONS = [
    on_one_path, on_a_path_of_a_path, in_a_counted_loop, in_a_tested_loop, in_a_branch_of_a_loop, swapped_in_a_loop,
    in_nested_loops, before_a_break, behind_other_operations, replaced_in_a_loop,
]  # fmt: skip


def outcomes(fn: Callable[..., Any], take: Callable[..., list[Any]]) -> list[Any]:
    found = []
    for c in (1.0, -1.0):
        for d in (1.0, -1.0):
            for n in (0, 1, 2, 3):
                given = [leaf(1, 2), leaf(3, 4), leaf(0.5, 0.25)]
                grads = take(fn, given, number(c), number(d), number(n))
                found.append([None if g is None else g.tolist() for g in grads])
    return found


def by_backward(fn: Callable[..., Any], given: list[Any], *numbers: Any) -> list[Any]:
    fn(*given, *numbers).backward()
    return [x.grad for x in given]


def by_grad(fn: Callable[..., Any], given: list[Any], *numbers: Any) -> list[Any]:
    return list(vt.grad(fn(*given, *numbers), given, allow_unused=True))


def through_the_graph(fn: Callable[..., Any], given: list[Any], *numbers: Any) -> list[Any]:
    fn(*(x * 3.0 for x in given), *numbers).backward()
    return [x.grad for x in given]


@pytest.mark.parametrize("fn", FUNCTIONS)
@pytest.mark.parametrize("take", [by_backward, by_grad, through_the_graph])
def test_what_the_run_did_not_use_has_no_gradient(fn: Callable[..., Any], take: Callable[..., list[Any]]) -> None:
    plain = outcomes(fn, take)
    assert any(None in grads for grads in plain)
    assert outcomes(vt.to_static(fn), take) == plain


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_backward_inside_of_the_function_leaves_no_gradient_either(fn: Callable[..., Any]) -> None:
    def step(*given: Any) -> None:
        fn(*given).backward()

    def left(step: Callable[..., Any], given: list[Any], *numbers: Any) -> list[Any]:
        step(*given, *numbers)
        return [x.grad for x in given]

    assert outcomes(vt.to_static(step), left) == outcomes(step, left)


def test_parameters_that_a_loop_did_not_use_have_no_gradient() -> None:
    p = leaf(0.5, 0.25)

    def fn(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = x * p
        return x.sum()

    compiled = vt.to_static(fn)
    for n, expected in ((0, None), (2, [1.0, 1.0]), (0, None)):
        p.clear_grad(set_to_zero=False)
        compiled(leaf(1, 2), number(n)).backward()
        assert (p.grad is None) if expected is None else p.grad.tolist() == expected


def test_an_argument_of_an_output_without_a_gradient_has_none() -> None:
    compiled = vt.to_static(lambda x, y: (x * 2, y * 3))
    for used in ((0,), (1,), (0, 1)):
        given = [leaf(1, 2), leaf(3, 4)]
        results = compiled(*given)
        sum(results[k].sum() for k in used).backward()
        assert [x.grad is not None for x in given] == [k in used for k in (0, 1)]


def test_an_optimizer_passes_over_what_was_not_used() -> None:
    def train(wrap: Callable[..., Any]) -> list[Any]:
        used, other = leaf(1, 2), leaf(3, 4)
        optimizer = vt.optimizer.Adam(0.125, parameters=[used, other])

        def loss(c: Any, d: Any) -> Any:
            s = (used * used).sum()
            if c > 0:
                if d > 0:
                    s = s + (used * other).sum()
            return s

        fn, found = wrap(loss), []
        for c, d in ((1, 1), (1, -1), (-1, 1), (1, 1)):
            fn(number(float(c)), number(float(d))).backward()
            optimizer.step()
            optimizer.clear_grad(set_to_zero=False)
            found.append(np.concatenate([used.numpy(), other.numpy()]))
        return found

    np.testing.assert_allclose(train(vt.to_static), train(lambda f: f), rtol=1e-6)


def test_second_gradients_know_what_was_used() -> None:
    compiled = vt.to_static(lambda x, y, c: (x**3).sum() if c > 0 else (y**3).sum())
    x, y = leaf(1, 2), leaf(3, 4)
    first = vt.grad(compiled(x, y, number(1.0)), [x, y], create_graph=True, allow_unused=True)
    assert first[1] is None
    (second,) = vt.grad(first[0].sum(), [x])
    np.testing.assert_allclose(second.numpy(), [6.0, 12.0], rtol=1e-6)


def test_programs_that_always_use_their_arguments_compute_nothing_for_it() -> None:
    compiled = vt.to_static(lambda x, y, n: sum((x * y for _ in range(3)), x).sum())
    compiled(leaf(1, 2), leaf(3, 4), number(1))
    entry = compiled._entries()[-1]
    pair = entry.runner.pair
    assert pair.certain and len(pair.made.backward.fetches) == len(pair.made.gradients)
