"""Helpers under Paddle's names, casts of whole tensors by Python's int, float and bool, seeds of default programs."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, KindError
from vitrify.jit import dy2static
from vitrify.jit.dy2static import utils


@pytest.mark.parametrize(("kind", "dtype"), [(int, "int64"), (float, "float32")])
def test_a_cast_of_several_elements_is_taken_element_by_element(kind: type, dtype: str) -> None:
    x = np.array([[0.0, 1.5], [-2.25, 3.0]], "float32")
    made = vt.to_static(lambda t: kind(t))(vt.to_tensor(x))
    assert made.dtype.name == dtype
    assert np.array_equal(made.numpy(), x.astype(dtype))
    assert vt.to_static(lambda t: kind(t))(vt.to_tensor([1.5])) == kind(1.5)


def test_several_elements_are_neither_true_nor_false() -> None:
    """As in eager mode, and unlike int() and float()."""
    x = vt.to_tensor([[0.0, 1.5], [-2.25, 3.0]])
    for function in (bool, vt.to_static(lambda t: bool(t))):
        with pytest.raises(ArgumentError):
            function(x)
    assert bool(vt.to_static(lambda t: bool(t))(vt.to_tensor([1.5])))


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ((1, "<", 2), True), ((3, "<", 2), False), ((1, "<", 2, "<=", 2), True), ((1, ">", 2, "<", None), False),
        ((1, "in", [1, 2]), True), ((1, "not in", [1, 2]), False), ((None, "is", None, "is not", 3), True), ((2, "==", 2, "!=", 2), False),
    ],
)  # fmt: skip
def test_chains_of_comparisons(chain: tuple[Any, ...], expected: bool) -> None:
    assert dy2static.convert_shape_compare(*chain) is expected


def test_a_chain_over_tensors() -> None:
    x = vt.to_tensor([1.0, 2.0, 3.0])
    assert dy2static.convert_shape_compare(x, ">", 1.5, "<", x).tolist() == [False, True, True]


def test_trees() -> None:
    from vitrify.jit.dy2static.transformers.logical_transformer import cmpop_node_to_str
    from vitrify.jit.dy2static.transformers.loop_transformer import NameVisitor

    signs = [
        cmpop_node_to_str(op()) for op in (ast.Eq, ast.NotEq, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot)
    ]
    assert signs == ["==", "!=", ">", ">=", "in", "not in", "is", "is not"]
    with pytest.raises(KeyError):
        cmpop_node_to_str(ast.Or())
    with pytest.raises(NotImplementedError, match="to_static"):
        NameVisitor(None)
    factor = 5

    def scaled(x: int) -> int:
        return x * factor

    made, _ = utils.ast_to_func(ast.parse("def scaled(x):\n    return x + factor"), scaled)
    assert made(2) == 7
    with pytest.raises(KindError, match="function definition"):
        utils.ast_to_func(ast.parse("1"), scaled)
    with pytest.raises(TypeError, match="'scaled' is not a Python function"):
        utils.ast_to_func("x = 1", "scaled")  # type: ignore[arg-type]
    assert utils.index_in_list([1, 2, 2], 2) == 1
    assert utils.index_in_list([1], 2) == -1
    assert utils.is_paddle_func(vt.nn.functional.relu)
    assert not utils.is_paddle_func(np.sum)
    call = ast.parse("base.dygraph.Linear(3, 4)").body[0].value  # type: ignore[attr-defined]
    assert utils.is_dygraph_api(call)
    assert not utils.is_dygraph_api(ast.parse("np.random.random(1)").body[0].value)  # type: ignore[attr-defined]
    with pytest.raises(KindError, match="node of a call"):
        utils.is_dygraph_api(ast.parse("x"))  # type: ignore[arg-type]


def test_the_seed_of_the_default_program_seeds_eager_code() -> None:
    drawn = []
    try:
        for _ in range(2):
            vt.static.default_main_program().random_seed = 1001
            drawn.append(vt.nn.Linear(3, 4).weight.numpy())
    finally:
        vt.static.default_main_program().random_seed = 0
    assert np.array_equal(*drawn)


def test_the_build_strategy_is_checked() -> None:
    with pytest.raises(TypeError, match="build_strategy must be"):
        vt.to_static(lambda x: x, build_strategy="fast")
    assert vt.to_static(lambda x: x + 1, build_strategy=vt.static.BuildStrategy())(vt.ones([1])).item() == 2.0
