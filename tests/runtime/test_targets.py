"""Kernels for vectors of 128, 256 and 512 bits, each kind once: equal to eager mode, and of that width.

`make targets` runs all tests of kernels for each target. What this machine can't run is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.base.target import TARGETS, Target, current_target, host_target, is_swapped, runnable, using_target
from vitrify.runtime.kernel_cache import KernelSource
from vitrify.testing.element_loops import ElementLoop
from vitrify.testing.ops import kernel_sources

GENERATOR = np.random.default_rng(11)
Function = Callable[..., Any]


def numbers(*shape: int, dtype: str = "float32") -> np.ndarray[Any, Any]:
    return GENERATOR.standard_normal(shape).astype(dtype)


@pytest.fixture(params=TARGETS)
def any_target(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each target in turn, while the test runs; it may read code, not run it."""
    with using_target(TARGETS[request.param]):
        yield request.param


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each target whose code runs here in turn, while the test runs."""
    if request.param not in runnable() or is_swapped():
        pytest.skip(f"this machine doesn't run code for {request.param}")
    with using_target(TARGETS[request.param]):
        yield request.param


def slopes(function: Function) -> Function:
    """The result's sum of squares, differentiated by all arguments."""

    def both(*arguments: vt.Tensor) -> list[vt.Tensor]:
        made = function(*arguments)
        return [made, *vt.grad((made * made).sum(), list(arguments))]

    return both


def gemm(x: vt.Tensor, w: vt.Tensor, b: vt.Tensor) -> vt.Tensor:
    return F.gelu(x @ w + b)


def attention(q: vt.Tensor, k: vt.Tensor, v: vt.Tensor) -> vt.Tensor:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def convolution(**attributes: int) -> Function:
    def convolve(x: vt.Tensor, w: vt.Tensor) -> vt.Tensor:
        return F.relu(F.conv2d(x, w, **attributes))

    return convolve


def countdown(x: vt.Tensor) -> vt.Tensor:
    while (x > 0.5).any():
        x = vt.where(x > 0.5, x * 0.75, x)
    return x


def smooth(x: vt.Tensor, count: vt.Tensor) -> vt.Tensor:
    k = vt.zeros([], "int64")
    while k < count:
        x = vt.sin(x) * 0.5 + x.mean()
        k = k + 1
    return x


CASES: dict[str, tuple[Function, tuple[np.ndarray[Any, Any], ...]]] = {
    "gemm": (gemm, (numbers(70, 128), numbers(128, 96) / 8, numbers(96))),
    "gemm, f64": (gemm, (numbers(64, 96, dtype="float64"), numbers(96, 80, dtype="float64"), numbers(80))),
    "gemm, transposed": (lambda x, w: vt.matmul(x, w, transpose_y=True) + 1.0, (numbers(96, 200), numbers(64, 200))),
    "few rows": (gemm, (numbers(7, 1100), numbers(1100, 75) / 8, numbers(75))),
    "few rows, f64": (gemm, tuple(numbers(*s, dtype="float64") / 8 for s in ((9, 900), (900, 70), (70,)))),
    "few rows, transposed": (lambda x, w: vt.matmul(x, w, transpose_y=True) + 1.0, (numbers(5, 523), numbers(83, 523))),
    "gemv": (lambda x, w: F.relu(x @ w), (numbers(1, 67), numbers(67, 45))),
    "gemv, transposed": (lambda x, w: vt.matmul(x, w, transpose_y=True), (numbers(1, 61), numbers(37, 61))),
    "softmax": (slopes(lambda x: F.softmax(x, -1)), (numbers(19, 101),)),
    "layer norm": (slopes(lambda x: F.layer_norm(x, [77])), (numbers(9, 77),)),
    "functions": (lambda x: (vt.exp(x), vt.tanh(x), vt.sin(x * 40.0), vt.erf(x), x.abs().log()), (numbers(1013),)),
    "functions, f64": (lambda x: (vt.exp(x), vt.tanh(x), vt.sin(x * 40.0)), (numbers(509, dtype="float64"),)),
    "sums": (lambda x: (x.sum(), x.max(0), x.cumsum(1), x.argmax(1)), (numbers(37, 8209),)),
    "transpose": (lambda x: x.transpose([1, 0]) * 2.0 + 1.0, (numbers(83, 95),)),
    "fourier": (
        slopes(lambda x: vt.abs(vt.fft.rfft(x)) ** 3 + vt.abs(vt.fft.fft(x, 12))[:, 0].sum()),
        (numbers(9, 200),),
    ),
    "fourier, f64": (lambda x: vt.abs(vt.fft.fft(x, axis=0)), (numbers(24, 35, dtype="float64"),)),
    "integers": (lambda x: (x * 3 + 1).sum(0), (GENERATOR.integers(-9, 9, (21, 35)),)),
    "attention": (slopes(attention), tuple(numbers(2, 33, 3, 20) for _ in range(3))),
    "transformed tiles": (convolution(padding=1), (numbers(2, 64, 30, 28), numbers(64, 64, 3, 3) / 8)),
    "convolution": (slopes(convolution(stride=2, padding=1)), (numbers(2, 6, 17, 19), numbers(10, 6, 3, 3))),
    "convolution, f64": (
        slopes(convolution(padding=2)),
        (numbers(1, 3, 12, 13, dtype="float64"), numbers(5, 3, 5, 5, dtype="float64")),
    ),
    "depthwise": (convolution(padding=1, groups=12), (numbers(2, 12, 13, 11), numbers(12, 1, 3, 3))),
    "loop over elements": (countdown, (numbers(5003) * 10.0,)),
    "loop kernel": (smooth, (numbers(37), np.array(20))),
}


