"""Which arguments a result depends on, as far as a program's text decides it: eager mode gives the others no gradient.

A path that isn't taken and a loop without iterations connect nothing. What only a run knows, the backward program tells
by bools beside the gradients (reverse.py); what the text decides needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from ...ir.core import Block, Operation, Value
from ...ir.known_numbers import known_number
from .residuals import CarriedLoop
from .reverse import carries_gradient, inputs_of, passes_gradient

_MOST_STEPS = 8  # iterations of a loop that are followed, for what each hands to the next


class Dependence(Enum):
    """Whether a value depends on an argument: in no run, in every run, or in some."""

    NEVER = 0
    ALWAYS = 1
    SOMETIMES = 2


Mask: TypeAlias = tuple[int, int]  # a bit per argument: whether there is a dependence in some run, in every run
_NONE: Mask = (0, 0)


def links_of(block: Block, arguments: Sequence[Value]) -> Callable[[int, Value], Dependence]:
    """How values depend on arguments (by number), as far as the text of a block decides it."""
    known = _followed(block, {v: (1 << k, 1 << k) for k, v in enumerate(arguments)})

    def link(number: int, value: Value) -> Dependence:
        return _link(known.get(value, _NONE), number)

    return link


def _link(mask: Mask, number: int = 0) -> Dependence:
    some, every = (bool(part >> number & 1) for part in mask)
    return Dependence.ALWAYS if every else Dependence.SOMETIMES if some else Dependence.NEVER


# ---- what the text decides: a bit per argument


def _followed(block: Block, known: dict[Value, Mask]) -> dict[Value, Mask]:
    """The masks of all values that a block makes, beside those known."""
    for operation in block.operations:
        if operation.is_terminator or not passes_gradient(operation):
            continue
        found = _through(operation, known)
        known.update((r, mask) for r, mask in zip(operation.results, found, strict=True) if mask[0])
    return known


def _through(operation: Operation, known: dict[Value, Mask]) -> list[Mask]:
    if operation.name == "if":
        sides = [_ends(block, _followed(block, dict(known))) for block in operation.blocks]
        return [_joined(a, b) for a, b in zip(*sides, strict=True)]
    if operation.name in ("for", "while"):
        return _around(CarriedLoop(operation), known)
    decides = operation.name == "callback" and operation.attrs["form"] == "partial layer"  # its backward may give None
    some = every = 0
    for value in _sources(operation):
        mask = known.get(value, _NONE)
        some, every = some | mask[0], every | mask[1]
    return [(some, 0 if decides else every) if carries_gradient(r) else _NONE for r in operation.results]


def _sources(operation: Operation) -> list[Value]:
    """The operands from which gradients of the results come, and what the block of a function reads."""
    if operation.name == "function":
        return [v for v in inputs_of(operation) if carries_gradient(v)]
    given = operation.operands[:1] if operation.name == "straight_through" else operation.operands
    return [v for v in given if carries_gradient(v)]


def _ends(block: Block, known: dict[Value, Mask]) -> list[Mask]:
    return [known.get(v, _NONE) for v in block.yields]


def _joined(a: Mask, b: Mask) -> Mask:
    return a[0] | b[0], a[1] & b[1]


def _step(loop: CarriedLoop, known: dict[Value, Mask], before: Sequence[Mask]) -> list[Mask]:
    """The masks of what one iteration hands on."""
    inner = dict(known)
    inner.update(zip(loop.args, before, strict=True))
    return _ends(loop.body, _followed(loop.body, inner))


def _around(loop: CarriedLoop, known: dict[Value, Mask]) -> list[Mask]:
    """The masks of a loop's results, for any number of iterations."""
    start = [known.get(v, _NONE) for v in loop.inits]
    now = _step(loop, known, start)
    found = now if runs(loop) else [_joined(a, b) for a, b in zip(start, now, strict=True)]
    for _ in range(_MOST_STEPS):
        following = _step(loop, known, now)
        if following == now:
            return found
        now = following
        found = [_joined(a, b) for a, b in zip(found, now, strict=True)]
    some = 0
    for mask in found:
        some |= mask[0]
    return [(some, 0)] * len(found)


def runs(loop: CarriedLoop) -> bool:
    """Whether the loop's text says that it has an iteration."""
    return bool(loop.skip and (known_number(loop.operation.operands[0]) or 0) > 0)


# ---- gradients on the way back through a loop


class BackwardPresence(NamedTuple):
    """Which gradients a backward loop has: of carried values in each iteration, of free values from each iteration."""

    carried: list[Dependence]
    free: list[Dependence]


def backward_presence(
    loop: CarriedLoop, active: Sequence[int], free: Sequence[Value], start: Sequence[Dependence]
) -> BackwardPresence:
    """As far as the text decides it. active: numbers of the carried values; start: what arrives at their results."""
    links = links_of(loop.body, [*(loop.args[k] for k in active), *free])
    table = [[links(m, loop.yields[k]) for k in active] for m in range(len(active) + len(free))]
    found = [list(start)]
    added: list[list[Dependence]] = []
    for _ in range(_MOST_STEPS):
        following = [_any(_both(now, link) for now, link in zip(found[-1], row, strict=True)) for row in table]
        added.append(following[len(active) :])
        if following[: len(active)] == found[-1]:
            return BackwardPresence(_common(found), _common(added))
        found.append(following[: len(active)])
    return BackwardPresence([Dependence.SOMETIMES] * len(active), [Dependence.SOMETIMES] * len(free))


def _common(rows: Sequence[Sequence[Dependence]]) -> list[Dependence]:
    return [column[0] if len(set(column)) == 1 else Dependence.SOMETIMES for column in zip(*rows, strict=True)]


def _both(a: Dependence, b: Dependence) -> Dependence:
    if Dependence.NEVER in (a, b):
        return Dependence.NEVER
    return Dependence.ALWAYS if a is b is Dependence.ALWAYS else Dependence.SOMETIMES


def _any(found: Iterable[Dependence]) -> Dependence:
    kinds = set(found) - {Dependence.NEVER}
    if Dependence.ALWAYS in kinds:
        return Dependence.ALWAYS
    return Dependence.SOMETIMES if kinds else Dependence.NEVER
