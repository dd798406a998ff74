"""Containers that may be one object or two: what an `if` or a loop makes of two lists, dicts or dataclasses.

In a program such a container is an object of its own, made of the contents of both. So a write to it would miss the
two, and a write to one of them would miss it. Reading is right. `Joints` knows which containers hang together and what
they held; where one has changed while code can still reach another, what follows is traced once per path (an `if`), or
refused (a loop).
"""

from __future__ import annotations

import dis
import gc
import itertools
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, NoReturn

import numpy as np

from ....base.class_marks import mark_of
from ....base.errors import CaptureError
from ....base.frame_marks import capture_entry
from ....base.location import Loc, caller_loc, is_library_file
from ....base.pytree import TaggedValue
from ....dygraph.storage import Storage
from ....dygraph.tensor import Tensor
from ....ops.dims import Dim
from ..reachable import bound_parts, is_bound
from .containers import containers_in, is_container
from .dynamic_lists import ListSegment, holds_containers
from .escapes import bind_choices
from .rollback import ATOMS, contents, same

CLOSED = (*ATOMS, Tensor, Storage, np.ndarray, np.generic, type, range, slice, types.ModuleType, types.CodeType)
_OWN = ("vitrify.jit.", "vitrify.static.", "vitrify.ir.", "vitrify.ops.")
PYTHONS = ("builtins", "itertools", "functools", "collections")
_WRITES = frozenset({"STORE_SUBSCR", "STORE_ATTR", "STORE_SLICE", "DELETE_SUBSCR", "DELETE_ATTR"})
_OF_LIST = "write before it is put into the list, or put a copy there, as in `xs.append(copy.copy(x))`"
_REMEDY = "copy it where the variable is bound (`{0}`), or write in the branch or before the loop"
HERE, BEFORE, INSIDE, END = "here", "before", "inside", "end"
_COPIES = {"list": "list({})", "dict": "dict({})"}


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """`made` may be `source`: after the `if` of `decision`, or with is_loop in some iterations of a loop.

    Either may be a `ListSegment`: what is in it may be the other. is_taken: it was the segment's, which has it no more.
    """

    made: Any
    source: Any
    name: str
    decision: Any
    is_loop: bool
    number: int
    loc: Loc
    frames: tuple[types.FrameType, ...]  # of the captured functions that ran then, from the innermost
    is_taken: bool = False


