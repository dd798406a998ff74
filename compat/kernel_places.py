"""Kernels of PaddlePaddle on graphs, on parts and shapes, and those that fill and draw: as `kernel_forms.py`."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..dygraph.nn import functional as F
from ..dygraph.nn.initializer import TruncatedNormal
from ..ops.op import FUNCTIONS, OPS
from .kernel_forms import of_module

# ---- graphs


def segment_pool(x: Any, segment_ids: Any, pooltype: str = "SUM") -> Any:
    """`geometric.segment_sum`, `_mean`, `_max` or `_min`."""
    return of_module("geometric", f"segment_{pooltype.lower()}")(x, segment_ids)


def _rows(out_size: Any) -> Any:
    """The size of a result; None where it is 0 or absent."""
    if isinstance(out_size, (list, tuple)):
        out_size = out_size[0] if out_size else None
    return None if isinstance(out_size, int) and out_size <= 0 else out_size


def send_u_recv(x: Any, src_index: Any, dst_index: Any, reduce_op: str = "SUM", out_size: Any = (0,)) -> Any:
    """`geometric.send_u_recv`."""
    return of_module("geometric", "send_u_recv")(x, src_index, dst_index, reduce_op.lower(), _rows(out_size))


def send_ue_recv(
    x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str, reduce_op: str, out_size: Any = (0,)
) -> Any:
    """`geometric.send_ue_recv`."""
    made = of_module("geometric", "send_ue_recv")
    return made(x, y, src_index, dst_index, message_op.lower(), reduce_op.lower(), _rows(out_size))


def send_uv(x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str = "ADD") -> Any:
    """`geometric.send_uv`."""
    return of_module("geometric", "send_uv")(x, y, src_index, dst_index, message_op.lower())


def reindex_graph(x: Any, neighbors: Any, count: Any, hashtable_value: Any = None, hashtable_index: Any = None) -> Any:
    """`geometric.reindex_graph`."""
    return of_module("geometric", "reindex_graph")(x, neighbors, count, hashtable_value, hashtable_index)


# ---- parts and shapes


def slice(
    input: Any, axes: Sequence[int], starts: Any, ends: Any, infer_flags: Any = (), decrease_axis: Sequence[int] = ()
) -> Any:
    """`slice`, without the axes of one element that `decrease_axis` names."""
    made = FUNCTIONS["slice"](input, list(axes), starts, ends)
    return FUNCTIONS["squeeze"](made, list(decrease_axis)) if len(decrease_axis) else made


def split_with_num(x: Any, num: int, axis: Any = 0) -> Any:
    """`split` into equal parts."""
    return FUNCTIONS["split"](x, num, axis)


def expand_as(x: Any, y: Any = None, target_shape: Sequence[int] = ()) -> Any:
    """`expand` to the shape of y, or to `target_shape`."""
    return FUNCTIONS["expand"](x, list(target_shape) if y is None else y.shape)


def repeat_interleave_with_tensor_index(x: Any, repeats: Any, axis: int = 0, output_size: int = -1) -> Any:
    """`repeat_interleave`."""
    return FUNCTIONS["repeat_interleave"](x, repeats, axis)


def tensor_unfold(input: Any, axis: int, size: int, step: int) -> Any:
    """`unfold`."""
    return FUNCTIONS["unfold"](input, axis, size, step)


def trans_layout(x: Any, perm: Sequence[int]) -> Any:
    """`transpose`."""
    return OPS["transpose"](x, tuple(perm))


def view_dtype(input: Any, dtype: Any) -> Any:
    """`view`."""
    return FUNCTIONS["view"](input, dtype)


def view_shape(input: Any, dims: Sequence[int]) -> Any:
    """`view`."""
    return FUNCTIONS["view"](input, list(dims))


def view_slice(input: Any, begin_idx: int, end_idx: int) -> Any:
    """A part of the first axis."""
    return input[begin_idx:end_idx]


def shape64(input: Any) -> Any:
    """The shape as a tensor."""
    return OPS["cast"](FUNCTIONS["shape"](input), "int64")


def npu_identity(x: Any, format: int = -1) -> Any:
    """x."""
    return of_module("", "assign")(x)


memcpy_d2h = memcpy_h2d = npu_identity


# ---- filled and drawn


def eye(num_rows: Any, num_columns: Any, dtype: Any = "float32", place: Any = None) -> Any:
    """`eye`."""
    return of_module("", "eye")(num_rows, num_columns, dtype)


def tril_indices(rows: int, cols: int, offset: int, dtype: Any = "int64", place: Any = None) -> Any:
    """`tril_indices`."""
    return FUNCTIONS["tril_indices"](rows, cols, offset, dtype)


def triu_indices(row: int, col: int, offset: int, dtype: Any = "int64", place: Any = None) -> Any:
    """`triu_indices`."""
    return FUNCTIONS["triu_indices"](row, col, offset, dtype)


def fill(x: Any, value: Any = 0) -> Any:
    """A tensor like x of one value."""
    return FUNCTIONS["full_like"](x, value)


def fill_(x: Any, value: Any = 0) -> Any:
    """Fill x in place."""
    return x.fill_(value)


def increment_(x: Any, value: float = 1.0) -> Any:
    """`increment`, in place."""
    return of_module("", "increment")(x, value)


def dropout_(x: Any, *settings: Any) -> Any:
    """`dropout`, in place."""
    return of_module("", "assign")(of_module("compat.kernel_orders", "dropout")(x, *settings), x)


def silu_(x: Any) -> Any:
    """`silu`, in place."""
    return of_module("", "assign")(F.silu(x), x)


def full_int_array(value: Sequence[int], dtype: Any = "int64", place: Any = None) -> Any:
    """A vector of ints."""
    return of_module("", "to_tensor")(list(value), dtype)


def full_with_tensor(value: Any, shape: Any, dtype: Any = "float32") -> Any:
    """`full`."""
    return FUNCTIONS["full"](shape, value, dtype)


def _like_a_batch(input: Any, shape: Sequence[int], input_dim_idx: int, output_dim_idx: int) -> list[Any]:
    sizes = list(shape)
    sizes[output_dim_idx] = input.shape[input_dim_idx]
    return sizes


def full_batch_size_like(
    input: Any, shape: Sequence[int], dtype: Any, value: Any, input_dim_idx: int = 0, output_dim_idx: int = 0,
    place: Any = None,
) -> Any:  # fmt: skip
    """`full` with one size of `input`."""
    return FUNCTIONS["full"](_like_a_batch(input, shape, input_dim_idx, output_dim_idx), value, dtype)


def uniform_random_batch_size_like(
    input: Any, shape: Sequence[int], input_dim_idx: int, output_dim_idx: int, min: float, max: float, seed: int,
    diag_num: int = 0, diag_step: int = 0, diag_val: float = 1.0, dtype: Any = "float32",
) -> Any:  # fmt: skip
    """`uniform` with one size of `input`."""
    sizes = _like_a_batch(input, shape, input_dim_idx, output_dim_idx)
    return of_module("", "uniform")(sizes, dtype, min, max, seed)


def truncated_gaussian_random(
    shape: Sequence[int], mean: float, std: float, seed: int, a: float, b: float, dtype: Any = "float32",
    place: Any = None,
) -> Any:  # fmt: skip
    """Numbers from a normal distribution between a and b; the seed has no effect (see `vt.seed`)."""
    made = FUNCTIONS["zeros"](list(shape), dtype)
    TruncatedNormal(mean, std, a, b)(made)
    return made


def gaussian_inplace_(x: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0) -> Any:
    """`normal_`."""
    return x.normal_(mean, std)


def uniform_inplace_(x: Any, min: float = -1.0, max: float = 1.0, seed: int = 0, *diagonal: Any) -> Any:
    """`uniform_`."""
    return x.uniform_(min, max, seed)


def exponential_(x: Any, lam: float = 1.0) -> Any:
    """`exponential_`."""
    return x.exponential_(lam)


def dirichlet(alpha: Any) -> Any:
    """Numbers from Dirichlet distributions."""
    return of_module("distribution", "Dirichlet")(alpha).sample()


def assign_value_(output: Any, shape: Any, dtype: Any, values: Any, place: Any = None) -> Any:
    """Put numbers into a tensor, which takes on their shape, and their dtype as `assign` has it."""
    return of_module("", "assign")(np.array(values, as_dtype(dtype).numpy).reshape(shape), output)


def set_value_with_tensor(
    x: Any, values: Any, starts: Sequence[int], ends: Sequence[int], steps: Sequence[int], axes: Sequence[int],
    decrease_axes: Sequence[int] = (), none_axes: Sequence[int] = (),
) -> Any:  # fmt: skip
    """A tensor with other elements in a part of it. An axis of one element is left out, a new one put in before it."""
    place: list[Any] = [builtins.slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        place[axis] = start if axis in decrease_axes else builtins.slice(start, end, step)
    for axis in none_axes:
        place.insert(axis, None)
    made = OPS["assign"](x)
    made[tuple(place)] = values
    return made


def set_value(
    x: Any, starts: Sequence[int], ends: Sequence[int], steps: Sequence[int], axes: Sequence[int],
    decrease_axes: Sequence[int], none_axes: Sequence[int], shape: Sequence[int], values: Sequence[Any],
) -> Any:  # fmt: skip
    """`set_value_with_tensor` for numbers of this shape."""
    numbers = of_module("", "to_tensor")(np.reshape(values, shape), x.dtype)
    return set_value_with_tensor(x, numbers, starts, ends, steps, axes, decrease_axes, none_axes)


def assign_out_(x: Any, output: Any) -> Any:
    """Put a tensor's elements into another one."""
    return of_module("", "assign")(x, output)


def tdm_child(x: Any, tree_info: Any, child_nums: int, dtype: Any = "int32") -> tuple[Any, Any]:
    """Children of nodes, and 1 where a child is a leaf; rows of a tree: item, level, parent, children (0: none)."""
    gather, is_item = OPS["gather"], OPS["cast"](tree_info[:, 0] != 0, dtype)
    flat = OPS["reshape"](x, (-1,))
    shape = (*x.shape, child_nums)
    # node 0 is none, and neither has a node whose first child is none any other
    has_any = OPS["logical_and"](flat != 0, gather(tree_info[:, 3], flat, 0) != 0)
    kept = OPS["reshape"](OPS["cast"](has_any, tree_info.dtype), (-1, 1))
    rows = gather(tree_info[:, 3 : 3 + child_nums], flat, 0) * kept
    leaves = gather(is_item, OPS["reshape"](rows, (-1,)), 0) * OPS["cast"](OPS["reshape"](rows, (-1,)) != 0, dtype)
    return OPS["reshape"](OPS["cast"](rows, dtype), shape), OPS["reshape"](leaves, shape)
