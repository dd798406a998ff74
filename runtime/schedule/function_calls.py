"""A `function` of the program in steps: its block once, between two labels, and jumps to it and back.

Each buffer of the block has one place, as every buffer has, so that the memory plan knows nothing of calls. A `call`
puts what the caller still needs on a stack, a list of the VM, jumps to the start of the block, and takes it off
again when the block jumps back. What that is is read off the steps: the buffers that are written between the labels
and may be read after the call (lifetimes.py). `site` says where to go back to; it is on the stack as well.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...base import dtype as dt
from ...base.errors import DepthError
from ...ir.calls import callee_of, too_deep_text
from ...ir.core import Block, Operation, Program, Value
from ...ops.types import TensorType
from .destinations import Destinations
from .lifetimes import Liveness
from .program_steps import (
    ARENA,
    CONSTANT,
    WORD,
    AddStep,
    Buffer,
    CheckStep,
    CopyStep,
    HoldStep,
    JumpStep,
    Label,
    ListStep,
    ProgramStep,
    SetStep,
    same_place,
)


@dataclass(eq=False, slots=True)
class _Site:
    """One call: the labels at which the caller's buffers go on the stack, and come back."""

    push: Label
    back: Label
    jump: JumpStep


@dataclass(eq=False, slots=True)
class _Function:
    """A function whose block is being written: its labels, the places of arguments, results and of `site`."""

    operation: Operation
    start: Label
    end: Label
    args: list[Buffer]
    results: list[Buffer]
    site: Buffer
    sites: list[_Site] = field(default_factory=list)


