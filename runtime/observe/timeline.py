"""What ranks did when: one lane per rank with spans of computing, exchanging and waiting, measured or by a model.

Plain data: `distributed` makes them, the report draws them. Traces are Chrome's JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from ...base.html import grid
from ...base.location import Loc
from ...base.table import table
from .profile_views import write_text

COMPUTE, EXCHANGE, WAIT, BEHIND = "compute", "exchange", "wait", "behind"
KINDS = {
    COMPUTE: "computing", EXCHANGE: "exchanging", WAIT: "waiting for other ranks",
    BEHIND: "exchanging while it computes",
}  # fmt: skip
COLOURS = {COMPUTE: "#4c9a5b", EXCHANGE: "#d07a2d", WAIT: "#b9bec6", BEHIND: "#3b82c4"}
MOST_LANES = 64  # drawn


@dataclass(frozen=True, slots=True)
class LaneSpan:
    """What a rank does from `start` to `end`, in seconds: one of KINDS. bytes: of the operand of an exchange."""

    kind: str
    name: str
    start: float
    end: float
    bytes: int = 0
    place: Loc | None = None


@dataclass(slots=True)
class Lane:
    """The spans of one rank, in order; those "behind" lie beside its others."""

    name: str
    spans: list[LaneSpan] = field(default_factory=list)

    def seconds(self, kind: str) -> float:
        """How long it did this."""
        return sum((s.end - s.start for s in self.spans if s.kind == kind), 0.0)

    @property
    def end(self) -> float:
        """When its last span ends."""
        return max((s.end for s in self.spans), default=0.0)


@dataclass(slots=True)
class Timeline:
    """Lanes of ranks. source: where the times come from, in words. results: what the function returned, by rank.

    times: seconds of computing between two exchanges, by where they are; a run that is given them has the same times.
    """

    lanes: list[Lane]
    source: str = ""
    results: list[Any] = field(default_factory=list, repr=False)
    times: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def seconds(self) -> float:
        """When the last rank is done."""
        return max((lane.end for lane in self.lanes), default=0.0)

    @property
    def hidden(self) -> float:
        """The share of the exchanges' time that ranks computed through, 0 without any exchange."""
        behind = sum(_computed_through(lane) for lane in self.lanes)
        whole = sum(lane.seconds(EXCHANGE) + lane.seconds(BEHIND) for lane in self.lanes)
        return behind / whole if whole else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The lanes as plain data."""
        lanes = [{"name": lane.name, "spans": [_plain(s) for s in lane.spans]} for lane in self.lanes]
        return {"source": self.source, "seconds": self.seconds, "lanes": lanes, "times": dict(self.times)}

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """The lanes as JSON text, written to a file if one is named."""
        return write_text(self.to_dict(), path)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write a trace for Chrome (about:tracing) and Perfetto: a process with one thread for each rank."""
        names = [
            {"ph": "M", "name": "thread_name", "pid": 0, "tid": 2 * k + b, "args": {"name": lane.name + " network" * b}}
            for k, lane in enumerate(self.lanes) for b in (0, 1)
        ]  # fmt: skip
        events = [_event(2 * k + (s.kind == BEHIND), s) for k, lane in enumerate(self.lanes) for s in lane.spans]
        data = {"traceEvents": names + sorted(events, key=lambda e: e["ts"]), "otherData": {"source": self.source}}
        write_text(data, path)
        return Path(path)

    def svg(self, width: int = 960) -> str:
        """The lanes as a picture."""
        return "".join(_drawing(self, width))

    def __str__(self) -> str:
        rows = [_cells(lane, self.seconds) for lane in self.lanes[:MOST_LANES]]
        left = f"\n… {len(self.lanes) - MOST_LANES} more" if len(self.lanes) > MOST_LANES else ""
        return f"{self._headline()}\n{table(_HEADER, rows, right=range(1, len(_HEADER)))}{left}"

    __repr__ = __str__

    def _headline(self) -> str:
        return f"{len(self.lanes)} rank(s), {self.seconds * 1e3:,.3f} ms, {self.source}"

    def _repr_html_(self) -> str:
        rows = [_cells(lane, self.seconds) for lane in self.lanes[:MOST_LANES]]
        return f"<p>{escape(self._headline())}</p>{self.svg()}{grid(_HEADER, rows, right=range(1, len(_HEADER)))}"


_HEADER = ("", "computing ms", "exchanging ms", "waiting ms", "behind ms", "share computing")


