"""What the VM can do with an array whose number of rows only a run knows: append, cut, read and write rows, count them.

In a list the rows lie one behind another. So any operation along the leading axis that copies whole rows is a step of
the VM; everything else runs on the host (see host.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....base import dtype as dt
from ....ir.core import Operation, Value
from ....ops.dims import Dim, DimLike, product, same_dim, same_shape
from ....ops.sizes import is_runtime_name, runtime_names
from ....ops.types import TensorType

Dims = list[DimLike]


def has_open_rows(kind: object) -> bool:
    """Whether the leading axis of a type, and no other, has a size that only a run knows."""
    return (
        isinstance(kind, TensorType)
        and kind.rank > 0
        and bool(runtime_names(kind.shape[0]))
        and not runtime_names(kind.shape[1:])
    )


def row_of(kind: TensorType) -> TensorType:
    """What one row of an array is."""
    return TensorType(kind.dtype, kind.shape[1:])


def split(dim: DimLike) -> tuple[str | None, DimLike] | None:
    """A size as the name of one that only a run knows, if there is one in it, plus one known before; None: it is more.

    >>> split(Dim.symbol("u1") + 2), split(Dim.symbol("u1") * 2)
    (('u1', 2), None)
    """
    names = runtime_names(dim)
    if not names:
        return None, dim
    name = next(iter(names))
    rest = dim - Dim.symbol(name)
    return None if runtime_names(rest) else (name, rest)


def needed(operation: Operation) -> Dims | None:
    """The sizes that the VM's steps of an operation compute; None: it has no such steps."""
    found = _NEEDED.get(operation.name)
    dims = None if found is None else found(operation)
    return None if dims is None or any(split(d) is None for d in dims) else dims


def may_be_in_place(operation: Operation, number: int) -> bool:
    """Whether the result may take the list of this operand over: nothing else of the operation reads it later."""
    if number or not operation.results or operation.operands.count(operation.operands[0]) > 1:
        return False
    if operation.name == "slice":
        return same_dim(operation.attrs["starts"][0], 0)
    return operation.name in (
        "concat",
        "reshape",
        "slice_between",
        "stop_gradient",
        "after",
        "select_update",
        "select_add",
    )


def _is_open(value: Value) -> bool:
    return has_open_rows(value.type)


def _is_known(value: Value) -> bool:
    return not runtime_names(value.type)


def _concat(operation: Operation) -> Dims | None:
    pieces = all(_is_open(v) or _is_known(v) for v in operation.operands)
    return [] if operation.attrs["axis"] == 0 and pieces and _is_open(operation.result) else None


def _slice(operation: Operation) -> Dims | None:
    (x,) = operation.operands
    starts, sizes, strides = (operation.attrs[name] for name in ("starts", "sizes", "strides"))
    whole = same_shape(sizes[1:], x.shape[1:]) and all(same_dim(s, 0) for s in starts[1:])
    if not _is_open(x) or not whole or any(s != 1 for s in strides):
        return None
    return [starts[0], sizes[0]]


def _between(operation: Operation) -> Dims | None:
    x, *bounds = operation.operands
    along = operation.attrs["axis"] == 0 and operation.attrs["step"] == 1 and all(v.dtype is dt.int64 for v in bounds)
    return [] if along and _is_open(x) and _is_open(operation.result) else None


def _select(operation: Operation) -> Dims | None:
    x, *rest = operation.operands
    rows = _is_open(x) and operation.attrs["axis"] == 0 and rest[-1].dtype is dt.int64
    return [] if rows and all(_is_known(v) for v in rest) else None


def _reshape(operation: Operation) -> Dims | None:
    (x,), made = operation.operands, operation.result
    if not _is_open(x) or not _is_open(made):
        return None
    if same_dim(x.tensor_type.size, made.tensor_type.size):
        return []
    same = same_dim(product(x.shape[1:]), product(made.shape[1:]))
    return [made.shape[0]] if same else None


def _same(operation: Operation) -> Dims | None:
    return [] if _is_open(operation.operands[0]) else None


def _filled(operation: Operation) -> Dims | None:
    made = operation.result
    if not _is_open(made) or not all(map(_is_known, operation.operands)):
        return None
    if operation.operands and operation.operands[0].tensor_type.rank == made.tensor_type.rank:
        first = operation.operands[0].shape[0]
        return [made.shape[0]] if same_dim(first, 1) else None
    return [made.shape[0]]


def _dim_value(operation: Operation) -> Dims | None:
    return [operation.attrs["dim"]]


def _bind_size(operation: Operation) -> Dims | None:
    (name,) = operation.attrs["defines"]
    return (
        [] if isinstance(name, Dim) and is_runtime_name(str(name)) and operation.operands[0].dtype is dt.int64 else None
    )


_NEEDED: Mapping[str, Callable[[Operation], Dims | None]] = {
    "concat": _concat, "slice": _slice, "slice_between": _between, "select": _select, "select_update": _select,
    "select_add": _select, "reshape": _reshape, "stop_gradient": _same, "after": _same, "broadcast_to": _filled,
    "full": _filled, "dim_value": _dim_value, "bind_size": _bind_size,
}  # fmt: skip
