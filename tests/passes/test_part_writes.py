"""Parts of parts that loops write, and several updates of an array in a round: nothing but what changes is moved."""

from __future__ import annotations

import linecache
import re
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import AxisError

ROUNDS = 211
WRITES = {
    "x[k, 2] = u[k]": (ROUNDS, 3),
    "x[2, k] = 0.5 * x[2, k - 1] + u[k]": (3, ROUNDS),
    "x[i[k], 1] += u[k]": (ROUNDS, 3),
    "x[1, i[k]] += u[k]": (3, ROUNDS),
    "x[k, :2] = x[k - 1, 1:] * 0.5": (ROUNDS, 3),
    "x[:2, k] = x[1:, k - 1] * 0.5": (3, ROUNDS),
    "x[:, k, 0] = u[k]": (4, ROUNDS, 2),
    "x[k, ::2] = x[k - 1, 1::2]": (ROUNDS, 6),
    "x[k, 1:3, 2] = u[k]": (ROUNDS, 4, 5),
    "x[k] = x[k - 1] * 0.5; x[k, 0] = u[k]": (ROUNDS, 5),
    "x[0, k] = x[1, k - 1]; x[1, k] = x[0, k] + u[k]": (2, ROUNDS),
    "x[k] += 1; x[k - 1] += 2": (ROUNDS,),
    "x[k], x[i[k]] = x[i[k]] + 0, x[k] + 0": (ROUNDS,),
    "t = x[k].clone(); x[k] = x[i[k]]; x[i[k]] = t": (ROUNDS, 3),
    "a, b = x[k - 1], x[k]; x[k - 1] = 0.5 * (a + b); x[k] = b - a": (ROUNDS,),
    "c = x[:, 1]; c[k] = u[k]; c[i[k]] += 1": (ROUNDS, 3),
    "r = x[k]; r[:2] = u[k]; r[2] = x[k - 1, 0]": (ROUNDS, 4),
    "if u[k] > 0: x[k, 0] = u[k]": (ROUNDS, 3),
    "if u[k] > 0: x[i[k], 1] = 2; x[k, :2] *= u[k]": (ROUNDS, 3),
    "x[i[k], i[k - 1] % 3] -= x[-k, -1]": (ROUNDS, 3),
}


def _function(body: str) -> Any:
    text = f"def f(x, u, i):\n    x = x.clone()\n    for k in range(1, {ROUNDS}):\n        {body}\n    return x\n"
    file = f"<part writes {body}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {}
    exec(compile(text, file, "exec"), space)
    return space["f"]


def _arguments(shape: tuple[int, ...], seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    made = rng.standard_normal(shape), rng.standard_normal(ROUNDS), rng.integers(-ROUNDS, ROUNDS, ROUNDS)
    return [vt.to_tensor(a) for a in made]


@pytest.mark.parametrize("body", WRITES)
def test_what_does_not_change_stays(body: str) -> None:
    fn, shape = _function(body), WRITES[body]
    compiled = vt.to_static(fn)
    for seed in (1, 2):
        given = _arguments(shape, seed)
        np.testing.assert_array_equal(compiled(*given).numpy(), fn(*given).numpy())
        np.testing.assert_array_equal(given[0].numpy(), _arguments(shape, seed)[0].numpy())
    loops = [text.split("while left")[1] for _, text in compiled.kernels.items() if "while left" in str(text)]
    assert len(loops) == 1
    assert all(int(size) < 32 for size in re.findall(r"range\((\d+)\)", loops[0].split("\n    p0[0] =")[0]))


@pytest.mark.parametrize("bad", [ROUNDS, -ROUNDS - 1])
@pytest.mark.parametrize("body", ["x[i[k], 1] += u[k]", "x[1, i[k]] += u[k]", "x[i[k], :2] = u[k]"])
def test_an_index_that_is_wrong_is_named(body: str, bad: int) -> None:
    fn = _function(body)
    given = _arguments((3, ROUNDS) if body.startswith("x[1") else (ROUNDS, 3), 1)
    compiled = vt.to_static(fn)
    compiled(*given)
    numbers = given[2].numpy().copy()
    numbers[7], numbers[9] = bad, bad + 5
    wrong = vt.to_tensor(numbers)
    with pytest.raises(AxisError, match=f"index {bad} is outside an axis of {ROUNDS} elements"):
        fn(*given[:2], wrong)
    with pytest.raises(AxisError, match=f"index {bad} is outside an axis of {ROUNDS} elements"):
        compiled(*given[:2], wrong)


def test_a_failing_call_leaves_a_buffer_as_it_was() -> None:
    class Table(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("cells", vt.zeros([40, 5], "float64"))

        def forward(self, numbers: Any, i: Any) -> Any:
            self.cells[1:3, 1] = 1.0
            number = numbers[i]
            self.cells[2, 2] = number * 2
            self.cells[3:9, 0] = number
            return number

    table, numbers = Table(), vt.to_tensor(np.arange(6.0))
    compiled = vt.to_static(table)
    compiled(numbers, vt.to_tensor(3))
    before = table.cells.numpy().copy()
    assert before.sum() == 26
    table.cells.set_value(vt.zeros([40, 5], "float64"))
    with pytest.raises(AxisError):
        compiled(numbers, vt.to_tensor(9))
    assert not table.cells.numpy().any()


def test_long_chains_of_boxes() -> None:
    def runs(x: Any) -> Any:
        for k in range(300):
            x[k : k + 3] += 1
        return x

    made = vt.to_static(runs)(vt.zeros([302], "float64")).numpy()
    np.testing.assert_array_equal(made, np.convolve(np.ones(300), np.ones(3)))


def test_gradients_of_parts() -> None:
    def slope(x: Any, u: Any, i: Any) -> Any:
        y = x * 1
        for k in range(1, 40):
            y[i[k], 1] = (y[k, 0] + 0) * u[k]
            y[k, :2] = vt.sin(y[k - 1, 1:] + 0)
            if u[k] > 0:
                y[k, 2], y[0, 0] = y[0, 0] + 0, y[k, 2] + 0
        return vt.grad((y * y).sum(), [x, u])

    rng = np.random.default_rng(3)
    given = [vt.to_tensor(rng.standard_normal(s), stop_gradient=False) for s in ((40, 3), (40,))]
    given.append(vt.to_tensor(rng.integers(-40, 40, 40)))
    compiled = vt.to_static(slope)
    for _ in range(2):
        for one, other in zip(compiled(*given), slope(*given), strict=True):
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-10, atol=1e-12)
