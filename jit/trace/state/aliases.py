"""Tensors that may be others: what an `if`, a loop or a list of run-time length left is, on some way, a tensor that
exists besides.

In a program such a tensor is a value of its own. So an in-place write to it would miss the others, and a write to one
of the others would miss it. The first is traced once per path, where an `if` decides, or refused. After the second the
tensor is stale: whoever reads it then causes the same.
"""

from __future__ import annotations

import sys
import weakref
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, NoReturn, Protocol

from ....base.errors import CaptureError
from ....base.location import Loc, caller_loc, is_library_file
from ....base.pytree import flatten
from ....dygraph.given_array import GivenArray
from ....dygraph.number import Number
from ....dygraph.storage import Sharing, Storage, held_by, root_of
from ....dygraph.tensor import Tensor
from ....ops.dims import Dim

BRANCH, LOOP, LIST = "on one path of a branch", "in some iterations of a loop", "in a list of run-time length"
_REMEDIES = {
    LIST: "put a new tensor into the list, as in `xs[i] = xs[i] + 2`, or clone() the tensor before it is put there"
}
_REMEDY = "put `y = y.clone()` right before this line, or make a new tensor: `y = y + 1`"


class Splits(Protocol):
    """The `if` that decides (converters/decisions.py)."""

    def is_open(self) -> bool:
        """Whether the code that it belongs to still runs."""

    def split(self, message: str = "") -> NoReturn:
        """Trace what follows once per path."""


@dataclass(frozen=True, slots=True)
class AliasLink:
    """Of one tensor: the cells that it may be, what decides, and cells that live as long as it does.

    choices: the indices that say which of them it is. number: how many links there were before the first of its own.
    """

    sources: tuple[weakref.ref[Storage], ...]
    decision: Any
    place: str
    kept: tuple[Storage, ...] = ()
    choices: tuple[Any, ...] = ()
    number: int = 0


