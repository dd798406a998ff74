"""Exchanges that go on while the program does: a task ends one, and tensors that are read end theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias
from weakref import WeakKeyDictionary

from ..base.errors import CaptureError
from ..dygraph import storage as cells
from ..dygraph.modes import GradMode
from ..dygraph.storage import Storage
from ..dygraph.tensor import Tensor
from ..ops.dispatch import current
from ..ops.exchange import Request, Transport, transport
from ..ops.op import OPS

Parts: TypeAlias = Callable[[Any, int], Any]


class Task:
    """An exchange. Those of `sync_op=True` have ended when they are returned; so have those of captured functions, but
    for `isend`.
    """

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
            cells.counters.epoch += 1  # compiled functions look at their state again, and wait

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


class CapturedSend(Task):
    """An `isend` of a captured function: the program begins it here, and ends it where `wait` is called."""

    def __init__(self, x: Tensor, attrs: dict[str, Any]) -> None:
        """Errors: CaptureError behind an `irecv` that nobody has waited for: its program waits there at once."""
        super().__init__()
        early = CapturedReceive.of.get(current())
        if early is not None:
            raise CaptureError(
                "isend behind irecv: in a captured function irecv waits at once, so the send would begin too late",
                remedy="call isend before irecv, or wait for the irecv first",
            )
        self._sent, self._attrs = x.detach(), attrs
        self._begun: Any = OPS["send_start"](self._sent, **attrs)

    def wait(self, timeout: Any = None) -> bool:
        """Wait until the exchange has ended; True."""
        if self._begun is not None:
            begun, self._begun = self._begun, None
            OPS["send_wait"](begun, self._sent, **self._attrs)
        return True


class CapturedReceive(Task):
    """An `irecv` of a captured function, which has ended; `of` knows it until `wait` is called."""

    of: ClassVar[WeakKeyDictionary[Any, Task]] = WeakKeyDictionary()

    def __init__(self) -> None:
        super().__init__()
        self.of[current()] = self

    def wait(self, timeout: Any = None) -> bool:
        """True: it has ended."""
        if self.of.get(current()) is self:
            del self.of[current()]
        return True


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
    cells.counters.epoch += 1


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