def check(name: str) -> None:
    """A case, compiled now, equals eager mode."""
    function, arrays = CASES[name]
    arguments = [vt.to_tensor(a, stop_gradient=a.dtype.kind != "f") for a in arrays]
    wanted, found = (vt.utils.flatten(f(*arguments)) for f in (function, vt.to_static(function)))
    assert len(wanted) == len(found) > 0
    for a, b in zip(found, wanted, strict=True):
        is_double = str(b.dtype).endswith("float64")
        size = max(1.0, float(np.abs(b.numpy()).max()))
        bound = (1e-11 if is_double else 2e-5) * size
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=0, atol=bound, err_msg=name)


@pytest.mark.parametrize("name", CASES)
def test_kernels_equal_eager_mode(name: str, target: str) -> None:
    check(name)


@pytest.mark.parametrize("sizes", [(16 << 10, 256 << 10), (128 << 10, 4 << 20)], ids=["small", "large"])
@pytest.mark.parametrize("name", ["attention", "transformed tiles", "convolution", "softmax"])
def test_kernels_for_other_caches_equal_eager_mode(name: str, sizes: tuple[int, int]) -> None:
    own = current_target()
    first, second = sizes
    with using_target(replace(own, caches=replace(own.caches, first=first, second=second))):
        check(name)


def test_cases_take_the_kernels_that_they_are_for() -> None:
    texts = {}
    for name in (
        "gemm",
        "few rows, transposed",
        "gemv",
        "transformed tiles",
        "attention",
        "convolution",
        "transpose",
        "loop over elements",
    ):
        function, arrays = CASES[name]
        compiled = vt.to_static(function)
        compiled(*(vt.to_tensor(a, stop_gradient=a.dtype.kind != "f") for a in arrays))
        texts[name] = "\n".join(f"{key}\n{text}" for key, text in compiled.kernels.items())
    calls = {
        "gemm": "tile_f32(", "few rows, transposed": "inner_f32(", "gemv": "gemv_f32(", "transformed tiles": "tiles_in_f32(", "attention": "strided_f32(",
        "convolution": "outer_f32(", "transpose": "transpose_f32(", "loop over elements": "body_",
    }  # fmt: skip
    assert [name for name, call in calls.items() if call not in texts[name]] == []


SCALE = "def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = p0[i] * f32(3.0)\n"


def test_code_uses_the_vectors_of_its_target(any_target: str) -> None:
    target = any_target
    text = KernelSource("scale", SCALE, ("f32", "f32"), 0).assembly()
    registers = {"sse4": "xmm", "avx2": "ymm", "avx512": "zmm", "neon": ".4s"}
    assert registers[target] in text
    wider = {"sse4": ("ymm", "zmm"), "avx2": ("zmm",)}.get(target, ())
    assert [name for name in wider if name in text] == []


def test_multiply_adds_are_one_instruction_where_the_target_has_it(any_target: str) -> None:
    body = "def body(p0, p1, lo, hi):\n    for r in range(lo, hi):\n        a = f32(0)\n"
    body += "        for j in range(64):\n            a = fast_multiply_add(a, p0[j], p0[j])\n        p1[r] = a\n"
    text = KernelSource("dot", body, ("f32", "f32"), 0).assembly()
    assert ("fmadd" in text or "fmla" in text) is (any_target != "sse4")


CHAIN = "def body(p0, p1, lo, hi):\n    for i in range({}):\n        p1[i] = log_f32(exp_f32(p0[i]) + f32(1.0))\n"


@pytest.mark.parametrize(("iterations", "is_long"), [("lo, hi", True), ("0, 640, 1", True), ("0, 96, 1", False)])
def test_long_chains_are_computed_for_several_vectors_at_once(iterations: str, is_long: bool) -> None:
    kernel = KernelSource("chain", CHAIN.format(iterations), ("f32", "f32"), 0)
    products = []
    for target in (TARGETS["avx2"], with_vectors_abreast(TARGETS["avx2"], 1)):
        with using_target(target):
            products.append(len(re.findall("fmadd.*ymm", kernel.assembly())))
    assert (products[0] == 4 * products[1] > 0) is is_long
    assert (products[0] == products[1]) is not is_long


