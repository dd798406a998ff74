"""Which tensor a result of an `if` is: to the program it is a value of its own, to Python the tensor of one path.

What paths leave in several places may be one object on one path and two on the other. The conditions are those of the
program; by them code that asks (`a is b`), and what comes out, gets the object that eager mode has there.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ....base.pytree import Rows, TaggedValue, flatten
from ....dygraph.given_array import GivenArray
from ....dygraph.number import Number, number_over
from ....dygraph.storage import held
from ....dygraph.tape import Node
from ....dygraph.tensor import Tensor, wrap
from ....ir.core import Value
from ....ops.op import OPS
from .dynamic_lists import ListSegment
from .escapes import is_told_by_call

MOST_MARKS = 16  # of one tensor that comes out: more than that it may be aren't told apart
MOST_CHOICES = 2_000  # on the ways to what it may be: each `if` may double these
MOST_WAYS = 4  # on which a tensor needs a gradient: more have one flag


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """One of two tensors, by a flag of the program. Either is another `Chosen`, or a `One`."""

    flag: Any
    a: Any
    b: Any


_numbers = itertools.count()


def begin() -> int:
    """A number between those of what is known by now and of what is learned later."""
    return next(_numbers)


class One:
    """A tensor, as long as it lives: what it is, where that is known."""

    __slots__ = ("held", "number", "ref", "what")

    def __init__(self, x: Tensor | None = None) -> None:
        self.number = next(_numbers)
        self.ref = None if x is None else weakref.ref(x)
        self.what: Chosen | One | None = None
        self.held: Any = None  # what the tensor held when that was learned

    def tensor(self) -> Tensor | None:
        """The tensor; None for one that only a path had, or that is gone."""
        return None if self.ref is None else self.ref()


class ChosenTensors:
    """What is known of the tensors of one trace."""

    def __init__(self) -> None:
        self._of: dict[int, One] = {}
        self._is_any = False
        self._met: set[One] = set()  # those that both of two runs of one code have
        # a step's result -> the flags, and the sides of them, on which it needs a gradient
        self._partial: dict[tuple[int, int], tuple[Any, list[tuple[Tensor, bool]]]] = {}
        self._outside: dict[int, tuple[Tensor, Tensor, Tensor]] = {}  # flags brought out of an `if`: see `_brought`
        self._made_of: dict[int, tuple[Tensor, list[Tensor]]] = {}

    def __bool__(self) -> bool:
        return self._is_any

    def one(self, x: Tensor) -> One:
        """What stands for a tensor."""
        found = self._of.get(id(x))
        if found is None or found.tensor() is not x:
            found = self._of[id(x)] = One(x)
        return found

    def learn(self, x: Tensor, what: Any) -> None:
        """A tensor is another one, or one of several."""
        one = self.one(x)
        one.what, one.held = what, held(x)
        self._is_any = True

    def known(self, x: Tensor) -> Any:
        """What a tensor is; None for one that is itself."""
        found = self._of.get(id(x))
        return None if found is None or found.tensor() is not x else found.what

    def resolved(self, what: Any) -> Any:
        """The same as a `Chosen`, or as the last of those that stand for others."""
        while type(what) is One and what.what is not None:
            what = what.what
        return what

    def of(self, x: Tensor) -> Any:
        """What a tensor is, in any case."""
        return self.resolved(self.one(x))

    def marks(self, what: Any) -> list[One]:
        """All that something may be."""
        return [each for each in self._each(what) if not isinstance(each, Chosen)]

    def _each(self, what: Any) -> Iterator[Any]:
        """Something, and all that it may be, each once: several choices may lead to one."""
        waiting, seen = [what], set[int]()
        while waiting:
            each = self.resolved(waiting.pop())
            if id(each) not in seen:
                seen.add(id(each))
                yield each
                waiting += (each.b, each.a) if isinstance(each, Chosen) else ()

    def met_again(self, x: Any, y: Any) -> None:
        """What two runs of one code have there is one, if it is a tensor; so are those in tuples and dicts."""
        if isinstance(x, (tuple, list)) and isinstance(y, (tuple, list)):
            for one, other in zip(x, y, strict=False):
                self.met_again(one, other)
        elif isinstance(x, dict) and isinstance(y, dict):
            for key in (key for key in x if key in y):
                self.met_again(x[key], y[key])
        elif (
            is_one_tensor(x)
            and is_one_tensor(y)
            and x is not y
            and x._storage is not y._storage
            and self.known(x) is None
            and self.known(y) is None
        ):
            self.is_again(x, y)

    def is_again(self, x: Any, y: Any) -> None:
        """A tensor that is made anew for another run of one code stands for that of the run before."""
        if is_one_tensor(x) and is_one_tensor(y) and x is not y:
            self.learn(y, self.one(x))
            self._met.add(self.resolved(self.one(x)))

    # ---- at the end of an `if`

    def exported(self, tracer: Any, pairs: Sequence[Any], add: Callable[[int, Any], int]) -> dict[int, int]:
        """Make flags of the blocks that end part of the results; the number of the result for each, by identity."""
        found: dict[int, int] = {}
        if not (self._is_any or self._partial):
            return found
        for pair in list(pairs):
            for side, leaf in enumerate(pair.sides):
                if not isinstance(leaf, Tensor):
                    continue
                for flag in (*self.flags(self.known(leaf)), *(flag for flag, _ in self.gradient_flags(leaf))):
                    if id(flag) not in found and not tracer.is_outer(flag._storage.payload):
                        found[id(flag)] = add(side, flag)
        return found

    def flags(self, what: Any) -> list[Any]:
        """Those that say what something is."""
        return [each.flag for each in self._each(what) if isinstance(each, Chosen)]

    def joined(
        self, outer: Callable[[Any], bool], stays: Callable[[Any], bool], flag: Value, results: Sequence[Tensor],
        pairs: Sequence[Any], exported: dict[int, int], nothing: object,
    ) -> None:  # fmt: skip
        """Learn what the results are. outer: whether a payload is that of a tensor which code behind has, too.

        stays: the same, or one that code before the paths made for each of them. nothing: stands for a path that
        doesn't have one.
        """
        own = number_over(wrap(flag, flag.dtype))
        new: dict[int, One] = {}
        unwritten = (x for pair in pairs for x in pair.sides if is_one_tensor(x) and stays(held(x)))
        known: dict[int, Any] = {id(one): one for x in unwritten if (one := self.of(x)) is self.one(x)}

        def seen(what: Any) -> Any:
            """As code behind the `if` sees it: what both sides have is one."""
            what = self.resolved(what)
            if id(what) not in known:
                known[id(what)] = newly(what)
            return known[id(what)]

        def newly(what: Any) -> Any:
            if isinstance(what, Chosen):
                flag, a, b = self._brought(what.flag, results, exported), seen(what.a), seen(what.b)
                return what if flag is what.flag and a is what.a and b is what.b else Chosen(flag, a, b)
            x = what.tensor()
            if x is None or what in self._met or outer(held(x)):
                return what
            return new.setdefault(id(x), One())

        for x, pair in zip(results, pairs, strict=False):
            if not is_one_tensor(x) or not any(map(is_one_tensor, pair.sides)):
                continue
            sides = [
                None if leaf is nothing else seen(self.one(leaf)) if is_one_tensor(leaf) else One()
                for leaf in pair.sides
            ]
            if x._node is not None:
                brought = partial(self._brought, results=results, exported=exported)
                self._learn_gradient(x, own, [leaf for leaf in pair.sides if leaf is not nothing], brought)
            there = [One() if side is None else side for side in sides]  # absent there, it's none of the others
            self.learn(x, there[0] if there[0] is there[1] else Chosen(own, *there))

    def _brought(self, flag: Tensor, results: Sequence[Tensor], exported: dict[int, int]) -> Tensor:
        """A flag as code behind the `if` has it."""
        if id(flag) not in exported:
            return flag
        found = results[exported[id(flag)]]
        if id(found) not in self._outside:
            self._outside[id(found)] = found, number_over(found), flag
        return self._outside[id(found)][1]

    def inside(self, flag: Tensor) -> Tensor | None:
        """The flag in an `if` that a flag was brought out from."""
        return next((inner for _, own, inner in self._outside.values() if own is flag), None)

    def _learn_gradient(
        self, x: Tensor, flag: Tensor, sides: Sequence[Any], brought: Callable[[Tensor], Tensor]
    ) -> None:  # fmt: skip
        """Learn on which paths a result needs a gradient. sides: what it is there; one where the other has no such."""
        if len(sides) == 1:
            flags = self.gradient_flags(sides[0])
            if flags:
                self._partial[id(x._node), x._slot] = x._node, [(brought(f), s) for f, s in flags]
            return
        needs = [isinstance(side, Tensor) and not side.stop_gradient for side in sides]
        inner = [self.gradient_flags(side) if need else [] for side, need in zip(sides, needs, strict=True)]
        if not any(inner):
            if needs[0] is not needs[1]:
                self._partial[id(x._node), x._slot] = x._node, [(flag, needs[0])]
            return
        both = {(id(f), s) for f, s in inner[0]} & {(id(f), s) for f, s in inner[1]}  # whichever path runs
        found = [(f, s) for f, s in inner[0] if (id(f), s) in both]
        for side, (need, flags) in enumerate(zip(needs, inner, strict=True)):
            if need and not flags:
                found.append((flag, not side))
            ways = [((flag, not side), (brought(f), s)) for f, s in flags if (id(f), s) not in both]
            found += [(self._both(way), True) for way in ways]
        self._partial[id(x._node), x._slot] = x._node, self._few(found)

    def _few(self, ways: list[tuple[Tensor, bool]]) -> list[tuple[Tensor, bool]]:
        """The flags by which a result needs a gradient; one for all where they are many: each `if` may double them."""
        if len(ways) <= MOST_WAYS:
            return ways
        parts = [flag if side else OPS["logical_not"](flag) for flag, side in ways]
        made = number_over(functools.reduce(OPS["logical_or"], parts))
        self._made_of[id(made)] = made, [flag for flag, _ in ways]
        return [(made, True)]

    def learn_need(self, x: Tensor, flag: Tensor, first: bool, second: bool) -> None:
        """A result needs a gradient as the tensor does that it is by a flag."""
        if x._node is not None and first is not second:
            self._partial[id(x._node), x._slot] = x._node, [(flag, first)]

    def _both(self, way: Sequence[tuple[Tensor, bool]]) -> Tensor:
        """A flag that holds where each of some has its value."""
        parts = [flag if side else OPS["logical_not"](flag) for flag, side in way]
        made = number_over(functools.reduce(OPS["logical_and"], parts))
        self._made_of[id(made)] = made, [flag for flag, _ in way]
        return made

    def parts(self, flag: Tensor) -> list[Tensor]:
        """The flags that one is made of; itself for any other."""
        made, parts = self._made_of.get(id(flag), (None, [flag]))
        return parts if made is not None else [flag]

    # ---- questions

    def gradient_flags(self, x: Tensor) -> list[tuple[Tensor, bool]]:
        """The flags, and the sides of them, by which a tensor needs a gradient; none for one that always does."""
        found: dict[tuple[int, bool], tuple[Tensor, bool]] = {}
        waiting, seen = [(x._node, x._slot)], set[tuple[int, int]]()
        while waiting and self._partial:
            node, slot = waiting.pop()
            if not isinstance(node, Node):
                return []
            if (id(node), slot) in seen:
                continue
            seen.add((id(node), slot))
            known = self._partial.get((id(node), slot))
            if known is not None and known[0] is node:
                found |= {(id(flag), side): (flag, side) for flag, side in known[1]}
            else:
                waiting += [edge for edge in node.edges if edge is not None]
        return list(found.values())

    def are_one(self, x: Tensor, y: Tensor) -> Any:
        """Whether two tensors are one: True, False, or a bool of the run."""
        return True if x is y else self.same(self.of(x), self.of(y), {})

    def same(self, a: Any, b: Any, given: Mapping[int, bool]) -> Any:
        """The same of what they are. given: flags that are known there, by identity."""
        a, b = self.resolved(a), self.resolved(b)
        if type(a) is not Chosen:
            a, b = b, a
        if type(a) is not Chosen:
            return a is b
        if id(a.flag) in given:
            return self.same(a.a if given[id(a.flag)] else a.b, b, given)
        first = self.same(a.a, b, {**given, id(a.flag): True})
        second = self.same(a.b, b, {**given, id(a.flag): False})
        if first is second:
            return first
        return number_over(OPS["logical_or"](_and(a.flag, first), _and(OPS["logical_not"](a.flag), second)))


def _and(flag: Any, other: Any) -> Any:
    if isinstance(other, bool):
        return flag if other else OPS["logical_and"](flag, False)
    return OPS["logical_and"](flag, other)


def is_one_tensor(x: object) -> bool:
    """Whether a value is a tensor, and no number or array."""
    return isinstance(x, Tensor) and type(x) is not Number and not isinstance(x, GivenArray)


class _TooManyChoices(Exception):
    """There are more ways to what a tensor may be than are worth it."""


class TensorsOut:
    """The tensors that come out of a trace, with what stands in their places.

    kept: those that stay in objects from outside; returned: the rest.
    """

    def __init__(self, tracer: Any, kept: Iterable[Any], returned: Iterable[Any]) -> None:
        self._chosen: ChosenTensors = tracer.chosen
        self._tracer = tracer
        self._told: dict[int, bool] = {}
        self._cut: dict[int, Tensor] = {}
        self._having: dict[One, list[Tensor]] = {}
        self._instead: dict[int, Any] = {}
        self._left = 0  # choices for the tensor that is looked at
        self._every: set[int] = set()
        chosen = self._chosen
        if not chosen:
            return
        stay, rest = _tensors(kept), _tensors(returned)
        every = {id(x): x for x in (*stay, *rest)}
        self._every.update(every)
        marks = {k: list(dict.fromkeys(chosen.marks(chosen.one(x)))) for k, x in every.items()}
        for k, x in every.items():
            for mark in marks[k]:
                self._having.setdefault(mark, []).append(x)
        staying = {id(x) for x in stay}
        for k, x in every.items():
            if len(marks[k]) > MOST_MARKS:
                continue
            is_of_others = any(m.tensor() is not None for m in marks[k]) and (k in staying or self._is_by_numbers(x))
            found: Any = x
            if chosen.known(x) is not None and (is_of_others or any(len(self._having[m]) > 1 for m in marks[k])):
                self._left = MOST_CHOICES
                try:
                    found = self._built(chosen.one(x), x, {})
                except _TooManyChoices:
                    continue
            else:
                found = self._own(x, {})
            if found is not x:
                self._instead[k] = found

    def _is_by_numbers(self, x: Tensor) -> bool:
        """Whether numbers of a call say which tensor one is."""
        return all(map(self._is_told, self._chosen.flags(self._chosen.one(x))))

    def _is_told(self, flag: Tensor) -> bool:
        if id(flag) not in self._told:
            inner = self._chosen.inside(flag)
            parts = self._chosen.parts(flag)
            if inner is not None:
                self._told[id(flag)] = self._is_told(inner)
            elif parts[0] is not flag:
                self._told[id(flag)] = all(map(self._is_told, parts))
            else:
                self._told[id(flag)] = is_told_by_call(self._tracer, flag)
        return self._told[id(flag)]

    def _own(self, x: Tensor, given: Mapping[int, bool]) -> Any:
        """A tensor itself; without a gradient on the paths that need none, if numbers of a call say on which."""
        flags = [] if x.stop_gradient or x._node is None else self._chosen.gradient_flags(x)
        outer = self._tracer.is_outer
        if not flags or not all(self._is_told(f) and outer(f._storage.payload) for f, _ in flags):
            return x
        if any(given.get(id(flag)) is side for flag, side in flags):
            return x
        cut = self._cut.get(id(x))
        if cut is None:
            cut = self._cut[id(x)] = OPS["stop_gradient"](x)
        rest = [flag if side else OPS["logical_not"](flag) for flag, side in flags if id(flag) not in given]
        if not rest:
            return cut
        return TaggedValue(number_over(functools.reduce(OPS["logical_or"], rest)), x, cut)

    def _built(self, what: Any, x: Tensor, given: Mapping[int, bool]) -> Any:
        """What comes out in the place of `x`, where it is `what`."""
        what = self._chosen.resolved(what)
        if type(what) is not Chosen:
            there = what.tensor()
            if there is None or not self._is_open(there) or self._is_left(there, x):
                return self._first(what, x, given, self._having.get(what, ()))
            return self._own(there, given)
        self._left -= 1
        if self._left < 0:
            raise _TooManyChoices
        if id(what.flag) in given:
            return self._built(what.a if given[id(what.flag)] else what.b, x, given)
        a = self._built(what.a, x, {**given, id(what.flag): True})
        b = self._built(what.b, x, {**given, id(what.flag): False})
        return a if a is b else TaggedValue(what.flag, a, b)

    def _is_left(self, there: Tensor, x: Tensor) -> bool:
        """Whether only the tape has a tensor, as it was before `x` was written, which is that tensor."""
        payload = held(there)
        is_made = isinstance(payload, Value) and payload.operation is not None
        return is_made and id(there) not in self._every and self._chosen.one(x).held is not held(x)

    def _is_open(self, x: Tensor) -> bool:
        """Whether what a tensor holds is known here: what a path wrote is known as the tensor that its end left."""
        payload = held(x)
        return not isinstance(payload, Value) or payload.block in self._tracer.blocks

    def _first(self, one: One, x: Tensor, given: Mapping[int, bool], others: Sequence[Tensor]) -> Any:
        """The first of several results that is a tensor which no other place has, where `x` is that."""
        for k, y in enumerate(others):
            if y is x:
                break
            is_it = self._chosen.same(self._chosen.one(y), one, given)
            if is_it is True:
                return self._own(y, given)
            if is_it is not False:
                return TaggedValue(is_it, self._own(y, given), self._first(one, x, given, others[k + 1 :]))
        return self._own(x, given)

    def __bool__(self) -> bool:
        return bool(self._instead)

    def has(self, x: object) -> bool:
        """Whether something stands in a tensor's place. Rows of a list are none of the tensors that come out."""
        return type(x) is Rows or (id(x) in self._instead and isinstance(x, Tensor))

    def instead(self, x: Any) -> Any:
        """What does."""
        return x if type(x) is Rows else self._instead.get(id(x), x)


def _tensors(values: Iterable[Any]) -> list[Tensor]:
    """The tensors in some values, with those that a list of run-time length has on either path."""
    found: list[Tensor] = []
    waiting = list(values)
    while waiting:
        for x in flatten(waiting.pop(), lambda v: type(v) in (Rows, ListSegment) or is_one_tensor(v))[0]:
            if isinstance(x, Tensor):
                found.append(x)
            elif type(x) is ListSegment and x.ways is not None:
                waiting.append(x.ways)
    return found
