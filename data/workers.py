"""Worker processes of a DataLoader: they fetch and collate, the batches come back in order.

Batches travel as arrays: Tensors are taken apart in the worker and put together here. A worker ends with its walk; an
exception in it is raised here with the worker's traceback as a note.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import queue
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy as np

from ..base.errors import DataError
from ..base.pytree import flatten, unflatten

POLL_S = 1.0  # how often a waiting reader looks whether its worker still lives
JOIN_S = 5.0


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker process knows about itself: its number, how many there are, its seed, its copy of the data set."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """In a worker process, facts about it; None in the main process.

    >>> get_worker_info() is None
    True
    """
    return _info


@dataclass(frozen=True)
class Job:
    """What workers need: the data set, how to collate, and whether each walks over a stream of its own."""

    dataset: Any
    collate: Callable[[list[Any]], Any]
    streamed: bool
    batch_size: int | None
    drop_last: bool
    init: Callable[[int], None] | None


@dataclass(frozen=True)
class _Failure:
    error: BaseException
    text: str


class _TensorLeaf:
    """An array that was a Tensor on the other side."""

    def __init__(self, array: Any) -> None:
        self.array = array


_END = "end of the walk"


class Workers:
    """`count` processes, each with a queue of tasks and one of results; batch k is worker k % count's."""

    def __init__(self, job: Job, count: int, prefetch: int, timeout: float, seed: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("fork" if "fork" in methods else None)
        self.job, self.count, self.prefetch, self.timeout = job, count, prefetch, timeout
        self.tasks = [context.SimpleQueue() for _ in range(count)]
        self.results = [context.Queue() for _ in range(count)]
        self.processes = [
            context.Process(
                target=_serve, args=(job, k, count, seed, self.tasks[k], self.results[k]), daemon=True,
                name=f"vitrify-worker-{k}",
            )
            for k in range(count)
        ]  # fmt: skip
        with warnings.catch_warnings():  # Python 3.12 warns of forking beside threads; a worker runs NumPy code only
            warnings.simplefilter("ignore", DeprecationWarning)
            for process in self.processes:
                process.start()

    def walk(self, batches: Iterable[list[int]] | None) -> Iterator[Any]:
        """The collated batches of index lists, in order; without lists, those of the workers' own streams in turn."""
        if batches is None:
            yield from self._streams()
            return
        source, sent, taken = iter(batches), 0, 0
        for indices in itertools.islice(source, self.count * self.prefetch):
            self.tasks[sent % self.count].put(indices)
            sent += 1
        while taken < sent:
            batch = self._result(taken % self.count)
            taken += 1
            for indices in itertools.islice(source, 1):
                self.tasks[sent % self.count].put(indices)
                sent += 1
            yield batch

    def _streams(self) -> Iterator[Any]:
        going = list(range(self.count))
        for worker in going:
            for _ in range(self.prefetch):
                self.tasks[worker].put("next")
        while going:
            for worker in list(going):
                batch = self._result(worker)
                if isinstance(batch, str) and batch == _END:
                    going.remove(worker)
                    continue
                self.tasks[worker].put("next")
                yield batch

    def _result(self, worker: int) -> Any:
        waited = 0.0
        while True:
            try:
                found = self.results[worker].get(timeout=POLL_S)
                break
            except queue.Empty:
                waited += POLL_S
            process = self.processes[worker]
            if not process.is_alive() and self.results[worker].empty():
                raise DataError(
                    f"DataLoader worker {worker} (process {process.pid}) ended with exit code {process.exitcode}",
                    remedy="look for a crash or too little memory in the data set; num_workers=0 shows it in place",
                )
            if self.timeout and waited >= self.timeout:
                raise DataError(f"DataLoader worker {worker} gave no batch within {self.timeout:g} s")
        if isinstance(found, _Failure):
            found.error.add_note(f"raised in DataLoader worker {worker}:\n{found.text}")
            raise found.error
        return _unpacked(found)

    def close(self) -> None:
        """End the processes and wait for them."""
        for process, tasks in zip(self.processes, self.tasks, strict=True):
            if process.is_alive():
                tasks.put(None)
        for process, results in zip(self.processes, self.results, strict=True):
            results.cancel_join_thread()
            results.close()
            process.join(0.2)
            if process.is_alive():
                process.terminate()
                process.join(JOIN_S)
        for tasks in self.tasks:
            tasks.close()


def _serve(job: Job, number: int, count: int, seed: int, tasks: Any, results: Any) -> None:
    """The life of a worker."""
    global _info
    _info = WorkerInfo(number, count, seed + number, job.dataset)
    np.random.seed((seed + number) % 2**32)
    stream: Iterator[list[Any]] | None = None
    try:
        if job.init is not None:
            job.init(number)
        if job.streamed:
            stream = _stream(job)
    except Exception as error:  # broad: raised again by the reader, with this traceback
        results.put(_failure(error))
        return
    parent = os.getppid()
    while (task := tasks.get()) is not None and os.getppid() == parent:
        try:
            samples = next(stream, None) if stream is not None else [job.dataset[k] for k in task]
            if samples is None:
                results.put(_END)
                return
            results.put(_packed(samples[0] if job.batch_size is None else job.collate(samples)))
        except Exception as error:  # broad: raised again by the reader, with this traceback
            results.put(_failure(error))
            return


def _stream(job: Job) -> Iterator[list[Any]]:
    items, size = iter(job.dataset), job.batch_size or 1
    while samples := list(itertools.islice(items, size)):
        if len(samples) == size or not job.drop_last:
            yield samples


def _failure(error: Exception) -> _Failure:
    text = traceback.format_exc()
    try:
        ForkingPickler.dumps(error)
    except Exception:  # broad: whatever makes an exception unfit to travel
        return _Failure(DataError(f"{type(error).__name__}: {error}"), text)
    return _Failure(error, text)


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "stop_gradient") and hasattr(value, "numpy")


def _packed(batch: Any) -> Any:
    leaves, tree = flatten(batch, _is_tensor)
    return unflatten(tree, iter([_TensorLeaf(np.asarray(x._copied())) for x in leaves])) if leaves else batch


def _unpacked(batch: Any) -> Any:
    leaves, tree = flatten(batch, lambda x: isinstance(x, _TensorLeaf))
    if not leaves:
        return batch
    from ..dygraph.tensor import Tensor  # reading files and arrays works without eager mode loaded

    return unflatten(tree, iter([Tensor(x.array) for x in leaves]))
