"""A loop's variable that takes several forms (None, then a tensor): the loop carries which one, and the leaves of all.

At the start of a turn the form is a decision (decisions.py): only what looks at the variable is traced once per form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ....base import dtype as dt
from ....base.location import caller_loc
from ....base.pytree import Either, Tree, constants_of, flatten, map_leaves, unflatten
from ....dygraph.number import Number, number_over
from ....dygraph.tensor import Tensor
from ....ir.core import Block
from ....ops.dims import Dim, same_shape
from ....ops.op import OPS
from ....ops.types import TensorType
from ...trace.state.rollback import MISSING
from ...trace.state.traced_numbers import dtype_among
from ...trace.tracer import Tracer
from .decisions import Decision, decide, decide_on
from .markers import Maybe, Poison, Undefined
from .values import FILL, Merge, Pair, label

MOST_FORMS = 8
MOST_WAYS = 32  # of one value after an `if`, counted as if no two parts of it hung together


@dataclass(slots=True)
class Form:
    """One structure that a variable has: its tree, and the type of each leaf.

    numbers, needs: which leaves are Python numbers, and which need gradients.
    """

    tree: Tree
    types: list[TensorType]
    numbers: list[bool]
    needs: list[bool]

    def fits(self, other: Form) -> bool:
        """Whether values of another form have this one."""
        return (
            self.tree == other.tree
            and self.numbers == other.numbers
            and all(
                a.dtype is b.dtype and same_shape(a.shape, b.shape)
                for a, b in zip(self.types, other.types, strict=True)
            )
        )


class Pending(Poison):
    """A variable of several forms, before anything looked at it.

    expanded: an `Either` of all of them. objects: those that code can change without a look at the variable.
    """

    is_union = True  # what it may be can be reached (see ../capture.py)

    def __init__(self, name: str, decision: Decision, expanded: Callable[[], Any], objects: Sequence[Any] = ()) -> None:
        message = f"{label(name)} has one of several forms here"
        super().__init__(name, message, caller_loc(), decision)
        self.expanded = expanded
        self.objects = objects


def undecided(tracer: Tracer, name: str, value: Any) -> Any:
    """One of several values, to be decided where the code around runs again; the same flag is decided once there."""
    if not isinstance(value, Either):
        return Undefined(name) if value is MISSING else value
    if not isinstance(value.flag, Tensor):
        return undecided(tracer, name, value.a if value.flag else value.b)
    decision = decide_on(tracer, tracer.flag(value.flag))
    if decision.side is None:
        return Pending(name, decision, lambda: value, _sides(value))
    return undecided(tracer, name, value.b if decision.side else value.a)


def _sides(value: Any) -> list[Any]:
    return [*_sides(value.a), *_sides(value.b)] if isinstance(value, Either) else [value]


@dataclass(frozen=True, slots=True)
class Choices:
    """At the end of an `if` whose sides leave two kinds of values: one or the other, by its flag, not yet decided."""

    tracer: Tracer
    flag: Tensor
    blocks: Sequence[Block]

    def make(self, name: str, a: Any, b: Any) -> Any:
        """One of two values."""
        return undecided(self.tracer, name, Either(self.flag, a, b))

    def may_spread(self, a: Any, b: Any) -> bool:
        """Whether what is in doubt on either side is one of a few known values."""
        if not all(isinstance(x, Pending) or not isinstance(x, Poison) for x in (a, b)):
            return False
        count = 0
        for value, block in zip((a, b), self.blocks, strict=True):
            with self.tracer.inside(block):
                count += _count_ways(value)
        return count <= MOST_WAYS

    def spread(self, value: Any, side: int) -> Any:
        """The value of one side with an `Either` in place of what isn't decided."""
        if not (isinstance(value, Undefined) or holds_forms(value)):
            return value
        with self.tracer.inside(self.blocks[side]):
            return plain(value)


