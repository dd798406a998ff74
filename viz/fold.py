"""Folding: boxes of one layer become one box, so that a picture of many hundred operations can be read.

Boxes are taken in the order of the program; each joins the last folded box of its layer unless something outside of
that box stands between them: the picture stays without cycles. So a layer that is called twice, or has a gradient, is
several boxes. Parameters and constants that only one box reads go into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..base.ordering import in_order
from .graph import Cluster, Edge, Graph, Node

Member = Node | Cluster
_ABSORBED = ("state", "constant", "outer")
MOST_NAMES, MOST_TITLE = 4, 60


@dataclass(eq=False, slots=True)
class FoldedBox:
    """What becomes one box: its members, and the boxes that it reads from."""

    key: tuple[str, ...]
    members: list[Member] = field(default_factory=list)
    needs: set[FoldedBox] = field(default_factory=set)


def fold(graph: Graph, depth: int) -> Graph:
    """The graph with everything deeper than `depth` layers in one box per layer. depth 1: the outermost layers."""
    made = Graph(graph.title)
    removed: set[str] = set()
    for container in ["", *(c.id for c in graph.clusters)]:
        if container not in removed:
            _fold_members(graph, container, depth, made, removed)
    return made


def _fold_members(graph: Graph, container: str, depth: int, made: Graph, removed: set[str]) -> None:
    members: dict[str, Member] = {n.id: n for n in graph.nodes if n.cluster == container}
    members |= {c.id: c for c in graph.clusters if c.parent == container}
    edges = [e for e in graph.edges if e.source in members and e.target in members]
    box_of = boxes_of(members, edges, depth)
    _absorb(members, edges, box_of)
    numbers: Counter[tuple[str, ...]] = Counter()
    names: dict[FoldedBox, str] = {}
    for box in dict.fromkeys(box_of.values()):
        if len(box.members) == 1:
            (member,) = box.members
            names[box] = member.id
            if isinstance(member, Node):
                made.nodes.append(member)
            else:
                made.clusters.append(member)
            continue
        numbers[box.key] += 1
        names[box] = f"f{box.members[0].id}"
        made.nodes.append(_folded(graph, box, edges, names[box], container, numbers[box.key]))
        removed.update(_within(graph, [m.id for m in box.members if isinstance(m, Cluster)]))
    made.edges += _edges(edges, box_of, names)


def boxes_of(members: Mapping[str, Member], edges: Iterable[Edge], depth: int) -> dict[str, FoldedBox]:
    """Which box each member goes into."""
    reads: dict[str, list[str]] = {name: [] for name in members}
    for edge in edges:
        reads[edge.target].append(edge.source)
    box_of: dict[str, FoldedBox] = {}
    latest: dict[tuple[str, ...], FoldedBox] = {}
    for name in in_order(members, reads.__getitem__):  # otherwise as the program has them
        member = members[name]
        sources = {box_of[s] for s in reads[name]}
        key = member.path[:depth]
        box = latest.get(key) if key else None
        if box is None or any(_leads_to(box, s) for s in sources - {box}):
            box = FoldedBox(key)
            if key:
                latest[key] = box
        box.members.append(member)
        box.needs |= sources - {box}
        box_of[name] = box
    return box_of


def _leads_to(source: FoldedBox, target: FoldedBox) -> bool:
    """Whether `target` needs `source`, directly or through others."""
    seen: set[FoldedBox] = set()
    stack = [target]
    while stack:
        box = stack.pop()
        if box is source:
            return True
        if box not in seen:
            seen.add(box)
            stack.extend(box.needs)
    return False


def _absorb(members: dict[str, Member], edges: list[Edge], box_of: dict[str, FoldedBox]) -> None:
    """Parameters and constants go into the only box that reads them, where that is a folded one."""
    readers: dict[str, set[FoldedBox]] = {}
    for edge in edges:
        readers.setdefault(edge.source, set()).add(box_of[edge.target])
    for name, member in members.items():
        found = readers.get(name, set())
        if isinstance(member, Node) and member.kind in _ABSORBED and len(found) == 1:
            (box,) = found
            if len(box.members) > 1:
                box.members.append(member)
                box_of[name] = box


def _folded(graph: Graph, box: FoldedBox, edges: list[Edge], name: str, container: str, number: int) -> Node:
    inside = {m.id for m in box.members}
    leaving = dict.fromkeys((e.source, e.out) for e in edges if e.source in inside and e.target not in inside)
    by_name = {m.id: m for m in box.members}
    outs = tuple(by_name[source].outs[out] for source, out in leaving if out < len(by_name[source].outs))
    every = [n for n in graph.nodes if n.id in inside or n.cluster in _within(graph, inside)]
    operations = Counter(_operation(n) for n in every if n.kind not in (*_ABSORBED, "argument", "result", "feed"))
    states = sum(n.kind == "state" and "update" not in n.lines[0] for n in every)
    title = _title(box.key) + (f" ({number})" if number > 1 else "")
    counted = _count(sum(operations.values()), "operation") + (f", {_count(states, 'parameter')}" if states else "")
    shown = [f"{o} × {c}" if c > 1 else o for o, c in operations.most_common(MOST_NAMES)]
    listed = ", ".join(shown) + (", …" if len(operations) > MOST_NAMES else "")
    tip = "\n".join(line for n in every for line in n.lines[:1])
    return Node(name, (title, counted, listed), "folded", container, outs or ("",), tip, box.key)


def _title(key: tuple[str, ...]) -> str:
    """The path of a layer; of lines the innermost one."""
    title = key[-1] if " " in key[-1] else ".".join(key)
    return title if len(title) <= MOST_TITLE else title[: MOST_TITLE - 1] + "…"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _operation(node: Node) -> str:
    return node.lines[0].rpartition(" = ")[2].split(" ")[0]


def _within(graph: Graph, names: Iterable[str]) -> set[str]:
    """Clusters of these names and all clusters inside them."""
    found = {c.id for c in graph.clusters if c.id in set(names)}
    grown = True
    while grown:
        more = {c.id for c in graph.clusters if c.parent in found} - found
        found |= more
        grown = bool(more)
    return found


def _edges(edges: list[Edge], box_of: dict[str, FoldedBox], names: dict[FoldedBox, str]) -> list[Edge]:
    """Edges between boxes: one for each value and reader, from its own out to its own slot."""
    outs: dict[str, dict[tuple[str, int], int]] = {}
    slots: dict[tuple[str, str, int, int], Edge] = {}
    count: Counter[str] = Counter()
    for edge in edges:
        source, target = box_of[edge.source], box_of[edge.target]
        if source is target:
            continue
        known = outs.setdefault(names[source], {})
        folded = len(source.members) > 1
        out = known.setdefault((edge.source, edge.out), len(known)) if folded else edge.out
        key = names[source], names[target], out
        if len(target.members) == 1:
            slots[*key, edge.slot] = replace(edge, source=names[source], out=out)
        elif (*key, -1) not in slots:
            slots[*key, -1] = Edge(names[source], names[target], out, count[names[target]])
            count[names[target]] += 1
    return list(slots.values())
