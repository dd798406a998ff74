"""Rules and passes of the user's own: tried at registration, applied in the pipeline, shown in dumps, switched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, KindError, RuleError, VerifyError
from vitrify.ir.core import Program
from vitrify.ir.walk import walk
from vitrify.passes.extensions import _rules, added_passes


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    yield
    added_passes.clear()
    _rules.clear()


def optimised(fn: Any, *args: Any) -> str:
    compiled = vt.jit.to_static(fn)
    compiled(*args)
    return str(compiled.dump("after rewrite"))


X = np.array([0.5, 1.5, -2.0], "float32")


def test_a_rule_in_text_applies_in_loops_and_branches_too() -> None:
    @vt.rewrite("mul(?x, 2) -> add(?x, ?x)")
    def twice() -> None:
        """A sum is cheaper than a product."""

    def net(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = vt.tanh(x * 2.0)
        return x * 2.0 + x * 3.0

    text = optimised(net, vt.to_tensor(X), vt.to_tensor(2))
    assert text.count(" = multiply ") == 1
    assert text.count(" = add ") == 3
    assert (twice.name, twice.rule.doc) == ("twice", "A sum is cheaper than a product.")
    assert vt.passes.user_rules() == [twice.rule]
    assert vt.jit.verify(net, vt.to_tensor(X), vt.to_tensor(2))


def test_a_rule_as_a_function_to_a_pair() -> None:
    @vt.rewrite(dtypes=["float32"])
    def sizes_of_products(x: Any, y: Any) -> Any:
        """The size of a product is the product of the sizes."""
        return abs(x) * abs(y), abs(x * y)

    with pytest.raises(RuleError, match=r"\?x = 2, \?y = 2147483647 the left side is -2, the right side 2"):

        @vt.rewrite
        def for_integers_too(x: Any, y: Any) -> Any:
            return abs(x) * abs(y), abs(x * y)

    assert sizes_of_products.name == "sizes_of_products"
    x = vt.to_tensor(X)
    assert optimised(lambda x, y: vt.abs(x) * vt.abs(y), x, x + 1).count(" = abs ") == 1


def test_a_rule_of_functions_for_some_dtypes() -> None:
    made = vt.rewrite(lambda x, y: -(x - y), lambda x, y: y - x, name="negated_difference", dtypes=["int32", "int64"])
    assert made.name == "negated_difference"
    one, two = vt.to_tensor([5, 6]), vt.to_tensor([1, 9])
    assert "neg" not in optimised(lambda x, y: -(x - y), one, two)
    with pytest.raises(RuleError, match="doesn't hold"):
        vt.rewrite(lambda x, y: -(x - y), lambda x, y: y - x, name="negated_difference", dtypes=["float32"])


def test_comparisons_stand_in_rules() -> None:
    vt.rewrite("?x < ?y -> ?y > ?x", name="turned")
    x = vt.to_tensor(X)
    assert "greater_than" in optimised(lambda x, y: x < y, x, x + 1)


def test_rules_are_switched_off_and_taken_away() -> None:
    rule = vt.rewrite("mul(?x, 2) -> add(?x, ?x)", name="twice")

    def doubled(x: Any) -> Any:
        return x * 2.0

    assert "add" in optimised(doubled, vt.to_tensor(X))
    with rule.disabled():
        assert not rule.enabled
        assert "rewrite" not in [p.name for p in vt.passes.pipeline()]
    rule.enabled = True
    names = [p.name for p in vt.passes.pipeline()]
    assert names.index("rewrite") < names.index("simplify")
    rule.remove()
    assert vt.passes.user_rules() == []
    with pytest.raises(ArgumentError, match="no rule 'twice'"):
        rule.remove()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("?x * 0 -> ?x - ?x", "the left side is -0.0, the right side 0.0"),
        ("?x / ?x -> ?x * 0 + 1", "for ?x = 0.0 the left side is nan, the right side 1.0"),
        ("abs(?x) -> ?x", "for ?x = -"),
        ("sqrt(?x) * sqrt(?x) -> ?x", "the left side is"),
        ("?x + ?y -> ?x", ", ?y = "),
        ("?x * ?y -> ?y", "the left side is"),
        ("minimum(?x, ?y) -> maximum(?y, ?x)", "for ?x"),
    ],
)
def test_wrong_rules_are_refused_with_a_counterexample(text: str, said: str) -> None:
    with pytest.raises(RuleError) as caught:
        vt.rewrite(text)
    assert said in caught.value.message
    assert vt.passes.user_rules() == []


def test_a_wrong_gradient_is_refused() -> None:
    with pytest.raises(RuleError, match=r"the gradient of \?x is 1\.0 on the left side, 0\.0 on the right side"):
        vt.rewrite("?x + 0.0 -> stop_gradient(?x) + 0.0")
    assert vt.rewrite("?x + 0.0 -> stop_gradient(?x) + 0.0", gradient=False, name="cut").enabled


def test_a_rule_may_be_inexact_if_it_says_so() -> None:
    with pytest.raises(RuleError):
        vt.rewrite("exp(?x) * exp(?y) -> exp(?x + ?y)")
    vt.rewrite("exp(?x) * exp(?y) -> exp(?x + ?y)", tolerance=1e-4, special=False)
    x = vt.to_tensor(X)
    assert optimised(lambda x, y: vt.exp(x) * vt.exp(y), x, x + 1).count(" = exp ") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("abs(?x)", "isn't a rule"),
        ("abs(?x) -> ?y", "?y stands only behind the arrow"),
        ("foo(?x) -> ?x", "no op 'foo'"),
        ("abs(x) -> x", "neither ?x nor an op"),
        ("abs(?x -> ?x", "in a rule"),
        ("?x -> abs(?x)", "must be an operation"),
        ("abs(?x) if ?y else ?x -> ?x", "can't stand in a rule"),
        ("matmul(?x, ?y) -> matmul(?y, ?x)", "fits no dtype"),
    ],
)
def test_text_that_is_no_rule(text: str, said: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        vt.rewrite(text)
    assert said in caught.value.message


# ---- passes


@dataclass(frozen=True)
class SquaresAsProducts(vt.passes.Pass):
    """Write squares as products."""

    name = "squares"

    def run(self, program: Program) -> bool:
        found = [o for o in walk(program.body) if o.name == "square"]
        for operation in found:
            builder = vt.ir.Builder(operation.parent, before=operation)
            builder.loc = operation.loc
            with builder.active():
                made = operation.operands[0] * operation.operands[0]
            operation.result.replace_by(made)
            operation.erase()
        return bool(found)


@dataclass(frozen=True)
class Breaking(vt.passes.Pass):
    """Leaves a program that isn't valid."""

    name = "breaking"

    def run(self, program: Program) -> bool:
        program.body.operations.reverse()
        return True


