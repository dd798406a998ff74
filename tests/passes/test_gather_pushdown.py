"""Picking along an axis before elementwise work: where it happens, where it doesn't, and that values stay to the bit."""

import numpy as np
import pytest

import vitrify as vt
from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program, Value
from vitrify.ir.interpret import interpret
from vitrify.ir.verifier import verify
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.fusion.gather_pushdown import GatherPushdown


def picking(columns: int, other: tuple[int, ...], also_read: bool) -> Program:
    """One element per row of exp(x * y) - y."""
    program, builder = new_program("pick")
    x = program.add_feed("x", TensorType(dt.float64, (6, columns)))
    y = program.add_feed("y", TensorType(dt.float64, other))
    index = program.add_feed("index", TensorType(dt.int64, (6, 1)))
    with builder.active():
        work: Value = OPS["exp"](x * y) - y
        fetches = [OPS["take_along_axis"](work, index, axis=1), *([work] if also_read else [])]
        builder.return_(fetches)
    return program


@pytest.mark.parametrize(
    ("columns", "other", "also_read", "earlier"),
    [
        (32, (6, 1), False, True),
        (32, (1, 1), False, True),
        (32, (), False, True),
        (32, (6, 32), False, True),
        (32, (6, 1), True, True),
        (32, (1, 32), False, False),  # varies along the axis, but not along the other
        (8, (6, 1), False, False),  # one in eight: not worth it
    ],
)
def test_picks_move_before_elementwise_work(
    columns: int, other: tuple[int, ...], also_read: bool, earlier: bool
) -> None:
    program = picking(columns, other, also_read)
    generator = np.random.default_rng(0)
    feeds = [
        generator.standard_normal((6, columns)),
        generator.standard_normal(other),
        generator.integers(0, 8, (6, 1)),
    ]
    before, _ = interpret(program, feeds, [])
    assert GatherPushdown().run(program) is earlier
    verify(program)
    names = [o.name for o in program.body.operations]
    assert (names.index("take_along_axis") < names.index("exp")) is (earlier and not also_read)
    after, _ = interpret(program, feeds, [])
    for value, wanted in zip(after, before, strict=True):
        np.testing.assert_array_equal(value, wanted)


@pytest.mark.parametrize("threads", [1, 2])
def test_cross_entropy_is_one_sweep_kernel_that_stores_no_matrix(threads: int) -> None:
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((64, 50)).astype("float32"), generator.integers(0, 50, 64)
    y[3] = -100  # ignored
    loss = vt.nn.functional.cross_entropy
    before = vt.get_num_threads()
    vt.set_num_threads(threads)
    try:
        compiled = vt.to_static(lambda x, y: loss(x, y))
        found = compiled(vt.to_tensor(x), vt.to_tensor(y))
    finally:
        vt.set_num_threads(before)
    np.testing.assert_allclose(found.numpy(), loss(vt.to_tensor(x), vt.to_tensor(y)).numpy(), rtol=1e-5)
    assert len(compiled.kernels) == 2  # rows; then their mean
    with pytest.raises(IndexError):
        compiled(vt.to_tensor(x), vt.to_tensor(y + 50))
