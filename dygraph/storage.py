"""The cell that holds a tensor's data: an array in eager mode, a program's value under a trace.

Tensors made by `detach()` share one cell, so that an in-place write to one is seen by the other. A view of a tensor
(`x[0]`) has a cell of its own, which knows the tensor behind it (`Sharing`): a write to the view is one to that tensor,
and a write to that tensor leaves its views stale, to be cut anew when somebody looks at them (see views.py). What else
shares memory moves to memory of its own before a write (value semantics).
"""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ..base.errors import CaptureError
from ..base.memory import aligned_copy
from .places import Place

F = TypeVar("F")
_ref = weakref.ref

on_write: Callable[[Any], None] | None = None  # called with the Tensor before each in-place write, from any thread
# called with a Tensor, the Tensor written into it, and the payload before, in a trace; gives the payload to put there
on_written: Callable[[Any, Any, Any], Any] | None = None
on_alias: Callable[[Any, Any], None] | None = None  # called with a Tensor and the one over its cell that detach() makes
is_open: Callable[[Any], bool] | None = None  # in a trace: whether a payload can be used where code is now
on_renewed: Callable[[Any], None] | None = None  # called with a view before its place in the graph changes
is_computed: Callable[[Any], bool] | None = (
    None  # in a trace: whether a leaf that is about to be written is none outside
)
on_cut: Callable[[Any], None] | None = None  # called with the cell of a stale view that was cut from a program's value
on_share: Callable[[Any], Any] | None = None  # called with a Tensor whose payload will be shared; gives that payload
on_sizes: Callable[[Any], None] | None = None  # called with a Tensor whose sizes code asks for
# called with a Tensor of which code reads its name or the like, what that is, and its value; gives it
on_fact_read: Callable[[Any, str, Any], Any] | None = None
on_stop_read: Callable[[Any], bool] | None = None  # called with a Tensor whose `stop_gradient` is read; gives that
on_grad_read: Callable[[Any], None] | None = None  # called with a Tensor whose `.grad` is read
on_hash: Callable[[Any], None] | None = None  # called with a Tensor that is hashed: its identity tells it apart
on_stop: Callable[[Any], None] | None = None  # called with the Tensor before its `stop_gradient` changes
# called with the Tensor before its `.grad` changes, and the gradient that is added, CLEARED, or None where it is set
on_grad_write: Callable[[Any, Any], None] | None = None
# called with the cell of a tensor that is no view: how its elements lie (open_layouts.py: OutsideLayout), where that is
# in the caller's memory, and not in their order; else None
on_layout: Callable[[Any], Any] | None = None
# called with a Tensor and what was made of it, a view or not as its elements lie; None: code asks how they do
on_layout_used: Callable[[Any, Any], None] | None = None
CLEARED: Any = type("Cleared", (), {"__repr__": lambda self: "cleared"})()
# called with a Tensor, the first gradient that arrives at it, and what is to become its `.grad`; gives that
on_first_grad: Callable[[Any, Any, Any], Any] | None = None
on_capture: Callable[[], None] | None = None  # called before a function is captured: then no read may wait for others


def fact(x: Any, name: str, value: F) -> F:
    """The value of an attribute of a Tensor, for whoever reads it."""
    if on_fact_read is None:
        return value
    found: F = on_fact_read(x, name, value)
    return found


class Counters:
    """Numbers that only grow: compiled functions, and their native code, compare them instead of looking at all cells.

    epoch: moves whenever a cell's array is replaced by another one: addresses taken before are stale. touched: whenever
    a cell becomes shared, or a tensor's `.grad` or `stop_gradient` changes (those of results that nobody has seen yet
    don't count): what compiled functions know of their state is looked at again. stops: whenever a `stop_gradient`
    changes.
    """

    __slots__ = ("epoch", "stops", "touched")

    def __init__(self) -> None:
        self.epoch = self.touched = self.stops = 0


counters = Counters()


class Storage:
    """One cell: the payload, how often it was written in place, and whether other tensors may see its memory."""

    __slots__ = ("__weakref__", "payload", "place", "shared", "version")

    payload: Any
    version: int
    shared: Any  # a bool, or a Sharing
    place: Place | None

    def __init__(self, payload: Any, shared: bool = False) -> None:
        self.payload = payload
        self.version = 0
        self.shared = shared
        self.place = None

    def own(self) -> Any:
        """The array, in memory that no other tensor sees (copied if need be): what native code may write into."""
        if self.shared:
            self.replace(aligned_copy(self.payload))
        return self.payload

    def share(self) -> None:
        """Say that others may see the memory from here on."""
        sharing = self.shared
        if sharing is True:
            return
        if sharing is False:
            self.shared = True
            counters.touched += 1
        elif not sharing:
            counters.touched += 1
        while type(sharing) is Sharing:
            sharing.others = True
            sharing = sharing.cell.shared if sharing.cell is not None else True

    def replace(self, payload: Any) -> None:
        """Put another array into the cell and tell everyone who remembers addresses."""
        sharing = self.shared
        self.payload = payload
        if type(sharing) is Sharing:
            sharing.others = sharing.fresh = False
            sharing.leave_stale()
        else:
            self.shared = False
        counters.epoch += 1


