"""Kernels of a program that differ only in sizes which LLVM needn't know are one kernel; others keep their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.base.flags import flags
from vitrify.ops.dims import Dim
from vitrify.ops.kernel_expressions import Name
from vitrify.runtime.kernel.kernel_call import Kernel, KernelSlot
from vitrify.runtime.kernel.kernel_parser import parse_kernel
from vitrify.runtime.kernel.kernel_printer import print_body
from vitrify.runtime.kernel.statements import statements
from vitrify.runtime.lower.kernel_abstraction import apart, merged, skeleton, with_free_sizes

GENERATOR = np.random.default_rng(7)


def tensor(*shape: int) -> vt.Tensor:
    return vt.to_tensor(GENERATOR.standard_normal(shape).astype("float32"))


def texts_of(function: Any, *given: Any) -> list[str]:
    """The texts of a function's kernels, each once, after a call whose results are the eager ones."""
    compiled = vt.to_static(function)
    for got, wanted in zip(compiled(*given), function(*given), strict=True):
        np.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=2e-5, atol=2e-5)
    return list(dict.fromkeys(map(str, compiled.kernels.values())))


def centred(x: vt.Tensor) -> vt.Tensor:
    """Each channel without its mean over images and pixels."""
    return x - x.mean([0, 2, 3], keepdim=True)


