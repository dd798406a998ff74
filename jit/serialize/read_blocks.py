"""Blocks of a program read from another framework's model: branches and loops, whose types reading finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...base import dtype as dt
from ...base.errors import VitrifyError
from ...ir.core import Block, Value
from ...ops.control import if_
from ...ops.dims import same_dim, same_shape
from ...ops.op import OPS
from ...ops.sizes import fresh_size, runtime_names
from ...ops.types import TensorType

Refuse = Callable[[str], VitrifyError]  # the error for a form that isn't supported
_ITERATION = TensorType(dt.int64, ())
_MOST_ROUNDS = 4  # how often a loop is read again until the sizes that its iterations change are known


class ReadBlocks:
    """Fills blocks of the program that `tracer` records."""

    def __init__(self, tracer: Any) -> None:
        self.tracer = tracer
        self.builder = tracer.builder

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Fill `block` for a while."""
        self.tracer.blocks.append(block)
        try:
            with self.builder.inside(block):
                yield
        finally:
            self.tracer.blocks.pop()

    @contextmanager
    def again(self, block: Block) -> Iterator[None]:
        """Put further operations before the end of a finished block."""
        saved = self.builder.block, self.builder.before
        self.builder.block, self.builder.before = block, block.terminator
        try:
            yield
        finally:
            self.builder.block, self.builder.before = saved

    @staticmethod
    def forget(block: Block) -> None:
        """A block that was read for its types only: its uses of outer values end."""
        for operation in reversed(list(block.operations)):
            operation.forget()
        block.operations.clear()

    def branches(self, flag: Any, reads: Sequence[Callable[[], Sequence[Any]]], refuse: Refuse) -> list[Value]:
        """An `if`: reads are (then, else), each of which gives the branch's results."""
        blocks = []
        for read in reads:
            block = Block()
            with self.inside(block):
                self.builder.yield_([made_in(v, block) for v in read()])
            blocks.append(block)
        then, other = (b.yields for b in blocks)
        if len(then) != len(other):
            raise refuse(f"branches with {len(then)} and {len(other)} results")
        kinds = [common_type(a.tensor_type, b.tensor_type, refuse) for a, b in zip(then, other, strict=True)]
        return list(self.builder.emit(if_, [flag], {}, kinds, blocks).results)


def common_type(before: TensorType, after: TensorType, refuse: Refuse) -> TensorType:
    """A type for both: sizes that differ get a name of their own."""
    if before.dtype is not after.dtype or before.rank != after.rank:
        raise refuse(f"a value that is {before} on one path or iteration and {after} on another")
    return TensorType(
        before.dtype,
        tuple(a if same_dim(a, b) else fresh_size() for a, b in zip(before.shape, after.shape, strict=True)),
    )


def made_in(value: Any, block: Block) -> Any:
    """A value that the block made itself, so that its type is its own."""
    return value if value.block is block else OPS["assign"](value)


class LoopBody:
    """A loop's `block`: it takes the iteration number and carried values, and yields the next ones."""

    def __init__(
        self, blocks: ReadBlocks, kinds: Sequence[TensorType], read: Callable[[Sequence[Value]], Sequence[Any]],
        refuse: Refuse,
    ) -> None:  # fmt: skip
        """read(args) -> the values that the iteration gives, as many as `kinds`."""
        self.refuse = refuse
        kept = list(kinds)
        for _ in range(_MOST_ROUNDS):
            block = Block([_ITERATION, *kept])
            with blocks.inside(block):
                made = [made_in(v, block) for v in read(block.args)]
                blocks.builder.yield_(made)
            found = [self._next(k, v.tensor_type) for k, v in zip(kept, made, strict=True)]
            if all(same_shape(a.shape, b.shape) for a, b in zip(kept, found, strict=True)):
                self.block = block
                return
            blocks.forget(block)
            kept = found
        raise refuse("a loop whose values change their sizes in ways that can't be followed")

    def _next(self, kept: TensorType, made: TensorType) -> TensorType:
        """The argument's type; an axis that differs after an iteration is of any size."""
        if kept.dtype is not made.dtype or kept.rank != made.rank:
            raise self.refuse(f"a value that is {kept} before an iteration and {made} after it")
        return TensorType(
            kept.dtype,
            tuple(
                a if same_dim(a, b) or _is_own(a) else fresh_size() for a, b in zip(kept.shape, made.shape, strict=True)
            ),
        )


def _is_own(dim: Any) -> bool:
    return bool(runtime_names(dim)) and str(dim).isidentifier()


def while_loop(blocks: ReadBlocks, start: Sequence[Any], body: LoopBody, keeps_going: Callable[[Any, Any], Any]) -> Any:
    """A `while` over `start`, the first of which is the condition, with the iteration number counted before it.

    keeps_going(iteration, flag): whether to go on. The results are those of `start`.
    """
    builder, block = blocks.builder, body.block
    condition = Block([a.type for a in block.args])
    with blocks.inside(condition):
        iteration, flag, *_ = condition.args
        builder.yield_([keeps_going(iteration, flag)])
    with blocks.again(block):
        following = [block.args[0] + 1, *block.yields]
    block.terminator.set_operands(following)
    zero = builder.constant(0, dt.int64)
    return builder.while_([zero, *start], condition, block)[1:]
