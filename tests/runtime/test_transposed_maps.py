"""Transposes in tiles: any order of axes, sizes about those of tiles, known or not, all dtypes, with arithmetic."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program, Value
from vitrify.ops.dims import Dim
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.executable import Executable
from vitrify.runtime.schedule.program_steps import KernelStep
from vitrify.runtime.vm import team

from .checks import check, compare

N, M = Dim.symbol("N"), Dim.symbol("M")


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = team.get_num_threads()
    yield
    team.set_num_threads(before)


def texts(executable: Executable) -> str:
    return "\n".join(s.kernel.source.body for s in executable.steps.steps if isinstance(s, KernelStep) and s.kernel)


def transposed(shape: tuple[Any, ...], perm: tuple[int, ...], dtype: dt.DType = dt.float32) -> Program:
    """A transpose alone, and one with arithmetic and an operand in the result's own order."""
    program, builder = new_program("transposed")
    x = program.add_feed("x", TensorType(dtype, shape))
    y = program.add_feed("y", TensorType(dtype, tuple(shape[p] for p in perm)))
    with builder.active():
        first = OPS["transpose"](x, perm=perm)
        other = OPS["logical_xor" if dtype.is_bool else "maximum"](OPS["transpose"](x, perm=perm), y)
        assert isinstance(first, Value)
        assert isinstance(other, Value)
        builder.return_([first, other])
    return program


def numbers(shape: tuple[int, ...], dtype: dt.DType = dt.float32) -> np.ndarray[Any, Any]:
    drawn = np.random.default_rng(sum(shape)).standard_normal(shape) * 100
    return drawn > 0 if dtype.is_bool else np.abs(drawn).astype(dtype.numpy)


SHAPES = [
    ((64, 64), (1, 0)), ((16, 16), (1, 0)), ((17, 31), (1, 0)), ((130, 65), (1, 0)), ((2, 20, 37), (0, 2, 1)),
    ((19, 3, 33), (2, 1, 0)), ((2, 5, 6, 24), (0, 3, 1, 2)), ((2, 24, 5, 7), (0, 2, 3, 1)), ((40, 1, 20), (2, 1, 0)),
    ((18, 3, 2, 20), (3, 1, 2, 0)), ((3, 7, 4, 8), (0, 2, 3, 1)), ((6, 12, 7), (0, 2, 1)), ((2, 4, 3, 4), (0, 3, 2, 1)),
    ((2, 32, 2, 8, 3, 8), (0, 2, 4, 3, 5, 1)), ((2, 12, 2, 7, 3, 7), (0, 2, 4, 3, 5, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "perm"), SHAPES)
def test_orders_of_axes(shape: tuple[int, ...], perm: tuple[int, ...]) -> None:
    x, y = numbers(shape), numbers(tuple(shape[p] for p in perm))
    for name, executable in check(transposed(shape, perm), x, y, calls=2).items():
        assert "transpose_f32" in texts(executable), name
        for threads in (1, 2):
            team.set_num_threads(threads)
            (result, _) = executable.run([x, y], [])
            assert np.array_equal(result, x.transpose(perm))


@pytest.mark.parametrize(
    "dtype", [dt.float64, dt.int8, dt.uint8, dt.int16, dt.int32, dt.int64, dt.bool_], ids=lambda d: d.short
)
def test_dtypes(dtype: dt.DType) -> None:
    x, y = numbers((37, 50), dtype), numbers((50, 37), dtype)
    executable = check(transposed((37, 50), (1, 0), dtype), x, y, calls=1, pipelines=("default",))["default"]
    assert f"transpose_{'u8' if dtype.is_bool else dtype.short}(" in texts(executable)


@pytest.mark.parametrize("shape", [(N, M), (N, 24), (33, M)])
def test_sizes_that_only_a_call_knows(shape: tuple[Any, ...]) -> None:
    program = transposed(shape, (1, 0))
    executable = compile_program(program)
    assert "transpose_f32" in texts(executable)
    for n, m in itertools.product((0, 1, 15, 16, 70), (1, 16, 130)):
        real = tuple(d if isinstance(d, int) else {"N": n, "M": m}[str(d)] for d in shape)
        compare(executable, program, [numbers(real), numbers(real[::-1])], [], calls=1)


def test_large_images_on_two_threads() -> None:
    program = transposed((N, 24, 30, 30), (0, 2, 3, 1))
    executable = compile_program(program)
    x, y = numbers((40, 24, 30, 30)), numbers((40, 30, 30, 24))
    found = []
    for threads in (1, 2):
        team.set_num_threads(threads)
        compare(executable, program, [x, y], [], calls=1)
        found.append(executable.run([x, y], []))
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))


