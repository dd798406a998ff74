"""Paddle's functions that exchange tensors, over the rows of `ops/collective.py`. Most write into their arguments.

The functions with `_of` in their names give new tensors, with gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from ..base.errors import ArgumentError, KindError
from ..dygraph.in_place_functions import written
from ..dygraph.modes import GradMode
from ..dygraph.tensor import Tensor
from ..ops.dispatch import current
from ..ops.exchange import transport
from ..ops.op import OPS
from ..ops.rearrange import stack
from .group import Group, attrs_of, member, place_of


class ReduceOp:
    """How the tensors of the ranks are joined."""

    SUM, MAX, MIN, PROD, AVG = range(5)


_REDUCTIONS = {
    ReduceOp.SUM: "sum", ReduceOp.MAX: "max", ReduceOp.MIN: "min", ReduceOp.PROD: "prod", ReduceOp.AVG: "mean",
}  # fmt: skip


class Task:
    """An exchange that has ended: all of them end before they return."""

    def wait(self, timeout: Any = None) -> bool:
        """True: there is nothing to wait for."""
        return True

    def is_completed(self) -> bool:
        """True."""
        return True


def reduction_of(op: Any, what: str) -> str:
    """The name of a reduction: one of ReduceOp, or "sum", "mean", "max", "min", "prod"."""
    if isinstance(op, str):
        name = "mean" if op == "avg" else op
        if name in _REDUCTIONS.values():
            return name
    elif op in _REDUCTIONS:
        return _REDUCTIONS[op]
    raise ArgumentError(f"{what} has no operation {op!r}", remedy="use one of distributed.ReduceOp")


def _tensor(x: Any, what: str) -> Tensor:
    if not isinstance(x, Tensor):
        raise KindError(f"{what} needs a Tensor, not a {type(x).__name__}", remedy="make one with vt.to_tensor")
    return x


def _put(target: Tensor, value: Any) -> Task:
    """Write a result into the tensor that was given; leaves that need a gradient are written as by no_grad."""
    if current().is_static:
        current().give(target, value)
    else:
        with GradMode(False) if not target.stop_gradient and target.is_leaf else nullcontext():
            written(target, lambda _: value)
    return Task()


# ---- new tensors, with gradients


def all_reduce_of(x: Any, op: Any = "sum", group: Group | None = None) -> Any:
    """A new tensor: `x` of all ranks joined. Its gradient goes to the `x` of every rank."""
    attrs = attrs_of(member(group, "all_reduce"))
    return OPS["all_reduce"](_tensor(x, "all_reduce"), reduction=reduction_of(op, "all_reduce"), **attrs)


def all_gather_of(x: Any, group: Group | None = None) -> Any:
    """A new tensor: `x` of all ranks, stacked along a new first axis."""
    return OPS["all_gather"](_tensor(x, "all_gather"), **attrs_of(member(group, "all_gather")))


def broadcast_of(x: Any, src: int = 0, group: Group | None = None) -> Any:
    """A new tensor: the `x` of rank `src`."""
    chosen = member(group, "broadcast")
    return OPS["broadcast"](_tensor(x, "broadcast"), root=place_of(src, chosen, "broadcast"), **attrs_of(chosen))


def reduce_scatter_of(x: Any, op: Any = "sum", group: Group | None = None) -> Any:
    """A new tensor: part k of `x` (along its first axis, of as many parts as ranks) of all ranks joined, on rank k."""
    chosen = member(group, "reduce_scatter")
    how = reduction_of(op, "reduce_scatter")
    if how in ("sum", "mean"):
        return OPS["reduce_scatter"](_tensor(x, "reduce_scatter"), reduction=how, **attrs_of(chosen))
    parts = all_to_all_of(x, chosen)
    return OPS[how](parts, 0)


def all_to_all_of(x: Any, group: Group | None = None) -> Any:
    """A new tensor: part k (along the first axis) of rank j becomes part j of rank k."""
    return OPS["all_to_all"](_tensor(x, "all_to_all"), **attrs_of(member(group, "all_to_all")))


# ---- Paddle's functions


def all_reduce(tensor: Any, op: Any = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True) -> Task:
    """Join a tensor over all ranks of the group, in place.

    >>> from vitrify import to_tensor
    >>> x = to_tensor([1.0, 2.0])
    >>> all_reduce(x).wait(), x.tolist()
    (True, [1.0, 2.0])
    """
    return _put(tensor, all_reduce_of(tensor, op, group))


def reduce(tensor: Any, dst: int = 0, op: Any = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True) -> Task:
    """Join a tensor over all ranks, in place on rank `dst`; the others keep theirs."""
    chosen = member(group, "reduce")
    root, how = place_of(dst, chosen, "reduce"), reduction_of(op, "reduce")
    made = OPS["reduce"](_tensor(tensor, "reduce"), reduction=how, root=root, **attrs_of(chosen))
    return _put(tensor, made) if chosen.rank == root else Task()


def broadcast(tensor: Any, src: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Give every rank the tensor of rank `src`, in place."""
    return _put(tensor, broadcast_of(tensor, src, group))


