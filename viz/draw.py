"""draw(): a picture of a program, of a compiled function, or of a tape, as SVG, DOT or PNG."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..base.errors import ArgumentError
from .dot import dot_text
from .fold import fold
from .inline import Picture
from .paint import png_bytes
from .svg import svg_text
from .targets import as_graph

_SUFFIXES = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".png": "png"}


def draw(
    target: Any, path: str | os.PathLike[str] | None = None, format: str | None = None, *, stage: str | None = None,
    depth: int | None = None, show_values: bool = False, show_attrs: bool | None = None, rankdir: str = "TB",
) -> str:  # fmt: skip
    """Draw a program and return the text of the picture (for PNG: the path), written to `path` when given.

    As the last line of a notebook's cell an SVG shows as the picture.

    target: a Program or its text, a compiled function, a Tensor with a tape behind it, or an object with `_as_graph()`.
    format: "svg" (the default), "dot" or "png"; without it the suffix of `path` decides. Only PNG needs a library.
    stage: of a compiled function, the pass after which ("captured", "after fusion", …). In a fused program each kernel
    is a coloured frame. depth: show this many levels of layers (or of calls) and fold what is deeper; None: everything.
    show_values: elements of small tensors, and what the tape keeps. show_attrs: attributes of operations; by default of
    programs, not of tapes, where their lines come with them. rankdir: "TB" (from top to bottom) or "LR".
    Errors: ArgumentError for other targets, stages and options; MissingDependencyError for PNG without resvg-py or
    Graphviz (`pip install vitrify[draw]`).

    >>> from vitrify.viz.graph import Edge, Graph, Node
    >>> draw(Graph("g", [Node("a", ("a",)), Node("b", ("b",))], [Edge("a", "b")])).startswith("<svg")
    True
    """
    if rankdir not in ("TB", "LR"):
        raise ArgumentError(f"draw knows no rankdir {rankdir!r}", remedy="use 'TB' or 'LR'")
    if depth is not None and (type(depth) is not int or depth < 1):
        raise ArgumentError(f"depth is a number of layers, 1 or more, not {depth!r}")
    graph = as_graph(target, stage=stage, attrs=show_attrs, values=show_values)
    if graph is None:
        remedy = "pass a program, a compiled function that has been called, or the result of backward()"
        raise ArgumentError(f"draw can't draw a {type(target).__name__}", remedy=remedy)
    if depth is not None:
        graph = fold(graph, depth)
    suffix = Path(path).suffix if path is not None else ""
    chosen = format or _SUFFIXES.get(suffix, suffix or "svg")
    across = rankdir == "LR"
    if chosen == "png":
        if path is None:
            raise ArgumentError("a PNG picture needs a path", remedy="draw(program, 'program.png')")
        Path(path).write_bytes(png_bytes(lambda: svg_text(graph, across), lambda: dot_text(graph, rankdir)))
        return str(path)
    if chosen not in ("svg", "dot"):
        raise ArgumentError(f"draw knows no format {chosen!r}", remedy="use svg, dot or png")
    text = svg_text(graph, across) if chosen == "svg" else dot_text(graph, rankdir)
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return Picture(text) if chosen == "svg" else text
