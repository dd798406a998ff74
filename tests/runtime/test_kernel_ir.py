"""Kernel IR: printer and parser, verifier, reference, and the transformations of kernels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.base.errors import KernelError
from vitrify.base.flags import flags
from vitrify.ops.kernel_expressions import Literal, Name, Pointer, call, parse, select
from vitrify.runtime.kernel.call_facts import unroll_of
from vitrify.runtime.kernel.kernel_call import STATUS, Kernel, KernelSlot
from vitrify.runtime.kernel.kernel_parser import parse_kernel
from vitrify.runtime.kernel.kernel_printer import print_kernel
from vitrify.runtime.kernel.kernel_verifier import verify_kernel
from vitrify.runtime.kernel.reference import run_kernel
from vitrify.runtime.kernel.statements import For, LoopKind, WhileLoop
from vitrify.runtime.lower.kernel_abstraction import abstracted, skeleton
from vitrify.runtime.lower.parameters import share_pointers
from vitrify.runtime.schedule.linearise import linearise
from vitrify.runtime.schedule.loop_kernels import inline
from vitrify.runtime.schedule.pipeline import run_schedule
from vitrify.runtime.schedule.program_steps import BatchedStep, KernelStep
from vitrify.testing.emulation import call_kernel

GENERATOR = np.random.default_rng(5)


@pytest.fixture(autouse=True)
def _verified() -> Iterator[None]:
    before, flags.verify = flags.verify, True
    yield
    flags.verify = before


# ---- kernels of programs ------------------------------------------------------------------------------------------


def softmax(x: Any, w: Any) -> Any:
    return F.softmax(x * 2.0, -1) * w


def norm_and_gradient(x: Any, w: Any) -> Any:
    return vt.grad((F.layer_norm(x, [x.shape[-1]]) * w).sum(), [x])


def columns(x: Any, w: Any) -> Any:
    return (x * w).sum(0), x.max(0), (x > 0).any(0), x.argmax(0)


def pieces(x: Any, w: Any) -> Any:
    rolled = vt.concat([x[1:], vt.flip(w, 1)[:1]], 0)
    return vt.roll(rolled, 2, 1), F.pad(x, [1, 2], value=3.0), vt.tril(x), x.reshape([-1]).t(), vt.cumsum(x, 1)


def special_functions(x: Any, w: Any) -> Any:
    y = vt.exp(x) + vt.log1p(x * x) + vt.tanh(w) + F.sigmoid(x) + vt.sin(w) + vt.erf(x) + vt.rsqrt(x * x + 1.0)
    return y, vt.floor(x), vt.sign(w), vt.maximum(x, w), vt.where(x > w, x, vt.atan2(x, w)), F.gelu(x)


def integers(x: Any, w: Any) -> Any:
    a, b = (x * 100.0).astype("int64"), (w * 10.0).astype("int64")
    return a * b + 3, a // (b * b + 1), a % 7, a.sum(1), (a * b).max(1), a.astype("int32") * 5


def indexed(x: Any, w: Any) -> Any:
    places = vt.argsort(x, 1)[:, :3]
    return vt.take_along_axis(x, places, 1), w[vt.to_tensor([2, 0, -1])], vt.scatter(x, vt.to_tensor([1, 0]), w[:2])


def matrices(x: Any, w: Any) -> Any:
    return F.relu(x @ w.t() + 1.0), x[0] @ w.t()


def windows(x: Any, w: Any) -> Any:
    image = x.reshape([1, 1, *x.shape])
    return F.max_pool2d(image, 2), F.avg_pool2d(image, 3, 1, 1), F.conv2d(image, w[:3, :3].reshape([1, 1, 3, 3]))


def transposed(x: Any, w: Any) -> Any:
    return (x.t() + 1.0).contiguous() if hasattr(x, "contiguous") else x.t() + 1.0, w.t() * x.t()


def convolved(x: Any, w: Any) -> Any:
    """Tiles of several sizes, pixels summed one by one, groups, strides, gradients, and what follows."""
    image, few = vt.tile(x.reshape([1, 1, 4, 24]), [1, 4, 1, 1]), w[:3, :12].reshape([6, 2, 1, 3])
    grouped = F.silu(F.conv2d(image, few, padding=1, groups=2))
    square = vt.tile(w[:2, :18].reshape([2, 2, 3, 3]), [9, 17, 1, 1])
    small = F.conv2d(vt.tile(x[:, :7].reshape([1, 4, 1, 7]), [1, 1, 7, 1]), square[:5, :4], padding=1) + 1.0
    strided = (F.gelu(F.conv2d(image, square[:3, :4], stride=2, padding=1)) * w[0, 0]).sum()
    gradients = vt.grad(strided, [x, w])
    return grouped, small, *gradients


def transformed_tiles(x: Any, w: Any) -> Any:
    filters = vt.tile(w[:1, :9].reshape([1, 1, 3, 3]), [24, 24, 1, 1])
    return F.relu(F.conv2d(vt.tile(x[:1].reshape([1, 24, 1, 1]), [1, 1, 6, 32]), filters, padding=1) + 0.5)


def factorised(x: Any, w: Any) -> Any:
    square = x @ x.t() + vt.eye(4)
    return vt.linalg.eigh(square)[0], vt.linalg.svd(w)[1]


PROGRAMS = [
    softmax, norm_and_gradient, columns, pieces, special_functions, integers, indexed, matrices, transposed, convolved,
    transformed_tiles, factorised,
]  # fmt: skip


Case = tuple[Kernel, list[np.ndarray]]


def cases_of(function: Any) -> Iterator[Case]:
    """The kernels of a function's program, each with memory of the right sizes and random contents."""
    compiled = vt.to_static(function)
    x, w = (vt.to_tensor(GENERATOR.random((4, 24), "float32") - 0.5) for _ in range(2))
    x.stop_gradient = w.stop_gradient = False
    compiled(x, w)
    for step in run_schedule(linearise(compiled._runner().executable.program)).steps:
        for one in step.calls if isinstance(step, BatchedStep) else [step]:
            if isinstance(one, KernelStep):
                pairs = zip(one.kernel.slots, one.buffers, strict=True)
                yield one.kernel, [contents(slot, math.prod(buffer.kind.shape)) for slot, buffer in pairs]


