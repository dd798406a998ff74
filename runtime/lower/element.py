"""One element of one value as an expression: expands producers through their rows' lowerings, memoised per loop."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...base.dtype import DType, as_dtype, int64
from ...ir.core import Operation, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.number_bounds import bounds_of, lies_in
from ...ops.dims import DimLike, same_dim, same_shape
from ...ops.kernel_expressions import (
    ZERO,
    Binary,
    CallExpr,
    Expr,
    Literal,
    Load,
    Name,
    Operand,
    Symbol,
    any_of,
    call,
    expr,
    replaced,
    select,
)  # fmt: skip
from ...ops.lowering import Index, Point, Scalar
from ...ops.types import TensorType
from ...passes.loops.loop_indices import stays_in
from ..kernel.kernel_builder import KernelBuilder
from .parameters import Parameters

_WRONG = Name("wrong")
_WRAPPING = {"+": "wrapping_add", "-": "wrapping_subtract", "*": "wrapping_multiply"}


def literal(value: Any, dtype: DType) -> Expr:
    """A typed constant."""
    if dtype.is_bool:
        return Literal(bool(value))
    if dtype.is_integer:
        return call(dtype.short, int(value))
    number = float(value)
    if math.isnan(number):
        return call(dtype.short, "nan")
    if math.isinf(number):
        return call(dtype.short, -Name("inf") if number < 0 else "inf")
    return call(dtype.short, number)


def extreme(short: str, sign: int) -> Expr:
    """The lowest (sign -1) or highest (sign 1) value of a type as a literal."""
    dtype = as_dtype(short)
    if dtype.is_integer:
        limits = np.iinfo(dtype.numpy)
        return literal(limits.max if sign > 0 else limits.min, dtype)
    return literal(math.inf * sign, dtype)


class ElementWriter:
    """Builds the computation of elements.

    `resolve(value, index)` may answer for a value (a finished reduction, an accumulator); else it is computed from its
    operation if that is among `inside`, or loaded from memory.
    """

    def __init__(
        self, parameters: Parameters, builder: KernelBuilder, inside: set[Operation],
        resolve: Callable[[Value, Index], Expr | None] = lambda value, index: None,
    ) -> None:  # fmt: skip
        self.parameters = parameters
        self.builder = builder
        self.inside = inside
        self.resolve = resolve
        self.scopes: list[dict[tuple[Any, ...], Expr]] = [{}]
        self.reads: dict[Value, set[tuple[Expr, ...]]] = {}  # at which indices each input is read
        self.count = 0
        self.counts_wrong = False
        self.places: dict[tuple[Value, Expr], Expr] = {}  # indices that are checked before all loops
        self.repeated: dict[Expr, int] = {}  # the variables of loops that run again for each row, and how far they go
        self.tables: dict[tuple[Value, tuple[Expr, ...], Expr], Name] = {}  # the indices of such a loop, checked

    def push(self) -> None:
        self.scopes.append({})

    def pop(self) -> None:
        self.scopes.pop()

    def bind(self, expression: Operand, prefix: str = "t") -> Expr:
        """A fresh local name for an expression."""
        made = expr(expression)
        if isinstance(made, Symbol):
            return made
        name = f"{prefix}{self.count}"
        self.count += 1
        return self.builder.let(name, made)

    def value(self, value: Value, index: Index) -> Expr:
        """One element: a name, or a literal."""
        constant = self._literal(value)
        if constant is not None:
            return constant
        key = (value, tuple(index))
        for scope in reversed(self.scopes):
            known: Expr | None = scope.get(key)
            if known is not None:
                return known
        resolved = self.resolve(value, index)
        answer = self._written(value, index) if resolved is None else resolved
        self.scopes[-1][key] = answer
        return answer

    def _written(self, value: Value, index: Index) -> Expr:
        """The name of an element that is computed here; a load belongs to the operation that reads it."""
        if value.operation not in self.inside:
            return self.bind(self._expression(value, index))
        with self.builder.on_behalf_of(value.operation):
            return self.bind(self._expression(value, index))

    def is_steady(self, value: Value) -> bool:
        """Whether a value without axes is the same for all elements, and known before the first of them."""
        operation = value.operation
        if operation is None or operation not in self.inside:
            return True
        return isinstance(operation.op.lowering, Scalar) and all(
            not v.tensor_type.rank and self.is_steady(v) for v in operation.operands
        )

    def _literal(self, value: Value) -> Expr | None:
        operation = value.operation
        if operation is None:
            return None
        if operation.name == "constant" and value.tensor_type.size == 1:
            return literal(operation.attrs["data"].array.reshape(-1)[0], value.dtype)
        if operation.name == "full":
            return literal(operation.attrs["fill_value"], value.dtype)
        if operation.name == "dim_value" and not is_dynamic(operation):
            return self.parameters.dim(operation.attrs["dim"])
        return None

    def _expression(self, value: Value, index: Index) -> Expr:
        operation = value.operation
        if operation is None or operation not in self.inside:
            return self.load(value, index)
        return self.expression(operation, index)

    def expression(self, operation: Operation, index: Index) -> Expr:
        """One element of an operation's result."""
        lowering = operation.op.lowering
        if isinstance(lowering, Scalar):
            return self._scalar(operation, lowering, index)
        if operation.name == "concat":
            return self.value(*_piece_at(operation, index))
        assert isinstance(lowering, Point), operation.name
        context = Context(self, operation, lazy=not lowering.inline)
        made: Expr = lowering.fn(context, index)
        return made

    def load(self, value: Value, index: Index) -> Expr:
        """A load from memory."""
        self.reads.setdefault(value, set()).add(tuple(index))
        return self.parameters.load(value, index)

    def one_index(self, value: Value, size: DimLike) -> Expr:
        """A run-time index that all elements share, made safe before the first of them."""
        bound = self.parameters.dim(size)
        if not self.is_steady(value):
            return self._safe_index(value, size)
        place = self.places.get((value, bound))
        if place is None:
            scopes, self.scopes = self.scopes, [{}]
            with self.builder.at_start():
                place = self._safe_index(value, size)
            self.scopes = scopes
            self.places[value, bound] = place
        return place

    def _safe_index(self, value: Value, size: DimLike) -> Expr:
        """What the iterations of a loop give is within bounds as it stands; else it is checked."""
        expression = self.value(value, [])
        if stays_in(value, size):
            return self.bind(call("i64", expression), "k")
        return self.checked_index(expression, self.parameters.dim(size))

    def table_of(self, value: Value, index: Index, size: DimLike) -> Expr | None:
        """A run-time index made safe for all rows, before the first; None where a row has indices of its own."""
        variables = [i for i in index if not isinstance(i, Literal)]
        if len(variables) != 1 or variables[0] not in self.repeated or value.operation in self.inside:
            return None
        (variable,), bound = variables, self.parameters.dim(size)
        key = value, tuple(index), bound
        if key not in self.tables:
            scopes = self.scopes
            with self.builder.at_start():
                table = self.builder.local(f"table{len(self.tables)}", "i64", self.repeated[variable])
                with self.builder.loop(Name(str(variable)), 0, self.repeated[variable]):
                    self.scopes = [{}]
                    self.builder.store(table[variable], self.checked_index(self.value(value, index), bound))
            self.scopes, self.tables[key] = scopes, table
        return self.bind(self.tables[key][variable], "k")

    def checked_index(self, expression: Expr, size: Expr) -> Expr:
        """A run-time index made safe; an index out of range clears the status byte, which raises after the kernel."""
        raw = self.bind(call("i64", expression), "k")
        place = self.bind(select(raw < 0, raw + size, raw), "k")
        wrong = self.bind(any_of(place < 0, place >= size), "w")
        self.builder.let(self._count_of_wrong(), _WRONG + call("i64", wrong))
        return self.bind(select(wrong, call("i64", 0), place), "k")

    def _count_of_wrong(self) -> Name:
        """How many indices were out of range: counted without a branch, so that loops over elements become vectors and
        what they don't change leaves them.
        """
        if not self.counts_wrong:
            self.counts_wrong = True
            with self.builder.at_start():
                self.builder.let(_WRONG, call("i64", 0))
            status = self.parameters.status()
            with self.builder.at_end(), self.builder.when(_WRONG > 0):
                self.builder.store(status[0], call("u8", 0))
        return _WRONG

    def _scalar(self, operation: Operation, lowering: Scalar, index: Index) -> Expr:
        names = [self.value(v, broadcast_index(v.tensor_type, index)) for v in operation.operands]
        made = lowering.write(Context(self, operation, lazy=False), names)
        dtypes = (operation.result.dtype, *(v.dtype for v in operation.operands))
        return wrapping(made) if all(dtype is int64 for dtype in dtypes) else made


