"""NumPy arrays that captured code reaches from outside its arguments: they can't be written while it is captured.

The program takes their elements for constants, so a write would be done once, and never again. While the trace runs,
they are read-only, which NumPy itself checks on every write.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base.errors import CaptureError
from .errors import innermost_place


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
            if "read-only" not in str(error) or not self.arrays:
                raise
            raise CaptureError(
                "an array that isn't an argument is written in place: the program would do it only once",
                loc=innermost_place(error.__traceback__),
                remedy="keep a tensor there, or pass the array as an argument and write `a[...] = ...`",
            ) from None
