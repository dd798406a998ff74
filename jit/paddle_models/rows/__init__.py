"""PaddlePaddle's operations as operations of ours: one row per operation, for both forms of a program."""

from __future__ import annotations

from . import control_rows, element_rows, image_rows, linear_rows, piece_rows, reduction_rows, shape_rows
from .paddle_row import tables

_FILES = (control_rows, element_rows, image_rows, linear_rows, piece_rows, reduction_rows, shape_rows)
NEW, OLD = tables(entry for file in _FILES for entry in file.ENTRIES)
