"""Arithmetic of sparse tensors: functions of their values, of two of them, sums, products, moves of axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base.errors import ArgumentError, ShapeError
from ...ops.infer import axis_index, show_shape
from ...ops.op import FUNCTIONS, OPS
from .sparse_creation import mask_as as mask_as
from .sparse_creation import to_sparse_coo
from .sparse_tensor import (
    FUNCTIONS_OF_SPARSE,
    SparseCooTensor,
    SparseTensor,
    added_at,
    count,
    indices_of,
    keys_of,
)

_slice = slice  # a function here has the name


def _of_values(name: str, doc: str) -> Callable[..., Any]:
    def function(x: Any, name: str | None = None) -> Any:
        return _sparse(own, x).with_values(call(x.values()))

    own = name
    call = OPS[name] if name in OPS else FUNCTIONS[name]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc} of the values; 0 stays 0 where there is none."
    return function


def _sparse(name: str, x: Any) -> SparseTensor:
    if not isinstance(x, SparseTensor):
        raise ArgumentError(
            f"sparse.{name} takes a sparse tensor, not {type(x).__name__}", remedy="make one with x.to_sparse_coo()"
        )
    return x


sin, tan = _of_values("sin", "The sine"), _of_values("tan", "The tangent")
asin, atan = _of_values("asin", "The inverse sine"), _of_values("atan", "The inverse tangent")
sinh, tanh = _of_values("sinh", "The hyperbolic sine"), _of_values("tanh", "The hyperbolic tangent")
asinh, atanh = _of_values("asinh", "The inverse of sinh"), _of_values("atanh", "The inverse of tanh")
sqrt, square = _of_values("sqrt", "The square root"), _of_values("square", "The square")
log1p, expm1 = _of_values("log1p", "The logarithm of 1 + x"), _of_values("expm1", "e to the power x, minus 1,")
neg, isnan = _of_values("neg", "The negative"), _of_values("isnan", "Whether NaN,")
deg2rad, rad2deg = _of_values("deg2rad", "Degrees as radians"), _of_values("rad2deg", "Radians as degrees")
abs = _of_values("abs", "The absolute value")
relu = _of_values("relu", "The positive part")
relu6 = _of_values("relu6", "The part between 0 and 6")


def leaky_relu(x: Any, negative_slope: float = 0.01, name: str | None = None) -> Any:
    """The values, negative ones times `negative_slope`."""
    return _sparse("leaky_relu", x).with_values(OPS["leaky_relu"](x.values(), negative_slope))


def pow(x: Any, factor: float, name: str | None = None) -> Any:
    """The values to the power `factor`; 0 stays 0 where there is none."""
    return _sparse("pow", x).with_values(OPS["pow"](x.values(), factor))


def cast(x: Any, index_dtype: Any = None, value_dtype: Any = None, name: str | None = None) -> Any:
    """Values of the dtype `value_dtype`, indices of `index_dtype`."""
    values = x.values() if value_dtype is None else OPS["cast"](x.values(), value_dtype)
    made = _sparse("cast", x).with_values(values)
    if index_dtype is not None:
        for name_of_places in ("_indices", "_crows", "_cols"):
            if hasattr(type(made), name_of_places[1:]):
                setattr(made, name_of_places, OPS["cast"](getattr(made, name_of_places), index_dtype))
    return made


def coalesce(x: Any, name: str | None = None) -> Any:
    """Indices sorted, values of equal indices added."""
    return x.coalesce()


def is_same_shape(x: Any, y: Any) -> bool:
    """Whether two tensors, sparse or dense, have one shape."""
    return list(x.shape) == list(y.shape)


# ---- two of them


def _joined(name: str, x: Any, y: Any) -> Any:
    """The op of two sparse tensors at the indices of either; a missing value is 0."""
    if list(x.shape) != list(y.shape) or x.sparse_axes != y.sparse_axes:
        raise ShapeError(f"sparse.{name}: shapes {show_shape(x.shape)} and {show_shape(y.shape)} differ")
    dims = x.shape[: x.sparse_axes]
    keys = [keys_of(side.coordinates(), dims) for side in (x, y)]
    n = x.nnz()
    if name == "divide":  # 0 / 0 is NaN: every element has a value
        union = FUNCTIONS["arange"](0, count(dims), 1, "int64")
        places = OPS["concat"](keys, 0)
    else:
        union, places = FUNCTIONS["unique"](OPS["concat"](keys, 0), return_inverse=True)
    sides = [added_at(x.values(), places[:n], union.shape[0]), added_at(y.values(), places[n:], union.shape[0])]
    return x.like_this(SparseCooTensor(indices_of(union, dims), OPS[name](*sides), x.shape, True))


def _pair(name: str, x: Any, y: Any) -> Any:
    if not isinstance(x, SparseTensor) and isinstance(y, SparseTensor) and name in ("add", "multiply"):
        x, y = y, x
    _sparse(name, x)
    if isinstance(y, SparseTensor):
        if y.layout != x.layout:
            raise ArgumentError(f"sparse.{name}: the layouts {x.layout} and {y.layout} differ")
        return _joined(name, x, y)
    scalar = isinstance(y, int | float) or not getattr(y, "ndim", 1)
    if name in ("multiply", "divide"):
        whole = y if scalar else x.picked(FUNCTIONS["expand"](y, list(x.shape)))
        return x.with_values(OPS[name](x.values(), whole))
    if scalar:
        raise ArgumentError(f"sparse.{name} of a number would fill every element", remedy="use x.to_dense()")
    return OPS[name](x.to_dense(), y)


def add(x: Any, y: Any, name: str | None = None) -> Any:
    """The sum: sparse of two sparse tensors, or of values that are vectors with a bias; dense with a dense tensor."""
    if isinstance(x, SparseTensor) and x.dense_dim() == 1 and list(y.shape) == list(x.shape[-1:]):
        return x.with_values(x.values() + y)
    return _pair("add", x, y)


def subtract(x: Any, y: Any, name: str | None = None) -> Any:
    """The difference: sparse of two sparse tensors, dense with a dense one."""
    return _pair("subtract", x, y)


def multiply(x: Any, y: Any, name: str | None = None) -> Any:
    """The product element by element, at the indices of either; with a number or a dense tensor at x's indices."""
    return _pair("multiply", x, y)