class Aliases:
    """The links of one trace."""

    def __init__(self) -> None:
        self.count = 0  # of links
        self._of: weakref.WeakKeyDictionary[Storage, AliasLink] = weakref.WeakKeyDictionary()
        self._copies: weakref.WeakKeyDictionary[Storage, list[weakref.ref[Storage]]] = weakref.WeakKeyDictionary()
        self._numbers: weakref.WeakKeyDictionary[Storage, list[weakref.ref[Number]]] = weakref.WeakKeyDictionary()
        self.of_views: weakref.WeakSet[Storage] = weakref.WeakSet()  # that may be a view, on some path
        # of a tensor that is one of several by a flag: their cells, those of the block that makes it, too
        self._chosen: weakref.WeakKeyDictionary[Storage, list[weakref.ref[Storage]]] = weakref.WeakKeyDictionary()
        self.cut: list[weakref.ref[Storage]] = []  # cells of stale views, each time that one was cut anew
        self._stale: weakref.WeakKeyDictionary[Storage, Loc] = weakref.WeakKeyDictionary()
        self._any_stale: dict[Any, Loc] = vars(self._stale)["data"]  # its entries: to ask itself for some is slow

    def sources(self, cell: Storage) -> list[Storage]:
        """The cells alive that a tensor's cell may be."""
        link = self._of.get(cell)
        found = [] if link is None else [ref() for ref in link.sources]
        return [x for x in found if x is not None]

    def choices(self, cell: Storage) -> tuple[Any, ...]:
        """The indices that say which of its sources a tensor is."""
        link = self._of.get(cell)
        return () if link is None else link.choices

    def choices_of_used(self, cell: Storage) -> tuple[Any, ...]:
        """The same of a tensor that something else still holds."""
        found = self.choices(cell)
        return found if found and self.sources(cell) else ()

    def link(
        self, made: Storage, sources: Iterable[Storage], decision: Any = None, place: str = BRANCH,
        kept: Sequence[Storage] = (), choices: Sequence[Any] = (),
    ) -> None:  # fmt: skip
        """`made` may be one of `sources`, too; `decision` is the `if` that knows, or indices do."""
        known = self._of.get(made)
        new = {id(x): x for x in sources if x is not made}
        if known is not None:
            new |= {id(x): x for x in self.sources(made)}
            decision, place, kept = known.decision or decision, known.place, (*known.kept, *kept)
            choices = (*known.choices, *(x for x in choices if not any(x is y for y in known.choices)))
        if not new and not kept:
            return
        number = self.count if known is None else known.number
        refs = tuple(map(weakref.ref, new.values()))
        self._of[made] = AliasLink(refs, decision, place, tuple(kept), tuple(choices), number)
        self.count += 1
        for x in new.values():
            self._copies.setdefault(x, []).append(weakref.ref(made))

    def choose(self, made: Storage, cells: Iterable[Storage]) -> None:
        """`made` is one of `cells`, by a flag."""
        self._chosen.setdefault(made, []).extend(map(weakref.ref, cells))

    def chosen_of(self, cell: Storage) -> list[Storage]:
        """The cells alive that a tensor is one of, by flags."""
        return [x for ref in self._chosen.get(cell, ()) if (x := ref()) is not None]

    def keep(self, number: Number) -> None:
        """A Python number that was read of a tensor, and stays what it is when that is written."""
        self._numbers.setdefault(number._storage, []).append(weakref.ref(number))

    def write(self, tracer: Any, cell: Storage) -> None:
        """An in-place write: what may be this tensor, too, would have to change."""
        for read in self._numbers.pop(cell, ()):
            number = read()
            if number is not None:
                number._storage = Storage(tracer.value_of(number))
        if self.sources(cell):
            self._refuse(cell, "writes in place to", "another tensor still in use")
        self._stale.pop(cell, None)
        for ref in self._copies.get(cell, ()):
            copy = ref()
            if copy is not None:
                self._stale.setdefault(copy, caller_loc())

    def change(self, cell: Storage, attribute: str) -> None:
        """An attribute of the tensor is about to change: so would that of the tensor that it may be."""
        if self.sources(cell):
            self._refuse(cell, f"sets `{attribute}` of", "another tensor still in use")

    def read(self, cell: Storage) -> None:
        """Someone needs the value of a tensor."""
        if self._any_stale and cell in self._stale:
            self._refuse(cell, "reads", "a tensor that was written in place since", self._stale[cell])

    def ask(self, x: Tensor, y: Tensor) -> None:
        """Code asks whether two tensors are one that nothing of the program tells apart."""
        ours, theirs = ({id(cell): cell for cell in (v._storage, *self.sources(v._storage))} for v in (x, y))
        link = self._of.get(x._storage) or self._of.get(y._storage)
        if x._storage is y._storage or link is None or ours.keys().isdisjoint(theirs):
            return
        if link.decision is not None and link.decision.is_open():
            link.decision.split()
        raise CaptureError(
            f"this asks with `is` for two tensors that are, {link.place}, one tensor",
            loc=caller_loc(),
            remedy="keep a bool or a number that tells what you ask for, beside the tensors",
        )

    def begin(self) -> list[tuple[weakref.ref[Storage], Loc]]:
        """Before a path: what is stale. The path is undone, and what it wrote with it."""
        return [(weakref.ref(cell), loc) for cell, loc in self._stale.items()]

    def end(self, begun: list[tuple[weakref.ref[Storage], Loc]]) -> list[tuple[weakref.ref[Storage], Loc]]:
        """After a path: as `begin` found it. Gives what the path left stale."""
        left = self.begin()
        self._stale.clear()
        self.mark(begun)
        return left

    def forget_cuts(self, first: int, is_older: Callable[[Any], bool]) -> None:
        """Code has ended: views from before it (`is_older` of a program's value) are no longer what it cut.

        first: how many cuts there were before it.
        """
        for ref in self.cut[first:]:
            cell = ref()
            if cell is not None and type(cell.shared) is Sharing and is_older(held_by(cell)):
                cell.shared.forget_cuts(lambda value: not is_older(value))
        del self.cut[first:]

    def mark(self, left: list[tuple[weakref.ref[Storage], Loc]], first: int | None = None) -> None:
        """The paths are joined: what one of them left stale is. first: how many links there were before all of them.

        What one path made isn't what another one wrote.
        """
        for ref, loc in left:
            cell = ref()
            link = None if cell is None or first is None else self._of.get(cell)
            if cell is not None and (link is None or first is None or link.number < first):
                self._stale.setdefault(cell, loc)

    def check(self, value: Any) -> None:
        """The same for all tensors in a value."""
        if self._stale:
            for x in tensors_of(value):
                self.read(x._storage)

    def _refuse(self, cell: Storage, verb: str, other: str, written: Loc | None = None) -> NoReturn:
        link = self._of[cell]
        if link.decision is not None and link.decision.is_open():
            link.decision.split()
        where = "" if written is None else f"\n      {written.short()}   {written.text()}"
        what = "an element" if link.place is LIST else "a variable"
        raise CaptureError(
            f"this {verb} {what} that is, {link.place}, {other}{where}",
            loc=caller_loc(),
            remedy=_REMEDIES.get(link.place, _REMEDY),
        )


