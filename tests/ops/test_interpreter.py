"""Interpreters: eager mode asks for nothing more than the defaults, and a delegate hands on every hook."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.dtype import DType
from vitrify.ops.dispatch import bottom, innermost, is_captured, using
from vitrify.ops.interpreter import FACTS, HOOKS, Delegate, Interpreter


class Inert(Interpreter):
    """An interpreter that overrides no hook."""

    def apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        return "applied"

    def constant(self, data: Any, dtype: DType | None) -> Any:
        return "constant"


class Noting(Inert):
    """An interpreter that notes each hook that is asked, and gives its name."""


def _noted(name: str) -> Any:
    return lambda self, *args, **kwargs: (name, args, kwargs)


for _name in HOOKS:
    setattr(Noting, _name, _noted(_name))


def _arguments(hook: str) -> list[str]:
    kinds = inspect.signature(getattr(Interpreter, hook)).parameters.values()
    return [p.name for p in kinds if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"]


@pytest.mark.parametrize("hook", HOOKS)
def test_a_delegate_hands_on_every_hook(hook: str) -> None:
    given = _arguments(hook)
    assert getattr(Delegate(Noting()), hook)(*given) == (hook, tuple(given), {})


@pytest.mark.parametrize("fact", FACTS)
def test_a_delegate_has_the_facts_of_what_it_hands_on_to(fact: str) -> None:
    assert not getattr(Inert(), fact)
    assert getattr(Delegate(type("Changed", (Inert,), {fact: True})()), fact) is True


def test_the_hooks_are_all_there() -> None:
    assert {"apply", "constant", "forward_of", "concretize", "make_parameter"} <= set(HOOKS)
    assert set(FACTS) == {"is_trace", "wraps_layers", "is_static", "partial", "widens"}


def test_defaults_leave_the_work_to_the_caller() -> None:
    inert = Inert()
    layer = vt.nn.Linear(2, 2)
    assert inert.forward_of(layer) == layer.forward
    assert inert.call(divmod, 7, 2) == (3, 1)
    assert inert.in_modes(lambda training: training) is True
    assert inert.named("made", "name") == "made"
    assert inert.assigned("made", True) == "made"
    for hook in ("again", "py_layer", "value_of", "concretize", "string_of", "rate_of", "make_parameter", "minimize"):
        assert getattr(inert, hook)(*_arguments(hook)) is NotImplemented
    for hook in ("rolls", "give", "set_value", "step_scheduler"):
        assert getattr(inert, hook)(*_arguments(hook)) is False


def test_captured_is_seen_through_delegates() -> None:
    assert not is_captured()
    with using(Delegate(bottom())):
        assert not is_captured()
    inert = Inert()
    with using(Delegate(Delegate(inert))):
        assert is_captured()
    assert innermost(Delegate(Delegate(inert))) is inert


def test_only_a_trace_checks_conditions() -> None:
    with pytest.raises(NotImplementedError, match="only a trace"):
        Inert().require("condition", "message", "ValueError")
