# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from os import PathLike as _PathLike
from typing import Any as _Any
from vitrify.distributed.forecast.network import Network as _Network
from vitrify.distributed.forecast.recording import Trace as _Trace
from vitrify.runtime.observe.timeline import Lane as _Lane
from vitrify.runtime.observe.timeline import Timeline as _Timeline

class Forecast:
    """A step on many ranks as predicted. roles: the ranks that were walked: one, or one for each stage of a pipeline.

    timeline: the lanes of these. traces: what they did. Prints as tables, also in notebooks."""
    ranks: _int
    network: _Network
    timeline: _Timeline
    roles: _tuple[Role, ...]
    traces: _tuple[_Trace, ...]
    def on(self, given: _Network | _str) -> Forecast:
        """The same step on another network, with the same computing. Nothing runs for it."""
    @property
    def seconds(self) -> _float:
        """How long a step takes."""
    @property
    def computing(self) -> _float:
        """How long the busiest rank computes in a step."""
    @property
    def exchanging(self) -> _float:
        """The part of a step in which the busiest rank doesn't compute: exchanges that nothing hides, and waiting."""
    @property
    def efficiency(self) -> _float:
        """The share of a step in which the busiest rank computes: 1 where the network costs nothing."""
    @property
    def memory(self) -> RankMemory:
        """That of the rank that needs most."""
    @property
    def sent(self) -> _int:
        """Bytes that a rank sends in a step, at most."""
    @property
    def crossing(self) -> _int:
        """Bytes through the network card of a node in a step, at most; 0 where all ranks are on one node."""
    @property
    def parts(self) -> _list[PartOfStep]:
        """The step's parts, of the busiest rank, the longest first."""
    def to_dict(self) -> _dict[_str, _Any]:
        """Everything as plain data."""
    def to_json(self, path: _str | _PathLike[_str] | None = None) -> _str:
        """Everything as JSON text, written to a file if one is named."""
    def __init__(self, ranks: _int, network: _Network, timeline: _Timeline, roles: _tuple[Role, ...], traces: _tuple[_Trace, ...]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Role:
    """A rank that was walked, for itself and all that do the same. sent: bytes in a step; crossing: those that leave
    its node (of all the node's ranks)."""
    rank: _int
    lane: _Lane
    memory: RankMemory
    sent: _int
    crossing: _int
    exchanges: _int
    def __init__(self, rank: _int, lane: _Lane, memory: RankMemory, sent: _int, crossing: _int, exchanges: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class RankMemory:
    """Bytes that a rank takes. parameters, states (the optimizer's, buffers, gradients that are kept); inputs and
    results of a step; arena: activations and gradients inside of it, as the memory plan says, None where the step is
    no single program; exchange: what the transport takes for the largest exchange, at most."""
    parameters: _int
    states: _int
    inputs: _int
    arena: _int | None
    exchange: _int
    @property
    def total(self) -> _int:
        """All of them."""
    def __init__(self, parameters: _int = 0, states: _int = 0, inputs: _int = 0, arena: _int | None = None, exchange: _int = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class PartOfStep:
    """A row of the table: what it is, its seconds in a step, how often, bytes of its operands, the line."""
    name: _str
    kind: _str
    seconds: _float
    times: _int
    bytes: _int
    line: _str
    def __init__(self, name: _str, kind: _str, seconds: _float, times: _int, bytes: _int, line: _str) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...
