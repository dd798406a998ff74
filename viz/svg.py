"""A laid-out graph as one self-contained SVG text: no scripts, no fonts, no links."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from .graph import KINDS, Cluster, Graph, Node
from .layout import LINE, MARGIN, PADDING, TITLE, Item, Route, label_place, lay_out

COLOURS = {
    "feed": ("#d9f0d3", "#3d8b37"),
    "state": ("#fde9c4", "#b7791f"),
    "op": ("#eef2f7", "#64748b"),
    "reduction": ("#dbeafe", "#3b6fc4"),
    "contraction": ("#e5dcfa", "#6d4bb5"),
    "callback": ("#fbd9de", "#b8324a"),
    "constant": ("#f5f5f4", "#8a8580"),
    "argument": ("#e2f3f5", "#2b7a84"),
    "outer": ("#ffffff", "#9aa3af"),
    "folded": ("#fff7d6", "#a07a12"),
    "saved": ("#ffe4d1", "#c2611f"),
    "result": ("#3f4752", "#3f4752"),
}
KERNELS = ("#0f766e", "#b45309", "#6d28d9", "#be185d", "#1d4ed8", "#4d7c0f", "#a21caf", "#b91c1c")
_STYLE = """
text { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 12px; fill: #1f2933; }
.name { font-weight: 600; } .detail { fill: #52606d; font-size: 11px; } .label { fill: #52606d; font-size: 10px; }
.frame { fill: #2b7a84; fill-opacity: 0.05; stroke: #2b7a84; stroke-opacity: 0.5; } .light { fill: #ffffff; }
.edge { fill: none; stroke: #7b8794; stroke-width: 1.2; }
"""
_ARROW = """<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0,0.5 L8,4 L0,7.5 z" fill="#7b8794"/></marker></defs>"""


def svg_text(graph: Graph, across: bool = False) -> str:
    """The picture of a graph: from top to bottom, or, with `across`, from left to right."""
    layout = lay_out(graph, across)
    used = {node.kind for node in graph.nodes}
    legend = [kind for kind in KINDS if kind in used]
    legend += ["kernel"] * any(c.kernel for c in graph.clusters)
    head = MARGIN + (TITLE if graph.title else 0.0)
    top = head + TITLE * len(_rows(legend, layout.width))
    width = max(layout.width, 320.0, len(graph.title) * 9.0)
    size = f'width="{_n(width)}" height="{_n(layout.height + top)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_n(width)} {_n(layout.height + top)}">',
        f"<style>{_STYLE}</style>",
        _ARROW,
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{_n(MARGIN)}" y="{_n(MARGIN + 8)}" class="name">{escape(graph.title)}</text>',
        *_legend(legend, head, layout.width),
        f'<g transform="translate({_n((width - layout.width) / 2)},{_n(top)})">',
    ]
    parts += [part for frame in layout.frames for part in _frame(frame)]
    parts += [_edge(route, across) for route in layout.routes]
    parts += [part for box in layout.boxes for part in _box(box)]
    parts += [part for item in (*layout.frames, *layout.boxes) for part in _labels(item)]
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


_LEGEND = KINDS | {"kernel": "fused kernel, a colour each"}


def _pale(colour: str) -> str:
    """A colour mixed with nine parts of white."""
    parts = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{255 - (255 - p) // 9:02x}" for p in parts)


def _rows(legend: list[str], width: float) -> list[list[str]]:
    """The legend broken into rows of the picture's width."""
    rows: list[list[str]] = []
    room = 0.0
    for kind in legend:
        need = len(_LEGEND[kind]) * 6.7 + 34
        if not rows or need > room:
            rows.append([])
            room = max(width, 320.0) - 2 * MARGIN
        rows[-1].append(kind)
        room -= need
    return rows


def _legend(legend: list[str], top: float, width: float) -> Iterator[str]:
    for k, row in enumerate(_rows(legend, width)):
        x = MARGIN
        for kind in row:
            fill, stroke = COLOURS.get(kind, (_pale(KERNELS[0]), KERNELS[0]))
            y = top + k * TITLE
            yield f'<rect x="{_n(x)}" y="{_n(y)}" width="12" height="12" rx="3" fill="{fill}" stroke="{stroke}"/>'
            yield f'<text x="{_n(x + 17)}" y="{_n(y + 10)}" class="detail">{_LEGEND[kind]}</text>'
            x += len(_LEGEND[kind]) * 6.7 + 34


def _frame(item: Item) -> Iterator[str]:
    assert isinstance(item.source, Cluster)
    if item.source.kernel:
        colour = KERNELS[(item.source.kernel - 1) % len(KERNELS)]
        yield _rect(item, f'fill="{_pale(colour)}" stroke="{colour}" stroke-width="1.6"', 6)
    else:
        yield _rect(item, 'class="frame"', 6)
    yield _text(item.x + 10, item.y + 16, item.source.title, "name")


def _box(item: Item) -> Iterator[str]:
    node = item.source
    assert isinstance(node, Node)
    fill, stroke = COLOURS.get(node.kind, COLOURS["op"])
    dashed = ' stroke-dasharray="4 3"' if node.kind == "outer" else ""
    yield f"<g><title>{escape(node.tip)}</title>" if node.tip else "<g>"
    round_ = 12 if node.kind in ("feed", "state", "argument", "outer") else 4
    yield _rect(item, f'fill="{fill}" stroke="{stroke}"{dashed}', round_)
    for k, line in enumerate(node.lines):
        style = ("name" if k == 0 else "detail") + (" light" if node.kind == "result" else "")
        y = item.y + PADDING / 2 + 12 + k * LINE
        yield f'<text x="{_n(item.centre)}" y="{_n(y)}" text-anchor="middle" class="{style}">{escape(line)}</text>'
    yield "</g>"


def _labels(item: Item) -> Iterator[str]:
    for k, label in enumerate(item.outs):
        yield _text(*label_place(item, k), label, "label")


def _edge(route: Route, across: bool) -> str:
    """Straight along the flow; an S-bend of half the way where it changes lanes."""
    (x, y), *rest = route.points
    d = f"M{_n(x)},{_n(y)}"
    for to_x, to_y in rest:
        if abs(to_y - y if across else to_x - x) < 0.5:
            d += f" L{_n(to_x)},{_n(to_y)}"
        elif across:
            middle = (x + to_x) / 2
            d += f" C{_n(middle)},{_n(y)} {_n(middle)},{_n(to_y)} {_n(to_x)},{_n(to_y)}"
        else:
            middle = (y + to_y) / 2
            d += f" C{_n(x)},{_n(middle)} {_n(to_x)},{_n(middle)} {_n(to_x)},{_n(to_y)}"
        x, y = to_x, to_y
    return f'<path class="edge" d="{d}" marker-end="url(#tip)"/>'


def _rect(item: Item, style: str, radius: int) -> str:
    size = f'width="{_n(item.width)}" height="{_n(item.height)}"'
    return f'<rect x="{_n(item.x)}" y="{_n(item.y)}" {size} rx="{radius}" {style}/>'


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" class="{style}">{escape(text)}</text>'


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
