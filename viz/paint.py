"""PNG: our SVG painted by resvg, or the DOT text painted by Graphviz, whichever is installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ..base.errors import MissingDependencyError


def png_bytes(svg: Callable[[], str], dot: Callable[[], str]) -> bytes:
    """The picture as PNG. Errors: MissingDependencyError where neither painter is there."""
    painter = _module("resvg_py")
    if painter is not None:
        return bytes(painter.svg_to_bytes(svg_string=svg()))
    graphviz = _module("graphviz")
    if graphviz is None:
        raise MissingDependencyError(
            "PNG pictures need resvg-py or graphviz", remedy="pip install 'vitrify[draw]', or use SVG"
        )
    try:
        made: bytes = graphviz.Source(dot()).pipe(format="png")
    except graphviz.ExecutableNotFound as error:
        raise MissingDependencyError(
            "PNG pictures by graphviz need its program `dot`",
            remedy="pip install 'vitrify[draw]' (resvg-py needs no other program), or use SVG",
        ) from error
    return made


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
