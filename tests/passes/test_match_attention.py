"""Attention as users write it becomes the row, with its gradient; what doesn't is told with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.verifier import verify
from vitrify.ir.walk import clone_program, walk
from vitrify.nn import functional as F
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.passes.fusion.match_attention import MatchAttention
from vitrify.passes.fusion.unfused import unfused
from vitrify.passes.manager import PassManager
from vitrify.passes.pipelines import default_pipeline

BATCH, LENGTH, HEADS, SIZE = 2, 5, 3, 4
HIDDEN = np.triu(np.ones((LENGTH, LENGTH), bool), 1)


def heads_first(x: Any) -> Any:
    return x.reshape([BATCH, LENGTH, HEADS, SIZE]).transpose([0, 2, 1, 3])


def joined(x: Any) -> Any:
    return x.transpose([0, 2, 1, 3]).reshape([BATCH, LENGTH, HEADS * SIZE])


def by_flag(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
    q, k, v = map(heads_first, (q, k, v))
    weights = F.softmax(vt.matmul(q, k, transpose_y=True) * SIZE**-0.5)
    return joined(vt.matmul(weights, v))


def masked(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
    q, k, v = map(heads_first, (q, k, v))
    scores = vt.masked_fill(q @ k.transpose([0, 1, 3, 2]) / 2.0, hidden, float("-inf"))
    return joined(F.softmax(scores, axis=-1) @ v)


def added(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
    q, k, v = map(heads_first, (q * 0.5, k, v))
    return joined(F.softmax(bias + vt.matmul(q, k, False, True)) @ v)


def one_head(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
    return F.softmax(vt.bmm(q, k.transpose([0, 2, 1])) * 0.3) @ v


def kept_weights(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
    weights = F.softmax(vt.matmul(q, k, transpose_y=True))
    return weights @ v + weights.sum()


def two_masks(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
    scores = vt.where(hidden, float("-inf"), vt.matmul(q, k, transpose_y=True))
    return F.softmax(scores + bias) @ v


def late_scale(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
    return F.softmax((vt.matmul(q, k, transpose_y=True) + bias) * 0.5) @ v


def shared_keys(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
    return F.softmax(vt.matmul(q, k[0], transpose_y=True)) @ v


def training(fn: Callable[..., Any]) -> Callable[..., Any]:
    def step(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
        for x in (q, k, v):
            x.stop_gradient = False
        bias.stop_gradient = True
        loss = fn(q, k, v, hidden, bias).square().sum()
        loss.backward()
        return loss, q.grad, k.grad, v.grad

    step.__name__ = f"{fn.__name__}_step"
    return step


TAKEN: list[Callable[..., Any]] = [by_flag, masked, added, one_head]
WIDTH = HEADS * SIZE


def program_of(fn: Callable[..., Any]) -> Program:
    spec = vt.static.InputSpec([BATCH, LENGTH, WIDTH], "float32")
    masks = [vt.static.InputSpec([LENGTH, LENGTH], "bool"), vt.static.InputSpec([LENGTH, LENGTH], "float32")]
    made = clone_program(vt.jit.to_static(fn, input_spec=[spec, spec, spec, *masks]).program)
    PassManager(default_pipeline(fuse=False)).run(made)
    return made


def arrays(count: int, seed: int = 3) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((BATCH, LENGTH, WIDTH)).astype("float32") for _ in range(count)]


def names(program: Program) -> list[str]:
    return [o.name for o in walk(program.body)]


@pytest.mark.parametrize("fn", [*TAKEN, *map(training, TAKEN)], ids=lambda fn: fn.__name__)
def test_what_users_write_becomes_the_row_and_keeps_its_value(fn: Callable[..., Any]) -> None:
    program = program_of(fn)
    bias = np.random.default_rng(1).standard_normal((LENGTH, LENGTH)).astype("float32")
    feeds = [*arrays(3), HIDDEN, bias]
    before, _ = interpret(program, feeds)
    assert MatchAttention().run(program)
    verify(program)
    after, _ = interpret(program, feeds)
    for a, b in zip(after, before, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)
    found = names(program)
    assert found.count("attention") == 1
    assert found.count("attention_grad") == int(fn.__name__.endswith("_step"))
    assert "exp" not in found
    assert "matmul" not in found
    if fn.__name__.startswith(("by_flag", "masked", "added")):
        assert "transpose" not in found, "the row reads [batch, length, heads, size] as it lies"


@pytest.mark.parametrize("fn", TAKEN, ids=lambda fn: fn.__name__)
def test_a_program_that_is_differentiated_later_keeps_no_scores(fn: Callable[..., Any]) -> None:
    made = differentiate(program_of(fn), [0, 1, 2])
    assert names(made.forward).count("attention") == 1
    assert names(made.backward).count("attention_grad") == 1
    shapes = [tuple(v.shape) for v in made.forward.fetches]
    assert not [s for s in shapes if s[-2:] == (LENGTH, LENGTH)]


@pytest.mark.parametrize(
    ("fn", "reason"),
    [
        (kept_weights, "something else reads the scores or the weights"),
        (late_scale, "the mask comes before the scale"),
        (shared_keys, "queries, keys and values must have three or four axes"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_stays_apart_is_told_with_the_reason(fn: Callable[..., Any], reason: str) -> None:
    program = program_of(fn)
    told = [a for a in unfused(program) if a.rule == "attention"]
    assert told, [str(a) for a in unfused(program)]
    assert {a.detail for a in told} == {reason}
    assert not MatchAttention().run(program)


def test_weights_without_a_gradient_keep_none() -> None:
    def fixed(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
        return F.softmax(vt.matmul(q, k, transpose_y=True)).detach() @ v

    program = program_of(fixed)
    assert not MatchAttention().run(program)
    made = differentiate(program, [0, 1, 2])
    assert made.gradients == (2,)


def test_two_masks_stay_apart() -> None:
    program = program_of(two_masks)
    assert not MatchAttention().run(program)
    assert "attention" not in names(program)


def test_scores_that_a_step_reads_elsewhere_stay() -> None:
    """The gradient of a mask needs the scores' gradient: then nothing is taken."""

    def step(q: Any, k: Any, v: Any, hidden: Any, bias: Any) -> Any:
        for x in (q, bias):
            x.stop_gradient = False
        loss = added(q, k, v, hidden, bias).square().sum()
        loss.backward()
        return loss, q.grad, bias.grad

    program = program_of(step)
    assert not MatchAttention().run(program)


def test_the_reference_keeps_the_parts_and_is_eager_modes_bits() -> None:
    def attend(x: Any, weight: Any, bias: Any) -> Any:
        heads = vt.matmul(x, weight).reshape([2, 16, 2, 8]).transpose([0, 2, 1, 3])
        scores = vt.matmul(heads, heads.transpose([0, 1, 3, 2])) / 8**0.5 + bias
        return vt.matmul(vt.nn.functional.softmax(scores), heads)

    generator = np.random.default_rng(3)
    shapes = ((2, 16, 16), (16, 16), (1, 2, 16, 16))
    x, weight, bias = (vt.to_tensor(generator.normal(size=s).astype("float32")) for s in shapes)
    weight.stop_gradient = False
    captured = vt.jit.to_static(attend, numerics="reference")
    assert captured(x, weight, bias).numpy().tobytes() == attend(x, weight, bias).numpy().tobytes()
