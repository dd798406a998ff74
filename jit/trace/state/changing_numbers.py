"""Attributes, items and closure variables whose Python numbers a program takes anew at each call: counters, scales.

Such a number may be a part of a tuple, or of a container that stands in the place only for one call.

Where code can't do without that, Python decides the conditions on them: `if self.n % 10 == 0:` around what no program
can do. What is guarded is whether the condition holds, so that there is a program for either side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ....base.class_marks import own_dict
from ....base.dtype import DType
from ....base.location import Loc
from ....dygraph.number import KINDS, Number, concrete_number, fits
from ....ir.core import Value
from ....ir.known_numbers import evaluated
from ....ops.effects import Effect
from ....ops.op import Op
from ....ops.types import TensorType
from ...call.guards import look
from ..assumed.hidden_attributes import Beside
from ..assumed.own_attributes import own_attribute
from ..reachable import is_plain_class
from ..traced import VARIED, Assumption, Told
from .containers import part_at
from .rollback import MISSING, put

_MOST_STEPS = 64  # of a condition


@contextmanager
def numbers_at(
    places: Sequence[Assumption], rebuilt: dict[int, tuple[Any, Any]], varied: list[Number]
) -> Iterator[None]:
    """While a function is traced, a `Number` is in each place; afterwards the number that was there.

    A tuple is replaced by one that holds the `Number`; other containers get it themselves. rebuilt: takes in the tuples
    of the trace, by identity, with the ones outside. varied: takes in the numbers that had many values.
    """
    before: list[tuple[Any, Any, Any, Any]] = []
    try:
        for place in places:
            value = look(place)
            if not fits(value):
                continue
            owner, key, there, path = _innermost(place)
            if not _has_itself(owner, key):
                continue  # a class has it, or makes it up: that is guarded, or is a place of its own
            if all(map(_is_rebuilt, _tuples_along(there, path))):
                number = concrete_number(value, place)
                if place.value is VARIED:
                    varied.append(number)
                told = place.value if isinstance(place.value, Told) else Told(0)
                number.by_residue, number.by_condition = Told.RESIDUE in told, Told.CONDITION in told
                made = _with_number(there, path, number, rebuilt)
                put(owner, key, made)
                before.append((owner, key, there, made))
        yield
    finally:
        for owner, key, there, made in reversed(before):
            if _is_at(owner, key, made):
                put(owner, key, there)


def _has_itself(owner: Any, key: Any) -> bool:
    return isinstance(owner, (dict, list, deque)) or own_attribute(owner, key) is not MISSING


def _is_at(owner: Any, key: Any, value: Any) -> bool:
    try:
        return part_at(owner, (key,)) is value
    except (KeyError, IndexError, AttributeError, ValueError):
        return False  # the function has taken it away


def _innermost(place: Assumption) -> tuple[Any, Any, Any, tuple[Any, ...]]:
    """The last object on the way to a number that can be written, under which key, what is there, and the way on."""
    if place.kind != "part":
        return place.owner, key_of(place), look(place), ()
    root, way = place.owner, place.name
    owner, key, value = root.owner, key_of(root), look(root)
    there, rest = value, way
    for k, step in enumerate(way):
        inner = part_at(value, (step,))
        if type(step) is Beside:
            owner, key, there, rest = vars(value), step.name, inner, way[k + 1 :]
        elif not isinstance(value, tuple):
            owner, key, there, rest = value, step, inner, way[k + 1 :]
        value = inner
    return owner, key, there, rest


def _tuples_along(value: Any, path: Sequence[Any]) -> Iterator[Any]:
    for key in path:
        yield value
        value = value[key]


def _is_rebuilt(value: Any) -> bool:
    """Whether a tuple is nothing but its items."""
    return (type(value) is tuple or is_plain_class(type(value))) and not own_dict(value)


def _with_number(there: Any, path: Sequence[Any], number: Number, rebuilt: dict[int, tuple[Any, Any]]) -> Any:
    if not path:
        return number
    items = list(there)
    items[path[0]] = _with_number(items[path[0]], path[1:], number, rebuilt)
    made = tuple.__new__(type(there), items)
    rebuilt[id(made)] = made, rebuilt.get(id(there), (there, there))[1]
    return made


def key_of(place: Assumption) -> object:
    """The key under which `put` sets it."""
    return "cell_contents" if place.kind == "cell" else place.name


# ---- conditions


class _Step(NamedTuple):
    """A step that computes. operands: the numbers of earlier ones."""

    op: Op
    attrs: Mapping[str, Any]
    operands: tuple[int, ...]
    type: TensorType


class Condition:
    """Whether a condition on numbers outside holds, by the steps that compute it. None: the next number is taken."""

    def __init__(self) -> None:
        self.places: list[tuple[Assumption, DType]] = []
        self.steps: list[_Step | None] = []

    def __call__(self) -> bool | None:
        """None where there are no such numbers any more."""
        arrays: list[Any] = []
        for place, dtype in self.places:
            number = look(place)
            if type(number) is not KINDS[dtype]:
                return None
            arrays.append(np.array(number, dtype.numpy))
        return self.holds(arrays)

    def holds(self, arrays: Iterable[Any]) -> bool | None:
        """Whether it holds for these numbers; None where it can't be computed."""
        left = iter(arrays)
        made: list[Any] = []
        for step in self.steps:
            made.append(next(left) if step is None else evaluated(step, [made[k] for k in step.operands], step.type))
            if made[-1] is None:
                return None
        return bool(made[-1])


class NumberConditions:
    """The conditions that a trace has decided."""

    def __init__(self) -> None:
        self._decided: dict[Value, tuple[Condition, bool, Loc]] = {}

    def known(self, tracer: Any, flag: Value) -> bool | None:
        """Whether a condition holds in this call; None where the program decides it."""
        if flag in self._decided:
            return self._decided[flag][1]
        numbers = {e.value: e for e in tracer.lifted.values() if type(e.tensor) is Number}
        if flag.operation is None or not any(e.tensor.by_condition for e in numbers.values()):
            return None
        made, known = Condition(), dict[Value, int]()
        if not _add(flag, {value: e.tensor for value, e in numbers.items()}, made, known):
            return None
        found = [numbers[value] for value in known if value in numbers]
        answer = made.holds(e.array for e in found) if any(e.tensor.by_condition for e in found) else None
        if answer is not None:
            self._decided[flag] = made, answer, flag.operation.loc
        return answer

    def assumptions(self) -> Iterator[Assumption]:
        """The answers."""
        for made, answer, loc in self._decided.values():
            yield Assumption("call", made, f"the condition on numbers at {loc.short()}", answer)


def _add(value: Value, numbers: Mapping[Value, Number], made: Condition, known: dict[Value, int]) -> bool:
    """Add the steps that compute a value; whether numbers at places outside are all that it is computed from."""
    if value in known:
        return True
    operation, number, kind = value.operation, numbers.get(value), value.type
    if number is not None and isinstance(number.origin, Assumption):
        made.places.append((number.origin, number._dtype))
        made.steps.append(None)
    elif operation is None or len(known) >= _MOST_STEPS or not isinstance(kind, TensorType) or kind.shape:
        return False
    else:
        is_plain = operation.op.effect is Effect.PURE and not operation.blocks and len(operation.results) == 1
        if not (is_plain and all(_add(operand, numbers, made, known) for operand in operation.operands)):
            return False
        operands = tuple([known[operand] for operand in operation.operands])
        made.steps.append(_Step(operation.op, dict(operation.attrs), operands, kind))
    known[value] = len(made.steps) - 1
    return True
