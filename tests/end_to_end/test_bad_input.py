"""Bad input gets a typed error in the user's terms (what, where, what to do), and a failed call changes nothing."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.errors import (
    ArgumentError,
    AxisError,
    CaptureError,
    DTypeError,
    KindError,
    ShapeError,
)

from .bad_input_support import arange, fails, user_lines

F = nn.functional
INT = vt.to_tensor([1, 2, 3])

# ---- shapes and dtypes: each function eagerly and compiled; the line is in both messages

WRONG: list[tuple[Callable[..., Any], tuple[Any, ...], type[Exception], str]] = [
    (lambda x, y: x + y, (arange(2, 3), arange(4)), ShapeError, "shapes [2, 3] and [4] don't broadcast"),
    (lambda x, y: x @ y, (arange(2, 3), arange(2, 3)), ShapeError, "3 columns against 2 rows"),
    (lambda x: x.reshape([4]), (arange(2, 3),), ShapeError, "can't reshape [2, 3] (6 elements) to [4]"),
    (lambda x, y: vt.concat([x, y]), (arange(2, 3), arange(2, 2)), ShapeError, "axis 1 differs, 3 and 2"),
    (lambda x: x.sum(axis=5), (arange(2, 3),), AxisError, "axis 5 is outside a tensor of rank 2"),
    (lambda x: x[7], (arange(2, 3),), AxisError, "index 7 is outside an axis of 2 elements"),
    (lambda x, y: F.mse_loss(x, y), (arange(2, 3), arange(4)), ShapeError, "mse_loss: input [2, 3] and label [4]"),
    (lambda x, y: F.cross_entropy(x, y), (arange(2, 3), INT), ShapeError, "labels [3] don't fit input [2, 3]"),
    (lambda x, y: F.cross_entropy(x, y), (arange(2, 3), arange(2)), DTypeError, "needs integer labels, not float32"),
    (lambda x, i: vt.gather(x, i), (arange(4), arange(2)), DTypeError, "integer index, not float32"),
    (lambda x, o: x + o, (arange(2), object()), DTypeError, "object can't become a tensor"),
    (lambda x: F.conv2d(x, vt.ones([4, 3, 3, 3])), (arange(1, 1, 8, 8),), ShapeError, "the images need 3 channels"),
    (lambda x: F.max_pool2d(x, 3), (arange(8, 8),), ShapeError, "unsqueeze"),
    (lambda x, m: F.softmax(x, axis=4), (arange(2, 3), 0), AxisError, "axis 4"),
    (lambda x: nn.Linear(3, 4)(x), (arange(2, 5),), ShapeError, "the last size of x must be 3"),
    (lambda x: nn.Conv2D(3, 4, 3)(x), (arange(1, 1, 8, 8),), ShapeError, "the images need 3 channels"),
    (lambda x: nn.BatchNorm1D(4)(x), (arange(2, 3),), ShapeError, "4 channels"),
    (lambda x: nn.LayerNorm(4)(x), (arange(2, 3),), ShapeError, "doesn't end in normalized_shape [4]"),
    (lambda x: nn.Embedding(4, 2)(x), (arange(3),), DTypeError, "integer index, not float32"),
]  # fmt: skip


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_shapes_and_dtypes(number: int, compiled: bool) -> None:
    fn, args, kind, text = WRONG[number]
    run = vt.to_static(fn) if compiled else fn
    line = f"test_bad_input.py:{fn.__code__.co_firstlineno}"
    error = fails(lambda: run(*args), kind, text, line)
    assert any("lambda" in text for text in user_lines(error))


def test_a_model_names_its_own_line() -> None:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Linear(3, 4)

        def forward(self, x: Any) -> Any:
            h = self.inner(x)
            return h + vt.ones([3])

    net = vt.to_static(Net())
    fails(lambda: net(arange(2, 3)), ShapeError, "4 against 3", "return h + vt.ones([3])")
    fails(lambda: net(arange(2, 5)), ShapeError, "must be 3", "h = self.inner(x)")


def test_a_library_layer_names_the_call() -> None:
    linear = vt.to_static(nn.Linear(3, 4))
    fails(lambda: linear(arange(2, 5)), ShapeError, "linear: x [2, 5]", "fails(lambda: linear(arange(2, 5))")


@vt.to_static(input_spec=[vt.InputSpec([None, 3], "float32", "x")])
def specified(x: Any) -> Any:
    return x * 2


@pytest.mark.parametrize(
    ("args", "kind", "text"),
    [
        ((3,), ArgumentError, "input_spec has a tensor for x, but the call gives int"),
        ((), KindError, "specified(): missing a required argument: 'x'"),
    ],
)
def test_a_call_against_its_input_spec(args: Any, kind: type[Exception], text: str) -> None:
    fails(lambda: specified(*args), kind, text, "specified(*args)")
    assert specified(arange(2, 3)).shape == [2, 3]


def test_arguments_as_python_names_them() -> None:
    @vt.to_static
    def f(x: Any, y: int = 1) -> Any:
        return x + y

    fails(lambda: f(), KindError, "f(): missing a required argument: 'x'", "fails(lambda: f()")
    fails(lambda: f(arange(2), z=3), KindError, "unexpected keyword argument 'z'", "it is f(x, y=1)")
    assert f(arange(2)).tolist() == [1, 2]


# ---- control flow


def grows(x: Any) -> Any:
    n, h = x.sum(), x
    while n > 0:
        h = vt.concat([h, x])
        n = n - 1
    return h


def turns_float(x: Any) -> Any:
    n, h = x.sum(), vt.zeros([2], "int64")
    while n > 0:
        h = h + x
        n = n - 1
    return h


def reshapes(x: Any) -> Any:
    h = x
    for _ in range(x.sum().astype("int64")):
        h = h.reshape([1, 2])
    return h


def turns_from_none(x: Any) -> Any:
    n, h = x.sum(), None
    while n > 0:
        h = x
        n = n - 1
    return h + 1


def other_shape(x: Any) -> Any:
    if x.sum() > 100:
        y = x * 2
    else:
        y = x.sum()
    return y


def other_dtype(x: Any) -> Any:
    if x.sum() > 100:
        y = x * 2
    else:
        y = x.astype("int64")
    return y


def other_kind(x: Any) -> Any:
    y = x * 2 if x.sum() > 100 else "no"
    return y + 1


def one_branch(x: Any) -> Any:
    if x.sum() > 100:
        y = x * 2
    return y


def deleted(x: Any) -> Any:
    y = x
    if x.sum() > 0:
        del y
    return y


@pytest.mark.parametrize(
    ("fn", "kind", "text", "line"),
    [
        (turns_from_none, TypeError, "NoneType", "return h + 1"),
        (other_kind, TypeError, "str", "return y + 1"),
        (one_branch, UnboundLocalError, "local variable 'y'", "return y"),
        (deleted, UnboundLocalError, "local variable 'y'", "return y"),
    ],
)
def test_values_that_cross_control_flow(fn: Any, kind: type[Exception], text: str, line: str) -> None:
    x = arange(2) - 1 if fn is turns_from_none else arange(2)
    before = x.numpy(), x.inplace_version
    fails(lambda: vt.to_static(fn)(x), kind, text, line)
    assert x.numpy().tolist() == before[0].tolist()
    assert x.inplace_version == before[1]


@pytest.mark.parametrize("fn", [grows, turns_float, reshapes, turns_from_none, other_shape, other_dtype, other_kind])
def test_values_whose_kind_changes_are_as_in_eager_mode(fn: Any) -> None:
    run = vt.to_static(fn)
    for x in (arange(2) + 1, arange(2) + 100):
        if fn is not other_kind or x.sum() > 100:
            agrees(run, fn, x)


def agrees(run: Any, fn: Any, *args: Any) -> None:
    """The compiled function gives what the plain one gives."""
    got, expected = run(*args), fn(*args)
    assert (got.dtype, got.shape, got.tolist()) == (expected.dtype, expected.shape, expected.tolist())


def test_a_variable_of_one_branch_is_fine_where_it_was_bound() -> None:
    f = vt.to_static(one_branch)
    fails(lambda: f(arange(2)), UnboundLocalError, "local variable 'y'", "return y")
    assert f(arange(2) + 100).tolist() == [200, 202]


class Odd(Exception):
    """A user's own exception."""


