# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import range as _range
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.dtype import DType as _DType
from vitrify.distributed.transpile.served_rows import ServedRows as _ServedRows
from vitrify.distributed.transpile.stages import Stage as _Stage
from vitrify.distributed.transpile.stages import TranspiledOptimizer as _TranspiledOptimizer
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.static.op_steps import Updates as _Updates
from vitrify.static.program import Program as _Program

class ServedUpdates(_Stage):
    """Let the last `servers` ranks of the run update and keep the parameters for the others, the trainers.

    Each server has its part of every parameter, and the optimizer's states of it. mode "sync": a step's gradients of
    all trainers are averaged, as in data-parallel training. "async": each trainer's gradients are applied when they
    come. "geo": trainers update by themselves; every `k_steps` steps the servers add the mean of what changed. Tables
    of `Embedding(sparse=True)` are on the servers alone, row i on server i modulo servers: trainers pull the rows that
    a step reads and push gradients of these; their states change with them (geo: they are as other parameters).
    All ranks call `begin`; then servers call `serve`, trainers train, and at last call `stop`.
    Errors: ArgumentError for another mode, or fewer than one server; ModeError for an optimizer that isn't elementwise,
    and clips of norms unless in sync mode.

    >>> ServedUpdates(servers=2, mode="geo", k_steps=4).mode
    'geo'"""
    servers: _int
    mode: _str
    k_steps: _int
    rows: _dict[_int, _ServedRows]
    name: _str
    def __init__(self, servers: _int = 1, mode: _str = 'sync', k_steps: _int = 1) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def trainers(self) -> _int:
        """How many trainers there are. Errors: ModeError for a run that has none beside its servers."""
    @property
    def server_ranks(self) -> _range:
        """The ranks of the servers: the last ones."""
    def is_server(self) -> _bool:
        """Whether this rank is a server."""
    def prepare(self, optimizer: _TranspiledOptimizer) -> None:
        """Errors: ModeError for an optimizer whose updates can't be cut into parts."""
    def begin(self, optimizer: _TranspiledOptimizer, model: _Layer | None = None) -> None:
        """Give all ranks the first one's parameters and buffers; then each keeps what it needs. All ranks call it.

        model: with the embeddings whose tables are served by rows. Errors: ModeError for those with gradient_merge."""
    def serves(self, optimizer: _Any) -> None:
        """This server keeps its parts of an optimizer's parameters."""
    def serve(self) -> _int:
        """A server's work: until all trainers have stopped. How many updates there were."""
    def stop(self) -> None:
        """A trainer has ended: the servers wait for it no more."""
    def dense(self, parameters: _Sequence[_Any]) -> _list[_tuple[_int, _Any]]:
        """The parameters that travel whole, with their places."""
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Push the gradients and pull the parameters; or, in geo mode, update and exchange what changed."""
    def replaces(self, program: _Program, updates: _Updates) -> None:
        """A trainer has no states of the optimizer, unless it updates by itself."""
    def say(self, server: _int, kind: _int, *numbers: _int) -> None:
        """Tell a server what comes."""
    def send(self, server: _int, x: _Any) -> None:
        """Send an array to a server."""
    def receive(self, server: _int, shape: _tuple[_int, ...], dtype: _DType) -> _Any:
        """Receive an array from a server."""
