"""Code that can run again (a region), and the `if`s in it that may make its paths diverge (decisions).

Where two paths end with values that can't be one, what follows is traced once per path: a `SplitNeeded` unwinds to the
region, whose code runs again with that decision made. Until it gets there the builder hands out the operations that it
recorded before; from there on they go to a block of their own. See docs/decisions/0007-splitting.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any, NoReturn

from ....base.errors import CaptureError
from ....base.frame_marks import asks_for_caller
from ....base.location import Loc, caller_loc
from ....dygraph.number import Number
from ....ir.core import Block, Value
from ...trace.gradients.gradient_hooks import RegionHooks
from ...trace.state.escapes import origins_in, with_origins
from ...trace.state.rollback import Objects
from ...trace.traced import NotWorthIt
from ...trace.tracer import Tracer

MOST_TAIL_COPIES = 64
MOST_TRIED_COPIES = 4  # of a function whose copies are long: statement by statement it may be shorter
MOST_TRIED = 6_000  # operations of functions that have more than MOST_TRIED_COPIES pieces traced more than once
MOST_TRIED_OF_A_CHAIN = 24_000  # the same, where the first side of each decision alone goes on to others: of a `break`
MOST_TRIED_IN_STEPS = 12_000  # operations, where the usual way is left with copies to take
MOST_STEPS = 1024  # pieces traced more than once where each is a statement: MOST_PLACED ends most captures before
MOST_PLACED = 40_000  # operations of functions that have more than MOST_TAIL_COPIES pieces traced more than once


class SplitNeeded(BaseException):
    """What follows a decision must be traced once per path. No `except` clause of the user's may see it."""

    def __init__(self, decision: Decision) -> None:
        super().__init__("a path is traced again")
        self.decision = decision


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that is made: the `ordinal`-th of its region goes to one side, and the rest to `block`.

    position: how many operations were recorded before it in the block around. whole: what comes before is recorded
    anew in `block`, too. loc: where the decision is.
    """

    ordinal: int
    side: int
    block: Block
    position: int
    whole: bool = False
    loc: Loc | None = None


class Region:
    """The whole function, a branch or an iteration of a loop. `owner`: the decision one of whose sides it is."""

    def __init__(
        self, tracer: Tracer, root: Block, owner: Decision | None, *, at_top: bool = False, at_iteration: bool = False,
        statement: CodeType | None = None,
    ) -> None:  # fmt: skip
        self.tracer = tracer
        self.statement = statement  # whose region it is
        self.at_iteration = at_iteration
        self.hooks = RegionHooks(tracer, keeps=at_top or statement is not None)
        self.root = root
        self.owner = owner
        self.at_top = at_top
        self.block = root  # where its operations go now
        self.forced: tuple[Choice, ...] = ()
        self.runs = 0  # how often its code has begun
        self.level = 0  # how many of them have been met
        self.count = 0  # decisions met
        self.known: dict[Value, Decision] = {}  # those that are met by their flag
        self.met: list[Decision] = []  # all of this run, by their ordinals
        self.objects: Objects | None = None  # what its code can reach; None for the whole function
        self.hashed: list[Number] = []  # numbers that have been keys since its code has begun

    def restores(self, owner: Any) -> bool:
        """Whether an object is as it was before the region when the region has ended, or is made in it."""
        return self.objects is None or id(owner) in self.objects.kept

    def start(self, forced: tuple[Choice, ...]) -> None:
        """Begin a run with these decisions made."""
        self.forced, self.level, self.count, self.block = forced, 0, 0, self.root
        self.known, self.met = {}, []
        self.runs += 1
        for number in self.hashed:  # until its code has come that far, it is compared as an open number again
            number.was_hashed = False
        self.hashed = []
        self.hooks.start()
        if not forced:
            self.tracer.builder.journals[self.root] = []
        self._recorded()

    def open(self, forced: tuple[Choice, ...]) -> None:
        """Go to the end of a chain of decisions without running code."""
        self.forced, self.level, self.count, self.block = (), 0, 0, self.root
        for choice in forced:
            self._go_to(choice.block)

    def stop(self, depth: int) -> None:
        """End a run: the insertion point is where it began."""
        del self.tracer.blocks[depth:]
        self.tracer.builder.block = self.root
        for choice in self.forced:
            self.tracer.builder.recorded.pop(choice.block, None)
        self.tracer.builder.recorded.pop(self.root, None)

    def _recorded(self) -> None:
        """Hand out what is recorded in this block, up to the next decision that is made."""
        builder = self.tracer.builder
        builder.recorded.pop(self.block, None)
        if self.level == len(self.forced):
            return
        choice = self.forced[self.level]
        if choice.whole:
            self._enter(choice)
        else:
            builder.recorded[self.block] = iter(builder.journals[self.block][: choice.position])

    def _enter(self, choice: Choice) -> None:
        self._go_to(choice.block)
        if choice is self.forced[-1]:
            self.tracer.builder.journals[choice.block] = []

    def _go_to(self, block: Block) -> None:
        self.block = self.tracer.builder.block = block
        self.tracer.blocks.append(block)

    def meet(self, loc: Loc) -> int | None:
        """Count a decision; the side it goes to, if it is made. loc: where it is."""
        number = self.count
        self.count += 1
        if self.level == len(self.forced) or self.forced[self.level].ordinal != number:
            return None
        choice = self.forced[self.level]
        if choice.loc is not None and choice.loc != loc:
            raise CaptureError(
                f"code that is captured once per path went another way than before: it came to another `if` than that "
                f"of {choice.loc.short()}",
                loc=loc,
                remedy="what decides the way must not change while the function is captured",
            )
        self.tracer.builder.recorded.pop(self.block, None)
        self.level += 1
        if not choice.whole:
            self._enter(choice)
        self._recorded()
        return choice.side


class Decision:
    """An `if` of the program that has been met in a run of a region.

    region: None for a program built by hand, where what follows can't be run again. about: what tells it from others of
    the same line.
    """

    def __init__(self, region: Region | None, flag: Value, about: Any = None) -> None:
        self.region = region
        self.flag = flag
        self.about = about
        self.loc = caller_loc()
        self.ordinal = self.level = self.position = 0
        self.side: int | None = None
        if region is not None:
            self.ordinal, self.level = region.count, region.level
            self.position = len(region.tracer.builder.journals.get(region.block, ()))
            self.side = region.meet(self.loc)
            region.met.append(self)

    def is_open(self) -> bool:
        """Whether the region that it belongs to still runs."""
        return self.region is not None and self.region in self.region.tracer.regions

    def fork(self, message: str) -> None:
        """Split, here or where the code around this was split; nothing if no such code runs any more."""
        found: Decision | None = self
        while found is not None and not found.is_open():
            found = None if found.region is None else found.region.owner
        if found is not None:
            found.split(message)

    def split(self, message: str = "", loc: Loc | None = None) -> NoReturn:
        """Trace what follows once per path."""
        if self.region is None or not self.is_open():
            raise CaptureError(message or "the paths of this `if` can't be told apart here", loc=loc or self.loc)
        tracer = self.region.tracer
        if self.region.statement is not None:
            tracer.split_before.add(self._key(self.region))
        tracer.unwinding = SplitNeeded(self)
        raise tracer.unwinding

    def expect(self) -> None:
        """Split at once where a run of the same statement had to: what comes before that needn't be traced in vain."""
        region = self.region
        if region is None or region.statement is None or self.side is not None or self.level < len(region.forced):
            return
        if self._key(region) in region.tracer.split_before:
            self.split()

    def _key(self, region: Region) -> tuple[int, Loc, Any]:
        return id(region.statement), self.loc, self.about


