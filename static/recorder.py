"""The interpreter of static mode: what is called is appended to a program, and the results are Variables.

One recorder belongs to one Program. It is a tracer (jit/trace/tracer.py) whose trace never ends: control flow,
PyLayers and
in-place writes work as in captured functions. Tensors that hold arrays, and parameters, which hold none before the
startup program has run, become state entries of the program; a write gives the entry another value, and the tensor's
cell is put back, as several programs may use it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.dtype import DType, loses
from ..base.errors import GradientError, KindError, NoValueError, OtherProgramError
from ..base.location import caller_loc
from ..dygraph.modes import GradMode
from ..dygraph.printing import AS_STR
from ..dygraph.random_generators import default_generator
from ..dygraph.storage import Storage
from ..dygraph.tensor import Parameter, Tensor
from ..ir.core import Block, Operation, Value
from ..jit.construct_tracer import ConstructTracer
from ..jit.trace.known_values import known_array, known_sizes
from ..jit.trace.state.write_log import Log
from ..jit.trace.tracer import Lifted
from ..ops.dims import deciding
from ..ops.op import OPS, Op
from ..ops.types import TensorType
from ..passes.autodiff.block_vjps import vjp_block_values
from ..passes.autodiff.reverse import whole_gradients
from . import gradient_ops
from .append import give, is_renamed
from .current import state
from .feeds import become_feed
from .op_steps import OpStep, Updates
from .operands import refuse_constant
from .scope import global_scope
from .variable import Variable, VariableShape


class ValueInScope:
    """Stands for the data of a persistable variable: its shape and dtype; the arrays are in scopes."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Sequence[Any], dtype: DType) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype


class StaticParameter(Parameter):
    """A parameter whose values are in scopes."""

    is_parameter = True

    @property
    def shape(self) -> Any:
        """The sizes of its axes, equal to a list or a tuple of them."""
        return VariableShape(self._storage.payload.shape)

    def get_value(self, scope: Any = None) -> Tensor:
        """Its value in a scope (default: the one in force). Errors: MissingError before the startup program has run."""
        return (scope or global_scope()).tensor_of(self.name)

    def set_value(self, value: Any, scope: Any = None) -> None:
        """Give it a value in a scope. Errors: ShapeError."""
        (scope or global_scope()).assign(self, value)


@dataclass(slots=True)
class Write:
    """A state entry's value after an operation of the program. `test`: it also happens in the program for testing."""

    cell: Storage
    value: Value
    test: bool


@dataclass(slots=True)
class Modes:
    """One call of a function that behaves otherwise in testing: its result, and the operations of the other way."""

    first: int  # the place of its first operation
    block: Block
    results: list[Value]
    test_operations: list[Operation]
    test_results: list[Value]


