"""Kernels for operands of certain types give the bits that the row's own kernel gives, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.dtype import of_array
from vitrify.dygraph.call_cache import EAGER
from vitrify.ops.op import OPS, Sample
from vitrify.ops.types import TensorType

SPECIAL = sorted(op.name for op in OPS.values() if op.specialise is not None)


def _cases(name: str) -> list[tuple[list[Any], dict[str, Any]]]:
    op = OPS[name]
    made = []
    for sample in op.samples():
        assert isinstance(sample, Sample)
        fixed = len(op.operands) - op.is_variadic
        args = (*sample.args[:fixed], *([sample.args[fixed:]] if op.is_variadic else []))
        values, attrs = op.bind(args, sample.attrs)
        operands = [vt.to_tensor(v) for v in values]
        if op.prepare is not None:
            prepared, attrs = op.prepare(EAGER, list(operands), attrs)
            operands = list(prepared)
        made.append(([x.numpy() for x in operands], attrs))
    return made


@pytest.mark.parametrize("name", SPECIAL)
def test_bits_are_those_of_the_general_kernel(name: str) -> None:
    op, special = OPS[name], 0
    for arrays, attrs in _cases(name):
        types = [TensorType(of_array(a), a.shape) for a in arrays]
        assert op.specialise is not None
        special += op.specialise(types, attrs) is not None
        with np.errstate(all="ignore"):
            expected = np.asarray(op.eager(*arrays, **attrs))
            got = np.asarray(op.kernel(types, attrs)(*arrays))
        assert got.dtype == expected.dtype and got.shape == expected.shape
        assert np.ascontiguousarray(got).tobytes() == np.ascontiguousarray(expected).tobytes()
    assert special


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [2, 3, 8, 17, 64, 130])
@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
def test_products_are_the_same_to_the_bit(dtype: str, size: int, flags: tuple[bool, bool]) -> None:
    rng = np.random.default_rng(size)
    x, y = rng.standard_normal((2, size, size)).astype(dtype)
    attrs = dict(zip(("transpose_x", "transpose_y"), flags, strict=True))
    op = OPS["matmul"]
    types = [TensorType(of_array(a), a.shape) for a in (x, y)]
    for a, b in ((x, y), (x, x)):
        assert op.kernel(types, attrs)(a, b).tobytes() == op.eager(a, b, **attrs).tobytes()


def test_a_reshaped_operand_is_not_written_through() -> None:
    x, reshape, transpose = vt.ones([2, 3]), OPS["reshape"], OPS["transpose"]  # the library's own, which give no views
    for _ in range(3):
        for y in (reshape(x, [3, 2]), transpose(x, [1, 0]), transpose(reshape(x, [1, 6]), [1, 0])):
            y.zero_()
            assert x.numpy().all()