class Joints:
    """The containers of one trace that hang together."""

    def __init__(self, tracer: Any) -> None:
        self.tracer = tracer
        self.watched: dict[int, tuple[Any, Any]] = {}  # containers, and what they held, as the path goes on
        self.count = 0  # of the links
        self.wants_apart = False  # whether containers of two paths had better stay two
        self._links: dict[int, list[Link]] = {}
        self._fresh: list[Link] = []
        self._chosen: list[tuple[Any, Any]] = []  # containers read from a list, and the indices that tell which

    def link(
        self, made: Any, source: Any, name: str, decision: Any = None, *, is_loop: bool = False, is_taken: bool = False
    ) -> None:  # fmt: skip
        """`made` may be `source`; `activate` follows when both have their contents."""
        known = self._links.get(id(made), ())
        if made is source or any(x.source is source and x.decision is decision for x in known):
            return
        made_link = Link(made, source, name, decision, is_loop, self.count, caller_loc(), tuple(_frames()), is_taken)
        self.count += 1
        for x in (made, source):
            self._links.setdefault(id(x), []).append(made_link)
        self._fresh.append(made_link)

    def link_all(self, made: Any, source: Any, name: str) -> None:
        """The containers in what a loop starts an iteration with may be those that an iteration left."""
        for x, y in pairs_of(made, source):
            self.link(x, y, name, is_loop=True)

    def link_elements(self, segment: ListSegment, items: Iterable[Any], *, is_loop: bool = False) -> None:
        """The containers among some items, and those of segments there, are in a segment from here on."""
        for x in items:
            if type(x) is ListSegment:
                inner = [x] if x is not segment and holds_containers(x.tree) else []
            else:
                inner = list(containers_in([x]))
            for y in inner:
                self.link(segment, y, "xs", segment.decision, is_loop=is_loop)

    def link_element(self, made: Any, segment: ListSegment, index: Any, *, is_taken: bool) -> None:
        """What is read from a segment at an index is in it. is_taken: it was in it."""
        sources = [y for y, _ in self._ways(segment) if type(y) is not ListSegment] if is_taken else [segment]
        for x in containers_in([made]):
            if isinstance(index, (Tensor, Dim)):
                self._chosen.append((x, index))
            for source in sources:
                self.link(x, source, "x", segment.decision, is_taken=is_taken)
        self.activate()

    def end(self, returned: Any) -> None:
        """The function ends: what comes out in a list of run-time length and elsewhere would be two objects.

        Of what a loop made that counts in state alone: code writes into that in later calls.
        """
        both = [x for links in self._links.values() for link in links for x in (link.made, link.source)]
        segments = {id(x): x for x in both if type(x) is ListSegment}
        if not segments:
            return
        state = reachable(self.tracer)
        reached = reachable(self.tracer, [returned])
        for k, segment in segments.items():
            for y, way in self._ways(segment) if k in reached else ():
                if {k, id(y)} <= (state if any(link.is_loop for link in way) else reached):
                    self._diverge(y, segment, way, END, is_written=False)

    def bind_chosen(self, result: Any) -> None:
        """What comes out is the very container that stands elsewhere, if the numbers of a call say which one."""
        reached = reachable(self.tracer, [result]) if self._chosen else ()
        for x, index in self._chosen:
            if id(x) in reached and any(id(y) in reached for y, _ in self._ways(x) if type(y) is not ListSegment):
                bind_choices(self.tracer, [index], f"a {type(x).__name__}")

    def activate(self, *, is_statement: bool = False) -> None:
        """New links hold from here on. is_statement: all that code can reach is in its variables."""
        fresh, self._fresh = self._fresh, []
        if fresh:
            self.check(place=INSIDE, until=fresh[0].number)  # what the paths wrote, the new links hold already
        reached = reachable(self.tracer) if fresh and is_statement else None
        for made in [link.made for link in fresh]:
            others = [y for y, _ in self._ways(made)]
            if reached is not None and not any(id(y) in reached for y in others):
                self._links[id(made)] = [link for link in self._links[id(made)] if link.made is not made]
            else:
                for x in (x for x in (made, *others) if type(x) is not ListSegment):
                    self.watched.setdefault(id(x), (x, contents(x)))

    def check(
        self, roots: Iterable[Any] = (), since: int | None = None, place: str = HERE, until: int | None = None
    ) -> None:  # fmt: skip
        """Make the paths diverge, or CaptureError, where a container was written that may be another one in use.

        roots: what code can reach besides its variables. since: links from there on are of variables that are gone.
        place: where the write is, as seen from the line that runs. until: links from there on came after the write.
        """
        if not self.watched:
            return
        changed = [x for x, held in self.watched.values() if not _holds(x, held)]
        if not changed:
            return
        reached = reachable(self.tracer, roots)
        line = _line(caller_loc())
        for x in changed:
            for y, way in self._ways(x, until):
                last = way[-1]
                is_young = (since is not None and last.number >= since) or (
                    not last.is_loop and _line(last.loc) == line and not _is_over(last)  # part of the statement has it
                )
                if id(y) in reached or is_young:
                    self._diverge(x, y, way, place)
            self.watched[id(x)] = (x, contents(x))

    def unseen(self, x: Any, write: Callable[[], None]) -> None:
        """Write to a container in a way that is no write of the function's."""
        known = self.watched.get(id(x))
        is_same = known is not None and _holds(x, known[1])
        write()
        if is_same:
            self.watched[id(x)] = (x, contents(x))

    def ask(self, a: Any, b: Any) -> None:
        """Code asks whether two containers are one object."""
        for y, way in self._ways(a) if id(a) in self._links else ():
            if y is b:
                self._diverge(a, y, way, HERE, is_written=False)

    def _ways(self, first: Any, until: int | None = None) -> list[tuple[Any, tuple[Link, ...]]]:
        """The containers that may be the object that one is, each with the links on the way.

        until: without links from there on. They are what it may be, and what may be that, too. (Of two that a third may
        be, neither is the other.)
        """
        found: dict[int, tuple[Any, tuple[Link, ...]]] = {id(first): (first, ())}
        for goes_up in (False, True):
            waiting = list(found.values())
            for x, way in waiting:
                for link in self._links.get(id(x), ()):
                    y = link.made if goes_up else link.source
                    if type(y) is ListSegment and any(k.is_taken for k in way):
                        continue
                    if id(y) not in found and (until is None or link.number < until):
                        found[id(y)] = y, (*way, link)
                        waiting.append(found[id(y)])
        return list(found.values())[1:]

    def _diverge(self, x: Any, y: Any, way: tuple[Link, ...], place: str, *, is_written: bool = True) -> NoReturn:
        """Trace what follows once per path, if an `if` decides. Not is_written: code asks for the identity."""
        message = self._message(x, y, way, is_written=is_written)
        for link in way:
            if link.decision is not None and link.decision.is_open():
                link.decision.split(message)
        for link in way:
            if link.decision is not None:
                link.decision.fork(message)
        self.wants_apart = self.wants_apart or not any(link.is_loop for link in way)
        link = _telling(way)
        if any(_is_of_list(k) for k in way):
            raise CaptureError(message, loc=link.loc if place is END else _writing(place), remedy=_OF_LIST)
        source = _name_of(link.source) or _name_of(y) or _name_of(x) or "`other`"
        copy = _COPIES.get(type(x).__name__, "copy.copy({})").format(source.strip("`"))
        name = link.name if link.name.isidentifier() else "name"
        raise CaptureError(message, loc=_writing(place), remedy=_REMEDY.format(f"{name} = {copy}"))

    def _message(self, x: Any, y: Any, way: tuple[Link, ...], *, is_written: bool) -> str:
        link = _telling(way)
        kind = type(y if type(x) is ListSegment else x).__name__
        if any(_is_of_list(k) for k in way):
            verb = "this writes to it" if is_written else "both must be one object"
            return (
                f"one {kind} stands in another place and in a list whose length, order or index only a run knows, "
                f"and {verb}"
            )
        sources = [k.source for k in self._links.get(id(link.made), ()) if k.made is link.made]
        names = [n for n in map(_name_of, (*sources, y, x)) if n is not None and n != f"`{link.name}`"]
        named = [*dict.fromkeys(names), f"one {kind}"]
        where = ("in some iterations of a loop", "in others") if link.is_loop else ("on one path", "on the other")
        other = named[1] if len(named) > 2 else f"another {kind}"
        verb = "writes to one of these" if is_written else "asks whether two of these are one object"
        return f"`{link.name}` is {named[0]} {where[0]} and {other} {where[1]}, and this {verb}"


