"""What makes first values is one operator in a program, named as in PaddlePaddle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.nn import initializer as init


def parameter(initializer: Any, dtype: str = "float32", shape: tuple[int, ...] = (5, 10), seed: int = 0) -> Any:
    """The block of a program that makes a parameter twice under one name."""
    program = vt.static.Program()
    program.random_seed = seed
    block = program.global_block()
    for _ in range(2):
        block.create_parameter(shape, dtype, "w", initializer=initializer)
    return block


CASES = [
    (init.Constant(2.3), "fill_constant", {"value": 2.3, "shape": [5, 10]}),
    (init.Uniform(-4.2, 3.1), "uniform_random", {"min": -4.2, "max": 3.1, "seed": 7}),
    (init.Normal(2.3, 1.9), "gaussian_random", {"mean": 2.3, "std": 1.9, "seed": 7}),
    (init.TruncatedNormal(2.3, 1.9, 0.0, 4.0), "truncated_gaussian_random", {"a": 0.0, "b": 4.0}),
    (init.XavierUniform(), "uniform_random", {"max": np.sqrt(6 / 15)}),
    (init.KaimingNormal(), "gaussian_random", {"std": np.sqrt(2 / 5)}),
    (init.Assign(np.arange(50.0)), "assign_value", {"values": list(np.arange(50.0))}),
]  # fmt: skip


@pytest.mark.parametrize(("initializer", "kind", "attrs"), CASES, ids=[c[1] for c in CASES])
def test_a_block_makes_first_values_by_one_operator(initializer: Any, kind: str, attrs: dict[str, Any]) -> None:
    if kind == "assign_value":
        initializer = init.Assign(np.arange(50.0).reshape(5, 10))
    (made,) = parameter(initializer, seed=7).ops
    assert made.type == kind
    for name, value in attrs.items():
        assert made.attr(name) == pytest.approx(value)


@pytest.mark.parametrize(
    ("initializer", "dtype", "kinds"),
    [
        (init.Uniform(), "float16", ["uniform_random", "cast"]),
        (init.Uniform(), "bfloat16", ["uniform_random"]),
        (init.Normal(), "float16", ["gaussian_random"]),
        (init.Assign(np.arange(50.0).reshape(5, 10)), "float16", ["assign_value", "cast"]),
    ],
)
def test_a_cast_is_another_operator_where_no_kernel_makes_the_dtype(
    initializer: Any, dtype: str, kinds: list[str]
) -> None:
    ops = parameter(initializer, dtype).ops
    assert [op.type for op in ops] == kinds
    if len(ops) > 1:
        assert (ops[1].attr("in_dtype").name, ops[1].attr("out_dtype").name) == ("float32", dtype)


def test_the_seed_of_an_initializer_is_its_own_stream() -> None:
    seeded = vt.nn.initializer.UniformInitializer(seed=456)
    block = parameter(seeded, seed=123)
    assert block.ops[0].attr("seed") == 456
    executor = vt.static.Executor()
    drawn = [executor.run(block.program, fetch_list=[block.var("w")])[0] for _ in range(2)]
    np.testing.assert_array_equal(drawn[0], drawn[1])


def test_startup_programs_of_layers_show_them() -> None:
    main, startup = vt.static.Program(), vt.static.Program()
    with vt.static.program_guard(main, startup):
        nn.Linear(2, 3)
    assert [op.type for op in startup.global_block().ops] == ["uniform_random", "fill_constant"]
    assert [op.type for op in startup.clone().global_block().ops] == ["uniform_random", "fill_constant"]


def test_parameters_may_be_complex_with_an_initializer() -> None:
    (made,) = parameter(init.Normal(2.3 + 2.3j, 1.9), "complex64").ops
    assert (made.type, made.attr("mean")) == ("gaussian_random", 2.3)
    with pytest.raises(ValueError, match="parts of a complex mean must be equal"):
        init.Normal(0.1 + 0.2j)
    with pytest.raises(TypeError, match="a parameter needs a float dtype"):
        vt.create_parameter([2], "complex64")


def test_gradients_of_variables_are_listed_once() -> None:
    with vt.static.program_guard(vt.static.Program(), vt.static.Program()):
        x = vt.rand([3])
        x.stop_gradient = False
        y = x * 2
        pairs = vt.static.append_backward(y.sum(), parameter_list=[x, y])
        assert [v is w for (v, _), w in zip(pairs, [x, y], strict=True)] == [True, True]
