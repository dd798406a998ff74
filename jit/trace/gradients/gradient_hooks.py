"""Hooks on gradients of a captured function's tensors, for gradients that come from outside the function.

`backward()` inside the function runs them while it is captured. For the rest each value with hooks goes through a
`watch_gradient` at the end of the capture: its gradient calls back into Python, where the hooks run on what arrives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....dygraph import hooks
from ....dygraph.backward import run_hooks
from ....dygraph.eager import from_array
from ....dygraph.grad import grad
from ....dygraph.hooks import HookTable, users_hooks
from ....dygraph.modes import GradMode
from ....dygraph.tensor import Tensor
from ....ir.core import Block, Operation, Program, Value
from ....ir.walk import operations_of
from ....ops.dispatch import bottom, using
from ....ops.op import OPS
from .hook_sets import HookSet

HookChange = tuple[HookTable, HookTable, HookTable]  # a tensor's table, what it was before the capture, and after it


def watch(tracer: Any, x: Tensor, table: HookTable) -> None:
    """Remember that a tensor of the trace has hooks.

    Errors: CaptureError for one from outside the branch or loop that is traced: whether it gets the hook is data.
    """
    value = x._storage.payload
    tracer.met_hooks.changed_at = caller_loc()
    tracer.hooked.setdefault(id(table), (table, dict(table), not isinstance(value, Value)))
    if not isinstance(value, Value):
        return  # a tensor that exists: its hooks are on it
    if value.block is not tracer.blocks[-1]:
        raise CaptureError(
            "register_hook() in a branch or loop of the program, on a tensor made outside of it",
            loc=caller_loc(),
            remedy="register the hook where the tensor is made, or on a tensor made in the branch: `y = x * 1`",
        )
    tracer.watched[value] = table


def unwatch(tracer: Any, table: HookTable) -> None:
    """Remember a table from which the function is about to take a hook."""
    tracer.met_hooks.changed_at = caller_loc()
    tracer.hooked.setdefault(id(table), (table, dict(table), True))


def waiting_hooks(tracer: Any) -> list[Any]:
    """The hooks that a backward pass may meet: code that it runs, like that of functions which are named."""
    tables = [table for table, _, _ in tracer.hooked.values()] + [table for table, _ in tracer.met_hooks.given.values()]
    tables += [entry.tensor._hooks or {} for entry in tracer.lifted.values()]
    return [hook for table in tables for hook in users_hooks(table)]


class RegionHooks:
    """The hooks of tensors that a region of code finds: each run of it begins with them as they were.

    keeps: whether it may change them: it is the whole function, or a statement of it, whose paths must agree.
    """

    def __init__(self, tracer: Any, *, keeps: bool) -> None:
        self.tracer = tracer
        self.keeps = keeps
        self.begun = {key: dict(table) for key, (table, _, _) in tracer.hooked.items()}
        self.ends: dict[int, HookSet] | None = None

    def start(self) -> None:
        """Put them back: another path begins."""
        for key, (table, before, _) in self.tracer.hooked.items():
            _refill(table, self.begun.get(key, before))

    def end(self) -> None:
        """The end of a path. CaptureError where the paths, or runs with and without the region, leave other hooks."""
        ends = {} if not self.keeps else self.ends
        found = {
            key: HookSet(table.values())
            for key, (table, before, exists) in self.tracer.hooked.items()
            if (exists or key in self.begun) and list(table) != list(self.begun.get(key, before))
        }
        if ends is not None and found != ends:
            raise CaptureError(
                "register_hook(), or remove() of a hook, in a branch or loop of the program, on a tensor made outside "
                "of it: which hooks there are afterwards depends on the data",
                loc=self.tracer.met_hooks.changed_at,
                remedy="decide in the hook itself, or register and remove it in the same branch",
            )
        self.ends = found


def _refill(table: HookTable, content: HookTable) -> None:
    table.clear()
    table.update(content)


def drop_hooks(tracer: Any) -> None:
    """Take out what the function has registered: it isn't captured, or anew."""
    for table, before, _ in tracer.hooked.values():
        _refill(table, before)
    tracer.hooked.clear()


def taken_hooks(tracer: Any) -> list[HookChange]:
    """What the function has changed of the hooks of tensors that exist, which are put back as they were.

    A function may be captured several times for one program; only the one that is kept may change them.
    """
    found = []
    for table, before, exists in tracer.hooked.values():
        if exists:
            found.append((table, before, dict(table)))
        if exists or id(table) in tracer.met_hooks.given:
            _refill(table, before)
    return found


def change_hooks(changes: Sequence[HookChange]) -> None:
    """Make the changes that a captured function makes of the hooks of tensors that exist."""
    for table, before, after in changes:
        hooks.changed += 1
        for key in before:
            if key not in after:
                table.pop(key, None)
        table.update({key: hook for key, hook in after.items() if key not in before})


def insert_watches(tracer: Any, block: Block | None = None) -> None:
    """Send each value that has hooks at the end of the trace, or of a block, through a `watch_gradient`."""
    for value, table in list(tracer.watched.items()):
        operation = value.operation
        if block is not None and value.block is not block:
            continue
        del tracer.watched[value]
        if id(table) in tracer.met_hooks.given:  # those of an argument run when the gradient reaches it
            others = tracer.met_hooks.given[id(table)][1]
            table = {key: hook for key, hook in table.items() if key not in others}
        if (
            not table
            or (block is None and not tracer.is_ours(value))
            or (operation and operation not in value.block.operations)
        ):
            continue
        name = tracer.callback_name("gradient_hook")
        tracer.callbacks[name] = _Hooks(table).once
        tracer.callbacks[f"{name}.gradient"] = _Hooks(table).twice
        users = list(value.uses)
        loc = operation.loc if operation else caller_loc()
        made = Operation(OPS["watch_gradient"], [value], {"callee": name}, [value.type], (), loc)
        place = 0 if operation is None else value.block.operations.index(operation) + 1
        value.block.insert(place, made)
        for user, k in users:
            user.set_operand(k, made.result)


def callees(program: Program) -> set[str]:
    """The names of the hooks that a program's gradients call."""
    names = {o.attrs["callee"] for o in operations_of(program.body, OPS["watch_gradient"])}
    return names | {f"{name}.gradient" for name in names}


def drop_watches(program: Program) -> None:
    """Take the hooks out of a program: those of saved ones stay behind."""
    for operation in operations_of(program.body, OPS["watch_gradient"]):
        operation.result.replace_by(operation.operands[0])


class _Hooks:
    """The hooks of one tensor, as callbacks over arrays."""

    def __init__(self, table: HookTable) -> None:
        self.table = table

    def once(self, gradient: Any) -> list[Any]:
        """The gradient as the hooks leave it."""
        with using(bottom()):
            made = run_hooks(self.table, from_array(np.array(gradient)))
            return [made._copied()]

    def twice(self, gradient: Any, result: Any, weight: Any) -> list[Any]:
        """The gradient of that, for derivatives of second order."""
        with using(bottom()), GradMode(True):
            x = from_array(np.array(gradient))
            x.stop_gradient = False
            made = run_hooks(self.table, x * 1)
            (found,) = grad([made], [x], [from_array(np.array(weight))], allow_unused=True)
            return [np.zeros_like(gradient) if found is None else found._copied()]
