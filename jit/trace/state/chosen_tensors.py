"""Which tensor a result of an `if` is: to the program it is a value of its own, to Python the tensor of one path.

What paths leave in several places may be one object on one path and two on the other. The conditions are those of the
program; by them code that asks (`a is b`), and what comes out, gets the object that eager mode has there.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....base.pytree import Rows, TaggedValue, flatten
from ....dygraph.given_array import GivenArray
from ....dygraph.number import Number, number_over
from ....dygraph.tensor import Tensor, wrap
from ....ir.core import Value
from ....ops.op import OPS
from .dynamic_lists import ListSegment

MOST_MARKS = 16  # of one tensor that comes out: more than that it may be aren't told apart


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of two tensors, by a flag of the program. Either is another `Chosen`, or a `One`."""

    flag: Any
    a: Any
    b: Any


class One:
    """A tensor, as long as it lives: what it is, where that is known."""

    __slots__ = ("ref", "what")

    def __init__(self, x: Tensor | None = None) -> None:
        self.ref = None if x is None else weakref.ref(x)
        self.what: Chosen | One | None = None

    def tensor(self) -> Tensor | None:
        """The tensor; None for one that only a path had, or that is gone."""
        return None if self.ref is None else self.ref()


class ChosenTensors:
    """What is known of the tensors of one trace."""

    def __init__(self) -> None:
        self._of: dict[int, One] = {}
        self._is_any = False

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
        self.one(x).what = what
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

    def marks(self, what: Any) -> Iterator[One]:
        """All that something may be."""
        what = self.resolved(what)
        if isinstance(what, Chosen):
            yield from self.marks(what.a)
            yield from self.marks(what.b)
        else:
            yield what

    def met_again(self, x: Any, y: Any) -> None:
        """What two runs of one code have there is one, if it is a tensor."""
        if (
            is_one_tensor(x)
            and is_one_tensor(y)
            and x is not y
            and x._storage is not y._storage
            and self.known(x) is None
            and self.known(y) is None
        ):
            self.learn(y, self.one(x))

    # ---- at the end of an `if`

    def exported(self, tracer: Any, pairs: Sequence[Any], add: Callable[[int, Any], int]) -> dict[int, int]:
        """Make flags of the blocks that end part of the results; the number of the result for each, by identity."""
        found: dict[int, int] = {}
        if not self:
            return found
        for pair in list(pairs):
            for side, leaf in enumerate(pair.sides):
                for flag in self._flags(self.known(leaf)) if isinstance(leaf, Tensor) else ():
                    if id(flag) not in found and not tracer.is_outer(flag._storage.payload):
                        found[id(flag)] = add(side, flag)
        return found

    def _flags(self, what: Any) -> Iterator[Any]:
        what = self.resolved(what)
        if isinstance(what, Chosen):
            yield what.flag
            yield from self._flags(what.a)
            yield from self._flags(what.b)

    def joined(
        self, outer: Callable[[Any], bool], flag: Value, results: Sequence[Tensor], pairs: Sequence[Any],
        exported: dict[int, int], nothing: object,
    ) -> None:  # fmt: skip
        """Learn what the results are. outer: whether a payload is that of a tensor which code behind has, too.

        nothing: stands for a path that doesn't have one.
        """
        own = number_over(wrap(flag, flag.dtype))
        new: dict[int, One] = {}

        def seen(what: Any) -> Any:
            """As code behind the `if` sees it."""
            what = self.resolved(what)
            if isinstance(what, Chosen):
                inner = exported.get(id(what.flag))
                return Chosen(what.flag if inner is None else number_over(results[inner]), seen(what.a), seen(what.b))
            x = what.tensor()
            if x is None or outer(x._storage.payload):
                return what
            return new.setdefault(id(x), One())

        for x, pair in zip(results, pairs, strict=False):
            if not is_one_tensor(x) or not any(map(is_one_tensor, pair.sides)):
                continue
            sides = [
                None if leaf is nothing else seen(self.one(leaf)) if is_one_tensor(leaf) else One()
                for leaf in pair.sides
            ]
            there = [side for side in sides if side is not None]
            self.learn(x, there[0] if len(there) == 1 or sides[0] is sides[1] else Chosen(own, *sides))

    # ---- questions

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


class TensorsOut:
    """The tensors that come out of a trace, with what stands in their places.

    kept: those that stay in objects from outside; returned: the rest.
    """

    def __init__(self, chosen: ChosenTensors, kept: Iterable[Any], returned: Iterable[Any]) -> None:
        self._chosen = chosen
        self._having: dict[One, list[Tensor]] = {}
        self._instead: dict[int, Any] = {}
        if not chosen:
            return
        stay, rest = _tensors(kept), _tensors(returned)
        every = {id(x): x for x in (*stay, *rest)}
        marks = {k: list(dict.fromkeys(chosen.marks(chosen.one(x)))) for k, x in every.items()}
        for k, x in every.items():
            for mark in marks[k]:
                self._having.setdefault(mark, []).append(x)
        staying = {id(x) for x in stay}
        for k, x in every.items():
            is_told = any(len(self._having[m]) > 1 or (k in staying and m.tensor() is not None) for m in marks[k])
            if is_told and len(marks[k]) <= MOST_MARKS and chosen.known(x) is not None:
                found = self._built(chosen.one(x), x, {})
                if found is not x:
                    self._instead[k] = found

    def _built(self, what: Any, x: Tensor, given: Mapping[int, bool]) -> Any:
        """What comes out in the place of `x`, where it is `what`."""
        what = self._chosen.resolved(what)
        if type(what) is not Chosen:
            there = what.tensor()
            return self._first(what, x, given, self._having.get(what, ())) if there is None else there
        if id(what.flag) in given:
            return self._built(what.a if given[id(what.flag)] else what.b, x, given)
        a = self._built(what.a, x, {**given, id(what.flag): True})
        b = self._built(what.b, x, {**given, id(what.flag): False})
        return a if a is b else TaggedValue(what.flag, a, b)

    def _first(self, one: One, x: Tensor, given: Mapping[int, bool], others: Sequence[Tensor]) -> Any:
        """The first of several results that is a tensor which no other place has, where `x` is that."""
        for k, y in enumerate(others):
            if y is x:
                break
            is_it = self._chosen.same(self._chosen.one(y), one, given)
            if is_it is True:
                return y
            if is_it is not False:
                return TaggedValue(is_it, y, self._first(one, x, given, others[k + 1 :]))
        return x

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
