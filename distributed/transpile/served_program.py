"""ServerProgram: a parameter server's work as a program that an Executor runs, for training in static mode."""

from __future__ import annotations

from typing import Any

from ...base.errors import ModeError
from ...dygraph.optimizer.for_stages import for_tensors
from ...ops.dispatch import bottom, using
from ...static.program import Program
from ...static.scope import Scope
from .parts import part_size, whole_shape
from .served_updates import ServedUpdates


class ServerProgram(Program):
    """What a parameter server runs: it keeps its parts of the parameters that the scope has, and serves the trainers.

    An Executor runs it until all trainers have stopped. Its text names the parameters, with this server's part.
    """

    def __init__(self, stage: ServedUpdates, optimizer: Any, number: int = 0) -> None:
        super().__init__()
        self.stage, self.optimizer, self.number = stage, getattr(optimizer, "inner", optimizer), number

    def serve(self, scope: Scope) -> None:
        """Serve until all trainers have stopped. Errors: ModeError on a rank that is no server."""
        if not self.stage.is_server():
            raise ModeError("a parameter server's program runs on the last ranks of a run",
                            remedy="run get_trainer_program() on the others")  # fmt: skip
        with using(bottom()):
            arrays = {id(p): scope.value_of(p).numpy() for p in self.optimizer._parameter_list}
            self.stage.serves(for_tensors(self.optimizer, arrays))
            self.stage.serve()

    def __str__(self) -> str:
        stage, lines = self.stage, []
        for p in self.optimizer._parameter_list:
            if p.stop_gradient:
                continue
            size = 1
            for n in whole_shape(p):
                size *= n
            short, whole = p.dtype.short, list(whole_shape(p))
            lines.append(f"  update {p.name}: {short}[{part_size(size, stage.servers)}] of {short}{whole}")
        rule = {"sync": "the mean of all trainers' gradients", "async": "each trainer's gradients",
                "geo": f"each trainer's changes of {stage.k_steps} steps"}[stage.mode]  # fmt: skip
        head = f"parameter server {self.number} of {stage.servers}, {stage.mode}: {self.optimizer!r} with {rule}"
        return "\n".join([head, *lines])
