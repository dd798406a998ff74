"""Exchanges through MPI (mpi4py). Reductions add from rank 0 to the last, as the simulator does: the same bits.

Before each exchange the ranks of the group compare what they ask for. So ranks that disagree get an error that names
all, and a rank that waits too long says for what. Arrays travel as bytes: MPI needs to know no dtype of ours.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.dtype import of_array
from ..base.errors import ExchangeError
from ..base.location import Loc
from ..ops.exchange import Request, Transport, combined, disagreement, place

Array = Any
SMALL = 16 << 10  # up to so many bytes each rank gets all arrays: one exchange instead of two
_HEADER, _DATA = 1, 2  # tags of messages between two ranks
_ENDED = "has ended"


def _seconds() -> float:
    """How long an exchange may wait for other ranks: VITRIFY_EXCHANGE_TIMEOUT, by default half an hour."""
    return float(os.environ.get("VITRIFY_EXCHANGE_TIMEOUT", "1800"))


@dataclass(frozen=True, slots=True)
class _Channel:
    """The communicators of one group: one for arrays, one for what the ranks ask for."""

    arrays: Any
    words: Any
    group: tuple[int, ...]


class MpiTransport(Transport):
    """The ranks of MPI's world. `mpi`: the module mpi4py.MPI."""

    name = "mpi"

    def __init__(self, mpi: Any) -> None:
        self.mpi = mpi
        world = mpi.COMM_WORLD
        self.rank, self.size = world.Get_rank(), world.Get_size()
        everyone = tuple(range(self.size))
        self._channels = {everyone: _Channel(world.Dup(), world.Dup(), everyone)}
        self._everyone = everyone

    def exchange(self, request: Request) -> Array:
        channel = self._channel(request.group)
        if request.is_pairwise:
            return self._send(channel, request) if request.name == "send" else self._recv(channel, request)
        self._agree(channel, request.signature, place)
        if request.name == "barrier":
            return None
        return _CARRIED[request.name](channel.arrays, request.array, request)

    def exchange_object(self, value: Any, group: tuple[int, ...]) -> list[Any]:
        channel = self._channel(group)
        self._agree(channel, "exchange_object()", place)
        return [json.loads(text) for text in _texts(channel.arrays, json.dumps(value))]

    def end(self) -> None:
        """Tell the other ranks that this one's program has ended; ranks that still exchange get an error."""
        words = self._channels[self._everyone].words
        wait = self._wait_for(words, _ENDED, place)
        while (asked := _gathered(words, wait, _ENDED)).min() != asked.max():
            _texts(words, json.dumps([_ENDED, "", 0]))  # they look who isn't there

    # ---- what the ranks ask for

    def _channel(self, group: tuple[int, ...]) -> _Channel:
        found = self._channels.get(group)
        if found is None:
            world = self._channels[self._everyone].arrays
            chosen = world.Get_group().Incl(list(group))
            made = world.Create_group(chosen, zlib.crc32(repr(group).encode()) & 0x7FFF)
            found = self._channels[group] = _Channel(made, made.Dup(), group)
        return found

    def _agree(self, channel: _Channel, signature: str, where: Callable[[], Loc]) -> None:
        """Errors: ExchangeError where the ranks of the group don't all ask for this."""
        wait = self._wait_for(channel.words, signature, where)
        asked = _gathered(channel.words, wait, signature)
        if (asked == asked[0]).all():
            return
        loc = where()
        said = [json.loads(text) for text in _texts(channel.words, json.dumps([signature, loc.file, loc.line]))]
        places = [Loc(file, line) for _, file, line in said]
        raise disagreement(channel.group, [text for text, _, _ in said], places).at(loc)

    def _wait_for(self, words: Any, signature: str, where: Callable[[], Loc]) -> Callable[[Any], None]:
        """Wait for an MPI request, giving the core away. Errors: ExchangeError when that takes too long."""
        limit = _seconds()

        def wait(pending: Any) -> None:
            start, rounds = time.monotonic(), 0
            while not pending.Test():
                rounds += 1
                if rounds > 200:
                    time.sleep(0 if rounds < 2000 else 1e-4)
                if not rounds & 63 and time.monotonic() - start > limit:
                    raise ExchangeError(
                        f"rank {self.rank} has waited {limit:g} s in {signature}: not all other ranks have come",
                        remedy="look at what the other ranks do; VITRIFY_EXCHANGE_TIMEOUT sets the limit",
                    ).at(where())

        return wait

    # ---- between two ranks

    def _send(self, channel: _Channel, request: Request) -> None:
        wait = self._wait_for(channel.words, request.signature, place)
        words = np.frombuffer(_kind(request.array).encode(), np.uint8)
        header = channel.words.Isend(words, request.peer, _HEADER)
        wait(channel.arrays.Issend(_bytes(request.array), request.peer, _DATA))
        header.Wait()

    def _recv(self, channel: _Channel, request: Request) -> Array:
        wait = self._wait_for(channel.words, request.signature, place)
        status = self.mpi.Status()
        wait(_Probe(channel.words, request.peer, status))
        words = np.empty(status.Get_count(self.mpi.BYTE), np.uint8)
        channel.words.Recv(words, request.peer, _HEADER)
        sent, wanted = words.tobytes().decode(), _kind(request.array)
        if sent != wanted:
            assert request.peer is not None
            raise ExchangeError(
                f"rank {request.group[request.peer]} sends {sent}, rank {self.rank} receives {wanted}",
                remedy="receive into a tensor of the same dtype and shape",
            ).at(place())
        made = np.empty_like(request.array)
        wait(channel.arrays.Irecv(_bytes(made), request.peer, _DATA))
        return made


