"""Named streams of random numbers beside the usual one: some numbers are to differ between ranks, others are not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ...base.drawing import drawing
from ...base.errors import ArgumentError
from ...dygraph.random_generators import Generator, default_generator
from ...dygraph.random_generators import seed as seed_all
from .topology import get_hybrid_communicate_group

MODEL_PARALLEL_RNG = "model_parallel_rng"


class RNGStatesTracker:
    """Streams by name. Inside of `rng_state(name)` the usual functions draw from that stream.

    >>> tracker = RNGStatesTracker()
    >>> tracker.add("mine", 5)
    >>> with tracker.rng_state("mine"):
    ...     pass
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all streams."""
        self._streams: dict[str, Generator] = {}
        self._seeds: set[int] = set()

    def add(self, name: str, seed: int) -> None:
        """A new stream. Errors: ArgumentError for a name or a seed that is taken."""
        if seed in self._seeds or name in self._streams:
            taken = f"seed {seed}" if seed in self._seeds else f"stream {name!r}"
            raise ArgumentError(f"RNGStatesTracker: {taken} already exists", remedy="call reset() first")
        self._seeds.add(seed)
        self._streams[name] = Generator(seed)

    @property
    def states_(self) -> dict[str, Any]:
        """The states of all streams by name, under PaddlePaddle's name."""
        return self.get_states_tracker()

    @property
    def seeds_(self) -> set[int]:
        """The seeds that are taken."""
        return set(self._seeds)

    def get_states_tracker(self) -> dict[str, Any]:
        """The states of all streams."""
        return {name: stream.get_state() for name, stream in self._streams.items()}

    def set_states_tracker(self, states: dict[str, Any]) -> None:
        """Go back to such states."""
        for name, state in states.items():
            self._stream(name).set_state(state)

    @contextmanager
    def rng_state(self, name: str = MODEL_PARALLEL_RNG) -> Iterator[None]:
        """Draw from a stream inside of the block, in eager mode and in captured functions. Errors: ArgumentError."""
        stream, before = self._stream(name), default_generator.get_state()
        default_generator.set_state(stream.get_state())
        try:
            yield
        finally:
            stream.set_state(default_generator.get_state())
            default_generator.set_state(before)

    def _stream(self, name: str) -> Generator:
        if name not in self._streams:
            raise ArgumentError(f"RNGStatesTracker: there is no stream {name!r}", remedy="add(name, seed) first")
        return self._streams[name]


_trackers: ContextVar[RNGStatesTracker | None] = ContextVar("random states", default=None)


def get_rng_state_tracker() -> RNGStatesTracker:
    """The named streams of this rank."""
    found = _trackers.get()
    if found is None:
        found = RNGStatesTracker()
        _trackers.set(found)
    return found


def model_parallel_random_seed(seed: int | None = None) -> None:
    """Seed the usual stream alike on all ranks, and the stream of MODEL_PARALLEL_RNG on each part of a layer otherwise.

    Ranks that differ in their data only have the same of both. seed: default is a random one, which is this rank's own.
    """
    grid = get_hybrid_communicate_group()
    whole = int(drawing(np.random).randint(0, 10000)) if seed is None else seed
    stages = grid.get_pipe_parallel_world_size()
    tracker = get_rng_state_tracker()
    tracker.reset()
    tracker.add(MODEL_PARALLEL_RNG, whole + 1 + grid.get_model_parallel_rank() * stages + grid.get_stage_id())
    seed_all(whole)
