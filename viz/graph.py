"""What a picture shows: boxes, edges and clusters, as plain data; and the graph of a program.

A block of an `if` or a loop is a cluster. Values that it reads from outside appear inside it as small `outer` boxes,
so that no edge crosses a cluster's border: every edge joins two members of the same cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..base.location import Loc
from ..ir.core import Block, Operation, Program, Value
from ..ir.literals import Constants, show_attr
from ..ir.printer import print_operation, value_names
from ..ir.walk import walk
from ..ops.control import call, for_, function, group, if_, while_
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
    "folded": "several operations",
    "saved": "kept for backward",
    "result": "result",
}

_TITLES = {
    if_.name: ("then", "else"), while_.name: ("while", "do"), for_.name: ("each iteration",),
    function.name: ("each call",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Node:
    """One box: an identity, text lines (the first one is its title), a kind (a key of KINDS), the cluster it is in.

    outs: a label for each thing that leaves the box, usually the type of a result. `tip` shows when pointed at.
    path: the layers, or lines, that it belongs to, outermost first (fold.py).
    """

    id: str
    lines: tuple[str, ...]
    kind: str = "op"
    cluster: str = ""
    outs: tuple[str, ...] = ("",)
    tip: str = ""
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """From an out of one node or cluster to an input slot of another, both in the same cluster."""

    source: str
    target: str
    out: int = 0
    slot: int = 0


@dataclass(frozen=True, slots=True)
class Cluster:
    """A frame around nodes and other clusters; "" as parent is the whole picture.

    kernel: the number of a fused kernel, which gives the frame its colour; 0 for other frames.
    """

    id: str
    title: str
    parent: str = ""
    outs: tuple[str, ...] = ()
    tip: str = ""
    path: tuple[str, ...] = ()
    kernel: int = 0


@dataclass(slots=True)
class Graph:
    """A picture before layout."""

    title: str = ""
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)


def program_graph(program: Program, *, attrs: bool = True, values: bool = False) -> Graph:
    """The graph of a program. Constants of one element stand inside the boxes that read them.

    attrs: show the attributes that aren't at their defaults. values: show the elements of small constants.
    """
    return _ProgramGraph(program, attrs, values).graph


class _ProgramGraph:
    def __init__(self, program: Program, attrs: bool, values: bool) -> None:
        self.program = program
        self.attrs, self.values = attrs, values
        self.kernels = 0
        self.path_of = paths(program)
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

    def box(
        self, kind: str, lines: tuple[str, ...], cluster: str, values: list[Value], tip: str = "",
        path: tuple[str, ...] = (),
    ) -> str:  # fmt: skip
        made = self.fresh("n")
        shown = tuple(_short(line) for line in lines if line)
        self.graph.nodes.append(Node(made, shown, kind, cluster, tuple(str(v.type) for v in values), tip, path))
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
        return self.box(_kind(operation), lines, cluster, operation.results, tip, self.path_of(operation))

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
            return "" if data.size == 1 else show_attr(operation.attrs["data"], Constants(None if self.values else {}))
        if operation.parent is self.program.body and operation.is_terminator:
            return ", ".join(self.program.fetch_names)
        parts = []
        if any(_is_inline(v.operation) for v in operation.operands):
            parts.append(", ".join(self.operand(v) for v in operation.operands))
        for key, value in sorted(operation.attrs.items()) if self.attrs else ():
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
        path, fused = self.path_of(operation), operation.op is group
        self.kernels += fused
        self.graph.clusters.append(
            Cluster(made, _short(self.frame_title(operation)), cluster, outs, "", path, self.kernels if fused else 0)
        )
        names = _TITLES.get(operation.name, ())
        for k, block in enumerate(operation.blocks):
            inner = made if fused else self.fresh("c")
            if not fused:
                self.graph.clusters.append(Cluster(inner, names[k] if k < len(names) else "", made))
            sources: dict[Value, tuple[str, int]] = {}
            for arg in (a for a in block.args if a.uses):
                sources[arg] = self.box("argument", (self.names[arg],), inner, [arg]), 0
            self.operations(block, inner, sources)
        return made

    def frame_title(self, operation: Operation) -> str:
        """What stands on a frame: the loop or branch, or what a fused kernel runs over."""
        if operation.op is not group:
            flag = f" {self.names[operation.operands[0]]}" if operation.op is if_ else ""
            return self.title(operation) + flag
        domain = ", ".join(map(str, operation.attrs["domain"]))
        axes = operation.attrs["axes"]
        rows = "" if axes is None else f", folds {'axes' if len(axes) > 1 else 'axis'} {', '.join(map(str, axes))}"
        return f"kernel {self.kernels} over [{domain}]{rows}"


def paths(program: Program) -> Callable[[Operation], tuple[str, ...]]:
    """Which layers an operation belongs to, outermost first; of one outside of layers, which lines.

    A layer that holds all the others is left out.
    """
    everything = [o for o in walk(program.body) if not o.is_terminator]
    known = {o: o.loc.layer.partition(" ")[0] for o in everything}
    layers = {o: tuple(path.split(".")) for o, path in known.items() if path}
    skipped = len({path[0] for path in layers.values()}) == 1
    lines = {o: _lines(o.loc) for o in everything if o not in layers}
    return lambda o: layers[o][skipped:] if o in layers else lines.get(o, ())


def _lines(loc: Loc) -> tuple[str, ...]:
    """The line of a place and those of the calls that led there, outermost first."""
    found, place = list[str](), loc if loc.file else None
    while place is not None:
        found.append(f"{place.short()}  {place.text()}")
        place = place.caller
    return tuple(reversed(found))


def _kind(operation: Operation) -> str:
    if operation.op.effect is Effect.TERMINATOR:
        return "result"
    if operation.op.effect in (Effect.CALLBACK, Effect.COLLECTIVE) and operation.op is not call:
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