class _Probe:
    """Asks whether a header has come, in the form of an MPI request."""

    def __init__(self, words: Any, peer: int | None, status: Any) -> None:
        self.words, self.peer, self.status = words, peer, status

    def Test(self) -> bool:
        """Whether it has come."""
        return bool(self.words.Iprobe(self.peer, _HEADER, self.status))


def _gathered(words: Any, wait: Callable[[Any], None], signature: str) -> Array:
    """What each rank asks for, as a number."""
    own = np.array([zlib.crc32(signature.encode())], np.int64)
    asked = np.empty(words.Get_size(), np.int64)
    wait(words.Iallgather(own, asked))
    return asked


def _texts(comm: Any, text: str) -> list[str]:
    """The texts of all ranks."""
    own = np.frombuffer(text.encode(), np.uint8)
    lengths = np.empty(comm.Get_size(), np.int64)
    comm.Allgather(np.array([own.size], np.int64), lengths)
    found = np.empty(int(lengths.sum()), np.uint8)
    comm.Allgatherv(own, [found, lengths.tolist()])
    ends = np.cumsum(lengths).tolist()
    return [found[end - size : end].tobytes().decode() for end, size in zip(ends, lengths.tolist(), strict=True)]


def _kind(array: Array) -> str:
    return f"{of_array(array).short}{list(array.shape)}"


def _bytes(array: Array) -> Array:
    """The memory of a contiguous array."""
    return array.reshape(-1).view(np.uint8)


# ---- how each exchange is carried out; a result has memory of its own


def _all_gather(comm: Any, array: Array, request: Request) -> Array:
    made = np.empty((comm.Get_size(), *array.shape), array.dtype)
    comm.Allgather(_bytes(array), _bytes(made))
    return made


def _all_to_all(comm: Any, array: Array, request: Request) -> Array:
    made = np.empty_like(array)
    comm.Alltoall(_bytes(array), _bytes(made))
    return made


def _reduce_scatter(comm: Any, array: Array, request: Request) -> Array:
    return combined(request.reduction, list(_all_to_all(comm, array, request)))


def _all_reduce(comm: Any, array: Array, request: Request) -> Array:
    """Rank k joins part k of all arrays, and gives it to all: each byte travels twice, whatever the number of ranks."""
    if array.nbytes <= SMALL:
        return combined(request.reduction, list(_all_gather(comm, array, request)))
    size = comm.Get_size()
    each = -(-array.size // size)
    parts = np.zeros((size, each), array.dtype)
    parts.reshape(-1)[: array.size] = array.reshape(-1)
    own = _reduce_scatter(comm, parts, request)
    return _all_gather(comm, own, request).reshape(-1)[: array.size].reshape(array.shape)


def _broadcast(comm: Any, array: Array, request: Request) -> Array:
    made = array.copy()
    comm.Bcast(_bytes(made), request.root)
    return made


def _gather(comm: Any, array: Array, request: Request) -> Array:
    at_root = comm.Get_rank() == request.root
    made = np.zeros((comm.Get_size(), *array.shape), array.dtype)
    comm.Gather(_bytes(array), _bytes(made) if at_root else None, request.root)
    return made


def _reduce(comm: Any, array: Array, request: Request) -> Array:
    everyone = _gather(comm, array, request)
    return combined(request.reduction, list(everyone)) if comm.Get_rank() == request.root else np.zeros_like(array)


def _scatter(comm: Any, array: Array, request: Request) -> Array:
    made = np.empty(array.shape[1:], array.dtype)
    comm.Scatter(_bytes(array) if comm.Get_rank() == request.root else None, _bytes(made), request.root)
    return made


_CARRIED: dict[str, Callable[[Any, Array, Request], Array]] = {
    "all_reduce": _all_reduce, "reduce_scatter": _reduce_scatter, "all_gather": _all_gather, "broadcast": _broadcast,
    "reduce": _reduce, "gather_to": _gather, "scatter_from": _scatter, "all_to_all": _all_to_all,
}  # fmt: skip