def _telling(way: tuple[Link, ...]) -> Link:
    """The link that a message names."""
    return next((link for link in way if link.is_loop), way[0])


def _is_of_list(link: Link) -> bool:
    return type(link.made) is ListSegment or type(link.source) is ListSegment


def _is_over(link: Link) -> bool:
    """Whether the statement has ended in which a link was made: the body of a loop or branch that it stood in has.

    Parts of expressions are lambdas: what they gave may go on in the statement around.
    """
    now = {id(frame) for frame in _frames()}
    gone = itertools.takewhile(lambda frame: id(frame) not in now, link.frames)
    return any(not frame.f_code.co_name.startswith("<") for frame in gone)


def _line(loc: Loc) -> tuple[str, int]:
    return loc.file, loc.line


def _holds(x: Any, held: Any) -> bool:
    """Whether a container still holds what it held."""
    now = contents(x)
    if len(now) != len(held):
        return False
    if isinstance(now, dict):
        return list(now) == list(held) and all(map(same, now.values(), held.values()))
    return all(map(same, now, held))


def pairs_of(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """The containers at the same places of two values."""
    a, b = (x.value if type(x).__name__ == "Maybe" else x for x in (a, b))
    for one, other, is_first in ((a, b, True), (b, a, False)):
        if type(one) is TaggedValue:
            for side in (one.a, one.b):
                yield from pairs_of(side, other) if is_first else pairs_of(other, side)
            return
    if a is b or type(a) is not type(b):
        return
    if type(a) is ListSegment and holds_containers(a.tree):
        yield a, b
    if is_container(a):
        yield a, b
    if isinstance(a, dict):
        for key in a.keys() & b.keys():
            yield from pairs_of(a[key], b[key])
    elif isinstance(a, (list, tuple)):
        for x, y in zip(a, b, strict=False):
            yield from pairs_of(x, y)
    elif is_container(a):
        for field in fields(a):
            yield from pairs_of(getattr(a, field.name, None), getattr(b, field.name, None))


# ---- what code can reach


def reachable(tracer: Any, roots: Iterable[Any] = ()) -> set[int]:
    """Identities of all that the captured functions that run can reach, and of what is reached from outside."""
    waiting = [*roots]
    for frame in _frames():
        waiting.extend(frame.f_locals.values())
    for kept in tracer.objects.kept.values():
        now = kept.now()
        waiting.extend(now.values() if isinstance(now, dict) else now)
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, CLOSED):
            continue
        seen.add(id(value))
        waiting.extend(_parts(value))
    return seen


