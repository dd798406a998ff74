"""report(): one page that shows everything the compiler did with a function, from the line to the loop."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..base.errors import ArgumentError, KindError
from ..runtime.observe.profile import Profile
from ..runtime.observe.subject import Subject
from ..runtime.observe.timeline import Timeline
from .inline import Page
from .lanes import lanes_text
from .page.data import page_data, short_name
from .subjects import as_subject

SCRIPTS = (
    "page.js", "text.js", "source.js", "program.js", "machine.js", "graph.js", "profile.js", "summary.js",
)  # fmt: skip


def report(target: Any, path: str | os.PathLike[str] = "report.html", *, profile: Profile | None = None) -> str:
    """Write a page about a program and what became of it; returns the path, which a notebook shows as the page.

    target: a compiled function that has been called (or has an input_spec), a layer whose `forward` is one, a Program
    of either kind, a loaded artifact, or the path of an artifact. Or lanes of ranks: what `distributed.run_timed`,
    `record` and `simulate` give; their page has a lane for each rank.
    profile: what `vt.profiler.profile()` gave, for times of steps and lines, and the roofline.
    The page is one file that needs nothing else and works without a network: the user's source, the converted code,
    the program after each pass with what the pass changed, the VM's steps with the kernels, the graph, the
    memory plan, guards and certificate; a line that is pointed at lights up everywhere.
    Errors: ArgumentError for a function that has no program yet and for a path that can't be written; KindError for
    other objects; ArtifactError for a path that holds no artifact.

    >>> import tempfile, vitrify as vt
    >>> double = vt.jit.to_static(lambda x: x * 2, input_spec=[vt.InputSpec([3])])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Path(report(double, folder + "/double.html")).read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    place = Path(path)
    if place.is_dir():
        raise ArgumentError(f"{place} is a folder", remedy=f"name a file, such as {place / 'report.html'}")
    if not place.parent.is_dir():
        raise ArgumentError(f"there is no folder {place.parent}", remedy="make it, or write the report elsewhere")
    text = _text_of(target, profile)
    try:
        place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArgumentError(
            f"{place} can't be written: {error.strerror or error}", remedy="write the report elsewhere"
        ) from error
    return Page(path)


def _text_of(target: Any, profile: Profile | None) -> str:
    """The page of a program, or of ranks."""
    lanes = getattr(target, "timeline", target)  # a forecast has one
    if isinstance(lanes, Timeline):
        return lanes_text(lanes)
    subject = as_subject(target)
    if subject is None:
        remedy = "pass a compiled function, a layer compiled with to_static, a Program, a saved artifact, or lanes"
        raise KindError(f"report can't show a {type(target).__name__}", remedy=remedy)
    return page_text(subject, profile)


def page_text(subject: Subject, profile: Profile | None = None) -> str:
    """The page as text."""
    style, frame = _asset("page.css"), _asset("page.html")
    script = "(() => {\n" + "\n".join(map(_asset, SCRIPTS)) + "})();"
    data = page_data(subject, profile)
    holes = {
        "{{title}}": escape(f"{short_name(subject.name)} – vitrify report"),
        "{{policy}}": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(script)}'",
        "{{style}}": style,
        "{{data}}": json_for_html(data),
        "{{script}}": script,
    }
    for hole, filling in holes.items():
        before, _, after = frame.partition(hole)
        frame = before + filling + after
    return frame


def json_for_html(data: Any) -> str:
    """JSON that can stand in a `<script>` element whatever the strings in it hold."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _asset(name: str) -> str:
    return (files(f"{__package__}.page") / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    """What the page's policy names: no other script runs in it."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