def link_results(tracer: Any, results: Sequence[Tensor], pairs: Sequence[Any], decision: Any = None) -> None:
    """Results of an `if` (see converters/values.py: Pair): each may be a tensor that a path ended with."""
    for side in (0, 1):
        link_leaves(tracer, results, [pair.sides[side] for pair in pairs], decision)


def link_leaves(
    tracer: Any, made: Sequence[Any], leaves: Sequence[Any], decision: Any = None, place: str = BRANCH,
    choices: Sequence[Any] = (),
) -> None:  # fmt: skip
    """Each of `made` may be what stands at its place in `leaves`; two that are one tensor there may be one."""
    first: dict[int, Storage] = {}
    others: list[tuple[Storage, Storage]] = []
    for x, leaf in zip(made, leaves, strict=True):
        if type(x) is Number:
            continue
        is_list = hasattr(leaf, "parts")  # rows of a list: see converters/lists.py
        for part in leaf.parts if is_list else [("", leaf)]:
            y = part[1]
            if not isinstance(y, Tensor) or type(y) is Number:
                continue
            cell, own = _cell_of(y), x._storage
            outer = [cell] if tracer.is_outer(cell.payload) else []
            kept = outer if part[0] == "stack" else []
            if cell is not y._storage or cell in tracer.aliases.of_views:
                tracer.aliases.of_views.add(own)
            sources = [*([] if kept else outer), *tracer.aliases.sources(cell)]
            late = (*choices, *tracer.aliases.choices(cell)) if kept or choices else ()
            tracer.aliases.link(own, sources, decision, LIST if is_list else place, kept, late)
            other = first.setdefault(id(cell), own)
            if other is not own:
                tracer.aliases.link(own, [other], decision, LIST if is_list else place)
                tracer.aliases.link(other, [own], decision, place)
            others += [(own, y) for y in (*tracer.aliases.sources(cell), *tracer.aliases.chosen_of(cell))]
    for own, cell in others:  # one may be what stands at another place
        other = first.get(id(cell), own)
        if other is not own:
            tracer.aliases.link(own, [other], decision, place)
            tracer.aliases.link(other, [own], decision, place)


def link_choice(tracer: Any, made: Tensor, leaves: Sequence[Any]) -> None:
    """`made` is one of `leaves`, by a flag. What the innermost block made is known behind it as that block's result."""
    own, aliases = made._storage, tracer.aliases
    for y in leaves:
        if not isinstance(y, Tensor) or type(y) is Number:
            continue
        cell = _cell_of(y)
        if cell is not y._storage or cell in aliases.of_views:
            aliases.of_views.add(own)
        aliases.link(own, _cells(tracer, y))
        aliases.choose(own, [cell, *aliases.sources(cell), *aliases.chosen_of(cell)])


def link_rows(
    tracer: Any, made: Sequence[Tensor], stacks: Sequence[Tensor], decision: Any, index: Any, *, is_taken: bool
) -> None:
    """Elements read from a list of run-time length are those that stand there. is_taken: the list has them no more."""
    for x, stack in zip(made, stacks, strict=True):
        cell = stack._storage
        own = [] if is_taken else [cell]
        choices = (*tracer.aliases.choices(cell), *_told_late([index]))
        tracer.aliases.link(x._storage, [*tracer.aliases.sources(cell), *own], decision, LIST, choices=choices)


def link_stacks(
    tracer: Any, made: Sequence[Tensor], stacks: Sequence[Tensor], decision: Any, choices: Iterable[Any] = ()
) -> None:
    """Lists with elements of other lists: they are the same tensors. choices: which of them, and where."""
    for x, stack in zip(made, stacks, strict=True):
        cell, late = stack._storage, [*tracer.aliases.choices(stack._storage), *_told_late(choices)]
        tracer.aliases.link(x._storage, tracer.aliases.sources(cell), decision, LIST, [cell], late)


def _told_late(indices: Iterable[Any]) -> list[Any]:
    return [x for x in indices if isinstance(x, (Tensor, Dim))]


