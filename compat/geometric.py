"""`geometric`: messages along the edges of graphs, reductions of segments, sampled neighbours.

All are made of ops: they can be captured and stand in programs, and messages and segments have gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import ArgumentError, ShapeError
from ..base.suggest import one_of
from ..dygraph.nn.stochastic import draw
from ..ops.dims import same_dim
from ..ops.op import FUNCTIONS, OPS

_REDUCTIONS = {"sum": "add", "mean": "mean", "max": "amax", "min": "amin"}
_MESSAGES = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide"}


def _reduced(data: Any, ids: Any, count: Any, reduce_op: str) -> Any:
    """The rows of data with one id joined; rows of `count` that no id names are zeros."""
    name = _REDUCTIONS.get(str(reduce_op).lower())
    if name is None:
        raise ArgumentError(f"there is no reduction {reduce_op!r}", remedy=one_of(reduce_op, _REDUCTIONS))
    if ids.ndim != 1:
        raise ShapeError(f"ids of rows have one axis, not {ids.ndim}")
    if isinstance(data.shape[0], int) and isinstance(ids.shape[0], int) and data.shape[0] != ids.shape[0]:
        raise ShapeError(f"{ids.shape[0]} ids for {data.shape[0]} rows")
    rest = list(data.shape[1:])
    if not same_dim(data.shape[0], ids.shape[0]):  # two sizes that calls tell
        data = OPS["slice"](data, [0] * data.ndim, (ids.shape[0], *rest))
    index = OPS["reshape"](ids, [ids.shape[0], *[1] * len(rest)])
    zeros = FUNCTIONS["zeros"]([count, *rest], data.dtype)
    if name not in ("amax", "amin") or data.stop_gradient or not data.dtype.is_differentiable:
        return FUNCTIONS["put_along_axis"](zeros, index, data, 0, name, name == "add")
    found = FUNCTIONS["put_along_axis"](zeros, index, data.detach(), 0, name, False)
    # as in PaddlePaddle, each of several equal extremes gets the whole gradient
    extremes = OPS["where"](OPS["equal"](data.detach(), OPS["gather"](found, ids, 0)), data, 0.0)
    return OPS["straight_through"](FUNCTIONS["put_along_axis"](zeros, index, extremes, 0, "add"), found)


def _edges(x: Any, y: Any, message_op: str) -> Any:
    name = _MESSAGES.get(str(message_op).lower())
    if name is None:
        raise ArgumentError(f"there is no message {message_op!r}", remedy=one_of(message_op, _MESSAGES))
    lines = max(x.ndim, y.ndim)
    wide = [OPS["reshape"](v, [*v.shape, *[1] * (lines - v.ndim)]) for v in (x, y)]
    return OPS[name](*wide)


def _count(x: Any, out_size: Any) -> Any:
    if out_size is None or (isinstance(out_size, int) and out_size <= 0):
        return x.shape[0]
    return out_size


def send_u_recv(
    x: Any, src_index: Any, dst_index: Any, reduce_op: str = "sum", out_size: Any = None, name: str | None = None
) -> Any:
    """Each node's sum (or "mean", "max", "min") of the rows x[src] over the edges that end in it; zeros without edges.

    >>> from vitrify import to_tensor
    >>> x = to_tensor([[1.0], [2.0], [4.0]])
    >>> send_u_recv(x, to_tensor([0, 1, 2]), to_tensor([1, 1, 0])).tolist()
    [[4.0], [3.0], [0.0]]
    """
    return _reduced(OPS["gather"](x, src_index, 0), dst_index, _count(x, out_size), reduce_op)


def send_ue_recv(
    x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str = "add", reduce_op: str = "sum",
    out_size: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """As `send_u_recv`, of the rows x[src] joined with the edges' features y: "add", "sub", "mul" or "div"."""
    made = _edges(OPS["gather"](x, src_index, 0), y, message_op)
    return _reduced(made, dst_index, _count(x, out_size), reduce_op)


