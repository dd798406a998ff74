"""Kernels of groups: maps, rows and columns over domains of all kinds, long enough for vectors, chunks and threads."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program, Value
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ops.dims import Dim
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.passes.fusion.fuse import Fuse
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.schedule.program_steps import KernelStep
from vitrify.runtime.vm import team
from vitrify.testing.gradients import with_gradients

from .checks import check, compare

N, M, K = (Dim.symbol(s) for s in "NMK")


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = team.get_num_threads()
    yield
    team.set_num_threads(before)


def op(name: str, *args: Any, **attrs: Any) -> Value:
    made = OPS[name](*args, **attrs)
    assert isinstance(made, Value)
    return made


def softmax_and_friends(x: Value, axes: list[int]) -> list[Value]:
    """Reductions that feed each other and the elements again, along any axes."""
    top = op("max", x, axis=axes, keepdim=True)
    weights = op("exp", x - top)
    shares = weights / op("sum", weights, axis=axes, keepdim=True)
    mean = op("mean", x, axis=axes, keepdim=True)
    spread = op("mean", op("square", x - mean), axis=axes, keepdim=True)
    return [shares, (x - mean) * op("rsqrt", spread + 1e-5), op("sum", shares * x, axis=axes), op("min", x, axis=axes)]


def over_all_axes(shape: tuple[Any, ...], dtype: dt.DType = dt.float32) -> Program:
    program, builder = new_program("reductions")
    x = program.add_feed("x", TensorType(dtype, shape))
    with builder.active():
        fetches: list[Value] = []
        for count in range(1, len(shape) + 1):
            for axes in itertools.combinations(range(len(shape)), count):
                fetches += softmax_and_friends(x, list(axes))
        builder.return_(fetches)
    return program


SIZES = [(3, 4, 5), (1, 4, 5), (3, 1, 5), (3, 4, 1), (1, 1, 1), (2, 33, 70), (70, 2, 33)]


def test_reductions_along_all_axes_of_symbolic_shapes() -> None:
    program = over_all_axes((N, M, K))
    executable = compile_program(program)
    for sizes, threads in itertools.product(SIZES, (1, 2)):
        team.set_num_threads(threads)
        x = np.random.default_rng(0).standard_normal(sizes).astype(np.float32)
        compare(executable, program, [x], [], f32=1e-4)


@pytest.mark.parametrize("shape", [(3, 4), (1, 7), (7, 1), (2, 3, 4)])
def test_reductions_along_all_axes_of_known_shapes(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).standard_normal(shape)
    check(over_all_axes(shape, dt.float64), x)


@pytest.mark.parametrize("axes", [[0], [1], [0, 1]])
def test_large_reductions_on_two_threads(axes: list[int]) -> None:
    program, builder = new_program("large")
    x = program.add_feed("x", TensorType(dt.float64, (N, M)))
    with builder.active():
        builder.return_(softmax_and_friends(x, axes))
    executable = compile_program(program)
    rng = np.random.default_rng(1)
    for sizes, threads in itertools.product([(1500, 400), (3, 300_000), (300_000, 3)], (1, 2)):
        team.set_num_threads(threads)
        compare(executable, program, [rng.standard_normal(sizes)], [], calls=1, f64=1e-9)


BROADCASTS = [
    ((N, M), (M,)), ((N, M), (N, 1)), ((N, 1), (1, M)), ((N, M, K), (M, 1)), ((N, 1, K), (M, 1)), ((N, M), ()),
    ((3, N, 4), (1, 4)), ((N, M, 1, K), (1, 3, 1)),
]  # fmt: skip


def test_broadcast_maps() -> None:
    program, builder = new_program("broadcasts")
    fetches = []
    with builder.active():
        for k, shapes in enumerate(BROADCASTS):
            x, y = (program.add_feed(f"{n}{k}", TensorType(dt.float32, s)) for n, s in zip("xy", shapes, strict=True))
            z = op("tanh", x * y + x)
            fetches += [z, op("greater_than", z, y)]
        builder.return_(fetches)
    executable = compile_program(program)
    rng = np.random.default_rng(2)
    for n, m, k in [(2, 3, 4), (1, 1, 1), (5, 1, 7), (0, 3, 2), (300, 40, 30)]:
        sizes = {"N": n, "M": m, "K": k}
        feeds = [
            np.asarray(rng.standard_normal([sizes.get(str(d), d) for d in v.shape])).astype(np.float32)
            for v in program.feed_values
        ]
        for threads in (1, 2):
            team.set_num_threads(threads)
            compare(executable, program, feeds, [], f32=1e-5)


def test_index_maps_in_a_group() -> None:
    """Transposed, flipped, sliced, padded and gathered reads of something computed, in one kernel with the rest."""
    text = """program @f(%x: f32[4, 6], %k: i64[4]) -> (f32[4, 6], f32[6]) {
      %a = neg %x : f32[4, 6]
      %t = transpose %a {perm = (1, 0)} : f32[6, 4]
      %u = flip %t {axis = (0)} : f32[6, 4]
      %v = transpose %u {perm = (1, 0)} : f32[4, 6]
      %g = gather %v, %k {axis = 0} : f32[4, 6]
      %r = add %g, %a : f32[4, 6]
      %s = max %r {axis = (0), keepdim = false} : f32[6]
      return %r, %s
    }"""
    rng = np.random.default_rng(3)
    check(text, rng.standard_normal((4, 6)).astype(np.float32), np.array([3, 0, -1, 2]))


def test_special_values_pass_through_maps_and_reductions() -> None:
    program, builder = new_program("special")
    x = program.add_feed("x", TensorType(dt.float32, (3, N)))
    with builder.active():
        kinds = ("max", "min", "sum", "mean", "prod")
        fetches = [op(name, x, axis=[1]) for name in kinds] + [op("maximum", x, x * 0.5), op("relu", x), op("exp", x)]
        builder.return_(fetches)
    executable = compile_program(program)
    for special in (np.nan, np.inf, -np.inf):
        for place in (0, 17, 40):
            x = np.ones((3, 41), np.float32)
            x[1, place] = special
            expected, _ = interpret(program, [x])
            for a, b in zip(executable.run([x]), expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-5)


def test_integer_reductions_wrap_like_numpy() -> None:
    program, builder = new_program("integers")
    x, y = (program.add_feed(n, TensorType(d, (N, 3))) for n, d in (("x", dt.int32), ("y", dt.int64)))
    with builder.active():
        builder.return_([op(name, v, axis=[a]) for name in ("sum", "prod", "max") for v in (x, y) for a in (0, 1)])
    arrays = [np.full((5, 3), np.iinfo(d).max // 2, d) for d in (np.int32, np.int64)]
    check(program, *arrays)


def test_equal_structure_is_one_kernel() -> None:
    """Sizes that a kernel doesn't name don't make it another kernel."""
    program, builder = new_program("shared")
    x = program.add_feed("x", TensorType(dt.float32, (N, M)))
    y = program.add_feed("y", TensorType(dt.float32, (3, 4)))
    with builder.active():
        builder.return_([op("exp", op("neg", x)), op("exp", op("neg", y))])
    steps = compile_program(program, passes=(Fuse(),)).steps.steps
    assert len({s.kernel.source for s in steps if isinstance(s, KernelStep) and s.kernel}) == 1


EXPRESSIONS = {
    "a sum of products": "%y = multiply %x, %w : KIND\n%d = add %y, %b : KIND",
    "a function of it": "%y = multiply %x, %w : KIND\n%e = add %y, %b : KIND\n%d = exp %e : KIND",
    "a product less a product": "%y = multiply %x, %w : KIND\n%q = multiply %y, %b : KIND\n%d = subtract %q, %y : KIND",
    "quotients": "%y = divide %x, %w : KIND\n%q = divide %b, %w : KIND\n%d = add %q, %y : KIND",
}


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_has_one_value_wherever_it_is_computed(name: str, dtype: str) -> None:
    """The largest element of a row is found again by a later loop, another kernel, another program: gradients need it."""
    body = EXPRESSIONS[name].replace("KIND", f"{dtype}[64, 101]")
    text = f"""program @f(%x: {dtype}[64, 101], %w: {dtype}[64, 101], %b: {dtype}[64, 101])
        -> ({dtype}[64], {dtype}[64, 101]) {{
      {body}
      %m = max %d {{axis = (1), keepdim = false}} : {dtype}[64]
      %z = sin %y : {dtype}[64, 101]
      return %m, %z
    }}"""
    made = parse_program(text)
    kind = {"f32": np.float32, "f64": np.float64}[dtype]
    arrays = [np.random.default_rng(k).standard_normal((64, 101)).astype(kind) for k in range(3)]
    twin = differentiate(made, [2])
    fetched = compile_program(twin.forward).run(arrays)
    saved = [arrays[r.index] if r.kind == "argument" else fetched[r.index] for r in twin.residuals]
    (apart,) = compile_program(twin.backward).run([*saved, *(np.ones_like(fetched[k]) for k in twin.seeds)])
    together = compile_program(with_gradients(made, [2])[0]).run(arrays)[-1]
    for gradient in (apart, together):
        assert ((gradient != 0).sum(1) == 1).all(), "each row has one winner, and it gets the gradient"


def test_a_value_does_not_depend_on_its_place_in_a_vector() -> None:
    text = """program @f(%x: f32[N], %y: f32[N]) -> f32[N] {
      %a = multiply %x, %y : f32[N]
      %b = divide %a, %y : f32[N]
      %c = exp %b : f32[N]
      %d = add %c, %a : f32[N]
      return %d
    }"""
    executable = compile_program(parse_program(text))
    x, y = np.random.default_rng(0).standard_normal((2, 200)).astype(np.float32)
    (whole,) = executable.run([x, y])
    for count in (1, 7, 15, 16, 17, 33, 100):
        for start in (0, 1, 50):
            piece = slice(start, start + count)
            np.testing.assert_array_equal(executable.run([x[piece], y[piece]])[0], whole[piece])


@pytest.mark.parametrize("shape", [(4, 3, 5, 6), (2, 6, 5, 6), (3, 5, 5, 5)], ids=str)
def test_normalised_channels_sweep_height_and_width_in_one_loop(shape: tuple[int, ...]) -> None:
    """A weight per channel, reshaped inside the group, doesn't keep the two axes apart. Channels as many as columns do."""
    program, builder = new_program("batch_norm")
    x = program.add_feed("x", TensorType(dt.float32, shape))
    w = program.add_feed("w", TensorType(dt.float32, (shape[1],)))
    with builder.active():
        mean = op("mean", x, axis=[0, 2, 3])
        centred = x - op("reshape", mean, (1, shape[1], 1, 1))
        spread = op("mean", op("square", centred), axis=[0, 2, 3])
        scale = op("reshape", w * op("rsqrt", spread + 1e-5), (1, shape[1], 1, 1))
        builder.return_([op("tanh", centred * scale), spread])
    rng = np.random.default_rng(0)
    found = check(program, rng.standard_normal(shape, np.float32), rng.standard_normal(shape[1]).astype(np.float32))
    texts = "".join(text for _, text in found["fused"].kernel_texts)
    assert f"range({shape[2] * shape[3]})" in texts


