"""Layers of `incubate.layers.nn`: sums and joins of column ranges, batched matrix products, shuffled rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import ArgumentError, ModeError, ShapeError
from ..dygraph.draws import rand_like
from ..dygraph.nn.initializer import Constant
from ..dygraph.nn.param_attr import make_parameter
from ..ops.op import FUNCTIONS, OPS
from .kernel_places import tdm_child as children_of


def _columns(inputs: Any, start_index: int, length: int) -> list[Any]:
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    for x in given:
        if x.ndim != 2:
            raise ShapeError(f"partial sums and joins take matrices, got {x.ndim} axes")
        if not -x.shape[1] <= start_index < x.shape[1]:
            raise ArgumentError(f"start_index {start_index} is outside of {x.shape[1]} columns")
    first = start_index if start_index >= 0 else given[0].shape[1] + start_index
    end = None if length < 0 else first + length
    return [x[:, first:end] for x in given]


def partial_concat(input: Any, start_index: int = 0, length: int = -1) -> Any:
    """The columns start_index … start_index + length of several matrices side by side; length -1: all the rest.

    >>> from vitrify import to_tensor
    >>> partial_concat([to_tensor([[0, 1, 2]]), to_tensor([[3, 4, 5]])], 1, 2).tolist()
    [[1, 2, 4, 5]]
    """
    return OPS["concat"](_columns(input, start_index, length), 1)


def partial_sum(input: Any, start_index: int = 0, length: int = -1) -> Any:
    """The sum of the columns start_index … start_index + length of several matrices of one shape.

    >>> from vitrify import to_tensor
    >>> partial_sum([to_tensor([[0, 1, 2]]), to_tensor([[3, 4, 5]])], 1, 2).tolist()
    [[5, 7]]
    """
    first, *rest = _columns(input, start_index, length)
    for x in rest:
        first = first + x
    return first


def shuffle_batch(x: Any, seed: Any = None) -> Any:
    """The rows (all axes but the last) in another order each time; `seed` has no effect: see `vt.seed`."""
    flat = OPS["reshape"](x, (-1, x.shape[-1]))
    drawn = rand_like(flat.detach()[:, 0], "float64")  # one number a row: the count of rows may be open
    return OPS["reshape"](OPS["gather"](flat, FUNCTIONS["argsort"](drawn), 0), tuple(x.shape))


def batch_fc(
    input: Any, param_size: Sequence[int], param_attr: Any, bias_size: Sequence[int], bias_attr: Any,
    act: str | None = None,
) -> Any:  # fmt: skip
    """input [s, n, i] times a weight [s, i, o] per slot, plus a bias [s, o]."""
    weight = make_parameter(list(param_size), param_attr, input.dtype, False, None, "batch_fc.w")
    bias = make_parameter(list(bias_size), bias_attr, input.dtype, True, None, "batch_fc.b")
    if weight is None or bias is None:
        raise ArgumentError("batch_fc needs a weight and a bias")
    made = OPS["matmul"](input, weight) + OPS["reshape"](bias, (bias.shape[0], 1, bias.shape[1]))
    return made if act is None else (FUNCTIONS.get(act) or OPS[act])(made)


def tdm_child(x: Any, node_nums: int, child_nums: int, param_attr: Any = None, dtype: Any = "int32") -> tuple[Any, Any]:
    """The children of nodes of a tree, and 1 where a child is a leaf, 0 elsewhere: each [*x.shape, child_nums].

    The tree is a parameter of whole numbers with a row a node: item (0 unless it is a leaf), level, parent, children
    (0: none). Node 0 is none. `param_attr` gives its values.

    >>> from vitrify import ParamAttr, to_tensor
    >>> from vitrify.nn.initializer import Assign
    >>> tree = [[0, 0, 0, 0, 0], [0, 0, 0, 2, 3], [5, 1, 1, 0, 0], [6, 1, 1, 0, 0]]
    >>> child, leaf = tdm_child(to_tensor([1, 2]), 4, 2, ParamAttr(initializer=Assign(tree)))
    >>> child.tolist(), leaf.tolist()
    ([[2, 3], [0, 0]], [[1, 1], [0, 0]])
    """
    tree = make_parameter([node_nums, 3 + child_nums], param_attr, dtype, False, Constant(0), "tdm_child.w")
    if tree is None:
        raise ArgumentError("tdm_child needs a tree: param_attr can't be False")
    tree.stop_gradient = True
    return children_of(x, tree, child_nums, dtype)


def rank_attention(*args: Any, **kwargs: Any) -> Any:
    """Errors: ModeError: it needs the tables of Paddle's parameter servers."""
    raise ModeError("rank_attention isn't supported", remedy="use nn.functional.scaled_dot_product_attention")
