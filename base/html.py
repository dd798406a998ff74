"""Small pieces of HTML for notebooks: program text, tables, folded parts. No scripts, and nothing from elsewhere.

Colours are of middle brightness, so that they can be read on light and on dark paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

MOST_LINES = 300
_PRE = (
    "margin:0;line-height:1.35;overflow-x:auto;white-space:pre;font-size:12px;"
    "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace"  # some notebooks set another
)
_COLOURS = {"word": "#9a5bd0", "value": "#3b82c4", "type": "#2e9e74", "text": "#c2703a", "quiet": "#8b929c"}
_PATTERNS = {
    "ir": (
        ("text", r'"(?:[^"\\]|\\.)*"'),
        ("value", r"%[\w.]+"),
        ("type", r"\b(?:bool|bf16|list|[iufc]\d+)\[[^\]]*\]"),
        ("word", r"(?<== )[a-z_]\w*|\b(?:program|state|where|return|yield|if|else|while|do|for|group)\b"),
        ("quiet", r"//.*"),
    ),
    "python": (
        ("quiet", r"#.*"),
        ("text", r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'"),
        ("word", r"\b(?:def|return|if|elif|else|for|while|in|not|and|or|is|lambda|with|as|import|from|nonlocal)\b"),
        ("type", r"\b\d[\w.]*"),
    ),
    "diff": (("type", r"^\+.*"), ("text", r"^-.*")),
}


def code(text: str, kind: str = "") -> str:
    """A text as it stands, coloured if its kind is known ("ir", "python", "diff"); long ones are cut.

    >>> code("a < b")[-15:]
    '>a &lt; b</pre>'
    """
    lines = text.rstrip("\n").split("\n")
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"… {len(lines) - MOST_LINES} more lines"]
    return f'<pre style="{_PRE}">{_coloured(chr(10).join(lines), kind)}</pre>'


def _coloured(text: str, kind: str) -> str:
    patterns = _PATTERNS.get(kind)
    if patterns is None:
        return escape(text)
    parts, last = [], 0
    joined = "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns)
    for found in re.finditer(joined, text, re.MULTILINE):
        parts.append(escape(text[last : found.start()]))
        parts.append(f'<span style="color:{_COLOURS[str(found.lastgroup)]}">{escape(found[0])}</span>')
        last = found.end()
    return "".join([*parts, escape(text[last:])])


def grid(header: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[int] = ()) -> str:
    """A table; columns listed in `right` are right-aligned."""
    sides = [f'style="text-align:{"right" if k in set(right) else "left"}"' for k in range(len(header))]
    head = "".join(f"<th {side}>{escape(cell)}</th>" for side, cell in zip(sides, header, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td {s}>{escape(str(cell))}</td>" for s, cell in zip(sides, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def folded(title: str, inner: str, *, open: bool = False) -> str:
    """A part that can be opened and closed."""
    return f"<details{' open' if open else ''}><summary>{escape(title)}</summary>{inner}</details>"
