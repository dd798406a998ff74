"""What variables, blocks and operations show of a program; measures; name scopes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static


def test_unknown_sizes_equal_minus_one_and_compute_as_they_are() -> None:
    x = static.data("x", [None, 3, -1])
    assert x.shape == [-1, 3, -1]
    assert list(x.shape) == [-1, 3, -1]
    assert tuple(x.shape) == (-1, 3, -1)
    assert (x.shape[0], x.shape[-1]) == (-1, -1)
    assert x.shape[0] != 3
    assert repr(x.shape) == "[-1, 3, -1]"
    y = vt.reshape(x, [x.shape[0] * 3, x.shape[2]])
    z = vt.zeros([x.shape[0], 2]) + 1.0
    a = np.arange(24, dtype="float32").reshape(2, 3, 4)
    found = static.Executor().run(feed={"x": a}, fetch_list=[y, z, vt.shape(x)])
    np.testing.assert_array_equal(found[0], a.reshape(6, 4))
    np.testing.assert_array_equal(found[1], np.ones([2, 2]))
    assert list(found[2]) == [2, 3, 4]


def test_the_shape_alone_can_be_fetched() -> None:
    x = static.data("x", [None, 3])
    (found,) = static.Executor().run(feed={"x": np.ones((5, 3), "float32")}, fetch_list=[vt.shape(x)])
    assert list(found) == [5, 3]


def test_create_var_finds_what_is_there() -> None:
    block = static.default_main_program().current_block()
    made = block.create_var(name="fc.w", dtype="float64", shape=[784, 100], lod_level=0)
    assert block.create_var(name="fc.w") is made
    assert (made.grad_name, tuple(made.shape), made.dtype) == ("fc.w@GRAD", (784, 100), vt.float64)


def test_a_block_makes_parameters_of_its_program() -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(static.Program(), startup):
        weight = main.global_block().create_parameter(
            shape=[3], dtype="float32", name="w", initializer=vt.nn.initializer.Constant(2.0), trainable=False
        )
    assert main.all_parameters() == [weight]
    assert not weight.trainable
    with static.program_guard(main, startup):
        y = weight * 2.0
    exe = static.Executor()
    exe.run(startup)
    assert exe.run(main, fetch_list=[y])[0].tolist() == [4.0, 4.0, 4.0]


def test_a_description_parses_back() -> None:
    (static.data("x", [2]) * 2.0).name = "y"
    text = static.default_main_program().desc.serialize_to_string()
    assert isinstance(text, bytes)
    assert [o.name for o in static.Program.parse_from_string(text).body.operations][:2] == ["constant", "multiply"]


def test_name_scopes_are_attributes_of_operations() -> None:
    x = static.data("x", [2])
    with static.name_scope("outer"):
        y = vt.exp(x)
        with static.name_scope("inner"):
            y = vt.tanh(y)
    with static.name_scope("outer"):
        y = vt.exp(y)
    vt.tanh(y)
    scopes = [op.attr("op_namescope") for op in static.default_main_program().global_block().ops]
    assert scopes[0].startswith("/outer")
    assert scopes[1] == scopes[0] + "inner/"
    assert scopes[2].startswith("/outer_")
    assert scopes[3] == "/"


def test_setitem_makes_a_new_variable() -> None:
    x = static.data("x", [2, 3])
    y = static.setitem(x, (0, slice(1, None)), 5.0)
    a = np.zeros((2, 3), "float32")
    (found,) = static.Executor().run(feed={"x": a}, fetch_list=[y])
    assert found.tolist() == [[0.0, 5.0, 5.0], [0.0, 0.0, 0.0]]


@pytest.mark.parametrize("value", [np.array([1, 2, 3]), np.array([[7.0], [8.0]]), [4, 5, 6], True, np.float64(2.5)])
def test_setitem_takes_arrays(value: Any) -> None:
    x = static.data("x", [2, 3])
    y = static.setitem(x, slice(0, 2), value)
    (found,) = static.Executor().run(feed={"x": np.zeros((2, 3), "float32")}, fetch_list=[y])
    assert np.array_equal(found, np.broadcast_to(np.asarray(value, "float32"), (2, 3)))


def test_what_a_loop_reaches_may_hold_the_program_itself() -> None:
    holder = SimpleNamespace(program=static.default_main_program(), value=6.0)

    def body(i: Any, x: Any) -> Any:
        return i + 1, static.setitem(x, i, holder.value if holder.program.num_blocks else 0.0)

    _i, x = static.nn.while_loop(lambda i, x: i < 1, body, [vt.zeros([1], "int32"), vt.ones([2, 3])])
    (found,) = static.Executor().run(fetch_list=[x])
    assert found.tolist() == [[6.0] * 3, [1.0] * 3]


def area(chances: Any, labels: Any) -> float:
    """The share of pairs (positive, negative) in the right order; ties count half."""
    ups, downs = chances[labels == 1], chances[labels == 0]
    return float(((ups[:, None] > downs) + 0.5 * (ups[:, None] == downs)).mean())


def test_auc_over_runs_and_of_each_run() -> None:
    chance, label = static.data("p", [None, 2]), static.data("l", [None, 1], "int64")
    whole, batch, counts = static.auc(chance, label, num_thresholds=4095)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    rng = np.random.default_rng(0)
    seen: list[Any] = []
    for _ in range(3):
        labels = rng.integers(0, 2, (50, 1))
        chances = np.round(np.clip(rng.random((50, 1)) * 0.7 + 0.3 * labels, 0, 1) * 4095) / 4095
        seen.append((chances[:, 0], labels[:, 0]))
        both = np.concatenate([1 - chances, chances], 1).astype("float32")
        found = exe.run(feed={"p": both, "l": labels}, fetch_list=[whole, batch, counts[2]])
        np.testing.assert_allclose(found[1], area(*seen[-1]), atol=2e-3)
        np.testing.assert_allclose(found[0], area(*(np.concatenate(x) for x in zip(*seen, strict=True))), atol=2e-3)
        assert found[2].sum() == sum(int(x.sum()) for _, x in seen)
    with pytest.raises(ValueError, match="only the ROC curve"):
        static.auc(chance, label, curve="PR")


def test_details_name_the_lines_that_built_the_program() -> None:
    x = static.data("x", [None, 4])
    hidden = static.nn.fc(x, 3)  # the fully connected layer
    vt.mean(hidden)  # the loss
    lines = static.default_main_program().to_string(True, with_details=True).splitlines()
    start = static.default_startup_program().to_string(True, with_details=True).splitlines()
    here = test_details_name_the_lines_that_built_the_program.__code__.co_firstlineno
    at = {name: next(line for line in lines if f"= {name} " in line) for name in ("matmul", "add", "mean")}
    assert f"test_views.py:{here + 2}" in at["matmul"]
    assert f"test_views.py:{here + 2}" in at["add"]
    assert f"test_views.py:{here + 3}" in at["mean"]
    assert all(f"test_views.py:{here + 2}" in line for line in start if " = " in line and "full" in line)
    plain = str(static.default_main_program())
    assert "test_views.py" not in plain


@pytest.mark.parametrize("rows", [2, 1])
def test_a_size_that_was_assumed_is_kept_to(rows: int) -> None:
    x = static.data("x", [None, 3])
    x.stop_gradient = False
    y = vt.expand(x, [4, 2, 3])
    (grad,) = static.gradients(y, x)
    exe, a = static.Executor(), np.ones((rows, 3), "float32")
    if rows == 1:
        with pytest.raises(vt.errors.GuardError, match="x_0"):
            exe.run(feed={"x": a}, fetch_list=[y, grad])
        return
    found = exe.run(feed={"x": a}, fetch_list=[y, grad])
    np.testing.assert_array_equal(found[0], np.ones((4, 2, 3)))
    np.testing.assert_array_equal(found[1], np.full((2, 3), 4.0))
