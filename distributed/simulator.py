"""Ranks as threads of one process, of which one runs at a time: the same run each time, and no deadlock unseen.

A rank runs until it waits for an exchange or ends; then the next one runs. When none can go on, the requests that the
ranks have posted are matched, those of a group in their order. Those that match are carried out in the order of ranks;
if no rank can go on then, all get the same error.
"""

from __future__ import annotations

import contextvars
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.errors import ArgumentError, ExchangeError, RankLostError, VitrifyError
from ..base.location import UNKNOWN, Loc
from ..dygraph.random_generators import default_generator
from ..ops.exchange import Request, Transport, alone, complete, disagreement, place, with_transport
from ..ops.exchange_outline import Announced, Outline, compared
from ..static.rank_state import StaticState, leave_static

_ENDED = "has ended"
_SHRINK = "shrink"
_OBJECT = "exchange_object"


class RankKilled(BaseException):
    """Ends a simulated rank as a signal ends a process: no other rank hears of it before it waits for that one."""


@dataclass(eq=False)
class _Posted:
    """A request that a rank has posted, and its result. `value`: the object of `exchange_object`.

    outline: of the program whose first exchange it is.
    """

    request: Request
    where: Loc
    value: Any = None
    outline: Outline | None = None
    error: VitrifyError | None = None
    is_done: bool = False
    result: Any = None

    @property
    def says(self) -> str:
        """What it asks for, in words."""
        request = self.request
        peer = "" if request.peer is None else f" with rank {request.group[request.peer]}"
        return request.signature + peer


@dataclass
class _Rank:
    """One rank: its thread, what it waits for, and what a process of its own would hold."""

    number: int
    go: threading.Event = field(default_factory=threading.Event)
    posted: list[_Posted] = field(default_factory=list)  # what no other ranks have matched yet, in order
    tickets: dict[int, _Posted] = field(default_factory=dict)  # what it hasn't taken the results of
    last_ticket: int = 0
    awaited: tuple[_Posted, ...] = ()  # it goes on with the first of them that is done
    error: BaseException | None = None  # to be raised where it waits
    ended: bool = False
    lost: bool = False
    failed: BaseException | None = None
    returned: Any = None
    own: Any = None  # an _Own

    @property
    def says(self) -> str:
        """What it waits for, in words."""
        if self.lost:
            return "is lost"
        if self.failed is not None:
            reason, *_ = [*str(self.failed).splitlines(), ""]
            return f"has failed: {type(self.failed).__name__}{reason and ': '}{reason}"
        return self.posted[0].says if self.posted and not self.ended else _ENDED

    @property
    def where(self) -> Loc:
        """The line that asks for it."""
        return self.posted[0].where if self.posted and not self.ended else UNKNOWN


class _RankTransport(Transport):
    name = "simulator"

    def __init__(self, simulator: Simulator, rank: _Rank) -> None:
        self._announced = Announced()
        self.simulator, self.rank, self.size, self._rank = simulator, rank.number, len(simulator.ranks), rank

    def shrink(self) -> tuple[int, ...]:
        left = self.simulator.shrink(self._rank)
        self._announced = Announced()
        self.rank, self.size = self._rank.number, len(self.simulator.ranks)
        return left

    def start(self, request: Request) -> int:
        outline = None if request.is_pairwise else self._announced.take(request.group)
        return self.simulator.post(self._rank, request, outline=outline)

    def announce(self, outlines: Mapping[tuple[int, ...], Outline]) -> None:
        self._announced.begin(outlines, tuple(range(self.size)))

    def program_ended(self) -> None:
        self._announced.end()

    def ready(self, ticket: int) -> bool:
        return self._rank.tickets[ticket].is_done

    def finish(self, ticket: int) -> Any:
        return self.simulator.finish(self._rank, ticket)

    def first_ready(self, tickets: Sequence[int]) -> int:
        return self.simulator.first_ready(self._rank, tickets)

    def exchange_object(self, value: Any, group: tuple[int, ...]) -> list[Any]:
        ticket = self.simulator.post(self._rank, Request(_OBJECT, None, group), value)
        return list(self.finish(ticket))


