"""Exchanges through MPI (mpi4py). Reductions add from rank 0 to the last, as the simulator does: the same bits.

Before each exchange the ranks of the group compare what they ask for. So ranks that disagree get an error that names
all, and a rank that waits too long says for what. Arrays travel as bytes: MPI needs to know no dtype of ours.

An exchange is a generator that gives MPI's requests, one after the other: it goes on where that is complete. Those of
one group follow each other, so that all ranks post the same calls in the same order; started ones go on whenever this
rank starts another exchange, or waits. The comparison carries the arrays that fit into it; and where it shows that all
ranks wait for this exchange alone, the arrays travel by blocking calls, which cost far less.
"""

from __future__ import annotations

import json
import math
import os
import time
import zlib
from collections import Counter, deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

import numpy as np

from ..base.errors import ArgumentError, ExchangeError, VitrifyError
from ..base.location import Loc
from ..ops.exchange import Request, Transport, alone, place
from ..ops.exchange_outline import Announced, Outline
from ..runtime.vm.native_source.layout import PortWord
from .failures_of_ranks import HEARD, Failures
from .mpi_calls import CARRIED, Link, Steps, bytes_of
from .mpi_probes import AnyOf, Probe, text_of, unlike
from .mpi_routes import MpiRoute, Port, plan_of
from .mpi_words import (
    ENDED,
    INLINE,
    PROGRAM,
    Channel,
    disagreement_of,
    ended,
    inlined,
    is_agreed,
    kind_of,
    rows,
    same_programs,
    texts_of,
)

Array = Any
Counts: TypeAlias = Counter[tuple[str, tuple[int, ...], int]]  # by a send's or receive's name, group, other rank
MOST_CHECKSUMS = 4096  # of different exchanges, kept
MOST_ROUTES = 1024
SPIN = 1e-3  # seconds before a rank that waits gives its core away
SPINS = 1000  # so often native code asks whether the other ranks have come before it leaves that to Python
LOOK = 0.05  # seconds between looks for ranks that have failed
PATIENCE = 30.0  # seconds, or a quarter of the limit, before a rank tells the others that it waits
_HEADER, _DATA, _WAITS, _REFUSED, _ENDED = 1, 2, 3, 4, 5  # tags of messages between two ranks
_INLINE = ("all_reduce", "all_gather")


def _seconds() -> float:
    """How long an exchange may wait for other ranks: VITRIFY_EXCHANGE_TIMEOUT, by default half an hour.

    Errors: ArgumentError where it is no number above 0.
    """
    said = os.environ.get("VITRIFY_EXCHANGE_TIMEOUT", "1800")
    try:
        return checked_limit(float(said))
    except ValueError as error:
        raise ArgumentError(f"VITRIFY_EXCHANGE_TIMEOUT is {said!r}", remedy="give seconds, above 0") from error


def checked_limit(seconds: float) -> float:
    """Seconds that an exchange may wait. Errors: ArgumentError unless they are above 0."""
    if not seconds > 0:
        raise ArgumentError(f"an exchange can't wait {seconds:g} seconds at the most", remedy="give more than 0")
    return seconds


@dataclass(eq=False)
class _Started:
    """An exchange under way: what is left of it, and what MPI has to complete first."""

    request: Request
    where: Loc
    steps: Steps
    queue: Hashable
    pending: Any = None
    number: int = 0  # of a send or a receive: how many there have been of its kind, with it
    is_done: bool = False
    result: Any = None
    error: ExchangeError | None = None

    def advance(self) -> bool:
        """Go on as far as that is possible without waiting; whether it has ended."""
        try:
            while self.pending is None or self.pending.Test():
                self.pending = next(self.steps)
        except StopIteration as stop:
            self.is_done, self.result = True, stop.value
        except ExchangeError as error:
            self.is_done, self.error = True, error
        return self.is_done