def guarded(x: Any) -> Any:
    if x.sum() > 100:
        raise ValueError("too big")
    if x.sum() < 0:
        raise Odd("negative", 3)
    y = x * 2
    for _ in range(2):
        if y.max() > 50:
            raise KeyError("grew")
        y = y * 2
    return y


def test_raise_under_a_test_happens_when_the_program_gets_there() -> None:
    f = vt.to_static(guarded)
    assert f(arange(2)).tolist() == guarded(arange(2)).tolist()
    fails(lambda: f(arange(2) + 100), ValueError, "too big", 'raise ValueError("too big")')
    error = fails(lambda: f(-arange(2)), Odd, "negative", 'raise Odd("negative", 3)')
    assert error.args == ("negative", 3)
    fails(lambda: f(arange(2) + 20), KeyError, "grew", 'raise KeyError("grew")')
    assert f.get_traced_count() == 1
    assert f(arange(2)).tolist() == guarded(arange(2)).tolist()


def caught_inside(x: Any) -> Any:
    with vt.no_grad():
        try:
            if x.sum() > 100:
                raise ValueError("too big")
        except ValueError:
            x = -x
    return x


def finally_after(x: Any) -> Any:
    try:
        if x.sum() > 100:
            raise ValueError("too big")
    finally:
        x = x + 1
    return x


def test_raise_under_finally() -> None:
    f = vt.to_static(finally_after)
    assert f(arange(2)).tolist() == [1, 2]
    fails(lambda: f(arange(2) + 100), ValueError, "too big", 'raise ValueError("too big")')


# ---- what isn't captured


def generator(x: Any) -> Any:
    yield x


async def coroutine(x: Any) -> Any:
    return x


