"""How native code exchanges through MPI: the addresses of MPI's functions, and a route for each kind of exchange.

A route does what mpi.py does where all ranks wait for one exchange and for nothing else: the ranks compare what they
ask for, then the arrays travel by MPI's blocking calls, and NumPy's loops join them from rank 0 to the last. So one
rank may go by a route while another one goes through Python, and the bits are the same.
"""

from __future__ import annotations

import ctypes
from dataclasses import replace
from typing import Any

import numpy as np

from ..ops.exchange import Request, Route
from ..runtime.vm.entry_stub import ELSEWHERE, make_entry_stub
from ..runtime.vm.loop_runner import loop_of
from ..runtime.vm.native_source.layout import Action, MoveRow, Opcode, PortWord, RouteStage, RouteWord, Status
from ..runtime.vm.virtual_machine import Header, Instructions, run
from .mpi_calls import SMALL

Array = Any
MOST_BYTES = 1 << 30  # that one rank gives another in one call: MPI counts with an int
STATUS_BYTES = 256  # more than any MPI's status has
HERE, SOURCE, TARGET = (int(word) for word in (RouteWord.NOWHERE, RouteWord.SOURCE, RouteWord.TARGET))
_JOINS = {"sum": np.add, "mean": np.add, "max": np.maximum, "min": np.minimum, "prod": np.multiply}
_FUNCTIONS = ("Iallgather", "Test", "Allgather", "Alltoall", "Bcast")


def word_of(handle: int) -> int:
    """A handle of MPI's as a word: some libraries' are ints below 0, which mpi4py gives as large numbers."""
    return (handle + (1 << 63)) % (1 << 64) - (1 << 63)


class Port:
    """What all routes of a process share (PortWord), and memory for arrays that are on their way."""

    def __init__(self, mpi: Any, functions: list[int]) -> None:
        self.words = np.zeros(PortWord.COUNT, np.int64)
        self._status = np.zeros(STATUS_BYTES, np.uint8)
        self._room = np.zeros(0, np.uint8)
        self.words[PortWord.BYTE] = word_of(mpi.BYTE.handle)
        self.words[PortWord.STATUS] = self._status.ctypes.data
        for name, address in zip(_FUNCTIONS, functions, strict=True):
            self.words[PortWord[name.upper()]] = address

    @classmethod
    def of(cls, mpi: Any) -> Port | None:
        """That of the module mpi4py.MPI; None where its functions aren't found, or don't know its handles."""
        try:
            library = ctypes.CDLL(mpi.__file__)
            functions = [getattr(library, f"MPI_{name}") for name in (*_FUNCTIONS, "Type_size")]
            *called, size_of = [ctypes.cast(function, ctypes.c_void_p).value or 0 for function in functions]
            made = cls(mpi, called)
        except (AttributeError, OSError, OverflowError):
            return None
        found = ctypes.c_int(0)
        check = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_void_p)(size_of)
        return made if check(word_of(mpi.BYTE.handle), ctypes.addressof(found)) == 0 and found.value == 1 else None

    def room(self, size: int) -> Array:
        """Memory for one exchange at a time: an earlier one's, if that is large enough."""
        if self._room.size < size:
            self._room = np.zeros(size, np.uint8)
        return self._room[:size]


