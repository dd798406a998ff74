"""Programs show the blocks inside control flow, numbered as Paddle does: each behind the one around it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static


def looped() -> Any:
    main = static.Program()
    with static.program_guard(main, static.Program()):
        x = static.data("x", [2])

        def body(i: Any, a: Any) -> list[Any]:
            return [i + 1, static.nn.cond(a.sum() > 0, lambda: a * 2.0, lambda: a - 1.0)]

        static.nn.while_loop(lambda i, a: i < 3, body, [vt.zeros([1], "int64"), x])
    return main


def test_a_program_without_control_flow_has_one_block() -> None:
    main = static.Program()
    assert (main.num_blocks, main.blocks, main.block(0).idx) == (1, [main.global_block()], 0)
    with pytest.raises(ValueError, match="there is no block 1: the program has 1"):
        main.block(1)


def test_blocks_inside_control_flow_are_views() -> None:
    main = looped()
    assert main.num_blocks == 4
    assert [(b.idx, b.parent_idx) for b in main.blocks] == [(0, -1), (1, 0), (2, 1), (3, 1)]
    outer, loop, yes, no = main.blocks
    (loops,) = [o for o in outer.ops if o.type == "while"]
    assert loops.attr("sub_block") == loop and loops.has_attr("sub_block") and loops.blocks == [loop]
    kinds = [o.type for o in loop.ops]
    assert kinds.index("if") < kinds.index("less_than")  # the loop's condition is asked again at its end
    branch = loop.ops[kinds.index("if")]
    assert branch.blocks == [yes, no] and branch.idx == kinds.index("if")
    assert ("elementwise_mul" in [o.type for o in yes.ops], "elementwise_sub" in [o.type for o in no.ops]) == (
        True,
        True,
    )
    assert not outer.ops[0].has_attr("sub_block")
    assert yes != no and len({outer, loop, yes, no}) == 4


@pytest.mark.parametrize("act", ["append_op", "create_var", "create_parameter"])
def test_inner_blocks_are_read_only(act: str) -> None:
    with pytest.raises(RuntimeError, match="block 1 is inside an operation"):
        getattr(looped().block(1), act)(type="relu")


def test_a_copy_shows_the_same_blocks() -> None:
    main = looped()
    shown = [[o.type for o in b.ops] for b in main.blocks]
    assert [[o.type for o in b.ops] for b in main.clone().blocks] == shown


@pytest.mark.parametrize("dim", [None, 0, 1])
def test_a_normalised_weight_is_length_times_direction(dim: int | None) -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [2, 3])
        y = static.nn.fc(x, 4, weight_attr=static.WeightNormParamAttr(dim, "wn"), bias_attr=False)
        loss = vt.mean(y * y)
        vt.optimizer.SGD(0.1).minimize(loss)
    assert [p.name for p in main.all_parameters()] == ["wn.w_v", "wn.w_g"]
    executor = static.Executor()
    executor.run(startup)
    feed = {"x": np.arange(6, dtype="float32").reshape(2, 3) / 6}
    scope, losses = static.global_scope(), []
    for step in range(3):
        v, g = (np.array(scope.find_var(n).get_tensor()) for n in ("wn.w_v", "wn.w_g"))
        axes = None if dim is None else 1 - dim
        length = np.sqrt((v * v).sum(axes, keepdims=True))
        if step == 0:  # the weight starts as its initializer says
            np.testing.assert_allclose(g.reshape(length.shape), length, rtol=1e-6)
        weight = v / length * g.reshape(length.shape)
        found, value = executor.run(main, feed=feed, fetch_list=[y, loss])
        np.testing.assert_allclose(found, feed["x"] @ weight, rtol=1e-5, atol=1e-6)
        losses.append(float(value))
    assert losses[0] > losses[1] > losses[2]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sequence_pool", "levels of detail"),
        ("sequence_expand_as", "levels of detail"),
        ("data_norm", "use batch_norm"),
        ("StaticRNN", "use nn.LSTM"),
        ("batchnorm", "did you mean 'batch_norm'"),
        ("nothing_like_it", "has no attribute 'nothing_like_it'"),
    ],
)
def test_what_static_nn_has_not_says_what_to_use(name: str, text: str) -> None:
    with pytest.raises(AttributeError, match=text):
        getattr(static.nn, name)
    assert not hasattr(static.nn, name)
