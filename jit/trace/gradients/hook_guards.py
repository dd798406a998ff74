"""Which hooks there are on gradients that a captured function computes: part of its program.

`backward()` and `grad()` inside a function run the hooks of what the gradients reach while it is captured, converted as
its own code is. So another call uses the program only where the same hooks are registered. Those on what comes from
outside are guarded: of tensors that the function finds, of arguments, and of steps of a graph that was made before.
"""

from __future__ import annotations

import weakref
from collections.abc import Container, Iterator
from typing import Any

from ....base.errors import CaptureError
from ....base.location import UNKNOWN, caller_loc
from ....dygraph import hooks
from ....dygraph.hooks import HookTable
from ....dygraph.tape import Node, next_order
from ....dygraph.tensor import Tensor
from ..traced import Assumption
from .hook_sets import HookSet


class MetHooks:
    """The hooks that a trace's gradients have met, as they were when a gradient first came there."""

    def __init__(self) -> None:
        self.begun = next_order()  # steps of the tape with smaller numbers are from outside
        self.given: dict[int, tuple[HookTable, frozenset[int]]] = {}  # of arguments; the keys of the hooks from outside
        self.changed_at = UNKNOWN  # where the function last registered or removed a hook
        self.computed: dict[int, Tensor] = {}  # arguments that are no leaves
        self.leaves: dict[int, tuple[Tensor, HookSet]] = {}
        self.steps: dict[int, tuple[weakref.ref[Node], HookSet]] = {}

    def take(self, made: Tensor, given: Tensor) -> None:
        """What stands for an argument has its hooks, in the table that handles from outside know."""
        table = given._hooks if given._node is None else (given._node.hooks or {}).get(given._slot)
        if table is not None:
            made._hooks = table
            self.given[id(table)] = table, frozenset(table)
        if given._node is not None:
            self.computed[id(made)] = made

    def arrive(
        self, target: Any, is_added: bool, registered: dict[int, tuple[HookTable, HookTable, bool]]
    ) -> None:  # fmt: skip
        """A gradient comes to a leaf or a step. registered: tables that the function changed, as they were before.

        Errors: CaptureError where `backward()` would go on behind an argument.
        """
        if is_added and id(target) in self.computed:
            raise CaptureError(
                f"backward() goes through the argument {target.name} to what it was computed from outside of the "
                "function, which is no part of the program",
                loc=caller_loc(),
                remedy="return the loss and call backward() outside; or pass a detach() of the tensor if no gradient "
                "is wanted there",
            )

        def before(table: HookTable | None) -> HookTable:
            return (registered[id(table)][1] if id(table) in registered else table) or {}

        if not isinstance(target, Node):
            if id(target) not in self.leaves:
                self.leaves[id(target)] = target, HookSet(before(target._hooks).values())
        elif target.order < self.begun and id(target) not in self.steps:
            found = [h for _, table in sorted((target.hooks or {}).items()) for h in before(table).values()]
            self.steps[id(target)] = weakref.ref(target), HookSet(found)

    def assumptions(self, lifted: Container[int]) -> Iterator[Assumption]:
        """That the hooks of what comes from outside are the same. lifted: identities of the cells of such tensors."""
        leaves = [found for found in self.leaves.values() if id(found[0]._storage) in lifted]
        steps = list(self.steps.values())
        if leaves or steps:
            names = ", ".join([x.name for x, _ in leaves[:3]]) + (", ..." if len(leaves) > 3 or steps else "")
            before = tuple([found for _, found in (*leaves, *steps)])
            reads = _HooksNow([x for x, _ in leaves], [step for step, _ in steps], before)
            yield Assumption("call", reads, f"the hooks on the gradients of {names}", before)

    def of_argument(self, x: Tensor) -> HookSet | None:
        """The hooks that the gradient of an argument has met; None where no gradient came to it."""
        return self.leaves[id(x)][1] if id(x) in self.leaves else None


class _HooksNow:
    """The hooks of some tensors and steps; looked at only when some hook on a gradient has changed."""

    __slots__ = ("before", "epoch", "leaves", "steps")

    def __init__(self, leaves: list[Tensor], steps: list[weakref.ref[Node]], before: tuple[HookSet, ...]) -> None:
        self.leaves, self.steps, self.before = leaves, steps, before
        self.epoch = -1

    def __call__(self) -> tuple[HookSet, ...]:
        epoch = hooks.changed
        if self.epoch == epoch:
            return self.before
        now = [HookSet((x._hooks or {}).values()) for x in self.leaves]
        for step in self.steps:
            node = step()
            tables = () if node is None or node.hooks is None else sorted(node.hooks.items())
            now.append(HookSet(h for _, table in tables for h in table.values()))
        if tuple(now) != self.before:
            return tuple(now)
        self.epoch = epoch
        return self.before