class Plan:
    """The moves of a route, in order, and the memory between them."""

    def __init__(self, port: Port) -> None:
        self.rows: list[list[int]] = []
        self.inline = 0
        self.waits = False
        self._port = port
        self.memory: list[Array] = []

    def move(self, action: Action, source: tuple[int, int], target: tuple[int, int], size: int, **more: int) -> None:
        """Add a move. more: its other words, by their names in lower case."""
        row = [0] * MoveRow.COUNT
        row[MoveRow.ACTION], row[MoveRow.BYTES] = action, size
        row[MoveRow.FROM : MoveRow.FROM + 2] = source
        row[MoveRow.TO : MoveRow.TO + 2] = target
        for name, value in more.items():
            row[MoveRow[name.upper()]] = value
        self.rows.append(row)
        self.waits |= action >= Action.ALLGATHER

    def room(self, *sizes: int) -> list[tuple[int, int]]:
        """Places of so many bytes, which the exchange has for itself."""
        starts = np.cumsum([0, *(-(-size // 64) * 64 for size in sizes)]).tolist()
        self.memory.append(self._port.room(starts[-1]))
        return [(HERE, self.memory[-1].ctypes.data + start) for start in starts[:-1]]


def plan_of(port: Port, request: Request, inline: int, rows: int, row: int) -> Plan | None:
    """How an exchange is carried out; None: only Python can. rows, row: where what all ranks say is, and its bytes."""
    if request.name == "barrier":
        return Plan(port)
    make = _PLANS.get(request.name)
    if make is None or request.array is None or request.array.nbytes > MOST_BYTES:
        return None
    made, size, ranks = Plan(port), request.array.nbytes, len(request.group)
    if request.name in _WITH_ROWS and size <= inline:
        made.inline = size
        action = Action.JOIN if request.name == "all_reduce" else Action.COLLECT
        made.move(action, (HERE, rows + 8), (TARGET, 0), size, stride=row)
    else:
        make(made, request, size, ranks)
    return made


_WITH_ROWS = ("all_reduce", "all_gather")


def _all_reduce(plan: Plan, request: Request, size: int, ranks: int) -> None:
    if size <= SMALL:
        (everyone,) = plan.room(size * ranks)
        plan.move(Action.ALLGATHER, (SOURCE, 0), everyone, size)
        plan.move(Action.JOIN, everyone, (TARGET, 0), size, stride=size)
        return
    assert request.array is not None
    item = request.array.itemsize
    each = -(-size // item // ranks) * item
    parts, own, padded = plan.room(each * ranks, each, each * ranks)
    fits = each * ranks == size
    if not fits:
        plan.move(Action.COPY, (SOURCE, 0), padded, size)
    plan.move(Action.ALLTOALL, (SOURCE, 0) if fits else padded, parts, each)
    plan.move(Action.JOIN, parts, own, each, stride=each)
    plan.move(Action.ALLGATHER, own, (TARGET, 0) if fits else padded, each)
    if not fits:
        plan.move(Action.COPY, padded, (TARGET, 0), size)


def _reduce_scatter(plan: Plan, request: Request, size: int, ranks: int) -> None:
    (parts,) = plan.room(size)
    plan.move(Action.ALLTOALL, (SOURCE, 0), parts, size // ranks)
    plan.move(Action.JOIN, parts, (TARGET, 0), size // ranks, stride=size // ranks)


def _all_gather(plan: Plan, request: Request, size: int, ranks: int) -> None:
    plan.move(Action.ALLGATHER, (SOURCE, 0), (TARGET, 0), size)


def _all_to_all(plan: Plan, request: Request, size: int, ranks: int) -> None:
    plan.move(Action.ALLTOALL, (SOURCE, 0), (TARGET, 0), size // ranks)


def _broadcast(plan: Plan, request: Request, size: int, ranks: int) -> None:
    plan.move(Action.COPY, (SOURCE, 0), (TARGET, 0), size)
    plan.move(Action.BCAST, (HERE, 0), (TARGET, 0), size, root=request.root or 0)


_PLANS = {
    "all_reduce": _all_reduce, "reduce_scatter": _reduce_scatter, "all_gather": _all_gather,
    "all_to_all": _all_to_all, "broadcast": _broadcast,
}  # fmt: skip


def result_shape(request: Request) -> tuple[int, ...]:
    """The shape of what an exchange with a route gives."""
    assert request.array is not None
    shape: tuple[int, ...] = request.array.shape
    if request.name == "all_gather":
        return len(request.group), *shape
    return shape[1:] if request.name == "reduce_scatter" else shape


class MpiRoute(Route):
    """A route through MPI. owner: the transport, which goes on with what native code leaves to Python."""

    def __init__(self, owner: Any, port: Port, request: Request, said: int, spins: int) -> None:
        self._like = replace(request, array=None)
        channel = self.channel = owner.channel(request.group)
        self.asked = channel.asked
        self._owner, self._port = owner, port
        self.words = np.zeros(RouteWord.COUNT, np.int64)
        self.address = self.words.ctypes.data
        self._words, self._port_words = self.words.data, port.words.data  # reading NumPy's scalars costs more
        for word, value in (
            (RouteWord.PORT, port.words.ctypes.data), (RouteWord.RANKS, channel.ranks),
            (RouteWord.WORDS, word_of(channel.words.handle)), (RouteWord.ARRAYS, word_of(channel.arrays.handle)),
            (RouteWord.TIMES, channel.times.ctypes.data), (RouteWord.SAID, said << 1 | 1),
            (RouteWord.OWN, channel.own.ctypes.data), (RouteWord.ASKED, channel.asked.ctypes.data),
            (RouteWord.ROW, channel.own.nbytes), (RouteWord.SPINS, spins), (RouteWord.ITEM, 1),
        ):  # fmt: skip
            self.words[word] = value
        self._stub: Any = None
        self._shape: tuple[int, ...] | None = None  # of the result

    def follow(self, plan: Plan) -> None:
        """Have these moves."""
        self._plan = plan
        self._moves = np.array(plan.rows, np.int64).reshape(-1, MoveRow.COUNT)
        words = self.words
        words[RouteWord.MOVES], words[RouteWord.MOVE_COUNT] = self._moves.ctypes.data, len(plan.rows)
        words[RouteWord.INLINE], words[RouteWord.WAITS] = plan.inline, plan.waits

    def join_by(self, reduction: str, dtype: np.dtype[Any], ranks: int) -> bool:
        """Have a reduction's loops; false where NumPy has none that gives this dtype from first to last."""
        words, short = self.words, dtype.itemsize == 2 and dtype.kind not in "iu"  # those sums are kept in float32
        join = None if short else loop_of(_JOINS[reduction], (dtype.char,) * 3)
        divide = loop_of(np.true_divide, (dtype.char,) * 3) if reduction == "mean" else (0, 0)
        if join is None or divide is None:
            return False
        words[RouteWord.JOIN], words[RouteWord.JOIN_DATA] = join
        words[RouteWord.DIVIDE], words[RouteWord.DIVIDE_DATA] = divide
        self._divisor = np.array(ranks, dtype)
        words[RouteWord.DIVISOR], words[RouteWord.ITEM] = self._divisor.ctypes.data, dtype.itemsize
        return True

    @property
    def is_open(self) -> bool:
        return self._port_words[PortWord.OPEN] != 0

    @property
    def is_begun(self) -> bool:
        return self._words[RouteWord.STAGE] != RouteStage.IDLE

    def run(self, request: Request) -> Array:
        """This exchange, now, of eager mode. Errors: ExchangeError."""
        if request.array is None:
            return self._outcome(request, self._enter()(), None)
        made = np.empty(result_shape(request), request.array.dtype)
        return self._outcome(request, self._enter()(request.array, made), made)

    def run_on(self, array: Array) -> Array:
        """The same for an array like the first one; the request is made where it is needed."""
        if self._shape is None:
            self._shape = result_shape(replace(self._like, array=array))
        made = np.empty(self._shape, array.dtype)
        status = self._enter()(array, made)
        return made if status == Status.DONE else self._outcome(replace(self._like, array=array), status, made)

    def _outcome(self, request: Request, status: int, made: Array) -> Array:
        if status == ELSEWHERE:
            status = run(self._header.address)
        if status == Status.DONE:
            return made
        self._header.reset()
        return self.finish(request) if self.is_begun else self._owner.by_calls(request)

    def _enter(self) -> Any:
        """A native function of the source and the target, if there are any."""
        if self._stub is None:
            self._cell = np.array([self.address], np.int64)
            code = Instructions()
            code.emit(Opcode.EXCHANGE, self._cell.ctypes.data, 0, 0, 0)
            table = code.table()
            count = 0 if not self._plan.rows else 2
            self._header = Header(table, [(k, table.ctypes.data + 8 * (2 + k), 0) for k in range(count)], count)
            self._stub = make_entry_stub(self._header, 0, short_running=False)
        return self._stub

    def finish(self, request: Request) -> Array:
        stage, error = RouteStage(self._words[RouteWord.STAGE]), int(self._words[RouteWord.ERROR])
        self._words[RouteWord.STAGE] = RouteStage.IDLE
        waiting = int(self._words[RouteWord.REQUEST]) if stage is RouteStage.ASKING else None
        return self._owner.go_on(request, self.channel, waiting, error)
