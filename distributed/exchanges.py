"""Paddle's functions that exchange tensors, over the rows of `ops/collective.py`. Most write into their arguments.

The functions with `_of` in their names give new tensors, with gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, DTypeError, KindError, ShapeError
from ..dygraph.in_place_functions import array_to_overwrite, overwrite, written
from ..dygraph.modes import GradMode, is_recording
from ..dygraph.tensor import Tensor
from ..ops.collective import LINEAR, request_of
from ..ops.dims import assume_equal
from ..ops.dispatch import current, interpreters, is_captured
from ..ops.exchange import Request, transport
from ..ops.op import OPS
from ..ops.rearrange import stack
from ..ops.types import TensorType
from .carried_objects import object_of, text_of
from .group import Group, attrs_of, member, place_of
from .tasks import CapturedReceive, CapturedSend, Task, task_of


class ReduceOp:
    """How the tensors of the ranks are joined."""

    SUM, MAX, MIN, PROD, AVG = range(5)


_REDUCTIONS = {
    ReduceOp.SUM: "sum", ReduceOp.MAX: "max", ReduceOp.MIN: "min", ReduceOp.PROD: "prod", ReduceOp.AVG: "mean",
}  # fmt: skip


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


def _run(name: str, operand: Tensor, target: Tensor | None, attrs: dict[str, Any], sync_op: bool) -> Task:
    """Exchange `operand`, and write the result into `target`, if there is one; without sync_op, go on meanwhile.

    A task whose result carries a gradient has ended at once, and so have those of captured functions.
    """
    if target is not None and target is not operand:
        _check_target(name, operand, target, attrs)
    if sync_op or not _goes_on(operand, target):
        inner = not (operand.stop_gradient or operand.is_leaf)
        if operand is target and inner and is_recording() and not is_captured():
            operand = operand.snapshot()  # its gradient reads what was there before the write
        made = OPS[name](operand, **attrs)
        return Task() if target is None else _put(target, made)
    return Task(_request(name, operand, attrs), () if target is None else (target,))


def _check_target(name: str, operand: Tensor, target: Tensor, attrs: dict[str, Any]) -> None:
    """Errors, before anything is exchanged: ShapeError or DTypeError for a tensor that can't take the result."""
    kind = OPS[name].infer(TensorType(operand.dtype, tuple(operand.shape)), **attrs)
    assert isinstance(kind, TensorType)
    what = _PUBLIC.get(name, name)
    pairs = list(zip(kind.shape, target.shape, strict=False))
    if len(kind.shape) != target.ndim or any(assume_equal(a, b) is False for a, b in pairs):
        raise ShapeError(f"{what}: a tensor {list(target.shape)} can't take a part of shape {list(kind.shape)}",
                         remedy="give a tensor of the shape of one part")  # fmt: skip
    if kind.dtype is not target.dtype:
        raise DTypeError(f"{what}: a {target.dtype.name} tensor can't take parts of {kind.dtype.name}",
                         remedy="give a tensor of the parts' dtype")  # fmt: skip


_PUBLIC = {"scatter_from": "scatter"}


def _run_list(name: str, operand: Tensor, found: list[Any], attrs: dict[str, Any], sync_op: bool) -> Task:
    """Exchange `operand`, and append the result's rows to a list."""
    if sync_op or not _goes_on(operand, None):
        made = OPS[name](operand, **attrs)
        found += [made[k] for k in range(attrs["ranks"])]
        return Task()
    shape = operand.shape if name != "all_to_all" else operand.shape[1:]
    parts = [Tensor(np.empty(shape, operand.dtype.numpy)) for _ in range(attrs["ranks"])]
    found += parts
    return Task(_request(name, operand, attrs), parts, lambda result, k: result[k])


def _request(name: str, operand: Tensor, attrs: dict[str, Any]) -> Request:
    """What to start in eager mode, with a copy of the operand, which may be written to meanwhile."""
    OPS[name].infer(TensorType(operand.dtype, tuple(operand.shape)), **attrs)
    return request_of(name, operand._storage.payload.copy(), **attrs)


def _goes_on(operand: Tensor, target: Tensor | None) -> bool:
    if is_captured():
        return False
    recorded = is_recording() and not operand.stop_gradient
    return not recorded and (target is None or target.stop_gradient)


