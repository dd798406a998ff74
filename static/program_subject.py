"""A static program as the subject of a report (runtime/observe/subject.py)."""

from __future__ import annotations

from typing import Any

from ..ir.core import Value
from ..runtime.observe.subject import Part, Subject
from .build import finished
from .ready import Ready


def subject_of(program: Any) -> Subject:
    """The programs that runs made of it, one for each list of fetches; before the first run, the whole of it."""
    parts = tuple(_ran(k, ready) for k, ready in enumerate(program.cache.values(), 1) if isinstance(ready, Ready))
    if parts:
        return Subject("main", "static program", parts)
    recorded = program.recorder.program.body.operations
    ends: list[Value] = [r for o in recorded for r in o.results if not r.uses]
    built = finished(program, ends, clean=False)
    note = "No run has used this program yet: all that nothing reads is shown as fetched."
    return Subject("main", "static program", (Part("program", built.program),), notes=(note,))


def _ran(number: int, ready: Ready) -> Part:
    sizes = [bound.binding.sizes for free in ready.free.values() for bound in free]
    fetched = ", ".join(ready.built.program.fetch_names) or "nothing"
    return Part(f"{number}: {fetched}", ready.built.program, dict(sizes[0]) if sizes else {}, ready.executable.steps)