def later(x: vt.Tensor) -> vt.Tensor:
    """Some of the channels, which start behind others, and a sum over their pixels."""
    return vt.exp(x[:, x.shape[1] // 2 :]).sum([0, 2, 3])


CASES: dict[str, tuple[Callable[[Any], Any], list[tuple[int, ...]]]] = {
    "channels": (centred, [(2, 24, 6, 6), (2, 40, 6, 6), (2, 56, 6, 6)]),
    "where a slice starts": (later, [(2, 24, 6, 6), (2, 40, 6, 6), (2, 56, 6, 6)]),
}


@pytest.mark.parametrize("case", CASES)
def test_kernels_that_differ_in_free_sizes_are_one(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one, shapes = CASES[case]
    images = [tensor(*shape) for shape in shapes]

    def chained(*given: vt.Tensor) -> list[vt.Tensor]:
        # Each waits for the one before, so that they are no batched launch.
        made, last = [], vt.zeros([1])
        for x in given:
            made.append(one(x + last.sum() * 0))
            last = made[-1]
        return made

    together = texts_of(chained, *images)
    monkeypatch.setattr(flags, "schedule", ("-shared_kernels",))
    apart = texts_of(chained, *images)
    assert len(together) < len(apart)


def test_filter_gradients_of_layers_are_one_kernel() -> None:
    def gradients(x: vt.Tensor, *weights: vt.Tensor) -> Any:
        loss = vt.zeros([])
        for weight in weights:
            part = x[:, : weight.shape[0]]
            loss = loss + (F.conv2d(part, weight, padding=1, groups=weight.shape[0]) ** 2).sum()
        return vt.grad(loss, list(weights))

    weights = [tensor(channels, 1, 3, 3) for channels in (48, 72, 96)]
    for weight in weights:
        weight.stop_gradient = False
    kernels = [text for text in texts_of(gradients, tensor(2, 96, 6, 6), *weights) if "inner_f32" in text]
    assert len(kernels) == 1
    assert "d0" in kernels[0]


def test_sizes_that_are_equal_by_chance_dont_keep_kernels_apart() -> None:
    def kernel(sizes: list[Any], *lines: str) -> Kernel:
        arguments = "".join(f"d{k}, " for k in range(len(sizes)))
        text = "".join([f"def body(p0, p1, {arguments}lo, hi):\n", *(f"    {line}\n" for line in lines)])
        return Kernel("one", parse_kernel(text), [KernelSlot("in"), KernelSlot("out")], sizes, 1, 1)

    unknown = Dim.symbol("N")
    # Of the first the channels are as many as the pixels; of the second as many as it has images.
    first = kernel([64, unknown], "for r in range(lo, hi):", "    p1[r * d0 + d0] = p0[r * d0 + d1]")
    second = kernel([64, 49, unknown], "for r in range(lo, hi):", "    p1[r * d0 + d0] = p0[r * d1 + d2]")
    alone = [apart(kernel)[0] for kernel in (first, second)]
    assert skeleton(alone[0]) == skeleton(alone[1])
    made = merged(alone)
    assert [kernel.dims for kernel in made] == [[64, 64, unknown], [64, 49, unknown]]
    assert made[0].body is made[1].body
    assert [line.strip() for line, _ in print_body(made[0].body)][1] == "p1[r * d0 + d0] = p0[r * d1 + d2]"


def test_depthwise_convolutions_of_all_numbers_of_channels_are_one_kernel() -> None:
    def chained(x: vt.Tensor, *weights: vt.Tensor) -> list[vt.Tensor]:
        for weight in weights:
            x = vt.tanh(F.conv2d(x, weight, padding=1, groups=x.shape[1]))
            x = vt.concat([x, x[:, :8]], 1)
        return [x]

    weights = [tensor(channels, 1, 3, 3) for channels in (24, 32, 40)]
    kernels = [text for text in texts_of(chained, tensor(2, 24, 8, 8), *weights) if "sums at once" in text]
    assert len(kernels) == 1
    assert "r % d" in kernels[0]


def test_few_statements_dont_pay_for_a_division_by_an_argument() -> None:
    short = body("for r in range(lo, hi):", "    k = r % 24", "    for j in range(8):", "        p0[r * 8 + j] = p1[k]")
    long = short.replace("range(8)", "range(400)")
    assert "r % 24" in opened(short)
    assert "r % size" in opened(long)


def opened(text: str) -> str:
    """A kernel's body with `size` in place of what may be left open."""
    return "\n".join(
        line.strip() for line, _ in print_body(with_free_sizes(parse_kernel(text), lambda _: Name("size")))
    )


def body(*lines: str) -> str:
    return "def body(p0, p1, p2, lo, hi):\n" + "\n".join(f"    {line}" for line in lines) + "\n"


KEPT = {
    "what the innermost loop strides by": ("for j in range(20):", "    p0[j * 24] = p1[j]"),
    "through a name": ("for j in range(20):", "    k = j + 3", "    p0[k * 24] = p1[j]"),
    "how long it is": ("for r in range(lo, hi):", "    for j in range(20):", "        p0[r + j] = p1[j]"),
    "divisors of elements": ("for r in range(lo, hi):", "    p0[r] = p1[r // 24]"),
    "0 and 1": ("for r in range(1):", "    for j in range(20):", "        p0[r * 1 + 0 + j] = p1[j]"),
}


@pytest.mark.parametrize("case", KEPT)
def test_what_llvm_has_to_know_stays(case: str) -> None:
    assert "size" not in opened(body(*KEPT[case]))


def test_what_is_left_open() -> None:
    text = opened(
        body(
            "for r in range(lo, hi):",
            "    for i in range(20):",
            "        for j in range(0, 600):",
            "            p0[(r * 24 + i) * 40 + j] = p1[48 + r]",
            "        for j in range(20):",
            "            p0[j] = f32(0.0)",
        )
    )
    assert text.splitlines() == [
        "for r in range(lo, hi):",
        "for i in range(size):",
        "for j in range(size):",
        "p0[(r * size + i) * size + j] = p1[size + r]",
        "for j in range(size):",
        "p0[j] = f32(0.0)",
    ]


def test_tiles_keep_their_sizes_and_the_distance_of_rows() -> None:
    text = opened(
        body("for r in range(lo, hi):", "    outer_f32(4, 3, 16, 0, p2, 8, 90, p0, r * 12, 99, p1, 0, p0, r, 77)")
    )
    assert "outer_f32(4, 3, 16, 0, p2, size, size, p0, r * size, 99, p1, 0, p0, r, size)" in text


def test_a_kernel_alone_keeps_its_numbers() -> None:
    texts = texts_of(lambda x: [centred(x)], tensor(2, 24, 6, 6))
    assert all("d0" not in text for text in texts)
    assert any(True for text in texts for _ in statements(parse_kernel(text)))
