"""Lists are linear: `list_push` and `list_pop` use their list up, so that it may change in place. Checked here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from .core import Block, Operation, Program, Value, is_list

Fail = Callable[[str, Operation], NoReturn]


def check_lists(program: Program, fail: Fail) -> None:
    """Each list value is used up at most once on every path, and never read afterwards."""
    _check_block(program.body, set(), fail)


def _check_block(block: Block, used: set[Value], fail: Fail) -> None:
    """`used` is what earlier operations have used up; it learns what this block uses up."""
    for operation in block.operations:
        for value in filter(is_list, operation.operands):
            if value in used:
                fail("the list has been used up before; go on with the list that operation made", operation)
            if _uses_up(operation):
                used.add(value)
        _check_inner(operation, used, fail)


def _check_inner(operation: Operation, used: set[Value], fail: Fail) -> None:
    after: set[Value] = set()
    for k, block in enumerate(operation.blocks):
        inside = set(used)  # only one of the blocks of an `if` runs
        _check_block(block, inside, fail)
        new = inside - used
        if operation.name == "while" and k == 0 and any(v.producer is block for v in new):
            fail("the condition of a loop may read its lists but not use them up", operation)
        outer = [v for v in new if not block.encloses(v.block)]
        if outer and operation.name != "if":
            fail("a list made outside the loop is used up in every iteration; carry it through the loop", operation)
        after.update(outer)
    used |= after


def _uses_up(operation: Operation) -> bool:
    """Operations that make or hand on a list use theirs up; others only read it."""
    return operation.is_terminator or any(is_list(r) for r in operation.results)
