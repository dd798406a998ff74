"""Exchanges of arrays between processes: what a collective row asks for, and the transport that carries it out.

The rows of `collective.py` know no library. `vitrify.distributed` puts a transport in force: threads that stand for
ranks, or MPI. Without one there is a single rank, which exchanges with itself.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import Any

import numpy as np

from ..base.dtype import of_array
from ..base.errors import ExchangeError
from ..base.location import Loc, caller_loc
from .exchange_outline import Outline

Array = Any
REDUCTIONS = ("sum", "mean", "max", "min", "prod")


@dataclass(frozen=True, slots=True)
class Request:
    """One rank's part in an exchange. `group`: the ranks that take part; `root`, `peer`: numbers within the group.

    For `recv`, `array` is what the result is like.
    """

    name: str
    array: Array | None
    group: tuple[int, ...]
    reduction: str = ""
    root: int | None = None
    peer: int | None = None

    @property
    def is_pairwise(self) -> bool:
        """Whether it joins two ranks, not all of the group."""
        return self.peer is not None

    @property
    def signature(self) -> str:
        """What has to be equal on all ranks of the group, as the user reads it."""
        parts = []
        if self.array is not None:
            parts.append(f"{of_array(self.array).short}{list(self.array.shape)}")
        if self.reduction:
            parts.append(self.reduction)
        if self.root is not None:
            parts.append(f"root {self.root}")
        return f"{self.name}({', '.join(parts)})"


class Route(ABC):
    """A table by which native code carries out exchanges of one kind, dtype and shape without Python.

    address: of its words (RouteWord, runtime/vm/native_source/layout.py).
    """

    address: int

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether its transport is the one in force."""

    @property
    @abstractmethod
    def is_begun(self) -> bool:
        """Whether native code has begun an exchange that it leaves to Python."""

    @abstractmethod
    def finish(self, request: Request) -> Array:
        """Go on with such an exchange; what `Transport.exchange` gives. Errors: ExchangeError."""


class Transport(ABC):
    """Carries exchanges between the ranks of a run."""

    rank: int
    size: int
    name: str

    def announce(self, outlines: Mapping[tuple[int, ...], Outline]) -> None:  # noqa: B027 - a single rank has no use
        """A program begins to run that exchanges this in each group; the empty one stands for all ranks."""

    def program_ended(self) -> None:  # noqa: B027 - as above
        """The program that was announced has run."""

    def exchange(self, request: Request) -> Array:
        """This rank's result: an array of its own (None for `send` and `barrier`). Errors: ExchangeError."""
        return self.finish(self.start(request))

    def route(self, request: Request) -> Route | None:
        """How native code carries out such exchanges; None: it doesn't."""
        return None

    def again(
        self, name: str, array: Array, group: tuple[int, ...], reduction: str | None = None, root: int | None = None
    ) -> Array | None:
        """The result of an exchange of a kind that has a route, without making a request; None: not by this way.

        The array is contiguous; group: () for all ranks.
        """
        return None

    def in_force(self, only: bool) -> None:  # noqa: B027 - most have nothing to do then
        """Told whether all threads use this transport, now and until it is told otherwise."""

    @abstractmethod
    def start(self, request: Request) -> int:
        """Begin an exchange, and go on: a *ticket*, by which to finish it once. Its array stays as it is until then."""

    @abstractmethod
    def ready(self, ticket: int) -> bool:
        """Whether `finish` would not have to wait."""

    @abstractmethod
    def finish(self, ticket: int) -> Array:
        """Wait for a started exchange: what `exchange` gives. Errors: ExchangeError."""

    def progress(self) -> None:  # noqa: B027 - those whose exchanges go on by themselves have nothing to do
        """Let started exchanges go on as far as they can without waiting. Errors show when they are finished."""

    def first_ready(self, tickets: Sequence[int]) -> int:
        """Wait until one of some started exchanges can be finished without waiting: its place; the first in order."""
        rounds = 0
        while True:
            for k, ticket in enumerate(tickets):
                if self.ready(ticket):
                    return k
            rounds += 1
            time.sleep(0 if rounds < 2000 else 1e-4)

    def shrink(self) -> tuple[int, ...]:
        """Go on without the ranks that are lost: the former numbers of those that are left, which count from 0 again.

        All of them call it. Exchanges under way are given up. Errors: ExchangeError where no rank may be lost.
        """
        raise ExchangeError("a run that isn't elastic can't go on without a rank",
                            remedy="start it by `vitrify launch --elastic`")  # fmt: skip

    def agree(self) -> None:
        """Wait for all ranks; the same outcome on each. Errors: RankLostError where one is lost."""
        self.exchange(Request("barrier", None, in_order((), self.size)))

    @abstractmethod
    def exchange_object(self, value: Any, group: tuple[int, ...]) -> list[Any]:
        """The objects of all ranks of the group, in its order."""


class OneProcess(Transport):
    """A single rank: a collective gives its own array back."""

    rank, size, name = 0, 1, "one process"

    def __init__(self) -> None:
        self._started: dict[int, Array] = {}
        self._tickets = count(1)

    def start(self, request: Request) -> int:
        if request.is_pairwise:
            raise ExchangeError(f"{request.name}: there is one rank, nobody to exchange with")
        ticket = next(self._tickets)
        self._started[ticket] = complete(request.name, [request])[0]
        return ticket

    def ready(self, ticket: int) -> bool:
        return True

    def finish(self, ticket: int) -> Array:
        return self._started.pop(ticket)

    def exchange_object(self, value: Any, group: tuple[int, ...]) -> list[Any]:
        return [value]


