"""Program text -> tokens with spans. The grammar itself is described in parser.py.

`//` begins a comment at the start of a line or after white space; elsewhere it is floor division (`N//2`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..base.errors import ParseError

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<value>%[\w.@]+)
      | (?P<symbol>@[\w.]+)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<bits>0x[0-9a-fA-F]+)
      | (?P<float>[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+))
      | (?P<int>[0-9]+)
      | (?P<word>[^\W\d]\w*)
      | (?P<mark>->|//|==|>=|[-+*(){}\[\]<>,:=])
    """,
    re.VERBOSE,
)
_COMMENT = re.compile(r"//[^\n]*")
MOST_DIGITS = 4000  # Python itself refuses to read longer integers


@dataclass(frozen=True, slots=True)
class Token:
    """One token. kind: value, symbol, string, bits, float, int, word, mark or end; `at` is its offset in the text."""

    kind: str
    text: str
    at: int

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else f"`{self.text[:40]}`"


def tokens_of(text: str) -> list[Token]:
    """All tokens of a text, the last one of kind `end`; ParseError at a character that begins none."""
    out: list[Token] = []
    at = 0
    spaced = True
    while at < len(text):
        comment = _COMMENT.match(text, at) if spaced else None
        if comment is not None:
            at = comment.end()
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise error_at(text, at, f"unexpected character {text[at]!r}")
        kind = match.lastgroup or "mark"
        spaced = kind == "space"
        if not spaced:
            _check_length(text, at, kind, match.end() - at)
            out.append(Token(kind, match.group(), at))
        at = match.end()
    out.append(Token("end", "", len(text)))
    return out


def _check_length(text: str, at: int, kind: str, length: int) -> None:
    if kind in ("int", "float", "bits") and length > MOST_DIGITS:
        raise error_at(text, at, f"a number of {length} digits; at most {MOST_DIGITS} are read")


def error_at(text: str, at: int, message: str, remedy: str | None = None) -> ParseError:
    r"""A ParseError with line, column, the source line and a caret under the offset.

    >>> print(error_at("a\nb ?", 4, "unexpected character"))
    line 2, column 3: unexpected character
        b ?
          ^
    """
    start = text.rfind("\n", 0, at) + 1
    stop = text.find("\n", at)
    line = text[start : stop if stop >= 0 else len(text)]
    column = at - start
    shown, offset = line, column
    if len(line) > 120:  # keep the window around the caret
        left = max(0, column - 60)
        shown, offset = line[left : left + 120], column - left
    shown = "".join(c if c.isprintable() else " " for c in shown)
    number = text.count("\n", 0, at) + 1
    return ParseError(f"line {number}, column {column + 1}: {message}\n    {shown}\n    {' ' * offset}^", remedy=remedy)
