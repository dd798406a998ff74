"""An open size takes a value that a row doesn't fit, or that is its special case: compiled code does as eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.base.errors import ShapeError, VitrifyError
from vitrify.ops.dims import Dim

NET = vt.nn.Linear(1, 1)


def rows(count: int) -> Any:
    return vt.reshape(vt.arange(count, dtype="float32"), [count, 1])


def image(x: Any) -> Any:
    return vt.reshape(NET(x), [1, x.shape[0], 1, 1])


def outcome(function: Callable[[Any], Any], x: Any) -> Any:
    """The arrays that a call makes, or the class of its error."""
    try:
        made = function(x)
    except VitrifyError as error:
        return type(error).__name__
    return [y.numpy() for y in (made if isinstance(made, (list, tuple)) else [made])]


def check(function: Callable[[Any], Any], counts: tuple[int, ...]) -> Any:
    compiled = vt.to_static(function)
    for count in counts:
        wanted, got = outcome(function, rows(count)), outcome(compiled, rows(count))
        if isinstance(wanted, str) or isinstance(got, str):
            assert got == wanted, count
            continue
        assert len(got) == len(wanted)
        for a, b in zip(got, wanted, strict=True):
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b, rtol=2e-6, atol=1e-6)
    return compiled


@pytest.mark.parametrize(
    "function",
    [
        lambda x: vt.chunk(NET(x), 2),
        lambda x: vt.split(NET(x), 4),
        lambda x: vt.split(NET(x), [3, -1]),
        lambda x: vt.tensor_split(NET(x), 3),
        lambda x: vt.vsplit(NET(x), 2),
        lambda x: vt.unbind(NET(x), 0),
        lambda x: vt.unstack(NET(x), 0, 8),
        lambda x: vt.reshape(NET(x), [-1, 2]),
        lambda x: vt.unflatten(NET(x), 0, [2, -1]),
        lambda x: vt.reshape(NET(x), [-1]).view("float64"),
        lambda x: F.glu(NET(x), 0),
        lambda x: F.maxout(image(x), 2),
        lambda x: F.group_norm(image(x), 2),
        lambda x: F.pixel_shuffle(image(x), 2),
        lambda x: vt.topk(NET(x), 5, axis=0)[0],
        lambda x: vt.kthvalue(NET(x), 5, axis=0)[0],
    ],
)
def test_sizes_that_do_not_fit(function: Callable[[Any], Any]) -> None:
    check(function, (8, 5, 1, 4))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: vt.max(x * 2),
        lambda x: vt.min(x * 2, axis=0),
        lambda x: vt.amax(x * 2, axis=[0, 1]),
        lambda x: vt.argmax(NET(x), axis=0),
        lambda x: vt.argmin(x),
        lambda x: vt.aminmax(x),
        lambda x: vt.linalg.norm(x, float("inf")),
        lambda x: vt.max(vt.concat([x, x])),
        lambda x: vt.max(x[x > 1]),
        lambda x: F.max_pool1d(vt.reshape(x, [1, 1, -1]), 3),
        lambda x: F.avg_pool2d(vt.reshape(x, [1, 1, -1, 1]), [2, 1]),
        lambda x: F.conv1d(vt.reshape(x, [1, 1, -1]), vt.ones([1, 1, 3])),
    ],
)
def test_axes_without_elements_and_windows_that_do_not_fit(function: Callable[[Any], Any]) -> None:
    compiled = check(function, (8, 5, 0, 6, 1, 3))
    with pytest.raises(ShapeError):
        compiled(rows(0))


def test_a_saved_program_without_elements(tmp_path: Any) -> None:
    compiled = vt.to_static(lambda x: vt.max(x), input_spec=[vt.static.InputSpec([-1], "float32")])
    vt.jit.save(compiled, str(tmp_path / "largest"))
    loaded = vt.jit.load(str(tmp_path / "largest"))
    assert loaded(vt.to_tensor([1.0, 3.0])).item() == 3.0
    with pytest.raises(VitrifyError):
        loaded(vt.zeros([0]))


def test_a_batch_of_any_even_size_runs_one_program() -> None:
    compiled = check(lambda x: vt.chunk(NET(x), 2), (8, 4, 2, 12))
    assert compiled.get_traced_count() == 1
    assert isinstance(compiled.concrete_trace().inputs.leaves[0].type.shape[0], Dim)


def test_a_size_that_divides_another() -> None:
    compiled = vt.to_static(lambda x, y: vt.reshape(NET(x), [-1, y.shape[0]]) + 0 * y.sum())
    assert compiled(rows(8), rows(4)).shape == [2, 4]
    assert compiled(rows(6), rows(2)).shape == [3, 2]
    with pytest.raises(ShapeError):
        compiled(rows(6), rows(4))


@pytest.mark.parametrize("make", [vt.linspace, vt.logspace])
def test_one_number_of_a_line_is_its_first(make: Any) -> None:
    compiled = check(lambda x: make(1.0, 2.0, x.shape[0]), (4, 2, 3, 1, 0))
    assert compiled(rows(1)).tolist() == [1.0 if make is vt.linspace else 10.0]


@pytest.mark.parametrize("reduce", [vt.std, vt.var])
def test_spread_of_one_number_and_of_none(reduce: Any) -> None:
    check(lambda x: reduce(NET(x), axis=0), (8, 5, 1))
    check(lambda x: reduce(x * 2, axis=0), (8, 5, 1, 0))


def test_a_divisor_of_sizes_that_is_zero_is_an_error_of_the_shape() -> None:
    compiled = vt.to_static(lambda x: x.reshape([-1, x.shape[0] - 2]))
    assert [compiled(vt.ones([k])).shape for k in (4, 3)] == [[2, 2], [3, 1]]
    with pytest.raises(vt.errors.ShapeError, match="reshape"):
        compiled(vt.ones([2]))
