"""`distributed`'s exchanges among processes, for one process: what one process would get, or a refusal.

A sum over one process is its own tensor, a gathered list has one entry. Sending to oneself is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ..base.errors import ArgumentError, ModeError


class ReduceOp:
    """How tensors of several processes are joined; of one process each leaves the tensor as it is."""

    SUM, MAX, MIN, PROD, AVG = range(5)


class ParallelMode:
    """The ways of parallel training, as numbers."""

    DATA_PARALLEL, TENSOR_PARALLEL, PIPELINE_PARALLEL, SHARDING_PARALLEL, SEGMENT_PARALLEL = range(5)


class Group:
    """A group of processes: this one alone."""

    id = rank = 0
    nranks = world_size = 1
    ranks = (0,)
    name = "_default_pg"

    def is_member(self) -> bool:
        """Whether this process belongs to it: yes."""
        return True

    def get_group_rank(self, rank: int) -> int:
        """The number of a process in the group; -1 for others."""
        return 0 if rank == 0 else -1


class Task:
    """An exchange that has ended."""

    def wait(self, timeout: Any = None) -> bool:
        """True: there is nothing to wait for."""
        return True

    def is_completed(self) -> bool:
        """True."""
        return True


def is_available() -> bool:
    """Whether several processes can work together: no."""
    return False


def get_backend(group: Any = None) -> str:
    """The library behind the exchanges: "GLOO" as on every CPU build."""
    return "GLOO"


def new_group(ranks: Sequence[int] | None = None, backend: Any = None, **_: Any) -> Group:
    """The group of this process. Errors: ArgumentError for other processes."""
    for rank in ranks or ():
        _only(rank, "new_group")
    return Group()


def get_group(id: int = 0) -> Group:
    """The group of this process."""
    return Group()


def destroy_process_group(group: Any = None) -> None:
    """Nothing to do for one process."""


def barrier(group: Any = None) -> None:
    """Wait for all processes: there are no others."""


def wait(tensor: Any, group: Any = None, use_calc_stream: bool = True) -> None:
    """Wait for an exchange: it has ended."""


def all_reduce(tensor: Any, op: int = ReduceOp.SUM, group: Any = None, sync_op: bool = True) -> Task:
    """Join a tensor over all processes, in place: it stays as it is.

    >>> from vitrify import to_tensor
    >>> x = to_tensor([1.0, 2.0])
    >>> all_reduce(x).wait(), x.tolist()
    (True, [1.0, 2.0])
    """
    if op not in range(5):
        raise ArgumentError(f"all_reduce has no operation {op!r}", remedy="use one of distributed.ReduceOp")
    return Task()


def reduce(tensor: Any, dst: int = 0, op: int = ReduceOp.SUM, group: Any = None, sync_op: bool = True) -> Task:
    """Join a tensor over all processes for process `dst`: it stays as it is."""
    _only(dst, "reduce")
    return all_reduce(tensor, op)


def broadcast(tensor: Any, src: int = 0, group: Any = None, sync_op: bool = True) -> Task:
    """Give every process the tensor of process `src`: it stays as it is."""
    _only(src, "broadcast")
    return Task()


def broadcast_object_list(object_list: list[Any], src: int = 0, group: Any = None) -> None:
    """Give every process the objects of process `src`: they stay as they are."""
    _only(src, "broadcast_object_list")


def all_gather(tensor_list: list[Any], tensor: Any, group: Any = None, sync_op: bool = True) -> Task:
    """Append the tensors of all processes to a list: one.

    >>> found = []
    >>> all_gather(found, 3).wait(), found
    (True, [3])
    """
    tensor_list.append(tensor.clone() if hasattr(tensor, "clone") else tensor)
    return Task()


def all_gather_object(object_list: list[Any], obj: Any, group: Any = None) -> None:
    """Append the objects of all processes to a list: one."""
    object_list.append(obj)


def gather(
    tensor: Any, gather_list: list[Any] | None = None, dst: int = 0, group: Any = None, sync_op: bool = True
) -> Task:
    """Append the tensors of all processes to a list of process `dst`: one."""
    _only(dst, "gather")
    return Task() if gather_list is None else all_gather(gather_list, tensor)


def scatter(
    tensor: Any, tensor_list: Sequence[Any] | None = None, src: int = 0, group: Any = None, sync_op: bool = True
) -> Task:
    """Put this process's entry of `tensor_list` into `tensor`."""
    _only(src, "scatter")
    tensor.set_value(_one(tensor_list, "scatter"))
    return Task()


def reduce_scatter(
    tensor: Any, tensor_list: Sequence[Any], op: int = ReduceOp.SUM, group: Any = None, sync_op: bool = True
) -> Task:
    """Put this process's part of the joined tensors into `tensor`."""
    tensor.set_value(_one(tensor_list, "reduce_scatter"))
    return all_reduce(tensor, op)


def alltoall(
    out_tensor_list: list[Any], in_tensor_list: Sequence[Any], group: Any = None, sync_op: bool = True
) -> Task:
    """Exchange one tensor with each process; with one, it comes back."""
    return all_gather(out_tensor_list, _one(in_tensor_list, "alltoall"))


def send(tensor: Any, dst: int = 0, group: Any = None, sync_op: bool = True) -> NoReturn:
    """Errors: ModeError: there is no other process."""
    raise ModeError("there is one process: a tensor can't be sent or received", remedy="leave out what needs several")


isend = recv = irecv = send


def _only(rank: int, what: str) -> None:
    if rank != 0:
        raise ArgumentError(f"{what}: there is one process, number 0; not {rank}")


def _one(tensors: Sequence[Any] | None, what: str) -> Any:
    if tensors is None or len(tensors) != 1:
        raise ArgumentError(f"{what} of one process needs a list of one tensor, not of {len(tensors or ())}")
    return tensors[0]
