"""SchedulePass: one transformation of a program's steps. The pipeline of them is in pipeline.py."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from ...passes.manager import Transformation
from .program_steps import Steps


@dataclass(frozen=True)
class SchedulePass(Transformation[Steps]):
    """One transformation of steps; fields are its options. Valid steps in, valid steps out.

    required: why it can't be left out; empty for one that can. after: the passes that, where they run, run before it.
    """

    required: ClassVar[str] = ""
    after: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def run(self, program: Steps) -> bool:
        """Transform the steps in place; whether anything changed. Lifetimes are those that the pass measures."""
