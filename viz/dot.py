"""A graph as DOT text for Graphviz. Edges that end at a cluster end at one of its nodes and are cut at the frame."""

from __future__ import annotations

from collections.abc import Iterator

from .graph import Cluster, Graph, Node
from .svg import COLOURS, KERNELS


def dot_text(graph: Graph, rankdir: str = "TB") -> str:
    """The DOT text of a graph."""
    lines = [
        f"digraph {_quoted(graph.title or 'graph')} {{",
        f"  rankdir={rankdir}; compound=true; fontname=monospace; fontsize=12;",
        '  node [shape=box, style="rounded,filled", fontname=monospace, fontsize=11];',
        "  edge [fontname=monospace, fontsize=9, color=gray45];",
        *_members(graph, "", "  "),
        *_edges(graph),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _members(graph: Graph, cluster: str, indent: str) -> Iterator[str]:
    for node in graph.nodes:
        if node.cluster == cluster:
            yield indent + _node(node)
    for inner in graph.clusters:
        if inner.parent == cluster:
            yield f"{indent}subgraph {_quoted('cluster_' + inner.id)} {{"
            colour = KERNELS[(inner.kernel - 1) % len(KERNELS)] if inner.kernel else "gray60"
            yield f"{indent}  label={_quoted(inner.title)}; style=rounded; color={_quoted(colour)};"
            yield from _members(graph, inner.id, indent + "  ")
            yield f"{indent}}}"


def _node(node: Node) -> str:
    fill, stroke = COLOURS.get(node.kind, COLOURS["op"])
    light = ", fontcolor=white" if node.kind == "result" else ""
    tip = f", tooltip={_quoted(node.tip)}" if node.tip else ""
    colours = f"fillcolor={_quoted(fill)}, color={_quoted(stroke)}{light}"
    return f"{node.id} [label={_quoted(chr(10).join(node.lines))}, {colours}{tip}];"


def _edges(graph: Graph) -> Iterator[str]:
    owners: dict[str, Node | Cluster] = {n.id: n for n in graph.nodes} | {c.id: c for c in graph.clusters}
    for edge in graph.edges:
        ends, options = [], []
        for name, side in ((edge.source, "ltail"), (edge.target, "lhead")):
            if isinstance(owners[name], Cluster):
                options.append(f"{side}={_quoted('cluster_' + name)}")
            ends.append(_some_node(graph, name))
        outs = owners[edge.source].outs
        if edge.out < len(outs) and outs[edge.out]:
            options.append(f"label={_quoted(outs[edge.out])}")
        if None not in ends:
            shown = f" [{', '.join(options)}]" if options else ""
            yield f"  {ends[0]} -> {ends[1]}{shown};"


def _some_node(graph: Graph, name: str) -> str | None:
    """The node itself, or the first one inside a cluster."""
    if not any(cluster.id == name for cluster in graph.clusters):
        return name
    for node in graph.nodes:
        if node.cluster == name:
            return node.id
    inner = (_some_node(graph, cluster.id) for cluster in graph.clusters if cluster.parent == name)
    return next((found for found in inner if found is not None), None)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