def test_a_matrix_and_its_own_transpose() -> None:
    """The result can't take the matrix's memory, though one of its reads is where the result is stored."""
    text = """program @f(%x: f32[40, 40]) -> f32[40, 40] {
      %a = neg %x : f32[40, 40]
      %b = matmul %a, %a {transpose_x = false, transpose_y = false} : f32[40, 40]
      %t = transpose %b {perm = (1, 0)} : f32[40, 40]
      %s = add %b, %t : f32[40, 40]
      %m = matmul %s, %x {transpose_x = false, transpose_y = false} : f32[40, 40]
      return %m
    }"""
    for executable in check(text, numbers((40, 40)) / 100, f32=1e-3).values():
        assert "transpose_f32" in texts(executable)


def test_the_results_may_take_the_memory_of_the_other_operand() -> None:
    """With overlapping tiles (33 rows) it must not."""
    for rows in (32, 33):
        text = f"""program @f(%x: f32[48, {rows}], %y: f32[{rows}, 48], %z: f32[48, 48]) -> f32[{rows}, 48] {{
          %b = matmul %y, %z {{transpose_x = false, transpose_y = false}} : f32[{rows}, 48]
          %t = transpose %x {{perm = (1, 0)}} : f32[{rows}, 48]
          %e = exp %b : f32[{rows}, 48]
          %s = add %e, %t : f32[{rows}, 48]
          %m = matmul %s, %z {{transpose_x = false, transpose_y = false}} : f32[{rows}, 48]
          return %m
        }}"""
        feeds = [numbers(shape) / 1000 for shape in ((48, rows), (rows, 48), (48, 48))]
        check(text, *feeds, f32=1e-3)


def test_short_axes_and_guarded_reads_stay_loops() -> None:
    """Tiles would read out of bounds where padding follows: only places inside the array are read."""
    program, builder = new_program("guarded")
    x = program.add_feed("x", TensorType(dt.float32, (20, 24)))
    z = program.add_feed("z", TensorType(dt.float32, (3, 20)))
    with builder.active():
        padded = OPS["transpose"](OPS["pad"](x, [(0, 3), (0, 2)]), perm=(1, 0))
        builder.return_([OPS["neg"](padded), OPS["transpose"](z, perm=(1, 0))])
    executable = check(program, numbers((20, 24)), numbers((3, 20)), pipelines=("fused",))["fused"]
    assert "transpose_" not in texts(executable)


@pytest.mark.parametrize("dtype", [dt.float64, dt.int64, dt.int32, dt.uint8, dt.bool_], ids=str)
def test_small_tiles_of_all_widths(dtype: dt.DType) -> None:
    x, y = numbers((3, 9, 4, 7), dtype), numbers((3, 4, 7, 9), dtype)
    check(transposed((3, 9, 4, 7), (0, 2, 3, 1), dtype), x, y)
    x, y = numbers((5, 8, 7), dtype), numbers((5, 7, 8), dtype)
    for name, executable in check(transposed((5, 8, 7), (0, 2, 1), dtype), x, y).items():
        assert f"transpose_{'u8' if dtype.is_bool else dtype.short}" in texts(executable), name


def test_axes_that_would_overlap_much_have_no_tiles() -> None:
    for size in (3, 5, 6):
        x, y = numbers((20, 40, size)), numbers((20, size, 40))
        for name, executable in check(transposed((20, 40, size), (0, 2, 1)), x, y).items():
            assert "transpose_f32" not in texts(executable), name
