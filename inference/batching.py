"""Requests of a server joined into batches: what arrives within a window runs as one call of the model."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..ops.dims import Dim
from .independent_rows import has_independent_rows
from .predictor import Predictor

Array = np.ndarray[Any, Any]
BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)  # seconds, of the histogram


@dataclass
class Metrics:
    """What a server has done so far, as Prometheus reads it."""

    requests: int = 0
    failures: int = 0
    batches: int = 0
    rows: int = 0
    model_seconds: float = 0.0
    request_seconds: float = 0.0
    buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))

    def answered(self, seconds: float, failed: bool) -> None:
        """Count a request."""
        self.requests += 1
        self.failures += failed
        self.request_seconds += seconds
        self.buckets[next((k for k, most in enumerate(BUCKETS) if seconds <= most), len(BUCKETS))] += 1

    def text(self) -> str:
        """The format of Prometheus."""
        counters = {
            "requests": self.requests, "failures": self.failures, "batches": self.batches, "rows": self.rows,
            "model_seconds": self.model_seconds,
        }  # fmt: skip
        lines = []
        for name, number in counters.items():
            lines += [f"# TYPE vitrify_{name}_total counter", f"vitrify_{name}_total {number:g}"]
        lines.append("# TYPE vitrify_request_seconds histogram")
        count = 0
        for most, found in zip((*BUCKETS, math.inf), self.buckets, strict=True):
            count += found
            shown = "+Inf" if most == math.inf else f"{most:g}"
            lines.append(f'vitrify_request_seconds_bucket{{le="{shown}"}} {count}')
        lines += [f"vitrify_request_seconds_sum {self.request_seconds:g}", f"vitrify_request_seconds_count {count}"]
        return "\n".join(lines) + "\n"


@dataclass
class _Request:
    arrays: list[Array]
    answer: asyncio.Future[list[Array]]

    @property
    def rows(self) -> int:
        return int(self.arrays[0].shape[0])

    @property
    def kind(self) -> tuple[tuple[int, ...], ...]:
        return tuple(array.shape[1:] for array in self.arrays)


class Batcher:
    """Runs a predictor for the requests of one event loop, in a thread of its own.

    window: seconds that a request waits for others. most: rows of a batch. Requests are joined along the first axis if
    that has one open size in all inputs and outputs, and each row of the outputs is made of the same row of the inputs
    alone (see independent_rows.py); otherwise each runs alone. Where a batch fails, its requests run
    one by one, so that an error reaches the one that causes it.
    """

    def __init__(self, predictor: Predictor, window: float, most: int) -> None:
        self.predictor, self.window, self.most = predictor, window, most
        self.metrics = Metrics()
        self.joins = _has_batch_axis(predictor)
        self._waiting: list[_Request] = []
        self._timer: asyncio.TimerHandle | None = None
        self._thread = ThreadPoolExecutor(1, "vitrify-serve")

    async def __call__(self, arrays: Sequence[Array]) -> list[Array]:
        """The outputs for these inputs, which fit the model. Errors: VitrifyError of the run."""
        loop = asyncio.get_running_loop()
        request = _Request(list(arrays), loop.create_future())
        if not self.joins:
            await loop.run_in_executor(self._thread, self._run, [request], loop)
            return await request.answer
        if sum(one.rows for one in self._waiting) + request.rows > self.most:
            self._flush(loop)
        self._waiting.append(request)
        if self.window <= 0 or sum(one.rows for one in self._waiting) >= self.most:
            self._flush(loop)
        elif self._timer is None:
            self._timer = loop.call_later(self.window, self._flush, loop)
        return await request.answer

    def close(self) -> None:
        """Let the thread end."""
        self._thread.shutdown(wait=False)

    def _flush(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand all that waits to the thread, one batch for each kind of shapes."""
        if self._timer is not None:
            self._timer.cancel()
        taken, self._waiting, self._timer = self._waiting, [], None
        kinds: dict[tuple[tuple[int, ...], ...], list[_Request]] = {}
        for request in taken:
            kinds.setdefault(request.kind, []).append(request)
        for batch in kinds.values():
            loop.run_in_executor(self._thread, self._run, batch, loop)

    def _run(self, batch: list[_Request], loop: asyncio.AbstractEventLoop) -> None:
        """Compute a batch, in the thread."""
        try:
            parts = self._parts(batch)
        except Exception as error:  # broad: checks and callbacks of the model raise anything; its request gets it
            if len(batch) == 1:
                loop.call_soon_threadsafe(_fail, batch[0].answer, error)
            else:
                for request in batch:
                    self._run([request], loop)
            return
        for request, part in zip(batch, parts, strict=True):
            loop.call_soon_threadsafe(_answer, request.answer, part)

    def _parts(self, batch: list[_Request]) -> list[list[Array]]:
        start = time.perf_counter()
        if len(batch) == 1:
            joined = batch[0].arrays
        else:
            joined = [np.concatenate(group) for group in zip(*(one.arrays for one in batch), strict=True)]
        made = [np.asarray(array) for array in self.predictor.run(joined)]
        self.metrics.batches += 1
        self.metrics.rows += joined[0].shape[0] if self.joins else 1
        self.metrics.model_seconds += time.perf_counter() - start
        if len(batch) == 1:
            return [made]
        ends = np.cumsum([one.rows for one in batch])[:-1]
        pieces = [np.split(array, ends) for array in made]
        return [list(part) for part in zip(*pieces, strict=True)]


def _answer(future: asyncio.Future[list[Array]], found: list[Array]) -> None:
    if not future.done():  # whoever asked may be gone
        future.set_result(found)


def _fail(future: asyncio.Future[list[Array]], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


def _has_batch_axis(predictor: Predictor) -> bool:
    """Whether all inputs and outputs begin with the same open size, of rows that have nothing to do with each other."""
    types = [*predictor.input_types.values(), *predictor.output_types.values()]
    firsts = {kind.shape[0] if kind.shape else None for kind in types}
    others = [size for kind in types for size in kind.shape[1:] if isinstance(size, Dim)]
    if len(firsts) != 1 or predictor.has_state:
        return False
    (first,) = firsts
    if not isinstance(first, Dim) or len(first.symbols()) != 1 or str(first) not in first.symbols():
        return False
    if not all(first.symbols().isdisjoint(size.symbols()) for size in others):
        return False
    return has_independent_rows(predictor.program, first)