class Recorder(ConstructTracer):
    """Appends to one program; `owner` is the static.Program."""

    is_static = True

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(name)
        self.layers.follows_state = False
        self.owner = owner
        self.current: dict[int, Value] = {}  # the latest value of each state entry's cell
        self.writes: list[Write] = []
        self.initialised: dict[int, Tensor] = {}  # cells that this (startup) program gives their first value
        self.modes: list[Modes] = []
        self.held: weakref.WeakValueDictionary[Value, Any] = weakref.WeakValueDictionary()  # variables still in use
        self.blocked: set[Value] = set()  # where the user lets no gradient through
        self.counterparts: dict[Value, Value] = {}  # values of the program that this one is a copy of -> ours
        self.forward_end: int | None = None  # how many operations there are before the first gradient
        self.updates: list[Updates] = []  # what optimizers do with gradients
        self.name_scopes: dict[Operation, str] = {}
        self.roles: dict[Operation, str] = {}  # of what isn't forward
        self.first_values: dict[Operation, OpStep] = {}  # what makes the first values of parameters
        self.stages: dict[Operation, int] = {}  # of a pipeline, as `device_guard` says
        self.role = "forward"
        self.in_test = True  # whether writes recorded now also happen in testing

    # ---- the interpreter's hooks

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        self.note_writes()
        values = [self.value_of(x) for x in args]
        with deciding(self.decide):
            made = self.builder.apply(op, tuple(values), attrs)
        stop = not op.is_differentiable or all(x.stop_gradient for x in args)
        many = isinstance(made, tuple)
        self._note_scope()
        results = [self.variable(v, stop or not v.dtype.is_differentiable) for v in (made if many else (made,))]
        return tuple(results) if many else results[0]

    def named(self, made: Any, name: str) -> Any:
        """What an op made, under a name that begins with the user's."""
        for x in made if isinstance(made, tuple) else (made,):
            if isinstance(x, Variable):
                x.name = unique_name.generate(f"{name}.tmp")
        return made

    def made_by(self, made: Any, function: str) -> None:
        """What a function made of several ops: its name begins with the function's, unless it has one."""
        if isinstance(made, Variable):
            made.__dict__["_maker"] = function

    def assigned(self, made: Tensor, stop_gradient: bool) -> Tensor:
        """A new tensor's elements as a constant of the program: what `to_tensor` gives here."""
        if isinstance(made, Variable):
            return made
        variable = self.variable(self.builder.constant(made._storage.payload, made.dtype), True)
        variable.stop_gradient = stop_gradient
        return variable

    def _note_scope(self) -> None:
        if state.name_scope != "/" and self.builder.block.operations:
            self.name_scopes.setdefault(self.builder.block.operations[-1], state.name_scope)

    def variable(self, value: Value, stop: bool = False) -> Variable:
        """The Variable over a value of this program."""
        made = Variable.__new__(Variable)
        made._storage, made._dtype = Storage(value), value.dtype
        made.__dict__["_stop"], made.__dict__["recorder"] = stop, self
        self.held.setdefault(value, made)
        return made

    @contextmanager
    def at_stage(self, number: int) -> Iterator[None]:
        """What is recorded meanwhile belongs to this stage of a pipeline."""
        known = set(self.program.body.operations)
        try:
            yield
        finally:
            for operation in self.program.body.operations:
                if operation not in known:
                    self.stages.setdefault(operation, number)

    def constant(self, data: Any, dtype: DType | None) -> Any:
        refuse_constant(data)
        made = super().constant(data, dtype)
        self._note_scope()
        if isinstance(made, Tensor) and not isinstance(made, Variable) and isinstance(made._storage.payload, Value):
            return self.variable(made._storage.payload, True)
        return made

    def concretize(self, x: Tensor, kind: str) -> Any:
        """Only tensors that hold an array have elements in static mode."""
        self.note_writes()
        payload = x._storage.payload
        if isinstance(payload, np.ndarray):
            return payload
        if kind in ("numpy", "array") and _is_constant(payload):
            return self.known(x)
        if kind in ("item", "int", "index", "tolist"):
            known = self.known(x)
            if known is not None:
                return known
            sizes = known_sizes(self.value_of(x)) if kind in ("item", "tolist") else None
            if sizes is not None:
                return sizes
        raise NoValueError(
            f"{kind}() of the variable {x.name}, which has a value only while a program runs",
            loc=caller_loc(),
            remedy="fetch it with Executor.run(fetch_list=[...]); test it with static.nn.cond or while_loop",
        )

    def sized(self, x: Tensor) -> Any:
        """An integer tensor with one element as a size: what it is made of, or a new name that the program is told."""
        if not x.dtype.is_integer:
            raise KindError(f"a size must be an int, not a {x.dtype.name} tensor")
        known = self.known(x)
        if known is None and isinstance(x._storage.payload, np.ndarray):
            known = x._storage.payload
        if known is None:
            return self.size_of(x)
        if known.size != 1:
            raise KindError(f"a size must be one int, not a tensor of shape {list(known.shape)}")
        return int(known.reshape(-1)[0])

    def string_of(self, x: Tensor, spec: str) -> Any:
        """A tensor as text: nothing runs a text later, so it is what is known now."""
        if isinstance(x._storage.payload, np.ndarray):
            return NotImplemented  # as in eager mode
        return repr(x) if spec in ("", AS_STR) else format(self.concretize(x, "item").item(), spec)

    def results_of(self, operation: Operation, kept: Sequence[bool]) -> list[Tensor]:
        return [
            self.variable(v, not (keep and v.tensor_type.dtype.is_differentiable))
            for v, keep in zip(operation.results, kept, strict=True)
        ]

    def carried(self, value: Value, needs_gradient: bool) -> Tensor:
        return self.variable(value, not needs_gradient)

    def adopt(self, program: Any) -> None:
        """Go on with a program that was made elsewhere."""
        self.program, self.builder.block, self.blocks = program, program.body, [program.body]

    def known(self, x: Tensor) -> Any | None:
        """The array that a tensor is known to hold because it is computed from constants; None otherwise."""
        payload = x._storage.payload
        return known_array(self.value_of(x)) if isinstance(payload, Value) else None

    # ---- state

    def value_of(self, x: Tensor) -> Value:
        payload = x._storage.payload
        if not isinstance(payload, Value):
            return self.lift(x)
        found = self.counterparts.get(payload)
        if found is not None:
            return found
        if payload.block not in self.blocks:
            foreign = self._is_foreign(payload)
            if foreign:
                raise OtherProgramError(
                    f"the variable {x.name} belongs to another program",
                    loc=caller_loc(),
                    remedy="build under program_guard of the program that the variable is in",
                )
        return self.elements_of(x)  # a variable is its value, whatever tensors stand for it

    def _is_foreign(self, value: Value) -> bool:
        block: Block | None = value.block
        while block is not None:
            if block is self.program.body:
                return False
            block = block.parent_block
        return not any(value.block is b for b in self.blocks)

    def lift(self, x: Tensor) -> Value:
        cell = x._storage
        if getattr(x, "awaits", False) and getattr(x, "declared", False):
            return become_feed(x, self)
        now = self.current.get(id(cell))
        if now is not None and (now.block in self.blocks):
            return now
        found = self.lifted.get(id(cell))
        if found is None:
            kind = TensorType(x._dtype, tuple(cell.payload.shape))
            drawn = cell is default_generator.state._storage
            role = "rng" if drawn else "parameter" if isinstance(x, Parameter) else "other"
            value = self.program.add_state(x.name, kind, role)
            found = self.lifted[id(cell)] = Lifted(value, cell, x, cell.payload)
        return found.value

    def note_writes(self) -> None:
        """Take note of what was written in place to state, and put the tensors' own data back."""
        if len(self.blocks) > 1:
            return
        log = self.logs[0]
        if not (log.storages or log.arrays):
            return
        for cell, before, *_ in log.storages.values():
            if not isinstance(before, Value) and isinstance(cell.payload, Value):
                value = cell.payload
                cell.payload = before
                if id(cell) not in self.lifted or value is not self.lifted[id(cell)].value:
                    self.note_write(cell, value)
        self.logs[0] = Log()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """State without this program's writes, as long as another program is recorded."""
        self.note_writes()
        written = [
            (cell, cell.payload, before)
            for log in self.logs
            for cell, before, *_ in log.storages.values()
            if isinstance(cell.payload, Value) and not isinstance(before, Value)
        ]
        for cell, _, before in written:
            cell.payload = before
        try:
            yield
        finally:
            for cell, value, _ in written:
                cell.payload = value

    def note_write(self, cell: Storage, value: Value) -> None:
        """From here on the state entry of a cell has another value."""
        self.current[id(cell)] = value
        self.writes.append(Write(cell, value, self.in_test and self.role == "forward"))

    def makes(self, name: str, shape: Sequence[Any]) -> bool:
        """Whether this program gives a parameter of that name and shape its first value."""
        return any(x.name == name and list(x.shape) == list(shape) for x in self.initialised.values())

    def initialise(self, x: Tensor, value: Any) -> None:
        """This program gives a persistable variable its first value."""
        self.lift(x)
        self.initialised[id(x._storage)] = x
        made = value if isinstance(value, Tensor) else self.constant(value, x._dtype)
        self.note_write(x._storage, self.value_of(made))

    def make_parameter(
        self, shape: Sequence[int], dtype: DType, values: Callable[[], Tensor], settings: dict[str, Any],
        described: Any = None,
    ) -> Parameter:  # fmt: skip
        """A parameter without data; the startup program makes it by `values`, an operator as `described`."""
        made: Parameter = StaticParameter.__new__(StaticParameter)
        made.__dict__.update(settings)
        made.__dict__.update(_storage=Storage(ValueInScope(shape, dtype)), _dtype=dtype)
        self.owner.add_persistable(made, values, described)
        return made

    def give(self, target: Any, value: Tensor) -> bool:
        """Let `target` have another value from here on: a variable made beforehand, state, or any other variable."""
        kept = is_renamed(target, self) and loses(target._dtype, value._dtype)
        made = value if kept or value._dtype is target._dtype else OPS["cast"](value, target._dtype)
        give(target, made, self)
        return True

    def set_value(self, x: Tensor, value: Any) -> bool:
        """Put a persistable variable's value into the scope, at once; False for any other tensor."""
        if not isinstance(x._storage.payload, ValueInScope) or getattr(x, "awaits", False):
            return False
        global_scope().assign(x, value)
        return True

    def make_accumulator(self, name: str, start: Any) -> Tensor:
        """An optimiser's state: made by the startup program."""
        return self.owner.add_global(name, np.asarray(start))  # type: ignore[no-any-return]

    def minimize(self, optimizer: Any, loss: Any, startup: Any, parameters: Any, no_grad_set: Any) -> Any:
        """What `optimizer.minimize` does in static mode."""
        return gradient_ops.minimize(optimizer, loss, startup, parameters, no_grad_set)

    def gradients_of(self, ys: Any, xs: Any, weights: Any, blocked: Any) -> Any:
        """What `grad` does in static mode."""
        return gradient_ops.gradients(ys, xs, weights, set(blocked) or None)

    def append_backward(self, loss: Any, parameters: Any, no_grad_set: Any) -> Any:
        """What `optimizer.backward` does in static mode."""
        chosen = gradient_ops.parameters_of(self.owner, parameters)
        return gradient_ops.pairs_with_gradients(loss, chosen, no_grad_set)

    def trained_parameters(self, given: Any) -> list[Any]:
        """The program's parameters that are meant: those given, or all trainable ones."""
        return gradient_ops.parameters_of(self.owner, given)

    def apply_gradients(self, optimizer: Any, pairs: Any) -> Any:
        """What `optimizer.apply_gradients` does in static mode."""
        return gradient_ops.apply(optimizer, self.owner, pairs)

    def step_scheduler(self, scheduler: Any, rates: Sequence[Any], given: Any, named: Any) -> bool:
        """A program is built once and runs later: schedules step between its runs."""
        return False

    def set_rate(self, optimizer: Any, value: Any) -> bool:
        """As above."""
        return False

    def rate_of(self, read: Callable[[], float]) -> Any:
        """As above: the rate is asked now."""
        return NotImplemented

    def rate_function(self, get_lr: Callable[[], float]) -> Callable[[], float]:
        """As above."""
        return get_lr

    def read_scheduler(self, scheduler: Any, name: str, value: Any, *, late: bool = False) -> Any:
        """As above."""
        return value

    # ---- two ways in one place

    def in_modes(self, call: Callable[[bool], Any]) -> Any:
        """Record `call(True)`, training, and keep `call(False)` aside for the program for testing."""
        self.note_writes()
        block = self.builder.block
        first = len(block.operations)
        test = call(False)
        operations = block.operations[first:]
        del block.operations[first:]
        with self._training():
            result = call(True)
            self.note_writes()
        if isinstance(result, Tensor) and isinstance(test, Tensor):
            self.modes.append(Modes(first, block, [self.value_of(result)], operations, [_payload(self, test)]))
        return result

    @contextmanager
    def _training(self) -> Any:
        before, self.in_test = self.in_test, False
        try:
            yield
        finally:
            self.in_test = before

    # ---- gradients

    def gradients(
        self, targets: Sequence[Tensor], inputs: Sequence[Tensor], given: Sequence[Tensor | None], blocked: set[Value]
    ) -> list[Variable | None]:
        """Gradients of `targets`, weighted by `given` (None: ones), with respect to `inputs`; None: no path."""
        self.note_writes()
        values = [self.value_of(t) for t in targets]
        wanted = [self.value_of(x) for x in inputs]
        with deciding(self.decide), GradMode(False):
            with self.builder.active():
                seeds = [
                    OPS["full"](v.shape, 1, v.dtype) if g is None else self.value_of(g)
                    for v, g in zip(values, given, strict=True)
                ]
            for value, seed, target in zip(values, seeds, targets, strict=True):
                if len(value.shape) != len(seed.shape):
                    raise GradientError(f"the gradient given for {target.name} has another shape")
            self.shield(blocked | self.blocked)
            whole = any(not v.dtype.is_differentiable for v in (*values, *wanted))
            with whole_gradients() if whole else nullcontext():
                found = vjp_block_values(self.builder, values, seeds, wanted, block=self.program.body)
            with self.builder.active():
                found = [
                    v if v is None or v.dtype is x.dtype else OPS["cast"](v, x.dtype)
                    for v, x in zip(found, wanted, strict=True)
                ]
        return [None if v is None else self.variable(v, False) for v in found]

    def shield(self, blocked: set[Value]) -> None:
        """Let no gradient through the values in `blocked`: their users get them through a `stop_gradient`."""
        for value in blocked:
            users = [(o, k) for o, k in value.uses if o.name != "stop_gradient"]
            if not users or not value.dtype.is_differentiable:
                continue
            shield = Operation(OPS["stop_gradient"], [value], {}, [value.type], (), value_loc(value))
            body = value.block
            place = 0 if value.operation is None else body.operations.index(value.operation) + 1
            body.insert(place, shield)
            for operation, k in users:
                operation.set_operand(k, shield.result)


def value_loc(value: Value) -> Any:
    """Where a value comes from."""
    from ..base.location import UNKNOWN

    return value.operation.loc if value.operation is not None else UNKNOWN


def _payload(recorder: Recorder, x: Tensor) -> Value:
    return x._storage.payload if isinstance(x._storage.payload, Value) else recorder.lift(x)


def _is_constant(payload: Any) -> bool:
    return isinstance(payload, Value) and payload.operation is not None and payload.operation.name == "constant"
