"""A loop's variable that takes several types (None, then a tensor): the loop carries a tag, and the leaves of all.

At the start of an iteration the tag is a decision (decisions.py): only what looks at the variable is traced once per
member.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....base import dtype as dt
from ....base.location import caller_loc
from ....base.pytree import TaggedValue, Tree, constants_of, flatten, map_leaves, unflatten
from ....dygraph.number import Number, number_over
from ....dygraph.storage import held
from ....dygraph.tensor import Tensor
from ....ir.core import Block, Value
from ....ops.dims import Dim, same_shape
from ....ops.op import OPS
from ....ops.types import TensorType
from ...call.signature import ObjectIdentity
from ...trace.reachable import is_plain_class
from ...trace.recursive_calls import same_tree
from ...trace.state.aliases import link_choice
from ...trace.state.containers import containers_in, is_callers, is_list_or_dict
from ...trace.state.escapes import reached
from ...trace.state.rollback import MISSING
from ...trace.state.traced_numbers import dtype_among
from ...trace.tracer import Tracer, active
from .decisions import Decision, decide, decide_on
from .markers import Maybe, Poison, Undefined
from .values import FILL, Merge, Pair, label

MOST_MEMBERS = 8
MOST_COMBINATIONS = 32  # of one value after an `if`, counted as if no two parts of it hung together


@dataclass(slots=True)
class UnionMember:
    """One structure that a variable has: its tree, and the type of each leaf.

    numbers, needs: which leaves are Python numbers, and which need gradients.
    """

    tree: Tree
    types: list[TensorType]
    numbers: list[bool]
    needs: list[bool]

    def fits(self, other: UnionMember) -> bool:
        """Whether values of another member fit this one."""
        return (
            _are_equal(self.tree, other.tree)
            and all(map(_same_class, constants_of(self.tree), constants_of(other.tree)))
            and self.numbers == other.numbers
            and all(
                a.dtype is b.dtype and same_shape(a.shape, b.shape)
                for a, b in zip(self.types, other.types, strict=True)
            )
        )


def _are_equal(a: Tree, b: Tree) -> bool:
    """Whether two structures are equal. Arrays in them are told by their identity: `==` compares their elements."""
    if any(isinstance(x, np.ndarray) for tree in (a, b) for x in constants_of(tree)):
        return same_tree(a, b)
    return a == b


class Pending(Poison):
    """A variable of several types, before anything looked at it.

    expanded: a `TaggedValue` of all of them. objects: those that code can change without a look at the variable.
    """

    is_union = True  # what it may be can be reached (see ../trace/tracer.py)

    def __init__(self, name: str, decision: Decision, expanded: Callable[[], Any], objects: Sequence[Any] = ()) -> None:
        message = f"{label(name)} has one of several types here"
        super().__init__(name, message, caller_loc(), decision)
        self.expanded = expanded
        self.objects = objects


def undecided(tracer: Tracer, name: str, value: Any) -> Any:
    """One of several values, to be decided where the code around runs again; the same flag is decided once there."""
    if not isinstance(value, TaggedValue) and holds_union(value):
        value = plain(value)
    if not isinstance(value, TaggedValue):
        return Undefined(name) if value is MISSING else value
    if not isinstance(value.flag, Tensor):
        return undecided(tracer, name, value.a if value.flag else value.b)
    decision = decide_on(tracer, tracer.flag(value.flag), name)
    if decision.side is None:
        return Pending(name, decision, lambda: value, _sides(value))
    return undecided(tracer, name, value.b if decision.side else value.a)


def _sides(value: Any) -> list[Any]:
    return [*_sides(value.a), *_sides(value.b)] if isinstance(value, TaggedValue) else [value]


@dataclass(frozen=True, slots=True)
class Choices:
    """At the end of an `if` whose sides leave two types of values: one or the other, by its flag, not yet decided."""

    tracer: Tracer
    flag: Tensor
    blocks: Sequence[Block]

    def make(self, name: str, a: Any, b: Any) -> Any:
        """One of two values."""
        return undecided(self.tracer, name, TaggedValue(self.flag, a, b))

    def may_spread(self, a: Any, b: Any) -> bool:
        """Whether what is in doubt on either side is one of a few known values."""
        if not all(isinstance(x, Pending) or not isinstance(x, Poison) for x in (a, b)):
            return False
        count = 0
        for value, block in zip((a, b), self.blocks, strict=True):
            with self.tracer.inside(block):
                count += _count_members(value)
        return count <= MOST_COMBINATIONS

    def spread(self, value: Any, side: int) -> Any:
        """The value of one side with a `TaggedValue` in place of what isn't decided."""
        if not (isinstance(value, Undefined) or holds_union(value)):
            return value
        with self.tracer.inside(self.blocks[side]):
            return plain(value)


