"""Exchanges that go on while the program does: a task ends one, and tensors that are read end theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from ..dygraph import storage as cells
from ..dygraph.modes import GradMode
from ..dygraph.storage import Storage
from ..dygraph.tensor import Tensor
from ..ops.exchange import Request, Transport, transport

Parts: TypeAlias = Callable[[Any, int], Any]


class Task:
    """An exchange. Those of `sync_op=True`, and of captured functions, have ended when they are returned."""

    def __init__(
        self, request: Request | None = None, targets: Sequence[Tensor] = (), part: Parts | None = None
    ) -> None:
        """targets: what the result is written into; `part(result, k)` is what the k-th of several gets."""
        self._targets: tuple[Tensor, ...] = ()
        self.transport: Transport | None = None
        if request is not None:
            self.transport, self._part = transport(), part or _whole
            self._ticket = self.transport.start(request)
            self._targets = tuple(targets)
            for target in self._targets:
                _tasks[target._storage] = self
                target._storage.__class__ = _AwaitedStorage
            cells.on_capture = _wait_for_all
            cells.epoch += 1  # compiled functions look at their state again, and wait

    def wait(self, timeout: Any = None) -> bool:
        """Wait until the exchange has ended; True. Errors: ExchangeError."""
        if self.transport is not None:
            ended_by, self.transport = self.transport, None
            for target in self._targets:
                target._storage.__class__ = Storage
                del _tasks[target._storage]
            result = ended_by.finish(self._ticket)
            with GradMode(False):
                for k, target in enumerate(self._targets):
                    target._write(Tensor(self._part(result, k)))
        return True

    def is_completed(self) -> bool:
        """Whether `wait` would return at once."""
        return self.transport is None or self.transport.ready(self._ticket)


def task_of(tensor: Tensor) -> Task:
    """The task of the exchange that a tensor waits for; one that has ended for others."""
    return _tasks.get(tensor._storage) or Task()


def _wait_for_all() -> None:
    """Wait for all that this rank has started."""
    now = transport()
    for task in dict.fromkeys(_tasks.values()):
        if task.transport is now:
            task.wait()


def give_up_all() -> None:
    """Let nothing wait for what this rank has started: ranks are lost. Tensors keep what they had before."""
    now = transport()
    for storage, task in [*_tasks.items()]:
        if task.transport is now:
            storage.__class__ = Storage
            del _tasks[storage]
    cells.epoch += 1


def _whole(result: Any, k: int) -> Any:
    return result


_slot: Any = Storage.payload  # type: ignore[misc]


class _AwaitedStorage(Storage):
    """The cell of a tensor whose exchange goes on: whoever reads or writes it waits first."""

    __slots__ = ()

    @property
    def payload(self) -> Any:
        """The array, once the exchange has ended."""
        _tasks[self].wait()
        return _slot.__get__(self)

    @payload.setter
    def payload(self, value: Any) -> None:
        _tasks[self].wait()
        _slot.__set__(self, value)


_tasks: WeakKeyDictionary[Storage, Task] = WeakKeyDictionary()
