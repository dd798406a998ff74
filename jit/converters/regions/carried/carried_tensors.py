"""Which tensors the results of a loop are: those that its last iteration left, or, if none ran, those from before it.

Places that an iteration leaves one tensor in hold one object after the loop. What an iteration found in a variable and
left there is what was there before the loop. Where iterations leave a tensor under a condition, or one of an iteration
before, the loop carries a number beside the leaf that tells which it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .....base import dtype as dt
from .....base.pytree import LEAF, Rows, Spliced, TaggedValue
from .....base.size import is_list
from .....dygraph.number import number_over
from .....dygraph.storage import Storage, held
from .....dygraph.tensor import Tensor
from .....ir.core import Block, Value
from .....ops.op import OPS
from .....ops.types import TensorType
from ....trace.state.chosen_tensors import Chosen, One, is_one_tensor
from ....trace.state.dynamic_lists import ListSegment
from ....trace.tracer import Tracer
from ...stdlib.run_lists.list_lengths import part_of
from ...stdlib.run_lists.list_stacks import PendingStack

MOST_NUMBERED = 8  # groups of leaves that have a number: more aren't told apart
Mark: TypeAlias = tuple[str, int]  # what an iteration left: "before" and a group, or "outer" or "own" and which


class CarriedTensors:
    """What a loop carries: the leaves before it, at the start of an iteration, and at its end.

    begun: a number from when that iteration began. args: the values that the leaves began with. Leaves that begin as
    one tensor, and that each iteration leaves as one tensor, are a group: they stay one.
    """

    def __init__(
        self, tracer: Tracer, starts: Sequence[Any], leaves: Sequence[Any], ends: Sequence[Any], begun: int,
        args: Sequence[Value],
    ) -> None:  # fmt: skip
        self.tracer = tracer
        self._begun = begun
        self.starts, self.ends = starts, ends
        self._place = {self._start(x): k for k, x in enumerate(leaves)}
        self._kinds: dict[One, str] = {}
        self._group = _grouped([self._start(x) for x in starts])
        while True:
            split = _grouped([(g, self._sign(x)) for g, x in zip(self._group, ends, strict=True)])
            if split == self._group:
                break
            self._group = split
        self._first = {g: k for k, g in reversed(list(enumerate(self._group)))}
        # what an iteration found and wrote: the tensor from before the loop, which has no other name, stays as it was
        found = enumerate(zip(leaves, args, strict=False))  # an exception that ends the loop, the last, is no leaf
        self._written = {self._group[k] for k, (x, arg) in found if is_one_tensor(x) and held(x) is not arg}
        self._stays = {g for g, k in self._first.items() if self._sign(ends[k]) == ("before", g)}
        self._own: dict[Mark, One] = {}
        self._outer: dict[Mark, One] = {}
        self._marks = {g: self._marks_of(ends[k]) for g, k in self._first.items()}
        self._numbered = self._in_doubt()
        self._constants: dict[Any, int] = {}
        self._args: dict[int, Tensor] = {}
        self.is_counted = False

    def _start(self, x: Any) -> Any:
        return self.tracer.chosen.of(x) if is_one_tensor(x) else id(x)

    def _sign(self, x: Any) -> Any:
        return self._sign_of(self.tracer.chosen.one(x)) if is_one_tensor(x) else id(x)

    def _sign_of(self, what: Any) -> Any:
        what = self.tracer.chosen.resolved(what)
        if isinstance(what, Chosen):
            return id(what.flag), self._sign_of(what.a), self._sign_of(what.b)
        return self._mark(what)

    def _mark(self, one: One) -> Mark:
        x = one.tensor()
        if one in self._place:
            return "before", self._group[self._place[one]]
        if one not in self._kinds:  # once: in the loop's block its own are from outside
            is_outer = one.number < self._begun if x is None else self.tracer.is_outer(held(x))
            self._kinds[one] = "outer" if is_outer else "own"
        return self._kinds[one], id(one)

    def _marks_of(self, x: Any) -> set[Mark]:
        found = set()
        for one in self.tracer.chosen.marks(self.tracer.chosen.one(x)) if is_one_tensor(x) else ():
            mark = self._mark(one)
            if mark[0] == "outer":
                self._outer[mark] = one
            found.add(mark)
        return found

    def _in_doubt(self) -> list[int]:
        """The groups of which only a number tells which tensors they are, with those that may have the same."""
        rest = [g for g in self._first if g not in self._stays]
        held = Counter(mark for marks in self._marks.values() for mark in marks)
        found = [g for g in rest if any(self._may_be_other(g, mark, held) for mark in self._marks[g])]
        known = -1
        while known != len(found):
            known = len(found)
            shared = Counter(mark for g in found for mark in self._marks[g])
            read = {number for kind, number in shared if kind == "before"}
            found = [g for g in rest if g in found or g in read or any(mark in shared for mark in self._marks[g])]
        return found if len(found) <= MOST_NUMBERED else []

    def _may_be_other(self, group: int, mark: Mark, held: Mapping[Mark, int]) -> bool:
        """Whether a group may be what others are, too, and the last iteration alone doesn't tell."""
        kind, number = mark
        if len(self._marks[group]) == 1:
            return kind == "before" and number not in self._stays
        is_own_start = mark == ("before", group) and not is_one_tensor(self.starts[self._first[group]])
        return held[mark] > 1 or (kind != "own" and not is_own_start)

    # ---- what the loop carries besides

    def declare(self, block: Block, is_counted: bool) -> list[TensorType]:
        """Give the block the arguments of the numbers. is_counted: its first argument is the iteration's number."""
        if not self._numbered:
            return []
        number = TensorType(dt.int64, ())
        self.is_counted = is_counted
        args = [
            self.tracer.carried(block.add_arg(number), False) for _ in range(len(self._numbered) + (not is_counted))
        ]
        self._args = dict(zip(self._numbered, args, strict=False))
        self._iteration = self.tracer.carried(block.args[0], False) if is_counted else args[-1]
        every = dict.fromkeys(self._own_number(m) for g in self._numbered for m in sorted(self._marks[g]))
        self._constants |= {key: k for k, key in enumerate([*map(self._start_number, self._first), *every])}
        return [number] * len(args)

    def _start_number(self, group: int) -> Any:
        start = self.starts[self._first[group]]
        return ("outer", id(self.tracer.chosen.of(start))) if is_one_tensor(start) else ("start", group)

    def _own_number(self, mark: Mark) -> Any:
        return self._start_number(mark[1]) if mark[0] == "before" else mark

    def first_numbers(self) -> list[Any]:
        """Those before the loop."""
        firsts = [self._constants[self._start_number(g)] for g in self._numbered]
        firsts += [0] if self._numbered and not self.is_counted else []
        return [self.tracer.value_of(self.tracer.constant(x, dt.int64)) for x in firsts]

    def next_numbers(self) -> list[Any]:
        """Those after an iteration, recorded there."""
        if not self._numbered:
            return []
        count = len(self._constants)
        own = (self._iteration + 1) * count
        found = [self._number(self.tracer.chosen.one(self.ends[self._first[g]]), own) for g in self._numbered]
        found += [] if self.is_counted else [self._iteration + 1]
        return [self.tracer.value_of(self._tensor(x)) for x in found]

    def _tensor(self, x: Any) -> Any:
        return x if isinstance(x, Tensor) else self.tracer.constant(x, dt.int64)

    def _number(self, what: Any, own: Tensor) -> Any:
        what = self.tracer.chosen.resolved(what)
        if isinstance(what, Chosen):
            sides = [self._tensor(self._number(x, own)) for x in (what.a, what.b)]
            return OPS["where"](what.flag, *sides)
        mark = self._mark(what)
        if mark[0] == "before" and mark[1] in self._args:
            return self._args[mark[1]]
        constant = self._constants[self._own_number(mark)]
        return own + constant if mark[0] == "own" else constant

    # ---- behind the loop

    def learn(self, results: Sequence[Tensor], numbers: Sequence[Tensor], ran: Any) -> None:
        """What the results are. numbers: after the last iteration. ran: whether there was one; None if it is known."""
        chosen = self.tracer.chosen
        told = self._by_numbers(numbers)
        for k, (x, start, end) in enumerate(zip(results, self.starts, self.ends, strict=False)):
            if not is_one_tensor(x) or not is_one_tensor(end):
                continue
            if ran is not None and isinstance(start, Tensor):
                chosen.learn_need(x, ran, not end.stop_gradient, not start.stop_gradient)
            what = told.get(self._group[k])
            if what is None:
                what = self._seen(end)
                if ran is not None and isinstance(start, Tensor):
                    before = chosen.one(start) if is_one_tensor(start) else One()
                    what = what if chosen.resolved(what) is chosen.resolved(before) else Chosen(ran, what, before)
            chosen.learn(x, what)

    def earlier(self, results: Sequence[Tensor]) -> list[Tensor]:
        """The results that an iteration before the last may have left."""
        pairs = zip(self._group, results, strict=False)
        return [x for g, x in pairs if any(kind == "before" for kind, _ in self._marks[g])]

    def _seen(self, end: Tensor) -> Any:
        """What the last iteration left."""
        (mark, *others) = self._marks[self._group[self._place_of_end(end)]]
        if others:
            return One()
        if mark[0] == "outer":
            return self._outer[mark]
        if mark[0] == "before":
            start = self.starts[self._first[mark[1]]]
            if mark[1] in self._stays and is_one_tensor(start):
                return self.tracer.chosen.one(start)
        return self._own.setdefault(mark, One())

    def _place_of_end(self, end: Tensor) -> int:
        return next(k for k, x in enumerate(self.ends) if x is end)

    def _by_numbers(self, numbers: Sequence[Tensor]) -> dict[int, Any]:
        """What the numbers tell: it is one of those from before or outside, or what an earlier group is."""
        chosen, found = self.tracer.chosen, dict[int, Any]()
        known: list[tuple[Tensor, One]] = []
        before = {self._constants[self._start_number(g)]: self.starts[self._first[g]] for g in self._first} if (
            self._numbered
        ) else {}  # fmt: skip
        written = {self._constants[self._start_number(g)] for g in self._written} if self._numbered else set()
        outer = {k: chosen.one(x) for k, x in before.items() if is_one_tensor(x) and k not in written}
        outer |= {self._constants[mark]: one for mark, one in self._outer.items() if mark in self._constants}
        for group, number in zip(self._numbered, numbers, strict=False):
            may = self._reached(group)
            what: Any = One()
            known.append((number, what))
            for other, one in reversed(known[:-1]):
                what = Chosen(_equal(number, other), one, what)
            for k in (k for k in outer if k in may):
                what = Chosen(_equal(number, k), outer[k], what)
            found[group] = what
        return found

    def _reached(self, group: int) -> set[int]:
        """The constants that the number of a group may be."""
        groups, waiting = {group}, [group]
        found = set()
        while waiting:
            g = waiting.pop()
            found.add(self._constants[self._start_number(g)])
            for mark in self._marks[g]:
                if mark[0] == "before" and mark[1] not in groups:
                    groups.add(mark[1])
                    waiting.append(mark[1])
                elif mark[0] == "outer":
                    found.add(self._constants[mark])
        return found


