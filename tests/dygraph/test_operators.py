"""Operators of tensors on the short way give what the rows give, and take the long way where they must."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.dygraph.eager import EagerInterpreter
from vitrify.ops.dispatch import using

SHAPES = [((3, 4), (3, 4)), ((3, 1), (4,)), ((), (2, 3)), ((), ()), ((0, 2), (2,))]
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne")
}
NUMBERS = [2, 2.5, 0, 0.0, -0.0, -3, 1, True, float("inf"), float("nan")]


def the_long_way(fn: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    """The same call by an interpreter that is active itself."""
    with using(EagerInterpreter()):
        return fn(x, y)


def same(a: Any, b: Any) -> None:
    assert a.dtype == b.dtype and a.shape == b.shape
    assert a.numpy().tobytes() == b.numpy().tobytes()


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
def test_tensors(name: str, dtype: str) -> None:
    rng = np.random.default_rng(0)
    for a, b in SHAPES * 3:
        x, y = (vt.to_tensor(np.asarray(rng.integers(1, 9, s), dtype)) for s in (a, b))
        same(BINARY[name](x, y), the_long_way(BINARY[name], x, y))


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_numbers(name: str, dtype: str) -> None:
    x = vt.to_tensor(np.array([1, -2, 3], dtype))
    for number in NUMBERS * 3:
        if dtype == "int64" and number == 0 and name in ("floordiv", "mod"):
            continue
        for fn in (BINARY[name], lambda a, b: BINARY[name](b, a)):
            same(fn(x, number), the_long_way(fn, x, number))


def test_other_dtypes_meet_after_equal_ones() -> None:
    for _ in range(3):
        assert (vt.ones([2]) + vt.ones([2], "float64")).dtype == vt.float64
        assert (vt.ones([2], "float16") + vt.ones([2], "float16")).dtype == vt.float16
        assert (vt.ones([2], "int64") * 1.5).tolist() == [1.5, 1.5]
        assert (vt.ones([2]) + vt.ones([2])).dtype == vt.float32


def test_what_does_not_fit_is_refused_each_time() -> None:
    x, y = vt.ones([2, 3]), vt.ones([2])
    for _ in range(3):
        with pytest.raises(vt.errors.ShapeError, match=r"\[2, 3\]"):
            x + y
        with pytest.raises(TypeError):
            x + "words"
        assert (x == "words") is False


def test_gradients_of_known_calls() -> None:
    found = []
    for _ in range(4):
        x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
        y = vt.to_tensor([5.0, 7.0], stop_gradient=False)
        z = ((x * y - x) / y + 2 * x) @ x
        (z.exp().sum() * 0.001 + vt.tanh(z).sum()).backward()
        found.append([x.grad.numpy(), y.grad.numpy()])
    for later in found[1:]:
        np.testing.assert_array_equal(later[0], found[0][0])
        np.testing.assert_array_equal(later[1], found[0][1])


def test_second_gradients_of_known_calls() -> None:
    for _ in range(4):
        x = vt.to_tensor([2.0, 3.0], stop_gradient=False)
        (first,) = vt.grad((x * x * x).sum(), [x], create_graph=True)
        (second,) = vt.grad(first.sum(), [x])
        np.testing.assert_allclose(second.numpy(), [12.0, 18.0])


def test_overwritten_operands_of_known_calls_are_noticed() -> None:
    for _ in range(4):
        x = vt.to_tensor([2.0], stop_gradient=False)
        y = x * 1.0
        z = y * y
        y.add_(vt.ones([1]))
        with pytest.raises(vt.errors.GradientError, match="overwritten"):
            z.sum().backward()


def test_captured_functions_see_the_operation() -> None:
    x = vt.ones([3])
    for _ in range(3):
        x * 2.0  # known in eager mode
    fn = vt.jit.to_static(lambda a: a * 2.0, input_spec=[vt.static.InputSpec([3])])
    assert [op.type for op in fn.main_program.global_block().ops] == ["constant", "multiply"]


def test_no_grad_and_mixed_precision_are_heeded() -> None:
    x, w = vt.ones([2, 2]), vt.to_tensor(np.eye(2, dtype="float32"), stop_gradient=False)
    for _ in range(3):
        assert not (x + w).stop_gradient
        with vt.no_grad():
            assert (x + w).stop_gradient
        with vt.amp.auto_cast(level="O1", dtype="bfloat16"):
            assert (x @ w).dtype == vt.bfloat16
        assert (x @ w).dtype == vt.float32


def test_hooks_that_change_the_dtype_of_a_gradient() -> None:
    for _ in range(4):
        x = vt.to_tensor([2.0, 3.0], stop_gradient=False)
        y = x * 3.0
        y.register_hook(lambda g: g.astype("float64"))
        (y * 2.0).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), [6.0, 6.0])


def test_operands_that_are_converted_run_as_a_plan() -> None:
    for turn in range(4):
        x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
        wide = vt.to_tensor([0.5, 0.25], dtype="float64", stop_gradient=False)
        y = x * wide
        assert y.dtype == vt.float64 and y._node.name == "multiply"
        assert (type(y._node).__name__ == "PlanNode") == (turn > 1)
        (first,) = vt.grad((y * y).sum(), [x], create_graph=True)
        (second,) = vt.grad(first.sum(), [wide])
        np.testing.assert_allclose(second.numpy(), [2 * 2 * 0.5 * 4.0, 2 * 2 * 0.25 * 6.0])
        short = x.detach().astype("bfloat16")
        assert (short + short).dtype == vt.bfloat16
        assert vt.logical_and(x, x).tolist() == [[True, True], [True, True]]


def test_gradients_of_integers_go_on() -> None:
    for _ in range(4):
        numbers = vt.to_tensor([1, 2, 3], stop_gradient=False)
        (numbers * 1.5).sum().backward()
        assert numbers.grad.tolist() == [1, 1, 1]


def test_gradients_of_bools_and_sums_of_integers_have_their_dtype() -> None:
    for _ in range(4):  # the first calls, and those that are remembered
        flags = vt.to_tensor([True, False, True], stop_gradient=False)
        made = (flags * 123, flags.reshape([3, 1]), flags[0:2], flags.sum(), flags.astype("float32"))
        for y, expected in zip(
            made, ([True] * 3, [True] * 3, [True, True, False], [True] * 3, [True] * 3), strict=True
        ):
            (grad,) = vt.grad(y, flags, retain_graph=True)
            assert (grad.dtype, grad.tolist()) == (vt.bool, expected)
        for dtype in ("int32", "uint8"):
            numbers = vt.to_tensor([1, 2], dtype, stop_gradient=False)
            (grad,) = vt.grad(numbers.sum(), numbers)
            assert (grad.dtype.name, grad.tolist()) == (dtype, [1, 1])


def test_what_a_filled_tensor_came_from_gets_zeros() -> None:
    for fill in (lambda y: y.fill_(1.0), lambda y: y.zero_()):
        x = vt.to_tensor([1.0, float("inf")], stop_gradient=False)
        y = x * 2.0
        fill(y)
        y.sum().backward()
        assert x.grad.tolist() == [0.0, 0.0]


def test_a_cut_of_what_was_reshaped_since() -> None:
    for _ in range(3):
        x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
        y = x * 1.0
        row = y[1]
        with vt.no_grad():
            y.reshape_([4])
        row.sum().backward()
        assert x.grad.tolist() == [[0.0, 0.0], [1.0, 1.0]]


def test_gradients_of_a_power_of_integers_are_integers() -> None:
    x, y = (vt.to_tensor(a, stop_gradient=False) for a in ([1, 3, 6], [1, 1, 1]))
    (x**y).backward()
    assert (x.grad.dtype, y.grad.dtype) == (vt.int64, vt.int64)
    assert (x.grad.tolist(), y.grad.tolist()) == ([1, 1, 1], [0, 3, 10])  # those of PaddlePaddle 3.3.1
