"""The graph of a program as the report draws it: one box per operation or fused group, and who stands behind each box.

Unlike `program_graph` it stays small on large programs: groups are closed, constants are left out, and there an edge
over many layers is cut into two ends, so that the layout needs no lane for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...ir.core import Block, Operation, Program, Value
from ...ops.control import call, for_, function, if_, while_
from ...ops.effects import Effect
from ...ops.lowering import Custom, Library
from ..graph import Cluster, Edge, Graph, Node
from ..layout import Item, lay_out
from .numbers import Numbers

LARGE = 120  # boxes from which parameters aren't drawn and long edges are cut
MOST = 700  # boxes beyond which there is no picture
FAR = 8  # layers that an edge may cross in a large graph
_TITLES = {
    if_.name: ("then", "else"), while_.name: ("while", "do"), for_.name: ("each iteration",),
    function.name: ("each call",),
}  # fmt: skip


def picture(program: Program, names: Mapping[Value, str], numbers: Numbers, most: int) -> dict[str, Any] | None:
    """The laid-out graph as plain data; None for one of more than `most` boxes.

    boxes: [x, y, width, height, kind, operation or -1, lines…]; frames: [x, y, width, height, operation or -1, title];
    edges: [points…]; labels: [x, y, text].
    """
    made = _Outline(program, names)
    if len(made.graph.nodes) > most:
        return None
    layout = lay_out(made.graph)

    def owner(item: Item) -> int:
        return numbers[made.owner[item.id]] if item.id in made.owner else -1

    def place(item: Item) -> list[float]:
        return [round(item.x), round(item.y), round(item.width), round(item.height)]

    boxes = [
        [*place(item), item.source.kind, owner(item), *item.source.lines]
        for item in layout.boxes
        if isinstance(item.source, Node)
    ]
    frames = [
        [*place(item), owner(item), item.source.title] for item in layout.frames if isinstance(item.source, Cluster)
    ]
    routes = [[round(n) for point in route.points for n in point] for route in layout.routes]
    return {
        "width": round(layout.width), "height": round(layout.height), "boxes": boxes, "frames": frames, "edges": routes
    }  # fmt: skip


class _Outline:
    def __init__(self, program: Program, names: Mapping[Value, str]) -> None:
        self.program, self.names = program, names
        self.graph = Graph(program.name)
        self.owner: dict[str, Operation] = {}
        self.is_large = sum(1 for _ in _shown(program.body)) > LARGE
        self.count = 0
        sources: dict[Value, str] = {}
        for k, value in enumerate(program.body.args):
            feed = k < len(program.feeds)
            if value.uses and (feed or not self.is_large):
                role = "feed" if feed else program.state[k - len(program.feeds)].kind
                sources[value] = self._box("feed" if feed else "state", (names[value], role, str(value.type)), "")
        self._block(program.body, "", sources)

    def _box(self, kind: str, lines: tuple[str, ...], cluster: str) -> str:
        self.count += 1
        made = f"n{self.count}"
        self.graph.nodes.append(Node(made, tuple(_short(line) for line in lines if line), kind, cluster))
        return made

    def _block(self, block: Block, cluster: str, sources: dict[Value, str]) -> None:
        depth: dict[str, int] = {}
        for operation in block.operations:
            if operation.name in ("constant", "full") and self._is_plain(operation):
                continue
            if operation.is_terminator and self.is_large and cluster == "":
                continue
            made = self._frame(operation, cluster) if _is_open(operation) else self._operation(operation, cluster)
            self.owner[made] = operation
            sources.update(dict.fromkeys(operation.results, made))
            self._connect(operation, made, cluster, sources, depth)

    def _connect(
        self, operation: Operation, made: str, cluster: str, sources: dict[Value, str], depth: dict[str, int]
    ) -> None:
        read = dict.fromkeys([*operation.operands, *_captured(operation)])
        ends = []
        for value in read:
            source = sources.get(value)
            if source is None:
                if value.operation is not None and self._is_plain(value.operation):
                    continue
                if cluster == "":
                    continue  # a parameter of a large program
                source = sources[value] = self._box("outer", (self.names[value],), cluster)
            ends.append((value, source))
        near = max((depth.get(source, 0) for _, source in ends), default=-1) + 1
        depth[made] = near
        for slot, (value, source) in enumerate(ends):
            if self.is_large and near - depth.get(source, 0) > FAR:
                source = self._box("outer", (self.names[value],), cluster)
                self.owner.update({source: value.operation} if value.operation is not None else {})
            self.graph.edges.append(Edge(source, made, 0, slot))

    def _is_plain(self, operation: Operation) -> bool:
        return operation.name in ("constant", "full") and not operation.operands

    def _operation(self, operation: Operation, cluster: str) -> str:
        results = ", ".join(self.names[r] for r in operation.results)
        kinds = ", ".join(str(r.type) for r in operation.results)
        if operation.is_terminator:
            return self._box("result", (operation.name,), cluster)
        if operation.name == "group":
            inner = [o.name for o in operation.blocks[0].operations if not _is_silent(o)]
            words = list(dict.fromkeys(inner))
            return self._box(
                "reduction", (" ".join(words[:4]) + (" …" if len(words) > 4 else ""), results, kinds), cluster
            )
        title = str(operation.attrs["callee"]) if "callee" in operation.attrs else operation.name
        return self._box(_kind(operation), (title, results, kinds), cluster)

    def _frame(self, operation: Operation, cluster: str) -> str:
        self.count += 1
        made = f"c{self.count}"
        self.graph.clusters.append(Cluster(made, operation.name, cluster))
        titles = _TITLES.get(operation.name, ())
        for k, block in enumerate(operation.blocks):
            if operation.name == while_.name and k == 0 and len(block.operations) == 1:
                continue  # the test is a value that the body makes
            inner = f"{made}.{k}"
            self.graph.clusters.append(Cluster(inner, titles[k] if k < len(titles) else "", made))
            sources = {a: self._box("argument", (self.names[a],), inner) for a in block.args if a.uses}
            self._block(block, inner, sources)
        return made


def _shown(block: Block) -> Iterator[Operation]:
    for operation in block.operations:
        if not _is_silent(operation):
            yield operation
        for inner in operation.blocks if _is_open(operation) else ():
            yield from _shown(inner)


def _is_open(operation: Operation) -> bool:
    return bool(operation.blocks) and operation.name != "group"


def _is_silent(operation: Operation) -> bool:
    return operation.is_terminator or operation.name == "constant"


def _captured(operation: Operation) -> Iterator[Value]:
    """What the blocks of an operation read from around it."""
    for block in operation.blocks:
        for inner in block.operations:
            for value in (*inner.operands, *_captured(inner)):
                if not block.encloses(value.block):
                    yield value


def _kind(operation: Operation) -> str:
    if operation.op.effect in (Effect.CALLBACK, Effect.COLLECTIVE) and operation.op is not call:
        return "callback"
    if operation.op.effect is Effect.STATE:
        return "state"
    return "contraction" if isinstance(operation.op.lowering, (Library, Custom)) else "op"


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