def _equal(number: Tensor, other: Any) -> Tensor:
    return number_over(OPS["equal"](number, other))


def _grouped(keys: Sequence[Any]) -> list[int]:
    """Equal numbers for equal keys."""
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


class LastElements:
    """Elements of lists of run-time length behind a loop: which tensors they are. The last element of a list that the
    loop made longer is the tensor that it leaves elsewhere, too, if it is one; elements that no iteration changes are
    those from before the loop.

    Given what the loop carries: values before it, at both ends of an iteration, and behind it. ran: whether there was
    one; before: the values of the loop's variables before it.
    """

    def __init__(
        self, tracer: Tracer, starts: Sequence[Any], leaves: Sequence[Any], ends: Sequence[Any],
        results: Sequence[Tensor], ran: Any, before: Sequence[Any],
    ) -> None:  # fmt: skip
        self._tracer = tracer
        self._ran = ran
        self.begun_with = [x._storage for x in starts if isinstance(x, Tensor)]
        self.earlier: list[Storage] = []  # cells of results that an iteration before the last may have left
        self._of: dict[int, tuple[Tensor, Any, Tensor]] = {}  # stack -> itself, the one before, its last element
        self._behind = {id(x): (x, y) for x, y in reversed(list(zip(ends, results, strict=False))) if is_one_tensor(x)}
        segments = [x for items in before if is_list(items) for x in items if type(x) is ListSegment]
        ways = {id(x.stacks[0]): x.ways for x in segments if x.ways is not None and len(x.stacks) == 1}
        self._ways: dict[int, Any] = {}  # stack that no iteration changes -> the elements
        for stack, start, leaf, end in zip(results, starts, leaves, ends, strict=False):
            first, now = _only_stack(start), _only_stack(end)
            if id(first) in ways and now is leaf:
                self._ways[id(stack)] = ways[id(first)]
            last = end.parts[-1][1] if type(end) is PendingStack and end.parts[-1:] else None
            if is_one_tensor(last) and end.parts[-1][0] == "element" and id(last) in self._behind:
                self._of[id(stack)] = stack, start, self._behind[id(last)][1]

    def behind(self, x: Tensor) -> Tensor | None:
        """What a tensor of the last iteration is behind the loop; None where nothing holds it but the lists."""
        found = self._behind.get(id(x))
        return None if found is None else found[1]

    def told(self, value: Any) -> Any:
        """A value behind the loop; segments of it know their last elements."""
        for segment in value if (self._of or self._ways) and is_list(value) else ():
            if type(segment) is ListSegment and id(segment.stacks[0]) in self._ways:
                segment.ways = self._ways[id(segment.stacks[0])]
            elif type(segment) is ListSegment and segment.tree is LEAF and id(segment.stacks[0]) in self._of:
                self._tell(segment)
        return value

    def _tell(self, segment: ListSegment) -> None:
        _, start, last = self._of[id(segment.stacks[0])]
        before = part_of(segment, slice(None, -1))
        ways: Any = Spliced((Rows(before.stacks, LEAF), [last]))
        if self._ran is not None:
            stack = start.make(self._tracer) if type(start) is PendingStack else start
            ways = TaggedValue(self._ran, ways, Spliced((Rows((stack,), LEAF),)))
        segment.ways = ways


def _only_stack(x: Any) -> Any:
    """The stack that a list's leaf is, where no element is added."""
    if type(x) is PendingStack:
        return x.parts[0][1] if len(x.parts) == 1 and x.parts[0][0] == "stack" else None
    return x
