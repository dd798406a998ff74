"""How long an exchange takes: latency and bandwidth, within a node and between nodes, and the algorithm (alpha-beta).

Source of the formulas: Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH, 2005.
"fixed order" is what our MPI transport does (distributed/mpi.py): the other algorithms add in an order of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil, log2
from typing import Any

from ...base.errors import ArgumentError, KindError
from ...ops.exchange import Request
from ..mpi_calls import SMALL
from .calibration import calibrated

GB = 1e9
FIXED, RING, TREE, DOUBLING, FASTEST = "fixed order", "ring", "tree", "recursive doubling", "fastest"
ALGORITHMS = (FIXED, RING, TREE, DOUBLING, FASTEST)


@dataclass(frozen=True, slots=True)
class Parcel:
    """What an exchange carries. group: its ranks in order; bytes: of one rank's operand (of what `recv` gets)."""

    name: str
    bytes: int
    group: tuple[int, ...]
    reduction: str = ""
    root: int | None = None
    peer: int | None = None

    @classmethod
    def of(cls, request: Request) -> Parcel:
        """What a rank's request carries."""
        size = 0 if request.array is None else int(request.array.nbytes)
        return cls(request.name, size, request.group, request.reduction, request.root, request.peer)


@dataclass(frozen=True, slots=True)
class Price:
    """What an exchange costs. sent: bytes that a rank sends, at most; crossing: bytes that leave its node."""

    seconds: float
    sent: int
    crossing: int


@dataclass(frozen=True, slots=True)
class _Move:
    """One part of an algorithm: messages one after the other, and bytes, between nodes and within one."""

    rounds: float = 0.0  # between nodes
    through: float = 0.0  # bytes through the network card of a node
    inner_rounds: float = 0.0
    inner: float = 0.0  # bytes that a rank gives to others of its node
    joined: float = 0.0  # bytes that a rank adds up
    sent: float = 0.0  # bytes that a rank sends altogether

    def __add__(self, other: _Move) -> _Move:
        return _Move(*[getattr(self, name) + getattr(other, name) for name in self.__slots__])


@dataclass(frozen=True)
class _Place:
    """A group on its nodes. n: ranks; m: nodes; r: ranks of the fullest node."""

    n: int
    m: int
    r: int


