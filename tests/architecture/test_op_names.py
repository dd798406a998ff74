"""Passes read facts from op definitions. Each comparison with an op's name that remains is declared with a reason."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import vitrify.ops
from vitrify.ops.op import OPS

from .syntax import nodes

ROOT = Path(__file__).parents[2]
assert vitrify.ops  # fills the table
# Control flow, lists, groups, effects and literals: programs are built of these, and passes dispatch on them.
STRUCTURE = {name for name, op in OPS.items() if op.family == "control"} | {"constant", "full", "dim_value"}
ROW_OF_AN_ARRAY = "reads and updates of one row or slice: the pass rewrites exactly these ops"
PATTERN = "the pass matches a formula that is written with this op"
DECLARED: dict[str, tuple[dict[str, int], str]] = {  # file of passes/ -> (comparisons with each op name, the reason)
    "algebra/byte_products.py": ({"cast": 1}, "the widening of bytes, which the product itself does"),
    "algebra/resolved_sizes.py": (
        {"cast": 1, "less_than": 1, "maximum": 1, "reshape": 1, "where": 1},
        "how an op ties sizes of its operands, and how sizes are bounded from below",
    ),
    "algebra/concat_reads.py": ({"concat": 1}, "the op whose elements its readers take where they are"),
    "algebra/narrow_products.py": ({"matmul": 1}, "the contraction of which BLAS takes rows one by one"),
    "algebra/split_complex.py": (
        {"as_complex": 2, "as_real": 1},
        "its own results: the views between complex numbers and their parts",
    ),
    "autodiff/presence.py": ({"straight_through": 1}, "the op whose gradient goes to one of two operands"),
    "fusion/overlap_exchanges.py": (
        {"all_reduce": 1, "all_reduce_start": 2, "all_reduce_wait": 3},
        "the exchange that training steps wait for, and its two parts",
    ),
    "fusion/contractions.py": (
        {"conv2d_weight_grad": 1, "conv2d_winograd": 1},
        "which operands of a convolution are filters, and whose kernels take sizes that only a call knows",
    ),
    "layout/memory_order.py": ({"reshape": 3, "transpose": 4}, "the views whose order of axes it keeps track of"),
    "layout/move_reshapes.py": ({"reshape": 5}, "the views that make way for what is around them"),
    "fusion/dense_masks.py": (
        {"mean": 1},
        "a mean divides by the number of elements: that of those which the mask picks",
    ),
    "fusion/fuse.py": (
        {"concat": 2, "reshape": 1, "select_update": 1, "slice": 1},
        "views that a group stores or reads where they lie",
    ),
    "fusion/outline.py": ({"concat": 1}, "the op whose pieces are made by one kernel"),
    "fusion/fusion_facts.py": (
        {
            "broadcast_to": 2,
            "concat": 1,
            "gather_nd": 1,
            "patches": 1,
            "reshape": 1,
            "select": 1,
            "slice": 3,
            "slice_update": 1,
            "transpose": 1,
            "windows": 1,
        },
        "views: how they map axes, where neighbours lie; the concat of indices of which gather_nd reads each by place",
    ),
    "fusion/gather_pushdown.py": ({"take_along_axis": 1}, PATTERN),
    "fusion/gemm_beta.py": ({"multiply": 1}, PATTERN),
    "fusion/match_attention.py": (
        {"divide": 3, "exp": 1, "multiply": 2, "sum": 1, "transpose": 1, "where": 2},
        PATTERN,
    ),
    "fusion/unfused.py": ({"exp": 1}, "tells whether attention was near, for the report"),
    "fusion/pointwise_filters.py": (
        {"conv2d_weight_grad": 1},
        "the gradient that becomes GEMMs",
    ),
    "fusion/winograd.py": ({"conv2d_input_grad": 1}, "the gradient of an image uses transposed filters"),
    "loops/cell_updates.py": ({"reshape": 2, "select_update": 1}, ROW_OF_AN_ARRAY),
    "loops/loop_indices.py": ({"multiply": 1}, "the index of a cell in a table as a line"),
    "loops/merge_sums.py": ({"select_add": 1, "slice_update": 2}, ROW_OF_AN_ARRAY),
    "loops/parts.py": (
        {"reshape": 2, "select": 2, "select_update": 2, "slice": 1, "slice_update": 1},
        "the parts of an array that are read, changed and put back",
    ),
    "loops/promote_rows.py": ({"select": 2, "select_add": 1, "select_update": 1}, ROW_OF_AN_ARRAY),
    "loops/row_arrays.py": ({"select": 2, "select_update": 1}, ROW_OF_AN_ARRAY),
    "loops/shared_factors.py": ({"transpose": 1}, "the matrix of which an operation factorises the transpose"),
    "loops/sink_reductions.py": ({"select_update": 1, "sum": 2}, ROW_OF_AN_ARRAY + ", and the sum over rows"),
}


def is_name(node: ast.expr) -> bool:
    """Whether an expression is `….name` or `name`."""
    return (isinstance(node, ast.Attribute) and node.attr == "name") or (
        isinstance(node, ast.Name) and node.id == "name"
    )


def compared_names(text: str) -> Iterator[str]:
    """Op names with which a file compares the name of an operation."""
    for node in nodes(text):
        if isinstance(node, ast.Compare) and any(map(is_name, [node.left, *node.comparators])):
            literals = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            yield from (text for text in literals if text in OPS and text not in STRUCTURE)


def test_comparisons_with_op_names_are_declared() -> None:
    found = {}
    for file in sorted((ROOT / "passes").rglob("*.py")):
        counts = Counter(compared_names(file.read_text()))
        if counts:
            found[file.relative_to(ROOT / "passes").as_posix()] = dict(sorted(counts.items()))
    declared = {file: dict(sorted(names.items())) for file, (names, _) in DECLARED.items()}
    assert found == declared, "read a fact of the op definition (ops/op.py) instead, or declare the comparison"


def test_comparisons_are_seen() -> None:
    text = 'a = o.name == "matmul" or "add" != p.op.name or o.name in ("exp", "for") or o.hint == "sum"'
    assert sorted(compared_names(text)) == ["add", "exp", "matmul"]
