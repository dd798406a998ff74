"""What report() accepts, as a Subject: compiled functions, layers, programs, artifacts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..base.errors import ArgumentError
from ..ir.core import Program
from ..runtime.observe.subject import Part, Subject


def as_subject(target: Any) -> Subject | None:
    """The subject behind a thing; None for things that have none."""
    if isinstance(target, Program):
        return of_program(target)
    if isinstance(target, (str, os.PathLike)):
        return of_artifact(target)
    made = getattr(type(target), "_as_subject", None)
    if made is not None:
        found: Subject = made(target)
        return found
    inner = getattr(target, "forward", None)  # a layer
    if hasattr(type(inner), "_as_subject"):
        return as_subject(inner)
    if inner is not None and callable(inner):
        raise ArgumentError(
            f"{type(target).__name__} isn't compiled", remedy="compile it first: to_static(layer), then call it"
        )
    program = getattr(target, "ir", None)  # a view of a program
    return of_program(program) if isinstance(program, Program) else None


def of_program(program: Program) -> Subject:
    """A program alone: what it was captured from is told by the places of its operations."""
    return Subject(program.name, "program", (Part("program", program),))


def of_artifact(path: str | os.PathLike[str]) -> Subject:
    """A saved artifact: the programs of its methods."""
    from ..runtime.artifact import load_artifact  # brings safetensors

    artifact = load_artifact(path, callbacks=None)
    parts = tuple(Part(name, method.program) for name, method in artifact.methods.items())
    return Subject(Path(path).name, "artifact", parts)
