# Written by `make stubs`; edits here are lost.

from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
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

class Sections(Shown):
    """A text in parts, each with a title as its first line. A notebook folds all parts but the first.

    >>> Sections(["one:\\n  1", "two:\\n  2"])
    one:
      1
    two:
      2"""
    parts: _tuple[_str, ...]
    @staticmethod
    def __new__(cls, parts: _Sequence[_str]) -> Sections:
        """The parts as one text."""