def row_program(rows: Any, columns: int) -> Program:
    """Softmax, log-softmax and log-sum-exp of rows."""
    program, builder = new_program("rows")
    x = program.add_feed("x", TensorType(dt.float32, (rows, columns)))
    with builder.active():
        top = op("max", x, axis=[1], keepdim=True)
        shifted = x - top
        weights = op("exp", shifted)
        total = op("sum", weights, axis=[1], keepdim=True)
        builder.return_([weights / total, shifted - op("log", total), op("log", total) + top])
    return program


@pytest.mark.parametrize("threads", [1, 2])
def test_the_largest_element_of_the_next_row_is_found_beside_this_row(threads: int) -> None:
    team.set_num_threads(threads)
    program = row_program(N, 160)
    executable = compile_program(program)
    (text,) = [text for _, text in executable.kernel_texts]
    assert "q = min(r + 1, hi - 1)" in text
    generator = np.random.default_rng(1)
    for rows in (0, 1, 2, 3, 257):
        x = (10.0 * generator.standard_normal((rows, 160))).astype(np.float32)
        compare(executable, program, [x], [], f32=1e-5)
    x = generator.standard_normal((9, 160)).astype(np.float32)
    x[0, 3], x[4, 7], x[8, 159] = np.nan, np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        compare(executable, program, [x], [], f32=1e-5)


