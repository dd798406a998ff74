# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any

class Network:
    """A network by its figures: seconds and bytes per second.

    latency, bandwidth: of a message between two nodes; bandwidth is that of a node's card, which its ranks share.
    latency_within, bandwidth_within: of a message between ranks of one node; unless given, those of shared memory.
    ranks_per_node: neighbouring ranks share a node. overhead: what each exchange costs by itself (Python, MPI's calls).
    joining: bytes of operands that a rank adds up in a second. algorithm: of reductions: "fixed order" (what our MPI
    transport does, the same bits as in the simulator), "ring", "tree", "recursive doubling", or "fastest" of these
    three. Errors: ArgumentError for figures that aren't positive.

    >>> Network(latency=10e-6, bandwidth=1e9).seconds("all_reduce", 8_000_000, ranks=2) > 0.008
    True"""
    latency: _float
    bandwidth: _float
    ranks_per_node: _int
    latency_within: _float
    bandwidth_within: _float
    overhead: _float
    joining: _float
    algorithm: _str
    name: _str
    def with_(self, **changes: _Any) -> Network:
        """The same network but for these figures.

        >>> network("10GbE").with_(ranks_per_node=8).ranks_per_node
        8"""
    def to_dict(self) -> _dict[_str, _Any]:
        """Its figures as plain data."""
    def seconds(self, name: _str, size: _int, *, ranks: _int, reduction: _str = 'sum') -> _float:
        """How long an exchange of `size` bytes on each of the first `ranks` ranks takes, once all are there.

        name: as the operations are called: "all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all", …"""
    def price(self, parcel: Parcel, rank: _int | None = None) -> Price:
        """What an exchange costs, once all its ranks are there. rank: who sends (default: the group's first)."""
    @classmethod
    def measured(cls) -> Network:
        """The network between the ranks that run now, measured with MPI's exchanges; all ranks have to call it.

        It takes some seconds at most. Ranks of one machine are a node; figures of the level that isn't there stay those
        of the defaults. Errors: ModeError with one rank, and in `run_ranks`, where nothing travels."""
    def spread(self, p: _Place, size: _float) -> _Move:
        """Each rank gives each other one `size` bytes of its own (all to all)."""
    def gathered(self, p: _Place, size: _float) -> _Move:
        """Each rank gets `size` bytes of each (all gather): in log n rounds if small, else around a ring."""
    def rooted(self, p: _Place, size: _float) -> _Move:
        """One rank gets (or gives) `size` bytes of each: by a tree; its card carries all of them."""
    def copied(self, p: _Place, size: _float) -> _Move:
        """One rank's `size` bytes for all: by a tree if small, else in parts that are then gathered."""
    def reduced(self, p: _Place, size: _float) -> _Move:
        """All ranks get the sum of all `size` bytes, by the network's algorithm."""
    def __init__(self, *, latency: _float, bandwidth: _float, ranks_per_node: _int = 1, latency_within: _float = 5e-07, bandwidth_within: _float = 8000000000.0, overhead: _float = 1.2e-05, joining: _float = 6000000000.0, algorithm: _str = 'fixed order', name: _str = 'network') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Parcel:
    """What an exchange carries. group: its ranks in order; bytes: of one rank's operand (of what `recv` gets)."""
    name: _str
    bytes: _int
    group: _tuple[_int, ...]
    reduction: _str
    root: _int | None
    peer: _int | None
    @classmethod
    def of(cls, request: _Any) -> Parcel:
        """What a rank's request carries."""
    def __init__(self, name: _str, bytes: _int, group: _tuple[_int, ...], reduction: _str = '', root: _int | None = None, peer: _int | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class Price:
    """What an exchange costs. sent: bytes that a rank sends, at most; crossing: bytes that leave its node."""
    seconds: _float
    sent: _int
    crossing: _int
    def __init__(self, seconds: _float, sent: _int, crossing: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class _Place:
    """A group on its nodes. n: ranks; m: nodes; r: ranks of the fullest node."""
    n: _int
    m: _int
    r: _int
    def __init__(self, n: _int, m: _int, r: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class _Move:
    """One part of an algorithm: messages one after the other, and bytes, between nodes and within one."""
    rounds: _float
    through: _float
    inner_rounds: _float
    inner: _float
    joined: _float
    sent: _float
    def __add__(self, other: _Move) -> _Move: ...
    def __init__(self, rounds: _float = 0.0, through: _float = 0.0, inner_rounds: _float = 0.0, inner: _float = 0.0, joined: _float = 0.0, sent: _float = 0.0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...
