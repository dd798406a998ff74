"""Programs built by calls: what they hold, how they run, what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.nn import functional as F

A = np.random.default_rng(0).random((3, 4)).astype(np.float32)


def run(*fetches: Any, **feed: Any) -> list[Any]:
    exe = static.Executor(vt.CPUPlace())
    exe.run(static.default_startup_program())
    return exe.run(static.default_main_program(), feed=feed, fetch_list=list(fetches))


def test_ops_build_and_the_executor_runs() -> None:
    x = static.data("x", [-1, 4], "float32")
    y = F.relu(x * 2.0 - 1.0)
    assert isinstance(y, static.Variable)
    assert (y.shape, x.shape, y.dtype) == ([-1, 4], (-1, 4), vt.float32)
    (found,) = run(y, x=A)
    np.testing.assert_allclose(found, np.maximum(A * 2 - 1, 0), rtol=1e-6)
    (small,) = run(y, x=A[:1])
    assert small.shape == (1, 4)


def test_modes() -> None:
    assert not vt.in_dynamic_mode()
    vt.disable_static()
    assert vt.in_dynamic_mode()
    assert (vt.ones([2]) * 2).numpy().tolist() == [2, 2]
    vt.enable_static()
    with vt.base.dygraph.guard():
        assert vt.to_tensor([1.0]).numpy().tolist() == [1.0]
    assert not vt.in_dynamic_mode()


def test_fetch_by_name_and_intermediate_values() -> None:
    x = static.data("x", [2, 2])
    middle = x + 1.0
    middle.name = "middle"
    end = middle * 3.0
    a, b, c = run("middle", end, end.name, x=np.ones((2, 2), np.float32))
    assert (a[0, 0], b[0, 0], c[0, 0]) == (2.0, 6.0, 6.0)


def test_layers_and_static_functions_make_parameters_in_startup() -> None:
    x = static.data("x", [None, 4])
    y = static.nn.fc(x, 3, activation="tanh")
    z = vt.nn.Linear(3, 2)(y)
    main, startup = static.default_main_program(), static.default_startup_program()
    names = [p.name for p in main.all_parameters()]
    assert names == ["fc_0.w_0", "fc_0.b_0", "linear_0.w_0", "linear_0.b_0"]
    assert "uniform" in str(startup)
    assert "update %fc_0.w_0" in str(startup)
    assert "matmul" in str(main)
    out, w, b = run(z, *names[:2], x=A)
    assert (out.shape, w.shape, b.tolist()) == ((3, 2), (4, 3), [0, 0, 0])
    scope = static.global_scope()
    np.testing.assert_array_equal(np.array(scope.find_var("fc_0.w_0").get_tensor()), w)
    scope.find_var("fc_0.b_0").get_tensor().set(np.ones(3, np.float32), vt.CPUPlace())
    (again,) = static.Executor().run(main, feed={"x": A}, fetch_list=[y])
    np.testing.assert_allclose(again, np.tanh(A @ w + 1), rtol=1e-5)


def test_fc_over_several_axes_and_inputs() -> None:
    x, y = static.data("x", [2, 3, 4]), static.data("y", [2, 5])
    a, b = static.nn.fc(x, 6, num_flatten_dims=2), static.nn.fc([x, y], 7)
    assert (a.shape, b.shape) == ([2, 3, 6], [2, 7])
    found = run(a, b, x=np.ones((2, 3, 4), np.float32), y=np.ones((2, 5), np.float32))
    assert [f.shape for f in found] == [(2, 3, 6), (2, 7)]
    with pytest.raises(TypeError, match="floats"):
        static.nn.fc(static.data("n", [2, 3], "int64"), 2)


def test_blocks_of_a_network() -> None:
    vt.seed(3)
    image = static.data("image", [None, 3, 8, 8])
    h = static.nn.conv2d(image, 4, 3, padding=1, act="relu")
    h = static.nn.batch_norm(h)
    h = F.max_pool2d(h, 2, 2)
    h = static.nn.group_norm(h, 2)
    h = static.nn.layer_norm(h)
    h = static.nn.prelu(h, "channel")
    words = static.data("words", [None, 2], "int64")
    e = static.nn.embedding(words, [10, 5])
    out = static.nn.fc([h, e], 2)
    (found,) = run(out, image=np.ones((2, 3, 8, 8), np.float32), words=np.array([[1, 2], [3, 4]]))
    assert found.shape == (2, 2)
    assert np.isfinite(found).all()


def test_a_change_after_a_run_recompiles() -> None:
    x = static.data("x", [2])
    y = x + 1.0
    one = np.ones(2, np.float32)
    assert run(y, x=one)[0].tolist() == [2, 2]
    z = y * 5.0
    assert run(y, z, x=one)[1].tolist() == [10, 10]


def test_random_numbers_and_seeds() -> None:
    x = vt.rand([1000])
    first, second = run(x)[0], run(x)[0]
    assert (first != second).any()
    static.default_main_program().random_seed = 7
    np.testing.assert_array_equal(run(x)[0], run(x)[0])


def test_state_that_the_program_counts() -> None:
    count = static.create_global_var([1], 0.0, "float32", persistable=True, name="count")
    vt.assign(count + 1.0, count)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    assert [exe.run(fetch_list=[count])[0].item() for _ in range(3)] == [1.0, 2.0, 3.0]
    assert static.default_main_program().state_dict()["count"].numpy().tolist() == [3.0]


def test_views_of_a_program() -> None:
    x = static.data("x", [2, 3])
    y = vt.matmul(x, x, transpose_y=True)
    main = static.default_main_program()
    block = main.global_block()
    assert (main.num_blocks, block.idx, block.has_var("x"), block.has_var("nope")) == (1, 0, True, False)
    op = block.ops[-1]
    assert (op.type, op.input_arg_names, op.output_arg_names) == ("matmul_v2", ["x", "x"], [y.name])
    assert (op.attr("transpose_y"), op.has_attr("axis")) == (True, False)
    assert (y.op.type, y.block, x.is_data, y.grad_name) == ("matmul_v2", block, True, f"{y.name}@GRAD")
    with pytest.raises(ValueError, match="no variable nope"):
        block.var("nope")
    assert {v.name for v in main.list_vars()} == {"x", y.name}


def test_the_text_parses_and_runs() -> None:
    x = static.data("x", [None, 2])
    y = vt.exp(x).sum(axis=1)
    program = static.default_main_program()
    static.io.save_to_file
    data = static.serialize_program([x], [y])
    parsed = static.Program.parse_from_string(data)
    (found,) = static.Executor().run(parsed, feed={"x": A[:, :2]})
    np.testing.assert_allclose(found, np.exp(A[:, :2]).sum(1), rtol=1e-5)
    assert program.to_string() == str(program)


def test_append_op() -> None:
    block = static.default_main_program().global_block()
    x = static.data("x", [2, 2])
    out = block.create_var(name="out", shape=[2, 2], dtype="float32")
    block.append_op(type="elementwise_add", inputs={"X": [x], "Y": [x]}, outputs={"Out": [out]}, attrs={"axis": -1})
    assert run(out, x=np.ones((2, 2), np.float32))[0].tolist() == [[2, 2], [2, 2]]
    with pytest.raises(ValueError, match="no op 'nothing'"):
        block.append_op(type="nothing", inputs={"X": x}, outputs={})


def test_appended_operators_are_those_of_program_files() -> None:
    """Their attributes mean what they mean there: an axis to broadcast at, the first axis of a norm."""
    block, x = static.default_main_program().global_block(), static.data("x", [2, 3, 4])
    x.stop_gradient = False
    row = static.data("row", [3])
    added, normal, mean, variance = (block.create_var(dtype="float32") for _ in range(4))
    block.append_op(type="elementwise_add", inputs={"X": [x], "Y": [row]}, outputs={"Out": [added]}, attrs={"axis": 1})
    block.append_op(
        type="layer_norm", inputs={"X": [added]}, outputs={"Y": [normal], "Mean": [mean], "Variance": [variance]},
        attrs={"begin_norm_axis": 1, "epsilon": 1e-5},
    )  # fmt: skip
    loss = (normal * normal * normal).sum()
    (gradient,) = static.gradients([loss], [x])
    a, b = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32"), np.arange(3, dtype="float32")
    fetches = [added, normal, gradient]
    found = static.Executor().run(feed={"x": a, "row": b}, fetch_list=fetches)
    again = static.Executor().run(feed={"x": a * 2, "row": b}, fetch_list=fetches)
    vt.disable_static()
    for given, results in ((a, found), (a * 2, again)):
        y = vt.to_tensor(given, stop_gradient=False)
        total = y + vt.to_tensor(b).reshape([3, 1])
        expected = vt.nn.functional.layer_norm(total, [3, 4])
        (expected**3).sum().backward()
        for got, want in zip(results, (total, expected, y.grad), strict=True):
            np.testing.assert_allclose(got, want.numpy(), rtol=1e-5, atol=1e-5)


def test_an_appended_operator_refuses_attributes_that_it_does_not_know() -> None:
    block, x = static.default_main_program().global_block(), static.data("x", [2, 2])
    out = block.create_var(dtype="float32")
    with pytest.raises(ValueError, match="surprise"):
        block.append_op(type="relu", inputs={"X": [x]}, outputs={"Out": [out]}, attrs={"surprise": 7})
    with pytest.raises(ValueError, match="block of its own"):
        block.append_op(type="while", inputs={"X": [x]}, outputs={"Out": [out]}, attrs={"sub_block": block})


@pytest.mark.parametrize(
    ("feed", "error", "message"),
    [
        ({}, ValueError, "feed x is missing"),
        ({"x": np.ones((2, 3), np.float64)}, ValueError, "dtype float64"),
        ({"x": np.ones((2, 4), np.float32)}, ValueError, r"shape \[2, 4\]"),
        ({"x": np.ones(3, np.float32)}, ValueError, r"expects \[-1, 3\]"),
        ([1], TypeError, "dict"),
    ],
)
def test_feeds_that_do_not_fit(feed: Any, error: type[Exception], message: str) -> None:
    y = static.data("x", [-1, 3]) + 1.0
    with pytest.raises(error, match=message):
        static.Executor().run(feed=feed, fetch_list=[y])


def test_what_the_executor_refuses() -> None:
    exe = static.Executor()
    x = static.data("x", [1, 2])
    y = static.nn.fc(x, 1)
    feed = {"x": np.ones((1, 2), np.float32)}
    with pytest.raises(vt.errors.MissingError, match="startup program"):
        exe.run(feed=feed, fetch_list=[y])
    with pytest.raises(vt.errors.MissingError, match="no variable nope"):
        exe.run(feed=feed, fetch_list=["nope"])
    with pytest.raises(TypeError, match="fetch_list"):
        exe.run(feed=feed, fetch_list=[3])
    with pytest.raises(TypeError, match="needs a Program"):
        exe.run(3)
    exe.close()
    with pytest.raises(RuntimeError, match="closed"):
        exe.run(feed=feed, fetch_list=[y])


def test_variables_have_no_values_before_a_run() -> None:
    x = static.data("x", [2])
    for use in (lambda: x.numpy(), lambda: bool(x.sum() > 0), lambda: float(x.sum())):
        with pytest.raises(vt.errors.CaptureError, match="has a value only while a program runs"):
            use()
    with pytest.raises(RuntimeError, match="no tape"):
        x.backward()
    with pytest.raises(ValueError, match="isn't a size"):
        static.data("y", ["a"])
    with pytest.raises(TypeError, match="program_guard"), static.program_guard(3):
        pass
    with pytest.raises(TypeError, match="scope_guard"), static.scope_guard(3):
        pass


def test_variables_of_another_program_are_refused() -> None:
    x = static.data("x", [2])
    with static.program_guard(static.Program()), pytest.raises(vt.errors.CaptureError, match="another program"):
        _ = x + 1.0


def test_scopes_hold_values_apart() -> None:
    w = static.create_parameter([2], "float32", name="w")
    exe = static.Executor()
    exe.run(static.default_startup_program())
    other = static.Scope()
    with static.scope_guard(other):
        exe.run(static.default_startup_program())
        other.find_var("w").get_tensor().set(np.array([5, 6], np.float32))
        assert exe.run(fetch_list=[w * 1.0])[0].tolist() == [5, 6]
    assert exe.run(fetch_list=[w * 1.0])[0].tolist() != [5, 6]
    assert exe.run(fetch_list=[w], scope=other)[0].tolist() == [5, 6]


def test_the_seed_of_programs_to_come() -> None:
    first = static.Program()
    try:
        first.global_seed(102)
        assert (first.random_seed, static.Program().random_seed) == (102, 102)
    finally:
        first.global_seed(0)
    assert static.Program().random_seed == 0
