"""Python values beside tensors: `and`, `or`, returned numbers, and what `finally` does on the path that raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

CALLS = [(np.array(row, np.float32),) for row in ([1.0, 2.0], [-1.0, -2.0], [3.0, 0.5], [0.2, 0.3])]


def none_guards_a_tensor(x):
    y = None
    if x.sum() > 0:
        y = x
    return y is not None and y.sum() > 2


def and_none(x):
    return x.sum() > 0 and None


def and_text(x):
    return x.sum() > 0 and "positive"


def or_none(x):
    return x.sum() > 0 or None


def and_other_tensor(x):
    return x.sum() > 0 and x * 2


def and_number(x):
    return x.sum() > 0 and 3


def or_number(x):
    return x.sum() * 0.5 or 7


def chain_of_kinds(x):
    return (x.sum() > 0 and x[0] > 2 and None) or x


def as_tests(x):
    if x.sum() > 0 and None:
        return x
    if not (x.sum() > 5 and [1]):
        return x * 2
    return x * 3


def while_tested(x):
    n = 0
    while x.sum() > 0 and "go":
        x = x - 1
        n = n + 1
    return x, n


def kept_and_tested(x):
    both = x.sum() > 0 and [x]
    if both:
        return x * 2
    return both, x


def number_or_tensor(x):
    if x.sum() > 0:
        return x.sum()
    return 0


def number_or_vector(x):
    if x.sum() > 0:
        return x
    return 2


def number_or_vector_used(x):
    y = x if x.sum() > 0 else 2
    return y * x, y


def int_or_tensor_of_floats(x):
    y = (x * 2).astype("int64") if x.sum() > 0 else 0.5
    return y * 3, x


def helper_gives_number_or_tensor(x):
    def penalty(v):
        if v.sum() > 0:
            return v.sum()
        return 0

    return x * 2 + penalty(x)


CASES = [
    none_guards_a_tensor, and_none, and_text, or_none, and_other_tensor, and_number, or_number, chain_of_kinds,
    as_tests, while_tested, kept_and_tested, number_or_vector, number_or_vector_used,
    int_or_tensor_of_floats, helper_gives_number_or_tensor,
]  # fmt: skip


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_compiled_equals_eager(fn: Any, agree: Callable[..., None]) -> None:
    agree(lambda: fn, CALLS, True, True, 1)


EXACT = [none_guards_a_tensor, and_none, and_number, or_number, number_or_tensor, number_or_vector]


@pytest.mark.parametrize("fn", EXACT, ids=[f.__name__ for f in EXACT])
def test_of_the_kind_that_python_gives(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for (row,) in CALLS:
        got, want = compiled(vt.to_tensor(row)), fn(vt.to_tensor(row))
        assert type(got) is type(want)
        assert (got == want) if not isinstance(want, vt.Tensor) else got.dtype is want.dtype


# ---- finally on a path that raises


def cleans_up(x):
    try:
        if x.sum() > 0:
            raise ValueError("positive")
    finally:
        print("clean", x[0])
    return x * 2


def cleans_up_twice(x):
    try:
        try:
            if x.sum() > 0:
                raise ValueError("positive")
            print("inner")
        finally:
            print("first")
    finally:
        print("second", x.sum())
    return x


def cleans_up_after_a_helper(x):
    def risky(v):
        if v[0] > 2:
            raise KeyError("big")
        return v + 1

    try:
        y = risky(x)
    finally:
        print("done")
    return y


def raises_anew_in_finally(x):
    try:
        if x.sum() > 0:
            raise ValueError("first")
    finally:
        if x[0] > 2:
            raise KeyError("second")
    return x


def cleans_up_around_a_loop(x):
    try:
        for k in range(4):
            print("turn", k)
            if x.sum() > k + 1:
                raise ValueError("far")
    finally:
        print("out")
    return x


def cleans_up_around_a_while(x):
    n = x.sum() * 0
    try:
        while n < 3:
            n = n + 1
            if x.sum() > n:
                raise ValueError("far")
    finally:
        print("out")
    return x + n


FINALLY = [
    cleans_up, cleans_up_twice, cleans_up_after_a_helper, raises_anew_in_finally, cleans_up_around_a_loop,
    cleans_up_around_a_while,
]  # fmt: skip


@pytest.mark.parametrize("fn", FINALLY, ids=[f.__name__ for f in FINALLY])
def test_finally_runs_on_the_path_that_raises(fn: Any, capsys: Any) -> None:
    compiled = vt.to_static(fn)

    def outcome(call: Callable[[Any], Any], row: Any) -> Any:
        try:
            made = call(vt.to_tensor(row)).numpy().tolist()
        except (ValueError, KeyError) as error:
            made = type(error), error.args[0]
        return made, capsys.readouterr().out

    for (row,) in CALLS:
        assert outcome(compiled, row) == outcome(fn, row)
    assert compiled.get_traced_count() == 1


def evenly(x):
    return vt.linspace(x[0], x[1], 5), vt.linspace(x[0:1], 7, 1), vt.linspace(-1.0, x[1], 3, "float64")


def powers_evenly(x):
    return vt.logspace(x[0], 2.0, 4), vt.logspace(0, x.max(), 3, base=2.0)


@pytest.mark.parametrize("fn", [evenly, powers_evenly])
def test_spaces_between_bounds_of_a_run(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for (row,) in CALLS:
        for got, wanted in zip(compiled(vt.to_tensor(row)), fn(vt.to_tensor(row)), strict=True):
            assert got.dtype == wanted.dtype
            np.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=0 if fn is evenly else 2e-7)
    assert compiled.get_traced_count() == 1


def test_a_bound_of_several_elements_is_refused() -> None:
    for call in (lambda x: vt.linspace(x, 1.0, 3), vt.to_static(lambda x: vt.linspace(x, 1.0, 3))):
        with pytest.raises(ValueError, match="isn't one number"):
            call(vt.to_tensor([1.0, 2.0]))
