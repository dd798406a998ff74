"""Text to look at: a string whose `repr` is itself, so that a prompt shows its lines; coloured by rich."""

from __future__ import annotations

import importlib
from typing import Any

from .html import code

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
