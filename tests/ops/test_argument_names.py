"""PyTorch's names of arguments beside Paddle's: the table fits the functions, and calls with either name are one call."""

from __future__ import annotations

import inspect
import sys
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.ops import functions
from vitrify.ops.argument_names import ARGUMENT_NAMES, KEYWORDS, TABLE, names_of

X = np.array([[0.5, 2.0], [3.0, 4.0]], "float32")


def _function(name: str) -> Any:
    places = (vt, F, vt.fft, vt.linalg, vt.Tensor)
    known = functions().get(name) or next((f for p in places if inspect.isroutine(f := getattr(p, name, None))), None)
    assert known is not None, name
    return known


@pytest.mark.parametrize("name", ARGUMENT_NAMES)
def test_the_table_fits_the_function(name: str) -> None:
    fn, names = _function(name), ARGUMENT_NAMES[name]
    parameters = set(inspect.signature(fn).parameters)
    assert set(names.own.values()) <= parameters
    assert not names.others & parameters
    assert set(names.added) <= set(KEYWORDS)


@pytest.mark.parametrize("name", [name for name, names in ARGUMENT_NAMES.items() if names.own])
def test_the_function_asks_the_table(name: str) -> None:
    fn, (other, own) = _function(name), next(iter(ARGUMENT_NAMES[name].own.items()))
    with pytest.raises(vt.errors.KindError, match=f"twice: '{other}' is another name of it"):
        fn(**{own: 0, other: 0})


def test_no_function_stands_in_the_table_twice() -> None:
    listed = [name for _, functions in TABLE for name in functions.split()]
    assert len(listed) == len(set(listed))


CALLS = {  # another way of a call, and Paddle's
    "dim of a row": (lambda x: vt.sum(x, dim=1), lambda x: vt.sum(x, axis=1)),
    "input and dim": (lambda x: vt.mean(input=x, dim=0, keepdim=True), lambda x: vt.mean(x, 0, True)),
    "a method": (lambda x: x.amax(dim=1), lambda x: x.amax(axis=1)),
    "two operands": (lambda x: vt.subtract(input=x, other=x * x), lambda x: vt.subtract(x, x * x)),
    "a planned function": (lambda x: F.softmax(input=x, dim=0), lambda x: F.softmax(x, 0)),
    "a function": (lambda x: vt.concat(tensors=[x, x], dim=1), lambda x: vt.concat([x, x], 1)),
    "a method of a function": (lambda x: x.std().norm(ord=2), lambda x: x.std().norm(2)),
    "in place": (lambda x: (x + 0).multiply_(other=x), lambda x: x * x),
    "Fourier": (lambda x: vt.fft.rfft(input=x, dim=0).real(), lambda x: vt.fft.rfft(x, axis=0).real()),
    "sizes": (lambda x: vt.ones(size=[2]) + x, lambda x: vt.ones([2]) + x),
    "in place, input": (lambda x: vt.Tensor.trunc_(input=x * 1), lambda x: vt.trunc(x)),
    "value of masked_scatter": (
        lambda x: vt.masked_scatter(x, x > 1, value=-x),
        lambda x: vt.masked_scatter(x, x > 1, -x),
    ),
    "two axes": (lambda x: vt.transpose(input=x, dim0=0, dim1=-1), lambda x: vt.transpose(x, [1, 0])),
    "two axes of a method": (lambda x: x.transpose(dim0=1, dim1=0), lambda x: x.transpose([1, 0])),
    "dims in a list": (lambda x: vt.permute(input=x, dims=[1, 0]), lambda x: vt.transpose(x, [1, 0])),
    "dtype of a norm": (lambda x: vt.linalg.norm(x, dtype="float64"), lambda x: vt.linalg.norm(x.astype("float64"))),
    "dtype of a vector's": (
        lambda x: vt.linalg.vector_norm(x, dtype="float64", out=vt.zeros([], "float64")),
        lambda x: vt.linalg.vector_norm(x.astype("float64")),
    ),
    "sorted": (lambda x: vt.unique(x, sorted=False), lambda x: vt.unique(x)),
    "names": (
        lambda x: (
            vt.addmm(x, vt.mm(x, x, name="a"), vt.t(x, name="b"), name="c")
            + vt.dot(x, x, name="d")
            + vt.mv(x, x[0], name="e")
            + vt.outer(x[0], x[0], name="f")
            + vt.positive(x, name="g")
        ),
        lambda x: vt.addmm(x, vt.mm(x, x), vt.t(x)) + vt.dot(x, x) + vt.mv(x, x[0]) + vt.outer(x[0], x[0]) + x,
    ),
    "keywords of Paddle stay": (lambda x: vt.topk(x, k=1, axis=0)[0], lambda x: vt.topk(x, 1, 0)[0]),
}