@dataclass(frozen=True, kw_only=True)
class Network:
    """A network by its figures: seconds and bytes per second.

    latency, bandwidth: of a message between two nodes; bandwidth is that of a node's card, which its ranks share.
    latency_within, bandwidth_within: of a message between ranks of one node; unless given, those of shared memory.
    ranks_per_node: neighbouring ranks share a node. overhead: what each exchange costs by itself (Python, MPI's calls).
    joining: bytes of operands that a rank adds up in a second. algorithm: of reductions: "fixed order" (what our MPI
    transport does, the same bits as in the simulator), "ring", "tree", "recursive doubling", or "fastest" of these
    three. Errors: ArgumentError for figures that aren't positive.

    >>> Network(latency=10e-6, bandwidth=1e9).seconds("all_reduce", 8_000_000, ranks=2) > 0.008
    True
    """

    latency: float
    bandwidth: float
    ranks_per_node: int = 1
    latency_within: float = 0.5e-6
    bandwidth_within: float = 8 * GB
    overhead: float = 12e-6
    joining: float = 6 * GB
    algorithm: str = FIXED
    name: str = "network"

    def __post_init__(self) -> None:
        for word in ("latency", "latency_within", "overhead"):
            if not getattr(self, word) >= 0:
                raise ArgumentError(f"Network: {word} is in seconds, 0 or more, not {getattr(self, word)}")
        for word in ("bandwidth", "bandwidth_within", "joining", "ranks_per_node"):
            if not getattr(self, word) > 0:
                raise ArgumentError(f"Network: {word} has to be positive, not {getattr(self, word)}")
        if self.algorithm not in ALGORITHMS:
            raise ArgumentError(f"Network: there is no algorithm {self.algorithm!r}",
                                remedy="choose one of " + ", ".join(ALGORITHMS))  # fmt: skip

    def with_(self, **changes: Any) -> Network:
        """The same network but for these figures.

        >>> network("10GbE").with_(ranks_per_node=8).ranks_per_node
        8
        """
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Its figures as plain data."""
        return asdict(self)

    def seconds(self, name: str, size: int, *, ranks: int, reduction: str = "sum") -> float:
        """How long an exchange of `size` bytes on each of the first `ranks` ranks takes, once all are there.

        name: as the operations are called: "all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all", …
        """
        if ranks < 1:
            raise ArgumentError(f"an exchange has at least one rank, not {ranks}")
        peer = 1 if name in ("send", "recv") else None
        return self.price(Parcel(name, size, tuple(range(ranks)), reduction, 0, peer)).seconds

    def price(self, parcel: Parcel, rank: int | None = None) -> Price:
        """What an exchange costs, once all its ranks are there. rank: who sends (default: the group's first)."""
        if parcel.peer is not None:
            a, b = (parcel.group[0] if rank is None else rank), parcel.group[parcel.peer]
            move = self._message(a // self.ranks_per_node == b // self.ranks_per_node, parcel.bytes)
        else:
            place = self._place(parcel.group)
            if place.n == 1:
                return Price(self.overhead, 0, 0)
            if parcel.name not in _MOVES:
                raise ArgumentError(f"there is no exchange called {parcel.name!r}",
                                    remedy="choose one of " + ", ".join(_MOVES))  # fmt: skip
            move = self._agreement(place) + _MOVES[parcel.name](self, place, parcel)
        return Price(self.overhead + self._time(move), round(move.sent), round(move.through))

    @classmethod
    def measured(cls) -> Network:
        """The network between the ranks that run now, measured with MPI's exchanges; all ranks have to call it.

        It takes some seconds at most. Ranks of one machine are a node; figures of the level that isn't there stay those
        of the defaults. Errors: ModeError with one rank, and in `run_ranks`, where nothing travels.
        """
        return cls(**calibrated())

    # ---- parts of algorithms

    def _time(self, move: _Move) -> float:
        between = move.rounds * self.latency + move.through / self.bandwidth
        within = move.inner_rounds * self.latency_within + move.inner / self.bandwidth_within
        return between + within + move.joined / self.joining

    def _place(self, group: Sequence[int]) -> _Place:
        counted = Counter(rank // self.ranks_per_node for rank in group)
        return _Place(len(group), len(counted), max(counted.values()))

    def _message(self, near: bool, size: float) -> _Move:
        return _Move(inner_rounds=1, inner=size, sent=size) if near else _Move(rounds=1, through=size, sent=size)

    def _rounds(self, p: _Place, between: float, within: float) -> dict[str, float]:
        return {"rounds": between if p.m > 1 else 0, "inner_rounds": within if p.r > 1 else 0}

    def _agreement(self, p: _Place) -> _Move:
        """The ranks compare what they ask for: 8 bytes of each for all."""
        return _Move(**self._rounds(p, _steps(p.m), _steps(p.r)), sent=8 * (p.n - 1))

    def spread(self, p: _Place, size: float) -> _Move:
        """Each rank gives each other one `size` bytes of its own (all to all)."""
        far, near = p.n - p.r, p.r - 1
        return _Move(**self._rounds(p, far, near), through=p.r * far * size, inner=near * size, sent=(p.n - 1) * size)

    def gathered(self, p: _Place, size: float) -> _Move:
        """Each rank gets `size` bytes of each (all gather): in log n rounds if small, else around a ring."""
        long = size * p.n > 80 << 10  # where MPICH begins to go around a ring
        rounds = self._rounds(p, p.m - 1 if long else _steps(p.m), p.r - 1 if long else _steps(p.r))
        far = (p.n - p.r) * size if p.m > 1 else 0
        return _Move(**rounds, through=far, inner=(p.n - 1) * size if p.r > 1 else 0, sent=(p.n - 1) * size)

    def rooted(self, p: _Place, size: float) -> _Move:
        """One rank gets (or gives) `size` bytes of each: by a tree; its card carries all of them."""
        far = (p.n - p.r) * size
        return _Move(**self._rounds(p, _steps(p.m), _steps(p.r)), through=far, inner=(p.r - 1) * size, sent=size)

    def copied(self, p: _Place, size: float) -> _Move:
        """One rank's `size` bytes for all: by a tree if small, else in parts that are then gathered."""
        if size <= 12 << 10 or p.n < 8:
            steps, inner = _steps(p.m), _steps(p.r)
            return _Move(**self._rounds(p, steps, inner), through=steps * size, inner=inner * size, sent=size)
        return self.rooted(p, size / p.n) + self.gathered(p, size / p.n)

    def reduced(self, p: _Place, size: float) -> _Move:
        """All ranks get the sum of all `size` bytes, by the network's algorithm."""
        if self.algorithm == FASTEST:
            every = [_REDUCTIONS[name](self, p, size) for name in (RING, TREE, DOUBLING)]
            return min(every, key=self._time)
        return _REDUCTIONS[self.algorithm](self, p, size)

    def _fixed(self, p: _Place, size: float) -> _Move:
        if size <= SMALL:
            return self.gathered(p, size) + _Move(joined=p.n * size)
        return self.spread(p, size / p.n) + _Move(joined=size) + self.gathered(p, size / p.n)

    def _ring(self, p: _Place, size: float) -> _Move:
        part = 2 * size * (p.n - 1) / p.n
        rounds = 2 * (p.n - 1)
        if p.m == 1:
            return _Move(inner_rounds=rounds, inner=part, joined=size, sent=part)
        return _Move(rounds=rounds, through=part, joined=size, sent=part)  # one neighbour of a node's ranks is outside

    def _tree(self, p: _Place, size: float) -> _Move:
        far, near = 2 * _steps(p.m), 2 * _steps(p.r)
        return _Move(
            **self._rounds(p, far, near), through=far * size, inner=near * size,
            joined=(_steps(p.m) + _steps(p.r)) * size, sent=2 * size,
        )  # fmt: skip

    def _doubling(self, p: _Place, size: float) -> _Move:
        """Halving and doubling (Rabenseifner), first within nodes."""
        far, near = 2 * _steps(p.m), 2 * _steps(p.r)
        return _Move(
            **self._rounds(p, far, near), through=2 * size * (p.m - 1) / p.m, inner=2 * size * (p.r - 1) / p.r,
            joined=size, sent=2 * size * (p.n - 1) / p.n,
        )  # fmt: skip


def _steps(n: int) -> int:
    """Rounds in which n reach each other when their number doubles in each."""
    return ceil(log2(n)) if n > 1 else 0


_REDUCTIONS = {FIXED: Network._fixed, RING: Network._ring, TREE: Network._tree, DOUBLING: Network._doubling}


def _scattered(net: Network, p: _Place, parcel: Parcel) -> _Move:
    return net.spread(p, parcel.bytes / p.n) + _Move(joined=parcel.bytes)


_MOVES: dict[str, Any] = {
    "all_reduce": lambda net, p, parcel: net.reduced(p, parcel.bytes),
    "reduce_scatter": _scattered,
    "all_gather": lambda net, p, parcel: net.gathered(p, parcel.bytes),
    "broadcast": lambda net, p, parcel: net.copied(p, parcel.bytes),
    "reduce": lambda net, p, parcel: net.rooted(p, parcel.bytes) + _Move(joined=p.n * parcel.bytes),
    "gather_to": lambda net, p, parcel: net.rooted(p, parcel.bytes),
    "scatter_from": lambda net, p, parcel: net.rooted(p, parcel.bytes / p.n),
    "all_to_all": lambda net, p, parcel: net.spread(p, parcel.bytes / p.n),
    "barrier": lambda net, p, parcel: _Move(),
    "exchange_object": lambda net, p, parcel: net.gathered(p, parcel.bytes),
}

# Bandwidths: 93 % of the line rate of IEEE 802.3ae, 802.3by, 802.3ba and of InfiniBand NDR: the share that MPI was
# measured to reach on 40 Gbit/s (blogs.cisco.com/performance/mpi-over-40gb-ethernet, with 1.9 us one way by kernel
# bypass). Latencies: 25 us for TCP through the kernel and a switch and 2 us for RDMA are assumptions of ours, of
# the usual order, and so are the figures of shared memory: `Network.measured()` has those of a machine.
NETWORKS: dict[str, Network] = {
    "10GbE": Network(latency=25e-6, bandwidth=0.93 * 10 / 8 * GB, name="10GbE"),
    "25GbE": Network(latency=15e-6, bandwidth=0.93 * 25 / 8 * GB, name="25GbE"),
    "100GbE": Network(latency=3e-6, bandwidth=0.93 * 100 / 8 * GB, name="100GbE"),
    "infiniband": Network(latency=2e-6, bandwidth=0.93 * 400 / 8 * GB, name="infiniband"),
    "shared memory": Network(
        latency=0.5e-6, bandwidth=8 * GB, ranks_per_node=1 << 30, name="shared memory"
    ),
}  # fmt: skip


def network(given: Any) -> Network:
    """A network by its name, or itself.

    Names: "10GbE" and "25GbE" (TCP), "100GbE" (RDMA), "infiniband" (400 Gbit/s), "shared memory" (all on one node).
    Errors: ArgumentError for another name, KindError for other objects.

    >>> network("100GbE").latency
    3e-06
    """
    if isinstance(given, Network):
        return given
    if not isinstance(given, str):
        raise KindError(f"network is a Network or a name, not a {type(given).__name__}")
    if given not in NETWORKS:
        raise ArgumentError(f"there is no network called {given!r}",
                            remedy="choose one of " + ", ".join(NETWORKS) + ", or give Network(latency=..., "
                            "bandwidth=...)")  # fmt: skip
    return NETWORKS[given]