MOST_CUTS = 64  # of a view that are remembered while a function is captured
FEW_PARTS = 16  # views that are remembered before it is looked which of them are gone


class Sharing:
    """What a cell has in common with others, where views are among them; true if a write to its memory is seen there.

    base, cell: of a view, the tensor that it is cut from, and that one's cell. kind, part: how (see views.py). me: a
    weak reference to the view.
    parts: such references to the views that are cut from this cell. The first `stale` of them have no elements: a write
    asks nothing of those, so that it costs no more than the views that were made, or looked at, since the last one.
    What is looked at again is put at the end, too; where it was before it is left out when room is made.
    linked: whether one of them may have a place in the graph. fresh: whether one has its elements; others: whether
    something else than views shares the memory. dense: whether the elements of a view are known to be neighbours in the
    memory of the tensor behind it. seen, value: of a StaleStorage, in a program, what the base held, and what was cut
    from it; cuts: the same of what it held before, which it may hold again where code is captured once more.
    lies: of a tensor that is no view, how its elements lie as if it were one of memory that nobody else has
    (open_layouts.py: OutsideLayout); None: in their order.
    """

    __slots__ = (
        "base", "cell", "cuts", "dense", "fresh", "kind", "lies", "linked", "me", "most", "others", "part", "parts",
        "seen", "stale", "value",
    )  # fmt: skip

    base: Any
    cell: Any
    dense: bool
    most: int
    kind: Any
    part: Any
    seen: Any
    value: Any
    cuts: dict[int, tuple[Any, Any]]
    lies: Any
    me: Any
    stale: int
    linked: bool

    def __init__(self, others: bool) -> None:
        """Of a tensor that is no view."""
        self.base = self.cell = self.kind = self.part = self.seen = self.lies = None
        self.parts: Any = ()  # a list from the first one on
        self.others, self.fresh = others, False

    def __bool__(self) -> bool:
        return self.others or self.fresh or self.base is not None

    def is_plain(self) -> bool:
        """Whether the elements are known to be neighbours in memory, in their order."""
        return self.lies is None if self.base is None else self.dense

    def cut_from(self, seen: Any, value: Any) -> None:
        """Remember what was cut from a value of a program."""
        cuts: dict[int, tuple[Any, Any]] = getattr(self, "cuts", {})
        if len(cuts) >= MOST_CUTS:
            cuts.clear()
        self.seen, self.value, self.cuts = seen, value, cuts
        cuts[id(seen)] = seen, value

    def known_cut(self, now: Any) -> Any:
        """What was cut from a value of a program, if code may use it; else None."""
        seen, value = getattr(self, "cuts", {}).get(id(now), (None, None))
        if seen is not now or (is_open is not None and not is_open(value)):
            return None
        self.seen, self.value = seen, value
        return value

    def forget_cuts(self, is_gone: Callable[[Any], bool]) -> None:
        """What was cut in code that has ended is cut anew by whoever looks at the view again."""
        cuts: dict[int, tuple[Any, Any]] = getattr(self, "cuts", {})
        for key in [key for key, (_, value) in cuts.items() if is_gone(value)]:
            del cuts[key]
        if self.seen is not None and is_gone(self.value):
            self.seen = None

    def note(self, y: Any) -> None:
        """Remember a view, as long as somebody has it."""
        self.append(_ref(y))

    def append(self, ref: Any) -> None:
        """Put a reference to a view at the end of the parts."""
        parts = self.parts
        if parts == ():
            parts = self.parts = []
            self.most, self.stale, self.linked = FEW_PARTS, 0, False
        while parts and parts[-1]() is None:
            parts.pop()
        if self.stale > len(parts):
            self.stale = len(parts)
        parts.append(ref)
        if len(parts) > self.most:
            self.make_room()

    def live(self) -> list[Any]:
        """The views that somebody still has."""
        self.make_room()
        found = [x for ref in self.parts if (x := ref()) is not None]
        return [x for x in found if type(x._storage.shared) is Sharing and x._storage.shared.base is not None]

    def make_room(self) -> None:
        """Leave out the views that are gone, and all but the last place of those that are there several times."""
        if self.parts:
            fresh = {id(ref): ref for ref in self.parts[self.stale :] if ref() is not None}
            first = {id(ref): ref for ref in self.parts[: self.stale] if ref() is not None and id(ref) not in fresh}
            self.parts[:] = [*first.values(), *fresh.values()]
            self.stale, self.most = len(first), max(FEW_PARTS, 2 * len(self.parts))

    def show_fresh(self) -> None:
        """Some view has its elements."""
        if not self:
            counters.touched += 1
        self.fresh = True

    def leave_stale(self) -> None:
        """The elements have changed: those of the views will be cut anew, and count as written."""
        if self.parts:
            _leave_stale(self)


