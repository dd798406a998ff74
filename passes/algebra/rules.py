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
_makers: dict[Rewrite, frozenset[str]] = {}


def joins(*names: str) -> Callable[[Rewrite], Rewrite]:
    """Declare that a rewrite fits only where one of these ops makes an operand: then the others needn't be tried."""

    def declare(rewrite: Rewrite) -> Rewrite:
        _makers[rewrite] = frozenset(names)
        return rewrite

    return declare


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
        for part, value in zip(pattern.args, order, strict=True):
            if not match(part, value, trial):
                break
        else:
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


Makers: TypeAlias = "frozenset[str] | None"  # ops of which one makes an operand of what fits; None: that is no matter


@dataclass(frozen=True, slots=True)
class _Tried:
    """What is tried on operations of one row and dtype."""

    rules: Sequence[tuple[Rule, Sides, Makers]]
    rewrites: Sequence[tuple[Rewrite, Makers]]
    makers: Makers

    @staticmethod
    def of(rules: Sequence[tuple[Rule, Sides]], rewrites: Sequence[Rewrite]) -> _Tried:
        made = [(rule, sides, _makers_in(sides[0])) for rule, sides in rules]
        others = [(rewrite, _makers.get(rewrite)) for rewrite in rewrites]
        found = [*(makers for _, _, makers in made), *(makers for _, makers in others)]
        known = [makers for makers in found if makers is not None]
        return _Tried(made, others, frozenset().union(*known) if len(known) == len(found) else None)


def _may_fit(makers: Makers, operation: Operation) -> bool:
    """Whether what needs one of these makers may fit an operation."""
    if makers is None:
        return True
    for value in operation.operands:
        made = value.operation
        if made is not None and made.op.name in makers:
            return True
    return False


def _makers_in(before: Pattern) -> frozenset[str] | None:
    """The ops that make operands of a rule's root; None where it has wildcards only."""
    found: set[str] = set()
    for part in before.args:
        found.update([part.op.name] if part.op is not None else ["constant", "full"] * (part.number is not None))
    return frozenset(found) or None


_NOTHING = _Tried((), (), frozenset())


class Table:
    """Rules and rewrites by the op at their root, tried in the order given."""

    def __init__(self, rules: Iterable[Rule] = (), rewrites: Mapping[str, Sequence[Rewrite]] | None = None) -> None:
        self.rules: dict[str, list[Rule]] = {}
        for item in rules:
            self.rules.setdefault(item.root, []).append(item)
        self.rewrites = dict(rewrites or {})
        self._tried: dict[tuple[str, str], tuple[Sequence[Rule] | None, _Tried]] = {}

    def apply(self, block: Block) -> bool:
        """Rewrite a block and its inner blocks, each operation until nothing fits; one walk in order."""
        changed = False
        emitted = Block()
        builder = Builder(emitted)
        out: list[Operation] = []
        for operation in block.operations:
            for inner in operation.blocks:
                changed |= self.apply(inner)
            if not _may_fit(self._tried_on(operation).makers, operation):
                out.append(operation)
                continue
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
        tried = self._tried_on(operation)
        builder.loc = operation.loc
        for item, sides, makers in tried.rules:
            if not _may_fit(makers, operation):
                continue
            value = _applied(sides, operation, builder)
            if value is not None and _passes_gate(item.name, operation):
                return value
            _discard(builder)
        rewrites = [rewrite for rewrite, makers in tried.rewrites if _may_fit(makers, operation)]
        if not rewrites:
            return None
        with builder.active():
            for rewrite in rewrites:
                value = rewrite(operation, builder)
                if value is not None and _passes_gate(rewrite.__name__, operation):
                    return value
                _discard(builder)
        return None

    def _tried_on(self, operation: Operation) -> _Tried:
        """What is tried on an operation: nothing where there is nothing for its row, or it has several results."""
        name = operation.op.name
        rules = self.rules.get(name, ())
        if not rules and name not in self.rewrites:
            return _NOTHING
        kind = operation.results[0].type
        if len(operation.results) != 1 or not isinstance(kind, TensorType):
            return _NOTHING
        dtype = operation.operands[0].dtype if rules and kind.dtype.is_bool else kind.dtype
        of, tried = self._tried.get((name, dtype.name), (None, _NOTHING))
        if of is not rules:  # a test may have put others in their place
            fitting = [(item, sides) for item in rules if (sides := item.sides(dtype)) is not None]
            tried = _Tried.of(fitting, self.rewrites.get(name, ()))
            self._tried[name, dtype.name] = rules, tried
        return tried


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
    if not builder.block.operations:
        return
    for made in reversed(builder.block.operations):
        made.parent = None
        made.erase()
    builder.block.operations = []


def _applied(sides: Sides, operation: Operation, builder: Builder) -> Value | None:
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
