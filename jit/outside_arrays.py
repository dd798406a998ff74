"""NumPy arrays that captured code reaches from outside its arguments: they can't be written while it is captured.

The program takes their elements for constants, so a write would be done once, and never again. While the trace runs,
they are read-only, which NumPy itself checks on every write.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base.errors import CaptureError
from .errors import innermost_place

_RAISE = dis.opmap["RAISE_VARARGS"]


class Locked:
    """The arrays that are read-only for now."""

    def __init__(self) -> None:
        self.arrays: list[Any] = []

    def add(self, array: Any) -> None:
        """Make an array read-only, if it can be made writable again."""
        last = array
        while isinstance(last.base, np.ndarray):
            last = last.base
        if array.flags.writeable and last.base is None and last.flags.owndata:
            self.arrays.append(array)
            array.flags.writeable = False

    def free(self) -> None:
        """Make all writable again: those that own memory first."""
        for array in sorted(self.arrays, key=lambda a: a.base is not None):
            array.flags.writeable = True
        self.arrays.clear()

    @contextmanager
    def held(self) -> Iterator[None]:
        """For a whole trace: writes are refused, and at its end all is writable again."""
        try:
            with self.refusing():
                yield
        finally:
            self.free()

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Where a write fails for that, say what it is."""
        try:
            yield
        except ValueError as error:
            if not self.arrays or not _is_numpys(error):
                raise
            raise CaptureError(
                "an array that isn't an argument is written in place: the program would do it only once",
                loc=innermost_place(error.__traceback__),
                remedy="keep a tensor there, or pass the array as an argument and write `a[...] = ...`",
            ) from None


def _is_numpys(error: ValueError) -> bool:
    """Whether NumPy has raised this for a read-only array: no `raise` statement did."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] == _RAISE:
        return False
    return any(type(part) is str and "read-only" in part for part in error.args)  # texts of a run can't be looked into
