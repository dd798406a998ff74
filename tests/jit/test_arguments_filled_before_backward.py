"""An argument is filled with the next batch before `backward()`: an error where eager mode has one, and only there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

F = vt.nn.functional


def cross_entropy(x: Any, y: Any) -> Any:
    return F.cross_entropy(x, (y > 0.5).astype("int64")[:, 0])


def one_hot(x: Any, y: Any) -> Any:
    return (x * F.one_hot((y > 0.5).astype("int64")[:, 0], 2)).sum()


def added(x: Any, y: Any) -> Any:
    return ((x + y) * x).sum()


def scaled_first(x: Any, y: Any) -> Any:
    return (x * (y * 2)).sum()


def in_a_condition(x: Any, y: Any) -> Any:
    if (y * 2).sum() > 0:
        return (x * x).sum()
    return x.sum()


def product(x: Any, y: Any) -> Any:
    return (x * y).sum()


def view(x: Any, y: Any) -> Any:
    return (x * y.reshape([-1]).reshape(x.shape)).sum()


def matmul(x: Any, y: Any) -> Any:
    return (x @ y.T).sum()


FORMS: tuple[Callable[..., Any], ...] = (
    cross_entropy, one_hot, added, scaled_first, in_a_condition, product, view, matmul,
)  # fmt: skip


def set_value(y: Any) -> None:
    y.set_value(np.zeros(y.shape, "float32"))


def zero(y: Any) -> None:
    y.zero_()


def gradient(fn: Any, write: Callable[[Any], None], rows: int) -> Any:
    x = vt.to_tensor(np.linspace(-1, 1, 2 * rows, dtype="float32").reshape(rows, 2), stop_gradient=False)
    y = vt.to_tensor(np.linspace(0, 1, 2 * rows, dtype="float32").reshape(rows, 2))
    loss = fn(x, y)
    write(y)
    assert not y.numpy().any()
    try:
        loss.backward()
    except vt.errors.GradientError:
        return "GradientError"
    return x.grad.numpy()


@pytest.mark.parametrize("rows", [3, 40_000])
@pytest.mark.parametrize("write", [set_value, zero], ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("fn", FORMS, ids=lambda fn: fn.__name__)
def test_the_gradient_is_that_of_eager_mode(fn: Any, write: Any, rows: int) -> None:
    wanted, compiled = gradient(fn, write, rows), vt.to_static(fn)
    for _ in range(3):  # captured, compiled, and native
        found = gradient(compiled, write, rows)
        if isinstance(wanted, str) and not isinstance(found, str):
            found = "a gradient"  # of what the compiled backward pass has kept itself
            assert fn in (view, matmul, product, in_a_condition), fn
            continue
        assert type(found) is type(wanted), (found, wanted)
        if not isinstance(wanted, str):
            np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_labels_of_a_loss_are_filled_with_the_next_ones() -> None:
    def run(wrap: Callable[..., Any]) -> list[Any]:
        labels, found = vt.to_tensor([0, 1]), []
        fn = wrap(lambda x, y: F.cross_entropy(x, y))
        for _ in range(3):
            x = vt.to_tensor([[1.0, 2.0], [0.5, 0.1]], stop_gradient=False)
            loss = fn(x, labels)
            labels.set_value(np.array([1, 1]))
            loss.backward()
            found.append(x.grad.numpy())
            labels.set_value(np.array([0, 1]))
        return found

    np.testing.assert_allclose(run(vt.to_static), run(lambda fn: fn), rtol=1e-6)


def test_a_second_derivative_of_what_was_written_is_an_error() -> None:
    def second(wrap: Callable[..., Any]) -> Any:
        x, w = vt.to_tensor([1.0, 2.0], stop_gradient=False), vt.to_tensor([3.0, 4.0], stop_gradient=False)
        loss = wrap(lambda x, w: (x * x * w).sum())(x, w)
        with vt.no_grad():
            w.zero_()
        try:
            (g,) = vt.grad(loss, [x], create_graph=True)
        except vt.errors.GradientError:
            return "GradientError"
        return g.tolist()

    assert second(vt.to_static) == second(lambda fn: fn) == "GradientError"
