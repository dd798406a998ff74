"""What draw() accepts: programs, texts of programs, compiled functions, tensors with a tape, ready graphs."""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError
from ..ir.core import Program
from ..ir.parser import parse_program
from .graph import Graph, program_graph
from .tape import tape_graph


def as_graph(target: Any, *, stage: str | None = None, attrs: bool | None = None, values: bool = False) -> Graph | None:
    """The graph of a Graph, a Program or its text, or anything with `_as_graph()` or `.program`; None for other things.

    stage: of a compiled function, the pass after which. attrs: attributes of operations (by default: of programs, not
    of tapes). values: elements of small tensors.
    """
    if stage is not None:
        if not hasattr(target, "_stage_program"):
            raise ArgumentError(f"a {type(target).__name__} has no stages", remedy="leave `stage` out")
        target = target._stage_program(stage)
    if isinstance(target, str) and target.lstrip().startswith("program"):
        target = parse_program(target)
    if isinstance(target, Graph):
        return target
    if hasattr(target, "_as_graph"):
        made = target._as_graph()
        assert isinstance(made, Graph)
        return made
    if hasattr(target, "_node") and hasattr(target, "stop_gradient"):
        return tape_graph(target, places=bool(attrs), values=values)
    program = target if isinstance(target, Program) else getattr(target, "program", None)
    return program_graph(program, attrs=attrs is not False, values=values) if isinstance(program, Program) else None
