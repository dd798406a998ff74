"""What a picture shows: boxes, edges and clusters, as plain data; and the graph of a program.

A block of an `if` or a loop is a cluster. Values that it reads from outside appear inside it as small `outer` boxes,
so that no edge crosses a cluster's border: every edge joins two members of the same cluster.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.core import Block, Operation, Program, Value
from ..ir.literals import Constants, show_attr
from ..ir.printer import print_operation, value_names
from ..ops.control import for_, if_, while_
from ..ops.effects import Effect
from ..ops.lowering import Custom, Library
from ..ops.op import OPS

KINDS = {
    "feed": "feed",
    "state": "state",
    "op": "operation",
    "reduction": "reduction",
    "contraction": "library or loop nest",
    "callback": "Python callback",
    "constant": "constant",
    "argument": "block argument",
    "outer": "value from outside",
    "result": "result",
}


@dataclass(frozen=True, slots=True)
class Node:
    """One box: an identity, text lines (the first one is its title), a kind (a key of KINDS), the cluster it is in.

    outs: a label for each thing that leaves the box, usually the type of a result. `tip` shows when pointed at.
    """

    id: str
    lines: tuple[str, ...]
    kind: str = "op"
    cluster: str = ""
    outs: tuple[str, ...] = ("",)
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """From an out of one node or cluster to an input slot of another, both in the same cluster."""

    source: str
    target: str
    out: int = 0
    slot: int = 0


@dataclass(frozen=True, slots=True)
class Cluster:
    """A frame around nodes and other clusters; "" as parent is the whole picture."""

    id: str
    title: str
    parent: str = ""
    outs: tuple[str, ...] = ()
    tip: str = ""


@dataclass(slots=True)
class Graph:
    """A picture before layout."""

    title: str = ""
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)


def program_graph(program: Program) -> Graph:
    """The graph of a program. Constants of one element stand inside the boxes that read them."""
    return _ProgramGraph(program).graph


class _ProgramGraph:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = value_names(program)
        self.graph = Graph(f"@{program.name}")
        self.count = 0
        self.arguments(program)
        self.operations(program.body, "", self.sources)

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def arguments(self, program: Program) -> None:
        """Feeds and state entries; `sources` says where each value of the body comes from."""
        self.sources: dict[Value, tuple[str, int]] = {}
        outer = [*program.feeds, *(entry.name for entry in program.state)]
        for k, (value, name) in enumerate(zip(program.body.args, outer, strict=True)):
            feed = k < len(program.feeds)
            role = "feed" if feed else program.state[k - len(program.feeds)].kind
            lines = (name, role)
            self.sources[value] = self.box("feed" if feed else "state", lines, "", [value], f"{name}: {value.type}"), 0

    def box(self, kind: str, lines: tuple[str, ...], cluster: str, values: list[Value], tip: str = "") -> str:
        made = self.fresh("n")
        shown = tuple(_short(line) for line in lines if line)
        self.graph.nodes.append(Node(made, shown, kind, cluster, tuple(str(v.type) for v in values), tip))
        return made

    def operations(self, block: Block, cluster: str, sources: dict[Value, tuple[str, int]]) -> None:
        for operation in block.operations:
            if _is_inline(operation):
                continue
            made = self.frame(operation, cluster) if operation.blocks else self.operation(operation, cluster)
            for result in operation.results:
                sources[result] = made, result.index
            self.connect(operation, made, cluster, sources)

    def connect(self, operation: Operation, made: str, cluster: str, sources: dict[Value, tuple[str, int]]) -> None:
        """Edges from everything the operation, or its blocks, read."""
        read = [v for v in operation.operands if not _is_inline(v.operation)]
        read += [v for v in self.captured(operation) if v not in read]
        for slot, value in enumerate(read):
            if value not in sources:
                sources[value] = self.box("outer", (self.names[value],), cluster, [value]), 0
            source, out = sources[value]
            self.graph.edges.append(Edge(source, made, out, slot))

    def captured(self, operation: Operation) -> list[Value]:
        """What the blocks of an operation read from around it."""
        found: dict[Value, None] = {}
        for block in operation.blocks:
            for inner in block.operations:
                for value in (*inner.operands, *self.captured(inner)):
                    if not block.encloses(value.block) and not _is_inline(value.operation):
                        found[value] = None
        return list(found)

    def operation(self, operation: Operation, cluster: str) -> str:
        """The box of an operation without blocks."""
        place = operation.loc.short() if operation.loc.file else ""
        lines = (self.title(operation), self.detail(operation), place)
        tip = print_operation(self.program, operation) + (f"\n{operation.loc.excerpt()}" if operation.loc.file else "")
        return self.box(_kind(operation), lines, cluster, operation.results, tip)

    def title(self, operation: Operation) -> str:
        results = ", ".join(self.names[r] for r in operation.results)
        name = str(operation.attrs.get("callee", ""))
        if operation.op.effect is Effect.STATE:
            name = self.names[operation.operands[0]]
        if operation.op is OPS.get("constant") and operation.attrs["data"].array.size == 1:
            return f"{results} = {operation.attrs['data'].array.reshape(-1)[0]}"
        return f"{results}{' = ' if results else ''}{operation.name}{f' {name}' if name else ''}"

    def detail(self, operation: Operation) -> str:
        """Operands that are constants, state that is written, and the attributes that aren't at their defaults."""
        if operation.op is OPS.get("constant"):
            data = operation.attrs["data"].array
            return "" if data.size == 1 else show_attr(operation.attrs["data"], Constants({}))
        if operation.parent is self.program.body and operation.is_terminator:
            return ", ".join(self.program.fetch_names)
        parts = []
        if any(_is_inline(v.operation) for v in operation.operands):
            parts.append(", ".join(self.operand(v) for v in operation.operands))
        for key, value in sorted(operation.attrs.items()):
            if key not in ("callee", "outputs") and (key not in operation.op.attrs or operation.op.attrs[key] != value):
                parts.append(f"{key}={show_attr(value, Constants({}))}")
        return "  ".join(parts)

    def operand(self, value: Value) -> str:
        if _is_inline(value.operation):
            assert value.operation is not None
            return str(value.operation.attrs["data"].array.reshape(-1)[0])
        return self.names[value]

    def frame(self, operation: Operation, cluster: str) -> str:
        """The cluster of an operation with blocks, one inner cluster per block."""
        outs = tuple(str(r.type) for r in operation.results)
        made = self.fresh("c")
        flag = f" {self.names[operation.operands[0]]}" if operation.op is if_ else ""
        self.graph.clusters.append(Cluster(made, _short(self.title(operation) + flag), cluster, outs))
        titles = {if_.name: ("then", "else"), while_.name: ("while", "do"), for_.name: ("each turn",)}
        names = titles.get(operation.name, ())
        for k, block in enumerate(operation.blocks):
            inner = self.fresh("c")
            self.graph.clusters.append(Cluster(inner, names[k] if k < len(names) else "", made))
            sources: dict[Value, tuple[str, int]] = {}
            for arg in block.args:
                sources[arg] = self.box("argument", (self.names[arg],), inner, [arg]), 0
            self.operations(block, inner, sources)
        return made


def _kind(operation: Operation) -> str:
    if operation.op.effect is Effect.TERMINATOR:
        return "result"
    if operation.op.effect is Effect.CALLBACK:
        return "callback"
    if operation.op.effect is Effect.STATE:
        return "state"
    if operation.name == "constant":
        return "constant"
    if isinstance(operation.op.lowering, (Library, Custom)):
        return "contraction"
    return "reduction" if operation.op.family == "reduction" else "op"


def _is_inline(operation: Operation | None) -> bool:
    """A constant of one element that only boxes without blocks read."""
    if operation is None or operation.op is not OPS.get("constant") or operation.attrs["data"].array.size != 1:
        return False
    return not any(user.blocks or user.is_terminator for user, _ in operation.result.uses)


def _short(text: str, most: int = 44) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
