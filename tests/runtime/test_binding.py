"""A program at sizes: where buffers lie, what is planned, what is split, and that tables hold at every size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.ir.interpret import interpret
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.executable import Executable
from vitrify.runtime.schedule.program_steps import ARENA, Buffer
from vitrify.runtime.vm.binding import Binding
from vitrify.runtime.vm.virtual_machine import ROW_WORDS, Opcode

from .checks import program

TEXT = """program @f(%x: f32[N, 8]) state(%w: f32[8, 8] parameter) -> (f32[N, 8], f32[8]) {
  %c = constant {data = dense<f32[8], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>} : f32[8]
  %a = matmul %x, %w {transpose_x = false, transpose_y = false} : f32[N, 8]
  %b = matmul %a, %w {transpose_x = false, transpose_y = true} : f32[N, 8]
  %d = add %b, %c : f32[N, 8]
  %e = matmul %d, %w {transpose_x = false, transpose_y = false} : f32[N, 8]
  %s = cumsum %e {axis = 1, reverse = false} : f32[N, 8]
  %t = sum %s {axis = (0), keepdim = false} : f32[8]
  update %w, %w
  return %s, %t
}"""


def executable(text: str = TEXT) -> Executable:
    return compile_program(program(text))


def binding(n: int, text: str = TEXT) -> Binding:
    made = executable(text)
    return made._make((n,)).binding


def arena_buffers(bound: Binding) -> list[Buffer]:
    found = dict.fromkeys(b.root()[0] for b in bound.program.buffers)
    return [b for b in found if b.role == ARENA]


@pytest.mark.parametrize("n", [1, 3, 100])
def test_buffers_of_the_arena_are_aligned_and_inside(n: int) -> None:
    bound = binding(n)
    start = bound.arena.ctypes.data
    assert start % 64 == 0
    assert arena_buffers(bound), "the products are kept somewhere"
    for buffer in arena_buffers(bound):
        place = bound.location(buffer)
        assert place.argument is None
        assert place.address % 64 == 0
        assert start <= place.address
        assert place.address + n * 8 * 4 <= start + bound.plan.peak or buffer.kind.rank < 2


def test_arguments_are_named_by_number() -> None:
    bound = binding(2)
    steps = bound.program
    assert [bound.location(b).argument for b in (*steps.state, *steps.feeds, *steps.fetches)] == [0, 1, 2, 3]


def test_a_view_of_a_buffer_is_its_memory() -> None:
    bound = binding(2)
    steps = bound.program
    state, feed, out, total = (np.zeros(s, np.float32) for s in ((8, 8), (2, 8), (2, 8), 8))
    arguments = [state, feed, out, total]
    for buffer, array in zip((*steps.state, *steps.feeds, *steps.fetches), arguments, strict=True):
        bound.view(buffer, arguments)[...] = 7
        assert (array == 7).all()
    piece = Buffer(steps.fetches[1].kind, parent=steps.feeds[0], offset=8)
    bound.view(piece, arguments)[...] = 9
    assert (feed[1] == 9).all()
    assert (feed[0] == 7).all()


def test_the_plan_is_smaller_than_the_sum() -> None:
    plan = binding(1000).plan
    assert 0 < plan.lower_bound <= plan.peak < plan.total


def test_memory_grows_with_the_sizes() -> None:
    assert binding(10).plan.peak < binding(1000).plan.peak


def rows(bound: Binding, opcode: Opcode) -> list[Any]:
    table = bound.header.table.reshape(-1, ROW_WORDS)
    return [row for row in table if row[0] == opcode]


def test_large_kernels_are_split_and_small_ones_are_not() -> None:
    text = "program @f(%x: f32[N]) -> f32[N] {\n%a = exp %x : f32[N]\nreturn %a\n}"
    (small,) = rows(binding(100, text), Opcode.KERNEL)
    (large,) = rows(binding(10_000_000, text), Opcode.KERNEL)
    assert small[6] == 1
    assert large[6] > 1
    assert (small[5], large[5]) == (100, 10_000_000)


def test_no_work_is_no_product() -> None:
    assert not rows(binding(0), Opcode.GEMM32)
    assert len(rows(binding(1), Opcode.GEMM32)) == 3


def test_one_executable_many_sizes() -> None:
    made, bounds = executable(), {}
    text = program(TEXT)
    rng = np.random.default_rng(0)
    w = rng.standard_normal((8, 8)).astype(np.float32) / 3
    for n in (3, 1, 50, 0, 3, 7, 50, 3):
        x = rng.standard_normal((n, 8)).astype(np.float32)
        expected, _ = interpret(text, [x], [w])
        for a, b in zip(made.run([x], [w]), expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
        bounds[n] = made._bindings[(n,)][0]
    assert made._bindings[(3,)] == [bounds[3]], "a size seen before isn't bound again"


def test_sizes_that_are_computed() -> None:
    text = """program @f(%x: f32[N, M]) -> (f32[M*N], f32[2*N, M]) {
      %a = reshape %x {shape = (M*N)} : f32[M*N]
      %b = sin %a : f32[M*N]
      %c = concat %x, %x {axis = 0} : f32[2*N, M]
      %d = cos %c : f32[2*N, M]
      return %b, %d
    }"""
    made = executable(text)
    for shape in [(2, 3), (1, 1), (0, 4), (5, 0), (40, 30)]:
        x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
        flat, twice = made.run([x])
        np.testing.assert_allclose(flat, np.sin(x.reshape(-1)), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(twice, np.cos(np.concatenate([x, x])), rtol=1e-5, atol=1e-6)
