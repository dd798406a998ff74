"""What `simulate` predicts, to read: time, memory of each rank, traffic, and a table of the step's parts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from ...base.html import folded, grid
from ...base.memory import shown_bytes
from ...base.table import table
from ...runtime.observe.profile_views import write_text
from ...runtime.observe.timeline import BEHIND, COMPUTE, EXCHANGE, WAIT, Lane, Timeline
from .network import Network, network
from .recording import Trace
from .virtual_clock import VirtualClock

_HEADER = ("", "ms", "share", "times", "MB per rank", "line")
_ROLES = ("rank", "computing ms", "exchanging ms", "waiting ms", "memory", "sent")


@dataclass(frozen=True, slots=True)
class RankMemory:
    """Bytes that a rank takes. parameters, states (the optimizer's, buffers, gradients that are kept); inputs and
    results of a step; arena: activations and gradients inside of it, as the memory plan says, None where the step is
    no single program; exchange: what the transport takes for the largest exchange, at most.
    """

    parameters: int = 0
    states: int = 0
    inputs: int = 0
    arena: int | None = None
    exchange: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.parameters + self.states + self.inputs + (self.arena or 0) + self.exchange


@dataclass(frozen=True, slots=True)
class Role:
    """A rank that was walked, for itself and all that do the same. sent: bytes in a step; crossing: those that leave
    its node (of all the node's ranks).
    """

    rank: int
    lane: Lane
    memory: RankMemory
    sent: int
    crossing: int
    exchanges: int


@dataclass(frozen=True, slots=True)
class PartOfStep:
    """A row of the table: what it is, its seconds in a step, how often, bytes of its operands, the line."""

    name: str
    kind: str
    seconds: float
    times: int
    bytes: int
    line: str


@dataclass(frozen=True)
class Forecast:
    """A step on many ranks as predicted. roles: the ranks that were walked: one, or one for each stage of a pipeline.

    timeline: the lanes of these. traces: what they did. Prints as tables, also in notebooks.
    """

    ranks: int
    network: Network
    timeline: Timeline = field(repr=False)
    roles: tuple[Role, ...]
    traces: tuple[Trace, ...] = field(repr=False)

    def on(self, given: Network | str) -> Forecast:
        """The same step on another network, with the same computing. Nothing runs for it."""
        memories = [role.memory for role in self.roles]
        return forecast(self.ranks, network(given), self.traces, memories, self.timeline.times)

    @property
    def seconds(self) -> float:
        """How long a step takes."""
        return self.timeline.seconds

    @property
    def computing(self) -> float:
        """How long the busiest rank computes in a step."""
        return max(role.lane.seconds(COMPUTE) for role in self.roles)

    @property
    def exchanging(self) -> float:
        """The part of a step in which the busiest rank doesn't compute: exchanges that nothing hides, and waiting."""
        return self.seconds - self.computing

    @property
    def efficiency(self) -> float:
        """The share of a step in which the busiest rank computes: 1 where the network costs nothing."""
        return self.computing / self.seconds if self.seconds else 1.0

    @property
    def memory(self) -> RankMemory:
        """That of the rank that needs most."""
        return max((role.memory for role in self.roles), key=lambda m: m.total)

    @property
    def sent(self) -> int:
        """Bytes that a rank sends in a step, at most."""
        return max(role.sent for role in self.roles)

    @property
    def crossing(self) -> int:
        """Bytes through the network card of a node in a step, at most; 0 where all ranks are on one node."""
        return max(role.crossing for role in self.roles)

    @property
    def parts(self) -> list[PartOfStep]:
        """The step's parts, of the busiest rank, the longest first."""
        role = max(self.roles, key=lambda r: r.lane.seconds(COMPUTE))
        found: dict[tuple[str, str, str], list[float]] = {}
        for span in role.lane.spans:
            line = span.place.short() if span.place is not None and span.place.file else ""
            sums = found.setdefault((span.kind, span.name, line), [0.0, 0, 0])
            sums[0] += span.end - span.start
            sums[1] += 1
            sums[2] += span.bytes
        rows = [
            PartOfStep(_word(kind, name), kind, s, int(n), int(b), line)
            for (kind, name, line), (s, n, b) in found.items()
        ]
        return sorted(rows, key=lambda row: -row.seconds)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        roles = [
            {"rank": r.rank, "memory": {n: getattr(r.memory, n) for n in (*RankMemory.__slots__, "total")},
             "sent": r.sent, "crossing": r.crossing, "exchanges": r.exchanges}
            for r in self.roles
        ]  # fmt: skip
        parts = [{name: getattr(p, name) for name in PartOfStep.__slots__} for p in self.parts]
        return {
            "ranks": self.ranks, "seconds": self.seconds, "computing": self.computing, "efficiency": self.efficiency,
            "network": self.network.to_dict(), "roles": roles, "parts": parts, "timeline": self.timeline.to_dict(),
        }  # fmt: skip

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Everything as JSON text, written to a file if one is named."""
        return write_text(self.to_dict(), path)

    def __str__(self) -> str:
        parts = table(_HEADER, self._part_rows(), right=range(1, 5))
        roles = table(_ROLES, self._role_rows(), right=range(1, 6))
        return f"{self._headline()}\n\n{parts}\n\n{roles}\n\n{self._memory()}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        body = f"<p>{escape(self._headline())}</p>" + self.timeline.svg()
        body += grid(_HEADER, self._part_rows(), right=range(1, 5))
        return body + folded("ranks", grid(_ROLES, self._role_rows(), right=range(1, 6))) + f"<p>{self._memory()}</p>"

    def _headline(self) -> str:
        near = self.network.ranks_per_node
        where = self.network.name + (f", {near} on a node" if 1 < near < self.ranks else "")
        return (
            f"{self.ranks:,} rank(s) on {where}: {self.seconds * 1e3:,.3f} ms a step, of which each computes "
            f"{self.computing * 1e3:,.3f} ms ({self.efficiency:.0%}); a rank takes {shown_bytes(self.memory.total)} "
            f"and sends {shown_bytes(self.sent)}"
        )

    def _memory(self) -> str:
        m = self.memory
        arena = "unknown: the step is no single program" if m.arena is None else shown_bytes(m.arena)
        return (
            f"memory of a rank: parameters {shown_bytes(m.parameters)}, states {shown_bytes(m.states)}, inputs "
            f"{shown_bytes(m.inputs)}, activations and gradients {arena}, exchanges up to {shown_bytes(m.exchange)}"
        )

    def _part_rows(self) -> list[list[str]]:
        whole = self.seconds or 1.0
        return [
            [p.name, f"{p.seconds * 1e3:,.3f}", f"{p.seconds / whole:.1%}", f"{p.times:,}",
             f"{p.bytes / 1e6:,.2f}" if p.bytes else "", p.line]
            for p in self.parts
        ]  # fmt: skip

    def _role_rows(self) -> list[list[str]]:
        rows = []
        for role in self.roles:
            times = [role.lane.seconds(COMPUTE), role.lane.seconds(EXCHANGE), role.lane.seconds(WAIT)]
            cells = [role.lane.name, *(f"{t * 1e3:,.3f}" for t in times)]
            rows.append([*cells, shown_bytes(role.memory.total), shown_bytes(role.sent)])
        return rows


def forecast(
    ranks: int, chosen: Network, traces: Sequence[Trace], memories: Sequence[RankMemory], times: Mapping[str, float]
) -> Forecast:
    """What the walked ranks' traces come to on a network. times: seconds of computing by where they are."""
    clock = VirtualClock(traces, chosen)
    timeline = clock.run(f"predicted for {chosen.name}")
    timeline.times = times
    roles = []
    for lane, trace, memory in zip(timeline.lanes, traces, memories, strict=True):
        prices = clock.prices(trace.rank)
        sent, crossing = sum(p.sent for p in prices), sum(p.crossing for p in prices)
        roles.append(Role(trace.rank, lane, memory, sent, crossing, len(prices)))
    return Forecast(ranks, chosen, timeline, tuple(roles), tuple(traces))


def _word(kind: str, name: str) -> str:
    words = {COMPUTE: "computing", WAIT: f"waiting in {name}", BEHIND: f"{name}, behind computing"}
    return words.get(kind, name)
