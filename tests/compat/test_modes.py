"""Switches of Paddle's own tests: kept and given back."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

import vitrify as vt
from vitrify.base.errors import AssertedError
from vitrify.compat import modes


def test_modules_that_test_suites_import() -> None:
    from vitrify.jit.api import ENV_ENABLE_SOT, ProgramTranslator, sot_mode_guard
    from vitrify.jit.sot.opcode_translator.executor.executor_cache import OpcodeExecutorCache
    from vitrify.utils.environments import BooleanEnvironmentVariable

    OpcodeExecutorCache().clear()
    assert (ENV_ENABLE_SOT, sot_mode_guard) == (modes.ENV_ENABLE_SOT, modes.sot_mode_guard)
    assert BooleanEnvironmentVariable is modes.BooleanEnvironmentVariable
    assert ProgramTranslator().enable_to_static is True
    assert import_module("vitrify.jit.translated_layer").TranslatedLayer is vt.jit.TranslatedLayer
    assert vt.base.dygraph.base.global_var._in_to_static_mode_ is False


def test_code_asks_whether_it_is_captured_and_cast() -> None:
    from vitrify.amp.auto_cast import amp_state
    from vitrify.fluid.dygraph.amp.auto_cast import amp_state as older
    from vitrify.fluid.dygraph.base import in_declarative_mode

    assert older is amp_state

    def seen(x: vt.Tensor) -> vt.Tensor:
        return x + 1 if in_declarative_mode() else x - 1

    assert float(seen(vt.ones([]))) == 0
    assert float(vt.jit.to_static(seen)(vt.ones([]))) == 2
    assert not amp_state()
    with vt.amp.auto_cast():
        assert amp_state()


@pytest.mark.parametrize(
    ("guard", "variable", "inside"),
    [
        (modes.sot_mode_guard, modes.ENV_ENABLE_SOT, False),
        (modes.min_graph_size_guard, modes.ENV_MIN_GRAPH_SIZE, 0),
        (modes.strict_mode_guard, modes.ENV_STRICT_MODE, True),
        (modes.with_control_flow_guard, modes.BooleanEnvironmentVariable("SOT_WITH_CONTROL_FLOW", True), False),
        (
            modes.specialized_dim_numbers_guard,
            modes.StringEnvironmentVariable("SOT_SPECIALIZED_DIM_NUMBERS", "0"),
            "01",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.parametrize("before", [None, "1"])
def test_a_guard_puts_back_what_was_there(
    guard: object, variable: modes.EnvironmentVariable[object], inside: object, before: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.delenv(variable.name, raising=False)
    if before is not None:
        monkeypatch.setenv(variable.name, before)
    with pytest.raises(ZeroDivisionError), guard(inside):  # type: ignore[operator]
        assert variable.get() == inside
        raise ZeroDivisionError
    assert os.environ.get(variable.name) == before


def test_a_guard_decorates_functions() -> None:
    from vitrify.jit.sot.utils import with_control_flow_guard

    @with_control_flow_guard(False)
    def inside() -> str | None:
        return os.environ.get("SOT_WITH_CONTROL_FLOW")

    assert [inside(), inside(), os.environ.get("SOT_WITH_CONTROL_FLOW")] == ["0", "0", None]


def test_the_same_program_in_either_mode() -> None:
    @vt.jit.to_static
    def chosen(x: vt.Tensor) -> vt.Tensor:
        if x.sum() > 0:
            return x * 2
        return x - 1

    found = []
    for mode in (True, False):
        with modes.sot_mode_guard(mode):
            found.append(chosen(vt.to_tensor([1.0, 2.0])).tolist())
    assert found == [[2.0, 4.0]] * 2
    assert chosen.get_traced_count() == 1


@pytest.mark.parametrize(("text", "means"), [("TRUE", True), ("on", True), ("0", False), ("", False)])
def test_yes_and_no(text: str, means: bool) -> None:
    assert modes.BooleanEnvironmentVariable("VITRIFY_TEST_SWITCH", False).parse(text) is means


def test_values_of_another_class() -> None:
    with pytest.raises(AssertedError, match="values of class bool, not int"):
        modes.BooleanEnvironmentVariable("VITRIFY_TEST_SWITCH", 1)  # type: ignore[arg-type]
    text = modes.StringEnvironmentVariable("VITRIFY_TEST_SWITCH", "a")
    with pytest.raises(AssertedError, match="values of class str"):
        text.set(3)  # type: ignore[arg-type]


def test_names_that_test_suites_use() -> None:
    import vitrify.inference as inference
    from vitrify.base import core
    from vitrify.jit import dy2static
    from vitrify.jit.dy2static.convert_call_func import CONVERSION_OPTIONS
    from vitrify.jit.dy2static.origin_info import unwrap
    from vitrify.jit.translated_layer import INFER_PARAMS_INFO_SUFFIX, INFER_PROPERTY_SUFFIX

    assert (INFER_PARAMS_INFO_SUFFIX, INFER_PROPERTY_SUFFIX) == (".pdiparams.info", ".meta")
    assert vt.jit.translated_layer.INFER_MODEL_SUFFIX == ".pdmodel"
    assert core.AnalysisConfig is inference.Config
    assert core.create_paddle_predictor is inference.create_predictor
    core._set_prim_all_enabled(True)
    assert core._is_all_prim_enabled() is False
    assert dy2static.Call is dy2static.convert_call
    assert unwrap(len) is len
    assert getattr(vt.jit.not_to_static(lambda x: x), CONVERSION_OPTIONS).not_convert
    assert vt.CPUPlace()._equals(vt.ones([1]).place)


@pytest.mark.parametrize("name", ["IrGuard", "OldIrGuard"])
def test_guards_of_programs_are_static_mode(name: str) -> None:
    from vitrify import pir_utils

    with pytest.raises(ZeroDivisionError), getattr(pir_utils, name)():
        assert not vt.in_dynamic_mode()
        with getattr(pir_utils, name)():
            assert vt.static.data(f"x of {name}", [2]).shape == [2]
        assert not vt.in_dynamic_mode()
        raise ZeroDivisionError
    assert vt.in_dynamic_mode()


def test_there_is_one_kind_of_program() -> None:
    from vitrify import pir_utils

    pir_utils._switch_to_old_ir_()
    pir_utils._switch_to_pir_()
    with pir_utils.DygraphPirGuard():
        assert vt.in_dynamic_mode()