class TaggedUnion:
    """The members of one union, as far as they are known, and its values in them."""

    def __init__(
        self, tracer: Tracer, name: str, before: Any, link: Callable[[Tracer, Any], Any] = lambda _, made: made
    ) -> None:
        self.tracer = tracer
        self.link = link  # tells what the containers in a new value may be
        self.name = name
        self.members: list[UnionMember] = []
        self.unbound = before.name if isinstance(before, Undefined) else name  # what marks the unbound variable

    # ---- learning

    def learn(self, value: Any) -> bool:
        """Whether a value has a type, or needs gradients, that weren't known."""
        value = plain(value)
        if isinstance(value, TaggedValue):
            first = self.learn(value.a)
            return self.learn(value.b) or first
        member, _ = _member_of(self.tracer, value)
        for known in self.members:
            if known.fits(member):
                needs = [a or b for a, b in zip(known.needs, member.needs, strict=True)]
                changed, known.needs = needs != known.needs, needs
                return changed
        self.members.append(member)
        return True

    def grow(self) -> bool:
        """Whether the last members differ in sizes only: so would those of further iterations."""
        last = self.members[-3:]
        if any(len(f.numbers) == len(last[0].numbers) and f.numbers != last[0].numbers for f in last):
            return False  # numbers that become tensors do so once
        return len(last) == 3 and last[0].tree.kind != "const" and len({f.tree.kind for f in last}) == 1

    def differ_in_sizes(self) -> bool:
        """Whether some members are tensors of one structure, dtype and rank, but of different sizes."""
        leaf_types = [(f.tree, [(t.dtype, t.rank) for t in f.types]) for f in self.members if any(f.types)]
        return any(kind in leaf_types[:k] for k, kind in enumerate(leaf_types))

    def has_made_objects(self) -> bool:
        """Whether a member is or has an object, no structure, with tensors of the iteration that ends here."""
        known = [x for f in self.members for x in constants_of(f.tree) if is_plain_class(type(x))]
        return any(self._is_inner(v) for x in known if not _is_itself(x) for v in reached(self.tracer, x))

    def _is_inner(self, x: Any) -> bool:
        payload = held(x) if isinstance(x, Tensor) else None
        if not isinstance(payload, Value):
            return False
        return payload.block is self.tracer.blocks[-1] or not self.tracer.is_outer(payload)

    @property
    def may_lack(self) -> bool:
        """Whether there is nothing in one of the members: an item that isn't there, a variable that isn't bound."""
        return any(f.tree.kind == "const" and f.tree.data is MISSING for f in self.members)

    # ---- values in the loop's leaves

    @property
    def leaf_types(self) -> list[tuple[TensorType, bool]]:
        """Types of what the loop carries: the tag, then the leaves of all."""
        leaves = [(t, n) for f in self.members for t, n in zip(f.types, f.needs, strict=True)]
        return [(TensorType(dt.int64, ()), False), *leaves]

    def add(self, merge: Merge, value: Any, side: int) -> None:
        """Make a value a path's part of the loop's leaves."""
        for leaf, (kind, needs) in zip(self._encoded(value), self.leaf_types, strict=True):
            sides = (leaf, FILL) if side == 0 else (FILL, leaf)
            merge.pairs.append(Pair(sides, kind, needs))

    def _encoded(self, value: Any) -> list[Any]:
        value = plain(value)
        if isinstance(value, TaggedValue):
            ways = [self._encoded(value.a), self._encoded(value.b)]
            flag = value.flag
            if not isinstance(flag, Tensor):
                return ways[not flag]
            return [self._chosen(flag, a, b, kind) for a, b, (kind, _) in zip(*ways, self.leaf_types, strict=True)]
        member, leaves = _member_of(self.tracer, value)
        number = next(k for k, known in enumerate(self.members) if known.fits(member))
        made: list[Any] = [number]
        for k, known in enumerate(self.members):
            made += leaves if k == number else [FILL] * len(known.types)
        return made

    def _chosen(self, flag: Tensor, a: Any, b: Any, kind: TensorType) -> Any:
        if a is b and not isinstance(a, Tensor):
            return a
        flag = OPS["cast"](flag, dt.bool_) if flag.dtype is not dt.bool_ else flag
        made = OPS["where"](flag, self._tensor(a, kind), self._tensor(b, kind))
        link_choice(self.tracer, made, (a, b))  # what is written into one of them would miss this one
        return made

    def _tensor(self, leaf: Any, kind: TensorType) -> Any:
        if leaf is FILL:
            return OPS["full"](kind.shape, (False, 0, 0.0, 0j)[kind.dtype.category], kind.dtype)
        return leaf if isinstance(leaf, Tensor) else self.tracer.constant(leaf, kind.dtype)

    # ---- and back

    def value(self, leaves: Sequence[Tensor]) -> Any:
        """The variable's value at a place in the program: a concrete one where its tag is decided."""
        which = leaves[0]
        last = len(self.members) - 1  # of those that the leaves are of: more may be learnt before anything looks
        for k in range(last):
            decision = decide(self.tracer, self.tracer.value_of(OPS["equal"](which, k)), self.name)
            if decision.side is None:
                objects = [_itself(x) for f in self.members for x in constants_of(f.tree)]
                return Pending(self.name, decision, lambda k=k: self._tagged(leaves, k, last), objects)  # type: ignore[misc]
            if decision.side == 0:
                return self._rebuilt(leaves, k)
        return self._rebuilt(leaves, last)

    def _tagged(self, leaves: Sequence[Tensor], k: int, last: int) -> Any:
        if k == last:
            return self._rebuilt(leaves, k)
        return TaggedValue(OPS["equal"](leaves[0], k), self._rebuilt(leaves, k), self._tagged(leaves, k + 1, last))

    def _rebuilt(self, leaves: Sequence[Tensor], k: int) -> Any:
        first = 1 + sum(len(f.types) for f in self.members[:k])
        member = self.members[k]
        own = leaves[first : first + len(member.types)]
        made = [number_over(x) if is_plain else x for x, is_plain in zip(own, member.numbers, strict=True)]
        found = unflatten(member.tree, iter(made))
        if _is_itself(found):
            return found.value
        value = self.link(self.tracer, map_leaves(_itself, found, _is_itself))
        for part in containers_in([value]):
            if not is_list_or_dict(part) and id(part) not in self.tracer.objects.kept:
                self.tracer.objects.new(part)
        return Undefined(self.unbound) if value is MISSING else value