def send_uv(x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str = "add", name: str | None = None) -> Any:
    """For each edge the rows x[src] and y[dst] joined: "add", "sub", "mul" or "div"."""
    return _edges(OPS["gather"](x, src_index, 0), OPS["gather"](y, dst_index, 0), message_op)


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The sums of the rows with one id, for the ids 0 to the largest.

    >>> from vitrify import to_tensor
    >>> segment_sum(to_tensor([[1.0], [2.0], [4.0]]), to_tensor([0, 0, 2])).tolist()
    [[3.0], [0.0], [4.0]]
    """
    return _segments(data, segment_ids, "sum")


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The means of the rows with one id."""
    return _segments(data, segment_ids, "mean")


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The largest elements of the rows with one id."""
    return _segments(data, segment_ids, "max")


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The least elements of the rows with one id."""
    return _segments(data, segment_ids, "min")


def _segments(data: Any, ids: Any, reduce_op: str) -> Any:
    return _reduced(data, ids, OPS["max"](ids) + 1, reduce_op)


def reindex_graph(
    x: Any, neighbors: Any, count: Any, value_buffer: Any = None, index_buffer: Any = None, name: str | None = None
) -> tuple[Any, Any, Any]:
    """The edges of a sampled graph with nodes counted anew: (sources, targets, the nodes' old numbers).

    The nodes x come first, then the neighbours in the order in which they appear. Counts may go on with those of
    further kinds of edges between the same nodes.
    """
    return reindex_heter_graph(x, [neighbors], [count])