def test_equal_rows_have_equal_results_wherever_they_stand() -> None:
    team.set_num_threads(2)
    row = np.random.default_rng(2).standard_normal(1024).astype(np.float32)
    for result in compile_program(row_program(600, 1024)).run([np.tile(row, (600, 1))]):
        np.testing.assert_array_equal(result, np.broadcast_to(result[:1], result.shape))


def test_softmax_may_still_take_the_memory_of_its_input() -> None:
    program, builder = new_program("scores")
    q, k = (program.add_feed(n, TensorType(dt.float32, (40, 40))) for n in "qk")
    with builder.active():
        scores = op("matmul", q, k)
        weights = op("exp", scores - op("max", scores, axis=[1], keepdim=True))
        shares = weights / op("sum", weights, axis=[1], keepdim=True)
        builder.return_([op("matmul", shares, k)])
    executable = compile_program(program)
    (step,) = [s for s in executable.steps.steps if isinstance(s, KernelStep)]
    assert step.buffers and len(step.buffers) == 1, "scores and shares are one buffer"
    generator = np.random.default_rng(3)
    compare(executable, program, [generator.standard_normal((40, 40)).astype(np.float32) for _ in "qk"], [], f32=1e-5)


@pytest.mark.parametrize(("columns", "buffers"), [(14, 2), (7, 2), (12, 1), (16, 1), (18, 1)])
def test_rows_that_fill_no_vector_have_memory_of_their_own(columns: int, buffers: int) -> None:
    """Where a part of a vector is stored over what is read, the next row's load would wait for it."""
    program, builder = new_program("rows")
    x, y = (program.add_feed(n, TensorType(dt.float32, (40, columns))) for n in "xy")
    row = program.add_feed("row", TensorType(dt.float32, (columns,)))
    with builder.active():
        scaled = op("matmul", x, op("matmul", y, x, transpose_x=True)) * y / row
        builder.return_([op("matmul", scaled, y, transpose_x=True)])
    executable = compile_program(program)
    (step,) = [s for s in executable.steps.steps if isinstance(s, KernelStep)]
    assert len({id(buffer) for buffer in step.buffers}) == buffers + 2, "beside y and the row"
    generator = np.random.default_rng(3)
    shapes = ((40, columns), (40, columns), (columns,))
    compare(executable, program, [1 + generator.random(s).astype(np.float32) for s in shapes], [], f32=1e-4)