def test_an_own_pass_stands_in_the_pipeline_and_in_dumps() -> None:
    def net(x: Any) -> Any:
        return vt.square(x) + 1.0

    with vt.passes.added(SquaresAsProducts(), after="cse"):
        names = [p.name for p in vt.passes.pipeline()]
        assert names[names.index("squares") - 1] == "cse"
        compiled = vt.jit.to_static(net)
        np.testing.assert_array_equal(compiled(vt.to_tensor(X)).numpy(), X * X + 1)
        assert "multiply" in str(compiled.dump("after squares"))
        found = vt.jit.verify(net, vt.to_tensor(X))
        assert found
        assert any(stage.name == "net: after squares" for stage in found.stages)
    assert "squares" not in [p.name for p in vt.passes.pipeline()]


def test_a_pass_that_breaks_programs_is_named() -> None:
    with vt.passes.added(Breaking()), pytest.raises(VerifyError) as caught:
        vt.jit.to_static(lambda x: vt.tanh(vt.exp(x)))(vt.to_tensor(X))
    assert "after the pass breaking" in caught.value.__notes__


def test_mistakes_with_passes() -> None:
    with pytest.raises(KindError, match="derive it from"):
        vt.passes.add(SquaresAsProducts)
    with pytest.raises(ArgumentError, match="no pass 'nowhere'"):
        vt.passes.add(SquaresAsProducts(), before="nowhere")
    with pytest.raises(ArgumentError, match="not both"):
        vt.passes.add(SquaresAsProducts(), before="cse", after="cse")
    vt.passes.add(SquaresAsProducts(), before="fuse")
    with pytest.raises(ArgumentError, match="has a pass 'squares'"):
        vt.passes.add(SquaresAsProducts())
    vt.passes.remove("squares")
    with pytest.raises(ArgumentError, match="no pass 'squares' was added"):
        vt.passes.remove("squares")


def test_a_program_built_by_hand() -> None:
    program, builder = vt.ir.new_program("scaled")
    x = program.add_feed("x", vt.ir.parse("program @t(%x: f32[3]) { return }").feed_values[0].tensor_type)
    with builder.active():
        y = vt.tanh(x) * 2.0
    builder.return_([y])
    vt.ir.verify(program)
    assert vt.ir.equal(vt.ir.parse(str(program)), program)
    ((found,), _) = vt.ir.run(program, [X])
    np.testing.assert_allclose(found, np.tanh(X) * 2, rtol=1e-6)
    assert vt.jit.verify_program(program, [X])
