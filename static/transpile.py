"""Transpilers: passes over a program built by hand, under the names that users know. Print it before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.errors import KindError
from ..ir.core import Operation, Value
from ..ir.known_numbers import evaluated
from ..ops.op import OPS
from ..ops.types import TensorType
from .program import Program
from .scope import Scope, checked


class Transpiler:
    """A pass with a name: `transpile(program)` changes the program and returns it."""

    name = "transpiler"

    def transpile(self, program: Program, place: Any = None, scope: Scope | None = None) -> Program:
        """Change the program in place. scope: where parameters are read and made (default: the one in force).

        Errors: KindError for anything but a program; MissingError for parameters without values.
        """
        if not isinstance(program, Program):
            raise KindError(f"{self.name} needs a Program, not a {type(program).__name__}")
        program.recorder.note_writes()
        self.run(program, checked(scope))
        program.cache.clear()
        program.quick.clear()
        return program

    def run(self, program: Program, scope: Scope) -> None:
        """What it does."""
        raise NotImplementedError(f"{type(self).__name__} has no run")


class MemoryTranspiler(Transpiler):
    """Drop operations whose results nobody can ask for: they lead nowhere and no variable stands for them."""

    name = "memory_optimize"

    def run(self, program: Program, scope: Scope) -> None:
        """Drop them, the last ones first."""
        body, kept = program.recorder.program.body, _asked_for(program)
        for operation in reversed(list(body.operations)):
            if operation.is_pure and not any(r.uses or r in kept for r in operation.results):
                operation.forget()
                body.operations.remove(operation)


class InferenceTranspiler(Transpiler):
    """Fold what follows a convolution per channel (batch norm, bias) into its filters; drop what leads nowhere.

    It takes programs for testing, `clone(for_test=True)`, in which dropout does nothing. Results differ in rounding.

    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> main, startup = vt.static.Program(), vt.static.Program()
    >>> with vt.static.program_guard(main, startup):
    ...     x = vt.static.data("image", [None, 3, 8, 8])
    ...     y = vt.static.nn.batch_norm(vt.static.nn.conv2d(x, 4, 3))
    >>> vt.static.Executor().run(startup)
    []
    >>> [op.type for op in InferenceTranspiler().transpile(main.clone(for_test=True)).global_block().ops]
    ['conv2d', 'elementwise_add']
    >>> vt.disable_static()
    """

    name = "inference_transpile"

    def run(self, program: Program, scope: Scope) -> None:
        """Fold one convolution after the other."""
        sweep = MemoryTranspiler()
        sweep.run(program, scope)
        for operation in list(program.recorder.program.body.operations):
            if operation.name == "conv2d":
                _fold(program, scope, operation)
        sweep.run(program, scope)


def memory_optimize(program: Any, *_: Any, **__: Any) -> None:
    """`MemoryTranspiler().transpile(program)`; further arguments of Paddle's old function have no effect."""
    MemoryTranspiler().transpile(program)


def _asked_for(program: Program) -> set[Value]:
    """Values that a variable, a write or a copy's original stands for."""
    recorder = program.recorder
    kept = _values([*program.vars.values(), *recorder.held.values()])
    kept |= {write.value for write in recorder.writes} | set(recorder.current.values())
    origin = program.origin.recorder.held if program.origin is not None else {}
    named = _values(program.origin.vars.values()) if program.origin is not None else set()
    return kept | {copy for old, copy in recorder.counterparts.items() if old in origin or old in named}


def _values(variables: Iterable[Any]) -> set[Value]:
    return {v._storage.payload for v in variables if isinstance(v._storage.payload, Value)}


def _fold(program: Program, scope: Scope, conv: Operation) -> None:
    weight = _computed(program, scope, conv.operands[1])
    if weight is None:
        return
    factor, shift, last, steps = np.ones(weight.shape[0]), np.zeros(weight.shape[0]), conv.result, 0
    for operation, array in _chain(program, scope, conv.result, weight.shape[0]):
        if operation.name in ("multiply", "divide"):
            by = array if operation.name == "multiply" else 1.0 / array
            factor, shift = factor * by, shift * by
        else:
            shift = shift + array if operation.name == "add" else shift - array
        last, steps = operation.result, steps + 1
    if steps < 2:
        return
    body, name = program.recorder.program.body, conv.name
    filters = _parameter(program, scope, f"{name}.folded_w", (weight * factor[:, None, None, None]), conv)
    bias = _parameter(program, scope, f"{name}.folded_b", shift.reshape(1, -1, 1, 1), conv)
    made = Operation(conv.op, [conv.operands[0], filters], dict(conv.attrs), [conv.result.type], (), conv.loc)
    assert last.operation is not None
    place = body.operations.index(last.operation) + 1
    body.insert(place, made)
    added = body.insert(place + 1, Operation(OPS["add"], [made.result, bias], {}, [last.type], (), conv.loc))
    last.replace_by(added.result)
    recorder = program.recorder
    for variable in (*program.vars.values(), *list(recorder.held.values())):
        if variable._storage.payload is last:
            variable._storage.payload = added.result
    for old, copy in recorder.counterparts.items():
        if copy is last:
            recorder.counterparts[old] = added.result


def _chain(program: Program, scope: Scope, value: Value, channels: int) -> Iterator[tuple[Operation, Any]]:
    """The operations per channel that follow, as long as nobody else sees what is between, with their arrays."""
    kept = _asked_for(program)
    while len(value.uses) == 1 and value not in kept:
        operation, k = next(iter(value.uses))
        if operation.name not in ("add", "subtract", "multiply", "divide") or operation.parent is not value.block:
            return
        if k == 1 and operation.name in ("subtract", "divide"):
            return
        array = _computed(program, scope, operation.operands[1 - k])
        if array is None or array.shape not in ((1, channels, 1, 1), (channels, 1, 1), ()):
            return
        yield operation, np.broadcast_to(array.reshape(-1).astype(np.float64), (channels,))
        value = operation.result


def _computed(program: Program, scope: Scope, value: Value) -> Any | None:
    """The array of a value that is computed from parameters and constants alone; None for any other."""
    operation = value.operation
    if operation is None:
        entry = next((e for e in program.recorder.lifted.values() if e.value is value), None)
        return None if entry is None else np.array(scope.value_of(entry.tensor)._copied())
    if not operation.is_pure or operation.blocks or len(operation.results) != 1:
        return None
    arrays = []
    for operand in operation.operands:
        array = _computed(program, scope, operand)
        if array is None:
            return None
        arrays.append(array)
    kind = value.type
    return evaluated(operation, arrays, kind) if isinstance(kind, TensorType) else None


def _parameter(program: Program, scope: Scope, stem: str, array: Any, conv: Operation) -> Value:
    name, dtype = unique_name.generate(stem), conv.result.dtype
    value = program.recorder.program.add_state(name, TensorType(dtype, array.shape), "parameter")
    program.adopt_state(name, value)
    scope.set(name, array.astype(dtype.numpy))
    return value