def _frames() -> Iterator[types.FrameType]:
    """Those of the captured functions, from the innermost."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code not in capture_entry:
        if not is_library_file(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, types.FunctionType):
        cells = [c.cell_contents for c in value.__closure__ or () if is_bound(c)]
        return [*cells, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *value.__dict__.values()]
    if parts := bound_parts(value):
        return parts
    if isinstance(value, types.GeneratorType):
        return [] if value.gi_frame is None else list(value.gi_frame.f_locals.values())
    if isinstance(value, (tuple, frozenset)):
        return value
    if mark_of(type(value), "is_union", False):
        return list(value.objects)
    kind = type(value)
    if kind.__module__.startswith(_OWN) and kind.__name__ != "Maybe" and not mark_of(kind, "is_iterator", False):
        return []
    found = contents(value)
    if found is not None:
        return list(found.values()) if isinstance(found, dict) else found
    return gc.get_referents(value) if type(value).__module__ in PYTHONS else []


def _name_of(x: Any) -> str | None:
    """The variable that holds a container."""
    for frame in _frames():
        for name, value in frame.f_locals.items():
            if value is x and name.isidentifier() and not name.startswith("_"):
                return f"`{name}`"
    return None


def _writing(place: str) -> Loc:
    """The user's line that writes: this one, the last that does before it, or the last in the construct that ends."""
    here = caller_loc()
    frame = next(_frames(), None)
    if place is HERE or frame is None or (here.file, here.line) != (frame.f_code.co_filename, frame.f_lineno):
        return here
    if place is INSIDE:
        inner = [x for x in frame.f_code.co_consts if isinstance(x, types.CodeType)]
        lines = [line for code in inner if code.co_firstlineno >= here.line for line in _writing_lines(code)]
        return replace(here, line=lines[-1]) if lines else here
    lines = _writing_lines(frame.f_code, frame.f_lasti)
    return replace(here, line=lines[-1]) if lines else here


def _writing_lines(code: types.CodeType, end: int | None = None) -> list[int]:
    """Lines with code that writes into an object, not by a call."""
    steps = [s for s in dis.get_instructions(code) if end is None or s.offset < end]
    places = [
        s.positions for s in steps
        if s.opname in _WRITES or (s.opname == "BINARY_OP" and s.argrepr.endswith("="))
    ]  # fmt: skip
    return [p.lineno for p in places if p is not None and p.lineno is not None]
