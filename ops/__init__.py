"""The op table: the only place that knows what an op means. Importing this package registers every row.

`functions()` are the public names: rows, and functions over rows; a function with a row's name is that row's public
face. `methods()` are those of them that tensors have as methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.frame_marks import takes_tensors
from . import (
    activation,
    added_keywords,
    along,
    arrange,
    attention,
    bits,
    boxes,
    byte_matmul,
    collective,
    combine,
    compare,
    complex,
    composite,
    control,
    conv,
    conv_winograd,
    create,
    data_sized,
    decompose,
    detection,
    diagonals,
    einsum,
    elementwise,
    factored,
    fft,
    fft_parts,
    histograms,
    image_columns,
    index,
    indexing,
    linalg,
    losses,
    matrix_norms,
    moves,
    norms,
    numeric,
    orders,
    packed_factors,
    padding,
    pool,
    random,
    rearrange,
    reduce,
    reflectors,
    running,
    sampling,
    select,
    sequence_loss,
    shape,
    signal,
    slices,
    solving,
    special_rows,
    spellings,
    statistics,
    transcendental,
)
from .op import FUNCTIONS, METHOD_FUNCTIONS, OPS
from .op import rows as rows

takes_tensors(__name__)
LIBRARY = frozenset(OPS)  # the rows of this package: `register_op` adds others

ALIASES = {  # Paddle's other names
    "mod": "remainder",
    "floor_mod": "remainder",
    "less": "less_than",
    "greater": "greater_than",
    "negative": "neg",
    "absolute": "abs",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "true_divide": "divide",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "reverse": "flip",
    "bitwise_invert": "bitwise_not",
    "gt": "greater_than",
    "ge": "greater_equal",
    "lt": "less_than",
    "le": "less_equal",
    "eq": "equal",
    "ne": "not_equal",
    "clamp": "clip",
    "cat": "concat",
    "concatenate": "concat",
    "ravel": "flatten",
    "swapdims": "swapaxes",
    "broadcast_shapes": "broadcast_shape",
}
spellings.register_on_the_class()


def functions() -> dict[str, Callable[..., Any]]:
    """Public names of ops and what they call.

    >>> functions()["mod"] is functions()["remainder"]
    True
    """
    return _with_aliases({name: op for name, op in OPS.items() if op.public} | FUNCTIONS)


def methods() -> dict[str, Callable[..., Any]]:
    """Names of tensor methods and what they call, with the tensor as first argument."""
    rows = {name: op for name, op in OPS.items() if op.method and op.public and name not in FUNCTIONS}
    return _with_aliases(rows | METHOD_FUNCTIONS)


def _with_aliases(table: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    return table | {alias: table[name] for alias, name in ALIASES.items() if name in table}
