"""What stands at the head of a report: times of compiling and of a call, steps, kernels, memory, the hottest lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ir.core import Operation
from ...runtime.observe.step_titles import role_of
from ...runtime.observe.subject import Subject
from .times import PartTimes

HOTTEST = 3


def summary(subject: Subject, parts: Sequence[Mapping[str, Any]], times: Sequence[PartTimes | None]) -> dict[str, Any]:
    """The figures; None for what isn't known.

    compile: seconds that the program shown took; call: seconds of a call; roles: seconds of a call in forward, gradient
    and update; peak: bytes of intermediates, the larger one of the parts.
    """
    measured = [t for t in times if t is not None]
    peaks = [part["memory"]["peak"] for part in parts if part["memory"]]
    return {
        "compile": subject.versions[-1].seconds if subject.versions else None,
        "steps": sum(len(part["steps"]) for part in parts),
        "python": sum(step["kind"] == "python" for part in parts for step in part["steps"]),
        "kernels": sum(len(part["kernels"]) for part in parts),
        "peak": max(peaks, default=None),
        "call": sum(t.wall for t in measured) if measured else None,
        "calls": max((t.calls for t in measured), default=0),
        "roles": _roles(measured) if measured else None,
    }


def _roles(measured: Sequence[PartTimes]) -> list[float]:
    found = [0.0, 0.0, 0.0]
    for part in measured:
        for operation, seconds in part.operations.items():
            found[role_of(operation)] += seconds
    return [round(seconds, 9) for seconds in found]


class LineTimes:
    """Seconds of a call by line: where an operation stands, and, of gradients, where the operation forward stands."""

    def __init__(self) -> None:
        self.own: dict[int, float] = {}
        self.home: dict[int, float] = {}

    def add(self, operation: Operation, seconds: float, own: Sequence[int], home: Sequence[int]) -> None:
        """Count an operation that belongs to these lines; to the first of them, the innermost one."""
        for table, places in ((self.own, own), (self.home, home)):
            for place in places[:1]:
                table[place] = table.get(place, 0.0) + seconds

    def data(self) -> dict[str, Any]:
        """Both tables, and the hottest lines of each."""
        made: dict[str, Any] = {}
        for name, table in (("own", self.own), ("home", self.home)):
            made[name] = {place: round(seconds, 9) for place, seconds in table.items()}
            made[f"{name}Hottest"] = sorted(table, key=lambda place: -table[place])[:HOTTEST]
        return made
