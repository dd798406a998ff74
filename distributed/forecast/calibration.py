"""The figures of the network that this run has: medians of short exchanges, and the line through longer ones."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from math import ceil, log2
from statistics import median
from typing import Any

import numpy as np

from ...base.errors import ModeError
from ...ops.exchange import Request, Transport, combined, transport

SIZES = (64 << 10, 256 << 10, 1 << 20, 4 << 20)  # bytes; all are exchanged in parts
SHORT, LONG = 200, 15  # how often short and long exchanges are timed
LEAST = 5e-8  # seconds; a latency below that can't be told


def calibrated() -> dict[str, Any]:
    """The figures of a Network, alike on all ranks. Errors: ModeError without several ranks that run side by side."""
    now = transport()
    if now.size == 1 or now.name == "simulator":
        raise ModeError("a network is measured between ranks that run side by side",
                        remedy="call it in a program started by `vitrify launch -n 2`, or give figures")  # fmt: skip
    everyone = tuple(range(now.size))
    nodes: dict[str, list[int]] = {}
    for rank, node in enumerate(now.exchange_object(platform.node(), everyone)):
        nodes.setdefault(node, []).append(rank)
    near = tuple(next(iter(nodes.values())))
    far = tuple(ranks[0] for ranks in nodes.values())
    made: dict[str, Any] = {"joining": _joining(), "ranks_per_node": len(near), "name": "measured"}
    if len(far) > 1:
        latency, bandwidth, overhead = _fitted(now, far, made["joining"])
        made |= {"latency": latency, "bandwidth": bandwidth, "overhead": overhead}
    if len(near) > 1:
        latency, bandwidth, overhead = _fitted(now, near, made["joining"])
        made = {"latency": latency, "bandwidth": bandwidth, "overhead": overhead, **made}
        made |= {"latency_within": latency, "bandwidth_within": bandwidth}
    figures: dict[str, Any] = now.exchange_object(made, everyone)[0]
    return figures


def _joining() -> float:
    """Bytes of operands that a rank adds up in a second."""
    parts = [np.ones(1 << 17, np.float32) for _ in range(2)]
    return 2 * parts[0].nbytes / _median(LONG, lambda: combined("mean", parts))


def _fitted(now: Transport, group: Sequence[int], joining: float) -> tuple[float, float, float]:
    """Latency, bandwidth and what a call costs, in a group; the defaults of ranks outside of it don't matter."""
    if now.rank not in group:
        return 1.0, 1.0, 0.0
    ranks, whole = len(group), tuple(group)

    def reduce(size: int, times: int) -> float:
        array = np.ones(size // 4, np.float32)
        return _median(times, lambda: now.exchange(Request("all_reduce", array, whole, "mean")))

    steps = ceil(log2(ranks))
    message, short = _message(now, whole), reduce(8, SHORT)
    latency = max(LEAST, (short - message) / max(2 * steps - 1, 1))
    overhead = max(0.0, short - 2 * steps * latency)
    waiting = overhead + (steps + 2 * (ranks - 1)) * latency
    slope = _slope([(size, reduce(size, LONG) - waiting) for size in SIZES])
    travels = 2 * (ranks - 1) / ranks  # of each byte of the operand
    return latency, travels / max(slope - 1 / joining, slope / 20), overhead


def _slope(points: Sequence[tuple[float, float]]) -> float:
    """Seconds for a byte: the line through the origin, by relative errors."""
    return max(1e-13, sum(t / b for b, t in points) / len(points))


def _message(now: Transport, group: tuple[int, ...]) -> float:
    """Seconds of a short message: half of there and back; ranks that aren't in it get the others' figure, too."""
    seconds = 0.0
    if now.rank in group[:2]:
        array, mine = np.ones(2, np.float32), group.index(now.rank)
        there, back = (Request(name, array, group, peer=1 - mine) for name in ("send", "recv"))

        def both() -> None:
            for request in (there, back) if mine == 0 else (back, there):
                now.exchange(request)

        seconds = _median(SHORT, both) / 2
    return float(now.exchange_object(seconds, group)[0])


def _median(times: int, run: Callable[[], object]) -> float:
    """The median time of a call, after some that don't count."""
    found = []
    for k in range(times + 3):
        start = time.perf_counter()
        run()
        if k >= 3:
            found.append(time.perf_counter() - start)
    return median(found)
