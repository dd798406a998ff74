"""ServedUpdates: some ranks are parameter servers; the others, trainers, push gradients and pull parameters.

Source: Li et al., Scaling Distributed Machine Learning with the Parameter Server, 2014.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ...base.dtype import DType, int64
from ...base.errors import ArgumentError, ModeError
from ...dygraph.nn.layer import Layer
from ...dygraph.optimizer.clip import ClipGradByValue
from ...dygraph.optimizer.for_stages import forget_states, groups_of, rate_of
from ...ops.dispatch import bottom, using
from ...ops.op import OPS
from ...ops.rearrange import stack
from ...ops.shape import concat
from ...static.op_steps import Updates, forget_state
from ...static.program import Program
from ..exchanges import broadcast
from ..group import Group, here
from .parts import cut, joined, part_size, whole_shape
from .served_rows import ServedRows, tables_of
from .server import ADD, PUSH, STOP, Server
from .sharded_states import shard_clip
from .stages import Pairs, Stage, Then, TranspiledOptimizer

MODES = ("sync", "async", "geo")


class ServedUpdates(Stage):
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
    'geo'
    """

    name = "parameter_server"

    def __init__(self, servers: int = 1, mode: str = "sync", k_steps: int = 1) -> None:
        super().__init__()
        if mode not in MODES:
            raise ArgumentError(f"parameter servers have no mode {mode!r}", remedy=f"use one of {', '.join(MODES)}")
        if servers < 1 or k_steps < 1:
            raise ArgumentError(f"parameter_server needs servers and k_steps of at least 1, not {servers}, {k_steps}")
        self.servers, self.mode, self.k_steps = int(servers), mode, int(k_steps)
        self.rows: dict[int, ServedRows] = {}  # of tables, by the parameter's place in the optimizer's list

    # ---- who is who

    @property
    def trainers(self) -> int:
        """How many trainers there are. Errors: ModeError for a run that has none beside its servers."""
        size = here()[1]
        if size <= self.servers:
            raise ModeError(f"a run of {size} can't have {self.servers} parameter servers and a trainer",
                            remedy=f"start more: vitrify launch -n {self.servers + 1}")  # fmt: skip
        return size - self.servers

    @property
    def server_ranks(self) -> range:
        """The ranks of the servers: the last ones."""
        return range(self.trainers, self.trainers + self.servers)

    def is_server(self) -> bool:
        """Whether this rank is a server."""
        return here()[0] in self.server_ranks

    # ---- a run

    def prepare(self, optimizer: TranspiledOptimizer) -> None:
        """Errors: ModeError for an optimizer whose updates can't be cut into parts."""
        inner = optimizer.inner
        if not inner.is_elementwise and self.mode != "geo":
            raise ModeError(f"parameter_server: {type(inner).__name__} needs whole parameters for its update",
                            remedy="use Adam, AdamW, Momentum or SGD")  # fmt: skip
        for group in groups_of(inner):
            if self.mode == "async" and group.clip is not None and not isinstance(group.clip, ClipGradByValue):
                raise ModeError(f"asynchronous parameter servers have no {type(group.clip).__name__}: each gets the "
                                "gradients in an order of its own",
                                remedy="use ClipGradByValue, or sync mode")  # fmt: skip
            if self.mode == "sync":
                shard_clip(group.clip, Group(self.server_ranks))

    def begin(self, optimizer: TranspiledOptimizer, model: Layer | None = None) -> None:
        """Give all ranks the first one's parameters and buffers; then each keeps what it needs. All ranks call it.

        model: with the embeddings whose tables are served by rows. Errors: ModeError for those with gradient_merge.
        """
        inner = optimizer.inner
        for tensor in [*inner._parameter_list, *([] if model is None else model.buffers())]:
            broadcast(tensor, 0)
        places = {id(p): k for k, p in enumerate(inner._parameter_list)}
        found = {} if model is None or self.mode == "geo" else tables_of(model, places)
        if found and any(stage.name == "gradient_merge" for stage in optimizer.stages):
            raise ModeError("gradient_merge and tables that are served by rows don't go together: rows are pushed in "
                            "each step", remedy="make the embedding with sparse=False")  # fmt: skip
        for k, layers in found.items():
            self.rows[k] = ServedRows(k, inner._parameter_list[k], layers, self)
        if self.is_server():
            self.serves(inner)
            return
        for rows in self.rows.values():
            rows.hand_over()

    def serves(self, optimizer: Any) -> None:
        """This server keeps its parts of an optimizer's parameters."""
        self.server = Server(self, optimizer, optimizer._parameter_list)

    def serve(self) -> int:
        """A server's work: until all trainers have stopped. How many updates there were."""
        return self.server.run()

    def stop(self) -> None:
        """A trainer has ended: the servers wait for it no more."""
        with using(bottom()):  # in static mode, too, it happens at once
            for server in self.server_ranks:
                self.say(server, STOP)

    # ---- a trainer's step

    def dense(self, parameters: Sequence[Any]) -> list[tuple[int, Any]]:
        """The parameters that travel whole, with their places."""
        return [(k, p) for k, p in enumerate(parameters) if k not in self.rows and not p.stop_gradient]

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Push the gradients and pull the parameters; or, in geo mode, update and exchange what changed."""
        if self.mode == "geo":
            self._trade(pairs, then, optimizer)
            return
        inner = optimizer.inner
        for rows in self.rows.values():
            rows.push()
        self._push(PUSH, inner._parameter_list, pairs, rate_of(inner))
        self._pull(inner._parameter_list)

    def _trade(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        every = optimizer.inner._parameter_list
        before = [(p, p.detach() * 1) for _, p in self.dense(every)]
        then(pairs)
        for p, old in before:
            change = optimizer.kept("geo_change", p)
            change._write(change + (p.detach() - old))

        def exchange() -> None:
            changes = [(p, optimizer.kept("geo_change", p)) for _, p in self.dense(every)]
            self._push(ADD, every, [(p, x / self.trainers) for p, x in changes], None)
            self._pull(every)
            for _, x in changes:
                x._write(OPS["full"](x.shape, 0, x.dtype))

        optimizer.every(self.k_steps, "geo_steps", exchange)

    def _push(self, kind: int, parameters: Sequence[Any], pairs: Pairs, rate: Any) -> None:
        places = {id(p): k for k, p in enumerate(parameters)}
        chosen = sorted(((places[id(p)], p, x) for p, x in pairs), key=lambda item: item[0])
        numbers = words([k for k, _, _ in chosen])
        flats = [
            concat([cut(x, self.servers) for _, p, x in chosen if p.dtype is dtype], 1)
            for dtype in dtypes_of(p for _, p, _ in chosen)
        ]
        for k, server in enumerate(self.server_ranks):
            self.say(server, kind, len(chosen))
            if rate is not None:
                self.send(server, OPS["reshape"](rate, (1,)))
            if chosen:
                self.send(server, numbers)
            for flat in flats:
                self.send(server, flat[k])

    def _pull(self, parameters: Sequence[Any]) -> None:
        dense = [p for _, p in self.dense(parameters)]
        sizes = {id(p): part_size(math.prod(p.shape), self.servers) for p in dense}
        kinds = [(dtype, [p for p in dense if p.dtype is dtype]) for dtype in dtypes_of(dense)]
        got = [[self.receive(server, (sum(sizes[id(p)] for p in ps),), dtype) for dtype, ps in kinds]
               for server in self.server_ranks]  # fmt: skip
        for j, (_, ps) in enumerate(kinds):
            rows, start = stack([of_server[j] for of_server in got]), 0
            for p in ps:
                part = OPS["slice"](rows, (0, start), (self.servers, sizes[id(p)]))
                p._write(joined(part, whole_shape(p)), fresh=True)
                start += sizes[id(p)]

    def replaces(self, program: Program, updates: Updates) -> None:
        """A trainer has no states of the optimizer, unless it updates by itself."""
        if self.mode != "geo":
            for tensor in forget_states(getattr(updates.optimizer, "inner", updates.optimizer)):
                forget_state(program, updates.startup, tensor)

    # ---- messages

    def say(self, server: int, kind: int, *numbers: int) -> None:
        """Tell a server what comes."""
        self.send(server, words([kind, *numbers, 0, 0][:3]))

    def send(self, server: int, x: Any) -> None:
        """Send an array to a server."""
        OPS["send"](x, peer=server, group=())

    def receive(self, server: int, shape: tuple[int, ...], dtype: DType) -> Any:
        """Receive an array from a server."""
        return OPS["recv"](peer=server, group=(), shape=shape, dtype=dtype)


def words(numbers: Sequence[int]) -> Any:
    """Numbers as i64[n], in every mode."""
    return concat([OPS["full"]((1,), n, int64) for n in numbers]) if numbers else None


def dtypes_of(parameters: Iterable[Any]) -> list[DType]:
    """The dtypes of parameters, each once, in their order."""
    return list(dict.fromkeys(p.dtype for p in parameters))
