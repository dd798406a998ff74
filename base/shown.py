"""Things to look at: texts and lists whose `repr` shows lines and tables, at a prompt and in a notebook."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, TypeVar

from .html import code, folded, grid
from .location import Loc
from .table import table

T = TypeVar("T")
_LEXERS = {"python": "python", "diff": "diff"}
_IR = {  # pattern -> style, for the text of programs
    r"\b(program|state|where|return|yield|if|else|while|do|for|group)\b": "bold magenta",
    r"%[\w.]+": "cyan",
    r"\b(bool|[iuf]\d+|bf16|c\d+|list)(?=[\[<])": "green",
    r"@[\w.]+": "bold",
    r"\"[^\"]*\"": "yellow",
    r"//.*": "dim",
}


class Shown(str):
    r"""A text of some kind ("python", "ir", "diff" or "table"); a plain string to everything else.

    `rich.print` colours it; notebooks and prompts show it as it is.

    >>> Shown("a\nb")
    a
    b
    """

    kind: str

    def __new__(cls, text: str, kind: str = "table") -> Shown:
        """The text as one of `kind`."""
        made = super().__new__(cls, text)
        made.kind = kind
        return made

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return str.__str__(self)

    def _repr_html_(self) -> str:
        return code(self, self.kind)

    def __rich__(self) -> Any:
        if self.kind in _LEXERS:
            syntax = importlib.import_module("rich.syntax").Syntax
            return syntax(str(self), _LEXERS[self.kind], background_color="default", word_wrap=False)
        made = importlib.import_module("rich.text").Text(str(self), no_wrap=True)
        for pattern, style in _IR.items() if self.kind == "ir" else ():
            made.highlight_regex(pattern, style)
        return made


class Sections(Shown):
    r"""A text in parts, each with a title as its first line. A notebook folds all parts but the first.

    >>> Sections(["one:\n  1", "two:\n  2"])
    one:
      1
    two:
      2
    """

    parts: tuple[str, ...]

    def __new__(cls, parts: Sequence[str]) -> Sections:
        """The parts as one text."""
        made = super().__new__(cls, "\n".join(parts))
        assert isinstance(made, Sections)
        made.parts = tuple(parts)
        return made

    def __reduce__(self) -> tuple[type[Sections], tuple[tuple[str, ...]]]:
        return Sections, (self.parts,)

    def _repr_html_(self) -> str:
        return code(self.parts[0]) + "".join(map(_section, self.parts[1:]))


class Listed(list[T]):
    """A list of records that shows as a table: a row for each, a column for each of the named attributes.

    >>> from types import SimpleNamespace
    >>> Listed([SimpleNamespace(name="a", size=1)], ("name", "size"))
    name  size
    ----  ----
    a     1
    """

    def __init__(self, items: Iterable[T], columns: Sequence[str]) -> None:
        super().__init__(items)
        self.columns = tuple(columns)

    def _rows(self) -> list[list[str]]:
        return [[_cell(getattr(item, name)) for name in self.columns] for item in self]

    def __repr__(self) -> str:
        return table(self.columns, self._rows()) if self else "[]"

    def _repr_html_(self) -> str:
        return grid(self.columns, self._rows()) if self else "<p>none</p>"


def _section(part: str) -> str:
    title, _, rest = part.partition("\n")
    return folded(title.rstrip(":"), code(rest)) if rest else f"<p>{escape(title)}</p>"


def _cell(value: object) -> str:
    """What a table shows of a value: seconds with three digits, places by their short names."""
    match value:
        case float():
            return f"{value:.3g}"
        case Loc():
            return value.short() if value.file else ""
        case _:
            return str(value)
