"""Rewrite rules as pairs of programs (before, after), the matcher, and the driver that applies tables of rules.

A rule is a function of wildcards. It runs once per dtype under the pattern interpreter, which records both sides as
small trees; nothing of it is parsed. What a pair can't say (attributes, shapes) is a *rewrite*: a function from an
operation to the value that replaces it, or None.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ...base import dtype as dt
from ...base.dtype import DType
from ...ir.builder import Builder, to_array
from ...ir.core import Block, Operation, Value
from ...ops.arith import Arithmetic
from ...ops.dispatch import using
from ...ops.interpreter import Interpreter
from ...ops.op import Op
from ...ops.types import TensorType


@dataclass(frozen=True, eq=False)
class Pattern(Arithmetic):
    """A node of a rule's tree: a wildcard (op None), a number (op None, number set) or an op over nodes."""

    dtype: DType
    op: Op | None = None
    args: tuple[Pattern, ...] = ()
    attrs: dict[str, Any] = field(default_factory=dict)
    number: Any = None
    shape: tuple[int, ...] = ()

    @property
    def type(self) -> TensorType:
        """The type it stands for: rules of pairs are elementwise, so no axes."""
        return TensorType(self.dtype, ())


class PatternInterpreter(Interpreter):
    """Records the sides of a rule."""

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Pattern:
        kind = op.infer(*(a.type for a in args), **attrs)
        assert isinstance(kind, TensorType)
        return Pattern(kind.dtype, op, args, attrs)

    def constant(self, data: Any, dtype: DType | None) -> Pattern:
        if isinstance(data, Pattern):
            return data
        array = to_array(data, dtype)
        return Pattern(dt.of_array(array), number=array)


Sides: TypeAlias = tuple[Pattern, Pattern, tuple[Pattern, ...]]  # before, after, wildcards


@dataclass(frozen=True, eq=False)
class Rule:
    """A pair (before, after) for every dtype in `dtypes`: that of its wildcards but those annotated `bool`."""

    name: str
    doc: str
    fn: Callable[..., tuple[Any, Any]]
    dtypes: tuple[DType, ...]
    compiled: dict[DType, Sides | None] = field(default_factory=dict)

    def sides(self, dtype: DType) -> Sides | None:
        """Both sides with wildcards of a dtype; None where the rule doesn't exist for it."""
        if dtype not in self.compiled:
            self.compiled[dtype] = self._compile(dtype) if dtype in self.dtypes else None
        return self.compiled[dtype]

    def _compile(self, dtype: DType) -> Sides:
        names = inspect.signature(self.fn).parameters
        wild = tuple(Pattern(dt.bool_ if p.annotation in (bool, "bool") else dtype) for p in names.values())
        with using(PatternInterpreter()):
            before, after = self.fn(*wild)
        return before, after, wild

    @property
    def root(self) -> str:
        """The op at the root of `before`."""
        sides = self.sides(self.dtypes[0])
        assert sides is not None
        assert sides[0].op is not None
        return sides[0].op.name


def rule(*, dtypes: Iterable[DType]) -> Callable[[Callable[..., tuple[Any, Any]]], Rule]:
    """Make a rule of a function from wildcards to (before, after); its docstring says why it is exact."""

    def make(fn: Callable[..., tuple[Any, Any]]) -> Rule:
        return Rule(fn.__name__, inspect.getdoc(fn) or "", fn, tuple(dtypes))

    return make


Rewrite: TypeAlias = Callable[[Operation, Builder], Value | None]


# Matching


def match(pattern: Pattern, value: Value, bound: dict[Pattern, Value]) -> bool:
    """Whether a value looks like a pattern; `bound` learns what the wildcards stand for."""
    if pattern.op is None:
        if pattern.number is not None:
            return is_number(value, pattern.number)
        if isinstance(value.type, TensorType) and value.dtype is pattern.dtype:
            return bound.setdefault(pattern, value) is value
        return False
    operation = value.operation
    if operation is None or operation.op is not pattern.op or operation.attrs != pattern.attrs:
        return False
    return match_operands(pattern, operation.operands, bound)


def match_operands(pattern: Pattern, operands: Sequence[Value], bound: dict[Pattern, Value]) -> bool:
    """The operands of a node, in either order where the op is commutative."""
    orders = [operands, operands[::-1]] if pattern.op is not None and pattern.op.commutative else [operands]
    for order in orders:
        trial = dict(bound)
        if all(match(p, v, trial) for p, v in zip(pattern.args, order, strict=True)):
            bound.update(trial)
            return True
    return False