LONG = [((1_000_000,), [0]), ((1000, 1000), [0, 1]), ((3, 70_001), [1]), ((40, 2, 9000), [0, 2]), ((5000, 3), [0, 1])]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("shape", "axes"), LONG)
def test_long_sums_are_sums_of_blocks(shape: tuple[int, ...], axes: list[int], known: bool) -> None:
    """Equal numbers are the worst: in 64 lanes that add in order, a million of them lose the fourth digit."""
    program, builder = new_program("sums")
    x = program.add_feed("x", TensorType(dt.float32, shape if known else (N, M, K)[: len(shape)]))
    with builder.active():
        sums = [op("sum", x, axis=axes), op("mean", op("square", x), axis=axes), op("max", x, axis=axes)]
        builder.return_([*sums, op("sum", x - op("mean", x, axis=axes, keepdim=True), axis=axes)])
    executable = compile_program(program)
    total, mean, largest, rest = executable.run([np.full(shape, 0.1, np.float32)])
    count, tenth = np.prod([shape[a] for a in axes]), float(np.float32(0.1))
    np.testing.assert_allclose(total, tenth * count, rtol=5e-6)
    np.testing.assert_allclose(mean, tenth**2, rtol=5e-6)
    np.testing.assert_allclose(rest / count, 0, atol=5e-7)
    assert (largest == np.float32(0.1)).all()