def wrapping(made: Expr) -> Expr:
    """int64 arithmetic that wraps around, as NumPy's does: the plain operators of kernels are for indices.

    >>> from vitrify.ops.kernel_expressions import parse
    >>> str(wrapping(parse("(t1 * t2 + i64(1)) // t3")))
    'wrapping_add(wrapping_multiply(t1, t2), i64(1)) // t3'
    """

    def instead(part: Expr) -> Expr | None:
        if isinstance(part, Load):
            return part
        if isinstance(part, Binary) and part.operator in _WRAPPING:
            return CallExpr(_WRAPPING[part.operator], (wrapping(part.left), wrapping(part.right)))
        return None

    return replaced(made, instead)


def stored(value: Value, element: Expr) -> Expr:
    """An element as it lies in memory: bools are bytes."""
    return call("u8", element) if value.dtype.is_bool else element


def are_alike(a: Value, b: Value) -> bool:
    """Whether two arrays have one shape and dtype: each may lie in the other's memory."""
    return a.dtype is b.dtype and same_shape(a.tensor_type.shape, b.tensor_type.shape)


def broadcast_index(kind: TensorType, index: Index) -> Index:
    """The index of an operand of an elementwise op: aligned from the right, 0 on axes of size 1."""
    tail = index[len(index) - kind.rank :]
    return [ZERO if same_dim(d, 1) else i for i, d in zip(tail, kind.shape, strict=True)]


