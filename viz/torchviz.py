"""make_dot(): the tape behind a result as an object to render, in the manner of torchviz."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..base.errors import MissingDependencyError
from .dot import dot_text
from .draw import draw
from .graph import Graph
from .tape import tape_graph


class Dot:
    """A picture that isn't painted yet."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def source(self) -> str:
        """The text for Graphviz."""
        return dot_text(self.graph)

    def render(
        self, filename: str | os.PathLike[str] = "graph", format: str = "svg", cleanup: bool = False,
        directory: str | os.PathLike[str] | None = None,
    ) -> str:  # fmt: skip
        """Write `filename` (the text) and `filename.<format>` (the picture); the picture's path. cleanup: no text.

        SVG needs nothing else. Without Graphviz a PNG becomes an SVG, and a warning says so.
        """
        text = Path(directory or ".") / filename
        target = text.with_name(f"{text.name}.{format}")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            draw(self.graph, target, format)
        except MissingDependencyError as error:
            target = text.with_name(f"{text.name}.svg")
            warnings.warn(f"{error.message}: {target} was written instead", stacklevel=2)
            draw(self.graph, target, "svg")
        if not cleanup:
            text.write_text(self.source, encoding="utf-8")
        return str(target)

    def _as_graph(self) -> Graph:
        return self.graph


def make_dot(
    var: Any, params: Mapping[str, Any] | None = None, show_attrs: bool = False, show_saved: bool = False
) -> Dot:
    """The graph of what gradients of `var` pass through.

    params: names for leaves, as `dict(layer.named_parameters())`. show_attrs: where each operation was called.
    show_saved: what each keeps for backward.
    Errors: ArgumentError for a tensor without recorded operations.

    >>> from vitrify import to_tensor
    >>> x = to_tensor([2.0], stop_gradient=False)
    >>> '"x' in make_dot(x * 3, {"x": x}).source
    True
    """
    names = {id(tensor): name for name, tensor in (params or {}).items()}
    return Dot(tape_graph(var, names, places=show_attrs, saved=show_saved))
