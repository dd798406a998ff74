"""PaddlePaddle's operations as operations of ours: one row per operation, for both forms of a program."""

from __future__ import annotations

from functools import cache

from ..paddle_files import MORE_ROWS
from . import control_rows, element_rows, function_rows, image_rows, linear_rows, piece_rows, reduction_rows, shape_rows
from .paddle_row import Row, tables

_FILES = (
    control_rows, element_rows, function_rows, image_rows, linear_rows, piece_rows, reduction_rows, shape_rows,
)  # fmt: skip


@cache
def rows_of(form: str) -> dict[str, Row]:
    """All rows by the names that a form has: "new" (.json) or "old" (.pdmodel)."""
    entries = [entry for file in _FILES for entry in file.ENTRIES]
    new, old = tables([*entries, *(entry for more in MORE_ROWS for entry in more())])
    return new if form == "new" else old
