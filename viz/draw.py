"""draw(): a picture of a program, of a compiled function, or of a tape, as SVG, DOT or PNG."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

from ..base.errors import ArgumentError, MissingDependencyError
from .dot import dot_text
from .graph import Graph
from .svg import svg_text
from .targets import as_graph

_SUFFIXES = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".png": "png"}


def draw(target: Any, path: str | os.PathLike[str] | None = None, format: str | None = None) -> str:
    """Draw a program and return the text of the picture (for PNG: the path), written to `path` when given.

    target: a Program, a compiled function, a Tensor with a tape behind it, or an object with `_as_graph()`.
    format: "svg" (the default), "dot" or "png"; without it the suffix of `path` decides. Only PNG needs a library.
    Errors: MissingDependencyError for PNG without Graphviz (`pip install vitrify[draw]`, and the `dot` program).

    >>> from vitrify.viz.graph import Edge, Node
    >>> draw(Graph("g", [Node("a", ("a",)), Node("b", ("b",))], [Edge("a", "b")])).startswith("<svg")
    True
    """
    graph = as_graph(target)
    if graph is None:
        remedy = "pass a program, a compiled function that has been called, or the result of backward()"
        raise ArgumentError(f"draw can't draw a {type(target).__name__}", remedy=remedy)
    suffix = Path(path).suffix if path is not None else ""
    chosen = format or _SUFFIXES.get(suffix, suffix or "svg")
    if chosen == "png":
        return _draw_png(graph, path)
    if chosen not in ("svg", "dot"):
        raise ArgumentError(f"draw knows no format {chosen!r}", remedy="use svg, dot or png")
    text = svg_text(graph) if chosen == "svg" else dot_text(graph)
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def _draw_png(graph: Graph, path: str | os.PathLike[str] | None) -> str:
    """Let Graphviz paint it."""
    if path is None:
        raise ArgumentError("a PNG picture needs a path", remedy="draw(program, 'program.png')")
    try:
        graphviz = importlib.import_module("graphviz")
    except ImportError as error:
        raise MissingDependencyError(
            "PNG pictures need graphviz", remedy="pip install 'vitrify[draw]', or use SVG"
        ) from error
    try:
        data = graphviz.Source(dot_text(graph)).pipe(format="png")
    except graphviz.ExecutableNotFound as error:
        raise MissingDependencyError(
            "PNG pictures need the program `dot` of Graphviz",
            remedy="install graphviz (and the extra vitrify[draw]), or use SVG",
        ) from error
    Path(path).write_bytes(data)
    return str(path)
