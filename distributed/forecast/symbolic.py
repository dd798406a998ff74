"""One rank that stands for many: exchanges give arrays of the right form at once, as if all ranks had this one's."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from ...ops.exchange import Request, Transport


class Symbolic(Transport):
    """Rank `rank` of `size`, of which no other exists. Values are made up where they are another rank's."""

    name = "simulator"

    def __init__(self, rank: int, size: int) -> None:
        self.rank, self.size = rank, size
        self._started: dict[int, Any] = {}
        self._tickets = count(1)

    def exchange(self, request: Request) -> Any:
        return None if request.array is None else _RESULTS[request.name](request, self.rank)

    def exchange_object(self, value: Any, group: tuple[int, ...]) -> list[Any]:
        return [value] * len(group)

    def start(self, request: Request) -> int:
        """Begin an exchange: its result is there."""
        ticket = next(self._tickets)
        self._started[ticket] = self.exchange(request)
        return ticket

    def ready(self, ticket: int) -> bool:
        """Whether it has ended: yes."""
        return True

    def finish(self, ticket: int) -> Any:
        """Its result."""
        return self._started.pop(ticket)


def _joined(array: Any, request: Request) -> Any:
    """What a reduction of as many equal arrays gives."""
    count = len(request.group)
    if request.reduction == "sum":
        return np.asarray(array * array.dtype.type(count)) if array.dtype != bool else array.copy()
    return array**count if request.reduction == "prod" else array.copy()


def _own(request: Request, rank: int) -> int:
    return request.group.index(rank)


def _like_all(request: Request, rank: int) -> Any:
    array: Any = request.array
    return np.repeat(array[None], len(request.group), axis=0)


_RESULTS: dict[str, Any] = {
    "all_reduce": lambda request, rank: _joined(request.array, request),
    "reduce": lambda request, rank: _joined(request.array, request),
    "reduce_scatter": lambda request, rank: np.array(_joined(request.array[_own(request, rank)], request)),
    "all_gather": _like_all,
    "gather_to": _like_all,
    "broadcast": lambda request, rank: request.array.copy(),
    "scatter_from": lambda request, rank: request.array[_own(request, rank)].copy(),
    "all_to_all": lambda request, rank: request.array.copy(),
    "send": lambda request, rank: None,
    "recv": lambda request, rank: np.zeros_like(request.array),
}