@asks_for_caller
def unswallowed(tracer: Tracer, code: Callable[[], Any]) -> Any:
    """What `code` returns; a split that a bare `except` or a `with` of the user's has swallowed goes on."""
    try:
        returned = code()
    except Exception:  # broad: whatever it is, it comes after the split
        if tracer.unwinding is None:
            raise
    if tracer.unwinding is not None:
        raise tracer.unwinding
    return returned


def decide(tracer: Tracer, flag: Value, about: Any = None) -> Decision:
    """Meet an `if` of the program."""
    if tracer.most_work is not None and tracer.builder.placed > tracer.most_work:
        _give_up(tracer, flag)
    made = Decision(tracer.regions[-1] if tracer.regions else None, flag, about)
    made.expect()
    return made


def _give_up(tracer: Tracer, flag: Value) -> NoReturn:
    """CaptureError that says which open numbers tell the decisions after which code was traced more than once."""
    error = NotWorthIt(
        "capturing all paths that open numbers leave takes many times the work of a program for their values",
        loc=caller_loc(),
    )
    by_line = sorted(tracer.split_flags.values(), key=len, reverse=True)
    for blamed in [*(flags[-1] for flags in by_line), flag]:
        if origins_in(with_origins(tracer, error, [blamed])) is not None:
            break
    raise error


