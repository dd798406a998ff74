"""Settings of the process: default dtype and switches read from the environment once."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .dtype import FLOATS, LOW_FLOATS, DType, as_dtype, float32
from .errors import ArgumentError, DTypeError


def _switch(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0", "false", "off")


def _choice(name: str, allowed: tuple[str, ...]) -> str:
    """What the environment says; the first of `allowed` where it says nothing. ArgumentError for other words."""
    found = os.environ.get(name) or allowed[0]
    if found not in allowed:
        remedy = f"use one of {', '.join(allowed)}, or unset it"
        raise ArgumentError(f"the environment variable {name} is {found!r}", remedy=remedy)
    return found


def _names(name: str) -> tuple[str, ...] | None:
    """What the environment lists with commas; None where it says nothing."""
    return tuple(part.strip() for part in os.environ.get(name, "").split(",") if part.strip()) or None


@dataclass(slots=True)
class Flags:
    """Mutable settings; one instance, `flags`."""

    default_dtype: DType = float32
    verify: bool = field(default_factory=lambda: _switch("VITRIFY_VERIFY"))
    checked: bool = field(default_factory=lambda: _switch("VITRIFY_CHECKED"))
    compile: str = field(default_factory=lambda: _choice("VITRIFY_COMPILE", ("wait", "background")))
    numerics: str = field(default_factory=lambda: _choice("VITRIFY_NUMERICS", ("ieee", "fast", "reference")))
    schedule: tuple[str, ...] | None = field(default_factory=lambda: _names("VITRIFY_SCHEDULE"))
    dump_dir: Path | None = field(
        default_factory=lambda: Path(os.environ["VITRIFY_DUMP"]) if os.environ.get("VITRIFY_DUMP") else None
    )


flags = Flags()
on_default_dtype: list[Callable[[], None]] = []  # called when the default dtype has changed


def set_default_dtype(d: object) -> None:
    """Set the dtype of Python floats and of new parameters: float16, bfloat16, float32 or float64.

    >>> set_default_dtype("float32")
    """
    chosen = as_dtype(d)
    if chosen not in (*FLOATS, *LOW_FLOATS):
        raise DTypeError(f"the default dtype must be a float, not {chosen.name}", remedy="use float32 or float64")
    flags.default_dtype = chosen
    for forget in on_default_dtype:
        forget()


def get_default_dtype() -> str:
    """The name of the default dtype.

    >>> get_default_dtype()
    'float32'
    """
    return flags.default_dtype.name