class Calls(Destinations, ABC):
    """Steps, buffers and the stack; how functions and calls become steps."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.steps: list[ProgramStep] = []
        self.buffer: dict[Value, Buffer] = {}
        self.list_count = 0
        self.functions: dict[Operation, _Function] = {}
        self.stack = -1  # the number of the list that is the stack
        self.depth = Buffer(WORD, hint="depth")

    def _add(self, step: ProgramStep) -> None:
        self.steps.append(step)

    def _new_list(self) -> int:
        self.list_count += 1
        return self.list_count - 1

    def _place(self, value: Value) -> Buffer:
        """The buffer a result is written to: its destination, else a new one."""
        if value not in self.buffer:
            self.buffer[value] = self.destinations.get(value) or Buffer(value.tensor_type, hint=value.hint)
        return self.buffer[value]

    def _copy_together(self, pairs: Sequence[tuple[Buffer, Buffer]]) -> None:
        """Copy sources to targets as if at once: a source that is also a target goes through a temporary."""
        todo = [(t, s) for t, s in pairs if not same_place(t, s)]
        targets = {t.owner() for t, _ in todo}
        for k, (target, source) in enumerate(todo):
            if source.owner() in targets and len(todo) > 1:
                temporary = Buffer(source.kind, hint="swap")
                self._add(CopyStep(None, temporary, source))
                todo[k] = (target, temporary)
        for target, source in todo:
            self._add(CopyStep(None, target, source))

    @abstractmethod
    def _materialised(self, value: Value) -> Buffer:
        """The buffer that holds a value."""

    @abstractmethod
    def _block(self, block: Block) -> None:
        """Add the steps of a block."""

    # -- a function

    def _function(self, operation: Operation) -> None:
        """The block between two labels; where it ends, a jump to whoever called it."""
        (block,) = operation.blocks
        arguments = [self._materialised(v) for v in operation.operands]
        made = self._open(operation, block)
        self._copy_together(list(zip(made.args, arguments, strict=True)))
        first = len(self.steps)
        self._add(made.start)
        self._block(block)
        self._copy_together(list(zip(made.results, [self._materialised(v) for v in block.yields], strict=True)))
        if made.sites:
            last = len(self.steps)
            for k, site in reversed(list(enumerate(made.sites))):
                self._add(JumpStep(None, site.back, left=made.site, right=constant_word(k + 1)))
            self._add(made.end)
            self._save(made, first, last)
        else:
            del self.steps[first]  # the label: nothing jumps to it, so that this is no loop
        del self.functions[operation]

    def _open(self, operation: Operation, block: Block) -> _Function:
        start = Label(operation)
        args = [Buffer(v.tensor_type, hint=v.hint) for v in block.args]
        results = [Buffer(v.tensor_type, hint=v.hint) for v in operation.results]
        made = _Function(operation, start, Label(operation, closes=start), args, results, Buffer(WORD, hint="site"))
        if self.stack < 0:
            self.stack = self._new_list()
        if not self.functions:  # one that stands in another goes on with its stack
            self._add(ListStep(operation, "clear", self.stack))
            self._add(SetStep(operation, self.depth, 0))
        self._add(SetStep(operation, made.site, 0))
        for result in results:
            self._add(HoldStep(operation, result))
        self.buffer.update(zip(block.args, args, strict=True))
        self.buffer.update(zip(operation.results, results, strict=True))
        self.functions[operation] = made
        return made

    # -- a call

    def _call_function(self, operation: Operation) -> None:
        """Keep what is needed afterwards, check the depth, put the arguments where the block reads them, and jump."""
        function = callee_of(operation)
        assert function is not None
        made = self.functions[function]
        arguments = [self._materialised(v) for v in operation.operands]
        site = _Site(Label(), Label(), JumpStep(None, made.start))
        made.sites.append(site)
        self._add(AddStep(operation, self.depth, 1))
        self._check_depth(operation, function)
        self._add(site.push)
        self._copy_together(list(zip(made.args, arguments, strict=True)))
        self._add(SetStep(operation, made.site, len(made.sites)))
        self._add(site.jump)
        self._add(site.back)
        self._add(AddStep(operation, self.depth, -1))
        for result, source in zip(operation.results, made.results, strict=True):
            self._add(CopyStep(operation, self._place(result), source))

    def _check_depth(self, operation: Operation, function: Operation) -> None:
        name, limit = function.attrs["name"], function.attrs["limit"]
        fine = Label()
        never = Buffer(TensorType(dt.bool_, ()), CONSTANT, data=np.zeros((), np.bool_), hint="never")
        self._add(JumpStep(None, fine, left=constant_word(limit), right=self.depth))
        self._add(CheckStep(operation, never, DepthError.__name__, too_deep_text(name, limit)))
        self._add(fine)

    # -- what a call keeps

    def _save(self, made: _Function, first: int, last: int) -> None:
        """Put the pushes and pops of a function's calls at their labels."""
        inner = self.steps[first:last]
        own = {*made.results, self.depth}
        written = {b.owner(): None for step in inner for b in step.writes()}
        clobbered = [b for b in written if b.role == ARENA and b not in own]
        live = self._live(inner)
        kept: dict[ProgramStep, list[ProgramStep]] = {}
        for site in made.sites:
            saved = [b for b in clobbered if live.at(site.back, b)]
            kept[site.push] = [ListStep(made.operation, "push", self.stack, b) for b in saved]
            kept[site.back] = [ListStep(made.operation, "pop", self.stack, b) for b in reversed(saved)]
        steps: list[ProgramStep] = []
        for step in inner:
            steps += [step, *kept.get(step, ())]
        self.steps[first:last] = steps

    def _live(self, steps: Sequence[ProgramStep]) -> Liveness:
        """What may be read after each call, before the function that makes the call ends.

        A call goes on behind itself, with the caller's values as they were. It reads its arguments: one that the caller
        hands on as it got it isn't copied, so that no other step reads it. Where a function ends, `site` is read.
        """
        goes_to: dict[ProgramStep, Label] = {}
        reads: dict[ProgramStep, list[Buffer]] = {}
        for function in self.functions.values():
            for site in function.sites:
                goes_to |= {site.push: site.back, site.jump: site.back}
                reads[site.jump] = [*function.args, function.site]
        return Liveness(steps, goes_to, reads, [function.site for function in self.functions.values()])


def constant_word(value: int) -> Buffer:
    """A number in memory that nothing changes."""
    return Buffer(WORD, CONSTANT, data=np.asarray(value, np.int64), hint="constant")
