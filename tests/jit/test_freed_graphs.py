"""A second `backward()` through a graph that the first one freed is an error on the paths that eager mode has it on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.jit.converters.regions import decisions


def outcomes(fn: Callable[..., Any]) -> list[Any]:
    """What a function returns and leaves in `.grad`, or the error, in several calls."""
    found: list[Any] = []
    for number in (-1.0, 1.0, 2.0, 0.0, 3.0, 2.0):
        x = vt.to_tensor(np.array([1, 2], "float32"), stop_gradient=False)
        try:
            returned = fn(x, vt.to_tensor(number)).numpy().tolist()
        except vt.errors.GradientError as error:
            found.append(str(error).split(";")[0].split(" through ")[0])
        else:
            found.append((returned, None if x.grad is None else x.grad.numpy().tolist()))
    return found


def two_conditions(x: Any, c: Any) -> Any:
    y = (x * x).sum()
    if c > 0:
        y.backward()
    if c > 1:
        y.backward()
    return x * 1


def condition_and_not(x: Any, c: Any) -> Any:
    y = (x * x).sum()
    if c > 0:
        y.backward()
    y.backward()
    return x * 1


def twice_on_a_path(x: Any, c: Any) -> Any:
    y = (x * x).sum()
    y.backward()
    if c > 0:
        y.backward()
    return x * 1


def retained_on_a_path(x: Any, c: Any) -> Any:
    y = (x * x).sum()
    if c > 0:
        y.backward(retain_graph=True)
    y.backward()
    return x * 1


def twice_within_a_path(x: Any, c: Any) -> Any:
    if c > 0:
        y = (x * x).sum()
        y.backward()
        y.backward()
    return x * 1


def in_a_loop(x: Any, c: Any) -> Any:
    y = x * x
    for _ in range(vt.cast(c, "int64")):
        y.sum().backward()
    return x * 1


def retained_in_a_loop(x: Any, c: Any) -> Any:
    y = x * x
    for _ in range(vt.cast(c, "int64")):
        y.sum().backward(retain_graph=True)
    return x * 1


def in_a_while_loop(x: Any, c: Any) -> Any:
    y = x * x
    while c > 0:
        y.sum().backward()
        c = c - 1
    return x * 1


def two_results_of_one_graph(x: Any, c: Any) -> Any:
    y = x * x
    a = (y * 2).sum()
    b = (y * 3).sum()
    if c > 0:
        a.backward()
    else:
        b.backward()
    if c > 1:
        b.backward()
    return x * 1


def an_argument_on_a_path(x: Any, c: Any) -> Any:
    w = x if c > 0 else x * 1
    (w * 3).sum().backward()
    (w * 4).sum().backward()
    return x * 1


def an_argument_on_a_path_below(x: Any, c: Any) -> Any:
    w = x if c > 0 else x * 1
    if c < 5:
        (w * 3).sum().backward()
        (w * 4).sum().backward()
    return x * 1


def reached_on_a_path(x: Any, c: Any) -> Any:
    a = x * 2
    b = x * 3
    y = a * 1 if c > 0 else b * 1
    y.sum().backward()
    a.sum().backward()
    return x * 1


def reached_on_a_path_below(x: Any, c: Any) -> Any:
    a = x * 2
    b = x * 3
    y = a * 1 if c > 0 else b * 1
    if c < 5:
        y.sum().backward()
        a.sum().backward()
    return x * 1


def result_freed_on_a_path(x: Any, c: Any) -> Any:
    if c > 0:
        y = (x * x).sum()
        y.backward()
    else:
        y = (x * 3).sum()
    y.backward()
    return x * 1


def caught(x: Any, c: Any) -> Any:
    y = (x * x).sum()
    if c > 0:
        y.backward()
    try:
        y.backward()
    except Exception:
        return x * 0
    return x * 1


def by_grad(x: Any, c: Any) -> Any:
    y = (x * x).sum()
    if c > 0:
        (g,) = vt.grad(y, x)
        x = x + g * 1
    if c > 1:
        y.backward()
    return x * 1


def for_rows(x: Any, c: Any) -> Any:
    y = x * x
    for r in y:
        r.sum().backward()
    return x * 1


def twice_in_an_iteration(x: Any, c: Any) -> Any:
    for _ in range(vt.cast(c, "int64")):
        y = (x * x).sum()
        y.backward()
        if c > 1:
            y.backward()
    return x * 1


def in_an_inner_loop(x: Any, c: Any) -> Any:
    for i in range(vt.cast(c, "int64")):
        y = x * x
        for _ in range(vt.cast(c, "int64") - i):
            y.sum().backward()
    return x * 1


def through_a_loop(x: Any, c: Any) -> Any:
    h = x * 1
    for _ in range(vt.cast(c, "int64")):
        h = h * x
    h.sum().backward()
    if c > 1:
        h.sum().backward()
    return x * 1


def returns_early(x: Any, c: Any) -> Any:
    y = (x * x).sum()
    if c > 1:
        y.backward()
        return x * 3
    if c > 0:
        y.backward()
    y.backward()
    return x * 1


def two_graphs_of_a_path(x: Any, c: Any) -> Any:
    if c > 0:
        a = (x * 2).sum()
        b = (x * 3).sum()
    else:
        a = (x * 4).sum()
        b = (x * 5).sum()
    if c < 2:
        a.backward()
        b.backward()
    else:
        a.backward()
        a.backward()
    return x * 1


def one_graph_of_a_path(x: Any, c: Any) -> Any:
    if c > 0:
        y = x * x
        a = (y * 2).sum()
        b = (y * 3).sum()
    else:
        a = (x * 4).sum()
        b = (x * 5).sum()
    a.backward()
    b.backward()
    return x * 1


def leaves_a_loop(x: Any, c: Any) -> Any:
    y = x * x
    n = c * 1
    while n > 0:
        y.sum().backward()
        if n < 2:
            break
        n = n - 1
    return x * 1


def caught_in_a_loop(x: Any, c: Any) -> Any:
    y = x * x
    k = vt.zeros([])
    for _ in range(vt.cast(c, "int64")):
        try:
            y.sum().backward()
        except Exception:
            k = k + 1
    return k


def gradient_of_a_gradient(x: Any, c: Any) -> Any:
    y = (x * x * x).sum()
    (g,) = vt.grad(y, x, create_graph=True)
    if c > 0:
        g.sum().backward()
    else:
        (g * g).sum().backward()
    if c > 1:
        y.backward()
    return x * 1


def losses_in_a_list(x: Any, c: Any) -> Any:
    losses = [(x * k).sum() for k in range(1, 4)]
    for loss in losses:
        if c > 0:
            loss.backward()
    if c > 1:
        losses[1].backward()
    return x * 1


def loss_in_a_dict(x: Any, c: Any) -> Any:
    d = {"a": (x * x).sum()}
    if c > 0:
        d["a"].backward()
    else:
        d["a"] = (x * 2).sum()
    if c < 2:
        d["a"].backward()
    return x * 1


def two_graphs_of_a_loop(x: Any, c: Any) -> Any:
    a = x * 1
    b = x * 1
    for _ in range(vt.cast(c, "int64")):
        a = a * 2
        b = b * x
    a.sum().backward()
    b.sum().backward()
    if c > 2:
        a.sum().backward()
    return x * 1


def maybe_no_iteration(x: Any, c: Any) -> Any:
    a = x
    for _ in range(vt.cast(c, "int64")):
        a = a * x
    a.sum().backward()
    a.sum().backward()
    return x * 1


def freed_in_an_iteration(x: Any, c: Any) -> Any:
    loss = (x * 3).sum()
    for _ in range(vt.cast(c, "int64")):
        loss = (x * x).sum()
        loss.backward()
    loss.backward()
    return x * 1


def with_a_hook(x: Any, c: Any) -> Any:
    y = x * x
    y.register_hook(lambda g: g * 2)
    if c > 0:
        y.sum().backward()
    y.sum().backward()
    return x * 1


def detached_in_a_loop(x: Any, c: Any) -> Any:
    y = x * 1
    for _ in range(vt.cast(c, "int64")):
        y = y * 2
        y = y.detach()
        y.stop_gradient = False
        z = (y * x).sum()
        z.backward()
    return x * 1


def under_auto_cast(x: Any, c: Any) -> Any:
    y = (x * x).sum()
    with vt.amp.auto_cast():
        if c > 0:
            y.backward()
        if c > 1:
            y.backward()
    return x * 1


def reached_on_a_path_under_auto_cast(x: Any, c: Any) -> Any:
    a, b = x * 2, x * 3
    y = a * 1 if c > 0 else b * 1
    with vt.amp.auto_cast():
        y.sum().backward()
        if c < 2:
            a.sum().backward()
    return x * 1


FUNCTIONS = [
    under_auto_cast,
    reached_on_a_path_under_auto_cast,
    two_conditions,
    condition_and_not,
    twice_on_a_path,
    retained_on_a_path,
    twice_within_a_path,
    in_a_loop,
    retained_in_a_loop,
    in_a_while_loop,
    two_results_of_one_graph,
    an_argument_on_a_path,
    an_argument_on_a_path_below,
    reached_on_a_path,
    reached_on_a_path_below,
    result_freed_on_a_path,
    caught,
    by_grad,
    for_rows,
    twice_in_an_iteration,
    in_an_inner_loop,
    through_a_loop,
    returns_early,
    two_graphs_of_a_path,
    one_graph_of_a_path,
    leaves_a_loop,
    caught_in_a_loop,
    gradient_of_a_gradient,
    losses_in_a_list,
    loss_in_a_dict,
    two_graphs_of_a_loop,
    maybe_no_iteration,
    freed_in_an_iteration,
    with_a_hook,
    detached_in_a_loop,
]


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_freed(fn: Any) -> None:
    assert outcomes(vt.jit.to_static(fn)) == outcomes(fn)


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_freed_in_steps(fn: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statement by statement, as functions of many paths are captured."""
    monkeypatch.setattr(decisions, "MOST_TAIL_COPIES", 0)
    assert outcomes(vt.jit.to_static(fn)) == outcomes(fn)
