"""Sums of pieces and of products: what becomes one array, what stays, and that values stay."""

import numpy as np
import pytest

import vitrify as vt
from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.verifier import verify
from vitrify.ops.dims import Dim
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.algebra.dce import DeadCode
from vitrify.passes.loops.merge_sums import MergeSums
from vitrify.runtime.compiler import compile_program


def sum_of_pieces(shape: tuple[int, ...], axis: int, starts: tuple[int, ...]) -> tuple[Program, list[np.ndarray]]:
    """Zeros of a shape with a piece of width 1 at each start along an axis, added up."""
    program, builder = new_program("pieces")
    width = tuple(1 if k == axis else n for k, n in enumerate(shape))
    feeds = [program.add_feed(f"g{k}", TensorType(dt.float64, width)) for k in range(len(starts))]
    with builder.active():
        total = None
        for feed, start in zip(feeds, starts, strict=True):
            blank = OPS["full"](shape, 0.0, dt.float64)
            part = OPS["slice_update"](blank, feed, [start if k == axis else 0 for k in range(len(shape))])
            total = part if total is None else total + part
    builder.return_([total])
    return program, [np.random.default_rng(k).standard_normal(width) for k in range(len(starts))]


def names(program: Program) -> list[str]:
    return [o.name for o in program.body.operations]


@pytest.mark.parametrize(
    ("shape", "axis", "starts", "collected"),
    [
        ((4, 3), 0, (3, 2, 1, 0), True),
        ((1, 4, 3), 1, (1, 0, 3, 2), True),
        ((2, 8), 1, tuple(range(8)), True),  # many pieces, each of which is copied
        ((2, 4), 1, (0, 1, 2, 3), False),  # few: one kernel writes all
        ((4, 3), 0, (0, 1, 3), False),  # a gap
        ((4, 3), 0, (0, 1, 1, 2, 3), False),  # two at one place
    ],
)
def test_pieces_that_fill_an_array_become_a_concat(
    shape: tuple[int, ...], axis: int, starts: tuple[int, ...], collected: bool
) -> None:
    program, feeds = sum_of_pieces(shape, axis, starts)
    (before,), _ = interpret(program, feeds, [])
    assert MergeSums().run(program) is collected
    verify(program)
    assert ("concat" in names(program)) is collected
    (after,), _ = interpret(program, feeds, [])
    np.testing.assert_array_equal(after, before)
    np.testing.assert_array_equal(compile_program(program).run(feeds)[0], before)


def test_pieces_of_an_open_size_are_collected() -> None:
    """Only the axis along which they lie has to be known."""
    count = Dim.symbol("N")
    program, builder = new_program("pieces")
    feeds = [program.add_feed(f"g{k}", TensorType(dt.float64, (count, 1))) for k in range(9)]
    with builder.active():
        parts = [
            OPS["slice_update"](OPS["full"]((count, 9), 0.0, dt.float64), feed, [0, k]) for k, feed in enumerate(feeds)
        ]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
    builder.return_([total])
    arrays = [np.arange(4.0).reshape(4, 1) + k for k in range(9)]
    (before,), _ = interpret(program, arrays, [])
    assert MergeSums().run(program)
    verify(program)
    assert "concat" in names(program)
    (after,), _ = interpret(program, arrays, [])
    np.testing.assert_array_equal(after, before)
    np.testing.assert_array_equal(compile_program(program).run(arrays)[0], before)


@pytest.mark.parametrize(("width", "products"), [(64, 1), (8, 5)])
def test_factors_of_an_open_size_are_stacked_where_their_result_is_large(width: int, products: int) -> None:
    count = Dim.symbol("N")
    program, builder = new_program("products")
    feeds = [program.add_feed(f"x{k}", TensorType(dt.float64, (count, width))) for k in range(10)]
    with builder.active():
        total = None
        for x, g in zip(feeds[::2], feeds[1::2], strict=True):
            part = OPS["matmul"](x, g, True, False)
            total = part if total is None else total + part
    builder.return_([total])
    arrays = [np.random.default_rng(k).standard_normal((3, width)) for k in range(10)]
    (before,), _ = interpret(program, arrays, [])
    MergeSums().run(program)
    DeadCode().run(program)
    verify(program)
    assert names(program).count("matmul") == products
    np.testing.assert_allclose(compile_program(program).run(arrays)[0], before, rtol=1e-12, atol=1e-13)