ADDED = {  # a call with a keyword that rows don't have, and what it is by NumPy
    "alpha": (lambda x: vt.add(x, x * x, alpha=2), lambda x: x + 2 * (x * x)),
    "alpha of a number": (lambda x: x.subtract(3.0, alpha=0.5), lambda x: x - 1.5),
    "alpha in place": (lambda x: (x + 0).add_(other=x, alpha=2), lambda x: x + 2 * x),
    "rounded down": (lambda x: vt.divide(-x, x + 1, rounding_mode="floor"), lambda x: np.floor(-x / (x + 1))),
    "rounded to 0": (lambda x: vt.divide(-x, 0.75, rounding_mode="trunc"), lambda x: np.trunc(-x / np.float32(0.75))),
    "integers to 0": (
        lambda x: vt.divide(-x.astype("int32"), 2, rounding_mode="trunc") + 0 * x,
        lambda x: np.trunc(-(x.astype("int32") / 2)),
    ),
    "mean in float64": (lambda x: vt.mean(x, 0, dtype="float64"), lambda x: x.astype("float64").mean(0)),
    "correction": (lambda x: vt.var(x, 1, correction=0), lambda x: x.var(1)),
    "no count left": (lambda x: vt.var(x, 1, correction=2), lambda x: np.full(2, np.inf, "float32")),
    "half a count": (lambda x: vt.var(x, correction=0.5), lambda x: x.var() * np.float32(4 / 3.5)),
    "side": (lambda x: vt.searchsorted(x[1], x[1], side="right"), lambda x: np.arange(1, 3)),
    "sorter": (lambda x: vt.searchsorted(x[1].flip(0), x[1], sorter=vt.to_tensor([1, 0])), lambda x: np.arange(2)),
    "repeats": (lambda x: vt.repeat_interleave(x, 2, 0, output_size=4), lambda x: x.repeat(2, 0)),
    "index_add": (
        lambda x: x.index_add(0, vt.to_tensor([1]), vt.ones([1, 2]), alpha=3),
        lambda x: x + np.array([[0], [3]], "float32"),
    ),
}


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("calls", ADDED.values(), ids=ADDED)
def test_keywords_that_rows_do_not_have(calls: Any, captured: bool) -> None:
    call, expected = calls
    fn = vt.to_static(call) if captured else call
    for _ in range(3):
        made = fn(vt.to_tensor(X)).numpy()
        np.testing.assert_allclose(made, expected(X), rtol=1e-6)


def test_wrong_values_of_added_keywords() -> None:
    x = vt.to_tensor(X)
    with pytest.raises(vt.errors.ArgumentError, match="rounding_mode is 'up'"):
        vt.divide(x, x, rounding_mode="up")
    with pytest.raises(vt.errors.ArgumentError, match="unbiased or correction"):
        vt.var(x, unbiased=True, correction=0)
    with pytest.raises(vt.errors.ArgumentError, match="side is 'left' with right=True"):
        vt.searchsorted(x[1], x, right=True, side="left")


def test_median_in_pytorchs_names_is_pytorchs() -> None:
    values, places = vt.median(vt.to_tensor(X), dim=0)
    assert (values.tolist(), places.tolist()) == ([0.5, 2.0], [0, 0])
    assert vt.median(vt.to_tensor(X), axis=0).tolist() == [1.75, 3.0]
    assert vt.median(vt.to_tensor(X), dim=0, mode="avg").tolist() == [1.75, 3.0]


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS)
def test_another_name_is_the_same_call(calls: Any, captured: bool) -> None:
    x = vt.to_tensor(X)
    other, own = map(vt.to_static, calls) if captured else calls
    for _ in range(3):  # the third call runs by the cache
        assert other(x).numpy().tobytes() == own(x).numpy().tobytes()


