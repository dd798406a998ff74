"""Layered layout: where each box, frame, label and edge goes. Needs nothing but the graph.

After Sugiyama, Tagawa, Toda (1981): layers by longest path, order by barycentres, then positions; clusters are laid
out first and count as one box in the cluster around them. Positions within a layer minimise squared distances to
the neighbours under the order kept (isotonic regression). An edge is vertical within a layer, in a lane of its own,
and bends only between layers; a label stands beside the vertical start of its edge. So boxes and labels can't overlap.
From left to right is the same with the axes exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .graph import Cluster, Edge, Graph, Node

CHARACTER, LINE = 7.3, 16.0  # of the 12 px monospaced font
LABEL_CHARACTER, LABEL = 6.1, 18.0  # of the 10 px font of labels
PADDING, APART, GAP, MARGIN, TITLE = 9.0, 26.0, 40.0, 16.0, 24.0
LANE = 14.0
SWEEPS = 12


@dataclass(slots=True)
class Item:
    """A box, a frame, or a lane that a long edge takes through a layer. x, y: top left, within its cluster at first."""

    id: str
    width: float
    height: float
    outs: tuple[str, ...] = ()
    source: Node | Cluster | None = None
    x: float = 0.0
    y: float = 0.0
    slots: int = 0
    inner: Layer | None = None
    across: bool = False  # layers from left to right: x and y are exchanged until everything is placed

    @property
    def centre(self) -> float:
        return self.x + self.width / 2

    @property
    def slot_height(self) -> float:
        """Its height with the labels below it."""
        return self.height + (_label_room(self.outs, self.across) if any(self.outs) else 0.0)

    def out_x(self, k: int) -> float:
        """Where out `k` leaves, at the bottom."""
        if not any(self.outs):
            return self.centre
        if self.across:
            return self.centre + (k - (len(self.outs) - 1) / 2) * LABEL
        if len(self.outs) == 1:
            return self.centre - min(_label_width(self.outs[0]) / 2, self.width / 2 - 8)
        return self.centre - _outs_width(self.outs) / 2 + sum(_label_width(o) for o in self.outs[:k]) + 6

    def slot_x(self, k: int) -> float:
        """Where input `k` arrives, at the top."""
        return self.x + self.width * (k + 1) / (self.slots + 1)


@dataclass(slots=True)
class Route:
    """The way of an edge: a list of points; between two of different x it bends."""

    points: list[tuple[float, float]]


@dataclass(slots=True)
class Layer:
    """The laid-out inside of one cluster."""

    items: list[Item] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0


@dataclass(slots=True)
class Layout:
    """Everything with absolute places: boxes, frames (outer ones first), edges."""

    width: float = 0.0
    height: float = 0.0
    boxes: list[Item] = field(default_factory=list)
    frames: list[Item] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)


def lay_out(graph: Graph, across: bool = False) -> Layout:
    """Places for everything in a graph: layers from top to bottom, or, with `across`, from left to right."""
    whole = _inside(graph, "", across)
    layout = Layout(whole.width + 2 * MARGIN, whole.height + 2 * MARGIN)
    _collect(whole, MARGIN, MARGIN, layout)
    if across:
        _exchange_axes(layout)
    return layout


def _exchange_axes(layout: Layout) -> None:
    layout.width, layout.height = layout.height, layout.width
    for item in (*layout.boxes, *layout.frames):
        item.x, item.y, item.width, item.height = item.y, item.x, item.height, item.width
    layout.routes = [Route([(y, x) for x, y in route.points]) for route in layout.routes]


def label_place(item: Item, k: int) -> tuple[float, float]:
    """Where the text of out `k` of a placed box begins, beside the start of its edge."""
    if not item.across:
        return item.out_x(k) + 5, item.y + item.height + LABEL - 5
    middle = item.y + item.height / 2 + (k - (len(item.outs) - 1) / 2) * LABEL
    return item.x + item.width + 4, middle - 4


def _collect(layer: Layer, x: float, y: float, layout: Layout) -> None:
    for route in layer.routes:
        layout.routes.append(Route([(a + x, b + y) for a, b in route.points]))
    for item in layer.items:
        item.x, item.y = item.x + x, item.y + y
        if item.inner is None:
            layout.boxes.append(item)
        else:
            layout.frames.append(item)
            left, top = (TITLE, MARGIN) if item.across else (MARGIN, TITLE)
            _collect(item.inner, item.x + left, item.y + top, layout)


def _inside(graph: Graph, cluster: str, across: bool) -> Layer:
    """Lay out the members of a cluster, inner clusters first."""
    items = [_box(node, across) for node in graph.nodes if node.cluster == cluster]
    items += [_frame(graph, inner, across) for inner in graph.clusters if inner.parent == cluster]
    known = {item.id: item for item in items}
    edges = [e for e in graph.edges if e.source in known and e.target in known]
    for edge in edges:
        known[edge.target].slots = max(known[edge.target].slots, edge.slot + 1)
    return _Layered(items, edges).place()


def _box(node: Node, across: bool) -> Item:
    width = max((len(line) for line in node.lines), default=1) * CHARACTER + 2 * PADDING
    height = max(1, len(node.lines)) * LINE + PADDING
    if across:
        return Item(node.id, max(height, len(node.outs) * LABEL), width, node.outs, node, across=True)
    return Item(node.id, max(width, _outs_width(node.outs)), height, node.outs, node)


def _frame(graph: Graph, cluster: Cluster, across: bool) -> Item:
    inner = _inside(graph, cluster.id, across)
    title = len(cluster.title) * CHARACTER
    if across:
        width, height = inner.width + TITLE + MARGIN, max(inner.height, title) + 2 * MARGIN
        return Item(cluster.id, width, height, cluster.outs, cluster, inner=inner, across=True)
    width = max(inner.width, title, _outs_width(cluster.outs)) + 2 * MARGIN
    shift = (width - 2 * MARGIN - inner.width) / 2
    for item in inner.items:
        item.x += shift
    inner.routes = [Route([(x + shift, y) for x, y in route.points]) for route in inner.routes]
    return Item(cluster.id, width, inner.height + TITLE + MARGIN, cluster.outs, cluster, inner=inner)


def _label_room(outs: Sequence[str], across: bool) -> float:
    """Between a box and the next layer, for its labels."""
    return max(_label_width(o) for o in outs) - 10.0 if across else LABEL


def _label_width(label: str) -> float:
    return len(label) * LABEL_CHARACTER + 18.0


def _outs_width(outs: Sequence[str]) -> float:
    """Room for the labels side by side; one label may stand out of its narrow box."""
    return sum(_label_width(label) for label in outs) if any(outs) else 0.0


class _Layered:
    """The members of one cluster in layers. Lanes (items without source) carry edges through layers between."""

    def __init__(self, items: list[Item], edges: list[Edge]) -> None:
        self.items = items
        self.edges = edges
        self.rank = _ranks(items, edges)
        self.layers: list[list[Item]] = [[] for _ in range(max(self.rank.values(), default=-1) + 1)]
        for item in items:
            self.layers[self.rank[item.id]].append(item)
        self.before: dict[str, list[Item]] = {}
        self.after: dict[str, list[Item]] = {}
        self.paths: list[tuple[Edge, list[Item]]] = []
        known = {item.id: item for item in items}
        lanes: dict[tuple[str, int, int], Item] = {}  # edges of one value share their lanes
        for edge in edges:
            self.paths.append((edge, self._path(known[edge.source], known[edge.target], edge, lanes)))

    def _path(self, source: Item, target: Item, edge: Edge, lanes: dict[tuple[str, int, int], Item]) -> list[Item]:
        path = [source]
        for rank in range(self.rank[source.id] + 1, self.rank[target.id]):
            key = (source.id, edge.out, rank)
            if key not in lanes:
                lanes[key] = Item(f"{source.id}.{edge.out}.{rank}", LANE, 0.0)
                self.layers[rank].append(lanes[key])
            path.append(lanes[key])
        path.append(target)
        for a, b in pairwise(path):
            if a not in self.before.setdefault(b.id, []):
                self.before[b.id].append(a)
                self.after.setdefault(a.id, []).append(b)
        return path

    def place(self) -> Layer:
        self._order()
        self._positions()
        left = min((item.x for layer in self.layers for item in layer), default=0.0)
        y, tops = 0.0, []
        for layer in self.layers:
            tops.append(y)
            height = max(item.slot_height for item in layer)
            for item in layer:
                item.x -= left
                item.y = y
                item.height = item.height if item.source is not None else height
            y += height + GAP
        routes = [self._route(edge, path, tops) for edge, path in self.paths]
        width = max((item.x + item.width for layer in self.layers for item in layer), default=0.0)
        return Layer(self.items, routes, width, max(y - GAP, 0.0))

    def _order(self) -> None:
        """Sort layers by the mean place of their neighbours, downwards and upwards in turn; keep the best order."""
        best, fewest = [list(layer) for layer in self.layers], self._crossings()
        for sweep in range(SWEEPS):
            down = sweep % 2 == 0
            places = {item.id: k / max(1, len(layer)) for layer in self.layers for k, item in enumerate(layer)}
            for layer in self.layers if down else reversed(self.layers):
                near = self.before if down else self.after
                centre = {i.id: _mean([places[n.id] for n in near.get(i.id, [])], places[i.id]) for i in layer}
                layer.sort(key=lambda item: centre[item.id])
                places.update((item.id, k / max(1, len(layer))) for k, item in enumerate(layer))
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [list(layer) for layer in self.layers], crossings
        self.layers = best

    def _crossings(self) -> int:
        total = 0
        for upper, lower in zip(self.layers, self.layers[1:], strict=False):
            place = {item.id: k for k, item in enumerate(lower)}
            ends = [end for item in upper for end in sorted(place[n.id] for n in self.after.get(item.id, []))]
            total += _inversions(ends)
        return total

    def _positions(self) -> None:
        """Move items towards their neighbours, layer by layer, without changing their order."""
        for layer in self.layers:
            x = 0.0
            for item in layer:
                item.x = x
                x += item.width + APART
        for sweep in range(2 * SWEEPS):
            down = sweep % 2 == 0
            for layer in self.layers if down else reversed(self.layers):
                near = self.before if down else self.after
                _align(layer, [_mean([n.centre for n in near.get(i.id, [])], i.centre) for i in layer])

    def _route(self, edge: Edge, path: list[Item], tops: list[float]) -> Route:
        """Down from the source past its layer, through the lanes, down to the target."""
        source, *lanes, target = path
        x = source.out_x(edge.out)
        points = [(x, source.y + source.height), (x, self._bottom(source, tops))]
        for lane in lanes:
            points += [(lane.centre, lane.y), (lane.centre, self._bottom(lane, tops))]
        return Route([*points, (target.slot_x(edge.slot), target.y)])

    def _bottom(self, item: Item, tops: list[float]) -> float:
        rank = next(k for k, top in enumerate(tops) if top == item.y)
        return item.y + max(i.slot_height for i in self.layers[rank])


def _ranks(items: Iterable[Item], edges: Sequence[Edge]) -> dict[str, int]:
    """Layers by longest path from the sources; then sources move down to just above their first reader."""
    into: dict[str, list[str]] = {item.id: [] for item in items}
    out_of: dict[str, list[str]] = {name: [] for name in into}
    for edge in edges:
        into[edge.target].append(edge.source)
        out_of[edge.source].append(edge.target)
    waiting = {name: len(sources) for name, sources in into.items()}
    ready = [name for name, count in waiting.items() if not count]
    rank = dict.fromkeys(into, 0)
    for name in ready:  # grows while it is read
        for target in out_of[name]:
            rank[target] = max(rank[target], rank[name] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for name, sources in into.items():
        if not sources and out_of[name]:
            rank[name] = min(rank[t] for t in out_of[name]) - 1
    lowest = min(rank.values(), default=0)
    return _without_gaps({name: r - lowest for name, r in rank.items()})


def _without_gaps(rank: dict[str, int]) -> dict[str, int]:
    used = {r: k for k, r in enumerate(sorted(set(rank.values())))}
    return {name: used[r] for name, r in rank.items()}


def _align(layer: list[Item], centres: list[float]) -> None:
    """Centres as near to these as order and distances allow: pool adjacent violators on shifted positions."""
    shifts, shift = [], 0.0
    for k, item in enumerate(layer):
        shift += 0.0 if k == 0 else (layer[k - 1].width + item.width) / 2 + APART
        shifts.append(shift)
    pools: list[tuple[float, int]] = []  # (mean, count)
    for centre, moved in zip(centres, shifts, strict=True):
        mean, count = centre - moved, 1
        while pools and pools[-1][0] > mean:
            other, n = pools.pop()
            mean, count = (mean * count + other * n) / (count + n), count + n
        pools.append((mean, count))
    means = [mean for mean, count in pools for _ in range(count)]
    for item, mean, moved in zip(layer, means, shifts, strict=True):
        item.x = mean + moved - item.width / 2


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _inversions(values: list[int]) -> int:
    """Pairs in the wrong order."""
    counts = [0] * (max(values, default=0) + 1)
    total = 0
    for k, value in enumerate(values):
        total += k - sum(counts[: value + 1])
        counts[value] += 1
    return total