class Simulator:
    """Runs a function on n ranks, one at a time. `exchanges` counts what was carried out, `bytes` what ranks gave."""

    def __init__(self, ranks: int) -> None:
        if ranks < 1:
            raise ArgumentError(f"run_ranks needs at least one rank, not {ranks}")
        self.everyone = [_Rank(k) for k in range(ranks)]
        self.ranks = [*self.everyone]  # those that aren't lost, by their numbers
        self.exchanges, self.bytes = 0, 0
        self._main = threading.Event()

    def run(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """What `fn(*args, **kwargs)` returns on each rank. Errors: that of the first rank that failed by itself."""
        threads = []
        start = _Own.now()
        try:
            for rank in self.everyone:
                rank.own = start.copy()
                context = contextvars.copy_context()
                thread = threading.Thread(
                    target=context.run, args=(self._live, rank, fn, args, kwargs), daemon=True,
                    name=f"vitrify-rank-{rank.number}",
                )  # fmt: skip
                threads.append(thread)
                thread.start()
            self._run_all()
            for thread in threads:
                thread.join()
        finally:
            start.restore()
        self._raise_first()
        return [rank.returned for rank in self.everyone]

    def post(self, rank: _Rank, request: Request, value: Any = None, outline: Outline | None = None) -> int:
        """A rank asks for its part in an exchange, and goes on; the ticket to finish it by."""
        item = _Posted(request, place(), value, outline)
        rank.posted.append(item)
        rank.last_ticket += 1
        rank.tickets[rank.last_ticket] = item
        return rank.last_ticket

    def finish(self, rank: _Rank, ticket: int) -> Any:
        """A rank waits: the other ranks run until the result is there."""
        item = rank.tickets.pop(ticket)
        self._wait(rank, (item,))
        if item.error is not None:
            raise item.error
        return item.result

    def first_ready(self, rank: _Rank, tickets: Sequence[int]) -> int:
        """A rank waits for one of several: the place of the first that is done."""
        items = tuple(rank.tickets[ticket] for ticket in tickets)
        self._wait(rank, items)
        return next(k for k, item in enumerate(items) if item.is_done)

    def shrink(self, rank: _Rank) -> tuple[int, ...]:
        """Wait until all ranks that aren't lost come here; those are the ranks from then on."""
        rank.posted.clear()
        rank.tickets.clear()
        ticket = self.post(rank, Request(_SHRINK, None, ()))
        left: tuple[int, ...] = self.finish(rank, ticket)
        return left

    def _wait(self, rank: _Rank, items: tuple[_Posted, ...]) -> None:
        """The other ranks run until one of these is done."""
        rank.awaited = items
        if not any(item.is_done for item in items):
            if rank.ended:
                raise ExchangeError(f"rank {rank.number} has ended without a wait for {items[0].says}",
                                    remedy="wait for tasks before the function returns").at(items[0].where)  # fmt: skip
            self._pause(rank)
        rank.awaited = ()
        if rank.error is not None:
            error, rank.error = rank.error, None
            raise error

    # ---- one rank after the other

    def _live(self, rank: _Rank, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        rank.go.wait()
        rank.go.clear()
        rank.own.restore()
        leave_static()
        try:
            with with_transport(_RankTransport(self, rank)):
                rank.returned = fn(*args, **kwargs)
        except RankKilled:
            rank.lost = True
        except BaseException as error:  # broad: any failure of the user's function is handed to the caller of `run`
            rank.failed = error
        finally:
            leave_static()
            rank.ended = True
            self._main.set()

    def _pause(self, rank: _Rank) -> None:
        rank.own = _Own.now()
        self._main.set()
        rank.go.wait()
        rank.go.clear()
        rank.own.restore()

    def _resume(self, rank: _Rank) -> None:
        rank.go.set()
        self._main.wait()
        self._main.clear()

    def _run_all(self) -> None:
        ready = list(self.ranks)
        while ready:
            for rank in ready:
                self._resume(rank)
            waiting = [rank for rank in self.ranks if not rank.ended]
            ready = waiting and (self._matched(waiting) or self._stopped(waiting))
        self._end()

    def _matched(self, waiting: list[_Rank]) -> list[_Rank]:
        """Carry out every exchange whose ranks are all there; those that can go on."""
        progress = not self._shrunk(waiting)
        while progress:
            progress = False
            for rank in self.ranks:
                for item in [*rank.posted]:
                    if item in rank.posted:
                        progress |= self._pair(rank, item) if item.request.is_pairwise else self._together(rank, item)
        return [rank for rank in waiting if any(item.is_done for item in rank.awaited)]

    def _shrunk(self, waiting: list[_Rank]) -> bool:
        """Leave the lost ranks out where all others want that."""
        items = [rank.awaited[0] for rank in waiting if rank.awaited and rank.awaited[0].request.name == _SHRINK]
        if not items or len(items) < len(self.ranks) - sum(rank.lost for rank in self.ranks):
            return False
        left = tuple(rank.number for rank in waiting)
        self.ranks = waiting
        for k, (rank, item) in enumerate(zip(waiting, items, strict=True)):
            rank.number = k
            self._done(rank, item, left)
        return True

    def _together(self, first: _Rank, item: _Posted) -> bool:
        """Carry out an exchange of a whole group, whose first rank has posted `item`."""
        group = item.request.group
        if group[0] != first.number:
            return False
        items = [next((p for p in self.ranks[k].posted if _is_of(p, group)), None) for k in group]
        present = [p for p in items if p is not None]
        if len(present) < len(group) or len({p.request.signature for p in present}) > 1 or present[0] is not item:
            return False
        requests = [p.request for p in present]
        if any(p.outline is not None for p in present):
            for p in present:
                error = compared(group, [other.outline for other in present])
                p.error = error.at(p.where) if error is not None else None
        if item.request.name == _OBJECT:
            results = [[p.value for p in present]] * len(group)
        else:
            results = complete(item.request.name, requests)
        for k, posted, result in zip(group, present, results, strict=True):
            self._done(self.ranks[k], posted, result)
        self._count(requests)
        return True

    def _pair(self, rank: _Rank, item: _Posted) -> bool:
        """`send` on this rank and `recv` on its peer, of the same type; the oldest ones of both."""
        request = item.request
        if request.name != "send" or request.peer is None or request.array is None:
            return False
        other = self.ranks[request.group[request.peer]]
        mine = next(p for p in rank.posted if _is_between(p, "send", other.number))
        wanted = next((p for p in other.posted if _is_between(p, "recv", rank.number)), None)
        if mine is not item or wanted is None or not _alike(wanted.request.array, request.array):
            return False
        self._done(rank, item, None)
        self._done(other, wanted, request.array.copy())
        self._count([request])
        return True

    def _done(self, rank: _Rank, item: _Posted, result: Any) -> None:
        rank.posted.remove(item)
        item.is_done, item.result = True, result

    def _count(self, requests: list[Request]) -> None:
        self.exchanges += 1
        self.bytes += sum(request.array.nbytes for request in requests if request.array is not None)

    def _stopped(self, waiting: list[_Rank]) -> list[_Rank]:
        """No rank can go on: each gets the error that names all. Where ranks are lost, those that shrink wait on."""
        lost = [rank.number for rank in self.ranks if rank.lost]
        others = [rank for rank in waiting if rank.awaited[0].request.name != _SHRINK]
        if lost and others:
            for rank in others:
                rank.error = _lost(lost).at(rank.where)
                rank.posted.clear()
            return others
        for rank in waiting:
            said, places = [r.says for r in self.ranks], [r.where for r in self.ranks]
            rank.error = disagreement(range(len(self.ranks)), said, places).at(rank.where)
        for rank in self.ranks:
            rank.posted.clear()
        return waiting

    def _end(self) -> None:
        """All ranks have ended: carry out what they have left open. What is of one rank alone is its error."""
        if any(rank.lost or rank.failed is not None for rank in self.everyone):
            return
        self._matched([])
        said = [rank.posted[0].says if rank.posted else _ENDED for rank in self.ranks]
        places = [rank.posted[0].where if rank.posted else UNKNOWN for rank in self.ranks]
        for rank in self.ranks:
            for item in rank.posted[:1]:
                if item.request.is_pairwise:
                    error = alone(rank.number, item.request)
                else:
                    error = disagreement(range(len(self.ranks)), said, places)
                rank.failed = error.at(item.where)

    def _raise_first(self) -> None:
        failed = [rank for rank in self.everyone if rank.failed is not None]
        if not failed:
            return
        first = next((r for r in failed if not isinstance(r.failed, ExchangeError)), failed[0])
        assert first.failed is not None
        first.failed.add_note(f"on rank {self.everyone.index(first)} of {len(self.everyone)}")
        raise first.failed


def _lost(ranks: Sequence[int]) -> VitrifyError:
    return RankLostError(f"lost: rank {', '.join(map(str, ranks))}", remedy="train by distributed.elastic.run")


def _is_of(item: _Posted, group: tuple[int, ...]) -> bool:
    return item.request.group == group and not item.request.is_pairwise


def _is_between(item: _Posted, name: str, other: int) -> bool:
    """Whether this is a `send` to, or a `recv` from, that rank."""
    request = item.request
    return request.name == name and request.peer is not None and request.group[request.peer] == other


def _alike(a: Any, b: Any) -> bool:
    return bool(a.dtype == b.dtype) and bool(a.shape == b.shape)


@dataclass(frozen=True, slots=True)
class _Own:
    """What a process of its own would hold: random streams, and the names given so far."""

    plain: Any
    numpy: Any
    stream: Any  # the memory of our generator's state: a program that waits in an exchange reads it on
    names: unique_name.UniqueNameGenerator
    static: StaticState

    @classmethod
    def now(cls) -> _Own:
        names, checker = unique_name.switch()
        unique_name.switch(names, checker)
        return cls(
            random.getstate(), np.random.get_state(), default_generator.state._storage.payload, names, StaticState.now()
        )

    def copy(self) -> _Own:
        names = unique_name.UniqueNameGenerator(self.names.prefix)
        names.ids = dict(self.names.ids)
        return _Own(self.plain, self.numpy, self.stream.copy(), names, StaticState.fresh())

    def restore(self) -> None:
        random.setstate(self.plain)
        np.random.set_state(self.numpy)
        default_generator.state._storage.payload = self.stream
        unique_name.switch(self.names)
        self.static.restore()


def run_ranks(fn: Callable[..., Any], *args: Any, ranks: int, **kwargs: Any) -> list[Any]:
    """Run `fn(*args, **kwargs)` as that many ranks in this process; what each returned, by rank.

    Each rank is a thread with its own random streams and names of parameters; one runs at a time, from exchange to
    exchange, so a run is the same each time. Sums are taken from rank 0 to the last. What `fn` reads from outside is
    shared: make models inside. Static programs and scopes are each rank's own, and empty at first.
    Errors: that of the first rank that failed; ExchangeError, with what each rank waits for and its line, where they
    don't ask for the same exchange.

    >>> from vitrify import to_tensor
    >>> from vitrify.distributed import all_reduce, get_rank
    >>> def total():
    ...     x = to_tensor([1.0 + get_rank()])
    ...     all_reduce(x)
    ...     return x.item()
    >>> run_ranks(total, ranks=3)
    [6.0, 6.0, 6.0]
    """
    return Simulator(ranks).run(fn, args, kwargs)
