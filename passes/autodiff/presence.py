"""Which arguments a result depends on in a run: eager mode leaves `.grad` of the others None, not zeros.

A path that isn't taken and a loop without iterations connect nothing. What the program's text decides costs nothing;
for the rest the forward program computes a bool, carried through branches and loops beside the values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypeAlias, Union

from ...base.dtype import bool_
from ...ir.builder import Builder, at_end, behind
from ...ir.core import Block, Operation, Program, Value
from ...ir.known_numbers import literal_number
from ...ops.op import OPS
from ...ops.types import TensorType
from .residuals import CarriedLoop, scalar_count
from .reverse import carries_gradient, inputs_of, passes_gradient

_MOST_STEPS = 8  # iterations of a loop that are followed, for what each hands to the next


class Dependence(Enum):
    """Whether a value depends on an argument: in no run, in every run, or in some."""

    NEVER = 0
    ALWAYS = 1
    SOMETIMES = 2


Known: TypeAlias = Union[Dependence, Value]  # NEVER, ALWAYS, or the bool that says so in a run
Mask: TypeAlias = tuple[int, int]  # a bit per argument: whether there is a dependence in some run, in every run
_NONE: Mask = (0, 0)
_BOOL = TensorType(bool_, ())


def presence(forward: Program, outputs: Sequence[Value], arguments: Sequence[Value]) -> list[list[Known]]:
    """For each argument, how each output depends on it. May add bools to the forward program."""
    links = links_of(forward.body, arguments)
    return [_of_argument(forward, outputs, v, [links(k, y) for y in outputs]) for k, v in enumerate(arguments)]


def links_of(block: Block, arguments: Sequence[Value]) -> Callable[[int, Value], Dependence]:
    """How values depend on arguments (by number), as far as the text of a block decides it."""
    known = _followed(block, {v: (1 << k, 1 << k) for k, v in enumerate(arguments)})

    def link(number: int, value: Value) -> Dependence:
        return _link(known.get(value, _NONE), number)

    return link


def _link(mask: Mask, number: int = 0) -> Dependence:
    some, every = (bool(part >> number & 1) for part in mask)
    return Dependence.ALWAYS if every else Dependence.SOMETIMES if some else Dependence.NEVER


def _of_argument(
    forward: Program, outputs: Sequence[Value], argument: Value, links: Sequence[Dependence]
) -> list[Known]:  # fmt: skip
    if Dependence.SOMETIMES not in links:
        return list(links)
    flags = _Flags({argument: Dependence.ALWAYS})
    flags.block(forward.body)
    return [flags.of.get(v, Dependence.NEVER) for v in outputs]


def flag_of(block: Block, output: Value, argument: Value) -> Known:
    """How a value of a block depends on another one; a bool is emitted where only a run knows."""
    flags = _Flags({argument: Dependence.ALWAYS})
    flags.block(block)
    return flags.of.get(output, Dependence.NEVER)


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
    some = every = 0
    for value in _sources(operation):
        mask = known.get(value, _NONE)
        some, every = some | mask[0], every | mask[1]
    return [(some, every) if carries_gradient(r) else _NONE for r in operation.results]


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
    found = now if _runs(loop) else [_joined(a, b) for a, b in zip(start, now, strict=True)]
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


def _runs(loop: CarriedLoop) -> bool:
    """Whether the loop's text says that it has an iteration."""
    return bool(loop.skip and (literal_number(loop.operation.operands[0]) or 0) > 0)


# ---- what only a run knows