_GONE = np.empty(0)  # in the place of elements that are to be cut anew
_payload: Any = Storage.payload  # type: ignore[misc]  # the slots
_version: Any = Storage.version  # type: ignore[misc]


def _leave_stale(sharing: Sharing) -> None:
    todo = [sharing]
    while todo:
        sharing = todo.pop()
        sharing.fresh = False
        begin, sharing.stale = sharing.stale, len(sharing.parts)
        for ref in sharing.parts[begin:]:
            x = ref()
            if x is None:
                continue
            cell = x._storage
            mine = cell.shared
            if mine.__class__ is not Sharing or mine.base is None:
                continue
            if cell.__class__ is Storage:
                cell.__class__ = StaleStorage
                mine.seen = None
                counters.epoch += 1
                _payload.__set__(cell, _GONE)
            if mine.parts and mine.stale < len(mine.parts):
                todo.append(mine)


class StaleStorage(Storage):
    """The cell of a view whose base was written since it was cut, or is a value of a program."""

    __slots__ = ()

    @property
    def version(self) -> int:
        """That of the tensor behind the view: a write to one is a write to all."""
        found: int = self.shared.cell.version
        return found

    @version.setter
    def version(self, value: int) -> None:
        _version.__set__(self, value)

    @property
    def payload(self) -> Any:
        """The elements, cut anew."""
        sharing = self.shared
        now = sharing.cell.payload
        if sharing.seen is not None and now is sharing.seen and (is_open is None or is_open(sharing.value)):
            return sharing.value
        try:
            known = None if now.__class__ is np.ndarray else sharing.known_cut(now)
            return recut(self, now) if known is None else known
        except CaptureError:  # by an index of a loop that has ended, where the view is of no more use
            if sharing.seen is None or is_open is None or is_open(sharing.value):
                raise
            return sharing.value

    @payload.setter
    def payload(self, value: Any) -> None:
        _payload.__set__(self, value)


def _no_views(cell: Any, now: Any) -> Any:
    raise AssertionError("views.py isn't loaded")


recut: Callable[[Any, Any], Any] = _no_views  # called with the cell of a stale view and what its base holds
# called with a Tensor that is a view or has some, what is written into it, and whether nobody else will use that
write_among_views: Callable[[Any, Any, bool], None] = _no_views  # type: ignore[assignment]


check_views: Callable[[Any], None] = _no_views  # type: ignore[assignment]  # called with such a Tensor before a write
alias_of_view: Callable[[Any], Any] = _no_views  # type: ignore[assignment]  # called with a view that is detached


retype: Callable[[Any, Any], None] = _no_views  # called with a Tensor, and data of another dtype


def is_view(cell: Storage) -> bool:
    """Whether a cell is that of a view."""
    return type(cell.shared) is Sharing and cell.shared.base is not None


def held(x: Any) -> Any:
    """The payload of a tensor; of a stale view what it was made with: an array, or a program's value."""
    return held_by(x._storage)


def held_by(cell: Storage) -> Any:
    """The same of its cell."""
    return _payload.__get__(cell) if cell.__class__ is StaleStorage else cell.payload


class AsCut:
    """While a trace puts the ends of its paths together, their views are what they were on them."""

    __slots__ = ("before",)

    def __enter__(self) -> None:
        global is_open
        self.before, is_open = is_open, None

    def __exit__(self, *_: object) -> None:
        global is_open
        is_open = self.before


def elements_of(cell: Storage) -> Any:
    """The payload of a cell as it is known, wherever code is: of a view whose base wasn't written, what was cut."""
    if cell.__class__ is not StaleStorage:
        return cell.payload
    sharing: Any = cell.shared
    is_known = sharing.seen is not None and elements_of(sharing.cell) is sharing.seen
    return sharing.value if is_known else cell.payload


def root_of(cell: Storage) -> Storage:
    """The cell that a write to this one changes: of a view, that of the tensor behind it."""
    while is_view(cell):
        cell = cell.shared.cell
    return cell


def behind(x: Any) -> Any:
    """The tensor that a view shows a part of; a tensor that is no view itself."""
    while is_view(x._storage):
        x = x._storage.shared.base
    return x


def count_write(cell: Storage) -> None:
    """Count a write of elements that happened elsewhere."""
    cell = root_of(cell)
    cell.version += 1
    if type(cell.shared) is Sharing:
        cell.shared.leave_stale()


def hashed(x: Any) -> int:
    """`hash()` of a tensor: that of its identity."""
    if on_hash is not None:
        on_hash(x)
    return object.__hash__(x)


_UNSHARED = 4  # references to a cell that one tensor has: its own, two of variables, and the question's


def tensors_of(cell: Storage) -> list[Any]:
    """The tensors that share a cell, none if one alone has it: searched for, as they are hardly ever asked for."""
    if sys.getrefcount(cell) <= _UNSHARED:
        return []
    found = gc.get_referrers(cell)
    owners = [owner for holder in found if type(holder) is dict for owner in gc.get_referrers(holder)]
    return [x for x in (*found, *owners) if getattr(x, "_storage", None) is cell]
