"""The interpreter that records: ops called under it are appended to a block as operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from ..base.dtype import DType, as_dtype, of_array, of_scalar
from ..base.errors import ArgumentError, CaptureError, VitrifyError
from ..base.flags import flags
from ..base.location import UNKNOWN, Loc
from ..ops.control import callback, check, for_, if_, return_, update, while_, yield_
from ..ops.create import ArrayData
from ..ops.dims import Dim, same_shape
from ..ops.dispatch import using
from ..ops.interpreter import Interpreter
from ..ops.op import OPS, Op
from ..ops.sizes import freshened
from ..ops.types import TensorType, ValueType, require_possible
from .core import Block, Operation, Program, Value

Entry: TypeAlias = tuple[Operation, tuple[Value, ...], int]  # with operands and results as they were recorded


class RecordError(CaptureError):
    """Code that runs again doesn't record what it recorded before."""


def ahead_of(operation: Operation) -> Builder:
    """A builder right before an operation, whose line it gives to what it records."""
    assert operation.parent is not None
    return _placed(operation.parent, operation, operation.loc)


def insert_before(operation: Operation, op: Op, operands: Sequence[Value], attrs: dict[str, Any]) -> Value:
    """The result of an operation recorded right before another."""
    made: Value = ahead_of(operation).apply(op, tuple(operands), attrs)
    return made


def behind(operation: Operation) -> Builder:
    """A builder right after an operation, whose line it gives to what it records."""
    assert operation.parent is not None
    following = operation.parent.operations[operation.parent.operations.index(operation) + 1 :]
    return _placed(operation.parent, following[0] if following else None, operation.loc)


def at_end(block: Block) -> Builder:
    """A builder right before the terminator of a block, whose line it gives to what it records."""
    return ahead_of(block.terminator)


def _placed(block: Block, before: Operation | None, loc: Loc) -> Builder:
    builder = Builder(block, before=before)
    builder.loc = loc
    return builder


