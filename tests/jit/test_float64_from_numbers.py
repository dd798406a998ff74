"""Python floats read of float64 tensors and put into float64 tensors keep all their bits."""

from typing import Any

import pytest

import vitrify as vt


def _items(x: Any) -> Any:
    y = x.clone()
    y[1] = float(x[0])
    y[y > 1] = x[0].item()
    return y


def _made(x: Any) -> Any:
    v = float(x[0])
    return vt.full([1], v, dtype="float64"), vt.to_tensor([v, 2.0], dtype="float64"), vt.full_like(x, v)


def _whole(x: Any) -> Any:
    y, z = x * 1.0, vt.zeros_like(x)
    y[:] = float(x[0])
    z[0] = float(x[0]) ** 0.5
    return y, z, vt.zeros_like(x).fill_(float(x[0]))


def _beside(x: Any) -> Any:
    v = float(x[0])
    padded = vt.nn.functional.pad(x.reshape([1, 1, 2]), [1, 1], value=v)
    return padded, vt.where(x > 1, v, x), x.masked_fill(x > 1, v), vt.clip(x, max=v), x * v


def _of_the_default_dtype(x: Any) -> Any:
    v = float(x[0])
    return vt.full([2], v), vt.to_tensor([v, 2.0]), vt.arange(0, float(x[1]), 3.0), vt.linspace(0.0, float(x[1]), 3)


@pytest.mark.parametrize("fn", [_items, _made, _whole, _beside, _of_the_default_dtype], ids=lambda fn: fn.__name__[1:])
def test_the_bits_are_eager_modes(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for values in ([0.1, 9.0], [0.7, 3.0]):
        expected, got = (each(vt.to_tensor(values, dtype="float64")) for each in (fn, compiled))
        pairs = [(expected, got)] if isinstance(expected, vt.Tensor) else zip(expected, got, strict=True)
        for x, y in pairs:
            assert (x.dtype, x.tolist()) == (y.dtype, y.tolist())
