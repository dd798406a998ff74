"""What a Model runs in static mode: a program for training, one for evaluation, one for prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..static import Executor, InputSpec, Program, data, default_startup_program, global_scope, program_guard
from .metrics import Metric


@dataclass
class Built:
    """A program with the names that it is fed by, and what it is asked for: losses, outputs, what metrics count."""

    program: Any
    feeds: list[str]
    losses: list[Any]
    outputs: list[Any]
    counted: list[list[Any]]


class StaticSteps:
    """Builds a program when a way of running is first asked for. Parameters have their values in the scope."""

    def __init__(self, network: Any, inputs: list[Any], labels: list[Any]) -> None:
        if not inputs:
            raise ArgumentError("a Model in static mode needs the InputSpecs of its inputs")
        self.network, self.inputs, self.labels = network, inputs, labels
        self.executor = Executor()
        self.built: dict[str, Built] = {}

    def prepare(self, optimizer: Any, loss: Any, metrics: list[Metric]) -> None:
        """Forget the programs: they are built anew with this loss."""
        self.optimizer, self.loss, self.metrics = optimizer, loss, metrics
        self.built.clear()

    def run(self, mode: str, inputs: list[Any], labels: list[Any]) -> tuple[list[Any], list[Any], list[list[Any]]]:
        """Losses, outputs and what metrics count, as arrays, of a batch. mode: "train", "eval" or "predict"."""
        made = self.ready(mode, bool(labels))
        feed = dict(zip(made.feeds, [_array(x) for x in (*inputs, *labels)], strict=False))
        wanted = [*made.losses, *made.outputs, *(x for part in made.counted for x in part)]
        found = self.executor.run(made.program, feed=feed, fetch_list=wanted)
        losses, outputs = len(made.losses), len(made.outputs)
        rest, counted = found[losses + outputs :], []
        for part in made.counted:
            counted.append(rest[: len(part)])
            rest = rest[len(part) :]
        return found[:losses], found[losses : losses + outputs], counted

    def ready(self, mode: str, labelled: bool) -> Built:
        """The program of a way of running, built and with values for its variables, which may draw random numbers."""
        made = self.built.get(mode)
        if made is None:
            made = self.built[mode] = self._build(mode, labelled)
            self._fill()
        return made

    def _build(self, mode: str, labelled: bool) -> Built:
        (self.network.train if mode == "train" else self.network.eval)()
        program = Program()
        with program_guard(program, default_startup_program()):
            given = [_fed(spec, f"input_{k}") for k, spec in enumerate(self.inputs)]
            wanted = [_fed(spec, f"label_{k}") for k, spec in enumerate(self.labels)] if labelled else []
            outputs = _listed(self.network(*given))
            losses: list[Any] = []
            counted: list[list[Any]] = []
            if mode != "predict":
                losses = _listed(self.loss(*outputs, *wanted)) if self.loss is not None and labelled else []
                counted = [_listed(metric.compute(*outputs, *wanted)) for metric in self.metrics]
            if mode == "train":
                self.optimizer.minimize(sum(losses[1:], losses[0]))
        return Built(program, [x.name for x in (*given, *wanted)], losses, outputs, counted)

    def _fill(self) -> None:
        """Give variables without a value their first one; the others keep theirs."""
        startup, scope = default_startup_program(), global_scope()
        made = list(startup.recorder.initialised.values())
        kept = [(x, np.array(scope.tensors[x.name].numpy())) for x in made if x.name in scope.tensors]
        if len(kept) < len(made):
            self.executor.run(startup)
            for x, value in kept:
                scope.assign(x, value)


def values_in_scope(state: dict[str, Any]) -> dict[str, Any]:
    """A state whose variables are replaced by their values."""
    tensors = global_scope().tensors
    return {name: tensors.get(getattr(x, "name", ""), x) for name, x in state.items()}


def _fed(spec: Any, name: str) -> Any:
    if not isinstance(spec, InputSpec):
        return spec
    return data(spec.name or name, list(spec.shape), spec.dtype)


def _array(x: Any) -> Any:
    return x.numpy() if hasattr(x, "numpy") else np.asarray(x)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]