class Forms:
    """The forms of one variable, as far as they are known, and its values in them."""

    def __init__(
        self, tracer: Tracer, name: str, before: Any, link: Callable[[Tracer, Any], Any] = lambda _, made: made
    ) -> None:
        self.tracer = tracer
        self.link = link  # tells what the containers in a new value may be
        self.name = name
        self.forms: list[Form] = []
        self.unbound = before.name if isinstance(before, Undefined) else name  # what marks the unbound variable

    # ---- learning

    def learn(self, value: Any) -> bool:
        """Whether a value has a form, or needs gradients, that weren't known."""
        value = plain(value)
        if isinstance(value, Either):
            first = self.learn(value.a)
            return self.learn(value.b) or first
        form, _ = _form_of(value)
        for known in self.forms:
            if known.fits(form):
                needs = [a or b for a, b in zip(known.needs, form.needs, strict=True)]
                changed, known.needs = needs != known.needs, needs
                return changed
        self.forms.append(form)
        return True

    def grow(self) -> bool:
        """Whether the last forms differ in sizes only: so would those of further turns."""
        last = self.forms[-3:]
        return len(last) == 3 and last[0].tree.kind != "const" and len({f.tree.kind for f in last}) == 1

    def differ_in_sizes(self) -> bool:
        """Whether some forms are tensors of one structure, dtype and rank, but of different sizes."""
        kinds = [(f.tree, [(t.dtype, t.rank) for t in f.types]) for f in self.forms if any(f.types)]
        return any(kind in kinds[:k] for k, kind in enumerate(kinds))

    @property
    def may_lack(self) -> bool:
        """Whether there is nothing in one of the forms: an item that isn't there, a variable that isn't bound."""
        return any(f.tree.kind == "const" and f.tree.data is MISSING for f in self.forms)

    # ---- values in the loop's leaves

    @property
    def kinds(self) -> list[tuple[TensorType, bool]]:
        """Types of what the loop carries: which form, then the leaves of all."""
        leaves = [(t, n) for f in self.forms for t, n in zip(f.types, f.needs, strict=True)]
        return [(TensorType(dt.int64, ()), False), *leaves]

    def add(self, merge: Merge, value: Any, side: int) -> None:
        """Make a value a path's part of the loop's leaves."""
        for leaf, (kind, needs) in zip(self._encoded(value), self.kinds, strict=True):
            sides = (leaf, FILL) if side == 0 else (FILL, leaf)
            merge.pairs.append(Pair(sides, kind, needs))

    def _encoded(self, value: Any) -> list[Any]:
        value = plain(value)
        if isinstance(value, Either):
            ways = [self._encoded(value.a), self._encoded(value.b)]
            flag = value.flag
            if not isinstance(flag, Tensor):
                return ways[not flag]
            return [self._chosen(flag, a, b, kind) for a, b, (kind, _) in zip(*ways, self.kinds, strict=True)]
        form, leaves = _form_of(value)
        number = next(k for k, known in enumerate(self.forms) if known.fits(form))
        made: list[Any] = [number]
        for k, known in enumerate(self.forms):
            made += leaves if k == number else [FILL] * len(known.types)
        return made

    def _chosen(self, flag: Tensor, a: Any, b: Any, kind: TensorType) -> Any:
        if a is b and not isinstance(a, Tensor):
            return a
        flag = OPS["cast"](flag, dt.bool_) if flag.dtype is not dt.bool_ else flag
        return OPS["where"](flag, self._tensor(a, kind), self._tensor(b, kind))

    def _tensor(self, leaf: Any, kind: TensorType) -> Any:
        if leaf is FILL:
            return OPS["full"](kind.shape, (False, 0, 0.0, 0j)[kind.dtype.category], kind.dtype)
        return leaf if isinstance(leaf, Tensor) else self.tracer.constant(leaf, kind.dtype)

    # ---- and back

    def value(self, leaves: Sequence[Tensor]) -> Any:
        """The variable's value at a place in the program: a concrete one where its form is decided."""
        which = leaves[0]
        last = len(self.forms) - 1  # of those that the leaves are of: more may be learnt before anything looks
        for k in range(last):
            decision = decide(self.tracer, self.tracer.value_of(OPS["equal"](which, k)))
            if decision.side is None:
                objects = [x for f in self.forms for x in constants_of(f.tree)]
                return Pending(self.name, decision, lambda k=k: self._either(leaves, k, last), objects)  # type: ignore[misc]
            if decision.side == 0:
                return self._rebuilt(leaves, k)
        return self._rebuilt(leaves, last)

    def _either(self, leaves: Sequence[Tensor], k: int, last: int) -> Any:
        if k == last:
            return self._rebuilt(leaves, k)
        return Either(OPS["equal"](leaves[0], k), self._rebuilt(leaves, k), self._either(leaves, k + 1, last))

    def _rebuilt(self, leaves: Sequence[Tensor], k: int) -> Any:
        first = 1 + sum(len(f.types) for f in self.forms[:k])
        form = self.forms[k]
        own = leaves[first : first + len(form.types)]
        made = [number_over(x) if is_plain else x for x, is_plain in zip(own, form.numbers, strict=True)]
        value = self.link(self.tracer, unflatten(form.tree, iter(made)))
        return Undefined(self.unbound) if value is MISSING else value


