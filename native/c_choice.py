"""The C file that chooses between the parts of a library that has code for several levels of x86-64."""

from __future__ import annotations

from pathlib import Path

CHOICE = Path(__file__).parent / "choice.c"


def choice_text(prefix: str) -> str:
    """The C file of a model's functions, each of which calls that of the level that `create` has found."""
    return CHOICE.read_text().replace("NAME", prefix)