def sum_of_products(rows: tuple[int, ...], k: int, n: int) -> tuple[Program, list[np.ndarray]]:
    """The sum of x^T @ g over factors with so many rows each."""
    program, builder = new_program("products")
    feeds, arrays = [], []
    for number, m in enumerate(rows):
        for name, width in (("x", k), ("g", n)):
            feeds.append(program.add_feed(f"{name}{number}", TensorType(dt.float64, (m, width))))
            arrays.append(np.random.default_rng(len(arrays)).standard_normal((m, width)))
    with builder.active():
        total = None
        for x, g in zip(feeds[::2], feeds[1::2], strict=True):
            product = OPS["matmul"](x, g, transpose_x=True)
            total = product if total is None else total + product
    builder.return_([total])
    return program, arrays


@pytest.mark.parametrize(
    ("rows", "products"),
    [((1, 1, 1, 1), 1), ((2, 1, 3, 1, 2), 1), ((1, 1, 1), 3), ((40, 40, 40, 40), 4)],
    ids=["four", "uneven", "few", "tall"],
)
def test_products_of_flat_factors_become_one(rows: tuple[int, ...], products: int) -> None:
    program, feeds = sum_of_products(rows, 6, 5)
    (before,), _ = interpret(program, feeds, [])
    MergeSums().run(program)
    DeadCode().run(program)
    verify(program)
    assert names(program).count("matmul") == products
    (after,), _ = interpret(program, feeds, [])
    np.testing.assert_allclose(after, before, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(compile_program(program).run(feeds)[0], before, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("threads", [1, 2])
def test_gradients_of_an_unrolled_recurrent_loop(batch: int, threads: int) -> None:
    def cell(x: vt.Tensor, wx: vt.Tensor, wh: vt.Tensor) -> vt.Tensor:
        h = vt.zeros([x.shape[1], 4], "float64")
        inputs = vt.matmul(x, wx)
        states = []
        for t in range(x.shape[0]):
            update, new = vt.split(inputs[t] + vt.matmul(h, wh), 2, axis=1)
            h = vt.nn.functional.sigmoid(update) * h + vt.tanh(new)
            states.append(h)
        return vt.stack(states)

    def step(x: vt.Tensor, wx: vt.Tensor, wh: vt.Tensor) -> list[vt.Tensor]:
        loss = vt.square(cell(x, wx, wh)).mean()
        return [loss, *vt.grad(loss, [x, wx, wh])]

    generator = np.random.default_rng(0)
    shapes = [(9, batch, 5), (5, 8), (4, 8)]
    arguments = [vt.to_tensor(generator.standard_normal(s), stop_gradient=False) for s in shapes]
    expected = step(*arguments)
    before = vt.get_num_threads()
    vt.set_num_threads(threads)
    try:
        found = vt.to_static(step)(*arguments)
    finally:
        vt.set_num_threads(before)
    for value, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(value.numpy(), wanted.numpy(), rtol=1e-11, atol=1e-13)


def test_a_piece_with_a_stride_does_not_lie_beside_others() -> None:
    """Every second element and the upper half: as many elements as the array has, but not all of them."""
    program, builder = new_program("pieces")
    feeds = [program.add_feed(f"g{k}", TensorType(dt.float64, (4,))) for k in range(2)]
    with builder.active():
        parts = [
            OPS["slice_update"](OPS["full"]((8,), 0.0, dt.float64), feed, [start], [stride])
            for feed, start, stride in zip(feeds, (0, 4), (2, 1), strict=True)
        ]
        total = parts[0] + parts[1]
    builder.return_([total])
    given = [np.arange(1.0, 5.0), np.arange(10.0, 50.0, 10.0)]
    assert not MergeSums().run(program)
    (found,) = compile_program(program).run(given)
    np.testing.assert_array_equal(found, [1, 0, 2, 0, 13, 20, 34, 40])


def test_the_gradient_of_overlapping_pieces_reaches_each_of_their_elements() -> None:
    def gradient(x: vt.Tensor) -> vt.Tensor:
        loss = (x[::2] * vt.to_tensor([1.0, 2.0, 3.0, 4.0]) + x[4:] * 10.0).sum()
        (found,) = vt.grad(loss, x)
        return found

    x = vt.to_tensor(np.ones(8, "float32"), stop_gradient=False)
    np.testing.assert_array_equal(vt.to_static(gradient)(x).numpy(), [1, 0, 2, 0, 13, 10, 14, 10])
