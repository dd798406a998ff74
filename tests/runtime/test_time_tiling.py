"""Time tiling: loops over elements equal the interpreter whenever they end, at any size, dtype and thread count."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from tests.runtime.checks import check, check_interrupt
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.executable import Executable
from vitrify.runtime.lower.loops import control_kernel
from vitrify.runtime.schedule.program_steps import LoopStep
from vitrify.runtime.vm.binding import memory_plan

NUMBERS = np.random.default_rng(7)


def of(executable: Executable) -> list[LoopStep]:
    """The loops of a program that are time-tiled."""
    steps = executable.steps.steps
    return [s for s in steps if isinstance(s, LoopStep) and s.reason.startswith("time tiling")]


def loops(f: Any) -> list[LoopStep]:
    return of(f._last.runner.executable)


# One array counts down, so that its largest element says how many iterations there are.
COUNTDOWN = """program @f(%c: {c}[N], %x: {x}[N], %limit: i64[]) -> ({c}[N], {x}[N], i64[]) {{
  %zero = constant {{data = dense<i64[], 0>}} : i64[]
  %one = constant {{data = dense<{c}[], 1>}} : {c}[]
  %none = constant {{data = dense<{c}[], 0>}} : {c}[]
  %step = constant {{data = dense<i64[], 1>}} : i64[]
  %a0 = greater_than %c, %none : bool[N]
  %b0 = any %a0 {{axis = (0), keepdim = false}} : bool[]
  %go, %cn, %xn, %n = while %b0, %c, %x, %zero : bool[], {c}[N], {x}[N], i64[] \
(%h: bool[], %e: {c}[N], %z: {x}[N], %l: i64[]) {{
    yield %h
  }} do (%g: bool[], %d: {c}[N], %y: {x}[N], %m: i64[]) {{
{body}
    %less = subtract %d, %one : {c}[N]
    %next = maximum %less, %none : {c}[N]
    %more = add %m, %step : i64[]
    %left = greater_than %next, %none : bool[N]
    %some = any %left {{axis = (0), keepdim = false}} : bool[]
    %under = less_than %more, %limit : bool[]
    %on = logical_and %some, %under : bool[]
    yield %on, %next, {new}, %more
  }}
  return %cn, %xn, %n
}}"""


def random_body(seed: int, short: str) -> tuple[str, str]:
    """A few operations on %y of dtype `short`, whose results stay small: their lines and the name of the last."""
    pick = random.Random(seed)
    lines, names = (
        [f"    %k = constant {{data = dense<{short}[], {3 if short[0] == 'i' else 0.75}>}} : {short}[]"],
        ["%y"],
    )
    if pick.random() < 0.5:
        lines.append(f"    %mm = cast %m {{dtype = {short}}} : {short}[]")
        names.append("%mm")
    ops = {"f": ("sin", "tanh", "add", "multiply", "minimum"), "i": ("add", "multiply", "bitwise_xor", "maximum")}
    for n in range(pick.randint(1, 5)):
        name, made = pick.choice(ops[short[0]]), f"%t{n}"
        single = name in ("sin", "tanh")
        operands = [pick.choice(names[-2:]) if short[0] == "f" else pick.choice(names)]
        operands += [] if single else [pick.choice(["%k", "%y"])]
        shape = "[]" if all(o in ("%k", "%mm") or o.endswith("s") for o in operands) else "[N]"
        made += "s" if shape == "[]" else ""
        lines.append(f"    {made} = {name} {', '.join(operands)} : {short}{shape}")
        names.append(made)
    if short[0] == "f":
        lines.append(
            f"    %bounded = sin {names[-1]} : {short}{'[]' if names[-1] in ('%mm',) or names[-1].endswith('s') else '[N]'}"
        )
        lines.append(f"    %new = multiply %bounded, %y : {short}[N]")
    else:
        lines.append(f"    %new = add {names[-1]}, %y : {short}[N]")
    return "\n".join(lines), "%new"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kinds", [("i64", "f32"), ("i32", "f64"), ("f32", "i64")], ids="-".join)
def test_random_loops_end_where_the_interpreter_s_do(kinds: tuple[str, str], seed: int) -> None:
    body, new = random_body(seed, kinds[1])
    text = COUNTDOWN.format(c=kinds[0], x=kinds[1], body=body, new=new)
    program = parse_program(text)
    executable = compile_program(program)
    assert len(of(executable)) == 1
    numpy = {"i64": np.int64, "i32": np.int32, "f32": np.float32, "f64": np.float64}
    sizes = (0, 1, 31, 32, 33, 1000) if seed < 2 else (77,)
    for size in sizes:
        for most in (0, 1, 2, 3, 4, 5, 16, 17, 33, 150) if size == 77 else (3, 40):
            c = NUMBERS.integers(0, most + 1, size).astype(numpy[kinds[0]])
            x = NUMBERS.integers(-5, 6, size).astype(numpy[kinds[1]]) / (1 if kinds[1][0] == "i" else 3)
            feeds = [c, x.astype(numpy[kinds[1]]), np.array(60)]
            expected, _ = interpret(program, feeds, [])
            for made, right in zip(executable.run(feeds), expected, strict=True):
                np.testing.assert_allclose(made, right, rtol=2e-5, atol=1e-6, err_msg=f"{size} {most}")


def escape(c: Any) -> Any:
    z, n = vt.zeros_like(c), vt.zeros_like(c, dtype="int32")
    active, k = vt.ones_like(c, dtype="bool"), 0
    while k < 50 and vt.any(active):
        active = vt.logical_and(active, z <= 2.0)
        z = vt.where(active, z * z + c, z)
        n = n + active.astype("int32")
        k += 1
    return n, z


def collatz(n: Any) -> Any:
    c = vt.zeros_like(n)
    while vt.any(n != 1):
        act = n != 1
        n = vt.where(act, vt.where(n % 2 == 0, n // 2, 3 * n + 1), n)
        c = c + act.astype("int64")
    return c


def root(a: Any) -> Any:
    x = a
    while vt.max(vt.abs(x * x - a) / a) > 1e-5:
        x = 0.5 * (x + a / x)
    return x


def until_all(x: Any) -> Any:
    done = x < 1.0
    while not vt.all(done):
        x = vt.where(done, x, x * 0.5)
        done = x < 1.0
    return x, done


def counted(x: Any) -> Any:
    for k in range(vt.to_tensor(37)):
        x = 0.5 * x + k
    return x


def swapped(x: Any) -> Any:
    a, b = x, x + 1
    for _ in range(vt.to_tensor(21)):
        a, b = b, a + b
    return a, b


def with_rows(x: Any) -> Any:
    row, column = vt.arange(60, dtype="float32"), vt.arange(40, dtype="float32").reshape([40, 1])
    x = x.reshape([40, 60])
    for _ in range(vt.to_tensor(9)):
        x = vt.sin(x + row) * (column * 0.02)
    return x


def reports(x: Any) -> Any:
    largest, iterations = vt.max(x), vt.zeros([1], "int64")
    while largest > 1.0:
        x = x * 0.7
        largest = vt.max(x)
        iterations = iterations + 1
    return x, largest, iterations


def nested(x: Any) -> Any:
    total = vt.zeros_like(x)
    for k in range(vt.to_tensor(3)):
        y = x + k
        while vt.any(y > 0.5):
            y = y * 0.25
        total = total + y
    return total


def stuck(x: Any) -> Any:
    k = 0
    while vt.any(x > 0.5) and k < 300:
        x = vt.minimum(x * 1.5, vt.to_tensor(8.0))
        k += 1
    return x, vt.to_tensor(k)


def bytes_and_doubles(x: Any) -> Any:
    x, n = x.astype("float64"), vt.zeros_like(x, dtype="int8")
    while vt.max(n) < 100 and vt.min(x) < 1e6:
        x, n = x + n, vt.where(x > 3.0, n + 1, n)
    return x, n


REALS = np.linspace(0.3, 9.0, 2400, dtype=np.float32)
CASES: list[tuple[Callable[..., Any], Any]] = [
    (escape, np.linspace(-0.7, 1.0, 2400)),
    (collatz, np.arange(1, 2401)),
    (root, REALS),
    (root, REALS.astype(np.float64)),
    (until_all, REALS),
    (counted, REALS),
    (swapped, np.arange(2400)),
    (with_rows, REALS),
    (reports, REALS),
    (nested, REALS),
    (stuck, REALS),
    (bytes_and_doubles, REALS),
]


def arrays(result: Any) -> list[Any]:
    return [np.asarray(r) for r in (result if isinstance(result, (tuple, list)) else (result,))]


@pytest.mark.parametrize(("function", "data"), CASES, ids=lambda c: getattr(c, "__name__", ""))
def test_a_loop_over_elements_takes_many_iterations_at_once(function: Any, data: Any) -> None:
    compiled, x = vt.jit.to_static(function), vt.to_tensor(data)
    expected = arrays(function(x))
    for threads in (1, 2):
        vt.set_num_threads(threads)
        made = arrays(compiled(x))
        for a, b in zip(made, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5 if data.dtype == np.float32 else 1e-11)
            assert a.dtype == b.dtype
        again = arrays(compiled(x))
        assert all(a.tobytes() == b.tobytes() for a, b in zip(made, again, strict=True))
    assert len(loops(compiled)) == 1
    assert "one kernel (time tiling, " in str(compiled.explain())


def test_threads_give_the_same_bits() -> None:
    compiled, x = vt.jit.to_static(escape), vt.to_tensor(np.linspace(-2.5, 1.0, 50_001))
    found = []
    for threads in (1, 2):
        vt.set_num_threads(threads)
        found.append(arrays(compiled(x)))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(*found, strict=True))


def test_nan_and_signed_zeros_are_not_taken_for_converged() -> None:
    text = """program @f(%x: f32[N], %n: i64[]) -> (f32[N], f32[N]) {
      %zero = constant {data = dense<f32[], -0.0>} : f32[]
      %a, %b = for %n, %x, %x : f32[N], f32[N] (%iteration: i64[], %y: f32[N], %z: f32[N]) {
        %w = divide %y, %y : f32[N]
        %s = sign %w : f32[N]
        %v = neg %z : f32[N]
        yield %s, %v
      }
      return %a, %b
    }"""
    x = np.array([0.0, -0.0, 1.0, np.nan, np.inf] * 20, np.float32)
    for iterations in (0, 1, 16, 17, 31):
        (a, b), _ = interpret(parse_program(text), [x, np.array(iterations)], [])
        made = compile_program(parse_program(text)).run([x, np.array(iterations)])
        np.testing.assert_array_equal(made[0], a)
        np.testing.assert_array_equal(made[1], b)
        np.testing.assert_array_equal(np.signbit(made[1]), np.signbit(b))


def test_the_count_of_iterations_is_that_of_the_loop_for_every_end() -> None:
    @vt.jit.to_static
    def fall(x: Any) -> Any:
        k = vt.zeros([], "int64")
        while vt.any(x > 0):
            x, k = x - 1, k + 1
        return x, k

    for iterations in (*range(40), 127, 128, 129, 400):
        x = np.full(1025, iterations - 3, np.int64)
        x[700] = iterations
        left, count = fall(vt.to_tensor(x))
        assert int(count) == iterations
        np.testing.assert_array_equal(left.numpy(), x - iterations)
    assert len(loops(fall)) == 1


def test_gradients_through_such_loops() -> None:
    def decay(x: Any) -> Any:
        k = 0
        while vt.any(x > 0.5) and k < 20:
            x = x * 0.8
            k += 1
        return (x * x).sum()

    given = [vt.to_tensor(REALS, stop_gradient=False) for _ in range(2)]
    vt.jit.to_static(decay)(given[0]).backward()
    decay(given[1]).backward()
    np.testing.assert_allclose(given[0].grad.numpy(), given[1].grad.numpy(), rtol=1e-5)


def test_a_loop_without_end_can_be_interrupted() -> None:
    @vt.jit.to_static
    def forever(x: Any) -> Any:
        while vt.any(x >= 0.0):
            x = x + 1.0
        return x

    x = vt.to_tensor(np.ones(5000, np.float32))
    forever(-x)
    assert len(loops(forever)) == 1
    check_interrupt(lambda: forever(x))


def test_a_loop_returns_to_the_vm_between_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_kernel, "WORK_AT_ONCE", 10_000)
    compiled, x = vt.jit.to_static(counted), vt.to_tensor(REALS)
    np.testing.assert_allclose(compiled(x).numpy(), counted(x).numpy(), rtol=1e-5)
    assert len(loops(compiled)) == 1


def feeds_back(x: Any) -> Any:
    while vt.max(x) > 1.0:
        x = x / vt.max(x) * 0.5
    return x


def heavy(x: Any) -> Any:
    while vt.max(x) > 0.1:
        x = vt.tanh(x) * 0.9
    return x


def sums(x: Any) -> Any:
    while vt.sum(x) > 1.0:
        x = x * 0.5
    return x


def shifts(x: Any) -> Any:
    for _ in range(vt.to_tensor(3)):
        x = vt.concat([x[1:], x[:1]])
    return x


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (feeds_back, "its elements depend on a reduction over all of them"),
        (sums, "sum is in it, which depends on the order"),
        (heavy, "it is compute-bound, not memory-bound"),
        (shifts, "isn't elementwise"),
    ],
    ids=lambda c: getattr(c, "__name__", ""),
)
def test_other_loops_say_why_they_run_one_iteration_at_a_time(function: Any, reason: str) -> None:
    compiled, x = vt.jit.to_static(function), vt.to_tensor(REALS)
    np.testing.assert_allclose(compiled(x).numpy(), function(x).numpy(), rtol=1e-5)
    assert not loops(compiled)
    assert reason in str(compiled.explain())


def test_a_condition_with_operations_of_its_own() -> None:
    text = """program @f(%x: f64[N]) -> (f64[N], i64[]) {
      %one = constant {data = dense<i64[], 1>} : i64[]
      %seven = constant {data = dense<i64[], 7>} : i64[]
      %zero = constant {data = dense<i64[], 0>} : i64[]
      %half = constant {data = dense<f64[], 0.5>} : f64[]
      %a, %b = while %x, %zero : f64[N], i64[] (%v: f64[N], %m: i64[]) {
        FOLD%few = less_than %m, %seven : bool[]
        yield GO
      } do (%y: f64[N], %k: i64[]) {
        %z = multiply %y, %half : f64[N]
        %n = add %k, %one : i64[]
        yield %z, %n
      }
      return %a, %b
    }"""
    fold = """%big = greater_than %v, %half : bool[N]
        %some = any %big {axis = (0), keepdim = false} : bool[]
        """
    for texts, expected in ((("", "%few"), 1), ((fold, "%some"), 0)):
        for x in (np.zeros(0), np.zeros(5), np.array([4.0, 0.1, 70.0])):
            found = check(text.replace("FOLD", texts[0]).replace("GO", texts[1]), x)
            assert all(len(of(executable)) == expected for executable in found.values())


def test_the_kernels_can_be_read() -> None:
    compiled = vt.jit.to_static(root)
    compiled(vt.to_tensor(REALS))
    texts = {name.split("_")[0]: text for name, text in compiled.kernels.items()}
    assert texts["body"].reason.startswith("time tiling, ")
    assert "x = 0.5 * (x + a / x)" in " ".join(texts["body"].lines)
    lines = [line.strip() for line in texts["body"].splitlines()]
    loop, check = lines.index("while t < iterations:"), lines.index("if changed == 0:")
    assert loop < check < lines.index("t = t + 1")
    lines = [line.strip() for line in texts["control"].splitlines()]
    assert lines.index("while k < iterations:") < lines.index("while k < limit:")


def test_a_memory_limit_that_only_the_loop_without_time_tiling_keeps_to() -> None:
    x = vt.to_tensor(np.linspace(0.3, 9.0, 50_000, dtype=np.float32))
    free = vt.jit.to_static(until_all)
    expected = arrays(free(x))
    peak = memory_plan(free._last.runner.executable.steps, {})[1].peak
    assert isinstance(peak, int)
    bound = vt.jit.to_static(until_all, memory_limit=peak - 1000)
    for a, b in zip(arrays(bound(x)), expected, strict=True):
        np.testing.assert_array_equal(a, b)


def test_elements_that_wait_for_an_iteration_have_not_converged() -> None:
    def late(x: vt.Tensor, n: vt.Tensor) -> vt.Tensor:
        for i in range(n):
            x = vt.where(i > 40, x * 0.5, x)
        return x

    compiled, x = vt.jit.to_static(late), vt.to_tensor(REALS)
    np.testing.assert_array_equal(compiled(x, vt.to_tensor(48)).numpy(), REALS * np.float32(0.5) ** 7)
    assert len(loops(compiled)) == 1
