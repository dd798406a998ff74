"""Training that goes on with fewer ranks when some are lost: from the last step whose state all ranks have copied.

The training is a function that makes all it needs. It is called again with the ranks that are left, so models,
optimizers, groups and captured functions are made for their number; what is tracked is filled with the copied state.
A rank keeps its former copy until all ranks have the next one. So there is always a step that all that are left have.
"""

from __future__ import annotations

import copy
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from ..base import unique_name
from ..base.errors import ArgumentError, RankLostError
from ..dygraph.random_generators import get_rng_state, set_rng_state
from ..dygraph.tensor import Tensor
from ..ops.exchange import transport
from .checkpoint import load_state_dict, save_state_dict
from .process import init_parallel_env
from .simulator import RankKilled
from .tasks import give_up_all

Result = TypeVar("Result")


class Progress:
    """How far a training has come, and copies of its state. `step`: the number of steps done, over all attempts."""

    def __init__(self, every: int = 1, folder: str | Path | None = None) -> None:
        """every: steps from one copy to the next. folder: where checkpoints are kept; None: copies in memory."""
        if every < 1:
            raise ArgumentError(f"elastic: every must be at least 1 step, not {every}")
        self.step, self.epoch, self.seen = 0, 0, 0
        self.every, self.folder = every, None if folder is None else Path(folder)
        self._copies: dict[int, Any] = {}
        self._objects: tuple[Any, ...] = ()

    def track(self, *objects: Any) -> None:
        """Copy the state of these models and optimizers from now on. What was copied before is put into them.

        Each needs `state_dict` and `set_state_dict`. Sharded optimizers give whole states, so any rank may be lost.
        """
        self._objects = objects
        if self.folder is not None and self.step:
            state: dict[str, Any] = {str(k): {} for k in range(len(objects))}  # each takes all that was saved
            load_state_dict(state, str(self.folder / f"step-{self.step}"))
            self._put(list(state.values()))
        elif self.step in self._copies:
            copied, _, random = self._copies[self.step]
            self._put(_copied(copied))
            set_rng_state(random)
        elif self.folder is None:
            self._copy()

    def steps(self, count: int) -> Iterator[int]:
        """The steps that are left of `count`, each by its number; state is copied behind every `every`-th."""
        while self.step < count:
            yield self.step
            self._done()

    def batches(self, sampler: Any, epochs: int = 1) -> Iterator[list[int]]:
        """The batches of a DistributedBatchSampler that are left: fewer ranks go on where more have stopped.

        The sampler has to be made in the training function. With `shuffle=True` each epoch has an order of its own.
        """
        for epoch in range(self.epoch, epochs):
            sampler.set_epoch(epoch)
            sampler.skip(self.seen)
            for batch in sampler:
                yield batch
                self.seen += sampler.batch_size * sampler.nranks
                self._done()
            self.epoch, self.seen = epoch + 1, 0

    def _done(self) -> None:
        self.step += 1
        if self.step % self.every == 0:
            self._copy()

    def _of(self, tracked: Any) -> dict[str, Any]:
        state: dict[str, Any] = tracked.state_dict()
        return state

    def _put(self, states: list[Any]) -> None:
        for tracked, state in zip(self._objects, states, strict=True):
            tracked.set_state_dict(state)

    def _copy(self) -> None:
        """Copy the state behind this step; former copies are dropped when all ranks have it."""
        states = [self._of(tracked) for tracked in self._objects]
        where = self.epoch, self.seen
        if self.folder is not None:
            state = {str(k): state for k, state in enumerate(states)}
            save_state_dict(state, str(self.folder / f"step-{self.step}"))
            self._copies[self.step] = None, where, None
        else:
            self._copies[self.step] = _copied(states), where, get_rng_state()
        now = transport()
        now.exchange_object(self.step, tuple(range(now.size)))
        for old in [step for step in self._copies if step != self.step]:
            del self._copies[old]
            if self.folder is not None and now.rank == 0:
                shutil.rmtree(self.folder / f"step-{old}", ignore_errors=True)

    def go_back(self) -> None:
        """Go back to the last step that all ranks have copied."""
        now = transport()
        newest = now.exchange_object(max(self._copies, default=0), tuple(range(now.size)))
        self.step = min(newest)
        self._objects = ()
        self._copies = {step: kept for step, kept in self._copies.items() if step == self.step}
        self.epoch, self.seen = self._copies[self.step][1] if self._copies else (0, 0)


def run(
    train: Callable[[Progress], Result], *, every: int = 1, folder: str | Path | None = None, least: int = 1
) -> Result:
    """Run `train(progress)` on all ranks; when ranks are lost, again with those that are left.

    `train` makes its model, optimizer and data, hands the first two to `progress.track`, and walks through
    `progress.steps(n)` or `progress.batches(sampler)`. every: steps between two copies of the state, in memory, or as
    checkpoints in a folder. least: so many ranks have to be left. Over MPI it needs Open MPI and `vitrify launch
    --elastic`; otherwise a lost rank ends the run. Errors: RankLostError where fewer ranks are left; those of `train`.

    >>> from vitrify import distributed as dist, nn, ones, optimizer
    >>> def train(progress):
    ...     net = dist.DataParallel(nn.Linear(2, 1))
    ...     sgd = optimizer.SGD(0.1, parameters=net.parameters())
    ...     progress.track(net, sgd)
    ...     for k in progress.steps(4):
    ...         if k == 2 and dist.get_rank() == 1 and dist.get_world_size() == 3:
    ...             dist.elastic.kill()
    ...         net(ones([2, 2])).mean().backward()
    ...         sgd.step()
    ...         sgd.clear_grad()
    ...     return dist.get_world_size(), progress.step
    >>> dist.run_ranks(lambda: dist.elastic.run(train), ranks=3)
    [(2, 4), None, (2, 4)]
    """
    init_parallel_env()
    progress = Progress(every, folder)
    while True:
        try:
            with unique_name.guard():
                made = train(progress)
            transport().agree()
            return made
        except RankLostError as lost:
            _shrink(progress, least, lost)


def _shrink(progress: Progress, least: int, lost: RankLostError) -> None:
    """Leave lost ranks out, and go back; again where others are lost meanwhile."""
    while True:
        give_up_all()
        transport().shrink()
        if transport().size < least:
            raise RankLostError(f"{transport().size} ranks are left, and the run needs {least}") from lost
        try:
            return progress.go_back()
        except RankLostError as again:
            lost = again


def kill() -> NoReturn:
    """End this rank at once, as the system does when memory has run out: to try what the others do then."""
    if transport().name == "simulator":
        raise RankKilled
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError  # it has ended


def _copied(state: Any) -> Any:
    """A copy of a state dict with memory of its own."""
    if isinstance(state, Tensor):
        return Tensor(state.numpy().copy())
    if isinstance(state, dict):
        return {name: _copied(value) for name, value in state.items()}
    return [_copied(value) for value in state] if isinstance(state, list) else copy.deepcopy(state)
