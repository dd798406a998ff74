# Written by `make stubs`; edits here are lost.

from builtins import str as _str
from typing import Any as _Any

class Shown(_str):
    """A text of some kind ("python", "ir", "diff" or "table"); a plain string to everything else.

    `rich.print` colours it; notebooks and prompts show it as it is.

    >>> Shown("a\\nb")
    a
    b"""
    kind: _str
    @staticmethod
    def __new__(cls, text: _str, kind: _str = 'table') -> Shown:
        """The text as one of `kind`."""
    def __rich__(self) -> _Any: ...
