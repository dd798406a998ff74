"""Attributes that hold a size which a call brings: the verifier takes them, and they are saved and loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.base.errors import CaptureError, VitrifyError
from vitrify.ir.verifier import verify
from vitrify.jit import to_static

from .numeric_arguments import Call, calls, differ, functions, outcome

SIZED: dict[str, Any] = {
    "roll": lambda x: vt.roll(x, x.shape[0] // 2),
    "arange": lambda x: vt.arange(x.shape[0], 3 * x.shape[0], 2),
    "linspace": lambda x: vt.linspace(0, 1, x.shape[0]),
    "eye": lambda x: vt.eye(x.shape[0]),
    "pad": lambda x: F.pad(x, [0, x.shape[0]]),
    "one_hot": lambda x: F.one_hot(vt.zeros([2], "int64"), x.shape[0]),
    "dropout": lambda x: F.dropout(x, 0.0),
    "randperm": lambda x: vt.randperm(x.shape[0]).sum(),
    "slice": lambda x: x[x.shape[0] // 2 :],
    "repeat_interleave": lambda x: vt.repeat_interleave(x, x.shape[0]),
    "tril": lambda x: vt.tril(vt.ones([3, 8]), x.shape[0] - 4),
    "triu": lambda x: vt.triu(vt.ones([3, 8]), x.shape[0] - 4),
    "rfft": lambda x: vt.fft.rfft(vt.ones([2, 8]), n=x.shape[0]).real(),
    "rfft of more": lambda x: vt.fft.rfft(vt.ones([2, 4]), n=x.shape[0]).real(),
    "irfft": lambda x: vt.fft.irfft(vt.ones([2, 4], "complex64"), n=x.shape[0]),
    "full": lambda x: vt.full([2], x.shape[0]),
    "clip": lambda x: vt.clip(x, 2, x.shape[0] - 2),
    "a float": lambda x: vt.full([2], x.shape[0] / 3, "float64"),
}


@pytest.mark.parametrize("name", SIZED)
def test_sizes_that_a_call_brings_are_attributes_of_programs_that_are_saved(name: str, tmp_path: Path) -> None:
    compiled = to_static(SIZED[name], input_spec=[vt.InputSpec([None], "float32")])
    verify(compiled.concrete_trace().program)
    vt.jit.save(compiled, str(tmp_path / "sized"))
    x = vt.arange(6).astype("float32")
    np.testing.assert_array_equal(vt.jit.load(str(tmp_path / "sized"))(x).numpy(), SIZED[name](x).numpy())


DRAWN: dict[str, Any] = {
    "randint": lambda x: vt.randint(0, x.shape[0], [20]),
    "randint from": lambda x: vt.randint(-x.shape[0], 3, [20], "int32"),
    "uniform": lambda x: vt.uniform([20], max=x.shape[0]),
    "uniform, float16": lambda x: vt.uniform([20], "float16", -x.shape[0], x.shape[0] + 2),
    "normal": lambda x: vt.normal(mean=x.shape[0], shape=[20]),
    "normal, std": lambda x: vt.normal(std=x.shape[0], shape=[20]),
    "gaussian": lambda x: vt.gaussian([20], x.shape[0], seed=3),
    "uniform_": lambda x: vt.zeros([20]).uniform_(-1, x.shape[0]),
    "normal_": lambda x: vt.zeros([20]).normal_(x.shape[0]),
    "log_normal_": lambda x: vt.zeros([20]).log_normal_(0.0, x.shape[0] - 1),
}


@pytest.mark.parametrize("name", DRAWN)
def test_random_numbers_in_a_range_of_such_a_size(name: str) -> None:
    compiled = to_static(DRAWN[name], input_spec=[vt.InputSpec([None], "float32")])
    for size in (2, 5):
        results = []
        for fn in (DRAWN[name], compiled):
            vt.seed(7)
            results.append(fn(vt.ones([size])))
        assert results[1].dtype is results[0].dtype
        np.testing.assert_allclose(results[1].numpy(), results[0].numpy(), rtol=2e-6)
    compiled.concrete_trace()  # for any size


def test_an_empty_range_is_an_error() -> None:
    compiled = to_static(DRAWN["randint"])
    for size in (3, 2):
        compiled(vt.ones([size]))
    with pytest.raises(VitrifyError, match="low < high"):
        compiled(vt.ones([0]))


def by_size(call: Call) -> Callable[[Any], Any]:
    return lambda x: call.run(x.shape[0])


@pytest.mark.parametrize("function", [pytest.param(f, id=name) for name, f in functions()])
def test_a_size_for_a_number_is_right_or_a_typed_error(function: Callable[..., Any]) -> None:
    for call in calls(function):
        open_ = to_static(by_size(call), input_spec=[vt.InputSpec([None])], numerics="reference")
        traced = outcome(lambda fn=open_: verify(fn.concrete_trace().program))
        assert traced is None or isinstance(traced, VitrifyError), (call.name, traced)
        for spec in (None, [vt.InputSpec([None])]):
            compiled = to_static(by_size(call), input_spec=spec, numerics="reference")
            for number in call.numbers:
                results = []
                for fn in (by_size(call), compiled):
                    vt.seed(7)
                    results.append(outcome(lambda fn=fn, number=number: fn(vt.ones([number]))))
                expected, found = results
                assert isinstance(found, VitrifyError) or not differ(found, expected), (call.name, number)


def test_where_no_program_of_any_size_exists_the_error_names_line_and_remedy() -> None:
    compiled = to_static(lambda x: F.leaky_relu(x, x.shape[0]), input_spec=[vt.InputSpec([None], "float32")])
    for size in (3, 5):
        x = -vt.ones([size])
        assert compiled(x).tolist() == F.leaky_relu(x, size).tolist()
    with pytest.raises(CaptureError) as caught:
        to_static(lambda x: F.leaky_relu(x, x.shape[0]), input_spec=[vt.InputSpec([None])]).concrete_trace()
    assert "a number is needed where the size N is given" in str(caught.value)
    assert "F.leaky_relu(x, x.shape[0])" in str(caught.value)
    assert "declare the size as a number" in str(caught.value)


@pytest.mark.parametrize("limit", [2.5, 3.0, float("inf"), -float("inf"), float("nan")])
def test_sizes_compare_with_floats_as_numbers_do(limit: float) -> None:
    def compared(x: Any) -> Any:
        n = x.shape[0]
        if n == limit:
            x = x + 1
        if n < limit:
            x = x + 2
        if n <= limit:
            x = x + 4
        if n > limit:
            x = x + 8
        if n >= limit:
            x = x + 16
        return x

    for spec in (None, [vt.InputSpec([None], "float32")]):
        compiled = to_static(compared, input_spec=spec)
        for size in (2, 3, 4):
            assert compiled(vt.zeros([size])).tolist() == compared(vt.zeros([size])).tolist()
