"""Reverse mode over straight-line operations: activity, accumulation, and the gradient of one row.

Gradient operations refer to forward values directly. Where forward and backward stand in different blocks or programs,
residuals.py replaces those references afterwards: what is needed is then known exactly, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from ...base.errors import GradientError
from ...base.location import Loc
from ...ir.builder import Builder
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import defined, mentioned
from ...ir.facts import SizeFacts
from ...ir.walk import free_values, walk
from ...ops.dims import Decider, Dim, decider, deciding
from ...ops.op import OPS
from ...ops.sizes import any_issued, runtime_names
from ...ops.types import ListType, ValueType

Grads: TypeAlias = Sequence[Value | None]
Contributions: TypeAlias = Iterable[tuple[Value, Value]]  # an input, and one term of its gradient
Rule: TypeAlias = Callable[[Builder, Operation, Grads, set[Value]], Contributions]


class Gradients:
    """The gradient of each value as far as it is known; a second contribution is added to the first."""

    def __init__(self) -> None:
        self.of: dict[Value, Value] = {}

    def add(self, value: Value, gradient: Value | None) -> None:
        """Record a contribution (with the builder active)."""
        if gradient is None or not carries_gradient(value):
            return
        found = self.of.get(value)
        if found is not None and isinstance(value.type, ListType):
            raise GradientError("a list used twice can't be differentiated")
        self.of[value] = gradient if found is None else OPS["add"](found, gradient)

    def get(self, value: Value) -> Value | None:
        """The gradient so far."""
        return self.of.get(value)


def carries_gradient(value: Value) -> bool:
    """Whether a value's type has a gradient: floats, and lists of floats."""
    kind = value.type.element if isinstance(value.type, ListType) else value.type
    return kind.dtype.is_differentiable


_PASSING = frozenset({"list_push", "list_pop", "call"})  # without a rule of their row's


def passes_gradient(operation: Operation) -> bool:
    """Whether gradients flow through an operation at all."""
    if operation.name == "callback":
        return operation.attrs["gradient"] is not None
    return bool(operation.blocks) or operation.op.is_differentiable or operation.name in _PASSING


def inputs_of(operation: Operation) -> list[Value]:
    """What an operation reads: its operands, then values from outside that its blocks read. Each once."""
    found = dict.fromkeys(operation.operands)
    for block in operation.blocks:
        found.update((v, None) for v in free_values(block) if not _inside(operation, v))
    return list(found)


def _inside(operation: Operation, value: Value) -> bool:
    return any(block.encloses(value.block) for block in operation.blocks)


def dependents(operations: Iterable[Operation], seeds: Iterable[Value]) -> set[Value]:
    """The seeds, and everything that gradients of `operations` connect to them."""
    found = {v for v in seeds if carries_gradient(v)}
    for operation in operations:
        if passes_gradient(operation) and any(v in found for v in inputs_of(operation)):
            found.update(r for r in operation.results if carries_gradient(r))
    return found


def influences(operations: Sequence[Operation], seeds: Iterable[Value]) -> set[Value]:
    """The seeds, and everything from which gradients of the seeds arrive."""
    found = {v for v in seeds if carries_gradient(v)}
    for operation in reversed(operations):
        if passes_gradient(operation) and any(r in found for r in operation.results):
            found.update(v for v in inputs_of(operation) if carries_gradient(v))
    return found


def sides_that_use(operation: Operation, results: Sequence[Value], source: Value) -> list[int]:
    """The blocks of an `if` in which gradients of some of its results reach a value."""
    sides = []
    for side, block in enumerate(operation.blocks):
        yielded = zip(operation.results, block.terminator.operands, strict=True)
        if source in influences(block.operations, [v for r, v in yielded if r in results]):
            sides.append(side)
    return sides


