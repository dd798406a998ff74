"""What has to be one kernel is one, forward and backward: the steps of softmax, normalisation, losses and attention.

`pytest tests/golden --update-golden` writes the programs after the last pass anew, with the steps they become.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify.ir.core import Program
from vitrify.ir.printer import print_program
from vitrify.nn import functional as F
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.passes.manager import PassManager
from vitrify.passes.pipelines import default_pipeline
from vitrify.runtime.schedule.linearise import linearise
from vitrify.runtime.schedule.program_steps import KernelStep, Steps

FILE = Path(__file__).parent / "one_kernel.txt"
ROWS = vt.static.InputSpec(["N", 64], "float32", "x")
HEADS = vt.static.InputSpec(["B", "S", 4, 16], "float32")


def softmax(x: Any) -> Any:
    return F.softmax(x, axis=-1)


def layer_norm(x: Any) -> Any:
    return F.layer_norm(x, [64])


def cross_entropy(x: Any, label: Any) -> Any:
    return F.cross_entropy(x, label)


def attention(q: Any, k: Any, v: Any) -> Any:
    """As users write it."""
    q, k, v = (x.transpose([0, 2, 1, 3]) for x in (q, k, v))
    weights = F.softmax(vt.matmul(q, k, transpose_y=True) * 0.25)
    return vt.matmul(weights, v).transpose([0, 2, 1, 3])


def causal_attention(q: Any, k: Any, v: Any) -> Any:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


CASES: list[tuple[Callable[..., Any], list[Any]]] = [
    (softmax, [ROWS]),
    (layer_norm, [ROWS]),
    (cross_entropy, [ROWS, vt.static.InputSpec(["N"], "int64", "label")]),
    (attention, [HEADS] * 3),
    (causal_attention, [HEADS] * 3),
]


@functools.cache
def programs(number: int) -> dict[str, tuple[Program, Steps]]:
    """Forward and backward after the last pass, with their steps."""
    fn, specs = CASES[number]
    program = vt.jit.to_static(fn, input_spec=specs).program
    made = differentiate(program, [k for k, v in enumerate(program.body.args) if v.dtype.is_differentiable])
    found = {}
    for kind, one in (("forward", made.forward), ("backward", made.backward)):
        PassManager(default_pipeline()).run(one)
        found[kind] = one, linearise(one)
    return found


def kernels(steps: Steps, rank: int) -> list[KernelStep]:
    """Those that read or write an array of so many axes."""
    called = [s for s in steps.steps if isinstance(s, KernelStep)]
    return [s for s in called if any(len(b.kind.shape) >= rank and b.kind.shape[-1] != 1 for b in s.buffers)]


@pytest.mark.parametrize("number", range(len(CASES)), ids=[fn.__name__ for fn, _ in CASES])
def test_one_kernel_reads_the_large_arrays(number: int) -> None:
    for kind, (_, steps) in programs(number).items():
        rank = len(CASES[number][1][0].shape)
        assert len(kernels(steps, rank)) == 1, (kind, [type(s).__name__ for s in steps.steps])
        if CASES[number][0] is not cross_entropy:  # whose mean is a second kernel, over one number for each row
            assert len(steps.steps) == 1, kind


def test_their_programs(golden: Callable[[Path, str], None]) -> None:
    parts = []
    for number, (fn, _) in enumerate(CASES):
        for kind, (program, steps) in programs(number).items():
            called = [s.kernel.source.name for s in steps.steps if isinstance(s, KernelStep)]
            parts.append(f"// {fn.__name__}, {kind}: {', '.join(called)}\n{print_program(program, constants={})}")
    golden(FILE, "\n".join(parts))
