"""Sums with products of matrices: which become one accumulating product, and that values stay."""

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.verifier import verify
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.fusion.gemm_beta import FoldIntoBeta
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.schedule.program_steps import CopyStep

SHAPES = {"x": (3, 4), "g": (3, 5), "w": (4, 5)}


def step_program(form: str) -> Program:
    """w is updated by a sum with x^T g in one of several spellings."""
    program, builder = new_program(form)
    x, g = (program.add_feed(n, TensorType(dt.float64, SHAPES[n])) for n in ("x", "g"))
    w = program.add_state("w", TensorType(dt.float64, SHAPES["w"]))
    with builder.active():
        product = OPS["matmul"](x, g, transpose_x=True)
        new = {
            "descend": lambda: w - product * 0.1,
            "ascend": lambda: product * 0.1 + w,
            "plain": lambda: w + product,
            "reversed": lambda: product - w,
        }[form]()
        builder.update(w, new)
    builder.return_([])
    return program


def arrays() -> list[np.ndarray]:
    return [np.random.default_rng(k).standard_normal(s) for k, s in enumerate(SHAPES.values())]


@pytest.mark.parametrize("form", ["descend", "ascend", "plain", "reversed"])
def test_an_update_by_a_product_is_one_operation(form: str) -> None:
    program, (x, g, w) = step_program(form), arrays()
    _, before = interpret(program, [x, g], [w.copy()])
    assert FoldIntoBeta().run(program)
    verify(program)
    assert [o.name for o in program.body.operations].count("matmul_add") == 1
    _, after = interpret(program, [x, g], [w.copy()])
    np.testing.assert_allclose(after[0], before[0], rtol=1e-13)


def test_compiled_it_writes_into_the_state_without_a_copy() -> None:
    program, (x, g, w) = step_program("descend"), arrays()
    _, expected = interpret(program, [x, g], [w.copy()])
    executable = compile_program(program)
    assert not any(isinstance(s, CopyStep) for s in executable.steps.steps)
    executable.run([x, g], [w])
    np.testing.assert_allclose(w, expected[0], rtol=1e-12)


def test_a_product_used_twice_stays() -> None:
    program, builder = new_program("twice")
    x, w = (program.add_feed(n, TensorType(dt.float64, (3, 3))) for n in ("x", "w"))
    with builder.active():
        product = OPS["matmul"](x, w)
        total = product + OPS["matmul"](product, w)
    builder.return_([product, total])
    assert not FoldIntoBeta().run(program)


def test_a_sum_that_is_not_ours_to_overwrite_stays() -> None:
    program, builder = new_program("feed")
    x, c = (program.add_feed(n, TensorType(dt.float64, (3, 3))) for n in ("x", "c"))
    with builder.active():
        total = c + OPS["matmul"](x, x)
    builder.return_([total])
    assert not FoldIntoBeta().run(program)


def test_a_rate_known_at_run_time_goes_to_the_smaller_operand() -> None:
    program, builder = new_program("rate")
    x, g = (program.add_feed(n, TensorType(dt.float64, s)) for n, s in (("x", (2, 30)), ("g", (2, 20))))
    rate = program.add_feed("rate", TensorType(dt.float64, ()))
    w = program.add_state("w", TensorType(dt.float64, (30, 20)))
    with builder.active():
        builder.update(w, w - rate * OPS["matmul"](x, g, transpose_x=True))
    builder.return_([])
    data = [np.random.default_rng(k).standard_normal(s) for k, s in enumerate([(2, 30), (2, 20), (), (30, 20)])]
    _, before = interpret(program, data[:3], [data[3].copy()])
    assert FoldIntoBeta().run(program)
    verify(program)
    _, after = interpret(program, data[:3], [data[3].copy()])
    np.testing.assert_allclose(after[0], before[0], rtol=1e-13)
