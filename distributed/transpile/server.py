"""A parameter server's loop: it takes what trainers send, in the order in which it comes, updates, and answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...base.dtype import DType, float64, int64
from ...base.errors import ArgumentError, ExchangeError
from ...dygraph.conversions import to_tensor
from ...dygraph.modes import GradMode
from ...dygraph.optimizer.for_stages import groups_of, row_states, set_rate, update_parts
from ...dygraph.optimizer.optimizer import Optimizer
from ...ops.collective import request_of
from ...ops.exchange import combined, transport
from ..group import Group, here
from .parts import part_size
from .sharded_states import shard_clip

PUSH, ADD, PULL_ROWS, PUSH_ROWS, STOP = range(5)  # what a trainer says first: i64[3], with two numbers


@dataclass
class _Pushed:
    """What one trainer has pushed for the next update: parts of gradients, and [(ids, gradients)] of tables' rows."""

    dense: dict[int, Any] = field(default_factory=dict)
    rows: dict[int, list[tuple[Any, Any]]] = field(default_factory=dict)
    rate: float = 0.0


class Server:
    """One server: its parts of the parameters, and the optimizer's states of these."""

    def __init__(self, stage: Any, optimizer: Optimizer, parameters: Sequence[Any]) -> None:
        self.stage, self.optimizer, self.parameters = stage, optimizer, parameters
        self.me = here()[0] - stage.trainers
        self.group = Group(stage.server_ranks)
        self.updates = 0
        self.pushed = {t: _Pushed() for t in range(stage.trainers)}
        self.waiting: list[int] = []  # trainers whose step waits for the others'
        self.dense = stage.dense(parameters)
        for _, p in self.dense:
            whole = p.numpy().reshape(-1)
            each = part_size(whole.size, stage.servers)
            part = np.zeros(each, whole.dtype)
            found = whole[self.me * each : (self.me + 1) * each]
            part[: found.size] = found
            p._storage.replace(part)
        for k in stage.rows:
            parameters[k]._storage.replace(np.ascontiguousarray(parameters[k].numpy()[self.me :: stage.servers]))

    def run(self) -> int:
        """Serve until all trainers have stopped; how many updates there were."""
        tickets = {t: self._expect(t) for t in self.pushed}
        last = -1
        while tickets:
            order = sorted(tickets, key=lambda t: (t <= last, t))  # none is served twice while another one waits
            last = order[transport().first_ready([tickets[t] for t in order])]
            kind, first, second = (int(n) for n in transport().finish(tickets.pop(last)))
            if kind == STOP:
                del self.pushed[last]
                self._maybe_update()
                continue
            self._take(last, kind, first, second)
            tickets[last] = self._expect(last)
        return self.updates

    def _take(self, trainer: int, kind: int, first: int, second: int) -> None:
        if kind == PULL_ROWS:
            self._give_rows(trainer, first, second)
        elif kind == PUSH_ROWS:
            ids = self._receive(trainer, (second,), int64)
            table = self.parameters[first]
            gradients = self._receive(trainer, (second, table.shape[1]), table.dtype)
            self.pushed[trainer].rows.setdefault(first, []).append((ids, gradients))
        elif kind == ADD:
            self._add(trainer, first)
        elif kind == PUSH:
            self._take_gradients(trainer, first)
        else:
            raise ExchangeError(f"trainer {trainer} says {kind}, which no parameter server knows")

    def _take_gradients(self, trainer: int, count: int) -> None:
        pushed = self.pushed[trainer]
        pushed.rate = float(self._receive(trainer, (1,), float64)[0])
        pushed.dense = self._parts(trainer, count)
        if self.stage.mode == "async":
            self._update([trainer])
            self._answer(trainer)
            return
        self.waiting.append(trainer)
        self._maybe_update()

    def _maybe_update(self) -> None:
        """In sync mode: update once all trainers that haven't stopped have pushed."""
        if self.waiting and set(self.waiting) == set(self.pushed):
            trainers, self.waiting = sorted(self.waiting), []
            self._update(trainers)
            for trainer in trainers:
                self._answer(trainer)

    def _parts(self, trainer: int, count: int) -> dict[int, Any]:
        """Parts of some parameters, by place: their places, then the parts of each dtype in one array."""
        if not count:
            return {}
        places = [int(k) for k in self._receive(trainer, (count,), int64)]
        found: dict[int, Any] = {}
        for dtype in dict.fromkeys(self.parameters[k].dtype for k in places):
            chosen = [k for k in places if self.parameters[k].dtype is dtype]
            sizes = [math.prod(self.parameters[k].shape) for k in chosen]
            flat = self._receive(trainer, (sum(sizes),), dtype)
            found.update(zip(chosen, np.split(flat, np.cumsum(sizes)[:-1]), strict=True))
        return found

    def _add(self, trainer: int, count: int) -> None:
        with GradMode(False):
            for k, change in self._parts(trainer, count).items():
                p = self.parameters[k]
                p._write(p.detach() + to_tensor(change), fresh=True)
        self.updates += 1
        self._answer(trainer)

    def _answer(self, trainer: int) -> None:
        """All parts that this server has, those of each dtype in one array."""
        for dtype in dict.fromkeys(p.dtype for _, p in self.dense):
            self._send(trainer, np.concatenate([p.numpy() for _, p in self.dense if p.dtype is dtype]))

    # ---- updates

    def _update(self, trainers: Sequence[int]) -> None:
        pushes = [self.pushed[t] for t in trainers]
        for t in trainers:
            self.pushed[t] = _Pushed()
        set_rate(self.optimizer, pushes[0].rate)
        gradients = {
            k: combined("mean", [one.dense.get(k, np.zeros(p.shape, p.dtype.numpy)) for one in pushes])
            for k, p in self.dense
            if any(k in one.dense for one in pushes)
        }
        rows = {k: self._joined_rows(k, pushes) for k in self.stage.rows if any(k in one.rows for one in pushes)}
        places = {id(p): k for k, p in enumerate(self.parameters)}
        with GradMode(False):
            for group in groups_of(self.optimizer):
                mine = [places[id(p)] for p in group.params]
                tables = [(self.parameters[k], rows[k][0]) for k in mine if k in rows]
                with row_states(self.optimizer, tables) as parts:
                    pairs = [(self.parameters[k], to_tensor(gradients[k])) for k in mine if k in gradients]
                    found = [to_tensor(rows[k][1]) for k in mine if k in rows]
                    pairs += list(zip(parts, found, strict=True))
                    update_parts(self.optimizer, group, shard_clip(group.clip, self.group)(pairs))
        self.updates += 1

    def _joined_rows(self, k: int, pushes: Sequence[_Pushed]) -> tuple[Any, Any]:
        """This server's rows of a table that were pushed, each once, and the means of their gradients."""
        pairs = [pair for one in pushes for pair in one.rows.get(k, [])]
        ids = np.concatenate([ids for ids, _ in pairs])
        gradients = np.concatenate([g for _, g in pairs])
        own = ids % self.stage.servers == self.me
        local, where = np.unique(ids[own] // self.stage.servers, return_inverse=True)
        total = np.zeros((local.size, gradients.shape[1]), gradients.dtype)
        np.add.at(total, where, gradients[own])
        return local, total / total.dtype.type(len(pushes))

    def _give_rows(self, trainer: int, k: int, count: int) -> None:
        ids, table = self._receive(trainer, (count,), int64), self.parameters[k]
        whole = self.stage.rows[k].shape[0]
        if count and not (ids.min() >= 0 and ids.max() < whole):
            raise ArgumentError(
                f"trainer {trainer} asks for rows {ids.min()} to {ids.max()} of a table of {whole} rows"
            )
        own = ids % self.stage.servers == self.me
        rows = np.zeros((count, table.shape[1]), table.dtype.numpy)
        rows[own] = table.numpy()[ids[own] // self.stage.servers]
        self._send(trainer, rows)

    # ---- messages

    def _expect(self, trainer: int) -> int:
        return transport().start(request_of("recv", None, group=(), peer=trainer, shape=(3,), dtype=int64))

    def _receive(self, trainer: int, shape: tuple[int, ...], dtype: DType) -> Any:
        return transport().exchange(request_of("recv", None, group=(), peer=trainer, shape=shape, dtype=dtype))

    def _send(self, trainer: int, array: Any) -> None:
        transport().exchange(request_of("send", array, group=(), peer=trainer))
