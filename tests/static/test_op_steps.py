"""What operations of a static program are for: forward, whose gradient, which parameter's update."""

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.ir.parser import parse_program


@pytest.fixture
def built():
    vt.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [None, 4], "float32")
        layer = vt.nn.Linear(4, 1)
        loss = vt.mean(layer(x) ** 2)
        updates, pairs = vt.optimizer.Momentum(0.1, 0.9).minimize(loss)
    yield main, startup, loss, layer, updates, pairs
    vt.disable_static()


def kinds(program):
    return [op.type for op in program.global_block().ops]


def test_types_of_gradients_and_updates(built):
    main, *_, updates, _ = built
    assert kinds(main) == [
        "matmul_v2", "elementwise_add", "square", "reduce_mean", "fill_constant", "reduce_mean_grad", "square_grad",
        "elementwise_add_grad", "matmul_v2_grad", "momentum", "momentum",
    ]  # fmt: skip
    assert [op.name() for op in main.global_block().ops][:6] == [
        "pd_op.matmul", "pd_op.add", "pd_op.square", "pd_op.mean", "pd_op.full", "pd_op.mean_grad",
    ]  # fmt: skip
    assert [op.type for op in updates] == ["momentum", "momentum"]
    assert [op.attr("op_role") for op in main.global_block().ops] == [0] * 4 + [1] * 5 + [2] * 2
    assert [op.idx for op in main.global_block().ops] == list(range(11))


def test_an_update_names_its_parameter(built):
    main, _, _, layer, _, pairs = built
    weights, bias = (op for op in main.global_block().ops if op.type == "momentum")
    assert weights.input("Param") == [layer.weight.name] == weights.output("ParamOut")
    assert bias.input("Grad") == [f"{layer.bias.name}@GRAD"] == [pairs[1][1].name]
    assert any("velocity" in name for name in weights.output_arg_names)
    assert not weights.has_attr("transpose_x")
    assert (weights.name(), weights.attrs()) == ("pd_op.momentum", {})


def test_a_gradient_reads_and_writes_variables(built):
    main, _, loss, layer, *_ = built
    (mean,) = [op for op in main.global_block().ops if op.type == "reduce_mean_grad"]
    (matmul,) = [op for op in main.global_block().ops if op.type == "matmul_v2_grad"]
    assert f"{loss.name}@GRAD" in mean.input_arg_names
    assert matmul.output_arg_names == [f"{layer.weight.name}@GRAD"]


def test_text_marks_steps_and_is_read_back(built):
    main, _, _, layer, *_ = built
    text = str(main)
    marks = [line.strip()[3:] for line in text.splitlines() if line.strip().startswith("//")]
    name = layer.weight.name
    assert marks[:3] == ["forward", "backward", "backward: mean_grad"]
    assert f"optimize: momentum of {name}" in marks
    assert f"%{name}@GRAD = matmul" in text
    assert str(parse_program(text)) == "".join(
        line for line in text.splitlines(keepends=True) if not line.strip().startswith("//")
    )


def test_copies_keep_steps_and_run(built):
    main, startup, loss, *_ = built
    assert kinds(main.clone()) == kinds(main)
    assert kinds(main.clone(for_test=True)) == ["matmul_v2", "elementwise_add", "square", "reduce_mean"]
    exe = static.Executor()
    exe.run(startup)
    feed = {"x": np.ones((2, 4), "float32")}
    first, *_, last = [float(exe.run(main, feed=feed, fetch_list=[loss])[0]) for _ in range(4)]
    assert last < first


def test_a_program_without_gradients_has_no_marks():
    vt.enable_static()
    try:
        main = static.Program()
        with static.program_guard(main):
            static.data("x", [2], "float32") + 1.0
        assert "//" not in str(main)
    finally:
        vt.disable_static()


@pytest.mark.parametrize(
    ("call", "kind", "name"),
    [
        (lambda x: x.sum(), "reduce_sum", "sum"), (lambda x: x.reshape([2, 8]), "reshape2", "reshape"),
        (lambda x: x.transpose([1, 0]), "transpose2", "transpose"), (lambda x: x**x, "elementwise_pow", "elementwise_pow"),
        (lambda x: x.expand([2, 4, 4]), "expand_v2", "expand"), (lambda x: vt.isnan(x), "isnan_v2", "isnan"),
        (lambda x: vt.relu(x), "relu", "relu"), (lambda x: -x, "scale", "scale"),
        (lambda x: vt.nn.functional.max_pool2d(x.reshape([1, 1, 4, 4]), 2), "pool2d", "pool2d"),
    ],
)  # fmt: skip
def test_types_are_those_of_paddles_programs(call, kind, name):
    main = static.Program()
    with static.program_guard(main):
        call(static.data("x", [4, 4]))
    last = main.global_block().ops[-1]
    assert (last.type, last.name()) == (kind, f"pd_op.{name}")
