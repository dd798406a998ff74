"""Sizes that the run finds but that only one number fits: known sizes afterwards, results and errors as in eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, ShapeError

LEVELS = vt.to_tensor(np.arange(40.0))


def _counts(x: Any) -> Any:
    return vt.bincount(x, minlength=40).astype("float64")


SETTLED: dict[str, Any] = {
    "product": lambda x: (vt.cumsum(_counts(x)) * LEVELS).sum(),
    "another axis": lambda x: _counts(x) + vt.ones([3, 40], "float64"),
    "matmul": lambda x: _counts(x) @ LEVELS,
    "matmul of rows": lambda x: LEVELS.reshape([1, 40]) @ _counts(x).reshape([-1, 1]),
    "reshape": lambda x: _counts(x).reshape([5, 8]).sum(0),
    "in a loop": lambda x: sum((LEVELS * k * _counts(x) for k in range(3)), vt.zeros([40], "float64")),
}
OPEN: dict[str, Any] = {
    "nothing says": lambda x: vt.cumsum(_counts(x)) / x.shape[0],
    "one fits, too": lambda x: vt.bincount(x).astype("float64") * LEVELS,
}


@pytest.mark.parametrize("name", SETTLED)
def test_only_one_size_fits(name: str) -> None:
    compiled = vt.to_static(SETTLED[name])
    for numbers in ([3, 0, 3, 39], [7]):
        x = vt.to_tensor(numbers)
        np.testing.assert_array_equal(compiled(x).numpy(), SETTLED[name](x).numpy())
    for numbers, error in (([3, 44], ShapeError), ([-1, 3], ArgumentError)):
        x = vt.to_tensor(numbers)
        for function in (SETTLED[name], compiled):
            with pytest.raises(error):
                function(x)
    with vt.profiler.profile() as profile:
        compiled(vt.to_tensor([5, 1]))
    assert profile.kernels
    assert not [k.name for k in profile.kernels if k.kind == "python"]


@pytest.mark.parametrize("name", OPEN)
def test_several_sizes_fit(name: str) -> None:
    compiled = vt.to_static(OPEN[name])
    for numbers in ([3, 0, 3, 39], [0, 0], [0] * 7):
        x = vt.to_tensor(numbers)
        if name != "nothing says" and max(numbers) not in (0, 39):
            continue
        np.testing.assert_array_equal(compiled(x).numpy(), OPEN[name](x).numpy())


def test_what_was_done_before_the_error_stays() -> None:
    seen: list[float] = []

    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("calls", vt.zeros([]))

        def forward(self, x: Any) -> Any:
            counts = vt.bincount(x, minlength=40).astype("float64")
            self.calls.set_value(self.calls + 1)
            return counts * LEVELS

    for compiled in (False, True):
        net = Net()
        call = vt.to_static(net) if compiled else net
        call(vt.to_tensor([3]))
        with pytest.raises(ShapeError):
            call(vt.to_tensor([44]))
        seen.append(float(net.calls))
    assert seen[0] == seen[1]
