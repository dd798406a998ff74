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


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("shape", [(7, 13), (1, 5), (33,), (0, 3), ()])
def test_parts_of_complex_numbers_are_stored_by_one_kernel(dtype: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    x, y = ((rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype) for _ in range(2))
    if shape == (7, 13):
        x[2, 3], x[4, 5], y[4, 6] = complex(np.nan, 1), complex(np.inf, 0), complex(1, -np.inf)
    compiled = vt.to_static(lambda x, y: (x**2, x * y + 1, vt.conj(x)))
    with np.errstate(invalid="ignore"):
        wanted = x * x, x * y + 1, np.conj(x)
    eps = 10 * np.finfo(dtype).eps
    for made, value in zip(compiled(vt.to_tensor(x), vt.to_tensor(y)), wanted, strict=True):
        np.testing.assert_allclose(made.numpy(), value, rtol=eps, atol=eps)
        assert made.numpy().dtype == dtype and made.shape == shape
    if len(shape) == 2 and 0 not in shape and shape[0] > 1:
        assert "interleave" not in str(compiled.kernels) and " copy " not in str(compiled.dump("after shared_kernels"))


def test_pieces_of_one_element_are_made_by_one_kernel() -> None:
    def made(x: Any, y: Any) -> Any:
        total = x * y
        return vt.stack([total + 1, vt.tanh(total), x - y], -1), total[1:]

    x, y = np.random.default_rng(4).standard_normal((2, 31, 3))
    compiled = vt.to_static(made)
    stacked, total = compiled(vt.to_tensor(x), vt.to_tensor(y))
    np.testing.assert_allclose(stacked.numpy(), np.stack([x * y + 1, np.tanh(x * y), x - y], -1), rtol=1e-14)
    np.testing.assert_array_equal(total.numpy(), (x * y)[1:])
    (group,) = [t for t in str(compiled.dump()).splitlines() if "pieces of one array" in t]
    assert "f64[31, 3, 3]" in group


def test_pieces_that_are_indices_stay_with_what_they_pick() -> None:
    rows, columns = vt.to_tensor([[1], [-4]]), vt.to_tensor([2, 0, -1])

    def picked(x: Any, i: Any, j: Any) -> Any:
        return (x * x)[i, j], x[i + 0, j + 0] + 1, x[(i > 0).astype("int64"), j % 3]

    x = np.random.default_rng(5).standard_normal((4, 5, 6))
    compiled = vt.to_static(picked)
    for made, wanted in zip(
        compiled(vt.to_tensor(x), rows, columns), picked(vt.to_tensor(x), rows, columns), strict=True
    ):
        np.testing.assert_array_equal(made.numpy(), wanted.numpy())