_DONE = Task()


def _again(x: Any, group: Group | None, reduction: Any) -> bool:
    """An eager all_reduce of a kind that the transport has met, on the shortest way; whether it went that way."""
    if type(group) not in (Group, type(None)) or type(reduction) is not str or interpreters():
        return False
    array = array_to_overwrite(x)
    if array is None:
        return False
    made = transport().again("all_reduce", array, () if group is None else group.ranks, reduction)
    if made is None:
        return False
    overwrite(x, made)
    return True


def all_reduce(tensor: Any, op: Any = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True) -> Task:
    """Join a tensor over all ranks of the group, in place. sync_op=False: go on, until the task is waited for.

    A tensor that is read, or written to, before its task has ended waits for it.

    >>> from vitrify import to_tensor
    >>> x = to_tensor([1.0, 2.0])
    >>> all_reduce(x).wait(), x.tolist()
    (True, [1.0, 2.0])
    """
    if sync_op and _again(tensor, group, _REDUCTIONS.get(op) if type(op) is int else op):
        return _DONE
    attrs = attrs_of(member(group, "all_reduce"))
    x = _tensor(tensor, "all_reduce")
    return _run("all_reduce", x, x, {"reduction": reduction_of(op, "all_reduce"), **attrs}, sync_op)


def reduce(tensor: Any, dst: int = 0, op: Any = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True) -> Task:
    """Join a tensor over all ranks, in place on rank `dst`; the others keep theirs."""
    chosen, x = member(group, "reduce"), _tensor(tensor, "reduce")
    root, how = place_of(dst, chosen, "reduce"), reduction_of(op, "reduce")
    attrs = {"reduction": how, "root": root, **attrs_of(chosen)}
    return _run("reduce", x, x if chosen.rank == root else None, attrs, sync_op)