class Builder(Interpreter):
    """Appends operations to `block` (or inserts before `before`). Use `with builder.active():` to write ops as Python.

    `locate` gives each new operation its Loc.
    """

    def __init__(
        self, block: Block, *, before: Operation | None = None, locate: Callable[[], Loc] | None = None
    ) -> None:
        self.block = block
        self.before = before
        self.loc: Loc = UNKNOWN
        self.locate = locate
        self.journals: dict[Block, list[Entry]] = {}  # blocks whose code may run again -> what it recorded
        self.placed = 0  # operations recorded, those that were recorded before included
        self.recorded: dict[Block, Iterator[Entry]] = {}  # blocks whose code runs again now -> what it recorded before

    @contextmanager
    def active(self) -> Iterator[Builder]:
        """Make this builder the active interpreter."""
        with using(self):
            yield self

    @contextmanager
    def inside(self, block: Block) -> Iterator[Block]:
        """Append to `block` for a while."""
        saved = self.block, self.before
        self.block, self.before = block, None
        try:
            yield block
        finally:
            self.block, self.before = saved

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Record one op; returns its Value, or a tuple of Values."""
        loc = self.locate() if self.locate is not None else self.loc
        try:
            kinds = op.infer(*[a.type for a in args], **attrs)
            results = kinds if isinstance(kinds, tuple) else (kinds,)
            for kind in results:
                require_possible(op.name, kind)
        except VitrifyError as error:
            raise error.at(loc) from None
        operation = self.place(Operation(op, args, attrs, results, (), loc))
        return tuple(operation.results) if results is kinds else operation.results[0]

    def place(self, operation: Operation) -> Operation:
        """Put an operation at the insertion point; where code runs again, give the one that it recorded before."""
        self.placed += 1
        if self.before is None:
            if self.block in self.recorded:
                return self._again(operation)
            if self.block in self.journals:
                self.journals[self.block].append((operation, tuple(operation.operands), len(operation.results)))
            return self.block.append(operation)
        assert self.before.parent is self.block
        return self.block.insert(self.block.operations.index(self.before), operation)

    def _again(self, operation: Operation) -> Operation:
        known, operands, count = next(self.recorded[self.block], (None, (), 0))
        if (
            known is None
            or known.op is not operation.op
            or len(operands) != len(operation.operands)
            or any(a is not b for a, b in zip(operands, operation.operands, strict=True))
            or count != len(operation.results)  # sizes that only a run knows have new names in their types
        ):
            raise RecordError(
                f"this gives {operation.name} when it runs again for another path, and "
                f"{'nothing' if known is None else known.name} before",
                loc=operation.loc,
                remedy="make the code do the same each time it runs: no hidden counters, clocks or random choices",
            )
        operation.forget()
        return known

    def constant(self, data: Any, dtype: DType | None = None) -> Value:
        """A value holding a number, array, nested list or symbolic Dim; a Value is returned as it is."""
        if isinstance(data, Value):
            return data
        if isinstance(data, Dim):
            value: Value = self.apply(OPS["dim_value"], (), {"dim": data})
            return (
                value if dtype is None or dtype is value.dtype else self.apply(OPS["cast"], (value,), {"dtype": dtype})
            )
        array = to_array(data, dtype)
        result: Value = self.apply(OPS["constant"], (), {"data": ArrayData(array)})
        return result

    def emit(
        self, op: Op, operands: Iterable[Value], attrs: dict[str, Any], kinds: Sequence[ValueType],
        blocks: Iterable[Block] = (), loc: Loc | None = None,
    ) -> Operation:  # fmt: skip
        """Record an operation whose result types are given (block rows)."""
        place = loc or (self.locate() if self.locate is not None else self.loc)
        return self.place(Operation(op, operands, attrs, kinds, blocks, place))

    def if_(self, condition: Value, then: Block, other: Block) -> list[Value]:
        """An `if` over two finished blocks (each ends in a yield)."""
        return self.emit(if_, [condition], {}, [v.type for v in then.yields], [then, other]).results

    def while_(self, carried: Sequence[Value], condition: Block, body: Block) -> list[Value]:
        """A `while`: `condition` yields one bool, `body` the next carried values."""
        kinds = results_of(carried, [a.type for a in body.args])
        return self.emit(while_, carried, {}, kinds, [condition, body]).results

    def for_(self, count: Value, carried: Sequence[Value], body: Block) -> list[Value]:
        """A `for`: `body` takes the iteration number and the carried values and yields the next carried values."""
        return self.emit(
            for_, [count, *carried], {}, results_of(carried, [a.type for a in body.args[1:]]), [body]
        ).results

    def yield_(self, values: Iterable[Value]) -> None:
        self.emit(yield_, values, {}, [])

    def return_(self, values: Iterable[Value]) -> None:
        self.emit(return_, values, {}, [])

    def update(self, state: Value, value: Value) -> None:
        self.apply(update, (state, value), {})

    def callback(
        self, callee: str, inputs: Sequence[Value], outputs: Sequence[TensorType], **attrs: Any
    ) -> list[Value]:
        """A call back into Python; `callee` is a name in the callback registry."""
        full = {"callee": callee, "outputs": tuple(outputs), "gradient": None, "form": "array"} | attrs
        return list(self.apply(callback, tuple(inputs), full))

    def check(self, condition: Value, message: str, error: str = "AssertionError") -> None:
        self.apply(check, (condition,), {"message": message, "error": error})


def results_of(carried: Sequence[Value], kinds: Sequence[ValueType]) -> list[ValueType]:
    """The types of a loop's results, from those that its body takes: sizes that iterations change get new names."""
    return [
        kind if not isinstance(kind, TensorType) or same_shape(kind.shape, v.shape) else freshened(kind)
        for v, kind in zip(carried, kinds, strict=True)
    ]


def to_array(data: Any, dtype: DType | None) -> np.ndarray[Any, Any]:
    """A contiguous NumPy array from a number, array or nested list, under the rules of Python numbers."""
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
    elif isinstance(data, (bool, int, float, complex)):
        wanted = dtype or of_scalar(data, None, flags.default_dtype)
        try:
            array = np.asarray(data, dtype=wanted.numpy)
        except OverflowError as error:
            raise ArgumentError(f"{data} doesn't fit into {wanted.name}", remedy="use a wider dtype") from error
    else:
        array = np.asarray(data)
        if dtype is None and array.dtype == np.float64:
            array = array.astype(flags.default_dtype.numpy)
    kind = as_dtype(dtype) if dtype is not None else of_array(array)
    return np.asarray(array, dtype=kind.numpy, order="C")


def new_program(name: str = "main") -> tuple[Program, Builder]:
    """An empty program and a builder at its end."""
    program = Program(name)
    return program, Builder(program.body)