class MpiTransport(Transport):
    """The ranks of MPI's world. `mpi`: the module mpi4py.MPI; limit: seconds that an exchange may wait for others."""

    name = "mpi"

    def __init__(self, mpi: Any, limit: float | None = None) -> None:
        self._announced = Announced()
        self.mpi = mpi
        self.limit = _seconds() if limit is None else checked_limit(limit)
        self._failures = Failures.of_launch()
        self._numbers = count(1)
        self._checksums: dict[Hashable, int] = {}
        self._port = Port.of(mpi)
        self._begin(mpi.COMM_WORLD.Dup(), mpi.COMM_WORLD.Dup())

    def _begin(self, arrays: Any, words: Any) -> None:
        """Have these communicators of all ranks, and nothing under way."""
        self.rank, self.size = arrays.Get_rank(), arrays.Get_size()
        everyone = self._everyone = tuple(range(self.size))
        self._channels = {everyone: Channel(arrays, words, everyone)}
        self._queues: dict[Hashable, deque[_Started]] = {}
        self._tickets: dict[int, _Started] = {}
        self._pairs: Counts = Counter()  # sends and receives so far
        self._totals: list[Counts] | None = None  # of all ranks, when they have ended
        self._ended: dict[int, tuple[dict[Any, int], dict[Any, int]]] = {}  # ranks, and what they took part in
        self._sent: list[Any] = []  # notes to other ranks, kept while MPI reads them
        self._routes: dict[Hashable, MpiRoute | None] = {}

    def start(self, request: Request) -> int:
        ticket = next(self._numbers)
        self._tickets[ticket] = self._post(request, place())
        return ticket

    def ready(self, ticket: int) -> bool:
        self._advance()
        return self._tickets[ticket].is_done

    def progress(self) -> None:
        self._advance()

    def finish(self, ticket: int) -> Array:
        return self._finish(self._tickets.pop(ticket))

    def exchange(self, request: Request) -> Array:
        route = None if self._queues or request.group in self._announced else self.route(request)
        return self.by_calls(request) if route is None or not route.is_open else route.run(request)

    def again(
        self, name: str, array: Array, group: tuple[int, ...], reduction: str | None = None, root: int | None = None
    ) -> Array | None:
        members = group or self._everyone
        if self._queues or members in self._announced:
            return None
        route = self._routes.get((name, (array.dtype, array.shape), members, reduction, root))
        return None if route is None or not route.is_open else route.run_on(array)

    def announce(self, outlines: Mapping[tuple[int, ...], Outline]) -> None:
        self._announced.begin(outlines, self._everyone)

    def program_ended(self) -> None:
        self._announced.end()

    def by_calls(self, request: Request) -> Array:
        """An exchange through mpi4py."""
        return self._finish(self._post(request, place(), is_alone=not self._queues))

    def route(self, request: Request) -> MpiRoute | None:
        array = request.array
        kind = None if array is None else (array.dtype, array.shape)
        key = request.name, kind, request.group, request.reduction, request.root
        try:
            return self._routes[key]
        except KeyError:
            if len(self._routes) >= MOST_ROUTES:
                self._routes.clear()
            made = self._routes[key] = self._new_route(request)
            return made

    def _new_route(self, request: Request) -> MpiRoute | None:
        if self._port is None or request.is_pairwise:
            return None
        made = MpiRoute(self, self._port, request, self._checksum(request), SPINS)
        plan = plan_of(self._port, request, INLINE, made.asked.ctypes.data, made.channel.own.nbytes)
        if plan is None:
            return None
        if request.reduction and request.array is not None:
            if not made.join_by(request.reduction, request.array.dtype, len(request.group)):
                return None
        made.follow(plan)
        return made

    def in_force(self, only: bool) -> None:
        if self._port is not None:
            self._port.words[PortWord.OPEN] = only

    def go_on(self, request: Request, channel: Channel, waiting: int | None, error: int) -> Array:
        """What native code has begun: the ranks tell each other what they ask for, or have done so.

        waiting: MPI's request that has to be complete before. error: MPI's code, or 0. Errors: ExchangeError.
        """
        where = place()
        if error:
            raise ExchangeError(f"{request.signature}: {self.mpi.Get_error_string(error)}").at(where)
        pending = None if waiting is None else self.mpi.Request.fromhandle(waiting)
        steps = self._compared(channel, request, where, "", channel.asked)
        return self._finish(self._queued(_Started(request, where, steps, request.group, pending)))

    def exchange_object(self, value: Any, group: tuple[int, ...]) -> list[Any]:
        return list(self._finish(self._post(Request("exchange_object", None, group), place(), json.dumps(value))))

    # ---- exchanges under way

    def _post(self, request: Request, where: Loc, text: str = "", is_alone: bool = False) -> _Started:
        """Begin an exchange. is_alone: this rank will wait for it, and for nothing else."""
        channel = self.channel(request.group)
        queue: Hashable = request.group
        if request.is_pairwise:
            steps = (self._sends if request.name == "send" else self._receives)(channel, request, where)
            queue = request.name, request.group, request.peer
            self._pairs[self._pair(request)] += 1
            return self._queued(_Started(request, where, steps, queue, number=self._pairs[self._pair(request)]))
        steps = self._together(channel, request, where, text, is_alone)
        return self._queued(_Started(request, where, steps, queue))

    def _queued(self, item: _Started) -> _Started:
        self._queues.setdefault(item.queue, deque()).append(item)
        self._say_busy()
        self._advance()
        return item

    def _together(self, channel: Channel, request: Request, where: Loc, text: str, is_alone: bool) -> Steps:
        array: Array = request.array if request.name in _INLINE else None
        if array is not None and array.nbytes > INLINE:
            array = None
        outline = self._announced.take(request.group)
        number = 0 if outline is None else outline.number << PROGRAM
        own, asked = rows(channel, number | self._checksum(request) << 1 | is_alone, array)
        yield channel.words.Iallgather(bytes_of(own), bytes_of(asked))
        return (yield from self._compared(channel, request, where, text, asked, outline))

    def _compared(
        self, channel: Channel, request: Request, where: Loc, text: str, asked: Array, outline: Outline | None = None
    ) -> Steps:
        """What follows once all ranks have said what they ask for. outline: of the program that runs first here."""
        if not is_agreed(asked):
            raise (yield from disagreement_of(channel, request.signature, where))
        if len({program for number in asked[:, 0].tolist() if (program := number >> PROGRAM)}) > 1:
            yield from same_programs(channel, outline, where)
        if request.name == "barrier":
            return None
        array: Array = request.array
        if request.name in _INLINE and array.nbytes <= INLINE:
            return inlined(asked, request, array)
        if request.name == "exchange_object":
            return [json.loads(found) for found in (yield from texts_of(channel.arrays, text))]
        link = Link(channel.arrays, bool((asked[:, 0] & 1).all()))
        return (yield from CARRIED[request.name](link, request.array, request))

    def _checksum(self, request: Request) -> int:
        """What has to be equal on all ranks, as a number of 32 bits."""
        array = request.array
        kind = None if array is None else (array.dtype, array.shape)
        key = request.name, kind, request.reduction, request.root
        found = self._checksums.get(key)
        if found is None:
            if len(self._checksums) >= MOST_CHECKSUMS:
                self._checksums.clear()
            found = self._checksums[key] = zlib.crc32(request.signature.encode())
        return found

    def _advance(self) -> None:
        for queue in list(self._queues):
            items = self._queues[queue]
            while items and items[0].advance():
                items.popleft()
            if not items:
                del self._queues[queue]
                self._say_busy()

    def _say_busy(self) -> None:
        """Native code exchanges only where nothing is under way."""
        if self._port is not None:
            self._port.words[PortWord.UNDER_WAY] = len(self._queues)

    def _finish(self, item: _Started) -> Any:
        """Wait for an exchange; after a while give the core away.

        Errors: ExchangeError when that takes too long, or another rank has failed meanwhile.
        """
        start, look, tell = time.monotonic(), LOOK, min(PATIENCE, self.limit / 4)
        while True:
            for _ in range(64):
                self._advance()
                if item.is_done:
                    return _outcome(item)
            waited = time.monotonic() - start
            if waited > look:
                look = waited + LOOK
                self._failures.check(self.rank, item.where)
                self._look_for_ended(item)
            if waited > tell and not item.request.is_pairwise:
                tell = math.inf
                self._tell(item.request)
            if waited > self.limit:
                raise self._late(item)
            if waited > SPIN:
                time.sleep(0 if waited < 10 * SPIN else 1e-4)

    def _tell(self, request: Request) -> None:
        """Tell the other ranks that this one waits, so that they know who doesn't."""
        channel = self.channel(request.group)
        for peer, rank in enumerate(request.group):
            if rank != self.rank:
                self._sent.append(channel.words.Isend(np.array([channel.count], np.int64), peer, _WAITS))

    def _late(self, item: _Started) -> VitrifyError:
        """The error of an exchange that others haven't come to in time: it names those that haven't said they wait."""
        request = item.request
        channel = self.channel(request.group)
        if request.peer is not None:
            absent = [request.group[request.peer]]
        else:
            absent = [rank for peer, rank in enumerate(request.group)
                      if rank != self.rank and not self._waits(channel, peer)]  # fmt: skip
        who = f"rank {absent[0]} hasn't" if len(absent) == 1 else f"ranks {', '.join(map(str, absent))} haven't"
        return ExchangeError(
            f"rank {self.rank} has waited {self.limit:g} s in {request.signature}: {who} come",
            remedy="look at what they do; VITRIFY_EXCHANGE_TIMEOUT, or init_parallel_env(timeout=...), sets the limit",
        ).at(item.where)

    def _waits(self, channel: Channel, peer: int) -> bool:
        """Whether a rank has said that it waits in the exchange that this one waits in."""
        said, words = np.zeros(1, np.int64), channel.words
        while words.Iprobe(peer, _WAITS):
            words.Recv(said, peer, _WAITS)
        return bool(said[0] >= channel.count)

    def end(self) -> None:
        """Tell the other ranks that this one's program has ended; ranks that still exchange get an error.

        What this rank has started and nobody has waited for is carried out first.
        Errors: ExchangeError for a send or a receive whose other half no rank has asked for.
        """
        for item in [item for items in self._queues.values() for item in items if not item.request.is_pairwise]:
            self._finish(item)  # the other ranks may wait for them
        if self._totals is None:
            self._say_ended()
            steps = ended(self._channels[self._everyone], json.dumps([[*key, k] for key, k in self._pairs.items()]))
            item = _Started(Request(ENDED, None, self._everyone), place(), steps, self._everyone)
            said = self._finish(self._queued(item))
            self._hear_all()
            self._totals = [Counter({(n, tuple(g), p): k for n, g, p, k in json.loads(text)}) for text in said]
        self._end_pairs(self._totals)

    def _say_ended(self) -> None:
        """Tell each other rank what this one has taken part in: so ranks that wait for more know that it won't come."""
        done = [[list(group), channel.count] for group, channel in self._channels.items() if group != self._everyone]
        for rank in self._everyone:
            if rank != self.rank:
                pairs = [[name, list(group), k] for (name, group, other), k in self._pairs.items() if other == rank]
                text = np.frombuffer(json.dumps([done, pairs]).encode(), np.uint8)
                self._sent.append(self._channels[self._everyone].words.Isend(text, rank, _ENDED))

    def _hear(self) -> None:
        """Note which ranks have ended."""
        words = self._channels[self._everyone].words
        for rank in self._everyone:
            said = Probe(self.mpi, words, rank, _ENDED, self.mpi.Status())
            if rank != self.rank and rank not in self._ended and said.Test():
                done, pairs = json.loads(text_of(said))
                groups = {tuple(group): k for group, k in done}
                self._ended[rank] = groups, {(name, tuple(group)): k for name, group, k in pairs}

    def _hear_all(self) -> None:
        """All ranks have ended, and said so: no message of theirs is left."""
        while len(self._ended) < self.size - 1:
            self._hear()

    def _look_for_ended(self, item: _Started) -> None:
        """Errors: ExchangeError where a rank that this one waits for has ended. All ranks together tell each other."""
        request = item.request
        if request.group == self._everyone and not request.is_pairwise:
            return
        self._hear()
        for rank in request.group:
            if rank not in self._ended:
                continue
            groups, pairs = self._ended[rank]
            if request.is_pairwise:
                other = "recv" if request.name == "send" else "send"
                is_coming = (
                    rank != request.group[request.peer or 0] or pairs.get((other, request.group), 0) >= item.number
                )
            else:
                is_coming = groups.get(request.group, 0) >= self.channel(request.group).count
            if not is_coming:
                peer = "" if request.peer is None else f" with rank {rank}"
                raise ExchangeError(f"rank {self.rank} waits in {request.signature}{peer}: rank {rank} has ended",
                                    remedy="let all ranks of the exchange take part in it").at(item.where)  # fmt: skip

    def _end_pairs(self, totals: list[Counts]) -> None:
        """Carry out the sends and receives that both ranks have asked for. totals: how many each rank has, of each.

        The k-th send of a rank to another in a group belongs to the k-th receive there.
        """
        lonely: list[_Started] = []
        for (name, group, peer), items in [(self._pair(items[0].request), [*items]) for items in self._queues.values()]:
            other = "recv" if name == "send" else "send"
            surplus = self._pairs[name, group, peer] - totals[peer][other, group, self.rank]
            both = max(0, len(items) - max(0, surplus))
            lonely += items[both:]
            for item in items[:both]:
                self._finish(item)
        for item in lonely[:1]:
            raise alone(self.rank, item.request).at(item.where)

    def _pair(self, request: Request) -> tuple[str, tuple[int, ...], int]:
        """Of a send or a receive: its name, the group and the other rank, by its number among all."""
        assert request.peer is not None
        return request.name, request.group, request.group[request.peer]

    def abort(self) -> None:
        """End all ranks, a moment after this one's failure is written down: those that wait hear of it, and say so."""
        time.sleep(HEARD)
        self.mpi.COMM_WORLD.Abort(1)

    # ---- what the ranks ask for

    def channel(self, group: tuple[int, ...]) -> Channel:
        """The communicators of a group."""
        found = self._channels.get(group)
        if found is None:
            world = self._channels[self._everyone].arrays
            chosen = world.Get_group().Incl(list(group))
            made = world.Create_group(chosen, zlib.crc32(repr(group).encode()) & 0x7FFF)
            found = self._channels[group] = Channel(made, made.Dup(), group)
        return found

    # ---- between two ranks

    def _sends(self, channel: Channel, request: Request, where: Loc) -> Steps:
        kind = kind_of(request.array)
        header = channel.words.Isend(np.frombuffer(kind.encode(), np.uint8), request.peer, _HEADER)
        data = channel.arrays.Issend(bytes_of(request.array), request.peer, _DATA)
        refusal = Probe(self.mpi, channel.words, request.peer, _REFUSED, self.mpi.Status())
        yield AnyOf(data, refusal)
        wanted = text_of(refusal) if refusal.Test() else None
        yield data
        yield header
        if wanted is not None:
            raise unlike(self.rank, kind, request.group[request.peer or 0], wanted).at(where)

    def _receives(self, channel: Channel, request: Request, where: Loc) -> Steps:
        """Receive an array. One of another kind is refused first, and then taken: so its sender hears of it."""
        header = Probe(self.mpi, channel.words, request.peer, _HEADER, self.mpi.Status())
        yield header
        sent, wanted = text_of(header), kind_of(request.array)
        if sent != wanted:
            yield channel.words.Issend(np.frombuffer(wanted.encode(), np.uint8), request.peer, _REFUSED)
            data = Probe(self.mpi, channel.arrays, request.peer, _DATA, self.mpi.Status())
            yield data
            data.taken()
            raise unlike(request.group[request.peer or 0], sent, self.rank, wanted).at(where)
        made = np.empty_like(request.array)
        yield channel.arrays.Irecv(bytes_of(made), request.peer, _DATA)
        return made


def _outcome(item: _Started) -> Any:
    if item.error is not None:
        raise item.error
    return item.result