def store_all(outputs: Sequence[Value], index: Index, elements: ElementWriter) -> None:
    """Stores an element of each output. All loads come first: a result may take an input's memory."""
    stores: list[tuple[Load, Expr, Operation | None]] = []
    for value in outputs:
        target = elements.parameters.out(value, index)
        stores.append((target, stored(value, elements.value(value, list(index))), value.operation))
    for target, element, operation in stores:
        with elements.builder.on_behalf_of(operation):
            elements.builder.store(target, element)


def stored_parts(value: Value, index: Index, elements: ElementWriter) -> list[tuple[Value, Index]]:
    """What is stored of a result at an index of the domain, and where: of a concat a piece each, side by side; what
    replaces a row of an array there.
    """
    operation = value.operation
    if operation is not None and operation.name == "select_update" and operation in elements.inside:
        axis, (base, row, number) = operation.attrs["axis"], operation.operands
        place = elements.one_index(number, base.tensor_type.shape[axis])
        return [(part, [*at[:axis], place, *at[axis:]]) for part, at in stored_parts(row, index, elements)]
    if operation is None or operation.name != "concat" or operation not in elements.inside:
        return [(value, index)]
    axis, start, found = operation.attrs["axis"], 0 * value.tensor_type.size, []
    for piece in operation.operands:
        at = index[axis] if same_dim(start, 0) else elements.parameters.dim(start) + index[axis]
        found.append((piece, [*index[:axis], at, *index[axis + 1 :]]))
        start = start + piece.tensor_type.shape[axis]
    return found


def _piece(value: Value, index: Index) -> Value:
    """The piece of a concat that an element lies in, where its place along the axis is a known number; else all."""
    operation = value.operation
    while operation is not None and operation.name == "concat" and isinstance(index[operation.attrs["axis"]], Literal):
        value, index = _piece_at(operation, index)
        operation = value.operation
    return value


def _piece_at(operation: Operation, index: Index) -> tuple[Value, Index]:
    """Which piece of a concat holds an element whose place along the axis is a known number, and where in the piece."""
    axis = operation.attrs["axis"]
    place = index[axis]
    assert isinstance(place, Literal) and isinstance(place.value, int), operation.name
    number = place.value
    for piece in operation.operands:
        size = piece.tensor_type.shape[axis]
        assert isinstance(size, int), operation.name
        if number < size:
            return piece, [*index[:axis], Literal(number), *index[axis + 1 :]]
        number -= size
    raise AssertionError(f"{operation.name}: no element {place}")


class Context:
    """The PointContext of one operation."""

    def __init__(self, elements: ElementWriter, operation: Operation, *, lazy: bool) -> None:
        self._elements = elements
        self._operation = operation
        self._lazy = lazy
        self.attrs: dict[str, Any] = operation.attrs
        self.inputs: Sequence[TensorType] = [v.tensor_type for v in operation.operands]
        self.output = operation.results[0].tensor_type

    def load(self, operand: int, index: Index) -> Expr:
        """One element of an operand; a lazy rule gets the load itself, so that it can stand behind a condition."""
        value = self._operation.operands[operand]
        fixed = self._fixed(value, index)
        return self._elements.load(value, fixed) if self._lazy else self._elements.value(value, fixed)

    def dim(self, size: DimLike) -> Expr:
        return self._elements.parameters.dim(size)

    def let(self, expression: Expr) -> Expr:
        return self._elements.bind(expression)

    def literal(self, value: Any, dtype: str) -> Expr:
        return literal(value, as_dtype(dtype))

    def one_index(self, operand: int, size: DimLike) -> Expr:
        """A run-time index that all elements share, made safe before the first of them."""
        return self._elements.one_index(self._operation.operands[operand], size)

    def checked_index(self, operand: int, index: Index, size: DimLike) -> Expr:
        value = self._operation.operands[operand]
        if lies_in(bounds_of(_piece(value, index)), size):
            return self._elements.bind(call("i64", self.load(operand, index)), "k")
        table = self._elements.table_of(value, self._fixed(value, index), size)
        return table if table is not None else self._elements.checked_index(self.load(operand, index), self.dim(size))

    def _fixed(self, value: Value, index: Index) -> Index:
        return [ZERO if same_dim(d, 1) else i for i, d in zip(index, value.tensor_type.shape, strict=True)]