def test_short_sums_have_no_blocks() -> None:
    program, builder = new_program("sums")
    x = program.add_feed("x", TensorType(dt.float32, (N, 4096)))
    with builder.active():
        builder.return_([op("sum", x, axis=[1])])
    (text,) = [text for _, text in compile_program(program).kernel_texts]
    assert "first" not in text


ROW_FACTORS = {
    "a vector under the channels": lambda x, a, b: (x * (a * b)[:, :, None, None]).mean((2, 3)),
    "its sum with the rows' own": lambda x, a, b: ((x + b[:, None, None]).sum((2, 3)) * a + b).exp(),
    "both, with axes kept": lambda x, a, b: x * (a + b)[:, :, None, None] - x.sum((2, 3), keepdim=True) * b[:, None, None],
    "no reduction": lambda x, a, b: (x - b.reshape([1, 5, 1, 1])) * (a / (1.0 + b * b))[:, :, None, None],
    "columns": lambda x, a, b: (x * (a * b)[:, :, None, None]).sum((0, 1)),
    "all but the channels": lambda x, a, b: (x * b[:, None, None]).sum((0, 2, 3)) + b,
}  # fmt: skip


@pytest.mark.parametrize("name", ROW_FACTORS)
@pytest.mark.parametrize("shape", [(3, 5, 4, 6), (1, 5, 7, 7), (5, 5, 1, 9), (2, 5, 1, 1)])
def test_factors_of_rows_made_of_vectors(name: str, shape: tuple[int, ...]) -> None:
    numbers = np.random.default_rng(3)
    arrays = [numbers.standard_normal(s).astype(np.float32) for s in (shape, (shape[0], 5), (5,))]
    fn = ROW_FACTORS[name]
    compiled = vt.to_static(fn)
    found, wanted = compiled(*map(vt.to_tensor, arrays)), fn(*map(vt.to_tensor, arrays))
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=2e-5, atol=2e-5)


def test_pixels_of_a_channel_are_one_run() -> None:
    """A vector of channels doesn't keep height and width apart."""
    compiled = vt.to_static(lambda x, b: vt.tanh(x * b.reshape([1, 8, 1, 1])).mean((2, 3)))
    compiled(vt.ones([2, 8, 7, 7]), vt.ones([8]))
    assert "range(49)" in str(next(iter(compiled.kernels.values())))


# ---- any and all; several rows at a time


@pytest.mark.parametrize("rows", [1, 3, 4, 5, 8, 11])
@pytest.mark.parametrize("kind", ["f32", "f64", "i64", "bool"])
def test_columns_of_any_number_of_rows(rows: int, kind: str) -> None:
    """Several rows go into the accumulators at a time; the rest follows one by one."""
    rng = np.random.default_rng(rows)
    x = (rng.standard_normal((rows, 700)) * 3).astype(dt.BY_SHORT[kind].numpy)
    names = ("any", "all") if kind == "bool" else ("sum", "max", "min", "prod")
    lines = [f"%{k} = {name} %x {{axis = (0), keepdim = false}} : {kind}[700]" for k, name in enumerate(names)]
    results = ", ".join(f"{kind}[700]" for _ in names)
    returned = ", ".join(f"%{k}" for k in range(len(names)))
    for open_size in (False, True):
        feed = f"{kind}[{'N' if open_size else rows}, 700]"
        check(f"program @f(%x: {feed}) -> ({results}) {{\n" + "\n".join(lines) + f"\nreturn {returned}\n}}", x)


@pytest.mark.parametrize("place", [None, 0, 4095, 4096, 9000, 12287])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_any_and_all_end_where_the_result_is_known(axis: int | None, place: int | None) -> None:
    def flags(x: Any) -> Any:
        return (x > 0.0).any(axis), (x <= 0.0).all(axis), x.astype("bool").any(axis)

    x = np.zeros((3, 4096 * 3), np.float32)
    if place is not None:
        x[1, place] = 2.0
    for shape in ((3, 12288), (12288, 3)):
        given = vt.to_tensor(x.reshape(shape))
        for found, expected in zip(vt.to_static(flags)(given), flags(given), strict=True):
            np.testing.assert_array_equal(found.numpy(), expected.numpy())


