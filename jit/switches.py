"""Switches and marks that capture obeys: what is left as it is, and whether compiling is on at all."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from ..base.errors import ArgumentError, KindError
from ..base.suggest import one_of

F = TypeVar("F", bound=Callable[..., Any])

MARK = "__vitrify_not_to_static__"


@dataclass(frozen=True, slots=True)
class ConversionOptions:
    """What a marked function carries as its attribute `MARK`."""

    not_convert: bool = False


BUILTIN_IGNORED = ("collections", "pdb", "copy", "inspect", "re", "numpy", "logging", "os", "six")
ignored_modules: set[str] = set(BUILTIN_IGNORED)
given_modules: list[types.ModuleType] = []  # to `ignore_module`, in order
_unmarkable: set[int] = set()
_switch = [True]
_quiet = [False]
on_switch: list[Callable[[], None]] = []


@overload
def not_to_static(func: None = None) -> Callable[[F], F]: ...
@overload
def not_to_static(func: F) -> F: ...
def not_to_static(func: Any = None) -> Any:
    """Call this function as it is while capturing: its tensor ops are recorded, its control flow stays Python's.

    What it writes to objects is written in each call. One that prints, logs, draws or asks the time is captured all the
    same, where it can be, as that would happen while capturing only.

    >>> @not_to_static
    ... def helper(x):
    ...     return x
    >>> is_left_alone(helper)
    True
    """
    if func is None:
        return not_to_static
    if not callable(func):
        raise KindError(f"not_to_static takes a function, not {type(func).__name__}")
    target = getattr(func, "__func__", func)
    setattr(target, MARK, ConversionOptions(not_convert=True))
    return func


def ignore_module(modules: Iterable[types.ModuleType] | types.ModuleType) -> None:
    """Treat all functions of these modules as `not_to_static` does.

    >>> import textwrap
    >>> ignore_module([textwrap])
    >>> is_left_alone(textwrap.dedent)
    True
    """
    listed = [modules] if isinstance(modules, types.ModuleType) else list(modules)
    for module in listed:
        if not isinstance(module, types.ModuleType):
            raise KindError(f"ignore_module takes modules, not {type(module).__name__}")
        ignored_modules.add(module.__name__)
        given_modules.append(module)


def is_left_alone(fn: Any) -> bool:
    """Whether `not_to_static` or `ignore_module` names this function."""
    target = getattr(fn, "__func__", fn)
    if getattr(target, MARK, False):
        return True
    module = getattr(target, "__module__", None) or ""
    return module in ignored_modules or module.partition(".")[0] in ignored_modules


def enable_to_static(enable_to_static_bool: bool) -> None:
    """Switch compiling off (compiled functions then run as they were written) or on again, for the whole process.

    >>> enable_to_static(True)
    """
    if not isinstance(enable_to_static_bool, bool):
        raise KindError(f"enable_to_static takes True or False, not {type(enable_to_static_bool).__name__}")
    _switch[0] = enable_to_static_bool
    for told in on_switch:
        told()


@contextmanager
def uncompiled() -> Iterator[None]:
    """Let compiled functions run as they were written inside the block, without a word."""
    before = _switch[0], _quiet[0]
    _quiet[0] = True
    enable_to_static(False)
    try:
        yield
    finally:
        _quiet[0] = before[1]
        enable_to_static(before[0])


def is_quiet() -> bool:
    """Whether nobody needs to be told that compiling is off."""
    return _quiet[0]


def is_enabled() -> bool:
    """Whether compiling is switched on."""
    return _switch[0]


def checked_choice(value: Any, allowed: tuple[Any, ...], what: str) -> Any:
    """The value, if it is one of those allowed; ValueError otherwise."""
    if value not in allowed:
        raise ArgumentError(f"to_static: unknown {what} {value!r}", remedy=one_of(value, allowed))
    return value
