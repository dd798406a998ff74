"""Reverse mode over straight-line operations: activity, accumulation, and the gradient of one row.

A gradient that only some runs have, because of a branch or a loop, comes with a bool of the program that tells: eager
mode leaves `.grad` None in the other runs. The bools are computed along with the gradients.

Gradient operations refer to forward values directly. Where forward and backward stand in different blocks or programs,
residuals.py replaces those references afterwards: what is needed is then known exactly, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import NamedTuple, TypeAlias, Union

from ...base.errors import GradientError
from ...base.location import Loc, Purpose
from ...ir.builder import Builder
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import defined, mentioned
from ...ir.facts import SizeFacts
from ...ir.walk import free_values, walk
from ...ops.dims import Decider, Dim, decider, deciding
from ...ops.op import OPS
from ...ops.sizes import any_issued, at_large, runtime_names
from ...ops.types import ListType, ValueType


class Arrived(NamedTuple):
    """A gradient. there: the bool that tells whether the run has it; None: every run has.

    exact: whether it is zeros where the run doesn't have it. Others are what rules made of such zeros, maybe NaN.
    """

    gradient: Value
    there: Value | None = None
    exact: bool = True


Grads: TypeAlias = Sequence[Union[Arrived, None]]
Contributions: TypeAlias = Iterable[tuple[Value, Arrived]]  # an input, and one term of its gradient
Rule: TypeAlias = Callable[[Builder, Operation, Grads, set[Value]], Contributions]


class Gradients:
    """The gradient of each value as far as it is known; a second contribution is added to the first."""

    def __init__(self) -> None:
        self.of: dict[Value, Arrived] = {}

    def add(self, value: Value, arrived: Arrived | None) -> None:
        """Record a contribution (with the builder active)."""
        if arrived is None or not carries_gradient(value):
            return
        found = self.of.get(value)
        if found is not None and isinstance(value.type, ListType):
            raise GradientError("a list used twice can't be differentiated")
        self.of[value] = arrived if found is None else _sum(found, arrived)

    def get(self, value: Value) -> Value | None:
        """The gradient so far."""
        found = self.of.get(value)
        return None if found is None else found.gradient

    def shown(self, values: Iterable[Value]) -> list[Arrived | None]:
        """The gradients of some values, zeros where the run has none (with the builder active)."""
        found = [self.of.get(v) for v in values]
        return [None if a is None else Arrived(zeroed(a), a.there) for a in found]

    def values(self) -> list[Value]:
        """The gradients, and the bools that tell which of them there are."""
        return [v for found in self.of.values() for v in (found.gradient, found.there) if v is not None]


def _sum(a: Arrived, b: Arrived) -> Arrived:
    if a.there is not None and a.there is b.there:
        return Arrived(OPS["add"](a.gradient, b.gradient), a.there, a.exact and b.exact)
    return Arrived(OPS["add"](zeroed(a), zeroed(b)), either([a, b]))


def zeroed(arrived: Arrived) -> Value:
    """A gradient, zeros where the run doesn't have it (with the builder active)."""
    if arrived.there is None or arrived.exact or isinstance(arrived.gradient.type, ListType):
        return arrived.gradient
    made: Value = OPS["where"](arrived.there, arrived.gradient, OPS["full"]((), 0, arrived.gradient.dtype))
    return made


def either(found: Iterable[Arrived | None]) -> Value | None:
    """The bool that tells whether there is one of several gradients; None: there is one in every run."""
    flags = dict.fromkeys(a.there for a in found if a is not None)
    if not flags or None in flags:
        return None
    joint, *more = [f for f in flags if f is not None]
    for flag in more:
        joint = OPS["logical_or"](joint, flag)
    return joint


_whole: ContextVar[bool] = ContextVar("whole", default=False)


@contextmanager
def whole_gradients() -> Iterator[None]:
    """Let integers and bools have gradients, as far as rows compute them: static programs may ask."""
    token = _whole.set(True)
    try:
        yield
    finally:
        _whole.reset(token)


def carries_gradient(value: Value) -> bool:
    """Whether a value's type has a gradient: floats, and lists of floats."""
    kind = value.type.element if isinstance(value.type, ListType) else value.type
    return kind.dtype.is_differentiable or (_whole.get() and kind is value.type)


_PASSING = frozenset({"list_push", "list_pop", "call"})  # without a rule of their row's


def passes_gradient(operation: Operation) -> bool:
    """Whether gradients flow through an operation at all."""
    if operation.name == "callback":
        return operation.attrs["gradient"] is not None
    return bool(operation.blocks) or operation.op.is_differentiable or operation.name in _PASSING


def connected(block: Block, roots: Iterable[Value]) -> set[Value]:
    """The values of a block that gradients lead from to one of `roots`, with these."""
    found = set(roots)
    for operation in block.operations:
        if passes_gradient(operation) and not operation.op.detaches and any(v in found for v in inputs_of(operation)):
            found.update(v for v in operation.results if carries_gradient(v))
    return found


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


def reverse(
    builder: Builder, operations: Sequence[Operation], gradients: Gradients, wanted: Iterable[Value], rule: Rule
) -> None:
    """Carry `gradients` from results back to `wanted`, emitting at the builder (which must be active).

    rule(builder, operation, grads, needed) gives the gradients of one operation's inputs.
    """
    varied = dependents(operations, wanted)
    for operation in reversed(operations):
        grads = [gradients.of.get(r) for r in operation.results]
        if not passes_gradient(operation) or all(g is None for g in grads):
            continue
        needed = {v for v in inputs_of(operation) if v in varied}
        if needed:
            with located(builder, gradient_place(operation)):
                for value, arrived in rule(builder, operation, grads, needed):
                    gradients.add(value, arrived)


def row_vjp(operation: Operation, grads: Grads, needed: set[Value]) -> Contributions:
    """Gradients of an ordinary row's operands, by the row's own rule: a term per operand, in order."""
    several = len(operation.results) != 1
    given = tuple([None if a is None else a.gradient for a in grads])
    g = given if several else given[0]
    y = tuple(operation.results) if several else operation.results[0]
    rule = operation.op.vjp
    assert callable(rule), operation.name
    made = rule(g, y, *operation.operands, **operation.attrs)
    there = either(grads)
    exact = {a.gradient for a in grads if a is not None and a.exact}  # handed on as they are
    found = zip(operation.operands, made, strict=True)
    return [(v, Arrived(g, there, there is None or g in exact)) for v, g in found if v in needed and g is not None]


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


def gradient_place(operation: Operation) -> Loc:
    """The Loc of an operation's gradient: its own, with this purpose."""
    return replace(operation.loc, purpose=Purpose("gradient", operation.name, operation.loc))


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
    """A decider that knows these constraints. What they leave open it answers as a trace does: what must be equal is,
    and sizes are large.
    """
    facts = SizeFacts(constraints)

    def decide(relation: str, dim: Dim) -> bool:
        known = facts.decide(relation, dim)
        return (relation == "==" or at_large(dim) >= 0) if known is None else known

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
