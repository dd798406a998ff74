"""Paddle's checks of arguments, and its helper for layer functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.data_feeder import check_dtype, check_shape, check_type, check_variable_and_dtype
from vitrify.base.layer_helper import LayerHelper

REFUSED: list[tuple[str, Callable[[], Any], str]] = [
    ("kind", lambda: check_type(1.5, "axis", (int, str), "concat"), "axis must be of type int, str, not float"),
    ("dtype", lambda: check_dtype("int32", "x", ["float32"], "mean"), "dtype of x must be float32, not int32"),
    ("array", lambda: check_variable_and_dtype(np.ones(2), "x", ["float32"], "mean"), "of type Tensor, not ndarray"),
    ("tensor's dtype", lambda: check_variable_and_dtype(vt.ones([1]), "x", "int32", "f"), "int32, not float32"),
    ("shape", lambda: check_shape("ab", "full"), "shape must be of type"),
    ("element of a shape", lambda: check_shape([2, 1.5], "full"), "not float"),
    ("dtype of a shape", lambda: check_shape(vt.ones([2]), "full"), "not float32"),
]


@pytest.mark.parametrize(("call", "text"), [(c, t) for _, c, t in REFUSED], ids=[name for name, _, _ in REFUSED])
def test_what_the_checks_refuse(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(TypeError, match=text):
        call()


def test_what_the_checks_let_pass() -> None:
    check_type(vt.ones([1]), "x", vt.static.Variable, "f")
    check_dtype(vt.bfloat16, "x", ["uint16"], "f")
    check_variable_and_dtype(vt.ones([1]), "x", ["float32", "float64"], "f")
    check_shape([2, vt.to_tensor(3)], "f")


@pytest.fixture
def static_mode() -> Iterator[None]:
    vt.enable_static()
    with vt.static.program_guard(vt.static.Program(), vt.static.Program()):
        yield
    vt.disable_static()


@pytest.mark.usefixtures("static_mode")
def test_a_layer_by_its_helper() -> None:
    x = vt.static.data("x", [None, 3])
    helper = LayerHelper("scaled", input=x, act="relu", param_attr=None)
    weight = helper.create_parameter(helper.param_attr, [3], helper.input_dtype())
    made = helper.create_variable_for_type_inference(x.dtype)
    helper.append_op(type="elementwise_mul", inputs={"X": x, "Y": weight}, outputs={"Out": made})
    out = helper.append_activation(made)
    assert helper.create_parameter(False, [3]) is None
    assert weight.name.startswith("scaled")
    exe = vt.static.Executor()
    exe.run(helper.startup_program)
    given = np.array([[1.0, -2.0, 3.0]], "float32")
    w, y = exe.run(helper.main_program, feed={"x": given}, fetch_list=[weight, out])
    np.testing.assert_allclose(y, np.maximum(given * w, 0.0))
    with pytest.raises(TypeError, match="must name an activation"):
        LayerHelper("f", act="nothing").append_activation(out)
    with pytest.raises(TypeError, match="dtypes"):
        LayerHelper("f", input=[x, vt.static.data("n", [1], "int64")]).input_dtype()


@pytest.mark.usefixtures("static_mode")
def test_descriptions_of_variables() -> None:
    x = vt.static.data("x", [None, 3])
    facts = x.desc
    facts.set_stop_gradient(False)
    facts.set_need_check_feed(False)
    assert (facts.name(), facts.shape(), facts.dtype()) == ("x", [-1, 3], vt.float32)
    assert (facts.stop_gradient(), facts.persistable(), facts.need_check_feed()) == (False, False, False)


@pytest.mark.usefixtures("static_mode")
def test_literals_and_names_in_programs() -> None:
    x = vt.to_tensor([[1.0, 2.0]])
    x.stop_gradient = False
    y = vt.divide(x, x * x, name="ratio")
    vt.static.append_backward(y)
    assert y.name.startswith("ratio")
    np.testing.assert_array_equal(x.numpy(), [[1.0, 2.0]])
    found = vt.static.Executor().run(fetch_list=[y, x.grad_name])
    np.testing.assert_allclose(found[0], [[1.0, 0.5]])
    np.testing.assert_allclose(found[1], [[-1.0, -0.25]])
    assert vt.static.append_backward(vt.full([2], 2).sum()) == []


def test_names_by_place_and_axes_of_other_kinds() -> None:
    x = vt.to_tensor([5.0, 3.0])
    assert vt.remainder(x, x, None).tolist() == vt.remainder(x, x, "rest").tolist() == [0.0, 0.0]
    assert vt.unsqueeze(x, vt.to_tensor([0, 2])).shape == [1, 2, 1]
    for axis in (1.5, "a", True):
        with pytest.raises(TypeError, match="must be an int"):
            vt.sum(x, axis=axis)
    assert x.numpy(False).flags.writeable
    assert vt.Tensor.__div__(x, x).tolist() == [1.0, 1.0]