def all_gather(tensor_list: list[Any], tensor: Any, group: Group | None = None, sync_op: bool = True) -> Task:
    """Append the tensors of all ranks to a list.

    >>> from vitrify import to_tensor
    >>> found = []
    >>> all_gather(found, to_tensor(3.0)).wait(), len(found)
    (True, 1)
    """
    made = all_gather_of(tensor, group)
    tensor_list += [made[k] for k in range(member(group, "all_gather").nranks)]
    return Task()


def gather(
    tensor: Any, gather_list: list[Any] | None = None, dst: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task:
    """Append the tensors of all ranks to a list of rank `dst`."""
    chosen = member(group, "gather")
    root = place_of(dst, chosen, "gather")
    made = OPS["gather_to"](_tensor(tensor, "gather"), root=root, **attrs_of(chosen))
    if chosen.rank == root and gather_list is not None:
        gather_list += [made[k] for k in range(chosen.nranks)]
    return Task()


def scatter(
    tensor: Any,
    tensor_list: Sequence[Any] | None = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Put entry k of rank `src`'s list into the tensor of rank k."""
    chosen = member(group, "scatter")
    root = place_of(src, chosen, "scatter")
    mine = chosen.rank == root
    parts = _parts(tensor_list, chosen, "scatter") if mine else [_tensor(tensor, "scatter")] * chosen.nranks
    return _put(tensor, OPS["scatter_from"](stack(parts), root=root, **attrs_of(chosen)))


def reduce_scatter(
    tensor: Any, tensor_list: Sequence[Any], op: Any = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True
) -> Task:
    """Put entry k of all ranks' lists, joined, into the tensor of rank k."""
    chosen = member(group, "reduce_scatter")
    return _put(tensor, reduce_scatter_of(stack(_parts(tensor_list, chosen, "reduce_scatter")), op, chosen))


def alltoall(
    out_tensor_list: list[Any], in_tensor_list: Sequence[Any], group: Group | None = None, sync_op: bool = True
) -> Task:
    """Append to a list what each rank has for this one: entry `rank` of its list."""
    chosen = member(group, "alltoall")
    made = all_to_all_of(stack(_parts(in_tensor_list, chosen, "alltoall")), chosen)
    out_tensor_list += [made[k] for k in range(chosen.nranks)]
    return Task()


all_to_all = alltoall


def send(tensor: Any, dst: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Give a tensor to rank `dst`, which has to `recv` it. No gradient goes back."""
    chosen = member(group, "send")
    peer = _other(dst, chosen, "send")
    OPS["send"](_tensor(tensor, "send"), peer=peer, group=attrs_of(chosen)["group"])
    return Task()


def recv(tensor: Any, src: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Take a tensor of the same type from rank `src`, in place."""
    chosen = member(group, "recv")
    peer, x = _other(src, chosen, "recv"), _tensor(tensor, "recv")
    kind = {"shape": tuple(x.shape), "dtype": x.dtype}
    return _put(x, OPS["recv"](peer=peer, group=attrs_of(chosen)["group"], **kind))


isend, irecv = send, recv


def barrier(group: Group | None = None) -> None:
    """Wait until each rank of the group has come here."""
    OPS["barrier"](**attrs_of(member(group, "barrier")))


def wait(tensor: Any, group: Any = None, use_calc_stream: bool = True) -> None:
    """Wait for an exchange: it has ended."""


# ---- Python objects


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Append the objects of all ranks to a list. Over MPI they are sent as JSON: numbers, texts, lists and dicts."""
    object_list += transport().exchange_object(obj, member(group, "all_gather_object").ranks)


def broadcast_object_list(object_list: list[Any], src: int = 0, group: Group | None = None) -> None:
    """Give every rank the objects of rank `src`, in place."""
    chosen = member(group, "broadcast_object_list")
    place = place_of(src, chosen, "broadcast_object_list")
    object_list[:] = transport().exchange_object(list(object_list), chosen.ranks)[place]


def _other(rank: Any, group: Group, what: str) -> int:
    place = place_of(rank, group, what)
    if place == group.rank:
        raise ArgumentError(f"{what}: rank {rank} is this rank itself", remedy="exchange with another rank")
    return place


def _parts(tensors: Sequence[Any] | None, group: Group, what: str) -> list[Tensor]:
    if tensors is None or len(tensors) != group.nranks:
        given = "none" if tensors is None else f"one of {len(tensors)}"
        raise ArgumentError(f"{what}: {group.nranks} ranks take a list of as many tensors, not {given}")
    return [_tensor(x, what) for x in tensors]