def test_both_names_are_an_error() -> None:
    x = vt.to_tensor(X)
    for call in (
        lambda: vt.sum(x, axis=1, dim=0),
        lambda: F.softmax(x, dim=0, axis=0),
        lambda: x.norm(axis=0, dim=0),
        lambda: vt.norm(input=x, A=x),
        lambda: vt.add(x, y=x, other=x),
    ):
        with pytest.raises(vt.errors.KindError, match=r"twice: '\w+' is another name of it"):
            call()
    with pytest.raises(vt.errors.KindError, match="multiple values for argument 'x'"):
        vt.sum(x, input=x)
    with pytest.raises(vt.errors.KindError, match="multiple values for argument 'x'"):
        F.softmax(x, input=x)


def test_names_that_paddle_does_not_take_are_errors() -> None:
    with pytest.raises(vt.errors.KindError, match="no argument 'dim'") as caught:
        vt.max(vt.to_tensor(X), dim=0)
    assert "'axis'" in str(caught.value)


def _outs(x: Any) -> Any:
    total, wide, values, places = vt.zeros([2]), vt.zeros([5]), vt.zeros([1]), vt.zeros([1], "int64")
    given = vt.sum(x, axis=0, out=total)
    vt.matmul(x, x, out=wide)  # takes on the result's shape
    vt.topk(x, 1, out=(values, places))
    vt.exp(x, out=None)
    return given, total, wide * 2, values, places


def test_out_is_written_eagerly_and_in_programs() -> None:
    x = vt.to_tensor(X)
    eager, captured = _outs(x), vt.to_static(_outs)(x)
    for a, b in zip(eager, captured, strict=True):
        assert a.numpy().tobytes() == b.numpy().tobytes()
    assert eager[0] is eager[1]
    assert eager[1].tolist() == X.sum(0).tolist()
    assert eager[2].tolist() == (X @ X * 2).tolist()


@pytest.mark.parametrize("captured", [False, True])
def test_out_has_a_place_of_its_own_in_logic(captured: bool) -> None:
    def step(x: Any, y: Any) -> Any:
        made, bits, none = vt.zeros([1], "bool"), vt.zeros([2], "bool"), vt.zeros([2], "bool")
        vt.logical_and(x, y, made)
        y.logical_not(bits)
        return made, bits, vt.bitwise_xor(x, y, none, name="any"), none

    x, y = vt.to_tensor([True, False]), vt.to_tensor([True, True])
    made = (vt.to_static(step) if captured else step)(x, y)
    assert [m.tolist() for m in made] == [[True, False], [False, False], [False, True], [False, True]]
    with pytest.raises(vt.errors.KindError, match="got 4 arguments"):
        vt.logical_and(x, y, x, y)
    with pytest.raises(vt.errors.ShapeError, match="broadcast"):
        vt.logical_or(x, vt.ones([3]), "name")


def test_out_of_the_caller_is_written_by_a_program() -> None:
    x, out = vt.to_tensor(X), vt.zeros([2])

    @vt.to_static
    def fill(x: Any, out: Any) -> None:
        vt.sum(x, dim=1, out=out)

    fill(x, out)
    assert out.tolist() == X.sum(1).tolist()


def test_out_takes_on_the_dtype() -> None:
    out = vt.zeros([2, 2], "int64")
    assert vt.sqrt(vt.to_tensor(X), out=out) is out
    assert out.dtype is vt.float32


@pytest.mark.parametrize("captured", [False, True])
def test_gradients_flow_through_out(captured: bool) -> None:
    def step(x: Any) -> Any:
        out = vt.zeros([2, 2])
        vt.multiply(x, x, out=out)
        (grad,) = vt.grad(out.sum(), x)
        return grad

    x = vt.to_tensor(X, stop_gradient=False)
    assert (vt.to_static(step) if captured else step)(x).tolist() == (2 * X).tolist()


def test_wrong_outs() -> None:
    x, leaf = vt.to_tensor(X), vt.to_tensor(X, stop_gradient=False)
    with pytest.raises(vt.errors.KindError, match="out must be a tensor, not list"):
        vt.exp(x, out=[1.0])
    with pytest.raises(vt.errors.KindError, match="out must be a tuple of 2 tensors"):
        vt.topk(x, 1, out=leaf)
    with pytest.raises(vt.errors.ArgumentError, match="can't be written in place"):
        vt.exp(x, out=leaf)


