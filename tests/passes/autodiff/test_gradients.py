from __future__ import annotations

import numpy as np
import pytest

from vitrify.base.errors import GradientError
from vitrify.base.location import Loc
from vitrify.ir.builder import Builder
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import walk
from vitrify.passes.algebra.dce import DeadCode
from vitrify.passes.autodiff import inputs_of, vjp_operation
from vitrify.passes.pipelines import default_pipeline

from . import programs
from .numeric import check, numeric, with_gradients


def values(*shape: int, seed: int = 0, low: float = 0.5) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, 1.5, shape)


def test_straight_line() -> None:
    check(programs.STRAIGHT, values(3), values(3, seed=1), second=True)


@pytest.mark.parametrize("taken", [True, False])
def test_branches_that_use_different_values(taken: bool) -> None:
    check(programs.BRANCH, values(3), values(3, seed=1), taken, second=True)


@pytest.mark.parametrize("outer", [True, False])
@pytest.mark.parametrize("inner", [True, False])
def test_branch_in_a_branch(outer: bool, inner: bool) -> None:
    check(programs.NESTED_BRANCH, values(3), outer, inner, second=True)


def test_residuals_of_two_branches_share_a_result() -> None:
    made, _ = with_gradients(parse_program(programs.NESTED_BRANCH), [0])
    outer = next(o for o in made.body if o.name == "if")
    kinds = [str(r.type) for r in outer.results]
    assert kinds == ["f64[3]"] * 3, made  # its own result, %0 or %5, and %2


@pytest.mark.parametrize("count", [-1, 0, 1, 4])
def test_for(count: int) -> None:
    check(programs.FOR, values(3), values(3, seed=1), count, second=True)


def test_a_count_may_be_int32_with_an_axis() -> None:
    check(programs.COUNT_I32, values(3), np.array([3], np.int32), second=True)


def test_carried_values_may_swap() -> None:
    check(programs.SWAP, values(2), values(2, seed=1), 5, second=True)


def test_a_carried_value_that_nobody_reads_has_no_gradient() -> None:
    made, found = with_gradients(parse_program(programs.UNUSED_CARRIED), [0, 1])
    assert found == [0]
    check(programs.UNUSED_CARRIED, values(2), values(2, seed=1), 3)
    del made


@pytest.mark.parametrize("scale", [0.3, 1.0, 9.0])
def test_while_counts_its_turns(scale: float) -> None:
    check(programs.WHILE, values(3) * scale, values(3, seed=1), second=scale == 1.0)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_all_kinds_nested(count: int) -> None:
    check(programs.MIXED, values(3), values(3, seed=1), count, second=True)


def test_loops_in_both_branches_of_a_loop() -> None:
    check(programs.LOOPS_IN_BOTH_BRANCHES, values(2), 4, second=True)


def test_symbolic_sizes() -> None:
    check(programs.SYMBOLIC, values(4, 2), values(2, 2, seed=1), 3, second=True)


def test_sizes_that_are_equal_by_assumption() -> None:
    check(programs.EQUAL_SIZES, values(4), values(4, seed=1), 3, second=True)


def test_callback_in_a_loop() -> None:
    calls = {
        "f": lambda h, i, y: np.sin(h) * y * (i + 1),
        "df": lambda h, i, y, out, g: (g * np.cos(h) * y * (i + 1), g * np.sin(h) * (i + 1)),
    }
    check(programs.CALLBACK, values(2), values(2, seed=1), 3, callbacks=calls)


def test_callback_without_gradient_stops_it() -> None:
    text = programs.CALLBACK.replace('gradient = "df"', "gradient = none")
    made, found = with_gradients(parse_program(text), [0, 1])
    assert found == [0]  # what no turn has touched keeps its gradient
    for count, expected in ((0, 1.0), (2, 0.0)):
        _, gradient = interpret(made, [values(2), values(2), np.asarray(count)], (), {"f": lambda h, i, y: h})[0]
        assert (gradient == expected).all()


def test_layer_callback_hands_its_context_to_its_own_backward() -> None:
    text = """program @p(%x: f64[2], %n: i64[]) -> f64[2] {
      %r = for %n, %x : f64[2] (%i: i64[], %h: f64[2]) {
        %1, %k = callback %h {callee = "f", form = "layer", gradient = "df", outputs = (f64[2], i64[])} : f64[2], i64[]
        yield %1
      }
      return %r
    }"""
    contexts: list[np.ndarray] = []

    def forward(h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        contexts.append(h)
        return h * h, np.asarray(len(contexts) - 1)

    check(text, values(2), 3, callbacks={"f": forward, "df": lambda k, there, g: 2 * contexts[int(k)] * g})


def test_gradient_operations_carry_the_place_of_what_they_differentiate() -> None:
    program = parse_program(programs.FOR)
    for k, operation in enumerate(walk(program.body)):
        operation.loc = Loc("model.py", k + 1)
    made, _ = with_gradients(program, [0, 1])
    assert all(o.loc.file for o in walk(made.body) if o.name not in ("full", "return"))


def test_one_operation_at_a_time() -> None:
    """The tape of a trace: it asks for the gradients of a loop while the program is being built."""
    program = parse_program(programs.FOR)
    loop = next(o for o in program.body if o.name == "for")
    end = program.body.terminator
    builder = Builder(program.body, before=end)
    x, w, n = program.feed_values
    assert inputs_of(loop) == [n, x, w]
    seed = builder.constant(np.ones(3))
    grads = vjp_operation(builder, loop, [seed])
    assert set(grads) == {x, w}
    end.set_operands([grads[x]])
    verify(program)
    arrays = [values(3), values(3, seed=1), np.asarray(3)]
    (found,), _ = interpret(program, arrays)
    np.testing.assert_allclose(found, numeric(parse_program(programs.FOR), arrays, 0, {}), rtol=1e-6)


def test_only_what_is_needed_is_differentiated() -> None:
    program = parse_program(programs.STRAIGHT)
    product = program.body.operations[0]
    before = len(program.body.operations)
    builder = Builder(program.body, before=program.body.terminator)
    x, w = program.feed_values
    assert set(vjp_operation(builder, product, [builder.constant(np.ones(3))], {x})) == {x}
    assert len(program.body.operations) == before + 2
    assert vjp_operation(builder, product, [None]) == {}
    del w


def test_a_fused_group_is_refused() -> None:
    from vitrify.passes.fusion.fuse import Fuse

    program = parse_program(programs.STRAIGHT)
    Fuse().run(program)
    with pytest.raises(GradientError, match="before fusion"):
        with_gradients(program, [0])


@pytest.mark.parametrize("text", [programs.MIXED, programs.FOR, programs.BRANCH, programs.WHILE])
def test_passes_keep_gradients(text: str) -> None:
    made, _ = with_gradients(parse_program(text), [0, 1])
    arrays = [values(3), values(3, seed=1), np.asarray(True if text == programs.BRANCH else 3)]
    arrays = arrays[: len(made.feeds)]
    before, _ = interpret(made, arrays)
    for item in default_pipeline():
        item.run(made)
        verify(made)
    for a, b in zip(before, interpret(made, arrays)[0], strict=True):
        np.testing.assert_array_equal(a, b)


def test_lists_go_when_nobody_differentiates() -> None:
    """What was pushed for a gradient that is not used leaves no trace."""
    program = parse_program(programs.MIXED)
    text = str(program)
    made, _ = with_gradients(program, [0, 1])
    made.body.terminator.set_operands(made.fetches[:2])
    DeadCode().run(made)
    verify(made)
    assert str(made) == text
