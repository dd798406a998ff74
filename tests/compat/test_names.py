"""Paddle's module paths, and what stands behind them."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, KindError
from vitrify.compat.finder import lookup, resolve
from vitrify.compat.named import REST
from vitrify.compat.tables import MODULES

STATIC = ("static", "fluid")  # their targets are checked where they are built


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_module_can_be_imported(module: str) -> None:
    assert importlib.import_module(f"vitrify.{module}").__name__ == f"vitrify.{module}"


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_name_means_something(module: str) -> None:
    for name, target in MODULES[module].items():
        if name != REST and not target.startswith(STATIC) and _is_there(target):
            assert lookup(module, name) is resolve(target)


def _is_there(target: str) -> bool:
    """Static programs come with their own folder."""
    return not target.endswith(("static", "in_dynamic_mode")) or hasattr(vt, "in_dynamic_mode")


def test_forms_of_import() -> None:
    from vitrify.base import core
    from vitrify.base.framework import convert_np_dtype_to_dtype_
    from vitrify.nn.functional.loss import cross_entropy
    from vitrify.nn.layer.transformer import MultiHeadAttention
    from vitrify.tensor.math import add

    assert convert_np_dtype_to_dtype_("int64") is vt.int64
    assert core.VarDesc.VarType.FP32 is vt.float32
    assert (MultiHeadAttention, cross_entropy) == (vt.nn.MultiHeadAttention, vt.nn.functional.cross_entropy)
    assert add is vt.add
    assert vt.nn.layer.common.Linear is vt.nn.Linear


def test_elementwise_functions_with_an_axis() -> None:
    from vitrify.tensor import math

    x, y = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]]), vt.to_tensor([10.0, 20.0])
    assert math._add_with_axis(x, y, axis=0).tolist() == [[11.0, 12.0], [23.0, 24.0]]
    assert math._multiply_with_axis(x, y, axis=1).tolist() == [[10.0, 40.0], [30.0, 80.0]]
    assert math._subtract_with_axis(x, y).tolist() == [[-9.0, -18.0], [-7.0, -16.0]]
    assert math._divide_with_axis(y, y, axis=-1).tolist() == [1.0, 1.0]


def test_eager_tensors_and_variables_of_programs_are_variables() -> None:
    from vitrify.base.framework import Variable

    assert Variable is vt.static.Variable
    assert isinstance(vt.ones([1]), Variable) and issubclass(vt.Tensor, Variable)
    assert not isinstance(np.ones(1), Variable) and not issubclass(float, Variable)
    vt.enable_static()
    try:
        with vt.static.program_guard(vt.static.Program()):
            assert isinstance(vt.static.data("x", [2]) * 2.0, Variable)
    finally:
        vt.disable_static()


def test_our_own_modules_keep_their_names() -> None:
    assert vt.base.errors.ArgumentError is ArgumentError
    assert "Executor" in dir(importlib.import_module("vitrify.base.executor"))
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = vt.base.nothing_of_the_kind
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = vt.framework.nothing_of_the_kind


def test_places() -> None:
    assert vt.CPUPlace() == vt.to_tensor([1.0]).place == vt.set_device("cpu") == vt.device.set_device("cpu:0")
    assert not vt.is_compiled_with_cuda()
    assert vt.device.get_device() == "cpu"
    for make in (lambda: vt.CUDAPlace(0), lambda: vt.set_device("gpu:0"), lambda: vt.to_tensor([1.0]).cuda()):
        with pytest.raises(ValueError, match="CPU only"):
            make()


def test_unique_names() -> None:
    unique_name = vt.utils.unique_name
    with unique_name.guard():
        first = vt.nn.Linear(2, 2)
        assert (first.weight.name, first.bias.name) == ("linear_0.w_0", "linear_0.b_0")
        with unique_name.guard("inner_"):
            assert vt.nn.Linear(2, 2).weight.name == "inner_inner_linear_0.w_0"
        assert vt.nn.Linear(2, 2).weight.name == "linear_1.w_0"
        assert vt.to_tensor([1.0]).name == "generated_tensor_0"
    with unique_name.guard():
        assert vt.nn.Linear(2, 2).full_name() == "linear_0"
    with pytest.raises(TypeError, match="prefix or a generator"), unique_name.guard(3):
        pass


def test_flags() -> None:
    vt.set_flags({"FLAGS_cudnn_deterministic": 1})
    assert vt.get_flags(["FLAGS_cudnn_deterministic"]) == {"FLAGS_cudnn_deterministic": 1}
    with pytest.raises(TypeError, match="takes a dict"):
        vt.set_flags("FLAGS_x")
    with pytest.raises(ValueError, match="FLAGS_"):
        vt.set_flags({"check": 1})
    with pytest.raises(ValueError, match="unknown"):
        vt.get_flags("FLAGS_nobody_set_me")


def test_ops_in_both_calling_styles() -> None:
    x = vt.to_tensor(np.arange(6.0, dtype=np.float32).reshape(2, 3))
    product = vt._legacy_C_ops.matmul_v2(x, x, "trans_x", False, "trans_y", True)
    np.testing.assert_array_equal(product.numpy(), x.numpy() @ x.numpy().T)
    np.testing.assert_array_equal(vt._legacy_C_ops.elementwise_add(x, x, "axis", -1).numpy(), 2 * x.numpy())
    np.testing.assert_array_equal(vt._C_ops.relu(x).numpy(), x.numpy())
    with pytest.raises(ValueError, match="has no value"):
        vt._legacy_C_ops.matmul_v2(x, x, "trans_x")


def test_nested_structures() -> None:
    utils = vt.utils
    nest = {"b": [1, (2, 3)], "a": 4}
    assert utils.flatten(nest) == [4, 1, 2, 3]
    assert utils.pack_sequence_as(nest, utils.flatten(nest)) == nest
    assert list(utils.pack_sequence_as(nest, utils.flatten(nest))) == ["b", "a"]
    assert utils.map_structure(lambda a, b: a * b, nest, nest) == {"b": [1, (4, 9)], "a": 16}
    with pytest.raises(ValueError, match="4 leaves"):
        utils.pack_sequence_as(nest, [1])
    with pytest.raises(ValueError, match="differ"):
        utils.map_structure(max, [1, 2], [1])
    with pytest.raises(TypeError, match="list stands against a tuple"):
        utils.assert_same_structure([1], (1,))


def test_data_parallel_is_the_layer_itself() -> None:
    inner = vt.nn.Linear(3, 2)
    outer = vt.DataParallel(inner)
    x = vt.randn([4, 3])
    np.testing.assert_array_equal(outer(x).numpy(), inner(x).numpy())
    outer(x).sum().backward()
    assert inner.weight.grad is not None
    assert list(outer.state_dict()) == ["weight", "bias"]
    assert vt.distributed.get_world_size() == 1
    assert vt.distributed.spawn(vt.distributed.get_rank, nprocs=2) == [0, 1]


def test_the_data_of_a_tensor() -> None:
    x = vt.zeros([2, 2])
    data = x.value().get_tensor()
    data.set(np.ones((2, 2), np.float32), vt.CPUPlace())
    np.testing.assert_array_equal(np.array(data), x.numpy())
    assert (data.shape(), data.lod(), data.numel()) == ([2, 2], [], 4)
    with pytest.raises(ValueError, match="shape"):
        data.set(np.ones(3))


def test_decorators() -> None:
    deprecated = vt.utils.deprecated(update_to="vt.new", since="1.0")(lambda x: x + 1)
    with pytest.warns(DeprecationWarning, match="vt.new"):
        assert deprecated(1) == 2
    with pytest.raises(ImportError, match="pip install no_such_library"):
        vt.utils.try_import("no_such_library.part")
    vt.utils.run_check()


def test_retain_grads_without_a_gradient_changes_nothing() -> None:
    x = vt.to_tensor([1.0])
    x.retain_grads()
    assert x.grad is None


def test_the_module_tensor_makes_tensors() -> None:
    made = vt.tensor([1.0, 2.0], requires_grad=True)
    assert made.tolist() == [1.0, 2.0] and not made.stop_gradient and vt.tensor(3).stop_gradient
    assert vt.tensor([1, 2], dtype="float64").dtype is vt.float64
    captured = vt.jit.to_static(lambda x: x + vt.tensor([1.0, 2.0]))
    assert captured(made).tolist() == [2.0, 4.0]


def test_other_modules_cannot_be_called() -> None:
    for module in (vt.callbacks, vt.tensor.math, vt.framework):
        with pytest.raises(KindError, match="is a module: it can't be called"):
            module()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_dir_lists_names_that_are_there(module: str) -> None:
    made = importlib.import_module(f"vitrify.{module}")
    assert REST not in dir(made)
    if MODULES[module].get(REST, ":") != ":":
        listed = [name for name in dir(made) if not name.startswith("_")]
        assert listed and all(hasattr(made, name) for name in listed)


def test_dir_of_callbacks_lists_its_classes() -> None:
    assert {"EarlyStopping", "ModelCheckpoint"} <= set(dir(vt.callbacks)) & set(vt.callbacks.__all__)


@pytest.mark.parametrize("name", sorted(name for name in sys.modules if name.startswith("vitrify")))
def test_a_module_that_the_tables_dont_list_has_an_attribute_or_none(name: str) -> None:
    """`getattr(module, name, None)` is how tools look through `sys.modules`."""
    assert getattr(sys.modules[name], "no_such_name", None) is None
