"""The PyLayers that a trace has met, with what trial runs told of them (see traced_pylayer.py and pylayer_tape.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class MetLayers:
    """forwards: (what tells a call from others, trees, what is known); backwards: the same with state, as it stood at a
    backward pass. left: objects that they change by themselves: (owner, key), what does, and where. used: identities of
    the cells that are state of the program, once the trace has ended. callbacks: by their names, what the code of each
    starts from, and what messages call it.
    follows_state: whether the state around them is the program's; a static program leaves it to Python.
    """

    forwards: list[Any] = field(default_factory=list)
    backwards: list[Any] = field(default_factory=list)
    left: list[Any] = field(default_factory=list)
    follows_state: bool = True
    used: set[int] = field(default_factory=set)
    callbacks: dict[str, tuple[list[Any], str]] = field(default_factory=dict)

    def copy(self) -> MetLayers:
        """The same, to be added to."""
        forwards, backwards, left = list(self.forwards), list(self.backwards), list(self.left)
        return MetLayers(forwards, backwards, left, self.follows_state, set(self.used), dict(self.callbacks))
