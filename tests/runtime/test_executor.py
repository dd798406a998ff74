"""The call path: what a call may be given, what it leaves alone when it fails, and calls from several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import CallbackError, GuardError
from vitrify.ir.interpret import interpret
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.executable import MAX_BINDINGS
from vitrify.runtime.vm import team

from .checks import PIPELINES, check, program

MODEL = """program @f(%x: f32[N, 8], %iterations: i64[])
    state(%w: f32[8, 8] parameter, %count: i64[] other) -> (f32[N, 8], f32[]) {
  %one = constant {data = dense<i64[], 1>} : i64[]
  %r = for %iterations, %x : f32[N, 8] (%i: i64[], %h: f32[N, 8]) {
    %a = matmul %h, %w {transpose_x = false, transpose_y = false} : f32[N, 8]
    %b = tanh %a : f32[N, 8]
    yield %b
  }
  %s = sum %r {axis = (0, 1), keepdim = false} : f32[]
  %c = add %count, %one : i64[]
  update %count, %c
  return %r, %s
}"""


def arrays(n: int) -> list[Any]:
    return [np.random.default_rng(n).standard_normal((n, 8)).astype(np.float32), np.asarray(3)]


def weight() -> Any:
    return np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32) / 4


@pytest.mark.parametrize("threads", [1, 2])
def test_eight_python_threads_share_one_executable(threads: int) -> None:
    before = team.get_num_threads()
    team.set_num_threads(threads)
    made = program(MODEL)
    executable = compile_program(made)
    shared, barrier = weight(), threading.Barrier(8)

    def work(number: int) -> None:
        count = np.asarray(0)
        barrier.wait()
        for iteration in range(60):
            feeds = arrays((number + iteration) % 5 + 1)
            expected, _ = interpret(made, feeds, [shared, count])
            found = executable.run(feeds, [shared, count])
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
        assert count == 60

    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
    finally:
        team.set_num_threads(before)


def test_outputs_of_threads_are_their_own() -> None:
    text = "program @f(%x: f32[40000]) -> f32[40000] {\n%a = neg %x : f32[40000]\nreturn %a\n}"
    executable = compile_program(program(text))

    def work(number: int) -> None:
        x = np.full(40000, number, np.float32)
        kept = [executable.run([x])[0] for _ in range(30)]
        assert all((k == -number).all() for k in kept)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_many_sizes_keep_a_bounded_number_of_bindings() -> None:
    executable = compile_program(program(MODEL))
    for n in range(1, MAX_BINDINGS + 20):
        executable.run(arrays(n), [weight(), np.asarray(0)])
    assert len(executable._bindings) <= MAX_BINDINGS + 1


@pytest.mark.parametrize(
    ("feeds", "state"),
    [
        ([np.zeros((2, 8), np.float32)], None),
        ([np.zeros((2, 8), np.float64), np.asarray(1)], None),
        ([np.zeros((2, 7), np.float32), np.asarray(1)], None),
        ([np.zeros((2, 8, 1), np.float32), np.asarray(1)], None),
        ([np.zeros((2, 8), np.float32), np.asarray(1, np.int32)], None),
        ([np.zeros((2, 8), np.float32), np.asarray([1])], None),
        (None, [np.zeros((8, 8), np.float32)]),
        (None, [np.zeros((8, 9), np.float32), np.asarray(0)]),
        (None, [np.zeros((8, 16), np.float32)[:, ::2], np.asarray(0)]),
        (None, [np.broadcast_to(np.float32(1), (8, 8)), np.asarray(0)]),
        (None, [np.zeros((8, 8), np.float32), np.int64(0)]),
    ],
    ids=["one feed too few", "dtype", "size", "rank", "count's dtype", "count's rank", "one state too few",
         "state's size", "state with gaps", "state that can't be written", "state that is a number"],
)  # fmt: skip
def test_wrong_arrays_are_refused_and_nothing_changes(feeds: Any, state: Any) -> None:
    executable = compile_program(program(MODEL))
    held = state if state is not None else [weight(), np.asarray(0)]
    before = [np.array(s) for s in held]
    with pytest.raises(GuardError):
        executable.run(feeds if feeds is not None else arrays(2), held)
    for a, b in zip(held, before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_feeds_in_any_layout() -> None:
    made = program("program @f(%x: f32[3, 4]) -> f32[3, 4] {\n%a = tanh %x : f32[3, 4]\nreturn %a\n}")
    executable = compile_program(made)
    wide = np.random.default_rng(0).standard_normal((8, 6)).astype(np.float32)
    for x in (wide[:4, :3].T, wide[::2, ::2][:3].repeat(2, 1)[:, :4], np.asfortranarray(wide[:3, :4])):
        np.testing.assert_allclose(executable.run([x])[0], np.tanh(x), rtol=1e-5)


def test_constraints_are_checked() -> None:
    text = "program @f(%x: f32[N]) -> f32[N] where N-2 >= 0 {\n%a = tanh %x : f32[N]\nreturn %a\n}"
    executable = compile_program(program(text))
    executable.run([np.zeros(2, np.float32)])
    with pytest.raises(GuardError, match="N=1"):
        executable.run([np.zeros(1, np.float32)])


def test_a_feed_that_is_a_state() -> None:
    """The same memory as feed and as state: the feed keeps the value from before the call."""
    text = """program @f(%x: f32[3]) state(%p: f32[3] parameter) -> f32[3] {
      %a = add %p, %x : f32[3]
      update %p, %a
      %b = cumsum %x {axis = 0, reverse = false} : f32[3]
      return %b
    }"""
    for passes in PIPELINES.values():
        held = np.arange(3, dtype=np.float32)
        (found,) = compile_program(program(text), passes=passes).run([held], [held])
        np.testing.assert_array_equal(found, [0, 1, 3])
        np.testing.assert_array_equal(held, [0, 2, 4])


# -- callbacks ---------------------------------------------------------------------------------------------------------

CALLS = """program @f(%x: f32[3], %n: i64[]) state(%p: f32[3] parameter) -> f32[3] {
  %a = add %p, %x : f32[3]
  %r = for %n, %x : f32[3] (%i: i64[], %h: f32[3]) {
    %b = callback %h, %i {callee = "step", form = "array", gradient = none, outputs = (f32[3])} : f32[3]
    yield %b
  }
  %c = add %a, %r : f32[3]
  update %p, %c
  return %c
}"""
X = np.arange(3, dtype=np.float32)


def test_callbacks_in_loops() -> None:
    check(CALLS, X, np.asarray(4), state=[X + 1], callbacks={"step": lambda h, i: h * 2 + np.float32(i)})


def test_a_callback_gets_copies() -> None:
    kept: list[Any] = []

    def step(h: Any, i: Any) -> Any:
        kept.append((h, h.copy()))
        h += 100
        return h - 99

    check(CALLS, X, np.asarray(3), state=[X], callbacks={"step": step})
    for h, before in kept:
        np.testing.assert_array_equal(h, before + 100)


def raise_on_the_third(h: Any, i: Any) -> Any:
    if i == 2:
        raise ZeroDivisionError("third iteration")
    return h


FAILURES: dict[str, tuple[Callable[..., Any] | None, type[Exception]]] = {
    "raises": (raise_on_the_third, ZeroDivisionError),
    "wrong shape": (lambda h, i: h[:2], CallbackError),
    "wrong dtype": (lambda h, i: h.astype(np.float64), CallbackError),
    "too many": (lambda h, i: (h, h), CallbackError),
    "none": (lambda h, i: None, CallbackError),
    "not there": (None, CallbackError),
}


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", FAILURES)
def test_a_failing_callback_leaves_everything_as_it_was(name: str, pipeline: str) -> None:
    callee, error = FAILURES[name]
    callbacks: dict[str, Any] = {} if callee is None else {"step": callee}
    executable = compile_program(program(CALLS), callbacks=callbacks, passes=PIPELINES[pipeline])
    held = X + 5
    for _ in range(2):
        with pytest.raises(error):
            executable.run([X, np.asarray(5)], [held])
        np.testing.assert_array_equal(held, X + 5)
    executable.callbacks["step"] = lambda h, i: h  # the VM begins anew after a failure
    (found,) = executable.run([X, np.asarray(2)], [held])
    np.testing.assert_array_equal(found, X + 5 + X + X)


def test_a_callback_may_call_the_program_again() -> None:
    text = """program @f(%n: i64[]) -> i64[] {
      %a = callback %n {callee = "down", form = "array", gradient = none, outputs = (i64[])} : i64[]
      %b = add %a, %n : i64[]
      return %b
    }"""
    executable = compile_program(
        program(text), callbacks={"down": lambda n: executable.run([n - 1])[0] if n > 0 else n}
    )
    assert executable.run([np.asarray(10)])[0] == 55


# -- checks and indices ------------------------------------------------------------------------------------------------

CHECKED = """program @f(%x: f32[3], %ok: bool[]) state(%p: f32[3] parameter) -> f32[3] {
  %a = add %p, %x : f32[3]
  update %p, %a
  check %ok {error = "ValueError", message = "not ok"}
  return %a
}"""


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_a_failing_check_leaves_the_state(pipeline: str) -> None:
    executable = compile_program(program(CHECKED), passes=PIPELINES[pipeline])
    held = X.copy()
    with pytest.raises(ValueError, match="not ok"):
        executable.run([X, np.asarray(False)], [held])
    np.testing.assert_array_equal(held, X)
    executable.run([X, np.asarray(True)], [held])
    np.testing.assert_array_equal(held, 2 * X)


INDEXED = {
    "gather": "%a = gather %x, %k {axis = 0} : f32[2, 4]",
    "scatter_add": """%u = slice %x {sizes = (2, 4), starts = (0, 0), strides = (1, 1)} : f32[2, 4]
      %b = scatter_add %x, %k, %u {axis = 0} : f32[3, 4]
      %a = slice %b {sizes = (2, 4), starts = (1, 0), strides = (1, 1)} : f32[2, 4]""",
    "gather in a group": "%b = tanh %x : f32[3, 4]\n%c = gather %b, %k {axis = 0} : f32[2, 4]\n%a = neg %c : f32[2, 4]",
    "select": """%s = slice %k {sizes = (1), starts = (0), strides = (1)} : i64[1]
      %t = reshape %s {shape = ()} : i64[]
      %b = select %x, %t {axis = 0} : f32[4]
      %a = broadcast_to %b {shape = (2, 4)} : f32[2, 4]""",
    "scatter_nd_add": """%i = reshape %k {shape = (2, 1)} : i64[2, 1]
      %u = slice %x {sizes = (2, 4), starts = (0, 0), strides = (1, 1)} : f32[2, 4]
      %b = scatter_nd_add %x, %i, %u : f32[3, 4]
      %a = slice %b {sizes = (2, 4), starts = (1, 0), strides = (1, 1)} : f32[2, 4]""",
}  # fmt: skip


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", INDEXED)
def test_an_index_out_of_range_is_an_error_and_touches_no_memory(name: str, pipeline: str) -> None:
    text = f"""program @f(%x: f32[3, 4], %k: i64[2]) state(%p: f32[2, 4] parameter) -> f32[2, 4] {{
      {INDEXED[name]}
      %q = add %p, %a : f32[2, 4]
      update %p, %q
      return %a
    }}"""
    made = program(text)
    executable = compile_program(made, passes=PIPELINES[pipeline])
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    for wrong in (3, -4, 10**9, -(10**9), 2**62, -(2**63)):
        held = np.ones((2, 4), np.float32)
        with pytest.raises(IndexError):
            executable.run([x, np.array([wrong, 0])], [held])
        assert (held == 1).all()
        assert (x == np.arange(12).reshape(3, 4)).all()
    for right in ([2, 0], [-1, -3], [0, 0]):
        held = np.ones((2, 4), np.float32)
        expected, after = interpret(made, [x, np.array(right)], [held])
        np.testing.assert_allclose(executable.run([x, np.array(right)], [held])[0], expected[0], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(held, after[0], rtol=1e-5, atol=1e-6)


def test_an_index_in_a_branch_not_taken_is_no_error() -> None:
    text = """program @f(%x: f32[3], %k: i64[], %t: bool[]) -> f32[] {
      %a = if %t : f32[] {
        %b = select %x, %k {axis = 0} : f32[]
        yield %b
      } else {
        %c = sum %x {axis = (0), keepdim = false} : f32[]
        yield %c
      }
      return %a
    }"""
    for passes in PIPELINES.values():
        executable = compile_program(program(text), passes=passes)
        assert executable.run([X, np.asarray(7), np.asarray(False)])[0] == 3
        with pytest.raises(IndexError):
            executable.run([X, np.asarray(7), np.asarray(True)])
        assert executable.run([X, np.asarray(-1), np.asarray(True)])[0] == 2


def test_large_results_that_somebody_holds_stay_what_they_are() -> None:
    """Their memory comes from earlier calls, but only from results that nobody has any more."""
    made = program("program @f(%x: f32[N]) -> (f32[N], f32[N]) {\n  %y = add %x, %x : f32[N]\n"
                   "  %z = multiply %x, %x : f32[N]\n  return %y, %z\n}")  # fmt: skip
    executable = compile_program(made)
    held = [executable.run([np.full(1 << 15, k, np.float32)]) for k in range(6)]
    kept = [executable.run([np.full(1 << 15, k, np.float32)])[1][5:] for k in range(6)]
    for k in range(6):
        assert (held[k][0] == 2 * k).all()
        assert (held[k][1] == k * k).all()
        assert (kept[k] == k * k).all()