def contents(slot: KernelSlot, size: int) -> np.ndarray:
    element = "u8" if slot.element == "bool" else slot.element
    if slot.role == STATUS:
        return np.ones(1, "u1")
    if element[0] == "f":
        return (GENERATOR.random(size) * 4 - 2).astype(f"f{int(element[1:]) // 8}")
    return GENERATOR.integers(0, 2, size).astype(f"{element[0]}{int(element[1:]) // 8}")


def run_compiled(kernel: Kernel, arrays: list[np.ndarray], extent: int) -> None:
    """The machine code of a kernel over its whole range."""
    call_kernel(kernel.source, arrays, [int(d) for d in kernel.dims], extent)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_reference_of_kernels_gives_what_machine_code_gives(function: Any) -> None:
    count = 0
    for kernel, arrays in cases_of(function):
        assert isinstance(kernel.extent, int)
        expected = [a.copy() for a in arrays]
        run_kernel(kernel.body, expected, [int(d) for d in kernel.dims], 0, kernel.extent)
        run_compiled(kernel, arrays, kernel.extent)
        for slot, made, wanted in zip(kernel.slots, arrays, expected, strict=True):
            if slot.role != "scratch":
                np.testing.assert_allclose(made, wanted, rtol=2e-5, atol=1e-5, err_msg=kernel.source.text)
        count += 1
    assert count


def test_the_programs_have_tiles_of_all_kinds() -> None:
    texts = "".join(kernel.source.text for f in (convolved, transformed_tiles) for kernel, _ in cases_of(f))
    for function in ("outer_f32(", "inner_f32(", "tiles_in_f32(", "tiles_out_f32(", "filters_in_f32(", "shifted_f32("):
        assert function in texts


PACKS = """def body(p0, p1, p2, p3, lo, hi):
    for r in range(lo, hi):
        many = trues(8, p1, r * 8)
        compress_f32(8, p0, r * 8, p1, r * 8, p2, r * 8)
        compress_places(8, p1, r * 8, p3, r * 9)
        p3[r * 9 + 8] = many
"""


