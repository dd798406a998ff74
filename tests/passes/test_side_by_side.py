"""Pieces that one kernel computes are stored side by side: the gradient of a split is no sum of padded pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.passes.fusion.fuse import Fuse
from vitrify.runtime.compiler import compile_program

TEXT = """program @f(%x: {kind}, %y: {kind}) -> ({whole} "a", {kind} "b") {{
  %0 = tanh %x : {kind}
  %1 = multiply %0, %y : {kind}
  %2 = subtract %0, %y : {kind}
  %3 = concat %1, %2, %0 {{axis = {axis}}} : {whole}
  return %3, %2
}}"""


@pytest.mark.parametrize(
    ("kind", "whole", "axis", "shape"),
    [
        ("f32[3, 4]", "f32[3, 12]", 1, (3, 4)),
        ("f64[2, 3, 4]", "f64[2, 9, 4]", 1, (2, 3, 4)),
        ("f32[N, 5]", "f32[N, 15]", 1, (6, 5)),
    ],
)
def test_a_concat_is_stored_by_the_kernel_of_its_pieces(kind: str, whole: str, axis: int, shape: Any) -> None:
    program = parse_program(TEXT.format(kind=kind, whole=whole, axis=axis))
    feeds = [np.random.default_rng(k).standard_normal(shape).astype(kind[:3].replace("f", "float")) for k in (1, 2)]
    expected, _ = interpret(program, feeds, [])
    executable = compile_program(program, passes=(Fuse(),))
    for made, wanted in zip(executable.run(feeds, []), expected, strict=True):
        np.testing.assert_allclose(made, wanted, rtol=1e-5)
    (group,) = [o for o in executable.program.body.operations if o.name == "group"]
    assert "pieces stored where they belong" in group.attrs["reason"]
    assert len(executable.kernel_texts) == 1


def test_the_gradient_of_a_split_is_stored_by_one_kernel() -> None:
    @vt.jit.to_static
    def gradient(z: Any, w: Any) -> Any:
        i, f, g = vt.split(vt.matmul(z, w), 3, axis=1)
        return vt.grad((vt.tanh(i) * vt.nn.functional.sigmoid(f) + g * g).sum(), [w])[0]

    z, w = vt.ones([2, 4]) * 0.3, vt.to_tensor(np.linspace(-1, 1, 48, dtype=np.float32).reshape(4, 12))
    w.stop_gradient = False
    i, f, g = vt.split(vt.matmul(z, w), 3, axis=1)
    (expected,) = vt.grad((vt.tanh(i) * vt.nn.functional.sigmoid(f) + g * g).sum(), [w])
    np.testing.assert_allclose(gradient(z, w).numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
    text = str(gradient.dump())
    assert "concat" in text and "slice_update" not in text
