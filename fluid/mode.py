"""Which mode a fluid program is in: static from the first thing it builds, eager where it asks for that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .. import static
from ..base.errors import ModeError
from ..dygraph.device import as_place
from ..jit.trace.tracer import active


class _Choice:
    imperative = False  # whether the user asked for eager mode


_choice = _Choice()


def begin_static() -> None:
    """Turn static mode on, unless eager mode was asked for or a function is being captured."""
    if not _choice.imperative and static.in_dynamic_mode() and active() is None:
        static.enable_static()


def enable_imperative(place: Any = None) -> None:
    """Eager mode from here on.

    >>> enable_imperative()
    >>> in_dygraph_mode()
    True
    >>> disable_imperative()
    >>> static.disable_static()
    """
    as_place(place)
    _choice.imperative = True
    static.disable_static()


def disable_imperative() -> None:
    """Static mode from here on.

    >>> disable_imperative()
    >>> in_dygraph_mode()
    False
    >>> static.disable_static()
    """
    _choice.imperative = False
    static.enable_static()


def in_dygraph_mode() -> bool:
    """Whether ops run at once."""
    return static.in_dynamic_mode()


@contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """A block in eager mode; afterwards the mode is as before.

    >>> with guard():
    ...     print(in_dygraph_mode())
    True
    """
    before, was_eager = _choice.imperative, static.in_dynamic_mode()
    enable_imperative(place)
    try:
        yield
    finally:
        _choice.imperative = before
        if not was_eager:
            static.enable_static()


@contextmanager
def program_guard(main_program: Any, startup_program: Any = None) -> Iterator[None]:
    """A block in static mode whose ops go to `main_program`, initialisers to `startup_program`.

    Errors: TypeError for other objects than programs.
    """
    was_eager = static.in_dynamic_mode()
    if was_eager:
        static.enable_static()
    try:
        with static.program_guard(main_program, startup_program):
            yield
    finally:
        if was_eager:
            static.disable_static()


def data(name: str, shape: Sequence[Any], dtype: Any = "float32", lod_level: int = 0) -> Any:
    """A feed of the default main program, of the shape as given; None or -1 for sizes that differ from run to run.

    Errors: ModeError (a RuntimeError) after `enable_imperative` or under `dygraph.guard`; else those of `static.data`.
    """
    if _choice.imperative and static.in_dynamic_mode():
        raise ModeError(
            "fluid.data belongs to static programs, and eager mode was asked for",
            remedy="use dygraph.to_variable, or leave eager mode",
        )
    begin_static()
    return static.data(name, shape, dtype, lod_level)