def test_what_a_mask_picks_is_packed() -> None:
    slots = [KernelSlot("in", element=e) for e in ("f32", "u8")] + [
        KernelSlot("out", element=e) for e in ("f32", "i64")
    ]
    kernel = Kernel("packs", parse_kernel(PACKS), slots, [], 4, 32)
    arrays = [
        GENERATOR.random(32, "float32"),
        GENERATOR.integers(0, 3, 32).astype("u1"),
        np.zeros(32, "f4"),
        np.zeros(36, "i8"),
    ]
    arrays[1][8:16], arrays[1][16:24] = 0, 1
    expected = [a.copy() for a in arrays]
    run_kernel(kernel.body, expected, [], 0, 4)
    run_compiled(kernel, arrays, 4)
    for r in range(4):
        picked = np.flatnonzero(arrays[1][r * 8 : r * 8 + 8]) + r * 8
        for numbers, places in ((arrays[2], arrays[3]), (expected[2], expected[3])):
            assert places[r * 9 + 8] == len(picked)
            np.testing.assert_array_equal(places[r * 9 : r * 9 + len(picked)], picked)
            np.testing.assert_array_equal(numbers[r * 8 : r * 8 + len(picked)], arrays[0][picked])


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_parser_reads_what_the_printer_prints(function: Any) -> None:
    for kernel, arrays in cases_of(function):
        text = kernel.source.body
        assert print_kernel(parse_kernel(text), len(arrays), len(kernel.dims))[0] == "".join(
            line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#")
        )
        assert len(kernel.origins) == text.count("\n")


# ---- expressions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a + b * c", "(a + b) * c", "a - (b - c)", "a - b - c", "a // b % c", "a // (b % c)", "-a * b", "-(a + b)",
        "not a == b", "a and (b or c)", "a or b and c", "(a if b else c) + d", "a if b else c if d else e",
        "(a if b else c) if d else e", "x[i + 1] * y[f_f32(i, 2)]", "a & b | c", "a & (b | c)", "~(a | b)",
        "a < b", "(a < b) == c", "(a ** b) ** c", "a ** b ** c", "a * -1", "a - -1.5", "f64(-inf)", "a % 2 == 0",
    ],
)  # fmt: skip
def test_brackets_stand_where_they_must(text: str) -> None:
    assert str(parse(text)) == text


def test_expressions_have_no_truth_of_their_own() -> None:
    i = Name("i")
    assert i + 1 == parse("i + 1")
    assert hash(i + 1) == hash(parse("(i) + 1"))
    with pytest.raises(TypeError, match="only when its kernel runs"):
        bool(i < 3)
    with pytest.raises(TypeError):
        list(i)  # type: ignore[call-overload]


@pytest.mark.parametrize("text", ["a.b", "a[b, c]", "f(a=1)", "a < b < c", "lambda: 1", "a +", "'text'", "x @ y"])
def test_what_kernels_cannot_say_is_refused(text: str) -> None:
    with pytest.raises(KernelError, match="not an expression of kernels"):
        parse(text)


# ---- the verifier -------------------------------------------------------------------------------------------------

FAULTS = {
    "read before": "t = x\n    x = 1",
    "there is no buffer": "p2[0] = 1",
    "there is no size": "t = d1",
    "outside of a loop": "break",
    "is an array": "s = local_f32(4)\n    s = 1",
    "defined twice": "s = 1\n    s = local_f32(4)",
    "is no memory": "t = f(p0)[0]",
}


@pytest.mark.parametrize(("reason", "line"), FAULTS.items())
def test_the_verifier_finds(reason: str, line: str) -> None:
    with pytest.raises(KernelError, match=reason):
        verify_kernel(parse_kernel(f"def body(p0, p1, d0, lo, hi):\n    {line}\n"), 2, 1)


def test_the_verifier_finds_a_parallel_loop_inside_another_and_a_block_of_unknown_size() -> None:
    inner = For(Name("r"), Name("lo"), Name("hi"), Literal(1), kind=LoopKind.PARALLEL)
    verify_kernel([For(Name("i"), Literal(0), Literal(4), Literal(1), [inner])], 0, 0)
    with pytest.raises(KernelError, match="a parallel loop stands inside it"):
        verify_kernel([For(Name("q"), Name("lo"), Name("hi"), Literal(1), [inner], LoopKind.PARALLEL)], 0, 0)
    with pytest.raises(KernelError, match="literal size"):
        verify_kernel([For(Name("i"), Literal(0), Name("hi"), Literal(1), kind=LoopKind.BLOCK)], 0, 0)