COUNT = """def body(p0, p1, lo, hi):
    for i in range(lo, hi):
        here = p0[i]{}
        p1[here] = p1[here] + 1
"""


@pytest.mark.parametrize(("more", "steps"), [("", 4), (" & 63" * 90, 1)], ids=["short", "long"])
def test_short_steps_that_count_by_what_they_read_are_four_in_a_row(any_target: str, more: str, steps: int) -> None:
    """No vectors compute them, and to go on would take as long as a step; what is left over is a loop of its own."""
    text = KernelSource("count", COUNT.format(more), ("i64", "i64"), 0, unroll="never").llvm()
    assert len(re.findall("store i64", text)) == steps + (steps > 1)


def test_loops_that_pick_elements_are_computed_for_one_vector_at_once() -> None:
    """Their places would fill the registers."""
    picked = "p2[i64(p0[i])] * p2[i64(p1[i])] + p2[i64(p2[i])]"
    body = "def body(p0, p1, p2, p3, lo, hi):\n    for i in range(lo, hi):\n        "
    body += f"p3[i] = log_f32(exp_f32({picked}) + f32(1.0))\n"
    kernel = KernelSource("walk", body, ("i64", "i64", "f32", "f32"), 0)
    products = []
    for target in (TARGETS["avx2"], with_vectors_abreast(TARGETS["avx2"], 1)):
        with using_target(target):
            products.append(len(re.findall("fmadd", kernel.assembly())))
    assert products[0] == products[1] > 0


@pytest.mark.parametrize("place", ["i64(floor_f32(p0[i]))", "i // 3"])
def test_places_of_elements_that_are_read_one_by_one_are_found_abreast(place: str) -> None:
    """LLVM would find them one by one, too. Where a kernel's places are known it goes on to: they are sums at most."""
    body = (
        f"def body(p0, p1, p2, lo, hi):\n    for i in range(lo, hi):\n        p2[i] = p1[{place}] + floor_f32(p0[i])\n"
    )
    target = TARGETS["avx2"]
    with using_target(replace(target, features=f"{target.features},+prefer-no-gather")):
        kernel = KernelSource("read", body, ("f32", "f32", "f32"), 0)
        assert ("fast-gather" in kernel.llvm()) is (place != "i // 3")
        assert re.search("vroundps.*[xy]mm", kernel.assembly())
        assert "vgather" not in kernel.assembly()


@pytest.mark.parametrize(
    "value", ["select(x > p0[i], x, p0[i])", "select(x > old, old, x)", "select(x > 0, p0[i], old)"]
)
@pytest.mark.parametrize("target", ["avx2", "avx512"])
def test_vectors_with_some_new_numbers_are_written_whole(value: str, target: str) -> None:
    """Stores by a mask are slow on some CPUs, and what was written so can't be read soon on any."""
    body = f"def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        x = p1[i]\n        old = p0[i]\n        p0[i] = {value}\n"
    with using_target(TARGETS[target]):
        text = KernelSource("newest", body, ("f32", "f32"), 0).assembly()
    assert re.findall(r"maskmovp?[sd].*, [^,]*\)$|\) \{%k", text, re.MULTILINE) == []
    assert re.search(r"mov[au]ps\t%[yz]mm\d+, .*\)$", text, re.MULTILINE)


@pytest.mark.parametrize("count", [1, 31, 32, 45, 191])
def test_what_vectors_at_once_leave_over_is_computed_alike(count: int) -> None:
    x, results = numbers(count), []
    for abreast in (1, 4):
        with using_target(with_vectors_abreast(current_target(), abreast)):
            results.append(np.full(count + 8, 7.0, np.float32))
            loop = ElementLoop("log_f32(exp_f32(A) + f32(1.0))", "float32", ("float32",), fast=False)
            loop(x, results[-1][:count])
    assert results[0].tobytes() == results[1].tobytes()
    assert np.allclose(results[1][:count], np.log1p(np.exp(x)), rtol=1e-5)


def with_vectors_abreast(target: Target, count: int) -> Target:
    return replace(target, core=replace(target.core, abreast=count))


ELF_MACHINE = {"aarch64": 183, "x86_64": 62}
FOREIGN = next(t for t in TARGETS.values() if t.architecture != host_target().architecture)


@pytest.mark.parametrize(
    "name",
    ["gemm", "few rows", "few rows, transposed", "gemv", "transformed tiles", "softmax", "transpose", "loop kernel"],
)
def test_kernels_compile_for_a_cpu_that_is_not_here(name: str) -> None:
    function, arrays = CASES[name]
    compiled = vt.to_static(function, input_spec=[vt.InputSpec(list(a.shape), str(a.dtype)) for a in arrays])
    with using_target(FOREIGN):
        sources = kernel_sources(compiled.concrete_trace().program)
        codes = [source.compile("kernel") for source in sources]
    assert len(codes) > 0
    assert {int.from_bytes(code[18:20], "little") for code in codes} == {ELF_MACHINE[FOREIGN.architecture]}