def _cells(lane: Lane, whole: float) -> list[str]:
    parts = [lane.seconds(kind) for kind in (COMPUTE, EXCHANGE, WAIT, BEHIND)]
    return [lane.name, *(f"{p * 1e3:,.3f}" for p in parts), f"{parts[0] / whole:.0%}" if whole else ""]


def _computed_through(lane: Lane) -> float:
    """Seconds in which a lane computes and an exchange goes on."""
    busy = [s for s in lane.spans if s.kind == COMPUTE]
    return sum(
        max(0.0, min(a.end, b.end) - max(a.start, b.start)) for a in lane.spans if a.kind == BEHIND for b in busy
    )


def _plain(span: LaneSpan) -> dict[str, Any]:
    line = span.place.short() if span.place is not None and span.place.file else ""
    return {
        "kind": span.kind,
        "name": span.name,
        "start": span.start,
        "end": span.end,
        "bytes": span.bytes,
        "line": line,
    }


def _event(thread: int, span: LaneSpan) -> dict[str, Any]:
    facts = {k: v for k, v in _plain(span).items() if k in ("bytes", "line") and v}
    return {
        "ph": "X", "name": span.name, "cat": span.kind, "ts": span.start * 1e6, "dur": (span.end - span.start) * 1e6,
        "pid": 0, "tid": thread, "args": facts,
    }  # fmt: skip


def _drawing(timeline: Timeline, width: int) -> Iterator[str]:
    lanes = timeline.lanes[:MOST_LANES]
    left, row, foot = 70, 26, 40
    height = len(lanes) * row + foot
    scale = (width - left - 10) / (timeline.seconds or 1.0)
    yield (f'<svg class="lanes" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
           f'role="img" font-family="sans-serif" font-size="11">')  # fmt: skip
    yield f"<title>{escape(timeline._headline())}</title>"
    for k, lane in enumerate(lanes):
        yield f'<text x="{left - 6}" y="{k * row + 15}" text-anchor="end" fill="#7d8590">{escape(lane.name)}</text>'
        for span in _wide_enough(lane.spans, 0.2 / scale):
            y, tall = (k * row + 16, 6) if span.kind == BEHIND else (k * row + 4, 11)
            wide = max((span.end - span.start) * scale, 0.3)
            yield (f'<rect x="{left + span.start * scale:.2f}" y="{y}" width="{wide:.2f}" height="{tall}" '
                   f'fill="{COLOURS[span.kind]}"><title>{escape(_told(span))}</title></rect>')  # fmt: skip
    yield from _axis(timeline.seconds, left, len(lanes) * row + 4, scale)
    for k, (kind, word) in enumerate(KINDS.items()):
        x, y = left + 190 * k, height - 10
        yield f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{COLOURS[kind]}"></rect>'
        yield f'<text x="{x + 14}" y="{y}" fill="#7d8590">{word}</text>'
    yield "</svg>"


def _wide_enough(spans: Iterable[LaneSpan], least: float) -> Iterator[LaneSpan]:
    """Spans, without those that would be drawn over one another within a fifth of a point."""
    last: dict[str, float] = {}
    for span in spans:
        if span.end - last.get(span.kind, -1.0) >= least:
            last[span.kind] = span.end
            yield span


def _told(span: LaneSpan) -> str:
    line = f", {span.place.short()}" if span.place is not None and span.place.file else ""
    size = f", {span.bytes:,} bytes" if span.bytes else ""
    return f"{KINDS[span.kind]}: {span.name}, {(span.end - span.start) * 1e6:,.1f} µs{size}{line}"


def _axis(seconds: float, left: int, y: int, scale: float) -> Iterator[str]:
    for k in range(5):
        at = seconds * k / 4
        anchor = "end" if k == 4 else "middle"
        yield (f'<text x="{left + at * scale:.1f}" y="{y + 8}" text-anchor="{anchor}" fill="#7d8590">'
               f"{at * 1e3:.3g} ms</text>")  # fmt: skip


def merged(texts: Iterable[str], source: str) -> Timeline:
    """One timeline from the JSON texts of several ranks' own, in their order."""
    lanes = []
    for text in texts:
        for lane in json.loads(text)["lanes"]:
            spans = [LaneSpan(s["kind"], s["name"], s["start"], s["end"], s["bytes"]) for s in lane["spans"]]
            lanes.append(Lane(lane["name"], spans))
    return Timeline(lanes, source)