def is_number(value: Value, number: Any) -> bool:
    """Whether a value holds this number everywhere, to the bit."""
    operation = value.operation
    if operation is None or operation.operands or operation.name not in ("constant", "full"):
        return False
    if operation.name == "full":
        found = np.asarray(operation.attrs["fill_value"], operation.attrs["dtype"].numpy)
        return bool(found.dtype == number.dtype and found.tobytes() == number.tobytes())
    array = operation.attrs["data"].array
    return bool(array.size == 1 and array.dtype == number.dtype and array.tobytes() == number.tobytes())


def build(pattern: Pattern, bound: Mapping[Pattern, Value], builder: Builder) -> Value:
    """The value of an `after` side, emitted at the builder."""
    if pattern in bound:
        return bound[pattern]
    if pattern.op is None:
        return builder.constant(pattern.number)
    made: Value = builder.apply(pattern.op, tuple(build(p, bound, builder) for p in pattern.args), dict(pattern.attrs))
    return made


# The driver


class Table:
    """Rules and rewrites by the op at their root, tried in the order given."""

    def __init__(self, rules: Iterable[Rule] = (), rewrites: Mapping[str, Sequence[Rewrite]] | None = None) -> None:
        self.rules: dict[str, list[Rule]] = {}
        for item in rules:
            self.rules.setdefault(item.root, []).append(item)
        self.rewrites = dict(rewrites or {})

    def apply(self, block: Block) -> bool:
        """Rewrite a block and its inner blocks, each operation until nothing fits; one walk in order."""
        changed = False
        emitted = Block()
        builder = Builder(emitted)
        out: list[Operation] = []
        for operation in block.operations:
            for inner in operation.blocks:
                changed |= self.apply(inner)
            rewritten = self._rewrite_until_stable(operation, block, builder)
            changed |= rewritten != [operation]
            out.extend(rewritten)
        block.operations = out
        return changed

    def _rewrite_until_stable(self, operation: Operation, block: Block, builder: Builder) -> list[Operation]:
        """The operations that stand for one operation afterwards."""
        value = self._rewritten(operation, builder)
        made, builder.block.operations = builder.block.operations, []
        if value is None:
            return [operation]
        operation.result.replace_by(value)
        operation.parent = None
        operation.erase()
        out: list[Operation] = []
        for new in made:
            new.parent = block
            out.extend(self._rewrite_until_stable(new, block, builder))
        return out

    def _rewritten(self, operation: Operation, builder: Builder) -> Value | None:
        """The value that replaces the operation's result; None where nothing fits."""
        rules, rewrites = self.rules.get(operation.name), self.rewrites.get(operation.name, ())
        if not rules and not rewrites:
            return None
        if len(operation.results) != 1 or not isinstance(operation.result.type, TensorType):
            return None
        builder.loc = operation.loc
        for item in rules or ():
            value = _applied(item, operation, builder)
            if value is not None and _passes_gate(item.name, operation):
                return value
            _discard(builder)
        with builder.active():
            for rewrite in rewrites:
                value = rewrite(operation, builder)
                if value is not None and _passes_gate(rewrite.__name__, operation):
                    return value
                _discard(builder)
        return None


Gate: TypeAlias = Callable[[str, Operation], bool]
_gate: ContextVar[Gate | None] = ContextVar("gate of rewrites", default=None)


def _passes_gate(name: str, operation: Operation) -> bool:
    gate = _gate.get()
    return gate is None or gate(name, operation)


@contextmanager
def gated(gate: Gate) -> Iterator[None]:
    """Ask `gate(name of the rule or rewrite, operation)` before each rewriting inside the block; False forbids it."""
    token = _gate.set(gate)
    try:
        yield
    finally:
        _gate.reset(token)


def _discard(builder: Builder) -> None:
    """Take back what has been emitted."""
    for made in reversed(builder.block.operations):
        made.parent = None
        made.erase()
    builder.block.operations = []


def _applied(item: Rule, operation: Operation, builder: Builder) -> Value | None:
    sides = item.sides(operation.operands[0].dtype if operation.result.dtype.is_bool else operation.result.dtype)
    if sides is None:
        return None
    before, after, _ = sides
    bound: dict[Pattern, Value] = {}
    if operation.attrs != before.attrs or not match_operands(before, operation.operands, bound):
        return None
    if after in bound:
        return bound[after] if bound[after].type == operation.result.type else None
    value = build(after, bound, builder)
    if value.type == operation.result.type:
        return value
    _discard(builder)  # it would broadcast otherwise
    return None
