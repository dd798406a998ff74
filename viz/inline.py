"""Pictures and pages as the last line of a notebook's cell: strings that a notebook shows as what they hold."""

from __future__ import annotations

from html import escape
from pathlib import Path


class Picture(str):
    """SVG text. A notebook shows the picture; a prompt says how long the text is."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<SVG picture, {len(self):,} characters; draw(..., 'picture.svg') writes it to a file>"

    def __str__(self) -> str:
        return str.__str__(self)


class Page(str):
    """The path of a written page. A notebook shows the page in a frame, with a link to the file."""

    def _repr_html_(self) -> str:
        name = escape(str(self), quote=True)
        text = escape(Path(self).read_text(encoding="utf-8"), quote=True)
        return (
            f'<a href="{name}" target="_blank">{name}</a>'
            f'<iframe srcdoc="{text}" sandbox="allow-scripts" width="100%" height="640" '
            'style="border:1px solid #8888"></iframe>'
        )
