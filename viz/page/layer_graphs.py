"""The captured program folded by layer, as pictures within each other: a box is a layer, and opens to its own picture.

Operations outside of layers are folded by line; gradients and updates are boxes of their own. Boxes are made as in
vt.draw(depth=…): the picture has no cycles, so a layer that is called twice is two boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...base.location import Loc
from ...ir.core import Operation, Program, Value
from ...ir.walk import walk
from ...runtime.observe.step_titles import FORWARD, GRADIENT, WORDS, role_of, title_of
from ..fold import FoldedBox, boxes_of
from ..graph import Edge, Graph, Node
from ..layout import Layout, lay_out
from .numbers import Numbers

MOST_BOXES, MOST_ABOVE = 120, 250  # of a picture within the first one, and of the first one
MOST_OUTSIDE = 6  # values from outside that a picture names
_LONGEST = 38


def layer_graphs(program: Program, names: Mapping[Value, str], numbers: Numbers) -> dict[str, dict[str, Any]]:
    """Pictures by their keys; "" is the whole program, and the first one.

    boxes: [x, y, width, height, kind, key of the box's own picture or "", operations, layer's path, role, lines…];
    edges: [points…]; title: what the picture shows.
    """
    folder = _Folder(program, names, numbers)
    operations = [o for o in program.body.operations if not (o.is_terminator or _is_plain(o))]
    if operations:
        folder.level("", "", operations, 1)
    return folder.made


class _Folder:
    def __init__(self, program: Program, names: Mapping[Value, str], numbers: Numbers) -> None:
        self.program, self.names, self.numbers = program, names, numbers
        self.made: dict[str, dict[str, Any]] = {}
        tops = {o.loc.layer.partition(" ")[0].split(".")[0] for o in walk(program.body) if o.loc.layer}
        self.skipped = int(len(tops) == 1)
        self.paths: dict[Operation, tuple[str, ...]] = {}
        self.layouts: dict[Any, Layout] = {}  # layers of one kind often look the same

    def path(self, operation: Operation) -> tuple[str, ...]:
        """The boxes within each other that an operation stands in; the last is its own."""
        known = self.paths.get(operation)
        if known is None:
            known = self.paths[operation] = (*self._layers(operation), str(self.numbers[operation]))
        return known

    def _layers(self, operation: Operation) -> tuple[str, ...]:
        role, purpose = role_of(operation), operation.loc.purpose
        names = tuple(operation.loc.layer.partition(" ")[0].split("."))[self.skipped :]
        if role == FORWARD:
            return names or (_line(operation.loc),)
        assert purpose is not None
        if role == GRADIENT:
            return (
                (f"{names[0]} gradient", *names[1:])
                if names
                else (f"gradient: {_line(purpose.place or operation.loc)}",)
            )
        return (f"{purpose.of} update", purpose.target)

    def level(self, key: str, title: str, operations: Sequence[Operation], depth: int) -> bool:
        """Make the picture of some operations, folded at a depth or, where that is one box, deeper; whether it is."""
        members = {str(k): Node(str(k), (), path=self.path(o)) for k, o in enumerate(operations)}
        place = {o: str(k) for k, o in enumerate(operations)}
        makers = {r: o for o in operations for r in o.results}
        edges = [
            Edge(place[makers[v]], place[o]) for o in operations for v in _read(o) if v in makers and makers[v] is not o
        ]
        deepest = max(len(self.path(o)) for o in operations)
        while True:
            box_of = boxes_of(members, edges, depth)
            boxes = list(dict.fromkeys(box_of.values()))
            if len(boxes) > 1 or depth > deepest:
                break
            depth += 1
        if len(boxes) > (MOST_BOXES if key else MOST_ABOVE) or (key and len(boxes) == 1):
            return False
        picture = self.made[key] = {"title": title}
        self._picture(picture, key, operations, box_of, boxes, depth)
        return True

    def _picture(
        self, picture: dict[str, Any], key: str, operations: Sequence[Operation], box_of: Mapping[str, FoldedBox],
        boxes: Sequence[FoldedBox], depth: int,
    ) -> None:  # fmt: skip
        graph = Graph(key)
        inside = {box: [operations[int(m.id)] for m in box.members] for box in boxes}
        facts: dict[str, list[Any]] = {}
        for k, box in enumerate(boxes):
            held = inside[box]
            title = self._title(held, depth)
            child = f"{key}/{k}" if len(held) > 1 else ""
            if child and not self.level(child, title, held, depth + 1):
                child = ""
            role = role_of(held[0])
            kind = "op" if len(held) == 1 else ("reduction", "contraction", "state")[role]
            path = self._layer(held, depth)
            facts[f"b{k}"] = [child, [self.numbers[o] for o in held], path, role]
            graph.nodes.append(Node(f"b{k}", (title, self._note(held, title)), kind))
        self._edges(graph, operations, box_of, boxes)
        looks = (tuple((n.id, n.lines, n.kind) for n in graph.nodes), tuple(graph.edges))
        layout = self.layouts.get(looks) or self.layouts.setdefault(looks, lay_out(graph))
        picture["boxes"] = [
            [round(i.x), round(i.y), round(i.width), round(i.height), i.source.kind, *facts.get(i.id, ["", [], "", 0]),
             *i.source.lines]
            for i in layout.boxes if isinstance(i.source, Node)
        ]  # fmt: skip
        picture["edges"] = [[round(n) for point in route.points for n in point] for route in layout.routes]
        picture["width"], picture["height"] = round(layout.width), round(layout.height)

    def _edges(
        self, graph: Graph, operations: Sequence[Operation], box_of: Mapping[str, FoldedBox], boxes: Sequence[FoldedBox]
    ) -> None:
        """Edges between boxes, once each, and boxes for what comes from outside."""
        number = {box: f"b{k}" for k, box in enumerate(boxes)}
        makers = {r: number[box_of[str(k)]] for k, o in enumerate(operations) for r in o.results}
        outside: dict[str, str] = {}
        seen: dict[tuple[str, str], None] = {}
        slots: dict[str, int] = {}
        for k, operation in enumerate(operations):
            target = number[box_of[str(k)]]
            for value in _read(operation):
                source = makers.get(value) or self._outside(value, outside)
                if source and source != target and (source, target) not in seen:
                    seen[source, target] = None
                    graph.edges.append(Edge(source, target, 0, slots.setdefault(target, 0)))
                    slots[target] += 1
        for label, name in outside.items():
            graph.nodes.append(Node(name, (label,), "feed" if label in self.program.feeds else "outer"))

    def _outside(self, value: Value, known: dict[str, str]) -> str:
        """The box of a value from outside of the picture; empty for parameters and constants."""
        if value.operation is None:
            label = self.names[value] if value in self.program.body.args[: len(self.program.feeds)] else ""
            label = label.lstrip("%")
        else:
            label = "" if _is_plain(value.operation) else _short(".".join(self.path(value.operation)[:-1]))
        if not label or (label not in known and len(known) >= MOST_OUTSIDE):
            return ""
        return known.setdefault(label, f"o{len(known)}")

    def _title(self, held: Sequence[Operation], depth: int) -> str:
        """The layer or line that a box stands for, or its operation."""
        path = self.path(held[0])[:-1]
        if len(held) > 1 or len(path) >= depth:
            return _short(path[min(depth, len(path)) - 1])
        return WORDS.get(held[0].name, held[0].name)

    def _layer(self, held: Sequence[Operation], depth: int) -> str:
        """The path of the layer that a box stands for, as the page's table of layers has it; empty for other boxes."""
        names, deep = held[0].loc.layer.partition(" ")[0].split("."), self.skipped + depth
        return ".".join(names[:deep]) if held[0].loc.layer and len(names) >= deep else ""

    def _note(self, held: Sequence[Operation], title: str) -> str:
        if len(held) > 3:
            return f"{len(held)} operations"
        shown = _short(title_of(held).removeprefix("gradient of "))
        return shown if shown != title else ", ".join(str(r.type) for r in held[0].results[:1])


def _line(loc: Loc) -> str:
    return _short(loc.text() or loc.short())


def _read(operation: Operation) -> Iterator[Value]:
    """What an operation, or its blocks, read from around it."""
    yield from operation.operands
    for block in operation.blocks:
        for inner in block.operations:
            for value in _read(inner):
                if not block.encloses(value.block):
                    yield value


def _is_plain(operation: Operation) -> bool:
    return operation.name in ("constant", "full") and not operation.operands


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
