"""Bad input gets a typed error in the user's terms (what, where, what to do), and a failed call changes nothing."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Callable
from pathlib import Path
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
    GradientError,
    KernelError,
    KindError,
    LoopStateError,
    ShapeError,
)

_spec = importlib.util.spec_from_file_location("bad_input_support", Path(__file__).parent / "bad_input_support.py")
assert _spec is not None
assert _spec.loader is not None
support = importlib.util.module_from_spec(_spec)
sys.modules["bad_input_support"] = support
_spec.loader.exec_module(support)
World, arange, fails, shown, user_lines = support.World, support.arange, support.fails, support.shown, support.user_lines

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
        ((arange(2, 4),), ShapeError, "argument x: input_spec expects shape [?, 3], got [2, 4]"),
        ((arange(3),), ShapeError, "input_spec expects shape [?, 3], got [3]"),
        ((arange(2, 3, dtype="int64"),), DTypeError, "expects float32[?, 3], got int64"),
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
        (grows, LoopStateError, "`h` is a tensor f32[2] before the loop and a tensor f32[4] after", "h = vt.concat([h"),
        (grows, LoopStateError, "keep its shape and dtype the same", "while n > 0:"),
        (turns_float, LoopStateError, "a tensor i64[2] before the loop and a tensor f32[2] after", "h = h + x"),
        (reshapes, LoopStateError, "f32[2] before the loop and a tensor f32[1, 2] after", "h = h.reshape([1, 2])"),
        (turns_from_none, CaptureError, "`h` is", "while n > 0:"),
        (other_shape, CaptureError, "`y` is a tensor f32[2] on one path and a tensor f32[] on the other", "x.sum()"),
        (other_dtype, CaptureError, "f32[2] on one path and a tensor i64[2] on the other", 'x.astype("int64")'),
        (other_kind, CaptureError, "a tensor f32[2] on one path and 'no' on the other", "y = x * 2 if"),
        (one_branch, UnboundLocalError, "local variable 'y'", "return y"),
        (deleted, UnboundLocalError, "local variable 'y'", "return y"),
    ],
)
def test_values_that_cross_control_flow(fn: Any, kind: type[Exception], text: str, line: str) -> None:
    x = arange(2)
    before = x.numpy(), x.inplace_version
    fails(lambda: vt.to_static(fn)(x), kind, text, line)
    assert x.numpy().tolist() == before[0].tolist()
    assert x.inplace_version == before[1]


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


def always_raises(x: Any) -> Any:
    while x.sum() > 0:
        raise ValueError("turn")
    return x


# ---- what isn't captured


def generator(x: Any) -> Any:
    yield x


async def coroutine(x: Any) -> Any:
    return x


def inner_generator(x: Any) -> Any:
    def parts() -> Any:
        if x.sum() > 0:
            yield x

    return sum(parts(), x)


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


walrus = lambda x: x.sum() > 0 and (y := x).sum() > 0  # noqa: E731, F841


@pytest.mark.parametrize(
    ("fn", "text", "line"),
    [
        (generator, "generator", "def generator"),
        (coroutine, "coroutine", "async def coroutine"),
        (inner_generator, "bool() of a tensor", "if x.sum() > 0:"),
        (uses_locals, "`locals()` under control flow can't be captured", "y = locals()"),
        (jumps_out_of_finally, "a jump out of `finally` can't be captured", "break"),
        (walrus, "write the lambda as a `def`", "walrus = lambda"),
        (always_raises, "every turn of this loop raises ValueError", "while x.sum() > 0:"),
        (lambda x: x.numpy() + 1, "numpy() of a tensor (f32[2])", "lambda x: x.numpy() + 1"),
        (lambda x: x.tolist(), "tolist() of a tensor (f32[2])", "x.tolist()"),
        (lambda x: x.item(), "item() of a tensor (f32[2])", "x.item()"),
        (lambda x: left_alone(x), "bool() of a tensor", "return x if x.sum() > 0 else -x"),
        (lambda x: math.sin(x.sum()), "float() of a tensor", "math.sin(x.sum())"),
        (lambda x: np.tanh(x), "numpy() of a tensor", "np.tanh(x)"),
        (lambda x: vt.to_tensor(np.asarray(x)), "put NumPy code into a PyLayer", "np.asarray(x)"),
        (lambda x: "abc"[x.sum().astype("int64")], "index() of a tensor", '"abc"[x.sum()'),
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
    STASH["x"] = x * 3
    return x


def test_a_traced_tensor_that_escapes() -> None:
    vt.to_static(lambda x: stashes(x))(arange(2))
    for use in (lambda x: x + 1, lambda x: x.numpy(), lambda x: bool(x.sum())):
        error = fails(lambda use=use: use(STASH["x"]), CaptureError, "escaped from its trace", 'STASH["x"] = x * 3')
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


# ---- training steps: everything stays as it was, and the next call works

PLACES = ("first call", "later call")


def check_step(world: Any, step: Any, good: Any, bad: Callable[[], Any], later: bool, *expected: Any) -> BaseException:
    if later:
        for _ in range(2):
            step(*good)
    with world.unchanged():
        error = fails(bad, *expected)
    before = world.snapshot()
    step(*good)
    assert world.snapshot() != before
    return error  # type: ignore[no-any-return]


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_an_assertion_in_a_training_step(later: bool) -> None:
    world = World()

    @vt.to_static
    def step(x: Any) -> Any:
        loss = world.step((world.net(x) ** 2).mean())
        assert x.sum() < 1000, "x is too big"
        return loss

    big = arange(5, 3) + 1000
    check_step(world, step, [arange(5, 3)], lambda: step(big), later, AssertionError, "x is too big", "assert x.sum()")


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_a_label_out_of_range_in_a_training_step(later: bool) -> None:
    world = World()

    @vt.to_static
    def step(x: Any, y: Any) -> Any:
        return world.step(F.cross_entropy(world.net(x), y))

    good, bad = vt.to_tensor([0, 1, 0]), vt.to_tensor([0, 1, 2])
    x, line = arange(3, 3), "F.cross_entropy(world.net(x), y)"
    check_step(world, step, [x, good], lambda: step(x, bad), later, AxisError, "index 2 is outside an axis of 2", line)


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_a_wrong_shape_in_a_training_step(later: bool) -> None:
    world = World()
    step = vt.to_static(lambda x: world.step((world.net(x) ** 2).mean()))
    good, bad = arange(5, 3), arange(5, 2)
    check_step(world, step, [good], lambda: step(bad), later, ShapeError, "must be 3", "step = vt.to_static(lambda x")


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_an_error_of_the_users_own_while_capturing(later: bool) -> None:
    world = World()

    @vt.to_static
    def step(x: Any) -> Any:
        loss = world.step((world.net(x) ** 2).mean())
        if x.shape[0] == 7:
            raise ValueError("seven rows")
        return loss

    seven = arange(7, 3)
    error = check_step(world, step, [arange(5, 3)], lambda: step(seven), later, ValueError, "seven rows", "")
    assert user_lines(error)[-1] == 'raise ValueError("seven rows")'


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_a_construct_that_fails_after_the_update(later: bool) -> None:
    world = World()

    @vt.to_static
    def step(x: Any) -> Any:
        loss = world.step((world.net(x) ** 2).mean())
        if x.shape[0] == 7:
            while loss > 0:
                x = vt.concat([x, x])
        return loss

    seven = arange(7, 3)
    check_step(world, step, [arange(5, 3)], lambda: step(seven), later, LoopStateError, "`x` is", "while loss > 0:")


@pytest.mark.parametrize("stage", ["vitrify.runtime.compiler.compile_program", "vitrify.jit.caller.gradient_arguments"])
def test_a_compile_failure_changes_nothing(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    step = vt.to_static(lambda x: world.step((world.net(x) ** 2).mean()))

    def broken(*_: Any, **__: Any) -> Any:
        raise KernelError("the kernel doesn't compile")

    with monkeypatch.context() as patch, world.unchanged():
        patch.setattr(stage, broken)
        fails(lambda: step(arange(5, 3)), KernelError, "doesn't compile")
    step(arange(5, 3))


# ---- gradients and in-place writes


def leaf() -> Any:
    x = arange(2)
    x.stop_gradient = False
    return x


def overwritten() -> Any:
    x = leaf()
    y = x * 2
    z = y * y
    y.add_(vt.ones([2]))
    z.sum().backward()


def twice() -> Any:
    z = (leaf() * 2).sum()
    z.backward()
    z.backward()


@pytest.mark.parametrize(
    ("call", "kind", "text", "line"),
    [
        (overwritten, GradientError, "version 0 was expected, it is at version 1", "y.add_(vt.ones([2]))"),
        (twice, GradientError, "a second time", "z.backward()"),
        (lambda: leaf().add_(leaf()), ArgumentError, "can't be written in place", "leaf().add_(leaf())"),
        (lambda: arange(2).sum().backward(), GradientError, "needs no gradient", "arange(2).sum().backward()"),
        (lambda: vt.grad(leaf().sum(), [leaf()]), ArgumentError, "allow_unused=True", "vt.grad(leaf().sum()"),
        (lambda: (leaf() * 2).backward(arange(3)), ShapeError, "has shape [3], the tensor [2]", "backward(arange(3))"),
        (lambda: leaf().set_value(arange(3)), ShapeError, "set_value got shape [3]", "set_value(arange(3))"),
        (lambda: vt.to_tensor([[1, 2], [3]]), ArgumentError, "rows of different lengths", "[[1, 2], [3]]"),
        (lambda: vt.to_tensor([1], dtype="foo"), DTypeError, "'foo' is not a dtype", 'dtype="foo"'),
        (lambda: bool(arange(3)), ArgumentError, "isn't one number", "bool(arange(3))"),
        (lambda: vt.to_static(3), KindError, "takes a function, a method or a layer, not int", "vt.to_static(3)"),
        (lambda: vt.to_static(grows, backend="x"), ArgumentError, "unknown backend 'x'", 'backend="x"'),
        (lambda: vt.to_static(grows, input_spec=3), KindError, "must be a list or tuple", "input_spec=3"),
        (lambda: vt.InputSpec(3), KindError, "must be a list or tuple, not int", "vt.InputSpec(3)"),
        (lambda: vt.jit.enable_to_static(3), KindError, "True or False, not int", "enable_to_static(3)"),
        (lambda: vt.set_num_threads(0), ArgumentError, "number of threads", "vt.set_num_threads(0)"),
    ],
)  # fmt: skip
def test_misuse(call: Any, kind: type[Exception], text: str, line: str) -> None:
    fails(call, kind, text, line)