_of_process: list[Transport] = [OneProcess()]
_own: list[Transport] = []  # transports that threads have of their own, now
_lock = Lock()  # of what the transports are told
_of_thread: ContextVar[Transport | None] = ContextVar("transport", default=None)
_running: ContextVar[Loc | None] = ContextVar("exchange_place", default=None)


def transport() -> Transport:
    """The transport in force: this thread's, else the process's."""
    return _of_thread.get() or _of_process[0]


def set_transport(made: Transport | None) -> None:
    """Let the whole process use a transport; None: a single rank again."""
    with _lock:
        _of_process[0].in_force(False)
        _of_process[0] = made or OneProcess()
        _of_process[0].in_force(not _own)


@contextmanager
def with_transport(made: Transport) -> Iterator[None]:
    """Use a transport in this thread inside the block."""
    token = _of_thread.set(made)
    _tell(made, True)
    try:
        yield
    finally:
        _tell(made, False)
        _of_thread.reset(token)


def _tell(made: Transport, begins: bool) -> None:
    """A thread begins or ends to use a transport of its own: so does the process's, which others may still use."""
    with _lock:
        (_own.append if begins else _own.remove)(made)
        _of_process[0].in_force(not _own)


class RunningAt:
    """The place of the program's operation that runs inside the block: messages name it, not the call's."""

    __slots__ = ("_loc", "_token")

    def __init__(self, loc: Loc) -> None:
        self._loc = loc

    def __enter__(self) -> None:
        self._token = _running.set(self._loc)

    def __exit__(self, *_: object) -> None:
        _running.reset(self._token)


def place() -> Loc:
    """The user's line that exchanges now."""
    running = _running.get()
    return running if running is not None and running.file else caller_loc(2, 1)


def in_order(group: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The ranks of a group; an empty one stands for all."""
    return group or tuple(range(size))


# ---- what each exchange gives, from the requests of all ranks of the group in its order


def combined(reduction: str, arrays: Sequence[Array]) -> Array:
    """Arrays of all ranks joined element by element, from the first rank to the last: the bits are the same each time.

    Sums of 16-bit floats are kept in float32 and rounded once.

    >>> combined("mean", [np.array([1.0, 2.0]), np.array([3.0, 2.0])])
    array([2., 2.])
    """
    first = arrays[0]
    short = first.dtype.itemsize == 2 and first.dtype.kind not in "iu"
    join: Any = _JOINS[reduction]
    wide = [array.astype(np.float32) for array in arrays] if short else arrays
    with np.errstate(all="ignore"):
        made = np.array(join(wide[0], wide[1]) if len(wide) > 1 else wide[0])
        for array in wide[2:]:
            join(made, array, out=made)
        if reduction == "mean":
            made = np.asarray(made / made.dtype.type(len(arrays)))
    return made.astype(first.dtype, copy=False).reshape(first.shape)


_JOINS: dict[str, Callable[[Array, Array], Array]] = {
    "sum": np.add, "mean": np.add, "max": np.maximum, "min": np.minimum, "prod": np.multiply,
}  # fmt: skip


def complete(name: str, requests: Sequence[Request]) -> list[Array]:
    """The results of an exchange, one for each rank of the group, each in memory of its own."""
    if name == "barrier":
        return [None] * len(requests)
    arrays = [request.array for request in requests]
    root = requests[0].root
    results = _RESULTS[name](arrays, requests[0].reduction, root)
    return [np.array(result, copy=True, order="C") for result in results]


def _on_root(value: Array, root: int, arrays: Sequence[Array]) -> list[Array]:
    return [value if k == root else np.zeros_like(value) for k in range(len(arrays))]


_RESULTS: dict[str, Callable[[list[Array], str, Any], Sequence[Array]]] = {
    "all_reduce": lambda xs, how, root: [combined(how, xs)] * len(xs),
    "reduce_scatter": lambda xs, how, root: [combined(how, [x[k] for x in xs]) for k in range(len(xs))],
    "all_gather": lambda xs, how, root: [np.stack(xs)] * len(xs),
    "broadcast": lambda xs, how, root: [xs[root]] * len(xs),
    "reduce": lambda xs, how, root: _on_root(combined(how, xs), root, xs),
    "gather_to": lambda xs, how, root: _on_root(np.stack(xs), root, xs),
    "scatter_from": lambda xs, how, root: list(xs[root]),
    "all_to_all": lambda xs, how, root: [np.stack([x[k] for x in xs]) for k in range(len(xs))],
}


def disagreement(group: Sequence[int], said: Sequence[str], places: Sequence[Loc]) -> ExchangeError:
    """The error of ranks that don't ask for the same exchange: what each asks for, and where."""
    lines = [
        f"  rank {rank}: {text}" + (f"   {loc.short()}  {loc.text()}".rstrip() if loc.file else "")
        for rank, text, loc in zip(group, said, places, strict=True)
    ]
    return ExchangeError(
        "the ranks don't take part in the same exchange:\n" + "\n".join(lines),
        remedy="all ranks of a group call the same exchanges in the same order, with the same dtypes and shapes; "
        "a branch or loop around one has to go the same way on each",
    )


def alone(rank: int, request: Request) -> ExchangeError:
    """The error of a rank that ends with a send or a receive whose other half no rank has asked for."""
    peer = request.group[request.peer or 0]
    what = f"its send to rank {peer}: no recv there"
    if request.name == "recv":
        what = f"its recv from rank {peer}: no send there"
    return ExchangeError(f"rank {rank} has ended with a part of an exchange alone, {what} belongs to it",
                         remedy="let the other rank do its part before it ends")  # fmt: skip
