"""Views of a program's operations, as PaddlePaddle's classic programs show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..ir.core import Operation, Value
from .op_steps import CAST, FORWARD, ROLES, OpStep

# rows whose operator has another type in PaddlePaddle's programs
_TYPES = {
    "add": "elementwise_add", "subtract": "elementwise_sub", "multiply": "elementwise_mul",
    "divide": "elementwise_div", "pow": "elementwise_pow", "remainder": "elementwise_mod",
    "floor_divide": "elementwise_floordiv", "maximum": "elementwise_max", "minimum": "elementwise_min",
    "matmul": "matmul_v2", "reshape": "reshape2", "transpose": "transpose2", "broadcast_to": "expand_v2",
    "sum": "reduce_sum", "mean": "reduce_mean", "max": "reduce_max", "min": "reduce_min", "prod": "reduce_prod",
    "all": "reduce_all", "any": "reduce_any", "amax": "reduce_amax", "amin": "reduce_amin",
    "argmax": "arg_max", "argmin": "arg_min", "sorted_values": "argsort", "top_places": "top_k_v2",
    "unique_values": "unique", "nonzero": "where_index", "arange": "range", "full": "fill_constant",
    "constant": "fill_constant", "dim_value": "shape", "isnan": "isnan_v2", "isinf": "isinf_v2",
    "isfinite": "isfinite_v2", "tril": "tril_triu", "triu": "tril_triu", "uniform": "uniform_random",
    "normal": "gaussian_random", "max_pool2d": "pool2d", "avg_pool2d": "pool2d",
    "conv2d_input_grad": "conv2d_transpose", "neg": "scale",
}  # fmt: skip
# and those with another name in programs of PaddlePaddle 3's own representation
_NAMES = {
    "pow": "elementwise_pow", "broadcast_to": "expand", "sorted_values": "argsort", "top_places": "topk",
    "unique_values": "unique", "constant": "full", "dim_value": "shape64", "normal": "gaussian",
    "max_pool2d": "pool2d", "avg_pool2d": "pool2d", "conv2d_input_grad": "conv2d_transpose", "neg": "scale",
}  # fmt: skip
_GRADIENT = "_grad"


class Operator:
    """A view of one operation, or of those that make one step: an operation's gradient, a parameter's update.

    type: as PaddlePaddle's classic programs spell it (`matmul_v2`, `reduce_mean_grad`, `sgd`); `name()` as those of
    release 3 do (`pd_op.matmul`). Inputs and outputs have the names of the row's operands, or `Param` and `Grad` for an
    update. `attr("op_role")` is 0 for forward operations, 1 for gradients, 2 for updates.
    """

    def __init__(self, block: Any, operations: Sequence[Operation], step: OpStep = FORWARD) -> None:
        self.block = block
        self._operations = operations
        self._operation = operations[0]
        self._step = step

    @property
    def type(self) -> str:
        """`matmul_v2`, `elementwise_add_grad`, `sgd`; the row's name where PaddlePaddle has no operator for it."""
        return self._named(_TYPES)

    def _named(self, others: dict[str, str]) -> str:
        kind, row = self._step.kind, self._operation.name
        if not kind:
            return others.get(row, row)
        if self._step.role == "backward" and kind.endswith(_GRADIENT):
            row = kind.removesuffix(_GRADIENT)
            return f"{others.get(row, row)}{_GRADIENT}"
        return kind

    def name(self) -> str:
        """Its name as PaddlePaddle 3 spells it: `pd_op.matmul`."""
        return f"pd_op.{self._named(_NAMES)}"

    @property
    def idx(self) -> int:
        """Its place in the block."""
        return next(k for k, view in enumerate(self.block.ops) if self._operation in view._operations)

    @property
    def input_names(self) -> list[str]:
        """The names of the row's operands; of an update `Param`, `Grad` and the variables that it keeps."""
        if not self._step.kind:
            return _operand_names(self._operation)
        values = self._inputs()
        if self._step.role == "optimize":
            return [self._slot(v) for v in values]
        return _numbered("X", len(values))

    @property
    def output_names(self) -> list[str]:
        """`Out`, or `Out0`, `Out1`, ...; of an update `ParamOut` and the variables that it keeps."""
        if self._step.role == "optimize" and self._step.kind:
            return ["ParamOut" if name == self._step.subject else name for name in self.output_arg_names]
        return _numbered("Out", len(self.output_arg_names))

    @property
    def input_arg_names(self) -> list[str]:
        """The names of the variables that go in."""
        return [name_of(self.block.program, v) for v in self._inputs()]

    @property
    def output_arg_names(self) -> list[str]:
        """The names of the variables that come out; those of state that an update writes."""
        return [self._written().get(v) or name_of(self.block.program, v) for v in self._outputs()]

    def _inputs(self) -> list[Value]:
        if not self._step.kind:
            return list(self._operation.operands)
        inner = {r for o in self._operations for r in o.results}
        return list(dict.fromkeys(v for o in self._operations for v in o.operands if v not in inner))

    def _outputs(self) -> list[Value]:
        made = [r for o in self._operations for r in o.results]
        if not self._step.kind:
            return made
        members, written = set(self._operations), self._written()
        return [r for r in made if r in written or not r.uses or any(o not in members for o, _ in r.uses)]

    def _written(self) -> dict[Value, str]:
        """Values that state takes after an update, with the state's names."""
        if self._step.role != "optimize":
            return {}
        recorder = self.block.program.recorder
        entries = ((recorder.current.get(key), entry) for key, entry in recorder.lifted.items())
        return {now: entry.tensor.name for now, entry in entries if now is not None and now is not entry.value}

    def _slot(self, value: Value) -> str:
        name = name_of(self.block.program, value)
        if name == self._step.subject:
            return "Param"
        return "Grad" if value is self._gradient() else name

    def _gradient(self) -> Value | None:
        """What an update reads that isn't state and has the parameter's shape."""
        recorder = self.block.program.recorder
        state = {entry.value: entry.tensor.name for entry in recorder.lifted.values()}
        shapes = [v.shape for v in self._inputs() if state.get(v) == self._step.subject]
        return next((v for v in self._inputs() if v not in state and [v.shape] == shapes), None)

    def input(self, slot: str) -> list[str]:
        """Names of the variables in an input slot."""
        return self._in_slot("input", slot, self.input_names, self.input_arg_names)

    def output(self, slot: str) -> list[str]:
        """Names of the variables in an output slot."""
        return self._in_slot("output", slot, self.output_names, self.output_arg_names)

    def _in_slot(self, what: str, slot: str, slots: list[str], names: list[str]) -> list[str]:
        if slot not in slots:
            raise ArgumentError(f"{self.type} has no {what} {slot}; it has {', '.join(slots)}")
        return [names[slots.index(slot)]]

    @property
    def attr_names(self) -> list[str]:
        """The names of its attributes; those with blocks have `sub_block`."""
        return [*self.all_attrs(), *(["sub_block"] if self._operation.blocks else [])]

    def has_attr(self, name: str) -> bool:
        """Whether it has an attribute."""
        return name == "op_role" or name in self.attr_names

    def attr(self, name: str) -> Any:
        """An attribute; `op_namescope` is the name scope that it was built in, `op_device` its stage of a pipeline.

        Errors: ArgumentError.
        """
        if name == "op_role":
            return ROLES[self._step.role]
        if name == "op_namescope":
            return self.block.program.recorder.name_scopes.get(self._operation, "/")
        if name == "op_device":
            stage = self.block.program.recorder.stages.get(self._operation)
            return "cpu" if stage is None else f"cpu:{stage}"
        if name == "sub_block" and self._operation.blocks:
            return self.blocks[0]
        attrs = self.all_attrs()
        if name not in attrs:
            raise ArgumentError(f"{self.type} has no attribute {name}")
        return attrs[name]

    @property
    def blocks(self) -> list[Any]:
        """The blocks inside it: the branches of an `if`, the body of a loop."""
        return [b for b in self.block.program.blocks[1:] if b.place.owner in self._operations]

    def all_attrs(self) -> dict[str, Any]:
        """All attributes; a step of several operations has those of its operator."""
        if not self._step.kind:
            found = dict(self._operation.attrs)
            if self._operation.name == CAST:
                found |= {"in_dtype": self._operation.operands[0].dtype, "out_dtype": self._operation.results[0].dtype}
            return found
        return {k: v.ravel().tolist() if isinstance(v, np.ndarray) else v for k, v in self._step.attrs.items()}

    attrs = all_attrs

    def to_string(self, *_: Any) -> str:
        """A line with its name, inputs and outputs."""
        return f"{', '.join(self.output_arg_names)} = {self.type}({', '.join(self.input_arg_names)})"

    __repr__ = __str__ = to_string


def _numbered(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name}{k}" for k in range(count)]


def _operand_names(operation: Operation) -> list[str]:
    declared: Any = operation.op.operands
    names = declared.split() if isinstance(declared, str) else list(declared)
    return [str(name).lstrip("*").rstrip("?") for name in names]


def name_of(program: Any, value: Value) -> str:
    """The name of the variable that stands for a value; it gets one if it has none."""
    for name, variable in program.vars.items():
        if variable._storage.payload is value:
            return str(name)
    for entry in program.recorder.lifted.values():
        if entry.value is value:
            return str(entry.tensor.name)
    known = program.recorder.held.get(value)
    found: str = (program.recorder.variable(value) if known is None else known).name
    return found