def decide_on(tracer: Tracer, flag: Value, about: Any = None) -> Decision:
    """Meet an `if` on a flag again: in one region it goes to the same side each time."""
    if not tracer.regions:
        return Decision(None, flag)
    known = tracer.regions[-1].known
    if flag not in known:
        known[flag] = decide(tracer, flag, about)
    found: Decision = known[flag]
    return found


def conditions_around(tracer: Tracer, forced: Sequence[Choice]) -> list[Value]:
    """The flags by which a run gets to the code that runs now. forced: the decisions that are made in its region."""
    owners = [region.owner for region in tracer.regions]
    made = [region.met[c.ordinal] for region in tracer.regions for c in region.forced if c.ordinal < len(region.met)]
    met = tracer.regions[-1].met
    made += [met[c.ordinal] for c in forced if c.ordinal < len(met)]
    return [decision.flag for decision in (*owners, *made) if decision is not None]


def has_too_many(tracer: Tracer) -> bool:
    """Whether more code would be traced more than once than is worth it."""
    return is_cut_short(tracer) or _is_over(tracer, MOST_PLACED)


def is_cut_short(tracer: Tracer) -> bool:
    """Whether that is so only for an attempt that is to try little: another way may take less."""
    if not tracer.tries_few or _is_over(tracer, MOST_PLACED):
        return False
    if tracer.style.in_steps:
        return _is_over(tracer, MOST_TRIED_IN_STEPS)
    most = MOST_TRIED if tracer.branched else MOST_TRIED_OF_A_CHAIN
    return tracer.tail_copies > 2 * MOST_TRIED_COPIES and tracer.builder.placed > most


def _is_over(tracer: Tracer, placed: int) -> bool:
    copies = tracer.tail_copies
    is_long = copies + tracer.repeated_copies > MOST_TAIL_COPIES and tracer.builder.placed > placed
    return copies > 2 * _most(tracer) or is_long


def _most(tracer: Tracer) -> int:
    return MOST_STEPS // 2 if tracer.style.in_steps else MOST_TAIL_COPIES


def count_tail_copy(tracer: Tracer, decision: Decision, forced: tuple[Choice, ...]) -> None:
    """CaptureError when too much code has been traced more than once. forced: what is decided before."""
    if any(region.level < len(region.forced) for region in tracer.regions):
        tracer.repeated_copies += 1  # on the way to a decision: the program has them once
    else:
        tracer.tail_copies += 1
    tracer.branched = tracer.branched or any(choice.side for choice in forced)
    tracer.split_flags.setdefault(decision.loc, []).append(decision.flag)
    if has_too_many(tracer):
        count = min(_most(tracer), tracer.tail_copies // 2)
        raise CaptureError(
            f"the paths of this function end in more than {count} different ways, by this `if` and others: "
            "what follows an `if` whose paths leave values of different types is traced once for each",
            loc=decision.loc,
            remedy="give the variables values of the same type (shape, dtype, structure) on all paths",
        )
