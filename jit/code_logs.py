"""What the conversion tells: the rewritten source of each function (`set_code_level`) and notes (`set_verbosity`)."""

from __future__ import annotations

import logging
import os
import sys

from ..base.errors import KindError

logger = logging.getLogger("vitrify.jit")
_levels = {"code": int(os.environ.get("TRANSLATOR_CODE_LEVEL", "0") or 0), "verbosity": 0}
_to_stdout = {"code": False, "verbosity": False}


def set_code_level(level: int = 100, also_to_stdout: bool = False) -> None:
    """Log the rewritten source of each function that is converted from now on; 0 switches it off.

    Our rewrite is one pass, so every level above 0 shows its result. The logger is `vitrify.jit`.

    >>> set_code_level(0)
    """
    _set("code", level, also_to_stdout)


def set_verbosity(level: int = 0, also_to_stdout: bool = False) -> None:
    """Log a note for each function that is converted (level 1 and above); 0 switches it off.

    >>> set_verbosity(0)
    """
    _set("verbosity", level, also_to_stdout)


def _set(what: str, level: int, also_to_stdout: bool) -> None:
    for value, kind in ((level, int), (also_to_stdout, bool)):
        if type(value) is not kind:
            raise KindError(f"the {what} level takes an int and a bool, not {type(value).__name__}")
    _levels[what], _to_stdout[what] = level, also_to_stdout


def tell_of(name: str, code: str) -> None:
    """Log the conversion of a function, as far as it is wanted."""
    if _levels["verbosity"] > 0:
        _tell("verbosity", f"converted {name}")
    if _levels["code"] > 0:
        _tell("code", f"{name} rewritten:\n{code}")


def is_told() -> bool:
    """Whether anything is to be logged."""
    return _levels["verbosity"] > 0 or _levels["code"] > 0


def _tell(what: str, text: str) -> None:
    logger.warning(text)
    if _to_stdout[what]:
        sys.stdout.write(text + "\n")