class Origins:
    """Of a loop's variable: for each carried leaf, the cells of which it may be one at the start of an iteration.

    leaves: what it carries, in the iteration that is traced.
    """

    def __init__(self) -> None:
        self._of: dict[int, weakref.WeakSet[Storage]] = {}
        self.leaves: Sequence[Tensor] = ()

    def learn(self, tracer: Any, pairs: Sequence[Any], shared: Container[int]) -> None:
        """What an iteration was traced from and to. Of earlier tensors only those that others hold, too, count."""
        for k, pair in enumerate(pairs):
            before, after = pair.sides
            found = _cells(tracer, after)
            if is_seen(tracer, before, shared):
                found += _cells(tracer, before)
            else:  # the variable's own tensor, which a first trace has instead of what an iteration begins with
                found = [cell for cell in found if cell is not _cell_of(before)]
            if found:
                self._of.setdefault(k, weakref.WeakSet()).update(found)

    def enter(self, tracer: Any, leaves: Sequence[Tensor]) -> None:
        """An iteration begins with these. Where it runs once more, for another path, they are those of before."""
        for x, again in zip(self.leaves, leaves, strict=False):
            tracer.chosen.is_again(x, again)
        self.leaves = leaves
        for k, x in enumerate(leaves):
            if k in self._of:
                tracer.aliases.link(x._storage, self._of[k], place=LOOP)


class Shared:
    """Leaves of a loop's variables that an iteration left as one tensor: so are they at the start of the next."""

    def __init__(self) -> None:
        self._groups: dict[tuple[tuple[Origins, int], tuple[Origins, int]], str] = {}

    def learn(self, aliases: Aliases, ends: Iterable[tuple[Origins, int, Any]]) -> None:
        """What an iteration left: of which variable, which leaf, and what it is, or may be."""
        first: dict[int, tuple[Origins, int]] = {}
        for owner, k, leaf in ends:
            for x in [x for _, x in leaf.parts] if hasattr(leaf, "parts") else [leaf]:
                if not isinstance(x, Tensor) or type(x) is Number:
                    continue
                for cell in (x._storage, *aliases.sources(x._storage)):
                    other = first.setdefault(id(cell), (owner, k))
                    if other != (owner, k):
                        self._groups[other, (owner, k)] = LIST if hasattr(leaf, "parts") else LOOP

    def enter(self, tracer: Any) -> None:
        """An iteration begins: the variables have their values."""
        for ((a, j), (b, k)), place in self._groups.items():
            if j < len(a.leaves) and k < len(b.leaves):
                x, y = a.leaves[j]._storage, b.leaves[k]._storage
                tracer.aliases.link(x, [y], place=place)
                tracer.aliases.link(y, [x], place=place)


def _cell_of(x: Tensor) -> Storage:
    """The cell that a write to a tensor changes: of a view of an array, that of the array."""
    return x.root if isinstance(x, GivenArray) else root_of(x._storage)


def _cells(tracer: Any, leaf: Any) -> list[Storage]:
    parts = [x for _, x in leaf.parts] if hasattr(leaf, "parts") else [leaf]
    cells = [_cell_of(x) for x in parts if isinstance(x, Tensor) and type(x) is not Number]
    iteration = tracer.blocks[-1]
    cells += [y for x in cells for y in tracer.aliases.sources(x)]
    return [x for x in cells if tracer.is_outer(x.payload) and getattr(x.payload, "block", None) is not iteration]


def is_seen(tracer: Any, leaf: Any, shared: Container[int]) -> bool:
    """Whether a tensor is the caller's, or that of several variables. (The rows of a list are.)"""
    if not isinstance(leaf, Tensor):
        return True
    cell = root_of(leaf._storage)
    log = next((log for log in tracer.logs if id(cell) in log.storages), None)
    payload = cell.payload if log is None else log.storages[id(cell)][1]
    is_callers = not hasattr(payload, "producer") or (
        payload.operation is None and payload.block is tracer.program.body
    )
    return is_callers or id(cell) in tracer.lifted or id(cell) in shared or bool(tracer.aliases.sources(cell))


def repeated_cells(values: Iterable[Any]) -> set[int]:
    """Cells, by identity, that several values hold."""
    counts = Counter(k for value in values for k in {id(root_of(x._storage)) for x in tensors_of(value)})
    return {k for k, count in counts.items() if count > 1}


def cells_held(names: Container[str], end: CodeType) -> set[int]:
    """Cells that variables of the captured functions that run hold, but for those named. end: code of the capture."""
    found: set[int] = set()
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code is not end:
        if not is_library_file(frame.f_code.co_filename):
            values = [v for name, v in frame.f_locals.items() if name not in names]
            found.update(id(root_of(x._storage)) for x in tensors_of(values))
        frame = frame.f_back
    return found


def tensors_of(value: Any) -> Iterator[Tensor]:
    """The tensors in a value; Python numbers aren't written in place."""
    leaves, _ = flatten(value, lambda x: isinstance(x, Tensor))
    yield from (x for x in leaves if isinstance(x, Tensor) and type(x) is not Number)
