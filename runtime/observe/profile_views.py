"""Profiles as text, HTML, JSON, and traces for Chrome and Perfetto."""

from __future__ import annotations

import html
import json
import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...base.errors import ArgumentError
from ...base.files import place_file
from ...base.html import grid
from ...base.location import Loc
from ...base.table import table
from .step_titles import title_of_step
from .step_work import facts_of

_TABLES = (("kernels", "in compiled programs"), ("ops", "eager operations"), ("lines", "your lines"),
           ("layers", "layers"), ("phases", "compiling"), ("ranges", "ranges"))  # fmt: skip
_HEADER = ("", "calls", "ms", "share", "µs/call", "MB", "GB/s", "Gop/s", "of limit")
_PLACE = "line"


def as_dict(profile: Any) -> dict[str, Any]:
    """All tables of a profile as plain data."""
    made: dict[str, Any] = {"summary": profile.summary, "dropped_events": _dropped(profile)}
    return made | {name: [_row_dict(row) for row in getattr(profile, name)] for name, _ in _TABLES}


def _row_dict(row: Any) -> dict[str, Any]:
    place = None if row.place is None or not row.place.file else {"file": row.place.file, "line": row.place.line}
    return {
        "name": row.name, "kind": row.kind, "program": row.program, "calls": row.calls, "seconds": row.seconds,
        "bytes": row.bytes, "work": row.work, "place": place, "layer": row.layer, "achieved": row.achieved,
    }  # fmt: skip


def as_text(profile: Any, most: int) -> str:
    """The tables of a profile, those that have rows."""
    parts = [_summary(profile.summary)]
    for name, title in _TABLES:
        rows = getattr(profile, name)
        if rows:
            cells = [_cells(row, profile.seconds, name) for row in rows[:most]]
            left = f"\n… {len(rows) - most} more" if len(rows) > most else ""
            header, shown = _used((title, *_HEADER[1:], _PLACE), cells)
            parts.append(table(header, shown, right=[k for k, h in enumerate(header) if h in _HEADER]) + left)
    if _dropped(profile):
        parts.append(f"{_dropped(profile):,} short or late events are in the tables, but not in the trace")
    return "\n\n".join(parts)


def _summary(parts: dict[str, float]) -> str:
    wall = parts["wall"] or 1.0
    words = [f"{name} {seconds * 1e3:,.3f} ms ({seconds / wall:.0%})" for name, seconds in parts.items()][1:]
    return f"profile of {parts['wall'] * 1e3:,.3f} ms: " + ", ".join(words)


def _cells(row: Any, wall: float, name: str) -> list[str]:
    seconds = row.seconds or 1e-12
    place = f"{row.place.short()}  {row.place.text()}" if row.place is not None and row.place.file else ""
    return [
        row.name, f"{row.calls:,}", f"{row.seconds * 1e3:,.3f}", f"{row.seconds / wall:.1%}" if wall else "",
        f"{row.seconds / max(row.calls, 1) * 1e6:,.1f}",
        f"{row.bytes / 1e6:,.2f}" if row.bytes else "",
        f"{row.bytes / seconds / 1e9:,.1f}" if row.bytes else "",
        f"{row.work / seconds / 1e9:,.1f}" if row.work else "",
        "" if row.achieved is None else f"{row.achieved:.0%}",
        place if name in ("kernels", "ops", "lines") else "",
    ]  # fmt: skip


def _used(header: Sequence[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """A table without the columns in which nothing stands."""
    kept = [k for k in range(len(header)) if k == 0 or any(row[k] for row in rows)]
    return [header[k] for k in kept], [[row[k] for k in kept] for row in rows]


def as_html(profile: Any, most: int) -> str:
    """The tables as HTML."""
    parts = [f"<p>{html.escape(_summary(profile.summary))}</p>"]
    for name, title in _TABLES:
        rows = [_cells(row, profile.seconds, name) for row in getattr(profile, name)[:most]]
        if rows:
            header, cells = _used((title, *_HEADER[1:], _PLACE), rows)
            parts.append(grid(header, cells, right=[k for k, name in enumerate(header) if k and name != _PLACE]))
    return "\n".join(parts)


def write_text(data: Any, path: str | os.PathLike[str] | None) -> str:
    """Data as JSON text, written to a file if one is named."""
    text = json.dumps(data, indent=1)
    if path is not None:
        _write(path, text)
    return text


def _write(path: str | os.PathLike[str], text: str) -> Path:
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        place_file(target, text.encode())
    except OSError as error:
        raise ArgumentError(f"{target} can't be written: {error}", remedy="name a file in a folder of yours") from error
    return target


# ---- traces


def trace_text(profile: Any, path: str | os.PathLike[str]) -> Path:
    """Write the events in Chrome's trace format."""
    events = sorted(_trace_events(profile), key=lambda event: event["ts"])
    threads = {event["tid"] for event in events}
    names = [
        {"ph": "M", "name": "thread_name", "pid": os.getpid(), "tid": tid, "args": {"name": f"thread {k}"}}
        for k, tid in enumerate(sorted(threads))
    ]
    facts = {"dropped_events": _dropped(profile), "seconds": profile.seconds}
    return _write(path, json.dumps({"traceEvents": names + events, "displayTimeUnit": "ns", "otherData": facts}))


def _trace_events(profile: Any) -> Iterator[dict[str, Any]]:
    zero = profile.started
    for event in profile.events:
        args = {} if event.place is None or not event.place.file else {"line": event.place.short()}
        yield _complete(event.name, event.kind, event.start - zero, event.end - zero, event.thread, args)
    for program in profile.programs:
        calls = [e for e in profile.events if e.kind == "call" and e.owner == program.owner]
        starts = [e.start for e in calls]
        facts = [facts_of(step) for step in program.steps]
        titles = [title_of_step(step) for step in program.steps]
        for row, start, end in program.events.tolist():
            k = bisect_right(starts, start) - 1
            step = program.steps[row]
            args = {"row": row, "program": program.name}
            if step.operation is not None:
                args |= _place_args(step.operation.loc)
            if titles[row]:
                args["kernel"] = facts[row].name
            thread = calls[k].thread if k >= 0 else 0
            yield _complete(titles[row] or facts[row].name, facts[row].kind, start - zero, end - zero, thread, args)


def _place_args(loc: Loc) -> dict[str, str]:
    """The user's line and layer; of a gradient also the line whose gradient it is."""
    args = {"line": loc.short(), "layer": loc.layer} if loc.file else {}
    forward = loc.purpose.place if loc.purpose is not None else None
    return args if forward is None or not forward.file else args | {"forward": forward.short()}


def _complete(name: str, kind: str, start: int, end: int, thread: int, args: dict[str, Any]) -> dict[str, Any]:
    return {
        "ph": "X", "name": name, "cat": kind, "ts": start / 1e3, "dur": (end - start) / 1e3, "pid": os.getpid(),
        "tid": thread, "args": args,
    }  # fmt: skip


def _dropped(profile: Any) -> int:
    return int(profile.dropped + sum(program.dropped for program in profile.programs))
