"""The names of Paddle's `jit.dy2static` package, for code that imports them, over what does the work here."""

from importlib import import_module as _import_module
from typing import Any

from ...base.suggest import no_attribute as _no_attribute
from ...base.suggest import public_names as _public_names
from .convert_call_func import convert_call
from .convert_call_func import convert_call as Call
from .convert_operators import (
    convert_assert,
    convert_ifelse,
    convert_len,
    convert_logical_and,
    convert_logical_not,
    convert_logical_or,
    convert_while_loop,
)  # fmt: skip
from .program_translator import ProgramTranslator, StaticFunction, convert_to_static
from .trees import convert_shape_compare

__all__ = [
    "Call",
    "ProgramTranslator",
    "StaticFunction",
    "convert_assert",
    "convert_call",
    "convert_ifelse",
    "convert_len",
    "convert_logical_and",
    "convert_logical_not",
    "convert_logical_or",
    "convert_shape_compare",
    "convert_to_static",
    "convert_while_loop",
]


def __getattr__(name: str) -> Any:
    if name in ("error", "logging_utils", "utils"):
        return _import_module(f".{name}", __name__)
    raise _no_attribute(__name__, name, lambda: _public_names(__name__))