def test_an_index_behind_the_known_result_is_checked_all_the_same() -> None:
    def any_of_rows(x: Any, rows: Any) -> Any:
        return (x[rows] > 0.0).any()

    rows = np.zeros(9000, np.int64)
    rows[-1] = 7
    with pytest.raises(vt.errors.VitrifyError):
        vt.to_static(any_of_rows)(vt.ones([3]), vt.to_tensor(rows))


def test_a_reduction_over_short_rows_is_one_loop() -> None:
    x = vt.to_tensor(np.random.default_rng(0).standard_normal((20000, 8)).astype("float32"))
    compiled = vt.to_static(lambda x: x.sum())
    np.testing.assert_allclose(float(compiled(x)), float(x.sum()), rtol=1e-4, atol=1e-2)
    assert "range(first," in str(compiled.kernels) and str(compiled.kernels).count("def body") == 1


@pytest.mark.parametrize(("starts", "strides"), [([0, 0], [1, 65]), ([2, 299], [-1, -40]), ([0, 7], [2, 100])])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool"])
def test_a_sparse_piece_is_written_alone(starts: list[int], strides: list[int], dtype: str) -> None:
    rng = np.random.default_rng(4)
    x, piece = (vt.to_tensor((rng.normal(size=s) * 9).astype(dtype)) for s in ((3, 300), (2, 3)))

    def put(x: object, piece: object) -> object:
        return OPS["slice_update"](x, piece, starts, strides)

    compiled = vt.to_static(put)
    np.testing.assert_array_equal(compiled(x, piece).numpy(), put(x, piece).numpy())
    text = "".join(map(str, compiled.kernels.values()))
    assert "%" not in text and "select" not in text, "the kernel asks of each element whether it is one of the piece"


def test_axes_behind_a_slice_are_one_loop() -> None:
    generator = np.random.default_rng(5)
    x, y = (vt.to_tensor(generator.standard_normal(s).astype("float32")) for s in ((2, 9, 6, 7), (2, 4, 6, 7)))

    def channels(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        return (x[:, 3:7] * y).sum([0, 2, 3])

    def rows(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        return (x[:, :, 1:5] * 2).sum([0, 2, 3]) + x[:, :, 2:3].sum([0, 2, 3]) + vt.exp(x[:, ::-2, ::3]).sum()

    def between(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
        return vt.exp(x[:, 3].flatten(1)[:, :42] * 2) + y[:, 1].reshape([2, 42])

    for function, joined in ((channels, True), (rows, False), (between, True)):
        compiled = vt.to_static(function)
        np.testing.assert_allclose(compiled(x, y).numpy(), function(x, y).numpy(), rtol=1e-4, atol=1e-4)
        text = "".join(map(str, compiled.kernels.values()))
        assert ("range(42)" in text) is joined, text


@pytest.mark.parametrize("shape", [(5, 7, 1), (3, 1, 4), (2, 3, 5, 1)])
def test_an_index_that_was_taken_apart_is_whole_where_its_parts_meet_again(shape: tuple[int, ...]) -> None:
    wide = tuple(8 if n == 1 else n for n in shape)
    sizes = ", ".join(map(str, shape))
    result = ", ".join(map(str, wide))
    text = f"""program @f(%x: f32[{sizes}]) -> f32[{result}] {{
      %y = broadcast_to %x {{shape = ({result})}} : f32[{result}]
      return %y
    }}"""
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    made = check(text, x)["default"]
    if shape[-1] == 1:
        assert all("p0[r]" in source for _, source in made.kernel_texts)


def test_axes_of_one_element_between_others_part_no_loops() -> None:
    text = """program @f(%x: f32[5, 1, 7]) -> (f32[1], f32[5, 7]) {
      %m = max %x {axis = (0, 2), keepdim = false} : f32[1]
      %s = sum %x {axis = (1), keepdim = false} : f32[5, 7]
      return %m, %s
    }"""
    made = check(text, np.arange(35, dtype=np.float32).reshape(5, 1, 7))["default"]
    assert any("range(35)" in source for _, source in made.kernel_texts)
