"""Planned functions: eager calls that run as a list of kernels give what the function itself gives."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import GradientError
from vitrify.dygraph.call_cache import EAGER, MOST_CALLS, CachingInterpreter
from vitrify.nn import functional as F

RNG = np.random.default_rng(0)


def draw(*shape: int) -> Any:
    return RNG.standard_normal(shape)


LABELS = np.array([1, 0, 4, 2])
CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "softmax": (F.softmax, (draw(4, 5),)),
    "softmax over the first axis": (lambda x: F.softmax(x, axis=0), (draw(4, 5),)),
    "log_softmax": (F.log_softmax, (draw(4, 5),)),
    "logsumexp": (lambda x: vt.logsumexp(x, 1), (draw(4, 5),)),
    "gelu": (F.gelu, (draw(4, 5),)),
    "silu": (F.silu, (draw(4, 5),)),
    "glu": (F.glu, (draw(4, 6),)),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, 5, w, b), (draw(4, 5), draw(5), draw(5))),
    "group_norm": (lambda x: F.group_norm(x, 2), (draw(2, 4, 3),)),
    "cross_entropy": (lambda x: F.cross_entropy(x, vt.to_tensor(LABELS)), (draw(4, 5),)),
    "cross_entropy, weighted": (
        lambda x: F.cross_entropy(x, vt.to_tensor(LABELS), vt.arange(1.0, 6.0, dtype=x.dtype), reduction="none"),
        (draw(4, 5),),
    ),
    "mse_loss": (F.mse_loss, (draw(4, 5), draw(4, 5))),
    "linear": (F.linear, (draw(4, 5), draw(5, 3), draw(3))),
    "stack": (lambda x, y: vt.stack([x, y], 1), (draw(4, 5), draw(4, 5))),
    "unsqueeze": (lambda x: vt.unsqueeze(x, [0, 2]), (draw(4, 5),)),
    "softmax_with_cross_entropy": (
        lambda x: F.softmax_with_cross_entropy(x, vt.to_tensor(LABELS[:, None]), return_softmax=True),
        (draw(4, 5),),
    ),
    "one row": (lambda x: x[1], (draw(4, 5),)),
    "a column": (lambda x: x[:, -1], (draw(4, 5),)),
    "steps backwards": (lambda x: x[::-2, None, ..., 1:], (draw(4, 5),)),
    "rows by numbers": (lambda x: x[vt.to_tensor(LABELS % 4)], (draw(4, 5),)),
}


def once(fn: Any, arrays: Any) -> tuple[list[Any], list[Any]]:
    xs = [vt.to_tensor(a, stop_gradient=False) for a in arrays]
    made = fn(*xs)
    outputs = list(made) if isinstance(made, (list, tuple)) else [made]
    sum((y * y).sum() for y in outputs).backward()
    return [y.numpy() for y in outputs], [x.grad.numpy() for x in xs]


@pytest.mark.parametrize("name", CASES)
def test_a_plan_gives_what_the_function_gives(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fn, arrays = CASES[name]
    with monkeypatch.context() as plain:
        plain.setattr(CachingInterpreter, "planned", lambda *_: NotImplemented)
        expected = once(fn, arrays)
    for _ in range(4):
        got = once(fn, arrays)
        for a, b in zip(expected, got, strict=True):
            for x, y in zip(a, b, strict=True):
                assert x.dtype == y.dtype
                np.testing.assert_allclose(y, x, rtol=1e-12, atol=1e-14)


def second(fn: Any, arrays: Any) -> list[Any]:
    xs = [vt.to_tensor(a, stop_gradient=False) for a in arrays]
    firsts = vt.grad((fn(*xs) ** 3).sum(), xs, create_graph=True)
    return [g.numpy() for g in vt.grad(sum((g * g).sum() for g in firsts), xs)]


@pytest.mark.parametrize("name", ["softmax", "layer_norm", "cross_entropy", "one row", "stack", "gelu"])
def test_gradients_of_gradients(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fn, arrays = CASES[name]
    with monkeypatch.context() as plain:
        plain.setattr(CachingInterpreter, "planned", lambda *_: NotImplemented)
        expected = second(fn, arrays)
    for _ in range(3):
        for a, b in zip(expected, second(fn, arrays), strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-10, atol=1e-12)


def test_the_third_call_runs_a_plan_and_is_one_node() -> None:
    x = vt.to_tensor(draw(3, 7), stop_gradient=False)
    names = [F.cross_entropy(x, vt.to_tensor([1, 2, 3]))._node.name for _ in range(3)]
    assert names[0] != "cross_entropy"
    assert names[1:] == ["cross_entropy"] * 2


def test_without_gradients_nothing_is_recorded() -> None:
    x = vt.to_tensor(draw(3, 7), stop_gradient=False)
    with vt.no_grad():
        ys = [F.softmax(x) for _ in range(3)]
    assert all(y.stop_gradient and y._node is None for y in ys)


def test_other_numbers_are_other_plans() -> None:
    x = vt.to_tensor(draw(3, 4))
    for slope in (1.0, 0.5, 1.0, 0.5, 1, True):
        for _ in range(3):
            np.testing.assert_allclose(F.celu(x, slope).numpy(), np.where(x > 0, x, slope * np.expm1(x / slope)))
    for value in (0.0, -0.0) * 3:
        assert np.signbit(F.thresholded_relu(vt.to_tensor([-1.0]), 0.0, value).numpy()[0]) == np.signbit(value)


def test_what_was_overwritten_is_noticed() -> None:
    weight = vt.to_tensor(draw(4, 2), stop_gradient=False)
    for _ in range(3):
        x = vt.to_tensor(draw(3, 4), stop_gradient=False) * 1
        y = F.linear(x, weight)
        x.add_(vt.ones_like(x))
        with pytest.raises(vt.errors.GradientError, match="tensor_version:1 != wrapper_version_snapshot:0"):
            y.sum().backward()


def test_writing_to_a_cut_leaves_the_rest() -> None:
    x = vt.to_tensor(draw(3, 4))
    for _ in range(3):
        before = x.numpy()
        row = x[1]
        row.add_(vt.ones_like(row))
        np.testing.assert_array_equal(x.numpy()[::2], before[::2])
        np.testing.assert_allclose(row.numpy(), before[1] + 1)
        np.testing.assert_array_equal(x.numpy()[1], row.numpy())
        picked = x[[0, 1]]
        picked.zero_()
        np.testing.assert_array_equal(x.numpy()[::2], before[::2])


def test_errors_are_those_of_the_function() -> None:
    x = vt.to_tensor(draw(3, 4))
    for _ in range(3):
        with pytest.raises(vt.errors.ShapeError, match="layer_norm"):
            F.layer_norm(x, 5)
        with pytest.raises(IndexError, match="index 3 is outside"):
            x[3]
        with pytest.raises(ValueError, match="index 9 is outside"):
            F.cross_entropy(x, vt.to_tensor([1, 2, 9]))


def test_memory_goes_with_the_result() -> None:
    x = vt.to_tensor(draw(3, 4), stop_gradient=False)
    gc.disable()
    try:
        for _ in range(3):
            y = F.softmax(x)
            seen = weakref.ref(y._node)
            del y
            assert seen() is None
    finally:
        gc.enable()


def test_many_different_calls_are_bounded() -> None:
    x = vt.to_tensor(draw(3, 4))
    for k in range(2 * MOST_CALLS):
        F.celu(x, 1.0 + k / 7)
        assert len(EAGER.calls) <= MOST_CALLS


def test_a_cut_of_integers_that_ask_for_gradients() -> None:
    x = vt.arange(6).reshape([2, 3])
    x.stop_gradient = False
    x[1, 2].backward()
    assert x.grad is not None
    assert x.grad.numpy().tolist() == [[0, 0, 0], [0, 0, 1]]


def test_gradients_of_gradients_where_operands_depend_on_each_other() -> None:
    def total(x: Any) -> Any:
        y = x * x
        return F.linear(vt.stack([x, y, y * x, y]), x.reshape([2, 1])).sum() + F.mse_loss(y, y * x) + x[1] * y[0]

    start = np.array([1.5, 0.5])
    for _ in range(3):
        x = vt.to_tensor(start, stop_gradient=False)
        (first,) = vt.grad(total(x), x, create_graph=True)
        (second,) = vt.grad((first * first).sum(), x)

        def slope(point: Any) -> Any:
            p = vt.to_tensor(point, stop_gradient=False)
            return vt.grad(total(p), p)[0].numpy()

        steps = np.eye(2) * 1e-6
        numeric = [((slope(start + s) ** 2).sum() - (slope(start - s) ** 2).sum()) / 2e-6 for s in steps]
        np.testing.assert_allclose(second.numpy(), numeric, rtol=1e-6)


def test_outputs_without_a_gradient_count_as_zeros() -> None:
    for _ in range(4):
        x = vt.to_tensor(draw(3, 4), stop_gradient=False)
        rows = vt.unbind(x)
        (rows[1] * 2.0).sum().backward()
        np.testing.assert_array_equal(x.grad.numpy(), np.array([[0.0], [2.0], [0.0]]) * np.ones(4))


@pytest.mark.parametrize("fn", [F.softmax, F.normalize], ids=lambda fn: fn.__name__)
def test_a_result_that_was_overwritten_is_noticed_by_the_plan_too(fn: Callable[..., Any]) -> None:
    for _ in range(4):  # the first call runs the function itself
        x = vt.to_tensor(np.linspace(-1.0, 1.0, 8).reshape(2, 4), stop_gradient=False)
        y = fn(x)
        z = (y + 1.0)[:, 0].sum()  # reads no element of y on the way back
        with vt.no_grad():
            y.zero_()
        with pytest.raises(GradientError, match=r"result.* overwritten in place"):
            z.backward()


def focal(x: Any, y: Any) -> Any:
    """It computes a part twice, which a plan shares."""
    return F.sigmoid_focal_loss(x, y)


@pytest.mark.parametrize("fn", [F.gelu, F.softmax, F.mish, focal, F.prelu, lambda x, y: F.mse_loss(x, x * y)])
def test_first_and_later_calls_have_the_same_bits(fn: Any) -> None:
    """Gradients are added up in one order, whether a function runs itself or as a plan, beside other uses of a tensor."""
    arrays = [draw(6, 8).astype("float32"), np.full((8,), 0.3, "float32")]
    count = 1 if fn in (F.gelu, F.softmax, F.mish) else 2

    def gradients() -> list[bytes]:
        xs = [vt.to_tensor(a, stop_gradient=False) for a in arrays[:count]]
        before = sum((x.exp() * 0.11).sum() + (x * x * x).mean() for x in xs)
        made = fn(*xs)
        (before + (made * made).sum() + sum((x * 0.37 + x.sin()).sum() for x in xs)).backward()
        return [x.grad.numpy().tobytes() for x in xs]

    EAGER.calls.forget()
    found = [gradients() for _ in range(4)]
    assert found == found[:1] * 4


def test_gradients_that_are_one_array_are_not_one_tensor() -> None:
    x, y = (vt.to_tensor(draw(3), stop_gradient=False) for _ in range(2))
    for _ in range(4):
        x.clear_grad(), y.clear_grad()
        F.mse_loss(x, y, reduction="sum").backward()
        F.linear(x.reshape([1, 3]), vt.ones([3, 2], dtype="float64"), y[:2]).sum().backward()
        before = y.grad.numpy().copy()
        x.grad.add_(vt.ones([3], dtype="float64"))
        np.testing.assert_array_equal(y.grad.numpy(), before)
