"""Ranks as threads of one process, of which one runs at a time: the same run each time, and no deadlock unseen.

A rank runs until it exchanges or ends; then the next one runs. When none can go on, the requests that wait are
matched. Those that match are carried out in the order of ranks; if none does, all ranks get the same error.
"""

from __future__ import annotations

import contextvars
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.errors import ArgumentError, ExchangeError
from ..base.location import UNKNOWN, Loc
from ..dygraph.random_generators import default_generator
from ..ops.exchange import Request, Transport, complete, disagreement, place, with_transport
from ..static.rank_state import StaticState, leave_static

_ENDED = "has ended"
_OBJECT = "exchange_object"


@dataclass
class _Rank:
    """One rank: its thread, what it waits for, and what a process of its own would hold."""

    number: int
    go: threading.Event = field(default_factory=threading.Event)
    request: Request | None = None
    where: Loc = UNKNOWN
    result: Any = None
    error: BaseException | None = None  # to be raised where it waits
    ended: bool = False
    failed: BaseException | None = None
    returned: Any = None
    own: Any = None  # an _Own

    @property
    def says(self) -> str:
        """What it waits for, in words."""
        if self.failed is not None:
            return f"has failed: {type(self.failed).__name__}: {str(self.failed).splitlines()[0]}"
        if self.request is None:
            return _ENDED
        peer = "" if self.request.peer is None else f" with rank {self.request.group[self.request.peer]}"
        return self.request.signature + peer


class _RankTransport(Transport):
    name = "simulator"

    def __init__(self, simulator: Simulator, rank: _Rank) -> None:
        self.simulator, self.rank, self.size, self._rank = simulator, rank.number, len(simulator.ranks), rank

    def exchange(self, request: Request) -> Any:
        return self.simulator.wait(self._rank, request)

    def exchange_object(self, value: Any, group: tuple[int, ...]) -> list[Any]:
        found = self.simulator.wait(self._rank, Request(_OBJECT, None, group), value)
        return list(found)


class Simulator:
    """Runs a function on n ranks, one at a time. `exchanges` counts what was carried out, `bytes` what ranks gave."""

    def __init__(self, ranks: int) -> None:
        if ranks < 1:
            raise ArgumentError(f"run_ranks needs at least one rank, not {ranks}")
        self.ranks = [_Rank(k) for k in range(ranks)]
        self.exchanges, self.bytes = 0, 0
        self._main = threading.Event()
        self._objects: dict[int, Any] = {}

    def run(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """What `fn(*args, **kwargs)` returns on each rank. Errors: that of the first rank that failed by itself."""
        threads = []
        start = _Own.now()
        try:
            for rank in self.ranks:
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
        return [rank.returned for rank in self.ranks]

    def wait(self, rank: _Rank, request: Request, value: Any = None) -> Any:
        """A rank's part in an exchange: the other ranks run until its result is there."""
        rank.request, rank.where = request, place()
        if request.name == _OBJECT:
            self._objects[rank.number] = value
        self._pause(rank)
        rank.request = None
        if rank.error is not None:
            error, rank.error = rank.error, None
            raise error
        return rank.result

    # ---- one rank after the other

    def _live(self, rank: _Rank, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        rank.go.wait()
        rank.go.clear()
        rank.own.restore()
        leave_static()
        try:
            with with_transport(_RankTransport(self, rank)):
                rank.returned = fn(*args, **kwargs)
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
            if not waiting:
                return
            ready = self._matched(waiting) or self._stopped(waiting)

    def _matched(self, waiting: list[_Rank]) -> list[_Rank]:
        """Carry out every exchange whose ranks are all there; those that can go on."""
        done: list[_Rank] = []
        for rank in waiting:
            if rank in done or rank.request is None:
                continue
            if rank.request.is_pairwise:
                done += self._pair(rank)
            elif rank.request.group[0] == rank.number:
                done += self._together(rank.request.group)
        return sorted(done, key=lambda rank: rank.number)

    def _together(self, group: tuple[int, ...]) -> list[_Rank]:
        members = [self.ranks[k] for k in group]
        requests = [rank.request for rank in members if rank.request is not None and rank.request.group == group]
        if len(requests) < len(members) or len({request.signature for request in requests}) > 1:
            return []
        if any(request.is_pairwise for request in requests):
            return []
        if requests[0].name == _OBJECT:
            results = [[self._objects[k] for k in group]] * len(group)
        else:
            results = complete(requests[0].name, requests)
        for rank, result in zip(members, results, strict=True):
            rank.result = result
        self._count(requests)
        return members

    def _pair(self, rank: _Rank) -> list[_Rank]:
        """`send` on this rank and `recv` on its peer, of the same type."""
        request = rank.request
        if request is None or request.name != "send" or request.peer is None or request.array is None:
            return []
        other = self.ranks[request.group[request.peer]]
        wanted = other.request
        if wanted is None or wanted.name != "recv" or wanted.peer is None or wanted.array is None:
            return []
        if wanted.group[wanted.peer] != rank.number or not _alike(wanted.array, request.array):
            return []
        rank.result, other.result = None, request.array.copy()
        self._count([request])
        return [rank, other]

    def _count(self, requests: list[Request]) -> None:
        self.exchanges += 1
        self.bytes += sum(request.array.nbytes for request in requests if request.array is not None)

    def _stopped(self, waiting: list[_Rank]) -> list[_Rank]:
        """No rank can go on: each gets the error that names all."""
        for rank in waiting:
            said, places = [r.says for r in self.ranks], [UNKNOWN if r.ended else r.where for r in self.ranks]
            rank.error = disagreement(range(len(self.ranks)), said, places).at(rank.where)
        return waiting

    def _raise_first(self) -> None:
        failed = [rank for rank in self.ranks if rank.failed is not None]
        if not failed:
            return
        first = next((r for r in failed if not isinstance(r.failed, ExchangeError)), failed[0])
        assert first.failed is not None
        first.failed.add_note(f"on rank {first.number} of {len(self.ranks)}")
        raise first.failed


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
        names = unique_name.switch()
        unique_name.switch(names)
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
