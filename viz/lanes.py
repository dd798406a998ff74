"""A page of lanes: what each rank of a run does when, with the sums of its times and the longest exchanges."""

from __future__ import annotations

from html import escape

from ..base.html import grid
from ..runtime.observe.timeline import COMPUTE, KINDS, Timeline

_STYLE = """
:root { color-scheme: light dark }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 1240px; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.3rem } h2 { font-size: 1.05rem; margin-top: 2rem }
svg { width: 100%; height: auto }
table { border-collapse: collapse }
th, td { padding: 2px 12px 2px 0; text-align: right; border-bottom: 1px solid #8884 }
th:first-child, td:first-child { text-align: left }
"""
_LONGEST = 20


def lanes_text(timeline: Timeline, title: str = "lanes of ranks") -> str:
    """The page as text. It runs no script."""
    told = f"{len(timeline.lanes)} rank(s), {timeline.seconds * 1e3:,.3f} ms, {timeline.source}"
    header = ("", *(f"{word} ms" for word in KINDS.values()), "share computing")
    sums = [
        [lane.name, *(f"{lane.seconds(kind) * 1e3:,.3f}" for kind in KINDS),
         f"{lane.seconds(COMPUTE) / timeline.seconds:.0%}" if timeline.seconds else ""]
        for lane in timeline.lanes
    ]  # fmt: skip
    spans = [(s.end - s.start, lane.name, s) for lane in timeline.lanes for s in lane.spans if s.kind != COMPUTE]
    found = sorted(spans, key=lambda item: -item[0])[:_LONGEST]
    longest = [
        [name, KINDS[s.kind], s.name, f"{s.start * 1e3:,.3f}", f"{seconds * 1e3:,.3f}",
         f"{s.bytes:,}" if s.bytes else "", s.place.short() if s.place is not None and s.place.file else ""]
        for seconds, name, s in found
    ]  # fmt: skip
    rows = grid(("", "", "exchange", "begins ms", "ms", "bytes", "line"), longest, right=range(3, 6))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)} – vitrify report</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1><p>{escape(told)}</p>{timeline.svg(1200)}"
        f"<h2>times of each rank</h2>{grid(header, sums, right=range(1, len(header)))}"
        f"<h2>the longest exchanges and waits</h2>{rows}</body></html>\n"
    )
