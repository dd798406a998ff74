"""Helpers of PaddlePaddle's own files: values in scopes, parameters of programs, counts of operators, first layers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn, static
from vitrify.base.errors import ArgumentError, KindError, ShapeError
from vitrify.base.executor import _fetch_var
from vitrify.base.framework import GRAD_VAR_SUFFIX
from vitrify.base.layer_helper_base import LayerHelperBase
from vitrify.base.libpaddle import CPUPlace, VarDesc
from vitrify.framework.io_utils import get_value, is_pir_fetch_var, set_value
from vitrify.incubate.layers.nn import tdm_child
from vitrify.nn.layer.rnn import rnn
from vitrify.pir.core import create_parameter
from vitrify.profiler import utils
from vitrify.profiler.profiler import Profiler
from vitrify.static.amp.fp16_utils import _keep_layer_norm_scale_bias_to_fp32 as keeps
from vitrify.tensor.random import uniform_random_batch_size_like
from vitrify.utils.flops import flops, register_flops
from vitrify.vision.models._utils import IntermediateLayerGetter, _make_divisible


@pytest.fixture
def static_mode() -> Iterator[None]:
    vt.enable_static()
    yield
    vt.disable_static()


def test_a_variables_value_is_read_and_set_in_the_scope(static_mode: None) -> None:
    main, start = static.Program(), static.Program()
    with static.scope_guard(static.Scope()) as _, static.program_guard(main, start):
        weight = create_parameter("float32", [2], initializer=nn.initializer.Constant(3.0), trainable=False)
        total = weight.sum()
        run = static.Executor().run
        run(start)
        assert np.array(get_value(weight)).tolist() == [3.0, 3.0] == _fetch_var(weight.name).tolist()
        set_value(weight, np.float32([1.0, 2.0]))
        assert run(main, fetch_list=[total])[0] == 3.0
        assert weight.stop_gradient and not is_pir_fetch_var(weight)
        assert np.array(_fetch_var(weight.name, return_numpy=False)).tolist() == [1.0, 2.0]
        with pytest.raises(ShapeError, match=r"has the shape \[2\]"):
            set_value(weight, np.float32([1.0]))
        with pytest.raises(KindError, match="takes an array"):
            set_value(weight, [1.0, 2.0])
        with pytest.raises(KindError, match="must be a Scope"):
            get_value(weight, "scope")
        with pytest.raises(ArgumentError, match="no variable"):
            get_value(weight, static.Scope())
        with pytest.raises(ArgumentError, match="no variable"):
            _fetch_var("nothing")
        with pytest.raises(KindError, match="takes a name"):
            _fetch_var(weight)
        with pytest.raises(ArgumentError, match="needs an initializer"):
            create_parameter("float32", [2])


def test_names_of_the_library_itself() -> None:
    assert CPUPlace is vt.CPUPlace and vt.float32 == VarDesc.VarType.FP32
    assert GRAD_VAR_SUFFIX == "@GRAD"
    assert Profiler is vt.profiler.Profiler and utils.RecordEvent is vt.profiler.RecordEvent
    helper = LayerHelperBase("mine", "layer")
    assert (helper.name, helper.layer_type, helper.get_default_dtype()) == ("mine", "layer", "float32")
    helper.set_default_dtype("float64")
    assert vt.get_default_dtype() == "float64"
    helper.set_default_dtype("float32")
    assert (keeps(), keeps(False), keeps(), keeps(True), keeps()) == (True, None, False, None, True)


@pytest.mark.parametrize(
    ("kind", "shapes", "attrs", "expected"),
    [
        ("relu6", {"X": [[3, 5]]}, {}, 15),
        ("softmax", {"X": [[3, 5]]}, {}, 45),
        ("layer_norm", {"X": [[3, 5]]}, {}, 105),
        ("layer_norm", {"X": [[3, 5]]}, {"epsilon": 1e-5}, 120),
        ("elementwise_mul", {"X": [[4, 1]], "Y": [[2, 4, 3]]}, {}, 24),
        ("matmul_v2", {"X": [[2, 8, 3]], "Y": [[8, 5]]}, {"trans_x": True}, 2 * 2 * 3 * 8 * 5),
        ("matmul", {"x": [[3, 8]], "y": [[8, 5]]}, {}, 2 * 3 * 8 * 5),
        ("reshape2", {"X": [[3]]}, {}, 0),
        ("matmul", {"X": [[3]]}, {}, 0),  # shapes that don't suit it
    ],
)
def test_operators_have_their_counts(kind: str, shapes: dict, attrs: dict, expected: int) -> None:
    assert flops(kind, shapes, attrs) == expected


def test_a_convolutions_count() -> None:
    attrs = {"paddings": [1, 0], "strides": 2, "dilations": [1, 2], "groups": 2}
    shapes = {"Input": [[2, 4, 7, 9]], "Filter": [[6, 2, 3, 3]], "Bias": [[6]]}
    places = 2 * 4 * 3  # images, rows, columns
    assert flops("conv2d", shapes, attrs) == places * (2 * 9 * 4 * 3 + 6)
    assert flops("conv2d", shapes | {"Bias": []}, attrs) == places * 2 * 9 * 4 * 3


def test_a_count_of_ones_own() -> None:
    @register_flops("folded")
    def count(shapes: dict, attrs: dict) -> int:
        return shapes["X"][0][0] * attrs["times"]

    assert flops("folded", {"X": [[3]]}, {"times": 4}) == 12 == count({"X": [[3]]}, {"times": 4})


def test_results_of_a_models_first_layers() -> None:
    model = nn.Sequential(
        ("body", nn.Conv2D(1, 2, 2)), ("flat", nn.Sequential(nn.Linear(8, 3))), ("head", nn.Linear(3, 2))
    )
    first = IntermediateLayerGetter(model, {"body": "image", "flat": "features"})
    x = vt.randn([2, 1, 3, 3])
    found = first(x)
    assert list(first) == ["body", "flat"] and list(found) == ["image", "features"]
    assert (found["image"] == model.body(x)).all()
    assert (found["features"] == model.flat(model.body(x).flatten(1))).all()
    with pytest.raises(ArgumentError, match="tail"):
        IntermediateLayerGetter(model, {"tail": "x"})
    assert [_make_divisible(v) for v in (3, 11, 30, 36.5)] == [8, 16, 32, 40]


_TREE = np.array(
    [[0, 0, 0, 0, 0], [0, 0, 0, 2, 3], [0, 1, 1, 4, 0], [7, 1, 1, 0, 0], [8, 2, 2, 0, 0]], np.int64
)  # items 7 and 8 are leaves


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_children_in_a_tree(dtype: str) -> None:
    attr = vt.ParamAttr(initializer=nn.initializer.Assign(_TREE))
    child, leaf = tdm_child(vt.to_tensor([[1, 2], [3, 0]]), 5, 2, attr, dtype)
    assert child.dtype == leaf.dtype == dtype
    assert child.tolist() == [[[2, 3], [4, 0]], [[0, 0], [0, 0]]]
    assert leaf.tolist() == [[[0, 1], [1, 0]], [[0, 0], [0, 0]]]
    made = vt._legacy_C_ops.tdm_child(vt.to_tensor([2]), vt.to_tensor(_TREE), "child_nums", 1)
    assert [m.tolist() for m in made] == [[[4]], [[1]]]
    with pytest.raises(ArgumentError, match="needs a tree"):
        tdm_child(vt.to_tensor([1]), 5, 2, False)


def test_children_in_a_program(static_mode: None) -> None:
    main, start = static.Program(), static.Program()
    with static.program_guard(main, start):
        x = static.data("x", [-1, 1], "int32")
        found = tdm_child(x, 5, 2, vt.ParamAttr(initializer=nn.initializer.Assign(_TREE.astype("int32"))))
        run = static.Executor().run
        run(start)
        child, leaf = run(main, feed={"x": np.int32([[1], [3], [2]])}, fetch_list=list(found))
    assert child.tolist() == [[[2, 3]], [[0, 0]], [[4, 0]]] and leaf.tolist() == [[[0, 1]], [[0, 0]], [[1, 0]]]


def test_a_cell_along_time_without_a_layer() -> None:
    cell, x = nn.SimpleRNNCell(3, 4), vt.randn([2, 5, 3])
    made, state = rnn(cell, x, is_reverse=True)
    expected, last = nn.RNN(cell, is_reverse=True)(x)
    assert (made == expected).all() and (state == last).all()


def test_uniform_numbers_as_many_as_rows() -> None:
    drawn = uniform_random_batch_size_like(vt.ones([6, 2]), [-1, 300], "float64", min=2.0, max=3.0)
    assert drawn.shape == [6, 300] and drawn.dtype == vt.float64
    assert 2.0 <= float(drawn.min()) < 2.1 and 2.9 < float(drawn.max()) <= 3.0
