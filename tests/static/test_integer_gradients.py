"""Gradients of integers and bools in programs: as eager mode gives them, in their own dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static

pytestmark = pytest.mark.usefixtures("static_mode")


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize(
    "call",
    [
        lambda x: x * 123,
        lambda x: vt.reshape(x, [4]) * 2,
        lambda x: vt.cast(x, "float32") * 2.0,
        lambda x: vt.atleast_3d(x) * 3,
        lambda x: (x * x)[1],
        lambda x: vt.concat([x, x], 0) * 2,
    ],
)
def test_programs_give_what_eager_mode_gives(call: Callable[[Any], Any], dtype: str) -> None:
    data = np.array([[1, 2], [3, 4]], dtype)
    vt.disable_static()
    x = vt.to_tensor(data, stop_gradient=False)
    wanted = vt.grad(call(x), x)[0].numpy()
    vt.enable_static()
    with static.program_guard(main := static.Program()):
        fed = static.data("x", [2, 2], dtype)
        fed.stop_gradient = False
        y = call(fed)
        (slope,) = static.gradients(y, fed)
        static.append_backward(y)
    found = static.Executor().run(main, {"x": data}, [slope, fed.grad_name])
    for one in found:
        np.testing.assert_array_equal(one, wanted, strict=True)
