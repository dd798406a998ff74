"""A Model and its arrays as a program with its state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.errors import ArgumentError, ArtifactError, VitrifyError
from ...dygraph.tensor import Tensor
from ...ir.core import Program, Value
from ...ops.dims import Dim, deciding
from ...ops.types import TensorType
from ..construct_tracer import ConstructTracer
from ..serialize.read_blocks import ReadBlocks
from ..serialize.state_names import StateNames
from .paddle_call import Input, OperatorCall
from .paddle_call import rows as ops
from .paddle_model import Block, Model, ModelStep, Variable
from .rows import rows_of
from .rows.paddle_row import Row

_FAULTS = (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError, OverflowError)


class _ReadingTracer(ConstructTracer):
    """Tensors of numbers that a row makes are constants of the program, not its state."""

    def lift(self, x: Tensor) -> Value:
        made: Value = self.builder.constant(x.numpy(), None)
        return made


class ProgramReader:
    """Reads one Model. `weights` and `roles` are the state of the program by name."""

    def __init__(self, where: str, model: Model, arrays: Mapping[str, Any]) -> None:
        self.where, self.model, self.arrays = where, model, arrays
        self.table = rows_of(model.form)
        self.tracer = _ReadingTracer("forward")
        self.builder = self.tracer.builder
        self.builder.locate = None
        self.weights: dict[str, Any] = {}
        self.roles: dict[str, str] = {}
        self.inputs: list[str] = []
        self.values: dict[str, Input] = {}
        self._state: dict[str, Value] = {}
        self.blocks = ReadBlocks(self.tracer)
        self.conditionals: dict[str, ModelStep] = {}  # result -> the conditional block that makes it
        self.selected: dict[str, Value] = {}  # results of a branch that are asked for later
        self._names = StateNames()
        self._block = model.block  # whose steps are being read

    @property
    def program(self) -> Program:
        """What is being written."""
        return self.tracer.program

    def read(self) -> Program:
        """The whole program. Errors: ArgumentError names all operations that can't be read, or one and its fault."""
        lacking = sorted({s.kind for s in _steps(self.model.block) if s.kind not in self.table})
        if lacking:
            raise ArgumentError(
                f"{self.where}: operations that can't be read: {', '.join(lacking)}",
                remedy="build the layer with vitrify and load its .pdparams, or export it as ONNX and load that",
            )
        with deciding(self.tracer.decide), self.builder.active():
            for feed in self.model.feeds:
                name = self._names.identifier(feed.name)
                self.values[self._feed_key(feed)] = self.program.add_feed(name, self._type(feed))
                self.inputs.append(name)
            made = self.run(self.model.block, (), self.model.fetches)
            self.builder.return_([v if v.operation is not None else ops.assign(v) for v in made])
        self.program.fetch_names = [self._names.plain(f"fetch_name_{k}") for k in range(len(made))]
        return self.program

    def _feed_key(self, feed: Variable) -> str:
        return f"feed {feed.name}" if self.model.form == "new" else feed.name

    @staticmethod
    def _type(feed: Variable) -> TensorType:
        """The feed's type: open first sizes are one, the batch; others have names of their own."""
        shape = [
            d if d >= 0 else Dim.symbol("batch" if not k else f"{feed.name}_{k}".replace(".", "_"))
            for k, d in enumerate(feed.shape)
        ]
        return TensorType(feed.dtype, tuple(shape))

    # ---- values

    def value(self, name: str) -> Value:
        """The value of a name. Errors: ArtifactError for one that nothing makes."""
        found = self.values.get(name)
        if found is None and name in self.model.parameters:
            found = self.values[name] = self._state.get(name) or self._parameter(name)
        if isinstance(found, Value):
            return found
        raise ArtifactError(f"{self.where}: nothing in the program makes {name!r}")

    def _input(self, name: str) -> Input:
        found = self.values.get(name)
        return found if isinstance(found, list) else self.value(name)

    def _parameter(self, name: str) -> Value:
        """A parameter as a state entry; whole numbers as constants."""
        variable = self.model.parameters[name]
        array = self.arrays.get(variable.name)
        if array is None:
            raise ArtifactError(f"{self.where}: the parameters lack {variable.name!r}")
        if tuple(array.shape) != variable.shape or array.dtype != variable.dtype.numpy:
            raise ArtifactError(
                f"{self.where}: {variable.name} is {array.dtype}{list(array.shape)} in the parameters, "
                f"{variable.dtype.name}{list(variable.shape)} in the program"
            )
        if not variable.dtype.is_floating:
            return self.constant(array)
        plain = self._names.plain(variable.name)
        self.weights[plain] = array
        self.roles[plain] = "parameter" if variable.trainable else "buffer"
        made = self.program.add_state(plain, TensorType(dt.of_array(array), array.shape), self.roles[plain])
        self._state[name] = made
        return made

    def constant(self, array: Any) -> Value:
        """An array as a value of the program."""
        made: Value = self.builder.constant(np.asarray(array), None)
        return made

    # ---- steps

    def run(self, block: Block, arguments: Sequence[Value] = (), results: Sequence[str] | None = None) -> list[Value]:
        """Read the steps of a block; its results, or the values of other names. Names from outside are seen inside;
        what the block gives names to, is not seen outside.
        """
        outer, self.values = self.values, {**self.values, **dict(zip(block.arguments, arguments, strict=True))}
        around, self._block = self._block, block
        try:
            for step in block.steps:
                self._step(step)
            return [self.value(name) for name in (block.results if results is None else results)]
        finally:
            self.values, self._block = outer, around

    def following(self, kind: str) -> list[ModelStep]:
        """The steps of a kind in the block that is being read."""
        return [step for step in self._block.steps if step.kind == kind]

    def _step(self, step: ModelStep) -> None:
        row = self.table[step.kind]
        try:
            call = OperatorCall(self, step, self._inputs(row, step))
            made = row.read(call)
            call.finish()
        except VitrifyError as error:
            if step.kind not in error.message:
                error.message = f"{step.kind}: {error.message}"
            if self.where not in error.message:
                error.message = f"{self.where}: {error.message}"
            error.raised_at = None
            raise
        except _FAULTS as error:
            raise ArtifactError(f"{self.where}: {step.kind} is malformed ({type(error).__name__}: {error})") from error
        for name, value in self._pairs(row, step, made):
            self.values[name] = value

    def _inputs(self, row: Row, step: ModelStep) -> list[Input]:
        if self.model.form == "new":
            return [self._input(name) if name else None for name in step.inputs.get("", [])]
        return [self._slot(step, slot) for slot in row.inputs]

    def _slot(self, step: ModelStep, slots: str) -> Input:
        """The first of `A|B*` that is there; a slot with a star is a list."""
        for slot in slots.split("|"):
            names = [n for n in step.inputs.get(slot.rstrip("*"), []) if n]
            if names and slot.endswith("*"):
                return [self.value(n) for n in names]
            if names:
                return self._input(names[0])
        return None

    def _pairs(self, row: Row, step: ModelStep, made: Any) -> list[tuple[str, Input]]:
        """(name, value) of what a step makes. A row may make less than the step has: nobody needs it, or an error."""
        parts = list(made) if isinstance(made, tuple) else [made]
        if self.model.form == "new":
            return [(n, v) for n, v in zip(step.outputs.get("", []), parts, strict=False) if n]
        pairs: list[tuple[str, Input]] = []
        for slot, value in zip(row.outputs, parts, strict=False):
            names = step.outputs.get(slot, [])
            values = value if isinstance(value, list) else [value]
            pairs += list(zip(names, values, strict=True)) if names else []
        return pairs


def _steps(block: Block) -> Iterator[ModelStep]:
    for step in block.steps:
        yield step
        for inner in step.blocks:
            yield from _steps(inner)
