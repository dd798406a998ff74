"""Functions that other array libraries spell so; each is one or two calls of ours."""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError
from .arith import is_value
from .create import arange
from .dims import product
from .dispatch import current
from .infer import axis_index
from .op import FUNCTIONS, METHOD_FUNCTIONS, OPS, composite
from .planned import planned
from .shape import reshape, transpose
from .slices import slice_ as slice_row

# functions of several tensors that Paddle lists as methods too: they are called through the class, `Tensor.concat(xs)`
ON_THE_CLASS = (
    "broadcast_shape", "broadcast_tensors", "concat", "multiplex", "polar", "scatter_nd_add", "shard_index", "stack",
    "block_diag", "hstack", "vstack", "dstack", "column_stack", "row_stack",
)  # fmt: skip


def register_on_the_class() -> None:
    """Make the functions of `ON_THE_CLASS` methods; called when all of them are known."""
    METHOD_FUNCTIONS.update({name: FUNCTIONS.get(name) or OPS[name] for name in ON_THE_CLASS})


@composite()
def permute(x: Any, *axes: Any, dims: Any = None) -> Any:
    """The axes in another order: `transpose`, which also takes the axes one by one. `dims=` is a list of them.

    >>> import vitrify as vt
    >>> vt.ones([2, 3, 4]).permute(2, 0, 1).shape
    [4, 2, 3]
    """
    if dims is not None:
        axes = (dims, *axes)
    return transpose(x, axes[0] if len(axes) == 1 and isinstance(axes[0], (list, tuple)) else axes)


@composite()
def narrow(input: Any, dim: int, start: Any, length: int) -> Any:
    """`length` elements along the axis `dim`, from `start` on (a number or a tensor of one).

    Errors: ArgumentError where they don't fit.

    >>> import vitrify as vt
    >>> vt.narrow(vt.arange(5), 0, 1, 3).tolist()
    [1, 2, 3]
    """
    x = current().constant(input, None)
    axis, size = axis_index(dim, x.ndim), x.shape[axis_index(dim, x.ndim)]
    first = int(start) if is_value(start) else start
    if isinstance(first, int) and isinstance(size, int):
        if not -size <= first <= size:
            raise ArgumentError(f"narrow: start {first} of an axis of size {size}")
        first += size if first < 0 else 0
        if length < 0 or first + length > size:
            raise ArgumentError(f"narrow: {length} elements from {first} on, of an axis of size {size}")
    starts, sizes = [0] * x.ndim, list(x.shape)
    starts[axis], sizes[axis] = first, length
    return slice_row(x, starts, sizes)


@composite()
def fliplr(x: Any, name: str | None = None) -> Any:
    """With the order of axis 1 reversed; x has at least two axes.

    >>> import vitrify as vt
    >>> vt.fliplr(vt.to_tensor([[1, 2], [3, 4]])).tolist()
    [[2, 1], [4, 3]]
    """
    if x.ndim < 2:
        raise ArgumentError(f"fliplr needs at least two axes, not {x.ndim}", remedy="use flip(x, axis)")
    return OPS["flip"](x, [1])


@composite()
def flipud(x: Any, name: str | None = None) -> Any:
    """With the order of axis 0 reversed; x has at least one axis.

    >>> import vitrify as vt
    >>> vt.flipud(vt.to_tensor([[1, 2], [3, 4]])).tolist()
    [[3, 4], [1, 2]]
    """
    if x.ndim < 1:
        raise ArgumentError("flipud needs at least one axis, not 0")
    return OPS["flip"](x, [0])


@composite()
def argwhere(input: Any) -> Any:
    """The places of the elements that aren't zero: `nonzero(x)`.

    >>> import vitrify as vt
    >>> vt.argwhere(vt.to_tensor([0, 5, 7])).tolist()
    [[1], [2]]
    """
    return FUNCTIONS["nonzero"](input)


