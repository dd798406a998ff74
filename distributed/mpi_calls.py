"""How the arrays of each exchange travel: MPI's collective calls. Each gives MPI's requests, and at last the result.

A result has memory of its own. Reductions add from rank 0 to the last.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..ops.exchange import Request, combined

Array = Any
SMALL = 16 << 10  # up to so many bytes each rank gets all arrays: one exchange instead of two
Steps: TypeAlias = Generator[Any, None, Any]  # gives MPI's requests, and at last the result


@dataclass(frozen=True, slots=True)
class Link:
    """The calls that carry the arrays of one exchange: blocking ones where all ranks wait for nothing else."""

    comm: Any
    is_blocking: bool

    def call(self, name: str, *arguments: Any) -> Steps:
        """Carry out one of MPI's collective calls."""
        if self.is_blocking:
            getattr(self.comm, name.capitalize())(*arguments)
        else:
            yield getattr(self.comm, f"I{name}")(*arguments)


def bytes_of(array: Array) -> Array:
    """The memory of a contiguous array."""
    return array.reshape(-1).view(np.uint8)


def _all_gather(link: Link, array: Array, request: Request) -> Steps:
    made = np.empty((link.comm.Get_size(), *array.shape), array.dtype)
    yield from link.call("allgather", bytes_of(array), bytes_of(made))
    return made


def _all_to_all(link: Link, array: Array, request: Request) -> Steps:
    made = np.empty_like(array)
    yield from link.call("alltoall", bytes_of(array), bytes_of(made))
    return made


def _reduce_scatter(link: Link, array: Array, request: Request) -> Steps:
    parts = yield from _all_to_all(link, array, request)
    return combined(request.reduction, list(parts))


def _all_reduce(link: Link, array: Array, request: Request) -> Steps:
    """Rank k joins part k of all arrays, and gives it to all: each byte travels twice, whatever the number of ranks."""
    if array.nbytes <= SMALL:
        everyone = yield from _all_gather(link, array, request)
        return combined(request.reduction, list(everyone))
    own = yield from _reduce_scatter(link, _in_parts(array, link.comm.Get_size()), request)
    whole = yield from _all_gather(link, own, request)
    return whole.reshape(-1)[: array.size].reshape(array.shape)


def _in_parts(array: Array, ranks: int) -> Array:
    """The elements as one part for each rank, the array's own memory if they divide; else zeros follow them."""
    each = -(-array.size // ranks)
    if each * ranks == array.size:
        return array.reshape(ranks, each)
    parts = np.empty((ranks, each), array.dtype)
    flat = parts.reshape(-1)
    flat[: array.size] = array.reshape(-1)
    flat[array.size :] = 0
    return parts


def _broadcast(link: Link, array: Array, request: Request) -> Steps:
    made = array.copy()
    yield from link.call("bcast", bytes_of(made), request.root)
    return made


def _gather(link: Link, array: Array, request: Request) -> Steps:
    at_root = link.comm.Get_rank() == request.root
    made = np.zeros((link.comm.Get_size(), *array.shape), array.dtype)
    yield from link.call("gather", bytes_of(array), bytes_of(made) if at_root else None, request.root)
    return made


def _reduce(link: Link, array: Array, request: Request) -> Steps:
    everyone = yield from _gather(link, array, request)
    at_root = link.comm.Get_rank() == request.root
    return combined(request.reduction, list(everyone)) if at_root else np.zeros_like(array)


def _scatter(link: Link, array: Array, request: Request) -> Steps:
    made = np.empty(array.shape[1:], array.dtype)
    at_root = link.comm.Get_rank() == request.root
    yield from link.call("scatter", bytes_of(array) if at_root else None, bytes_of(made), request.root)
    return made


CARRIED: dict[str, Callable[[Link, Array, Request], Steps]] = {
    "all_reduce": _all_reduce, "reduce_scatter": _reduce_scatter, "all_gather": _all_gather, "broadcast": _broadcast,
    "reduce": _reduce, "gather_to": _gather, "scatter_from": _scatter, "all_to_all": _all_to_all,
}  # fmt: skip