def holds_union(value: Any) -> bool:
    """Whether a value is one of several."""
    if isinstance(value, Maybe):
        return holds_union(value.value)
    if isinstance(value, (TaggedValue, Pending)):
        return True
    if _has_own(value):
        return False
    if isinstance(value, (tuple, list)):
        return any(map(holds_union, value))
    return isinstance(value, dict) and any(map(holds_union, value.values()))


def _has_own(value: Any) -> bool:
    """Whether a value is an object whose items are in doubt: it is one object all the same (see items_in_doubt.py)."""
    tracer = active()
    return tracer is not None and id(value) in tracer.in_doubt


def told_apart(value: Any) -> Any:
    """A value with all that it may be in place of what is in doubt; the flags that tell which are Python's."""
    if not holds_union(value):
        return value
    found = plain(value)
    if not isinstance(found, TaggedValue):
        return found
    flag = number_over(found.flag) if type(found.flag) is Tensor else found.flag
    return TaggedValue(flag, told_apart(found.a), told_apart(found.b))


def expanded(value: Any) -> Any:
    """What a function returns, with what is one thing or another as a `TaggedValue`."""
    return map_leaves(lambda x: _bound(told_apart(x)), value, lambda x: isinstance(x, Pending))


def _bound(value: Any) -> Any:
    """A returned value without the side on which nothing has been returned: no run ends there."""
    if not isinstance(value, TaggedValue):
        return value
    a, b = _bound(value.a), _bound(value.b)
    ends = [x for x in (a, b) if x is not MISSING and type(x) is not Undefined]
    return TaggedValue(value.flag, a, b) if len(ends) == 2 else (ends or [a])[0]


