"""A selection (`x[mask]`) whose size only a run knows, where code needs one element: as a condition or a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def condition(x: Any, t: Any) -> Any:
    if x[x > t]:
        return x * 2
    return x * 3


def negated(x: Any, t: Any) -> Any:
    return 1 if not x[x > t] else 2


def ternary(x: Any, t: Any) -> Any:
    return x.sum() if x[x > t] else x.max()


def chained(x: Any, t: Any) -> Any:
    if x[x > t] and x.sum() > 1:
        return "both"
    return "one"


def loop(x: Any, t: Any) -> Any:
    n = 0
    while x[x > t] and n < 3:
        n += 1
    return n


def asserted(x: Any, t: Any) -> Any:
    assert x[x > t]
    return x


def as_float(x: Any, t: Any) -> Any:
    return float(x[x > t])


def as_int(x: Any, t: Any) -> Any:
    return int(x[x > t])


def as_bool(x: Any, t: Any) -> Any:
    return bool(x[x > t])


def as_item(x: Any, t: Any) -> Any:
    return x[x > t].item() * 2 + 1


def of_two_axes(x: Any, t: Any) -> Any:
    return float(x.reshape([2, 2])[x[:2] > t])


def from_nonzero(x: Any, t: Any) -> Any:
    return x[int(vt.nonzero(x > t))]


FORMS = [condition, negated, ternary, chained, loop, asserted, as_float, as_int, as_bool, as_item, from_nonzero]


def outcome(fn: Callable[..., Any], *args: Any) -> Any:
    try:
        found = fn(*args)
    except Exception as error:  # broad: whatever the function raises is compared
        return type(error)
    return (type(found), found.tolist()) if isinstance(found, vt.Tensor) else (type(found), found)


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("is_guarded", [False, True])
def test_one_element_is_a_number_and_others_are_eager_modes_error(form: Callable[..., Any], is_guarded: bool) -> None:
    def guarded(x: Any, t: Any) -> Any:
        try:
            return form(x, t)
        except ValueError:
            return "ambiguous"

    fn = guarded if is_guarded else form
    compiled = vt.jit.to_static(fn)
    x = vt.to_tensor([-1.0, 0.0, 2.0, 3.0])
    for t in (2.0, 1.0, -0.5, 9.0, -9.0, 2.5):
        args = x, vt.to_tensor(t)
        assert outcome(compiled, *args) == outcome(fn, *args), t


def test_zero_is_false() -> None:
    compiled = vt.jit.to_static(condition)
    x = vt.to_tensor([-1.0, 0.0])
    assert compiled(x, vt.to_tensor(-0.5)).tolist() == condition(x, vt.to_tensor(-0.5)).tolist() == [-3.0, 0.0]


def test_a_shape_that_is_known_is_eager_modes_error() -> None:
    def fixed(x: Any) -> Any:
        if x > 0:
            return 1
        return 2

    for fn in (fixed, vt.jit.to_static(fixed)):
        with pytest.raises(ValueError, match="isn't one"):
            fn(vt.ones([2]))


def test_gradients_pass_the_selection() -> None:
    def scaled(x: Any) -> Any:
        if x[x > 1]:
            x = x * 3.0
        return (x * x).sum()

    grads = []
    for fn in (scaled, vt.jit.to_static(scaled)):
        x = vt.to_tensor([-1.0, 2.0], stop_gradient=False)
        fn(x).backward()
        grads.append(x.grad.tolist())
    assert grads[0] == grads[1]