class _Flags:
    """The same with bools of the program: emitted where a value depends on the argument in some runs."""

    def __init__(self, known: dict[Value, Known]) -> None:
        self.of = known

    def masks(self) -> dict[Value, Mask]:
        """What the text decides of the values met so far."""
        return {v: (int(k is not Dependence.NEVER), int(k is Dependence.ALWAYS)) for v, k in self.of.items()}

    def block(self, block: Block) -> None:
        """Follow the operations of a block."""
        for operation in list(block.operations):
            if operation.is_terminator or not passes_gradient(operation):
                continue
            count = len(operation.results)
            found = self.through(operation)
            self.of.update(
                (r, k) for r, k in zip(operation.results[:count], found, strict=True) if k is not Dependence.NEVER
            )

    def through(self, operation: Operation) -> list[Known]:
        """How the results of an operation depend on the argument."""
        if operation.name == "if":
            return self.of_if(operation)
        if operation.name in ("for", "while"):
            return self.of_loop(CarriedLoop(operation))
        link = self.any(operation, [self.of.get(v, Dependence.NEVER) for v in _sources(operation)])
        return [link if carries_gradient(r) else Dependence.NEVER for r in operation.results]

    def any(self, operation: Operation, given: Sequence[Known]) -> Known:
        """Whether one of several holds, right behind an operation."""
        if Dependence.ALWAYS in given:
            return Dependence.ALWAYS
        flags = list(dict.fromkeys(k for k in given if isinstance(k, Value)))
        if not flags:
            return Dependence.NEVER
        found = flags[0]
        with behind(operation).active():
            for flag in flags[1:]:
                found = OPS["logical_or"](found, flag)
        return found

    def of_if(self, operation: Operation) -> list[Known]:
        """What depends on the argument on one path depends on it where that path is taken."""
        for block in operation.blocks:
            self.block(block)
        count = len(operation.results)
        sides = [[self.of.get(v, Dependence.NEVER) for v in block.yields[:count]] for block in operation.blocks]
        return [self._chosen(operation, a, b) for a, b in zip(*sides, strict=True)]

    def _chosen(self, operation: Operation, a: Known, b: Known) -> Known:
        if a is b:
            return a
        condition = operation.operands[0]
        if (a, b) == (Dependence.ALWAYS, Dependence.NEVER) and condition.type == _BOOL:
            return condition
        result = operation.add_result(_BOOL)
        for block, known in zip(operation.blocks, (a, b), strict=True):
            block.terminator.add_operand(_as_value(at_end(block), known))
        return result

    def of_loop(self, loop: CarriedLoop) -> list[Known]:
        """A loop's results: as they were before it, or as an iteration leaves them."""
        count = len(loop.results)
        known = self.masks()
        start = [self.of.get(v, Dependence.NEVER) for v in loop.inits]
        after = _step(loop, known, [known.get(v, _NONE) for v in loop.inits])
        links = [_link(mask) for mask in after]
        if _step(loop, known, after) == after and Dependence.SOMETIMES not in links:
            return self._once(loop, start, links)
        carried = {
            k: loop.carry(_as_value(loop.edit(), start[k])) for k in range(count) if carries_gradient(loop.args[k])
        }
        self.of.update((loop.args[k], flag) for k, flag in carried.items())
        self.block(loop.body)
        ends = {k: self.of.get(loop.yields[k], Dependence.NEVER) for k in carried}
        results = {k: loop.hand_on(_as_value(loop.edit_end(), ends[k])) for k in carried}
        return [results.get(k, Dependence.NEVER) for k in range(count)]

    def _once(self, loop: CarriedLoop, start: Sequence[Known], after: Sequence[Dependence]) -> list[Known]:
        """Where all iterations leave the same: only whether there is one matters."""
        if _runs(loop):
            return list(after)
        following = behind(loop.operation)
        ran = _ran(loop, following) if any(a is not b for a, b in zip(start, after, strict=True)) else None
        return [_kept_or(following, ran, before, link) for before, link in zip(start, after, strict=True)]


def _kept_or(following: Builder, ran: Value | None, before: Known, link: Dependence) -> Known:
    """How a result depends on the argument: as `link` says where the loop ran, else as before it."""
    if ran is None or before is link:
        return before
    made: Value
    with following.active():
        if link is Dependence.ALWAYS:
            made = ran if before is Dependence.NEVER else OPS["logical_or"](ran, before)
        else:
            made = OPS["logical_not"](ran)
            made = made if before is Dependence.ALWAYS else OPS["logical_and"](made, before)
    return made


def _ran(loop: CarriedLoop, following: Builder) -> Value:
    """Whether a loop has had an iteration, known behind it."""
    made: Value
    if loop.skip:
        with following.active():
            made = OPS["greater_than"](scalar_count(following, loop.operation.operands[0]), 0)
        return made
    loop.carry(_as_value(loop.edit(), Dependence.NEVER))
    return loop.hand_on(_as_value(loop.edit_end(), Dependence.ALWAYS))


def _as_value(builder: Builder, known: Known) -> Value:
    return known if isinstance(known, Value) else builder.constant(known is Dependence.ALWAYS, bool_)
