"""Another program for a call is explained by the argument that changed; many programs are warned of, once."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt


@pytest.fixture(autouse=True)
def usual_limit() -> Iterator[None]:
    yield
    vt.jit.set_recompile_limit(8)


def plain(a: Any, **others: Any) -> Any:
    return a * 2


class Thing:
    factor = 2


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


def tensor(*shape: int, dtype: str = "float32", gradient: bool = False) -> vt.Tensor:
    made = vt.ones(shape or (2,), dtype=dtype)
    made.stop_gradient = not gradient
    return made


CASES: list[tuple[str, list[Any], str]] = [
    ("string", ["a", "b"], "s was 'a', now 'b'"),
    ("bool", [True, False], "s was True, now False"),
    ("none", [None, "b"], "s was None, now 'b'"),
    ("object", [Thing(), Thing()], "s is another Thing"),
    ("class", [Thing(), np.random.default_rng(0)], "s was a Thing, now a Generator"),
    ("enum", [Mode.FAST, Mode.EXACT], "s was Mode.FAST, now Mode.EXACT"),
    ("dtype", [tensor(), tensor(dtype="float64")], "s was float32, now float64"),
    ("rank", [tensor(2), tensor(2, 1)], "s had 1 axis, now 2"),
    ("gradient", [tensor(), tensor(gradient=True)], "s.stop_gradient was True, now False"),
    ("array", [tensor(), np.ones([2], "float32")], "s was a Tensor, now a ndarray"),
    ("length", [[1.0], [1.0, 2.0]], "s had 1 item, now 2"),
    ("item", [["x", "y"], ["x", "z"]], "s[1] was 'y', now 'z'"),
    ("keys", [{"p": 1}, {"q": 1}], "s has other keys"),
    ("value", [{"p": "u"}, {"p": "v"}], "s['p'] was 'u', now 'v'"),
    ("type", ["a", 1], "s was 'a', now a number (int)"),
    ("size", [tensor(2), tensor(3)], "axis 0 of s was 2, now 3"),
]


@pytest.mark.parametrize(("values", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_explain_names_the_argument_that_changed(values: list[Any], reason: str) -> None:
    @vt.to_static
    def f(a: Any, s: Any) -> Any:
        return a * 2, s

    for value in values:
        f(tensor(), value)
    text = f.explain()
    assert reason in text
    assert text.startswith("test_explain_names_the_argument_that_changed.<locals>.f: 2 programs")


def test_explain_shows_the_values_that_a_program_is_for() -> None:
    @vt.to_static
    def f(a: Any, mode: str, flag: bool = False) -> Any:
        return a * 2 if mode == "double" else a

    f(tensor(), "double")
    f(tensor(), "same", flag=True)
    assert "(a: f32[2], mode='double')" in f.explain()
    assert "(a: f32[2], mode='same', flag=True)" in f.explain()


def test_a_changed_mode_is_named() -> None:
    f = vt.to_static(lambda a: a * 2)
    f(tensor())
    with vt.no_grad():
        f(tensor())
    assert "gradients are recorded: was True, now False" in f.explain()


def calls(f: Callable[..., Any], count: int) -> None:
    for k in range(count):
        f(tensor(), f"name {k}")


def recorded(count: int, changing: Callable[[Any, int], Any] | None = None) -> list[str]:
    f = vt.to_static(lambda a, s: a * 2)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        if changing is None:
            calls(f, count)
        else:
            for k in range(count):
                changing(f, k)
    assert all(w.category is vt.jit.RecompileWarning and w.filename == __file__ for w in found)
    return [str(w.message) for w in found]


def test_the_eighth_program_warns_once_with_the_argument_and_the_fix() -> None:
    assert recorded(7) == []
    (message,) = recorded(30)
    assert "has 8 programs" in message
    assert "s changed 7 times; the last time s was 'name 6', now 'name 7'" in message
    assert "Choose among few values" in message


def test_the_limit_can_be_moved_and_lifted() -> None:
    assert vt.jit.set_recompile_limit(3) == 8
    assert "has 3 programs" in recorded(5)[0]
    assert vt.jit.set_recompile_limit(None) == 3
    assert recorded(20) == []
    for wrong in (0, -1, 2.5, True, "8"):
        with pytest.raises(vt.errors.KindError, match="positive int or None"):
            vt.jit.set_recompile_limit(wrong)  # type: ignore[arg-type]


def test_the_argument_that_changed_most_often_is_named() -> None:
    def changing(f: Any, k: int) -> None:
        f(tensor(2 + (k > 2)), Thing() if k else "first")

    (message,) = recorded(12, changing)
    assert "s changed 6 times" in message
    assert "Make it once and pass the same object" in message


def test_calls_of_known_kinds_do_not_warn() -> None:
    f = vt.to_static(lambda a, s: a * 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in range(50):
            f(tensor(1 + k), f"name {k % 3}")
    assert f.get_traced_count() == 6


def test_what_is_the_same_of_many_is_told_once() -> None:
    net = vt.nn.Sequential(vt.nn.Linear(3, 3), vt.nn.Linear(3, 3), vt.nn.Linear(3, 3))
    optimizer = vt.optimizer.Adam(0.1, parameters=net.parameters())

    @vt.to_static
    def step(x: Any) -> Any:
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    step(vt.ones([2, 3]))
    text = step.explain()
    assert "Parameter.optimize_attr['learning_rate'] is 1.0 (6 times)" in text
    assert text.count("learning_rate") == 1
    assert "net.0 (Linear) and 2 alike: training is True" in text


def test_a_tensor_outside_that_grows_is_named() -> None:
    cache: dict[str, Any] = {}

    def step(x: Any) -> Any:
        cache["k"] = vt.concat([cache["k"], x], axis=1) if "k" in cache else x * 1
        return cache["k"].sum()

    compiled = vt.to_static(step)
    vt.jit.set_recompile_limit(4)
    assert [float(compiled(vt.ones([1, 1]))) for _ in range(3)] == [1.0, 2.0, 3.0]
    with pytest.warns(vt.jit.RecompileWarning, match=r"item 'k' changed .*was \[1, 2\], now \[1, 3\].*as an argument"):
        compiled(vt.ones([1, 1]))