def holds_forms(value: Any) -> bool:
    """Whether a value is one of several."""
    if isinstance(value, Maybe):
        return holds_forms(value.value)
    if isinstance(value, (Either, Pending)):
        return True
    if isinstance(value, (tuple, list)):
        return any(map(holds_forms, value))
    return isinstance(value, dict) and any(map(holds_forms, value.values()))


def told_apart(value: Any) -> Any:
    """A value with all that it may be in place of what is in doubt; the flags that tell which are Python's."""
    if not holds_forms(value):
        return value
    found = plain(value)
    if not isinstance(found, Either):
        return found
    flag = number_over(found.flag) if type(found.flag) is Tensor else found.flag
    return Either(flag, told_apart(found.a), told_apart(found.b))


def expanded(value: Any) -> Any:
    """What a function returns, with what is one thing or another as an `Either`."""
    return map_leaves(told_apart, value, lambda x: isinstance(x, Pending))


def ways_of(value: Any) -> list[Any]:
    """What a value may be: itself, or all that it is one of."""
    value = plain(value)
    return [*ways_of(value.a), *ways_of(value.b)] if isinstance(value, Either) else [value]


def _count_ways(value: Any) -> int:
    """How many values `ways_of` would give, at most: those of a tuple's parts are multiplied."""
    if isinstance(value, Pending):
        return _count_ways(value.expanded())
    if isinstance(value, Maybe):
        return 1 + _count_ways(value.value)
    if isinstance(value, Either):
        return _count_ways(value.a) + _count_ways(value.b)
    if isinstance(value, (tuple, list, dict)):
        return math.prod(_count_ways(x) for x in (value.values() if isinstance(value, dict) else value))
    return 1


def plain(value: Any) -> Any:
    """A value with what is in doubt inside of it brought to the outside."""
    if isinstance(value, Pending):
        return plain(value.expanded())
    if isinstance(value, Maybe):
        if isinstance(value.flag, Tensor):
            return Either(value.flag, value.value, MISSING)
        return value.value if value.flag else MISSING
    if type(value) is Undefined:
        return MISSING
    if isinstance(value, Either):
        return value
    leaves, tree = flatten(value, lambda v: isinstance(v, (Tensor, Undefined, Either)))
    for k, leaf in enumerate(leaves):
        if isinstance(leaf, (Either, Pending)):
            found = plain(leaf)
            if not isinstance(found, Either):
                return plain(unflatten(tree, iter([*leaves[:k], found, *leaves[k + 1 :]])))
            sides = [unflatten(tree, iter([*leaves[:k], side, *leaves[k + 1 :]])) for side in (found.a, found.b)]
            return Either(found.flag, *sides)
    for leaf in leaves:
        if isinstance(leaf, Poison):
            leaf.fail()
    return value


def _form_of(value: Any) -> tuple[Form, list[Any]]:
    leaves, tree = flatten(value, lambda v: isinstance(v, (Tensor, Dim)) or type(v) in (int, float, complex))
    numbers = [not isinstance(x, Tensor) or type(x) is Number for x in leaves]
    types = [
        TensorType(x.dtype, tuple(x.shape)) if isinstance(x, Tensor) else TensorType(dtype_among(x, x), ())
        for x in leaves
    ]
    needs = [isinstance(x, Tensor) and not x.stop_gradient and x.dtype.is_differentiable for x in leaves]
    return Form(tree, types, numbers, needs), leaves