def graph_reindex(
    x: Any, neighbors: Any, count: Any, value_buffer: Any = None, index_buffer: Any = None,
    flag_buffer_hashtable: bool = False, name: str | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """`geometric.reindex_graph` under its older name, with a flag for buffers, which nothing needs here."""
    return reindex_graph(x, neighbors, count, value_buffer, index_buffer, name)


def reindex_heter_graph(
    x: Any, neighbors: Sequence[Any], count: Sequence[Any], value_buffer: Any = None, index_buffer: Any = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """As `reindex_graph`, for several kinds of edges between the same nodes, one after the other.

    Errors: ArgumentError without nodes.
    """
    if not x.size:
        raise ArgumentError("reindex: a graph without nodes has no edges to count anew")
    kind, begun, wide = x.dtype, x.shape[0], "int64"
    met = OPS["concat"]([OPS["cast"](OPS["reshape"](part, [-1]), wide) for part in (x, *neighbors)], 0)
    found, first, inverse = FUNCTIONS["unique"](met, return_index=True, return_inverse=True)
    order = FUNCTIONS["argsort"](first)  # numbers are given in the order in which nodes are met
    sources = OPS["gather"](FUNCTIONS["argsort"](order), inverse, 0)[begun:]
    targets = [
        FUNCTIONS["repeat_interleave"](FUNCTIONS["arange"](part.shape[0], dtype=wide) % begun, part) for part in count
    ]
    parts = (sources, OPS["concat"](targets, 0), OPS["gather"](found, order, 0))
    src, dst, old = (OPS["cast"](part, kind) for part in parts)
    return src, dst, old


def sample_neighbors(
    row: Any, colptr: Any, input_nodes: Any, sample_size: int = -1, eids: Any = None, return_eids: bool = False,
    perm_buffer: Any = None, name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """At most `sample_size` neighbours of each node (all with -1), drawn alike: (neighbours, counts[, edges]).

    The graph is in compressed columns: the neighbours of node v are row[colptr[v]:colptr[v + 1]].
    """
    return _sampled(row, colptr, None, input_nodes, sample_size, eids, return_eids)


def graph_sample_neighbors(
    row: Any, colptr: Any, input_nodes: Any, eids: Any = None, perm_buffer: Any = None, sample_size: int = -1,
    return_eids: bool = False, flag_perm_buffer: bool = False, name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """`sample_neighbors` with arguments in another order; a buffer is used by GPUs alone."""
    if flag_perm_buffer and perm_buffer is None:
        raise ArgumentError("flag_perm_buffer needs perm_buffer", remedy="leave it out: the buffer is for GPUs")
    return sample_neighbors(row, colptr, input_nodes, sample_size, eids, return_eids)


def weighted_sample_neighbors(
    row: Any, colptr: Any, edge_weight: Any, input_nodes: Any, sample_size: int = -1, eids: Any = None,
    return_eids: bool = False, name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """As `sample_neighbors`, with the edges' weights as chances.

    Source: Efraimidis, Spirakis, Weighted random sampling with a reservoir, 2006.
    """
    return _sampled(row, colptr, edge_weight, input_nodes, sample_size, eids, return_eids)


def graph_khop_sampler(
    row: Any, colptr: Any, input_nodes: Any, sample_sizes: Sequence[int], sorted_eids: Any = None,
    return_eids: bool = False, name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Neighbours of nodes, their neighbours and so on, `sample_sizes` of each node at most, with nodes counted anew.

    Result: sources and targets of the edges [e, 1], the nodes' old numbers, the new ones of `input_nodes`, and with
    `return_eids` the edges' numbers [e, 1]. A node's neighbours are drawn once, however often it is met.
    """
    if return_eids and sorted_eids is None:
        raise ArgumentError("return_eids needs the numbers of the edges: sorted_eids")
    asked = done = _flat(input_nodes)
    parts: list[tuple[Any, ...]] = []
    for size in sample_sizes:
        parts.append((asked, *sample_neighbors(row, colptr, asked, int(size), sorted_eids, return_eids)))
        met = FUNCTIONS["unique"](OPS["cast"](parts[-1][1], asked.dtype))
        asked = FUNCTIONS["masked_select"](met, FUNCTIONS["isin"](met, done, invert=True))
        done = OPS["concat"]([done, asked], 0)
    whole = [OPS["concat"](list(part), 0) for part in zip(*parts, strict=True)]
    sources, targets, old = reindex_graph(whole[0], whole[1], whole[2])
    first = FUNCTIONS["arange"](parts[0][0].shape[0], dtype=input_nodes.dtype)
    made = (sources.reshape([-1, 1]), targets.reshape([-1, 1]), old, first)
    return (*made, whole[3].reshape([-1, 1])) if return_eids else made


def _flat(x: Any) -> Any:
    return OPS["reshape"](x, [-1])


def _sampled(
    row: Any, colptr: Any, weights: Any, input_nodes: Any, size: int, eids: Any, return_eids: bool
) -> tuple[Any, ...]:
    """Every edge of the nodes gets a number that is drawn; those with the largest of each node stay, in their order."""
    if return_eids and eids is None:
        raise ArgumentError("return_eids needs the numbers of the edges: eids")
    gather, argsort = OPS["gather"], FUNCTIONS["argsort"]
    nodes, bounds = OPS["cast"](_flat(input_nodes), "int64"), OPS["cast"](_flat(colptr), "int64")
    begins = gather(bounds, nodes, 0)
    degrees = gather(bounds, nodes + 1, 0) - begins
    counts = degrees if size < 0 else OPS["minimum"](degrees, FUNCTIONS["full_like"](degrees, size))
    owner = FUNCTIONS["repeat_interleave"](FUNCTIONS["arange"](nodes.shape[0], dtype="int64"), degrees)
    firsts = FUNCTIONS["cumsum"](degrees) - degrees
    places = FUNCTIONS["arange"](owner.shape[0], dtype="int64")
    edges = gather(begins, owner, 0) + places - gather(firsts, owner, 0)
    if size >= 0:
        keys = draw((owner.shape[0],), "float64")
        if weights is not None:
            chances = OPS["cast"](gather(_flat(weights), edges, 0), "float64")
            keys = OPS["log"](keys) / OPS["maximum"](chances, FUNCTIONS["full_like"](chances, 1e-300))
        order = argsort(keys, descending=True)
        order = gather(order, argsort(gather(owner, order, 0), stable=True), 0)  # by node, the largest first
        rank = gather(places - gather(firsts, gather(owner, order, 0), 0), argsort(order), 0)
        edges = FUNCTIONS["masked_select"](edges, rank < gather(counts, owner, 0))
    made = (gather(_flat(row), edges, 0), OPS["cast"](counts, "int32"))
    return (*made, gather(_flat(eids), edges, 0)) if return_eids else made
