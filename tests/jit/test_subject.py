"""What a compiled function hands to the report: the user's functions, and from which line each converted line came."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import MissingError
from vitrify.ir.core import Program
from vitrify.jit.inspect.function_subject import converted, routines, subject_of


def loops(x: Any) -> Any:
    total = x * 0
    for k in range(3):
        if k == 1:
            continue
        total = total + k
    while total.sum() < 10:
        total = total + 1
        if total.max() > 7:
            break
    return total


def nested(x: Any) -> Any:
    def inner(y: Any) -> Any:
        z = y * 2
        if z.sum() > 0:
            z = z + 1
        return z

    pairs = [inner(x), inner(-x)]
    first, *rest = pairs
    return first + sum(rest)


def raising(x: Any) -> Any:
    try:
        y = x + 1
        if y.sum() > 1e9:
            raise ValueError("too large")
    except ValueError:
        y = x
    finally:
        z = y * 2
    with vt.no_grad():
        z = z - 1
    return z + 0


def texts(x: Any) -> Any:
    name = f"{x.shape} and more"
    assert len(name) > 3, name
    value = x if x.sum() > 0 else -x
    return (lambda t: t + 1)(value)


@pytest.mark.parametrize("fn", [loops, nested, raising, texts])
def test_each_converted_line_names_the_line_it_came_from(fn: Any) -> None:
    (routine,) = routines([fn])
    assert routine.lines[0].startswith(f"def {fn.__name__}")
    assert (routine.code, routine.code_lines) == converted(fn)
    assert len(routine.code) == len(routine.code_lines)
    source = {routine.first + k: text.strip() for k, text in enumerate(routine.lines)}
    unique = {text: line for line, text in source.items() if list(source.values()).count(text) == 1}
    met = 0
    for text, line in zip(routine.code, routine.code_lines, strict=True):
        assert line in source or text.strip() in ("", "else:", "finally:"), text
        if text.strip() in unique and line:
            assert line == unique[text.strip()], text
            met += 1
    assert met >= 1


def test_a_program_that_is_compiled_in_the_background() -> None:
    fn = vt.jit.to_static(loops, compile="background")
    fn(vt.ones([2]))
    (part,) = fn._as_subject().parts
    assert part.steps is not None
    assert part.steps.steps


def test_a_program_that_numpy_runs() -> None:
    class Refusing:
        def __getattr__(self, name: str) -> Any:
            raise MissingError(name)

    runner: Any = SimpleNamespace(
        free={(): [Refusing()]}, executable=Refusing(), pair=None, trace=SimpleNamespace(program=Program("p"))
    )
    subject = subject_of("f", [], runner, [], vt.jit.to_static(loops, input_spec=[vt.InputSpec([2])]).certificate)
    assert subject.parts[0].steps is None
    assert "NumPy runs this function" in subject.notes[0]


def test_a_function_is_told_once_and_those_without_source_not_at_all() -> None:
    space: dict[str, Any] = {}
    exec("def hidden(x):\n    return x", space)
    found = list(routines([loops, loops, space["hidden"], vt.nn.functional.softmax]))
    assert [r.name for r in found] == ["loops"]


def test_what_is_left_alone_has_no_converted_text() -> None:
    def plain(x: Any) -> Any:
        return x

    assert converted(vt.jit.not_to_static(plain)) == ((), ())
