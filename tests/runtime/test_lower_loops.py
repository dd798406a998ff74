"""Kernels written as loop nests: convolutions, pooling, scans, writes at run-time indices; one kernel for any sizes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.errors import VitrifyError
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program, Value
from vitrify.ops.dims import Dim, deciding
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.vm import team
from vitrify.testing.gradients import with_gradients

from .checks import check, compare

B, C, H, W = (Dim.symbol(s) for s in "BCHW")
IMAGES = [(2, 4, 7, 9), (1, 2, 5, 5), (3, 4, 12, 6), (1, 2, 33, 40)]
# kernel, stride, padding, dilation, groups
CONVOLUTIONS = [
    ((3, 3), (1, 1), (1, 1), (1, 1), 1), ((3, 3), (2, 2), (0, 0), (1, 1), 1), ((1, 1), (1, 1), (0, 0), (1, 1), 2),
    ((2, 3), (1, 2), (1, 0), (2, 1), 2), ((5, 1), (2, 1), (2, 3), (1, 1), 1), ((3, 3), (3, 3), (2, 2), (1, 1), 1),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = team.get_num_threads()
    yield
    team.set_num_threads(before)


def op(name: str, *args: Any, **attrs: Any) -> Value:
    made = OPS[name](*args, **attrs)
    assert isinstance(made, Value)
    return made


def known(relation: str, difference: Dim) -> bool:
    """Channels divide into groups, windows fit: what a tracer would note as a guard."""
    return True


def run_on_images(program: Program, shapes: Sequence[tuple[int, ...]], weights: Sequence[Any] = ()) -> None:
    executable = compile_program(program)
    for shape, threads in itertools.product(shapes, (1, 2)):
        team.set_num_threads(threads)
        x = np.random.default_rng(0).standard_normal(shape)
        compare(executable, program, [x, *weights], [], calls=1, f64=1e-10)


@pytest.mark.parametrize("setting", CONVOLUTIONS, ids=str)
def test_convolutions_and_their_gradients(setting: Any) -> None:
    kernel, stride, padding, dilation, groups = setting
    program, builder = new_program("conv")
    x = program.add_feed("x", TensorType(dt.float64, (B, 4, H, W)))
    weight = program.add_feed("w", TensorType(dt.float64, (6, 4 // groups, *kernel)))
    with builder.active(), deciding(known):
        y = op("conv2d", x, weight, stride=stride, padding=padding, dilation=dilation, groups=groups)
        builder.return_([op("tanh", y)])
    with deciding(known):
        made, found = with_gradients(program, [0, 1])
    assert found == [0, 1]
    w = np.random.default_rng(1).standard_normal((6, 4 // groups, *kernel))
    run_on_images(made, [(b, 4, h, w_) for b, _, h, w_ in IMAGES], [w])


@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool2d"])
@pytest.mark.parametrize(
    "setting",
    [
        ((2, 2), (2, 2), (0, 0), False), ((3, 2), (1, 2), (1, 1), False), ((3, 3), (2, 2), (1, 1), True),
        ((1, 1), (1, 1), (0, 0), False),
    ],
    ids=str,
)  # fmt: skip
def test_pooling_and_its_gradients(name: str, setting: Any) -> None:
    kernel, stride, padding, ceil = setting
    program, builder = new_program(name)
    x = program.add_feed("x", TensorType(dt.float64, (B, C, H, W)))
    with builder.active(), deciding(known):
        builder.return_([op("sin", op(name, x, kernel=kernel, stride=stride, padding=padding, ceil_mode=ceil))])
    with deciding(known):
        made, _ = with_gradients(program, [0])
    run_on_images(made, IMAGES)


@pytest.mark.parametrize("shape", [(2, 3, 8, 12), (1, 2, 7, 9)], ids=str)
@pytest.mark.parametrize(
    "setting", [((2, 2), (2, 2), (0, 0)), ((2, 3), (2, 3), (0, 0)), ((3, 3), (2, 2), (1, 1)), ((2, 2), (1, 3), (1, 0))],
    ids=str,
)  # fmt: skip
def test_maxima_of_fixed_sizes_with_ties_and_nan(shape: tuple[int, ...], setting: Any) -> None:
    kernel, stride, padding = setting
    program, builder = new_program("pool")
    x = program.add_feed("x", TensorType(dt.float32, shape))
    with builder.active():
        builder.return_([op("max_pool2d", x, kernel=kernel, stride=stride, padding=padding)])
    made, _ = with_gradients(program, [0])
    array = np.random.default_rng(0).integers(0, 3, shape).astype(np.float32)
    array.reshape(-1)[::17] = np.nan
    check(made, array, pipelines=("plain",), calls=1)


def test_a_maximum_that_occurs_twice_gets_the_gradient_once() -> None:
    program, builder = new_program("ties")
    x = program.add_feed("x", TensorType(dt.float32, (1, 1, 4, 4)))
    with builder.active():
        builder.return_([op("max_pool2d", x, kernel=[2, 2], stride=[2, 2])])
    made, _ = with_gradients(program, [0])
    check(made, np.ones((1, 1, 4, 4), np.float32))
    check(made, np.full((1, 1, 4, 4), np.nan, np.float32))
    check(made, np.full((1, 1, 4, 4), -np.inf, np.float32))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_scans_and_positions(axis: int) -> None:
    program, builder = new_program("scans")
    x = program.add_feed("x", TensorType(dt.float64, (B, C, H)))
    k = program.add_feed("k", TensorType(dt.int32, (B, C, H)))
    with builder.active():
        fetches = [op(name, v, axis, r) for name in ("cumsum", "cumprod") for v in (x, k) for r in (False, True)]
        fetches += [op(name, v, axis, keep) for name in ("argmax", "argmin") for v in (x, k) for keep in (False, True)]
        builder.return_(fetches)
    executable = compile_program(program)
    rng = np.random.default_rng(2)
    for shape, threads in itertools.product([(2, 3, 4), (1, 1, 1), (5, 1, 300), (40, 50, 60)], (1, 2)):
        team.set_num_threads(threads)
        feeds = [rng.uniform(-1.1, 1.1, shape), rng.integers(-2, 3, shape).astype(np.int32)]
        compare(executable, program, feeds, [], calls=1, f64=1e-9)


def test_positions_of_nan() -> None:
    program, builder = new_program("nan")
    x = program.add_feed("x", TensorType(dt.float32, (3, 5)))
    with builder.active():
        builder.return_([op(name, x, axis, False) for name in ("argmax", "argmin") for axis in (0, 1)])
    array = np.random.default_rng(3).standard_normal((3, 5)).astype(np.float32)
    array[1, 2] = array[1, 4] = array[2, 0] = np.nan
    check(program, array)
    check(program, np.full((3, 5), np.inf, np.float32))


def writes(program: Program, builder: Any, dtype: dt.DType) -> None:
    x = program.add_feed("x", TensorType(dtype, (B, C)))
    rows = program.add_feed("rows", TensorType(dt.int64, (H,)))
    more = program.add_feed("more", TensorType(dtype, (H, C)))
    places = program.add_feed("places", TensorType(dt.int64, (B, H)))
    with builder.active():
        taken = op("take_along_axis", x, places, 1)
        flat = op("reshape", rows, (H, 1))
        builder.return_([
            op("gather", x, rows), op("scatter_add", x, rows, more, 0), taken,
            op("put_along_axis_add", x, places, taken, 1), op("scatter_nd_add", x, flat, more),
            op("gather_nd", x, flat),
        ])  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
def test_writes_at_indices_that_repeat(dtype: str) -> None:
    program, builder = new_program("writes")
    writes(program, builder, dt.as_dtype(dtype))
    executable = compile_program(program)
    rng = np.random.default_rng(4)
    for b, c, h in [(3, 4, 5), (1, 1, 1), (7, 2, 0), (50, 60, 200)]:
        feeds = [
            rng.integers(-5, 5, (b, c)).astype(dtype), rng.integers(-b, b, h),
            rng.integers(-5, 5, (h, c)).astype(dtype), rng.integers(-c, c, (b, h)),
        ]  # fmt: skip
        for threads in (1, 2):
            team.set_num_threads(threads)
            compare(executable, program, feeds, [])


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_concat(axis: int, count: int) -> None:
    program, builder = new_program("concat")
    shape = [B, C, H]
    values = []
    for k in range(count):
        shape[axis] = Dim.symbol(f"S{k}")
        values.append(program.add_feed(f"x{k}", TensorType(dt.float32, tuple(shape))))
    with builder.active():
        whole = op("concat", values, axis)
        changed = op("concat", [op("tanh", v) for v in values], axis)
        builder.return_([whole, changed, op("neg", changed)])
    executable = compile_program(program)
    for sizes in [(2, 3, 4), (1, 1, 1), (30, 20, 10)]:
        feeds = []
        for k in range(count):
            own = list(sizes)
            own[axis] = (k + 1) % 4
            feeds.append(np.random.default_rng(k).standard_normal(own).astype(np.float32))
        compare(executable, program, feeds, [])


def test_filters_need_known_sizes() -> None:
    program, builder = new_program("conv")
    x = program.add_feed("x", TensorType(dt.float32, (B, 4, H, W)))
    weight = program.add_feed("w", TensorType(dt.float32, (6, 4, C, C)))
    with builder.active(), pytest.raises(VitrifyError):
        op("conv2d", x, weight)