def uses_locals(x: Any) -> Any:
    if x.sum() > 0:
        y = locals()
        print(len(y))
    return x


def jumps_out_of_finally(x: Any) -> Any:
    for _ in range(3):
        try:
            x = x + 1
        finally:
            break  # noqa: B012
    return x


@vt.not_to_static
def left_alone(x: Any) -> Any:
    return x if x.sum() > 0 else -x


walrus = lambda x: x.sum() > 0 and (y := x).sum() > 0 and (lambda y: y)(1)  # noqa: E731, F841


@pytest.mark.parametrize(
    ("fn", "text", "line"),
    [
        (generator, "generator", "def generator"),
        (coroutine, "coroutine", "async def coroutine"),
        (uses_locals, "`locals()` under control flow can't be captured", "y = locals()"),
        (jumps_out_of_finally, "a jump out of `finally` can't be captured", "break"),
        (walrus, "write the lambda as a `def`", "walrus = lambda"),
        (lambda x: np.cbrt(x.numpy()), "numpy() of a tensor (f32[2])", "np.cbrt(x.numpy())"),
        (lambda x: x.expand([50, 2]).tolist(), "tolist() of a tensor (f32[50, 2])", ".tolist()"),
        (lambda x: x.item(), "item() of a tensor (f32[2])", "x.item()"),
        (lambda x: left_alone(x), "bool() of a tensor", "return x if x.sum() > 0 else -x"),
        (lambda x: math.gamma(x.sum()), "float() of a tensor", "math.gamma(x.sum())"),
        (lambda x: np.cbrt(x), "numpy() of a tensor", "np.cbrt(x)"),
    ],
)
def test_what_is_not_captured(fn: Any, text: str, line: str) -> None:
    error = fails(lambda: vt.to_static(fn)(arange(2)), CaptureError, text, line)
    assert "help: " in str(error)


def test_code_without_source() -> None:
    space: dict[str, Any] = {}
    exec("def f(x):\n    return x * 2", space)
    f = vt.to_static(space["f"])
    fails(lambda: f(arange(2)), CaptureError, "the source of `f` isn't available", "f(arange(2))")


STASH: dict[str, Any] = {}


@vt.not_to_static
def stashes(x: Any) -> Any:
    vars(sys.modules[__name__])["STASH"]["x"] = x * 3  # which no capture sees: names lead to all else
    return x


def test_a_traced_tensor_that_escapes() -> None:
    vt.to_static(lambda x: stashes(x))(arange(2))
    for use in (lambda x: x + 1, lambda x: x.numpy(), lambda x: bool(x.sum())):
        error = fails(lambda use=use: use(STASH["x"]), CaptureError, "escaped from its trace", '["STASH"]["x"] = x * 3')
        assert "used here" in str(error)
    assert "traced" in repr(STASH["x"])
    fails(lambda: vt.to_static(lambda x: x + STASH["x"])(arange(2)), CaptureError, "escaped", "x + STASH")


def test_globals_written_in_captured_code_get_the_result() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        STASH["y"] = x * 2
        return x

    f(arange(2))
    assert STASH["y"].tolist() == [0, 2]


# ---- indices that are out of range when the program runs

TABLE = nn.Embedding(4, 2)


@pytest.mark.parametrize(
    ("fn", "index", "text"),
    [
        (lambda x, i: vt.gather(x, i), [1, 9], "index 9 is outside an axis of 4 elements"),
        (lambda x, i: x[i], [1, 9], "index 9 is outside an axis of 4 elements"),
        (lambda x, i: x[i] * 2 + 1, 7, "index 7 is outside an axis of 4 elements"),
        (lambda x, i: TABLE(i), [0, -5], "index -5 is outside an axis of 4 elements"),
        (lambda x, i: F.cross_entropy(x.reshape([2, 2]) * 3, i), [0, 2], "index 2 is outside an axis of 2 elements"),
        (lambda x, i: vt.take_along_axis(x + 1, i, 0), [4], "index 4 is outside an axis of 4 elements"),
    ],
)
def test_an_index_out_of_range_at_run_time(fn: Any, index: Any, text: str) -> None:
    f, bad = vt.to_static(fn), vt.to_tensor(index)
    good = f(arange(4), bad * 0).numpy().tolist()
    fails(lambda: f(arange(4), bad), AxisError, text, f"test_bad_input.py:{fn.__code__.co_firstlineno}")
    assert issubclass(AxisError, IndexError)
    assert f(arange(4), bad * 0).numpy().tolist() == good
    assert f.get_traced_count() == 1


def test_an_assigned_index_out_of_range_leaves_the_argument() -> None:
    @vt.to_static
    def f(x: Any, i: Any) -> Any:
        x[i] = 3.0
        return x.sum()

    x = arange(4)
    f(x, vt.to_tensor(1))
    version = x.inplace_version
    fails(lambda: f(x, vt.to_tensor(9)), AxisError, "index 9 is outside an axis of 4", "x[i] = 3.0")
    assert x.tolist() == [0, 3, 2, 3]
    assert x.inplace_version == version
