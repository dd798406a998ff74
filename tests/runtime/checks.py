"""What the tests of compiled programs share: run a program both ways, several times, and compare all that comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest

from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.passes.fusion.fuse import Fuse
from vitrify.passes.manager import Pass
from vitrify.passes.pipelines import default_pipeline
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.executable import Executable
from vitrify.testing.ops import assert_close

from .alarms import alarm

Array = np.ndarray[Any, Any]
Callbacks: TypeAlias = Mapping[str, Callable[..., Any]]
PIPELINES: dict[str, tuple[Pass, ...]] = {"plain": (), "fused": (Fuse(),), "default": default_pipeline()}


def program(text: str | Program) -> Program:
    """A verified program from its text."""
    made = parse_program(text) if isinstance(text, str) else text
    verify(made)
    return made


def check(
    text: str | Program, *feeds: Any, state: Sequence[Any] = (), callbacks: Callbacks | None = None,
    calls: int = 3, pipelines: Sequence[str] = ("plain", "fused", "default"), f32: float = 2e-5,
) -> dict[str, Executable]:  # fmt: skip
    """Several calls in a row, each with the state that the one before left, equal the interpreter's."""
    made, arrays = program(text), [np.asarray(a) for a in feeds]
    found = {}
    for name in pipelines:
        found[name] = compile_program(made, callbacks=callbacks, passes=PIPELINES[name])
        compare(found[name], made, arrays, [np.asarray(a) for a in state], callbacks, calls, f32)
    return found


def compare(
    executable: Executable, made: Program, feeds: Sequence[Array], state: Sequence[Array],
    callbacks: Callbacks | None = None, calls: int = 2, f32: float = 2e-5,
    f64: float = 1e-11,
) -> None:  # fmt: skip
    """Calls of an executable against the interpreter: fetches, state afterwards, and feeds left alone."""
    given, held, expected_state = [f.copy() for f in feeds], [s.copy() for s in state], list(state)
    for call in range(calls):
        expected, expected_state = interpret(made, feeds, expected_state, callbacks)
        fetched = executable.run(given, held)
        for k, (a, b) in enumerate(zip(fetched, expected, strict=True)):
            assert_close(a, b, f"fetch {k} of call {call}", f32=f32, f64=f64)
        for k, (a, b) in enumerate(zip(held, expected_state, strict=True)):
            assert_close(a, b, f"state {k} after call {call}", f32=f32, f64=f64)
        for k, (a, b) in enumerate(zip(given, feeds, strict=True)):
            assert_close(a, b, f"feed {k} after call {call}", f32=0, f64=0)


def check_interrupt(run: Callable[[], Any]) -> None:
    """What never ends by itself ends with KeyboardInterrupt soon after a signal."""
    with pytest.raises(KeyboardInterrupt), alarm(error=KeyboardInterrupt):
        run()
