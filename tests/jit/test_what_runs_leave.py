"""What a run leaves behind, and what the next call takes for the same: flags, signs, sizes, gradients, modes, memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import VitrifyError


class Holder:
    x: Any
    t: Any


def test_a_gradient_that_is_there_by_now_is_added_to() -> None:
    w = vt.to_tensor([1.0, 2.0], stop_gradient=False)

    @vt.to_static
    def f(x: Any) -> Any:
        loss = (w * x).sum()
        loss.backward()
        return loss

    for wanted in (1.0, 2.0, 3.0):
        f(vt.ones([2]))
        assert w.grad.tolist() == [wanted, wanted]
    w.grad = None
    for wanted in (1.0, 2.0):
        f(vt.ones([2]))
        assert w.grad.tolist() == [wanted, wanted]


def test_a_call_by_keyword_sees_the_default_dtype() -> None:
    f, x = vt.to_static(lambda x: x + vt.zeros([2])), vt.ones([2])
    for _ in range(3):
        assert f(x=x).dtype == vt.float32
    vt.set_default_dtype("float64")
    try:
        assert f(x=x).dtype == vt.float64
    finally:
        vt.set_default_dtype("float32")


def test_memory_that_may_only_be_read_is_not_written() -> None:
    t = vt.to_tensor(np.zeros(4, "float32"))
    memory = t._storage.payload
    memory.flags.writeable = False
    f = vt.to_static(lambda: t.add_(vt.ones([4])))
    for _ in range(3):
        f()
    assert memory.tolist() == [0.0] * 4
    assert t.tolist() == [3.0] * 4


class Scaled(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.mode = "a"

    def forward(self, x: Any) -> Any:
        return x * (2.0 if self.mode == "a" else 3.0)


def test_an_attribute_that_another_compiled_function_wrote_is_seen() -> None:
    layer, x = Scaled(), vt.ones([1])
    read = vt.to_static(layer.forward)

    @vt.to_static
    def write(x: Any) -> Any:
        layer.mode = "b" if layer.mode == "a" else "a"
        return x

    for _ in range(4):
        assert read(x).tolist() == [2.0]
        write(x)
        assert read(x).tolist() == [3.0]
        write(x)


def test_of_two_results_over_one_value_the_detached_one_needs_no_gradient() -> None:
    w = vt.to_tensor([2.0], stop_gradient=False)

    @vt.to_static
    def f(x: Any) -> Any:
        y = x * w
        with vt.no_grad():
            z = y * 1
        return y, y.detach(), z

    for _ in range(3):
        assert [y.stop_gradient for y in f(vt.ones([1]))] == [False, True, True]


def test_a_detached_tensor_that_is_left_behind_needs_no_gradient() -> None:
    w, h = vt.to_tensor([2.0], stop_gradient=False), nn.Layer()

    @vt.to_static
    def f(x: Any) -> Any:
        y = x * w
        h.z, h.y = y.detach(), y
        return y.detach()

    for _ in range(3):
        y = f(vt.ones([1]))
        assert [y.stop_gradient, h.z.stop_gradient, h.y.stop_gradient] == [True, True, False]
        h.y.backward()
    assert w.grad.tolist() == [3.0]


def test_a_dict_that_is_a_global_is_an_argument_too() -> None:
    known = {"n": vt.zeros([1])}

    @vt.to_static
    def f(given: Any, x: Any) -> Any:
        given["n"] = given["n"] + x
        return known["n"] * 1

    for _ in range(3):
        assert f({"n": vt.zeros([1])}, vt.ones([1])).tolist() == [0.0]
    assert [f(known, vt.ones([1])).tolist() for _ in range(2)] == [[1.0], [2.0]]


def test_the_sign_of_a_zero_is_left_behind() -> None:
    h = Holder()
    h.x = 0.0

    @vt.to_static
    def f(x: Any) -> Any:
        h.x = -0.0
        return x + 1

    for _ in range(3):
        h.x = 0.0
        f(vt.ones([1]))
        assert str(h.x) == "-0.0"


class Total(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("t", vt.zeros([3]))

    def forward(self, x: Any) -> Any:
        self.t = self.t + x
        return self.t.sum()


def test_a_buffer_of_another_size_takes_a_program_of_its_own() -> None:
    layer = Total()
    f = vt.to_static(layer.forward)
    for size in (3, 5, 4, 3):
        layer.t = vt.zeros([size])
        assert [float(f(vt.ones([1]))) for _ in range(3)] == [size, 2.0 * size, 3.0 * size]
        assert layer.t.shape == [size]


def test_the_ends_of_int64_and_int32() -> None:
    whole = vt.to_static(lambda x: int(x) + vt.zeros([1], "int64"))
    for value in (2.0**62, -(2.0**63)):
        assert whole(vt.to_tensor(value, dtype="float64")).tolist() == [int(value)]
    for value in (2.0**63, -(2.0**64), float("inf")):
        with pytest.raises(OverflowError):
            whole(vt.to_tensor(value, dtype="float64"))
    add, x = vt.to_static(lambda x, n: x + n), vt.zeros([1], "int32")
    for n in (1, 2, 3, -(2**31), 2**31 - 1):
        assert add(x, n).tolist() == [n]
    for n in (-(2**31) - 1, 2**31):
        with pytest.raises(VitrifyError):
            add(x, n)
