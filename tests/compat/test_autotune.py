"""Switches of tuning and of mixed precision in static programs, which are kept without effect."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, KindError
from vitrify.incubate.autotune import set_config

FLAG = "FLAGS_use_autotune"


def test_the_flag_tells_what_was_set(tmp_path: Path) -> None:
    for config, wanted in (
        (None, True), ({"kernel": {"enable": False}}, False), ({"layout": {"enable": True}}, False),
        ({"kernel": {"enable": True, "tuning_range": [1, 2]}, "dataloader": {"tuning_steps": 3}}, True),
    ):  # fmt: skip
        set_config(config)
        assert vt.get_flags(FLAG)[FLAG] is wanted
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"kernel": {"enable": False}}))
    set_config(str(file))
    assert vt.get_flags(FLAG)[FLAG] is False


def test_settings_of_another_class() -> None:
    with pytest.warns(UserWarning, match="autotune") as told:
        set_config({"kernel": {"enable": 1, "tuning_range": 1}, "dataloader": {"tuning_steps": "many"}})
    assert len(told) == 3 and "tuning_steps of dataloader must be of class int, not 'many'" in str(told[2].message)
    with pytest.raises(ArgumentError, match="two ends"):
        set_config({"kernel": {"tuning_range": [1]}})
    with pytest.raises(KindError, match="a dict or the name of a JSON file"):
        set_config(3)
    with pytest.raises(FileNotFoundError):
        set_config("nothing/of/the/kind.json")


def test_a_decorated_optimizer_makes_the_same_updates() -> None:
    vt.enable_static()
    try:
        main, startup = vt.static.Program(), vt.static.Program()
        with vt.static.program_guard(main, startup), vt.static.scope_guard(vt.static.Scope()):
            x = vt.static.data("x", [None, 2])
            with vt.static.amp.fp16_guard():
                loss = vt.static.nn.fc(x, 1, weight_attr=vt.nn.initializer.Constant(1.0), name="last").mean()
            lists = vt.static.amp.CustomOpLists(custom_white_list=["mul"])
            optimizer = vt.static.amp.decorate(
                vt.optimizer.SGD(0.5), lists, init_loss_scaling=128.0, use_pure_fp16=True
            )
            _, pairs = optimizer.minimize(loss, startup)
            executor = vt.static.Executor()
            executor.run(startup)
            optimizer.amp_init(vt.CPUPlace())
            executor.run(main, feed={"x": np.ones((1, 2), "float32")}, fetch_list=[loss])
            weight = np.array(vt.static.global_scope().find_var(pairs[0][0].name).get_tensor())
    finally:
        vt.disable_static()
    assert weight.dtype == np.float32 and weight.ravel().tolist() == [0.5, 0.5]
    assert optimizer.get_loss_scaling() == 128.0 and optimizer.get_scaled_loss() is None
    assert optimizer.get_lr() == 0.5


def test_a_name_on_both_lists() -> None:
    with pytest.raises(ArgumentError, match="mul stands on both lists"):
        vt.static.amp.AutoMixedPrecisionLists(["mul"], ["mul"])


def test_lists_and_bits_of_bfloat16() -> None:
    bf16 = vt.static.amp.bf16
    lists = bf16.AutoMixedPrecisionListsBF16(["mul"], ["mean"], ["x"])
    assert (lists.bf16_list, lists.fp32_list, lists.fp32_varnames) == ({"mul"}, {"mean"}, {"x"})
    with pytest.raises(ArgumentError, match="mul stands on both lists"):
        bf16.AutoMixedPrecisionListsBF16(["mul"], ["mul"])
    optimizer = vt.optimizer.SGD(0.5, vt.nn.Linear(1, 1).parameters())
    with bf16.bf16_guard():
        assert bf16.decorate_bf16(optimizer, lists, use_pure_bf16=True).get_lr() == 0.5
    assert bf16.convert_float_to_uint16(np.array([[1.0, -1.999]])).tolist() == [[0x3F80, 0xBFFF]]


def test_variables_without_a_value() -> None:
    assert vt.tensor.create_tensor("float32").dtype is vt.float32
    vt.enable_static()
    try:
        with vt.static.program_guard(vt.static.Program()):
            made = vt.tensor.create_tensor("int64", name="total")
            assert (made.name, made.dtype) == ("total", vt.int64)
    finally:
        vt.disable_static()


def test_further_names_of_the_core() -> None:
    core = vt.base.core
    assert (core.eager.Tensor, core.DataType.FLOAT32, core.cudnn_version()) == (vt.Tensor, vt.float32, -1)
    assert core.op_support_gpu("relu") is False
    assert vt.base.device_guard is vt.static.device_guard
