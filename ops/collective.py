"""Collective rows: all ranks of a group run the same one at the same time, and each gets its result.

They keep their order and are never removed, merged or moved past each other (`Effect.COLLECTIVE`). A result that has
a part for each rank has them along a new first axis. `group` holds the ranks that take part, all if it is empty;
`ranks` is their number, `root` and `peer` are places in the group. `vitrify.distributed` has the public functions.

Each exchange has two more rows: `x_start` begins it and gives a *ticket*, i64[]; `x_wait` takes the ticket, and the
operand, which is needed until then, and gives the result. Between the two, `exchange_progress` lets it go on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType
from ..base.errors import DTypeError, ExchangeError, GradientError, ShapeError
from .effects import Effect
from .exchange import Request, in_order, transport
from .lowering import Scalar
from .op import NONDIFFERENTIABLE, OPS, REQUIRED, Op, Sample, random_array, row
from .types import TensorType

_OF_GROUP: dict[str, Any] = {"group": (), "ranks": 1}
LINEAR = ("sum", "mean")
WHOLE: set[str] = set()  # the rows that exchange from beginning to end
_WITH_PARTS = ("all_gather", "reduce_scatter", "gather", "scatter", "all_to_all")  # their types have the ranks' number


def _collective(name: str, doc: str, operands: str, attrs: dict[str, Any], **fields: Any) -> Op:
    """A row that all ranks of a group run together."""
    WHOLE.add(name)

    def eager(*arrays: Any, **attrs: Any) -> Any:
        made = transport().exchange(request_of(name, arrays[0] if arrays else None, **attrs))
        return () if made is None else made

    blocking = row(
        name, doc, operands, attrs={**attrs, **_OF_GROUP}, eager=eager, effect=Effect.COLLECTIVE, method=False,
        public=False, family="collective", **fields,
    )  # fmt: skip
    if operands:
        _in_two(blocking)
    return blocking


def request_of(
    name: str, array: Any, *, group: tuple[int, ...], ranks: int = 0, shape: tuple[int, ...] = (),
    dtype: DType | None = None, **role: Any,
) -> Request:  # fmt: skip
    """What a row asks the transport for. `shape`, `dtype`: what `recv` takes; role: reduction, root and peer."""
    if dtype is not None:
        array = np.empty(shape, dtype.numpy)
    elif array is not None:
        array = np.ascontiguousarray(array).reshape(array.shape)
    return Request(name, array, _members(name, group, ranks), **role)


def _members(name: str, group: tuple[int, ...], ranks: int) -> tuple[int, ...]:
    """The ranks of an exchange. ExchangeError: a program that was made for another number of ranks than run it."""
    run = transport()
    members = in_order(group, run.size)
    missing = [str(rank) for rank in members if rank >= run.size]
    if missing or run.rank not in members:
        why = f"no rank {', '.join(missing)}" if missing else f"rank {run.rank}, which isn't one of them"
    elif name in _WITH_PARTS and len(members) != ranks:
        why = f"{run.size} ranks" if not group else f"a group of {len(group)}"
    else:
        return members
    among = f"the ranks {', '.join(map(str, group))}" if group else f"{ranks} ranks"
    raise ExchangeError(f"the program exchanges among {among} ({name}); the run has {why}",
                        remedy="capture or transpile it again with the ranks that run it")  # fmt: skip


def _in_two(op: Op) -> None:
    """The rows that begin an exchange and wait for it: between them other operations run.

    A wait has the gradient of the whole exchange; its ticket has none.
    """

    def start_type(*operands: TensorType, **attrs: Any) -> TensorType:
        op.infer(*operands, **attrs)
        return TensorType(dt.int64, ())

    def begin(*arrays: Any, **attrs: Any) -> Any:
        if op.name == "send" and arrays:
            arrays = (arrays[0].copy(),)  # a send may have no wait that keeps its operand
        return np.asarray(transport().start(request_of(op.name, arrays[0] if arrays else None, **attrs)), np.int64)

    def wait(ticket: Any, *arrays: Any, **attrs: Any) -> Any:
        made = transport().finish(int(ticket))
        return () if made is None else made

    def vjp(g: Any, y: Any, ticket: Any, *operands: Any, **attrs: Any) -> tuple[Any, ...]:
        assert callable(op.vjp)
        return None, *op.vjp(g, y, *operands, **attrs)

    names = " ".join(op.operands)
    kind: dict[str, Any] = {
        "attrs": dict(op.attrs), "effect": Effect.COLLECTIVE, "method": False, "public": False, "family": "collective",
    }  # fmt: skip
    row(f"{op.name}_start", f"Begin `{op.name}` and go on: a ticket for `{op.name}_wait`.", names, infer=start_type,
        eager=begin, vjp=NONDIFFERENTIABLE, **kind)  # fmt: skip
    row(f"{op.name}_wait", f"The result of `{op.name}` that `{op.name}_start` of the same operand has begun.",
        f"ticket {names}".rstrip(), infer=lambda ticket, *operands, **attrs: op.infer(*operands, **attrs), eager=wait,
        vjp=vjp if callable(op.vjp) else NONDIFFERENTIABLE, **kind)  # fmt: skip


def _checked(name: str, x: TensorType, reduction: str) -> None:
    if reduction == "mean" and not (x.dtype.is_floating or x.dtype.is_complex):
        raise DTypeError(f"{name} can't take the mean of {x.dtype.name}", remedy="convert with astype() first")
    if reduction in ("max", "min") and x.dtype.is_complex:
        raise DTypeError(f"{name}: complex numbers have no {reduction}")


def _parts(name: str, x: TensorType, ranks: int) -> TensorType:
    """The type of one part of an operand with a part for each rank along its first axis."""
    if not x.shape or x.shape[0] != ranks:
        raise ShapeError(f"{name} of {ranks} ranks needs a first axis of {ranks}, not {x}",
                         remedy="stack one part for each rank")  # fmt: skip
    return TensorType(x.dtype, x.shape[1:])


def _same(x: TensorType, **_: Any) -> TensorType:
    return x


def _stacked(x: TensorType, *, ranks: int, **_: Any) -> TensorType:
    return TensorType(x.dtype, (ranks, *x.shape))


def _infer_all_reduce(x: TensorType, *, reduction: str, **_: Any) -> TensorType:
    _checked("all_reduce", x, reduction)
    return x


def _all_reduce_vjp(g: Any, y: Any, x: Any, *, reduction: str, group: Any, ranks: int) -> tuple[Any]:
    whole = OPS["all_reduce"]
    if reduction in LINEAR:
        return (whole(g, reduction=reduction, group=group, ranks=ranks),)
    arrived = whole(g, reduction="sum", group=group, ranks=ranks)
    if reduction == "prod":
        everyone = OPS["all_gather"](x, group=group, ranks=ranks)
        me = OPS["rank_of"](group=group)
        own = OPS["equal"](OPS["arange"](ranks), me)
        own = OPS["reshape"](own, (ranks,) + (1,) * len(x.shape))
        others = OPS["where"](own, OPS["full"]([], 1, x.dtype), everyone)
        return (arrived * OPS["prod"](others, 0),)
    hit = OPS["cast"](OPS["equal"](x, y), x.dtype)
    return (arrived * hit / whole(hit, reduction="sum", group=group, ranks=ranks),)  # equal ones share it


def _all(name: str) -> Any:
    """Samples of rows that keep the shape; one rank runs them."""
    return lambda: [
        Sample((random_array(1, (3, 2)),), {"reduction": "sum"} if name in _REDUCING else {}),
        Sample((random_array(2, (4,), dtype="float32"),), {"reduction": "mean"} if name in _REDUCING else {}),
    ]


def _leading(name: str) -> Any:
    """Samples of rows whose operand has a part for each rank."""
    return lambda: [
        Sample((random_array(3, (1, 3)),), {"reduction": "sum"} if name in _REDUCING else {}),
        Sample((random_array(4, (1,), dtype="float32"),), {"reduction": "mean"} if name in _REDUCING else {}),
    ]


_REDUCING = ("all_reduce", "reduce", "reduce_scatter")

all_reduce = _collective(
    "all_reduce", "The elements of all ranks joined by `reduction`; each rank gets the result.", "x",
    {"reduction": "sum"}, infer=_infer_all_reduce, vjp=_all_reduce_vjp, samples=_all("all_reduce"),
)  # fmt: skip


def _infer_reduce_scatter(x: TensorType, *, reduction: str, ranks: int, **_: Any) -> TensorType:
    _checked("reduce_scatter", x, reduction)
    return _parts("reduce_scatter", x, ranks)


def _mean_of(g: Any, reduction: str, ranks: int) -> Any:
    return g / ranks if reduction == "mean" else g


def _require_linear(name: str, reduction: str) -> None:
    if reduction not in LINEAR:
        raise GradientError(f"{name} of {reduction} has no gradient", remedy="gather, then reduce on each rank")


def _reduce_scatter_vjp(g: Any, y: Any, x: Any, *, reduction: str, group: Any, ranks: int) -> tuple[Any]:
    _require_linear("reduce_scatter", reduction)
    return (_mean_of(OPS["all_gather"](g, group=group, ranks=ranks), reduction, ranks),)


reduce_scatter = _collective(
    "reduce_scatter", "The parts of all ranks joined by `reduction`: rank k gets part k.", "x", {"reduction": "sum"},
    infer=_infer_reduce_scatter, vjp=_reduce_scatter_vjp, samples=_leading("reduce_scatter"),
)  # fmt: skip
all_gather = _collective(
    "all_gather", "The operands of all ranks, stacked along a new first axis, for each rank.", "x", {}, infer=_stacked,
    vjp=lambda g, y, x, *, group, ranks: (OPS["reduce_scatter"](g, reduction="sum", group=group, ranks=ranks),),
    samples=_all("all_gather"),
)  # fmt: skip
broadcast = _collective(
    "broadcast", "The operand of rank `root`, for each rank.", "x", {"root": 0}, infer=_same,
    vjp=lambda g, y, x, *, root, group, ranks: (
        OPS["reduce"](g, reduction="sum", root=root, group=group, ranks=ranks),
    ),
    samples=_all("broadcast"),
)  # fmt: skip


def _infer_reduce(x: TensorType, *, reduction: str, **_: Any) -> TensorType:
    _checked("reduce", x, reduction)
    return x


def _reduce_vjp(g: Any, y: Any, x: Any, *, reduction: str, root: int, group: Any, ranks: int) -> tuple[Any]:
    _require_linear("reduce", reduction)
    return (_mean_of(OPS["broadcast"](g, root=root, group=group, ranks=ranks), reduction, ranks),)


reduce = _collective(
    "reduce", "The elements of all ranks joined by `reduction`, for rank `root`; zeros for the others.", "x",
    {"reduction": "sum", "root": 0}, infer=_infer_reduce, vjp=_reduce_vjp, samples=_all("reduce"),
)  # fmt: skip
gather = _collective(
    "gather_to", "The operands of all ranks, stacked along a new first axis, for rank `root`; zeros for the others.",
    "x", {"root": 0}, infer=_stacked,
    vjp=lambda g, y, x, *, root, group, ranks: (OPS["scatter_from"](g, root=root, group=group, ranks=ranks),),
    samples=_all("gather"),
)  # fmt: skip
scatter = _collective(
    "scatter_from", "Part k of the operand of rank `root`, for rank k.", "x", {"root": 0},
    infer=lambda x, *, ranks, **_: _parts("scatter", x, ranks),
    vjp=lambda g, y, x, *, root, group, ranks: (OPS["gather_to"](g, root=root, group=group, ranks=ranks),),
    samples=_leading("scatter"),
)  # fmt: skip


def _infer_all_to_all(x: TensorType, *, ranks: int, **_: Any) -> TensorType:
    _parts("all_to_all", x, ranks)
    return x


all_to_all = _collective(
    "all_to_all", "Part k of rank j becomes part j of rank k.", "x", {}, infer=_infer_all_to_all,
    vjp=lambda g, y, x, *, group, ranks: (OPS["all_to_all"](g, group=group, ranks=ranks),),
    samples=_leading("all_to_all"),
)  # fmt: skip
barrier = _collective(
    "barrier", "Wait until each rank of the group has come here.", "", {}, infer=lambda **_: (), vjp=NONDIFFERENTIABLE
)


def _send(x: Any, **attrs: Any) -> Any:
    transport().exchange(request_of("send", x, **attrs))
    return ()


def _recv(**attrs: Any) -> Any:
    return transport().exchange(request_of("recv", None, **attrs))


send = row(
    "send", "Give the operand to rank `peer`, which has to `recv` it. It carries no gradient.", "x",
    attrs={"peer": REQUIRED, "group": ()}, infer=lambda x, **_: (), eager=_send, vjp=NONDIFFERENTIABLE,
    effect=Effect.COLLECTIVE, method=False, public=False, family="collective",
)  # fmt: skip
recv = row(
    "recv", "Take an array of this type from rank `peer`, which has to `send` it. It carries no gradient.", "",
    attrs={"peer": REQUIRED, "group": (), "shape": REQUIRED, "dtype": REQUIRED},
    infer=lambda *, shape, dtype, **_: TensorType(dtype, shape), eager=_recv, vjp=NONDIFFERENTIABLE,
    effect=Effect.COLLECTIVE, method=False, public=False, family="collective",
)  # fmt: skip


_in_two(send)
_in_two(recv)


def _progress() -> Any:
    transport().progress()
    return ()


exchange_progress = row(
    "exchange_progress", "Let exchanges that have begun go on, without waiting: some networks need the program's help.",
    "", infer=lambda: (), eager=_progress, vjp=NONDIFFERENTIABLE, effect=Effect.COLLECTIVE, method=False, public=False,
    family="collective",
)  # fmt: skip


def _rank_of(*, group: tuple[int, ...]) -> Any:
    now = transport()
    return np.asarray(in_order(group, now.size).index(now.rank), np.int64)


rank_of = row(
    "rank_of", "The place of this rank in the group, i64[].", "", attrs={"group": ()},
    infer=lambda *, group: TensorType(dt.int64, ()), eager=_rank_of, vjp=NONDIFFERENTIABLE,
    effect=Effect.COLLECTIVE,  # no literal: the same program runs on other ranks
    method=False, public=False, family="collective",
)  # fmt: skip


def _shared_vjp(g: Any, y: Any, x: Any, *, group: Any, ranks: int) -> tuple[Any]:
    """All ranks' gradients added up. Their sum is shared as well: its own gradient goes back as it is."""
    added = OPS["all_reduce"](OPS["stop_gradient"](g), reduction="sum", group=group, ranks=ranks)
    return (OPS["straight_through"](g, added),)


shared = row(
    "shared", "The operand, equal on all ranks, which compute parts of one loss with it: their gradients are added up.",
    "x", attrs=_OF_GROUP, infer=_same, eager=lambda x, **_: np.array(x, copy=True), lowering=Scalar("{0}"),
    vjp=_shared_vjp, samples=_all("shared"), method=False, public=False, family="collective",
)  # fmt: skip
