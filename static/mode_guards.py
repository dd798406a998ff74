"""Static mode and eager mode, default programs, the guards that choose among programs, and feeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, KindError, MissingError, OtherModeError
from ..base.flags import flags
from ..base.suggest import one_of
from ..jit.trace.state.tensor_writes import hooks
from ..ops.types import TensorType
from .current import install_recorder, state, switch_main_program, switch_startup_program
from .feeds import sizes_of_feed
from .program import Program
from .variable import Variable

state.main, state.startup = Program(), Program()


@contextmanager
def program_guard(main_program: Any, startup_program: Any = None) -> Iterator[None]:
    """Ops called inside go to `main_program`, initialisers to `startup_program` (default: as before).

    Errors: KindError for other objects.
    """
    for program in (main_program, startup_program):
        if program is not None and not isinstance(program, Program):
            raise KindError(f"program_guard needs a Program, not a {type(program).__name__}")
    if main_program is None:
        raise KindError("program_guard needs a Program, not None")
    main = switch_main_program(main_program)
    startup = switch_startup_program(startup_program) if startup_program is not None else None
    if startup_program is not None:
        main_program.startup = startup_program
    try:
        yield
    finally:
        try:
            main_program.recorder.note_writes()
        finally:
            switch_main_program(main)
            if startup is not None:
                switch_startup_program(startup)


_hooks: list[Any] = []


def enable_static() -> None:
    """Static mode: ops build the default main program.

    >>> enable_static(); in_dynamic_mode()
    False
    >>> disable_static(); in_dynamic_mode()
    True
    """
    if not state.static:
        watch = hooks()
        watch.__enter__()
        _hooks.append(watch)
        state.static = True
    install_recorder()


def disable_static(place: Any = None) -> None:
    """Eager mode: ops run at once."""
    if state.static:
        state.main.recorder.note_writes()
        state.static = False
        _hooks.pop().__exit__(None, None, None)
    install_recorder()


def in_dynamic_mode() -> bool:
    """Whether ops run at once."""
    return not state.static


_scopes: dict[tuple[str, str], int] = {}  # name scopes entered: (the one around, its prefix) -> how often


@contextmanager
def name_scope(prefix: str | None = None) -> Iterator[None]:
    """A name for a part of the program: its operations' attribute `op_namescope`. Errors: KindError."""
    if prefix is not None and not isinstance(prefix, str):
        raise KindError(f"name_scope takes a str, not a {type(prefix).__name__}")
    before = state.name_scope
    if prefix:
        number = _scopes[before, prefix] = _scopes.get((before, prefix), -1) + 1
        state.name_scope = f"{before}{prefix}_{number}/" if number else f"{before}{prefix}/"
    try:
        yield
    finally:
        state.name_scope = before


@contextmanager
def device_guard(device: str | None = None) -> Iterator[None]:
    """Ops called inside belong to `device`, which is the CPU; a number, `cpu:1`, is a stage of `PipelineOptimizer`.

    Errors: ArgumentError for another name than Paddle's.
    """
    kind, _, number = (device or "").partition(":")
    if device is not None and (
        kind not in ("cpu", "gpu", "npu", "xpu") or not (number in ("", "all") or number.isdigit())
    ):
        raise ArgumentError(f"device_guard: the device must be 'cpu' or 'gpu', not {device!r}")
    before, state.device = state.device, device
    try:
        if not (state.static and number.isdigit()):
            yield
            return
        with state.main.recorder.at_stage(int(number)):
            yield
    finally:
        state.device = before


def data(name: str, shape: Sequence[Any], dtype: Any = None, lod_level: int = 0) -> Variable:
    """A feed of the default main program. Sizes of -1 or None may differ from run to run.

    A name that is declared again is the same variable; until something reads it, it takes the new shape and dtype.

    dtype: default the default dtype. Errors: KindError, ArgumentError for another kind of name or shape, and for a
    name that is in use with another one.
    """
    if not isinstance(name, str):
        raise KindError(f"data: the name must be a str, not a {type(name).__name__}")
    if not isinstance(shape, (list, tuple)):
        raise KindError(f"data: the shape must be a list or tuple, not a {type(shape).__name__}")
    if state.static is False:
        raise OtherModeError("static.data works in static mode", remedy="call vt.enable_static() first")
    sizes = sizes_of_feed(name, shape)
    program = state.main
    recorder = program.recorder
    kind = TensorType(as_dtype(dtype) if dtype is not None else flags.default_dtype, sizes)
    if name in recorder.program.feeds:
        return _declared_again(program, program.vars[name], kind)
    value = recorder.program.add_feed(name, kind)
    made: Variable = recorder.variable(value, True)
    made.is_data = made.need_check_feed = True
    made.name = name
    made.lod_level = lod_level
    return made


def _declared_again(program: Program, variable: Variable, kind: TensorType) -> Variable:
    value = variable._storage.payload
    if value.type == kind:
        return variable
    if value.uses:
        raise ArgumentError(
            f"data: {variable.name} is declared already, as {value.type}, and in use: it can't become {kind}",
            remedy="give the other one another name",
        )
    value.type, variable._dtype = kind, kind.dtype
    program.cache.clear()  # runs that gave the feed itself back
    program.quick.clear()
    return variable


def find_variable(program: Program, name: str) -> Any:
    """The variable of a name. Errors: MissingError."""
    found = program.vars.get(name)
    if found is None:
        for entry in program.recorder.lifted.values():
            if entry.tensor.name == name:
                return entry.tensor
        if program.origin is not None:  # its variables may have got their names after the copy was made
            return find_variable(program.origin, name)
        raise MissingError(f"the program has no variable {name}", remedy=one_of(name, program.vars))
    return found