def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """The quotient: of two sparse tensors at every index, NaN where both are 0; else at x's indices."""
    return _pair("divide", x, y)


# ---- sums and moves


def sum(x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Sums over axes, sparse: over all axes one value of shape [1]; of compressed rows over the last axis, [..., 1]."""
    values = _sparse("sum", x).values() if dtype is None else OPS["cast"](x.values(), dtype)
    if axis is None:
        total = OPS["reshape"](OPS["sum"](values), [1])
        shape = [1] * x.ndim if keepdim or x.layout == "csr" else [1]
        return x.like_this(SparseCooTensor(FUNCTIONS["zeros"]([len(shape), 1], "int64"), total, shape, True))
    axes = sorted({axis_index(a, x.ndim) for a in (axis if isinstance(axis, list | tuple) else [axis])})
    if x.layout == "csr" and axes != [x.ndim - 1]:
        raise ArgumentError("sparse.sum of compressed rows takes the last axis", remedy="use x.to_sparse_coo()")
    dense = [a - x.sparse_axes + 1 for a in axes if a >= x.sparse_axes]
    if dense:
        values = OPS["sum"](values, dense, keepdim)
    keep = keepdim or x.layout == "csr"
    places = x.coordinates()
    rows = [places[a] * (a not in axes) for a in range(x.sparse_axes) if keep or a not in axes]
    shape = [1 if a in axes else dim for a, dim in enumerate(x.shape) if keep or a not in axes]
    if not rows:  # of no sparse axis: one row, as of a sum over everything
        total = OPS["sum"](values, 0, True)
        return x.like_this(SparseCooTensor(FUNCTIONS["zeros"]([1, 1], "int64"), total, [1, *shape], True))
    return x.like_this(SparseCooTensor(FUNCTIONS["stack"](rows, 0), values, shape).coalesce())


def transpose(x: Any, perm: Sequence[int], name: str | None = None) -> Any:
    """Axes in another order; sparse axes stay before dense ones."""
    order = [axis_index(axis, x.ndim) for axis in perm]
    k = _sparse("transpose", x).sparse_axes
    if sorted(order) != list(range(x.ndim)) or sorted(order[:k]) != list(range(k)):
        raise ArgumentError(f"sparse.transpose: {list(perm)} is no order of {k} sparse and {x.ndim - k} dense axes")
    places = x.coordinates()
    values = x.values()
    if x.ndim > k:
        values = OPS["transpose"](values, [0, *(axis - k + 1 for axis in order[k:])])
    where = FUNCTIONS["stack"]([places[axis] for axis in order[:k]], 0)
    return x.like_this(SparseCooTensor(where, values, [x.shape[axis] for axis in order]))


def reshape(x: Any, shape: Sequence[int], name: str | None = None) -> Any:
    """The same elements in another shape; dense axes stay as they are. -1 and 0 are as in `reshape`."""
    k = _sparse("reshape", x).sparse_axes
    dims = [x.shape[i] if dim == 0 else dim for i, dim in enumerate(shape)]
    total = count(x.shape)
    if -1 in dims:
        dims[dims.index(-1)] = total // count([dim for dim in dims if dim != -1])
    tail = x.shape[k:]
    if count(dims) != total or dims[len(dims) - len(tail) :] != tail:
        raise ShapeError(f"sparse.reshape: {show_shape(x.shape)} can't become {show_shape(dims)}")
    front = dims[: len(dims) - len(tail)]
    keys = keys_of(x.coordinates(), x.shape[:k])
    return x.like_this(SparseCooTensor(indices_of(keys, front), x.values(), dims))


def slice(x: Any, axes: Sequence[int], starts: Sequence[int], ends: Sequence[int], name: str | None = None) -> Any:
    """The part from `starts` to `ends` of the sparse axes `axes`."""
    places, shape = _sparse("slice", x).coordinates(), list(x.shape)
    rows = [places[a] for a in range(x.sparse_axes)]
    inside = OPS["greater_equal"](rows[0], 0)
    for axis, start, end in zip(axes, starts, ends, strict=True):
        at = axis_index(axis, x.ndim)
        if at >= x.sparse_axes:
            raise ArgumentError(f"sparse.slice: axis {axis} is dense")
        low, high, _ = _slice(int(start), int(end)).indices(x.shape[at])
        inside = OPS["logical_and"](inside, OPS["logical_and"](rows[at] >= low, rows[at] < high))
        rows[at], shape[at] = rows[at] - low, max(high - low, 0)
    kept = OPS["reshape"](FUNCTIONS["nonzero"](inside), [-1])
    where = OPS["gather"](FUNCTIONS["stack"](rows, 0), kept, 1)
    return x.like_this(SparseCooTensor(where, OPS["gather"](x.values(), kept, 0), shape))


# ---- products


def _lines(x: Any) -> tuple[Any, Any]:
    """The row of each value, counted over the batch, and the row of the other factor that it meets."""
    places = x.coordinates()
    rows = keys_of(places, x.shape[:-1])
    if x.ndim == 2:
        return rows, places[1]
    meets = FUNCTIONS["stack"]([*(places[a] for a in range(x.ndim - 2)), places[-1]], 0)
    return rows, keys_of(meets, [*x.shape[:-2], x.shape[-1]])


def matmul(x: Any, y: Any, name: str | None = None) -> Any:
    """The product of matrices: of a sparse and a dense one dense, of two sparse ones sparse; batches multiply alike.

    >>> import vitrify as vt
    >>> x = vt.sparse.sparse_csr_tensor([0, 1, 2], [1, 0], [2.0, 3.0], [2, 2])
    >>> matmul(x, vt.to_tensor([[1.0], [10.0]])).tolist()
    [[20.0], [3.0]]
    """
    if not isinstance(x, SparseTensor):
        order = [*range(_sparse("matmul", y).ndim - 2), y.ndim - 1, y.ndim - 2]
        return OPS["transpose"](matmul(transpose(y, order), OPS["transpose"](x, order)), order)
    if x.ndim < 2 or x.ndim != y.ndim or x.shape[-1] != y.shape[-2] or list(x.shape[:-2]) != list(y.shape[:-2]):
        raise ShapeError(f"sparse.matmul: {show_shape(x.shape)} and {show_shape(y.shape)} don't fit")
    if isinstance(y, SparseTensor):
        return _of_two(x, y)
    rows, meets = _lines(x)
    flat = OPS["reshape"](y, [-1, y.shape[-1]])
    parts = OPS["gather"](flat, meets, 0) * OPS["reshape"](x.values(), [-1, 1])
    return OPS["reshape"](added_at(parts, rows, count(x.shape[:-1])), [*x.shape[:-1], y.shape[-1]])


def _of_two(x: Any, y: Any) -> Any:
    """A value wherever a value of x's row meets one of y's column, 0 or not."""
    if x.layout != y.layout:
        raise ArgumentError(f"sparse.matmul: the layouts {x.layout} and {y.layout} differ")
    marks = [side.with_values(FUNCTIONS["ones_like"](side.values())) for side in (x.detach(), y.detach())]
    pattern = to_sparse_coo(matmul(marks[0], marks[1].to_dense()))
    made = matmul(x, y.to_dense())
    return x.like_this(pattern.with_values(pattern.picked(made)))


def masked_matmul(x: Any, y: Any, mask: Any, name: str | None = None) -> Any:
    """The product of two dense matrices where a sparse one has values; other elements aren't computed."""
    lines, n = [*mask.shape[:-2]], mask.shape[-1]
    if [*x.shape[:-1]] != [*mask.shape[:-1]] or list(y.shape) != [*lines, x.shape[-1], n]:
        raise ShapeError(
            f"sparse.masked_matmul: {show_shape(x.shape)} and {show_shape(y.shape)} don't make {show_shape(mask.shape)}"
        )
    rows, columns = _lines(_sparse("masked_matmul", mask))
    columns_of = OPS["transpose"](y, [*range(y.ndim - 2), y.ndim - 1, y.ndim - 2])
    left, right = (OPS["reshape"](side, [-1, x.shape[-1]]) for side in (x, columns_of))
    return mask.with_values(OPS["sum"](OPS["gather"](left, rows, 0) * OPS["gather"](right, columns, 0), -1))


def mv(x: Any, vec: Any, name: str | None = None) -> Any:
    """The product of a sparse matrix and a vector."""
    if x.ndim != 2 or list(vec.shape) != [x.shape[1]]:
        raise ShapeError(f"sparse.mv: {show_shape(x.shape)} and {show_shape(vec.shape)} don't fit")
    return OPS["reshape"](matmul(x, OPS["reshape"](vec, [-1, 1])), [-1])


def addmm(input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Any:
    """beta · input + alpha · x @ y."""
    made = matmul(x, y)
    if isinstance(input, SparseTensor) and isinstance(made, SparseTensor):
        return add(multiply(input, beta), multiply(made, alpha))
    return input * beta + made * alpha


def softmax(x: Any, axis: int = -1, name: str | None = None) -> Any:
    """The softmax of the values along an axis: elements without a stored value count as minus infinity."""
    at, values = axis_index(axis, _sparse("softmax", x).ndim), x.values()
    if at >= x.sparse_axes:
        return x.with_values(FUNCTIONS["softmax"](values, at - x.sparse_axes + 1))
    places, others = x.coordinates(), [i for i in range(x.sparse_axes) if i != at]
    if others:
        dims = [x.shape[i] for i in others]
        rows, total = keys_of([places[i] for i in others], dims), count(dims)
    else:
        rows, total = places[0] * 0, 1
    lowest = FUNCTIONS["full"]([total, *values.shape[1:]], -float("inf"), values.dtype)
    each = FUNCTIONS["expand"](OPS["reshape"](rows, [-1] + [1] * (values.ndim - 1)), values.shape)
    top = FUNCTIONS["put_along_axis"](lowest, each, values.detach(), 0, "amax")
    powers = OPS["exp"](values - OPS["gather"](top, rows, 0))
    return x.with_values(powers / OPS["gather"](added_at(powers, rows, total), rows, 0))


def attention(
    query: Any, key: Any, value: Any, sparse_mask: Any, key_padding_mask: Any = None, attn_mask: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Attention [batch, heads, n, d] between the pairs where sparse_mask [batch · heads, n, n] has values.

    key_padding_mask [batch, n] and attn_mask [n, n]: pairs with 0 there count as minus infinity.
    """
    batch, heads, n, d = query.shape
    flat = [OPS["reshape"](part, [batch * heads, n, part.shape[-1]]) for part in (query, key, value)]
    columns_of = OPS["transpose"](flat[1], [0, 2, 1])
    scores = masked_matmul(flat[0], columns_of, sparse_mask)
    values = scores.values() / float(d) ** 0.5
    places = sparse_mask.coordinates()
    for mask, lines in ((key_padding_mask, [places[0] // heads, places[2]]), (attn_mask, [places[1], places[2]])):
        if mask is not None:
            met = OPS["gather"](OPS["reshape"](mask, [-1]), keys_of(FUNCTIONS["stack"](lines, 0), [0, n]), 0)
            values = OPS["where"](OPS["equal"](met, 0), FUNCTIONS["full_like"](values, -float("inf")), values)
    weights = softmax(scores.with_values(values))
    return OPS["reshape"](matmul(weights, flat[2]), [batch, heads, n, flat[2].shape[-1]])


FUNCTIONS_OF_SPARSE.update(
    {
        function.__name__: function
        for function in (
            abs, add, addmm, asin, asinh, atan, atanh, cast, deg2rad, divide, expm1, isnan, log1p, matmul, multiply, mv,
            neg, pow, rad2deg, reshape, sin, sinh, slice, softmax, sqrt, square, subtract, sum, tan, tanh, transpose,
        )
    }
)  # fmt: skip
FUNCTIONS_OF_SPARSE["mm"] = matmul
