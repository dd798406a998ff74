"""The picture of the tape behind a Tensor: leaves, recorded operations, and what each keeps for backward.

Works on anything shaped like dygraph's tensors and tape nodes; it doesn't import them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from .graph import Edge, Graph, Node

MOST_SHOWN = 6  # elements of a tensor whose values stand in the picture


def tape_graph(
    tensor: Any, names: Mapping[int, str] | None = None, *, places: bool = False, saved: bool = True,
    values: bool = False,
) -> Graph:  # fmt: skip
    """The graph of everything that gradients of `tensor` would pass through, inputs first.

    names: of leaves, by their id. places: show attributes and where operations were called; saved: show what they keep.
    values: show the elements of small tensors, and each tensor that is kept as a box of its own.
    """
    if tensor._node is None:
        raise ArgumentError(
            "this tensor has no recorded operations behind it",
            remedy="draw a result computed from tensors with stop_gradient=False, before backward() frees the graph",
        )
    return _TapeGraph(tensor, names or {}, places, saved, values).graph


class _TapeGraph:
    def __init__(self, tensor: Any, names: Mapping[int, str], places: bool, saved: bool, values: bool) -> None:
        self.names, self.places, self.saved, self.values = names, places, saved, values
        self.graph = Graph(f"tape of {tensor.name}" if getattr(tensor, "name", None) else "tape")
        self.ids: dict[int, str] = {}
        self._alive: list[Any] = []  # keeps ids of objects unique while drawing
        for node in self._in_order(tensor._node):
            self._add(node)
        shown = ("result", _type(tensor), *self._value(tensor))
        self.graph.nodes.append(Node("result", shown, "result"))
        self.graph.edges.append(Edge(self.ids[id(tensor._node)], "result", tensor._slot, 0))

    def _in_order(self, last: Any) -> list[Any]:
        found: dict[int, Any] = {}
        stack = [last]
        while stack:
            node = stack.pop()
            if id(node) not in found:
                found[id(node)] = node
                stack.extend(target for target, _ in filter(None, node.edges) if hasattr(target, "edges"))
        return sorted(found.values(), key=lambda n: int(n.order))

    def _add(self, node: Any) -> None:
        name = self.ids[id(node)] = f"n{len(self.ids)}"
        self._alive.append(node)
        kept = [_type(t) for t in node.kept] if self.saved and not self.values else []
        place = (node.loc.short(),) if self.places and node.loc.file else ()
        lines = (node.name, *self._attrs(node), *place, *([f"keeps {', '.join(kept)}"] if kept else []))
        outs = tuple(f"{s.dtype.short}[{', '.join(map(str, s.shape))}]" for s in node.specs)
        self.graph.nodes.append(Node(name, lines, "op", "", outs, node.loc.short()))
        for slot, edge in enumerate(node.edges):
            if edge is not None:
                target, out = edge
                source = self.ids.get(id(target)) or self._leaf(target)
                self.graph.edges.append(Edge(source, name, out if hasattr(target, "edges") else 0, slot))

        if self.values:
            for tensor in node.kept:
                self._keep(tensor, name, len(node.edges))

    def _keep(self, tensor: Any, user: str, slot: int) -> None:
        """A box for a tensor kept for backward; of a leaf, the leaf's own."""
        known = self.ids.get(id(tensor))
        if known is None:
            known = self.ids[id(tensor)] = f"n{len(self.ids)}"
            self._alive.append(tensor)
            self.graph.nodes.append(Node(known, ("kept", *self._value(tensor)), "saved", "", (_type(tensor),)))
        if all((e.source, e.target) != (known, user) for e in self.graph.edges):
            self.graph.edges.append(Edge(known, user, 0, slot))

    def _attrs(self, node: Any) -> tuple[str, ...]:
        """The attributes that aren't at their defaults, where they are wanted."""
        if not self.places or not hasattr(node, "op"):
            return ()
        told = [f"{k}={v}" for k, v in node.attrs.items() if k not in node.op.attrs or node.op.attrs[k] != v]
        return (", ".join(told)[:44],) if told else ()

    def _value(self, tensor: Any) -> tuple[str, ...]:
        """The elements of a small tensor, where they are wanted."""
        if not self.values or math.prod(tensor.shape) > MOST_SHOWN:
            return ()
        return (np.array2string(tensor.numpy(), precision=4, separator=", ", max_line_width=1000).replace("\n", ""),)

    def _leaf(self, tensor: Any) -> str:
        name = self.ids[id(tensor)] = f"n{len(self.ids)}"
        self._alive.append(tensor)
        label = self.names.get(id(tensor)) or getattr(tensor, "name", None) or "leaf"
        kind = "state" if getattr(tensor, "persistable", False) else "feed"
        self.graph.nodes.append(Node(name, (str(label), *self._value(tensor)), kind, "", (_type(tensor),)))
        return name


def _type(tensor: Any) -> str:
    return f"{tensor.dtype.short}[{', '.join(map(str, tensor.shape))}]"