def test_the_reference_finds_an_element_outside_of_its_array() -> None:
    body = parse_kernel("def body(p0, lo, hi):\n    for i in range(lo, hi):\n        p0[i] = p0[i + 1]\n")
    run_kernel(body, [np.zeros(4, "float32")], [], 0, 3)
    with pytest.raises(KernelError, match="element 4 of an array of 4"):
        run_kernel(body, [np.zeros(4, "float32")], [], 0, 4)


# ---- transformations ----------------------------------------------------------------------------------------------


def kernel_from(text: str, slots: int, dims: tuple[int, ...] = ()) -> Kernel:
    return Kernel("test", parse_kernel(text), [KernelSlot("in") for _ in range(slots)], dims, 4, 4)


def test_kernels_of_different_sizes_share_a_text() -> None:
    text = "def body(p0, lo, hi):\n    for r in range(lo, hi):\n        for j in range({0}):\n            p0[r * {0} + j] = f32(3)\n"
    made = [kernel_from(text.format(size), 1) for size in (5, 7)]
    (alike, sizes), (same, others) = map(skeleton, made)
    assert alike == same
    assert alike != skeleton(kernel_from(text.replace("f32(3)", "f32(4)").format(5), 1))[0]
    one, other = abstracted(made, [sizes, others])
    assert one.source == other.source
    assert "for j in range(d0)" in one.source.body
    assert "p0[r * d0 + j] = f32(3)" in one.source.body
    assert (one.dims, other.dims) == ([5], [7])


def test_slots_of_one_place_share_a_pointer() -> None:
    kernel = kernel_from("def body(p0, p1, p2, lo, hi):\n    p2[lo] = p0[lo] + p1[lo]\n", 3)
    shared = share_pointers(kernel, [7, 8, 7])
    assert shared.source.body.splitlines() == ["def body(p0, p1, lo, hi):", "    p0[lo] = p0[lo] + p1[lo]"]
    assert [slot.role for slot in shared.slots] == ["inout", "in"]


def test_a_kernel_goes_into_another_with_its_memory_moved() -> None:
    body = parse_kernel("def body(p0, p1, lo, hi):\n    t = p0[lo + 1]\n    fetch(p1, 3, t)\n    p1[t * 2] = hi\n")
    names = {"t": Name("t_0"), "lo": Literal(0), "hi": Literal(9)}
    made = inline(body, names, [(Name("m0"), 0), (Name("m1"), 4)])
    assert [line.strip() for line in print_kernel(made, 0, 0)[0].splitlines()[1:]] == [
        "t_0 = m0[0 + 1]", "fetch(m1, 7, t_0)", "m1[4 + t_0 * 2] = 9",
    ]  # fmt: skip


def test_how_loops_are_unrolled_is_read_from_the_tree() -> None:
    block = For(Name("j"), Literal(0), Literal(16), Literal(1), kind=LoopKind.BLOCK)
    assert unroll_of([block]) == "late"
    assert unroll_of(parse_kernel("def body(p0, lo, hi):\n    transpose_f32(8, p0, 0, 8, p0, 0, 8)\n")) == "never"
    assert unroll_of([block, WhileLoop(Name("k") < 4)]) == "again"
    assert unroll_of(parse_kernel("def body(p0, lo, hi):\n    gemv_transposed_f32(8, p0, 0)\n")) == "early"
    for length, expected in (("3", "early"), ("300", "never"), ("d0", "never")):
        text = f"def body(p0, d0, lo, hi):\n    for r in range(2):\n        for j in range({length}):\n            p0[j] = p0[r]\n"
        assert unroll_of(parse_kernel(text)) == expected


def test_select_and_calls_are_written_as_kernels_say_them() -> None:
    assert str(select(Name("a") > 0, call("f32", 1), Pointer(3)["i"])) == "select(a > 0, f32(1), p3[i])"
