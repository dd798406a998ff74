"""Branches and loops, and what the program is fed.

In `.pdmodel` files a branch is two `conditional_block`s, one for each value of the condition, and a `select_input`
per result, which says which of the two is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....base import dtype as dt
from ....ir.core import Value
from ....ops.types import TensorType
from ...serialize.read_blocks import LoopBody, while_loop
from ..paddle_call import OperatorCall, op, rows
from ..paddle_model import ModelStep
from .paddle_row import Entry, entry


def _feed_of(c: OperatorCall) -> Any:
    c.without("shape dtype")
    return c.reader.value(f"feed {c.required('name')}")


def _nothing(c: OperatorCall) -> Any:
    return ()


def _flag(value: Any) -> Any:
    flat = value if not value.shape else op.reshape(value, [])
    return flat if flat.dtype.is_bool else op.cast(flat, dt.bool_)


def _if(c: OperatorCall) -> Any:
    then, other = c.step.blocks
    reads = [lambda b=b: c.reader.run(b) for b in (then, other)]
    return tuple(c.reader.blocks.branches(_flag(c[0]), reads, c.refuse))


def _conditional(c: OperatorCall) -> Any:
    """Read where its results are selected."""
    for name in c.step.outputs.get("Out", []):
        c.reader.conditionals[name] = c.step
    return ()


def _select(c: OperatorCall) -> Any:
    """All the results of two conditional blocks, with the first of them."""
    name = c.step.outputs["Out"][0]
    if name in c.reader.selected:
        return c.reader.selected.pop(name)
    pair = _pair(c, c.step)
    alike = [s for s in c.reader.following("select_input") if _pair(c, s) == pair]
    other, then = pair
    reads = [
        lambda step=step, k=k: c.reader.run(step.blocks[0], (), [s.inputs["X"][k] for s in alike])
        for step, k in ((then, 1), (other, 0))
    ]
    made = c.reader.blocks.branches(_flag(c[0]), reads, c.refuse)
    c.reader.selected.update({s.outputs["Out"][0]: v for s, v in zip(alike, made, strict=True)})
    return c.reader.selected.pop(name)


def _pair(c: OperatorCall, step: ModelStep) -> tuple[ModelStep, ModelStep]:
    """The conditional blocks that a select_input chooses from: (false, true)."""
    names = step.inputs["X"]
    found = [c.reader.conditionals.get(n) for n in names]
    if len(found) != 2 or found[0] is None or found[1] is None:
        raise c.refuse(f"a choice between {len(names)} values that are not all results of conditional blocks")
    return found[0], found[1]


# ---- loops


def loop(c: OperatorCall, length: Any, step: Any, start: Sequence[Any]) -> list[Any]:
    """`state = step(k, state)` for k below length."""

    def read(args: Sequence[Value]) -> Sequence[Any]:
        return list(step(args[0], list(args[1:])))

    carried = [rows.assign(v) for v in start]
    body = LoopBody(c.reader.blocks, [v.type for v in carried], read, c.refuse)
    return list(c.reader.builder.for_(length, carried, body.block))


def _while(c: OperatorCall) -> Any:
    """The first input is the condition; the block takes the others, and gives the next condition and the others."""
    (block,) = c.step.blocks
    return tuple(_looped(c, [c[k] for k in range(len(c.inputs))], lambda now: c.reader.run(block, now[1:]))[1:])


def _while_old(c: OperatorCall) -> Any:
    """What the block writes of the names outside is carried."""
    (block,) = c.step.blocks
    condition = c.step.inputs["Condition"][0]
    written = {n for s in block.steps for names in s.outputs.values() for n in names}
    carried = [condition, *sorted(n for n in written & c.reader.values.keys() if n != condition)]

    def read(now: Sequence[Any]) -> Any:
        outer, c.reader.values = c.reader.values, {**c.reader.values, **dict(zip(carried, now, strict=True))}
        try:
            return c.reader.run(block, (), carried)
        finally:
            c.reader.values = outer

    made = _looped(c, [c.reader.value(n) for n in carried], read)
    c.reader.values.update(zip(carried, made, strict=True))
    return ()


def _looped(c: OperatorCall, start: Sequence[Any], read: Any) -> list[Any]:
    shape = start[0].shape
    first = [_flag(start[0]), *(rows.assign(v) for v in start[1:])]

    def once(args: Sequence[Value]) -> Any:
        flag = op.reshape(args[1], shape) if shape else args[1]
        asked, *made = read([flag, *args[2:]])
        return [_flag(asked), *made]

    body = LoopBody(c.reader.blocks, [TensorType(dt.bool_, ()), *(v.type for v in first[1:])], once, c.refuse)
    flag, *rest = while_loop(c.reader.blocks, first, body, lambda iteration, flag: flag)
    return [op.reshape(flag, shape) if shape else flag, *rest]


ENTRIES: list[Entry] = [
    entry(_conditional, "", "conditional_block", "Cond"),
    entry(_feed_of, "data", ""),
    entry(_if, "if", ""),
    entry(_nothing, "", "feed fetch"),
    entry(_select, "", "select_input", "Mask"),
    entry(_while, "while", ""),
    entry(_while_old, "", "while", "Condition"),
]