def broadcast(tensor: Any, src: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Give every rank the tensor of rank `src`, in place."""
    chosen, x = member(group, "broadcast"), _tensor(tensor, "broadcast")
    return _run("broadcast", x, x, {"root": place_of(src, chosen, "broadcast"), **attrs_of(chosen)}, sync_op)


def all_gather(tensor_list: list[Any], tensor: Any, group: Group | None = None, sync_op: bool = True) -> Task:
    """Append the tensors of all ranks to a list.

    >>> from vitrify import to_tensor
    >>> found = []
    >>> all_gather(found, to_tensor(3.0)).wait(), len(found)
    (True, 1)
    """
    attrs = attrs_of(member(group, "all_gather"))
    return _run_list("all_gather", _tensor(tensor, "all_gather"), tensor_list, attrs, sync_op)


def gather(
    tensor: Any, gather_list: list[Any] | None = None, dst: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task:
    """Append the tensors of all ranks to a list of rank `dst`."""
    chosen, x = member(group, "gather"), _tensor(tensor, "gather")
    attrs = {"root": place_of(dst, chosen, "gather"), **attrs_of(chosen)}
    if chosen.rank == attrs["root"] and gather_list is not None:
        return _run_list("gather_to", x, gather_list, attrs, sync_op)
    return _run("gather_to", x, None, attrs, sync_op)


def scatter(
    tensor: Any,
    tensor_list: Sequence[Any] | None = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task:
    """Put entry k of rank `src`'s list into the tensor of rank k."""
    chosen, x = member(group, "scatter"), _tensor(tensor, "scatter")
    root = place_of(src, chosen, "scatter")
    mine = chosen.rank == root
    parts = _parts(tensor_list, chosen, "scatter") if mine else [x] * chosen.nranks
    return _run("scatter_from", stack(parts), x, {"root": root, **attrs_of(chosen)}, sync_op)


def reduce_scatter(
    tensor: Any, tensor_list: Sequence[Any], op: Any = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True
) -> Task:
    """Put entry k of all ranks' lists, joined, into the tensor of rank k."""
    chosen, x = member(group, "reduce_scatter"), _tensor(tensor, "reduce_scatter")
    parts, how = stack(_parts(tensor_list, chosen, "reduce_scatter")), reduction_of(op, "reduce_scatter")
    if how in LINEAR:
        return _run("reduce_scatter", parts, x, {"reduction": how, **attrs_of(chosen)}, sync_op)
    _check_target("reduce_scatter", parts, x, {"reduction": "sum", **attrs_of(chosen)})
    return _put(x, reduce_scatter_of(parts, op, chosen))


def alltoall(
    out_tensor_list: list[Any], in_tensor_list: Sequence[Any], group: Group | None = None, sync_op: bool = True
) -> Task:
    """Append to a list what each rank has for this one: entry `rank` of its list."""
    chosen = member(group, "alltoall")
    parts = stack(_parts(in_tensor_list, chosen, "alltoall"))
    return _run_list("all_to_all", parts, out_tensor_list, attrs_of(chosen), sync_op)


all_to_all = alltoall


def send(tensor: Any, dst: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Give a tensor to rank `dst`, which has to `recv` it. No gradient goes back."""
    chosen, x = member(group, "send"), _tensor(tensor, "send")
    attrs: dict[str, Any] = {"peer": _other(dst, chosen, "send"), "group": attrs_of(chosen)["group"]}
    if sync_op:
        OPS["send"](x, **attrs)
        return Task()
    if is_captured():
        return CapturedSend(x, attrs)
    return Task(request_of("send", x._storage.payload.copy(), **attrs))


def recv(tensor: Any, src: int = 0, group: Group | None = None, sync_op: bool = True) -> Task:
    """Take a tensor of the same type from rank `src`, in place."""
    chosen, x = member(group, "recv"), _tensor(tensor, "recv")
    attrs: dict[str, Any] = {"peer": _other(src, chosen, "recv"), "group": attrs_of(chosen)["group"]}
    kind: dict[str, Any] = {"shape": tuple(x.shape), "dtype": x.dtype}
    if sync_op or is_captured() or not x.stop_gradient:
        done = _put(x, OPS["recv"](**attrs, **kind))
        return done if sync_op or not is_captured() else CapturedReceive()
    return Task(request_of("recv", None, **attrs, **kind), (x,))


def isend(tensor: Any, dst: int = 0, group: Group | None = None) -> Task:
    """`send` that goes on: the tensor may be written to at once. In captured functions, too.

    Errors: CaptureError in a captured function behind an `irecv` that hasn't been waited for.
    """
    return send(tensor, dst, group, sync_op=False)


def irecv(tensor: Any, src: int = 0, group: Group | None = None) -> Task:
    """`recv` that goes on: whoever reads the tensor waits. In a captured function it waits at once: call `isend` first.

    >>> from vitrify import distributed as dist, to_tensor, zeros
    >>> def swap():
    ...     x, peer = zeros([1]), 1 - dist.get_rank()
    ...     task = dist.irecv(x, peer)
    ...     sent = dist.isend(to_tensor([1.0 + dist.get_rank()]), peer)
    ...     return task.wait() and sent.wait(), x.item()
    >>> dist.run_ranks(swap, ranks=2)
    [(True, 2.0), (True, 1.0)]
    """
    return recv(tensor, src, group, sync_op=False)


def barrier(group: Group | None = None) -> None:
    """Wait until each rank of the group has come here."""
    OPS["barrier"](**attrs_of(member(group, "barrier")))


def wait(tensor: Any, group: Any = None, use_calc_stream: bool = True) -> None:
    """Wait for the exchange that will write into a tensor, if there is one."""
    task_of(_tensor(tensor, "wait")).wait()


# ---- Python objects


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Append the objects of all ranks to a list: numbers, texts, bytes, lists, tuples, dicts, sets, arrays, tensors.

    Each rank gets copies of its own. Errors: KindError for other objects.

    >>> found = []
    >>> all_gather_object(found, {"seen": {1, 2}})
    >>> found
    [{'seen': {1, 2}}]
    """
    what = "all_gather_object"
    object_list += map(object_of, transport().exchange_object(text_of(obj, what), member(group, what).ranks))


def broadcast_object_list(object_list: list[Any], src: int = 0, group: Group | None = None) -> None:
    """Give every rank the objects of rank `src`, in place. They are of the kinds that `all_gather_object` takes."""
    what = "broadcast_object_list"
    chosen = member(group, what)
    place = place_of(src, chosen, what)
    own = text_of(list(object_list) if chosen.rank == place else [], what)
    object_list[:] = object_of(transport().exchange_object(own, chosen.ranks)[place])


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