def reverse(
    builder: Builder, operations: Sequence[Operation], gradients: Gradients, wanted: Iterable[Value], rule: Rule
) -> None:
    """Carry `gradients` from results back to `wanted`, emitting at the builder (which must be active).

    rule(builder, operation, grads, needed) gives the gradients of one operation's inputs.
    """
    varied = dependents(operations, wanted)
    for operation in reversed(operations):
        grads = [gradients.get(r) for r in operation.results]
        if not passes_gradient(operation) or all(g is None for g in grads):
            continue
        needed = {v for v in inputs_of(operation) if v in varied}
        if needed:
            with located(builder, operation.loc):
                for value, gradient in rule(builder, operation, grads, needed):
                    gradients.add(value, gradient)


def row_vjp(operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    """Gradients of an ordinary row's operands, by the row's own rule: a term per operand, in order."""
    several = len(operation.results) != 1
    g = tuple(grads) if several else grads[0]
    y = tuple(operation.results) if several else operation.results[0]
    rule = operation.op.vjp
    assert callable(rule), operation.name
    found = zip(operation.operands, rule(g, y, *operation.operands, **operation.attrs), strict=True)
    return [(value, gradient) for value, gradient in found if value in needed and gradient is not None]


def zeros(builder: Builder, kind: ValueType) -> Value:
    """The gradient of something that has none: zeros, or an empty list."""
    if isinstance(kind, ListType):
        made: Value = builder.apply(OPS["list_new"], (), {"element": kind.element})
        return made
    attrs = {"shape": kind.shape, "fill_value": _zero(kind), "dtype": kind.dtype}
    filled: Value = builder.apply(OPS["full"], (), attrs)
    return filled


def _zero(kind: ValueType) -> bool | int | float | complex:
    assert not isinstance(kind, ListType)
    if kind.dtype.is_bool:
        return False
    return 0 if kind.dtype.is_integer else 0.0 if kind.dtype.is_floating else 0j


@contextmanager
def located(builder: Builder, loc: Loc) -> Iterator[None]:
    """New operations get this Loc, whatever the builder's own source of Locs says."""
    saved = builder.loc, builder.locate
    builder.loc, builder.locate = loc, None
    try:
        yield
    finally:
        builder.loc, builder.locate = saved


@contextmanager
def emitting(builder: Builder, keep: Callable[[], Collection[Value | None]]) -> Iterator[Block]:
    """Collect what the builder emits in a block of its own; at the end drop what neither it nor `keep()` uses, and put
    the rest at the builder's insertion point.
    """
    made = Block()
    with builder.active(), deciding(decider() or _by_facts(builder.block)), builder.inside(made):
        yield made
    sweep(made, keep())
    target, before = builder.block, builder.before
    at = len(target.operations) if before is None else target.operations.index(before)
    for operation in made.operations:
        operation.parent = target
    target.operations[at:at] = made.operations


def _by_facts(block: Block) -> Decider:
    """Answers questions about sizes by what the program assumes; what it leaves open was decided so when traced."""
    while isinstance(block.parent, Operation) and block.parent.parent is not None:
        block = block.parent.parent
    return by_constraints(block.parent.constraints if isinstance(block.parent, Program) else ())


def by_constraints(constraints: Sequence[tuple[str, Dim]]) -> Decider:
    """A decider that knows these constraints and says yes to everything they leave open."""
    facts = SizeFacts(constraints)

    def decide(relation: str, dim: Dim) -> bool:
        known = facts.decide(relation, dim)
        return True if known is None else known

    return decide


def sweep(block: Block, keep: Collection[Value | None] = ()) -> None:
    """Drop pure operations of a block whose results nobody uses."""
    wanted = set(keep)
    named = {name for v in wanted if v is not None for name in runtime_names(v.type)} if any_issued() else set[str]()
    kept: list[Operation] = []
    for operation in reversed(block.operations):
        used = any(r.uses or r in wanted for r in operation.results) or (named and defined(operation) & named)
        if used and any_issued():
            named |= mentioned(operation)
            named |= {name for inner in operation.blocks for o in walk(inner) for name in mentioned(o)}
        if used or operation.is_terminator or not operation.is_pure:
            kept.append(operation)
        else:
            operation.parent = None
            operation.erase()
    block.operations = kept[::-1]