@composite()
def aminmax(x: Any, axis: Any = None, keepdim: bool = False) -> tuple[Any, Any]:
    """(least, largest) over `axis`; equal extremes share the gradient.

    >>> import vitrify as vt
    >>> [float(e) for e in vt.aminmax(vt.to_tensor([2.0, -1.0, 4.0]))]
    [-1.0, 4.0]
    """
    known = FUNCTIONS | OPS
    return known["amin"](x, axis, keepdim), known["amax"](x, axis, keepdim)


@composite()
def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """x with `src` added at the places along `dim` that `index` names; index and src may be smaller than x.

    >>> import vitrify as vt
    >>> vt.scatter_add(vt.zeros([3]), 0, vt.to_tensor([0, 2, 2]), vt.to_tensor([1.0, 2.0, 3.0])).tolist()
    [1.0, 0.0, 5.0]
    """
    return FUNCTIONS["put_along_axis"](input, index, src, dim, "add", broadcast=False)


_REDUCTIONS = {"sum": "add", "prod": "mul", "mean": "mean", "amin": "amin", "amax": "amax"}


@composite()
def scatter_reduce(input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    """x with `src` combined at the places along `dim` that `index` names: "sum", "prod", "mean", "amin" or "amax".

    include_self: whether the element already there takes part. Errors: ArgumentError for another `reduce`.

    >>> import vitrify as vt
    >>> vt.scatter_reduce(vt.ones([2]), 0, vt.to_tensor([0, 0]), vt.to_tensor([5.0, 3.0]), "amax").tolist()
    [5.0, 1.0]
    """
    if reduce not in _REDUCTIONS:
        raise ArgumentError(f"scatter_reduce: reduce must be {', '.join(_REDUCTIONS)}, not {reduce!r}")
    known = FUNCTIONS["put_along_axis"]
    return known(input, index, src, dim, _REDUCTIONS[reduce], include_self, broadcast=False)


def _strides(sizes: list[Any]) -> Any:
    step: Any = 0
    for k in range(len(sizes)):
        step = step + product(sizes[k + 1 :])
    return step


@composite()
@planned
def fill_diagonal(x: Any, value: Any, offset: int = 0, wrap: bool = False, name: str | None = None) -> Any:
    """x with its main diagonal, moved by `offset` columns, set to a number.

    x has at least two axes; with more than two, all of one size, and the elements x[i, i, …, i] are set. `wrap`: in a
    tall matrix the diagonal begins anew after each block of as many rows as columns, with one row between.

    >>> import vitrify as vt
    >>> vt.zeros([2, 3]).fill_diagonal_(1.0, offset=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if x.ndim < 2:
        raise ArgumentError(f"fill_diagonal needs at least two axes, not {x.ndim}")
    sizes = list(x.shape)
    if x.ndim > 2 and any(d != sizes[0] for d in sizes):
        raise ArgumentError(f"fill_diagonal: more than two axes must be of one size, not {sizes}")
    columns, count = sizes[-1] if x.ndim == 2 else sizes[1], product(sizes)
    places = reshape(arange(count), sizes)
    base = places - offset
    column = base % columns + offset
    inside = OPS["logical_and"](OPS["greater_equal"](column, 0), OPS["less_than"](column, columns))
    chosen = OPS["logical_and"](OPS["equal"](base % _strides(sizes), 0), inside)
    if not wrap and x.ndim == 2:
        chosen = OPS["logical_and"](chosen, OPS["less_than"](base, columns * columns))
    chosen = OPS["logical_and"](chosen, OPS["greater_equal"](base, 0))
    return OPS["where"](chosen, current().constant(value, x.dtype), x)


@composite()
def fill_diagonal_tensor(x: Any, y: Any, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None) -> Any:
    """x with the diagonal over the axes `dim1` and `dim2` replaced by y: `diagonal_scatter`.

    >>> import vitrify as vt
    >>> vt.zeros([2, 2]).fill_diagonal_tensor(vt.to_tensor([1.0, 2.0])).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    return FUNCTIONS["diagonal_scatter"](x, y, offset, dim1, dim2)


@composite()
def type_as(x: Any, other: Any) -> Any:
    """x in the dtype of another tensor."""
    return OPS["cast"](x, other.dtype)