def members_of(value: Any) -> list[Any]:
    """What a value may be: itself, or all that it is one of."""
    value = plain(value)
    return [*members_of(value.a), *members_of(value.b)] if isinstance(value, TaggedValue) else [value]


def _count_members(value: Any) -> int:
    """How many values `members_of` would give, at most: those of a tuple's parts are multiplied."""
    if isinstance(value, Pending):
        return _count_members(value.expanded())
    if isinstance(value, Maybe):
        return 1 + _count_members(value.value)
    if isinstance(value, TaggedValue):
        return _count_members(value.a) + _count_members(value.b)
    if isinstance(value, (tuple, list, dict)):
        return math.prod(_count_members(x) for x in (value.values() if isinstance(value, dict) else value))
    return 1


def plain(value: Any) -> Any:
    """A value with what is in doubt inside of it brought to the outside."""
    if isinstance(value, Pending):
        return plain(value.expanded())
    if isinstance(value, Maybe):
        if isinstance(value.flag, Tensor):
            return TaggedValue(value.flag, value.value, MISSING)
        return value.value if value.flag else MISSING
    if type(value) is Undefined:
        return MISSING
    if isinstance(value, TaggedValue):
        return value
    leaves, tree = flatten(value, lambda v: isinstance(v, (Tensor, Undefined, TaggedValue)) or _has_own(v))
    for k, leaf in enumerate(leaves):
        if isinstance(leaf, (TaggedValue, Pending)):
            found = plain(leaf)
            if not isinstance(found, TaggedValue):
                return plain(unflatten(tree, iter([*leaves[:k], found, *leaves[k + 1 :]])))
            rest = [[_on_side(x, found.flag, side) for x in leaves[k + 1 :]] for side in (0, 1)]
            ways = zip((found.a, found.b), rest, strict=True)
            return TaggedValue(found.flag, *(unflatten(tree, iter([*leaves[:k], a, *others])) for a, others in ways))
    for leaf in leaves:
        if isinstance(leaf, Poison):
            leaf.fail()
    return value


def _on_side(value: Any, flag: Any, side: int) -> Any:
    """What a value may be where a flag is known: one `if` may leave several parts of a value in doubt."""
    if isinstance(value, Pending):
        whole = value.expanded()
        return value if (made := _on_side(whole, flag, side)) is whole else made
    if not isinstance(value, TaggedValue):
        return value
    if are_one_flag(value.flag, flag):
        return _on_side(value.b if side else value.a, flag, side)
    a, b = _on_side(value.a, flag, side), _on_side(value.b, flag, side)
    return value if a is value.a and b is value.b else TaggedValue(value.flag, a, b)


def are_one_flag(a: Any, b: Any) -> bool:
    """Whether two flags are the same value, or come out of one `if` as the same values of both of its sides."""
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)):
        return a is b
    return _are_one_value(held(a), held(b))


def _are_one_value(a: Any, b: Any, depth: int = 8) -> bool:
    if a is b or not (isinstance(a, Value) and isinstance(b, Value)):
        return a is b
    made = a.operation
    if made is None or made is not b.operation or made.name != "if" or not depth:
        return False
    ends = [block.operations[-1].operands for block in made.blocks]
    return all(_are_one_value(end[a.index], end[b.index], depth - 1) for end in ends)


def _same_class(a: Any, b: Any) -> bool:
    """Whether two constants that are equal are of one class: True, 1 and a member of an IntEnum are three."""
    return type(a) is type(b)


def _is_itself(x: object) -> bool:
    return type(x) is ObjectIdentity


def _itself(x: Any) -> Any:
    return x.value if type(x) is ObjectIdentity else x


def _member_of(tracer: Tracer, value: Any) -> tuple[UnionMember, list[Any]]:
    value = map_leaves(ObjectIdentity, value, lambda v: is_callers(tracer, v))
    leaves, tree = flatten(value, lambda v: isinstance(v, (Tensor, Dim)) or type(v) in (int, float))
    numbers = [not isinstance(x, Tensor) or type(x) is Number for x in leaves]
    types = [
        TensorType(x.dtype, tuple(x.shape)) if isinstance(x, Tensor) else TensorType(dtype_among(x, x), ())
        for x in leaves
    ]
    needs = [isinstance(x, Tensor) and not x.stop_gradient and x.dtype.is_differentiable for x in leaves]
    return UnionMember(tree, types, numbers, needs), leaves
