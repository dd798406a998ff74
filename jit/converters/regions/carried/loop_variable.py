"""One variable, or other thing written, of a loop that is being captured: what the loop carries of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .....ir.core import Block, Value
from .....ops.dims import same_shape
from .....ops.types import TensorType
from ....trace.state.aliases import Origins
from ....trace.tracer import Tracer
from ..extras import Extra, Item
from ..markers import Maybe, Undefined
from ..paths import join_extra
from ..tagged_unions import TaggedUnion
from ..values import Build, Merge
from .carried_merge import CarriedMerge


@dataclass(slots=True)
class LoopVariable:
    """One variable, or other thing written, of a loop: fixed, or carried as some leaves of given types."""

    name: str
    before: Any
    extra: Extra | None = None
    build: Build | None = None  # None: fixed
    leaf_types: list[tuple[TensorType, bool]] = field(default_factory=list)  # type, needs gradient
    numbers: list[bool] = field(default_factory=list)  # of the leaves: whether they are Python numbers
    start: int = 0  # the first of its arguments in this trial
    template: Any = None
    args: list[Value] = field(default_factory=list)
    union: TaggedUnion | None = None  # of a variable that changes its type
    origins: Origins = field(default_factory=Origins)
    sources: list[Any] = field(default_factory=list)  # what it was before the loop, and what iterations left

    def declare(self, block: Block) -> None:
        """Give the block its arguments."""
        self.origins.leaves = ()
        if self.union is not None:
            self.leaf_types = self.union.leaf_types
        self.args = (
            []
            if self.build is None and self.union is None
            else [block.add_arg(kind, self.name) for kind, _ in self.leaf_types]
        )

    def enter(self, tracer: Tracer) -> Any:
        """The value at the start of an iteration."""
        pairs = zip(self.args, self.leaf_types, strict=True) if self.args else ()
        leaves = [tracer.carried(v, needs) for v, (_, needs) in pairs]
        self.origins.enter(tracer, leaves)
        if self.union is not None:
            self.template = self.union.value(leaves)
        else:
            self.template = self.before if self.build is None else self.build(leaves)
            self.link(tracer, self.template)
        return self.template

    def link(self, tracer: Tracer, made: Any) -> Any:
        """The containers in a new value may be those that there were."""
        for source in (self.before, *self.sources):
            tracer.joints.link_all(made, source, self.name)
        return made

    @property
    def is_carried(self) -> bool:
        """Whether it is part of what the loop carries."""
        return self.build is not None or self.union is not None


def appears(slot: LoopVariable, value: Any) -> bool:
    """Whether it is an item or attribute that is there at one end of an iteration only, or on some of its paths."""
    if "." not in slot.name if slot.extra is None else not isinstance(slot.extra, Item):
        return False
    return type(value) is Maybe or isinstance(slot.before, Undefined) is not isinstance(value, Undefined)


def needs_gradient(slot: LoopVariable, k: int) -> bool:
    """Whether the loop carries a leaf with a gradient so far."""
    return k < len(slot.leaf_types) and slot.leaf_types[k][1]


def same_types(a: list[tuple[TensorType, bool]], b: list[tuple[TensorType, bool]]) -> bool:
    """Whether leaves need no wider types, nor gradients, than is known."""
    return len(a) == len(b) and all(
        x[0].dtype is y[0].dtype and same_shape(x[0].shape, y[0].shape) and (y[1] or not x[1])
        for x, y in zip(a, b, strict=True)
    )


def join_all(merge: Merge, slot: LoopVariable, a: Any, b: Any) -> Build:
    """The value after an iteration with that at its start; every leaf stays carried."""
    always = CarriedMerge(merge.tracer, merge.fail, merge.pairs, merge.open_sizes, exact=False, diverged=merge.diverged)
    always.keeps_numbers = merge.keeps_numbers
    always.start(a, slot.origins.leaves)
    if slot.extra is not None:
        return join_extra(always, slot.extra, a, b)
    return always.join(slot.name, a, b)


def join_starts(starts: Merge, slot: LoopVariable) -> None:
    """Pairs of what was before with the template's leaves, in the order of the slot's types."""
    always = CarriedMerge(starts.tracer, starts.fail, starts.pairs, starts.open_sizes, exact=False)
    always.keeps_numbers = starts.keeps_numbers
    always.start(slot.template, slot.origins.leaves)
    first = len(starts.pairs)
    if slot.extra is not None:
        join_extra(always, slot.extra, slot.before, slot.template)
    else:
        always.join(slot.name, slot.before, slot.template)
    for pair, (kind, needs) in zip(starts.pairs[first:], slot.leaf_types, strict=True):
        pair.type, pair.needs_gradient = kind, needs
