"""Calls in native code whose results are views: each is one of its own call's tensors, as in eager mode."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.runtime.vm.calls import native_call

pytestmark = pytest.mark.skipif(not native_call.is_possible(), reason="objects of this Python lie in another way")

Array = np.ndarray[Any, np.dtype[Any]]


def _matrix(start: float = 0.0) -> vt.Tensor:
    return vt.to_tensor(np.arange(start, start + 12, dtype=np.float32).reshape(3, 4))


def _compiled(function: Callable[..., Any], *given: Any) -> Any:
    compiled = vt.to_static(function)
    for _ in range(4):
        compiled(*given)
    assert compiled._first.__name__ == "native_call"
    return compiled


def turned(x: vt.Tensor) -> Any:
    return vt.transpose(x, [1, 0])


def part(x: vt.Tensor) -> Any:
    return x[1:, ::2]


def cut_twice(x: vt.Tensor) -> Any:
    return x[1:][:, 1]


def flat(x: vt.Tensor) -> Any:
    return vt.reshape(x, [-1])


@pytest.mark.parametrize("function", [turned, part, cut_twice, flat])
def test_a_view_of_an_argument_shares_its_elements(function: Callable[..., Any]) -> None:
    compiled = _compiled(function, _matrix())
    x, same = _matrix(5.0), _matrix(5.0)
    shown, want = compiled(x), function(same)
    np.testing.assert_array_equal(shown.numpy(), want.numpy())
    for t in (x, same):
        t[1] = vt.to_tensor([40.0, -0.0, np.nan, np.inf])
    np.testing.assert_array_equal(shown.numpy(), want.numpy())
    for t in (shown, want):
        t.add_(vt.to_tensor(1.0))
    np.testing.assert_array_equal(x.numpy(), same.numpy())
    assert shown.inplace_version == want.inplace_version
    assert shown.stop_gradient is True


def test_views_of_one_argument_and_of_a_result() -> None:
    def several(x: vt.Tensor, y: vt.Tensor) -> Any:
        made = x + y
        return {"made": made, "row": made[0], "turned": (x.t(), y[:, 0])}

    compiled = _compiled(several, _matrix(), _matrix())
    x, y = _matrix(1.0), _matrix(2.0)
    found = compiled(x, y)
    found["made"][0, 0] = 100.0
    assert found["row"].tolist() == [100.0, 5.0, 7.0, 9.0]
    found["row"][1] = -1.0
    assert found["made"].numpy()[0].tolist() == [100.0, -1.0, 7.0, 9.0]
    x.zero_()
    y[2] = 7.0
    assert found["turned"][0].numpy().tolist() == np.zeros((4, 3)).tolist()
    assert found["turned"][1].tolist() == [2.0, 6.0, 7.0]


def test_calls_of_one_argument_give_views_apart() -> None:
    compiled, x = _compiled(part, _matrix()), _matrix()
    first, second = compiled(x), compiled(x)
    first[0, 0] = 50.0
    assert second.numpy()[0].tolist() == [50.0, 6.0]
    assert x.numpy()[1, 0] == 50.0
    del first, second
    for _ in range(2000):
        compiled(x)
    gc.collect()
    assert len(x._storage.shared.parts) < 10


def test_a_view_that_needs_a_gradient_gives_one() -> None:
    x = vt.to_tensor(np.ones((3, 4), np.float32), stop_gradient=False)
    compiled = vt.to_static(turned)
    for _ in range(4):
        shown = compiled(x)
    (shown * vt.to_tensor(np.arange(12, dtype=np.float32).reshape(4, 3))).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), np.arange(12).reshape(4, 3).T)


def test_a_function_that_writes_its_argument_gives_a_view_of_what_is_there_then() -> None:
    def written(x: vt.Tensor) -> Any:
        x.add_(vt.to_tensor(1.0))
        return x[0]

    compiled, x = _compiled(written, _matrix()), _matrix()
    shown = compiled(x)
    assert shown.tolist() == [1.0, 2.0, 3.0, 4.0]
    x[0, 0] = 9.0
    assert shown.tolist() == [9.0, 2.0, 3.0, 4.0]