def test_out_in_a_static_program() -> None:
    vt.enable_static()
    try:
        with vt.static.program_guard(vt.static.Program()):
            x, out = vt.static.data("x", [2, 2]), vt.zeros([2])
            vt.sum(x, axis=0, out=out)
            (made,) = vt.static.Executor().run(feed={"x": X}, fetch_list=[out])
    finally:
        vt.disable_static()
    assert made.tolist() == X.sum(0).tolist()


def test_new_tensors_take_devices_and_gradients() -> None:
    assert vt.zeros([2], requires_grad=True, device="cpu", pin_memory=True).stop_gradient is False
    assert vt.rand(2, 3, device=vt.CPUPlace(), requires_grad=False).stop_gradient is True
    with pytest.raises(vt.errors.ArgumentError, match="there is no device 'gpu'"):
        vt.ones([2], device="gpu")


def test_functions_without_further_names() -> None:
    assert not names_of(vt.erf).others
    assert "sum" in ARGUMENT_NAMES
    assert str(ARGUMENT_NAMES["sum"]) == "`input` for `x`, `dim` for `axis`; `out`"
    assert sys.modules["vitrify.ops.argument_names"].NONE.call("f", lambda x: x, (3,), {}) == 3


def test_keywords_of_functions_that_take_no_tensor() -> None:
    vt.set_default_dtype(d="float32")
    vt.jit.enable_to_static(enable_to_static_bool=True)
    assert vt.broadcast_shape(x_shape=[2, 1], y_shape=[1, 3]) == [2, 3]
    vt.set_rng_state(state_list=vt.get_rng_state(device="cpu"), device="cpu")
    array = np.ones(2)
    view, copied = vt.from_dlpack(dlpack=array, device="cpu"), vt.from_dlpack(array, copy=True)
    array[0] = 5.0
    assert (view.tolist(), copied.tolist()) == ([5.0, 1.0], [1.0, 1.0])
    with pytest.raises(vt.errors.ArgumentError, match="there is no device"):
        vt.from_dlpack(array, device="gpu")


def test_settings_of_a_gpu_are_taken_where_they_change_nothing() -> None:
    image = vt.to_tensor(X.reshape(1, 1, 2, 2))
    np.testing.assert_array_equal(
        F.interpolate(image, size=[3, 3], antialias=False).numpy(), F.interpolate(image, size=[3, 3]).numpy()
    )
    with pytest.raises(vt.errors.ArgumentError, match="no antialias"):
        F.interpolate(image, size=[3, 3], mode="bilinear", antialias=True)
    query, few = vt.ones([1, 2, 4, 8]), vt.ones([1, 2, 2, 8])
    made = F.scaled_dot_product_attention(query, few, few, backend=None, enable_gqa=True)
    np.testing.assert_allclose(made.numpy(), np.ones((1, 2, 4, 8)), rtol=1e-6)
    weight = vt.create_parameter([1], "float32")
    vt.optimizer.AdamW(parameters=[weight], use_lowprecision_moment=False)
    with pytest.raises(vt.errors.ArgumentError, match="use_lowprecision_moment"):
        vt.optimizer.AdamW(parameters=[weight], use_lowprecision_moment=True)
    assert len(vt.io.DataLoader([1, 2], reader_buffer_size=4)) == 2


@pytest.mark.parametrize("given", [{"dim0": 0}, {"dim1": 0}, {"perm": [1, 0], "dim0": 0, "dim1": 1}])
def test_two_axes_are_given_together(given: dict[str, Any]) -> None:
    with pytest.raises(vt.errors.KindError, match=r"dim[01] with dim[01]"):
        vt.transpose(vt.to_tensor(X), **given)


@pytest.mark.parametrize("given", [np.array([1, 2]), [1, 2]])
def test_an_argument_that_is_no_tensor_is_named(given: Any) -> None:
    with pytest.raises(vt.errors.KindError, match=r"isreal: x must be a tensor, not an? (ndarray|list)"):
        vt.isreal(given)


def test_a_decomposition_for_compatibility_checks_what_has_no_effect() -> None:
    with pytest.raises(vt.errors.ArgumentError, match="niter must be 0 or more, not -1"):
        vt.linalg.pca_lowrank(vt.ones([3, 3]), niter=-1)
