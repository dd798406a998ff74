"""Which program is being built: the mode, the default programs, and recording into one of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from ..dygraph.tensor import Parameter
from ..jit.trace.state.tensor_writes import hooks
from ..ops import dispatch
from ..ops.dispatch import current, using

if TYPE_CHECKING:  # program.py records through this module
    from .program import Program


class _State:
    """The mode and the default programs, which mode_guards.py makes."""

    static = False
    main: Any = None
    startup: Any = None
    name_scope = "/"
    device: str | None = None  # of the innermost `device_guard`


state = _State()


def default_main_program() -> Program:
    """The program that ops go to in static mode."""
    main: Program = state.main
    return main


def _block(parameter: Parameter) -> Any:
    """The block that initializers are called with, `initializer(parameter, parameter.block)`: the main program's."""
    return default_main_program().global_block()


setattr(Parameter, "block", property(_block))  # noqa: B010 - Parameter's module knows no programs


def default_startup_program() -> Program:
    """The program that makes parameters."""
    startup: Program = state.startup
    return startup


def install_recorder() -> None:
    """Let ops of static mode go to the main program's recorder; in eager mode, to none."""
    stack = tuple(i for i in dispatch.stack.get() if not i.is_static)
    dispatch.stack.set((*stack, state.main.recorder) if state.static else stack)


def switch_main_program(program: Program) -> Program:
    """Make another program the default one; returns the one before."""
    before: Program = state.main
    before.recorder.note_writes()
    state.main = program
    install_recorder()
    return before


def switch_startup_program(program: Program) -> Program:
    """Make another startup program the default one; returns the one before."""
    before: Program = state.startup
    state.startup = program
    return before


def current_startup() -> Any:
    """The program that makes parameters now."""
    return state.startup


@contextmanager
def recording(program: Any) -> Iterator[None]:
    """Ops go to `program`, whatever the mode; writes of the program before stay out of its sight."""
    before = current()
    aside = before.aside() if before is not program.recorder else nullcontext()
    with aside, hooks(), using(program.recorder):
        try:
            yield
        finally:
            program.recorder.note_writes()
