"""Truth values that a loop carries and that the program alone decides: what they are in every iteration.

The gradient of a loop carries for each value whether a gradient of it has arrived. Mostly the first iteration decides
that, but `where(arrived, g, 0)` over whole arrays hides what g is, and costs a pass over them in each iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ...base import dtype as dt
from ...ir.builder import ahead_of, behind
from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.known_numbers import literal_number
from ...ir.walk import walk
from ..manager import Pass
from .loop_indices import trip_count_of

Flag: TypeAlias = bool | None  # None: only the run knows
_MOST = 8  # states that are followed until one comes again


@dataclass(frozen=True)
class KnownFlags(Pass):
    """Put constants for truth values of a `for` that are the same in every iteration, whatever the data."""

    name = "known_flags"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in list(walk(program.body)):
            if operation.name == "for":
                changed |= _resolve(operation)
        return changed


def _resolve(loop: Operation) -> bool:
    body = loop.blocks[0]
    carried = [k for k, arg in enumerate(body.args[1:]) if _is_flag(arg)]
    inside = [v for o in body.operations for v in o.results if _is_flag(v) and o.name in _MEANINGS]
    if not inside or not any(literal_number(loop.operands[k + 1]) is not None for k in carried):
        return False
    starts = tuple(_literal(loop.operands[k + 1]) for k in carried)
    states, seen = [starts], list[dict[Value, Flag]]()
    while True:
        found = dict(zip((body.args[k + 1] for k in carried), states[-1], strict=True))
        _evaluate(body, found)
        seen.append(found)
        following = tuple(_look_up(found, body.yields[k]) for k in carried)
        if following in states:
            break
        if len(states) == _MOST:
            return False
        states.append(following)
    changed = False
    for value in inside:
        assert value.operation is not None
        changed |= _put(value, (found[value] for found in seen), ahead_of(value.operation).constant)
    ends = [*states[1:], following]  # after an iteration
    count = trip_count_of(loop)
    if not isinstance(count, int) or count < 1:
        ends.append(starts)
    for place, k in enumerate(carried):
        changed |= _put(loop.results[k], (state[place] for state in ends), behind(loop).constant)
    return changed


def _put(value: Value, flags: Iterable[Flag], constant: Callable[..., Value]) -> bool:
    """Let its users read a constant, if it always is the same."""
    first, *others = list(flags)
    if first is None or any(other is not first for other in others) or not value.uses:
        return False
    value.replace_by(constant(first, dt.bool_))
    return True


def _is_flag(value: Value) -> bool:
    return not is_list(value) and value.tensor_type.rank == 0 and value.dtype.is_bool


def _literal(value: Value) -> Flag:
    number = literal_number(value)
    return None if number is None else bool(number)


def _look_up(found: dict[Value, Flag], value: Value) -> Flag:
    return found[value] if value in found else _literal(value)


def _evaluate(body: Block, found: dict[Value, Flag]) -> None:
    for operation in body.operations:
        if operation.name in _MEANINGS and all(map(_is_flag, (*operation.operands, operation.result))):
            found[operation.result] = _MEANINGS[operation.name](*(_look_up(found, v) for v in operation.operands))
        elif operation.name in _MEANINGS:
            found[operation.result] = None


def _or(a: Flag, b: Flag) -> Flag:
    if a or b:
        return True
    return None if a is None or b is None else False


def _not(a: Flag) -> Flag:
    return None if a is None else not a


def _and(a: Flag, b: Flag) -> Flag:
    return _not(_or(_not(a), _not(b)))


_MEANINGS: dict[str, Callable[..., Flag]] = {"logical_or": _or, "logical_and": _and, "logical_not": _not}
