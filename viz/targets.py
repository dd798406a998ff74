"""What draw() accepts: programs, compiled functions, tensors with a tape, ready graphs."""

from __future__ import annotations

from typing import Any

from ..ir.core import Program
from .graph import Graph, program_graph
from .tape import tape_graph


def as_graph(target: Any) -> Graph | None:
    """The graph of a Graph, a Program, or anything with `_as_graph()` or `.program`; None for other things."""
    if isinstance(target, Graph):
        return target
    if isinstance(target, Program):
        return program_graph(target)
    if hasattr(target, "_as_graph"):
        made = target._as_graph()
        assert isinstance(made, Graph)
        return made
    if hasattr(target, "_node") and hasattr(target, "stop_gradient"):
        return tape_graph(target)
    program = getattr(target, "program", None)
    return program_graph(program) if isinstance(program, Program) else None
